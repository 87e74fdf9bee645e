"""Figures as PNG, SVG and PDF files, all by the one painter."""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRect, QRectF, QSize, QSizeF
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

import explorer.presentation.slide.export_texts
import explorer.presentation.words.file_texts  # noqa: F401 - both register sentences of refusals
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.evaluate import Evaluation
from explorer.files.disk.atomic import write_atomically
from explorer.plot.paint.gui import ensure_gui
from explorer.plot.views.slide import paint_view
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.palette import Theme
from explorer.presentation.slide.slide import built
from explorer.presentation.views.declared import VIEWS
from explorer.report.svg_text import with_fallbacks

FORMATS = (".png", ".svg", ".pdf")
SMALLEST, LARGEST = 200, 16000  # pixels of a side, after scaling
_DOTS_PER_METER = 96 / 0.0254
_POINT = 72 / 96
_PDF_RESOLUTION = 1200

Paint = Callable[[QPainter, QRectF], None]


def export_figure(
    evaluation: Evaluation,
    path: Path,
    size: tuple[int, int] = (1600, 900),
    scale: float = 1.0,
    look: Look = ENGLISH,
    view: str = "roofline",
    texts: Mapping[str, str] | None = None,
    *,
    blocks: Iterable[str] | None = None,
    bare: bool = False,
    day: dt.date | None = None,
) -> None:
    """Write the slide of a view as PNG, SVG or PDF, by the suffix of the path.

    Parameters
    ----------
    size
        Width and height in logical pixels (1/96 inch on paper).
    scale
        Pixels of a PNG per logical pixel: lines and texts grow with it. SVG and PDF have no pixels.
    texts
        What `presentation.slide.TEXT_KEYS` names, in place of what is proposed.
    blocks
        Names of what stands beside the view (`presentation.slide.blocks`); None for the view's own choice.
    bare
        The view alone: without blocks, conditions and sources, under a heading where a title is given.
    day
        The date in the footer.

    Raises
    ------
    Refused
        An unknown suffix, view or block, a size out of range, a file that cannot be written.
    """
    check_export(path, size, scale, view)
    content = figure_bytes(
        evaluation, path.suffix.lower(), size, scale, look, view, texts, blocks=blocks, bare=bare, day=day
    )
    write_atomically(path, content)


def check_export(path: Path, size: tuple[int, int], scale: float, view: str) -> None:
    """Raise Refused for what cannot be exported, before anything is drawn."""
    problems = []
    if path.suffix.lower() not in FORMATS:
        problems.append(Problem("export.format", "", {"got": path.suffix or path.name, "known": ", ".join(FORMATS)}))
    if view not in VIEWS:
        problems.append(Problem("export.view", "", {"got": view, "known": ", ".join(sorted(VIEWS))}))
    finite = scale > 0 and all(SMALLEST <= side * scale <= LARGEST and side >= SMALLEST for side in size)
    if not finite:
        values = {"width": size[0], "height": size[1], "scale": scale, "low": SMALLEST, "high": LARGEST}
        problems.append(Problem("export.size", "", values))
    if problems:
        raise Refused(*problems)


def figure_bytes(
    evaluation: Evaluation,
    suffix: str,
    size: tuple[int, int],
    scale: float = 1.0,
    look: Look = ENGLISH,
    view: str = "roofline",
    texts: Mapping[str, str] | None = None,
    *,
    blocks: Iterable[str] | None = None,
    bare: bool = False,
    day: dt.date | None = None,
) -> bytes:
    """The file's content."""
    ensure_gui()
    figure = built(view, evaluation, look, texts, blocks, day, bare=bare)

    def draw(painter: QPainter, rect: QRectF) -> None:
        paint_view(view, painter, rect, figure, look.theme)

    if suffix == ".png":
        return _png(draw, size, scale, look.theme)
    return _svg(draw, size) if suffix == ".svg" else _pdf(draw, size)


def figure_image(draw: Paint, size: tuple[int, int], scale: float, theme: Theme) -> QImage:
    """A picture whose lines and texts grow with the scale."""
    image = QImage(round(size[0] * scale), round(size[1] * scale), QImage.Format.Format_RGB32)
    image.fill(theme.panel)
    painter = QPainter(image)
    painter.scale(scale, scale)
    draw(painter, QRectF(0, 0, *size))
    painter.end()
    # only now: while painting, the resolution would change the sizes of fonts
    image.setDotsPerMeterX(round(_DOTS_PER_METER * scale))
    image.setDotsPerMeterY(round(_DOTS_PER_METER * scale))
    return image


def _png(draw: Paint, size: tuple[int, int], scale: float, theme: Theme) -> bytes:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    figure_image(draw, size, scale, theme).save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(content.data())


def _svg(draw: Paint, size: tuple[int, int]) -> bytes:
    content = QByteArray()
    buffer = QBuffer(content)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(96)
    generator.setSize(QSize(*size))
    generator.setViewBox(QRect(0, 0, *size))
    generator.setTitle("Roofline")
    painter = QPainter(generator)
    draw(painter, QRectF(0, 0, *size))
    painter.end()
    return with_fallbacks(bytes(content.data()).decode(), size).encode()


def _pdf(draw: Paint, size: tuple[int, int]) -> bytes:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(_PDF_RESOLUTION)
    writer.setCreator("Roofline Explorer")
    writer.setTitle("Roofline")
    page = QPageSize(
        QSizeF(size[0] * _POINT, size[1] * _POINT), QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch
    )
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    painter = QPainter(writer)
    painter.scale(_PDF_RESOLUTION / 96, _PDF_RESOLUTION / 96)
    draw(painter, QRectF(0, 0, *size))
    painter.end()
    return bytes(content.data())
