"""Edits of a study's models as pure functions."""

from msgspec.structs import replace

from explorer.analysis.study.edit_rows import unique_name
from explorer.analysis.study.edits import unique_id
from explorer.analysis.study.study import ModelEntry, Study


def change_model(study: Study, model_id: str, **fields: object) -> Study:
    """Fields of one model changed."""
    return replace(study, models=tuple(replace(m, **fields) if m.id == model_id else m for m in study.models))


def duplicate_model(study: Study, model_id: str) -> Study:
    """A copy behind its original, under an id and a name of its own."""
    at = next(n for n, m in enumerate(study.models) if m.id == model_id)
    original = study.models[at]
    copy: ModelEntry = replace(
        original,
        id=unique_id(original.id, (m.id for m in study.models)),
        name=unique_name(original.name, {m.name for m in study.models}),
    )
    return replace(study, models=(*study.models[: at + 1], copy, *study.models[at + 1 :]))


def remove_models(study: Study, ids: frozenset[str]) -> Study:
    """Models taken out; when the active one goes, its neighbour becomes active."""
    kept = tuple(m for m in study.models if m.id not in ids)
    active = study.active_model
    if active in ids:
        before = [m.id for m in study.models[: [m.id for m in study.models].index(active)] if m.id not in ids]
        active = before[-1] if before else (kept[0].id if kept else "")
    return replace(study, models=kept, active_model=active)


def with_file_size(entry: ModelEntry, size: float | None) -> ModelEntry:
    """A model of which the size of its file of weights is known, or no longer."""
    if entry.quick is not None:
        return replace(entry, quick=replace(entry.quick, file_bytes=size))
    return replace(entry, file_bytes=size)


def file_size_of(entry: ModelEntry) -> float | None:
    """The size of a model's file, where that was stated."""
    return entry.file_bytes if entry.quick is None else entry.quick.file_bytes
