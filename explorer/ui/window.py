"""The main window: panels in splitters, menus, and what the actions do."""

from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QSplitter, QVBoxLayout, QWidget

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.problem import Problem
from explorer.analysis.step.phases.ids import DECODE, PREFILL
from explorer.analysis.step.phases.registry import PHASES
from explorer.analysis.study.study import Study
from explorer.document.autosave import Autosave
from explorer.presentation.words.said.noticed import noticed
from explorer.ui.actions import fill_menus, fill_views, make_actions
from explorer.ui.answer_bar import AnswerBar
from explorer.ui.decode.panel import DecodePanel
from explorer.ui.documents.file_menus import FileMenus
from explorer.ui.documents.files import Documents
from explorer.ui.frame.baseline import swap_baseline
from explorer.ui.frame.places import Places
from explorer.ui.frame.presenting import Presenting
from explorer.ui.frame.right_column import RightColumn
from explorer.ui.hardware.picker import HardwarePicker
from explorer.ui.header import Header, has_phase, why_no_phase
from explorer.ui.inspector import Inspector
from explorer.ui.look.text import tr
from explorer.ui.look.theme import apply_theme, held, scale_font
from explorer.ui.measure.actions import MeasureActions
from explorer.ui.session import Session, Shown
from explorer.ui.settings import Settings, data_folder
from explorer.ui.tables.bottom import BottomTabs
from explorer.ui.views.roofline_tab import RooflineTab
from explorer.ui.views.view_tabs import ViewTabs
from explorer.ui.widgets.card import Card
from explorer.ui.widgets.modal import ask
from explorer.ui.widgets.notice import Notice
from explorer.ui.widgets.plain_text import name_action, set_tip, title_text

SMALLEST = (1024, 640)


