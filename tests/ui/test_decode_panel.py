import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit, QSlider, QStyleOptionComboBox
from pytestqt.qtbot import QtBot

from explorer.analysis.study.study import OwnRow, Study
from explorer.presentation.answer.answer import answer, plain_text
from explorer.presentation.look import Look
from explorer.presentation.palette import DARK
from explorer.ui.decode.panel import DecodePanel
from explorer.ui.session import Session
from tests.presentation.llama import device, study
from tests.ui.decode_hands import session, shown, without_model

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


PLAIN = (
    OwnRow(id="a", name="product", kind="matmul", dims={"m": 4096.0}),
    OwnRow(id="b", name="norm", kind="layer_norm", dims={"rows": 8192.0}),
)


def panel(qtbot: QtBot, of: Session) -> DecodePanel:
    made = DecodePanel(of)
    shown(qtbot, of, made)
    made.later.finish()
    return made


def test_figures_are_those_of_the_active_device(qtbot: QtBot) -> None:
    of = session()
    made = panel(qtbot, of)
    assert made.tiles["floor_s"].figure == "9.65 ms"
    assert made.tiles["expected_s"].figure == "12–16 ms"
    assert made.tiles["tokens_per_s"].figure == "829 tok/s"
    assert made.tiles["streamed_s"].figure == "9.65 ms"
    of.store.set_view(active_hardware="second")
    assert made.tiles["floor_s"].figure == "4.83 ms"


def test_the_simple_lines_are_those_of_decode_and_not_of_prefill(qtbot: QtBot) -> None:
    of = session()
    made = panel(qtbot, of)
    for phase, there in (("prefill", False), ("decode", True)):
        of.store.edit_workload("Phase", phase=phase)
        assert [not made.tiles[key].isHidden() for key in ("streamed_s", "whole_file_s")] == [there, there]
        assert not made.tiles["floor_s"].isHidden()


def test_a_drag_is_one_undo_step_and_the_next_drag_another(qtbot: QtBot) -> None:
    of = session()
    made = panel(qtbot, of)
    slider, left = made.batch.slider, Qt.MouseButton.LeftButton
    for batches in ((16, 32, 64), (128, 200)):
        at = [QPoint(round(slider.x_of(b)), 8) for b in batches]
        qtbot.mousePress(slider, left, pos=at[0])
        for spot in at[1:]:
            qtbot.mouseMove(slider, spot)
        qtbot.mouseRelease(slider, left, pos=at[-1])
    assert of.store.undo_stack.count() == 2
    of.store.undo_stack.undo()
    assert of.store.study.workload.batch == 64
    of.store.undo_stack.undo()
    assert of.store.study.workload.batch == 8
    assert made.batch.slider.value() == 8


def test_typing_accepts_thousands_and_marks_what_is_no_number(qtbot: QtBot) -> None:
    of = session()
    made = panel(qtbot, of)
    entry = made.context.entry
    entry.selectAll()
    qtbot.keyClicks(entry, "16k")
    qtbot.keyClick(entry, Qt.Key.Key_Return)
    assert of.store.study.workload.context == 16384
    assert entry.text() == "16,384"
    entry.selectAll()
    qtbot.keyClicks(entry, "much")
    qtbot.keyClick(entry, Qt.Key.Key_Return)
    assert of.store.study.workload.context == 16384
    assert made.context.problem.text() == "Type a whole number such as 4096, 4k or 128k."
    assert not made.context.problem.isHidden()
    assert entry.text() == "16,384"
    entry.selectAll()
    qtbot.keyClicks(entry, "2048")
    qtbot.keyClick(entry, Qt.Key.Key_Return)
    assert made.context.problem.isHidden()


@pytest.mark.parametrize("typed", ["0", "-1", "1e9", "abc", "1e99", "9999999"])
@pytest.mark.parametrize("name", ["batch", "context"])
def test_what_is_not_taken_leaves_the_figure_in_the_field_and_says_why(qtbot: QtBot, name: str, typed: str) -> None:
    of = session()
    made = panel(qtbot, of)
    control = getattr(made, name)
    before = control.entry.text()
    control.entry.selectAll()
    qtbot.keyClicks(control.entry, typed)
    qtbot.keyClick(control.entry, Qt.Key.Key_Return)
    assert control.entry.text() == before
    assert control.problem.text().startswith("Type a ")
    assert not control.problem.isHidden()


def test_a_batch_is_typed_as_a_context_is_up_to_the_limit_of_a_study(qtbot: QtBot) -> None:
    of = session()
    made = panel(qtbot, of)
    entry = made.batch.entry
    for typed, meant in (("16k", 16384), ("1000000", 1_000_000)):
        entry.selectAll()
        qtbot.keyClicks(entry, typed)
        qtbot.keyClick(entry, Qt.Key.Key_Return)
        assert of.store.study.workload.batch == meant
        assert entry.text() == f"{meant:,}"


