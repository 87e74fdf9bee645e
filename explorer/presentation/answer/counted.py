"""Which devices a verdict speaks of, and how it counts them: what does not fit waits for nothing."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from explorer.analysis.step.evaluate import DeviceResult, Evaluation

_HOW_MANY: Final = {1: "one", 2: "both", 3: "three"}


class SpokenOf(NamedTuple):
    """Devices of a verdict and the end of its key.

    `.fits`: others have no room; `.full`: none has, and the verdict is of them all; empty: all have.
    """

    devices: Sequence[DeviceResult]
    form: str

    @property
    def counted(self) -> str:
        """How a sentence counts them: `three`, or `three.fits` where others have no room."""
        return _HOW_MANY.get(len(self.devices), "all") + self.form

    def one(self, active: DeviceResult) -> DeviceResult:
        """The active device where it is one of them, else the first."""
        return next((d for d in self.devices if d is active), next(iter(self.devices), active))


def spoken_of(evaluation: Evaluation) -> SpokenOf:
    """The visible devices with room; all of them where none has."""
    visible = [d for d in evaluation.devices if d.entry.visible]
    held = [d for d in visible if d.totals.fits is not False]
    if len(held) in {0, len(visible)}:
        return SpokenOf(visible, "" if held or not visible else ".full")
    return SpokenOf(held, ".fits")
