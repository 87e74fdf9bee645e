"""Encoders that differ from BERT by a few words of a table."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import FC, PlainNames
from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.families.encoders.encoder import EncoderReader, Stack
from explorer.analysis.models.families.encoders.plain import BERT_NORMS, POSITIONS, TYPES, WORDS, Plain, Sizes
from explorer.analysis.models.families.encoders.relative import relative_bias
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.heads import encoders as heads
from explorer.analysis.models.parts import Tensor
from explorer.analysis.problem import Value

TASKS = ("task_type_embeddings", "task_type_vocab_size")
NO_CROSS = (only("add_cross_attention", be=False),)
LATE_NORMS = NormScheme("", "post_attention_layernorm", "", "post_mlp_layernorm", "", "layer_norm", on_sum=True)
SELF = Names(out="o_proj")


def _pre(attention: str, mlp: str, final: str) -> NormScheme:
    """Norms before both halves, and one behind the last layer."""
    return NormScheme(attention, "", mlp, "", final, "layer_norm")


def _ernie(fields: Fields, stack: Stack) -> Stack:
    """The table of tasks is there where the config says so."""
    if not fields.flag("use_task_id"):
        return stack
    return replace(stack, tables=(*stack.tables, (TASKS[0], fields.size(TASKS[1]))))


def _mpnet(fields: Fields, stack: Stack) -> Stack:
    """One learnt bias of the scores, shared by all layers."""
    bias = relative_bias(fields.size("num_attention_heads"), fields.size("relative_attention_num_buckets"))
    return replace(stack, more=(bias,))


def _esm(fields: Fields, stack: Stack) -> Stack:
    """Rotary or learnt positions, a norm of the table where it is asked for, and a regression that no pass runs."""
    kind = fields.text("position_embedding_type")
    if kind not in {"rotary", "absolute"}:
        fields.fault("model.variant_unread", "position_embedding_type", value=brief(kind), known="rotary, absolute")
    body = stack.decoder
    mixers = tuple(replace(m, rotary=m.head_dim if kind == "rotary" else 0) for m in body.mixers)  # type: ignore[attr-defined, type-var]
    maps = fields.size("num_attention_heads") * len(body.mixers)
    contacts = (
        Tensor("contact_head.regression.weight", maps, "head"),
        Tensor("contact_head.regression.bias", 1, "bias"),
    )
    before = "embeddings.layer_norm" if fields.flag("emb_layer_norm_before", otherwise=False) else ""
    learnt = ((POSITIONS[0], fields.size(POSITIONS[1])),) if kind == "absolute" else ()
    body = replace(body, mixers=mixers, embedding_norm=before, extra=contacts)
    return replace(stack, decoder=body, tables=(*stack.tables, *learnt))


def _roformer(fields: Fields, stack: Stack) -> Stack:
    """Sines and cosines are kept as a table of its own."""
    heads_of = fields.size("num_attention_heads")
    values = fields.size("max_position_embeddings") * (stack.decoder.hidden // heads_of)
    table = Tensor("encoder.embed_positions.weight", values, "embedding")
    return replace(stack, decoder=replace(stack.decoder, extra=(table,)))


def _rembert(fields: Fields, stack: Stack) -> Stack:
    """The head has a width of its own."""
    return replace(stack, outer=fields.size("output_embedding_size"))


ELECTRA = Plain(heads.ELECTRA, Sizes(table="embedding_size"), pooler="", bridge="embeddings_project")
ERNIE = Plain(rules=NO_CROSS, finish=_ernie)
MEGATRON = Plain(norms=_pre("attention.ln", "ln", "encoder.ln"), embedding_norm="", rules=NO_CROSS)
GENERATION = Plain(heads.GENERATION, tables=(WORDS, POSITIONS), pooler="", rules=NO_CROSS)
ROFORMER = Plain(
    heads.ROFORMER, Sizes(table="embedding_size"), (WORDS, TYPES), pooler="", bridge="embeddings_project",
    rotary=True, rules=(*NO_CROSS, only("rotary_value", be=False)), finish=_roformer,
)  # fmt: skip
MPNET = Plain(
    heads.ROBERTA, tables=(WORDS, POSITIONS), names=Names("attention.attn", "o", "", "q", "k", "v"),
    norms=replace(BERT_NORMS, after_attention="attention.LayerNorm"), rules=(), finish=_mpnet,
)  # fmt: skip
ROBERTA_XL = Plain(
    heads.ROBERTA, norms=_pre("attention.self_attn_layer_norm", "LayerNorm", "encoder.LayerNorm"), embedding_norm="",
    rules=NO_CROSS,
)  # fmt: skip
ESM = Plain(
    heads.ESM, Sizes(act=""), (WORDS,), norms=_pre("attention.LayerNorm", "LayerNorm", "encoder.emb_layer_norm_after"),
    rules=(*NO_CROSS, only("is_folding_model", be=False)), finish=_esm,
)  # fmt: skip
REMBERT = Plain(
    heads.REMBERT, Sizes(table="input_embedding_size"), bridge="embedding_hidden_mapping_in", always_bridged=True,
    rules=(*NO_CROSS, only("tie_word_embeddings", be=False)), finish=_rembert,
)  # fmt: skip
NOMIC = Plain(
    heads.NOMIC,
    Sizes("hidden_size n_embd", "num_hidden_layers n_layer", "num_attention_heads n_head", "intermediate_size n_inner"),
    tables=(WORDS, TYPES), names=SELF, norms=LATE_NORMS, mlp=PlainNames(parent="mlp"), rotary=True,
    head_dim=True, gated=True, bias=False, parents=("self_attn", "mlp"), rules=(),
)  # fmt: skip
JINA = Plain(
    heads.ROBERTA, tables=(WORDS, TYPES), names=SELF, norms=LATE_NORMS, mlp=FC, rotary=True, head_dim=True,
    parents=("self_attn", "mlp"), rules=(),
)  # fmt: skip

BASE: Mapping[str, Value | None] = {"hidden_act": "gelu", "max_position_embeddings": 512, "tie_word_embeddings": True}
TYPED: Mapping[str, Value | None] = {**BASE, "type_vocab_size": 2}
FAMILIES: Final = (
    Family(("electra",), EncoderReader("ELECTRA", ELECTRA, {**TYPED, "embedding_size": 128})),
    Family(("ernie",), EncoderReader("ERNIE", ERNIE, {**TYPED, "use_task_id": False, "task_type_vocab_size": 3})),
    Family(("megatron-bert",), EncoderReader("Megatron-BERT", MEGATRON, TYPED)),
    Family(("bert-generation",), EncoderReader("BERT for generation", GENERATION, BASE)),
    Family(("roformer",), EncoderReader("RoFormer", ROFORMER, {**TYPED, "max_position_embeddings": 1536})),
    Family(("mpnet",), EncoderReader("MPNet", MPNET, {**BASE, "relative_attention_num_buckets": 32})),
    Family(
        ("xlm-roberta-xl",),
        EncoderReader("XLM-RoBERTa-XL", ROBERTA_XL, {**TYPED, "type_vocab_size": 1, "max_position_embeddings": 514}),
    ),
    Family(
        ("esm",),
        EncoderReader(
            "ESM",
            ESM,
            {"max_position_embeddings": 1026, "position_embedding_type": "absolute", "tie_word_embeddings": True},
        ),
    ),
    Family(
        ("rembert",),
        EncoderReader(
            "RemBERT",
            REMBERT,
            {**TYPED, "input_embedding_size": 256, "output_embedding_size": 1664, "tie_word_embeddings": False},
        ),
    ),
    Family(
        ("nomic_bert",),
        EncoderReader("Nomic BERT", NOMIC, {**TYPED, "hidden_act": "silu", "max_position_embeddings": 2048}),
    ),
    Family(
        ("jina_embeddings_v3",),
        EncoderReader("Jina embeddings v3", JINA, {**TYPED, "type_vocab_size": 1, "max_position_embeddings": 8194}),
    ),
)  # fmt: skip
