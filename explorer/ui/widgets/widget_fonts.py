"""Fonts made from a widget's own and what they measure, kept until that font changes."""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF

_REMEMBERED = 512


class WidgetFont:
    """A font with its measures; widths of texts are remembered."""

    def __init__(self, font: QFont) -> None:
        self.font = font
        self.metrics = QFontMetricsF(font)
        self.height = self.metrics.height()
        self.whole_height = QFontMetrics(font).height()
        self.ascent = self.metrics.ascent()
        self._widths: dict[str, float] = {}

    def width(self, text: str) -> float:
        """The advance of a text."""
        found = self._widths.get(text)
        if found is None:
            if len(self._widths) >= _REMEMBERED:
                self._widths.clear()
            found = self._widths[text] = self.metrics.horizontalAdvance(text)
        return found


class FontPair(NamedTuple):
    """Two fonts of one widget."""

    first: WidgetFont
    second: WidgetFont


def scaled(font: QFont, factor: float, *, least: float = 6.0) -> QFont:
    """The font in another size, in points."""
    other = QFont(font)
    other.setPointSizeF(max(least, font.pointSizeF() * factor))
    return other


class WidgetFonts:
    """Asks `derive` for fonts only when the widget's own is another one than before."""

    def __init__(self, derive: Callable[[QFont], tuple[QFont, QFont]]) -> None:
        self._derive = derive
        self._base: QFont | None = None
        self._pair: FontPair | None = None

    def of(self, base: QFont) -> FontPair:
        """The fonts that belong to a widget's font."""
        if self._pair is None or base != self._base:
            self._base = QFont(base)
            first, second = self._derive(base)
            self._pair = FontPair(WidgetFont(first), WidgetFont(second))
        return self._pair
