"""Heads of encoders, as the classes of the transformers library have them."""

from typing import Final

from explorer.analysis.models.heads.parts import Act, ClassHead, Dense, Heads, Norm, Spliced, Width


def masked(
    dense: str,
    norm: str,
    decoder: str,
    *,
    width: Width = "hidden",
    bias: bool = True,
    weights: int | None = None,
    spare: bool = True,
) -> ClassHead:
    """Every token's logits over the vocabulary: a linear layer, a norm, the table."""
    act = f"{dense}.gelu" if "." not in dense else f"{dense.rpartition('.')[0]}.act"
    logits = Dense(decoder, width, "vocab", tied=True, spare=spare)
    return ClassHead(
        (Dense(dense, "hidden", width, bias), Act(act, width=width), Norm(norm, width, weights=weights), logits)
    )


def labelled(path: str = "classifier", outputs: Width = "labels") -> ClassHead:
    """A linear layer on every token."""
    return ClassHead((Dense(path, outputs=outputs),))


def pooled(path: str = "classifier", outputs: Width = "labels") -> ClassHead:
    """A linear layer on what the pooler makes of each sequence."""
    return ClassHead((Dense(path, outputs=outputs, first=True),), pooled=True)


def in_two(dense: str, out: str, outputs: Width = "labels", *, first: bool = True, act: str = "scale") -> ClassHead:
    """Two linear layers with an activation between, on the first token of each sequence."""
    between = Act(f"{dense}.act", act, first=first)
    return ClassHead((Dense(dense, first=first), between, Dense(out, outputs=outputs, first=first)))


def with_pooler(head: ClassHead) -> ClassHead:
    """The same behind a base model that keeps its pooler, whether it is used or not."""
    return ClassHead(head.parts, pooled=True)


def heads(masked_lm: ClassHead, **others: ClassHead) -> Heads:
    """Those of a family; its base class has a pooler where the family has one."""
    usual = {"Model": ClassHead(pooled=True), "ForMaskedLM": masked_lm, "ForCausalLM": masked_lm}
    each = {"ForTokenClassification": labelled(), "ForQuestionAnswering": labelled("qa_outputs")}
    return {**usual, **each, **others}


_TRANSFORM: Final = "cls.predictions.transform"
_NEXT: Final = Dense("cls.seq_relationship", outputs=2, first=True)
BERT_MASKED: Final = masked(f"{_TRANSFORM}.dense", f"{_TRANSFORM}.LayerNorm", "cls.predictions.decoder")
BERT: Final = heads(
    BERT_MASKED,
    LMHeadModel=BERT_MASKED,
    ForPreTraining=ClassHead((*BERT_MASKED.parts, _NEXT), pooled=True),
    ForNextSentencePrediction=ClassHead((_NEXT,), pooled=True),
    ForSequenceClassification=pooled(),
    ForMultipleChoice=pooled(outputs=1),
)
ROBERTA: Final = heads(
    masked("lm_head.dense", "lm_head.layer_norm", "lm_head.decoder"),
    ForSequenceClassification=in_two("classifier.dense", "classifier.out_proj"),
    ForMultipleChoice=pooled(outputs=1),
)
ESM: Final = heads(
    masked("lm_head.dense", "lm_head.layer_norm", "lm_head.decoder", spare=False),
    ForSequenceClassification=in_two("classifier.dense", "classifier.out_proj"),
)
DISTILBERT: Final = heads(
    masked("vocab_transform", "vocab_layer_norm", "vocab_projector", spare=False),
    ForSequenceClassification=in_two("pre_classifier", "classifier", act="relu"),
    ForMultipleChoice=in_two("pre_classifier", "classifier", 1, act="relu"),
)


