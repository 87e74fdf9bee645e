"""BERT, RoBERTa and their kin, and DistilBERT."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.mlp import PlainMlp
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.encoders.encoder import EncoderReader, Stack, attention_of, body_of, sizes_of
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.parts import Op, Per, elementwise, linear
from explorer.analysis.problem import Value

FIRST_TOKENS = Per("batch")
BERT_NORMS = NormScheme("", "attention.output.LayerNorm", "", "output.LayerNorm", "", "layer_norm", on_sum=True)
BERT_NAMES = Names("attention.self", "attention.output.dense", "", "query", "key", "value")
DISTIL_NORMS = NormScheme("", "sa_layer_norm", "", "output_layer_norm", "", "layer_norm", on_sum=True)


def _bert(fields: Fields) -> Stack:
    """BERT and RoBERTa (transformers BertModel): post-norm layers, three tables, a pooler on the first token."""
    only("position_embedding_type", be="absolute")(fields)
    only("add_cross_attention", be=False)(fields)
    hidden, layers, vocab = sizes_of(fields, "hidden_size", "num_hidden_layers")
    attention = attention_of(fields, hidden, "num_attention_heads", BERT_NAMES)
    act = activation(fields, "hidden_act", known=ACTIVATIONS)
    mlp = PlainMlp(
        hidden, fields.size("intermediate_size"), act, inward="intermediate.dense", outward="output.dense", parent=""
    )
    body = body_of(hidden, vocab, attention, mlp, layers, BERT_NORMS, ("attention", "output"))
    tables = (
        ("word_embeddings", vocab),
        ("position_embeddings", fields.size("max_position_embeddings")),
        ("token_type_embeddings", fields.size("type_vocab_size")),
    )
    head = hidden * hidden + hidden + 2 * hidden + vocab
    return Stack(replace(body, embedding_norm="embeddings.LayerNorm"), tables, _pooler(hidden), head)


def _distilbert(fields: Fields) -> Stack:
    """DistilBERT (transformers DistilBertModel): BERT without token types and pooler."""
    hidden, layers, vocab = sizes_of(fields, "dim", "n_layers")
    attention = attention_of(fields, hidden, "n_heads", Names("attention", "out_lin", "", "q_lin", "k_lin", "v_lin"))
    act = activation(fields, "activation", known=ACTIVATIONS)
    mlp = PlainMlp(
        hidden, fields.size("hidden_dim"), act, inward="lin1", act="activation", outward="lin2", parent="ffn"
    )
    body = body_of(hidden, vocab, attention, mlp, layers, DISTIL_NORMS, ("attention", "ffn"))
    tables = (("word_embeddings", vocab), ("position_embeddings", fields.size("max_position_embeddings")))
    head = hidden * hidden + hidden + 2 * hidden + vocab
    return Stack(replace(body, embedding_norm="embeddings.LayerNorm"), tables, (), head)


def _pooler(hidden: int) -> tuple[Op, ...]:
    dense = linear("dense", hidden, hidden, "projection", parent="pooler", rows=FIRST_TOKENS, bias=True, group="head")
    return (dense, elementwise("activation", "scale", hidden, "head", parent="pooler", rows=FIRST_TOKENS))


BERT_DEFAULTS: Mapping[str, Value | None] = {"hidden_act": "gelu", "type_vocab_size": 2, "max_position_embeddings": 512}

FAMILIES: Final = (
    Family(("bert",), EncoderReader("BERT", _bert, BERT_DEFAULTS)),
    Family(("roberta",), EncoderReader("RoBERTa", _bert, BERT_DEFAULTS)),
    Family(("xlm-roberta",), EncoderReader("XLM-RoBERTa", _bert, BERT_DEFAULTS)),
    Family(("camembert",), EncoderReader("CamemBERT", _bert, BERT_DEFAULTS)),
    Family(
        ("distilbert",),
        EncoderReader("DistilBERT", _distilbert, {"activation": "gelu", "max_position_embeddings": 512}),
    ),
)
