"""What is true of every picture: where it goes, in which colours, and that nothing lies on anything else."""

import re
from collections.abc import Callable
from itertools import combinations, pairwise

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor

from explorer.plot.paint.figure import paint
from explorer.plot.views.batch import paint_batch_chart
from explorer.plot.views.decode import paint_decode
from explorer.plot.views.memory import paint_memory
from explorer.plot.views.slide import paint_slide, paint_view
from explorer.plot.views.slide_table import paint_table
from explorer.plot.views.sweep import paint_sweep
from explorer.plot.views.time import content_height, paint_time
from explorer.presentation.palette import DARK, LIGHT, Theme
from explorer.presentation.slide.table import DecidingTable, TableRow
from explorer.presentation.views.memory import Bar
from tests.plot import hand_made as made
from tests.plot.recorder import Drawn, Measures, Recorder, fixed_fonts

pytestmark = pytest.mark.usefixtures("qapp")

Painted = Callable[[Recorder, QRectF, Theme], object]

VIEWS: dict[str, tuple[Painted, QRectF]] = {
    "time": (lambda p, r, t: paint_time(p, r, made.time_figure(), t, made.big()), QRectF(0, 0, 1500, 760)),
    "batch": (
        lambda p, r, t: paint_batch_chart(p, r, made.batch_chart(), made.SPOTS, t, made.big()),
        QRectF(0, 0, 1200, 800),
    ),
    "decode": (lambda p, r, t: paint_decode(p, r, made.decode_figure(), t, made.big()), QRectF(0, 0, 1400, 1100)),
    "memory": (lambda p, r, t: paint_memory(p, r, made.memory_figure(), t, made.big()), QRectF(0, 0, 1300, 1000)),
    "sweep": (lambda p, r, t: paint_sweep(p, r, made.sweep_figure(), t, made.big()), QRectF(0, 0, 900, 700)),
    "roofline": (lambda p, r, t: paint(p, r, made.roofline_figure(), t, made.big()), QRectF(0, 0, 1300, 900)),
    "crowded": (lambda p, r, t: paint(p, r, made.crowded_figure(), t, made.big()), QRectF(0, 0, 1300, 900)),
    "slide": (lambda p, r, t: paint_slide(p, r, made.slide_figure(), t), QRectF(0, 0, 1600, 900)),
    "slide_table": (
        lambda p, r, t: paint_table(p, r.topLeft(), r.width(), made.slide_figure().table, t),
        QRectF(0, 0, 900, 300),
    ),
    "time page": (lambda p, r, t: paint_view("time", p, r, made.time_figure(), t), QRectF(0, 0, 800, 300)),
    "chart page": (lambda p, r, t: paint_view("chart", p, r, made.bare_figure(), t), QRectF(0, 0, 800, 500)),
}
every = pytest.mark.parametrize("name", VIEWS)
SLACK = 2.0


def drawn(name: str, theme: Theme = LIGHT, by: tuple[float, float] = (0.0, 0.0)) -> list[Drawn]:
    painter, (draw, rect) = Recorder(), VIEWS[name]
    with fixed_fonts():
        draw(painter, rect.translated(*by), theme)
    painter.end()
    return painter.drawn


def texts(things: list[Drawn]) -> dict[str, Drawn]:
    return {thing.text: thing for thing in things if thing.text}


def letters(thing: Drawn) -> QRectF:
    """The box of a level text's letters."""
    size = int(thing.font.split("/")[0])
    return QRectF(thing.at[0], thing.at[1] - 0.7 * size, Measures.of(thing.font, thing.text), 0.7 * size)


@every
def test_a_picture_goes_where_its_rectangle_goes(name: str) -> None:
    here, there = drawn(name), drawn(name, by=(40.0, 25.0))
    assert len(here) == len(there)
    for one, other in zip(here, there, strict=True):
        corners = [*other.at]
        step = 2 if one.kind in {"line", "polyline", "polygon"} else len(corners)
        for i in range(0, len(corners), step):
            corners[i], corners[i + 1] = corners[i] - 40.0, corners[i + 1] - 25.0
        assert tuple(corners) == pytest.approx(one.at, abs=0.01), one
        assert other._replace(at=one.at) == one


