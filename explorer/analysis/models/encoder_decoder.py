"""Encoders with a decoder behind: T5 and Whisper.

Prefill is the encoder over its input, and the keys and values that every decoder layer makes of its output. Decode is
one step of the decoder, which attends to its own tokens and to those of the encoder.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from explorer.analysis.models.attention import GroupedQuery, Names, attention_dims
from explorer.analysis.models.encoders import Bidirectional
from explorer.analysis.models.feedforward import ACTIVATIONS, FC, activation
from explorer.analysis.models.fields import LAYER_LIMIT, Fields, shown
from explorer.analysis.models.mlp import GatedMlp, PlainMlp
from explorer.analysis.models.norms import NormScheme, norms
from explorer.analysis.models.parts import (
    Architecture,
    Cache,
    Dim,
    Layer,
    Op,
    Per,
    Phase,
    Symbol,
    Tensor,
    elementwise,
    linear,
    residual,
)
from explorer.analysis.models.storage import Storage
from explorer.analysis.models.transformer import Decoder, Half, assemble, layers_of, lookup
from explorer.analysis.problem import Value

FRAMES_PER_POSITION = 2  # Whisper's second convolution has stride 2
KERNEL = 3
OF_A_SEQUENCE: tuple[Symbol, ...] = ("tokens", "queries", "keys", "positions")


def of_phase(ops: tuple[Op, ...], phase: Phase) -> tuple[Op, ...]:
    """Operators limited to one phase; those that know their phase keep it."""
    return tuple(op if op.phase else replace(op, phase=phase) for op in ops)


def of_length(ops: tuple[Op, ...], length: int | None) -> tuple[Op, ...]:
    """Operators over sequences of a fixed length, whatever the context (None: over the context)."""
    return ops if length is None else tuple(_fixed(op, length) for op in ops)


def _fixed(op: Op, length: int) -> Op:
    return replace(op, dims=tuple((name, _fixed_dim(value, length)) for name, value in op.dims))


def _fixed_dim(value: Dim, length: int) -> Dim:
    if not isinstance(value, Per) or value.symbol not in OF_A_SEQUENCE:
        return value
    times = value.factor * length
    return Per("batch", times) if value.symbol == "tokens" else times


@dataclass(frozen=True, slots=True)
class Crossed:
    """Self-attention, then attention to the encoder's `length` tokens (None: as many as the context)."""

    own: GroupedQuery
    scheme: NormScheme
    norm: str
    names: Names
    length: int | None = None
    key_bias: bool = True

    @property
    def code(self) -> str:
        return "full + cross" if self.length is None else f"full + cross {self.length}"

    @property
    def caches(self) -> tuple[Cache, ...]:
        values = 2 * self.own.heads * self.own.head_dim
        return (*self.own.caches, Cache(values, cross=True, tokens=self.length))

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order: keys and values of the encoder in prefill, the rest in decode."""
        hidden, parent = self.own.hidden, self.own.names.parent
        between = (residual(hidden, parent), *norms(self.scheme, self.norm, hidden))
        return (*self._encoded(), *of_phase((*self.own.ops(mixed=mixed), *between, *self._crossed()), "decode"))

    def _encoded(self) -> tuple[Op, ...]:
        names, bias = self.names, self.own.qkv_bias
        sides = ((names.k, bias and self.key_bias), (names.v, bias))
        made = tuple(self._linear(name, biased, output="kv") for name, biased in sides)
        return of_length(of_phase(made, "prefill"), self.length)

    def _linear(self, name: str, biased: bool, output: str = "stored") -> Op:
        width, parent = self.own.heads * self.own.head_dim, self.names.parent
        made = linear(name, self.own.hidden, width, "attention", parent=parent, bias=biased)
        return replace(made, output="kv") if output == "kv" else made

    def _crossed(self) -> tuple[Op, ...]:
        own, names = self.own, self.names
        width = own.heads * own.head_dim
        dims: dict[str, Dim] = {**dict(attention_dims(own.heads, own.heads, own.head_dim, own.head_dim)), "causal": 0.0}
        if self.length is not None:
            dims |= {"S_k": float(self.length), "cached": float(self.length)}
        product = Op("attention", "attention", tuple(dims.items()), "attention", parent=names.parent)
        out = linear(names.out, width, own.hidden, "attention", parent=names.parent, bias=own.out_bias)
        return (self._linear(names.q, own.qkv_bias), product, out)


@dataclass(frozen=True)
class EncoderDecoder:
    """How one model with both reads its config."""

    label: str
    build: Callable[[Fields], "Pair"]
    defaults: Mapping[str, Value | None]
    positions: str = ""

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        pair = self.build(fields)
        fields.refuse_faults()
        if pair.length is None:
            fields.note("model.encoder_then_decoder")
        else:
            fields.note("model.encoder_of_fixed_length", tokens=pair.length)
        return pair.architecture(storage)

    def max_context(self, fields: Fields) -> int | None:
        """The longest text the decoder can write, if the config names it."""
        return fields.size(self.positions) if self.positions and fields.has(self.positions) else None


@dataclass(frozen=True, slots=True)
class Pair:
    """The two stacks, what each starts with, and the encoder's length where it is fixed."""

    encoder: Decoder
    decoder: Decoder
    front: tuple[Op, ...]
    start: tuple[Op, ...] = ()
    length: int | None = None
    shared_table: bool = False

    def architecture(self, storage: Storage) -> Architecture:
        """Its architecture: the encoder runs in prefill, the decoder in decode."""
        made = assemble(self.decoder, storage)
        table, *others = made.before
        if self.shared_table:  # the encoder's own
            table = replace(table, tensors=())
        return replace(
            made,
            before=of_phase((table, *others, *self.start), "decode"),
            layers=tuple(replace(layer, ops=of_phase(layer.ops, "decode")) for layer in made.layers),
            after=of_phase(made.after, "decode"),
            encoder=self._encoder(storage),
            encoder_tokens=self.length,
        )

    def _encoder(self, storage: Storage) -> Architecture:
        stack, width = self.encoder, self.encoder.hidden
        final = norms(stack.norms, stack.norms.final, width)
        return Architecture(
            before=of_phase(self.front, "prefill"),
            layers=tuple(self._prefilled(layer) for layer in layers_of(stack, storage)),
            after=of_length(of_phase(final, "prefill"), self.length),
        )

    def _prefilled(self, layer: Layer) -> Layer:
        return replace(layer, ops=of_length(of_phase(layer.ops, "prefill"), self.length))


