"""Models that run once over an input of a fixed size: pictures, videos, sound."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.models.checkpoint.stored import with_tensors
from explorer.analysis.problem import Refused
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.step.rows import Row
from explorer.analysis.study.study import TensorEntry, TensorSummary

Small = Callable[..., dict[str, Any]]
Rows = Callable[..., dict[str, Row]]
Cost = Callable[[Row], Costs]
QUANTISED = ("model.variant_unread", "quantization_config")
PRODUCTS = {"matmul", "attention", "batched_matmul", "conv1d", "conv2d", "conv_transpose"}
# Parameters and products counted on the classes of the transformers library 5.24, by torch's own counter.
CASES: dict[str, dict[str, Any]] = {
    name: case
    for path in sorted(Path(__file__).parent.glob("siblings*.json"))
    for name, case in json.loads(path.read_text("utf-8")).items()
    if "flops" in case
}


@pytest.mark.parametrize("name", CASES)
def test_the_products_of_one_pass_are_those_of_the_class(name: str, cost: Cost) -> None:
    model = build_model(CASES[name]["config"])
    rows = model.rows(one_step("prefill", 1, 77, attention_count="full", logits="all"))
    assert sum(float(row.count * cost(row).flops) for row in rows if row.kind in PRODUCTS) == CASES[name]["flops"]


@pytest.mark.parametrize("name", CASES)
def test_one_pass_is_the_same_at_every_context(name: str) -> None:
    model = build_model(CASES[name]["config"])
    if model.phases != ("prefill",):
        return
    short, long = ([row.dims for row in model.rows(one_step("prefill", 2, n))] for n in (1, 9000))
    assert short == long
    assert model.prompt_tokens(1) == model.prompt_tokens(9000)
    assert model.kv_bytes(2, 9000, 2.0) == 0
    with pytest.raises(Refused, match=r"^$|.*"):
        model.rows(one_step("decode", 1, 1))


def test_a_picture_is_as_large_as_the_config_says(small: Small, rows_of: Rows) -> None:
    rows = rows_of(small("vit"), "prefill", 3)
    assert (rows["projection"].dims["H"], rows["projection"].dims["N"]) == (32, 3)
    assert rows["q_proj"].dims["m"] == 3 * (16 + 1)
    assert rows["pooler.dense" if "pooler.dense" in rows else "dense"].dims["m"] == 3
    oblong = rows_of(small("vit", image_size=[16, 64]), "prefill")
    assert (oblong["projection"].dims["H"], oblong["projection"].dims["W"]) == (16, 64)


def test_what_one_pass_is_over_is_said(small: Small) -> None:
    notes = {note.code: note.values for note in build_model(small("videomae")).assumptions}
    assert notes["model.one_video"] == {"frames": 4, "height": 32, "width": 32, "positions": 8}
    notes = {note.code: note.values for note in build_model(small("clip")).assumptions}
    assert notes["model.one_picture"] == {"height": 32, "width": 32, "positions": 17}
    assert notes["model.text_beside"] == {"tokens": 12}
    assert notes["model.class_assumed"] == {"name": "CLIPModel"}


def test_towers_are_told_apart_by_label(small: Small, rows_of: Rows) -> None:
    rows = rows_of(small("clip"), "prefill")
    assert (rows["q_proj[text]"].count, rows["q_proj[picture]"].count) == (2, 3)
    assert rows["attention[text]"].dims["causal"] == 1.0
    assert rows["attention[picture]"].dims["causal"] == 0.0


@pytest.mark.parametrize(
    ("model_type", "change", "fault"),
    [
        ("vit", {"architectures": ["ViTForMaskedImageModeling"]}, ("model.variant_unread", "architectures")),
        ("vit", {"architectures": "Odd"}, ("model.variant_unread", "architectures")),
        ("vit", {"patch_size": [8, 4]}, ("model.patch_not_square", "patch_size")),
        ("vit", {"patch_size": 33}, ("model.patch_over_picture", "patch_size")),
        ("vit", {"image_size": [8, 0]}, ("model.not_a_whole_number", "image_size")),
        ("vit", {"image_size": [8, True]}, ("model.not_a_whole_number", "image_size")),
        ("vit", {"quantization_config": {"quant_method": "bitsandbytes", "load_in_8bit": True}}, QUANTISED),
        ("vit", {"image_size": 100_001}, ("model.out_of_range", "image_size")),
        ("convnext", {"num_stages": 4}, ("model.list_length", "hidden_sizes")),
        ("vit", {"num_attention_heads": 5}, ("model.hidden_not_divisible", "num_attention_heads")),
        ("clip", {"vision_config": {"hidden_act": "odd"}}, ("model.activation_unknown", "vision_config.hidden_act")),
    ],
)
def test_what_is_not_exact_is_refused_by_its_field(
    small: Small, model_type: str, change: dict[str, Any], fault: tuple[str, str]
) -> None:
    with pytest.raises(Refused) as refusal:
        build_model(small(model_type, **change))
    assert (refusal.value.problems[0].code, refusal.value.problems[0].path) == fault


def test_labels_are_counted_by_their_names_or_their_number(small: Small) -> None:
    def classes(**change: Any) -> float:
        config = small("vit", architectures=["ViTForImageClassification"], **change)
        rows = {row.name: row for row in build_model(config).rows(one_step("prefill", 1, 1))}
        return float(rows["classifier"].dims["n"]) if "classifier" in rows else 0.0  # type: ignore[arg-type]

    assert classes(id2label={"0": "a", "1": "b", "2": "c"}, num_labels=9) == 3
    assert (classes(num_labels=9), classes(), classes(num_labels=0)) == (9, 2, 0)


def test_a_pass_over_sound_is_ten_seconds_of_it(small: Small, rows_of: Rows) -> None:
    model = build_model(small("wav2vec2"))
    notes = {note.code: note.values for note in model.assumptions}
    assert notes["model.one_sound"] == {"seconds": 10, "positions": 499}
    rows = rows_of(small("wav2vec2"), "prefill", 2)
    assert (rows["conv"].dims if "conv" in rows else rows["conv_layers.0.conv"].dims)["L"] == 160_000
    assert rows["q_proj"].dims["m"] == 2 * 499


@pytest.mark.parametrize(
    ("model_type", "change", "path"),
    [
        ("wav2vec2", {"add_adapter": True}, "add_adapter"),
        ("wav2vec2", {"adapter_attn_dim": 16}, "adapter_attn_dim"),
        ("hubert", {"use_weighted_layer_sum": True}, "use_weighted_layer_sum"),
        ("wavlm", {"feat_extract_norm": "odd"}, "feat_extract_norm"),
        ("wavlm", {"conv_kernel": [1, 2]}, "conv_kernel"),
        ("wav2vec2-bert", {"position_embeddings_type": "rotary"}, "position_embeddings_type"),
        ("parakeet_encoder", {"subsampling_factor": 6}, "subsampling_factor"),
    ],
)
def test_variants_of_sound_that_are_not_exact_are_refused_by_their_field(
    small: Small, model_type: str, change: dict[str, Any], path: str
) -> None:
    with pytest.raises(Refused) as refusal:
        build_model(small(model_type, **change))
    assert path in [problem.path for problem in refusal.value.problems]


def test_what_stands_between_layers_is_no_layer(small: Small) -> None:
    layers = build_model(small("swin")).layers
    assert [(layer.count, layer.attention, layer.mlp) for layer in layers] == [(3, "windows 4 x 4", "dense")]
    assert build_model(small("vit")).runs_once
    assert not build_model(small("bert")).runs_once


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("FluxPipeline", "model.diffusers_pipeline"),
        ("StableDiffusion3Pipeline", "model.diffusers_pipeline"),
        ("FluxTransformer2DModel", "model.diffusers_part"),
        ("AutoencoderKL", "model.diffusers_part"),
        (7, "model.no_type"),
    ],
)
def test_files_of_diffusers_are_named(name: object, code: str) -> None:
    with pytest.raises(Refused) as refusal:
        build_model({"_class_name": name, "num_layers": 19})
    assert [problem.code for problem in refusal.value.problems] == [code]


def test_a_backbone_may_be_named_or_described(small: Small) -> None:
    described = small("detr", backbone_config={"hidden_sizes": [64, 128, 256, 512], "depths": [2, 2, 2, 2],
                                               "layer_type": "basic"})  # fmt: skip
    named = small("detr", backbone_config=..., backbone="resnet18")
    assert build_model(named).parameters == build_model(described).parameters
    with pytest.raises(Refused) as refusal:
        build_model(small("detr", backbone_config=..., backbone="swin_tiny"))
    assert [problem.path for problem in refusal.value.problems] == ["backbone"]


def test_a_file_in_one_format_gives_it_to_every_row_whatever_its_names(small: Small) -> None:
    model = build_model(small("vit"))
    count = model.parameters
    entry = TensorEntry(name="vit.odd.weight", format="fp32", count=1, values=count, bytes=4 * count)
    made = with_tensors(model, TensorSummary(label="fp32", entries=(entry,)))
    assert made.stored is not None
    assert (made.stored.resident, made.weights_format) == (4 * count, "fp32")
    assert {row.weights for row in made.rows(one_step("prefill", 1, 1))} == {"fp32"}
    few = TensorEntry(name="vit.odd.weight", format="fp32", count=1, values=count // 2, bytes=2 * count)
    with pytest.raises(Refused):
        with_tensors(model, TensorSummary(label="fp32", entries=(few,)))
