"""The views of a study, declared once: tabs, exported figures and `render --view` all read this table.

A view NAME is built in `presentation/views/NAME.py`, painted in `plot/views/NAME.py` and, where it has a tab, shown by
`ui/views/NAME_tab.py`; views of one `folder` lie in it in the first two. Each module registers what it offers when it
is imported, which is when it is first asked for: the first frame shows one view of them all. On paper every view stands
in the frame of a slide (`slide/slide.py`).
"""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module

import msgspec

from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP

Texts = Mapping[str, str]
Build = Callable[[Evaluation, Look, Texts], object]


class ViewSpec(msgspec.Struct, frozen=True):
    """One view: the words of its tab, empty where it is on paper alone.

    `blocks` are the names of what stands beside it on its slide (`presentation/slide/blocks.py`). A view that is `bare`
    is the figure alone, with a heading where a title is asked for. Build and painter lie in `folder`.
    """

    name: str
    tab: str = ""
    bare: bool = False
    blocks: tuple[str, ...] = ("table", "help", "read", "assumptions")
    folder: str = ""

    @property
    def module(self) -> str:
        """Where its build and its painter are, below the views of each room."""
        return f"{self.folder}.{self.name}" if self.folder else self.name


class Says(msgspec.Struct, frozen=True):
    """What a view says on its slide: the proposed title, how its figure is read, the subtitle; None: as every view."""

    title: Callable[[Evaluation, Look], str] | None = None
    read: Callable[[Evaluation, object, Look], Iterable[str]] | None = None
    subtitle: Callable[[Evaluation, Look], str] | None = None


VIEWS: dict[str, ViewSpec] = {}
_BUILDS: dict[str, Build] = {}
_SAYS: dict[str, Says] = {}


def register_view(view: ViewSpec) -> None:
    """Offer a view everywhere, after those that are there."""
    VIEWS[view.name] = view


def register_build(name: str, build: Build, says: Says | None = None) -> None:
    """Say how the figure of a view comes of an evaluation, and what its slide says."""
    _BUILDS[name] = build
    _SAYS[name] = says or Says()


def body_of(name: str, evaluation: Evaluation, look: Look = ENGLISH, texts: Texts | None = None) -> object:
    """The figure of a view alone."""
    if name not in _BUILDS:
        import_module(f"explorer.presentation.views.{VIEWS[name].module}")
    return _BUILDS[name](evaluation, look, dict(texts or {}))


def says_of(name: str) -> Says:
    """What a view, once built, says on its slide."""
    return _SAYS[name]


def tab_views() -> tuple[ViewSpec, ...]:
    """The views of the window, in the order of their tabs."""
    return tuple(v for v in VIEWS.values() if v.tab)


for _view in (
    ViewSpec("roofline", QT_TRANSLATE_NOOP("ui", "Roofline")),
    ViewSpec("chart", bare=True),
    ViewSpec("time", QT_TRANSLATE_NOOP("ui", "Time")),
    ViewSpec("decode", QT_TRANSLATE_NOOP("ui", "Decode")),
    ViewSpec("compare", QT_TRANSLATE_NOOP("ui", "Compare"), blocks=()),
    ViewSpec("memory", QT_TRANSLATE_NOOP("ui", "Memory")),
    ViewSpec("paired", folder="compared"),
    ViewSpec("frontier", folder="compared"),
    ViewSpec("speedup", folder="compared"),
    ViewSpec("rooflines", blocks=(), folder="compared"),
    ViewSpec("years", blocks=(), folder="compared"),
):
    register_view(_view)
