"""Whisper: two convolutions over 30 s of sound, an encoder over their output, a decoder that writes text."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names
from explorer.analysis.models.blocks.bidirectional import Bidirectional
from explorer.analysis.models.blocks.mlp import PlainMlp
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import ACTIVATIONS, FC, activation
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.families.encoders.two_stacks import Crossed, EncoderDecoderReader, TwoStacks
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.parts import Dim, Op, Per, Tensor, elementwise
from explorer.analysis.models.transformer import Decoder

FRAMES_PER_POSITION = 2  # the second convolution has stride 2
KERNEL = 3
WHISPER_NORMS = NormScheme("self_attn_layer_norm", "", "final_layer_norm", "", "layer_norm", "layer_norm")
WHISPER_SELF = Names(out="out_proj")


def _whisper(fields: Fields) -> TwoStacks:
    """Whisper (transformers WhisperForConditionalGeneration); its encoder always takes 30 s of sound."""
    hidden, vocab = fields.size("d_model"), fields.size("vocab_size")
    length = fields.size("max_source_positions")
    heads = fields.size("encoder_attention_heads"), fields.size("decoder_attention_heads")
    layers = tuple(fields.size(name, limit=LAYER_LIMIT) for name in ("encoder_layers", "decoder_layers"))
    act = activation(fields, "activation_function", known=ACTIVATIONS)
    for name, count in zip(("encoder_attention_heads", "decoder_attention_heads"), heads, strict=True):
        fields.check(hidden % count == 0, "model.hidden_not_divisible", name, hidden=hidden, heads=count)
    sizes = tuple(max(hidden // count, 1) for count in heads)
    mlps = tuple(
        PlainMlp(hidden, fields.size(name), act, inward=FC.inward, act=FC.act, outward=FC.outward, parent="")
        for name in ("encoder_ffn_dim", "decoder_ffn_dim")
    )
    seen = Bidirectional(hidden, heads[0], sizes[0], key_bias=False, names=WHISPER_SELF)
    encoder = Decoder(
        hidden, vocab, tied=True, mixers=(seen,) * layers[0], mlps=(mlps[0],) * layers[0], norms=WHISPER_NORMS
    )
    own = GroupedQuery(
        hidden, heads[1], heads[1], sizes[1], qkv_bias=True, key_bias=False, out_bias=True, names=WHISPER_SELF
    )
    crossed = Crossed(
        own, WHISPER_NORMS, "encoder_attn_layer_norm", replace(WHISPER_SELF, parent="encoder_attn"), length,
        key_bias=False,
    )  # fmt: skip
    decoder = replace(
        encoder,
        tied=fields.flag("tie_word_embeddings"),
        mixers=(crossed,) * layers[1],
        mlps=(mlps[1],) * layers[1],
        positions=fields.size("max_target_positions"),
        position_table="embed_positions",
        scaled_embedding=fields.flag("scale_embedding"),
        head="proj_out",
        parents=("encoder_attn", "mlp"),
    )
    return TwoStacks(encoder, decoder, _sound(fields.size("num_mel_bins"), hidden, length), length=length)


def _sound(bins: int, hidden: int, length: int) -> tuple[Op, ...]:
    """Two convolutions over the mel spectrogram, the second of stride 2, and a table of positions."""
    frames = FRAMES_PER_POSITION * length
    values = Per("batch", float(length))
    table = Tensor("encoder.embed_positions.weight", length * hidden, "embedding")
    looked_up = (("tokens", values), ("hidden", float(hidden)), ("vocab", float(length)))
    return (
        _conv("conv1", bins, hidden, frames, 1),
        elementwise("conv1.gelu", "gelu", hidden, "activation", rows=Per("batch", float(frames))),
        _conv("conv2", hidden, hidden, frames, FRAMES_PER_POSITION),
        elementwise("conv2.gelu", "gelu", hidden, "activation", rows=values),
        Op("embed_positions", "embedding", looked_up, "embedding", tensors=(table,)),
        elementwise("embed_positions.add", "residual_add", hidden, "embedding", rows=values),
    )


def _conv(name: str, inputs: int, outputs: int, length: int, stride: int) -> Op:
    dims: tuple[tuple[str, Dim], ...] = (
        ("N", Per("batch")), ("C_in", float(inputs)), ("C_out", float(outputs)), ("L", float(length)),
        ("K", float(KERNEL)), ("stride", float(stride)), ("pad", 1.0), ("groups", 1.0),
    )  # fmt: skip
    weight = Tensor(f"{name}.weight", inputs * outputs * KERNEL, "projection")
    return Op(name, "conv1d", dims, "conv", tensors=(weight, Tensor(f"{name}.bias", outputs, "bias")))


WHISPER = EncoderDecoderReader(
    "Whisper",
    _whisper,
    {
        "activation_function": "gelu",
        "max_source_positions": 1500,
        "max_target_positions": 448,
        "num_mel_bins": 80,
        "scale_embedding": False,
        "tie_word_embeddings": True,
    },
    "max_target_positions",
)

FAMILIES: Final = (Family(("whisper",), WHISPER),)
