"""xLSTM: matrix memories beside gated blocks."""

from collections.abc import Mapping
from typing import Final

import msgspec

from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.blocks.states.xlstm import MatrixLstm
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields, brief
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.parts import Architecture
from explorer.analysis.models.transformer import Decoder, assemble
from explorer.analysis.problem import Value

MODES = ("single", "fused")


class XLstmReader(msgspec.Struct, frozen=True):
    """xLSTM by the class of the transformers library, whose head never is the embedding table."""

    label: str = "xLSTM"
    defaults: Mapping[str, Value | None] = msgspec.field(
        default_factory=lambda: {
            "tie_word_embeddings": False,
            "num_heads": 8,
            "use_bias": False,
            "ffn_round_up_to_multiple_of": 64,
            "weight_mode": "single",
        }
    )

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        only("use_bias", be=False)(fields)
        hidden = fields.size("hidden_size", "embedding_dim")
        layers = fields.size("num_blocks", "num_hidden_layers", limit=LAYER_LIMIT)
        mode = fields.text("weight_mode")
        fields.check(mode in MODES, "model.variant_unread", "weight_mode", value=brief(mode), known=", ".join(MODES))
        if fields.flag("tie_word_embeddings"):
            fields.note("model.head_untied")
        decoder = Decoder(
            hidden=hidden,
            vocab=fields.size("vocab_size"),
            tied=False,
            mixers=(self._memory(fields, hidden, fused=mode == "fused"),) * layers,
            mlps=(self._block(fields, hidden, fused=mode == "fused"),) * layers,
            norms=NormScheme("norm_mlstm", "", "norm_ffn", "", "out_norm"),
            embedding="embeddings",
            capped_logits=True,
            parents=("mlstm_layer", "ffn"),
        )
        fields.note("model.states_counted")
        fields.refuse_faults()
        return assemble(decoder, storage)

    def _memory(self, fields: Fields, hidden: int, *, fused: bool) -> MatrixLstm:
        heads = fields.size("num_heads")
        keys = max(int(hidden * fields.factor("qk_dim_factor", otherwise=0.5)), 1)
        values = max(int(hidden * fields.factor("v_dim_factor", otherwise=1.0)), 1)
        for width in (keys, values):
            fields.check(width % heads == 0, "model.hidden_not_divisible", "num_heads", hidden=width, heads=heads)
        return MatrixLstm(hidden, heads, keys, values, fused)

    def _block(self, fields: Fields, hidden: int, *, fused: bool) -> GatedMlp:
        """The inner size is a multiple of the width, rounded up."""
        multiple = fields.size("ffn_round_up_to_multiple_of")
        inner = int((hidden * fields.factor("ffn_proj_factor", otherwise=2.667) + multiple - 1) // multiple) * multiple
        whole = "proj_up_gate_z" if fused else ""
        return GatedMlp(
            hidden, max(inner, 1), fused=whole, gate="proj_up_gate", up="proj_up", down="proj_down", parent="ffn"
        )

    def max_context(self, fields: Fields) -> int | None:  # noqa: ARG002 - a state has no longest context
        """None: a state holds whatever came before."""
        return None


FAMILIES: Final = (Family(("xlstm",), XLstmReader()),)
