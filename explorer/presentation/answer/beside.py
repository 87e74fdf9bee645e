"""What the answer says of the other devices: how fast one is beside another, and which have no room."""

from collections.abc import Callable

from explorer.analysis.ask.comparison.ratios import fastest_other, speed, without_room
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import times
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render

Called = Callable[[DeviceResult], str]
_NAMED = 3  # devices without room

register(
    {
        "answer.versus": QT_TRANSLATE_NOOP("messages", ", <b>{ratio}</b> as fast as {device}"),
        "answer.fastest": QT_TRANSLATE_NOOP("messages", "{device} is <b>{ratio}</b> as fast."),
        "answer.no_room_one": QT_TRANSLATE_NOOP("messages", "{device} has no room."),
        "answer.no_room": QT_TRANSLATE_NOOP("messages", "{devices} and {last} have no room."),
        "answer.no_room_count": QT_TRANSLATE_NOOP("messages", "{count} other devices have no room."),
    }
)


def versus(evaluation: Evaluation, active: DeviceResult, called: Called) -> Message | None:
    """How many times as fast as the baseline the active device is; None where it is the baseline, or no ratio is."""
    baseline = evaluation.baseline
    if baseline is None or baseline is active:
        return None
    found = speed(evaluation, active, baseline).value
    if found is None:
        return None
    return Message("answer.versus", {"ratio": times(found), "device": called(baseline)})


def beside(evaluation: Evaluation, active: DeviceResult, called: Called, look: Look = ENGLISH) -> list[Message]:
    """Of the baseline, the fastest other device; and the other devices that have no room."""
    found = []
    other = fastest_other(evaluation, active) if evaluation.baseline is active else None
    if other is not None:
        found.append(Message("answer.fastest", {"device": called(other.result), "ratio": times(other.speed.value)}))
    return [*found, *_no_room(evaluation, active, called, look)]


def _no_room(evaluation: Evaluation, active: DeviceResult, called: Called, look: Look) -> list[Message]:
    """The devices beside the active one, of which more is said."""
    without = [d for d in without_room(evaluation) if d is not active]
    if not without:
        return []
    if len(without) > _NAMED:
        return [Message("answer.no_room_count", {"count": len(without)})]
    *names, last = map(called, without)
    if not names:
        return [Message("answer.no_room_one", {"device": last})]
    return [Message("answer.no_room", {"devices": render(Message("answer.list"), look).join(names), "last": last})]
