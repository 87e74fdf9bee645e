from pathlib import Path

from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication


def test_the_icon_draws_its_roof_and_its_point(qapp: QApplication, root: Path) -> None:
    renderer = QSvgRenderer(str(root / "resources" / "icons" / "roofline-explorer.svg"))
    image = QImage(256, 256, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    assert image.pixelColor(0, 0).alpha() == 0, "the corners are round"
    assert image.pixelColor(180, 88) == QColor("#8cc8f5")
    assert image.pixelColor(148, 172) == QColor("#ffb454")


def test_the_desktop_file_starts_the_program_under_its_icon(root: Path) -> None:
    lines = (root / "packaging" / "linux" / "roofline-explorer.desktop").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "[Desktop Entry]"
    entries = dict(line.split("=", 1) for line in lines[1:])
    assert entries["Exec"].split()[0] == entries["Icon"] == entries["StartupWMClass"] == "roofline-explorer"
