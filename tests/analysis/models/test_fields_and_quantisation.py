"""Fields of a config at their bounds, quantisation by scheme."""

import math
from collections.abc import Mapping
from typing import Any

import pytest

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


# dtype and whether anything is quantised


@pytest.mark.parametrize(
    ("config", "expected", "notes"),
    [
        ({"torch_dtype": "float16"}, Storage("fp16", "fp16"), []),
        ({"dtype": "torch.float32"}, Storage("fp32", "fp32"), []),
        ({"torch_dtype": "half", "dtype": "float"}, Storage("fp16", "fp16"), []),
        ({}, Storage("bf16", "bf16"), ["model.dtype_assumed"]),
        ({"dtype": "bfloat16", "quantization_config": {}}, Storage("bf16", "bf16"), []),
    ],
)
def test_a_checkpoint_is_stored_as_its_config_says(config: dict[str, Any], expected: Storage, notes: list[str]) -> None:
    found = fields(**config)
    assert read_storage(found) == expected
    assert [n.code for n in found.notes] == notes


def test_the_outer_config_says_the_format_before_the_inner_one() -> None:
    inner = fields(dtype="float16", quantization_config={"quant_method": "fp8"})
    outer, alone = read_storage(fields(dtype="float32"), inner), read_storage(fields(), inner)
    assert (outer.activations, alone.activations) == ("fp32", "fp16")
    assert outer.assignment == alone.assignment is not None
    odd = fields(dtype="int3", quantization_config=3)
    assert read_storage(odd) == Storage("bf16", "bf16")
    assert told(odd) == [("model.dtype_unknown", "dtype"), ("model.not_an_object", "quantization_config")]


@pytest.mark.parametrize("stated", [{"quant_method": "aqlm"}, {"quant_method": "gptq", "bits": 5}, {"other": 1}])
def test_what_is_not_read_is_a_fault_of_its_field_and_a_note_where_the_file_says_the_bytes(stated: Any) -> None:
    found = fields(dtype="float16", quantization_config=stated)
    assert read_storage(found) == Storage("fp16", "fp16")
    assert [path.split(".")[0] for _, path in told(found)] == ["quantization_config"]
    found = fields(dtype="float16", quantization_config=stated)
    assert read_storage(found, measured=True) == Storage("fp16", "fp16")
    assert (told(found), [n.code for n in found.notes]) == ([], ["model.quantisation_unread"])


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