T5_NORMS = NormScheme("layer.0.layer_norm", "", "layer.1.layer_norm", "", "final_layer_norm")
T5_SELF = Names("SelfAttention", "o", "", "q", "k", "v")
WHISPER_NORMS = NormScheme("self_attn_layer_norm", "", "final_layer_norm", "", "layer_norm", "layer_norm")
WHISPER_SELF = Names(out="out_proj")


def _t5(fields: Fields) -> Pair:
    """T5, its gated successors and mT5 (transformers T5ForConditionalGeneration)."""
    hidden, heads, size = fields.size("d_model"), fields.size("num_heads"), fields.size("d_kv")
    layers = fields.size("num_layers", limit=LAYER_LIMIT)
    behind = fields.size("num_decoder_layers", otherwise=layers, limit=LAYER_LIMIT)
    vocab, mlp = fields.size("vocab_size"), _t5_mlp(fields, hidden)
    tied = fields.flag("tie_word_embeddings")
    bias = _relative_bias(fields, heads)
    seen = Bidirectional(hidden, heads, size, bias=False, names=T5_SELF)
    encoder = Decoder(
        hidden, vocab, tied=tied, mixers=(seen,) * layers, mlps=(mlp,) * layers, norms=T5_NORMS,
        parents=("SelfAttention", "DenseReluDense"),
    )  # fmt: skip
    own = GroupedQuery(hidden, heads, heads, size, names=T5_SELF)
    crossed = Crossed(own, T5_NORMS, "layer.1.layer_norm", replace(T5_SELF, parent="EncDecAttention"))
    decoder = replace(
        encoder,
        mixers=(crossed,) * behind,
        mlps=(mlp,) * behind,
        norms=replace(T5_NORMS, before_mlp="layer.2.layer_norm"),
        embedding="shared",
        parents=("EncDecAttention", "DenseReluDense"),
        scaled_output=tied,
    )
    return Pair(encoder, decoder, (lookup("shared", vocab, hidden), bias), (bias,), shared_table=True)


def _t5_mlp(fields: Fields, hidden: int) -> Half:
    """Two projections, or three where the name of the activation starts with `gated-`."""
    inner, name = fields.size("d_ff"), fields.text("feed_forward_proj")
    act = ACTIVATIONS.get(name.removeprefix("gated-"))
    parent = "DenseReluDense"
    if name.startswith("gated-") and act in ("gelu", "silu"):
        return GatedMlp(
            hidden, inner, "gelu" if act == "gelu" else "silu", gate="wi_0", up="wi_1", down="wo", parent=parent
        )
    if act is None or name.startswith("gated-"):
        known = "relu, gelu, silu, gated-gelu, gated-silu"
        fields.fault("model.activation_unknown", "feed_forward_proj", value=shown(name), known=known)
    return PlainMlp(hidden, inner, act or "relu", bias=False, inward="wi", outward="wo", parent=parent)


def _relative_bias(fields: Fields, heads: int) -> Op:
    """The learnt bias of each head at each distance, bucketed; one for each stack, shared by its layers."""
    buckets = fields.size("relative_attention_num_buckets")
    dims: tuple[tuple[str, Dim], ...] = (
        ("tokens", Per("keys")), ("hidden", float(heads)), ("vocab", float(buckets)),
    )  # fmt: skip
    name = "relative_attention_bias"
    return Op(name, "embedding", dims, "embedding", tensors=(Tensor(f"{name}.weight", buckets * heads, "embedding"),))


def _whisper(fields: Fields) -> Pair:
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
    return Pair(encoder, decoder, _sound(fields.size("num_mel_bins"), hidden, length), length=length)


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


T5_DEFAULTS: Mapping[str, Value | None] = {
    "feed_forward_proj": "relu",
    "relative_attention_num_buckets": 32,
    "tie_word_embeddings": True,
    "d_kv": 64,
}
PAIRS: dict[str, EncoderDecoder] = {
    "t5": EncoderDecoder("T5", _t5, T5_DEFAULTS),
    "mt5": EncoderDecoder("mT5", _t5, {**T5_DEFAULTS, "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}),
    "whisper": EncoderDecoder(
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
    ),
}
