"""Figures as PNG, SVG and PDF files, all by the one painter."""

import datetime as dt
import math
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace
from PySide6.QtCore import QBuffer, QByteArray, QHashSeed, QIODevice, QMarginsF, QRect, QRectF, QSize, QSizeF
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

import explorer.presentation.slide.export_texts
import explorer.presentation.words.file_texts  # noqa: F401 - both register sentences of refusals
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.files.disk.atomic import write_atomically
from explorer.plot.paint.gui import ensure_gui
from explorer.plot.views.slide import paint_view
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.palette import Theme
from explorer.presentation.roofline.build import build_figure
from explorer.presentation.slide.slide import Slide, built, chosen_blocks
from explorer.presentation.views.declared import VIEWS
from explorer.report.pdf_text import timeless
from explorer.report.svg_text import finished

FORMATS = (".png", ".svg", ".pdf")
SMALLEST, LARGEST = 200, 16000  # pixels of a side, after scaling
MOST_HEADING = 500  # characters of a title or subtitle: what every page has room for
_HEADING = ("title", "subtitle")
MOST_PIXELS = 120e6  # of a picture
_DOTS_PER_METER = 96 / 0.0254
_POINT = 72 / 96
_PDF_RESOLUTION = 1200
_EPOCH: Final = "SOURCE_DATE_EPOCH"

Paint = Callable[[QPainter, QRectF], object]
Tell = Callable[[float], object]  # what part is done; what it raises ends the work
Range = tuple[float, float]


class Paper(msgspec.Struct, frozen=True):
    """What a figure is drawn on.

    Attributes
    ----------
    size
        Width and height in logical pixels (1/96 inch on paper).
    scale
        Pixels of a PNG per logical pixel: lines and texts grow with it. SVG and PDF have no pixels.
    look
        Theme, language and unit of sizes.
    texts
        What `presentation.slide.TEXT_KEYS` names, in place of what is proposed.
    blocks
        Names of what stands beside the view (`presentation.slide.blocks`); None for the view's own choice.
    bare
        The view alone: without blocks, conditions and sources, under a heading where a title is given.
    day
        The date in the footer.
    """

    size: tuple[int, int] = (1600, 900)
    scale: float = 1.0
    look: Look = ENGLISH
    texts: Mapping[str, str] = {}
    blocks: tuple[str, ...] | None = None
    bare: bool = False
    day: dt.date | None = None


PLAIN: Final = Paper()


def export_day() -> dt.date:
    """The day in a footer: today, or that of SOURCE_DATE_EPOCH, so that a build can be repeated to the byte."""
    try:
        return dt.datetime.fromtimestamp(int(os.environ[_EPOCH]), dt.UTC).date()
    except (KeyError, ValueError, OverflowError, OSError):
        return dt.datetime.now().astimezone().date()


def export_figure(evaluation: Evaluation, path: Path, paper: Paper = PLAIN, view: str = "roofline") -> None:
    """Write the slide of a view as PNG, SVG or PDF, by the suffix of the path.

    Raises
    ------
    Refused
        An unknown suffix, view or block, a size out of range, a view with nothing to show, a file that cannot be
        written.
    """
    check_export(path, paper, view)
    figure = built(view, evaluation, paper.look, paper.texts, paper.blocks, paper.day, bare=paper.bare)
    if reason := reason_of(figure):
        raise Refused(Problem("export.empty", "", {"view": view, "reason": reason}))
    write_atomically(path, content_of(view, figure, path.suffix.lower(), paper))


def reason_of(figure: object) -> str:
    """Why a figure or slide has nothing to show, "" where it has something."""
    shown = figure.figure if isinstance(figure, Slide) else figure
    return str(getattr(shown, "empty_text", ""))


