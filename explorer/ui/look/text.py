"""Words of the window, through the translation frame."""

from PySide6.QtCore import QCoreApplication

from explorer.presentation.words.translated import fitting


def tr(text: str, **values: object) -> str:
    """The translation of a literal text, filled with values.

    lupdate files plain `tr("...")` under the empty context and marked texts under "ui".
    """
    translated = QCoreApplication.translate("", text)
    if translated == text:
        translated = QCoreApplication.translate("ui", text)
    translated = fitting(text, translated)
    return translated.format(**values) if values else translated
