"""What a study must fulfil beyond its shape, so that `evaluate` is total on it."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.device_check import ACCUMULATORS, device_problems
from explorer.analysis.catalogue.mixes import NAMES, mix_of
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.costs import checked_costs, compile_kind, known_kind
from explorer.analysis.step.expand import as_row
from explorer.analysis.study.slides import slide_problems
from explorer.analysis.study.study import (
    FORMAT,
    FittedRoof,
    Measurement,
    ModelEntry,
    OwnRow,
    QuickModel,
    Study,
    View,
    Workload,
)
from explorer.analysis.study.tensor_check import tensor_problems
from explorer.analysis.study.variant_check import (
    MOST_GROUPS,
    formats_of,
    group_problems,
    of_all_weights,
    phase_problems,
    variant_problems,
)

LARGEST_BATCH: Final = 2**20
LARGEST_CONTEXT: Final = 2**27
LARGEST_COUNT: Final = 1_000_000
LARGEST_DIM: Final = 1e18
_LARGEST_TEXT: Final = 100_000
_LARGEST_LINE: Final = 200
_SECONDS: Final = (0.0, 1e9)
_RATES: Final = (0.0, 1e18)
_MANY: Final = 50
_LEAST: Final = 5e-324  # over zero
_BUSIEST: Final = 10.0  # profilers may report more than all of a peak
# figures of a measurement and what they may be: thousands of them are judged at every edit
_MEASURED: Final[dict[str, tuple[float, float]]] = {
    "time_s": (_LEAST, _SECONDS[1]),
    "total_s": (_LEAST, _SECONDS[1]),
    "tokens_per_s": (_LEAST, _RATES[1]),
    "size_bytes": (_LEAST, 1e18),
    "bytes": (_LEAST, 1e18),
    "flops": (0, _RATES[1] * _SECONDS[1]),
    "runs": (1, 1e15),
    "calls": (1, 1e15),
    "memory_busy": (0, _BUSIEST),
    "compute_busy": (0, _BUSIEST),
    "depth": (0, LARGEST_CONTEXT),
    "batch": (1, LARGEST_BATCH),
    "context": (1, LARGEST_CONTEXT),
}
_LIMITS: Final = tuple(_MEASURED.values())

Bounds = tuple[float, float]


def study_problems(study: Study, catalogue: Catalogue | None = None) -> tuple[Problem, ...]:
    """Return the faults of a study (at most 50), with field paths as in its file; none means it can be evaluated.

    Without a catalogue the ids of number formats and operator kinds are taken on trust.
    """
    found: list[Problem] = []
    for problem in _all(study, catalogue):
        found.append(problem)
        if len(found) >= _MANY:
            break
    return tuple(found)


def edit_problems(old: Study, new: Study, catalogue: Catalogue) -> tuple[Problem, ...]:
    """Return the faults that an edit would bring into a study; a step of a slider is judged by its figures alone.

    Faults that the study had before are no reason to refuse an edit.
    """
    if replace(old, workload=new.workload, view=new.view) == new and _formats_of(old) == _formats_of(new):
        found = (*_workload(new.workload, "workload"), *_view(new))
    else:
        found = () if _sound_change(old, new, catalogue) else study_problems(new, catalogue)
    return tuple(p for p in found if p not in study_problems(old, catalogue)) if found else ()


def _sound_change(old: Study, new: Study, catalogue: Catalogue) -> bool:
    """Whether the parts that are new have no fault; of thousands of rows most edits change one."""
    fewer = new
    if old.kinds == new.kinds and _formats_of(old) == _formats_of(new):
        known = set(map(id, old.operators))
        fewer = replace(fewer, operators=tuple(o for o in new.operators if id(o) not in known))
    known = set(map(id, old.measurements))
    fewer = replace(fewer, measurements=tuple(m for m in new.measurements if id(m) not in known))
    return not study_problems(fewer, catalogue) and next(_unique_ids(new), None) is None


def _formats_of(study: Study) -> tuple[str | None, ...]:
    work = study.workload
    return work.weights, work.activations, work.kv


def view_problems(view: View) -> tuple[Problem, ...]:
    """Return the faults of a view alone."""
    return tuple(_view(Study(view=view)))


def text_problems(name: str, notes: str) -> tuple[Problem, ...]:
    """Return the faults of a study's name and notes."""
    long = Problem("study.long", "notes", {"limit": _LARGEST_TEXT})
    return (*_line("name", name), *((long,) if len(notes) > _LARGEST_TEXT else ()))


