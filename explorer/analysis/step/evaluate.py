"""Evaluate a study: every row on every device, and totals; questions to an evaluation are asked in `ask`."""

from collections.abc import Callable, Hashable, Sequence
from copy import copy
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, TypeVar, cast

import msgspec
from msgspec.structs import replace

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.formats import NumberFormat
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.costs import CompiledKind, Costs, compile_kind, known_kind
from explorer.analysis.step.expand import apply_overrides, fused_costs, model_of
from explorer.analysis.step.own_part import OwnPart, OwnParts, OwnPlaced, own_parts
from explorer.analysis.step.placement import Bound, Point, place
from explorer.analysis.step.roofs import PeakChoice, Roof, WantedPeak, wanted_peak
from explorer.analysis.step.rows import Number, Row, Step
from explorer.analysis.step.totals import Memory, Totals, Traffic, added, totals, traffic
from explorer.analysis.study.study import HardwareEntry, Study, Workload

if TYPE_CHECKING:
    from explorer.analysis.models import Model

Made = TypeVar("Made")


class DeviceResult(msgspec.Struct, frozen=True, eq=False, dict=True):
    """A study's step on one device: points in row order, and totals."""

    entry: HardwareEntry
    roof: Roof
    main_peak: PeakChoice
    placed: tuple[Point, ...]
    own: OwnPlaced
    totals: Totals

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """The model's rows, then the user's."""
        return (*self.placed, *self.own.points)

    @property
    def ridge(self) -> float | None:
        """FLOP/byte where the main peak meets the bandwidth."""
        bandwidth = self.roof.bandwidth
        return self.main_peak.rate / bandwidth if self.main_peak.rate and bandwidth else None

    @cached_property
    def shares(self) -> tuple[float, ...]:
        """Share of each row in the step's time."""
        total = float(self.totals.time_s) or 1.0
        return (*(float(p.total_s) / total for p in self.placed), *(self.own.total_s / total).tolist())

    @cached_property
    def bound_shares(self) -> dict[Bound, float]:
        """Share of the step's time spent in rows of each bound."""
        total = float(self.totals.time_s) or 1.0
        shares = {bound: own / total for bound, own in self.own.bound_sums.items()}
        for point in self.placed:
            shares[point.bound] += float(point.total_s) / total
        return shares

    @cached_property
    def flop_shares(self) -> tuple[float, ...]:
        """Share of each row in the step's FLOPs."""
        total = float(self.totals.traffic.flops) or 1.0
        model = (float(p.row.count * p.costs.flops) / total for p in self.placed)
        return (*model, *(self.own.part.all_flops / total).tolist())


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
        same_formats = older is not None and _stored(older.model) is _stored(self.model)
        self.formats: dict[str, NumberFormat] = older.formats if older is not None and same_formats else self._formats()
        same_rows = older is not None and same_formats and older.kinds is self.kinds
        self.wanted: dict[tuple[object, ...], WantedPeak] = older.wanted if older is not None and same_rows else {}
        parts = None if older is None else older.own_parts
        self.own_parts: OwnParts = own_parts(study, self.kinds, self.formats, parts)
        roofs = {} if older is None else dict(zip(map(id, older.study.hardware), older.roofs, strict=True))
        self.roofs: tuple[Roof, ...] = tuple(
            roofs.get(id(e)) or Roof(e.device, e.count, e.id, e.fitted) for e in study.hardware
        )
        self.overrides = {o.row: o for o in study.overrides}

    def _formats(self) -> dict[str, NumberFormat]:
        formats = dict(self.catalogue.format_by_id)
        stored = None if self.model is None else self.model.stored
        if stored is None:
            return formats
        from explorer.analysis.models.checkpoint.stored_formats import merged_formats

        return merged_formats(formats, stored.formats)

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
            return model_of(self.study)
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

    def step(self, batch: Number | None = None, context: Number | None = None) -> Step:
        """The study's step, at another batch or context where given."""
        work = self.study.workload
        return Step(
            phase=work.phase,
            batch=float(work.batch) if batch is None else batch,
            context=float(work.context) if context is None else context,
            weights=work.weights,
            activations=work.activations,
            kv=work.kv,
            attention_count=work.attention_count,
            logits=work.logits,
        )

    def model_rows(self, step: Step) -> tuple[Row, ...]:
        """The active model's rows under the user's overrides."""
        if self.model is None:
            return ()
        return apply_overrides(self.model.rows(step), self.overrides)

    def costs(self, rows: Sequence[Row]) -> list[Costs]:
        """Costs of model rows; a fused row keeps only its weights and KV cache."""
        found = [self.kinds[r.kind].costs(r, self.formats) for r in rows]
        if self.overrides:
            found = [fused_costs(r, c, self.overrides) for r, c in zip(rows, found, strict=True)]
        return found

    @cached_property
    def own(self) -> OwnPart:
        """The user's own rows that can be computed; faults are listed in `problems`."""
        part = self.own_parts.of(self.study)
        self.problems = [*self.problems, *part.problems]
        return part

    def memory(self, step: Step) -> Memory:
        """Bytes held by the model at a step."""
        model = self.model
        if model is None:
            return Memory()
        kv = self.formats[step.kv or model.kv_format].bytes
        return Memory(
            weights=model.weight_bytes(step.weights, self.formats),
            kv=model.kv_bytes(step.batch, step.context, kv),
            state=model.state_bytes(step.batch),
            kv_per_sequence=model.kv_bytes(1.0, step.context, kv),
        )

    def kv_written(self, step: Step) -> Number:
        """KV cache bytes that a step adds: one token per sequence in decode, the prompt in prefill."""
        if self.model is None or self.model.rough:
            return 0.0
        kv = self.formats[step.kv or self.model.kv_format].bytes
        return self.model.kv_written(step, kv)

    def place(self, rows: Sequence[Row], costs: Sequence[Costs], roof: Roof) -> tuple[Point, ...]:
        """Rows on one device."""
        asked, wanted = roof.asked, self._wanted_of
        return place(rows, costs, [asked(wanted(r)) for r in rows], roof, eager=self.eager)

    @property
    def eager(self) -> bool:
        """Whether every kernel pays the device's launch overhead."""
        return self.study.workload.launch == "eager"

    def _wanted_of(self, row: Row) -> WantedPeak:
        look = (row.kind, row.activations, row.weights, row.kv, row.accumulate)
        found = self.wanted.get(look)
        if found is None:
            kind = self.kinds[row.kind]
            found = self.wanted[look] = wanted_peak(row, kind.kind.unit, kind.partner, self.formats)
        return found

    def tokens(self, step: Step) -> tuple[Number, Number] | None:
        """Tokens the step yields in all and per request."""
        if self.model is None:
            return None
        if step.phase == "decode":
            return step.batch, 1.0
        prompt = self.model.prompt_tokens(step.context)
        return step.batch * prompt, prompt

    def device_totals(
        self,
        points: Sequence[Point],
        moved: Traffic,
        memory: Memory,
        roof: Roof,
        step: Step,
        own: OwnPlaced | None = None,
    ) -> Totals:
        """Totals of placed rows on one device."""
        work = self.study.workload
        return totals(points, moved, memory, roof, self.tokens(step), work.expected, work.reserve, own)

    def sweep(self, step: Step, roofs: Sequence[Roof]) -> list[Totals]:
        """Totals of the model's step on devices, batch and context as numbers or as arrays that broadcast."""
        rows = self.model_rows(step)
        costs = self.costs(rows)
        moved = traffic(rows, costs, self.kv_written(step))
        memory = self.memory(step)
        return [self.device_totals(self.place(rows, costs, r), moved, memory, r, step) for r in roofs]


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
        self.model_costs = self.evaluator.costs(self.model_rows)
        self.own = self.evaluator.own
        self.rows: tuple[Row, ...] = (*self.model_rows, *self.own.rows)
        self.costs: tuple[Costs, ...] = (*self.model_costs, *self.own.costs)
        moved = traffic(self.model_rows, self.model_costs, self.evaluator.kv_written(self.step))
        self.traffic = added(moved, self.own.traffic)
        self.memory = self.evaluator.memory(self.step)
        self.devices: tuple[DeviceResult, ...] = tuple(
            self._on(entry, roof)
            for entry, roof in zip(study.hardware, self.evaluator.roofs, strict=True)
            if roof.bandwidth
        )
        self._sections: dict[tuple[Hashable, ...], object] = {}
        self.remembered: dict[type, object] = {} if previous is None else previous.remembered

    def viewed(self, study: Study) -> "Evaluation":
        """The same figures for a study that differs in its view only."""
        other = copy(self)
        work = self.study.workload
        other.study = study if study.workload == work else replace(study, workload=work)
        other.__dict__.pop("active", None)
        return other

    @property
    def model(self) -> "Model | None":
        """The active model, if any."""
        return self.evaluator.model

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that could not be evaluated."""
        return tuple(self.evaluator.problems)

    def _on(self, entry: HardwareEntry, roof: Roof) -> DeviceResult:
        points, own, summed = self.on(roof)
        return DeviceResult(entry, roof, self._main_peak(points, own, roof), points, own, summed)

    def on(self, roof: Roof) -> tuple[tuple[Point, ...], OwnPlaced, Totals]:
        """The step on any device: points of the model's rows, the user's rows, totals."""
        evaluator = self.evaluator
        points = evaluator.place(self.model_rows, self.model_costs, roof)
        own = self.own.on(roof, eager=evaluator.eager)
        return points, own, evaluator.device_totals(points, self.traffic, self.memory, roof, self.step, own)

    def _main_peak(self, points: Sequence[Point], own: OwnPlaced, roof: Roof) -> PeakChoice:
        """The peak of the tensor rows that compute most; without any, that of bf16."""
        kinds = self.evaluator.kinds
        tensor = [(p.row.count * p.costs.flops, p.peak) for p in points if kinds[p.row.kind].kind.unit == "tensor"]
        if own.peak is not None:
            tensor.append(own.peak)
        if tensor:
            return max(tensor, key=itemgetter(0))[1]
        first = points[0].peak if points else own.first_peak
        return first or roof.peak("tensor", self.study.workload.activations or "bf16")

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


def _refuse_unread(study: Study) -> None:
    """Raise Refused for work that no step takes in: its figures would be those of other work."""
    if study.workload.groups:
        raise Refused(Problem("study.groups_unread", "workload.groups"))
    if study.plan:
        raise Refused(Problem("study.plan_unread", "plan"))


def _stored(model: "Model | None") -> object:
    return None if model is None else model.stored


__all__ = ["DeviceResult", "Evaluation", "Evaluator", "Workload", "evaluate"]
