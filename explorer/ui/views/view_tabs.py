"""The tabs in the middle: the roofline, and the other views, which are built when first looked at."""

from collections.abc import Callable

from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.ui.look.text import tr
from explorer.ui.session import Panel, Session, Shown
from explorer.ui.views.roofline_tab import RooflineTab
from explorer.ui.widgets.flat_tabs import FlatTabWidget


class ViewTabs(FlatTabWidget):
    """Views of one study; hidden ones cost nothing."""

    def __init__(self, session: Session, roofline: RooflineTab, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._names = ["roofline", "time", "decode", "memory"]
        self._makers: dict[str, Callable[[], QWidget]] = {
            "time": self._time,
            "decode": self._decode,
            "memory": self._memory,
        }
        self.views: dict[str, QWidget] = {"roofline": roofline}
        self.addTab(roofline, tr("Roofline"))
        for text in (tr("Time"), tr("Decode"), tr("Memory")):
            holder = QWidget(self)
            QVBoxLayout(holder).setContentsMargins(0, 0, 0, 0)
            self.addTab(holder, text)
        self.currentChanged.connect(self._on_tab)

    def _time(self) -> QWidget:
        from explorer.ui.views.time_tab import TimeTab

        return TimeTab(self._session)

    def _decode(self) -> QWidget:
        from explorer.ui.views.decode_tab import DecodeTab

        return DecodeTab(self._session)

    def _memory(self) -> QWidget:
        from explorer.ui.views.memory_tab import MemoryTab

        return MemoryTab(self._session)

    def current_view(self) -> str:
        """The name of the view in sight."""
        return self._names[self.currentIndex()]

    def _on_tab(self, index: int) -> None:
        self._session.store.set_view(tab=self._names[index])

    def apply(self, old: Shown | None, new: Shown) -> None:
        name = new.view.tab if new.view.tab in self._names else "roofline"
        if name != self.current_view():
            self.setCurrentIndex(self._names.index(name))
        self._view(name).apply(None if old is None or old.view.tab != new.view.tab else old, new)

    def _view(self, name: str) -> Panel:
        if name not in self.views:
            view = self._makers[name]()
            holder = self.widget(self._names.index(name))
            layout = None if holder is None else holder.layout()
            if layout is not None:
                layout.addWidget(view)
            self.views[name] = view
        return self.views[name]  # type: ignore[return-value]  # every view is a panel
