"""The Compare view in the window: what stands side by side, what a click does, and what it says without anything."""

import csv
import io
from itertools import pairwise

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.analysis.ask.comparison.compared import compare
from explorer.analysis.study.study import Study
from explorer.analysis.study.variant import ScaleDevice, SetBatch, Variant
from explorer.plot.views.compared.marks import ComparedMark
from explorer.presentation.compare.table import compare_table
from explorer.presentation.quantities.numbers import NOTHING
from explorer.report.compared_table import compared_text
from explorer.ui.compare.table.art import USUAL
from explorer.ui.hardware.count_editor import CountEditor
from explorer.ui.session import Session
from explorer.ui.views.compare_tab import CompareTab
from tests.presentation.llama import device, study
from tests.ui.decode_hands import session, shown, without_model

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
QUICK = device("Quick", bandwidth=8e12, peak=4e15)
SMALL = device("Small", bandwidth=1e12, peak=1e14, capacity=17e9)


def three(**view: object) -> Session:
    return with_view(study(device(), QUICK, SMALL), **view)


def with_view(of: Study, **view: object) -> Session:
    return session(of=replace(of, view=replace(of.view, tab="compare", **view)))


def compare_tab(qtbot: QtBot, of: Session, width: int = 1000, height: int = 700) -> CompareTab:
    made = CompareTab(of)
    shown(qtbot, of, made, width, height)
    made.finish()
    QApplication.processEvents()
    made.grab()
    return made


def cells(made: CompareTab, column: str) -> list[str]:
    words = made.panel.grid.words
    place = next(i for i, c in enumerate(words.columns) if c.key == column)
    return [row.cells[place].whole for row in words.rows]


def test_machines_stand_in_rows_with_their_figures_beside_the_baselines(qtbot: QtBot) -> None:
    made = compare_tab(qtbot, three())
    assert [row.key for row in made.panel.grid.words.rows] == ["round", "quick", "small"]
    assert cells(made, "bandwidth") == ["2.00 TB/s, 1", "8.00 TB/s, 4.00×", "1.00 TB/s, 0.50×"]
    assert cells(made, "in_all")[2] == NOTHING  # there is no room
    assert made.panel.table is not None
    shown_by_itself = {c.figure for c in made.panel.table.columns}
    assert shown_by_itself >= {f for f in USUAL if not f.startswith("at_context") and not f.endswith("_own")}
    assert [c.header for c in made.panel.table.columns if c.group == "tok/s at batch"] == ["1", "8", "32"]


def test_figures_are_those_of_paper_and_files(qtbot: QtBot) -> None:
    of = three()
    made = compare_tab(qtbot, of)
    page = compare_table(of.state.evaluation, of.state.look)
    assert made.panel.table is not None
    for line, whole in zip(made.panel.table.lines, page.lines, strict=True):
        texts = dict(zip((c.figure for c in page.columns), whole.entries, strict=True))
        assert all(texts[c.figure] == e for c, e in zip(made.panel.table.columns, line.entries, strict=True))
    rows = list(csv.DictReader(io.StringIO(compared_text(of.state.evaluation, "csv"))))
    found = compare(of.state.evaluation)
    for row, line in zip(rows, found.rows, strict=True):
        assert float(row["bandwidth (B/s)"]) == line.cells["bandwidth"].value
        assert row["at least (s)"] == (
            "" if line.cells["at_least"].value is None else str(line.cells["at_least"].value)
        )


def test_another_kind_of_subject_is_another_table(qtbot: QtBot) -> None:
    of = three(vary="formats")
    made = compare_tab(qtbot, of)
    assert len(made.panel.grid.words.rows) > 4
    edits = (SetBatch(batch=16), ScaleDevice(device="round", figure="bandwidth", factor=2.0))
    of.store.edit("What-ifs", what_ifs=tuple(Variant(label=f"number {i}", edit=e) for i, e in enumerate(edits)))
    of.store.set_view(vary="what_ifs")
    made.finish()
    assert [row.cells[0].text for row in made.panel.grid.words.rows][1:] == ["number 0", "number 1"]
    assert cells(made, "bandwidth")[2] == "4.00 TB/s, 2.00×"
    of.store.set_view(vary="models")
    made.finish()
    assert [row.cells[0].text for row in made.panel.grid.words.rows] == ["Llama-3.1-8B"]


def test_a_row_becomes_the_active_device_or_the_baseline(qtbot: QtBot) -> None:
    of = three()
    made = compare_tab(qtbot, of)
    grid = made.panel.grid
    at = grid.row_rect(1).center()
    qtbot.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert of.store.study.view.active_hardware == "quick"
    of.store.set_view(active_hardware="round")
    qtbot.mouseDClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert of.store.study.view.baseline == "quick"
    made.finish()
    assert [row.key for row in grid.words.rows if row.baseline] == ["quick"]
    assert cells(made, "bandwidth")[0] == "8.00 TB/s, 1"
    assert not of.store.dirty


