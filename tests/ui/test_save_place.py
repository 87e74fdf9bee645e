"""Names that no file can have are said in one sentence, before anything is written."""

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from explorer.ui.documents.name_fault import name_fault
from explorer.ui.documents.save_place import ask_place


@pytest.mark.parametrize("name", ["CON", "nul.roofline.yaml", "com1.yaml", "LPT9", "aux.tar.gz", "COM²"])
def test_windows_keeps_some_names_for_devices(name):
    assert "for a device" in name_fault(name, windows=True)
    assert name_fault(name, windows=False) == ""


@pytest.mark.parametrize("name", ["study.", "study ", "study.yaml. "])
def test_a_name_that_windows_would_shorten_is_refused_there(name):
    assert "dot or a space" in name_fault(name, windows=True)
    assert name_fault(name, windows=False) == ""


@pytest.mark.parametrize("name", ["x" * 300, "é" * 130])
def test_a_name_that_is_too_long_is_refused_everywhere(name):
    for windows in (True, False):
        assert "too long" in name_fault(name, windows=windows)


@pytest.mark.parametrize("name", ["study.roofline.yaml", "console.yaml", "comet1", "auxiliary", "a.con", ".hidden"])
def test_other_names_are_fine(name):
    assert name_fault(name, windows=True) == ""


def test_a_chosen_name_that_cannot_be_is_said_and_nothing_is_written(qtbot, tmp_path, monkeypatch):
    said = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: said.append(box.text()))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / ("x" * 300)), ""))
    parent = QWidget()
    qtbot.addWidget(parent)
    assert ask_place(parent, "", tmp_path / "a.yaml", "", (".yaml",)) is None
    assert len(said) == 1
    assert list(tmp_path.iterdir()) == []