def test_buttons_and_menu_double_and_halve(qtbot: QtBot) -> None:
    of = session()
    made = panel(qtbot, of)
    qtbot.mouseClick(made.batch.double, Qt.MouseButton.LeftButton)
    assert of.store.study.workload.batch == 16
    made.scale_batch(0.5)
    made.scale_context(2.0)
    assert (of.store.study.workload.batch, of.store.study.workload.context) == (8, 8192)
    assert of.store.undo_stack.count() == 3


def test_the_batch_slider_carries_the_knees_and_the_memory_wall(qtbot: QtBot) -> None:
    made = panel(qtbot, session())
    marks = {m.text: m for m in made.batch.slider.marks}
    assert marks["full"].wall
    assert marks["full"].value == 119
    assert round(marks["KV half"].value) == 28
    assert round(marks["knee"].value) == 14


def test_the_context_slider_ends_at_the_models_context_and_marks_what_fits(qtbot: QtBot) -> None:
    of = session()
    made = panel(qtbot, of)
    assert made.context.slider.maximum() == 131072
    (mark,) = made.context.slider.marks
    assert mark.wall
    before = mark.value
    of.store.edit_workload("Batch", batch=16)
    (mark,) = made.context.slider.marks
    assert abs(mark.value - before / 2) <= 1


def test_formats_begin_with_the_models_own_and_are_undo_steps(qtbot: QtBot) -> None:
    of = session()
    made = panel(qtbot, of)
    combo = made.weights.combo
    assert combo.itemText(0) == "as the model: bf16"
    index = combo.findData("int8")
    combo.setCurrentIndex(index)
    combo.activated.emit(index)
    assert of.store.study.workload.weights == "int8"
    combo.activated.emit(0)
    assert of.store.study.workload.weights is None
    of.store.undo_stack.undo()
    assert combo.currentData() == "int8"


def test_weights_may_be_a_mix_and_keys_and_values_may_not(qtbot: QtBot) -> None:
    of = session()
    made = panel(qtbot, of)
    weights, kv = made.weights.combo, made.kv.combo
    assert {weights.findData(name) >= 0 for name in ("Q4_K_M", "IQ2_XXS", "MXFP4_MOE", "Q8_0")} == {True}
    assert kv.findData("Q4_K_M") == -1
    weights.activated.emit(weights.findData("Q4_K_M"))
    assert of.state.evaluation.model is not None
    assert of.state.evaluation.model.stored is not None
    assert weights.currentData() == "Q4_K_M"
    assert weights.itemText(0) == "as the model: bf16"


def test_a_mix_that_the_list_lacks_is_shown_all_the_same(qtbot: QtBot) -> None:
    of = session()
    made = panel(qtbot, of)
    of.store.edit_workload("Weights", weights="UD-Q4_K_XL")
    assert made.weights.combo.currentData() == "UD-Q4_K_XL"


def test_further_options_edit_the_workload(qtbot: QtBot) -> None:
    of = session()
    made = panel(qtbot, of)
    made.more.fold.click()
    assert made.more.isVisible()
    made.more.launch.activated.emit(1)
    made.more.counting.activated.emit(1)
    made.more.logits.activated.emit(1)
    made.more.reserve.setValue(2.5)
    made.more.low.setValue(50)
    made.more.knee.setValue(1.2)
    work = of.store.study.workload
    assert (work.launch, work.attention_count, work.logits, work.reserve) == ("eager", "full", "all", 2.5e9)
    assert (work.expected, work.knee_factor) == ((0.5, 0.8), 1.2)
    assert of.store.undo_stack.count() == 6


def test_the_reserve_is_typed_in_the_unit_of_all_sizes(qtbot: QtBot) -> None:
    of = session()
    made = panel(qtbot, of)
    made.more.fold.click()
    made.more.reserve.setValue(2.0)
    of.set_look(Look(unit="GiB"))
    assert (made.more.reserve.suffix(), made.more.reserve.value()) == (" GiB", 1.9)
    assert of.store.study.workload.reserve == 2e9  # shown in another unit, it is what it was
    made.more.reserve.setValue(4.0)
    assert of.store.study.workload.reserve == 4 * 2.0**30


def test_the_title_follows_the_phase(qtbot: QtBot) -> None:
    of = session()
    made = panel(qtbot, of)
    assert (made.title.text(), made.context.label.text()) == ("Decode", "Context, tokens")
    of.store.edit_workload("Prefill", phase="prefill")
    assert (made.title.text(), made.context.label.text()) == ("Prefill", "Prompt, tokens")
    assert made.batch.slider.marks == ()


def test_a_batch_step_moves_the_points_and_keeps_the_curves(qtbot: QtBot) -> None:
    of = session()
    made = panel(qtbot, of)
    chart = made.plots[0].chart
    of.store.edit_workload("Batch", batch=16)
    assert not made.plots[0].stale
    assert made.plots[0].chart is chart
    assert {s.x for s in made.plots[0].spots} == {4.0}


