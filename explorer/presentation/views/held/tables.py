"""What is held as tables: every visible device with what would fit, and every kind of layer with its share."""

import msgspec

import explorer.presentation.views.held.texts  # noqa: F401 - registers the words used here
from explorer.analysis.ask.capacity import (
    MOST_DEVICES,
    CapacityFit,
    batch_that_fits,
    capacity_fit,
    left_over,
    longest_context,
)
from explorer.analysis.ask.layer_kinds import LayerKind, LayerKinds, layer_kinds
from explorer.analysis.problem import Value
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.study.check import LARGEST_BATCH, LARGEST_CONTEXT
from explorer.presentation.hardware.device_names import device_label
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import NOTHING, capacity
from explorer.presentation.tables.model_columns import parameters
from explorer.presentation.words.messages import Message, render


class TextRow(msgspec.Struct, frozen=True):
    """One line: its name, then figures; `strong` ones are totals or at hand, `fault` ones are over a limit."""

    cells: tuple[str, ...]
    strong: bool = False
    fault: bool = False


class TextTable(msgspec.Struct, frozen=True):
    """A small table whose texts are final: the first column holds names, the others figures."""

    title: str
    headers: tuple[str, ...]
    rows: tuple[TextRow, ...]
    note: str = ""


def held_tables(evaluation: Evaluation, look: Look = ENGLISH) -> tuple[TextTable, ...]:
    """The tables of a study's memory view; the second one where the kinds of a model's layers are known."""
    said = _Said(evaluation, look)
    kinds = layer_kinds(evaluation)
    return (said.by_device(), *(() if kinds is None else (said.by_kind(kinds),)))


class _Said:
    """Words and sizes of one evaluation."""

    def __init__(self, evaluation: Evaluation, look: Look) -> None:
        self._evaluation = evaluation
        self._look = look
        self._inputs = evaluation.tokens_per_input is not None

    def say(self, key: str, values: dict[str, Value] | None = None) -> str:
        return render(Message(key, values or {}), self._look)

    def size(self, value: float | None) -> str:
        return capacity(value, self._look.unit)

    # by device

    def by_device(self) -> TextTable:
        visible = [d for d in self._evaluation.devices if d.entry.visible]
        keys = ["device", "held", "capacity", "left", "batch", *([] if self._inputs else ["context"]), "fewest"]
        found = [(d, capacity_fit(self._evaluation, d)) for d in visible]
        return TextTable(
            self.say("held.by_device"),
            tuple(self.say(f"held.{key}") for key in keys),
            tuple(self._device(d, fit) for d, fit in found),
            self._why_not(found),
        )

    def _device(self, device: DeviceResult, fit: CapacityFit | None) -> TextRow:
        evaluation, held = self._evaluation, self.size(float(self._evaluation.memory.total))
        name = device_label(evaluation, device, self._look)
        if fit is None:
            return TextRow((name, held, *[NOTHING] * (4 if self._inputs else 5)), device is evaluation.active)
        batch = self._up_to(batch_that_fits(evaluation, fit.capacity), LARGEST_BATCH)
        context = self._up_to(longest_context(evaluation, fit.capacity), LARGEST_CONTEXT)
        needed = NOTHING if fit.devices is None else f"{max(fit.devices, fit.count) if fit.fits else fit.devices:,}"
        cells = (
            name,
            held,
            self.size(fit.capacity),
            self._left(device),
            batch,
            *(() if self._inputs else (context,)),
            needed,
        )
        return TextRow(cells, strong=device is evaluation.active, fault=not fit.fits)

    def _left(self, device: DeviceResult) -> str:
        left = left_over(device)
        text = self.size(None if left is None else abs(left))
        return f"−{text}" if left is not None and left < 0 else text

    def _up_to(self, found: int | None, looked: int) -> str:
        """Nothing is looked for beyond what the program takes."""
        if found is None:
            return f"> {looked:,}"
        return f"{found:,}" if found else self.say("held.none")

    def _why_not(self, found: list[tuple[DeviceResult, CapacityFit | None]]) -> str:
        unknown = [device_label(self._evaluation, d, self._look) for d, fit in found if fit is None]
        if unknown:
            return self.say("held.unknown", {"names": ", ".join(unknown)})
        never = any(fit is not None and fit.devices is None for _, fit in found)
        return self.say("held.never", {"most": f"{MOST_DEVICES:,}"}) if never else ""

    # by kind of layer

    def by_kind(self, found: LayerKinds) -> TextTable:
        work = self._evaluation.study.workload
        known = found.other_weights is not None
        kv, state = found.kv > 0, found.state > 0
        keys = ["kind", "count", "parameters", "weights", "weights_each"]
        keys += [*(["kv", "kv_each"] if kv else []), *(["state"] if state else [])]
        values: dict[str, Value] = {"batch": f"{work.batch:,}", "context": f"{work.context:,}"}
        rows = [TextRow(self._kind(kind, kv=kv, state=state)) for kind in found.kinds]
        rows.append(self._line("held.other", found.other_values, found.other_weights, kv=kv, state=state))
        total = self._line("held.all", found.values, found.weights, kv=kv, state=state, sums=found)
        rows.append(msgspec.structs.replace(total, strong=True))
        return TextTable(
            self.say("held.by_kind_inputs" if self._inputs else "held.by_kind", values),
            tuple(self.say(f"held.{key}") for key in keys),
            tuple(rows),
            "" if known else self.say("held.file"),
        )

    def _kind(self, kind: LayerKind, *, kv: bool, state: bool) -> tuple[str, ...]:
        name = " · ".join(code for code in (kind.attention, kind.mlp) if code)
        weights = None if kind.weights is None else kind.weights / kind.count
        return (
            name,
            f"{kind.count:,}",
            parameters(float(kind.values)),
            self.size(kind.weights),
            self.size(weights),
            *((self.size(kind.kv), self.size(kind.kv / kind.count)) if kv else ()),
            *((self.size(kind.state),) if state else ()),
        )

    def _line(
        self, key: str, values: int, weights: float | None, *, kv: bool, state: bool, sums: LayerKinds | None = None
    ) -> TextRow:
        """What stands outside of the layers, or all: figures of one layer have no meaning there."""
        count = "" if sums is None else f"{sum(k.count for k in sums.kinds):,}"
        held = (self.size(sums.kv), "") if sums is not None else ("", "")
        kept = (self.size(sums.state),) if sums is not None else ("",)
        cells = (
            self.say(key), count, parameters(float(values)), self.size(weights), "",
            *(held if kv else ()), *(kept if state else ()),
        )  # fmt: skip
        return TextRow(cells)
