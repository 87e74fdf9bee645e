"""Fields of a config at their bounds, quantisation by scheme, patterns against what they mean, names of rows."""

import itertools
import math
import re
from collections.abc import Mapping
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.models.checkpoint.module_patterns import (
    MOST_PATTERNS,
    MOST_WAYS,
    OUTER,
    PATTERN_LIMIT,
    Patterns,
    patterns_of,
    unread,
    ways,
)
from explorer.analysis.models.checkpoint.quantisation import quantised
from explorer.analysis.models.checkpoint.read_storage import read_storage
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.checkpoint.stored_formats import StoredFormat, merged_formats
from explorer.analysis.models.checkpoint.tensor_names import EMBEDDING, HEAD, belongs, place_of
from explorer.analysis.models.config.fields import Fields, brief, defaults_note
from explorer.analysis.models.naming import unique_names
from explorer.analysis.models.parts import Op
from explorer.analysis.models.quick import quick_model
from explorer.analysis.problem import Refused
from explorer.analysis.study.study import QuickModel

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


# patterns


MODULES = (
    "lm_head",
    "layers.0.mlp.gate",
    "layers.10.mlp.gate_proj",
    "layers.1.self_attn.q_proj",
    "layers.1.self_attn.qk_proj",
    "layers.1.block.self_attn.q_proj",
    "model.layers.2.mlp",
    "layers.0.mlp.experts.7.up_proj",
)
EXPRESSIONS = (
    ".*self_attn.*",
    r".*mlp\.(gate|up)_proj.*",
    r"model\.layers\.\d+\.mlp\.gate$",
    ".*q_proj$",
    "layers",
    "^layers.1.",
    r"(layers|model)\.[0-9]+",
    ".*(q|k)_proj$",
    ".*",
    "lm_head$",
    "",
    r".*experts.*up.*",
    r".*\.0\..*gate",
    "model.$",
    ".*1.*1$",
    "layers.*mlp$",
    ".*mlp.*mlp.*",
)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_a_safe_expression_names_what_python_says_it_names(expression: str) -> None:
    named = [m for m in MODULES if Patterns((f"re:{expression}",)).name(m)]
    assert named == [m for m in MODULES if any(re.match(expression, outer + m) for outer in OUTER)]


GLOBS = (
    "layers.*",
    "layers.*.mlp",
    "*mlp",
    "*.mlp.gate",
    "*self_attn*",
    "layers.1.self_attn.q*",
    "layers.1*.mlp",
    "l*d",
    "*q_proj*",
    "layers.*.self_attn.*_proj",
    "*",
    "*.experts.*.up_proj",
    "layers.*.m*p.gate*",
    "q*k*proj",
    "*.q*k*j",
    "*attn.q_proj",
    "*_he*",
    "layers.*0*",
    "*gate*proj",
    "layers.*.*.gate",
    "*.gate",
)


@pytest.mark.parametrize("glob", GLOBS)
def test_a_star_stands_for_part_of_one_name(glob: str) -> None:
    """Where a pattern begins with a star more names may lead; any module inside a named one is named too."""
    free = glob.startswith("*")
    short = glob.lstrip("*").removeprefix(".") if free else glob
    body = r"\.".join("[^.]*".join(map(re.escape, name.split("*"))) for name in short.split("."))
    lead = r"(?:.*\.)?[^.]*" if free else ""
    named = [m for m in MODULES if Patterns((glob,)).name(m)]
    assert named == [m for m in MODULES if re.match(rf"{lead}{body}(?:\.|$)", m)]


@pytest.mark.parametrize(
    ("text", "count"), [("layers.0.mlp", 2), ("mlp", 4), ("layers", 6), ("gate", 1), ("7.up_proj", 1), ("lm", 0)]
)
def test_a_path_names_modules_inside_it_and_whole_parts_of_theirs(text: str, count: int) -> None:
    """By hand from the list above: a text names a module where its names stand in it one after the other."""
    expected = [m for m in MODULES if f".{text}." in f".{m}."]
    assert [m for m in MODULES if Patterns((text,)).name(m)] == expected
    assert (len(expected) > 0) == (count > 0)


def test_no_patterns_name_nothing() -> None:
    assert not Patterns().name("lm_head")
    assert not Patterns(("re:(a",)).name("a")