def test_curves_of_another_context_are_shaded_until_they_are_swept(qtbot: QtBot) -> None:
    of = session()
    made = panel(qtbot, of)
    chart = made.plots[0].chart
    of.store.edit_workload("Context", context=8192)
    assert made.plots[0].stale
    qtbot.waitUntil(lambda: not made.plots[0].stale)
    assert made.plots[0].chart is not chart


def test_a_click_on_a_figure_asks_how_it_comes_about(qtbot: QtBot) -> None:
    made = panel(qtbot, session())
    with qtbot.waitSignal(made.explain_requested) as asked:
        qtbot.mouseClick(made.tiles["floor_s"], Qt.MouseButton.LeftButton)
    assert asked.args == ["floor_s"]
    with qtbot.waitSignal(made.explain_requested) as asked:
        qtbot.mouseClick(made.memory, Qt.MouseButton.LeftButton)
    assert asked.args == ["memory_bytes"]


def test_without_model_or_device_nothing_is_shown_that_is_not_known(qtbot: QtBot) -> None:
    of = session()
    made = panel(qtbot, of)
    of.store.replace(without_model(study()), "No model")
    assert made.memory.isHidden()
    assert made.plots[0].isHidden()
    assert made.tiles["tokens_per_s"].figure == "–"
    of.store.replace(Study(), "Nothing")
    assert made.tiles["floor_s"].figure == "–"


def test_plain_operators_show_their_sum_in_place_of_what_a_model_decides(qtbot: QtBot) -> None:
    of = session()
    made = panel(qtbot, of)
    assert made.tiles["time_s"].isHidden()
    of.store.replace(without_model(study()), "No model")
    hidden = (made.batch, made.context, made.tiles["tokens_per_s"], made.tiles["streamed_s"])
    assert all(part.isHidden() for part in hidden)
    assert made.tiles["time_s"].isVisible()
    assert made.title.text() == "Operators"
    of.store.undo_stack.undo()
    assert made.batch.isVisible()


def test_the_first_tile_says_what_the_answer_says(qtbot: QtBot) -> None:
    of = session()
    made = panel(qtbot, of)

    def first() -> str:
        made.widget().layout().activate()
        seen = [t for t in made.tiles.values() if t.isVisible() and t.x() < made.width() // 4]
        return min(seen, key=lambda t: t.y()).figure

    assert first() in plain_text(answer(of.state.evaluation))
    of.store.replace(replace(without_model(study()), operators=PLAIN), "No model")
    assert first() == made.tiles["time_s"].figure != made.tiles["floor_s"].figure
    assert first() in plain_text(answer(of.state.evaluation))
    of.store.undo_stack.undo()
    assert first() == made.tiles["floor_s"].figure


def test_a_closed_list_of_formats_shows_the_format_alone(qtbot: QtBot) -> None:
    made = panel(qtbot, session())
    option = QStyleOptionComboBox()
    made.weights.combo.initStyleOption(option)
    assert option.currentText == "bf16"


def test_both_curves_and_the_simple_lines_are_in_sight_at_the_usual_height(qtbot: QtBot) -> None:
    of = session()
    made = DecodePanel(of)
    shown(qtbot, of, made, 348, 490)
    made.later.finish()
    assert made.verticalScrollBar().maximum() == 0
    first, second = made.plots
    assert first.geometry().top() == second.geometry().top()


def test_a_study_beyond_the_sliders_ends_is_shown_as_it_is(qtbot: QtBot) -> None:
    made = panel(qtbot, session(of=study(batch=9000, context=200_000)))
    assert made.batch.entry.text() == "9,000"
    assert made.context.slider.value() == 200_000


def test_it_draws_in_both_themes_and_where_nothing_fits(qtbot: QtBot) -> None:
    of = session(of=study(device(capacity=1e9), batch=4096))
    made = panel(qtbot, of)
    light = made.grab().toImage()
    of.set_look(Look(DARK))
    made.later.finish()
    assert made.grab().toImage() != light


def test_hiding_the_only_device_leaves_no_curve(qtbot: QtBot) -> None:
    of = session(of=study())
    made = panel(qtbot, of)
    (entry,) = of.store.study.hardware
    of.store.edit("Hide", hardware=(replace(entry, visible=False),))
    made.later.finish()
    assert made.plots[0].isHidden()


def test_every_input_has_a_name(qtbot: QtBot) -> None:
    made = panel(qtbot, session())
    for kind in (QLineEdit, QComboBox, QSlider, QAbstractSpinBox, QAbstractButton):
        for widget in made.findChildren(kind):
            inside = isinstance(widget.parent(), QAbstractSpinBox)  # a spin box speaks for its own field
            named = widget.accessibleName() or (isinstance(widget, QAbstractButton) and widget.text())
            assert named or inside or widget.objectName().startswith("qt_"), widget


def test_tiles_of_work_that_was_refused_are_blank(qtbot: QtBot) -> None:
    of = session()
    made = panel(qtbot, of)
    models = of.store.study.models
    of.store.edit("Config", models=(replace(models[0], config={"model_type": "nosuch"}),))
    assert of.state.evaluation.active is not None
    assert {tile.figure for tile in made.tiles.values()} == {"–"}
