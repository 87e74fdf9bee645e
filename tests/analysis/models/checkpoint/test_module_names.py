"""ModuleNames of modules as each library reads them."""

import fnmatch
import re
import time

import pytest

from explorer.analysis.models.checkpoint.expressions import expression
from explorer.analysis.models.checkpoint.module_names import MOST_EFFORT, ModuleNames, effort, names_of, unreadable
from explorer.analysis.models.checkpoint.module_patterns import OUTER

PATHS = (
    "lm_head",
    "layers.0.mlp.gate",
    "layers.1.mlp.gate_proj",
    "layers.10.mlp.experts.0.up_proj",
    "layers.2.experts.down_proj",
    "layers.3.self_attn.q_proj",
    "layers.13.linear_attn.in_proj_qkv",
)


@pytest.mark.parametrize(
    ("style", "text", "named", "not_named"),
    [
        ("whole", "model.layers.0.mlp.gate", "layers.0.mlp.gate", "layers.0.mlp.gate_proj"),
        ("whole", "model.layers.0.mlp", "layers.0.mlp", "layers.0.mlp.gate"),
        ("whole", "transformer.h.3.attn.c_attn", "layers.3.attn.c_attn", "layers.3.attn.c_proj"),
        ("wildcard", "model.layers.0.mlp*", "layers.0.mlp.gate_proj", "layers.0.experts.up_proj"),
        ("wildcard", "model.layers.0.mlp*", "layers.0.mlp.experts.0.up_proj", "layers.1.mlp.up_proj"),
        ("wildcard", "model.layers.*.gate", "layers.3.mlp.gate", "layers.3.mlp.gate_proj"),
        ("wildcard", "*q_proj", "layers.3.self_attn.q_proj", "layers.3.self_attn.q_proj.x"),
        ("wildcard", "lm_head", "lm_head", "layers.0.lm_heads"),
        ("wildcard", "model.layers.1?.mlp*", "layers.12.mlp.up_proj", "layers.2.mlp.up_proj"),
        ("wildcard", "model.layers.[12].mlp*", "layers.2.mlp.up_proj", "layers.3.mlp.up_proj"),
        ("wildcard", "model.layers.0.mlp.experts", "layers.0.mlp.experts.0.up_proj", "layers.0.mlp.gate"),
        ("within", "self_attn", "layers.0.self_attn.q_proj", "layers.0.self_attn2.q_proj"),
        ("within", "model.layers.1", "layers.1.mlp.up_proj", "layers.11.mlp.up_proj"),
        ("within", "model.layers.*.mlp.router", "layers.11.mlp.router", "layers.11.mlp.experts.up_proj"),
    ],
)  # fmt: skip
def test_a_name_means_what_its_library_means(style: str, text: str, named: str, not_named: str) -> None:
    found = names_of([text], style)  # type: ignore[arg-type]
    assert (found.any((named,)), found.any((not_named,))) == (True, False)


@pytest.mark.parametrize(
    "text", ["*", "layers.*", "*mlp*", "model.layers.1*", "*.experts.*", "*gate", "lm_*", "m*q_proj", "layers.[0-2].m*"]
)
def test_a_wildcard_is_that_of_a_shell_over_dots(text: str) -> None:
    found = names_of([text], "wildcard")
    for path in PATHS:
        assert found.any((path,)) is any(fnmatch.fnmatchcase(outer + path, text) for outer in OUTER), path


EXPRESSIONS = (
    r".*\.(?:q|k|v)_proj$", r"^(?!.*experts).*_proj", r".*layers\.(1[0-9]|2)\..*", r"[a-z_]+$", r"lm_head",
    r"(?=.*mlp).*gate(_proj)?$", r"layers\.\d{2}\..*", r"(layers\.(\d+)\.)?mlp", r".*\bgate\b", r"[^l].*",
    r"((a|b)|layers).*attn", r".*?\.mlp\.\w+$", r"layers\.[0-9]\.\S*proj", r"(lay)?ers|layers\.0",
)  # fmt: skip


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_an_expression_begins_a_path_as_python_has_it(text: str) -> None:
    found = names_of([f"re:{text}"], "whole")
    assert unreadable(found) == ()
    followed = expression(text)
    assert followed is not None
    for path in PATHS:
        assert followed(path) is bool(re.match(text, path)), path
        assert found.any((path,)) is any(bool(re.match(text, outer + path)) for outer in OUTER), path


@pytest.mark.parametrize(
    "text", ["(a", "a)", "(?<=a)b", r"(a)\1", "[a", "a{1", "a**", "(?P<n>a)", "(((a*)*)*)*", "a{99}", r"\p"]
)
def test_an_expression_beyond_what_is_read_is_named(text: str) -> None:
    found = names_of([f"re:{text}", "lm_head"], "whole")
    assert unreadable(found) == (f"re:{text}",)
    assert found.any(("lm_head",))


def test_no_expression_takes_long() -> None:
    began = time.perf_counter()
    path = "layers.77.self_attn.indexer." + "a." * 60 + "zzz"
    for text in ("(a+)+$", "(.*)(.*)(.*)(.*)[x]", "(a|a)*b", "((.*a)*b)*", ".*.*.*.*.*.*.*.*[!]", "(?!.*(a*a*a*)*b).*"):
        names_of([f"re:{text}"], "whole").any((path,))
    assert time.perf_counter() - began < 1


def test_names_that_would_take_long_against_every_module_are_refused() -> None:
    few = [f"re:(?:a|b){i}" for i in range(5)]
    assert (
        effort(names_of(few, "whole")) < MOST_EFFORT < effort(names_of([f"re:(?:a|b){i}" for i in range(20)], "whole"))
    )
    assert effort(names_of([f"model.layers.{i}.mlp*" for i in range(1_000)], "wildcard")) < MOST_EFFORT
    assert effort(names_of([f"model.layers.{i}.mlp" for i in range(99_000)], "whole")) == 0
    assert names_of("lm_head", "whole") == names_of([3, "", "x" * 400], "whole") == ModuleNames((), "whole")
