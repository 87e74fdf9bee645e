"""`render`: one view of a study as a picture, or all of them as a deck."""

import argparse
import datetime as dt
import math
import os
from pathlib import Path

from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.evaluate import Evaluation
from explorer.files.disk.text import printable
from explorer.presentation.look import Look
from explorer.presentation.palette import THEMES
from explorer.presentation.slide.blocks import BLOCKS
from explorer.presentation.views.declared import VIEWS
from explorer.presentation.words.messages import Message, render
from explorer.report.deck import export_deck
from explorer.report.figure_export import Paper, export_day, export_figure, pinned
from explorer.report.paper_sizes import SIZES

_LONGEST = 1000  # characters of a path
_RANGE = (1e-12, 1e24)  # FLOP/byte and FLOP/s that an axis may reach


def add_options(parser: argparse.ArgumentParser) -> None:
    """The flags of `render` alone."""
    add = parser.add_argument
    add("-o", "--output", required=True, type=Path, metavar="FILE.png|.svg|.pdf", help="with --all a folder or a .pdf")
    add("--view", default="roofline", metavar="NAME", help=f"{', '.join(VIEWS)}; chart is the roofline alone")
    add("--all", action="store_true", help="every view that has something to say, a file each or a page each")
    add("--format", choices=("png", "svg", "pdf"), default="png", help="of the files in a folder")
    add("--size", type=_size, default=(1600, 900), metavar="WxH", help="logical pixels, or 16:9, 4:3, A4, A4-portrait")
    add("--scale", type=float, default=1.0, metavar="S")
    add("--theme", choices=("light", "dark"), default="light")
    add("--title", metavar="TEXT", help="in place of the one proposed")
    add("--subtitle", metavar="TEXT")
    add("--blocks", type=_names, metavar="NAME,...", help=f"beside the view: {', '.join(BLOCKS)}; none: without any")
    add("--bare", action="store_true", help="the view alone, without blocks, conditions and sources")
    add("--x-range", type=_range, metavar="FROM,TO", help="of the roofline, FLOP/byte: 0.1,1000")
    add("--y-range", type=_range, metavar="FROM,TO", help="of the roofline, FLOP/s: 1e9,1e15")
    add("--date", type=_day, metavar="YYYY-MM-DD", help="in the footer; else today, or SOURCE_DATE_EPOCH")


def rendered(asked: argparse.Namespace, evaluation: Evaluation) -> str:
    """Draw what is asked for, offscreen; the paths written, a line each. Raise Refused for what cannot be drawn."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    texts = {key: text for key in ("title", "subtitle") if (text := getattr(asked, key)) is not None}
    paper = Paper(
        size=asked.size,
        scale=asked.scale,
        look=Look(theme=THEMES[asked.theme]),
        texts=texts,
        blocks=asked.blocks,
        bare=asked.bare,
        day=asked.date or export_day(),
    )
    evaluation = pinned(evaluation, asked.x_range, asked.y_range)
    if not asked.all:
        export_figure(evaluation, asked.output, paper, asked.view)
        return ""
    if asked.bare or texts:
        raise Refused(Problem("cli.deck_alone"))
    written = export_deck(evaluation, asked.output, f".{asked.format}", paper)
    return "".join(f"{printable(str(path), _LONGEST)}\n" for path in written)


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
    return () if names == ("none",) else names


def _range(text: str) -> tuple[float, float]:
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        low = high = math.nan
    if not (_RANGE[0] <= low < high <= _RANGE[1]):
        raise argparse.ArgumentTypeError(render(Message("cli.range")))
    return low, high


def _day(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(render(Message("cli.day"))) from None
