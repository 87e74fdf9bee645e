"""The views of a study, declared once: tabs, exported figures and `render --view` all read this table.

A view NAME is built in `presentation/views/NAME.py`, painted in `plot/views/NAME.py` and, where it has a tab, shown by
`ui/views/NAME_tab.py`. Each module registers what it offers when it is imported, which is when it is first asked for:
the first frame shows one view of them all.
"""

from collections.abc import Callable, Mapping
from importlib import import_module

import msgspec

from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP

Texts = Mapping[str, str]
Build = Callable[[Evaluation, Look, Texts], object]


class ViewSpec(msgspec.Struct, frozen=True):
    """One view: the words of its tab, empty where it is on paper alone.

    `bare` names the view that shows the same without title, table and notes. A figure that `writes_title` has the
    texts asked for in it; any other gets title and subtitle above it.
    """

    name: str
    tab: str = ""
    bare: str = ""
    writes_title: bool = False


class Titled(msgspec.Struct, frozen=True, eq=False):
    """A figure under a title of the user's own."""

    title: str
    subtitle: str
    figure: object


VIEWS: dict[str, ViewSpec] = {}
_BUILDS: dict[str, Build] = {}


def register_view(view: ViewSpec) -> None:
    """Offer a view everywhere, after those that are there."""
    VIEWS[view.name] = view


def register_build(name: str, build: Build) -> None:
    """Say how the figure of a view comes of an evaluation."""
    _BUILDS[name] = build


def built(name: str, evaluation: Evaluation, look: Look = ENGLISH, texts: Texts | None = None) -> object:
    """The figure of a view, with every text asked for."""
    if name not in _BUILDS:
        import_module(f"explorer.presentation.views.{name}")
    own = dict(texts or {})
    figure = _BUILDS[name](evaluation, look, own)
    title, subtitle = own.get("title", ""), own.get("subtitle", "")
    if VIEWS[name].writes_title or not (title or subtitle):
        return figure
    return Titled(title, subtitle, figure)


def tab_views() -> tuple[ViewSpec, ...]:
    """The views of the window, in the order of their tabs."""
    return tuple(v for v in VIEWS.values() if v.tab)


for _view in (
    ViewSpec("roofline", QT_TRANSLATE_NOOP("ui", "Roofline"), bare="chart", writes_title=True),
    ViewSpec("chart"),
    ViewSpec("time", QT_TRANSLATE_NOOP("ui", "Time")),
    ViewSpec("decode", QT_TRANSLATE_NOOP("ui", "Decode")),
    ViewSpec("memory", QT_TRANSLATE_NOOP("ui", "Memory")),
):
    register_view(_view)
