"""Words of the window, through the translation frame."""

from PySide6.QtCore import QCoreApplication

from explorer.presentation.words.translated import filled, fitting


def tr(text: str, **values: object) -> str:
    """The translation of a literal text, filled with values.

    lupdate files plain `tr("...")` under the empty context and marked texts under "ui".
    """
    translated = QCoreApplication.translate("", text)
    if translated == text:
        translated = QCoreApplication.translate("ui", text)
    return filled(text, translated, values) if values else fitting(text, translated)