class MainWindow(QMainWindow):
    """Everything on screen; holds no figures of its own."""

    def __init__(self, session: Session, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        # Qt's order of deletion: the undo stack must go before its commands, which Python's collector does not promise
        session.setParent(self)
        session.store.setParent(session)
        self.settings = settings
        self.notice = Notice(self)
        self.documents = Documents(self, session, settings, self.notice.say, self.notice.unsay)
        self.autosave = Autosave(session.store, data_folder() / "autosave", self._autosave_failed, self)
        self.setAcceptDrops(True)
        self.setMinimumSize(*SMALLEST)
        self.actions_by_name = make_actions(self, self)
        self._build()
        self._build_menus()
        side = (self.middle.widget(0), self.middle.widget(2), self.outer.widget(1))
        self.presenting = Presenting(self, self.tabs, [part for part in side if part is not None])
        self.presenting.turned.connect(self._presented)
        self._connect()
        self.places.restore()
        if self.roofline.still is not None:
            self.roofline.still.setFocus(Qt.FocusReason.OtherFocusReason)  # the chart's keys work from the start

    def _build(self) -> None:
        session = self.session
        self.answer = AnswerBar(session)
        self.picker = HardwarePicker(session, self.settings)
        self.roofline = RooflineTab(session)
        self.tabs = ViewTabs(session, self.roofline)
        self.decode_panel = DecodePanel(session)
        self.inspector = Inspector(session)
        self.tables = BottomTabs(session, self.settings)
        self.measuring = MeasureActions(self, session, self.settings, self.picker.user, self.notice.say)
        self.documents.import_file = self.measuring.import_file
        self.right = RightColumn(self.decode_panel, self.inspector)
        self.middle = QSplitter(Qt.Orientation.Horizontal)
        for part, stretch in ((self.picker, 0), (self.tabs, 1), (self.right, 0)):
            self.middle.addWidget(Card(part))
            self.middle.setStretchFactor(self.middle.count() - 1, stretch)
        self.outer = QSplitter(Qt.Orientation.Vertical)
        for panel, stretch in ((self.middle, 3), (Card(self.tables), 1)):
            self.outer.addWidget(panel)
            self.outer.setStretchFactor(self.outer.count() - 1, stretch)
        for splitter in (self.middle, self.outer):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(8)
        self.places = Places(self, self.settings, {"middle": self.middle, "outer": self.outer}, self.right)
        central = QWidget(self)
        box = QVBoxLayout(central)
        box.setContentsMargins(8, 0, 8, 8)
        box.setSpacing(6)
        box.addWidget(self.answer)
        box.addWidget(self.outer, 1)
        self.setCentralWidget(central)
        self.notice.float_over(self.tabs)

    def _build_menus(self) -> None:
        menus = fill_menus(self.menuBar(), self.actions_by_name)
        stack = self.session.store.undo_stack
        undo, redo = stack.createUndoAction(self, tr("&Undo")), stack.createRedoAction(self, tr("&Redo"))
        undo.setShortcut(QKeySequence.StandardKey.Undo)
        redo.setShortcut(QKeySequence.StandardKey.Redo)
        # the stack would take the `&` of a name for a shortcut
        stack.undoTextChanged.connect(lambda text: name_action(undo, tr("&Undo"), text))
        stack.redoTextChanged.connect(lambda text: name_action(redo, tr("&Redo"), text))
        self.views_menu = menus["view"].addMenu(tr("V&iews"))
        views = fill_views(self.views_menu, self._look_at)
        # in a presentation there is no menu bar, and keys of hidden menus do nothing
        self.addActions([undo, redo, *self.actions_by_name.values(), *views.values()])
        edit = menus["edit"]
        first = edit.actions()[0]
        edit.insertActions(first, [undo, redo])
        self.file_menus = FileMenus(
            self.session, self.documents, self.settings, self.notice.say, menus["file"], self.actions_by_name["save"]
        )
        self.header = Header(self.session)
        if self.menuBar().isNativeMenuBar():
            bar = self.addToolBar(tr("Model and phase"))
            bar.setObjectName("header")
            bar.setMovable(False)
            bar.addWidget(self.header)
        else:
            self.menuBar().setCornerWidget(self.header)

    def _connect(self) -> None:
        session = self.session
        self.tabs.made.connect(self.places.keep_of)
        for panel in (
            self.header,
            self.answer,
            self.picker,
            self.tabs,
            self.decode_panel,
            self.right,
            self.inspector,
            self.tables,
        ):
            session.attach(panel)
        session.attach(self)
        session.store.path_changed.connect(self._title)
        session.store.refused.connect(self._edit_refused)
        session.store.dirty_changed.connect(self._title)
        self.decode_panel.explain_requested.connect(self.right.explain)
        self.tables.config_requested.connect(self.documents.add_config_dialog)
        self.picker.said.connect(self.notice.say)
        self.tables.said.connect(self.notice.say)
        self.tables.import_requested.connect(self.import_measurements)
        self.tables.measure_requested.connect(self.measure_operators)
        self.tables.fit_requested.connect(self.fit_measurements)
        QApplication.styleHints().colorSchemeChanged.connect(self.apply_look)
        self.tabs.export_wanted.connect(self.export_figure)
        self.tabs.said.connect(self.notice.say)

    def apply(self, old: Shown | None, new: Shown) -> None:
        """Keep title and checkable actions true to what is shown."""
        view, named = new.view, self.actions_by_name
        for phase in PHASES.keys() & named.keys():  # a phase need not have a menu's line
            named[phase].setChecked(new.study.workload.phase == phase)
            if named[phase].isEnabled() != has_phase(new, phase):
                named[phase].setEnabled(has_phase(new, phase))
                set_tip(named[phase], why_no_phase(new, phase))
        named["per_value"].setChecked(view.per_value)
        named["area_is_share"].setChecked(view.area_is_share)
        named["colour_by_bound"].setChecked(view.colour_by == "bound")
        if old is None or old.study.name != new.study.name:
            self._title()

    def _title(self, _clean: bool = True) -> None:
        store = self.session.store
        name = store.path.name if store.path is not None else store.study.name or tr("Untitled")
        self.setWindowTitle(tr("{name}[*] – Roofline Explorer", name=title_text(name)))
        self.setWindowModified(store.dirty)
        self.actions_by_name["revert"].setEnabled(store.path is not None)

    def apply_look(self, *_scheme: object) -> None:
        """Theme and units as the settings have them."""
        app = QApplication.instance()
        look = self.settings.look
        if isinstance(app, QApplication):
            apply_theme(app, look.theme)
            self._size_text()
        self.session.set_look(look)

    def take_catalogue(self, catalogue: Catalogue) -> None:
        """Devices arrive after the first frame, and the tables that it does not show."""
        self.tables.make_all()
        self.session.set_catalogue(catalogue)

    def _edit_refused(self, problem: Problem) -> None:
        why = noticed(problem, self.session.look)
        self.notice.say(tr("This edit was not made, for the study could not be saved with it. {why}", why=why))

    def _autosave_failed(self, why: str) -> None:
        self.notice.say(tr("Unsaved edits could not be kept safe ({why}); save the study yourself.", why=why))

    # what the actions do; names as in the table of actions

    def new_study(self) -> None:
        self.documents.new()

    def open_file(self) -> None:
        self.documents.open_dialog()

    def save(self) -> None:
        self.documents.save()

    def save_as(self) -> None:
        self.documents.save_as()

    def revert(self) -> None:
        self.documents.revert()

    def add_preset(self) -> None:
        self.tables.models.add_preset()

    def add_config(self) -> None:
        self.documents.add_config_dialog()

    def export_figure(self) -> None:
        from explorer.ui.documents.export_dialog import ExportDialog

        ask(ExportDialog(self.session, self.settings, self.tabs.current_view(), self, self.notice.say))

    def copy_figure(self) -> None:
        self.roofline.copy_picture()

    def export_table(self) -> None:
        from explorer.ui.documents.export_dialog import export_table

        export_table(self, self.session, self.settings, self.notice.say)

    def preferences(self) -> None:
        from explorer.ui.dialogs import Preferences

        if ask(Preferences(self.settings, self)):
            self.picker.user.set_folder(self.settings.hardware_folder)
            self.apply_look()

    def quit(self) -> None:
        self.close()

    def find_in_table(self) -> None:
        self.tables.focus_find()

    def find_hardware(self) -> None:
        self.picker.focus_search()

    def clear_selection(self) -> None:
        self.session.store.set_view(selection=())

    def edit_kinds(self) -> None:
        from explorer.ui.forms.kind_editor import KindEditor

        ask(KindEditor(self.session, self))

    def study_notes(self) -> None:
        from explorer.ui.dialogs import StudyNotes

        ask(StudyNotes(self.session, self))

    def prefill(self) -> None:
        self.session.store.edit_workload(tr("Prefill"), phase=PREFILL)

    def decode(self) -> None:
        self.session.store.edit_workload(tr("Decode"), phase=DECODE)

    def batch_up(self) -> None:
        self.decode_panel.scale_batch(2.0)

    def batch_down(self) -> None:
        self.decode_panel.scale_batch(0.5)

    def context_up(self) -> None:
        self.decode_panel.scale_context(2.0)

    def context_down(self) -> None:
        self.decode_panel.scale_context(0.5)

    def fit(self) -> None:
        self.roofline.fit()

    def zoom_back(self) -> None:
        self.roofline.zoom_back()

    def zoom_forward(self) -> None:
        self.roofline.zoom_forward()

    def per_value(self) -> None:
        self.roofline.switch("per_value")

    def area_is_share(self) -> None:
        self.session.store.set_view(area_is_share=not self.session.store.study.view.area_is_share)

    def colour_by_bound(self) -> None:
        by_bound = self.session.store.study.view.colour_by == "bound"
        self.session.store.set_view(colour_by="hardware" if by_bound else "bound")

    def swap_baseline(self) -> None:
        if not swap_baseline(self.session):
            self.notice.say(tr("Show a second device to swap the baseline with the active one."))

    def present(self) -> None:
        if self.presenting.on:
            self.presenting.leave()
        else:
            self.presenting.enter()

    def read_notice(self) -> None:
        self.notice.take_keyboard()

    def _look_at(self, view: str, _checked: bool = False) -> None:
        self.session.store.set_view(tab=view)

    def _presented(self) -> None:
        self.actions_by_name["present"].setChecked(self.presenting.on)
        self._size_text()

    def _size_text(self) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication):
            scale_font(app, held(app, self.settings.text_size) * self.presenting.scale)
            self.places.fit(self.size())

    def import_measurements(self) -> None:
        self.measuring.import_dialog()

    def measure_operators(self) -> None:
        self.measuring.measure_operators()

    def measure_ceilings(self) -> None:
        self.measuring.measure_ceilings()

    def trace_model(self) -> None:
        self.measuring.trace_model()

    def fit_measurements(self) -> None:
        self.measuring.fit()

    def diagnose_counters(self) -> None:
        self.measuring.diagnose()

    def shortcuts(self) -> None:
        from explorer.ui.dialogs import Shortcuts

        ask(Shortcuts(self))

    def conventions(self) -> None:
        from explorer.ui.dialogs import Conventions

        ask(Conventions(self))

    def about(self) -> None:
        from explorer.ui.dialogs import About

        ask(About(self))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape gives up what nobody nearer has given up: the figure explained, then what is selected."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.presenting.on:
            self.present()
        elif not self.inspector.leave_total():
            self.clear_selection()

    # files dropped on the window, closing, layout

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(u.toLocalFile()) for u in event.mimeData().urls() if u.isLocalFile()]
        event.acceptProposedAction()
        # after the drag ends: a dialog inside a drop handler freezes the source program
        QTimer.singleShot(0, self, lambda: self.documents.open_all(paths))

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.documents.may_leave():
            event.ignore()
            return
        self.presenting.leave()
        self.measuring.stop()
        self.autosave.discard()
        self.places.keep()
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.places.fit(event.size())

    def open_study(self, study: Study) -> None:
        """Show a study that has no file, such as an example."""
        self.documents.show_example(study)
