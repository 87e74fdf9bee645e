"""The roofline's tab between the study and the live chart."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.analysis.study.study import Measurement, Study, View
from explorer.document.store import StudyStore
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.plot.live.roofline_chart import RooflineChart
from explorer.presentation.look import Look
from explorer.presentation.palette import DARK
from explorer.ui.session import Session
from explorer.ui.views.chart_menu import chart_menu
from explorer.ui.views.roofline_tab import RooflineTab
from tests.plot.chart_hands import click, drag, move, same, wheel

# the offscreen platform says so for any window with a least size
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


@pytest.fixture
def session(qapp: QApplication) -> Session:
    return Session(StudyStore(opening_study()), load_catalogue(devices=False))


@pytest.fixture
def tab(session: Session, qtbot: QtBot) -> Iterator[RooflineTab]:
    made = RooflineTab(session)
    qtbot.addWidget(made)
    session.attach(made)
    made.resize(900, 640)
    made.show()
    qtbot.waitUntil(lambda: made.chart is not None)
    QApplication.processEvents()
    yield made
    made.hide()


@pytest.fixture
def chart(tab: RooflineTab) -> RooflineChart:
    return tab.go_live()


def place(chart: RooflineChart, row: str):  # type: ignore[no-untyped-def]
    found = next(m for m in chart.figure.marks if row in m.rows and m.active)
    return chart.to_pixels(found.x, found.y)


def test_the_first_picture_needs_no_live_chart(session: Session, qtbot: QtBot) -> None:
    tab = RooflineTab(session)
    qtbot.addWidget(tab)
    session.attach(tab)
    tab.resize(900, 640)
    assert tab.chart is None
    assert tab.still is not None
    still = tab.grab().toImage()
    tab.go_live()
    tab.show()
    QApplication.processEvents()
    assert tab.grab().toImage().convertToFormat(still.format()) == still
    tab.hide()


def test_the_live_chart_stands_where_the_first_picture_stood_and_never_elsewhere(
    session: Session, qtbot: QtBot
) -> None:
    tab = RooflineTab(session)
    qtbot.addWidget(tab)
    session.attach(tab)
    tab.resize(900, 640)
    still = tab.still
    assert still is not None
    still.painted.disconnect()
    tab.show()
    qtbot.waitExposed(tab)
    stood = still.geometry()
    chart = tab.go_live()
    assert chart.geometry() == stood
    QApplication.processEvents()
    assert chart.geometry() == stood


def test_a_slider_step_moves_the_points(session: Session, chart: RooflineChart) -> None:
    before = place(chart, "up_proj")
    session.store.edit_workload("Batch", merge="batch", batch=32)
    assert place(chart, "up_proj") != before


def test_a_slider_drag_leaves_a_trail_that_the_next_edit_clears(session: Session, chart: RooflineChart) -> None:
    store = session.store
    for batch in (9, 10, 11):
        store.edit_workload("Batch", merge="batch", batch=batch)
    assert len(chart.figure.trail) == 3
    store.end_drag()
    assert len(chart.figure.trail) == 3
    store.edit_workload("Launch", launch="eager")
    assert chart.figure.trail == ()


def test_looking_does_not_clear_the_trail(session: Session, chart: RooflineChart) -> None:
    session.store.edit_workload("Batch", merge="batch", batch=9)
    session.store.set_view(selection=("up_proj",))
    assert len(chart.figure.trail) == 1


def test_undo_clears_the_trail(session: Session, chart: RooflineChart) -> None:
    for batch in (9, 10):
        session.store.edit_workload("Batch", merge="batch", batch=batch)
    session.store.undo_stack.undo()
    assert chart.figure.trail == ()


def test_zoom_is_kept_in_the_study_and_makes_nothing_dirty(
    session: Session, chart: RooflineChart, qtbot: QtBot
) -> None:
    wheel(chart, chart.plot_rect().center(), 2.0)
    qtbot.waitUntil(lambda: session.store.study.view.x_range is not None)
    assert session.store.study.view.x_range == pytest.approx(chart.visible.x)
    assert session.store.study.view.y_range == pytest.approx(chart.visible.y)
    assert not session.store.dirty
    assert not session.store.undo_stack.canUndo()


def test_the_view_survives_edits(session: Session, chart: RooflineChart) -> None:
    drag(chart, chart.plot_rect().center(), chart.plot_rect().center() * 0.8)
    chart.settle()
    zoomed = chart.visible
    session.store.edit_workload("Batch", merge="batch", batch=64)
    session.store.edit("Hardware", hardware=session.store.study.hardware[:1])
    assert same(chart.visible, zoomed)


def test_fit_forgets_the_ranges_of_the_study(session: Session, tab: RooflineTab, chart: RooflineChart) -> None:
    start = chart.visible
    wheel(chart, chart.plot_rect().center(), 2.0)
    chart.settle()
    tab.fit()
    assert session.store.study.view.x_range is None
    assert same(chart.visible, start)


def test_a_study_opens_in_the_ranges_it_was_saved_with(session: Session, chart: RooflineChart) -> None:
    study = Study(hardware=session.store.study.hardware, view=View(x_range=(0.0, 2.0), y_range=(12.0, 14.0)))
    session.store.reset(study)
    assert chart.visible == ((0.0, 2.0), (12.0, 14.0))


def test_absurd_ranges_of_a_file_are_not_used(session: Session, chart: RooflineChart) -> None:
    study = Study(hardware=session.store.study.hardware, view=View(x_range=(-1e308, 1e308), y_range=(0.0, 1e308)))
    session.store.reset(study)
    assert all(abs(v) < 100 for span in chart.visible for v in span)


def test_a_click_selects_in_the_study_and_escape_clears(session: Session, chart: RooflineChart) -> None:
    click(chart, place(chart, "attention"))
    assert session.store.study.view.selection == ("attention",)
    assert chart.figure.selection == {"attention"}
    chart.escape()
    assert session.store.study.view.selection == ()


def test_a_selection_made_elsewhere_shows_on_the_chart(session: Session, chart: RooflineChart) -> None:
    session.store.set_view(selection=("attention",))
    assert chart.figure.selection == {"attention"}


def test_hover_says_what_the_operator_waits_for(chart: RooflineChart) -> None:
    move(chart, place(chart, "attention"))
    assert chart.card.isVisible()
    for part in ("attention", "FLOP/byte", "memory", "%"):
        assert part in chart.card.text


def test_other_colours_reach_the_chart(session: Session, chart: RooflineChart) -> None:
    session.set_look(Look(DARK))
    assert chart.theme is DARK


def test_what_does_not_concern_the_chart_does_not_touch_it(session: Session, chart: RooflineChart) -> None:
    shown = chart.figure
    session.store.set_view(tab="time")
    assert chart.figure is shown


def test_a_hidden_chart_catches_up_when_it_is_shown(session: Session, tab: RooflineTab, chart: RooflineChart) -> None:
    session.shown.disconnect(tab.apply)  # hidden tabs are not told
    tab.hide()
    session.store.edit_workload("Batch", batch=32)
    tab.show()
    assert chart.figure.marks == session_marks(session)


def session_marks(session: Session):  # type: ignore[no-untyped-def]
    from explorer.presentation.roofline.build import build_figure

    return build_figure(session.state.evaluation).marks


def test_no_hardware_says_so(session: Session, chart: RooflineChart) -> None:
    session.store.edit("Remove", hardware=())
    assert chart.figure.empty_text
    assert chart.figure.marks == ()


def test_the_chart_has_a_name_and_tells_the_answer(tab: RooflineTab, chart: RooflineChart) -> None:
    tab.describe()
    assert chart.accessibleName()
    assert "tokens/s" in chart.accessibleDescription()


def test_the_menu_offers_view_picture_and_switches(session: Session, tab: RooflineTab) -> None:
    menu = chart_menu(tab, session.store.study.view, ("a&b", "c"), tab)
    texts = [a.text() for a in menu.actions() if not a.isSeparator()]
    assert len(texts) == 2 + 4 + 2 + 3
    assert texts[0] == "Select a&&b"
    menu.actions()[1].trigger()
    assert session.store.study.view.selection == ("c",)
    menu.deleteLater()


@pytest.mark.parametrize("name", ["area_is_share", "colour_by", "per_value"])
def test_each_switch_of_the_menu_turns_and_turns_back(session: Session, tab: RooflineTab, name: str) -> None:
    before = session.store.study.view
    tab.switch(name)
    assert getattr(session.store.study.view, name) != getattr(before, name)
    tab.switch(name)
    assert getattr(session.store.study.view, name) == getattr(before, name)


def test_per_value_moves_the_axis(session: Session, tab: RooflineTab, chart: RooflineChart) -> None:
    title = chart.figure.x_title
    tab.switch("per_value")
    assert chart.figure.x_title != title


def test_the_picture_is_copied_twice_as_fine(tab: RooflineTab, chart: RooflineChart) -> None:
    tab.copy_picture()
    assert QGuiApplication.clipboard().image().width() == 2 * chart.viewport().width()


def test_zoom_back_and_forward_reach_the_study(session: Session, tab: RooflineTab, chart: RooflineChart) -> None:
    assert not tab.can_zoom_back()
    wheel(chart, chart.plot_rect().center(), 2.0)
    chart.settle()
    zoomed = session.store.study.view.x_range
    tab.zoom_back()
    assert session.store.study.view.x_range is None
    assert tab.can_zoom_forward()
    tab.zoom_forward()
    assert session.store.study.view.x_range == zoomed


def test_a_measured_point_above_its_roof_is_shown_not_clipped(session: Session, chart: RooflineChart) -> None:
    entry = session.store.study.hardware[0]
    timed = Measurement(id="m", name="too good", device=entry.id, row="attention", time_s=1e-6)
    session.store.edit("Measure", measurements=(timed,))
    over = next(m for m in chart.figure.marks if m.over)
    assert over.ceiling is not None
    assert over.y > over.ceiling


def test_a_fit_gives_up_pinned_axes_and_zooming_back_has_them_again(
    session: Session, tab: RooflineTab, chart: RooflineChart
) -> None:
    session.store.set_view(x_range=(-1.0, 4.0), y_range=(9.0, 16.0))
    tab.fit()
    assert session.store.study.view.x_range is None
    tab.zoom_back()
    view = session.store.study.view
    assert (view.x_range, view.y_range) == ((-1.0, 4.0), (9.0, 16.0))
    assert chart.visible == (view.x_range, view.y_range)
