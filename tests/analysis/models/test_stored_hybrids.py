"""Published checkpoints of hybrids: their tensors have names of their own and reach the rows of the class."""

from collections.abc import Callable
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.models.checkpoint.stored import with_tensors
from explorer.analysis.step.phases.registry import one_step
from explorer.files.models.tensors import FileTensor, summarise

H = 256
ROWS = {
    "lfm2_moe": {
        f"feed_forward.experts.{e}.{name}.weight": 96 * H for e in range(16) for name in ("w1", "w2", "w3")
    } | {"feed_forward.gate.weight": 16 * H, "operator_norm.weight": H},
    "granitemoehybrid": {
        "block_sparse_moe.input_linear.weight": 16 * 2 * 640 * H,
        "block_sparse_moe.output_linear.weight": 16 * 640 * H,
        "block_sparse_moe.router.layer.weight": 16 * H,
        "shared_mlp.input_linear.weight": 2 * 160 * H,
        "shared_mlp.output_linear.weight": 160 * H,
        "mamba.norm.weight": 2 * H,
    },
    "kimi_linear": {
        f"block_sparse_moe.experts.{e}.{name}.weight": 96 * H for e in range(16) for name in ("w1", "w2", "w3")
    } | {
        **{f"self_attn.{letter}_conv1d.weight": 6 * 24 * 4 for letter in "qkv"},
        "self_attn.f_a_proj.weight": 24 * H,
        "self_attn.dt_bias": 144,
        "block_sparse_moe.gate.weight": 16 * H,
        "block_sparse_moe.shared_experts.gate_proj.weight": 2 * 96 * H,
    },
}  # fmt: skip
READ = {
    "lfm2_moe": ("experts.gate_up_proj", "experts.down_proj", "gate", "operator_norm"),
    "granitemoehybrid": (
        "experts.gate_up_proj",
        "experts.down_proj",
        "router",
        "input_linear",
        "output_linear",
        "mamba.norm",
    ),
    "kimi_linear": ("experts.gate_proj", "experts.down_proj", "conv1d", "f_a_proj", "gate", "shared_experts.gate_proj"),
}


@pytest.mark.parametrize("model_type", ROWS)
def test_tensors_of_published_checkpoints_reach_their_rows(
    small: Callable[..., dict[str, Any]], model_type: str
) -> None:
    model = build_model(small(model_type))
    kinds = {"linear", "mamba2", "convolution"}
    layer = next(i for part in model.layers if part.attention in kinds and "moe" in part.mlp for i in part.indices)
    own = {f"model.layers.{layer}.{name}": values for name, values in ROWS[model_type].items()}
    others = {
        f"model.layers.{i}.{tensor.name}": tensor.values * tensor.count
        for part in model.architecture.layers for i in part.indices if i != layer for op in part.ops
        for tensor in op.tensors
    } | {
        f"model.{tensor.name}": tensor.values
        for op in (*model.architecture.before, *model.architecture.after) for tensor in op.tensors
    }  # fmt: skip
    found = [FileTensor(name, "fp8", values, values) for name, values in own.items()]
    found += [FileTensor(name, "bf16", values, 2 * values) for name, values in others.items()]
    made = with_tensors(model, summarise(found, "mixed"))
    rows = {row.name: row.weights for row in made.rows(one_step("decode", 1, 10))}
    assert [name for name in READ[model_type] if "fp8" not in rows[name]] == []
    assert "model.tensors_idle" not in {note.code for note in made.assumptions}