def test_patterns_are_short_texts_from_the_list_of_layers_on() -> None:
    stated = [
        "model.language_model.layers.0",
        "transformer.h.weight",
        "backbone.x",
        "re:model.x",
        "a",
        "a",
        3,
        "",
        "x" * 300,
        "x" * 301,
    ]
    assert patterns_of(stated) == ("layers.0", "h", "x", "re:model.x", "a", "x" * 300)
    assert (patterns_of("a"), patterns_of(("a",)), patterns_of(None), PATTERN_LIMIT) == ((), ("a",), (), 300)


def test_patterns_beyond_as_many_as_a_model_needs_are_left_unread() -> None:
    plain = tuple(f"layers.{i}" for i in range(3 * MOST_PATTERNS))
    assert unread(plain) == ()  # whole paths cost nothing
    stars = tuple(f"layers.{i}.*" for i in range(MOST_PATTERNS + 2))
    assert unread(stars) == stars[MOST_PATTERNS:]
    leads = tuple(f"*{i}" for i in range(102))
    assert unread(leads) == leads[100:]
    pieces = tuple(f"re:{i}.*x.*y" for i in range(135))  # three pieces of five each
    assert unread(pieces) == pieces[133:]
    assert unread((*leads[:99], "re:a.*b.*c.*d.*e", *stars[:20])) == ("re:a.*b.*c.*d.*e",)
    assert unread((*leads[:100], "layers.0", "x*")) == ("x*",)


def test_groups_of_an_expression_are_spelled_out_up_to_a_number_of_ways() -> None:
    assert ways("(a|b)c") == ((("ac",), False), (("bc",), False))
    assert ways(r"a\.b.c\d+$") == (((r"a\.b.c[0-9]+",), True),)
    assert ways("a.*$") == ((("a", ""), False),)
    assert ways("") == ((("",), False),)
    for bad in ("((a))", "a)", "(a", "a|b", "a+", "a{2}", "[a-z]"):
        assert ways(bad) is None
    assert len(ways("(a|b)" * 6) or ()) == MOST_WAYS == 64
    assert ways("(a|b)" * 6 + "(c|d)") is None


# names of tensors and rows


@pytest.mark.parametrize(
    ("name", "layered", "candidate", "main", "aside"),
    [
        ("blk.*.attn_q.weight", True, "q_proj", True, False),
        ("blk.*.attn_q.bias", True, "q_proj", False, False),
        ("token_embd.weight", False, EMBEDDING, True, False),
        ("output.weight", False, HEAD, True, False),
        ("model.layers.*.mlp.up_proj.weight", True, "mlp.up_proj", True, False),
        ("model.layers.*.mlp.up_proj.weight_scale_inv", True, "mlp.up_proj", False, False),
        ("model.layers.*.mlp.up_proj.qweight", True, "mlp.up_proj", True, False),
        ("model.layers.*.mlp.up_proj.qzeros", True, "mlp.up_proj", False, False),
        ("model.layers.*.mlp.up_proj.weight.absmax", True, "mlp.up_proj", False, False),
        ("model.layers.*.mlp.experts.*.up_proj.weight", True, "mlp.experts.up_proj", True, False),
        ("model.layers.*.mlp.experts.gate_up_proj_blocks", True, "mlp.experts.gate_up_proj", True, False),
        ("model.layers.*.mlp.experts.gate_up_proj_scales", True, "mlp.experts.gate_up_proj", False, False),
        ("model.layers.*.self_attn.sinks", True, "self_attn.sinks", True, False),
        ("visual.blocks.*.mlp.up.weight", True, "mlp.up", True, True),
        ("vision_tower.x.weight", False, "vision_tower.x", True, True),
        ("blk.*.nextn.eh_proj.weight", True, "nextn.eh_proj", True, True),
        ("mtp.layers.*.a.weight", True, "a", True, True),
        ("model.embed_tokens.weight", False, "model.embed_tokens", True, False),
    ],
)
def test_a_tensor_has_its_place_by_its_name(name: str, layered: bool, candidate: str, main: bool, aside: bool) -> None:
    found = place_of(name, layered=layered)
    assert (found.candidates[0], found.main, found.aside) == ((candidate,), main, aside)


