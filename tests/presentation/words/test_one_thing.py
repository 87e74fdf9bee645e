"""One call is “1 call”: every template that counts is walked with a count of 1."""

import re

import pytest

import explorer.presentation.sentences  # noqa: F401 - registers every sentence
from explorer.presentation.look import Look
from explorer.presentation.words.messages import TEMPLATES, Message, render
from explorer.presentation.words.translated import COUNTED, filled
from explorer.ui.look.text import tr

FIELD = re.compile(r"\{(\w+)(?:[:!][^{}]*)?\}")
WRONG = re.compile(r"(?<![\d.,])1(?:</b>)? (?:(?:more|other) )?[a-z]+s\b(?!/)")
NO_COUNT = {"1 is", "1 has", "1 was", "1 as", "1 needs", "1 runs", "1 stands", "1 times"}


def counted(template: str) -> set[str]:
    return {
        m[1] for m in re.finditer(r"\{(\w+)[^{}]*\}(?:</b>)? (?:(?:more|other) )?(\w+)", template) if m[2] in COUNTED
    }


@pytest.mark.parametrize("key", sorted(k for k, t in TEMPLATES.items() if counted(t)))
def test_no_sentence_counts_one_thing_in_the_plural(key: str) -> None:
    template = TEMPLATES[key]
    names = counted(template)
    values = {name: "1" if name in names else "x" for name in FIELD.findall(template)}
    for name in re.findall(r"\{(\w+):", template):  # a field that formats numbers
        values[name] = 1 if name in names else 7  # type: ignore[assignment]
    said = render(Message(key, values))
    found = [m[0] for m in WRONG.finditer(said) if m[0] not in NO_COUNT]
    assert not [f for f in found if f.split(" ")[-1] in COUNTED], said


def test_numbers_and_texts_of_one_are_one_and_others_stay() -> None:
    assert filled("{count} calls of {time}", "{count} calls of {time}", {"count": 1, "time": "1"}) == "1 call of 1"
    assert filled("{count} calls", "{count} calls", {"count": "1"}) == "1 call"
    assert filled("{count} calls", "{count} calls", {"count": 11}) == "11 calls"
    assert filled("{count} calls", "{count} calls", {"count": "1,024"}) == "1,024 calls"
    assert filled("{n} more devices", "{n} more devices", {"n": 1}) == "1 more device"
    assert filled("{n} passes/s", "{n} passes/s", {"n": 1}) == "1 passes/s"
    assert filled("{n} passes", "{n} passes", {"n": 1}) == "1 pass"
    assert tr("Copied {count} rows for a spreadsheet.", count=1) == "Copied 1 row for a spreadsheet."


def test_a_translation_counts_in_its_own_way() -> None:
    look = Look(translate=lambda _context, text: text.replace("devices", "Geräts"))
    assert render(Message("answer.devices", {"count": 1}), look) == "1 Geräts"
