"""Quantised configs that are odd, contradict themselves or are very long: refused by field, in one short sentence."""

import time
from typing import Any

import pytest

import explorer.presentation.sentences  # noqa: F401 - registers every sentence
from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.files.catalogue import load_catalogue
from explorer.presentation.words.messages import render_problem

SMALL: dict[str, Any] = {
    "model_type": "llama", "hidden_size": 320, "intermediate_size": 832, "num_hidden_layers": 3, "vocab_size": 1000,
    "num_attention_heads": 5, "num_key_value_heads": 1, "head_dim": 64, "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
}  # fmt: skip
EXPERTS: dict[str, Any] = {
    **SMALL, "model_type": "qwen3_moe", "moe_intermediate_size": 192, "num_experts": 6, "num_experts_per_tok": 2,
}  # fmt: skip
AUTO: dict[str, Any] = {"quant_method": "auto-round", "bits": 4, "group_size": 64}
GPTQ: dict[str, Any] = {"quant_method": "gptq", "bits": 4, "group_size": 64}
MLX: dict[str, Any] = {"bits": 4, "group_size": 64}
BNB: dict[str, Any] = {"quant_method": "bitsandbytes", "load_in_4bit": True}
HQQ: dict[str, Any] = {"quant_method": "hqq", "quant_config": {"weight_quant_params": {"nbits": 4, "group_size": 64}}}
QUARK: dict[str, Any] = {
    "quant_method": "quark", "global_quant_config": {"weight": {"dtype": "fp8_e4m3", "qscheme": "per_tensor"}}
}  # fmt: skip


def group(bits: int, kind: str = "int", **more: Any) -> dict[str, Any]:
    return {"weights": {"num_bits": bits, "type": kind, "strategy": "channel"}, "targets": ["Linear"], **more}


def compressed(*groups: dict[str, Any], **more: Any) -> dict[str, Any]:
    named = {f"group_{i}": g for i, g in enumerate(groups)}
    return {"quant_method": "compressed-tensors", "config_groups": named, "ignore": ["lm_head"], **more}


def refused(stated: dict[str, Any], config: dict[str, Any] = SMALL, **more: Any) -> list[str]:
    with pytest.raises(Refused) as refusal:
        build_model({**config, "quantization_config": stated, **more})
    return [render_problem(p) for p in refusal.value.problems]


ODD = [
    ({**AUTO, "bits": 100}, "bits"),
    ({**AUTO, "bits": 17}, "bits"),
    ({**AUTO, "bits": True}, "bits"),
    ({**AUTO, "extra_config": {"model.layers.0.mlp.up_proj": {"bits": 99}}}, "extra_config.model.layers.0.mlp.up_proj"),
    ({"quant_method": "modelopt"}, "quant_algo"),
    ({"quant_method": "modelopt", "exclude_modules": ["lm_head"]}, "quant_algo"),
    ({**BNB, "load_in_8bit": True}, "load_in_8bit"),
    *(({**MLX, "model.layers.0.mlp.up_proj": odd}, "model.layers.0.mlp.up_proj") for odd in ("x", "8", None, 5, [])),
]


@pytest.mark.parametrize(("stated", "field"), ODD)
def test_what_would_end_as_wide_weights_is_refused_by_its_field(stated: dict[str, Any], field: str) -> None:
    (text,) = refused(stated)
    assert text.startswith(f"quantization_config.{field}")


LISTS = [
    (compressed(group(8)), "ignore"),
    (BNB, "llm_int8_skip_modules"),
    ({"quant_method": "fp8"}, "modules_to_not_convert"),
    ({"quant_method": "fbgemm_fp8"}, "modules_to_not_convert"),
    ({"quant_method": "modelopt", "quant_algo": "FP8"}, "exclude_modules"),
    ({"quant_method": "modelopt", "quant_algo": "FP8"}, "ignore"),
    ({"quant_method": "awq", "bits": 4}, "modules_to_not_convert"),
    (QUARK, "exclude"),
    (HQQ, "skip_modules"),
    (GPTQ, "modules_to_not_convert"),
    (GPTQ, "dynamic"),
    (AUTO, "extra_config"),
    ({"quant_method": "exl3", "bits": 4}, "tensor_storage"),
]


@pytest.mark.parametrize("odd", ["lm_head", "*gate_proj", 5, True, [None], [{}]])
@pytest.mark.parametrize(("stated", "field"), LISTS, ids=[f"{s['quant_method']} {f}" for s, f in LISTS])
def test_names_in_a_wrong_type_are_refused_by_their_field(stated: dict[str, Any], field: str, odd: object) -> None:
    (text,) = refused({**stated, field: odd})
    assert text.startswith(f"quantization_config.{field}")


