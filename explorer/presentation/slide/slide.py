"""The exported slide of any view: title, the view itself, blocks beside or below it, conditions and sources."""

import datetime as dt
from collections.abc import Iterable, Mapping

import msgspec

import explorer.presentation.slide.texts  # noqa: F401 - registers its sentences
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.study.slides import slide_of
from explorer.analysis.study.study import Study
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.slide.blocks import BLOCKS, Box
from explorer.presentation.slide.conditions import conditions
from explorer.presentation.slide.finding import finding, subtitle
from explorer.presentation.slide.footer import footer
from explorer.presentation.slide.table import DecidingTable
from explorer.presentation.views.declared import VIEWS, Says, body_of, says_of
from explorer.presentation.words.messages import Message, render

TEXT_KEYS = ("title", "subtitle", "help_title", "help", "read_title", "read", "footer")


class SlideBlock(msgspec.Struct, frozen=True, eq=False):
    """One block by its name; its content is painted by the painter registered for its type."""

    name: str
    content: object


class Slide(msgspec.Struct, frozen=True, eq=False):
    """Everything on a slide; texts are final. `figure` is the view's own, by whatever painter it has."""

    view: str
    title: str
    subtitle: str
    figure: object
    blocks: tuple[SlideBlock, ...] = ()
    conditions: str = ""
    footer: str = ""
    day: str = ""

    def block(self, name: str) -> object:
        """The content of a block, None where it is left out."""
        return next((b.content for b in self.blocks if b.name == name), None)

    @property
    def table(self) -> DecidingTable:
        """The deciding table, empty where it is left out."""
        found = self.block("table")
        return found if isinstance(found, DecidingTable) else DecidingTable("", (), ())

    @property
    def help(self) -> Box:
        """What would help, empty where it is left out."""
        found = self.block("help")
        return found if isinstance(found, Box) else Box("", ())

    @property
    def read(self) -> Box:
        """How to read it, empty where it is left out."""
        found = self.block("read")
        return found if isinstance(found, Box) else Box("", ())


def build_slide(
    evaluation: Evaluation,
    look: Look = ENGLISH,
    texts: Mapping[str, str] | None = None,
    view: str = "roofline",
    blocks: Iterable[str] | None = None,
    day: dt.date | None = None,
    *,
    remembered: bool = True,
) -> Slide:
    """Propose a slide of a view from a study.

    `texts` replace what they name (see TEXT_KEYS; "" leaves a part out), `blocks` are chosen by their names in BLOCKS;
    without them stands what the study remembers, where it does. The conditions are those of the study shown and always
    stand in the footer.
    """
    own = {**(remembered_texts(evaluation.study, view) if remembered else {}), **(texts or {})}
    if blocks is None and remembered:
        kept = slide_of(evaluation.study, view).blocks
        blocks = None if kept is None else [name for name in kept if name in BLOCKS]
    figure, says = body_of(view, evaluation, look, own), says_of(view)
    return Slide(
        view=view,
        title=own["title"]
        if "title" in own
        else says.title(evaluation, look)
        if says.title
        else finding(evaluation, look),
        subtitle=own.get("subtitle", (says.subtitle or subtitle)(evaluation, look)),
        figure=figure,
        blocks=_blocks(view, evaluation, figure, look, own, blocks),
        conditions=conditions(evaluation, look),
        footer=own.get("footer", footer(evaluation, look)),
        day="" if day is None else day_text(day, look),
    )


def built(
    name: str,
    evaluation: Evaluation,
    look: Look = ENGLISH,
    texts: Mapping[str, str] | None = None,
    blocks: Iterable[str] | None = None,
    day: dt.date | None = None,
    *,
    bare: bool = False,
) -> object:
    """The slide of a view; `bare` its figure alone, under a heading where texts ask for one."""
    if not (bare or VIEWS[name].bare):
        return build_slide(evaluation, look, texts, name, blocks, day)
    own = {**remembered_texts(evaluation.study, name), **(texts or {})}
    figure = body_of(name, evaluation, look, own)
    title, under = own.get("title", ""), own.get("subtitle", "")
    return Slide(name, title, under, figure) if title or under else figure


def remembered_texts(study: Study, view: str) -> dict[str, str]:
    """The texts of a view's slide that the study holds."""
    texts = slide_of(study, view).texts
    return {key: text for key in TEXT_KEYS if (text := getattr(texts, key)) is not None}


def proposed_texts(evaluation: Evaluation, look: Look = ENGLISH, view: str = "roofline") -> dict[str, str]:
    """The texts the program proposes, by the keys of TEXT_KEYS, for an editor to start from."""
    slide = build_slide(evaluation, look, view=view, blocks=("help", "read"), remembered=False)
    return {
        "title": slide.title,
        "subtitle": slide.subtitle,
        "help_title": slide.help.title,
        "help": "\n".join(slide.help.lines),
        "read_title": slide.read.title,
        "read": "\n".join(slide.read.lines),
        "footer": slide.footer,
    }


def chosen_blocks(view: str, blocks: Iterable[str] | None) -> tuple[str, ...]:
    """Names of blocks in their order: those asked for, else those that the view has of itself; raise Refused."""
    if blocks is None:
        return VIEWS[view].blocks
    wanted = set(blocks)
    if unknown := sorted(wanted - set(BLOCKS)):
        raise Refused(Problem("export.block", "", {"got": unknown[0], "known": ", ".join(BLOCKS)}))
    return tuple(name for name in BLOCKS if name in wanted)


def day_text(day: dt.date, look: Look = ENGLISH) -> str:
    """A date in words, 1 December 2026."""
    return render(Message(f"slide.day.{day.month}", {"day": day.day, "year": str(day.year)}), look)


def _blocks(
    view: str,
    evaluation: Evaluation,
    figure: object,
    look: Look,
    own: Mapping[str, str],
    asked: Iterable[str] | None,
) -> tuple[SlideBlock, ...]:
    names = chosen_blocks(view, asked)
    says: Says = says_of(view)
    found = ((name, BLOCKS[name].build(evaluation, figure, look, own, says)) for name in names)
    return tuple(SlideBlock(name, content) for name, content in found if content is not None)
