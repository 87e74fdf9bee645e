"""How charts name and colour the subjects of a comparison: as its table does."""

from collections.abc import Iterable

import explorer.presentation.compare.texts  # noqa: F401 - registers the words used here
from explorer.analysis.ask.comparison.subjects import Subject, subjects
from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.compare.names import subject_name as row_name
from explorer.presentation.hardware.entries import colour_index
from explorer.presentation.hardware.short_names import name_forms
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.words.visible import one_line


def subject_name(evaluation: Evaluation, subject: Subject, look: Look = ENGLISH) -> str:
    """A subject as legends name it."""
    return one_line(row_name(evaluation, subject, evaluation.study.view.vary, look))


def subject_names(evaluation: Evaluation, found: Iterable[Subject], look: Look = ENGLISH) -> dict[str, tuple[str, ...]]:
    """The names of subjects by key, each with shorter ones for where there is little room."""
    those = list(found)
    names = {s.key: subject_name(evaluation, s, look) for s in those}
    machines = evaluation.study.view.vary == "machines"
    return name_forms(names, {s.key: s.entry.device for s in those} if machines else {})


def subject_colour(evaluation: Evaluation, subject: Subject) -> int:
    """Which of the palette's colours, dashes and hatches a subject has: its device's, else its place."""
    if evaluation.study.view.vary == "machines":
        return colour_index(evaluation.study, subject.entry.id)
    keys = [s.key for s in subjects(evaluation)]
    return keys.index(subject.key) if subject.key in keys else 0
