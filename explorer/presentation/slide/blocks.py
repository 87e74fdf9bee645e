"""What may stand beside the view on a slide: blocks by name, each made from the study shown."""

from collections.abc import Callable, Mapping

import msgspec

from explorer.analysis.ask.levers import levers
from explorer.analysis.ask.notes import notes
from explorer.analysis.problem import Value
from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.answer.answer import without_marks
from explorer.presentation.answer.lever_texts import lever_texts, useless_text
from explorer.presentation.compare.paper import beside_a_view
from explorer.presentation.compare.table import ComparedTable
from explorer.presentation.hardware.device_names import device_label, named_note, whole_names
from explorer.presentation.look import Look
from explorer.presentation.quantities.numbers import seconds
from explorer.presentation.slide.table import DecidingTable, deciding_table
from explorer.presentation.views.declared import Says
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, render
from explorer.presentation.words.said.routing import pace_text

Own = Mapping[str, str]
BlockBuild = Callable[[Evaluation, object, Look, Own, Says], object | None]
_MOST = 6  # assumptions on a slide


class Box(msgspec.Struct, frozen=True):
    """A block of text; lines that fit are not wrapped."""

    title: str
    lines: tuple[str, ...]


class BlockSpec(msgspec.Struct, frozen=True):
    """One block: the words of its check box, and how its content comes of an evaluation and the view's figure."""

    name: str
    words: str
    build: BlockBuild


BLOCKS: dict[str, BlockSpec] = {}


def register_block(block: BlockSpec) -> None:
    """Offer a block on every slide, after those that are there."""
    BLOCKS[block.name] = block


def own_lines(own: Own, key: str, proposed: tuple[str, ...]) -> tuple[str, ...]:
    """The lines that the user typed for a block, else those proposed."""
    return tuple(line for line in own[key].splitlines() if line.strip()) if key in own else proposed


def _table(evaluation: Evaluation, _figure: object, look: Look, _own: Own, _says: Says) -> DecidingTable | None:
    return deciding_table(evaluation, look)


def _help(evaluation: Evaluation, _figure: object, look: Look, own: Own, _says: Says) -> Box:
    return Box(own.get("help_title", _help_title(evaluation, look)), own_lines(own, "help", _helps(evaluation, look)))


def _help_title(evaluation: Evaluation, look: Look) -> str:
    if evaluation.active is None:
        return ""
    return render(Message("slide.help", {"device": device_label(evaluation, evaluation.active, look)}), look)


def _helps(evaluation: Evaluation, look: Look) -> tuple[str, ...]:
    """Levers, two on a line; below them those that bring nothing."""
    if evaluation.active is None:
        return ()
    entry = evaluation.active.entry.id
    texts = [without_marks(m, look) for m in lever_texts(evaluation, entry, look)]
    comma = render(Message("chart.list"), look)
    useless = useless_text(levers(evaluation, entry), look)
    return (*(comma.join(texts[i : i + 2]) for i in range(0, len(texts), 2)), *([useless] if useless else []))


def _read(evaluation: Evaluation, figure: object, look: Look, own: Own, says: Says) -> Box | None:
    silent = says.read is None or bool(getattr(figure, "empty_text", ""))
    lines = () if silent or says.read is None else says.read(evaluation, figure, look)
    said = [*_floor(evaluation, look), *lines]
    proposed = (" ".join(said),) if said else ()
    title = own.get("read_title", render(Message("slide.read"), look))
    shown = own_lines(own, "read", proposed)
    return Box(title, shown) if shown or "read_title" in own else None


def _floor(evaluation: Evaluation, look: Look) -> list[str]:
    """Both figures of a step whose routing decides: the table has those of the routing alone."""
    active = evaluation.active
    if active is None or not evaluation.rows or not active.totals.routing_matters:
        return []
    totals = active.totals
    values: dict[str, Value] = {
        "device": device_label(evaluation, active, look),
        "routed": seconds(float(totals.routed.seconds)),
        "routing": pace_text(evaluation, look),
        "floor": seconds(float(totals.floor_s)),
    }
    return [render(Message("read.floor", values), look)]


def _ratios(evaluation: Evaluation, _figure: object, look: Look, _own: Own, _says: Says) -> ComparedTable | None:
    return beside_a_view(evaluation, look)


def _assumptions(evaluation: Evaluation, _figure: object, look: Look, _own: Own, _says: Says) -> Box | None:
    """What the figures take for granted; of very many the first."""
    names = whole_names(evaluation.study.hardware, look)
    said = dict.fromkeys(render(named_note(n, names), look) for n in notes(evaluation))
    return Box(render(Message("slide.assumptions"), look), tuple(said)[:_MOST]) if said else None


for _block in (
    BlockSpec("table", QT_TRANSLATE_NOOP("ui", "The table that decides"), _table),
    BlockSpec("help", QT_TRANSLATE_NOOP("ui", "What would help"), _help),
    BlockSpec("read", QT_TRANSLATE_NOOP("ui", "How to read it"), _read),
    BlockSpec("ratios", QT_TRANSLATE_NOOP("ui", "Devices with ratios"), _ratios),
    BlockSpec("assumptions", QT_TRANSLATE_NOOP("ui", "Assumptions"), _assumptions),
):
    register_block(_block)
