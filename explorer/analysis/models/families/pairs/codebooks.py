"""MusicGen and Dia: an encoder of text, and a decoder that writes one code of each codebook in every step.

Structure: the transformers library, version 5.24 (musicgen, dia).
"""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names
from explorer.analysis.models.blocks.bidirectional import Bidirectional
from explorer.analysis.models.blocks.mlp import GatedMlp, PlainMlp
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.feedforward import ACTIVATIONS, FC, activation, gated_activation
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields, brief
from explorer.analysis.models.families.encoders.t5 import T5_DEFAULTS, t5_encoder
from explorer.analysis.models.families.encoders.two_stacks import Crossed, EncoderDecoderReader, TwoStacks, of_phase
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import nested
from explorer.analysis.models.families.pairs.bart import SELF
from explorer.analysis.models.families.sound.encodec import encodec_values
from explorer.analysis.models.parts import Architecture, Op, Per, Tensor, elementwise, linear
from explorer.analysis.models.transformer import LOGIT_ROWS, Decoder, lookup
from explorer.analysis.problem import Value
from explorer.analysis.step.phases.ids import DECODE, PREFILL

BOOKS = 1_000  # more codebooks than anybody has
MUSIC = NormScheme("self_attn_layer_norm", "", "final_layer_norm", "", "layer_norm", "layer_norm")
TALK = NormScheme("pre_sa_norm", "", "post_sa_norm", "")


class Codebooks(TwoStacks, frozen=True):
    """Two stacks whose decoder has its own way in and out; `joined` brings the encoder's stream to its width."""

    tables: tuple[Op, ...] = ()
    logits: tuple[Op, ...] = ()
    joined: tuple[Op, ...] = ()

    def architecture(self, storage: Storage) -> Architecture:
        """The two stacks, with a table and logits of each codebook."""
        made = TwoStacks.architecture(self, storage)
        encoder = made.encoder
        if encoder is not None:
            encoder = replace(encoder, after=(*encoder.after, *of_phase(self.joined, PREFILL)))
        after = tuple(op for op in made.after if op.group != "head")
        before = of_phase((*self.tables, *made.before[1:]), DECODE)
        return replace(made, encoder=encoder, before=before, after=(*after, *of_phase(self.logits, DECODE)))


def _known(fields: Fields, name: str, known: str) -> None:
    found = fields.config.get("model_type", known)
    if found != known:
        fields.fault("model.variant_unread", name, value=brief(found), known=known)


def _musicgen(fields: Fields) -> Codebooks:
    """MusicGen (transformers MusicgenForConditionalGeneration): T5's encoder, a decoder, EnCodec."""
    texts, codec = nested(fields, "text_encoder", T5_DEFAULTS), nested(fields, "audio_encoder", {})
    _known(texts, "model_type", "t5")
    _known(codec, "model_type", "encodec")
    encoder, front = t5_encoder(texts)
    decoder, books, size = _music(nested(fields, "decoder", MUSICGEN))
    hidden = decoder.hidden
    joined = linear("enc_to_dec_proj", encoder.hidden, hidden, "projection", parent="", bias=True)
    sound = Tensor("audio_encoder", encodec_values(codec), "vision")
    fields.note("model.codec_beside")
    return Codebooks(
        encoder, decoder, front, (elementwise("embed_positions.add", "residual_add", hidden, "embedding"),),
        extra=(sound,),
        tables=(
            *(lookup(f"embed_tokens.{at}", size + 1, hidden) for at in range(books)), *_summed(books, hidden)
        ),
        logits=tuple(
            linear(str(at), hidden, size, "head", parent="lm_heads", rows=LOGIT_ROWS, storage="wide")
            for at in range(books)
        ),
        joined=(joined,) if encoder.hidden != hidden else (),
    )  # fmt: skip


def _summed(books: int, width: int) -> tuple[Op, ...]:
    """The rows of all codebooks become one."""
    return (elementwise("embed_tokens.sum", "residual_add", (books - 1) * width, "embedding"),) if books > 1 else ()


