"""The comparison on paper: all rows within the page, whatever their number."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRectF

from explorer.files.study.examples import example_path
from explorer.files.study.study import read_study
from explorer.plot.views.compare import _CHART_SCALE, PageLayout, paint_compare
from explorer.plot.views.slide import paint_slide
from explorer.presentation.compare.table import ComparedTable
from explorer.presentation.palette import LIGHT
from explorer.presentation.slide.slide import build_slide
from explorer.presentation.views.compare import ComparedPage, compare_page
from explorer.presentation.views.compared.paired import PairedFigure
from explorer.report.figure_export import Paper, figure_bytes
from tests.analysis.ask.comparison.machines import A100, H100, evaluated, llama
from tests.plot.recorder import Drawn, Recorder, fixed_fonts

pytestmark = pytest.mark.usefixtures("qapp")


def drawn(page: ComparedPage, width: float = 1600, height: float = 900) -> tuple[list[Drawn], PageLayout | None]:
    painter = Recorder()
    with fixed_fonts():
        found = paint_compare(painter, QRectF(0, 0, width, height), page, LIGHT)  # type: ignore[arg-type]
    painter.end()
    return painter.drawn, found


def test_a_page_has_the_columns_that_decide() -> None:
    items, found = drawn(compare_page(evaluated(llama())))
    said = {d.text for d in items if d.kind == "text"}
    assert {"41,398", "2.39×", "ridge 281", "Verdicts that flip, 8 of 17"} <= said
    assert found is not None
    assert [c.column.figure for c in found.table.columns] == [
        "bandwidth", "peak", "at_least", "per_request", "at_batch_1", "at_batch_8", "at_batch_32", "at_batch_own",
        "first_token",
    ]  # fmt: skip
    assert not any("widen" in text for text in said)


def test_batches_stand_under_one_heading_by_size_the_studys_own_in_bold() -> None:
    items, found = drawn(compare_page(evaluated(llama(batch=16))))
    assert found is not None
    heads = dict(found.table.heads)
    texts = [d for d in items if d.kind == "text"]
    (over,) = [d for d in texts if d.text == "tok/s at batch"]
    head = [d for d in texts if over.at[1] < d.at[1] < found.table.rows[0][1].top()]
    under = [next(d for d in head if d.text == t) for t in ("1", "8", "16", "32")]
    for item, figure in zip(under, ("1", "8", "own", "32"), strict=True):
        assert item.right == pytest.approx(heads[f"at_batch_{figure}"].right())
    assert [d.at[0] for d in under] == sorted(d.at[0] for d in under)
    assert heads["at_batch_1"].left() <= over.at[0] <= over.right <= heads["at_batch_32"].right()
    weights = [int(d.font.split("/")[1]) for d in under]
    assert weights[2] > weights[0] == weights[1] == weights[3]
    letters = 0.7 * int(under[0].font.split("/")[0])
    assert [d for d in items if d.kind == "line" and over.at[1] < d.at[1] < under[0].at[1] - letters]


def test_charts_below_the_table_have_few_groups_in_type_of_twelve_units_at_least() -> None:
    page = compare_page(evaluated(llama(H100, A100, batch=16)))
    paired = next(chart.figure for chart in page.charts if chart.view == "paired")
    assert isinstance(paired, PairedFigure)
    assert len(paired.groups) == 5
    painter = Recorder()
    with fixed_fonts():
        found = paint_compare(painter, QRectF(0, 0, 1504, 640), page, LIGHT)  # type: ignore[arg-type]
    assert found is not None
    assert len(found.charts) == 2
    below = [d for d in painter.drawn if d.kind == "text" and d.at[1] > found.charts[0].top()]
    assert any("others" in d.text for d in below)
    sizes = [int(d.font.split("/")[0]) for d in below]
    assert min(sizes) * scale_of(found) >= 11.9


@pytest.mark.parametrize("name", ["qwen3-4b-apple", "qwen3-30b-home"])
def test_bars_of_measurements_take_the_room_below_the_table(name: str) -> None:
    study = read_study(example_path(name))
    items, found = drawn(
        compare_page(evaluated(replace(study, view=replace(study.view, vary="measurements")))), 1504, 720
    )
    assert found is not None
    texts = [d for d in items if d.kind == "text" and d.at[1] > found.table.bottom]
    assert max(box.bottom() for box in found.charts) <= 720
    assert max(d.at[1] for d in texts) > 0.62 * 720
    assert {"bound", "measured"} <= {d.text for d in texts}
    for box in found.charts:
        inside = [d for d in texts if box.left() <= d.at[0] <= box.right()]
        assert {d.text for d in inside if d.text.endswith("ms")}
        assert max(d.right for d in inside) <= box.right() + 4  # faces are whole pixels, scaled
        assert max(d.at[1] for d in inside) <= box.bottom() + 1


def scale_of(found: PageLayout) -> float:
    """How large a unit of a chart's faces is on the page."""
    box = found.charts[0]
    inner = box.width() / _CHART_SCALE, box.height() / _CHART_SCALE
    return _CHART_SCALE * max(0.7, min(1.6, inner[0] / 880, inner[1] / 520))


