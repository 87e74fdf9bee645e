import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QRect
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from explorer.analysis.ask import levers
from explorer.analysis.ask.levers import Lever
from explorer.analysis.study.variant import SetBatch
from explorer.document.store import StudyStore
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.presentation.words import messages
from explorer.ui.answer_bar import AnswerBar
from explorer.ui.session import Session
from explorer.ui.widgets import rich_line
from explorer.ui.widgets.chip import Chip
from explorer.ui.widgets.rich_line import RichLine, runs_of
from tests.ui.decode_hands import as_panel, session, shown, without_model

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


def bar(qtbot: QtBot, of: Session, width: int = 1600) -> AnswerBar:
    made = AnswerBar(of)
    shown(qtbot, of, made, width, 60)
    made.later.finish()
    return made


def test_the_answer_stands_in_words_and_follows_the_study(qtbot: QtBot) -> None:
    of = session()
    made = bar(qtbot, of)
    assert made.line.plain_text.startswith("Waiting for memory on both devices.")
    of.store.edit_workload("Batch", batch=1)
    assert "at most" in made.line.plain_text


def test_bold_parts_are_marked_and_nothing_else() -> None:
    assert runs_of("<b>Yes.</b> 5 < 6 ms") == (("Yes.", True), (" 5 < 6 ms", False))


@pytest.mark.parametrize("name", ["<b>X", "</b>R&D &amp;", "<img src='/dev/stdin'>", "{x} %1"])
def test_marks_in_the_name_of_a_device_are_words(qtbot: QtBot, name: str) -> None:
    of = session()
    entries = tuple(replace(e, device=replace(e.device, name=name, short=name)) for e in of.store.study.hardware)
    of.store.edit("Rename", hardware=entries)
    made = bar(qtbot, of)
    assert f"On {name} " in made.line.plain_text
    assert f"On {name} " in made.line.accessibleName()


def test_levers_follow_after_the_paint_and_are_shaded_until_then(qtbot: QtBot) -> None:
    of = session()
    made = bar(qtbot, of)
    chip = made.chips["lever.bandwidth2"]
    assert chip.accessibleName() == "2× bandwidth 2.00×"
    of.store.edit_workload("Batch", batch=512)
    assert chip.stale
    qtbot.waitUntil(lambda: not chip.stale)


def test_levers_are_as_wide_as_their_words_the_moment_they_are_shown(qtbot: QtBot) -> None:
    made = AnswerBar(session())
    qtbot.addWidget(made)
    made.resize(1200, 40)
    made.show()
    made._session.attach(as_panel(made))
    made.later.finish()
    shown_chips = [chip for chip in made.chips.values() if chip.isVisible()]
    assert shown_chips
    assert [chip.width() for chip in shown_chips] == [chip.sizeHint().width() for chip in shown_chips]


def test_formats_are_applied_as_one_undo_step_each(qtbot: QtBot) -> None:
    of = session()
    made = bar(qtbot, of)
    made.chips["lever.weights8"].click()
    made.chips["lever.kv8"].click()
    assert (of.store.study.workload.weights, of.store.study.workload.kv) == ("int8", "fp8")
    made.later.finish()
    assert made.chips["lever.weights8"].isHidden()
    of.store.undo_stack.undo()
    of.store.undo_stack.undo()
    made.later.finish()
    assert of.store.study.workload.weights is None
    assert not made.chips["lever.weights8"].isHidden()


def test_a_faster_device_is_put_beside_the_active_one(qtbot: QtBot) -> None:
    of = session()
    made = bar(qtbot, of)
    made.chips["lever.bandwidth2"].click()
    added = of.store.study.hardware[-1]
    assert (added.device.name, added.visible) == ("Round accelerator, 2× bandwidth", True)
    assert added.device.bandwidth == 4e12
    assert "twice the figure of Round accelerator" in {s.title for s in added.device.sources.values()}
    of.store.undo_stack.undo()
    assert len(of.store.study.hardware) == 2


def test_where_it_does_not_fit_as_many_devices_as_hold_it_are_one_click(qtbot: QtBot) -> None:
    of = session()
    first, second = of.store.study.hardware
    level = first.device.memory[0]
    small = replace(first, device=replace(first.device, memory=(replace(level, capacity=8e9),)))
    of.store.edit("Smaller", hardware=(small, second))
    made = bar(qtbot, of)
    chip = made.chips["lever.devices"]
    assert (chip.isVisible(), chip.accessibleName()) == (True, "3 devices have room")
    chip.click()
    assert [e.count for e in of.store.study.hardware] == [3, 1]
    assert of.store.undo_stack.undoText() == "3 devices"
    made.later.finish()
    assert chip.isHidden()


