"""Evaluate a study: every row on every device, and totals; questions to an evaluation are asked in `ask`."""

from collections.abc import Callable, Hashable, Sequence
from copy import copy
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, TypeVar, cast

from msgspec.structs import replace

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.formats import NumberFormat
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.costs import CompiledKind, Costs, Pricing, compile_kind, known_kind, priced
from explorer.analysis.step.device_result import DeviceResult
from explorer.analysis.step.expand import apply_overrides, fused_costs, model_of
from explorer.analysis.step.ledger import KV, RESERVE, STATE, WEIGHTS, Entry, Ledger
from explorer.analysis.step.machines.peaks import Asking, WantedPeak
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.step.own_part import OwnPart, OwnParts, own_parts
from explorer.analysis.step.phases.phase import Phase
from explorer.analysis.step.phases.registry import one_step, phase_of
from explorer.analysis.step.placement import Placed, Point, place
from explorer.analysis.step.plan import Plan, Planned, PlanTotals, plan_totals
from explorer.analysis.step.routing import Beyond, beyond_fewest
from explorer.analysis.step.rows import Number, Row, Step
from explorer.analysis.step.stack import Layout, RowStack, main_peak, stacked
from explorer.analysis.step.totals import Totals, added, amounts, totals, traffic
from explorer.analysis.study.study import HardwareEntry, Study, Workload

if TYPE_CHECKING:
    from explorer.analysis.models import Model
    from explorer.analysis.models.checkpoint.stored_formats import StoredFormat

Made = TypeVar("Made")


