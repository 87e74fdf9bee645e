"""How subjects of a comparison are named and coloured: machines as everywhere, others by what is changed."""

from msgspec import UNSET

from explorer.analysis.ask.comparison.subjects import Subject, subjects
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.study.variant import SetFormats
from explorer.presentation.hardware.device_names import names_in
from explorer.presentation.hardware.entries import colour_index
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render
from explorer.presentation.words.visible import one_line

register(
    {
        "subject.as_it_is": QT_TRANSLATE_NOOP("messages", "as it is"),
        "subject.weights": QT_TRANSLATE_NOOP("messages", "{weights} weights"),
        "subject.kv": QT_TRANSLATE_NOOP("messages", "{kv} KV"),
        "subject.both": QT_TRANSLATE_NOOP("messages", "{weights} weights, {kv} KV"),
        "subject.what_if": QT_TRANSLATE_NOOP("messages", "what-if {number}"),
    }
)


def subject_name(evaluation: Evaluation, subject: Subject, look: Look = ENGLISH) -> str:
    """A subject as legends name it."""
    if subject.name:
        return one_line(subject.name)
    if isinstance(subject.edit, SetFormats):
        return _formats(subject.edit, look)
    if subject.edit is not None:
        return render(Message("subject.what_if", {"number": int(subject.key) + 1}), look)
    if evaluation.study.view.vary == "machines":
        return names_in(evaluation, look)[subject.entry.id].label
    return render(Message("subject.as_it_is"), look)


def subject_colour(evaluation: Evaluation, subject: Subject) -> int:
    """Which of the palette's colours, dashes and hatches a subject has: its device's, else its place."""
    if evaluation.study.view.vary == "machines":
        return colour_index(evaluation.study, subject.entry.id)
    keys = [s.key for s in subjects(evaluation)]
    return keys.index(subject.key) if subject.key in keys else 0


def _formats(edit: SetFormats, look: Look) -> str:
    weights, kv = edit.weights, edit.kv
    if weights is UNSET:
        return render(Message("subject.kv", {"kv": str(kv)}), look)
    if kv is UNSET:
        return render(Message("subject.weights", {"weights": str(weights)}), look)
    return render(Message("subject.both", {"weights": str(weights), "kv": str(kv)}), look)
