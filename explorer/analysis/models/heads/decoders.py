"""Decoders that are used for something else than writing: classifiers, reward models, embeddings."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.heads.named import BASE, class_of, kind_of, labels_of
from explorer.analysis.models.heads.parts import ClassHead, Dense, Heads, HeadWidths
from explorer.analysis.models.parts import Architecture, Op
from explorer.analysis.step.phases.ids import DECODE, PREFILL

WRITES: Final = {"ForCausalLM", "LMHeadModel", "ForConditionalGeneration"}
# classes that are called like a base class and have the head of a language model
WITH_HEAD: Final = {"BarkModel", "ChatGLMModel", "RWKVModel"}
NAMED_CLASSIFIER: Final = {"bloom", "falcon", "gpt2", "gpt_bigcode", "gpt_neo", "gpt_neox", "mpt"}
_TOKENS: Final = "ForTokenClassification"
HEADS: Final[Heads] = {
    BASE: ClassHead(),
    "ForSequenceClassification": ClassHead((Dense("score", outputs="labels", bias=False),)),
    _TOKENS: ClassHead((Dense("score", outputs="labels"),)),
    "ForQuestionAnswering": ClassHead((Dense("qa_outputs", outputs=2),)),
}


def with_class(made: Architecture, fields: Fields, model_type: str) -> Architecture:
    """A decoder with the head of the class that its config names in place of a language model's.

    A class that is not known stays a language model, which is told. Classifiers have no decode.
    """
    named = class_of(fields)
    kind = kind_of(named)
    if not named or made.encoder is not None or DECODE not in made.phases or kind in WRITES or named in WITH_HEAD:
        return made
    logits = next((op for op in reversed(made.after) if op.group == "head" and op.kind == "matmul"), None)
    if logits is None:
        return made
    if kind not in HEADS or (kind == BASE and not _is_base(named, model_type)):
        fields.note("model.class_unknown", value=brief(named))
        return made
    head = _head(kind, model_type)
    if head.parts:
        fields.note("model.classifies", value=named)
    else:
        fields.note("model.without_head", value=named)
    return _swapped(made, logits, head, labels_of(fields) if kind != BASE else 0)


def _head(kind: str, model_type: str) -> ClassHead:
    if kind == _TOKENS and model_type in NAMED_CLASSIFIER:
        return ClassHead((Dense("classifier", outputs="labels"),))
    return HEADS[kind]


def _swapped(made: Architecture, logits: Op, head: ClassHead, labels: int) -> Architecture:
    dims = dict(logits.dims)
    width = dims["k"]
    hidden = int(width) if isinstance(width, float) else 0
    kept = tuple(op for op in made.after if op.group != "head")
    before = tuple(_untied(op) for op in made.before)
    phases = (PREFILL,) if head.parts else made.phases
    after = (*kept, *head.ops(HeadWidths(hidden, 0, labels)))
    return replace(made, before=before, after=after, tied=False, phases=phases)


def _untied(op: Op) -> Op:
    """The embedding table, which no head reads."""
    if op.kind != "embedding":
        return op
    return replace(op, dims=tuple((name, 0.0 if name == "tied" else value) for name, value in op.dims))


def _is_base(named: str, model_type: str) -> bool:
    """Whether a class is the base class of a model type: `LlamaModel` of `llama`."""
    return _plain(named.removesuffix(BASE)) == _plain(model_type)


def _plain(name: str) -> str:
    return "".join(c for c in name if c.isalnum()).lower()
