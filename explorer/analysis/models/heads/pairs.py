"""Encoders with a decoder behind that are used for something else than writing, or for one side alone."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.heads.decoders import WRITES
from explorer.analysis.models.heads.encoders import in_two, labelled
from explorer.analysis.models.heads.named import BASE, class_of, kind_of, labels_of
from explorer.analysis.models.heads.parts import ClassHead, Heads, HeadWidths
from explorer.analysis.models.parts import Architecture, Layer, Op
from explorer.analysis.step.phases.ids import PREFILL

CALLED_BASE: Final = {"MarianMTModel", "SpeechT5ForTextToSpeech"}  # the first writes, the second speaks
ENCODER_ALONE: Final = {"EncoderModel", "ForTokenClassification"}
_SEQUENCE: Final = in_two("classification_head.dense", "classification_head.out_proj")
BART: Final[Heads] = {"ForSequenceClassification": _SEQUENCE, "ForQuestionAnswering": labelled("qa_outputs", 2)}
T5: Final[Heads] = {**BART, "EncoderModel": ClassHead(), "ForTokenClassification": labelled()}


def of_class(made: Architecture, fields: Fields, heads: Heads, labels: int) -> Architecture:
    """The pair, or what of it the class has that the config names; a class that is not known is told."""
    named = class_of(fields)
    kind = kind_of(named)
    if not named or kind in WRITES or named in CALLED_BASE:
        return made
    if kind == BASE:
        fields.note("model.without_head", value=named)
        return replace(made, after=_bare(made.after), tied=False)
    if kind not in heads or made.encoder is None:
        fields.note("model.class_unknown", value=brief(named))
        return made
    head = heads[kind]
    hidden = _hidden(made)
    ops = head.ops(HeadWidths(hidden, 0, labels_of(fields, labels) if head.parts else 0))
    if kind in ENCODER_ALONE:
        alone = made.encoder
        return replace(alone, after=(*alone.after, *_in_prefill(ops)), phases=(PREFILL,))
    return _one_pass(made, ops)


def _hidden(made: Architecture) -> int:
    """The width of the stream: what the head of a language model takes in."""
    logits = next(op for op in reversed(made.after) if op.kind == "matmul")
    width = dict(logits.dims)["k"]
    return int(width) if isinstance(width, float) else 0


def _bare(after: tuple[Op, ...]) -> tuple[Op, ...]:
    return tuple(op for op in after if op.group != "head")


def _one_pass(made: Architecture, head: tuple[Op, ...]) -> Architecture:
    """Both stacks over the same text, one after the other; nothing is kept."""
    layers = tuple(_uncached(layer) for layer in made.layers)
    after = _in_prefill((*_bare(made.after), *head))
    return replace(made, before=_in_prefill(made.before), layers=layers, after=after, tied=False, phases=(PREFILL,))


def _uncached(layer: Layer) -> Layer:
    return replace(layer, ops=tuple(replace(op, keys="stored") for op in _in_prefill(layer.ops)), caches=())


def _in_prefill(ops: tuple[Op, ...]) -> tuple[Op, ...]:
    return tuple(replace(op, phase=PREFILL, output="stored") for op in ops)
