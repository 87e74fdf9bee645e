"""The window program: first frame from the embedded study alone, everything else after it."""

import gc
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from explorer import __version__
from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.study.study import Study
from explorer.document.store import StudyStore
from explorer.files.catalogue import load_catalogue
from explorer.files.disk.failure_log import log_folder
from explorer.files.disk.leftovers import sweep_settings
from explorer.files.resources import resource_root
from explorer.files.study.examples import opening_study
from explorer.presentation import sentences as texts  # noqa: F401 - registers every sentence
from explorer.ui.failures.failures import Failures
from explorer.ui.look.language import available_languages, install_language
from explorer.ui.look.text import tr
from explorer.ui.look.theme import apply_font, apply_theme, held, scale_font
from explorer.ui.session import Session
from explorer.ui.settings import Settings, data_folder
from explorer.ui.window import MainWindow

_NEVER_PAINTED_MS = 1000

_SIGNALLED = 128  # the exit code of a program that a signal ended is above it


def make_application(arguments: list[str] | None = None) -> QApplication:
    """The one QApplication, named for its settings."""
    # Qt splits every translucent fill across threads; waking them costs ten times the fill
    os.environ.setdefault("QT_NO_GUI_THREADPOOL", "1")
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(arguments or sys.argv[:1])
    app.setOrganizationName("Roofline Explorer")
    app.setApplicationName("Roofline Explorer")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("roofline-explorer")
    app.setWindowIcon(QIcon(str(resource_root() / "resources" / "icons" / "roofline-explorer.svg")))
    apply_font(app)
    return app


def make_window(study: Study, settings: Settings) -> MainWindow:
    """The window on a study, before any device of the database is read."""
    session = Session(StudyStore(study), load_catalogue(devices=False), settings.look)
    app = QApplication.instance()
    if isinstance(app, QApplication):
        apply_theme(app, session.look.theme)
        scale_font(app, held(app, settings.text_size))
    return MainWindow(session, settings)


def main(path: Path | None = None) -> int:
    """Run the program; a file on the command line is opened in the window."""
    app = make_application()
    settings = Settings()
    install_language(app, settings.language)
    window = make_window(opening_study(), settings)
    failures = watched(window)
    failures.install()
    window.show()
    once_painted(window, lambda: _after_first_frame(window, path))
    once_painted(window, failures.watch_crashes)
    try:
        code = app.exec()
    finally:
        failures.uninstall()
    if code > _SIGNALLED:  # everything is kept, and taking a window apart while it works may take long
        os._exit(code)
    return code


def watched(window: MainWindow) -> Failures:
    """What hears of failures of the program, and looks after the window's study when there is one."""
    session, autosave = window.session, window.autosave

    def rescue(first: bool) -> None:
        if first:
            autosave.save_beside()
        if session.good is not session.store.study and session.store.undo_stack.canUndo():
            session.store.undo_stack.undo()

    def edits() -> list[str]:
        stack = session.store.undo_stack
        return [stack.text(i) for i in range(stack.index())]

    return Failures(log_folder(data_folder()), rescue, edits, window)


def end_at_once(window: MainWindow, code: int) -> None:
    """Keep the edits for the next start and leave without a question: nobody may be there to answer it."""
    window.autosave.save()
    QApplication.exit(code)


def once_painted(window: MainWindow, then: Callable[[], None]) -> None:
    """Call `then` after the first frame; in a window that shows none, such as a minimised one, soon all the same."""
    waiting = QTimer(window)
    waiting.setSingleShot(True)
    waiting.setInterval(_NEVER_PAINTED_MS)
    waiting.timeout.connect(then)
    waiting.timeout.connect(waiting.deleteLater)
    if window.roofline.still is not None:
        # a timer of no time would come first: the screen asks for the frame only when the events before it are done
        window.roofline.still.painted.connect(partial(waiting.start, 0))
    waiting.start()


def _after_first_frame(window: MainWindow, path: Path | None) -> None:
    from explorer.ui.failures.ending import Ending  # after the first frame
    from explorer.ui.hardware.reading import DatabaseReading

    Ending(partial(end_at_once, window), window)
    gc.freeze()
    gc.enable()
    reading = DatabaseReading(window)
    reading.done.connect(lambda catalogue: _with_database(window, catalogue, path))
    reading.done.connect(reading.deleteLater)
    reading.start()


def _with_database(window: MainWindow, catalogue: Catalogue, path: Path | None) -> None:
    window.take_catalogue(catalogue)
    if path is not None:
        window.documents.open(path)
    say_what_settings_lack(window)
    offer_recovery(window)


def say_what_settings_lack(window: MainWindow) -> None:
    """Name the settings that were passed over, and say where changes will not last."""
    settings = window.settings
    settings.read_all()
    sweep_settings(settings.file)
    if settings.language not in ("", *available_languages()):
        settings.ignored.add("look/language")
    if settings.damaged:
        window.notice.say(
            tr("The settings in {file} are damaged; what cannot be read is left out.", file=settings.file)
        )
    elif settings.ignored:
        names = ", ".join(sorted(settings.ignored))
        text = tr("Settings that cannot be used are left out: {names} (in {file}).", names=names, file=settings.file)
        window.notice.say(text)
    if not settings.kept:
        window.notice.say(tr("Changes of settings will not be kept: {file} cannot be written.", file=settings.file))


def offer_recovery(window: MainWindow) -> None:
    """Offer edits that an earlier run could not save."""
    from explorer.ui.documents.recovery import Recovery  # after the first frame

    Recovery(window, data_folder() / "autosave").offer()
