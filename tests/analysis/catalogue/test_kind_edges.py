"""Formulas at their limits, and kinds of the user tried out, put in and taken out."""

import math
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.formula import is_name, names_in, parse, value_of
from explorer.analysis.catalogue.kind_check import check_kind, put_kind, remove_kind, rows_of_kind
from explorer.analysis.catalogue.kinds import Derived, Dim, OperatorKind
from explorer.analysis.problem import Refused
from explorer.analysis.study.study import OwnRow, Study

KIND = OperatorKind(
    id="mine",
    dims=(Dim(name="n", default=3.0),),
    derived=(Derived(name="d", formula="2 * n"),),
    flops="d * n",
    bytes_read="n * a",
    bytes_written="n * o",
    weight_bytes="w",
    kv_bytes="0 * kv",
)


def refused(text: str, *names: str) -> tuple[str, str]:
    with pytest.raises(Refused) as refusal:
        parse(text, names, "here")
    (problem,) = refusal.value.problems
    return problem.code, problem.path


def test_a_formula_has_five_hundred_characters_at_most() -> None:
    assert parse("1" + "+1" * 249 + " ", ())  # the blank counts too
    assert refused("1" + "+1" * 250) == ("formula.long", "here")
    with pytest.raises(Refused) as refusal:
        parse(" " * 501, ())
    assert refusal.value.problems[0].values == {"limit": 500, "length": 501}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7 + 2", 9),
        ("7 - 2", 5),
        ("7 * 2", 14),
        ("7 / 2", 3.5),
        ("7 // 2", 3),
        ("7 % 2", 1),
        ("7 ** 2", 49),
        ("-7", -7),
        ("+7", 7),
        ("min(3, 2, 4)", 2),
        ("max(3, 2, 4)", 4),
        ("ceil(2.1)", 3),
        ("floor(2.9)", 2),
        ("log2(8)", 3),
        (" 1 + 1 ", 2),
        ("ceil(-2.1)", -2),
        ("floor(-2.1)", -3),
    ],
)
def test_a_formula_computes_with_the_listed_signs_and_functions(text: str, value: float) -> None:
    assert value_of(text, {}) == value


def test_formulas_compute_with_arrays_as_with_numbers() -> None:
    x, y = np.array([1.5, 8.0]), np.array([4.0, 2.0])
    from explorer.analysis.catalogue.formula import compile_function

    texts = ("min(x, y, 3)", "max(x, y, 3)", "ceil(x)", "floor(x)", "log2(y)")
    made = compile_function(("x", "y"), (), [parse(t, ("x", "y")) for t in texts])
    together = np.array(made(x, y))
    apart = np.array([made(float(a), float(b)) for a, b in zip(x, y, strict=True)]).T
    assert np.array_equal(together, apart)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("m", "formula.name"),
        ("min", "formula.name"),
        ("n.real", "formula.construct"),
        ("n[0]", "formula.construct"),
        ("n if n else 1", "formula.construct"),
        ("n < 1", "formula.construct"),
        ("n and n", "formula.construct"),
        ("(n, n)", "formula.construct"),
        ("lambda: 1", "formula.construct"),
        ("n & 1", "formula.construct"),
        ("n << 1", "formula.construct"),
        ("n @ n", "formula.construct"),
        ("~n", "formula.construct"),
        ("not n", "formula.construct"),
        ("'x'", "formula.constant"),
        ("True", "formula.constant"),
        ("1j", "formula.constant"),
        ("None", "formula.constant"),
        ("abs(n)", "formula.function"),
        ("min(n, key=n)", "formula.function"),
        ("max(*n)", "formula.function"),
        ("n.min(1, 2)", "formula.function"),
        ("min(n)", "formula.arguments"),
        ("max()", "formula.arguments"),
        ("ceil(n, n)", "formula.arguments"),
        ("log2()", "formula.arguments"),
        ("floor()", "formula.arguments"),
        ("1 +", "formula.syntax"),
        ("", "formula.syntax"),
        ("n = 1", "formula.syntax"),
        ("\0", "formula.syntax"),
    ],
)
def test_what_is_not_on_the_closed_list_is_refused(text: str, code: str) -> None:
    assert refused(text, "n") == (code, "here")


def test_names_of_dims_are_identifiers_that_mean_nothing_else() -> None:
    assert all(map(is_name, ("n", "kv2", "heads", "x_1")))
    assert not any(
        map(is_name, ("", "1n", "a b", "for", "_n", "a", "w", "o", "kv", "min", "max", "ceil", "floor", "log2"))
    )
    assert names_in("min(n, m) + log2(a)") == {"n", "m", "a"}
    assert names_in("1 +") == frozenset()


