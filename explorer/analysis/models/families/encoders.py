"""Encoders: every token sees every other, nothing is cached, nothing is decoded (BERT and its kin)."""

from collections.abc import Callable, Mapping

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names, attention_dims, rotary
from explorer.analysis.models.blocks.mlp import GatedMlp, PlainMlp
from explorer.analysis.models.blocks.norms import NormScheme, norm, norms
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation, gated_activation
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.config.windows import by_type
from explorer.analysis.models.families.classic import only
from explorer.analysis.models.parts import (
    Architecture,
    Cache,
    Dim,
    Op,
    Per,
    count_values,
    elementwise,
    linear,
)
from explorer.analysis.models.transformer import Decoder, Half, layers_of, lookup
from explorer.analysis.problem import Value
from explorer.analysis.step.phases.ids import PREFILL

FIRST_TOKENS = Per("batch")


class Bidirectional(msgspec.Struct, frozen=True):
    """Attention without a mask; `reach` is how far a windowed layer looks to either side.

    `norm` names a layer norm of its own before it, with `norm_weights` values per channel.
    """

    hidden: int
    heads: int
    head_dim: int
    bias: bool = True
    key_bias: bool = True
    reach: int | None = None
    rotary: int = 0
    names: Names = msgspec.field(default_factory=Names)
    norm: str = ""
    norm_weights: int = 2

    @property
    def code(self) -> str:
        return f"bidirectional {2 * self.reach + 1}" if self.reach is not None else "bidirectional"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return ()

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order; `mixed` where other layers of the model see further."""
        names, width = self.names, self.heads * self.head_dim
        label = "sliding" if mixed and self.reach is not None else ""
        turned = (rotary(2 * self.heads, self.rotary, names.parent),) if self.rotary else ()
        product = Op(
            "attention", "attention", self._dims(), "attention", parent=names.parent, keys="stored", label=label
        )
        outer, _, leaf = names.out.rpartition(".")  # the projection out may stand in a module of its own
        out = linear(leaf, width, self.hidden, "attention", parent=outer or names.parent, bias=self.bias)
        return (*self._norm(), *self._projections(width), *turned, product, out)

    def _norm(self) -> tuple[Op, ...]:
        if not self.norm:
            return ()
        return (norm(self.norm, self.hidden, kind="layer_norm", weights=self.norm_weights),)

    def _projections(self, width: int) -> tuple[Op, ...]:
        names, bias = self.names, self.bias
        if names.fused:
            return (linear(names.fused, self.hidden, 3 * width, "attention", parent=names.parent, bias=bias),)
        sides = ((names.q, bias), (names.k, bias and self.key_bias), (names.v, bias))
        return tuple(
            linear(name, self.hidden, width, "attention", parent=names.parent, bias=biased) for name, biased in sides
        )

    def _dims(self) -> tuple[tuple[str, Dim], ...]:
        dims = dict(attention_dims(self.heads, self.heads, self.head_dim, self.head_dim))
        if self.reach is None:
            return tuple({**dims, "causal": 0.0}.items())
        return (*{**dims, "window": self.reach + 1.0}.items(), ("both_ways", 1.0))


BERT_NORMS = NormScheme("", "attention.output.LayerNorm", "", "output.LayerNorm", "", "layer_norm", on_sum=True)
BERT_NAMES = Names("attention.self", "attention.output.dense", "", "query", "key", "value")
DISTIL_NORMS = NormScheme("", "sa_layer_norm", "", "output_layer_norm", "", "layer_norm", on_sum=True)
MODERN_NORMS = NormScheme("", "", "mlp_norm", "", "final_norm", "layer_norm")


class Encoder(msgspec.Struct, frozen=True):
    """How one encoder reads its config: its tables, its layers, and the head it is most often trained with.

    `head_in_place_of_pooler` counts the parameters of that head: it is named, not run.
    """

    label: str
    build: Callable[[Fields], "Stack"]
    defaults: Mapping[str, Value | None]
    positions: str = "max_position_embeddings"

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        only("is_decoder", be=False)(fields)
        stack = self.build(fields)
        fields.note("model.encoder_only")
        if not fields.problems:
            fields.note("model.head_left_out", parameters=stack.with_head())
        fields.refuse_faults()
        return stack.architecture(storage)

    def max_context(self, fields: Fields) -> int | None:
        """The longest text the config names, if any."""
        return fields.size(self.positions) if fields.has(self.positions) else None


class Stack(msgspec.Struct, frozen=True):
    """An encoder's parts: `tables` are looked up and added, `pooler` works on each sequence's first token."""

    decoder: Decoder
    tables: tuple[tuple[str, int], ...]
    pooler: tuple[Op, ...] = ()
    head: int = 0

    def architecture(self, storage: Storage) -> Architecture:
        """Its architecture, which has no decode."""
        body, width = self.decoder, self.decoder.hidden
        final = norms(body.norms, body.norms.final, width)
        layers = layers_of(body, storage)
        return Architecture(before=self._before(), layers=layers, after=(*final, *self.pooler), phases=(PREFILL,))

    def with_head(self) -> int:
        """Parameters with the masked-language-model head, which stands in place of the pooler."""
        bare = replace(self, pooler=()).architecture(Storage("bf16", "bf16"))
        own = count_values(t for op in (*bare.before, *bare.after) for t in op.tensors)
        layers = sum(
            len(layer.indices) * count_values(t for op in layer.ops for t in op.tensors) for layer in bare.layers
        )
        return own + layers + self.head

    def _before(self) -> tuple[Op, ...]:
        width = self.decoder.hidden
        found = [lookup(name, rows, width) for name, rows in self.tables[:1]]
        for name, rows in self.tables[1:]:
            found += [lookup(name, rows, width), elementwise(f"{name}.add", "residual_add", width, "embedding")]
        return (*found, *norms(self.decoder.norms, self.decoder.embedding_norm, width))


def _bert(fields: Fields) -> Stack:
    """BERT and RoBERTa (transformers BertModel): post-norm layers, three tables, a pooler on the first token."""
    only("position_embedding_type", be="absolute")(fields)
    only("add_cross_attention", be=False)(fields)
    hidden, layers, vocab = _sizes(fields, "hidden_size", "num_hidden_layers")
    attention = _attention(fields, hidden, "num_attention_heads", BERT_NAMES)
    act = activation(fields, "hidden_act", known=ACTIVATIONS)
    mlp = PlainMlp(
        hidden, fields.size("intermediate_size"), act, inward="intermediate.dense", outward="output.dense", parent=""
    )
    body = _body(hidden, vocab, attention, mlp, layers, BERT_NORMS, ("attention", "output"))
    tables = (
        ("word_embeddings", vocab),
        ("position_embeddings", fields.size("max_position_embeddings")),
        ("token_type_embeddings", fields.size("type_vocab_size")),
    )
    head = hidden * hidden + hidden + 2 * hidden + vocab
    return Stack(replace(body, embedding_norm="embeddings.LayerNorm"), tables, _pooler(hidden), head)


def _distilbert(fields: Fields) -> Stack:
    """DistilBERT (transformers DistilBertModel): BERT without token types and pooler."""
    hidden, layers, vocab = _sizes(fields, "dim", "n_layers")
    attention = _attention(fields, hidden, "n_heads", Names("attention", "out_lin", "", "q_lin", "k_lin", "v_lin"))
    act = activation(fields, "activation", known=ACTIVATIONS)
    mlp = PlainMlp(
        hidden, fields.size("hidden_dim"), act, inward="lin1", act="activation", outward="lin2", parent="ffn"
    )
    body = _body(hidden, vocab, attention, mlp, layers, DISTIL_NORMS, ("attention", "ffn"))
    tables = (("word_embeddings", vocab), ("position_embeddings", fields.size("max_position_embeddings")))
    head = hidden * hidden + hidden + 2 * hidden + vocab
    return Stack(replace(body, embedding_norm="embeddings.LayerNorm"), tables, (), head)


def _modernbert(fields: Fields) -> Stack:
    """ModernBERT (transformers ModernBertModel): rotary, gated, windowed in all but every third layer."""
    hidden, layers, vocab = _sizes(fields, "hidden_size", "num_hidden_layers")
    bias, shift = fields.flag("attention_bias"), 2 if fields.flag("norm_bias") else 1
    attention = replace(
        _attention(fields, hidden, "num_attention_heads", Names("attn", "Wo", "Wqkv")), bias=bias, key_bias=bias
    )
    turned = replace(attention, rotary=attention.head_dim, norm="attn_norm", norm_weights=shift)
    gate = gated_activation("hidden_activation")(fields)
    mlp = GatedMlp(hidden, fields.size("intermediate_size"), gate, bias=fields.flag("mlp_bias"), fused="Wi", down="Wo")
    body = _body(hidden, vocab, turned, mlp, layers, replace(MODERN_NORMS, weights=shift), ("attn", "mlp"))
    mixers = [replace(turned, reach=reach) for reach in _reaches(fields, layers)]
    first = tuple(replace(mixer, norm="") for mixer in mixers[:1])  # the embedding's norm has just been there
    body = replace(body, mixers=(*first, *mixers[1:]), embedding_norm="embeddings.norm")
    head = hidden * hidden + shift * hidden + (hidden if fields.flag("classifier_bias") else 0)
    return Stack(body, (("tok_embeddings", vocab),), (), head + (vocab if fields.flag("decoder_bias") else 0))


def _reaches(fields: Fields, layers: int) -> tuple[int | None, ...]:
    """How far each layer looks: everywhere in every `global_attn_every_n_layers`-th, half of `local_attention` else."""
    reach = fields.size("local_attention") // 2
    if fields.has("layer_types"):
        return by_type(fields, layers, reach)
    period = fields.size("global_attn_every_n_layers")
    return tuple(reach if i % period else None for i in range(layers))


def _sizes(fields: Fields, hidden: str, layers: str) -> tuple[int, int, int]:
    return fields.size(hidden), fields.size(layers, limit=LAYER_LIMIT), fields.size("vocab_size")


def _attention(fields: Fields, hidden: int, heads_field: str, names: Names) -> Bidirectional:
    heads = fields.size(heads_field)
    fields.check(hidden % heads == 0, "model.hidden_not_divisible", heads_field, hidden=hidden, heads=heads)
    return Bidirectional(hidden, heads, max(hidden // heads, 1), names=names)


def _body(
    hidden: int,
    vocab: int,
    attention: Bidirectional,
    mlp: Half,
    layers: int,
    scheme: NormScheme,
    parents: tuple[str, str],
) -> Decoder:
    return Decoder(
        hidden, vocab, tied=False, mixers=(attention,) * layers, mlps=(mlp,) * layers, norms=scheme, parents=parents
    )


def _pooler(hidden: int) -> tuple[Op, ...]:
    dense = linear("dense", hidden, hidden, "projection", parent="pooler", rows=FIRST_TOKENS, bias=True, group="head")
    return (dense, elementwise("activation", "scale", hidden, "head", parent="pooler", rows=FIRST_TOKENS))


BERT_DEFAULTS: Mapping[str, Value | None] = {"hidden_act": "gelu", "type_vocab_size": 2, "max_position_embeddings": 512}
ENCODERS: dict[str, Encoder] = {
    "bert": Encoder("BERT", _bert, BERT_DEFAULTS),
    "roberta": Encoder("RoBERTa", _bert, BERT_DEFAULTS),
    "xlm-roberta": Encoder("XLM-RoBERTa", _bert, BERT_DEFAULTS),
    "camembert": Encoder("CamemBERT", _bert, BERT_DEFAULTS),
    "distilbert": Encoder("DistilBERT", _distilbert, {"activation": "gelu", "max_position_embeddings": 512}),
    "modernbert": Encoder(
        "ModernBERT",
        _modernbert,
        {
            "hidden_activation": "gelu",
            "attention_bias": False,
            "norm_bias": False,
            "mlp_bias": False,
            "classifier_bias": False,
            "decoder_bias": True,
            "global_attn_every_n_layers": 3,
            "local_attention": 128,
        },
    ),
}