@every
def test_both_themes_draw_the_same_things_each_in_its_own_colours(name: str) -> None:
    light, dark = drawn(name), drawn(name, DARK)
    assert [(d.kind, d.text) for d in light] == [(d.kind, d.text) for d in dark]
    for one, other in zip(light, dark, strict=True):
        assert one.at == pytest.approx(other.at, abs=0.01)
    for theme, things in ((LIGHT, light), (DARK, dark)):
        known = set(re.findall("#[0-9a-f]{6}", repr(theme)))
        used = {ink.split("/")[0] for d in things for ink in (d.pen, d.brush) if ink not in {"", "-"}}
        assert {f"#{ink[-6:]}" for ink in used} <= known


@every
def test_nothing_is_drawn_outside_the_rectangle(name: str) -> None:
    room = VIEWS[name][1].adjusted(-SLACK, -SLACK, SLACK, SLACK)
    things = [d for d in drawn(name) if d.brush != LIGHT.selected and (d.text or d.kind != "text")]
    assert [d for d in things if not (room.contains(d.rect.topLeft()) and room.contains(d.rect.bottomRight()))] == []


@every
def test_no_text_lies_on_another(name: str) -> None:
    level = [d for d in drawn(name) if d.kind == "text" and not d.angle and d.text]
    assert level
    for one, other in combinations(level, 2):
        common = letters(one) & letters(other)
        assert min(common.width(), common.height()) < 0.5, (one, other)


def test_bars_of_the_time_view_are_as_long_as_their_shares_and_rows_stand_evenly() -> None:
    things = drawn("time")
    found = texts(things)
    bars = made.time_figure().bars
    rows = [found[bar.name] for bar in bars if bar.name not in {"gate, up, down", "attention"}]
    widths = {}
    for bar in bars:
        name = max((d for d in things if d.text == bar.name), key=lambda d: d.at[1])
        near = [d for d in things if d.kind == "rounded" and abs(d.rect.center().y() - name.at[1]) < 32]
        widths[bar.name] = [d.rect.width() for d in sorted(near, key=lambda d: d.at[1]) if d.rect.width() < 1200]
    scale = widths["gate, up, down"][1] / 0.6
    for bar in bars:
        least = [3.0 if share else 0.0 for share in (bar.time_share, bar.flop_share)]
        wanted = [max(scale * bar.time_share, least[0]), max(scale * bar.flop_share, least[1])]
        assert widths[bar.name] == pytest.approx(wanted, abs=0.1)
    assert rows[1].at[1] - rows[0].at[1] == pytest.approx(2 * 24 * 1.2 + 12 * 2)


@pytest.mark.parametrize(
    ("view", "column"),
    [
        ("time", ("120 µs", "60 µs", "48 µs", "11 µs")),
        ("time", ("50 %", "60 %", "25 %", "38.8 %", "1.25 %")),
        ("batch", ("0", "400", "800")),
        ("sweep", ("10.0 µs", "100 µs", "1.00 ms")),
        ("slide_table", ("Bandwidth", "3.35 TB/s", "1.5 TB/s")),
        ("slide_table", ("Peak", "989 T", "312 T")),
        ("slide_table", ("32", "5,900", "2,400")),
        ("roofline", ("1 T", "10 T", "100 T", "1 P")),
    ],
)
def test_figures_of_a_column_end_at_one_edge(view: str, column: tuple[str, ...]) -> None:
    found = texts(drawn(view))
    assert [found[text].right for text in column] == pytest.approx([found[column[0]].right] * len(column))
    assert len({found[text].at[0] for text in column}) > 1


