"""The charts of a comparison: views that are on paper too, each with its painter, imported when it is first drawn."""

from collections.abc import Callable, Generator, Sequence
from importlib import import_module
from typing import Any, Final

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QPainter

from explorer.plot.views.compared.marks import ComparedMark
from explorer.presentation.palette import Theme
from explorer.presentation.views.declared import VIEWS, body_of
from explorer.ui.compare.chart_kind import ChartKind
from explorer.ui.look.text import tr
from explorer.ui.session import Shown

_USUAL: Final = ("paired", "speedup", "frontier")
_ALONE: Final = ("years",)  # which shows the whole database
_WITHOUT_BATCH: Final = ("paired", "rooflines", "years")  # what own operators have


def usual_charts(shown: Shown) -> tuple[str, ...]:
    """The charts that stand below a table unasked: those that have something to show."""
    if _is_alone(shown):
        return _ALONE
    return _USUAL if shown.evaluation.model is not None else _WITHOUT_BATCH


def _is_alone(shown: Shown) -> bool:
    """Whether nothing stands beside the first row."""
    study = shown.study
    numbers = {
        "machines": sum(e.visible for e in study.hardware),
        "models": len(study.models),
        "what_ifs": 1 + len(study.what_ifs),
    }
    return numbers.get(shown.view.vary, 2) < 2


def chart_kinds() -> tuple[ChartKind, ...]:
    """Every chart that there is, in the order of the switch."""
    titles = {
        "paired": tr("Time by operator"),
        "speedup": tr("Speed-up map"),
        "frontier": tr("Throughput"),
        "rooflines": tr("Rooflines"),
        "years": tr("Years"),
    }
    return tuple(
        ChartKind(name, title, _maker(name), _painter(name), _says) for name, title in titles.items() if name in VIEWS
    )


def _maker(name: str) -> Callable[[Shown], Generator[Any, None, None]]:
    def make(shown: Shown) -> Generator[Any, None, None]:
        yield body_of(name, shown.evaluation, shown.look)

    return make


def _painter(name: str) -> Callable[[QPainter, QRectF, Any, Theme, QFont], Sequence[ComparedMark]]:
    def paint(painter: QPainter, rect: QRectF, figure: Any, theme: Theme, font: QFont) -> Sequence[ComparedMark]:
        module = import_module(f"explorer.plot.views.{VIEWS[name].module}")
        found: Sequence[ComparedMark] = getattr(module, f"paint_{name}")(painter, rect, figure, theme, font)
        return found

    return paint


def _says(figure: Any) -> str:
    """What a chart tells a screen reader: its title and its finding, or why it is empty."""
    return ". ".join(filter(None, (figure.title, figure.finding or getattr(figure, "empty_text", ""))))
