"""Moonshine: three convolutions over the samples, an encoder over their output, a decoder that writes text."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names
from explorer.analysis.models.blocks.bidirectional import Bidirectional
from explorer.analysis.models.blocks.fixed.pieces import Ops, conv1d, conv_length, normed, valued
from explorer.analysis.models.blocks.mlp import GatedMlp, PlainMlp
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation, gated_activation
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.families.encoders.two_stacks import Crossed, EncoderDecoderReader, TwoStacks
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import rotary_part
from explorer.analysis.models.families.sound.wav2vec2 import RATE, SECONDS
from explorer.analysis.models.transformer import Decoder

STEPS = ((127, 64), (7, 3), (3, 2))  # kernel and stride
ENCODER = NormScheme("input_layernorm", "", "post_attention_layernorm", "", "layer_norm", "layer_norm", weights=1)
DECODER = NormScheme("input_layernorm", "", "final_layernorm", "", "norm", "layer_norm", weights=1)


def _moonshine(fields: Fields) -> TwoStacks:
    """Moonshine (transformers MoonshineForConditionalGeneration) over ten seconds of sound."""
    hidden, vocab, inner = fields.size("hidden_size"), fields.size("vocab_size"), fields.size("intermediate_size")
    sides = ("encoder", "decoder")
    heads = tuple(fields.size(f"{side}_num_attention_heads") for side in sides)
    layers = tuple(fields.size(f"{side}_num_hidden_layers", limit=LAYER_LIMIT) for side in sides)
    for side, count in zip(sides, heads, strict=True):
        name = f"{side}_num_attention_heads"
        fields.check(hidden % count == 0, "model.hidden_not_divisible", name, hidden=hidden, heads=count)
        shared = fields.config.get(f"{side}_num_key_value_heads")
        if shared is not None and shared != count:
            fields.fault(
                "model.variant_unread", f"{side}_num_key_value_heads", value=str(shared)[:40], known=str(count)
            )
    bias = fields.flag("attention_bias")
    act = activation(fields, "encoder_hidden_act", known=ACTIVATIONS)
    gate = gated_activation("decoder_hidden_act")(fields)
    sizes = tuple(max(hidden // count, 1) for count in heads)
    turned = tuple(rotary_part(otherwise=0.9)(fields, size) for size in sizes)
    stem, length = _sound(hidden)
    fields.note("model.encoder_hears", seconds=SECONDS)
    seen = Bidirectional(hidden, heads[0], sizes[0], bias=bias, rotary=turned[0])
    if bias:  # the way out has none
        fields.fault("model.variant_unread", "attention_bias", value="true", known="false")
    mlp = PlainMlp(hidden, inner, act, inward="fc1", act="activation_fn", outward="fc2")
    encoder = Decoder(
        hidden, vocab, tied=fields.flag("tie_word_embeddings"), mixers=(seen,) * layers[0], mlps=(mlp,) * layers[0],
        norms=ENCODER,
    )  # fmt: skip
    own = GroupedQuery(hidden, heads[1], heads[1], sizes[1], rotary=turned[1])
    crossed = Crossed(own, DECODER, "post_attention_layernorm", Names(parent="encoder_attn"), length)
    gated = GatedMlp(hidden, inner, gate, bias=True, fused="fc1", down="fc2")
    decoder = replace(
        encoder, mixers=(crossed,) * layers[1], mlps=(gated,) * layers[1], norms=DECODER, head="proj_out",
        parents=("encoder_attn", "mlp"),
    )  # fmt: skip
    return TwoStacks(encoder, decoder, stem, length=length)


def _sound(hidden: int) -> tuple[Ops, int]:
    length, inputs = SECONDS * RATE, 1
    ops: Ops = ()
    for at, ((kernel, stride), outputs) in enumerate(zip(STEPS, (hidden, 2 * hidden, hidden), strict=True), start=1):
        made = conv1d(f"conv{at}", inputs, outputs, length, kernel, stride=stride, bias=at > 1)
        length, inputs = conv_length(length, kernel, stride), outputs
        ops = (*ops, made, valued(f"conv{at}.activation", "gelu" if at > 1 else "scale", outputs * length))
        if at == 1:
            ops = (*ops, normed("groupnorm", hidden, length))
    return ops, length


MOONSHINE = EncoderDecoderReader(
    "Moonshine",
    _moonshine,
    {
        "hidden_size": 288,
        "intermediate_size": 1152,
        "vocab_size": 32768,
        "encoder_num_hidden_layers": 6,
        "decoder_num_hidden_layers": 6,
        "encoder_num_attention_heads": 8,
        "decoder_num_attention_heads": 8,
        "encoder_hidden_act": "gelu",
        "decoder_hidden_act": "silu",
        "attention_bias": False,
        "tie_word_embeddings": True,
        "max_position_embeddings": 512,
    },
    "max_position_embeddings",
)

FAMILIES: Final = (Family(("moonshine",), MOONSHINE),)
