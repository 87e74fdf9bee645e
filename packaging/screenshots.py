"""Draw every view and panel of the window on the opening study: light and dark, at 1x and 2x.

With --readme only the README's pictures are drawn anew: the window at 1x, light and dark.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTabWidget, QWidget

from explorer.app import make_application, make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.examples import opening_study
from explorer.ui.dialogs import About, Conventions, Preferences, Shortcuts, StudyNotes
from explorer.ui.export_dialog import ExportDialog
from explorer.ui.kind_editor import KindEditor
from explorer.ui.settings import Settings
from explorer.ui.theme import ThemeChoice
from explorer.ui.window import MainWindow

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "resources" / "screenshots"
SIZES = {"main": (1600, 1000), "small": (1280, 800), "large": (2560, 1440)}
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
        "notes": StudyNotes(session.store, window),
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
