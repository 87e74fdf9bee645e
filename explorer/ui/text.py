"""Words of the window, through the translation frame."""

from PySide6.QtCore import QCoreApplication


def tr(text: str, **values: object) -> str:
    """The translation of a literal text, filled with values."""
    translated = QCoreApplication.translate("ui", text)
    return translated.format(**values) if values else translated