def test_a_kind_is_tried_at_its_defaults(catalogue: Catalogue) -> None:
    found = check_kind(KIND, catalogue.format_by_id)
    assert found.problems == {}
    expected = {
        "flops": 18.0,
        "bytes_read": 6.0,
        "bytes_written": 6.0,
        "kernels": 1.0,
        "weight_bytes": 2.0,
        "kv_bytes": 0.0,
    }
    assert dict(found.values) == expected
    assert found.costs is not None
    assert found.costs._asdict() == expected


@pytest.mark.parametrize(
    ("ident", "code"),
    [("x" * 200, None), ("x" * 201, "study.id"), (" ", "study.id"), ("a\nb", "study.id"), ("other", "kind.taken")],
)
def test_the_id_of_a_kind_is_a_free_line(ident: str, code: str | None, catalogue: Catalogue) -> None:
    found = check_kind(replace(KIND, id=ident), catalogue.format_by_id, ("other",))
    assert {path: p.code for path, p in found.problems.items()} == ({} if code is None else {"id": code})
    assert (found.costs is None) == (code is not None)
    assert found.values["flops"] == 18.0


def test_one_bad_formula_leaves_the_others_their_figures(catalogue: Catalogue) -> None:
    found = check_kind(replace(KIND, flops="n +", bytes_read="n - 9", kernels="1 / (n - 3)"), catalogue.format_by_id)
    assert {path: p.code for path, p in found.problems.items()} == {
        "flops": "formula.syntax",
        "bytes_read": "formula.result",
        "kernels": "formula.value",
    }
    assert dict(found.values) == {"bytes_written": 6.0, "weight_bytes": 2.0, "kv_bytes": 0.0}
    assert found.costs is None


@pytest.mark.parametrize(
    ("changes", "paths"),
    [
        ({"dims": (Dim(name="for"),)}, {"dims"}),
        ({"derived": (Derived(name="d", formula="q"),)}, {"derived[0].formula"}),
        ({"derived": (Derived(name="n", formula="1"), Derived(name="d", formula="1"))}, {"dims"}),
    ],
)
def test_bad_dims_and_derived_figures_leave_nothing_to_compute(
    changes: dict[str, Any], paths: set[str], catalogue: Catalogue
) -> None:
    found = check_kind(replace(KIND, **changes), catalogue.format_by_id)
    assert paths <= found.problems.keys()
    assert (dict(found.values), found.costs) == ({}, None)


def rows(*kinds: str) -> tuple[OwnRow, ...]:
    return tuple(OwnRow(id=f"o{i}", name=f"row {i}", kind=k, dims={"n": 2.0}) for i, k in enumerate(kinds))


def test_a_kind_is_put_in_place_of_the_one_it_was(catalogue: Catalogue) -> None:
    kinds = tuple(replace(KIND, id=i) for i in ("a1", "a2", "a3"))
    study = Study(kinds=kinds, operators=rows("a1", "a2", "a2"))
    new = replace(KIND, id="new", dims=(Dim(name="m"),), derived=(), flops="m", bytes_read="m", bytes_written="m")
    for at, old in enumerate(("a1", "a2", "a3")):
        made = put_kind(study, new, catalogue.format_by_id, old)
        assert [k.id for k in made.kinds] == [*(k.id for k in kinds[:at]), "new", *(k.id for k in kinds[at + 1 :])]
        assert [o.kind for o in made.operators] == ["new" if o.kind == old else o.kind for o in study.operators]
        assert [dict(o.dims) for o in made.operators if o.kind == "new"] == [{}] * len(rows_of_kind(study, old))
    added = put_kind(study, new, catalogue.format_by_id)
    assert [k.id for k in added.kinds] == ["a1", "a2", "a3", "new"]
    assert added.operators == study.operators


def test_a_kind_that_a_row_cannot_be_computed_by_is_refused(catalogue: Catalogue) -> None:
    study = Study(kinds=(KIND,), operators=rows("mine"))
    with pytest.raises(Refused) as refusal:
        put_kind(study, replace(KIND, flops="n - 2.5"), catalogue.format_by_id, "mine")
    assert [(p.code, p.values) for p in refusal.value.problems] == [("kind.row", {"name": "row 0"})]
    assert put_kind(study, replace(KIND, flops="n - 2"), catalogue.format_by_id, "mine")


def test_a_kind_in_use_stays(catalogue: Catalogue) -> None:
    kinds = tuple(replace(KIND, id=i) for i in ("a1", "a2", "a3"))
    study = Study(kinds=kinds, operators=rows(*["a2"] * 9, "a1"))
    assert [k.id for k in remove_kind(study, "a3").kinds] == ["a1", "a2"]
    with pytest.raises(Refused) as refusal:
        remove_kind(study, "a2")
    (problem,) = refusal.value.problems
    assert problem.values == {"rows": ", ".join(f"row {i}" for i in range(8)), "count": 9}
    assert math.isclose(float(problem.values["count"]), len(rows_of_kind(study, "a2")))
