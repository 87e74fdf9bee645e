"""Small configs and the built-in catalogue."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.models import build_model
from explorer.analysis.step.costs import Costs, compile_kind
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.step.rows import Row
from explorer.files.catalogue import load_catalogue

SIZES: dict[str, Any] = {
    "hidden_size": 256,
    "intermediate_size": 640,
    "num_hidden_layers": 6,
    "num_attention_heads": 8,
    "num_key_value_heads": 2,
    "vocab_size": 1000,
    "max_position_embeddings": 4096,
    "torch_dtype": "bfloat16",
}
MLA = {"kv_lora_rank": 64, "qk_rope_head_dim": 16, "qk_nope_head_dim": 32, "v_head_dim": 24, "q_lora_rank": 96}
DEEPSEEK = {
    **SIZES,
    **MLA,
    "n_routed_experts": 16,
    "num_experts_per_tok": 4,
    "n_shared_experts": 2,
    "moe_intermediate_size": 96,
    "first_k_dense_replace": 2,
}
CONFIGS: dict[str, dict[str, Any]] = {
    "llama": SIZES,
    "mistral": {**SIZES, "sliding_window": 128},
    "qwen2": {**SIZES, "use_sliding_window": True, "sliding_window": 128, "max_window_layers": 4},
    "qwen3": {**SIZES, "head_dim": 48},
    "phi3": {**SIZES, "sliding_window": None, "partial_rotary_factor": 0.5},
    "gemma2": {**SIZES, "head_dim": 32, "sliding_window": 128},
    "gemma3": {
        "torch_dtype": "bfloat16",
        "text_config": {**SIZES, "head_dim": 32, "sliding_window": 128},
        "vision_config": {
            "hidden_size": 64,
            "intermediate_size": 128,
            "num_hidden_layers": 2,
            "vision_use_head": False,
        },
    },
    "gemma3_text": {**SIZES, "head_dim": 32, "sliding_window": 128, "sliding_window_pattern": 3},
    "olmo2": SIZES,
    "olmo3": {**SIZES, "sliding_window": 128},
    "gpt2": {
        "n_embd": 256,
        "n_layer": 3,
        "n_head": 8,
        "n_positions": 512,
        "vocab_size": 1000,
        "torch_dtype": "float32",
    },
    "mixtral": {**SIZES, "num_local_experts": 8, "num_experts_per_tok": 2},
    "qwen3_moe": {
        **SIZES,
        "num_experts": 16,
        "num_experts_per_tok": 4,
        "moe_intermediate_size": 96,
        "decoder_sparse_step": 2,
        "mlp_only_layers": [1],
        "head_dim": 32,
    },
    "gpt_oss": {
        **SIZES,
        "num_local_experts": 8,
        "num_experts_per_tok": 2,
        "sliding_window": 128,
        "head_dim": 64,
        "quantization_config": {
            "quant_method": "mxfp4",
            "modules_to_not_convert": ["model.layers.*.self_attn", "model.layers.*.mlp.router", "lm_head"],
        },
    },
    "deepseek_v2": {**DEEPSEEK, "q_lora_rank": None},
    "deepseek_v3": {
        **DEEPSEEK,
        "num_nextn_predict_layers": 1,
        "quantization_config": {
            "quant_method": "fp8",
            "activation_scheme": "dynamic",
            "weight_block_size": [128, 128],
        },
    },
}
for more in sorted(Path(__file__).parent.glob("small_*.json")):  # one file for each group of families
    for name, stated in json.loads(more.read_text("utf-8")).items():
        based = SIZES if stated.pop("base", False) else {"torch_dtype": "bfloat16"}
        CONFIGS[name] = {**based, **stated}
Expand = Callable[..., dict[str, Row]]


@pytest.fixture(params=CONFIGS)
def config(request: pytest.FixtureRequest) -> dict[str, Any]:
    """One small config of every model type."""
    return {"model_type": request.param, **CONFIGS[request.param]}


@pytest.fixture
def small() -> Callable[..., dict[str, Any]]:
    """A small config of a model type, with changes (None for a change takes a field out)."""

    def make(model_type: str, **changes: Any) -> dict[str, Any]:
        changed = {"model_type": model_type, **CONFIGS[model_type], **changes}
        return {key: value for key, value in changed.items() if value is not ...}

    return make


@pytest.fixture
def rows_of() -> Expand:
    """Rows of a config for a step, by name."""

    def expand(
        config: Mapping[str, Any], phase: str = "decode", batch: Any = 1, context: Any = 1000, **more: Any
    ) -> Any:
        rows = build_model(config).rows(one_step(phase, batch, context, **more))
        return {row.name: row for row in rows}

    return expand


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue(devices=False)


@pytest.fixture(scope="session")
def cost(catalogue: Catalogue) -> Callable[[Row], Costs]:
    """What one call of a row costs."""
    kinds = {kind.id: compile_kind(kind) for kind in catalogue.kinds}
    return lambda row: kinds[row.kind].costs(row, catalogue.format_by_id)
