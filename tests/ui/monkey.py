"""A user who tries everything in no order: random actions on the window, each from a seeded choice."""

from collections.abc import Callable

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QItemSelectionModel, Qt, QTimer
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QWidget,
)

from explorer.document.store import StudyStore
from explorer.ui.hardware.commands import HardwareCommands
from explorer.ui.tables.panel import TablePanel
from explorer.ui.window import MainWindow
from tests.ui.monkey_hands import LEFT, NO_BUTTON, PLAIN, Hands, close_popups, mouse, wheel

TABLES = (
    "name\tkind\ncalls\tmatmul\nx\tmatmul\t2\tm=8\n",
    "name\tkind\tcalls\tdims\na\tmatmul\t1e12\tm=1e18 n=1e18 k=1e18\nb\tnothing\nc\tconv2d\t1\tstride=0\n",
    "a\tsoftmax\t3\nb\tmatmul\t1\tm=0 n=0 k=0\n" + "é" * 200 + "\tmatmul\n" + "é" * 200 + "\tmatmul\n",
    "\x00\t\t\t\n" * 5, "", "plain words", "=1+1\tmatmul", "x\tmatmul\n" * 60,
    "name\trow\ton\ttime\nfirst\tq_proj\tH100 SXM5\t20 us\nstep\t\tH100 SXM5\t6 ms\n",
    "a\tq_proj\t\t1e-3\t\tdecode\t8\t4096\tby hand\n" * 30, "a\tb\tc\tnan\nx\t\t\t\t1e400\n",
)  # fmt: skip
_LEAVING = {"quit"}
_K, _M = Qt.Key, Qt.KeyboardModifier
KEYS = (
    _K.Key_Up, _K.Key_Down, _K.Key_Left, _K.Key_Right, _K.Key_PageUp, _K.Key_PageDown, _K.Key_Home, _K.Key_End,
    _K.Key_Space, _K.Key_Return, _K.Key_Tab, _K.Key_Delete, _K.Key_Insert, _K.Key_F2, _K.Key_Escape, _K.Key_A,
    _K.Key_8, _K.Key_Menu, _K.Key_Plus, _K.Key_Minus, _K.Key_Backspace,
)  # fmt: skip
MOOD = 100  # acts
MODIFIERS = (_M.ControlModifier, _M.ShiftModifier, _M.AltModifier)