def test_a_title_sorts_best_first_then_the_other_way_then_not(qtbot: QtBot) -> None:
    of = three()
    made = compare_tab(qtbot, of)
    grid = made.panel.grid
    place = next(i for i, c in enumerate(grid.words.columns) if c.key == "bandwidth")
    header = grid.horizontalHeader().viewport()
    at = QPoint(round(sum(grid.picture.places.columns[place : place + 2]) / 2), grid.picture.places.header - 5)
    orders = []
    for _ in range(3):
        qtbot.mouseClick(header, Qt.MouseButton.LeftButton, pos=at)
        made.finish()
        orders.append((of.store.study.view.compare_sort, [row.key for row in grid.words.rows]))
    assert [sort for sort, _ in orders] == ["-bandwidth", "bandwidth", ""]
    assert orders[2][1] == ["round", "quick", "small"]


def test_a_chip_selects_the_operators_whose_verdict_flips(qtbot: QtBot) -> None:
    of = with_view(study(device(), device("Other", peak=1e14), batch=300, context=512))
    made = compare_tab(qtbot, of)
    flips = compare(of.state.evaluation).flips
    assert flips.count > 0
    chip = made.panel.verdicts.chips[0]
    assert chip.isVisible()
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert of.store.study.view.selection == flips.groups[0].rows
    assert f"{flips.count} of {flips.of}" in made.panel.verdicts.title.text()


def test_the_clipboard_gets_a_table_and_plain_text_and_no_html(qtbot: QtBot) -> None:
    of = with_view(study(device("=1+1"), QUICK))
    made = compare_tab(qtbot, of)
    with qtbot.waitSignal(made.said) as said:
        next(a for a in made.actions() if a.text() == "Copy table").trigger()
    data = QGuiApplication.clipboard().mimeData()
    lines = data.text().splitlines()
    assert [line.split("\t")[0] for line in lines] == ["Machine", "'=1+1", "Quick"]
    assert bytes(data.data("text/tab-separated-values").data()).decode() == data.text()
    assert not data.hasHtml()
    assert said.args == ["Copied 2 rows for a spreadsheet."]


def test_chosen_columns_alone_are_shown_and_no_figure_is_squeezed(qtbot: QtBot) -> None:
    of = three(compare_columns=("ridge", "year"))
    made = compare_tab(qtbot, of, 560, 500)
    assert [c.key for c in made.panel.grid.words.columns[1:]] == ["ridge", "year"]
    of.store.set_view(compare_columns=())
    made.finish()
    grid = made.panel.grid
    natural = grid.picture.natural(grid.font()).width()
    assert natural > grid.viewport().width()
    assert grid.horizontalScrollBar().maximum() >= natural - grid.viewport().width() - 2
    wide = compare_tab(qtbot, of, 2300, 700)
    assert len(wide.panel.grid.words.columns) > len(grid.words.columns)


def test_a_mark_of_a_chart_sets_batch_and_context_as_one_edit(qtbot: QtBot) -> None:
    of = three()
    made = compare_tab(qtbot, of)
    area = made.rect().toRectF()
    before = of.store.undo_stack.count()
    made.charts.wanted.emit(ComparedMark(area, "cell", batch=32, context=2048))
    assert (of.store.study.workload.batch, of.store.study.workload.context) == (32, 2048)
    assert of.store.undo_stack.count() == before + 1
    made.charts.wanted.emit(ComparedMark(area, "bar", rows=("q_proj",)))
    assert of.store.study.view.selection == ("q_proj",)


def test_a_selection_works_nothing_out_anew_and_a_slider_does(qtbot: QtBot) -> None:
    of = three()
    made = compare_tab(qtbot, of)
    of.store.set_view(selection=("attention",))
    assert not made.later.waiting
    of.store.edit_workload("Batch", batch=2)
    assert made.later.waiting
    assert all(card.stale for card in made.charts.cards.values())
    made.finish()
    assert not any(made.charts.cards[name].stale for name in made.charts.in_sight)


@pytest.mark.parametrize(
    ("of", "words"),
    [
        (study(device()), "Tick a second device to compare."),
        (replace(study(), hardware=()), "Choose devices to put them side by side."),
    ],
    ids=["one", "none"],
)
def test_what_is_missing_is_one_sentence(qtbot: QtBot, of: Study, words: str) -> None:
    made = compare_tab(qtbot, with_view(of))
    assert made.panel.alone.isVisible()
    assert made.panel.alone.text() == words
    assert made.panel.grid.isVisible() == bool(of.hardware)


