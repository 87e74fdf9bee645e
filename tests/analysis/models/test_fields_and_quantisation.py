"""Fields of a config at their bounds, quantisation by scheme."""

import math
from collections.abc import Mapping
from typing import Any

import pytest

from explorer.analysis.models.checkpoint.quantisation import quantised
from explorer.analysis.models.checkpoint.read_storage import read_storage
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import Fields, brief, defaults_note
from explorer.analysis.models.config.windows import from_layer_on
from explorer.analysis.problem import Refused

MISSING, RANGE, WHOLE = "model.missing", "model.out_of_range", "model.not_a_whole_number"


def fields(defaults: Mapping[str, Any] | None = None, **config: Any) -> Fields:
    return Fields(config, defaults=defaults)


def told(found: Fields) -> list[tuple[str, str]]:
    return [(p.code, p.path) for p in found.problems]


@pytest.mark.parametrize(
    ("value", "read", "code"),
    [
        (1, 1, ""),
        (100_000_000, 100_000_000, ""),
        (0, 1, RANGE),
        (100_000_001, 1, RANGE),
        (-1, 1, RANGE),
        (True, 1, WHOLE),
        (1.0, 1, WHOLE),
        ("1", 1, WHOLE),
        (None, 1, MISSING),
        ([], 1, WHOLE),
    ],
)
def test_a_size_is_a_whole_number_from_one_on(value: Any, read: int, code: str) -> None:
    found = fields(n=value)
    assert found.size("n") == read
    assert told(found) == ([(code, "n")] if code else [])


def test_a_limit_of_its_own_holds_for_a_size() -> None:
    found = fields(n=2000)
    assert (found.size("n", limit=2000), told(found)) == (2000, [])
    found = fields(n=2001)
    assert (found.size("n", limit=2000), [dict(p.values) for p in found.problems]) == (
        1,
        [{"value": "2001", "least": 1, "most": 2000}],
    )


@pytest.mark.parametrize(
    ("value", "read", "code"), [(0, 0, ""), (7, 7, ""), (-1, 1, RANGE), (None, 0, MISSING), (0.0, 1, WHOLE)]
)
def test_a_natural_number_may_be_none(value: Any, read: int, code: str) -> None:
    found = fields(n=value)
    assert found.natural("n") == read
    assert told(found) == ([(code, "n")] if code else [])


@pytest.mark.parametrize(
    ("value", "read", "sound"),
    [
        (5e-324, 5e-324, True),
        (1, 1.0, True),
        (0.5, 0.5, True),
        (0, 0.25, False),
        (1.01, 0.25, False),
        (None, 0.25, True),
        (True, 0.25, False),
        ("1", 0.25, False),
        (math.nan, 0.25, False),
        (-1, 0.25, False),
    ],
)
def test_a_fraction_lies_above_nought_and_up_to_one(value: Any, read: float, sound: bool) -> None:
    found = fields(n=value)
    assert found.fraction("n", otherwise=0.25) == read
    assert told(found) == ([] if sound else [("model.not_a_fraction", "n")])


def test_a_field_is_stated_else_the_class_default_else_what_follows() -> None:
    found = fields({"a": 3, "b": None}, stated=7, null=None)
    assert [found.size("stated", otherwise=9), found.size("a", otherwise=9), found.size("c", otherwise=9)] == [7, 3, 9]
    assert [found.size("b", otherwise=9), found.size("null", otherwise=9), found.size("x", "stated")] == [9, 9, 7]
    assert found.assumed == {"a": 3, "b": 9, "c": 9, "null": 9}
    assert told(found) == []
    assert [found.optional_size(n) for n in ("stated", "null", "a", "b")] == [7, None, 3, None]
    assert (found.optional_size("gone"), told(found)) == (None, [(MISSING, "gone")])
    odd = fields(n=0)
    assert (odd.optional_size("n"), told(odd)) == (1, [(RANGE, "n")])


