"""Fusion under our own palette: works offscreen, on a bare X server and on every desktop alike."""

from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from explorer.presentation.palette import DARK, LIGHT, Theme
from explorer.ui.look.style import STYLE, flat_style

WHOLE = 100  # percent
NARROWEST = 1000  # logical pixels that all panels need at the usual size
_USUAL = "usual point size"
ThemeChoice = Literal["system", "light", "dark"]
# the first installed one wins; the system's own sans serif otherwise
UI_FONTS = ("Inter", "Segoe UI Variable", "Segoe UI", "Helvetica Neue", "Noto Sans", "DejaVu Sans")


def chosen_theme(choice: ThemeChoice) -> Theme:
    """The theme of a choice; `system` follows the desktop's colour scheme."""
    if choice == "system":
        return DARK if QApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark else LIGHT
    return DARK if choice == "dark" else LIGHT


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Dress the whole application."""
    if app.style().objectName() != STYLE:
        app.setStyle(flat_style())
    app.setPalette(palette_of(theme))


def apply_font(app: QApplication) -> None:
    """Choose the interface font where the desktop gives none worth keeping."""
    font = QFont(app.font())
    if font.pointSizeF() > 0 and font.pointSizeF() < 9.5:
        font.setPointSizeF(9.5)
    families = set(QFontDatabase.families())
    first = next((f for f in UI_FONTS if f in families), None)
    if first is not None:
        font.setFamilies([first, "Noto Sans CJK SC", "Microsoft YaHei UI", "PingFang SC"])
    app.setFont(font)


def held(app: QApplication, percent: float) -> float:
    """A size of text, no larger than all panels find room with on the screen."""
    screen = app.primaryScreen()
    room = screen.availableGeometry().width() if screen is not None else NARROWEST
    return min(percent, max(WHOLE, WHOLE * room / NARROWEST))


def scale_font(app: QApplication, percent: float) -> None:
    """Show all words in a size, in percent of the usual one."""
    usual = app.property(_USUAL)
    points = float(usual) if usual is not None else app.font().pointSizeF()
    if points <= 0 or (usual is None and percent == WHOLE):
        return
    app.setProperty(_USUAL, points)
    font = QFont(app.font())
    font.setPointSizeF(points * percent / WHOLE)
    if font.pointSizeF() != app.font().pointSizeF():
        app.setFont(font)


def palette_of(theme: Theme) -> QPalette:
    """The Qt palette of a theme."""
    palette = QPalette()
    role = QPalette.ColorRole
    for target, colour in (
        (role.Window, theme.window),
        (role.WindowText, theme.text),
        (role.Base, theme.panel),
        (role.AlternateBase, theme.raised),
        (role.Text, theme.text),
        (role.Button, theme.panel),
        (role.ButtonText, theme.text),
        (role.BrightText, theme.warning),
        (role.ToolTipBase, theme.panel),
        (role.ToolTipText, theme.text),
        (role.PlaceholderText, theme.muted),
        (role.Highlight, theme.accent),
        (role.HighlightedText, theme.on_accent),
        (role.Link, theme.accent),
        (role.LinkVisited, theme.accent),
        (role.Accent, theme.accent),
        (role.Light, theme.panel),
        (role.Midlight, theme.raised),
        (role.Mid, theme.border),
        (role.Dark, theme.border),
        (role.Shadow, theme.border),
    ):
        palette.setColor(target, QColor(colour))
    for target in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, target, QColor(theme.muted))
    return palette
