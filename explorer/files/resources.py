"""Where the program's own data lies: beside the package, or where PyInstaller unpacked it."""

import sys
from pathlib import Path


def resource_root() -> Path:
    """Return the folder that holds `hardware/` and `resources/`."""
    frozen = getattr(sys, "_MEIPASS", None)
    return Path(frozen) if frozen else Path(__file__).resolve().parent.parent.parent
