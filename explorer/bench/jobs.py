"""From a study's rows to a worker's job, and from what the worker says to measured points. No process, no Qt."""

import json
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from explorer.analysis.measured.imported import MeasuredPoint, Skipped
from explorer.analysis.problem import Note, Problem, Refused
from explorer.analysis.step.phases.ids import PhaseId
from explorer.analysis.study.edits import unique_id
from explorer.analysis.study.study import Measurement, Study
from explorer.bench.protocol import VERSION, Hello, RowTimed
from explorer.bench.reasons import note_of_remark

if TYPE_CHECKING:
    from explorer.analysis.step.costs import Costs
    from explorer.analysis.step.evaluate import Evaluation
    from explorer.analysis.step.rows import Row

TOOL: Final = "torch"
Command = Literal["hello", "measure", "ceilings", "trace"]


class OperandFormats(msgspec.Struct, frozen=True):
    """Number formats of a row's operands."""

    activations: str
    weights: str
    output: str
    kv: str


class JobRow(msgspec.Struct, frozen=True, kw_only=True):
    """One operator to time: figures are per call, `count` calls make a step; `swept` is the dimension of a sweep."""

    id: str
    name: str
    kind: str
    dims: dict[str, float]
    formats: OperandFormats
    flops: float
    bytes: float
    count: float = 1.0
    swept: str = ""

    @property
    def label(self) -> str:
        """The name of its point."""
        return f"{self.name}, {self.swept} = {self.dims[self.swept]:g}" if self.swept else self.name


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker is asked to do; `left_out` are rows that are not even tried, and why."""

    command: Command = "measure"
    device: str = "cpu"
    threads: int | None = None
    least_s: float = 0.5
    most_s: float = 3.0
    rows: tuple[JobRow, ...] = ()
    formats: tuple[str, ...] = ()
    source: str = ""
    path: str = ""
    callable: str = ""
    config: dict[str, Any] | None = None
    batch: int | None = None
    context: int | None = None
    phase: PhaseId | None = None
    left_out: tuple[Skipped, ...] = ()

    def line(self) -> bytes:
        """The job as the worker reads it."""
        fields: dict[str, Any] = {n: getattr(self, n) for n in self.__struct_fields__ if n not in _NOT_SENT}
        said = {n: v for n, v in fields.items() if v not in ((), "", None)}
        return msgspec.json.encode({"protocol": VERSION, "watched": True, **said})


_NOT_SENT: Final = frozenset({"left_out"})


def measure_job(evaluation: "Evaluation", names: Collection[str] = (), **settings: Any) -> Job:
    """The rows of a study's step as a job; `names` picks some, `settings` are fields of Job.

    Raises
    ------
    Refused
        A name is none of a row, or there is no row.
    """
    known = {row.name for row in evaluation.rows}
    if missing := [n for n in names if n not in known]:
        raise _no_row(missing[0], evaluation)
    if not known:
        raise Refused(Problem("measure.no_rows"))
    fused = _fused(evaluation.study)
    asked = [(i, row) for i, row in enumerate(evaluation.rows) if not names or row.name in names]
    rows = [job_row(str(i), row, evaluation, evaluation.costs[i]) for i, row in asked if row.name not in fused]
    left = [Skipped(row.name, Note("measure.skip.fused")) for _, row in asked if row.name in fused]
    return Job(rows=tuple(rows), left_out=tuple(left), **_workload(evaluation), **settings)


def _workload(evaluation: "Evaluation") -> dict[str, Any]:
    work = evaluation.study.workload
    return {"batch": work.batch, "context": work.context, "phase": work.phase}


def _fused(study: "Study") -> set[str]:
    """Rows that run inside another's kernel, so that nobody can time them apart."""
    overrides = {o.row for o in study.overrides if o.fused}
    return overrides | {o.name for o in study.operators if o.fused and o.enabled}


def _no_row(name: str, evaluation: "Evaluation") -> Refused:
    known = ", ".join(row.name for row in evaluation.rows)
    return Refused(Problem("measure.no_row", values={"name": name[:80], "known": known[:300] or "–"}))


def job_row(row_id: str, row: "Row", evaluation: "Evaluation", costs: "Costs", swept: str = "") -> JobRow:
    """One row of a step as the worker is told it, every dimension spelled out."""
    own = any(k.id == row.kind for k in evaluation.study.kinds)
    dims = {**dict(evaluation.evaluator.kinds[row.kind].defaults), **row.dims}
    return JobRow(
        id=row_id,
        name=row.name,
        kind=f"own/{row.kind}" if own else row.kind,
        dims={n: float(v) for n, v in dims.items()},
        formats=OperandFormats(row.activations, row.weights, row.output, row.kv),
        flops=float(costs.flops),
        bytes=float(costs.bytes_read + costs.bytes_written),
        count=float(row.count),
        swept=swept,
    )