def test_a_rates_ratio_ends_below_it_smaller_and_muted() -> None:
    table = made.slide_figure().table
    rows = tuple(TableRow(r.name, r.colour, r.cells, ("1", f"{i + 2}.50×")) for i, r in enumerate(table.rows))
    shown = DecidingTable(table.name_header, table.headers, rows)
    painter = Recorder()
    with fixed_fonts():
        paint_table(painter, QPointF(0, 0), 900, shown, LIGHT)  # type: ignore[arg-type]
    found = [d for d in painter.drawn if d.kind == "text"]
    for i, row in enumerate(rows):
        value = next(d for d in found if d.text == row.cells[-1])
        ratio = next(d for d in found if d.text == f"{i + 2}.50×")
        assert ratio.right == pytest.approx(value.right)
        letters = 0.7 * int(ratio.font.split("/")[0])
        assert value.at[1] < ratio.at[1] - letters < ratio.at[1] < value.at[1] + 22
        assert (QColor(ratio.pen).name(), QColor(value.pen).name()) == (LIGHT.muted, LIGHT.text)


def test_parts_of_a_memory_bar_follow_on_one_another_and_end_at_their_sum() -> None:
    things, chart = drawn("memory"), made.memory_figure()
    fills = [d for d in things if d.kind == "fill"]
    rails = [i for i, d in enumerate(fills) if d.brush == LIGHT.raised]
    scale = fills[rails[0]].rect.width() / 80.0
    bars = [b for d in chart.devices for b in (d.now, d.longest) if b is not None]
    for start, bar in zip(rails, bars, strict=True):
        parts = fills[start + 1 : start + 5]
        assert [p.rect.width() for p in parts] == pytest.approx([scale * size for size in bar.sizes])
        assert all(a.right == pytest.approx(b.at[0]) for a, b in pairwise(parts))
        if bar.over:
            veil, hatch = fills[start + 5 : start + 7]
            assert veil.rect == hatch.rect
            assert veil.at[0] == pytest.approx(fills[start].right)
            assert veil.right == pytest.approx(parts[-1].right)
    lines = [d for d in things if d.kind == "line"]
    assert [d.at[0] - fills[0].at[0] for d in lines] == pytest.approx([80.0 * scale, 100.0 * scale])
    assert len(lines) == 2, "no capacity, no line"


def test_a_bar_that_is_longer_than_the_picture_ends_at_its_edge_in_teeth() -> None:
    bars = made.memory_figure().devices[0]
    long = Bar((90.0, 60.0, 0.0, 0.0), "150 GB", "at 128 k")
    painter = Recorder()
    chart = made.memory_figure(devices=(replace(bars, longest=long),), tables=())
    with fixed_fonts():
        paint_memory(painter, QRectF(0, 0, 1300, 900), chart, LIGHT, made.big())
    fills = [d for d in painter.drawn if d.kind == "fill"]
    rails = [d for d in fills if d.brush == LIGHT.raised]
    assert max(d.right for d in fills) == pytest.approx(rails[0].right)  # the capacity sets the scale
    (teeth,) = [d for d in painter.drawn if d.kind == "polygon"]
    assert teeth.right == pytest.approx(rails[0].right + 1)
    assert (teeth.rect.top(), teeth.brush) == (rails[1].rect.top() - 1, LIGHT.panel)


def test_a_roof_bends_at_its_ridge_and_a_point_lies_where_its_figures_say() -> None:
    figure = made.bare_figure(marks=(made.mark(1.0, 13.0, "one"), made.mark(3.0, 14.0, "two")))
    painter = Recorder()
    with fixed_fonts():
        chart = paint(painter, QRectF(30, 20, 900, 700), figure, LIGHT, made.big())
    plot = chart.plot
    across, down = plot.width() / 5.0, plot.height() / 4.0
    slope, flat = [d.at for d in painter.drawn if d.kind == "line"]
    ridge = (plot.left() + 3.5 * across, plot.bottom() - 3.0 * down)
    assert slope == pytest.approx((plot.left() + 0.5 * across, plot.bottom(), *ridge))
    assert flat == pytest.approx((*ridge, plot.right(), ridge[1]))
    rings = [d.at[:2] for d in painter.drawn if d.kind == "ellipse"]
    assert rings[0] == pytest.approx(ridge)
    assert rings[1] == pytest.approx((plot.left() + 2.0 * across, plot.bottom() - 1.5 * down))
    assert rings[2] == pytest.approx((plot.left() + 4.0 * across, plot.bottom() - 2.5 * down))


