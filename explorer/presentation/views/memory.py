"""What is held on every device against what there is: bars, limits, and the answer in words."""

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

import explorer.presentation.views.capacity_texts
import explorer.presentation.views.decode_texts  # noqa: F401 - registers the words used here
from explorer.analysis.ask.capacity import CapacityFit, capacity_fit, exceeds
from explorer.analysis.problem import Value
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.ledger import Ledger
from explorer.analysis.study.check import LARGEST_BATCH, LARGEST_CONTEXT
from explorer.presentation.answer.nothing import nothing_text
from explorer.presentation.hardware.device_names import device_label
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import capacity
from explorer.presentation.slide.titles import MEMORY
from explorer.presentation.views.capacity import capacity_sentences
from explorer.presentation.views.declared import register_build
from explorer.presentation.views.held.tables import TextTable, held_tables
from explorer.presentation.words.messages import Message, render
from explorer.presentation.words.parts import PARTS, part_key
from explorer.presentation.words.said.kv_growth import kv_growth_text


class Bar(msgspec.Struct, frozen=True):
    """Bytes by part in the order of `PARTS`, and what stands behind them."""

    sizes: tuple[float, ...]
    text: str
    caption: str = ""
    over: bool = False

    @property
    def total(self) -> float:
        """All bytes."""
        return sum(self.sizes)


class DeviceBars(msgspec.Struct, frozen=True):
    """One device: what the step holds, what the model's longest context would, the capacity, the limits in words."""

    name: str
    now: Bar
    longest: Bar | None
    capacity: float | None
    limits: str
    active: bool


class MemoryChart(msgspec.Struct, frozen=True):
    """The whole view; texts are final."""

    title: str
    devices: tuple[DeviceBars, ...]
    legend: tuple[tuple[str, str], ...]
    sentences: tuple[str, ...]
    empty_text: str = ""
    tables: tuple[TextTable, ...] = ()

    @property
    def largest(self) -> float:
        """What the bars are drawn to: what is held now, or the largest capacity; longer bars run out of the picture."""
        ends = [max(d.capacity or 0.0, d.now.total) for d in self.devices]
        return max(ends, default=0.0) or 1.0


def memory_chart(evaluation: Evaluation, look: Look = ENGLISH) -> MemoryChart:
    """The memory view of every visible device."""
    return list(memory_chart_steps(evaluation, look))[-1]


def memory_chart_steps(evaluation: Evaluation, look: Look = ENGLISH) -> Iterator[MemoryChart]:
    """The view, growing by one device at a time."""
    visible = [d for d in evaluation.devices if d.entry.visible]
    if evaluation.model is None or not visible:
        yield MemoryChart("", (), (), (), nothing_text(evaluation, "memory_view.empty", look))
        return
    work = evaluation.study.workload
    said = _Said(evaluation, look)
    values: dict[str, Value] = {
        "model": evaluation.model.name, "batch": f"{work.batch:,}", "context": f"{work.context:,}"
    }  # fmt: skip
    active = evaluation.active
    told = () if active is None else (*capacity_sentences(evaluation, active, look), *_growth(evaluation, look))
    titled = "memory_view.title" if evaluation.tokens_per_input is None else "memory_view.title_inputs"
    chart = MemoryChart(said.say(titled, values), (), (), told)
    for device in visible:
        bars = said.device(device, active=device is active)
        chart = replace(chart, devices=(*chart.devices, bars))
        chart = replace(chart, legend=said.legend(chart))
        yield chart
    yield replace(chart, tables=held_tables(evaluation, look))


def _growth(evaluation: Evaluation, look: Look) -> tuple[str, ...]:
    """How the KV cache of a sequence grows, where a window ends some of it."""
    model, work = evaluation.model, evaluation.study.workload
    if model is None or model.smallest_window is None:
        return ()
    value = evaluation.evaluator.formats[work.kv or model.kv_format].bytes
    growth = kv_growth_text(model, work.context, value, look)
    return (render(Message("memory_view.growth", {"growth": growth}), look),)


class _Said:
    """Bars and words of one evaluation."""

    def __init__(self, evaluation: Evaluation, look: Look) -> None:
        self._evaluation = evaluation
        self._look = look

    def say(self, key: str, values: dict[str, Value] | None = None) -> str:
        return render(Message(key, values or {}), self._look)

    def device(self, device: DeviceResult, *, active: bool) -> DeviceBars:
        found = capacity_fit(self._evaluation, device)
        return DeviceBars(
            name=device_label(self._evaluation, device, self._look),
            now=self._bar(self._evaluation.memory, device.totals.capacity),
            longest=None if found is None else self._longest(found),
            capacity=device.totals.capacity,
            limits="" if found is None else self._limits(found),
            active=active,
        )

    def legend(self, chart: MemoryChart) -> tuple[tuple[str, str], ...]:
        """Parts that any bar shows."""
        bars = [b for d in chart.devices for b in (d.now, d.longest) if b is not None]
        present = [p for i, p in enumerate(PARTS) if any(b.sizes[i] > 0 for b in bars)]
        return tuple((p, self.say(part_key(p, self._evaluation.model))) for p in present)

    def _bar(self, held: Ledger, available: float | None, caption: str = "") -> Bar:
        shown, of = capacity(float(held.total), self._look.unit), capacity(available, self._look.unit)
        text = shown if available is None else self.say("memory_view.of", {"held": shown, "capacity": of})
        return Bar(tuple(float(held.of(p)) for p in PARTS), text, caption, exceeds(held, available))

    def _longest(self, found: CapacityFit) -> Bar | None:
        """The bar at the model's own longest context, where that is beyond the current one."""
        there, longest = found.at_model_context, found.model_context
        if self._evaluation.tokens_per_input is not None:
            return None
        if there is None or longest is None or longest <= self._evaluation.study.workload.context:
            return None
        return self._bar(there, found.capacity, self.say("memory_view.at", {"context": f"{longest:,}"}))

    def _limits(self, found: CapacityFit) -> str:
        if not found.fits:
            return "" if found.devices is None else self.say("memory_view.needs", {"count": f"{found.devices:,}"})
        if self._evaluation.tokens_per_input is not None:
            return self.say("memory.fits")
        values = {
            "context": _up_to(found.longest_context, LARGEST_CONTEXT),
            "batch": _up_to(found.largest_batch, LARGEST_BATCH),
        }
        return self.say("memory_view.limits", {**values})


def _up_to(found: int | None, looked: int) -> str:
    """Nothing is looked for beyond what the program takes."""
    return f"> {looked:,}" if found is None else f"{found:,}"


register_build("memory", lambda evaluation, look, _texts: memory_chart(evaluation, look), MEMORY)