def test_flags_texts_and_lists_are_what_they_should_be() -> None:
    found = fields(yes=True, no=False, one=1, text="t", row=[1, 2], pair=(1,), null=None)
    assert [found.flag("yes"), found.flag("no"), found.flag("gone", otherwise=True)] == [True, False, True]
    assert [found.text("text"), found.text("x", "text")] == ["t", "t"]
    assert [found.items(n, lambda x: isinstance(x, int)) for n in ("row", "pair", "null", "gone")] == [
        [1, 2],
        (1,),
        None,
        None,
    ]
    assert told(found) == []
    assert [found.flag("one"), found.text("one"), found.items("row", lambda x: x == 1), found.items("text", bool)] == [
        False,
        "",
        None,
        None,
    ]
    assert told(found) == [
        ("model.not_a_flag", "one"),
        ("model.not_a_text", "one"),
        ("model.not_a_list", "row"),
        ("model.not_a_list", "text"),
    ]
    assert [found.has("yes"), found.has("null"), found.has("gone", "no")] == [True, False, True]


def test_a_nested_config_shares_what_was_found() -> None:
    outer = fields(inner={"n": 0}, odd=3)
    assert outer.within("inner").size("n") == 1
    assert outer.part("gone").size("m", otherwise=4) == 4
    assert (told(outer), outer.assumed) == ([(RANGE, "inner.n")], {"gone.m": 4})
    for name, code in (("odd", "model.not_an_object"), ("gone", MISSING)):
        with pytest.raises(Refused) as refusal:
            fields(odd=3).within(name)
        assert [(p.code, p.path) for p in refusal.value.problems] == [(code, name)]


def test_a_relation_is_judged_only_between_sound_fields() -> None:
    found = fields(n=0)
    for code in ("first", "second"):
        found.check(holds=False, code=code, name="n")
    assert told(found) == [("first", "n")]
    with pytest.raises(Refused):
        found.refuse_faults()
    fields().refuse_faults()


def test_values_are_shown_in_sixty_characters() -> None:
    assert [brief(v) for v in ("x", None, [1], {})] == ["'x'", "None", "<list>", "<dict>"]
    assert brief("x" * 58) == repr("x" * 58)
    assert brief("x" * 59) == "'" + "x" * 56 + "..."
    assert defaults_note({}) == ()
    assert defaults_note({"b": True, "a": None})[0].values == {"fields": "a = null, b = true"}


# quantisation


def stored(config: Mapping[str, Any]) -> tuple[str, str, list[str]]:
    found = fields()
    made = quantised(found, config, "fp16")
    assert made.activations == "fp16"
    return made.weights, made.linear_input, [n.code.removeprefix("model.") for n in found.notes]


def group(weights: Any, inputs: Any = None, **more: Any) -> dict[str, Any]:
    return {
        "quant_method": "compressed-tensors",
        "config_groups": {"g": {"weights": weights, "input_activations": inputs}},
        **more,
    }


