"""Where the program's own data lies: in the installed package, beside it in a checkout, or in the frozen program."""

import sys
from pathlib import Path
from typing import Final

import explorer

_INSTALLED: Final = "_data"  # where the wheel puts both folders, which stand beside the package in a checkout


def resource_root() -> Path:
    """Return the folder that holds `hardware/` and `resources/`."""
    frozen = getattr(sys, "_MEIPASS", None)
    if frozen:
        return Path(frozen)
    package = Path(explorer.__path__[0]).resolve()
    installed = package / _INSTALLED
    return installed if installed.is_dir() else package.parent
