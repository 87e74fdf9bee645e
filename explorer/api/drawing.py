"""A study as a picture; this module alone needs Qt."""

import operator
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
from explorer.report.figure_export import check_export, figure_bytes

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
) -> bytes:
    """Draw a study; needs no screen.

    Parameters
    ----------
    work
        A study, its file, or its evaluation.
    file
        Where to write the picture, if anywhere: its suffix (.png, .svg, .pdf) decides the form.
    view
        "roofline": a slide with finding, chart and table; "chart": the chart alone; or any other that
        `roofline-explorer render --help` names.
    form
        "png", "svg" or "pdf", where no file is given.
    size
        Width and height in logical pixels (1/96 inch on paper).
    scale
        Pixels of a PNG for each logical one.
    theme
        "light" or "dark".

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
    check_export(Path(f"picture.{form}") if path is None else path, sides, scale, str(view))
    suffix = f".{form}" if path is None else path.suffix.lower()
    content = figure_bytes(as_evaluation(work), suffix, sides, scale, Look(_THEMES[theme]), view)
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