def _all(study: Study, catalogue: Catalogue | None) -> Iterator[Problem]:
    if study.format != FORMAT:
        yield Problem("study.format", "format", {"got": study.format, "known": FORMAT})
    yield from text_problems(study.name, study.notes)
    yield from _lines(study)
    yield from _unique_ids(study)
    yield from _hardware(study)
    yield from _models(study, catalogue)
    yield from _workload(study.workload, "workload")
    limits = ((1, LARGEST_BATCH), (1, LARGEST_CONTEXT), (1, LARGEST_COUNT))
    yield from variant_problems(study.what_ifs, *limits)
    yield from _plan(study)
    yield from _measurements(study)
    yield from slide_problems(study)
    yield from _view(study)
    if catalogue is not None:
        yield from _formats(study, catalogue)
    yield from _kinds_and_rows(study, catalogue)


def _lines(study: Study) -> Iterator[Problem]:
    for part, names in (
        ("models", (m.name for m in study.models)),
        ("operators", (o.name for o in study.operators)),
        ("measurements", (m.name for m in study.measurements)),
    ):
        for i, name in enumerate(names):
            yield from _line(f"{part}[{i}].name", name)


def _line(path: str, text: str) -> Iterator[Problem]:
    if len(text) > _LARGEST_LINE or not text.isprintable():
        yield Problem("study.line", path, {"limit": _LARGEST_LINE})


def _unique_ids(study: Study) -> Iterator[Problem]:
    yield from _ids("hardware", "id", (e.id for e in study.hardware))
    yield from _ids("models", "id", (m.id for m in study.models))
    yield from _ids("operators", "id", (o.id for o in study.operators))
    yield from _ids("kinds", "id", (k.id for k in study.kinds))
    yield from _ids("measurements", "id", (m.id for m in study.measurements))
    yield from _ids("overrides", "row", (o.row for o in study.overrides))


def _ids(part: str, key: str, ids: Iterable[str]) -> Iterator[Problem]:
    seen: set[str] = set()
    for i, name in enumerate(ids):
        path = f"{part}[{i}].{key}"
        if not name.strip() or not name.isprintable() or len(name) > _LARGEST_LINE:
            yield Problem("study.id", path, {"limit": _LARGEST_LINE})
        elif name in seen:
            yield Problem("study.twice", path, {"id": name})
        seen.add(name)


def _hardware(study: Study) -> Iterator[Problem]:
    for i, entry in enumerate(study.hardware):
        path = f"hardware[{i}]"
        yield from _within(f"{path}.count", entry.count, (1, LARGEST_COUNT))
        for problem in device_problems(entry.device):
            yield Problem(problem.code, f"{path}.device.{problem.path}", problem.values)
        if entry.fitted is not None:
            yield from _fitted(f"{path}.fitted", entry.fitted)


def _fitted(path: str, fitted: FittedRoof) -> Iterator[Problem]:
    yield from _positive(f"{path}.bandwidth", fitted.bandwidth, _RATES[1])
    yield from _positive(f"{path}.peak", fitted.peak, 1e24)
    yield from _within(f"{path}.per_kernel_s", fitted.per_kernel_s, _SECONDS)
    yield from _within(f"{path}.spread", fitted.spread, (0, 0.9))


def _models(study: Study, catalogue: Catalogue | None) -> Iterator[Problem]:
    for i, entry in enumerate(study.models):
        yield from _model(entry, f"models[{i}]", catalogue)
    if study.active_model and all(m.id != study.active_model for m in study.models):
        known = ", ".join(m.id for m in study.models[:8])
        if not known:
            yield Problem("study.no_models", "active_model", {"id": study.active_model})
            return
        yield Problem("study.active_model", "active_model", {"id": study.active_model, "known": known})


def _model(entry: ModelEntry, path: str, catalogue: Catalogue | None) -> Iterator[Problem]:
    if (entry.config is None) == (entry.quick is None) or (entry.tensors is not None and entry.config is None):
        yield Problem("study.model_source", path)
    if entry.file_bytes is not None:
        yield from _within(f"{path}.file_bytes", entry.file_bytes, (1, 1e16))
        if entry.config is None or entry.tensors is not None:
            yield Problem("study.file_bytes", f"{path}.file_bytes")
    if entry.tensors is not None:
        yield from tensor_problems(entry.tensors, f"{path}.tensors", catalogue)
    if entry.quick is not None:
        yield from quick_problems(entry.quick, f"{path}.quick")


