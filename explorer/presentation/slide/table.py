"""The table that decides: what each device offers, and what the work gets from it."""

from dataclasses import dataclass

from explorer.analysis.ask.batch_sweep import USUAL_BATCHES, USUAL_CONTEXTS, by_prompt, rates_where_held
from explorer.analysis.ask.comparison.ratios import ratio_of
from explorer.analysis.ask.shares import peak_share
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.presentation.hardware.device_names import device_label
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import NOTHING, percent, scaled, seconds, significant, times
from explorer.presentation.roofline.marks import colour_index
from explorer.presentation.words.messages import Message, render
from explorer.presentation.words.said.launches import least_text
from explorer.presentation.words.said.routing import routes, routing_text

_Rates = tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class TableRow:
    """One device: its name and colour, then the cells; under the last of them their ratios, where there are such."""

    name: str
    colour: int
    cells: tuple[str, ...]
    ratios: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DecidingTable:
    """A header of the name and one of each cell; `spanning` heads the last `span` cells together, over their own.

    `current` is the place of the cells that the study itself asks for.
    """

    name_header: str
    headers: tuple[str, ...]
    rows: tuple[TableRow, ...]
    spanning: str = ""
    span: int = 0
    current: int | None = None


def deciding_table(evaluation: Evaluation, look: Look = ENGLISH) -> DecidingTable:
    """Bandwidth, peak, ridge, and tokens per second at batch 1, 8, 32 and the study's own of each visible device.

    Rates come from the floor, over all requests, experts as the study routes them; in prefill the columns are lengths
    of prompts, the study's own among them.
    Without a model: time of the step at least, and the share of the peak it reaches.
    """
    visible = [d for d in evaluation.devices if d.entry.visible]
    say = {k: render(Message(f"table.{k}"), look) for k in ("device", "bandwidth", "rate", "ridge")}
    headers: tuple[str, ...] = (say["bandwidth"], say["rate"], say["ridge"])
    if evaluation.model is None:
        headers += (render(Message("table.time"), look), render(Message("table.of_peak"), look))
        rows = [_row(evaluation, d, _of_rows(d), look) for d in visible]
        return DecidingTable(say["device"], headers, tuple(rows))
    at, now = swept(evaluation)
    rates = _rates(evaluation, visible, at)
    no_room = render(Message("table.no_room"), look)
    cells = [tuple(no_room if r is None else _rate(r) for r in found) for found in rates]
    chosen = ratios_to(evaluation)
    base = next((i for i, d in enumerate(visible) if d is chosen), None)
    under = [() if base is None else _ratios(found, rates[base], own=i == base) for i, found in enumerate(rates)]
    rows = [_row(evaluation, d, c, look, r) for d, c, r in zip(visible, cells, under, strict=True)]
    return DecidingTable(
        say["device"],
        headers + tuple(f"{value:,}" for value in at),
        tuple(rows),
        _swept_header(evaluation, look),
        len(at),
        len(headers) + at.index(now),
    )


def swept(evaluation: Evaluation) -> tuple[tuple[int, ...], int]:
    """Batches, or lengths of prompts, of the table's columns, the study's own among them, and that one."""
    work = evaluation.study.workload
    usual, own = (USUAL_CONTEXTS, work.context) if by_prompt(evaluation) else (USUAL_BATCHES, work.batch)
    return tuple(sorted({*usual, own})), own


def _swept_header(evaluation: Evaluation, look: Look) -> str:
    """A decode step changes with the batch, a prefill with the length of the prompt; of a mixture how it routes."""
    marked = ".routed" if routes(evaluation) else ""
    how = routing_text(evaluation, look, "mark")  # short: the names of the devices need their room
    if not by_prompt(evaluation):
        counted = f"table.tokens{marked}" if evaluation.tokens_per_input is None else "table.inputs"
        return render(Message(counted, {"routing": how}), look)
    return render(Message(f"table.tokens_prompt{marked}", {"routing": how}), look)


def _row(
    evaluation: Evaluation, result: DeviceResult, cells: tuple[str, ...], look: Look, ratios: tuple[str, ...] = ()
) -> TableRow:
    rate = result.main_peak.rate
    return TableRow(
        device_label(evaluation, result, look),
        colour_index(evaluation, result),
        (
            scaled(result.machine.bandwidth, "B/s"),
            NOTHING if rate is None else significant(rate / 1e12),
            NOTHING if result.ridge is None else significant(result.ridge),
            *cells,
        ),
        ratios,
    )


def _of_rows(result: DeviceResult) -> tuple[str, ...]:
    if not result.points:
        return NOTHING, NOTHING
    return least_text(result, seconds(float(result.totals.time_s))), percent(peak_share(result))


def _rates(evaluation: Evaluation, visible: list[DeviceResult], at: tuple[int, ...]) -> list[_Rates]:
    each = evaluation.tokens_per_input or 1.0
    found = rates_where_held(evaluation, visible, *(((), at) if by_prompt(evaluation) else (at, ())))
    return [tuple(None if r is None else r / each for r in rates) for rates in found]


def ratios_to(evaluation: Evaluation) -> DeviceResult | None:
    """The device that a table's ratios are to, where one was chosen and others stand beside it."""
    visible = [d for d in evaluation.devices if d.entry.visible]
    if evaluation.model is None or len(visible) < 2:
        return None
    return next((d for d in visible if d.entry.id == evaluation.study.view.baseline), None)


def _ratios(rates: _Rates, base: _Rates, *, own: bool) -> tuple[str, ...]:
    """What stands under the rates: nothing where one of the two has no room."""
    found = [ratio_of(r, b).value for r, b in zip(rates, base, strict=True)]
    return tuple("" if r is None else "1" if own else times(r) for r in found)


def _rate(value: float) -> str:
    """Whole tokens or inputs per second; digits after the point only where there are few."""
    return significant(value)
