"""Every word of the window goes through the translation frame: a made-up language reaches all of it."""

import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import PySide6
import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLabel, QMenu, QTabWidget

from explorer.app import make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.presentation.answer.answer import answer, plain_text
from explorer.ui.dialogs import Preferences
from explorer.ui.look import language
from explorer.ui.settings import Settings

SIGNS = ("⟦", "⟧")
# names, units and figures are the same in every language; Export... is pyqtgraph's, in a menu never shown
UNTRANSLATED = re.compile(
    r"^[\W\d_]*$|^(English|JSON|CSV|GB|GiB|bf16|fp16|fp8|int8|H100.*|A100.*|MI300X.*|Llama.*|Export\.\.\.)$"
)


def tool(name: str) -> str:
    folder = Path(PySide6.__file__).parent
    for candidate in (folder / name, folder / f"{name}.exe", folder / "libexec" / name):
        if candidate.is_file():
            return str(candidate)
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not in this PySide6")
    return found


@pytest.fixture(scope="module")
def made_up(root, tmp_path_factory) -> Path:
    """A compiled translation that puts every source text in brackets."""
    folder = tmp_path_factory.mktemp("language")
    sources = [str(p) for p in sorted((root / "explorer").rglob("*.py"))]
    lists = folder / "sources.lst"
    lists.write_text("\n".join(sources))
    raw = folder / "roofline_xx.ts"
    subprocess.run([tool("lupdate"), f"@{lists}", "-ts", str(raw), "-silent"], check=True, capture_output=True)
    tree = ET.parse(raw)  # noqa: S314 - our own file
    for message in tree.iter("message"):
        source, translation = message.find("source"), message.find("translation")
        assert source is not None
        assert translation is not None
        translation.text = f"{SIGNS[0]}{source.text}{SIGNS[1]}"
        translation.attrib.pop("type", None)
    tree.getroot().set("language", "fr")
    tree.write(raw, encoding="utf-8", xml_declaration=True)
    compiled = folder / "roofline_xx.qm"
    subprocess.run([tool("lrelease"), str(raw), "-qm", str(compiled), "-silent"], check=True, capture_output=True)
    return compiled


def test_a_made_up_language_reaches_every_word_of_the_window(qapp, qtbot, made_up):
    translator = language.load(made_up)
    assert translator is not None
    QCoreApplication.installTranslator(translator)
    try:
        window = make_window(opening_study(), Settings())
        window.take_catalogue(load_catalogue())
        window.resize(1280, 800)
        window.show()
        qtbot.waitExposed(window)
        qtbot.waitUntil(lambda: window.roofline.chart is not None)
        assert sum(SIGNS[0] in t for t in words(window)) > 60
        plain = sorted(t for t in words(window) if t and not UNTRANSLATED.match(t) and SIGNS[0] not in t)
        assert plain == []
        panel = window.decode_panel
        assert panel.viewport().width() >= panel._inner.minimumSizeHint().width()  # nothing is cut at its right
    finally:
        QCoreApplication.removeTranslator(translator)


def test_a_translation_in_the_folder_is_offered_and_used(qapp, qtbot, made_up, monkeypatch):
    monkeypatch.setattr(language, "translations_folder", lambda: made_up.parent)
    assert language.available_languages() == ("en", "xx")
    settings = Settings()
    preferences = Preferences(settings)
    qtbot.addWidget(preferences)
    preferences.language.setCurrentIndex(preferences.language.findData("xx"))
    preferences.accept()
    translator = language.install_language(qapp, settings.language)
    assert translator is not None
    try:
        window = make_window(opening_study(), settings)
        assert window.tabs.tabText(0) == "⟦Roofline⟧"
        sentences = plain_text(answer(window.session.state.evaluation, settings.look), settings.look)
        assert sentences.startswith("⟦Waiting for ⟦memory⟧")
    finally:
        QCoreApplication.removeTranslator(translator)


@pytest.mark.parametrize(
    ("name", "offered"),
    [("de", ["de"]), ("zh_CN", ["zh_CN"]), ("sr_Latn_RS", ["sr_Latn_RS"]), ("", []), ("<b>", []), ("de copy", [])],
)
def test_only_files_named_after_a_language_are_offered(name, offered, tmp_path, monkeypatch):
    monkeypatch.setattr(language, "translations_folder", lambda: tmp_path)
    (tmp_path / f"roofline_{name}.qm").touch()
    assert language.available_languages() == ("en", *offered)


def words(window) -> set[str]:
    found = {w.text() for w in window.findChildren(QLabel)} | {w.text() for w in window.findChildren(QAbstractButton)}
    found |= {a.text() for a in window.findChildren(QAction)} | {m.title() for m in window.findChildren(QMenu)}
    for tabs in window.findChildren(QTabWidget):
        found |= {tabs.tabText(i) for i in range(tabs.count())}
    return {t.replace("&", "").strip() for t in found}


def test_without_a_translation_the_window_speaks_english(qapp):
    assert language.install_language(qapp, "en") is None
    assert language.install_language(qapp, "zz") is None
    assert language.available_languages()[0] == "en"
