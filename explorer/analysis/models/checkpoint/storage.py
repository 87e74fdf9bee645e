"""How a checkpoint is stored: its formats, and the modules it leaves unquantised."""

from functools import cached_property

import msgspec

from explorer.analysis.models.checkpoint.module_patterns import Patterns

STORED_BYTES = {"fp64": 8, "fp32": 4, "tf32": 4, "bf16": 2, "fp16": 2}
WIDE_FORMATS = frozenset(STORED_BYTES)


class Storage(msgspec.Struct, frozen=True, dict=True):
    """Formats of a checkpoint: weights, activations, the format linear inputs are quantised to if any.

    `kept` are patterns of modules left unquantised, `experts` is the experts' own format and `kv` that of the KV
    cache ("": that of the weights and of the activations).
    """

    weights: str
    activations: str
    linear_input: str = ""
    kept: tuple[str, ...] = ()
    experts: str = ""
    kv: str = ""

    def keeps(self, module: str) -> bool:
        """Whether a module (`layers.0.mlp.gate`) stays unquantised: a pattern names it, a parent or a part of it."""
        return self._patterns.name(module)

    @cached_property
    def _patterns(self) -> Patterns:
        return Patterns(self.kept)
