"""`render`: one view of a study as a picture, or all of them as a deck."""

import argparse
import datetime as dt
import math
import os
from collections.abc import Mapping
from pathlib import Path

from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.evaluate import Evaluation
from explorer.files.disk.text import printable
from explorer.presentation.look import Look
from explorer.presentation.palette import THEMES
from explorer.presentation.slide.blocks import BLOCKS
from explorer.presentation.views.declared import VIEWS
from explorer.presentation.words.messages import Message, render
from explorer.presentation.words.visible import visible
from explorer.report.deck import export_deck
from explorer.report.figure_export import FORMATS, Paper, export_day, export_figure, pinned
from explorer.report.paper_sizes import SIZES

_LONGEST = 1000  # characters of a path
_WITHOUT = 'at most 500 characters; "" leaves it out'
_ROOFLINES = ("roofline", "chart", "rooflines")  # views with axes that can be pinned
_RANGE = (1e-12, 1e24)  # FLOP/byte and FLOP/s that an axis may reach


def add_options(parser: argparse.ArgumentParser) -> None:
    """The flags of `render` alone."""
    add = parser.add_argument
    add("-o", "--output", required=True, type=Path, metavar="FILE.png|.svg|.pdf", help="with --all a folder or a .pdf")
    add("--view", metavar="NAME", help=f"{', '.join(VIEWS)}; chart is the roofline alone")
    add("--all", action="store_true", help="every view that has something to say, a file each or a page each")
    add("--format", choices=("png", "svg", "pdf"), help="of the files in a folder, with --all; else png")
    add("--size", type=_size, default=(1600, 900), metavar="WxH", help="logical pixels, or 16:9, 4:3, A4, A4-portrait")
    add("--scale", type=float, metavar="S", help="pixels of a .png for each logical one; .svg and .pdf have none")
    add("--theme", choices=("light", "dark"), default="light")
    add("--title", metavar="TEXT", help=f"in place of the one proposed, {_WITHOUT}")
    add("--subtitle", metavar="TEXT", help=f"the same below it, {_WITHOUT}")
    add("--blocks", type=_names, metavar="NAME,...", help=f"beside the view: {', '.join(BLOCKS)}; none: without any")
    add("--bare", action="store_true", help="the view alone, without blocks, conditions and sources")
    add("--x-range", type=_range, metavar="FROM,TO", help="of the roofline, FLOP/byte: 0.1,1000")
    add("--y-range", type=_range, metavar="FROM,TO", help="of the roofline, FLOP/s: 1e9,1e15")
    add("--date", type=_day, metavar="YYYY-MM-DD", help="in the footer; else today, or SOURCE_DATE_EPOCH")


def rendered(asked: argparse.Namespace, evaluation: Evaluation) -> str:
    """Draw what is asked for, offscreen; the paths written, a line each. Raise Refused for what cannot be drawn."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    texts = {key: visible(t.strip()) for key in ("title", "subtitle") if (t := getattr(asked, key)) is not None}
    check_flags(asked, texts)
    paper = Paper(
        size=asked.size,
        scale=1.0 if asked.scale is None else asked.scale,
        look=Look(theme=THEMES[asked.theme]),
        texts=texts,
        blocks=asked.blocks,
        bare=asked.bare,
        day=asked.date or export_day(),
    )
    evaluation = pinned(evaluation, asked.x_range, asked.y_range)
    if not asked.all:
        export_figure(evaluation, asked.output, paper, asked.view or _ROOFLINES[0])
        return ""
    written = export_deck(evaluation, asked.output, f".{asked.format or 'png'}", paper)
    return "".join(f"{printable(str(path), _LONGEST)}\n" for path in written)


def check_flags(asked: argparse.Namespace, texts: Mapping[str, str]) -> None:
    """Raise Refused where a flag would do nothing beside the others."""
    output, ending = asked.output, asked.output.suffix.lower().lstrip(".")
    view, drawn = asked.view or _ROOFLINES[0], asked.format or "png"
    if asked.all:
        if asked.bare or texts or asked.view is not None:
            raise Refused(Problem("cli.deck_alone"))
        drawn = "pdf" if ending == "pdf" else drawn
    elif output.is_dir():
        raise Refused(Problem("cli.folder", values={"got": printable(str(output))}))
    elif f".{ending}" in FORMATS:
        drawn = ending
    if asked.format not in {None, drawn}:
        raise Refused(Problem("cli.format_ending", values={"format": asked.format, "got": printable(output.name)}))
    if not asked.all and view in VIEWS:
        _check_view(asked, view)


def _check_view(asked: argparse.Namespace, view: str) -> None:
    pins = [flag for flag in ("x", "y") if getattr(asked, f"{flag}_range") is not None]
    if pins and view not in _ROOFLINES:
        values = {"flag": f"--{pins[0]}-range", "view": view, "known": ", ".join(_ROOFLINES)}
        raise Refused(Problem("cli.no_axes", values=values))
    if asked.blocks and (asked.bare or VIEWS[view].bare):
        raise Refused(Problem("cli.no_blocks", values={"by": "--bare" if asked.bare else f"--view {view}"}))


def _size(text: str) -> tuple[int, int]:
    named = {name.lower(): size for name, size in SIZES.items()}
    if text.lower() in named:
        return named[text.lower()]
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal() and len(text) < 20):
        raise argparse.ArgumentTypeError(render(Message("cli.size")))
    return int(width), int(height)


def _names(text: str) -> tuple[str, ...]:
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    if names == ("none",):
        return ()
    if not names or "none" in names:
        key = "cli.blocks_alone" if names else "cli.blocks_empty"
        raise argparse.ArgumentTypeError(render(Message(key, {"known": ", ".join(BLOCKS)})))
    return names


def _range(text: str) -> tuple[float, float]:
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        low = high = math.nan
    if not low < high:
        raise argparse.ArgumentTypeError(render(Message("cli.range")))
    if not (_RANGE[0] <= low and high <= _RANGE[1]):
        limits = {"low": f"{_RANGE[0]:g}", "high": f"{_RANGE[1]:g}"}
        raise argparse.ArgumentTypeError(render(Message("cli.range_limits", limits)))
    return low, high


def _day(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(render(Message("cli.day"))) from None