def sweep_job(evaluation: "Evaluation", name: str, dim: str, values: Iterable[float], **settings: Any) -> Job:
    """One row of a study at several values of one of its dimensions.

    Raises
    ------
    Refused
        There is no such row, or its kind has no such dimension.
    """
    row = next((r for r in evaluation.rows if r.name == name), None)
    if row is None:
        raise _no_row(name, evaluation)
    kind = evaluation.evaluator.kinds[row.kind]
    if dim not in (dims := dict(kind.defaults)):
        raise Refused(Problem("measure.no_dim", values={"name": name, "dim": dim[:80], "known": ", ".join(dims)}))
    rows = []
    for i, value in enumerate(dict.fromkeys(float(v) for v in values)):
        at = msgspec.structs.replace(row, dims={**row.dims, dim: value})
        costs = kind.costs(at, evaluation.evaluator.formats)
        rows.append(job_row(f"sweep-{i}", at, evaluation, costs, dim))
    return Job(rows=tuple(rows), **_workload(evaluation), **settings)


def config_job(text: str, **settings: Any) -> Job:
    """A trace of the model that a config.json describes.

    Raises
    ------
    Refused
        The text is no JSON object, or holds what no JSON can carry on.
    """
    try:
        config = json.loads(text)
        msgspec.json.encode(config)
    except (ValueError, RecursionError, OverflowError, TypeError):  # ValueError: a half of a character, among others
        raise Refused(Problem("import.broken_json")) from None
    if not isinstance(config, dict):
        raise Refused(Problem("import.broken_json"))
    return Job(command="trace", config=config, **settings)


def measured_point(row: JobRow, said: RowTimed, job: Job, hello: Hello | None) -> MeasuredPoint:
    """What the worker measured of a row, as any tool's point."""
    notes = [note_of_remark(said.note)] if said.note else []
    notes += [Note("measure.note.cached")] if said.resident == "cache" else []
    notes += [] if said.steady else [Note("measure.note.unsteady")]
    return MeasuredPoint(
        name=row.label,
        calls=row.count,
        time_s=said.median_s,
        quartiles_s=(said.low_s, said.high_s),
        flops=row.flops,
        bytes=row.bytes,
        phase=job.phase,
        batch=job.batch,
        context=job.context,
        format=row.formats.activations,
        device=device_name(hello, job.device),
        backend=f"torch {hello.torch}" if hello else TOOL,
        threads=hello.threads if hello else None,
        notes=tuple(notes),
    )


def device_name(hello: Hello | None, torch_id: str) -> str:
    """The name of what torch ran on."""
    found = next((d for d in hello.devices if d.id == torch_id), None) if hello else None
    return found.name if found and found.name else torch_id


class RowResult(msgspec.Struct, frozen=True):
    """A timed row: what was asked, what the worker said, and the point it makes."""

    row: JobRow
    said: RowTimed
    point: MeasuredPoint


def with_measurements(study: Study, results: Sequence[RowResult], entry_id: str) -> Study:
    """The study with results beside its predictions on one of its devices; older ones of the same work give way."""
    new = [_measurement(r, entry_id) for r in results]
    again = {_work(m) for m in new}
    kept = [m for m in study.measurements if _work(m) not in again]
    taken = {m.id for m in kept}
    for each in new:
        own = unique_id(f"torch-{each.name}", taken)
        taken.add(own)
        kept.append(msgspec.structs.replace(each, id=own))
    return msgspec.structs.replace(study, measurements=tuple(kept))


def _measurement(result: RowResult, entry_id: str) -> Measurement:
    """A step's row joins its prediction; a point of a sweep, which is no row of the study, brings its own counts."""
    point, row = result.point, result.row
    where = [point.backend, point.device, f"{point.threads} threads" if point.threads else ""]
    return Measurement(
        id="",
        name=row.label,
        row=None if row.swept else row.name,
        device=entry_id,
        time_s=point.time_s,
        batch=point.batch,
        context=point.context,
        phase=None if row.swept else point.phase,
        source=", ".join(w for w in where if w)[:200],
        quartiles_s=point.quartiles_s,
        runs=result.said.runs,
        cached=result.said.resident == "cache",
        flops=row.flops if row.swept and row.flops else None,
        bytes=row.bytes if row.swept and row.bytes else None,
        format=row.formats.activations if row.swept else "",
        tool=TOOL,
    )


def _work(m: Measurement) -> tuple[object, ...]:
    return (m.tool, m.name, m.row, m.device, m.batch, m.context, m.phase, m.source)
