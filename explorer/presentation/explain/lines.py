"""Lines of an explanation, and what making them needs."""

import msgspec

import explorer.presentation.explain.texts  # noqa: F401 - registers the words used here
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.presentation.hardware.device_names import device_label
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import capacity, scaled
from explorer.presentation.words.messages import Message, render


class Line(msgspec.Struct, frozen=True):
    """One explained figure; a line without a label is a remark that stands in `source`."""

    label: str
    formula: str = ""
    substituted: str = ""
    result: str = ""
    unit: str = ""
    source: str = ""
    value: float | None = None
    origin: str = ""  # key of the device's source that is cited in full at the end

    @property
    def answer(self) -> str:
        """Result with its unit."""
        return f"{self.result} {self.unit}" if self.unit else self.result


class Explanation(msgspec.Struct, frozen=True):
    """A heading, what it is about, and the lines."""

    heading: str
    about: str
    lines: tuple[Line, ...]


class Teller(msgspec.Struct, frozen=True, eq=False):
    """What explaining needs: the evaluation, the device it speaks of, unit of capacity and language.

    Where devices are compared, an operator's times on all of them stand before its arithmetic.
    """

    evaluation: Evaluation
    device: DeviceResult
    look: Look = ENGLISH
    compares: bool = False

    def say(self, key: str, **values: str | float) -> str:
        """The sentence or label of a key."""
        return render(Message(f"explain.{key}", values), self.look)

    def word(self, key: str) -> str:
        """A word that others use too."""
        return render(Message(key), self.look)

    @property
    def device_name(self) -> str:
        """The device as the other surfaces name it."""
        return device_label(self.evaluation, self.device, self.look)

    def line(
        self,
        key: str,
        formula: str = "",
        substituted: str = "",
        answer: str = "",
        source: str = "",
        value: float | None = None,
        origin: str = "",
    ) -> Line:
        """A line whose answer is a number and a unit, as `numbers` prints them."""
        result, unit = split_unit(answer)
        return Line(self.say(key), formula, substituted, result, unit, source, value, origin)

    def remark(self, key: str, **values: str | float) -> Line:
        """A remark."""
        return Line("", source=self.say(key, **values))

    def held(self, value: float) -> str:
        """Bytes held, in the unit the user chose."""
        return capacity(value, self.look.unit)


def split_unit(answer: str) -> tuple[str, str]:
    """`940 MFLOP` as ("940", "MFLOP")."""
    result, _, unit = answer.partition(" ")
    return result, unit


def bare(value: float) -> str:
    """A number for substitution: 940 M."""
    return scaled(value, "")
