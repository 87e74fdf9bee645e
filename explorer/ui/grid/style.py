"""Colours, fonts and measures of a table, prepared once per theme and font."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPen, QStaticText

from explorer.presentation.palette import Theme

_REMEMBERED = 4096


def with_even_digits(font: QFont) -> QFont:
    """The font with digits of one width, where it has them."""
    even = QFont(font)
    even.setFeature(QFont.Tag("tnum"), 1)
    return even


class GridStyle:
    """What the painters need, ready made: looking colours up per cell would cost more than drawing it."""

    def __init__(self, theme: Theme, font: QFont) -> None:
        self.theme = theme
        self.font = with_even_digits(font)
        self.bold = QFont(self.font)
        self.bold.setWeight(QFont.Weight.DemiBold)
        self.small = QFont(self.bold)
        self.small.setPointSizeF(max(6.0, font.pointSizeF() * 0.88))
        self.metrics = QFontMetrics(self.font)
        self.bold_metrics = QFontMetrics(self.bold)
        self.small_metrics = QFontMetrics(self.small)
        self.text, self.muted = QColor(theme.text), QColor(theme.muted)
        self.accent, self.on_accent = QColor(theme.accent), QColor(theme.on_accent)
        self.warning, self.border = QColor(theme.warning), QColor(theme.border)
        self.line, self.selected, self.panel = QColor(theme.grid), QColor(theme.selected), QColor(theme.panel)
        self.track, self.raised = QColor(theme.grid), QColor(theme.raised)
        self.focus = QPen(self.accent, 1.0)
        self.pills = _pills(theme)
        self.bars = {"share": QColor(theme.accent), "flop_share": QColor(theme.muted)}
        self.em = self.metrics.height()
        self.pad = round(self.em * 0.6)
        self.row_height = round(self.em * 1.7)
        # from the top of a row to the baseline of its text
        self.baseline = (self.row_height + self.metrics.ascent() - self.metrics.descent()) // 2
        self.text_top = self.baseline - self.metrics.ascent()  # where a text's box begins
        self.pill_height = round(self.em * 1.12)
        self.pill_text_top = (self.row_height - 1 - self.small_metrics.height()) / 2
        self.bar_height = max(4.0, round(self.em * 0.38))
        self._advances: tuple[dict[str, float], dict[str, float]] = ({}, {})
        self._statics: dict[tuple[str, int, bool], QStaticText] = {}
        self._pill_texts: dict[str, tuple[QStaticText, float]] = {}

    def width(self, text: str, *, bold: bool = False) -> int:
        """The advance of a text as the sum of its letters': figures have no kerning, and words lose little by it."""
        advances = self._advances[bold]
        try:
            return round(sum(map(advances.__getitem__, text)))
        except KeyError:
            metrics = QFontMetricsF(self.bold if bold else self.font)
            advances.update((c, metrics.horizontalAdvance(c)) for c in text if c not in advances)
            return round(sum(map(advances.__getitem__, text)))

    def static(self, text: str, room: int, *, bold: bool = False) -> QStaticText:
        """A text that hardly ever changes, laid out once and cut to the room it has."""
        key = (text, room, bold)
        found = self._statics.get(key)
        if found is None:
            if len(self._statics) > _REMEMBERED:
                self._statics.clear()
            metrics = self.bold_metrics if bold else self.metrics
            found = _laid_out(metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(room, 0)))
            self._statics[key] = found
        return found

    def pill_text(self, text: str) -> tuple[QStaticText, float]:
        """The text of a pill and its advance."""
        found = self._pill_texts.get(text)
        if found is None:
            found = self._pill_texts[text] = (_laid_out(text), QFontMetricsF(self.small).horizontalAdvance(text))
        return found


def _laid_out(text: str) -> QStaticText:
    static = QStaticText(text)
    static.setTextFormat(Qt.TextFormat.PlainText)
    static.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
    return static


def _pills(theme: Theme) -> dict[str, tuple[QColor, QColor]]:
    """Ground and text colour of each bound's pill."""
    panel = QColor(theme.panel)
    share = 0.13 if theme.name == "light" else 0.2
    return {bound: (_mixed(QColor(name), panel, share), QColor(name)) for bound, name in theme.bounds}


def _mixed(colour: QColor, ground: QColor, share: float) -> QColor:
    def part(a: int, b: int) -> int:
        return round(a * share + b * (1 - share))

    return QColor(
        part(colour.red(), ground.red()), part(colour.green(), ground.green()), part(colour.blue(), ground.blue())
    )
