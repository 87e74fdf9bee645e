"""BERT, RoBERTa and their kin, and DistilBERT."""

from collections.abc import Mapping
from typing import Final

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import PlainNames
from explorer.analysis.models.families.encoders.encoder import EncoderReader
from explorer.analysis.models.families.encoders.plain import POSITIONS, WORDS, Plain, Sizes
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.heads.encoders import DISTILBERT, ROBERTA
from explorer.analysis.problem import Value

BERT = Plain()
ROBERTA_LIKE = Plain(ROBERTA)
DISTIL = Plain(
    DISTILBERT,
    Sizes("dim", "n_layers", "n_heads", "hidden_dim", "activation"),
    (WORDS, POSITIONS),
    Names("attention", "out_lin", "", "q_lin", "k_lin", "v_lin"),
    NormScheme("", "sa_layer_norm", "", "output_layer_norm", "", "layer_norm", on_sum=True),
    PlainNames("lin1", "activation", "lin2", "ffn"),
    ("attention", "ffn"),
    pooler="",
)
BERT_DEFAULTS: Mapping[str, Value | None] = {
    "hidden_act": "gelu", "type_vocab_size": 2, "max_position_embeddings": 512, "tie_word_embeddings": True,
}  # fmt: skip
DISTIL_DEFAULTS: Mapping[str, Value | None] = {
    "activation": "gelu", "max_position_embeddings": 512, "tie_word_embeddings": True,
}  # fmt: skip

FAMILIES: Final = (
    Family(("bert",), EncoderReader("BERT", BERT, BERT_DEFAULTS)),
    Family(("roberta",), EncoderReader("RoBERTa", ROBERTA_LIKE, BERT_DEFAULTS)),
    Family(("xlm-roberta",), EncoderReader("XLM-RoBERTa", ROBERTA_LIKE, BERT_DEFAULTS)),
    Family(("camembert",), EncoderReader("CamemBERT", ROBERTA_LIKE, BERT_DEFAULTS)),
    Family(("distilbert",), EncoderReader("DistilBERT", DISTIL, DISTIL_DEFAULTS)),
)