_QA: Final = "qa_classifier"
# keeps its pooler whatever stands behind, but for question answering
BIG_BIRD: Final = heads(
    with_pooler(BERT_MASKED),
    ForCausalLM=with_pooler(BERT_MASKED),
    ForPreTraining=ClassHead((*BERT_MASKED.parts, _NEXT), pooled=True),
    ForSequenceClassification=with_pooler(in_two("classifier.dense", "classifier.out_proj", act="gelu")),
    ForMultipleChoice=pooled(outputs=1),
    ForTokenClassification=with_pooler(labelled()),
    ForQuestionAnswering=ClassHead(
        (
            Dense(f"{_QA}.intermediate.dense", outputs="inner"),
            Act(f"{_QA}.intermediate.act", width="inner"),
            Dense(f"{_QA}.output.dense", "inner"),
            Norm(f"{_QA}.output.LayerNorm"),
            Dense(f"{_QA}.qa_outputs", outputs=2),
        )
    ),
)
_MOBILE: Final = ClassHead((*BERT_MASKED.parts[:-1], Spliced("cls.predictions.decoder", "dense")))
MOBILEBERT: Final = heads(
    _MOBILE,
    ForPreTraining=ClassHead((*_MOBILE.parts, _NEXT), pooled=True),
    ForNextSentencePrediction=ClassHead((_NEXT,), pooled=True),
    ForSequenceClassification=pooled(),
    ForMultipleChoice=pooled(outputs=1),
)
XLNET: Final[Heads] = {
    "Model": ClassHead(),
    "LMHeadModel": ClassHead((Dense("lm_loss", outputs="vocab", tied=True),)),
    "ForSequenceClassification": in_two("sequence_summary.summary", "logits_proj"),
    "ForTokenClassification": labelled(),
    "ForQuestionAnsweringSimple": labelled("qa_outputs"),
}
_GENERATOR: Final = "generator_predictions"
_DISCRIMINATOR: Final = "discriminator_predictions"
ELECTRA: Final = heads(
    masked(f"{_GENERATOR}.dense", f"{_GENERATOR}.LayerNorm", "generator_lm_head", width="table", spare=False),
    ForPreTraining=in_two(f"{_DISCRIMINATOR}.dense", f"{_DISCRIMINATOR}.dense_prediction", 1, first=False, act="gelu"),
    ForSequenceClassification=in_two("classifier.dense", "classifier.out_proj", act="gelu"),
)
_ALBERT: Final = masked("predictions.dense", "predictions.LayerNorm", "predictions.decoder", width="table")
_ORDER: Final = Dense("sop_classifier.classifier", outputs="labels", first=True)
ALBERT: Final = heads(
    _ALBERT,
    ForPreTraining=ClassHead((*_ALBERT.parts, _ORDER), pooled=True),
    ForSequenceClassification=pooled(),
    ForMultipleChoice=pooled(outputs=1),
)
_ROFORMER: Final = masked(f"{_TRANSFORM}.dense", f"{_TRANSFORM}.LayerNorm", "cls.predictions.decoder", width="table")
ROFORMER: Final = heads(
    _ROFORMER,
    ForSequenceClassification=in_two("classifier.dense", "classifier.out_proj", act="gelu"),
    ForMultipleChoice=ClassHead((Dense("classifier", outputs=1, first=True),)),
    ForQuestionAnswering=labelled("qa_outputs", 2),
)
REMBERT: Final = heads(
    masked("cls.predictions.dense", "cls.predictions.LayerNorm", "cls.predictions.decoder", width="outer", spare=False),
    ForSequenceClassification=pooled(),
    ForMultipleChoice=pooled(outputs=1),
)
GENERATION: Final[Heads] = {
    "Model": ClassHead(),
    "Encoder": ClassHead(),
    "Decoder": ClassHead((Dense("lm_head.decoder", outputs="vocab", tied=True, spare=True),)),
}
NOMIC: Final = heads(
    masked(f"{_TRANSFORM}.dense", f"{_TRANSFORM}.layer_norm", "cls.predictions.decoder"),
    Model=ClassHead(),
    ForSequenceClassification=pooled(),
)


def deberta(*, legacy: bool) -> Heads:
    """A pooler stands before classifiers alone."""
    place = _TRANSFORM if legacy else "lm_predictions.lm_head"
    logits = "cls.predictions.decoder" if legacy else f"{place}.decoder"
    return heads(
        masked(f"{place}.dense", f"{place}.LayerNorm", logits),
        Model=ClassHead(),
        ForSequenceClassification=pooled(),
        ForMultipleChoice=pooled(outputs=1),
    )


def layout(*, few: bool) -> Heads:
    """Many labels of tokens are told by two linear layers."""
    two = in_two("classifier.dense", "classifier.out_proj", first=False)
    return {
        "Model": ClassHead(),
        "ForTokenClassification": labelled() if few else two,
        "ForQuestionAnswering": in_two("qa_outputs.dense", "qa_outputs.out_proj", first=False),
        "ForSequenceClassification": in_two("classifier.dense", "classifier.out_proj"),
    }


def eurobert(*, pooling: str, bias: bool) -> Heads:
    """A sequence is told by the mean of what every token tells, or by one pooled token."""
    first = pooling != "late"
    return {
        "Model": ClassHead(),
        "ForMaskedLM": ClassHead((Dense("lm_head", outputs="vocab", bias=bias, tied=True),)),
        "ForTokenClassification": labelled(),
        "ForSequenceClassification": in_two("dense", "classifier", first=first, act="gelu"),
    }


def modernbert(*, bias: bool, norm_weights: int, decoder_bias: bool) -> Heads:
    """One dense block before every output; a sequence is told by its first token, or by the mean of all."""
    each, once = (
        (
            Dense("head.dense", bias=bias, first=first),
            Act("head.act", first=first),
            Norm("head.norm", weights=norm_weights, first=first),
        )
        for first in (False, True)
    )
    logits = Dense("decoder", outputs="vocab", bias=decoder_bias, tied=True)
    labels = ClassHead((*each, Dense("classifier", outputs="labels")))
    return {
        "Model": ClassHead(),
        "ForMaskedLM": ClassHead((*each, logits)),
        "ForTokenClassification": labels,
        "ForQuestionAnswering": labels,
        "ForSequenceClassification": ClassHead((*once, Dense("classifier", outputs="labels", first=True))),
        "ForMultipleChoice": ClassHead((*once, Dense("classifier", outputs=1, first=True))),
    }
