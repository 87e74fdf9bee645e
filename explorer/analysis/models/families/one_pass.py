"""Models that run once over an input whose size the model fixes: no cache, no decode, no context."""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from explorer.analysis.models.blocks.fixed.pieces import Run, Side, one_pass
from explorer.analysis.models.checkpoint.storage import WIDE_FORMATS, Storage
from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.parts import Architecture, Tensor
from explorer.analysis.problem import Value

LARGEST_SIDE = 100_000
LABELS = 2  # classes of a config that names none


class Pass(msgspec.Struct, frozen=True):
    """What runs, in order; `positions` is the longest sequence within, `extra` what is held and never runs."""

    parts: Sequence[Run]
    positions: int
    extra: Sequence[Tensor] = ()


class OnePassReader(msgspec.Struct, frozen=True):
    """How one family reads its config; `build` also notes what the pass is over."""

    label: str
    build: Callable[[Fields], Pass]
    defaults: Mapping[str, Value | None]

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        made = self.build(fields)
        if (
            storage.assignment is not None or storage.weights not in WIDE_FORMATS
        ):  # which of its modules were left alone is not read here
            fields.fault("model.variant_unread", "quantization_config", value="an object", known="none")
        fields.refuse_faults()
        return one_pass(made.parts, made.positions, made.extra)

    def max_context(self, fields: Fields) -> int | None:  # noqa: ARG002 - a reader's
        """No text, so no longest one."""
        return None


def class_of(fields: Fields, known: Sequence[str]) -> str:
    """The class that `architectures` names, the first known one where it names none; others are refused."""
    named = fields.config.get("architectures")
    if named is None or named == []:
        fields.note("model.class_assumed", name=known[0])
        return known[0]
    first = named[0] if isinstance(named, list | tuple) else named
    if first not in known:
        fields.fault("model.variant_unread", "architectures", value=brief(first), known=", ".join(known))
        return known[0]
    return str(first)


def side_of(fields: Fields, name: str, otherwise: Side | None = None) -> Side:
    """Height and width: one number for both, or a list of two."""
    value = fields.config.get(name)
    if isinstance(value, list | tuple) and len(value) == 2 and all(_whole(n) for n in value):
        return value[0], value[1]
    if value is None and otherwise is not None:
        fields.assumed[fields.path + name] = f"{otherwise[0]} x {otherwise[1]}"
        return otherwise
    size = fields.size(name, limit=LARGEST_SIDE)
    return size, size


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST_SIDE


def labels_of(fields: Fields) -> int:
    """Classes of a classifier: as many as names, else `num_labels`, else two."""
    names = fields.config.get("id2label")
    if isinstance(names, Mapping):
        return len(names)
    if fields.has("num_labels"):
        return fields.natural("num_labels")
    fields.assumed[fields.path + "num_labels"] = LABELS
    return LABELS


def sizes_of(fields: Fields, name: str, count: int | None = None) -> tuple[int, ...]:
    """A list of sizes; `count` of them where the number must be so."""
    stated = fields.defaults.get(name)
    if fields.config.get(name) is None and isinstance(stated, str):
        fields.assumed[fields.path + name] = stated
        found: Sequence[int] | None = tuple(int(word) for word in stated.split(", "))
    else:
        found = fields.items(name, _whole)
        if found is None and not fields.has(name):
            fields.fault("model.missing", name)
    if found and count in {None, len(found)}:
        return tuple(found)
    if found is not None:
        fields.fault("model.list_length", name, count=len(found), expected=count or 1)
    return (1,) * (count or 1)


def nested(fields: Fields, name: str, defaults: Mapping[str, Value | None]) -> Fields:
    """The fields of a part of the config with the defaults of its class."""
    inner = fields.part(name)
    inner.defaults = defaults
    return inner


def idle(name: str, values: int) -> Tensor:
    """Values that are held and take part in no pass, such as tokens that stand for what training masks."""
    return Tensor(name, values, "vision")