def test_the_same_faster_device_is_never_added_twice(qtbot: QtBot) -> None:
    of = session()
    made = bar(qtbot, of)
    made.pull("lever.compute2")
    made.pull("lever.compute2")
    assert len(of.store.study.hardware) == 3


def test_a_lever_of_anyone_is_shown_with_its_gain_and_makes_its_edit(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = Lever("lever.one", lambda _evaluation, _result: iter((SetBatch(batch=1),)))
    monkeypatch.setattr(levers, "LEVERS", (*levers.LEVERS, one))
    words = {"lever.one": "one at a time {gain}", "lever.one.change": "One request", "lever.one.tip": "A tip"}
    monkeypatch.setattr(messages, "TEMPLATES", {**messages.TEMPLATES, **words})
    of = session()
    made = bar(qtbot, of)
    chip = made.chips["lever.one"]
    assert chip.accessibleName().startswith("one at a time ")
    assert chip.toolTip() == "A tip\nOf no use here: 2× compute."
    assert made.chips["lever.compute2"].isHidden()
    chip.click()
    assert of.store.study.workload.batch == 1
    assert of.store.undo_stack.undoText() == "One request"


def test_without_a_model_only_rates_can_be_levers(qtbot: QtBot) -> None:
    of = session()
    made = bar(qtbot, of)
    of.store.replace(without_model(of.store.study), "No model")
    made.later.finish()
    assert made.chips["lever.weights8"].isHidden()


LONG = (
    "<b>Waiting for memory</b> on all three, of which two have launches that are unknown. "
    "On Vera-Rubin-NVL144-CPX 288GB a step takes at least <b>5.76 ms</b>: "
    "at most <b>174 tokens/s</b> per request, 1,388 in all. <b>It does not fit</b>."
)


def test_one_word_and_a_long_answer_take_the_same_room(qtbot: QtBot) -> None:
    line = RichLine()
    qtbot.addWidget(line)
    heights = set()
    for text in ("Yes.", LONG):
        for width in (300, 560, 1600):
            line.show_text(text)
            line.resize(width, 50)
            heights |= {line.sizeHint().height(), line.minimumSizeHint().height()}
    assert len(heights) == 1


@pytest.mark.parametrize("width", [520, 560, 640, 800, 1100])
def test_a_long_answer_in_a_narrow_window_keeps_every_figure_and_its_last_words(qtbot: QtBot, width: int) -> None:
    line = RichLine()
    qtbot.addWidget(line)
    line.show_text(LONG)
    line.resize(width, line.sizeHint().height())
    told = " ".join("".join(word for _, word, _ in words).strip() for words in line.lines)
    for kept in ("launches that are unknown", "5.76 ms", "174 tokens/s", "1,388 in all", "It does not fit."):
        assert kept in told


def test_a_name_is_shortened_before_a_figure(qtbot: QtBot) -> None:
    line = RichLine()
    qtbot.addWidget(line)
    line.show_text(f"On {'Long-name-of-a-device-' * 9} a step takes at least <b>5.76 ms</b>. It does not fit.")
    line.resize(300, line.sizeHint().height())
    told = " ".join("".join(word for _, word, _ in words).strip() for words in line.lines)
    assert "…" in told
    assert told.endswith("a step takes at least 5.76 ms. It does not fit.")
    assert line.toolTip().startswith("On Long-name-of-a-device-Long")


def test_words_without_spaces_between_them_break_too(qtbot: QtBot) -> None:
    line = RichLine()
    qtbot.addWidget(line)
    line.show_text("三台设备都在等待内存。在第一台上每一步至少需要 <b>5.76 ms</b>：每个请求最多每秒一百七十四个词元。")
    line.resize(400, line.sizeHint().height())
    assert len(line.lines) == 2
    assert "…" not in "".join(word for words in line.lines for _, word, _ in words)


def test_levers_that_have_no_room_stand_in_a_menu_and_are_never_cut(qtbot: QtBot) -> None:
    made = bar(qtbot, session(), width=640)
    offered, in_menu = made.row.offered, made.row.in_menu
    assert in_menu
    assert made.row.more.isVisible()
    for chip in (*offered, made.row.more):
        if chip not in in_menu:
            assert chip.width() == chip.sizeHint().width()
            assert made.row.rect().contains(chip.geometry())
    menu = QMenu(made)
    made.row.fill(menu)
    assert [a.text() for a in menu.actions()] == [chip.accessibleName() for chip in in_menu]
    count = len(made._session.store.study.hardware)
    last = menu.actions()[-1]
    assert last.text().startswith("2× ")
    last.trigger()
    assert len(made._session.store.study.hardware) == count + 1


def test_two_lines_break_where_a_sentence_ends(qtbot: QtBot) -> None:
    line = RichLine()
    qtbot.addWidget(line)
    line.show()
    line.show_text("<b>Waiting for memory</b> on all three. On one a step takes <b>5.76 ms</b>: at most 174 in all.")
    line.resize(430, 60)
    assert ["".join(w for _, w, _ in words).strip() for words in line.lines] == [
        "Waiting for memory on all three.",
        "On one a step takes 5.76 ms: at most 174 in all.",
    ]


def test_a_number_never_leaves_its_unit(qtbot: QtBot) -> None:
    line = RichLine()
    qtbot.addWidget(line)
    line.show()
    line.show_text("A step takes at least <b>5.76 ms</b> and then some words follow here")
    for width in range(120, 420, 7):
        line.resize(width, 60)
        assert not any("".join(w for _, w, _ in words).rstrip().endswith("5.76") for words in line.lines)


def test_selecting_an_operator_leaves_the_answer_alone(qtbot: QtBot) -> None:
    of = session()
    made = bar(qtbot, of)
    of.store.set_view(selection=("up_proj",))
    assert not made.chips["lever.bandwidth2"].stale


def test_a_chip_keeps_its_width_while_its_figure_changes(qtbot: QtBot) -> None:
    chip = Chip()
    qtbot.addWidget(chip)
    chip.show_text("8-bit weights <b>1.56×</b>")
    width = chip.sizeHint().width()
    chip.show_text("8-bit weights <b>1.11×</b>")
    assert chip.sizeHint().width() == width


def test_the_tip_of_the_answer_names_the_operators_whose_verdict_flips(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(rich_line, "show_tip", lambda _at, text, _on: told.append(text))
    of = Session(StudyStore(opening_study()), load_catalogue())
    made = bar(qtbot, of)

    def point() -> None:
        made.line.event(QHelpEvent(QEvent.Type.ToolTip, QPoint(5, 5), QPoint(5, 5)))

    point()
    assert told == []
    of.store.edit_workload("Work", batch=256, context=1024)
    point()
    answered, flips = told[0].split("\n")
    assert answered == made.line.plain_text
    assert flips.startswith("Verdicts that flip, 8 of 17: q, k, v, o, gate, up, down, lm_head: ")
    assert flips.endswith(": memory on H100, MI300X, compute on A100")


def test_where_nothing_helps_the_tip_of_the_answer_lists_what_was_tried(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levers, "LEVERS", tuple(x for x in levers.LEVERS if x.code == "lever.compute2"))
    made = bar(qtbot, session())
    assert made.row.offered == ()
    assert made.line.more().endswith("Of no use here: 2× compute.")


@pytest.mark.parametrize("face", ["Inter", "DejaVu Sans", "Noto Sans CJK SC"])
@pytest.mark.parametrize("width", [1008, 1264, 1584, 2544])
def test_levers_and_words_are_whole_in_every_face_and_window(qtbot: QtBot, face: str, width: int) -> None:
    made = AnswerBar(session())
    font = made.font()
    font.setFamilies([face])
    made.setFont(font)
    shown(qtbot, made._session, made, width, 60)
    made.later.finish()
    QApplication.processEvents()
    standing = [chip for chip in (*made.chips.values(), made.row.more) if chip.isVisible()]
    assert standing
    for chip in standing:
        assert chip.width() >= chip.sizeHint().width()
        assert made.rect().contains(QRect(chip.mapTo(made, QPoint()), chip.size()))
    assert {*standing, *made.row.in_menu} - {made.row.more} == set(made.row.offered)
    told = " ".join("".join(word for _, word, _ in line).strip() for line in made.line.lines)
    assert told == made.line.plain_text.strip()
    assert not made.line.geometry().intersects(made.row.geometry())
