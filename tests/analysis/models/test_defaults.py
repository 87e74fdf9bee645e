"""What each family takes where a config leaves a field out: the class defaults of the transformers library 5.24."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.towers import (
    DEEP,
    clip,
    kimi_tower,
    llama4_tower,
    llava_tower,
    pixtral,
    qwen_deep_tower,
    qwen_tower,
)
from explorer.analysis.models.config.vision import gemma3_tower, gemma4_tower, phi3_tower
from explorer.analysis.models.parts import count_values
from explorer.analysis.models.registry import MODULES, declared, reader_of, supported
from explorer.analysis.problem import Refused

Tower = Callable[[Fields, int], Any]
# one line for all model types that share their defaults
TABLE: dict[str, dict[str, Any]] = json.loads((Path(__file__).with_name("defaults.json")).read_text("utf-8"))
DEFAULTS = {model_type: found for types, found in TABLE.items() for model_type in types.split()}


@pytest.mark.parametrize("module", MODULES)
def test_a_family_relies_on_the_defaults_of_its_class(module: str) -> None:
    found = {name: dict(family.reader.defaults) for family in declared(module) for name in family.model_types}
    assert found == {name: DEFAULTS[name] for name in MODULES[module]}


def test_every_family_has_a_line() -> None:
    assert DEFAULTS.keys() == set(supported())
    assert reader_of("odd") is None


# towers: values of each part by hand, from the sizes of the class defaults


def block(width: int, inner: int) -> int:
    return 4 * (width * width + width) + width * inner + inner + inner * width + width + 2 * 2 * width


def values(tower: Tower, vision: dict[str, Any], hidden: int = 100, **outer: Any) -> tuple[int, list[str]]:
    fields = Fields({"vision_config": vision, **outer})
    found = count_values(tower(fields, hidden))
    assert not fields.problems
    return found, [note.code.removeprefix("model.") for note in fields.notes]


CLIP_B_32 = 87_456_000  # openai/clip-vit-base-patch32 without its projection
SIGLIP_B_16 = 92_884_224  # google/siglip-base-patch16-224, its vision model
PIXTRAL = 3 * 16**2 * 1024 + 1024 + 24 * (4 * 1024**2 + 3 * 1024 * 4096 + 2 * 1024)
QWEN_MERGER = (4608 * 4608 + 4608) + (4608 * 3584 + 3584)
QWEN = (3 * 2 * 16**2 * 1152 + 1152) + 2304 * 1152 + 27 * block(1152, 4304) + 2 * 1152 + QWEN_MERGER
KIMI = (3 * 14**2 * 1152 + 1152) + 64 * 64 * 1152 + 27 * block(1152, 4304) + 2 * 1152 + 2 * 1152 + (4608 * 4608 + 4608)
LLAMA4 = (
    3 * 14**2 * 768 + 768 + (32**2 + 1) * 768 + 4 * 768 + 34 * block(768, 5632) + 5632 * 4096 + 4096 * 4096 + 7680 * 100
)
GEMMA4_LAYER = 2 * 768 * 64 * (12 + 12) + 2 * 64 + 3 * 768 * 3072 + 4 * 768
GEMMA4 = 16 * GEMMA4_LAYER + 3 * 16**2 * 768 + 2 * 10_240 * 768 + 768 * 100


@pytest.mark.parametrize(
    ("tower", "hidden", "expected"),
    [
        (qwen_tower, 3584, QWEN),
        (qwen_deep_tower, 3584, QWEN + 3 * (2 * 4608 + QWEN_MERGER)),
        (kimi_tower, 100, KIMI + 4608 * 100 + 100),
        (llama4_tower, 100, LLAMA4),
        (llava_tower, 100, CLIP_B_32 + (768 * 100 + 100) + (100 * 100 + 100)),
        (gemma3_tower, 100, SIGLIP_B_16 + 768 * 100 + 768),
        (gemma4_tower, 100, GEMMA4),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_tower_of_defaults_has_the_values_of_its_parts(tower: Tower, hidden: int, expected: int) -> None:
    vision = {"vt_hidden_size": 1152} if tower is kimi_tower else {}  # the one size that it must state
    assert values(tower, vision, hidden)[0] == expected


def test_towers_of_published_checkpoints() -> None:
    assert count_values(clip(Fields({}))[1]) == CLIP_B_32
    assert (clip(Fields({}))[0], pixtral(Fields({}))[0]) == (768, 1024)
    assert count_values(pixtral(Fields({}))[1]) == PIXTRAL
    outer = {"model_type": "pixtral"}
    assert values(llava_tower, outer)[0] == PIXTRAL + (1024 * 100 + 100) + (100 * 100 + 100)
    assert values(llava_tower, {"model_type": "siglip_vision_model"})[0] == SIGLIP_B_16 + (768 * 100 + 100) + 10_100


def test_a_projector_takes_the_layers_that_are_named() -> None:
    plain = values(llava_tower, {})[0]
    assert values(llava_tower, {}, vision_feature_layer=[1, 2, 3])[0] == plain + 2 * 768 * 100
    assert values(llava_tower, {}, vision_feature_layer=-2)[0] == plain
    assert values(llava_tower, {}, vision_feature_layer=[])[0] == plain
    assert values(llava_tower, {}, multimodal_projector_bias=False)[0] == plain - 200
    assert values(llama4_tower, {"multi_modal_projector_bias": True})[0] == LLAMA4 + 100


def test_deepstack_layers_have_a_merger_each() -> None:
    each = 2 * 4608 + QWEN_MERGER
    assert values(qwen_tower, {"deepstack_visual_indexes": [1, 2]}, 3584)[0] == QWEN + 2 * each
    assert values(qwen_deep_tower, {"deepstack_visual_indexes": [1]}, 3584)[0] == QWEN + each
    fields = Fields({"vision_config": {}})
    qwen_deep_tower(fields, 3584)
    assert fields.assumed["vision_config.deepstack_visual_indexes"] == "8, 16, 24"
    assert DEEP == (8, 16, 24)
    narrow = Fields({"vision_config": {}})
    qwen_tower(narrow, 100)
    assert [(p.code, p.path) for p in narrow.problems] == [("model.vision_width", "vision_config.out_hidden_size")]


@pytest.mark.parametrize(
    ("vision", "merged", "rows"),
    [
        ({}, 4, 64),
        ({"merge_kernel_size": [3, 5]}, 15, 64),
        ({"merge_kernel_size": [3]}, 4, 64),
        ({"merge_kernel_size": [2, 3, 4]}, 4, 64),
        ({"init_pos_emb_height": 32}, 4, 32),
        ({"merge_kernel_size": [99, 1]}, 99, 64),
    ],
)
def test_a_kimi_tower_merges_the_patches_that_its_kernel_says(vision: dict[str, Any], merged: int, rows: int) -> None:
    wide = merged * 1152
    expected = KIMI - 64 * 64 * 1152 + rows * 64 * 1152 - (4608 * 4608 + 4608) + wide * wide + wide + wide * 100 + 100
    assert values(kimi_tower, {"hidden_size": 1152, **vision})[0] == expected


@pytest.mark.parametrize("kernel", [[0, 2], [100, 1], [True, 2], [2.0, 2], 3])
def test_a_kernel_of_a_kimi_tower_is_a_list_of_small_numbers(kernel: Any) -> None:
    fields = Fields({"vision_config": {"hidden_size": 1152, "merge_kernel_size": kernel}})
    kimi_tower(fields, 100)
    assert [(p.code, p.path) for p in fields.problems] == [("model.not_a_list", "vision_config.merge_kernel_size")]


PHI3 = {"projection_cls": "mlp", "use_hd_transform": True, "with_learnable_separator": True}


@pytest.mark.parametrize(
    ("image", "joined", "counted"),
    [
        ({"x": 1}, PHI3, True),
        ({}, PHI3, True),
        (None, PHI3, False),
        ({"image_dim_out": 768}, PHI3, False),
        ({"model_name": "other"}, PHI3, False),
        ({}, {**PHI3, "use_hd_transform": False}, False),
        ({}, {**PHI3, "projection_cls": "linear"}, False),
        ({}, {**PHI3, "with_learnable_separator": False}, False),
        ({}, {}, False),
    ],
)
def test_phi3_names_the_one_tower_that_is_counted(image: Any, joined: dict[str, Any], counted: bool) -> None:
    fields = Fields({"img_processor": image, "embd_layer": joined})
    found = count_values(phi3_tower(fields, 100))
    whole = 303_507_456 - (2 * 1024 + 0)  # CLIP ViT-L/14 at 336 pixels, its vision model, beside what is checked below
    projector = (4096 * 100 + 100) + (100 * 100 + 100) + 2 * 4096
    layers = 24 * block(1024, 4096) + 3 * 14**2 * 1024 + 577 * 1024 + 1024 + 4 * 1024
    assert found == (layers + projector if counted else 0)
    assert not counted or abs(layers - whole) < 4 * 1024
    assert [n.code for n in fields.notes] == ["model.vision_counted" if counted else "model.vision_not_counted"]


@pytest.mark.parametrize("tower", [gemma3_tower, gemma4_tower])
def test_a_config_without_a_tower_says_so(tower: Tower) -> None:
    fields = Fields({})
    assert tower(fields, 100) == ()
    assert [n.code for n in fields.notes] == ["model.vision_left_out"]
    assert values(gemma4_tower, {}, audio_config={})[1] == ["audio_left_out", "vision_counted"]
    headless = values(gemma3_tower, {"vision_use_head": False})[0]
    assert values(gemma3_tower, {})[0] - headless == 4 * (768**2 + 768) + 2 * 768 * 3072 + 3072 + 768 + 3 * 768


# rules of single families


ONLY: list[tuple[str, dict[str, Any], bool]] = [
    ("bert", {"add_cross_attention": False}, True),
    ("bert", {"add_cross_attention": True}, False),
    ("bert", {"is_decoder": False}, True),
    ("bert", {"add_cross_attention": None}, True),
    ("bert", {"add_cross_attention": 0}, False),
    ("gpt_bigcode", {"add_cross_attention": False}, True),
    ("gpt_bigcode", {"add_cross_attention": True}, False),
    ("falcon", {"parallel_attn": True}, True),
    ("falcon", {"parallel_attn": False}, False),
    ("RefinedWebModel", {"num_ln_in_parallel_attn": 1, "parallel_attn": True}, True),
    ("RefinedWebModel", {"num_ln_in_parallel_attn": 2, "parallel_attn": True}, False),
    ("mpt", {"expansion_ratio": 4}, True),
    ("mpt", {"no_bias": True}, True),
]


@pytest.mark.parametrize(("model_type", "change", "sound"), ONLY)
def test_a_value_that_a_family_is_exact_for_is_taken_and_no_other(
    small: Any, model_type: str, change: dict[str, Any], sound: bool
) -> None:
    config = small(model_type, **change)
    if sound:
        assert build_model(config).parameters
    else:
        with pytest.raises(Refused):
            build_model(config)


def test_layers_of_mimo_are_told_by_types_by_a_pattern_or_by_their_numbers(small: Any) -> None:
    def sliding(**change: Any) -> list[int]:
        config = small("mimo_v2_flash", **{"hybrid_layer_pattern": ..., **change})
        layers = build_model(config).layers
        return sorted(i for part in layers if "sliding" in part.attention for i in part.indices)

    assert sliding() == [1, 2, 3, 4]
    types = ["sliding_attention", "full_attention"] * 3
    assert sliding(layer_types=types) == [0, 2, 4]
    assert sliding(layer_types=types, hybrid_layer_pattern=[0, 1] * 3) == [0, 2, 4]
    assert sliding(hybrid_layer_pattern=[0, 1] * 3) == [1, 3, 5]


@pytest.mark.parametrize("change", [{}, {"sparse_config": {"kernel_size": 32}}])
def test_what_of_a_minicpm_is_not_read_is_said(small: Any, change: dict[str, Any]) -> None:
    codes = [note.code for note in build_model(small("minicpm", **change)).assumptions]
    assert ("model.sparse_config_unread" in codes) == bool(change)


@pytest.mark.parametrize("tied", [True, False])
def test_the_outer_config_of_gemma4_says_whether_its_head_is_the_embedding(small: Any, tied: bool) -> None:
    nested = {"model_type": "gemma4", "text_config": small("gemma4_text"), "tie_word_embeddings": tied}
    whole = build_model(nested).parameters
    plain = build_model(small("gemma4_text", tie_word_embeddings=tied)).parameters
    assert whole == plain


@pytest.mark.parametrize("model_type", ["mt5", "qwen3_vl_moe_text", "qwen2_5_omni_text", "kimi_k25"])
def test_a_head_that_no_config_speaks_of_is_the_embedding_where_the_class_says_so(small: Any, model_type: str) -> None:
    def values(**change: Any) -> int:
        return build_model(small(model_type, **change)).parameters

    width = 128 if model_type == "qwen2_5_omni_text" else 256
    assert values() == values(tie_word_embeddings=True) == values(tie_word_embeddings=False) - 1000 * width


@pytest.mark.parametrize("stated", [{}, {"tie_word_embeddings": False}])
def test_qwen3_vl_moe_has_a_head_of_its_own_though_its_text_alone_has_none(small: Any, stated: dict[str, Any]) -> None:
    text = small("qwen3_vl_moe_text")
    whole = build_model({"model_type": "qwen3_vl_moe", "text_config": text, **stated}).parameters
    assert whole == build_model({**text, "tie_word_embeddings": False}).parameters


@pytest.mark.parametrize(
    ("stated", "window"),
    [
        ({}, 129),
        ({"sliding_window": 64}, 64),
        ({"sliding_window_size": 64}, 65),
        ({"sliding_window": 128, "sliding_window_size": 128}, 129),
        ({"sliding_window": 100, "sliding_window_size": None}, 100),
    ],
)
def test_the_window_of_mimo_counts_the_query_beside_its_size(small: Any, stated: dict[str, Any], window: int) -> None:
    config = {k: v for k, v in small("mimo_v2_flash").items() if k != "sliding_window"} | stated
    seen = {int(part.attention.split()[-1]) for part in build_model(config).layers if "sliding" in part.attention}
    assert seen == {window}


@pytest.mark.parametrize(("stated", "window"), [({}, 32_768), ({"sliding_window": 96}, 96)])
def test_the_window_of_qwen_omni_is_that_of_its_class(small: Any, stated: dict[str, Any], window: int) -> None:
    model = build_model(small("qwen2_5_omni_text", use_sliding_window=True, max_window_layers=0, **stated))
    assert model.kv_bytes(1, 100_000, 2.0) == model.kv_bytes(1, window, 2.0)
