"""A model of which the size of its file is known: stored in the mix of that size, or in one scaled to it."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, NamedTuple

from msgspec.structs import replace

from explorer.analysis.catalogue.formats import NumberFormat
from explorer.analysis.catalogue.mixes import NAMES, VARIANTS, Mix, mix_named
from explorer.analysis.models.checkpoint.holding import without_storage
from explorer.analysis.models.checkpoint.mixes.mixed import keeps_experts, mix_bytes, stored_in
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.checkpoint.stored_formats import Stored
from explorer.analysis.models.model import Model
from explorer.analysis.problem import Note, Problem, Refused, Value

SAME: Final = 0.005  # sizes are printed with three digits
_HEADER: Final = 64.0  # bytes for each token of the vocabulary, at most
_SPARE: Final = 0.9  # of the smallest mix, and as much above the largest


class _Candidate(NamedTuple):
    """A way to store the model; without a mix the checkpoint's own."""

    mix: Mix | None
    bytes: float

    def apart(self, size: float, header: float) -> float:
        """How far a file of a size is from it, as a share; a file's header is no part of its tensors."""
        over = size - self.bytes
        return 0.0 if 0 <= over <= header else abs(over) / self.bytes


def with_file_size(model: Model, size: float, formats: Mapping[str, NumberFormat]) -> Model:
    """The model as stored in a file of so many bytes, its header included.

    Raises
    ------
    Refused
        No mix is nearly so small or so large.
    """
    own = _Candidate(None, model.weight_bytes(None, formats))
    known = sorted(_mixes(), key=lambda mix: mix.rules != "MXFP4_MOE") if keeps_experts(model) else _mixes()
    every = [own, *(_Candidate(mix, float(mix_bytes(model, mix))) for mix in known)]
    least, most = min(c.bytes for c in every), max(c.bytes for c in every)
    if not _SPARE * least <= size <= most / _SPARE:
        values: dict[str, Value] = {"size": round(size), "least": round(least), "most": round(most)}
        raise Refused(Problem("model.file_size", "file_bytes", values))
    header = _HEADER * _vocabulary(model)
    nearest = min(every, key=lambda c: c.apart(size, header))
    if nearest.apart(size, header) > SAME:
        return _between(model, size, [c for c in every if c.mix is not None])
    if nearest.mix is None:
        return replace(model, assumptions=(*model.assumptions, Note("model.file_own", {"bytes": round(size)})))
    stored = stored_in(model, nearest.mix, nearest.mix.name, min(size, nearest.bytes))
    values = {"mix": nearest.mix.name, "bytes": round(size), "tensors": round(nearest.bytes)}
    return _stored(model, stored, Note("model.file_mix", values))


def _between(model: Model, size: float, mixes: Iterable[_Candidate]) -> Model:
    """A file of no mix's size: the mixes next to it scaled to its size, and all matrices alike.

    That counts of which one token reads the fewest bytes: no file of this size is then faster than the floor.
    """
    ordered = sorted(mixes, key=lambda c: c.bytes)
    below = next((c for c in reversed(ordered) if c.bytes <= size), ordered[0])
    above = next((c for c in ordered if c.bytes > size), ordered[-1])
    near = [c.mix for c in (below, above) if c.mix is not None]
    found = [stored_in(model, mix, f"like {mix.name}", size) for mix in near]
    if not keeps_experts(model):
        found.append(stored_in(model, near[0], f"{found[0].formats[0].bits:.2f} bit", size, alike=True))
    found.sort(key=lambda stored: stored.active)
    values: dict[str, Value] = {
        "below": near[0].name, "above": near[-1].name, "taken": found[0].label, "bytes": round(size),
        "least": round(found[0].active), "most": round(found[-1].active),
    }  # fmt: skip
    return _stored(model, found[0], Note("model.file_between", values))


def _stored(model: Model, stored: Stored, note: Note) -> Model:
    storage = Storage(stored.label, model.storage.activations)
    return replace(model, storage=storage, stored=stored, assumptions=(*without_storage(model.assumptions), note))


@cache
def _mixes() -> tuple[Mix, ...]:
    """Mixes that files are of, plain ones first: where two are equally near, the first is named."""
    return tuple(mix for name in (*NAMES, *VARIANTS) if (mix := mix_named(name)) is not None)


def _vocabulary(model: Model) -> int:
    tables = [dict(op.dims) for op in model.architecture.before if op.kind == "embedding"]
    rows = tables[0].get("vocab") if tables else None
    return int(rows) if isinstance(rows, float) else 0
