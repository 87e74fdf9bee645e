"""The row of buttons that answers a dialog."""

from PySide6.QtWidgets import QDialog, QDialogButtonBox


def answer_buttons(dialog: QDialog, kinds: QDialogButtonBox.StandardButton) -> QDialogButtonBox:
    """Buttons of these kinds: the good ones take the dialog, the others leave it."""
    box = QDialogButtonBox(kinds, dialog)
    box.accepted.connect(dialog.accept)
    box.rejected.connect(dialog.reject)
    return box
