"""The bar of sentences: an offer stays, messages do not push each other away unread."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from explorer.ui.widgets import notice as notice_module
from explorer.ui.widgets.notice import MOST, Notice


@pytest.fixture
def notice(qtbot):
    made = Notice()
    qtbot.addWidget(made)
    return made


def test_an_offer_stays_below_what_is_said_after_it_until_it_is_taken(notice):
    taken = []
    notice.offer("edits", "Recover", lambda: taken.append(1))
    for i in range(9):
        notice.say(f"message {i}")
    assert notice.sentences[-1] == "edits"
    assert notice.action.text() == "Recover"
    notice.action.click()
    assert taken == [1]
    assert "edits" not in notice.sentences


def test_an_offer_that_was_not_taken_up_stays(notice):
    notice.offer("edits", "Recover", lambda: False)
    notice.action.click()
    assert notice.sentences == ["edits"]


def test_dismissing_an_offer_tells_and_may_make_another(notice):
    notice.offer("first", "Recover", lambda: None, lambda: notice.offer("second", "Recover", lambda: None))
    notice._offer.closing.click()
    assert notice.sentences == ["second"]
    assert notice.isVisibleTo(None)


def test_sentences_said_at_once_are_all_there_and_never_too_many(notice):
    for i in range(10):
        notice.say(f"message {i}")
    assert notice.sentences == [f"message {i}" for i in range(9, 9 - MOST, -1)]
    assert notice.label.text() == "message 9"


def test_a_sentence_that_was_there_long_enough_gives_way(notice, monkeypatch):
    notice.say("old")
    monkeypatch.setattr(notice_module, "UNREAD_S", -1.0)
    notice.say("new")
    assert notice.sentences == ["new"]


def test_the_same_sentence_stands_once(notice):
    notice.say("a")
    notice.say("b")
    notice.say("a")
    assert notice.sentences == ["a", "b"]


def test_a_sentence_is_taken_back_and_the_last_one_closes_the_bar(notice):
    notice.say("a")
    notice.say("b")
    notice.unsay("b")
    assert notice.sentences == ["a"]
    notice.unsay("a")
    notice.unsay("never said")
    assert not notice.isVisibleTo(None)
    notice.say("c")
    assert (notice.label.text(), notice.isVisibleTo(None)) == ("c", True)


def test_tags_in_a_sentence_are_shown_as_they_are(notice):
    from PySide6.QtCore import Qt

    notice.say("<b>x</b>")
    assert notice.label.textFormat() == Qt.TextFormat.PlainText


@pytest.fixture
def over(qtbot):
    """A window with a field at its head and one at its foot, and a notice that floats over both."""
    window = QWidget()
    qtbot.addWidget(window)
    box = QVBoxLayout(window)
    window.head, window.foot = QLineEdit(window), QLineEdit(window)
    box.addWidget(window.head)
    box.addStretch(1)
    box.addWidget(window.foot)
    floating = Notice(window)
    window.resize(700, 500)
    window.show()
    floating.float_over(window)
    return window, floating


def test_what_is_said_moves_nothing_and_stands_within_its_panel(over):
    window, notice = over
    before = [window.head.geometry(), window.foot.geometry()]
    for i in range(3):
        notice.say(f"message {i} " + "that goes on for a long while " * 6)
    assert [window.head.geometry(), window.foot.geometry()] == before
    assert window.rect().contains(notice.geometry())
    assert notice.height() >= notice._box.heightForWidth(notice.width())


def test_what_is_said_leaves_the_axis_at_the_foot_of_a_chart_free(over):
    window, notice = over
    notice.say("one")
    assert notice.geometry().bottom() <= window.height() - 4 * notice.fontMetrics().height()
    assert notice.geometry().center().y() > window.height() / 2


def test_what_is_said_covers_no_field_that_is_in_use(over, qtbot):
    window, notice = over
    window.foot.setFocus()
    notice.say("one")
    assert not notice.geometry().intersects(window.foot.geometry())
    window.head.setFocus()
    notice.say("two")
    assert not notice.geometry().intersects(window.head.geometry())


def test_the_keyboard_reaches_a_sentence_closes_it_and_goes_back(over, qtbot):
    window, notice = over
    window.head.setFocus()
    notice.say("one")
    notice.take_keyboard()
    assert notice.isAncestorOf(window.focusWidget())
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    assert notice.sentences == []
    assert window.focusWidget() is window.head
