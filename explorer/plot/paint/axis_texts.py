"""Texts of the axes: ticks that do not touch, and titles in the fullest wording that there is room for."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QRectF

from explorer.plot.paint.axes import Ticks
from explorer.plot.paint.fonts import Face, Fonts
from explorer.plot.paint.geometry import Frame, Text, level_text, rect_boxes
from explorer.presentation.palette import Theme
from explorer.presentation.roofline.figure import Figure

_STRIP = 18.0  # units that the strip takes of the room left of the plot
_APART = 4.0  # units between the texts of two ticks


def axis_texts(
    figure: Figure, rect: QRectF, frame: Frame, fonts: Fonts, both: tuple[Ticks, Ticks], theme: Theme
) -> tuple[Text, ...]:
    """Ticks and titles of both axes, placed."""
    plot, unit, tick = frame.plot, fonts.unit, fonts.tick
    base = plot.bottom() + 7 * unit + tick.cap
    right = plot.left() - 7 * unit - (_STRIP * unit if figure.strips else 0)
    across = []
    for value, text in both[0].major:
        left = min(frame.x(value) - tick.width(text) / 2, rect.right() - tick.width(text))
        across.append(level_text(tick, text, left, base, theme.muted, tick.cap))
    up = [
        level_text(tick, t, right - tick.width(t), frame.y(v) + tick.cap / 2, theme.muted, tick.cap)
        for v, t in both[1].major
    ]
    found = [*apart(across, _APART * unit), *apart(up, 0.0)]
    x_title, y_title = _x_title(figure, rect, frame, fonts, base, theme), _y_title(figure, rect, frame, fonts, theme)
    return (*found, *(t for t in (x_title, y_title) if t is not None))


def apart(texts: Iterable[Text], gap: float) -> list[Text]:
    """The texts that keep a gap from the one before."""
    found: list[Text] = []
    for text in texts:
        if not found or not text.rects[0].adjusted(-gap, 0, gap, 0).intersects(found[-1].rects[0]):
            found.append(text)
    return found


def fitting(face: Face, wordings: Sequence[str], room: float) -> str:
    """The first wording that fits a room; empty where none does."""
    return next((text for text in wordings if text and face.width(text) <= room), "")


def _x_title(figure: Figure, rect: QRectF, frame: Frame, fonts: Fonts, base: float, theme: Theme) -> Text | None:
    face = fonts.title
    text = fitting(face, (figure.x_title, figure.short_x), rect.width())
    width = face.width(text)
    left = min(max(frame.plot.center().x() - width / 2, rect.left()), rect.right() - width)
    return level_text(face, text, left, base + 10 * fonts.unit + face.up, theme.text) if text else None


def _y_title(figure: Figure, rect: QRectF, frame: Frame, fonts: Fonts, theme: Theme) -> Text | None:
    face = fonts.title
    text = fitting(face, (figure.y_title, figure.short_y), rect.height())
    if not text:
        return None
    width = face.width(text)
    x, middle = rect.left() + face.up, frame.plot.center().y()
    y = min(max(middle + width / 2, rect.top() + width), rect.bottom())
    box = QRectF(x - face.up, y - width, face.up + face.down, width)
    return Text(text, x, y, face, theme.text, rect_boxes(box), -90.0)
