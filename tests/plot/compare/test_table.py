"""The painted table of a comparison: what stands where, in which colour, and what gives way to what."""

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from explorer.analysis.study.study import HardwareEntry, View, Workload
from explorer.plot.compare.flips import flips_height, paint_flips
from explorer.plot.compare.layout import ComparedLayout, lay_out, table_height, wanted_width
from explorer.plot.compare.style import TableStyle, paper_style, window_style
from explorer.plot.compare.table import paint_compare_table
from explorer.presentation.compare.table import ComparedTable, compare_table
from explorer.presentation.palette import DARK, LIGHT, Theme, device_colour
from tests.analysis.ask.comparison.machines import A100, B200, CATALOGUE, GEFORCE, H100, MI300X, SIX, evaluated, llama
from tests.plot.recorder import Drawn, Recorder, fixed_fonts

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture(autouse=True)
def _same_letters_everywhere() -> Iterator[None]:
    with fixed_fonts():
        yield


def table(**view: object) -> ComparedTable:
    return compare_table(evaluated(llama(**view)))  # type: ignore[arg-type]


def drawn(
    width: float = 1100, shown: ComparedTable | None = None, theme: Theme = LIGHT, style: TableStyle | None = None
) -> tuple[list[Drawn], ComparedLayout]:
    painter = Recorder()
    found = paint_compare_table(
        painter,
        QRectF(0, 0, width, 400),
        shown or table(),
        theme,
        style or window_style(),  # type: ignore[arg-type]
    )
    return painter.drawn, found


def texts(items: list[Drawn]) -> list[Drawn]:
    return [d for d in items if d.kind == "text"]


def rect_of(found: ComparedLayout, key: str, figure: str) -> QRectF:
    return next(c.rect for c in found.cells if (c.key, c.figure) == (key, figure))


def within(items: list[Drawn], rect: QRectF) -> list[str]:
    return [d.text for d in texts(items) if rect.left() < d.right <= rect.right() + 1 and rect.contains(*d.at[:2])]


def test_every_cell_has_its_value_over_its_ratio_flush_right() -> None:
    items, found = drawn()
    assert within(items, rect_of(found, B200, "at_least")) == ["6.18 ms", "0.42×"]
    assert within(items, rect_of(found, H100, "bandwidth")) == ["3.35 TB/s", "baseline"]
    assert within(items, rect_of(found, GEFORCE, "at_least")) == ["–", "no room"]
    value, ratio = (next(d for d in texts(items) if d.text == t) for t in ("6.18 ms", "0.44×"))
    assert value.at[1] < ratio.at[1]
    for figure, head in found.heads:
        cells = [c.rect for c in found.cells if c.figure == figure]
        assert {round(c.right(), 3) for c in cells} == {round(head.right(), 3)}
        assert [c.left() for c in cells] == [head.left()] * len(cells)


def test_figures_of_a_column_end_where_the_column_ends() -> None:
    items, found = drawn()
    for cell in found.cells:
        inside = [d for d in texts(items) if cell.rect.contains(*d.at[:2])]
        assert inside
        assert all(d.right == pytest.approx(cell.rect.right(), abs=0.01) for d in inside)


def test_rows_are_37_pixels_high_and_no_text_leaves_its_own() -> None:
    items, found = drawn()
    assert [row.height() for _, row in found.rows] == [37.0] * 7
    assert table_height(table(), window_style()) == found.bottom
    for _, row in found.rows:
        baselines = {round(d.at[1], 2) for d in texts(items) if row.top() < d.at[1] <= row.bottom()}
        assert len(baselines) <= 4
        assert max(baselines) < row.bottom() - 2


def test_the_best_is_bold_behind_a_dot_in_the_accent() -> None:
    for theme in (LIGHT, DARK):
        items, found = drawn(theme=theme)
        rect = rect_of(found, B200, "in_all")
        dots = [d for d in items if d.kind == "ellipse" and rect.contains(*d.at[:2])]
        assert [QColor(d.brush).name() for d in dots] == [theme.accent]
        value = next(d for d in texts(items) if d.text == "41,398")
        assert int(value.font.split("/")[1]) >= 600
        assert dots[0].at[0] + dots[0].at[2] < value.at[0]
        other = rect_of(found, MI300X, "in_all")
        assert not [d for d in items if d.kind == "ellipse" and other.contains(*d.at[:2])]


def test_the_baseline_is_tinted_and_machines_have_their_colour() -> None:
    items, found = drawn()
    tinted = [d for d in items if d.kind == "fill"]
    assert [(d.rect, QColor(d.brush).name()) for d in tinted] == [(found.rows[0][1], LIGHT.raised)]
    squares = [QColor(d.brush).name() for d in items if d.kind == "rounded" and d.at[2] == d.at[3]]
    assert squares == [device_colour(LIGHT, i) for i in (SIX.index(k) for k, _ in found.rows)]


def test_too_much_memory_is_a_bar_in_the_colour_of_warnings() -> None:
    items, found = drawn(1500)
    for key, ink in ((H100, LIGHT.accent), (GEFORCE, LIGHT.warning)):
        rect = rect_of(found, key, "held")
        bars = [d for d in items if d.kind == "rounded" and rect.contains(d.rect.center())]
        assert [QColor(d.brush).name() for d in bars] == [LIGHT.border, ink]
    full, part = (
        next(d.rect.width() for d in items if d.kind == "rounded" and QColor(d.brush).name() == ink and d.at[3] == 5)
        for ink in (LIGHT.warning, LIGHT.accent)
    )
    assert part < full == 22.0