def _music(fields: Fields) -> tuple[Decoder, int, int]:
    """The decoder, the number of its codebooks, and the codes in each."""
    hidden, heads, inner = (fields.size(name) for name in ("hidden_size", "num_attention_heads", "ffn_dim"))
    layers, books = fields.size("num_hidden_layers", limit=LAYER_LIMIT), fields.size("num_codebooks", limit=BOOKS)
    size = fields.size("vocab_size")
    fields.check(hidden % heads == 0, "model.hidden_not_divisible", "num_attention_heads", hidden=hidden, heads=heads)
    if fields.has("cross_attention_hidden_size"):
        stated = brief(fields.config["cross_attention_hidden_size"])
        fields.fault("model.variant_unread", "cross_attention_hidden_size", value=stated, known="null")
    act = activation(fields, "activation_function", known=ACTIVATIONS)
    own = GroupedQuery(hidden, heads, heads, max(hidden // heads, 1), names=SELF)
    crossed = Crossed(own, MUSIC, "encoder_attn_layer_norm", replace(SELF, parent="encoder_attn"))
    mlp = PlainMlp(hidden, inner, act, bias=False, inward=FC.inward, act=FC.act, outward=FC.outward, parent="")
    decoder = Decoder(
        hidden, size, tied=False, mixers=(crossed,) * layers, mlps=(mlp,) * layers, norms=MUSIC,
        parents=("encoder_attn", ""),
    )  # fmt: skip
    return decoder, books, size


def _dia(fields: Fields) -> Codebooks:
    """Dia (transformers DiaForConditionalGeneration): text as bytes, then codes of a codec that stands apart."""
    seen, written = nested(fields, "encoder_config", READS), nested(fields, "decoder_config", SPEAKS)
    encoder, own = _side(seen)
    bidirectional = Bidirectional(
        own.hidden, own.heads, own.head_dim, bias=False, rotary=own.head_dim, kv_heads=own.kv_heads, names=own.names
    )
    encoder = replace(encoder, mixers=(bidirectional,) * len(encoder.mixers))
    decoder, own = _side(written)
    books = written.size("num_channels", limit=BOOKS)
    heads, kv_heads, size, width = (
        written.size(f"cross_{name}") for name in ("num_attention_heads", "num_key_value_heads", "head_dim",
                                                  "hidden_size")
    )  # fmt: skip
    _shared(written, "cross_num_attention_heads", heads, kv_heads)
    if width != encoder.hidden:
        written.fault("model.variant_unread", "cross_hidden_size", value=str(width), known=str(encoder.hidden))
    across = GroupedQuery(own.hidden, heads, kv_heads, size)
    crossed = Crossed(own, TALK, "pre_ca_norm", Names(parent="cross_attention"), encoded=encoder.hidden, across=across)
    decoder = replace(
        decoder, mixers=(crossed,) * len(decoder.mixers), norms=replace(TALK, before_mlp="pre_mlp_norm"),
        parents=("cross_attention", "mlp"),
    )  # fmt: skip
    table = lookup("embed", books * decoder.vocab, decoder.hidden)
    each = tuple((name, Per("tokens", books) if name == "tokens" else dim) for name, dim in table.dims)
    logits = linear(
        "logits_dense", decoder.hidden, books * decoder.vocab, "head", parent="", rows=LOGIT_ROWS, storage="wide"
    )
    return Codebooks(
        encoder, decoder, (lookup("embedding", encoder.vocab, encoder.hidden),),
        tables=(replace(table, dims=each, parent="embeddings", tensors=(
            replace(table.tensors[0], name="embeddings.embed.weight"),
        )), *_summed(books, decoder.hidden)),
        logits=(logits,),
    )  # fmt: skip


def _side(fields: Fields) -> tuple[Decoder, GroupedQuery]:
    hidden, inner, layers = fields.size("hidden_size"), fields.size("intermediate_size"), fields.size(
        "num_hidden_layers", limit=LAYER_LIMIT
    )  # fmt: skip
    heads, size = fields.size("num_attention_heads"), fields.size("head_dim")
    kv_heads = fields.size("num_key_value_heads", otherwise=heads)
    _shared(fields, "num_attention_heads", heads, kv_heads)
    gate = gated_activation("hidden_act")(fields)
    own = GroupedQuery(hidden, heads, kv_heads, size, rotary=size, names=Names(parent="self_attention"))
    mlp = GatedMlp(hidden, inner, gate, fused="gate_up_proj")
    stack = Decoder(
        hidden, fields.size("vocab_size"), tied=False, mixers=(own,) * layers, mlps=(mlp,) * layers, norms=TALK,
        parents=("self_attention", "mlp"),
    )  # fmt: skip
    return stack, own


def _shared(fields: Fields, name: str, heads: int, kv_heads: int) -> None:
    fields.check(heads % kv_heads == 0, "model.heads_not_divisible", name, heads=heads, kv=kv_heads)


Defaults = Mapping[str, Value | None]
MUSICGEN: Defaults = {
    "hidden_size": 1024, "num_hidden_layers": 24, "ffn_dim": 4096, "num_attention_heads": 16, "vocab_size": 2048,
    "num_codebooks": 4, "activation_function": "gelu",
}  # fmt: skip
READS: Defaults = {
    "hidden_size": 1024, "num_hidden_layers": 12, "intermediate_size": 4096, "num_attention_heads": 16,
    "num_key_value_heads": 16, "head_dim": 128, "vocab_size": 256, "hidden_act": "silu",
}  # fmt: skip
SPEAKS: Defaults = {
    "hidden_size": 2048, "num_hidden_layers": 18, "intermediate_size": 8192, "num_attention_heads": 16,
    "num_key_value_heads": 4, "head_dim": 128, "vocab_size": 1028, "hidden_act": "silu", "num_channels": 9,
    "cross_num_attention_heads": 16, "cross_num_key_value_heads": 16, "cross_head_dim": 128, "cross_hidden_size": 1024,
}  # fmt: skip

FAMILIES: Final = (
    Family(("musicgen",), EncoderDecoderReader("MusicGen", _musicgen, {})),
    Family(("dia",), EncoderDecoderReader("Dia", _dia, {})),
)