class Monkey(Hands):
    """Every control of the window: mouse, keys, tables, actions, hardware, chart."""

    def __init__(self, window: MainWindow, seed: int) -> None:
        super().__init__(window, seed)
        self.closing = QTimer(interval=20)  # a menu below a button waits in a loop of its own
        self.closing.timeout.connect(close_popups)
        self.closing.start()
        self.acts: dict[str, Callable[[], object]] = {
            name.removeprefix("do_"): getattr(self, name) for name in dir(self) if name.startswith("do_")
        }

    @property
    def store(self) -> StudyStore:
        return self.window.session.store

    def act(self) -> None:
        """Do one thing; for a while each monkey keeps to some of them, which leads further than all of them mixed."""
        if len(self.did) % MOOD == 0:
            every = sorted(self.acts)
            self.mood = every if self.rng.random() < 0.3 else self.rng.sample(every, len(every) // 3)
        name = self.rng.choice(self.mood)
        self.did.append(name)
        self.acts[name]()
        self.close_what_opened()
        QApplication.processEvents()  # an import that was left running may end here, and ask
        self.close_what_opened()

    # what can be done

    def do_action(self) -> None:
        names = sorted(set(self.window.actions_by_name) - _LEAVING)
        name = self.rng.choice(names)
        self.note(name)
        self.window.actions_by_name[name].trigger()

    def any_table(self) -> TablePanel:
        tables = self.window.tables
        return self.rng.choice((tables.operators, tables.models, tables.measurements))

    def do_table_action(self) -> None:
        table = self.any_table()
        action: QAction = self.rng.choice([a for a in table.view.actions() if a.text()])
        self.note(action.text())
        action.trigger()

    def do_undo(self) -> None:
        for _ in range(self.rng.choice((1, 1, 2, 30))):
            self.store.undo_stack.undo()

    def do_redo(self) -> None:
        for _ in range(self.rng.choice((1, 1, 2, 30))):
            self.store.undo_stack.redo()

    def do_drag_a_slider(self) -> None:
        slider = self.rng.choice((self.window.decode_panel.batch, self.window.decode_panel.context)).slider
        if not slider.isVisible():
            return
        mouse(slider, QEvent.Type.MouseButtonPress, self.place(slider))
        for _ in range(4):
            mouse(slider, QEvent.Type.MouseMove, self.place(slider))
            if self.rng.random() < 0.1:
                self.window.take_catalogue(self.window.session.catalogue)
        mouse(slider, QEvent.Type.MouseButtonRelease, self.place(slider))

    def do_key_a_slider(self) -> None:
        slider = self.rng.choice((self.window.decode_panel.batch, self.window.decode_panel.context)).slider
        keys = Qt.Key
        QTest.keyClick(
            slider, self.rng.choice((keys.Key_Home, keys.Key_End, keys.Key_PageUp, keys.Key_PageDown, keys.Key_Right))
        )

    def do_type(self) -> None:
        lines = [w for w in self.seen(QLineEdit) if not w.isReadOnly()]
        line = self.rng.choice(lines)
        text = self.garbage()
        self.note(f"{line.accessibleName()}: {text[:20]!r}")
        line.setFocus()
        line.selectAll()
        line.insert(text)
        line.setModified(True)
        line.textEdited.emit(line.text())
        QTest.keyClick(line, self.rng.choice((Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab)))

    def do_spin(self) -> None:
        self.window.decode_panel.more.fold.setChecked(True)
        boxes = [w for w in self.seen(QAbstractSpinBox) if hasattr(w, "setValue")]
        if boxes:
            box = self.rng.choice(boxes)
            box.setValue(self.rng.choice((box.minimum(), box.maximum(), (box.minimum() + box.maximum()) // 2)))

    def do_choose(self) -> None:
        boxes = [b for b in self.seen(QComboBox) if b.count()]
        if boxes:
            box = self.rng.choice(boxes)
            index = self.rng.randrange(box.count())
            self.note(f"{box.accessibleName()}: {box.itemText(index)}")
            box.setCurrentIndex(index)
            box.activated.emit(index)

    def do_press_a_button(self) -> None:
        self.press(self.window)

    def do_edit_a_cell(self) -> None:
        table = self.any_table()
        model = table.model
        if not model.rows or not model.columns:
            return
        index = model.index(self.rng.randrange(len(model.rows)), self.rng.randrange(len(model.columns)))
        value: object = self.garbage()
        if index.flags() & Qt.ItemFlag.ItemIsUserCheckable:
            checked = self.rng.choice((Qt.CheckState.Checked, Qt.CheckState.Unchecked))
            model.setData(index, checked, Qt.ItemDataRole.CheckStateRole)
        elif table is self.window.tables.measurements and model.columns[index.column()].edit == "format":
            return  # there only the offered ones can be chosen
        elif index.flags() & Qt.ItemFlag.ItemIsEditable:
            self.note(f"{model.columns[index.column()].key}={value!r:.30}")
            model.setData(index, value)

    def do_type_into_a_cell(self) -> None:
        table = self.any_table()
        editing = table.view.state() == QAbstractItemView.State.EditingState
        rows, columns = table.model.rows, table.model.columns
        if editing or not rows or not columns or not table.view.isVisible():
            return
        index = table.model.index(self.rng.randrange(len(rows)), self.rng.randrange(len(columns)))
        if index.flags() & Qt.ItemFlag.ItemIsEditable:
            table.view.setCurrentIndex(index)
            table.view.edit(index)
            for editor in self.seen(QLineEdit, table.view.viewport()):
                editor.setText(self.garbage())
                QTest.keyClick(editor, self.rng.choice((Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab)))

    def do_select_rows(self) -> None:
        table = self.any_table()
        flag = QItemSelectionModel.SelectionFlag
        for row in self.rng.sample(range(len(table.model.rows)), min(len(table.model.rows), self.rng.randrange(4))):
            table.view.selectionModel().select(table.model.index(row, 0), flag.Select | flag.Rows)
            table.view.setCurrentIndex(table.model.index(row, 0))

    def do_select_all(self) -> None:
        self.window.tables.operators.view.selectAll()

    def do_sort(self) -> None:
        table = self.any_table()
        table.model.sort(self.rng.randrange(-1, len(table.model.columns)))

    def do_paste(self) -> None:
        QGuiApplication.clipboard().setText(self.rng.choice((*TABLES, self.garbage())))
        self.rng.choice((self.window.tables.operators, self.window.tables.measurements)).paste()

    def do_copy_and_paste(self) -> None:
        self.any_table().copy()
        self.rng.choice((self.window.tables.operators, self.window.tables.measurements)).paste()

    def do_hardware(self) -> None:
        commands, rows = self.window.picker.commands, self.window.picker.model.rows
        if not rows:
            return
        row = self.rng.choice([r for r in rows if r.kind != "section"] or rows)
        calls: dict[str, Callable[[], object]] = {
            "toggle": lambda: commands.toggle(row),
            "active": lambda: commands.make_active(row),
            "remove": lambda: commands.remove(row),
            "hide": lambda: commands.set_visible(row, visible=self.rng.random() < 0.5),
            "count": lambda: commands.set_count(row, self.rng.choice((-5, 0, 1, 8, 1024, 10**9))),
            "colour": lambda: commands.set_colour(row, self.rng.choice((None, 0, 3, 99))),
            "move": lambda: commands.move(row, self.rng.choice((-1, 1, 100))),
            "what if": lambda: commands.what_if(row, self.rng.choice(("bandwidth", "compute", "capacity"))),
            "edit": lambda: commands.edit(row),
            "save": lambda: commands.save_as_own(row),
        }
        name = self.rng.choice(sorted(calls))
        self.note(f"{name} {row.key}")
        calls[name]()

    def do_hide_all_hardware(self) -> None:
        hidden = tuple(replace(e, visible=False) for e in self.store.study.hardware)
        self.store.edit("Hide", hardware=hidden)

    def do_remove_all_hardware(self) -> None:
        if self.rng.random() < 0.3:
            self.store.edit("Remove", hardware=())

    def do_faster_every_time(self) -> None:
        commands: HardwareCommands = self.window.picker.commands
        for row in [r for r in self.window.picker.model.rows if r.kind == "entry"][-1:]:
            commands.what_if(row, "bandwidth")

    def do_chart(self) -> None:
        chart = self.window.roofline.go_live()
        view = chart.viewport()
        for _ in range(self.rng.randrange(1, 6)):
            wheel(view, self.place(view), self.rng.choice((-120, 120, 12000, -12000)), self.rng.choice(tuple(_KEYS)))
        mouse(view, QEvent.Type.MouseButtonPress, self.place(view))
        mouse(view, QEvent.Type.MouseMove, self.place(view))
        mouse(view, QEvent.Type.MouseButtonRelease, self.place(view))

    def do_point_at_the_chart(self) -> None:
        view = self.window.roofline.go_live().viewport()
        mouse(view, QEvent.Type.MouseMove, self.place(view), NO_BUTTON)

    def do_key_the_chart(self) -> None:
        chart = self.window.roofline.go_live()
        QTest.keyClick(chart, self.rng.choice((Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_Left, Qt.Key.Key_Escape)))

    def do_keys(self) -> None:
        able = [w for w in self.seen(QWidget) if w.focusPolicy() & Qt.FocusPolicy.TabFocus]
        widget = self.rng.choice(able)
        widget.setFocus()
        for _ in range(self.rng.randrange(1, 8)):
            key, more = self.rng.choice(KEYS), self.rng.choice((*[PLAIN] * 4, *MODIFIERS))
            self.note(f"{type(widget).__name__}:{key.name}")
            QTest.keyClick(widget, key, more)
            self.close_what_opened()
            if not widget.isVisible():
                break

    def do_click(self) -> None:
        widget = self.rng.choice(self.seen(QWidget))
        click = self.rng.choice((QTest.mouseClick, QTest.mouseDClick))
        button = self.rng.choice((LEFT, LEFT, Qt.MouseButton.RightButton))
        self.note(type(widget).__name__)
        click(widget, button, PLAIN, self.place(widget).toPoint())

    def do_view(self) -> None:
        spans = ((-400.0, 400.0), (0.0, 1e-9), (3.0, 4.0), (float("nan"), 1.0), (5.0, 1.0), (-1e300, 1e300))
        self.store.set_view(x_range=self.rng.choice(spans), y_range=self.rng.choice(spans))

    def do_tab(self) -> None:
        self.window.tabs.setCurrentIndex(self.rng.randrange(self.window.tabs.count()))

    def do_resize(self) -> None:
        self.window.resize(*self.rng.choice(((1, 1), (1024, 640), (1280, 800), (3000, 1700), (1024, 1700))))
        splitter = self.rng.choice((self.window.middle, self.window.outer, self.window.right.splitter))
        splitter.setSizes([self.rng.choice((0, 100, 5000)) for _ in range(splitter.count())])

    def do_theme(self) -> None:
        self.window.settings.theme = self.rng.choice(("light", "dark", "system"))
        self.window.settings.capacity_unit = self.rng.choice(("GB", "GiB"))
        self.window.apply_look()

    def do_inspect(self) -> None:
        total = ("floor_s", "expected_s", "tokens_per_s", "tokens_per_s_per_request", "streamed_s", "memory_bytes")
        self.window.inspector.show_total(self.rng.choice(total))


_KEYS = (PLAIN, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier)
