"""Draw every view, panel and dialog of the window, and the examples in it: light and dark, at 1x and 2x.

With --readme only the README's pictures are drawn anew: the window at 1x, light and dark.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace
from PIL import Image
from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QTabWidget, QWidget

from explorer.analysis.study.study import Measurement, Study
from explorer.app import make_application, make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.importers import read_measurements
from explorer.files.study.examples import example_path, opening_study
from explorer.files.study.study import read_study
from explorer.ui.dialogs import About, Conventions, Preferences, Shortcuts, StudyNotes
from explorer.ui.documents.export_dialog import ExportDialog
from explorer.ui.forms.config_form import ConfigForm
from explorer.ui.forms.kind_editor import KindEditor
from explorer.ui.forms.measurement_form import MeasurementForm
from explorer.ui.forms.preset_dialog import PresetDialog
from explorer.ui.look.theme import ThemeChoice
from explorer.ui.measure.ceilings_dialog import CeilingsDialog
from explorer.ui.measure.counters_dialog import CountersDialog
from explorer.ui.measure.import_dialog import ImportDialog
from explorer.ui.measure.measure_dialog import MeasureDialog
from explorer.ui.measure.roof_fit_dialog import RoofFitDialog
from explorer.ui.measure.trace_dialog import TraceDialog
from explorer.ui.settings import Settings
from explorer.ui.window import MainWindow

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "resources" / "screenshots"
SIZES = {"main": (1600, 1000), "small": (1280, 800), "large": (2560, 1440)}
EXAMPLES = ("gpt-oss-spark", "qwen3-30b-home", "mistral-h200", "resnet-50", "dit-xl", "qwen3-4b-apple")
# XiongjieDai/GPU-Benchmarks-on-LLM-Inference, notebook of an A100 SXM
LLAMA_BENCH = """
  Device 0: NVIDIA A100-SXM4-80GB, compute capability 8.0, VMM: yes
| model                          |       size |     params | backend    | ngl | test       |              t/s |
| ------------------------------ | ---------: | ---------: | ---------- | --: | ---------- | ---------------: |
| llama 8B Q4_K - Medium         |   4.58 GiB |     8.03 B | CUDA       |  99 | pp 512     |  5947.64 ± 17.92 |
| llama 8B Q4_K - Medium         |   4.58 GiB |     8.03 B | CUDA       |  99 | tg 512     |    135.04 ± 0.15 |
| llama 8B Q4_K - Medium         |   4.58 GiB |     8.03 B | CUDA       |  99 | broken     |        none      |
"""
THEMES: tuple[ThemeChoice, ...] = ("light", "dark")
SCALES = ("1", "2")
SETTLE_MS = 400  # grids come in slices after the first paint


def main(folder: Path) -> int:
    """Draw all pictures into `folder`; one process for each scale, since Qt reads it once."""
    for scale in SCALES:
        command = [sys.executable, __file__, "--scale", scale, str(folder)]
        done = subprocess.run(command, env={**os.environ, "QT_SCALE_FACTOR": scale}, check=False)
        if done.returncode:
            return done.returncode
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")
    return 0


def draw_all(folder: Path, scale: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for theme, window in windows():
        for name, widget in pictures(window):
            widget.grab().save(str(folder / f"{name}-{theme}-{scale}x.png"))


def draw_readme(folder: Path) -> None:
    """The window as it opens, in 256 colours: a third of the size, and no difference to see."""
    folder.mkdir(parents=True, exist_ok=True)
    for theme, window in windows():
        window.resize(*SIZES["main"])
        path = folder / f"main-{theme}.png"
        settled("main", window)[1].grab().save(str(path))
        with Image.open(path) as picture:
            few = picture.convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=8, dither=Image.Dither.NONE)
        few.save(path, optimize=True)


def windows() -> Iterator[tuple[ThemeChoice, MainWindow]]:
    """A window on the opening study in each theme, with settings of its own."""
    application = make_application()
    catalogue = load_catalogue()
    for theme in THEMES:
        with tempfile.TemporaryDirectory() as home:
            settings = Settings(QSettings(str(Path(home, "settings.ini")), QSettings.Format.IniFormat))
            settings.theme = theme
            window = make_window(opening_study(), settings)
            window.take_catalogue(catalogue)
            window.show()
            yield theme, window
            window.hide()
            window.deleteLater()
            application.processEvents()


def pictures(window: MainWindow) -> Iterator[tuple[str, QWidget]]:
    """Yield each picture's name and the widget to draw, once it looks as it should."""
    for name, size in SIZES.items():
        window.resize(*size)
        yield settled(name, window)
    window.resize(*SIZES["main"])
    for index in range(window.tabs.count()):
        window.tabs.setCurrentIndex(index)
        yield settled(f"view-{window.tabs.current_view()}", window)
    window.tabs.setCurrentIndex(0)
    for name, panel in panels(window).items():
        yield settled(f"panel-{name}", panel)
    yield from tables(window.tables)
    for name, dialog in dialogs(window).items():
        dialog.show()
        yield settled(f"dialog-{name}", dialog)
        dialog.hide()
    window.prefill()
    yield settled("prefill", window)
    window.session.store.undo_stack.undo()
    yield from examples(window)
    yield from measured(window)


