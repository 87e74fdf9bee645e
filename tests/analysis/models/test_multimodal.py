"""Text models beside towers: any text that is read, any tower that is known, and what is said of the rest."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import explorer.presentation.sentences  # noqa: F401 - registers every sentence
from explorer.analysis.models import build_model
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.vision.nested import NESTED
from explorer.analysis.models.families.vision.wrapper import Wrapper
from explorer.analysis.models.parts import count_values
from explorer.analysis.models.registry import reader_of, supported
from explorer.analysis.models.towers.parts import resident
from explorer.analysis.models.towers.registry import TOWERS
from explorer.analysis.problem import Refused
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.step.rows import Row
from explorer.presentation.words.messages import of_note, render, render_problem

Small = Callable[..., dict[str, Any]]
Cost = Callable[[Row], Costs]
PRODUCTS = {"matmul", "qkv_matmul", "attention", "moe_matmul", "batched_matmul", "conv1d", "conv2d"}
CASES: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("siblings_multi.json").read_text("utf-8"))
COUNTED = {"model.vision_counted", "model.audio_counted"}
WRAPPERS = [name for name in supported() if isinstance(reader_of(name), Wrapper)]


@pytest.mark.parametrize("name", CASES)
def test_cache_state_and_products_are_those_of_the_class(name: str, cost: Cost) -> None:
    case = CASES[name]
    model = build_model(case["config"])
    looked_at = (model.cross_kv_bytes_per_token(2.0) or 0.0) * model.prompt_tokens(8192)
    held = model.kv_bytes(1, 8192, 2.0) - looked_at if model.architecture.encoder else model.kv_bytes(1, 8192, 2.0)
    assert (held, model.state_bytes(1)) == (case["kv_bytes_8192"], case["state_bytes"])
    if "prefill_flops_512" in case:
        rows = model.rows(one_step("prefill", 1, 512, attention_count="full", logits="all"))
        products = sum(float(row.count * cost(row).flops) for row in rows if row.kind in PRODUCTS)
        assert products == case["prefill_flops_512"]


MISTRAL_SMALL = CASES["mistralai/Mistral-Small-3.1-24B-Instruct-2503"]["config"]


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ({"model_type": "llama"}, 6_738_415_616),  # Llama-2-7B: its class as it is
        ({"model_type": "mistral"}, 7_241_732_096),
        ({"model_type": "qwen2", "num_key_value_heads": 32}, 12_049_846_272),
    ],
)
def test_a_text_of_any_type_is_read_with_the_sizes_of_its_class(text: dict[str, Any], parameters: int) -> None:
    config = {"model_type": "video_llava", "text_config": text, "tie_word_embeddings": False}
    model = build_model(config)
    assert model.parameters == parameters
    assert [note.code for note in model.assumptions if note.code.startswith("model.vision")] == [
        "model.vision_left_out"
    ]


def test_a_tower_of_any_kind_stands_beside_any_text(small: Small) -> None:
    text = small("mistral3")["text_config"]
    alone = build_model({**text, "tie_word_embeddings": False}).parameters
    for kind, tower in TOWERS.items():
        wrapped = small("llava_onevision", vision_config={"model_type": kind}, text_config=text)
        fields = Fields({})
        built = tower(fields)
        assert not fields.problems
        projector = (2 * built.width * 128 + 128) + (128 * 128 + 128) + 128
        assert build_model(wrapped).parameters == alone + count_values(resident("", built.parts)) + projector


@pytest.mark.parametrize(
    ("outer", "inner", "tied"),
    [(True, False, True), (False, True, False), (None, True, True), (None, False, False), (None, None, False)],
)
def test_the_outer_config_says_whether_the_head_is_the_embedding(
    small: Small, outer: bool | None, inner: bool | None, tied: bool
) -> None:
    base = small("mistral3")
    config = {
        **base,
        "tie_word_embeddings": outer,
        "text_config": {**base["text_config"], "tie_word_embeddings": inner},
    }
    assert build_model(config).tied == tied


def test_some_heads_are_tied_where_either_config_says_so_and_some_never(small: Small) -> None:
    inner = {**small("qwen2_audio")["text_config"], "tie_word_embeddings": True}
    assert not build_model(small("qwen2_audio", text_config=inner, tie_word_embeddings=True)).tied
    assert build_model(small("llava_onevision", tie_word_embeddings=False, text_config=inner)).tied


def test_a_flat_config_and_a_nested_one_are_the_same_model(small: Small) -> None:
    flat = small("qwen2_vl")
    outer = ("model_type", "vision_config", "tie_word_embeddings", "torch_dtype")
    nested = {
        **{name: flat[name] for name in outer if name in flat},
        "text_config": {name: value for name, value in flat.items() if name not in outer},
    }
    assert build_model(nested).parameters == build_model(flat).parameters


def test_a_text_that_is_not_read_is_refused_by_its_field_in_one_sentence(small: Small) -> None:
    for text in ("gpt9", "internvl"):  # a wrapper is no text
        with pytest.raises(Refused) as refusal:
            build_model(small("internvl", text_config={"model_type": text}))
        assert [(p.code, p.path) for p in refusal.value.problems] == [("model.text_unknown", "text_config.model_type")]
        assert text in render_problem(refusal.value.problems[0])


@pytest.mark.parametrize(("model_type", "field"), [("internvl", "vision_config"), ("voxtral", "audio_config")])
def test_a_tower_that_is_not_known_is_refused_by_its_field(small: Small, model_type: str, field: str) -> None:
    with pytest.raises(Refused) as refusal:
        build_model(small(model_type, **{field: {"model_type": "eye9"}}))
    assert [p.path for p in refusal.value.problems] == [f"{field}.model_type"]
    assert "eye9" in render_problem(refusal.value.problems[0])


@pytest.mark.parametrize("model_type", WRAPPERS)
def test_what_the_towers_hold_is_said_and_they_run_in_no_step(small: Small, model_type: str) -> None:
    model = build_model(small(model_type))
    held = [group for group in model.tensors if group.role == "vision"]
    towers = sum(group.values for group in held if not group.name.startswith("cross_attention_layers"))
    counted = [note for note in model.assumptions if note.code in COUNTED]
    assert sum(int(note.values["parameters"]) for note in counted) == towers > 0
    assert all(f"{note.values['parameters']:,}" in render(of_note(note)) for note in counted)


def test_faults_of_text_and_tower_are_all_found(small: Small) -> None:
    base = small("internvl")
    config = {
        **base,
        "text_config": {**base["text_config"], "hidden_size": 0},
        "vision_config": {**base["vision_config"], "image_size": [1, 2, 3], "num_hidden_layers": "two"},
    }
    with pytest.raises(Refused) as refusal:
        build_model(config)
    paths = {"text_config.hidden_size", "vision_config.image_size", "vision_config.num_hidden_layers"}
    assert {p.path for p in refusal.value.problems} == paths


def test_sizes_of_a_class_are_only_for_texts_that_can_be_read() -> None:
    assert set(NESTED) - set(supported()) <= {"ministral3"}


def test_layers_that_look_at_an_image_are_held_but_run_in_no_text_step(small: Small) -> None:
    crossed = build_model(small("mllama"))
    text = {**small("mllama")["text_config"], "cross_attention_layers": []}
    plain = build_model(small("mllama", text_config=text))
    each = 2 * 128 + 2 * 128 * 16 * (8 + 2) + 2 * 16 + 3 * 128 * 320 + 2
    own = 2 * 128 + 2 * 128 * 16 * (8 + 2) + 3 * 128 * 320
    assert crossed.parameters - plain.parameters == 2 * (each - own)
    kinds = [(layers.indices, layers.attention) for layers in crossed.layers]
    assert kinds == [((0, 2), "full"), ((1, 3), "image only")]
    assert crossed.kv_bytes_per_token(1.0) == plain.kv_bytes_per_token(1.0) / 2
    step = one_step("decode", 1, 100)
    assert {row.name: row.count for row in crossed.rows(step)}["q_proj"] == 2
    said = {note.code: dict(note.values) for note in crossed.assumptions}
    assert said["model.image_layers"] == {"layers": 2, "values": 2 * 2 * 2 * 16}


def test_the_embedding_of_mllama_has_eight_more_rows_than_its_head(small: Small) -> None:
    tensors = {group.name: group.values for group in build_model(small("mllama")).tensors}
    assert tensors["embed_tokens.weight"] - tensors["lm_head.weight"] == 8 * 128


def test_the_most_queries_of_aria_are_those_of_its_largest_image_or_as_stated(small: Small) -> None:
    def queries(**change: Any) -> int:
        return build_model(small("aria", **change)).parameters

    plain = queries()
    assert queries(projector_patch_to_query_dict={"16": 10}) - plain == 2 * 64
    assert queries(max_value_projector_patch_to_query_dict=9) - plain == 64
    assert queries(projector_patch_to_query_dict=...) - plain == (256 - 8) * 64


def test_windows_of_an_encoder_have_relative_positions_of_their_own_size(small: Small) -> None:
    vision = small("got_ocr2")["vision_config"]
    whole = build_model(small("got_ocr2", vision_config={**vision, "global_attn_indexes": [0, 1, 2]}))
    assert whole.parameters - build_model(small("got_ocr2")).parameters == 2 * 16 * 2 * ((2 * 4 - 1) - (2 * 3 - 1))


def test_what_speaks_is_held_unless_the_config_leaves_it_out(small: Small) -> None:
    speaking, silent = (build_model(small("qwen2_5_omni", enable_audio_output=flag)) for flag in (True, False))
    spoken = speaking.parameters - silent.parameters
    assert spoken > 0
    notes = {note.code: dict(note.values) for note in speaking.assumptions}
    assert notes["model.speech_counted"] == {"parameters": spoken}
    assert "model.speech_counted" not in {note.code for note in silent.assumptions}
    assert silent.parameters == build_model(small("qwen2_5_omni_thinker")).parameters


def test_a_retriever_makes_a_vector_of_each_token_and_writes_nothing(small: Small) -> None:
    model = build_model(small("colpali"))
    assert (model.phases, model.kv_bytes(1, 100, 2.0), model.tied) == (("prefill",), 0.0, False)
    rows = {row.name: row for row in model.rows(one_step("prefill", 2, 100))}
    assert "lm_head" not in rows
    assert (rows["embedding_proj_layer"].dims["m"], rows["embedding_proj_layer"].dims["n"]) == (200, 16)


def test_frames_of_a_video_have_a_vector_each(small: Small) -> None:
    one = build_model(small("git", num_image_with_embedding=None)).parameters
    assert build_model(small("git")).parameters - one == 3 * 64


def test_norms_of_chameleon_stand_behind_each_half_where_the_config_says_so(small: Small) -> None:
    def order(**change: Any) -> list[str]:
        names = [row.name for row in build_model(small("chameleon", **change)).rows(one_step("decode", 1, 10))]
        return [name for name in names if name in ("input_layernorm", "q_proj", "o_proj")]

    assert order() == ["input_layernorm", "q_proj", "o_proj"]
    assert order(swin_norm=True) == ["q_proj", "o_proj", "input_layernorm"]


def test_sound_is_shortened_by_a_power_of_two(small: Small) -> None:
    audio = {**small("phi4_multimodal")["audio_config"], "time_reduction": 6}
    with pytest.raises(Refused) as refusal:
        build_model(small("phi4_multimodal", audio_config=audio))
    assert [p.path for p in refusal.value.problems] == ["audio_config.time_reduction"]


def test_adapters_that_are_not_counted_are_named(small: Small) -> None:
    said = [note.code for note in build_model(small("granite_speech", has_lora_adapter=True)).assumptions]
    assert "model.adapter_left_out" in said
    assert "model.adapter_left_out" not in [n.code for n in build_model(small("granite_speech")).assumptions]


def test_experts_of_what_speaks_are_active_by_their_share(small: Small) -> None:
    config = small("qwen3_omni_moe")
    model = build_model(config)
    thinker = build_model(config["thinker_config"] | {"model_type": "qwen3_omni_moe_thinker"})
    idle = model.parameters - model.active_parameters - (thinker.parameters - thinker.active_parameters)
    assert idle == 2 * (6 - 2) * 3 * 64 * 24


def test_llava_stands_around_any_text_and_any_tower(small: Small) -> None:
    base = small("llava")
    text = {**small("mistral3")["text_config"], "model_type": "ministral3"}
    eyes = small("internvl")["vision_config"]
    model = build_model(small("llava", text_config=text, vision_config=eyes))
    alone = build_model({**text, "tie_word_embeddings": False}).parameters
    tower = count_values(resident("", TOWERS["internvl_vision"](Fields(eyes)).parts))
    assert model.parameters == alone + tower + (64 * 128 + 128) + (128 * 128 + 128)
    assert build_model(base).parameters != model.parameters


def test_an_encoder_of_pixtral_takes_a_picture_of_the_largest_size(small: Small) -> None:
    model = build_model(small("pixtral"))
    assert model.phases == ("prefill",)
    rows = {row.name: row for row in model.rows(one_step("prefill", 1, 1))}
    assert rows["q_proj"].dims["m"] == 16


def test_a_captioner_reads_one_picture_in_prefill_and_writes_in_decode(small: Small) -> None:
    model = build_model(small("blip"))
    assert model.prompt_tokens(70) == (56 // 14) ** 2 + 1
    prefill, decode = ({row.name for row in model.rows(one_step(phase, 1, 100))} for phase in ("prefill", "decode"))
    assert {"patch_embedding", "qkv", "self.key", "self.value"} <= prefill
    assert "decoder" not in prefill
    assert {"query", "self.query", "transform_act_fn", "decoder"} <= decode
    assert model.kv_bytes(1, 100, 1.0) == 4 * 2 * 128 * (100 + 17)


def test_sound_of_gemma3n_is_read_by_two_convolutions(small: Small) -> None:
    audio = {"input_feat_size": 80, "hidden_size": 256, "conf_conv_kernel_size": 7, "sscp_conv_channel_size": [64, 16]}
    fields = Fields(audio)
    assert count_values(resident("", TOWERS["gemma3n_audio"](fields).parts)) == 19_015_696  # counted on its class
    for change in ({"sscp_conv_channel_size": [64]}, {"sscp_conv_kernel_size": [3, 3]}):
        wrong = Fields({**audio, **change})
        TOWERS["gemma3n_audio"](wrong)
        assert [p.code for p in wrong.problems] == ["model.not_a_list"]


def test_an_image_encoder_of_gemma3n_that_is_not_known_is_refused(small: Small) -> None:
    for change in ({"architecture": "mobilenetv9"}, {"model_args": {"depth": 2}}):
        vision = {**small("gemma3n")["vision_config"], **change}
        with pytest.raises(Refused) as refusal:
            build_model(small("gemma3n", vision_config=vision))
        assert [(p.code, p.path) for p in refusal.value.problems] == [
            ("model.vision_unknown", "vision_config.architecture")
        ]


def test_patches_of_fuyu_go_through_one_layer(small: Small) -> None:
    more = build_model(small("fuyu", patch_size=20)).parameters - build_model(small("fuyu")).parameters
    assert more == 3 * (20**2 - 10**2) * 128


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"depths": [1]}, "depths"),
        ({"patch_prenorm": [True]}, "patch_prenorm"),
        ({"mlp_ratio": 0}, "mlp_ratio"),
        ({"mlp_ratio": "wide"}, "mlp_ratio"),
        ({"patch_prenorm": [0, 1]}, "patch_prenorm"),
    ],
)
def test_stages_of_florence_have_one_entry_each(small: Small, change: dict[str, Any], field: str) -> None:
    vision = {**small("florence2")["vision_config"], **change}
    with pytest.raises(Refused) as refusal:
        build_model(small("florence2", vision_config=vision))
    assert [p.path for p in refusal.value.problems] == [f"vision_config.{field}"]


def test_tables_of_florence_that_are_not_shared_are_refused(small: Small) -> None:
    text = {**small("florence2")["text_config"], "tie_word_embeddings": False}
    for change in ({"tie_word_embeddings": False}, {"text_config": text}):
        with pytest.raises(Refused) as refusal:
            build_model(small("florence2", **change))
        assert [p.code for p in refusal.value.problems] == ["model.variant_unread"]
