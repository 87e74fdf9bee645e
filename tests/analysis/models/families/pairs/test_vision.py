"""TrOCR: a picture's rows, and a decoder that attends to them."""

from collections.abc import Callable
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.step.rows import Row, SequenceGroup, Step

Small = Callable[..., dict[str, Any]]
Cost = Callable[[Row], Costs]
VIT = {
    "model_type": "vit", "hidden_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 96,
    "image_size": 32, "patch_size": 8,
}  # fmt: skip
TROCR = {
    "model_type": "trocr", "d_model": 64, "decoder_layers": 3, "decoder_attention_heads": 4, "decoder_ffn_dim": 80,
    "vocab_size": 101, "max_position_embeddings": 60,
}  # fmt: skip
OTHERS = {"tie_word_embeddings": False, "layernorm_embedding": False, "scale_embedding": True}
# VisionEncoderDecoderModel of the transformers library 5.24: parameters, FLOPs of products of a picture and 24 tokens
COUNTED = [
    (VIT, {**TROCR, "cross_attention_hidden_size": 48}, 187056, 8370048),
    (VIT, TROCR, 196336, 8683392),
    ({**VIT, "hidden_size": 64, "qkv_bias": False}, {**TROCR, **OTHERS}, 225136, 9414144),
]
PRODUCTS = {"matmul", "attention", "conv2d"}


@pytest.mark.parametrize(("encoder", "decoder", "parameters", "flops"), COUNTED)
def test_a_picture_and_its_text_cost_what_the_class_does(
    cost: Cost, encoder: dict[str, Any], decoder: dict[str, Any], parameters: int, flops: int
) -> None:
    model = build_model({"model_type": "vision-encoder-decoder", "encoder": encoder, "decoder": decoder})
    rows = list(model.rows(one_step("prefill", 1, 24, attention_count="full")))
    rows += model.rows(Step("decode", (SequenceGroup(1.0, 24.0, 24.0),), attention_count="full", logits="all"))
    products = sum(float(row.count * cost(row).flops) for row in rows if row.kind in PRODUCTS)
    assert (model.parameters, products) == (parameters, flops)


def test_the_decoder_holds_the_rows_of_the_picture_whatever_the_context(small: Small) -> None:
    model = build_model(small("vision-encoder-decoder"))
    assert model.prompt_tokens(7) == 17
    assert (model.kv_bytes_per_token(1.0), model.cross_kv_bytes_per_token(1.0)) == (3 * 2 * 64, 3 * 2 * 64)
    assert model.kv_bytes(1, 7, 1.0) == (7 + 17) * 3 * 2 * 64
    assert model.max_context == 60


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"encoder": {**VIT, "model_type": "donut-swin"}}, "encoder.model_type"),
        ({"decoder": {**TROCR, "model_type": "mbart"}}, "decoder.model_type"),
        ({"decoder": {**TROCR, "cross_attention_hidden_size": 32}}, "decoder.cross_attention_hidden_size"),
        ({"decoder": {**TROCR, "use_learned_position_embeddings": False}}, "decoder.use_learned_position_embeddings"),
        ({"encoder": None}, "encoder"),
    ],
)
def test_other_sides_are_refused_by_their_field(small: Small, change: dict[str, Any], path: str) -> None:
    with pytest.raises(Refused) as refusal:
        build_model(small("vision-encoder-decoder", **change))
    assert path in [problem.path for problem in refusal.value.problems]