def examples(window: MainWindow) -> Iterator[tuple[str, QWidget]]:
    window.tables.setCurrentIndex(0)
    for name in EXAMPLES:
        window.open_study(read_study(example_path(name)))
        yield settled(f"example-{name}", window)


def measured(window: MainWindow) -> Iterator[tuple[str, QWidget]]:
    """A study with measurements: chart, table, and the dialogs that have something to say of them."""
    window.open_study(with_measurements(opening_study()))
    window.tables.setCurrentWidget(window.tables.measurements)
    yield settled("measured", window)
    window.tables.measurements.select(["step"])
    yield settled("measured-gap", window)
    for name, dialog in measured_dialogs(window).items():
        dialog.show()
        yield settled(f"dialog-{name}", dialog)
        dialog.hide()


def with_measurements(study: Study) -> Study:
    """Operators timed on the first device, a whole step, and kernels that a profiler counted."""
    device = study.hardware[0].id
    timed = tuple(
        Measurement(
            id=row, name=row, row=row, device=device, time_s=t, quartiles_s=(0.9 * t, 1.3 * t), runs=50,
            phase="decode", batch=8, context=4096, tool="torch",
        )
        for row, t in (("q_proj", 14e-6), ("gate_proj", 47e-6), ("attention", 80e-6), ("down_proj", 30e-6))
    )  # fmt: skip
    step = Measurement(
        id="step", name="vLLM", device=device, tokens_per_s=870, phase="decode", batch=8, context=4096, tool="vllm"
    )
    kernels = tuple(
        Measurement(
            id=f"kernel {i}", name=f"kernel {i}", device=device, time_s=b / 2.6e12 + 5e-6, flops=20 * b, bytes=b,
            format="bf16", memory_busy=0.35, compute_busy=0.05, tool="ncu",
        )
        for i, b in enumerate((1e6, 1e7, 1e8, 1e9))
    )  # fmt: skip
    return replace(study, measurements=(*timed, step, *kernels))


def measured_dialogs(window: MainWindow) -> dict[str, QDialog]:
    session, settings, user = window.session, window.settings, window.picker.user
    study = session.store.study
    table = window.tables.measurements
    return {
        "measure": MeasureDialog(session, settings, window),
        "ceilings": CeilingsDialog(session, settings, user, window),
        "trace": TraceDialog(session, settings, window),
        "fit": RoofFitDialog(session, window),
        "counters": CountersDialog(session, window),
        "import": import_dialog(window),
        "presets": PresetDialog(session, lambda _entries: None, window),
        "config": ConfigForm(session, study.models[0], lambda _config: None, window),
        "measurement": MeasurementForm(session, lambda _found: None, study.measurements[0], table),
    }


def import_dialog(window: MainWindow) -> ImportDialog:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "llama-bench.md")
        path.write_text(LLAMA_BENCH, "utf-8")
        return ImportDialog(window.session, window.picker.user, read_measurements(path), path, window)


def panels(window: MainWindow) -> dict[str, QWidget]:
    return {
        "answer": window.answer,
        "hardware": window.picker,
        "roofline": window.roofline,
        "decode": window.decode_panel,
        "inspector": window.inspector,
    }


def dialogs(window: MainWindow) -> dict[str, QWidget]:
    session, settings = window.session, window.settings
    return {
        "kinds": KindEditor(session, window),
        "export": ExportDialog(session, settings, window.tabs.current_view(), window),
        "preferences": Preferences(settings, window),
        "notes": StudyNotes(session, window),
        "shortcuts": Shortcuts(window),
        "conventions": Conventions(window),
        "about": About(window),
    }


def tables(bottom: QWidget) -> Iterator[tuple[str, QWidget]]:
    tabs = bottom if isinstance(bottom, QTabWidget) else bottom.findChild(QTabWidget)
    if isinstance(tabs, QTabWidget):
        for index in range(tabs.count()):
            tabs.setCurrentIndex(index)
            yield settled(f"table-{index + 1}", bottom)


def settled(name: str, widget: QWidget) -> tuple[str, QWidget]:
    QTest.qWait(SETTLE_MS)
    return name, widget


if __name__ == "__main__":
    if sys.argv[1:2] == ["--readme"]:
        draw_readme(README)
        sys.exit(0)
    if sys.argv[1:2] == ["--scale"]:
        draw_all(Path(sys.argv[3]), sys.argv[2])
        sys.exit(0)
    sys.exit(main(Path(sys.argv[1]) if sys.argv[1:] else ROOT / "dist" / "screenshots"))
