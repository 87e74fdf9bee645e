"""Slides on their way into a file: built in slices in the window's thread, painted and written beside it."""

import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

from PySide6.QtCore import QEventLoop, QObject, Signal
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from explorer.files.disk.atomic import write_atomically
from explorer.ui.background import Beside, Progress
from explorer.ui.look.text import tr
from explorer.ui.widgets.after_paint import AfterPaint

Figures = list[tuple[str, object]]  # views and what they show
_BAR = 160


class _GivenUpError(Exception):
    """The user has cancelled."""


class Painting:
    """What the thread beside the window may ask; whoever comes first, cancel or the write, wins."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stopped = False
        self._writing = False
        self.progress: Progress = lambda _done: True

    def tell(self, done: float) -> None:
        """Say what part is painted; ends the work where that was cancelled."""
        self.progress(done)
        if self._stopped:
            raise _GivenUpError

    @property
    def stopped(self) -> bool:
        """Whether it was cancelled."""
        return self._stopped

    def stop(self) -> bool:
        """Cancel; False where the file is already being replaced."""
        with self._lock:
            self._stopped = not self._writing
            return self._stopped

    def write(self, path: Path, content: bytes) -> Path:
        """Replace the file as a whole, unless that was cancelled."""
        with self._lock:
            if self._stopped:
                raise _GivenUpError
            self._writing = True
        write_atomically(path, content)
        return path


class ExportWork(QObject):
    """Runs one export at a time, with a bar and a button that keep their places."""

    busy = Signal(bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.bar = QProgressBar(parent)
        self.bar.setRange(0, 100)
        self.bar.setFixedWidth(_BAR)
        self.bar.setAccessibleName(tr("Progress of the export"))
        self.cancel_button = QPushButton(tr("Cancel"), parent)
        for widget in (self.bar, self.cancel_button):
            _keep_place(widget)
        self.cancel_button.clicked.connect(self.cancel)
        self._painting: Painting | None = None
        self._job: Beside | None = None
        self._loop = QEventLoop(self)

    @property
    def running(self) -> bool:
        """Whether an export is on its way."""
        return self._painting is not None

    def cancel(self) -> None:
        """Give up what is on its way; nothing is written then."""
        if self._painting is None or not self._painting.stop():
            return
        if self._job is not None:
            self._job.cancel()
        self._loop.quit()

    def run(self, figures: Iterator[tuple[str, object]], paint: Callable[[Figures, Painting], object]) -> object:
        """What `paint` makes of the figures, while the window stays alive; None where that was cancelled.

        Raises
        ------
        Refused
            What building, painting or writing refuses.
        """
        if self.running:
            return None
        painting = self._painting = Painting()
        self._show(on=True)
        try:
            found = self._built(figures, painting)
            return None if found is None else self._painted(found, paint, painting)
        finally:
            self._painting = None
            self._show(on=False)

    def _show(self, *, on: bool) -> None:
        self.bar.setValue(0)
        self.bar.setVisible(on)
        self.cancel_button.setVisible(on)
        self.busy.emit(on)

    def _built(self, figures: Iterator[tuple[str, object]], painting: Painting) -> Figures | None:
        """All figures; the window paints between one and the next."""
        found: Figures = []
        faults: list[Exception] = []
        whole = False

        def steps() -> Generator[None, None, None]:
            nonlocal whole
            try:
                for figure in figures:
                    found.append(figure)
                    yield
                whole = True
            except Exception as fault:  # noqa: BLE001 - raised below, where the caller hears it
                faults.append(fault)
            self._loop.quit()

        work = AfterPaint(steps, self)
        work.ask()
        self._loop.exec()
        work.stop()
        if faults:
            raise faults[0]
        return found if whole and not painting.stopped else None

    def _painted(self, found: Figures, paint: Callable[[Figures, Painting], object], painting: Painting) -> object:
        job = self._job = Beside(lambda progress: self._beside(found, paint, painting, progress), self)
        job.told.connect(self.bar.setValue)
        job.finished.connect(self._loop.quit)
        job.start()
        self._loop.exec()
        painting.stop()  # the program ends, where nothing has come of it yet
        job.cancel()
        self._job = None
        job.deleteLater()
        if job.error is not None and not isinstance(job.error, _GivenUpError):
            raise job.error
        return job.result

    @staticmethod
    def _beside(
        found: Figures, paint: Callable[[Figures, Painting], object], painting: Painting, progress: Progress
    ) -> object:
        painting.progress = progress
        return paint(found, painting)


def _keep_place(widget: QWidget) -> None:
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)
    widget.hide()
