"""Quantised checkpoints of every method, against bytes counted module by module.

Layouts: what the libraries write (transformers 5.24, compressed-tensors, ModelOpt, MLX, AutoGPTQ, AWQ, HQQ, torchao).
"""

from collections.abc import Callable
from math import ceil
from typing import Any

import pytest

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.models import Model, build_model
from explorer.analysis.problem import Refused
from explorer.analysis.step.phases.registry import one_step
from explorer.files.catalogue import load_catalogue

HIDDEN, INNER, VOCAB, LAYERS = 320, 832, 1000, 3
DENSE: dict[str, Any] = {
    "model_type": "llama", "hidden_size": HIDDEN, "intermediate_size": INNER, "num_hidden_layers": LAYERS,
    "num_attention_heads": 5, "num_key_value_heads": 1, "vocab_size": VOCAB, "tie_word_embeddings": False,
    "attention_bias": False, "mlp_bias": False, "hidden_act": "silu", "head_dim": 64, "torch_dtype": "bfloat16",
}  # fmt: skip
EXPERTS: dict[str, Any] = {
    **DENSE, "model_type": "qwen3_moe", "moe_intermediate_size": 192, "num_experts": 6, "num_experts_per_tok": 2,
    "mlp_only_layers": [], "decoder_sparse_step": 1, "norm_topk_prob": True,
}  # fmt: skip
ATTENTION = {"q": (320, HIDDEN), "k": (64, HIDDEN), "v": (64, HIDDEN), "o": (HIDDEN, 320)}
MLP = {"gate": (INNER, HIDDEN), "up": (INNER, HIDDEN), "down": (HIDDEN, INNER)}
HEAD = (VOCAB, HIDDEN)
Size = Callable[[int, int], float]


def wide(n: int, k: int) -> float:
    return 2 * n * k


def held(config: dict[str, Any], quantisation: dict[str, Any], **more: Any) -> float:
    model = build_model({**config, "quantization_config": quantisation, **more})
    return model.weight_bytes(None, load_catalogue(devices=False).format_by_id)


def counted(attention: Size, mlp: Size, head: Size = wide, table: Size = wide) -> float:
    """Bytes of the dense model, each matrix by a rule; norms stay wide."""
    layer = sum(attention(*size) for size in ATTENTION.values()) + sum(mlp(*size) for size in MLP.values())
    norms = 2 * (2 * LAYERS + 1) * HIDDEN
    return LAYERS * layer + head(*HEAD) + table(*HEAD) + norms


def grouped(bits: int, group: int, *, zeros: bool = True, index: bool = False, pack: int = 1, fixed: int = 0) -> Size:
    def size(n: int, k: int) -> float:
        groups = ceil(k / group) if group > 0 else 1
        zero = 4 * ceil(n * bits / 32) if zeros and group > 0 else n * bits / 8 * zeros
        values = n * ceil(k / pack) * pack * bits / 8
        return values + groups * (2 * n + zero) + 4 * k * index + fixed

    return size


def blocks(rows: int, columns: int, scale: int = 4) -> Size:
    return lambda n, k: n * k + scale * ceil(n / rows) * ceil(k / columns)


def affine(bits: float, group: int, scale: int = 4) -> Size:
    return lambda n, k: n * (k * bits / 8 + scale * ceil(k / group))


def floats4(group: int, fixed: int) -> Size:
    return lambda n, k: n * k / 2 + n * ceil(k / group) + fixed


def table4(*, double: bool) -> Size:
    def size(n: int, k: int) -> float:
        scales = ceil(n * k / 64)
        return n * k / 2 + (scales + 4 * ceil(scales / 256) + 1024 if double else 4 * scales) + 64

    return size


def scheme(bits: int, kind: str, **more: Any) -> dict[str, Any]:
    return {"num_bits": bits, "type": kind, "symmetric": True, "dynamic": False, **more}


def compressed(*groups: dict[str, Any], **more: Any) -> dict[str, Any]:
    named = {f"group_{i}": {"targets": ["Linear"], "input_activations": None, **g} for i, g in enumerate(groups)}
    return {"quant_method": "compressed-tensors", "config_groups": named, "ignore": ["lm_head"], **more}


INT4 = scheme(4, "int", strategy="group", group_size=32)
CHANNEL = scheme(8, "float", strategy="channel")
PACKED = grouped(4, 32, zeros=False, pack=8, fixed=16)
ROWS: Size = lambda n, k: n * k + 2 * n  # noqa: E731 - one of many rules
MLP_ONLY = [r"re:.*\.(gate|up|down)_proj$"]
MODELOPT = {"quant_method": "modelopt", "exclude_modules": ["lm_head"]}
BNB = {"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_quant_type": "nf4"}
AO = {"quant_method": "torchao"}
HQQ = {"quant_method": "hqq", "skip_modules": ["lm_head"]}
QUARK: dict[str, Any] = {"quant_method": "quark", "exclude": ["lm_head"], "export": {"weight_format": "real_quantized"}}


