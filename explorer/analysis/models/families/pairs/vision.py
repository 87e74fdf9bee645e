"""A picture's encoder with a decoder behind that writes what stands in it: TrOCR."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names
from explorer.analysis.models.blocks.fixed.pieces import one_pass
from explorer.analysis.models.blocks.mlp import PlainMlp
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.checkpoint.storage import WIDE_FORMATS, Storage
from explorer.analysis.models.config.feedforward import ACTIVATIONS, FC, activation
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields, brief
from explorer.analysis.models.families.encoders.two_stacks import Crossed, of_phase
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import OnePassReader, Pass
from explorer.analysis.models.families.pictures.vit import FAMILIES as PICTURES
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.parts import Architecture, Layer, Op, Per, linear
from explorer.analysis.models.transformer import Decoder, assemble
from explorer.analysis.problem import Value
from explorer.analysis.step.phases.ids import DECODE, PREFILL

SELF = Names(out="out_proj")
NORMS = NormScheme("", "encoder_attn_layer_norm", "", "final_layer_norm", "", "layer_norm", on_sum=True)
SPARE: Final = 2
VIT: Final = next(r for types, r in PICTURES if "vit" in types and isinstance(r, OnePassReader))
DECODER: Mapping[str, Value | None] = {
    "vocab_size": 50265, "d_model": 1024, "decoder_layers": 12, "decoder_attention_heads": 16, "decoder_ffn_dim": 4096,
    "activation_function": "gelu", "max_position_embeddings": 512, "scale_embedding": False,
    "layernorm_embedding": True, "tie_word_embeddings": True,
}  # fmt: skip


class PictureReader(msgspec.Struct, frozen=True):
    """ViT, whose rows a decoder of TrOCR attends to (transformers VisionEncoderDecoderModel)."""

    label: str = "Vision encoder and text decoder"
    defaults: Mapping[str, Value | None] = msgspec.field(default_factory=lambda: DECODER)

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        for name, known in (("encoder", "vit"), ("decoder", "trocr")):
            kind = fields.within(name).config.get("model_type")
            if kind != known:
                fields.fault("model.variant_unread", f"{name}.model_type", value=brief(kind), known=known)
        if storage.weights not in WIDE_FORMATS:
            fields.fault("model.variant_unread", "quantization_config", value=storage.weights, known="none")
        fields.refuse_faults()
        seen, width = _seen(fields)
        decoder, bridge = _written(fields.within("decoder"), width, seen.positions)
        fields.refuse_faults()
        fields.note("model.encoder_of_fixed_length", tokens=seen.positions)
        made, encoder = assemble(decoder, storage), one_pass(seen.parts, seen.positions, seen.extra)
        layers = tuple(_in_phase(layer, DECODE) for layer in made.layers)
        return replace(
            made,
            before=of_phase(made.before, DECODE),
            layers=layers,
            after=of_phase(made.after, DECODE),
            encoder=replace(
                encoder,
                before=of_phase(encoder.before, PREFILL),
                layers=tuple(_in_phase(layer, PREFILL) for layer in encoder.layers),
                after=of_phase((*encoder.after, *bridge), PREFILL),
            ),
            encoder_tokens=seen.positions,
        )

    def max_context(self, fields: Fields) -> int | None:
        """The longest text the decoder can write."""
        inner = fields.part("decoder")
        return inner.size("max_position_embeddings") if inner.has("max_position_embeddings") else None


def _in_phase(layer: Layer, phase: str) -> Layer:
    return replace(layer, ops=of_phase(layer.ops, phase))


def _seen(fields: Fields) -> tuple[Pass, int]:
    """What the encoder runs over a picture, and how wide its rows are."""
    inner: dict[str, Any] = {**fields.within("encoder").config, "architectures": ["ViTModel"]}
    picture = Fields(inner, "encoder.", VIT.defaults)
    picture.problems, picture.notes, picture.assumed = fields.problems, fields.notes, fields.assumed
    return VIT.build(picture), picture.size("hidden_size")


def _written(fields: Fields, encoded: int, length: int) -> tuple[Decoder, tuple[Op, ...]]:
    """The decoder, and what leads the encoder's rows over to its width where its keys and values do not."""
    only("use_learned_position_embeddings", be=True)(fields)
    hidden, heads = fields.size("d_model"), fields.size("decoder_attention_heads")
    layers = fields.size("decoder_layers", limit=LAYER_LIMIT)
    fields.check(
        hidden % heads == 0, "model.hidden_not_divisible", "decoder_attention_heads", hidden=hidden, heads=heads
    )
    stated = fields.size("cross_attention_hidden_size") if fields.has("cross_attention_hidden_size") else 0
    if stated:
        only("cross_attention_hidden_size", be=encoded)(fields)
    own = GroupedQuery(hidden, heads, heads, max(hidden // heads, 1), qkv_bias=True, out_bias=True, names=SELF)
    across = replace(SELF, parent="encoder_attn")
    crossed = Crossed(own, NORMS, "self_attn_layer_norm", across, length, encoded=stated)
    act = activation(fields, "activation_function", known=ACTIVATIONS)
    inner = fields.size("decoder_ffn_dim")
    mlp = PlainMlp(hidden, inner, act, inward=FC.inward, act=FC.act, outward=FC.outward, parent="")
    decoder = Decoder(
        hidden, fields.size("vocab_size"), tied=fields.flag("tie_word_embeddings"), mixers=(crossed,) * layers,
        mlps=(mlp,) * layers, norms=NORMS, positions=fields.size("max_position_embeddings"), spare_positions=SPARE,
        position_table="embed_positions", scaled_embedding=fields.flag("scale_embedding"), head="output_projection",
        embedding_norm="layernorm_embedding" if fields.flag("layernorm_embedding") else "",
        parents=("encoder_attn", ""),
    )  # fmt: skip
    if stated or encoded == hidden:
        return decoder, ()
    rows = Per("batch", float(length))
    return decoder, (linear("enc_to_dec_proj", encoded, hidden, "projection", parent="", bias=True, rows=rows),)


FAMILIES: Final = (Family(("vision-encoder-decoder",), PictureReader()),)
