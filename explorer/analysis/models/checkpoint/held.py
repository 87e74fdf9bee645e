"""What a file holds for the operators of a model, and the formats that follow from it."""

from collections import Counter
from collections.abc import Mapping

import msgspec

from explorer.analysis.catalogue.ggml_types import bits_of
from explorer.analysis.models.checkpoint.storage import WIDE_FORMATS
from explorer.analysis.models.checkpoint.stored_formats import Stored, StoredFormat
from explorer.analysis.models.expand import Formats
from explorer.analysis.models.model import Model
from explorer.analysis.models.parts import Op
from explorer.analysis.step.rows import Step

Ops = tuple[Op, ...]


class Held(msgspec.Struct):
    """What the file holds for operators of one module."""

    values: float = 0.0
    bytes: float = 0.0
    formats: Counter[str] = msgspec.field(default_factory=Counter)
    main_bytes: float = 0.0
    packed: bool = False


def path_of(op: Op) -> str:
    """An operator's module path, without what sets alike ones apart."""
    name = op.name.split("[")[0]
    return f"{op.parent}.{name}" if op.parent else name


def stored_as(
    model: Model,
    label: str,
    resident: float,
    held: Mapping[Ops, Held],
    expected: Mapping[Op, float],
    values: float | None = None,
) -> Stored:
    """Formats and bytes of a model from what its file holds, under the name of the file's mix.

    `values` of the file are the model's parameters unless given.
    """
    named, asked = _Namer(), model.formats(Step(model.phases[0], ()))
    by_op: dict[Op, str] = {}
    for ops, found in held.items():
        weights = sum(expected[op] for op in ops) or found.values
        if weights and found.bytes:
            by_op.update(dict.fromkeys(ops, named.format_of(found, weights, _in_config(ops[0], asked))))
    whole = StoredFormat(label, 8 * resident / (values or model.parameters), _heaviest(held))
    return Stored(
        label=label,
        resident=resident,
        active=_active(held),
        formats=(whole, *(f for f in named.formats.values() if f.id != label)),
        by_op=by_op,
    )


def _heaviest(held: Mapping[Ops, Held]) -> str:
    bytes_of: Counter[str] = Counter()
    for found in held.values():
        bytes_of.update(found.formats)
    return bytes_of.most_common(1)[0][0] if bytes_of else "bf16"


def _active(held: Mapping[Ops, Held]) -> float:
    """Bytes that one token reads: of experts those it uses, of the input table nothing unless it is the head."""
    total = 0.0
    for ops, found in held.items():
        if all(op.kind == "embedding" for op in ops):
            continue
        tensors = [t for op in ops for t in op.tensors]
        values = sum(t.values * t.count for t in tensors)
        used = sum(t.values * t.active for t in tensors)
        total += found.bytes * (used / values if values else 1.0)
    return total


def _in_config(op: Op, asked: Formats) -> str:
    """The format that the config has for the weights of an operator."""
    return asked.weights_of(op.storage) if op.packing is None else op.packing.like


class _Namer:
    """Format ids for what modules hold: the format itself, else the mix with its bits per value."""

    def __init__(self) -> None:
        self.formats: dict[str, StoredFormat] = {}

    def format_of(self, held: Held, values: float, config_format: str) -> str:
        """The id of the format of `values` weights that take the bytes held."""
        bits = 8 * held.bytes / values
        names = [name for name, _ in held.formats.most_common()] or ["fp32"]
        if held.packed:
            names = [config_format if config_format not in WIDE_FORMATS else "packed"]
        own_bits = 8 * held.main_bytes / held.values if held.values and not held.packed else 0.0
        own_bits = bits_of(names[0]) or own_bits
        plain = len(names) == 1 and abs(bits - own_bits) <= 1e-9 * bits
        if plain and self._free(names[0], bits):
            return self._keep(names[0], bits, names[0])
        return self._mixed("+".join(names[:3]), bits, names[0], own_bits if len(names) == 1 else 0.0)

    def _mixed(self, mix: str, bits: float, like: str, own_bits: float) -> str:
        """The mix with as many digits as tell it from its own format and from other rows."""
        for digits in (2, 4, 6):
            name = f"{mix} {bits:.{digits}f}"
            if round(bits, digits) != round(own_bits, digits) and self._free(name, bits):
                return self._keep(name, bits, like)
        return self._keep(f"{mix} {bits!r}", bits, like)

    def _free(self, name: str, bits: float) -> bool:
        known = self.formats.get(name)
        return known is None or abs(known.bits - bits) <= 1e-12 * bits

    def _keep(self, name: str, bits: float, like: str) -> str:
        self.formats[name] = StoredFormat(name, bits, like)
        return name