class Evaluator:
    """A study made ready for evaluation: model, kinds, formats and roofs looked up once.

    What the study shares with that of a `previous` evaluator is taken from there.
    """

    def __init__(self, study: Study, catalogue: Catalogue, previous: "Evaluator | None" = None) -> None:
        older = previous if previous is not None and previous.catalogue is catalogue else None
        self.study = study
        self.catalogue: Catalogue = catalogue
        self.kinds: dict[str, CompiledKind]
        self.kind_problems: list[Problem]
        if older is not None and older.study.kinds is study.kinds:
            self.kinds, self.kind_problems = older.kinds, older.kind_problems
        else:
            self.kinds, self.kind_problems = self._compiled()
        self.problems = [*self.kind_problems]
        self.model: Model | None = self._model()
        self.study = self._runnable()
        same_formats = older is not None and _own_formats(older.model) is _own_formats(self.model)
        self.formats: dict[str, NumberFormat] = older.formats if older is not None and same_formats else self._formats()
        same_rows = older is not None and same_formats and older.kinds is self.kinds
        self.asking: Asking = older.asking if older is not None and same_rows else Asking(self.kinds, self.formats)
        same_model = older is not None and same_rows and older.model is self.model
        same_model = same_model and older is not None and older.study.overrides is study.overrides
        self.layouts: dict[Hashable, Layout] = older.layouts if older is not None and same_model else {}
        self.pricings: dict[Hashable, list[Pricing]] = older.pricings if older is not None and same_model else {}
        self.weight_bytes: dict[str | None, float] = older.weight_bytes if older is not None and same_model else {}
        parts = None if older is None else older.own_parts
        self.own_parts: OwnParts = own_parts(study, self.kinds, self.formats, parts)
        known = {} if older is None else dict(zip(map(id, older.study.hardware), older.machines, strict=True))
        self.machines: tuple[Machine, ...] = tuple(known.get(id(e)) or Machine.of(e) for e in study.hardware)
        self.overrides = {o.row: o for o in study.overrides}

    def _formats(self) -> dict[str, NumberFormat]:
        formats = dict(self.catalogue.format_by_id)
        own = _own_formats(self.model)
        if not own:
            return formats
        from explorer.analysis.models.checkpoint.stored_formats import merged_formats

        return merged_formats(formats, own)

    def _compiled(self) -> tuple[dict[str, CompiledKind], list[Problem]]:
        compiled = {k.id: known_kind(k) for k in self.catalogue.kinds}
        problems: list[Problem] = []
        for i, kind in enumerate(self.study.kinds):
            try:
                compiled[kind.id] = compile_kind(kind)
            except Refused as refused:
                problems += [Problem(p.code, f"kinds[{i}].{p.path}", p.values) for p in refused.problems]
        return compiled, problems

    def _model(self) -> "Model | None":
        try:
            _refuse_unread(self.study)
            return model_of(self.study, self.catalogue.format_by_id)
        except Refused as refused:
            self.problems += refused.problems
            return None

    def _runnable(self) -> Study:
        """The study in a phase that its model has: an encoder runs its one pass where a decode step is asked for."""
        study, model = self.study, self.model
        if model is None or study.workload.phase in model.phases:
            return study
        return replace(study, workload=replace(study.workload, phase=model.phases[0]))

    def under(self, work: Workload) -> "Evaluator":
        """The same study with another workload of the same phase."""
        other = copy(self)
        other.study = replace(self.study, workload=work)
        other.__dict__.pop("own", None)
        return other

    @property
    def phase(self) -> Phase:
        """The phase of the study's step."""
        return phase_of(self.study.workload.phase)

    def step(self, batch: Number | None = None, context: Number | None = None) -> Step:
        """The study's step, at another batch or context where given."""
        work = self.study.workload
        return one_step(
            work.phase,
            float(work.batch) if batch is None else batch,
            float(work.context) if context is None else context,
            work.weights,
            work.activations,
            work.kv,
            work.attention_count,
            work.logits,
            work.skew,
        )

    def model_rows(self, step: Step) -> tuple[Row, ...]:
        """The active model's rows under the user's overrides."""
        if self.model is None:
            return ()
        return apply_overrides(self.model.rows(step), self.overrides)

    def costs(self, rows: Sequence[Row], step: Step | None = None) -> list[Costs]:
        """Costs of model rows; a fused row keeps only its weights and KV cache. `step`: they are all rows of it."""
        if step is None:
            found = [self.kinds[r.kind].costs(r, self.formats) for r in rows]
        else:
            found = list(map(priced, rows, self._pricings(step, rows)))
        if self.overrides:
            found = [fused_costs(r, c, self.overrides) for r, c in zip(rows, found, strict=True)]
        return found

    def _pricings(self, step: Step, rows: Sequence[Row]) -> list[Pricing]:
        """What prices each row of the model; neither batch nor context changes it."""
        key = _look(step, rows)
        found = self.pricings.get(key)
        if found is None:
            found = self.pricings[key] = [self.kinds[r.kind].pricing(r, self.formats) for r in rows]
        return found

    @cached_property
    def own(self) -> OwnPart:
        """The user's own rows that can be computed; faults are listed in `problems`."""
        part = self.own_parts.of(self.study)
        self.problems = [*self.problems, *part.problems]
        return part

    def memory(self, step: Step) -> Ledger:
        """Bytes held at a step: weights, KV cache, state and what the user keeps free."""
        model, reserve = self.model, Entry(RESERVE, self.study.workload.reserve)
        if model is None:
            return Ledger((Entry(WEIGHTS, 0.0), Entry(KV, 0.0), Entry(STATE, 0.0), reserve))
        kv = self._kv_format_bytes(step)
        cache: Number = 0.0
        state: Number = 0.0
        for group in step.groups:
            cache = cache + model.kv_bytes(group.sequences, group.context, kv)
            state = state + model.state_bytes(group.sequences)
        weights = self.weight_bytes.get(step.weights)
        if weights is None:
            weights = self.weight_bytes[step.weights] = model.weight_bytes(step.weights, self.formats)
        return Ledger((Entry(WEIGHTS, weights), Entry(KV, cache), Entry(STATE, state), reserve))

    def kv_per_sequence(self, step: Step) -> Number:
        """Bytes of one sequence's KV cache at a step's context."""
        return 0.0 if self.model is None else self.model.kv_bytes(1.0, step.context, self._kv_format_bytes(step))

    def kv_written(self, step: Step) -> Number:
        """KV cache bytes that a step adds: one token per sequence in decode, the prompt in prefill."""
        if self.model is None or self.model.rough:
            return 0.0
        return self.model.kv_written(step, self._kv_format_bytes(step))

    def beyond_fewest(self, rows: Sequence[Row], costs: Sequence[Costs]) -> Beyond:
        """Bytes of experts that rows read beyond the fewest that their step can do with."""
        return beyond_fewest(rows, costs, self.kinds, self.formats)

    def _kv_format_bytes(self, step: Step) -> float:
        """Bytes of one value of the KV cache."""
        kv = step.kv or (None if self.model is None else self.model.kv_format)
        return 0.0 if kv is None else self.formats[kv].bytes

    def layout(self, step: Step, rows: Sequence[Row]) -> Layout:
        """The layout of the model's rows; neither batch nor context changes it."""
        key = _look(step, rows)
        found = self.layouts.get(key)
        if found is None:
            found = self.layouts[key] = Layout(rows, self.asking.peak)
        return found

    def stacked(self, rows: Sequence[Row], costs: Sequence[Costs], step: Step | None = None) -> tuple[RowStack, ...]:
        """Rows stacked, to be placed on any machine; of a `step`, where they are all of its model's rows."""
        return stacked(rows, costs, self.asking.peak, None if step is None else self.layout(step, rows))

    def place(self, rows: Sequence[Row], costs: Sequence[Costs], machine: Machine) -> tuple[Point, ...]:
        """Rows on one machine."""
        return place(rows, costs, self.asking.peak, machine, eager=self.eager)

    def on(self, stacks: Sequence[RowStack], machine: Machine) -> tuple[Placed, ...]:
        """Stacked rows on one machine."""
        return tuple([Placed(found, machine, eager=self.eager) for found in stacks])

    @property
    def eager(self) -> bool:
        """Whether every kernel pays the device's launch overhead."""
        return self.study.workload.launch == "eager"

    def tokens(self, step: Step) -> tuple[Number, Number] | None:
        """Tokens the step yields in all and per request; of several groups, per request of the first."""
        if self.model is None:
            return None
        phase = phase_of(step.phase)
        found = [phase.yields(group, self.model.prompt_tokens(group.context)) for group in step.groups]
        every = found[0][0]
        for others in found[1:]:
            every = every + others[0]
        return every, found[0][1]

    def sweep(self, step: Step, machines: Sequence[Machine], own: OwnPart | None = None) -> list[Totals]:
        """Totals of the model's step on machines, batch and context as numbers or as arrays that broadcast.

        `own` are the user's rows, where they count.
        """
        rows = self.model_rows(step)
        costs = self.costs(rows, step)
        stacks = self.stacked(rows, costs, step)
        moved = traffic(stacks, self.kv_written(step), self.beyond_fewest(rows, costs))
        step_amounts = amounts(moved if own is None else added(moved, own.traffic), self.memory(step))
        tokens, expected = self.tokens(step), self.study.workload.expected
        found = []
        for machine in machines:
            # one after the other: a large grid's rows need not all be held at once
            placed = (Placed(stack, machine, eager=self.eager) for stack in stacks)
            others = () if own is None else (own.on(machine, eager=self.eager),)
            found.append(totals(chain(placed, others), step_amounts, machine, tokens, expected))
        return found

    def planned(self, plan: Plan) -> PlanTotals:
        """Totals of a plan, each of its steps on its own machine, the user's rows in each."""
        return plan_totals(plan, [self.sweep(part.step, (part.machine,), self.own)[0] for part in plan])


