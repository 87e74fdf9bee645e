"""The Memory view in the window and on paper."""

import pytest
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from explorer.analysis.study.edits import add_model
from explorer.analysis.study.study import Study
from explorer.files.models.presets import load_presets
from explorer.plot.views.slide import paint_view
from explorer.presentation.palette import DARK, LIGHT
from explorer.presentation.slide.slide import built
from explorer.presentation.views.capacity import capacity_sentences
from explorer.presentation.views.memory import memory_chart
from explorer.ui.session import Session
from explorer.ui.views.memory_tab import MemoryTab
from tests.ui.decode_hands import session, shown

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
LLAMA_70B = next(p for p in load_presets() if p.id == "llama-3.1-70b")


def memory_tab(qtbot: QtBot, of: Session) -> MemoryTab:
    made = MemoryTab(of)
    shown(qtbot, of, made, 900, 600)
    made.later.finish()
    made.grab()
    return made


def test_bars_are_the_bytes_of_the_answer_and_words_say_what_fits(qtbot: QtBot) -> None:
    of = session()
    made = memory_tab(qtbot, of)
    chart = made.bars.chart
    assert chart is not None
    evaluation = of.state.evaluation
    assert [d.now.total for d in chart.devices] == [float(d.totals.memory_bytes) for d in evaluation.devices]
    assert evaluation.active is not None
    assert chart.sentences == tuple(capacity_sentences(evaluation, evaluation.active))
    assert chart.sentences[0] in made.bars.accessibleDescription()


def test_a_larger_model_no_longer_fits_and_the_bar_says_how_many_would(qtbot: QtBot) -> None:
    of = session()
    made = memory_tab(qtbot, of)
    of.store.put(add_model(of.store.study, LLAMA_70B))
    made.later.finish()
    chart = made.bars.chart
    assert chart is not None
    assert chart.devices[0].now.over
    assert chart.devices[0].limits == "does not fit: needs 2 devices"
    assert chart.largest >= chart.devices[0].now.total


def test_the_longest_context_of_the_model_has_its_own_bar(qtbot: QtBot) -> None:
    of = session()
    chart = memory_chart(of.state.evaluation)
    assert all(d.longest is not None and d.longest.total > d.now.total for d in chart.devices)
    of.store.edit_workload("Context", context=131_072)
    assert all(d.longest is None for d in memory_chart(of.state.evaluation).devices)


def test_a_selection_works_nothing_out_anew(qtbot: QtBot) -> None:
    of = session()
    made = memory_tab(qtbot, of)
    of.store.set_view(selection=("attention",))
    assert not made.later.waiting
    of.store.edit_workload("Batch", batch=2)
    assert made.later.waiting


def test_an_empty_study_says_what_to_do(qtbot: QtBot) -> None:
    of = session(of=Study())
    made = memory_tab(qtbot, of)
    assert made.bars.chart is not None
    assert made.bars.chart.empty_text


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_paper_shows_the_bars_in_the_parts_colours(qtbot: QtBot, theme) -> None:
    image = QImage(900, 500, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    paint_view("memory", painter, image.rect().toRectF(), built("memory", session().state.evaluation, bare=True), theme)
    painter.end()
    colours = {image.pixelColor(x, y).name() for x in range(0, 900, 3) for y in range(0, 500, 3)}
    assert {QColor(theme.devices[0]).name(), QColor(theme.devices[2]).name(), theme.panel} <= colours
