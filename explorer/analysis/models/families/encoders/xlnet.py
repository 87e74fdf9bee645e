"""XLNet: scores of content and of distances, the distances projected anew in every layer."""

from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.bidirectional import Bidirectional
from explorer.analysis.models.blocks.mlp import PlainMlp
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.encoders.encoder import EncoderReader, Stack, attention_of, body_of, sizes_of
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.heads.encoders import XLNET
from explorer.analysis.models.parts import Cache, Dim, Op, Per, Tensor, linear

NORMS = NormScheme("", "rel_attn.layer_norm", "", "ff.layer_norm", "", "layer_norm", on_sum=True)
NAMES = Names("rel_attn", "o", "", "q", "k", "v")
BOTH_WAYS: Final = 2.0  # distances before and behind
LEARNT: Final = ("r_r_bias", "r_s_bias", "r_w_bias")


class Distant(msgspec.Struct, frozen=True):
    """Attention of one layer; each query is scored against twice as many distances as there are tokens."""

    plain: Bidirectional

    @property
    def code(self) -> str:
        return self.plain.code

    @property
    def caches(self) -> tuple[Cache, ...]:
        return ()

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        plain, parent = self.plain, self.plain.names.parent
        width = plain.heads * plain.head_dim
        own = plain.ops(mixed=mixed)
        at = next(i for i, op in enumerate(own) if op.kind == "attention")
        biases = tuple(Tensor(f"{parent}.{name}", width, "bias") for name in LEARNT)
        segments = Tensor(f"{parent}.seg_embed", 2 * width, "bias")
        rows = linear("r", plain.hidden, width, "attention", parent=parent, rows=Per("tokens", BOTH_WAYS))
        dims: tuple[tuple[str, Dim], ...] = (
            ("b", Per("batch", float(plain.heads))), ("m", Per("queries")), ("n", Per("queries", BOTH_WAYS)),
            ("k", float(plain.head_dim)),
        )  # fmt: skip
        product = Op("distances", "batched_matmul", dims, "attention", parent=parent)
        attention = replace(own[at], tensors=(*biases, segments))
        return (*own[:at], rows, product, attention, *own[at + 1 :])


def _xlnet(fields: Fields) -> Stack:
    """XLNet (transformers XLNetModel), a text at once and without what it keeps of texts before."""
    only("attn_type", be="bi")(fields)
    hidden, layers, vocab = sizes_of(fields, "d_model", "n_layer")
    plain = replace(attention_of(fields, hidden, "n_head", NAMES), bias=False)
    only("d_head", be=plain.head_dim)(fields)
    act = activation(fields, "ff_activation", known=ACTIVATIONS)
    mlp = PlainMlp(hidden, fields.size("d_inner"), act, inward="layer_1", outward="layer_2", parent="ff")
    body = body_of(hidden, vocab, plain, mlp, layers, NORMS, ("rel_attn", "ff"))
    mask = Tensor("mask_emb", hidden, "embedding")
    body = replace(body, mixers=(Distant(plain),) * layers, extra=(mask,))
    return Stack(body, (("word_embedding", vocab),), (), XLNET)


FAMILIES: Final = (
    Family(
        ("xlnet",),
        EncoderReader("XLNet", _xlnet, {"ff_activation": "gelu", "tie_word_embeddings": True}),
    ),
)
