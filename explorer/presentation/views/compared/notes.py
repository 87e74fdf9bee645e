"""What a chart of a comparison says of subjects that it does not draw, and why it has nothing to show."""

from collections.abc import Sequence

from explorer.analysis.ask.comparison.drawn import Drawn
from explorer.analysis.ask.comparison.subjects import Subject
from explorer.analysis.problem import Value
from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.answer.nothing import is_refused, refused_text
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.views.compared.subject_names import subject_name
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render

_NAMED = 3

register(
    {
        "compared.no_room": QT_TRANSLATE_NOOP("messages", "No room: {names}."),
        "compared.failed": QT_TRANSLATE_NOOP("messages", "Cannot be evaluated: {names}."),
        "compared.more": QT_TRANSLATE_NOOP("messages", "Not drawn: {names}."),
        "compared.beyond": QT_TRANSLATE_NOOP("messages", "{count} more where there is room."),
        "compared.ideal": QT_TRANSLATE_NOOP("messages", "Ideal, links not counted: {names}."),
        "compared.launches": QT_TRANSLATE_NOOP("messages", "Launches unknown: {names}."),
        "compared.unknown_room": QT_TRANSLATE_NOOP("messages", "Capacity not known: {names}."),
        "compared.list": QT_TRANSLATE_NOOP("messages", ", "),
        "compared.and_more": QT_TRANSLATE_NOOP("messages", "{names} and {count} more"),
        "compared.empty": QT_TRANSLATE_NOOP("messages", "Choose devices and a model or operators to compare."),
        "compared.one.machines": QT_TRANSLATE_NOOP("messages", "One machine stands alone: tick a second device."),
        "compared.one.models": QT_TRANSLATE_NOOP("messages", "One model stands alone: add a second one."),
        "compared.one.formats": QT_TRANSLATE_NOOP("messages", "Choose a model: its number formats are compared."),
        "compared.one.what_ifs": QT_TRANSLATE_NOOP("messages", "The study has no what-ifs yet: add one to compare."),
        "compared.one.measurements": QT_TRANSLATE_NOOP(
            "messages", "Measurements are compared in the table; choose machines, models, formats or what-ifs."
        ),
        "compared.none_fits": QT_TRANSLATE_NOOP("messages", "Nothing to compare; no room: {names}."),
        "compared.none_else": QT_TRANSLATE_NOOP("messages", "Nothing beside {name} can be drawn; no room: {names}."),
    }
)


def listed_names(evaluation: Evaluation, found: Sequence[Subject], look: Look = ENGLISH) -> str:
    """Names of subjects, the first few of many."""
    names = [subject_name(evaluation, s, look) for s in found]
    comma = render(Message("compared.list"), look)
    if len(names) <= _NAMED:
        return comma.join(names)
    values: dict[str, Value] = {"names": comma.join(names[: _NAMED - 1]), "count": len(names) - _NAMED + 1}
    return render(Message("compared.and_more", values), look)


def notes_on(evaluation: Evaluation, drawn: Drawn, look: Look = ENGLISH) -> tuple[str, ...]:
    """Who is left out, and whose figures hold with what is not known of them."""
    results = [(s, s.result) for s in drawn.subjects if s.result is not None]
    found = (
        ("compared.no_room", drawn.no_room),
        ("compared.failed", drawn.failed),
        ("compared.more", drawn.more),
        ("compared.ideal", [s for s, result in results if result.is_ideal]),
        ("compared.launches", [s for s, result in results if result.launches_unknown]),
    )
    return tuple(
        render(Message(key, {"names": listed_names(evaluation, group, look)}), look) for key, group in found if group
    )


def beyond_texts(count: int, look: Look = ENGLISH) -> tuple[str, ...]:
    """What is said where the first 0, 1, ... of so many subjects are drawn; "" for all of them."""
    left = (Message("compared.beyond", {"count": count - n}) for n in range(count))
    return (*(render(message, look) for message in left), "")


def empty_reason(evaluation: Evaluation, drawn: Drawn, look: Look = ENGLISH) -> str:
    """Why nothing stands side by side; "" where something does."""
    if is_refused(evaluation):
        return refused_text(evaluation, look)
    if not evaluation.rows or evaluation.active is None:
        return render(Message("compared.empty"), look)
    if len(drawn.subjects) > 1:
        return ""
    if drawn.no_room and len(drawn.subjects) + len(drawn.no_room) > 1:
        names = listed_names(evaluation, drawn.no_room, look)
        if not drawn.subjects:
            return render(Message("compared.none_fits", {"names": names}), look)
        name = subject_name(evaluation, drawn.subjects[0], look)
        return render(Message("compared.none_else", {"name": name, "names": names}), look)
    return render(Message(f"compared.one.{evaluation.study.view.vary}"), look)
