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
        "answer.no_room_one.either": QT_TRANSLATE_NOOP("messages", "{device} has no room either."),
        "answer.no_room.either": QT_TRANSLATE_NOOP("messages", "{devices} and {last} have no room either."),
        "answer.no_room_count.either": QT_TRANSLATE_NOOP("messages", "{count} other devices have no room either."),
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


def fastest(evaluation: Evaluation, active: DeviceResult, called: Called) -> list[Message]:
    """Beside the baseline, the fastest other device."""
    other = fastest_other(evaluation, active) if evaluation.baseline is active else None
    if other is None:
        return []
    return [Message("answer.fastest", {"device": called(other.result), "ratio": times(other.speed.value)})]


def others_without_room(
    evaluation: Evaluation, active: DeviceResult, called: Called, look: Look = ENGLISH
) -> list[Message]:
    """The devices beside the active one that have no room; it may have none either, of which more is said."""
    without = [d for d in without_room(evaluation) if d is not active]
    either = ".either" if active.totals.fits is False else ""
    if not without:
        return []
    if len(without) > _NAMED:
        return [Message(f"answer.no_room_count{either}", {"count": len(without)})]
    *names, last = map(called, without)
    if not names:
        return [Message(f"answer.no_room_one{either}", {"device": last})]
    devices = render(Message("answer.list"), look).join(names)
    return [Message(f"answer.no_room{either}", {"devices": devices, "last": last})]
