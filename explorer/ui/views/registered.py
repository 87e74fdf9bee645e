"""Tabs of the window by the names of their views; a view's own is registered by its module, `ui/views/NAME_tab.py`."""

from collections.abc import Callable
from importlib import import_module

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from explorer.ui.session import Session

MakeTab = Callable[[Session], QWidget]  # of a widget that is a panel

_TABS: dict[str, MakeTab] = {}


class TellingTab(QWidget):
    """A view that wants itself exported, and says what it did; its actions stand beside the tabs."""

    export_wanted = Signal()
    said = Signal(str)


def register_tab(name: str, make: MakeTab) -> None:
    """Say what shows a view in the window."""
    _TABS[name] = make


def make_tab(name: str, session: Session) -> QWidget:
    """The widget that shows a view; its module is imported now, not before the first frame."""
    if name not in _TABS:
        import_module(f"explorer.ui.views.{name}_tab")
    return _TABS[name](session)
