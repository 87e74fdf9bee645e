"""Names that no file can have: said before anything is written."""

import re
import sys
from typing import Final

from PySide6.QtWidgets import QMessageBox, QWidget

from explorer.ui.look.text import tr
from explorer.ui.widgets.modal import ask
from explorer.ui.widgets.plain_text import message_box

_LONGEST: Final = 255  # bytes, on every usual file system
# what Windows takes for a device, whatever its ending
DEVICE: Final = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?=\.|$)", re.IGNORECASE)


def name_fault(name: str, *, windows: bool = sys.platform == "win32") -> str:
    """Why a file cannot have this name, in one sentence; empty where it can."""
    if len(name.encode("utf-8", "surrogateescape")) > _LONGEST:
        return tr("The name is too long; choose one of at most {count} characters.", count=_LONGEST // 4)
    if windows and DEVICE.match(name):
        return tr("Windows keeps the name {name} for a device; choose another one.", name=name)
    if windows and name.rstrip(" .") != name:
        return tr("A file's name cannot end with a dot or a space; choose another one.")
    return ""


def refuse(parent: QWidget, why: str) -> None:
    """Say why something cannot be."""
    ask(message_box(parent, QMessageBox.Icon.Warning, why))
