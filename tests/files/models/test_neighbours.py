"""Files that lie beside a config or in its place: each is named for what it is, or read."""

import json
from pathlib import Path
from typing import Any

import pytest

import explorer.presentation.sentences  # noqa: F401 - registers every sentence
from explorer.analysis.models import Model
from explorer.analysis.problem import Refused
from explorer.analysis.step.expand import built_model
from explorer.files.detect import detect
from explorer.files.models.model_file import read_model
from explorer.presentation.words.messages import render_problem

LORA: dict[str, Any] = {
    "base_model_name_or_path": "meta-llama/Llama-3.2-3B-Instruct", "peft_type": "LORA", "r": 16,
    "target_modules": ["q_proj", "k_proj", "v_proj", "o_proj"],
}  # fmt: skip
META: dict[str, Any] = {
    "dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "vocab_size": 128256, "ffn_dim_multiplier": 1.3,
    "multiple_of": 1024, "norm_eps": 1e-05, "rope_theta": 500000.0, "use_scaled_rope": True,
}  # fmt: skip
MISTRAL: dict[str, Any] = {
    "dim": 4096, "n_layers": 32, "head_dim": 128, "hidden_dim": 14336, "n_heads": 32, "n_kv_heads": 8,
    "norm_eps": 1e-05, "vocab_size": 32768, "rope_theta": 1000000.0,
}  # fmt: skip


def said(path: Path) -> str:
    with pytest.raises(Refused) as refusal:
        read_model(path)
    return "; ".join(render_problem(p) for p in refusal.value.problems)


def written(tmp_path: Path, name: str, found: object) -> Path:
    path = tmp_path / name
    path.write_text(json.dumps(found), encoding="utf-8")
    return path


NEIGHBOURS: list[tuple[str, object, str]] = [
    ("adapter_config.json", LORA, "of meta-llama/Llama-3.2-3B-Instruct: load that model's config.json"),
    ("mine.json", {**LORA, "base_model_name_or_path": "someone/else"}, "An adapter (LORA) of someone/else"),
    ("mine.json", {"peft_type": "IA3", "base_model_name_or_path": None}, "An adapter (IA3), which does not name"),
    ("genai_config.json", {"model": {"type": "llama", "decoder": {}}, "search": {}}, "ONNX Runtime GenAI"),
    ("g.json", {"model": {"decoder": {"hidden_size": 3}}}, "ONNX Runtime GenAI"),
    ("model_index.json", {"_class_name": "FluxPipeline", "vae": ["diffusers", "AutoencoderKL"]}, "(FluxPipeline)"),
    ("t.json", {"_class_name": "FluxTransformer2DModel", "_diffusers_version": "0.30"}, "(FluxTransformer2DModel)"),
    ("modules.json", [{"idx": 0, "type": "sentence_transformers.models.Transformer"}], "Sentence Transformers"),
    ("config_sentence_transformers.json", {"__version__": {}}, "Sentence Transformers"),
    ("x.json", {"__version__": {"sentence_transformers": "3"}, "prompts": {}}, "Sentence Transformers"),
    ("tokenizer_config.json", {}, "tokenizer"),
    ("x.json", {"tokenizer_class": "LlamaTokenizer"}, "tokenizer"),
    ("tokenizer.json", {"version": "1.0"}, "tokenizer"),
    ("generation_config.json", {"temperature": 0.6}, "how text is sampled"),
    ("x.json", {"_from_model_config": True, "eos_token_id": 2}, "how text is sampled"),
    ("preprocessor_config.json", {}, "how images or sound are prepared"),
    ("x.json", {"image_processor_type": "CLIPImageProcessor"}, "how images or sound are prepared"),
    ("quantize_config.json", {"bits": 4, "group_size": 128}, "how weights are quantised"),
    ("x.json", {"producer": {}, "quantization": {"quant_algo": "FP8"}}, "how weights are quantised"),
    ("x.json", {"metadata": {}, "weight_map": {"a": "b.safetensors"}}, "An index of weights"),
]


@pytest.mark.parametrize(("name", "found", "sentence"), NEIGHBOURS)
def test_a_neighbour_of_a_config_is_named_with_what_to_load(
    name: str, found: object, sentence: str, tmp_path: Path
) -> None:
    path = written(tmp_path, name, found)
    assert detect(path) == "model"
    assert sentence in said(path)
    assert "load" in said(path) or "trace" in said(path)


