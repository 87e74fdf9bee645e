"""A table's column, described once: header, unit, value in base units, text; for window, CSV and paper."""

from collections.abc import Callable
from typing import Generic, Literal, TypeVar

import msgspec

import explorer.presentation.tables.column_texts  # noqa: F401 - the headers' words
from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import NOTHING, percent, scaled, seconds, significant, whole
from explorer.presentation.words.messages import Message, render
from explorer.presentation.words.visible import one_line, shortened

Row = TypeVar("Row")
_LONGEST = 500  # characters of a cell
Value = float | str | None
CellStyle = Literal["plain", "name", "muted", "pill", "bar", "check", "mark"]
Edit = Literal["text", "kind", "number", "dims", "format", "accumulate", "check"]


def _never(_row: object) -> bool:
    return False


def _no_tip(_row: object) -> Message | None:
    return None


def _no_total(_evaluation: Evaluation) -> Value:
    return None


class Column(msgspec.Struct, Generic[Row], frozen=True):
    """One column: `value` in base units sorts and is edited, `format` makes its text.

    `words` means the text is a code to be translated; `edit` names the editor where `can_edit` allows it;
    `changed` tells cells that the user set against the model; `shown` is what a new user sees. Columns of one `group`
    stand side by side under its name; `total` is what the column comes to over all rows, None where that is nothing.
    """

    key: str
    header: Message
    value: Callable[[Row], Value]
    format: Callable[[Value], str]
    unit: str = ""
    right: bool = True
    style: CellStyle = "plain"
    words: bool = False
    shown: bool = True
    edit: Edit | None = None
    can_edit: Callable[[Row], bool] = _never
    changed: Callable[[Row], bool] = _never
    tip: Callable[[Row], Message | None] = _no_tip
    group: str = ""
    total: Callable[[Evaluation], Value] = _no_total

    @property
    def bar(self) -> bool:
        """Whether the value is a share that is also drawn as a bar."""
        return self.style == "bar"

    def title(self, look: Look = ENGLISH) -> str:
        """The header's words."""
        return render(self.header, look)

    def whole_title(self, look: Look = ENGLISH) -> str:
        """The header's words, and whose column it is where several devices have one."""
        title = self.title(look)
        if not self.group:
            return title
        return render(Message("column.grouped", {"title": title, "device": self.group}), look)

    def total_text(self, evaluation: Evaluation, look: Look = ENGLISH) -> str:
        """What the column comes to over all rows, nothing where that says nothing."""
        value = self.total(evaluation)
        text = "" if value is None else self.format(value)
        return look.translate("columns", text) if self.words and text else text

    def text(self, row: Row, look: Look = ENGLISH) -> str:
        """What the cell says."""
        text = self.format(self.value(row))
        return look.translate("columns", text) if self.words and text else text

    def differs(self, old: Row, new: Row) -> bool:
        """Whether a cell looks different after its row changed."""
        return self.value(old) != self.value(new) or self.changed(old) != self.changed(new)


def as_text(value: Value) -> str:
    """A text as it is, on one line and not endless; what hides in it is spelled out."""
    return NOTHING if value is None else one_line(shortened(str(value), _LONGEST))


def number(value: Value) -> str:
    """A number of things: whole ones in full."""
    if not isinstance(value, int | float):
        return NOTHING
    return whole(value) if value == int(value) else significant(value)


def in_unit(unit: str) -> Callable[[Value], str]:
    """Three digits with an SI prefix and a unit."""
    return lambda value: scaled(value, unit) if isinstance(value, int | float) else NOTHING


def duration(value: Value) -> str:
    """Seconds in three digits."""
    return seconds(value) if isinstance(value, int | float) else NOTHING


def share(value: Value) -> str:
    """A share of a total."""
    return percent(value, 3) if isinstance(value, int | float) else NOTHING


def ratio(value: Value) -> str:
    """FLOP per byte."""
    return significant(value) if isinstance(value, int | float) else NOTHING


def tick(value: Value) -> str:
    """A tick where something holds."""
    return "✓" if value else ""
