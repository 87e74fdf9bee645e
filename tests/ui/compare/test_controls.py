"""The controls above the comparison: each says what the view is, and changes it."""

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.ui.compare.controls import CompareControls, baselines
from explorer.ui.session import Session
from tests.presentation.llama import device, study
from tests.ui.decode_hands import session, shown


def controls(qtbot: QtBot, of: Session, width: int = 1200) -> CompareControls:
    made = CompareControls(of)
    shown(qtbot, of, made, width, 60)
    return made


def test_what_varies_is_the_views_and_a_new_kind_is_not_sorted_by_the_old_ones_figure(qtbot: QtBot) -> None:
    of = session()
    of.store.set_view(compare_sort="-tok")
    made = controls(qtbot, of)
    assert made.vary.buttons["machines"].isChecked()
    made.vary.buttons["formats"].click()
    assert (of.store.study.view.vary, of.store.study.view.compare_sort) == ("formats", "")
    assert made.vary.buttons["formats"].isChecked()
    assert not of.store.dirty


def test_the_baseline_is_the_active_device_until_a_visible_one_is_chosen(qtbot: QtBot) -> None:
    of = session()
    made = controls(qtbot, of)
    second = of.store.study.hardware[1]
    assert (made.baseline.currentData(), made.baseline.currentText()) == ("", "the active device")
    offered = [made.baseline.itemText(i) for i in range(made.baseline.count())]
    assert len(offered) == 1 + len(of.store.study.hardware)
    assert sum("Round" in text for text in offered) == 1
    made.baseline.setCurrentIndex(2)
    made.baseline.activated.emit(2)
    assert of.store.study.view.baseline == second.id
    of.store.put(replace(of.store.study, hardware=(of.store.study.hardware[0], replace(second, visible=False))))
    assert [key for key, _ in baselines(of.state)] == ["", of.store.study.hardware[0].id]
    assert made.baseline.currentData() == ""


def test_models_are_the_choices_where_models_vary(qtbot: QtBot) -> None:
    of = session()
    made = controls(qtbot, of)
    of.store.set_view(vary="models")
    names = [m.name for m in of.store.study.models]
    assert [made.baseline.itemText(i) for i in range(made.baseline.count())] == ["the active model", *names]
    assert made.label.text() == "Baseline"
    of.store.set_view(vary="formats")
    assert made.label.text() == "On"


def test_a_baseline_among_models_leaves_the_device_chosen_before(qtbot: QtBot) -> None:
    of = session()
    made = controls(qtbot, of)
    second, model = of.store.study.hardware[1].id, of.store.study.models[0].id
    made.baseline.activated.emit(2)
    of.store.set_view(vary="models")
    made.baseline.activated.emit(1)
    view = of.store.study.view
    assert (view.baseline, view.baseline_model) == (second, model)
    assert made.baseline.currentData() == model
    of.store.set_view(vary="machines")
    assert made.baseline.currentData() == second


def test_the_legend_says_how_the_small_figures_come_about(qtbot: QtBot) -> None:
    of = session()
    made = controls(qtbot, of)
    assert "value / baseline" in made.legend.accessibleName()
    made.said_as.buttons["difference"].click()
    assert of.store.study.view.compare_as == "difference"
    assert "value − baseline" in made.legend.accessibleName()


def test_controls_go_on_in_a_second_line_and_none_is_cut(qtbot: QtBot) -> None:
    made = controls(qtbot, session(of=study(device("北京智源高性能计算加速卡型号一"), device("Second"))), 560)
    QApplication.processEvents()
    parts = [made.vary, made.baseline, made.said_as]
    assert made.heightForWidth(560) > made.heightForWidth(1400)
    for part in parts:
        left = part.mapTo(made, part.rect().topLeft()).x()
        assert left >= 0
        assert left + part.width() <= 560
    assert made.vary.width() >= made.vary.sizeHint().width()


@pytest.mark.parametrize("width", [640, 1000, 1280])
def test_another_baseline_moves_nothing(qtbot: QtBot, width: int) -> None:
    names = ("A", "昇腾 910B", "A card of a name so long that no box has room for all of it")
    of = session(of=study(*(device(name) for name in names)))
    made = controls(qtbot, of, width)
    places = []
    for i in range(6):
        of.store.set_view(baseline=of.store.study.hardware[i % 3].id)
        QApplication.processEvents()
        parts = (made.vary, made.baseline, made.said_as, made.legend)
        places.append([made.heightForWidth(width), *(part.geometry().getRect() for part in parts)])
    assert all(place == places[0] for place in places)
