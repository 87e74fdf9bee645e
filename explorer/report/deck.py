"""All views of a study that have something to say of it: a file each in a folder, or pages of one PDF."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.evaluate import Evaluation
from explorer.files.disk.atomic import write_atomically
from explorer.files.disk.text import printable
from explorer.presentation.slide.slide import Slide, built
from explorer.presentation.views.declared import VIEWS
from explorer.report.figure_export import FORMATS, PLAIN, Paper, Tell, check_export, content_of, pdf_of_pages, reason_of

PDF = ".pdf"
_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{1,4}")


def slides_of(evaluation: Evaluation, paper: Paper = PLAIN) -> Iterator[tuple[str, Slide]]:
    """Name and slide of every view that has something to say, in the order of the views."""
    for name, view in VIEWS.items():
        if view.bare:
            continue
        slide = built(name, evaluation, paper.look, paper.texts, paper.blocks, paper.day)
        if isinstance(slide, Slide) and not reason_of(slide):
            yield name, slide


def _is_named_as_a_file(path: Path) -> bool:
    """Whether a path that is no folder yet ends as files do: x.txt, but not deck-1.2."""
    return not path.is_dir() and _ENDING.fullmatch(path.suffix) is not None


def export_deck(evaluation: Evaluation, path: Path, suffix: str = ".png", paper: Paper = PLAIN) -> list[Path]:
    """Write `01-roofline.png` and so on into a folder, or one PDF with a page for each view; the paths written.

    Other files of the folder stay as they are. Raises Refused for what cannot be drawn or written.
    """
    whole = path.suffix.lower() == PDF
    check_export(Path(f"a{PDF if whole else suffix}"), paper, next(iter(VIEWS)))
    if not whole and (path.is_file() or path.suffix.lower() in FORMATS or _is_named_as_a_file(path)):
        raise Refused(Problem("export.deck", "", {"got": printable(path.name)}))
    found = list(slides_of(evaluation, paper))
    if whole:
        write_atomically(path, deck_bytes(found, paper))
        return [path]
    _check_some(found)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Refused(Problem("file.write", values={"file": printable(str(path)), "reason": reason})) from None
    written = []
    for i, (name, slide) in enumerate(found, start=1):
        file = path / f"{i:02}-{name}{suffix}"
        write_atomically(file, content_of(name, slide, suffix, paper))
        written.append(file)
    return written


def deck_bytes(slides: Sequence[tuple[str, object]], paper: Paper, tell: Tell = lambda _done: None) -> bytes:
    """The content of a PDF with a page for each slide; raise Refused where there is none."""
    _check_some(slides)
    return pdf_of_pages(slides, paper, tell)


def _check_some(slides: Sequence[object]) -> None:
    if not slides:
        raise Refused(Problem("export.nothing"))
