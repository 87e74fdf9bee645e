"""An imported file for a terminal: what was found, as tables, and what was left out and why."""

from collections import Counter

from explorer.analysis.measured.imported import Imported
from explorer.analysis.problem import Note
from explorer.presentation.measured.imported import (
    CEILING_COLUMNS,
    POINT_COLUMNS,
    heading,
    skipped_texts,
    used,
    warnings,
)
from explorer.presentation.words.messages import Message, of_note, render
from explorer.presentation.words.visible import one_line
from explorer.report.text_table import aligned_text

_LISTED = 200


def imported_text(imported: Imported) -> str:
    """All of it, points up to a screenful or two."""
    parts = [one_line(heading(imported)) + "\n"]
    points = imported.points[:_LISTED]
    if imported.ceilings:
        parts.append(aligned_text(used(CEILING_COLUMNS, imported.ceilings), imported.ceilings))
    if points:
        parts.append(aligned_text(used(POINT_COLUMNS, points), points))
    if len(imported.points) > _LISTED:
        parts.append(render(Message("import.more_points", {"count": len(imported.points) - _LISTED})) + "\n")
    remarks = [*(render(of_note(n)) for n in imported.notes), *warnings(imported), *_of_points(imported)]
    remarks += skipped_texts(imported.skipped)
    if remarks:
        parts.append("".join(f"- {one_line(line)}\n" for line in remarks))
    return "\n".join(parts)


def _of_points(imported: Imported) -> list[str]:
    """Each remark on points once, with how many it is about."""
    counts: Counter[str] = Counter(_remark(n) for p in imported.points for n in p.notes)
    return [render(Message("import.about", {"count": n, "text": text})) for text, n in counts.items()]


def _remark(note: Note) -> str:
    return render(of_note(note))
