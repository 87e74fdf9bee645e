"""The figures of the example studies are those that were committed: a rebuild changes none of them."""

import json
from pathlib import Path

import pytest

from tests.cli.figures import FIGURES, STUDIES, as_text, differences, kept, printed


@pytest.mark.parametrize("study", STUDIES, ids=lambda p: p.name.split(".")[0])
def test_keys_words_and_figures_of_an_example_stay(study: Path) -> None:
    before = json.loads(kept(study).read_text(encoding="utf-8"))
    assert list(differences(before, printed(study))) == []


def test_every_example_has_its_figures_and_none_is_left_over() -> None:
    assert {p.name for p in FIGURES.iterdir()} == {kept(s).name for s in STUDIES}


def test_a_difference_is_told_by_its_place() -> None:
    before = {"a": [1.0, {"b": "x", "c": None}], "d": True}
    assert list(differences(before, {"a": [1.0 + 1e-15, {"b": "x", "c": None}], "d": True})) == []
    now = {"a": [1.0 + 1e-9, {"c": 0, "b": "y"}], "d": True}
    assert sorted(differences(before, now)) == [
        ".a[0]: 1.0, now 1.000000001",
        ".a[1].b: 'x', now 'y'",
        ".a[1].c: None, now 0",
        ".a[1]: keys ['b', 'c'], now ['c', 'b']",
    ]
    assert json.loads(as_text(before)) == before
