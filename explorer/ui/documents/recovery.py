"""Edits that an earlier run could not save: offered one after the other, and never lost on the way."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.analysis.problem import Refused
from explorer.document.kept import Kept, left_behind, lock_of, look_at, set_aside, tidy
from explorer.files.study.study import read_study
from explorer.presentation.words.messages import render_problem
from explorer.ui.look.text import tr

if TYPE_CHECKING:
    from explorer.ui.window import MainWindow

_CLOSED = frozenset({"file.read", "file.not_a_file"})  # nothing is known of what it holds


class Recovery:
    """Goes through the files that earlier runs left behind; one that cannot be taken never hides the next."""

    def __init__(self, window: "MainWindow", folder: Path) -> None:
        self._window = window
        self._folder = folder
        self._passed: set[Path] = set()  # dismissed, or said
        tidy(folder)

    def offer(self) -> None:
        """Offer the newest edits that can be recovered; say which cannot."""
        for path in left_behind(self._folder):
            if path in self._passed:
                continue
            kept = self._looked_at(path)
            if kept is not None and not kept.newer:
                text = tr("Unsaved edits of “{name}” were kept from an earlier run.", name=kept.name or tr("Untitled"))
                act, dismissed = (lambda k=kept: self._take(k)), (lambda k=kept: self._dismiss(k))
                self._window.notice.offer(text, tr("Recover"), act, dismissed)
                return
            self._passed.add(path)

    def _looked_at(self, path: Path) -> Kept | None:
        """What a file holds; None, and a sentence, where it cannot be used."""
        try:
            kept = look_at(path)
        except Refused as refused:
            self._damaged(path, refused)
            return None
        if kept.newer:
            name = kept.name or tr("Untitled")
            text = tr(
                "Unsaved edits of “{name}” were kept by a newer version, which can recover them ({file}).",
                name=name,
                file=path,
            )
            self._say(text)
        return kept

    def _take(self, kept: Kept) -> bool:
        """Put the edits in place of what is open; False where the user stays with that."""
        if not self._window.documents.may_leave():
            return False
        self._passed.add(kept.path)
        lock = lock_of(kept.path)
        if not lock.tryLock(0) or not kept.path.exists():
            lock.unlock()
            self._say(tr("These edits were recovered in another window."))
        else:
            try:
                self._put(kept)
            finally:
                lock.unlock()
        self.offer()
        return True

    def _put(self, kept: Kept) -> None:
        try:
            study = read_study(kept.path)
        except Refused as refused:
            self._damaged(kept.path, refused)
            return
        window = self._window
        window.session.store.reset(study, kept.file, kept.stamp, dirty=True)
        if window.autosave.save():  # only now are the edits safe elsewhere
            with suppress(OSError):
                kept.path.unlink(missing_ok=True)
        if kept.gone:
            self._say(tr("{file} is no longer where it was; saving asks for a place.", file=kept.gone))

    def _dismiss(self, kept: Kept) -> None:
        self._passed.add(kept.path)
        self.offer()

    def _damaged(self, path: Path, refused: Refused) -> None:
        problem = refused.problems[0]
        why = render_problem(problem, self._window.session.look)
        file = path if problem.code in _CLOSED else set_aside(path)
        self._say(tr("Unsaved edits of an earlier run cannot be read. {why} They stay in {file}.", why=why, file=file))

    def _say(self, text: str) -> None:
        self._window.notice.say(text)
