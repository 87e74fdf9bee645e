"""When the program itself fails: one dialog, a report that can be copied, a log; and the program goes on."""

import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, QtMsgType, Signal, qInstallMessageHandler, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from explorer.files.disk.failure_log import log, report_of, without_home
from explorer.presentation.words.translated import hear_no_more, hear_of_faults

_LAST: Final = 10  # edits named in a report
_DIFFERENT: Final = 20  # failures that are told apart
_GRAVE: Final = frozenset({QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg})
Rescue = Callable[[bool], object]


class Failures(QObject):
    """Hears of every exception that nothing else has caught, in any thread.

    `rescue` goes back to the last study that could be shown, and keeps what is unsaved where the failure is the first
    of its kind; `edits` names the last edits.
    """

    _failed = Signal(str, str)  # what tells it from others, and the report

    def __init__(self, folder: Path, rescue: Rescue, edits: Callable[[], list[str]], parent: QObject) -> None:
        super().__init__(parent)
        self.folder = folder
        self.dialog: Any = None
        self.counted: Counter[str] = Counter()
        self._rescue = rescue
        self._edits = edits
        self._old: tuple[Any, ...] = ()
        self._hard: Any = None
        # never at once: an exception may come out of the middle of a paint, or from another thread
        self._failed.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Take the place of what would print to a terminal that a window does not have."""
        self._old = sys.excepthook, threading.excepthook, sys.unraisablehook
        sys.excepthook = self._on_exception
        threading.excepthook = lambda found: self._on_exception(found.exc_type, found.exc_value, found.exc_traceback)
        sys.unraisablehook = lambda found: self._on_exception(found.exc_type, found.exc_value, found.exc_traceback)
        qInstallMessageHandler(self._on_message)
        hear_of_faults(self._on_translation)

    def uninstall(self) -> None:
        """Give the places back."""
        if self._old:
            sys.excepthook, threading.excepthook, sys.unraisablehook = self._old
            qInstallMessageHandler(None)
            hear_no_more(self._on_translation)
            self._old = ()
        if self._hard is not None:
            import faulthandler

            faulthandler.disable()  # before the file goes, whose number another one may get
            self._hard.close()
            self._hard = None

    def watch_crashes(self) -> None:
        """Have a crash of the interpreter itself leave its stacks in the log folder."""
        import faulthandler

        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            path = self.folder / "crash.log"
            if path.exists() and (not path.is_file() or path.stat().st_size > 65536):
                path.unlink()
            self._hard = path.open("a", encoding="utf-8")
            faulthandler.enable(self._hard)
        except OSError:
            return

    def _on_exception(
        self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None = None
    ) -> None:
        if error is None or issubclass(kind, KeyboardInterrupt | SystemExit):
            return
        if self._old and sys.stderr is not None:
            self._old[0](kind, error, trace)  # where there is a terminal, it is told too
        self._failed.emit(_place(error), report_of(error, f"Qt {qVersion()}, {QGuiApplication.platformName()}"))

    def _on_message(self, kind: QtMsgType, _where: object, text: str) -> None:
        if sys.stderr is not None:
            from explorer.report.terminal import written  # the start says nothing

            print(written(text, sys.stderr), file=sys.stderr)
        if kind in _GRAVE:
            log(without_home(f"Qt: {text}"), self.folder)

    def _on_translation(self, fault: str) -> None:
        log(without_home(fault), self.folder)

    def _tell(self, place: str, report: str) -> None:
        known = place in self.counted or len(self.counted) >= _DIFFERENT
        self.counted[place] += 1
        self._keep_safe(first=not known)
        if self.dialog is not None:
            self.dialog.count(self.counted.total())
        if known:
            return  # the same paint fails sixty times a second
        did = "".join(f"  {text}\n" for text in self._edits()[-_LAST:])
        text = without_home(f"{report}\nLast edits:\n{did}" if did else report)
        log(text, self.folder)
        if self.dialog is None:
            self._show(text)
        else:
            self.dialog.add(text)

    def _keep_safe(self, *, first: bool) -> None:
        try:
            self._rescue(first)
        except Exception as error:  # noqa: BLE001 - nothing may come between a failure and its dialog
            log(report_of(error), self.folder)

    def _show(self, text: str) -> None:
        from explorer.ui.failures.failure_dialog import FailureDialog

        above = QApplication.activeModalWidget()  # which takes all input, so the dialog must stand on it
        self.dialog = FailureDialog(text, self._open_folder, above or self.parent())
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog.destroyed.connect(self._closed)
        self.dialog.setModal(above is not None)
        self.dialog.show()

    def _open_folder(self) -> None:
        from explorer.bench.programs import show_folder  # the start needs no other programs

        show_folder(self.folder)

    def _closed(self) -> None:
        self.dialog = None


def _place(error: BaseException) -> str:
    """Where an exception comes from: two that come from one place are one failure."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = "" if trace is None else f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    return f"{type(error).__name__} {where}"