def test_tables_and_heads_are_known_under_any_of_their_names() -> None:
    for name in ("embed_tokens", "wte", "word_embeddings", "embed_in", "tok_embeddings", "embeddings"):
        assert place_of(f"x.{name}.weight", layered=False).candidates == ((f"x.{name}",), (EMBEDDING,))
    for name in ("lm_head", "embed_out", "output_layer"):
        assert place_of(f"{name}.weight", layered=False).candidates == ((name,), (HEAD,))


@pytest.mark.parametrize(
    ("candidate", "path", "does"),
    [
        ("a.b", "a.b", True),
        ("b", "a.b", True),
        ("x.a.b", "a.b", True),
        ("b", "ab", False),
        ("ab", "b", False),
        ("a", "a.b", False),
    ],
)
def test_a_module_belongs_to_a_path_that_ends_alike(candidate: str, path: str, does: bool) -> None:
    assert belongs(candidate, path) == does


def op(name: str, parent: str = "", label: str = "", storage: str = "linear") -> Op:
    return Op(name=name, kind="matmul", group="", dims=(), parent=parent, label=label, storage=storage)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("ops", "names"),
    [
        ([op("a"), op("b")], ["a", "b"]),
        ([op("a", label="x"), op("a")], ["a[x]", "a"]),
        ([op("a", storage="kept"), op("a")], ["a[unquantised]", "a"]),
        ([op("a", storage="kept"), op("b")], ["a", "b"]),
        ([op("a", "p"), op("a", "q")], ["p.a", "q.a"]),
        ([op("a", "p"), op("a")], ["p.a", "a"]),
        ([op("a", "p"), op("a", "p"), op("a", "p")], ["p.a", "p.a[2]", "p.a[3]"]),
        ([op("a", "p"), op("b", "p")], ["a", "b"]),
    ],
)
def test_rows_have_the_shortest_names_that_tell_them_apart(ops: list[Op], names: list[str]) -> None:
    assert unique_names(ops) == names


def test_a_known_format_keeps_its_meaning_beside_a_files_own(catalogue: Any) -> None:
    known = catalogue.format_by_id
    found = merged_formats(
        known, (StoredFormat("bf16", 3.0, "fp8"), StoredFormat("mix", 5.0, "fp8"), StoredFormat("new", 5.0, "gone"))
    )
    assert found["bf16"] == known["bf16"]
    assert (found["mix"].bits, found["mix"].compute, found["mix"].family) == (5.0, known["fp8"].compute, "float")
    assert (found["new"].bits, found["new"].compute, found["new"].family) == (5.0, "int8", "int")


QUICK = QuickModel(params=1e9, layers=3, kv_heads=5, head_dim=7)


@pytest.mark.parametrize(
    ("name", "high"),
    [("params", 1e16), ("layers", 2000), ("kv_heads", 10**8), ("head_dim", 10**8), ("file_bytes", 1e16)],
)
def test_figures_of_a_quick_model_have_bounds(name: str, high: float) -> None:
    import msgspec

    for value in (1, high):
        quick_model(msgspec.structs.replace(QUICK, **{name: value}))
    for value in (0, high * 1.01 if isinstance(high, float) else high + 1):
        with pytest.raises(Refused) as refusal:
            quick_model(msgspec.structs.replace(QUICK, **{name: value}))
        assert [p.path.rpartition(".")[2] for p in refusal.value.problems] == [name]


def test_a_quick_model_holds_two_values_a_head_and_layer() -> None:
    made = quick_model(QUICK)
    assert made.kv_bytes_per_token(1.0) == 2 * 3 * 5 * 7
    assert made.parameters == made.active_parameters == 1e9


def test_logits_are_capped_only_in_families_that_cap_them(small: Any) -> None:
    from explorer.analysis.step.phases.registry import one_step

    def names(model_type: str, **changes: Any) -> set[str]:
        rows = build_model(small(model_type, **changes)).rows(one_step("decode", 1, 10))
        return {r.name for r in rows}

    assert names("llama", final_logit_softcapping=30.0) == names("llama")
    assert names("gemma2", final_logit_softcapping=None) < names("gemma2")
    assert list(itertools.islice(names("llama"), 1))
