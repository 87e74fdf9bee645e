"""Dialogs that are gone once they are answered: the window, their parent, would keep each one that ever opened."""

from PySide6.QtWidgets import QDialog


def ask(dialog: QDialog) -> int:
    """Run a dialog to its answer; what it holds can still be read until control returns to the window."""
    try:
        return dialog.exec()
    finally:
        dialog.deleteLater()


def open_once(dialog: QDialog) -> None:
    """Open a dialog in front of its window, which goes on; it acts by itself when it is accepted."""
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
