"""Asking where a file goes: a usable suggestion, the right ending, nothing replaced unasked."""

import re
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from explorer.files.disk.places import may_exist
from explorer.ui.documents.name_fault import DEVICE, name_fault, refuse
from explorer.ui.look.text import tr
from explorer.ui.widgets.modal import ask
from explorer.ui.widgets.plain_text import message_box

_ODD = re.compile(r'[\\/:*?"<>|\x00-\x1f\x7f]+')
_LONGEST = 80
_BYTES = 200  # of the 255 that a file system allows, for the ending and a counter come behind


def file_name(text: str, otherwise: str) -> str:
    """A text as the name of a file, without its ending."""
    seen = "".join(c if c.isprintable() else "\0" for c in text[: 4 * _LONGEST])
    name = _ODD.sub("-", seen)[:_LONGEST].encode()[:_BYTES].decode(errors="ignore").strip(" .-")
    return DEVICE.sub(r"\1_", name, count=1) if DEVICE.match(name) else name or otherwise


def ask_place(parent: QWidget, title: str, suggestion: Path, filters: str, endings: Sequence[str]) -> Path | None:
    """The file the user chooses; a name with none of the endings gets the first one. None when given up."""
    name, _ = QFileDialog.getSaveFileName(parent, title, str(suggestion), filters)
    if not name:
        return None
    chosen = Path(name)
    if fault := name_fault(chosen.name):
        refuse(parent, fault)
        return None
    if chosen.name.lower().endswith(tuple(endings)):
        return chosen
    path = chosen.with_name(chosen.name + endings[0])  # which the file dialog has not asked about
    return path if not may_exist(path) or may_replace(parent, path.name) else None


def may_replace(parent: QWidget, name: str) -> bool:
    """Ask whether a file may be replaced."""
    return ask_save(parent, tr("{name} exists already. Replace it?", name=name))


def ask_save(parent: QWidget, question: str) -> bool:
    """A question whose answers are Save and Cancel."""
    button = QMessageBox.StandardButton
    box = message_box(parent, QMessageBox.Icon.Warning, question)
    box.setStandardButtons(button.Save | button.Cancel)
    box.setDefaultButton(button.Cancel)
    return ask(box) == button.Save
