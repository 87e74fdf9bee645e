"""What the README's "Compare and present" says, done in the window by hand: a config.json becomes a slide of ratios."""

import json
import shlex
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDropEvent
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from explorer.app import make_window
from explorer.cli.main import main
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.ui.documents.export_dialog import ExportDialog
from explorer.ui.settings import Settings
from explorer.ui.views.compare_tab import CompareTab
from explorer.ui.window import MainWindow
from tests.ui.hardware.test_picker import MI300X, click

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
# shapes as published by Meta for Llama-3.2-1B
CONFIG = {
    "model_type": "llama",
    "architectures": ["LlamaForCausalLM"],
    "hidden_size": 2048,
    "intermediate_size": 8192,
    "num_hidden_layers": 16,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 64,
    "vocab_size": 128256,
    "max_position_embeddings": 131072,
    "tie_word_embeddings": True,
    "torch_dtype": "bfloat16",
    "hidden_act": "silu",
    "rms_norm_eps": 1e-05,
}
# q and o, k and v, gate, up and down, two norms; the last norm; the head, which is the embedding; 2 bytes each
LAYER = 2 * 2048 * 2048 + 2 * 2048 * 512 + 3 * 2048 * 8192 + 2 * 2048
WEIGHTS = 2 * (16 * LAYER + 2048 + 128256 * 2048)
REQUEST = 2 * 16 * 8 * 64 * 2 * 4096  # KV cache of 4,096 tokens: keys and values, layers, heads, their size, bytes
# of each request: one token's KV cache, its row of the embedding, its logits
WRITTEN = 2 * 16 * 8 * 64 * 2 + 2 * 2048 + 2 * 128256
BANDWIDTH = {"A100 SXM4 80GB": 2.039e12, "H100 SXM5": 3.35e12, "MI300X": 5.3e12}
BATCHES = (1, 8, 32)


def tokens(device: str, batch: int) -> float:
    """Tokens per second at most: on all three the memory decides."""
    return batch * BANDWIDTH[device] / (WEIGHTS + batch * (REQUEST + WRITTEN))


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    made = make_window(opening_study(), Settings())
    made.take_catalogue(load_catalogue())
    made.resize(1280, 800)
    made.show()
    qtbot.waitExposed(made)
    return made


def texts_of(path: Path) -> list[str]:
    svg = ET.parse(path).getroot()  # noqa: S314
    return [t.text or "" for t in svg.iter("{http://www.w3.org/2000/svg}text")]


def drop(window: MainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copy, left, plain = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(10, 10), copy, data, left, plain))


def dialog_of(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> ExportDialog:
    """The dialog that Ctrl+E opens, shown without stopping the test."""
    asked: list[ExportDialog] = []
    monkeypatch.setattr("explorer.ui.window.ask", asked.append)
    next(a for a in window.findChildren(QAction) if a.shortcut().toString() == "Ctrl+E").trigger()
    asked[0].show()
    qtbot.waitUntil(lambda: asked[0].preview.image is not None and not asked[0].preview.waiting)
    return asked[0]


def test_a_config_becomes_a_slide_of_three_machines_at_three_batches_with_ratios_to_the_a100(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: Path
) -> None:
    config, slide = tmp_path / "Llama-3.2-1B" / "config.json", tmp_path / "slide.svg"
    config.parent.mkdir()
    config.write_text(json.dumps(CONFIG))
    clicks = 0

    drop(window, config)
    qtbot.waitUntil(lambda: window.session.state.evaluation.model.name == "Llama-3.2-1B")  # type: ignore[union-attr]

    # the machines are there from the start; one is searched, taken out and ticked again, as any other would be
    qtbot.keyClicks(window.picker.search, "MI300X")
    qtbot.waitUntil(lambda: any(r.key == f"device:{MI300X}" for r in window.picker.model.rows))
    for count in (2, 3):
        click(qtbot, window.picker, f"device:{MI300X}", "box")
        qtbot.waitUntil(lambda: len(window.session.store.study.hardware) == count)  # noqa: B023

    tabs = window.tabs
    bar = tabs.tabBar()
    place = next(i for i in range(tabs.count()) if tabs.tabText(i).replace("&", "") == "Compare")
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(place).center())
    clicks += 1
    qtbot.waitUntil(lambda: tabs.current_view() == "compare")

    (tab,) = window.findChildren(CompareTab)
    baseline = tab.controls.baseline
    qtbot.waitUntil(lambda: baseline.count() == 4)
    qtbot.keyClicks(baseline, "A100 SXM")
    clicks += 2  # with a mouse: the list, and the name in it
    qtbot.waitUntil(lambda: window.session.state.study.view.baseline.startswith("nvidia-a100"))

    dialog = dialog_of(window, qtbot, monkeypatch)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(slide), ""))
    qtbot.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    clicks += 1
    qtbot.waitUntil(lambda: dialog.problem.text() == f"Saved: {slide}", timeout=20_000)
    dialog.accept()

    said = texts_of(slide)
    assert "tok/s at batch" in said
    assert {*BANDWIDTH, *cells()} <= set(said)
    # 3.35 / 2.039 and 5.3 / 2.039, at each batch
    assert (said.count("1.64×"), said.count("2.60×")) >= (3, 3)
    assert f"one file dropped, {clicks} clicks and `Ctrl+E`" in story(root)


def story(root: Path) -> str:
    """What the README says of it."""
    text = (root / "README.md").read_text("utf-8")
    return text.partition("<!-- story: begin -->")[2].partition("<!-- story: end -->")[0]


def test_the_readmes_command_draws_the_same_slide(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "path" / "to").mkdir(parents=True)
    (tmp_path / "path" / "to" / "config.json").write_text(json.dumps(CONFIG))
    monkeypatch.chdir(tmp_path)
    start, *words = shlex.split(story(root).split("```")[1].partition("run ")[2])
    assert start == "render"
    assert main([start, *words], lambda _path: 1, lambda _path: 1) == 0
    said = texts_of(tmp_path / words[-1])
    assert cells() <= set(said)
    assert (said.count("1.64×"), said.count("2.60×")) >= (3, 3)


def cells() -> set[str]:
    """The nine figures, worked out by hand."""
    found = [tokens(device, batch) for device in BANDWIDTH for batch in BATCHES]
    return {f"{value:,.1f}" if value < 1000 else f"{value:,.0f}" for value in found}
