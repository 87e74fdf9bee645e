"""Times of a device whose launches nobody published: they read "at least, launches unknown", never as if exact."""

from explorer.analysis.step.evaluate import DeviceResult
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render

register(
    {
        "launches.unknown": QT_TRANSLATE_NOOP("messages", "at least {time}, launches unknown"),
        "launches.least": QT_TRANSLATE_NOOP("messages", "≥ {time}"),
        "launches.reason": QT_TRANSLATE_NOOP("messages", "at least, launches unknown"),
    }
)


def time_text(result: DeviceResult, text: str, look: Look = ENGLISH) -> str:
    """A time of a device's operators, as a bound from below where its launches are unknown."""
    return render(Message("launches.unknown", {"time": text}), look) if result.launches_unknown else text


def least_text(result: DeviceResult, text: str, look: Look = ENGLISH) -> str:
    """The same where there is little room."""
    return render(Message("launches.least", {"time": text}), look) if result.launches_unknown else text
