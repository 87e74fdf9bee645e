"""A study as a picture; this module alone needs Qt."""

import datetime as dt
import operator
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Literal

from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.evaluate import Evaluation
from explorer.api.arguments import AnyPath, AnyStudy, as_path
from explorer.api.errors import in_words
from explorer.api.results import as_evaluation
from explorer.files.disk.atomic import write_atomically
from explorer.files.disk.text import printable
from explorer.presentation.look import Look
from explorer.presentation.palette import DARK, LIGHT, ThemeName
from explorer.presentation.slide.slide import TEXT_KEYS
from explorer.presentation.words.visible import visible
from explorer.report.figure_export import Paper, check_export, export_day, figure_bytes, pinned

Format = Literal["png", "svg", "pdf"]
_THEMES: Final = {"light": LIGHT, "dark": DARK}


@in_words
def render(
    work: AnyStudy | Evaluation,
    file: AnyPath | None = None,
    *,
    view: str = "roofline",
    form: Format = "png",
    size: tuple[int, int] = (1600, 900),
    scale: float = 1.0,
    theme: ThemeName = "light",
    blocks: Iterable[str] | None = None,
    texts: Mapping[str, str] | None = None,
    bare: bool = False,
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
    day: dt.date | None = None,
) -> bytes:
    """Draw a study; needs no screen.

    Parameters
    ----------
    work
        A study, its file, or its evaluation.
    file
        Where to write the picture, if anywhere: its suffix (.png, .svg, .pdf) decides the form.
    view
        "roofline", "time", "decode", "memory" and whatever else `roofline-explorer render --help` names, each on a
        slide with its finding, table and conditions; "chart": the roofline alone.
    form
        "png", "svg" or "pdf", where no file is given.
    size
        Width and height in logical pixels (1/96 inch on paper).
    scale
        Pixels of a PNG for each logical one.
    theme
        "light" or "dark".
    blocks
        What stands beside the view: "table", "help", "read", "assumptions"; None for the view's own choice.
    texts
        "title", "subtitle", "help", "read", "footer" and the like, in place of what is proposed.
    bare
        The view alone, without blocks, conditions and sources.
    x_range, y_range
        Axes of the roofline from one value to another, in FLOP/byte and FLOP/s: two pictures can be laid over each
        other.
    day
        The date in the footer; None for today.

    Returns
    -------
    bytes
        The picture, for `IPython.display.Image` and the like.

    Raises
    ------
    InputError
        The study has faults, there is no such view, form or size, or the file cannot be written.
    """
    path = None if file is None else as_path(file)
    if not isinstance(theme, str) or theme not in _THEMES:
        raise Refused(Problem("api.theme", values={"got": printable(theme)}))
    scale = _scale(scale)
    sides = _size(size)
    paper = Paper(
        size=sides,
        scale=scale,
        look=Look(_THEMES[theme]),
        texts=_texts(texts),
        blocks=None if blocks is None else tuple(map(str, blocks)),
        bare=bare,
        day=day or export_day(),
    )
    check_export(Path(f"picture.{form}") if path is None else path, paper, str(view))
    suffix = f".{form}" if path is None else path.suffix.lower()
    evaluation = pinned(as_evaluation(work), _axis(x_range), _axis(y_range))
    content = figure_bytes(evaluation, suffix, paper, view)
    if path is not None:
        write_atomically(path, content)
    return content


def _scale(scale: Any) -> float:
    try:
        return float(scale) if not isinstance(scale, str) else float("")
    except (TypeError, ValueError):
        raise Refused(Problem("api.scale", values={"got": printable(scale)})) from None


def _size(size: tuple[int, int]) -> tuple[int, int]:
    try:
        width, height = map(operator.index, size)
    except (TypeError, ValueError):
        raise Refused(Problem("api.size", values={"got": printable(size)})) from None
    return width, height


def _texts(texts: Mapping[str, str] | None) -> dict[str, str]:
    """Texts by the places they may stand in."""
    own = dict(texts or {})
    if unknown := [key for key in own if key not in TEXT_KEYS]:
        raise Refused(Problem("api.text", values={"got": printable(unknown[0]), "known": ", ".join(TEXT_KEYS)}))
    return {key: visible(str(text)) for key, text in own.items()}


def _axis(values: tuple[float, float] | None) -> tuple[float, float] | None:
    """The two ends of an axis."""
    if values is None:
        return None
    try:
        low, high = map(float, values)
    except (TypeError, ValueError):
        low = high = 0.0
    if not 0 < low < high < float("inf"):
        raise Refused(Problem("api.axis", values={"got": printable(values)}))
    return low, high
