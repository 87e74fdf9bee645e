"""The fonts of a chart, measured once; sizes in logical pixels so that scaling keeps every proportion."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF

from explorer.plot.paint.thread_cache import per_thread
from explorer.presentation.words.short_names import whole_numbers

FAMILIES = ("Inter", "Segoe UI", "Helvetica Neue", "Noto Sans", "DejaVu Sans", "Arial")
CJK_FAMILIES = ("Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC", "Source Han Sans SC", "WenQuanYi Micro Hei")
EXPORT_SIZE = 13.0  # logical pixels at 96 per inch
_KEPT = 4096


class Face:
    """One font with what layout asks of it."""

    __slots__ = ("_metrics", "_widths", "cap", "down", "font", "height", "up")

    def __init__(self, base: QFont, size: float, weight: QFont.Weight = QFont.Weight.Normal) -> None:
        font = QFont(base)
        font.setPixelSize(max(1, round(size)))
        font.setWeight(weight)
        # advances that do not depend on the resolution: the layout is the same at 1x, 3x and on paper
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        font.setStyleStrategy(QFont.StyleStrategy.NoSubpixelAntialias)  # a picture does not know the reader's screen
        self.font = font
        self._metrics = QFontMetricsF(font)
        self._widths: dict[str, float] = {}
        self.cap = self._metrics.capHeight() or self._metrics.ascent() * 0.75
        self.up = self._metrics.ascent() * 0.86  # ideographs and accents reach higher than capitals
        self.down = self._metrics.descent() * 0.9
        self.height = self._metrics.ascent() + self._metrics.descent()

    def width(self, text: str) -> float:
        """Advance of a text."""
        found = self._widths.get(text)
        if found is None:
            if len(self._widths) >= _KEPT:
                self._widths.clear()
            found = self._widths[text] = self.measure(text)
        return found

    def measure(self, text: str) -> float:
        """Advance of a text, not remembered."""
        return self._metrics.horizontalAdvance(text)

    def smaller(self, part: float) -> "Face":
        """The face in a part of its size, in whole pixels."""
        return _smaller(self, max(1, int(self.font.pixelSize() * part)))

    def elided(self, text: str, width: float) -> str:
        """A name, cut with an ellipsis where it is wider: no "H1…" of an H100, empty where nothing would be said."""
        if self.width(text) <= width:
            return text
        kept = self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, width).removesuffix("…")
        begun = whole_numbers(text, kept)
        return f"{begun}…" if begun else ""

    def fitting(self, names: Sequence[str], width: float) -> str:
        """The longest of a name's forms that fits whole, else its shortest one, cut."""
        return next((name for name in names if self.width(name) <= width), "") or self.elided(names[-1], width)


@per_thread(64)
def _smaller(face: Face, size: int) -> Face:
    return Face(face.font, size, face.font.weight())


class Fonts(NamedTuple):
    """The faces of a chart; `unit` is one pixel of the drawing at the usual size."""

    tick: Face
    label: Face
    name: Face
    title: Face
    note: Face
    unit: float


@per_thread(32)
def _fonts(key: str, size: float) -> Fonts:
    base = QFont()
    base.fromString(key)
    semi = QFont.Weight.DemiBold
    return Fonts(
        tick=Face(base, size * 0.92),
        label=Face(base, size * 0.95, semi),
        name=Face(base, size * 0.92, semi),
        title=Face(base, size * 0.98, QFont.Weight.Medium),
        note=Face(base, size * 0.95),
        unit=size / EXPORT_SIZE,
    )


def fonts(font: QFont | None = None) -> Fonts:
    """The faces that belong to a base font; None is the font of exports."""
    base = sans() if font is None else font
    size = base.pixelSize() if base.pixelSize() > 0 else base.pointSizeF() * 96 / 72
    return _fonts(base.toString(), float(size))


def sans(size: float = EXPORT_SIZE) -> QFont:
    """The sans serif of exports: the first installed family of the list, else the application's."""
    present = _present()
    font = QFont()
    if present:
        font.setFamilies([*present, *CJK_FAMILIES])
    font.setPixelSize(round(size))
    return font


@lru_cache(maxsize=1)
def _present() -> tuple[str, ...]:
    installed = set(QFontDatabase.families())
    return tuple(f for f in FAMILIES if f in installed)
