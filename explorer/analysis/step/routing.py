"""How many experts a step reads: random routing, fewer where a skew is given, and the fewest that it can do with."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from explorer.analysis.catalogue.formats import NumberFormat
from explorer.analysis.step.costs import CompiledKind, Costs
from explorer.analysis.step.numbers import larger
from explorer.analysis.step.rows import Number, Row

EXPERTS: Final = "moe_matmul"  # the kind whose bytes follow the experts that the tokens choose
SKEW: Final = "skew"  # its dim: 0 random routing, 1 all tokens alike


class Beyond(NamedTuple):
    """Bytes of experts read beyond the fewest: `chosen` under the step's skew, `uniform` under random routing."""

    chosen: Number = 0.0
    uniform: Number = 0.0

    def plus(self, other: "Beyond") -> "Beyond":
        """Those of two parts of a step."""
        return Beyond(self.chosen + other.chosen, self.uniform + other.uniform)


def skewed(rows: tuple[Row, ...], skew: float) -> tuple[Row, ...]:
    """The rows with the skew of a step in those of experts."""
    return tuple(replace(r, dims={**r.dims, SKEW: skew}) if r.kind == EXPERTS else r for r in rows)


def beyond_fewest(
    rows: Sequence[Row],
    costs: Sequence[Costs],
    kinds: Mapping[str, CompiledKind],
    formats: Mapping[str, NumberFormat],
) -> Beyond:
    """What the rows read beyond the k experts of one token, which are enough where all tokens choose alike."""
    chosen: Number = 0.0
    uniform: Number = 0.0
    for row, cost in zip(rows, costs, strict=True):
        if row.kind == EXPERTS:
            kind = kinds[EXPERTS]
            fewest = _at(row, 1.0, kind, formats)
            random = cost.weight_bytes if not row.dims.get(SKEW) else _at(row, 0.0, kind, formats)
            chosen = chosen + row.count * larger(cost.weight_bytes - fewest, 0.0)
            uniform = uniform + row.count * larger(random - fewest, 0.0)
    return Beyond(chosen, uniform)


def _at(row: Row, skew: float, kind: CompiledKind, formats: Mapping[str, NumberFormat]) -> Number:
    """Bytes of weights that a call reads at a skew."""
    return kind.costs(replace(row, dims={**row.dims, SKEW: skew}), formats).weight_bytes
