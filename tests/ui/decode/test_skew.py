"""The skew of a mixture's routing: seen where there are experts, dragged as one step, undone, saved, and told."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from explorer.analysis.study.study import Study
from explorer.files.study.study import study_from_text, study_to_text
from explorer.ui.decode.panel import DecodePanel
from explorer.ui.session import Session
from tests.presentation.llama import CONFIG, study
from tests.ui.decode_hands import session, shown

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
EXPERTS = {**CONFIG, "model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 2}


def mixture(**work: object) -> Study:
    base = study(**work)  # type: ignore[arg-type]
    return replace(base, models=(replace(base.models[0], config=EXPERTS), replace(base.models[0], id="dense")))


def panel(qtbot: QtBot, of: Session) -> DecodePanel:
    made = DecodePanel(of)
    shown(qtbot, of, made)
    made.later.finish()
    return made


def opened(qtbot: QtBot, **work: object) -> tuple[Session, DecodePanel]:
    of = session()
    of.store.put(mixture(**work))
    return of, panel(qtbot, of)


def test_the_slider_is_there_for_models_with_experts_alone(qtbot: QtBot) -> None:
    of, made = opened(qtbot)
    assert not made.skew.isHidden()
    assert not made.tiles["routed_s"].isHidden()
    of.store.put(replace(of.store.study, active_model="dense"))
    assert made.skew.isHidden()
    assert made.tiles["routed_s"].isHidden()


def test_a_drag_is_one_undo_step_and_moves_what_is_shown(qtbot: QtBot) -> None:
    of, made = opened(qtbot, batch=8)
    least, random = made.tiles["floor_s"].figure, made.tiles["routed_s"].figure
    assert (made.skew.value.text(), least != random) == ("0 %", True)
    slider, left = made.skew.slider, Qt.MouseButton.LeftButton
    places = [QPoint(round(slider.x_of(p)), 8) for p in (20, 60, 100)]
    qtbot.mousePress(slider, left, pos=places[0])
    for place in places[1:]:
        qtbot.mouseMove(slider, place)
    qtbot.mouseRelease(slider, left, pos=places[-1])
    assert of.store.study.workload.skew == 1.0
    assert made.skew.value.text() == "100 %"
    assert made.tiles["routed_s"].figure == made.tiles["floor_s"].figure == least
    of.store.undo_stack.undo()
    assert of.store.study.workload.skew == 0.0
    assert made.tiles["routed_s"].figure == random
    assert made.skew.slider.value() == 0


def test_tiles_and_curves_say_how_experts_are_chosen_and_nothing_is_cut(qtbot: QtBot) -> None:
    of, made = opened(qtbot, batch=8)
    for skew, said in ((0.0, "random"), (0.5, "skew 50 %")):
        of.store.edit_workload("Skew", skew=skew)
        made.later.finish()
        for key in ("routed_s", "tokens_per_s", "tokens_per_s_per_request"):
            tile = made.tiles[key]
            assert said in tile.accessibleName()
            small = tile._faces.of(tile.font()).first.font
            assert QFontMetricsF(small).horizontalAdvance(tile.accessibleName()) <= tile.width() - 16
        assert all(plot.chart is not None and plot.chart.title.endswith(said) for plot in made.plots)


def test_the_keys_of_a_slider_move_it(qtbot: QtBot) -> None:
    of, made = opened(qtbot)
    for key, skew in (
        (Qt.Key.Key_Right, 0.01), (Qt.Key.Key_PageUp, 0.11), (Qt.Key.Key_End, 1.0), (Qt.Key.Key_PageDown, 0.9),
        (Qt.Key.Key_Home, 0.0),
    ):  # fmt: skip
        qtbot.keyClick(made.skew.slider, key)
        assert of.store.study.workload.skew == pytest.approx(skew)


def test_a_skew_is_saved_and_a_study_without_one_stays_as_it_was() -> None:
    text = study_to_text(mixture(skew=0.25))
    assert "skew: 0.25" in text
    assert study_from_text(text).workload.skew == 0.25
    assert "skew" not in study_to_text(mixture())
