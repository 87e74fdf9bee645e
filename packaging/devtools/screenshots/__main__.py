"""Draw every view in every size, every panel and dialog, and the examples: light and dark, at 1x and 2x.

With --contact they come on contact sheets too. With --readme only the README's pictures are drawn anew: the window at
1x, light and dark. All are drawn in one face, whatever else is installed.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import Image
from PySide6.QtCore import QSettings
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QApplication

from devtools.project import ROOT
from devtools.screenshots.contact import contact_sheets
from devtools.screenshots.pictures import SIZES, pictures, settled
from devtools.words import SCREENSHOTS
from explorer.app import make_application, make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.plot.paint.fonts import CJK_FAMILIES
from explorer.ui.look.theme import ThemeChoice
from explorer.ui.settings import Settings
from explorer.ui.window import MainWindow

README = ROOT / "resources" / "screenshots"
THEMES: tuple[ThemeChoice, ...] = ("light", "dark")
SCALES = ("1", "2")
FACE = "Inter"
_QUICKLY = 85  # of Qt's quality of a PNG: hardly larger, and written in a third of the time


def main(arguments: Sequence[str]) -> int:
    """Draw what is asked for; return the exit code."""
    asked = SCREENSHOTS.parse_args(arguments)
    if asked.readme:
        draw_readme(README)
    elif asked.scale:
        draw_all(asked.folder, asked.scale)
    else:
        return draw_scales(asked.folder, contact=asked.contact)
    return 0


def draw_scales(folder: Path, *, contact: bool) -> int:
    """Draw all pictures into `folder`; one process for each scale, since Qt reads it once, side by side."""
    command = [sys.executable, "-P", "-m", "devtools.screenshots", "--scale"]
    started = [
        subprocess.Popen([*command, scale, str(folder)], env={**os.environ, "QT_SCALE_FACTOR": scale})
        for scale in SCALES
    ]
    codes = [child.wait() for child in started]
    if any(codes):
        return max(codes, key=abs)
    print(f"{len(list(folder.glob('*x.png')))} pictures in {folder}")
    if contact:
        print(f"{contact_sheets(folder)} contact sheets in {folder}")
    return 0


def draw_all(folder: Path, scale: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for theme, window in windows():
        for name, widget in pictures(window):
            widget.grab().save(str(folder / f"{name}-{theme}-{scale}x.png"), None, _QUICKLY)


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
    in_one_face(application)
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


def in_one_face(application: QApplication) -> None:
    """Fail where the face is not there: the pictures would be of another program."""
    if FACE not in QFontDatabase.families():
        sys.exit(f"The pictures are drawn in {FACE}, which is not installed: fonts-inter on Debian.")
    font = QFont(application.font())
    font.setFamilies([FACE, *CJK_FAMILIES])
    application.setFont(font)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
