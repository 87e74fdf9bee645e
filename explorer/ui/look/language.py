"""The interface language: a compiled translation beside the other resources, English without one."""

import re
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from explorer.files.resources import resource_root

_NAMED: Final = re.compile(r"roofline_([a-z]{2,3}(?:_[A-Za-z0-9]{2,8}){0,2})\.qm")


def translations_folder() -> Path:
    """Where compiled translations lie, one per language."""
    return resource_root() / "resources" / "translations"


def available_languages() -> tuple[str, ...]:
    """Languages that can be chosen; English is the source and always there."""
    named = (_NAMED.fullmatch(p.name) for p in translations_folder().glob("roofline_*.qm"))
    return ("en", *sorted(match[1] for match in named if match))


def install_language(app: QCoreApplication, choice: str) -> QTranslator | None:
    """Install the translation of a language (empty: the system's); None where English is spoken."""
    wanted = choice or QLocale.system().name()
    if wanted.startswith("en"):
        return None
    for name in (wanted, wanted.partition("_")[0]):
        path = translations_folder() / f"roofline_{name}.qm"
        if path.is_file() and (translator := load(path)) is not None:
            app.installTranslator(translator)
            return translator
    return None


def load(path: Path) -> QTranslator | None:
    """A translator of one compiled file; None when it cannot be read."""
    translator = QTranslator(QCoreApplication.instance())
    return translator if translator.load(str(path)) else None


def translate(context: str, text: str) -> str:
    """Sentences of the presentation in the interface's language."""
    return QCoreApplication.translate(context, text)
