"""Where the window and its panels stood when it was closed."""

import weakref
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QByteArray, QSize
from PySide6.QtWidgets import QMainWindow, QSplitter

from explorer.ui.frame.right_column import RightColumn
from explorer.ui.frame.shares import Shares
from explorer.ui.settings import Settings

_FIRST = QSize(1600, 1000)


@runtime_checkable
class PartedView(Protocol):
    """A view with a splitter of its own, remembered once it was moved by hand."""

    def split_state(self) -> QByteArray | None:
        """How it is parted, None until it was by hand."""

    def restore_split(self, state: QByteArray) -> None:
        """Part it so again."""


class Places:
    """The window's geometry, kept in the settings."""

    def __init__(
        self, window: QMainWindow, settings: Settings, splitters: dict[str, QSplitter], right: RightColumn
    ) -> None:
        self._window: QMainWindow = weakref.proxy(window)
        self._settings = settings
        self._splitters, self._right = splitters, right
        self._views: dict[str, PartedView] = {}
        self.shares = Shares(splitters["middle"], splitters["outer"])

    def parts(self) -> dict[str, QByteArray]:
        """Geometry and splitters, by their names in the settings."""
        states = {name: splitter.saveState() for name, splitter in self._splitters.items()}
        parted = {name: state for name, view in self._views.items() if (state := view.split_state()) is not None}
        return {"geometry": self._window.saveGeometry(), **states, "right": self._right.saveState(), **parted}

    def keep_of(self, name: str, view: object) -> None:
        """Remember how a view that was made later is parted; it is parted as it was."""
        if isinstance(view, PartedView):
            self._views[name] = view
            state = self._settings.layout(name)
            if state is not None:
                view.restore_split(state)

    def keep(self) -> None:
        """Write them down."""
        for name, state in self.parts().items():
            self._settings.set_layout(name, state)

    def restore(self) -> None:
        """Put all back where it was, as far as it can be reached there."""
        window = self._window
        geometry = self._settings.layout("geometry")
        if geometry is None or not window.restoreGeometry(geometry) or not on_a_screen(window):
            screen = window.screen().availableGeometry().size() if window.screen() else _FIRST
            window.resize(_FIRST.boundedTo(screen))
        for name, splitter in self._splitters.items():
            state = self._settings.layout(name)
            if state is not None:
                self.shares.restore(splitter, state)
        state = self._settings.layout("right")
        if state is not None:
            self._right.restoreState(state)
        self.fit(window.size())

    def fit(self, size: QSize) -> None:
        """Share a window of another size."""
        self.shares.apply(size, self._window.fontMetrics().height())


def on_a_screen(window: QMainWindow) -> bool:
    """Whether the window is where a hand could reach it, and no larger than all screens together."""
    whole, place = window.screen().virtualGeometry(), window.normalGeometry()
    reached = whole.adjusted(-place.width(), -place.height(), place.width(), place.height())
    return place.width() <= 2 * whole.width() and place.height() <= 2 * whole.height() and reached.contains(place)
