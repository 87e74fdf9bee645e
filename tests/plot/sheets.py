"""What each painter draws of a figure made by hand, as lines of text in `tests/plot/sheets`.

After a wanted change of a picture: `python -m tests.plot.sheets`, and read the difference before it is committed.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QWidget

from explorer.plot.live import band, fan, hover_card
from explorer.plot.paint.figure import layout, paint, paint_points
from explorer.plot.paint.labels import Space
from explorer.plot.views.batch import paint_batch_chart
from explorer.plot.views.decode import paint_decode
from explorer.plot.views.memory import paint_memory
from explorer.plot.views.slide import paint_slide, paint_view
from explorer.plot.views.slide_table import paint_table
from explorer.plot.views.sweep import paint_sweep
from explorer.plot.views.time import paint_time
from explorer.presentation.palette import DARK, LIGHT, Theme
from explorer.presentation.slide.slide import Slide
from explorer.presentation.slide.table import DecidingTable, TableRow
from tests.plot import hand_made as made
from tests.plot.compared_sheets import COMPARED
from tests.plot.recorder import Drawn, Recorder, fixed_fonts

FOLDER = Path(__file__).with_name("sheets")
WIDE = QRectF(37, 23, 1300, 900)
NARROW = QRectF(11, 19, 560, 480)
PAGE = QRectF(30, 20, 800, 500)

NAMES_ALONE = DecidingTable("Device", (), (TableRow("A device of a long name", 0, ()),))
NO_DEVICES = DecidingTable("Device", ("Bandwidth", "Peak", "Ridge", "1", "8", "32"), (), "tokens/s at batch", 3)
LONG_NAME = made.batch_chart(
    marks=(
        made.BatchMark(2.0, "half of it in the cache", 0),
        made.BatchMark(6.0, "full", 0),
        made.BatchMark(11.0, "beyond", 0),
    )
)

Paint = Callable[[Recorder], object]


def view(name: str, figure: object, rect: QRectF = PAGE, theme: Theme = LIGHT) -> Paint:
    return lambda painter: paint_view(name, painter, rect, figure, theme)


def roofline(figure: made.Figure, rect: QRectF, theme: Theme = LIGHT) -> Paint:
    return lambda painter: paint(painter, rect, figure, theme, made.big())


def dragged(*steps: float) -> Paint:
    """The crowd at the end of a drag."""

    def draw(painter: Recorder) -> None:
        chart = None
        for by in steps:
            chart = layout(made.crowded_figure(by), WIDE, LIGHT, made.big(), chart, hold=True)
        paint_points(painter, chart)

    return draw


def places(figure: made.Figure) -> Paint:
    """Where the texts of a figure are tried, each with what it costs."""

    def draw(painter: Recorder) -> None:
        by_cost = Space.by_cost

        def noted(space: Space, shaped: Any, costs: Any, *crossing: float) -> Any:
            for boxes, cost in zip(shaped.tolist(), costs.tolist(), strict=True):
                painter.drawn.append(Drawn("place", (*boxes[0], *boxes[-1][:2], cost, *crossing)))
            return by_cost(space, shaped, costs, *crossing)

        with patch.object(Space, "by_cost", noted):
            layout(figure, WIDE, LIGHT, made.big())

    return draw


def shown(widget: QWidget, module: object, painter: Recorder) -> None:
    """What a widget paints of itself."""
    with patch.object(module, "QPainter", painter):
        widget.paintEvent(None)
    painter.drawn.insert(0, Drawn("widget", tuple(map(float, widget.geometry().getRect()))))
    widget.close()


def card(at: QPointF, theme: Theme = LIGHT) -> Paint:
    def draw(painter: Recorder) -> None:
        parent = QWidget()
        found = hover_card.HoverCard(parent)
        found.setFont(made.big())
        found.theme = theme
        text = "gate, up and down of every layer\nIntensity\t12.5\nShare of the time\t60 %\n\n" + "words " * 24
        found.show_text(text, at, 12.0, QRectF(0, 0, 1400, 900))
        shown(found, hover_card, painter)

    return draw


def fanned(at: QPointF, hovered: int, theme: Theme = LIGHT) -> Paint:
    def draw(painter: Recorder) -> None:
        parent = QWidget()
        found = fan.Fan(parent)
        found.setFont(made.big())
        found.theme, found.selection = theme, frozenset({"up"})
        found.open(("gate", "up", "down_proj"), at, 20.0, QColor("#123456"), QRectF(0, 0, 800, 600))
        found._hovered = hovered
        shown(found, fan, painter)

    return draw


def banded(painter: Recorder) -> None:
    parent = QWidget()
    found = band.Band(parent)
    found.show_rect(QRectF(10.4, 20.6, 30.2, 40.1))
    shown(found, band, painter)


SHEETS: dict[str, Paint] = {
    "time": lambda p: paint_time(p, QRectF(37, 23, 1500, 720), made.time_figure(), LIGHT, made.big()),
    "time_narrow": lambda p: paint_time(p, QRectF(37, 23, 620, 430), made.time_figure(), DARK, made.big()),
    "time_plain": lambda p: paint_time(p, WIDE, made.plain_time(), LIGHT, made.big()),
    "time_empty": lambda p: paint_time(p, WIDE, made.EMPTY_TIME, LIGHT, made.big()),
    "time_page": view("time", made.time_figure(), QRectF(30, 20, 700, 170)),
    "time_titled": view(
        "time", Slide("time", "A title", "and what it is", made.plain_time()), QRectF(30, 20, 1200, 700), DARK
    ),
    "batch": lambda p: paint_batch_chart(p, WIDE, made.batch_chart(), made.SPOTS, LIGHT, made.big()),
    "batch_compact": lambda p: paint_batch_chart(
        p, NARROW, made.batch_chart(), made.SPOTS, DARK, made.big(), compact=True
    ),
    "batch_long_name": lambda p: paint_batch_chart(
        p, QRectF(20, 30, 420, 300), LONG_NAME, made.SPOTS[:1], LIGHT, made.big()
    ),
    "batch_bare": lambda p: paint_batch_chart(
        p,
        NARROW,
        made.batch_chart(x_ticks=(), y_ticks=(), marks=(), x_title="", y_max=0.0, x_max=0.0, curves=()),
        (),
        DARK,
        made.big(),
    ),
    "decode": lambda p: paint_decode(p, QRectF(37, 23, 900, 700), made.decode_figure(), LIGHT, made.big()),
    "decode_page": view("decode", made.decode_figure(charts=made.decode_figure().charts[:1]), theme=DARK),
    "decode_empty": view("decode", made.decode_figure(charts=(), empty_text="Nothing")),
    "memory": lambda p: paint_memory(p, WIDE, made.memory_figure(), LIGHT, made.big()),
    "memory_narrow": lambda p: paint_memory(p, NARROW, made.memory_figure(), DARK, made.big()),
    "memory_page": view("memory", made.memory_figure(), QRectF(30, 20, 700, 200)),
    "memory_empty": lambda p: paint_memory(p, WIDE, made.EMPTY_MEMORY, DARK, made.big()),
    "sweep": lambda p: paint_sweep(p, WIDE, made.sweep_figure(), LIGHT, made.big()),
    "sweep_other": lambda p: paint_sweep(p, NARROW, made.sweep_figure(followed=False), DARK, made.big()),
    "sweep_tiny": lambda p: paint_sweep(p, QRectF(5, 6, 60, 50), made.sweep_figure(), LIGHT, made.big()),
    "roofline": roofline(made.roofline_figure(), WIDE),
    "roofline_dark": roofline(made.roofline_figure(colour_by_bound=True, area_is_share=False), WIDE, DARK),
    "roofline_narrow": roofline(made.roofline_figure(fitted=True), NARROW),
    "roofline_crowded": roofline(made.crowded_figure(), WIDE),
    "roofline_dragged": dragged(0.0, 0.02, 0.03),
    "roofline_dragged_far": dragged(0.0, 0.02, 0.6),
    "roofline_places": places(made.named_figure()),
    "roofline_places_short": places(made.short_figure()),
    "roofline_short": roofline(made.short_figure(), WIDE),
    "roofline_clouded": roofline(
        made.bare_figure(
            clouded=True,
            zone=9.0,
            memory_zone_text="memory",
            x_title="Intensity in FLOP per byte of all traffic",
            y_title="Performance in FLOP per second of all units",
        ),
        NARROW,
    ),
    "roofline_trail": roofline(made.trail_figure(), WIDE),
    "roofline_eight": roofline(made.eight_figure(), WIDE),
    "roofline_eight_dark": roofline(made.eight_figure(), WIDE, DARK),
    "roofline_empty": roofline(
        made.bare_figure(roofs=(), marks=(), empty_text="Choose a device", zone=-3.0, compute_zone_text="compute"),
        NARROW,
        DARK,
    ),
    "roofline_page": view("chart", made.bare_figure()),
    "slide": lambda p: paint_slide(p, QRectF(30, 20, 1600, 900), made.slide_figure(), LIGHT),
    "slide_table": lambda p: [
        paint_table(p, QPointF(10, 100 * i), width, made.slide_figure().table, LIGHT)
        for i, width in enumerate((500.0, 925.0, 1000.0))
    ],
    "slide_names_alone": lambda p: paint_table(p, QPointF(10, 20), 160, NAMES_ALONE, LIGHT),
    "slide_no_devices": lambda p: paint_slide(
        p,
        QRectF(30, 20, 1600, 900),
        made.slide_figure(table=NO_DEVICES, help=None),
        DARK,
    ),
    "slide_plain": lambda p: paint_slide(p, QRectF(30, 20, 1000, 900), made.plain_slide(), DARK),
    "slide_low": lambda p: paint_slide(p, QRectF(30, 20, 3200, 600), made.slide_figure(), LIGHT),
    "card": card(QPointF(100, 80)),
    "card_at_the_edge": card(QPointF(1350, 880), DARK),
    "fan": fanned(QPointF(100, 300), 0),
    "fan_left": fanned(QPointF(750, 10), 2, DARK),
    "band": banded,
    **COMPARED,
}


def drawn(name: str) -> list[Drawn]:
    """What a sheet shows."""
    painter = Recorder()
    with fixed_fonts():
        SHEETS[name](painter)
    return painter.drawn


def lines(things: Iterable[Drawn]) -> list[str]:
    """A line for each thing."""
    found = []
    for thing in things:
        places = " ".join(f"{value:.1f}" for value in thing.at)
        angle = f"{thing.angle:g}" if thing.angle else ""
        parts = (thing.kind, places, thing.pen, thing.brush, thing.font, angle, thing.text)
        found.append(" | ".join(parts).rstrip(" |"))
    return found


if __name__ == "__main__":
    app = QApplication([])
    FOLDER.mkdir(exist_ok=True)
    for sheet in SHEETS:
        (FOLDER / f"{sheet}.txt").write_text("\n".join(lines(drawn(sheet))) + "\n", encoding="utf-8")