def test_the_slide_has_the_finding_and_how_the_small_figures_are_read() -> None:
    slide = build_slide(evaluated(llama()), view="compare")
    assert slide.title.startswith("B200 serves 2.39× the tokens of H100")
    assert "its ratio to H100 SXM5" in slide.subtitle
    own = build_slide(evaluated(llama()), texts={"title": "Mine", "subtitle": ""}, view="compare")
    assert (own.title, own.subtitle) == ("Mine", "")


@pytest.mark.parametrize(("count", "width", "height"), [(2, 1600, 900), (9, 1600, 900), (30, 1600, 900), (9, 800, 600)])
def test_every_row_stays_on_the_page(count: int, width: float, height: float) -> None:
    first = llama(H100).hardware[0]
    study = replace(llama(H100), hardware=tuple(replace(first, id=f"m{i}", count=i + 1) for i in range(count)))
    items, found = drawn(compare_page(evaluated(study)), width, height)
    assert found is not None
    assert len(found.table.rows) == count
    texts = [d for d in items if d.kind == "text"]
    assert max(d.at[1] for d in texts) <= height
    assert max(d.right for d in texts) <= width


def test_what_flips_is_said_below_however_many_rows_there_are() -> None:
    first, other = llama(H100, A100).hardware
    entries = tuple(replace(e, id=f"{e.id}{i}", count=i + 1) for i in range(12) for e in (first, other))
    _, found = drawn(compare_page(evaluated(replace(llama(H100), hardware=entries))), 1504, 640)
    assert found is not None
    assert found.flips
    assert max(box.bottom() for box, _ in found.flips) <= 641


def test_without_anything_side_by_side_the_page_says_what_to_do() -> None:
    page = compare_page(evaluated(replace(llama(), view=replace(llama().view, vary="what_ifs"), hardware=())))
    items, found = drawn(page)
    assert found is None
    assert any("what-ifs" in d.text for d in items)


def test_any_slide_can_have_its_devices_with_ratios() -> None:
    slide = build_slide(evaluated(llama()), view="roofline", blocks=("ratios",))
    assert isinstance(slide.block("ratios"), ComparedTable)
    painter = Recorder()
    with fixed_fonts():
        found = paint_slide(painter, QRectF(0, 0, 1600, 900), slide, LIGHT)  # type: ignore[arg-type]
    (block,) = found.blocks
    said = [d for d in painter.drawn if d.kind == "text" and block[1].left() <= d.at[0] <= block[1].right()]
    assert {"14.8 ms", "0.42×", "2.39×"} <= {d.text for d in said}
    assert max(d.right for d in said) <= block[1].right() + 0.5
    assert build_slide(evaluated(llama(H100)), view="roofline", blocks=("ratios",)).block("ratios") is None


def test_a_slide_of_the_comparison_names_its_parts_in_an_svg() -> None:
    svg = figure_bytes(evaluated(llama()), ".svg", Paper(), "compare").decode()
    assert all(f'<g id="{name}"' in svg for name in ("title", "comparison", "flips", "charts", "footer"))