INT4 = {"num_bits": 4, "type": "int", "strategy": "group"}
FP8 = {"num_bits": 8, "type": "float"}
UNREAD = ("fp16", "", ["quantisation_unread"])
NO_GROUPS: dict[str, Any] = {"quant_method": "compressed-tensors"}


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"quant_method": "fp8"}, ("fp8", "", [])),
        ({"quant_method": "fp8", "activation_scheme": "dynamic"}, ("fp8", "fp8", ["input_quantised"])),
        ({"quant_method": "fp8", "activation_scheme": "none"}, ("fp8", "", [])),
        ({"quant_method": "fp8", "weight_block_size": (128, 128)}, ("fp8-block128", "", [])),
        ({"quant_method": "fp8", "weight_block_size": [64, 128]}, ("fp8", "", ["block_size_other"])),
        ({"quant_method": "fp8", "weight_block_size": 128}, ("fp8", "", ["block_size_other"])),
        ({"quant_method": "gptq", "bits": 4}, ("int4-channel", "", [])),
        ({"quant_method": "gptq", "bits": 4, "group_size": 64}, ("int4-g64", "", [])),
        ({"quant_method": "gptq", "bits": 4, "group_size": 16}, ("int4", "", ["group_size_other"])),
        ({"quant_method": "gptq", "bits": 8}, ("int8", "", [])),
        ({"quant_method": "gptq", "bits": 8, "group_size": -1}, ("int8", "", [])),
        ({"quant_method": "gptq", "bits": 8, "group_size": 128}, ("int8", "", ["group_scales_uncounted"])),
        ({"quant_method": "awq", "w_bit": 8}, ("int8", "", [])),
        ({"quant_method": "awq", "bits": 4, "w_bit": 8, "group_size": 32}, ("int4-g32", "", [])),
        ({"quant_method": "awq"}, UNREAD),
        ({"quant_method": "bitsandbytes"}, UNREAD),
        ({"quant_method": "bitsandbytes", "load_in_4bit": 1}, UNREAD),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, ("nf4", "", [])),
        ({"quant_method": "bitsandbytes", "load_in_8bit": True}, ("int8", "int8", ["input_quantised"])),
        (NO_GROUPS, UNREAD),
        ({**NO_GROUPS, "config_groups": {}}, UNREAD),
        ({**NO_GROUPS, "config_groups": {"g": 3}}, UNREAD),
        ({**NO_GROUPS, "config_groups": [3]}, UNREAD),
        (group(None), UNREAD),
        (group({**INT4, "num_bits": 3}), UNREAD),
        (group(INT4), ("int4-channel", "", [])),
        (group({**INT4, "group_size": 64}), ("int4-sym-g64", "", [])),
        (group({**INT4, "group_size": 64, "symmetric": False}), ("int4-g64", "", [])),
        (group({**INT4, "group_size": 64, "strategy": None}), ("int4-sym-g64", "", [])),
        (group({**INT4, "group_size": 64, "strategy": "channel"}), ("int4-channel", "", [])),
        (group({**INT4, "group_size": 16}), ("int4-sym-g128", "", ["group_size_other"])),
        (group({**INT4, "type": "float", "group_size": 32}), ("mxfp4", "", [])),
        (group({**INT4, "type": "float", "group_size": 16}), ("nvfp4", "", [])),
        (group({**INT4, "type": "float", "group_size": 64}), UNREAD),
        (group({**INT4, "type": "float"}), UNREAD),
        (group({"num_bits": 8, "type": "int", "strategy": "block"}), ("int8", "", [])),
        (group(FP8), ("fp8", "", [])),
        (group({**FP8, "group_size": 32}), ("mxfp8", "", [])),
        (group({**FP8, "group_size": 16}), ("fp8", "", [])),
        (group({**FP8, "strategy": "block", "block_structure": [128, 128]}), ("fp8-block128", "", [])),
        (group({**FP8, "strategy": "block", "block_structure": [1, 1]}), ("fp8", "", ["block_size_other"])),
        (group(FP8, {"num_bits": 8, "type": "int"}), ("fp8", "int8", ["input_quantised"])),
        (group(FP8, {**INT4, "type": "float", "group_size": 32}), ("fp8", "mxfp4", ["input_quantised"])),
        (group(FP8, {**INT4, "type": "float", "group_size": 16}), ("fp8", "nvfp4", ["input_quantised"])),
        (group(FP8, {**INT4, "type": "float", "group_size": 64}), ("fp8", "", [])),
        (group(FP8, {**INT4, "group_size": 32}), ("fp8", "", [])),
        (group(FP8, {"num_bits": 16, "type": "float"}), ("fp8", "", [])),
        ({"quant_algo": "W4A8_AWQ"}, ("int4", "fp8", ["input_quantised"])),
        ({"quant_algo": "MXFP8"}, ("mxfp8", "mxfp8", ["input_quantised"])),
        ({"quant_algo": "W4A16_NVFP4"}, ("nvfp4", "", [])),
        ({"quant_algo": "FP8_PB_WO"}, ("fp8-block128", "", [])),
        ({"quant_algo": "W4A16_AWQ"}, ("int4", "", [])),
        ({"quant_algo": "MXFP4"}, ("mxfp4", "", [])),
        ({"quant_algo": 3}, UNREAD),
        ({"quant_algo": "ODD"}, UNREAD),
        ({**group(FP8), "quant_method": "modelopt", "quant_algo": "ODD"}, ("fp8", "", [])),
        ({"quant_method": "gptq", "quant_algo": "FP8", "bits": 8}, ("int8", "", [])),
    ],
)
def test_a_scheme_says_how_weights_and_inputs_are_stored(config: dict[str, Any], expected: tuple[Any, ...]) -> None:
    assert stored(config) == expected