@pytest.mark.parametrize(
    "of",
    [
        without_model(study(device(), QUICK)),
        study(*(device(f"Device {i}", bandwidth=(i + 1) * 1e12) for i in range(12))),
        study(device("北京智源高性能计算加速卡型号一"), device("北京智源高性能计算加速卡型号二")),
        replace(study(device(), QUICK), models=(replace(study().models[0], config={"model_type": "nobody"}),)),
    ],
    ids=["no model", "twelve", "chinese", "refused"],
)
@pytest.mark.parametrize("vary", ["machines", "models", "formats", "what_ifs", "measurements"])
def test_whatever_the_study_holds_the_view_stands(qtbot: QtBot, of: Study, vary: str) -> None:
    made = compare_tab(qtbot, with_view(of, vary=vary), 620, 480)
    QAbstractItemModelTester(made.panel.grid.words, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert bool(made.panel.grid.words.rows) or made.panel.alone.text()
    assert made.minimumSizeHint().width() <= 560


def test_every_part_has_a_name_and_the_table_is_text_too(qtbot: QtBot) -> None:
    made = compare_tab(qtbot, three())
    parts = [
        made.controls.vary,
        made.controls.baseline,
        made.controls.said_as,
        made.panel.grid,
        *made.charts.cards.values(),
    ]
    assert all(part.accessibleName() for part in parts)
    assert "Quick: bandwidth 8.00 TB/s 4.00×" in made.panel.grid.accessibleDescription()


def test_the_number_of_a_machine_is_changed_in_its_row(qtbot: QtBot) -> None:
    of = three()
    made = compare_tab(qtbot, of)
    grid = made.panel.grid
    grid.setCurrentIndex(grid.words.index(1, 2))
    qtbot.keyClicks(grid, "+")
    assert [e.count for e in of.store.study.hardware] == [1, 2, 1]
    made.finish()
    assert cells(made, "bandwidth")[1] == "16.0 TB/s, 8.00×"
    qtbot.keyClick(grid, Qt.Key.Key_F2)
    editor = grid.findChild(CountEditor)
    assert editor is not None
    qtbot.keyClicks(editor, "4")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert [e.count for e in of.store.study.hardware] == [1, 4, 1]
    qtbot.keyClicks(grid, "-")
    assert of.store.study.hardware[1].count == 3
    of.store.undo_stack.undo()
    assert of.store.study.hardware[1].count == 4


def test_a_row_of_formats_is_used_in_the_study(qtbot: QtBot) -> None:
    of = three(vary="formats")
    made = compare_tab(qtbot, of)
    found = compare(of.state.evaluation).rows[1].subject
    made.gestures.apply_variant(found.key)
    assert of.store.study.workload.weights == found.edit.weights  # type: ignore[union-attr]
    assert of.store.dirty


def test_whose_speed_up_is_drawn_can_be_chosen_among_the_others(qtbot: QtBot) -> None:
    of = three()
    made = compare_tab(qtbot, of)
    beside = made.charts.beside
    assert [beside.itemData(i) for i in range(beside.count())] == ["", "quick", "small"]
    beside.activated.emit(2)
    assert of.store.study.view.compare_with == "small"
    made.finish()
    assert beside.currentData() == "small"
    assert beside.isVisible()
    made.resize(500, 700)
    QApplication.processEvents()
    assert not beside.isVisible()
    made.resize(1000, 700)
    QApplication.processEvents()
    of.store.set_view(compare_charts=("years", "frontier"))
    assert not beside.isVisible()


def test_the_menu_offers_what_a_row_can_be(qtbot: QtBot) -> None:
    of = three()
    made = compare_tab(qtbot, of)
    words = [words for words, _ in made.gestures._of_row("quick")]
    assert len(words) == 4
    next(does for text, does in made.gestures._of_row("quick") if "speed-up" in text)()
    assert of.store.study.view.compare_with == "quick"
    of.store.set_view(vary="formats")
    assert made.gestures._of_row("") == []


def test_own_operators_have_the_charts_that_need_no_batch(qtbot: QtBot) -> None:
    assert compare_tab(qtbot, three()).charts.in_sight[1] == "speedup"
    made = compare_tab(qtbot, with_view(without_model(study(device(), QUICK))))
    assert not {"speedup", "frontier"} & set(made.charts.in_sight)


def test_one_alone_has_the_chart_of_the_whole_database_and_measurements_have_the_table(qtbot: QtBot) -> None:
    of = with_view(study(device()))
    made = compare_tab(qtbot, of)
    assert made.charts.in_sight == ("years",)
    of.store.set_view(vary="measurements")
    made.finish()
    assert not made.charts.isVisible()
    of.store.set_view(vary="formats")
    made.finish()
    assert made.charts.in_sight[0] == "paired"
    assert made.charts.isVisible()


def test_names_of_any_length_leave_the_figures_room(qtbot: QtBot) -> None:
    made = compare_tab(qtbot, with_view(study(device("北京智源高性能计算加速卡" * 8), device("Second " * 25))), 560)
    grid = made.panel.grid
    assert grid.picture.places.names < 0.65 * grid.viewport().width()
    figures = grid.picture.places.columns[2:]
    assert all(right - left > 40 for left, right in pairwise(figures))
    assert len(figures) == len(grid.words.columns) - 1
