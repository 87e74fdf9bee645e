"""From a study to rows: the active model, the user's overrides, the user's own rows."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from explorer.analysis.catalogue.formats import NumberFormat
from explorer.analysis.catalogue.mixes import NAMED_AS_MIXES, mix_of, row_format
from explorer.analysis.problem import Problem
from explorer.analysis.step.costs import CompiledKind, Costs
from explorer.analysis.step.routing import EXPERTS, SKEW
from explorer.analysis.step.rows import Row
from explorer.analysis.study.study import ModelEntry, Override, OwnRow, Study

if TYPE_CHECKING:
    from explorer.analysis.models import Model

_BUILT = "_built"  # where an entry keeps its model
_MIXED = "_mixed"  # and the same stored in mixes of formats
_SIZED = ""  # and as a file of its size
_KEPT = 16


def built_model(entry: ModelEntry) -> "Model":
    """Build a model once per entry; entries are immutable, so each keeps its own.

    Raises
    ------
    Refused
        The config cannot be understood.
    """
    from explorer.analysis.models import build_model, quick_model

    kept: Model | None = vars(entry).get(_BUILT)
    if kept is not None:
        return kept
    model = (
        quick_model(entry.quick, entry.name)
        if entry.quick is not None
        else build_model(entry.config or {}, entry.name, measured=entry.tensors is not None)
    )
    if entry.quick is not None and mix_of(entry.quick.weights) is not None:
        from explorer.analysis.models.checkpoint.mixes.mixed import with_mix

        model = with_mix(model, entry.quick.weights)
    if entry.tensors is not None and entry.quick is None:
        from explorer.analysis.models.checkpoint.stored import with_tensors

        model = with_tensors(model, entry.tensors)
    vars(entry)[_BUILT] = model
    return model


def model_in(entry: ModelEntry, weights: str | None, formats: Mapping[str, NumberFormat]) -> "Model":
    """An entry's model as it is stored: in a file of known size, or in a mix of llama.cpp's where `weights` name one.

    Raises
    ------
    Refused
        The config cannot be understood.
    """
    model = built_model(entry)
    known: dict[str, Model] = vars(entry).setdefault(_MIXED, {})
    if entry.file_bytes is not None:
        model = known.get(_SIZED) or known.setdefault(_SIZED, _sized(model, entry.file_bytes, formats))
    alike = weights in NAMED_AS_MIXES
    if weights is None or weights == model.weights_format or (mix_of(weights) is None and not alike):
        return model
    if weights not in known:
        from explorer.analysis.models.checkpoint.mixes.mixed import with_mix, with_one_format

        while len(known) >= _KEPT:
            known.pop(next(name for name in known if name != _SIZED))
        known[weights] = with_one_format(model, weights) if alike else with_mix(built_model(entry), weights)
    return known[weights]


def _sized(model: "Model", size: float, formats: Mapping[str, NumberFormat]) -> "Model":
    from explorer.analysis.models.checkpoint.mixes.file_size import with_file_size

    return with_file_size(model, size, formats)


def active_entry(study: Study) -> ModelEntry | None:
    """The model entry that the study works on."""
    return next((m for m in study.models if m.id == study.active_model), None)


def model_of(study: Study, formats: Mapping[str, NumberFormat]) -> "Model | None":
    """The active model of a study, built and stored as the workload asks."""
    entry = active_entry(study)
    return None if entry is None else model_in(entry, study.workload.weights, formats)


def apply_overrides(rows: tuple[Row, ...], overrides: Mapping[str, Override]) -> tuple[Row, ...]:
    """Rows with the user's formats in place of the model's."""
    if not overrides:
        return rows
    return tuple(_overridden(r, overrides[r.name]) if r.name in overrides else r for r in rows)


def _overridden(row: Row, override: Override) -> Row:
    return replace(
        row,
        weights=override.weights or row.weights,
        activations=override.activations or row.activations,
        output=override.output or row.output,
        kv=override.kv or row.kv,
        accumulate=override.accumulate or row.accumulate,
    )


def fused_costs(row: Row, costs: Costs, overrides: Mapping[str, Override]) -> Costs:
    """A fused row moves only its weights and KV cache and launches no kernel of its own."""
    override = overrides.get(row.name)
    return costs if override is None or not override.fused else fused(costs)


def fused(costs: Costs) -> Costs:
    """Costs of an operator that runs inside another's kernel: its weights and KV cache only."""
    return costs._replace(bytes_read=costs.weight_bytes + costs.kv_bytes, bytes_written=0.0, kernels=0.0)


def own_rows(
    study: Study,
    kinds: Mapping[str, CompiledKind],
    formats: Mapping[str, NumberFormat],
    problems: list[Problem],
    known: Mapping[int, tuple[OwnRow, Row, Costs]],
) -> Iterator[tuple[str, OwnRow, Row]]:
    """The user's enabled rows: field path, as written, as evaluated; unknown kinds or formats go to `problems`.

    Rows whose identity is `known` have been through this before.
    """
    for i, own in enumerate(study.operators):
        if not own.enabled:
            continue
        kept = known.get(id(own))
        if kept is not None:
            yield "", own, kept[1]
            continue
        path = f"operators[{i}]"
        row = as_row(own, study)
        if own.kind not in kinds:
            problems.append(Problem("row.kind", f"{path}.kind", {"kind": own.kind, "name": own.name}))
            continue
        unknown = [f for f in (row.weights, row.activations, row.output, row.kv) if f not in formats]
        if unknown:
            problems.append(Problem("row.format", path, {"format": unknown[0], "name": own.name}))
            continue
        yield path, own, row


def as_row(own: OwnRow, study: Study) -> Row:
    """An own row with formats (and the skew of experts) filled in from the workload, else bf16 (and random)."""
    work = study.workload
    skew = {SKEW: work.skew} if work.skew and own.kind == EXPERTS else {}
    activations = own.activations or work.activations or "bf16"
    of_work = work.weights if work.weights is None else row_format(work.weights)
    return Row(
        name=own.name,
        kind=own.kind,
        dims={**skew, **own.dims} if skew else own.dims,
        count=own.count,
        weights=own.weights or of_work or activations,
        activations=activations,
        output=own.output or activations,
        kv=own.kv or work.kv or activations,
        accumulate=own.accumulate,
        group="own",
        own=True,
    )