def ao(kind: str, **data: Any) -> dict[str, Any]:
    return {**AO, "quant_type": {"default": {"_type": kind, "_version": 1, "_data": data}}}


def hqq(bits: int, group: int) -> dict[str, Any]:
    return {**HQQ, "quant_config": {"weight_quant_params": {"nbits": bits, "group_size": group}}}


def quark(**weight: Any) -> dict[str, Any]:
    return {**QUARK, "global_quant_config": {"weight": weight, "input_tensors": None}}


CASES: dict[str, tuple[dict[str, Any], float]] = {
    "gptq 4 bit": ({"quant_method": "gptq", "bits": 4, "group_size": 64}, counted(*[grouped(4, 64, index=True)] * 2)),
    "gptq 8 bit": ({"quant_method": "gptq", "bits": 8, "group_size": 32}, counted(*[grouped(8, 32, index=True)] * 2)),
    "gptq 3 bit": ({"quant_method": "gptq", "bits": 3, "group_size": 64}, counted(*[grouped(3, 64, index=True)] * 2)),
    "gptq by row": ({"quant_method": "gptq", "bits": 4, "group_size": -1}, counted(*[grouped(4, -1, index=True)] * 2)),
    "gptq with the head": (
        {"quant_method": "gptq", "bits": 4, "group_size": 64, "lm_head": True},
        counted(*[grouped(4, 64, index=True)] * 3),
    ),
    "gptq with modules of their own": (
        {"quant_method": "gptq", "bits": 4, "group_size": 64,
         "dynamic": {r"-:.*self_attn": {}, r"+:.*(gate|up|down)_proj": {"bits": 8, "group_size": 32}}},
        counted(wide, grouped(8, 32, index=True)),
    ),
    "awq": ({"quant_method": "awq", "bits": 4, "group_size": 64}, counted(*[grouped(4, 64)] * 2)),
    "awq without attention": (
        {"quant_method": "awq", "w_bit": 4, "q_group_size": 32, "modules_to_not_convert": ["self_attn"]},
        counted(wide, grouped(4, 32)),
    ),
    "auto-round": (
        {"quant_method": "auto-round", "bits": 2, "group_size": 32, "packing_format": "auto_round:auto_gptq"},
        counted(*[grouped(2, 32)] * 2),
    ),
    "auto-round with modules of their own": (
        {"quant_method": "intel/auto-round", "bits": 4, "group_size": 64, "sym": False,
         "extra_config": {r".*self_attn.*": {"bits": 16}, "model.layers.0.mlp.down_proj": {"bits": 4}}},
        counted(wide, grouped(4, 64)),
    ),
    "fp8 in blocks": (
        {"quant_method": "fp8", "activation_scheme": "dynamic", "weight_block_size": [128, 128]},
        counted(*[blocks(128, 128)] * 2),
    ),
    "fp8 in odd blocks, head too": (
        {"quant_method": "fp8", "weight_block_size": [64, 96], "modules_to_not_convert": ["model.layers.*.self_attn"]},
        counted(wide, *[blocks(64, 96)] * 2),
    ),
    "fp8 static": ({"quant_method": "fp8", "activation_scheme": "static"}, counted(*[lambda n, k: n * k + 8] * 2)),
    "fp8 by row": ({"quant_method": "fbgemm_fp8", "modules_to_not_convert": ["lm_head"]},
                   counted(*[lambda n, k: n * k + 4 * n] * 2)),
    "bitsandbytes": (BNB, counted(*[table4(double=False)] * 2)),
    "bitsandbytes, scales of scales": (
        {**BNB, "bnb_4bit_use_double_quant": True, "llm_int8_skip_modules": ["lm_head", "self_attn"]},
        counted(wide, table4(double=True)),
    ),
    "bitsandbytes 8 bit": ({"quant_method": "bitsandbytes", "load_in_8bit": True},
                           counted(*[lambda n, k: n * k + 4 * n + 1] * 2)),
    "compressed int4": (compressed({"weights": INT4}, format="pack-quantized"), counted(*[PACKED] * 2)),
    "compressed int4 with zeros and order": (
        compressed({"weights": {**INT4, "symmetric": False, "actorder": "group"}}, format="pack-quantized"),
        counted(*[grouped(4, 32, index=True, pack=8, fixed=16)] * 2),
    ),
    "compressed int8": (
        compressed({"weights": scheme(8, "int", strategy="channel")}, format="int-quantized"), counted(*[ROWS] * 2)
    ),
    "compressed fp8 static": (
        compressed({"weights": scheme(8, "float", strategy="tensor"), "input_activations": scheme(8, "float")}),
        counted(*[lambda n, k: n * k + 4] * 2),
    ),
    "compressed groups by name": (
        compressed({"weights": CHANNEL, "targets": [r"re:.*self_attn\.(?:q|k|v|o)_proj"]},
                   {"weights": INT4, "targets": MLP_ONLY, "format": "pack-quantized"}, format="mixed-precision"),
        counted(ROWS, PACKED),
    ),
    "a named group before the group of its class": (
        compressed({"weights": CHANNEL}, {"weights": INT4, "targets": MLP_ONLY, "format": "pack-quantized"}),
        counted(ROWS, PACKED),
    ),
    "a name of a module around others names nothing": (
        compressed({"weights": CHANNEL}, ignore=["lm_head", "model.layers.0.self_attn"]), counted(*[ROWS] * 2)
    ),
    "a lookahead leaves out all but the layers": (
        compressed({"weights": CHANNEL}, ignore=["re:^(?!.*layers).*", "re:.*mlp.*"]), counted(ROWS, wide)
    ),
    "compressed nvfp4, weights alone": (
        compressed({"weights": scheme(4, "float", strategy="tensor_group", group_size=16)}),
        counted(*[floats4(16, 4)] * 2),
    ),
    "the head too where nothing leaves it out": (compressed({"weights": CHANNEL}, ignore=[]), counted(*[ROWS] * 3)),
    "modelopt fp8": ({**MODELOPT, "quant_algo": "FP8"}, counted(*[lambda n, k: n * k + 8] * 2)),
    "modelopt nvfp4": ({**MODELOPT, "quant_algo": "NVFP4", "group_size": 16}, counted(*[floats4(16, 8)] * 2)),
    "modelopt nvfp4 without attention": (
        {**MODELOPT, "quant_algo": "NVFP4", "exclude_modules": ["lm_head", "*self_attn*"]},
        counted(wide, floats4(16, 8)),
    ),
    "modelopt fp8 in blocks": ({**MODELOPT, "quant_algo": "FP8_PB_WO"}, counted(*[blocks(128, 128)] * 2)),
    "modelopt mixed": (
        {**MODELOPT, "quant_algo": "MIXED_PRECISION", "exclude_modules": [], "quantized_layers": {
            "lm_head": {"quant_algo": "FP8"},
            **{f"model.layers.{i}.mlp": {"quant_algo": "W4A16_NVFP4", "group_size": 16} for i in range(LAYERS)}}},
        counted(wide, floats4(16, 4), lambda n, k: n * k + 8),
    ),
    "quark mxfp4": (quark(dtype="fp4", qscheme="per_group", group_size=32), counted(*[floats4(32, 0)] * 2)),
    "quark fp8": (quark(dtype="fp8_e4m3", qscheme="per_tensor"), counted(*[lambda n, k: n * k + 4] * 2)),
    "quark with layers of their own": (
        {**quark(dtype="fp8_e4m3", qscheme="per_channel"),
         "layer_quant_config": {"*mlp*": {"weight": {"dtype": "fp4", "qscheme": "per_group", "group_size": 32}}}},
        counted(lambda n, k: n * k + 4 * n, floats4(32, 0)),
    ),
    "torchao int8": (ao("Int8WeightOnlyConfig"), counted(*[ROWS] * 2)),
    "torchao int4": (ao("Int4WeightOnlyConfig", group_size=32), counted(*[affine(4, 32)] * 2)),
    "torchao fp8 by row": (ao("Float8WeightOnlyConfig"), counted(*[lambda n, k: n * k + 4 * n] * 2)),
    "torchao with the embedding": (
        {**ao("Int8WeightOnlyConfig"), "include_input_output_embeddings": True}, counted(*[ROWS] * 4)
    ),
    "hqq 4 bit": (hqq(4, 64), counted(*[affine(4, 64)] * 2)),
    "hqq 3 bit, ten values in a word": (hqq(3, 64), counted(*[affine(3.2, 64)] * 2)),
    "exl3": ({"quant_method": "exl3", "bits": 3.0, "head_bits": 5},
             counted(*[lambda n, k: n * k * 3 / 8 + 2 * (n + k)] * 2, lambda n, k: n * k * 5 / 8 + 2 * (n + k))),
    "exl2": ({"quant_method": "exl2", "bits": 4.65, "head_bits": 8},
             counted(*[lambda n, k: n * k * 4.65 / 8] * 2, lambda n, k: n * k)),
    "mlx": ({"bits": 4, "group_size": 64}, counted(*[affine(4, 64)] * 4)),
    "mlx mxfp4": ({"bits": 4, "group_size": 32, "mode": "mxfp4"}, counted(*[floats4(32, 0)] * 4)),
    "mlx with modules of their own": (
        {"bits": 3, "group_size": 32, "lm_head": {"bits": 8, "group_size": 64}, "model.embed_tokens": False,
         **{f"model.layers.{i}.self_attn.{x}_proj": {"bits": 6} for i in range(LAYERS) for x in "qkvo"}},
        counted(affine(6, 32), affine(3, 32), affine(8, 64)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_bytes_are_those_of_every_module_with_its_scales(name: str) -> None:
    quantisation, expected = CASES[name]
    assert held(DENSE, quantisation) == pytest.approx(expected, rel=1e-12)


def rows(quantisation: dict[str, Any], **more: Any) -> dict[str, tuple[str, str, float]]:
    model = build_model({**DENSE, "quantization_config": quantisation, **more})
    found = model.rows(one_step("decode", 1, 100))
    return {row.name: (row.weights, row.activations, float(row.dims.get("bias", 0))) for row in found}


def test_rows_stream_the_format_of_their_own_module_and_read_what_its_group_reads() -> None:
    both = {"weights": CHANNEL, "input_activations": {**scheme(8, "float"), "dynamic": True}}
    four = {"weights": INT4, "targets": [r"re:.*layers\.[12]\..*_proj$"], "format": "pack-quantized"}
    found = rows(compressed(both, four))
    assert found["q_proj[fp8]"] == ("fp8", "fp8", 2 * 320)
    assert found["q_proj[int4-sym-g32]"] == ("int4-sym-g32", "bf16", 16)
    assert found["lm_head"] == ("bf16", "bf16", 0)
    assert found["attention"][:2] == ("bf16", "bf16")


def test_weights_asked_for_in_another_format_are_all_of_it() -> None:
    model = build_model({**DENSE, "quantization_config": {**MODELOPT, "quant_algo": "NVFP4"}})
    found = {row.name: row for row in model.rows(one_step("decode", 1, 100, weights="fp8"))}
    assert (found["q_proj"].weights, found["q_proj"].activations) == ("fp8", "bf16")
    assert "bias" not in found["q_proj"].dims


@pytest.mark.parametrize(
    ("stated", "kv"),
    [
        ({**MODELOPT, "quant_algo": "FP8", "kv_cache_quant_algo": "FP8"}, "fp8"),
        ({"quant_algo": None, "kv_cache_quant_algo": "FP8"}, "fp8"),
        ({**MODELOPT, "quant_algo": "NVFP4", "kv_cache_quant_algo": "NVFP4"}, "nvfp4"),
        (compressed({"weights": CHANNEL}, kv_cache_scheme=scheme(8, "float")), "fp8"),
        (compressed({"weights": CHANNEL}, kv_cache_scheme=None), "bf16"),
        ({**MODELOPT, "quant_algo": "FP8"}, "bf16"),
    ],
)
def test_a_cache_is_held_as_its_scheme_says_with_two_scales_a_layer(stated: dict[str, Any], kv: str) -> None:
    model = build_model({**DENSE, "quantization_config": stated})
    assert model.kv_format == kv
    without = {name: value for name, value in stated.items() if "kv_cache" not in name}
    extra = held(DENSE, stated) - (held(DENSE, without) if without.get("quant_algo", 1) else held(DENSE, {}))
    assert extra == (8 * LAYERS if kv != "bf16" else 0)


def experts_in(model: Model, catalogue: Catalogue) -> float:
    del catalogue
    return sum(t.count * (t.values_each * t.packing.bits / 8 + t.packing.beside) for t in model.tensors if t.packing)


@pytest.mark.parametrize(
    ("ignore", "style"),
    [
        (["re:.*self_attn.*", r"re:.*mlp\.gate$", "lm_head"], "compressed"),
        (["*self_attn*", "*.mlp.gate", "lm_head"], ""),
    ],
)
def test_experts_are_stored_one_by_one_with_scales_of_their_own(
    ignore: list[str], style: str, catalogue: Catalogue
) -> None:
    weights = scheme(4, "float", strategy="tensor_group", group_size=16)
    group = {"weights": weights, "input_activations": {**weights, "dynamic": "local"}}
    stated = compressed(group, ignore=ignore) if style else {"quant_algo": "NVFP4", "ignore": ignore}
    found = experts_in(build_model({**EXPERTS, "quantization_config": stated}), catalogue)
    assert found == LAYERS * 6 * 3 * floats4(16, 8)(192, HIDDEN)


def test_experts_named_as_mixtral_names_them_are_found() -> None:
    mixtral = {**DENSE, "model_type": "mixtral", "num_local_experts": 4, "num_experts_per_tok": 2}
    whole = held(mixtral, compressed({"weights": CHANNEL}))
    some = compressed({"weights": CHANNEL}, ignore=["lm_head", r"re:.*block_sparse_moe\.experts\.\d+\.w[13]$"])
    assert held(mixtral, some) - whole == 2 * LAYERS * 4 * (INNER * HIDDEN - 2 * INNER)


def test_a_tied_head_is_the_quantised_table_in_mlx_and_a_matrix_of_its_own_in_exl3() -> None:
    tied = {**DENSE, "tie_word_embeddings": True}
    both = held(DENSE, {"bits": 4, "group_size": 64}) - held(tied, {"bits": 4, "group_size": 64})
    assert both == affine(4, 64)(*HEAD)
    model = build_model({**tied, "quantization_config": {"bits": 4, "group_size": 64}})
    assert {row.name: row.weights for row in model.rows(one_step("decode", 1, 9))}["lm_head"] == "int4-affine-g64"
    exl3 = {"quant_method": "exl3", "bits": 4.0, "head_bits": 6}
    assert held(DENSE, exl3) == held(tied, exl3)


def test_what_is_an_average_says_so() -> None:
    for bits, said in ((4.0, False), (4.5, True)):
        model = build_model({**DENSE, "quantization_config": {"quant_method": "exl3", "bits": bits}})
        assert ("model.average_bits" in [n.code for n in model.assumptions]) is said


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"quant_method": "aqlm"}, "quant_method"),
    ({"quant_method": ["fp8"]}, "quant_method"),
    ({"method": "fp8"}, "quant_method"),
    ({"quant_method": "gptq", "bits": 5}, "bits"),
    ({"quant_method": "gptq", "bits": 4, "group_size": 0}, "group_size"),
    ({"quant_method": "awq", "bits": 8}, "bits"),
    ({"quant_method": "auto-round", "bits": 4, "data_type": "mx_fp"}, "data_type"),
    ({"quant_method": "auto-round", "bits": 4, "packing_format": "auto_round:llm_compressor"}, "packing_format"),
    ({"quant_method": "bitsandbytes"}, "load_in_4bit"),
    ({"quant_method": "fp8", "weight_block_size": [128]}, "weight_block_size"),
    ({"quant_method": "fp8", "expert_dtype": "fp6"}, "expert_dtype"),
    (compressed({"weights": scheme(3, "float")}), "config_groups.group_0.weights.num_bits"),
    (compressed({"weights": CHANNEL, "targets": ["Conv2d"]}), "config_groups.group_0.targets"),
    (compressed({"weights": CHANNEL}, format="marlin-24"), "format"),
    (compressed({"weights": CHANNEL}, sparsity_config={"format": "sparse-24-bitmask"}), "sparsity_config.format"),
    (compressed({"weights": CHANNEL}, kv_cache_scheme=scheme(2, "int")), "kv_cache_scheme"),
    (compressed({"weights": CHANNEL}, ignore=["re:(a"]), "ignore"),
    ({"quant_method": "compressed-tensors"}, "config_groups"),
    ({"quant_algo": "ODD"}, "quant_algo"),
    ({"quant_algo": "NVFP4", "group_size": 32}, "group_size"),
    ({"quant_algo": "FP8", "kv_cache_quant_algo": "FP6"}, "kv_cache_quant_algo"),
    (quark(dtype="fp6", qscheme="per_group"), "global_quant_config.weight.dtype"),
    (ao("Int8DynamicActivationInt4WeightConfig"), "quant_type"),
    ({**hqq(4, 64), "quant_config": {"weight_quant_params": {"nbits": 5}}}, "quant_config.weight_quant_params.nbits"),
    ({"quant_method": "exl2", "bits": 0}, "bits"),
    ({"bits": 7, "group_size": 64}, "bits"),
]


@pytest.mark.parametrize(("stated", "field"), FAULTS, ids=[f"{i} {f[1]}" for i, f in enumerate(FAULTS)])
def test_what_cannot_be_read_exactly_is_refused_by_its_field(stated: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refusal:
        build_model({**DENSE, "quantization_config": stated})
    assert f"quantization_config.{field}" in [p.path for p in refusal.value.problems]