@pytest.mark.parametrize(
    ("change", "added"),
    [
        ({}, 28 * 16 * (2 * 2 * 3072 + 2 * (3072 + 1024))),
        ({"r": 8, "target_modules": ["down_proj"]}, 28 * 8 * (3072 + 8192)),
        ({"target_modules": "all-linear"}, 28 * 16 * (4 * 3072 + 2 * (3072 + 1024) + 3 * (3072 + 8192))),
        ({"target_modules": ".*proj"}, 0),
        ({"modules_to_save": ["lm_head"]}, 0),
        ({"r": -4}, 0),
        ({"r": 0}, 0),
        ({"r": True}, 0),
        ({"r": 65_536}, 0),
        ({"base_model_name_or_path": "someone/else"}, 0),
    ],
)
def test_the_rank_of_an_adapter_adds_what_its_modules_take_where_the_model_is_known(
    change: dict[str, Any], added: int, tmp_path: Path
) -> None:
    text = said(written(tmp_path, "adapter_config.json", {**LORA, **change}))
    assert (f"adds {added:,} parameters, {added * 2 / 1e6:,.1f} MB" in text) is bool(added)
    assert ("parameters" in text) is bool(added)


def test_a_folder_with_an_adapter_or_a_pipeline_alone_is_named_too(tmp_path: Path) -> None:
    written(tmp_path, "adapter_config.json", LORA)
    assert detect(tmp_path) == "model"
    assert "An adapter" in said(tmp_path)
    weights = tmp_path / "adapter_model.safetensors"
    weights.write_bytes((2).to_bytes(8, "little") + b"{}")
    assert "An adapter" in said(weights)


def params(tmp_path: Path, found: dict[str, Any]) -> Model:
    return built_model(read_model(written(tmp_path, "params.json", found)))


@pytest.mark.parametrize(
    ("found", "parameters", "kind"),
    [
        (META, 8_030_261_248, "llama"),
        ({**META, "dim": 2048, "n_layers": 16, "ffn_dim_multiplier": 1.5, "multiple_of": 256}, 1_235_814_400, "llama"),
        ({"dim": 4096, "n_layers": 32, "n_heads": 32, "vocab_size": 32000, "multiple_of": 256, "norm_eps": 1e-6},
         6_738_415_616, "llama"),
        ({"dim": 8192, "n_layers": 80, "n_heads": 64, "n_kv_heads": 8, "vocab_size": 32000, "multiple_of": 4096,
          "ffn_dim_multiplier": 1.3}, 68_976_648_192, "llama"),
        (MISTRAL, 7_248_023_552, "mistral"),
        ({**MISTRAL, "vocab_size": 32000, "moe": {"num_experts": 8, "num_experts_per_tok": 2}},
         46_702_792_704, "mixtral"),
    ],
)  # fmt: skip
def test_the_params_of_meta_and_mistral_are_read_exactly(
    found: dict[str, Any], parameters: int, kind: str, tmp_path: Path
) -> None:
    model = params(tmp_path, found)
    assert (model.parameters, model.model_type) == (parameters, kind)
    assert {layer.attention for layer in model.layers} == {"full"}
    assert built_model(read_model(tmp_path)).parameters == parameters


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"vocab_size": -1}, "vocab_size"),
        ({"vocab_size": None}, "vocab_size"),
        ({"multiple_of": 0}, "multiple_of"),
        ({"ffn_dim_multiplier": "x"}, "ffn_dim_multiplier"),
        ({"moe_args": {"num_experts": 16}}, "moe_args"),
        ({"quantization": {"qformat_weight": "fp8_e4m3"}}, "quantization"),
        ({"vision_encoder": {}}, "vision_encoder"),
        ({"moe": {"num_experts": 8, "num_experts_per_tok": 2, "num_shared_experts": 1}}, "moe"),
        ({"n_heads": None}, "num_attention_heads"),
    ],
)
def test_what_params_leave_open_or_say_beyond_what_is_read_is_refused_by_its_field(
    change: dict[str, Any], field: str, tmp_path: Path
) -> None:
    with pytest.raises(Refused) as refusal:
        params(tmp_path, {**META, **change})
    assert field in [p.path.rpartition(": ")[2] for p in refusal.value.problems]


def test_the_handed_neighbours_are_answered(shared: Path) -> None:
    folder = shared / "cases" / "failing"
    assert "of meta-llama/Llama-3.2-3B-Instruct: load that model's config.json" in said(
        folder / "07_adapter_config.json"
    )
    assert built_model(read_model(folder / "07_params.json")).parameters == 8_030_261_248
