"""One value says how everything is shown."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.palette import DARK
from explorer.presentation.words.messages import Message, register, render


def test_looks_of_the_same_theme_unit_and_language_are_one_key() -> None:
    assert {ENGLISH: "shown"}[Look()] == "shown"
    assert Look(DARK) != ENGLISH
    assert replace(Look(DARK), unit="GiB") == Look(DARK, "GiB")


def test_a_look_cannot_be_changed_in_place() -> None:
    with pytest.raises(AttributeError):
        ENGLISH.unit = "GiB"  # type: ignore[misc]


def test_a_sentence_is_told_in_the_language_of_the_look() -> None:
    register({"look.test": "read {count}"})
    german = Look(translate=lambda context, text: {("messages", "read {count}"): "{count} gelesen"}[context, text])
    assert render(Message("look.test", {"count": 3}), german) == "3 gelesen"
    assert render(Message("look.test", {"count": 3})) == "read 3"


def test_language_and_unit_travel_in_a_look_alone(root: Path) -> None:
    own = {root / "explorer" / "presentation" / name for name in ("look.py", "quantities/numbers.py")}
    loose = re.compile(r"\b(?:translate|unit|capacity_unit): (?:Translate|CapacityUnit)\b")
    found = [p for p in (root / "explorer").rglob("*.py") if p not in own and loose.search(p.read_text("utf-8"))]
    assert not found