def test_names_shorten_then_columns_give_way_by_rank_and_no_figure_is_cut() -> None:
    shown, style = table(), window_style()
    ranks = {c.figure: c.rank for c in shown.columns}
    before = len(shown.columns) + 1
    for width in (2400, 1600, 1100, 930, 700, 500, 380):
        items, found = drawn(width)
        figures = [c.column.figure for c in found.columns]
        assert len(figures) <= before
        before = len(figures)
        gone = [ranks[c.figure] for c in shown.columns if c.figure not in figures]
        assert not gone or max(ranks[f] for f in figures) < min(gone)
        assert found.dropped == len(gone)
        assert found.dropped_text == (f"{len(gone)} more columns: widen or scroll" if gone else "")
        assert found.rect.right() <= width + 0.01
        values = {
            e.text
            for line in shown.lines
            for e, c in zip(line.entries, shown.columns, strict=True)
            if c.figure in figures
        }
        assert values <= {d.text for d in texts(items)}
    at = [line.key for line in shown.lines].index(A100)
    names = {lay_out(QRectF(0, 0, width, 400), shown, style).names[at] for width in range(500, 1000, 10)}
    assert names & {"A100 80GB", "A100"}


def test_at_the_wanted_width_nothing_gives_way() -> None:
    for style in (window_style(), paper_style()):
        width = wanted_width(table(), style)
        found = lay_out(QRectF(0, 0, width + 1, 400), table(), style)
        assert found.dropped == 0
        assert found.names == tuple(line.names[0] for line in table().lines)
        assert lay_out(QRectF(0, 0, width - 150, 400), table(), style).dropped > 0


def test_columns_stay_together_in_a_wide_window_and_fill_a_page() -> None:
    few = compare_table(evaluated(llama(H100, B200)))
    assert lay_out(QRectF(0, 0, 4000, 400), few, window_style()).rect.right() < 3000
    assert lay_out(QRectF(0, 0, 4000, 400), few, paper_style()).rect.right() == pytest.approx(4000)


def test_the_header_of_the_order_has_an_arrow() -> None:
    items, _ = drawn(shown=table(compare_sort="-in_all"))
    assert "in all ▾" in [d.text for d in texts(items)]
    rising, _ = drawn(shown=table(compare_sort="in_all"))
    assert "in all ▴" in [d.text for d in texts(rising)]


def test_cells_say_why_they_are_empty() -> None:
    _, found = drawn()
    tip = next(c.tip for c in found.cells if (c.key, c.figure) == (GEFORCE, "at_least"))
    assert tip == "No room: the step does not fit."


def test_chips_of_verdicts_stay_in_the_width_and_on_rows_of_their_own() -> None:
    line, style = table().flips, window_style()
    for width in (1100, 560, 300):
        painter = Recorder()
        chips = paint_flips(painter, QRectF(0, 0, width, 300), line, LIGHT, style)  # type: ignore[arg-type]
        boxes = [box for box, _ in chips]
        assert len(boxes) == 2
        assert all(box.right() <= width + 0.01 for box in boxes)
        assert not boxes[0].intersects(boxes[1])
        assert boxes[-1].bottom() <= flips_height(line, width, style)
        assert all(d.right <= width + 0.01 for d in painter.drawn if d.kind == "text")
    assert "RTX 4090" in chips[1][1]


@pytest.mark.parametrize("seed", range(40))
def test_of_any_machines_no_figure_is_cut_and_none_runs_into_another(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - studies to draw, no secrets
    entries = tuple(
        HardwareEntry(id=f"m{i}", device=d, count=chance.choice((1, 1, 2, 8)))
        for i, d in enumerate(chance.sample(CATALOGUE.devices, chance.randint(2, 9)))
    )
    work = Workload(
        batch=2 ** chance.randint(0, 11),
        context=2 ** chance.randint(6, 16),
        weights=chance.choice((None, "fp8", "int4")),
        phase=chance.choice(("decode", "prefill")),
        launch=chance.choice(("graph", "eager")),
    )
    view = View(compare_as=chance.choice(("ratio", "difference")), compare_sort=chance.choice(("", "-in_all", "price")))
    shown = compare_table(evaluated(replace(llama(), hardware=entries, workload=work, view=view)))
    style = chance.choice((window_style(), paper_style()))
    items, found = drawn(chance.choice((420, 700, 930, 1500, 2600)), shown, style=style)
    places = [c.place for c in found.columns]
    wanted = {text for line in shown.lines for i in places for text in (line.entries[i].text,)}
    assert wanted <= {d.text for d in texts(items)}
    for _, row in found.rows:
        placed = sorted((d.at[1], d.at[0], d.right) for d in texts(items) if row.top() < d.at[1] <= row.bottom())
        for (y, _, right), (below, left, _) in pairwise(placed):
            assert round(y, 2) != round(below, 2) or right <= left + 0.01


def test_the_name_of_a_group_is_whole_where_there_is_room_for_every_column() -> None:
    for figures in (("first_token",), ("first_token", "memory_share", "per_joule"), ("ridge",)):
        whole = table()
        kept = [i for i, column in enumerate(whole.columns) if column.figure in figures]
        lines = tuple(replace(line, entries=tuple(line.entries[i] for i in kept)) for line in whole.lines)
        few = replace(whole, columns=tuple(whole.columns[i] for i in kept), lines=lines)
        items, found = drawn(wanted_width(few, window_style()) + 1, few)
        assert len(found.columns) == len(kept)
        assert {column.group for column in few.columns} <= {d.text for d in texts(items)}