def quick_problems(quick: QuickModel, path: str = "") -> Iterator[Problem]:
    """Yield the faults of a quick model's figures; parameters and bytes are counts, never in billions."""
    from explorer.analysis.models.config.fields import LAYER_LIMIT, SIZE_LIMIT
    from explorer.analysis.models.quick import PARAMETER_LIMIT

    lead = f"{path}." if path else ""
    for name, high in (
        ("params", PARAMETER_LIMIT),
        ("layers", LAYER_LIMIT),
        ("kv_heads", SIZE_LIMIT),
        ("head_dim", SIZE_LIMIT),
        ("file_bytes", PARAMETER_LIMIT),
    ):
        yield from _within(f"{lead}{name}", getattr(quick, name), (1, high))


def _workload(work: Workload, path: str) -> Iterator[Problem]:
    yield from phase_problems(work.phase, f"{path}.phase")
    yield from _within(f"{path}.batch", work.batch, (1, LARGEST_BATCH))
    yield from _within(f"{path}.context", work.context, (1, LARGEST_CONTEXT))
    yield from group_problems(work.groups, f"{path}.groups", (1, LARGEST_BATCH), (1, LARGEST_CONTEXT))
    yield from _within(f"{path}.skew", work.skew, (0, 1))
    yield from _within(f"{path}.reserve", work.reserve, (0, 1e18))
    low, high = work.expected
    if not 0 < low <= high <= 1:  # also refuses nan
        yield Problem("study.expected", f"{path}.expected", {"low": low, "high": high})
    if not 1 < work.knee_factor < 2:
        yield Problem("study.knee_factor", f"{path}.knee_factor", {"got": work.knee_factor})


def _plan(study: Study) -> Iterator[Problem]:
    if len(study.plan) > MOST_GROUPS:
        yield Problem("study.many", "plan", {"got": len(study.plan), "limit": MOST_GROUPS})
        return
    for i, planned in enumerate(study.plan):
        yield from _positive(f"plan[{i}].times", planned.times, 1e12)
        yield from _line(f"plan[{i}].device", planned.device)
        yield from _workload(planned.workload, f"plan[{i}].workload")


def _measurements(study: Study) -> Iterator[Problem]:
    for i, measured in enumerate(study.measurements):
        values = map(measured.__getattribute__, _MEASURED)
        if not all(v is None or low <= v <= high for v, (low, high) in zip(values, _LIMITS, strict=True)):
            yield from _measurement(f"measurements[{i}]", measured)
        yield from phase_problems(measured.phase, f"measurements[{i}].phase")
        for n, seconds in enumerate(measured.quartiles_s or ()):
            yield from _positive(f"measurements[{i}].quartiles_s[{n}]", seconds, _SECONDS[1])


def _measurement(path: str, measured: Measurement) -> Iterator[Problem]:
    for name, (low, high) in _MEASURED.items():
        value = getattr(measured, name)
        if low == _LEAST:
            yield from _positive(f"{path}.{name}", value, high)
        else:
            yield from _within(f"{path}.{name}", value, (low, high))


def _view(study: Study) -> Iterator[Problem]:
    for name in ("tab", "baseline", "baseline_model", "compare_sort", "compare_with"):
        yield from _line(f"view.{name}", getattr(study.view, name))
    for part in ("compare_charts", "compare_columns"):
        for i, name in enumerate(getattr(study.view, part)):
            yield from _line(f"view.{part}[{i}]", name)
    for name in ("x_range", "y_range"):
        span: Bounds | None = getattr(study.view, name)
        if span is not None and not -400 <= span[0] < span[1] <= 400:
            yield Problem("study.view_range", f"view.{name}")


def _positive(path: str, value: float | None, high: float) -> Iterator[Problem]:
    if value is not None and not 0 < value <= high:
        yield Problem("study.positive", path, {"got": value, "high": high})


def _within(path: str, value: float | None, bounds: Bounds) -> Iterator[Problem]:
    low, high = bounds
    if value is not None and not low <= value <= high:
        yield Problem("study.range", path, {"got": value, "low": low, "high": high})