def test_two_statements_that_differ_are_refused_and_two_alike_are_read() -> None:
    assert "twice" in refused(GPTQ, quantization=MLX)[0]
    assert build_model({**SMALL, "quantization": MLX, "quantization_config": MLX}).weights_format == "int4-affine-g64"


def test_of_two_groups_for_one_class_the_last_counts() -> None:
    named = {"targets": ["re:.*_proj"]}
    for groups, format_ in (((group(8, "float"), group(8)), "int8"), ((group(8), group(8, "float")), "fp8")):
        model = build_model({**SMALL, "quantization_config": compressed(*groups)})
        assert model.weights_format == format_
        again = [{**g, **named} for g in groups]
        assert build_model({**SMALL, "quantization_config": compressed(*again)}).weights_format == format_


@pytest.mark.parametrize(("bits", "in_a_word"), [(2, 16), (3, 10), (4, 8), (5, 6), (6, 5), (7, 4), (8, 4)])
def test_packed_values_never_cross_a_word(bits: int, in_a_word: int) -> None:
    quantised = compressed(group(bits), format="pack-quantized")
    model = build_model({**SMALL, "quantization_config": quantised})
    attention, mlp = [(320, 320), (64, 320), (64, 320), (320, 320)], [(832, 320), (832, 320), (320, 832)]
    layer = sum(n * (4 * -(-k // in_a_word) + 2) + 16 for n, k in (*attention, *mlp))
    wide = 2 * (2 * 1000 * 320 + 7 * 320)
    assert model.weight_bytes(None, load_catalogue(devices=False).format_by_id) == pytest.approx(3 * layer + wide)


@pytest.mark.parametrize(
    "stated",
    [
        compressed(group(8, targets=["re:.*nothing.*"])),
        compressed(group(8), group(4, targets=["model.layers.9.mlp.up_proj"])),
        {**MLX, "model.nothing": {"bits": 8}},
        {**AUTO, "extra_config": {"model.nothing": {"bits": 8}}},
    ],
)
def test_a_format_of_modules_that_are_not_there_is_noted(stated: dict[str, Any]) -> None:
    model = build_model({**SMALL, "quantization_config": stated})
    assert "model.formats_idle" in [n.code for n in model.assumptions]


def test_a_format_of_modules_that_are_there_needs_no_note() -> None:
    stated = {**AUTO, "extra_config": {"model.layers.1.mlp.up_proj": {"bits": 8}}}
    model = build_model({**SMALL, "quantization_config": stated})
    assert "model.formats_idle" not in [n.code for n in model.assumptions]


MANY: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (compressed(*(group(8, targets=[f"model.layers.0.x{i}"]) for i in range(20_000))), SMALL),
    (compressed(group(8), ignore=[rf"re:.*layers\.3\..*experts\.{i}\..*" for i in range(300)]), EXPERTS),
    ({**GPTQ, "dynamic": {f"+:.*layers.{i}.*": {"bits": 8} for i in range(5_000)}}, SMALL),
    ({**AUTO, "extra_config": {f"model.layers.{i}.x": {"bits": 4 + i % 2 * 4} for i in range(9_000)}}, SMALL),
]


@pytest.mark.parametrize(("stated", "config"), MANY)
def test_more_than_can_be_held_against_every_module_is_refused_soon_as_too_many(
    stated: dict[str, Any], config: dict[str, Any]
) -> None:
    start = time.perf_counter()
    (text,) = refused(stated, config)
    assert "too many" in text
    assert len(text) < 400
    assert time.perf_counter() - start < 3


def test_every_expert_by_its_own_name_is_read_without_a_wait() -> None:
    names = [f"model.layers.{i}.mlp.experts.{e}.up_proj" for i in range(48) for e in range(512)]
    start = time.perf_counter()
    stated = {**AUTO, "extra_config": {name: {"bits": 8} for name in names}}
    model = build_model({**EXPERTS, "quantization_config": stated})
    assert {"int4-g64", "int8-g64"} <= {f.id for f in model.packed_formats}
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize(
    "stated",
    [
        compressed(*(group(3, "float") for _ in range(900))),
        {**MLX, **{f"model.layers.{i}.mlp.up_proj": {"bits": 7} for i in range(3_000)}},
        {**AUTO, "extra_config": {f"model.layers.{i}.x": {"bits": 9} for i in range(3_000)}},
    ],
)
def test_equal_faults_are_said_once_with_a_count(stated: dict[str, Any]) -> None:
    (text,) = refused(stated)
    assert len(text) < 400
    assert "(+" in text


def test_many_different_faults_are_cut_short_with_a_count() -> None:
    texts = refused({**MLX, **{f"model.layers.{i}.mlp.up_proj": i + 100 for i in range(3_000)}})
    assert len(texts) == 6
    assert "2,995 more" in texts[-1]
