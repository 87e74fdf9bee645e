"""Mamba, Mamba-2 and Falcon Mamba: stacks of states, without feed-forward blocks."""

from collections.abc import Mapping
from math import ceil
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.mixture import ABSENT
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.blocks.states.state_space import Mamba, Mamba2
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.parts import Architecture
from explorer.analysis.models.transformer import Decoder, Mixer, assemble
from explorer.analysis.problem import Value

INNER = ("dt_layernorm", "b_layernorm", "c_layernorm")
ONE_HALF = NormScheme("norm", "", "norm", "", "norm_f")


class MambaReader(msgspec.Struct, frozen=True):
    """Stacks of Mamba layers, without feed-forward blocks; `normed` ones norm what their scans are fed."""

    label: str
    second: bool = False
    normed: bool = False

    @property
    def defaults(self) -> Mapping[str, Value | None]:
        """The class defaults of either generation."""
        common: Mapping[str, Value | None] = {
            "expand": 2, "conv_kernel": 4, "use_bias": False, "use_conv_bias": True, "hidden_act": "silu",
        }  # fmt: skip
        if self.second:
            own = {"num_heads": 128, "head_dim": 64, "state_size": 128, "n_groups": 8, "tie_word_embeddings": False}
            return {**common, **own}
        return {**common, "state_size": 16, "tie_word_embeddings": True}

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        hidden, layers = fields.size("hidden_size"), fields.size("num_hidden_layers", limit=LAYER_LIMIT)
        mixer = (self._second if self.second else self._first)(fields, hidden)
        decoder = Decoder(
            hidden=hidden,
            vocab=fields.size("vocab_size"),
            tied=fields.flag("tie_word_embeddings"),
            mixers=(mixer,) * layers,
            mlps=(ABSENT,) * layers,
            norms=ONE_HALF,
            embedding="embeddings",
            parents=("mixer", "mixer"),
        )
        fields.note("model.states_counted")
        fields.refuse_faults()
        return assemble(decoder, storage)

    def max_context(self, fields: Fields) -> int | None:  # noqa: ARG002 - a state has no longest context
        """None: a state holds whatever came before."""
        return None

    def _first(self, fields: Fields, hidden: int) -> Mixer:
        inner = fields.size("expand") * hidden
        automatic = fields.config.get("time_step_rank", "auto") == "auto"
        rank = ceil(hidden / 16) if automatic else fields.size("time_step_rank")
        if fields.has("intermediate_size"):
            stated = fields.size("intermediate_size")
            fields.check(stated == inner, "model.inner_size_differs", "intermediate_size", stated=stated, derived=inner)
        size, kernel = fields.size("state_size"), fields.size("conv_kernel")
        made = Mamba(hidden, inner, size, kernel, rank, fields.flag("use_bias"), fields.flag("use_conv_bias"))
        return replace(made, inner_norms=INNER, weighted=False) if self.normed else made

    def _second(self, fields: Fields, hidden: int) -> Mixer:
        made = mamba2(fields, hidden, "num_heads", "head_dim", "state_size", "use_bias")
        inner, heads = fields.size("expand") * hidden, made.heads * made.head_dim
        fields.check(inner == heads, "model.inner_size_differs", "num_heads", stated=heads, derived=inner)
        return made


def mamba2(fields: Fields, hidden: int, heads: str, head_dim: str, size: str, bias: str) -> Mamba2:
    """A Mamba-2 layer whose sizes stand under these names."""
    return Mamba2(
        hidden,
        fields.size(heads),
        fields.size(head_dim),
        fields.size(size),
        fields.size("n_groups", "mamba_n_groups"),
        fields.size("conv_kernel", "mamba_d_conv"),
        fields.flag(bias),
        fields.flag("use_conv_bias"),
    )


FAMILIES: Final = (
    Family(("mamba",), MambaReader("Mamba")),
    Family(("mamba2",), MambaReader("Mamba-2", second=True)),
    Family(("falcon_mamba",), MambaReader("Falcon Mamba", normed=True)),
)
