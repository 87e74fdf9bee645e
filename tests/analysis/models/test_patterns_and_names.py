"""Patterns against what they mean, names of tensors and rows."""

import itertools
import re
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
from explorer.analysis.models.checkpoint.stored_formats import StoredFormat, merged_formats
from explorer.analysis.models.checkpoint.tensor_names import EMBEDDING, HEAD, belongs, place_of
from explorer.analysis.models.naming import unique_names
from explorer.analysis.models.parts import Op
from explorer.analysis.models.quick import quick_model
from explorer.analysis.problem import Refused
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.study.study import QuickModel

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


def test_a_number_is_no_name_without_its_parent() -> None:
    def op(name: str, parent: str = "") -> Op:
        return Op(name, "matmul", (), "projection", parent=parent)

    ops = [op("1", "classifier"), op("0", "head.fusion"), op("0", "adapter_1.2"), op("0"), op("dense", "pooler")]
    assert unique_names(ops) == ["classifier.1", "fusion.0", "adapter_1.2.0", "matmul.0", "dense"]
    assert unique_names([op("1", "left.mlp"), op("1", "right.mlp")]) == ["left.mlp.1", "right.mlp.1"]


def test_the_rows_of_networks_of_pictures_are_words() -> None:
    for kind in ("resnet", "convnext", "encodec"):
        rows = build_model({"model_type": kind}).rows(one_step("prefill", 1, 1))
        assert not [row.name for row in rows if row.name.partition("[")[0].replace(".", "").isdigit()]