def _formats(study: Study, catalogue: Catalogue) -> Iterator[Problem]:
    known = catalogue.format_by_id
    for path, used in _named_formats(study):
        if used is not None and used not in known and not (mix_of(used) and of_all_weights(path)):
            yield _unknown_format(path, used, known)
    for part, choices in (
        ("overrides", (o.accumulate for o in study.overrides)),
        ("operators", (o.accumulate for o in study.operators)),
    ):
        for i, chosen in enumerate(choices):
            if chosen is not None and chosen not in ACCUMULATORS:
                values = {"got": chosen[:60], "allowed": ", ".join(ACCUMULATORS)}
                yield Problem("field.choice", f"{part}[{i}].accumulate", values)


def _unknown_format(path: str, used: str, known: Mapping[str, object]) -> Problem:
    mix = mix_of(used)
    if mix is not None:
        return Problem("study.mix_here", path, {"got": used, "format": mix.base})
    names = dict.fromkeys((*known, *NAMES) if of_all_weights(path) else known)
    return Problem("study.number_format", path, {"got": used[:60], "known": ", ".join(names)})


def _named_formats(study: Study) -> Iterator[tuple[str, str | None]]:
    for name in ("weights", "activations", "kv"):
        yield f"workload.{name}", getattr(study.workload, name)
    for i, entry in enumerate(study.models):
        if entry.quick is not None:
            yield f"models[{i}].quick.weights", entry.quick.weights
            yield f"models[{i}].quick.kv", entry.quick.kv
    for part, rows in (("overrides", study.overrides), ("operators", study.operators)):
        for i, row in enumerate(rows):
            for name in ("weights", "activations", "output", "kv"):
                yield f"{part}[{i}].{name}", getattr(row, name)
    for i, measured in enumerate(study.measurements):
        yield f"measurements[{i}].weights", measured.weights
    yield from formats_of(study)


def _kinds_and_rows(study: Study, catalogue: Catalogue | None) -> Iterator[Problem]:
    usable = {} if catalogue is None else {k.id: known_kind(k) for k in catalogue.kinds}
    built_in = frozenset(usable)
    for i, kind in enumerate(study.kinds):
        if kind.id in built_in:
            yield Problem("study.kind_taken", f"kinds[{i}].id", {"id": kind.id})
            continue
        try:
            usable[kind.id] = compile_kind(kind)
        except Refused as refused:
            yield from (Problem(p.code, f"kinds[{i}].{p.path}", p.values) for p in refused.problems)
        for j, dim in enumerate(kind.dims):
            yield from _within(f"kinds[{i}].dims[{j}].default", dim.default, (0, LARGEST_DIM))
    for i, row in enumerate(study.operators):
        path = f"operators[{i}]"
        yield from _figures(row, path)
        if row.kind in usable:
            known = dict(usable[row.kind].defaults)
            yield from _unknown_dims(row, path, known)
        elif catalogue is not None and all(k.id != row.kind for k in study.kinds):
            yield Problem("row.kind", f"{path}.kind", {"kind": row.kind[:60], "name": row.name})
    if catalogue is not None:
        yield from _costs(study, catalogue)


def _figures(row: OwnRow, path: str) -> Iterator[Problem]:
    yield from _positive(f"{path}.count", row.count, 1e12)
    for name, value in row.dims.items():
        if not 0 <= value <= LARGEST_DIM or not math.isfinite(value):
            values = {"got": value, "low": 0, "high": LARGEST_DIM}
            yield Problem("study.range", f"{path}.dims.{name[:60]}", values)


def _unknown_dims(row: OwnRow, path: str, known: dict[str, float]) -> Iterator[Problem]:
    for name in row.dims:
        if name not in known:
            yield Problem("study.dim", f"{path}.dims.{name[:60]}", {"kind": row.kind, "known": ", ".join(known)})


def _costs(study: Study, catalogue: Catalogue) -> Iterator[Problem]:
    """Faults that only show when a row's formulas are computed with its dims."""
    kinds = {k.id: k for k in (*catalogue.kinds, *study.kinds)}
    formats = dict(catalogue.format_by_id)
    for i, own in enumerate(study.operators):
        row = as_row(own, study)
        if own.kind not in kinds or any(f not in formats for f in (row.weights, row.activations, row.output, row.kv)):
            continue
        try:
            checked_costs(row, compile_kind(kinds[own.kind]), formats, f"operators[{i}]")
        except Refused as refused:
            yield from (p for p in refused.problems if p.path.startswith("operators["))