def test_a_roof_with_lower_peaks_climbs_to_the_highest_of_them() -> None:
    roof = replace(made.ROOFS[1], peak=13.0, lower_peaks=((14.0, "high"), (12.0, "low")))
    painter = Recorder()
    with fixed_fonts():
        chart = paint(painter, QRectF(0, 0, 900, 700), made.bare_figure(roofs=(roof,)), LIGHT, made.big())
    slope, flat, *others = [d.at for d in painter.drawn if d.kind == "line"]
    assert slope[3] == pytest.approx(chart.frame.y(14.0))
    assert flat[1] == pytest.approx(chart.frame.y(13.0))
    assert [line[1] for line in others] == pytest.approx([chart.frame.y(14.0), chart.frame.y(12.0)])
    assert [line[0] for line in others] == pytest.approx([chart.frame.x(2.0), chart.frame.x(0.0)])


def test_without_a_title_a_slide_gives_the_room_to_its_chart() -> None:
    tops = []
    for title, subtitle in (("One", "Two"), ("", "Two"), ("One", ""), ("", "")):
        with fixed_fonts():
            laid = paint_slide(
                Recorder(), QRectF(0, 0, 1600, 900), made.slide_figure(title=title, subtitle=subtitle), LIGHT
            )
        tops.append(laid.view.top())
    assert tops[0] > tops[2] > tops[1] > tops[3] == 52.0