class Evaluation:
    """What a study says of its step; answers to further questions are kept as sections.

    `previous` is an older evaluation: what the studies have in common is not computed again.
    """

    def __init__(self, study: Study, catalogue: Catalogue, previous: "Evaluation | None" = None) -> None:
        self.catalogue = catalogue
        self.evaluator: Evaluator = Evaluator(study, catalogue, None if previous is None else previous.evaluator)
        self.study = self.evaluator.study
        self.step = self.evaluator.step()
        self.model_rows = self.evaluator.model_rows(self.step)
        self.model_costs = self.evaluator.costs(self.model_rows, self.step)
        self.own = self.evaluator.own
        self.rows: tuple[Row, ...] = (*self.model_rows, *self.own.rows)
        self.costs: tuple[Costs, ...] = (*self.model_costs, *self.own.costs)
        self.stack = RowStack(self.model_rows, self.model_costs, self.evaluator.layout(self.step, self.model_rows))
        beyond = self.evaluator.beyond_fewest(self.model_rows, self.model_costs)
        moved = traffic((self.stack,), self.evaluator.kv_written(self.step), beyond)
        self.traffic = added(moved, self.own.traffic) if self.own.rows else moved
        self.memory = self.evaluator.memory(self.step)
        self._amounts = amounts(self.traffic, self.memory)
        self._tokens = self.evaluator.tokens(self.step)
        bf16: WantedPeak = ("tensor", self.study.workload.activations or "bf16", None)
        self.main: WantedPeak = main_peak((self.stack, self.own.stack)) or bf16
        self.devices: tuple[DeviceResult, ...] = tuple(
            self._on(entry, machine)
            for entry, machine in zip(study.hardware, self.evaluator.machines, strict=True)
            if machine.bandwidth
        )
        self._sections: dict[tuple[Hashable, ...], object] = {}
        self.remembered: dict[type, object] = {} if previous is None else previous.remembered

    def viewed(self, study: Study) -> "Evaluation":
        """The same figures for a study that differs in its view only."""
        other = copy(self)
        work = self.study.workload
        other.study = study if study.workload == work else replace(study, workload=work)
        for name in ("active", "baseline"):
            other.__dict__.pop(name, None)
        return other

    @property
    def model(self) -> "Model | None":
        """The active model, if any."""
        return self.evaluator.model

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that could not be evaluated."""
        return tuple(self.evaluator.problems)

    @property
    def phase(self) -> Phase:
        """The phase of the step."""
        return self.evaluator.phase

    @property
    def tokens_per_input(self) -> float | None:
        """Tokens of an input whose size the model fixes: its inputs are counted; None where tokens are."""
        model = self.model
        counts = model is not None and self.phase.takes_prompt and model.runs_once
        return float(model.prompt_tokens(1.0)) if model is not None and counts else None

    def _on(self, entry: HardwareEntry, machine: Machine) -> DeviceResult:
        modelled, own, summed = self.on(machine)
        return DeviceResult(entry, machine, machine.asked(self.main), modelled, own, summed)

    def on(self, machine: Machine) -> tuple[Placed, Placed, Totals]:
        """The step on any machine: the model's rows, the user's rows, totals."""
        eager = self.evaluator.eager
        modelled, own = Placed(self.stack, machine, eager=eager), self.own.on(machine, eager=eager)
        placed = (modelled, own) if own.stack.rows else (modelled,)
        found = totals(placed, self._amounts, machine, self._tokens, self.study.workload.expected)
        return modelled, own, found

    @property
    def plans(self) -> tuple[Plan, ...]:
        """The plan on each device: the study's one step."""
        return tuple((Planned(1.0, self.step, result.machine),) for result in self.devices)

    def device(self, entry_id: str) -> DeviceResult | None:
        """The result on one device of the study."""
        return next((d for d in self.devices if d.entry.id == entry_id), None)

    @cached_property
    def active(self) -> DeviceResult | None:
        """The device that the answer speaks of: the active one if visible, else the first visible."""
        chosen = self.device(self.study.view.active_hardware)
        if chosen is not None and chosen.entry.visible:
            return chosen
        return next((d for d in self.devices if d.entry.visible), None)

    @cached_property
    def baseline(self) -> DeviceResult | None:
        """The device that ratios are to: the one chosen for it if visible, else the active one."""
        chosen = self.device(self.study.view.baseline)
        return chosen if chosen is not None and chosen.entry.visible else self.active

    def section(self, ask: Callable[..., Made], *key: Hashable) -> Made:
        """The answer of `ask(self, *key)`, found once; of questions on which the view has no bearing only."""
        asked = (ask, *key)
        if asked not in self._sections:
            self._sections[asked] = ask(self, *key)
        return cast("Made", self._sections[asked])

    def carried(self, kind: type[Made]) -> Made:
        """What someone remembers from an evaluation to the one that follows it, made when first asked for."""
        if kind not in self.remembered:
            self.remembered[kind] = kind()
        return cast("Made", self.remembered[kind])


def evaluate(study: Study, catalogue: Catalogue, previous: Evaluation | None = None) -> Evaluation:
    """Evaluate a validated study; pure and total, faults of single rows are listed in `problems`.

    An evaluation of an earlier state of the study saves work, and changes no figure.
    """
    return Evaluation(study, catalogue, previous)


def _look(step: Step, rows: Sequence[Row]) -> Hashable:
    """What decides on the formats of a model's rows."""
    return step.phase, len(rows), step.weights, step.activations, step.kv


def _refuse_unread(study: Study) -> None:
    """Raise Refused for work that no step takes in: its figures would be those of other work."""
    unread = []
    if study.workload.groups:
        unread.append(Problem("study.groups_unread", "workload.groups"))
    if study.plan:
        unread.append(Problem("study.plan_unread", "plan"))
    if unread:
        raise Refused(*unread)


def _own_formats(model: "Model | None") -> "tuple[StoredFormat, ...]":
    return () if model is None else model.own_formats


__all__ = ["DeviceResult", "Evaluation", "Evaluator", "Workload", "evaluate"]
