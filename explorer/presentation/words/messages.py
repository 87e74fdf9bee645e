"""Sentences by code: one English template per message, marked for translation."""

from collections.abc import Mapping

import msgspec

from explorer.analysis.problem import Note, Problem, Refused, Value
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.words.translated import filled


def QT_TRANSLATE_NOOP(_context: str, text: str) -> str:  # noqa: N802 - lupdate looks for this very name
    """Mark a text for lupdate and return it unchanged."""
    return text


class Message(msgspec.Struct, frozen=True):
    """A sentence to come: the key of its template and the values that fill it."""

    key: str
    values: Mapping[str, Value] = {}


TEMPLATES: dict[str, str] = {}


def register(templates: Mapping[str, str]) -> None:
    """Add templates; each module of texts registers its own once."""
    TEMPLATES.update(templates)


def render(message: Message, look: Look = ENGLISH) -> str:
    """Return the sentence of a message; an unknown key shows itself and its values rather than nothing.

    A translation that cannot be filled gives way to the English template.
    """
    template = TEMPLATES.get(message.key)
    if template is None:
        return message.key + "".join(f" {k}={v}" for k, v in message.values.items())
    return filled(template, look.translate("messages", template), message.values)


def of_note(note: Note) -> Message:
    """The sentence of an assumption or remark."""
    return Message(note.code, note.values)


def of_problem(problem: Problem) -> Message:
    """The sentence of a fault, led by its field path where it has one."""
    values = {**problem.values, "path": problem.path}
    return Message(problem.code, values)


def render_problem(problem: Problem, look: Look = ENGLISH) -> str:
    """One clear line: where, what, what to do."""
    text = render(of_problem(problem), look)
    return f"{problem.path}: {text}" if problem.path else text


def refusal(refused: Refused, look: Look = ENGLISH) -> str:
    """Why something was refused, without the path that the reader looks at anyway."""
    return render(of_problem(refused.problems[0]), look)
