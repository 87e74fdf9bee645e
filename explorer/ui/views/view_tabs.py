"""The tabs in the middle: one for each declared view, built when first looked at."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from explorer.presentation.views.declared import tab_views
from explorer.ui.look.text import tr
from explorer.ui.session import Panel, Session, Shown
from explorer.ui.views.registered import TellingTab, make_tab
from explorer.ui.views.roofline_tab import RooflineTab
from explorer.ui.views.view_tools import ViewTools
from explorer.ui.widgets.flat_tabs import FlatTabWidget


class ViewTabs(FlatTabWidget):
    """Views of one study; hidden ones cost nothing. The roofline, which the first frame shows, is there already.

    The actions of the view in sight stand beside the tabs. `export_wanted` and `said` are those of any view.
    """

    export_wanted = Signal()
    said = Signal(str)
    made = Signal(str, QWidget)  # a view, when it is first looked at

    def __init__(self, session: Session, roofline: RooflineTab, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.tabBar().setAccessibleName(tr("Views"))
        self._names = [view.name for view in tab_views()]
        self.views: dict[str, QWidget] = {"roofline": roofline}
        for view in tab_views():
            self.addTab(self.views.get(view.name) or self._holder(), tr(view.tab))
        self._tools = ViewTools(self)
        self.setCornerWidget(self._tools)
        self.currentChanged.connect(self._on_tab)
        roofline.export_wanted.connect(self.export_wanted)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._tools.fit(self.width() - self.tabBar().sizeHint().width())
        super().resizeEvent(event)

    def keep_beside(self, button: QToolButton) -> None:
        """A button beside the tabs that is not of any view."""
        self._tools.keep(button)

    def _offer(self, view: QWidget) -> None:
        """The view in sight may have other actions than the one before."""
        actions = view.actions()
        if actions != [b.defaultAction() for b in self._tools.buttons]:
            self._tools.show_actions(actions)

    def _holder(self) -> QWidget:
        holder = QWidget(self)
        QVBoxLayout(holder).setContentsMargins(0, 0, 0, 0)
        return holder

    def current_view(self) -> str:
        """The name of the view in sight."""
        return self._names[self.currentIndex()]

    def _on_tab(self, index: int) -> None:
        self._session.store.set_view(tab=self._names[index])

    def apply(self, old: Shown | None, new: Shown) -> None:
        name = new.view.tab if new.view.tab in self._names else self._names[0]
        if name != self.current_view():
            self.setCurrentIndex(self._names.index(name))
        self._view(name).apply(None if old is None or old.view.tab != new.view.tab else old, new)
        self._offer(self.views[name])

    def _view(self, name: str) -> Panel:
        if name not in self.views:
            view = make_tab(name, self._session)
            if isinstance(view, TellingTab):
                view.export_wanted.connect(self.export_wanted)
                view.said.connect(self.said)
            holder = self.widget(self._names.index(name))
            layout = None if holder is None else holder.layout()
            if layout is not None:
                layout.addWidget(view)
            self.views[name] = view
            self.made.emit(name, view)
        return self.views[name]  # type: ignore[return-value]  # every view is a panel
