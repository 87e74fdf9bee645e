"""Draw every view, panel and dialog of the window, and the examples in it: light and dark, at 1x and 2x.

With --readme only the README's pictures are drawn anew: the window at 1x, light and dark.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import Image
from PySide6.QtCore import QSettings

from devtools.project import ROOT
from devtools.screenshots.pictures import SIZES, pictures, settled
from devtools.words import SCREENSHOTS
from explorer.app import make_application, make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.ui.look.theme import ThemeChoice
from explorer.ui.settings import Settings
from explorer.ui.window import MainWindow

README = ROOT / "resources" / "screenshots"
THEMES: tuple[ThemeChoice, ...] = ("light", "dark")
SCALES = ("1", "2")


def main(arguments: Sequence[str]) -> int:
    """Draw what is asked for; return the exit code."""
    asked = SCREENSHOTS.parse_args(arguments)
    if asked.readme:
        draw_readme(README)
    elif asked.scale:
        draw_all(asked.folder, asked.scale)
    else:
        return draw_scales(asked.folder)
    return 0


def draw_scales(folder: Path) -> int:
    """Draw all pictures into `folder`; one process for each scale, since Qt reads it once."""
    for scale in SCALES:
        command = [sys.executable, "-P", "-m", "devtools.screenshots", "--scale", scale, str(folder)]
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
