"""What painters of comparisons say of what they drew: places to point at, their words, what a click chooses."""

from typing import NamedTuple

from PySide6.QtCore import QRectF


class ComparedMark(NamedTuple):
    """A place that can be pointed at: the subject's `key`, and `rows`, `batch` and `context` that a click chooses."""

    area: QRectF
    text: str
    rows: tuple[str, ...] = ()
    batch: int | None = None
    context: int | None = None
    key: str = ""
