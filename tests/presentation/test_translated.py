"""A translation can spoil no sentence: what cannot be filled as the English text is not shown, and is told once."""

from collections.abc import Callable, Iterator
from string import Formatter

import pytest

import explorer.presentation.sentences as every_text
from explorer.presentation.answer.answer import with_marks, without_marks
from explorer.presentation.look import Look
from explorer.presentation.words.messages import TEMPLATES, Message, register, render
from explorer.presentation.words.translated import fitting, hear_no_more, hear_of_faults

assert every_text
ENGLISH = "{model} on {device:>4}: <b>{count}</b>"
VALUES = {"model": "M", "device": "D", "count": 3}
HOSTILE = (
    "{modell} auf {device:>4}: {count}",  # a field that is not there
    "{} auf {}: {}",
    "{0} auf {1}: {2}",
    "{model.__class__} auf {device:>4}: {count}",
    "{model[0]} auf {device:>4}: {count}",
    "{model[x]} auf {device:>4}: {count}",
    "{model.x.y} auf {device:>4}: {count}",
    "{model auf {device:>4}: {count}",
    "model} auf {device:>4}: {count}",
    "{model} auf {device:>4}: {count",
    "{model} auf {device:>4}: {count}}",
    "{",
    "}",
    "{!}",
    "{model!z} auf {device:>4}: {count}",
    "{model!r} auf {device:>4}: {count}",
    "{model:d} auf {device:>4}: {count}",
    "{model:>99999999999} auf {device:>4}: {count}",
    "{model:{count}} auf {device:>4}: {count}",
    "{model:{nothing}} auf {device:>4}: {count}",
    "{model} auf {device}: {count}",
    "{model} auf {device:>4}",  # a figure less
    "{model} auf {device:>4}: {count} {more}",
    "",
    " ",
)


@pytest.fixture
def told() -> Iterator[list[str]]:
    faults: list[str] = []
    hear_of_faults(faults.append)
    faults.clear()  # what earlier tests left
    yield faults
    hear_no_more(faults.append)


@pytest.fixture
def say(request) -> Iterator[Callable[[str], str]]:
    """What becomes of a message under a translation."""
    key = f"test.{request.node.name}"
    register({key: ENGLISH})
    yield lambda translated, how=render: how(Message(key, VALUES), Look(translate=lambda _context, _text: translated))
    del TEMPLATES[key]


@pytest.mark.parametrize("translated", HOSTILE)
def test_a_translation_that_cannot_be_filled_gives_way_to_english(say, translated: str) -> None:
    assert say(translated) == "M on    D: <b>3</b>"
    assert say(translated, without_marks) == "M on    D: 3"
    assert say(translated, with_marks) == "M on    D: <b>3</b>"


@pytest.mark.parametrize("translated", ["{device:>4}: {count}, {model}", "{{{model}}} {device:>4} {count} {model}"])
def test_a_translation_may_order_repeat_and_quote_its_fields(say, told, translated: str) -> None:
    assert say(translated) == translated.format(**VALUES)
    assert told == []


def test_a_fault_is_told_once_and_names_both_texts(told) -> None:
    for _ in range(3):
        assert fitting("Once {a}", "Einmal {b}") == "Once {a}"
    (fault,) = told
    assert "“Einmal {b}”" in fault
    assert "“Once {a}”" in fault


def test_faults_of_the_first_frame_are_told_to_who_listens_later() -> None:
    fitting("Early {a}", "Früh {b}")
    faults: list[str] = []
    hear_of_faults(faults.append)
    hear_no_more(faults.append)
    assert any("Früh" in fault for fault in faults)
    fitting("Later {a}", "Später {b}")
    assert not any("Später" in fault for fault in faults)


@pytest.mark.parametrize("hostile", ["{modell}", "{0.real} {}", "{", "}{", "{a:>9999999999}", "{a!q}", ""])
def test_no_sentence_of_the_program_can_be_made_to_fail(hostile: str) -> None:
    for key, template in TEMPLATES.items():
        values = {name: 2 for _, name, _, _ in Formatter().parse(template) if name}
        found = render(
            Message(key, values), Look(translate=lambda _context, text: f"{text} {hostile}" if hostile else "")
        )
        assert found == template.format(**values)