@pytest.mark.parametrize(
    ("count", "size", "lines"), [(84, 31, 1), (90, 29, 1), (100, 26, 1), (130, 27, 2), (400, 13, 2)]
)
def test_a_long_title_is_set_on_two_lines_then_smaller_and_never_cut(count: int, size: int, lines: int) -> None:
    painter = Recorder()
    title = " ".join(["wwww"] * (count // 5)) + "w" * (count % 5)
    with fixed_fonts():
        laid = paint_slide(painter, QRectF(0, 0, 1600, 900), made.slide_figure(title=title), LIGHT)  # type: ignore[arg-type]
    shown = [d for d in painter.drawn if d.kind == "text" and d.font.endswith("/700")]
    assert [int(d.font.split("/")[0]) for d in shown] == [size] * lines
    assert "".join("".join(d.text.split()) for d in shown) == "".join(title.split())
    assert all(d.right <= 1552 for d in shown)
    assert all(d.at[1] < laid.view.top() for d in shown)


@pytest.mark.parametrize("size", [(1600, 900), (1440, 1080), (1123, 794), (794, 1123), (3200, 600), (640, 360)])
@pytest.mark.parametrize("long", [1, 12, 40])
def test_no_part_of_a_slide_overlaps_another_and_blocks_are_left_out_only_where_there_is_no_room(
    size: tuple[int, int], long: int
) -> None:
    shown = made.slide_figure(help=made.Box("Help", ("a line of words",) * long))
    with fixed_fonts():
        laid = paint_slide(Recorder(), QRectF(0, 0, *size), shown, LIGHT)  # type: ignore[arg-type]
    parts = [laid.heading, laid.view, laid.foot, *(rect for _, rect in laid.blocks)]
    for i, one in enumerate(parts):
        assert laid.rect.adjusted(-0.5, -0.5, 0.5, 0.5).contains(one)
        for other in parts[i + 1 :]:
            assert not one.adjusted(1, 1, -1, -1).intersects(other.adjusted(1, 1, -1, -1))
    if long < 40:
        assert [name for name, _ in laid.blocks] == ["table", "help", "read"]
    assert len(laid.blocks) + len(laid.left_out) == 3


def test_the_legend_of_the_time_view_gives_way_to_a_long_title() -> None:
    shown = {}
    for count in range(20, 50):
        painter = Recorder()
        with fixed_fonts():
            paint_time(painter, QRectF(0, 0, 1500, 700), made.time_figure(title="w" * count), LIGHT, made.big())  # type: ignore[arg-type]
        found = texts(painter.drawn)
        swatch, said = next(d for d in painter.drawn if d.kind == "rounded").at[:2], found["w" * count]
        shown[said.right] = swatch[0] if swatch[1] < said.at[1] else None
        assert "for compute" in found
    (left,) = {x for x in shown.values() if x is not None}
    assert all((x is not None) is (left >= right + 40.0) for right, x in shown.items())
    assert None in shown.values(), "below the title"


def test_names_of_batches_stand_apart_and_are_left_out_from_the_right_where_they_would_not() -> None:
    chart = made.batch_chart(marks=(), curves=(), y_ticks=(), title="", x_title="")
    for wide in range(80, 700, 9):
        painter = Recorder()
        with fixed_fonts():
            frame = paint_batch_chart(painter, QRectF(0, 0, wide, 300), chart, (), LIGHT, made.big())  # type: ignore[arg-type]
        wanted: list[str] = []
        edge = 1e9
        for value, text in reversed(chart.x_ticks):
            width = Measures.of("24/400", text)
            left = frame.plot.left() + frame.plot.width() * value / 8.0 - width / 2
            if left + width + 12 <= edge:
                wanted.append(text)
                edge = left
        assert [d.text for d in painter.drawn if d.kind == "text" and d.text] == wanted


def test_rows_without_room_are_left_out_and_the_wanted_height_holds_them_all() -> None:
    view = made.time_figure()
    with fixed_fonts():
        height = content_height(view, 1500, made.big())
        rows = [
            len(paint_time(Recorder(), QRectF(0, 0, 1500, high), view, LIGHT, made.big()))
            for high in (height, height - 100, 200)
        ]
    assert rows == [6, 5, 0]


def test_a_page_shrinks_what_wants_more_room_than_there_is_and_enlarges_what_wants_less() -> None:
    sizes = []
    for height in (2000.0, 372.0, 222.0):
        painter = Recorder()
        with fixed_fonts():
            paint_view("time", painter, QRectF(0, 0, 900, height), made.time_figure(), LIGHT)  # type: ignore[arg-type]
        sizes.append(int(texts(painter.drawn)["Where 240 µs go"].font.split("/")[0]))
        assert painter.drawn[0].at == (0, 0, 900, height)
        assert all(d.rect.bottom() < height for d in painter.drawn[1:])
    assert sizes[0] == 22 > sizes[1] > sizes[2]


FIGURES = "Some-Model-8B: memory held at batch 128, context 131,072 of 1 request"
TITLED: dict[str, Painted] = {
    "time": lambda p, r, t: paint_time(p, r, made.time_figure(title=FIGURES, finding=FIGURES), t, made.big()),
    "decode": lambda p, r, t: paint_decode(p, r, made.decode_figure(title=FIGURES), t, made.big()),
    "memory": lambda p, r, t: paint_memory(p, r, made.memory_figure(title=FIGURES), t, made.big()),
}


@pytest.mark.parametrize("name", TITLED)
def test_no_figure_of_a_title_is_cut_in_any_width(name: str) -> None:
    said = FIGURES.partition(": ")[2]
    for wide in range(300, 1500, 75):
        painter = Recorder()
        with fixed_fonts():
            TITLED[name](painter, QRectF(0, 0, wide, 900), LIGHT)
        words = " ".join(d.text for d in painter.drawn if d.kind == "text")
        beginnings = [w for w in words.split() if w.startswith("131,")]
        assert all(w == "131,072" for w in beginnings), wide
        assert said in words or "131" not in words, wide
    assert said in words
