"""The open study: one value, one undo stack; views hear `changed(old, new)`."""

import weakref
from collections.abc import Callable
from pathlib import Path
from typing import cast

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from explorer.analysis.problem import Problem
from explorer.analysis.study.check import view_problems
from explorer.analysis.study.study import Study, View
from explorer.files.disk.atomic import Stamp

UNDO_LIMIT = 1000
Guard = Callable[[Study, Study], tuple[Problem, ...]]
_MERGE_ID = 7
_NO_VIEW = View()


class ReplaceStudy(QUndoCommand):
    """Put one study in place of another; commands with one merge key, as of one drag, become one."""

    def __init__(self, store: "StudyStore", new: Study, text: str, merge: str = "") -> None:
        super().__init__(text)
        # a strong reference would make a cycle, and its collection frees commands before the stack that owns them
        self._store: StudyStore = weakref.proxy(store)
        self._old = store.study
        self._new = new
        self._merge = merge
        self._done = False

    def redo(self) -> None:
        # the first time it is the edit itself, which may look elsewhere; later the user's view stays
        self._store.put(self._new if not self._done else self._viewed(self._new))
        self._done = True

    def undo(self) -> None:
        self._store.put(self._viewed(self._old))

    def _viewed(self, study: Study) -> Study:
        return replace(study, view=self._store.study.view)

    def id(self) -> int:
        return _MERGE_ID if self._merge else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        follower = cast("ReplaceStudy", other)
        if follower._merge != self._merge:  # noqa: SLF001 - the same class
            return False
        self._new = follower._new  # noqa: SLF001
        return True


class StudyStore(QObject):
    """Holds the study; every edit replaces it whole through the undo stack."""

    changed = Signal(object, object)
    path_changed = Signal()
    opened = Signal()  # another study than before: what was begun for that one is none of this one's
    refused = Signal(object)
    dirty_changed = Signal(bool)

    def __init__(self, study: Study | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.study = study or Study()
        self.path: Path | None = None
        self.stamp: Stamp | None = None  # the file as it was when read or written here
        self.guard: Guard | None = None
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(UNDO_LIMIT)
        stack = self.undo_stack
        self._clean: Study | None = self.study  # as its file holds it, None where no state that can be reached is so
        self._told_dirty = False
        stack.cleanChanged.connect(self._on_clean)
        stack.indexChanged.connect(self._tell_dirty)
        # a dying stack tells of its emptying, to listeners that may be half gone
        self.destroyed.connect(lambda: stack.blockSignals(True))  # noqa: FBT003 - the way Qt has it
        self._drag = 0
        self.drag_key = ""  # names the drag whose edit is being heard, "" for any other change

    def replace(self, study: Study, text: str, merge: str = "") -> bool:
        """Edit: put `study` in place, undoable under `text`; edits of one drag share `merge`.

        An edit whose study could not be saved and read back is refused: `refused` tells the first problem, and
        the answer is False.
        """
        problems = self.guard(self.study, study) if self.guard is not None else ()
        if problems:
            self.refused.emit(problems[0])
        elif study != self.study:
            self.drag_key = f"{merge}:{self._drag}" if merge else ""
            self.undo_stack.push(ReplaceStudy(self, study, text, self.drag_key))
            self.drag_key = ""
        return not problems

    def edit(self, text: str, merge: str = "", **fields: object) -> bool:
        """Edit fields of the study: `edit("Rename", name="x")`."""
        return self.replace(replace(self.study, **fields), text, merge)

    def edit_workload(self, text: str, merge: str = "", **fields: object) -> None:
        """Edit fields of the workload: `edit_workload("Batch", merge="batch", batch=8)`."""
        self.edit(text, merge, workload=replace(self.study.workload, **fields))

    def end_drag(self) -> None:
        """Close a drag: the next edit with the same merge key is an undo step of its own."""
        self._drag += 1

    def set_view(self, **fields: object) -> None:
        """Change how the study is looked at; no undo step, not dirty; a view that cannot be is passed over."""
        view: View = replace(self.study.view, **fields)
        if view != self.study.view and not view_problems(view):
            self.put(replace(self.study, view=view))

    def put(self, study: Study) -> None:
        """Set the study without an undo step; commands and loaders use it."""
        old, self.study = self.study, study
        self.changed.emit(old, study)

    def reset(self, study: Study, path: Path | None = None, stamp: Stamp | None = None, *, dirty: bool = False) -> None:
        """Open another study: clears the undo stack, for no undo may lead to another file's study.

        A study that is `dirty` from the start has edits that its file has not.
        """
        self.opened.emit()
        self.undo_stack.clear()
        self.path, self.stamp = path, stamp
        self.put(study)
        self._take_clean(clean=not dirty)
        self.path_changed.emit()

    def saved(self, study: Study, path: Path, stamp: Stamp | None) -> None:
        """Take note that a study was written: clean, if it is still the one that is open."""
        self.path, self.stamp = path, stamp
        # else neither this state nor one of the past is what the file holds
        self._take_clean(clean=same_work(study, self.study))
        self.path_changed.emit()

    def revert(self, study: Study, stamp: Stamp | None, text: str) -> None:
        """Go back to what the file holds, as an edit that can be undone."""
        if self.replace(study, text):
            self.stamp = stamp
            self._take_clean(clean=True)

    def _take_clean(self, *, clean: bool) -> None:
        self._clean = self.study if clean else None
        if clean:
            self.undo_stack.setClean()
        else:
            self.undo_stack.resetClean()
        self._tell_dirty()

    def _on_clean(self, clean: bool) -> None:
        if clean:
            self._clean = self.study
        self._tell_dirty()

    def _tell_dirty(self) -> None:
        if self.dirty != self._told_dirty:
            self._told_dirty = self.dirty
            self.dirty_changed.emit(self._told_dirty)

    @property
    def dirty(self) -> bool:
        """Whether there are unsaved edits of more than how the study is looked at."""
        if self.undo_stack.isClean():
            return False
        return self._clean is None or not same_work(self._clean, self.study)


def same_work(one: Study, other: Study) -> bool:
    """Whether two studies differ in the way they are looked at only: view, devices hidden, the model looked at."""
    return one is other or (one.workload == other.workload and _work(one) == _work(other))


def _work(study: Study) -> Study:
    shown = tuple(e if e.visible else replace(e, visible=True) for e in study.hardware)
    return replace(study, view=_NO_VIEW, active_model="", hardware=shown)
