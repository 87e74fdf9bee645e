"""DeBERTa, DeBERTa-v2 and v3: attention that tells content and distance apart."""

from collections.abc import Mapping
from functools import partial
from typing import Final, get_args

from msgspec.structs import replace

from explorer.analysis.models.blocks.bidirectional import Bidirectional
from explorer.analysis.models.blocks.disentangled import FIRST_NAMES, SECOND_NAMES, Disentangled, Distances, Side
from explorer.analysis.models.blocks.norms import norm
from explorer.analysis.models.config.feedforward import ACTIVATIONS
from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.families.encoders.encoder import EncoderReader, Stack
from explorer.analysis.models.families.encoders.plain import POSITIONS, TYPES, WORDS, Plain
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.heads import encoders as heads
from explorer.analysis.models.heads.named import class_of, kind_of
from explorer.analysis.models.parts import Dim, Op, Per, Tensor, elementwise
from explorer.analysis.problem import Value

SIDES: Final[tuple[Side, ...]] = get_args(Side)
POOLED: Final = {"ForSequenceClassification", "ForMultipleChoice"}


def _deberta(fields: Fields, stack: Stack, *, second: bool) -> Stack:
    """Tables and distances as the config asks for them."""
    hidden = stack.decoder.hidden
    tables = [stack.tables[0]]
    if fields.flag("position_biased_input"):
        tables.append((POSITIONS[0], fields.size(POSITIONS[1])))
    if types := fields.natural(TYPES[1]):
        tables.append((TYPES[0], types))
    for name in ("embedding_size", *(["pooler_hidden_size"] if kind_of(class_of(fields)) in POOLED else [])):
        only(name, be=hidden)(fields)
    told = _distances(fields, second=second) if fields.flag("relative_attention") else None
    content = stack.decoder.mixers[0]
    if second and isinstance(content, Bidirectional):
        only("attention_head_size", be=content.head_dim)(fields)
    mixer = Disentangled(content, told, own_biases=not second) if isinstance(content, Bidirectional) else content
    body = replace(stack.decoder, mixers=(mixer,) * len(stack.decoder.mixers))
    more = (*_table(fields, hidden, told, second=second), *(_convolution(fields, hidden) if second else ()))
    return replace(
        stack, decoder=body, tables=tuple(tables), more=more, heads=heads.deberta(legacy=fields.flag("legacy"))
    )


def _distances(fields: Fields, *, second: bool) -> Distances:
    span = _positive(fields, "max_relative_positions") or fields.size(POSITIONS[1])
    sides = _sides(fields)
    if not second:
        return Distances(span, sides, near=True, names=("pos_proj", "pos_q_proj"), key_bias=False)
    return Distances(
        _positive(fields, "position_buckets") or span, sides, fields.flag("share_att_key", otherwise=False)
    )


def _positive(fields: Fields, name: str) -> int:
    """A size, 0 where it is -1, 0 or not said."""
    value = fields.config.get(name)
    return 0 if value in (None, -1, 0) and not isinstance(value, bool) else fields.size(name)


def _sides(fields: Fields) -> tuple[Side, ...]:
    stated = fields.config.get("pos_att_type")
    named = [part.strip() for part in stated.lower().split("|")] if isinstance(stated, str) else stated
    if named is not None and not (isinstance(named, list) and all(side in SIDES for side in named)):
        fields.fault("model.variant_unread", "pos_att_type", value=brief(stated), known=", ".join(SIDES))
        return ()
    return tuple(side for side in SIDES if side in (named or ()))


def _table(fields: Fields, hidden: int, told: Distances | None, *, second: bool) -> tuple[Op, ...]:
    """Embeddings of distances, which every layer projects for itself, and their norm."""
    normed = second and "layer_norm" in str(fields.config.get("norm_rel_ebd", "none")).lower()
    scaled = norm("LayerNorm", hidden, parent="encoder", kind="layer_norm")
    if told is None:
        return (replace(scaled, dims=(("rows", 0.0), ("channels", float(hidden)))),) if normed else ()
    table = Tensor("encoder.rel_embeddings.weight", 2 * told.span * hidden, "embedding")
    dims: tuple[tuple[str, Dim], ...] = (
        ("tokens", told.rows), ("hidden", float(hidden)), ("vocab", 2.0 * told.span),
    )  # fmt: skip
    looked_up = Op("rel_embeddings", "embedding", dims, "embedding", parent="encoder", tensors=(table,))
    return (looked_up, *([replace(scaled, dims=(("rows", told.rows), ("channels", float(hidden))))] if normed else []))


def _convolution(fields: Fields, hidden: int) -> tuple[Op, ...]:
    """What some models add to the output of their first layer."""
    width = _positive(fields, "conv_kernel_size")
    if not width:
        return ()
    groups = fields.size("conv_groups", otherwise=1)
    fields.check(hidden % groups == 0, "model.hidden_not_divisible", "conv_groups", hidden=hidden, heads=groups)
    fields.check(width % 2 == 1, "model.variant_unread", "conv_kernel_size", value=str(width), known="odd widths")
    values = hidden * hidden // groups * width
    tensors = (
        Tensor("encoder.conv.conv.weight", values, "projection"),
        Tensor("encoder.conv.conv.bias", hidden, "bias"),
    )
    dims: tuple[tuple[str, Dim], ...] = (
        ("N", Per("batch")), ("C_in", float(hidden)), ("C_out", float(hidden)), ("L", Per("queries")),
        ("K", float(width)), ("stride", 1.0), ("pad", (width - 1) / 2), ("groups", float(groups)),
    )  # fmt: skip
    known = ACTIVATIONS.get(str(fields.config.get("conv_act", "tanh")), "scale")
    return (
        Op("conv", "conv1d", dims, "conv", parent="encoder.conv", tensors=tensors),
        elementwise("conv_act", known, hidden, "activation", parent="encoder.conv"),
        elementwise("conv_add", "residual_add", hidden, "residual", parent="encoder.conv"),
        norm("LayerNorm", hidden, parent="encoder.conv", kind="layer_norm"),
    )


FIRST = Plain(
    tables=(WORDS,), names=FIRST_NAMES, rules=(only("talking_head", be=False),), finish=partial(_deberta, second=False)
)
SECOND = Plain(tables=(WORDS,), names=SECOND_NAMES, rules=(), finish=partial(_deberta, second=True))
DEFAULTS: Mapping[str, Value | None] = {
    "hidden_act": "gelu", "max_position_embeddings": 512, "type_vocab_size": 0, "relative_attention": False,
    "position_biased_input": True, "legacy": True, "tie_word_embeddings": True,
}  # fmt: skip
FAMILIES: Final = (
    Family(("deberta",), EncoderReader("DeBERTa", FIRST, DEFAULTS)),
    Family(("deberta-v2",), EncoderReader("DeBERTa-v2", SECOND, DEFAULTS)),
)
