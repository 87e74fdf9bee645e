"""BLIP: a ViT reads one picture, a BERT with cross-attention writes about it."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names
from explorer.analysis.models.blocks.bidirectional import Bidirectional
from explorer.analysis.models.blocks.fixed.pieces import conv2d
from explorer.analysis.models.blocks.mlp import PlainMlp
from explorer.analysis.models.blocks.norms import NormScheme, norm
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.families.encoders.two_stacks import Crossed, EncoderDecoderReader, TwoStacks, of_phase
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.parts import Architecture, Op, Per, Tensor, elementwise, linear
from explorer.analysis.models.towers.parts import pair
from explorer.analysis.models.transformer import LOGIT_ROWS, Decoder
from explorer.analysis.problem import Value
from explorer.analysis.step.phases.ids import DECODE

CHANNELS: Final = 3
TRANSFORM: Final = "cls.predictions.transform"
VIT_NORMS: Final = NormScheme("layer_norm1", "", "layer_norm2", "", "post_layernorm", "layer_norm")
TEXT_NORMS: Final = NormScheme(
    "", "crossattention.output.LayerNorm", "", "output.LayerNorm", "", "layer_norm", on_sum=True
)
SELF: Final = Names("attention.self", "attention.output.dense", "", "query", "key", "value")
CROSS: Final = Names("crossattention", "output.dense", "", "self.query", "self.key", "self.value")
TEXT: Final[Mapping[str, Value | None]] = {
    "vocab_size": 30_524, "hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12,
    "num_attention_heads": 8, "max_position_embeddings": 512, "hidden_act": "gelu",
}  # fmt: skip
VISION: Final[Mapping[str, Value | None]] = {
    "hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12, "num_attention_heads": 12,
    "image_size": 384, "patch_size": 16, "hidden_act": "gelu",
}  # fmt: skip


class Captioner(TwoStacks, frozen=True):
    """Two stacks whose last stream goes through one more layer and a norm before the head."""

    def architecture(self, storage: Storage) -> Architecture:
        """Its architecture: the picture is read in prefill, words are written in decode."""
        made, width = super().architecture(storage), self.decoder.hidden
        dense = linear("dense", width, width, "projection", parent=TRANSFORM, rows=LOGIT_ROWS, bias=True, group="head")
        act = elementwise("transform_act_fn", "gelu", width, "head", parent=TRANSFORM, rows=LOGIT_ROWS)
        normed = norm("LayerNorm", width, kind="layer_norm", parent=TRANSFORM)
        normed = replace(normed, dims=(("rows", Per("logit_rows")), *normed.dims[1:]))
        return replace(made, after=(*of_phase((dense, act, normed), DECODE), *made.after))


def _sizes(own: Fields) -> tuple[int, int, int]:
    """Width, heads and layers."""
    width, heads = own.size("hidden_size"), own.size("num_attention_heads")
    own.check(width % heads == 0, "model.hidden_not_divisible", "num_attention_heads", hidden=width, heads=heads)
    return width, heads, own.size("num_hidden_layers", limit=LAYER_LIMIT)


def _blip(fields: Fields) -> TwoStacks:
    """BLIP for captions (transformers BlipForConditionalGeneration)."""
    text, vision = fields.within("text_config"), fields.within("vision_config")
    text.defaults, vision.defaults = TEXT, VISION
    only("is_decoder", be=True)(text)
    stated = [f.flag("tie_word_embeddings") for f in (fields, text) if f.has("tie_word_embeddings")]
    seen, front, length = _eyes(vision)
    width, heads, layers = _sizes(text)
    size = max(width // heads, 1)
    own = GroupedQuery(width, heads, heads, size, qkv_bias=True, out_bias=True, names=SELF)
    crossed = Crossed(own, TEXT_NORMS, "attention.output.LayerNorm", CROSS, length, encoded=seen.hidden)
    mlp = PlainMlp(
        width, text.size("intermediate_size"), activation(text, "hidden_act", known=ACTIVATIONS),
        inward="intermediate.dense", act="intermediate_act_fn", outward="output.dense", parent="",
    )  # fmt: skip
    decoder = Decoder(
        width, text.size("vocab_size"), tied=any(stated) if stated else True, mixers=(crossed,) * layers,
        mlps=(mlp,) * layers, norms=TEXT_NORMS, embedding="word_embeddings", embedding_norm="embeddings.LayerNorm",
        positions=text.size("max_position_embeddings"), position_table="position_embeddings",
        head="decoder", head_bias=True, parents=("crossattention", "output"),
    )  # fmt: skip
    first = Tensor("vision_model.class_embedding", seen.hidden, "vision")
    return Captioner(seen, decoder, front, length=length, extra=(first,))


def _eyes(vision: Fields) -> tuple[Decoder, tuple[Op, ...], int]:
    """The encoder of a picture, what stands before its layers, and its patches with one token more."""
    width, heads, layers = _sizes(vision)
    high, wide = pair(vision, "patch_size")
    rows, columns = pair(vision, "image_size")
    vision.check(high == wide, "model.patch_not_square", "patch_size", height=high, width=wide)
    vision.check(
        high <= rows and wide <= columns, "model.patch_over_picture", "patch_size", patch=high, height=rows,
        width=columns,
    )  # fmt: skip
    length = (rows // high) * (columns // wide) + 1
    mixer = Bidirectional(
        width, heads, max(width // heads, 1), names=Names("self_attn", "projection", "qkv", "q", "k", "v")
    )
    mlp = PlainMlp(
        width, vision.size("intermediate_size"), activation(vision, "hidden_act", known=ACTIVATIONS),
        inward="fc1", act="activation_fn", outward="fc2",
    )  # fmt: skip
    stack = Decoder(width, 1, tied=True, mixers=(mixer,) * layers, mlps=(mlp,) * layers, norms=VIT_NORMS)
    values = Per("batch", float(length))
    table = Tensor("embeddings.position_embedding", length * width, "embedding")
    dims = (("tokens", values), ("hidden", float(width)), ("vocab", float(length)))
    front = (
        conv2d("patch_embedding", CHANNELS, width, (rows, columns), (high, wide), stride=high),
        Op("position_embedding", "embedding", dims, "embedding", tensors=(table,)),
        elementwise("position_embedding.add", "residual_add", width, "embedding", rows=values),
    )
    return stack, front, length


FAMILIES: Final = (Family(("blip",), EncoderDecoderReader("BLIP", _blip, {})),)
