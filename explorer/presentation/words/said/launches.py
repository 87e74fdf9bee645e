"""Times of a device whose launches nobody published: they read "at least, launches unknown", never as if exact."""

from collections.abc import Callable, Sequence
from typing import Final

from explorer.analysis.step.evaluate import DeviceResult
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render

register(
    {
        "launches.unknown": QT_TRANSLATE_NOOP("messages", "at least {time}, launches unknown"),
        "launches.least": QT_TRANSLATE_NOOP("messages", "≥ {time}"),
        "launches.lead": QT_TRANSLATE_NOOP("messages", ", launches unknown"),
        "launches.lead_of": QT_TRANSLATE_NOOP("messages", "; launches of {devices} unknown"),
        "launches.lead_and": QT_TRANSLATE_NOOP("messages", "{devices} and {last}"),
        "launches.lead_count": QT_TRANSLATE_NOOP("messages", "; launches of {count} of them unknown"),
        "launches.gain": QT_TRANSLATE_NOOP("messages", "at most {gain}"),
        "launches.gain_short": QT_TRANSLATE_NOOP("messages", "≤ {gain}"),
        "launches.reason": QT_TRANSLATE_NOOP("messages", "at least, launches unknown"),
    }
)

_NAMED: Final = 3
Called = Callable[[DeviceResult], str]


def lead_text(visible: Sequence[DeviceResult], called: Called, look: Look = ENGLISH) -> str:
    """What follows a verdict on devices: that launches are unknown, and on which, where it is not on all."""
    unknown = [d for d in visible if d.launches_unknown]
    if not unknown:
        return ""
    if len(unknown) == len(visible):
        return render(Message("launches.lead"), look)
    if len(unknown) > _NAMED:
        return render(Message("launches.lead_count", {"count": len(unknown)}), look)
    *names, last = map(called, unknown)
    devices = last
    if names:
        devices = render(Message("launches.lead_and", {"devices": ", ".join(names), "last": last}), look)
    return render(Message("launches.lead_of", {"devices": devices}), look)


def gain_text(result: DeviceResult | None, text: str, look: Look = ENGLISH, *, short: bool = False) -> str:
    """A gain of the step's time: launches make no change more of it, so it is a bound from above."""
    if result is None or not result.launches_unknown:
        return text
    return render(Message("launches.gain_short" if short else "launches.gain", {"gain": text}), look)


def time_text(result: DeviceResult, text: str, look: Look = ENGLISH) -> str:
    """A time of a device's operators, as a bound from below where its launches are unknown."""
    return render(Message("launches.unknown", {"time": text}), look) if result.launches_unknown else text


def least_text(result: DeviceResult, text: str, look: Look = ENGLISH) -> str:
    """The same where there is little room."""
    return render(Message("launches.least", {"time": text}), look) if result.launches_unknown else text
