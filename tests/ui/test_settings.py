"""A settings file is a stranger's file: what cannot be is passed over and named, and never stops the start."""

import os
import shutil
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QSettings
from PySide6.QtWidgets import QMessageBox

from explorer.app import make_window, say_what_settings_lack
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.ui.dialogs import Preferences
from explorer.ui.frame.places import on_a_screen
from explorer.ui.look import theme
from explorer.ui.settings import Settings, data_folder

posix = pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="settings are no file of ours there")


def written(text: str) -> Path:
    """The settings file of this test, with a text."""
    path = Path(QSettings().fileName())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def started(qapp, qtbot):
    """A way to start the window with the given settings; the windows live as long as the test."""
    windows = []

    def start(settings: Settings):
        window = make_window(opening_study(), settings)
        windows.append(window)
        window.show()
        qtbot.waitExposed(window)
        window.take_catalogue(load_catalogue(devices=False))
        say_what_settings_lack(window)
        return window

    return start


BAD = {
    "files/hardware_folder": (
        r"a\0b", "relative/folder", "/dev/null", "/dev/stdin", "@Rect(1 2 3 4)", "a, b", "/" + "x" * 5000,
    ),
    "files/folder": (r"a\0b", "here", "@ByteArray(x)", "/" + "x/" * 5000),
    "files/recent": (r"a\0b", "@Rect(1 2 3 4)", r"/a, b\0c", "/" + "x/" * 5000),
    "look/theme": ("pink", "light, dark", "@ByteArray(light)", r"\0"),
    "look/capacity_unit": ("TB", "1"),
    "look/language": ("../../evil", "klingon!", "a, b", "xx"),
    "measure/python": (r"a\0b", r"a\nb", "x, y"),
    "measure/host": ("-oProxyCommand=x", r"a\nb"),
    "window/geometry": ("text", "@Rect(1 2 3 4)", "3"),
    "window/outer": ("text",),
}  # fmt: skip


@posix
@pytest.mark.parametrize(("key", "value"), [(k, v) for k, values in BAD.items() for v in values])
def test_a_value_that_cannot_be_is_passed_over_and_named(started, key, value):
    part, name = key.split("/")
    quoted = value if value.startswith("@") or ", " in value else f'"{value}"'
    written(f"[{part}]\n{name}={quoted}\n")
    window = started(Settings())
    assert window.settings.ignored == {key}
    [sentence] = window.notice.sentences
    assert sentence.startswith(f"Settings that cannot be used are left out: {key} (in ")
    assert window.settings.hardware_folder == data_folder() / "hardware"
    assert window.settings.theme == "system"


@posix
def test_good_settings_are_said_nothing_of(started, tmp_path):
    settings = Settings()
    settings.theme, settings.capacity_unit, settings.language = "dark", "GiB", "en"
    settings.hardware_folder, settings.folder = tmp_path / "new", tmp_path
    settings.add_recent(tmp_path / "a, b.yaml")
    settings.measure_python, settings.measure_host = "/usr/bin/python3", "gpu-box"
    window = started(Settings())
    window.close()
    again = started(Settings())
    assert again.notice.sentences == []
    assert again.settings.recent == (tmp_path / "a, b.yaml",)
    assert again.settings.hardware_folder == tmp_path / "new"
    Settings().clear_recent()
    assert Settings().recent == ()


@posix
def test_a_bad_value_no_longer_counts_once_it_is_set_anew(qapp, tmp_path):
    written('[files]\nhardware_folder="a\\0b"\n')
    settings = Settings()
    assert settings.hardware_folder == data_folder() / "hardware"
    settings.hardware_folder = tmp_path
    assert (settings.hardware_folder, settings.ignored) == (tmp_path, set())


@posix
@pytest.mark.parametrize("text", ["[files\n====\n", "\0\0\0", "[look]\ntheme", "[" * 10_000])
def test_garbage_never_stops_the_start(started, text):
    written(text)
    assert started(Settings()).isVisible()


@posix
def test_a_damaged_file_is_said(started):
    written("[files\n====\n")
    assert "are damaged" in started(Settings()).notice.label.text()