def check_export(path: Path, paper: Paper, view: str) -> None:
    """Raise Refused for what cannot be exported, before anything is drawn."""
    problems = []
    if path.suffix.lower() not in FORMATS:
        problems.append(Problem("export.format", "", {"got": path.suffix or path.name, "known": ", ".join(FORMATS)}))
    if view not in VIEWS:
        problems.append(Problem("export.view", "", {"got": view, "known": ", ".join(sorted(VIEWS))}))
    if not can_draw(paper.size, paper.scale):
        values = {"width": paper.size[0], "height": paper.size[1], "scale": paper.scale}
        problems.append(Problem("export.size", "", {**values, "low": SMALLEST, "high": LARGEST}))
    for part in _HEADING:
        if (length := len(paper.texts.get(part, ""))) > MOST_HEADING:
            said = {"part": part, "got": f"{length:,}", "limit": f"{MOST_HEADING:,}"}
            problems.append(Problem("export.long", "", said))
    if problems:
        raise Refused(*problems)
    chosen_blocks(view, paper.blocks)


def can_draw(size: tuple[int, int], scale: float) -> bool:
    """Whether a picture of this size can be made."""
    if not (math.isfinite(scale) and scale > 0) or min(size) < SMALLEST:
        return False
    sides = [side * scale for side in size]
    return all(SMALLEST <= side <= LARGEST for side in sides) and sides[0] * sides[1] <= MOST_PIXELS


def pinned(evaluation: Evaluation, x_range: Range | None, y_range: Range | None) -> Evaluation:
    """The same evaluation with the axes of its roofline from one value to another, in FLOP/byte and FLOP/s.

    An axis that is not pinned stays as it is drawn without.
    """
    if x_range is None and y_range is None:
        return evaluation
    figure = build_figure(evaluation)
    ranges = [
        own if asked is None else (math.log10(asked[0]), math.log10(asked[1]))
        for asked, own in ((x_range, figure.x_range), (y_range, figure.y_range))
    ]
    view = replace(evaluation.study.view, x_range=ranges[0], y_range=ranges[1])
    return evaluate(replace(evaluation.study, view=view), evaluation.evaluator.catalogue)


def figure_bytes(evaluation: Evaluation, suffix: str, paper: Paper = PLAIN, view: str = "roofline") -> bytes:
    """The file's content."""
    figure = built(view, evaluation, paper.look, paper.texts, paper.blocks, paper.day, bare=paper.bare)
    return content_of(view, figure, suffix, paper)


def content_of(view: str, figure: object, suffix: str, paper: Paper) -> bytes:
    """The content of a file that shows a figure or slide of a view."""
    if suffix == ".pdf":
        return pdf_of_pages([(view, figure)], paper)
    ensure_gui()
    if suffix == ".png":
        return png_bytes(picture_of(view, figure, paper))
    return _svg(_drawing(view, figure, paper), paper.size)


def picture_of(view: str, figure: object, paper: Paper) -> QImage:
    """A figure or slide of a view as a picture."""
    return figure_image(_drawing(view, figure, paper), paper.size, paper.scale, paper.look.theme)


def _drawing(view: str, figure: object, paper: Paper) -> Paint:
    return lambda painter, rect: paint_view(view, painter, rect, figure, paper.look.theme)


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


def png_bytes(image: QImage) -> bytes:
    """A picture as the content of a PNG."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
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
    return finished(bytes(content.data()).decode(), size).encode()


def pdf_of_pages(figures: Sequence[tuple[str, object]], paper: Paper, tell: Tell = lambda _done: None) -> bytes:
    """A PDF with a page for each figure or slide of a view; the same bytes whenever it is made."""
    ensure_gui()
    QHashSeed.setDeterministicGlobalSeed()  # Qt writes fonts in the order of a hash
    try:
        return timeless(_pdf(figures, paper, tell), paper.day)
    finally:
        QHashSeed.resetRandomGlobalSeed()


def _pdf(figures: Sequence[tuple[str, object]], paper: Paper, tell: Tell) -> bytes:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(_PDF_RESOLUTION)
    writer.setCreator("Roofline Explorer")
    writer.setTitle("Roofline")
    width, height = paper.size
    page = QPageSize(
        QSizeF(width * _POINT, height * _POINT), QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch
    )
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    painter = QPainter(writer)
    painter.scale(_PDF_RESOLUTION / 96, _PDF_RESOLUTION / 96)
    try:
        for i, (view, figure) in enumerate(figures):
            if i:
                writer.newPage()
            _drawing(view, figure, paper)(painter, QRectF(0, 0, width, height))
            tell((i + 1) / len(figures))
    finally:
        painter.end()
    return bytes(content.data())