def test_of_several_groups_the_first_stands_for_all() -> None:
    both = {"a": {"weights": FP8}, "b": {"weights": INT4}}
    found = fields()
    assert quantised(found, {**NO_GROUPS, "config_groups": both}, "bf16").weights == "fp8"
    assert [(n.code, dict(n.values)) for n in found.notes] == [("model.quantisation_groups", {"count": 2})]


@pytest.mark.parametrize(
    ("scheme", "kv"),
    [
        ({"kv_cache_scheme": FP8}, "fp8"),
        ({"kv_cache_scheme": {"num_bits": 8, "type": "int"}}, ""),
        ({"kv_cache_scheme": {"num_bits": 4, "type": "float"}}, ""),
        ({"kv_cache_scheme": 3}, ""),
        ({"kv_cache_quant_algo": "FP8"}, "fp8"),
        ({"kv_cache_quant_algo": "INT8"}, ""),
        ({}, ""),
    ],
)
def test_a_cache_of_eight_bits_is_floating(scheme: dict[str, Any], kv: str) -> None:
    assert quantised(fields(), {"quant_method": "fp8", **scheme}, "bf16").kv == kv


@pytest.mark.parametrize(
    "name", ["modules_to_not_convert", "ignored_layers", "llm_int8_skip_modules", "ignore", "exclude_modules"]
)
def test_modules_left_out_stand_under_any_of_five_names(name: str) -> None:
    assert quantised(fields(), {"quant_method": "fp8", name: ["lm_head", "re:(a", 3, ""]}, "bf16").kept == ("lm_head",)


@pytest.mark.parametrize(
    ("config", "expected", "notes"),
    [
        ({"torch_dtype": "float16"}, Storage("fp16", "fp16"), []),
        ({"dtype": "torch.float32"}, Storage("fp32", "fp32"), []),
        ({"torch_dtype": "half", "dtype": "float"}, Storage("fp16", "fp16"), []),
        ({}, Storage("bf16", "bf16"), ["model.dtype_assumed"]),
        ({"dtype": "bfloat16", "quantization_config": {"quant_method": "mxfp4"}}, Storage("mxfp4", "bf16"), []),
        (
            {"dtype": "bfloat16", "quantization_config": {"quant_method": "fp8"}, "expert_dtype": "fp4"},
            Storage("fp8", "bf16", experts="mxfp4"),
            ["model.experts_format"],
        ),
        (
            {"dtype": "bfloat16", "quantization_config": {"quant_method": "fp8", "expert_dtype": "fp6"}},
            Storage("fp8", "bf16"),
            ["model.experts_unread"],
        ),
    ],
)
def test_a_checkpoint_is_stored_as_its_config_says(config: dict[str, Any], expected: Storage, notes: list[str]) -> None:
    found = fields(**config)
    assert read_storage(found) == expected
    assert [n.code for n in found.notes] == notes


def test_the_outer_config_says_the_format_before_the_inner_one() -> None:
    inner = fields(dtype="float16", quantization_config={"quant_method": "fp8"})
    assert read_storage(fields(dtype="float32"), inner) == Storage("fp8", "fp32")
    assert read_storage(fields(), inner) == Storage("fp8", "fp16")
    odd = fields(dtype="int3", quantization_config=3)
    assert read_storage(odd) == Storage("bf16", "bf16")
    assert told(odd) == [("model.dtype_unknown", "dtype"), ("model.not_an_object", "quantization_config")]


# windows


@pytest.mark.parametrize(
    ("config", "windows"),
    [
        ({}, (None, None, None)),
        ({"use_sliding_window": True, "sliding_window": 8, "max_window_layers": 1}, (None, 8, 8)),
        (
            {
                "use_sliding_window": True,
                "sliding_window": 8,
                "max_window_layers": 0,
                "layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
            },
            (8, None, 8),
        ),
        ({"use_sliding_window": False, "sliding_window": 8, "max_window_layers": 0}, (None, None, None)),
        ({"use_sliding_window": True, "sliding_window": None, "max_window_layers": 0}, (None, None, None)),
    ],
)
def test_qwens_windows_are_told_by_types_of_layers_else_from_a_layer_on(
    config: dict[str, Any], windows: tuple[int | None, ...]
) -> None:
    assert from_layer_on(fields(**config), 3) == windows