@posix
@pytest.mark.parametrize("kind", ["folder", "pipe", "device"])
def test_something_else_in_the_files_place_is_left_alone_and_said(started, tmp_path, kind):
    path = Path(QSettings().fileName())
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    before = path.stat()
    settings = Settings()
    settings.theme = "dark"
    window = started(settings)
    assert f"Changes of settings will not be kept: {path}" in window.notice.label.text()
    assert settings.theme == "dark"
    assert window.close()
    QCoreApplication.processEvents()
    assert (path.stat().st_mode, path.stat().st_ino) == (before.st_mode, before.st_ino)


@posix
def test_a_window_is_never_restored_where_no_hand_can_reach_it(qapp, qtbot):
    far = make_window(opening_study(), Settings())
    far.move(50_000, 50_000)
    far.resize(1200, 700)
    settings = Settings()
    settings.set_layout("geometry", far.saveGeometry())
    window = make_window(opening_study(), settings)
    window.show()
    assert on_a_screen(window)


@pytest.mark.skipif(sys.platform == "win32", reason="no such pipes there")
def test_pipes_in_the_hardware_folder_and_among_recent_files_make_nobody_wait(started, qtbot, tmp_path):
    folder = tmp_path / "hardware"
    folder.mkdir()
    os.mkfifo(folder / "pipe.yaml")
    (folder / "endless.yaml").symlink_to("/dev/zero")
    settings = Settings()
    settings.hardware_folder = folder
    settings.add_recent(folder / "pipe.yaml")
    window = started(settings)
    window.take_catalogue(load_catalogue())
    qtbot.waitUntil(lambda: any("pipe.yaml" in s or "endless" in s for s in window.notice.sentences))
    assert not window.documents.open(settings.recent[0])
    assert "not a plain file" in window.notice.label.text()


@posix
def test_the_handed_settings_file_is_ignored_and_said(started, shared):
    source = shared / "cases" / "hostile" / "settings-nul-folder.conf"
    if not source.exists():
        pytest.skip("not among the cases here")
    path = Path(QSettings().fileName())
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, path)
    window = started(Settings())
    assert "files/hardware_folder" in window.notice.label.text()


@posix
def test_a_folder_that_cannot_be_is_refused_where_it_is_typed(qapp, qtbot, monkeypatch, tmp_path):
    said = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: said.append(box.text()))
    dialog = Preferences(Settings())
    qtbot.addWidget(dialog)
    (tmp_path / "file").write_text("")
    for text in (str(tmp_path / "file"), "/dev/null", "/" + "x" * 300):
        dialog.folder.setText(text)
        dialog.accept()
    assert len(said) == 3
    assert Settings().hardware_folder == data_folder() / "hardware"
    dialog.folder.setText(str(tmp_path))
    dialog.accept()
    assert Settings().hardware_folder == tmp_path


def test_the_size_of_text_is_kept_and_words_grow_with_it(started, qapp, monkeypatch):
    monkeypatch.setattr(theme, "NARROWEST", 100)  # the screen of tests is small
    settings = Settings()
    assert settings.text_size == 100
    usual = qapp.font().pointSizeF()
    settings.text_size = 150
    window = started(settings)
    try:
        assert qapp.font().pointSizeF() == pytest.approx(1.5 * usual)
        assert window.decode_panel.font().pointSizeF() == pytest.approx(1.5 * usual)
        settings.text_size = 100
        window.apply_look()
        assert qapp.font().pointSizeF() == pytest.approx(usual)
        QCoreApplication.processEvents()
        style = window.tables.operators.delegate.cells.style
        assert style.font.pointSizeF() == pytest.approx(usual)
    finally:
        settings.text_size = 100
        window.apply_look()


@pytest.mark.parametrize(("needed", "percent"), [(100, 175), (500, 160), (700, 114), (2000, 100)])
def test_text_is_no_larger_than_all_panels_find_room_with(qapp, monkeypatch, needed, percent):
    monkeypatch.setattr(theme, "NARROWEST", needed)
    assert qapp.primaryScreen().availableGeometry().width() == 800
    assert round(theme.held(qapp, 175)) == percent
