"""What a config may not say, what it may leave unsaid, and what is said about it."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import explorer.presentation.sentences  # noqa: F401 - registers every sentence
from explorer.analysis.models import Model, build_model, supported
from explorer.analysis.problem import Refused
from explorer.analysis.step.phases.registry import one_step
from explorer.presentation.words.messages import TEMPLATES, of_note, render, render_problem

Small = Callable[..., dict[str, Any]]
FAULTS: list[tuple[str, dict[str, Any], str, str]] = [
    ("llama", {"hidden_size": ...}, "hidden_size", "model.missing"),
    ("llama", {"vocab_size": None}, "vocab_size", "model.missing"),
    ("llama", {"vocab_size": "32000"}, "vocab_size", "model.not_a_whole_number"),
    ("llama", {"num_hidden_layers": True}, "num_hidden_layers", "model.not_a_whole_number"),
    ("llama", {"num_hidden_layers": float("nan")}, "num_hidden_layers", "model.not_a_whole_number"),
    ("llama", {"num_hidden_layers": 10**9}, "num_hidden_layers", "model.out_of_range"),
    ("llama", {"num_attention_heads": 0}, "num_attention_heads", "model.out_of_range"),
    ("llama", {"num_key_value_heads": -1}, "num_key_value_heads", "model.out_of_range"),
    ("llama", {"num_key_value_heads": 3}, "num_attention_heads", "model.heads_not_divisible"),
    ("llama", {"num_attention_heads": 6, "hidden_size": 100}, "hidden_size", "model.hidden_not_divisible"),
    ("llama", {"intermediate_size": 10**40}, "intermediate_size", "model.out_of_range"),
    ("llama", {"tie_word_embeddings": 1}, "tie_word_embeddings", "model.not_a_flag"),
    ("llama", {"hidden_act": "mish"}, "hidden_act", "model.activation_unknown"),
    ("llama", {"hidden_act": 3}, "hidden_act", "model.not_a_text"),
    ("llama", {"torch_dtype": "int3"}, "torch_dtype", "model.dtype_unknown"),
    ("llama", {"quantization_config": "fp8"}, "quantization_config", "model.not_an_object"),
    ("phi3", {"partial_rotary_factor": 1.5}, "partial_rotary_factor", "model.not_a_fraction"),
    ("gemma2", {"sliding_window": None}, "sliding_window", "model.window_missing"),
    ("olmo3", {"layer_types": ["full_attention"]}, "layer_types", "model.layer_types_count"),
    ("olmo3", {"layer_types": ["chunked_attention"] * 6}, "layer_types[0]", "model.layer_type_unknown"),
    ("olmo3", {"layer_types": 6}, "layer_types", "model.not_a_list"),
    ("gemma3", {"text_config": None}, "text_config", "model.missing"),
    ("gemma3", {"text_config": []}, "text_config", "model.not_an_object"),
    ("gemma3", {"vision_config": {"hidden_size": -5}}, "vision_config.hidden_size", "model.out_of_range"),
    ("gpt2", {"n_head": ...}, "n_head", "model.missing"),
    ("mixtral", {"num_experts_per_tok": 9}, "num_experts_per_tok", "model.top_k_over_experts"),
    ("mixtral", {"num_local_experts": ...}, "num_local_experts", "model.missing"),
    ("qwen3_moe", {"mlp_only_layers": [True]}, "mlp_only_layers", "model.not_a_list"),
    ("deepseek_v3", {"q_lora_rank": ...}, "q_lora_rank", "model.missing"),
    ("deepseek_v3", {"kv_lora_rank": None}, "kv_lora_rank", "model.missing"),
    ("deepseek_v3", {"first_k_dense_replace": -1}, "first_k_dense_replace", "model.out_of_range"),
]


@pytest.mark.parametrize(("model_type", "change", "path", "code"), FAULTS)
def test_a_fault_is_named_with_its_field(
    small: Small, model_type: str, change: dict[str, Any], path: str, code: str
) -> None:
    with pytest.raises(Refused) as refusal:
        build_model(small(model_type, **change))
    assert (code, path) in [(p.code, p.path) for p in refusal.value.problems]
    assert len(refusal.value.problems) == 1
    assert "{" not in render_problem(refusal.value.problems[0])


def test_every_fault_is_found_in_one_go(small: Small) -> None:
    with pytest.raises(Refused) as refusal:
        build_model(small("llama", hidden_size=..., vocab_size=-1, num_attention_heads="8"))
    assert {p.path for p in refusal.value.problems} == {"hidden_size", "vocab_size", "num_attention_heads"}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("rwkv99", "is not supported; the nearest that are: rwkv"),
        ("Lama", "the nearest that are: llama"),
        ("qwen9", "qwen3"),
        ("zzzz", "nor one of a name like it"),
        ("x" * 100_000, "nor one of a name like it"),
        (None, "This field is missing"),
        (5, "The model type 5 is not supported"),
        (["llama"], "The model type <list> is not supported"),
    ],
)
def test_an_unknown_model_type_is_refused_with_the_few_nearest_and_the_ways_out(value: object, said: str) -> None:
    with pytest.raises(Refused) as refusal:
        build_model({"model_type": value})
    text = render_problem(refusal.value.problems[0])
    assert said in text
    assert "quick model" in text
    assert "your Python" in text
    assert sum(name in text.replace(str(value), "").split() for name in supported()) <= 4
    assert len(text) < 300


def test_nested_faults_have_their_whole_path(small: Small) -> None:
    config = small("gemma3")
    config["text_config"] = {**config["text_config"], "hidden_size": 0}
    with pytest.raises(Refused) as refusal:
        build_model(config)
    assert [p.path for p in refusal.value.problems] == ["text_config.hidden_size"]


def _notes(config: dict[str, Any]) -> dict[str, str]:
    return {note.code: render(of_note(note)) for note in build_model(config).assumptions}


def test_defaults_taken_from_the_library_are_said(small: Small) -> None:
    assert "head_dim = 128" in _notes(small("qwen3", head_dim=...))["model.defaults"]
    assert "head_dim = 32" in _notes(small("llama", head_dim=...))["model.defaults"]
    assert "sliding_window = 4096" in _notes(small("mistral", sliding_window=...))["model.defaults"]
    assert build_model(small("mistral", sliding_window=...)).layers[0].attention == "sliding 4096"


def test_a_config_that_says_everything_needs_no_assumption(small: Small) -> None:
    stated = {"head_dim": 32, "attention_bias": False, "mlp_bias": False, "hidden_act": "silu"}
    assert _notes(small("llama", **stated, tie_word_embeddings=True)) == {}


def test_what_is_left_out_or_counted_beside_the_text_model_is_said(small: Small) -> None:
    assert "model.vision_counted" in _notes(small("gemma3"))
    assert "model.vision_left_out" in _notes(small("gemma3", vision_config=...))
    assert "(1, " in _notes(small("deepseek_v3"))["model.mtp_counted_apart"]
    assert "model.input_quantised_in_part" in _notes(small("deepseek_v3"))
    assert "bf16" in _notes(small("llama", torch_dtype=...))["model.dtype_assumed"]
    assert "awq" not in _notes(small("llama"))


def test_every_assumption_has_its_sentence(config: dict[str, Any]) -> None:
    for note in build_model(config).assumptions:
        assert note.code in TEMPLATES
        assert "{" not in render(of_note(note))


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from([0, -1, 10**30]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


MAY_HOLD_NOTHING = {"nemotron-nas", "nemotron_h"}  # where no layer has attention, or a scan


def _built_or_refused(config: dict[str, Any]) -> None:
    try:
        model = build_model(config)
    except Refused as refusal:
        assert refusal.problems
        assert all(problem.code in TEMPLATES for problem in refusal.problems)
        assert all("\n" not in render_problem(problem) for problem in refusal.problems)
        return
    assert isinstance(model, Model)
    assert model.parameters > 0
    for phase in model.phases:
        assert all(row.count > 0 for row in model.rows(one_step(phase, 2, 10)))
    held = float(model.kv_bytes(1, 100, 2.0)) + float(model.state_bytes(1))
    assert model.model_type in MAY_HOLD_NOTHING or (held > 0) == ("decode" in model.phases)


SCHEME = st.fixed_dictionaries(
    {"num_bits": st.sampled_from([4, 8, 3, None]), "type": st.sampled_from(["int", "float", 5])},
    optional={
        "group_size": ANYTHING | st.sampled_from([16, 32, 128]),
        "strategy": st.sampled_from(["group", "channel", "block", [], None]),
        "symmetric": ANYTHING,
        "block_structure": ANYTHING,
    },
)
QUANTISED = st.fixed_dictionaries(
    {
        "quant_method": st.sampled_from(
            [
                "fp8",
                "mxfp4",
                "awq",
                "gptq",
                "bitsandbytes",
                "compressed-tensors",
                "modelopt",
                "quark",
                "torchao",
                "hqq",
                "exl2",
                "exl3",
                "auto-round",
                "mlx",
                ["fp8"],
                None,
            ]
        )
    },
    optional={
        "load_in_4bit": ANYTHING | st.just(value=True),
        "config_groups": ANYTHING | st.fixed_dictionaries({"group_0": st.fixed_dictionaries({"weights": SCHEME})}),
        "kv_cache_scheme": ANYTHING | SCHEME,
        "ignore": ANYTHING
        | st.lists(st.sampled_from(["re:.*mlp.*", "re:(a|b)(c", "re:.*(gate|up)_proj$", "*", "lm_head"])),
        "quant_algo": ANYTHING | st.sampled_from(["NVFP4", "FP8"]),
        "bits": st.sampled_from([4, 8, [4], 3]),
        "group_size": ANYTHING,
        "exclude": ANYTHING,
        "global_quant_config": ANYTHING | st.fixed_dictionaries({"weight": ANYTHING | SCHEME}),
        "quant_type": ANYTHING | st.just({"default": {"_type": "Int8WeightOnlyConfig"}}),
        "quant_config": ANYTHING | st.fixed_dictionaries({"weight_quant_params": ANYTHING | SCHEME}),
        "extra_config": st.dictionaries(st.sampled_from(["lm_head", "(", "model.layers.0"]), ANYTHING, max_size=2),
        "quantized_layers": st.dictionaries(st.sampled_from(["lm_head", "(", "*"]), ANYTHING, max_size=2),
        "head_bits": ANYTHING,
        "model.layers.0.mlp.up_proj": ANYTHING,
        "activation_scheme": st.sampled_from(["dynamic", ["dynamic"], {}]),
        "weight_block_size": ANYTHING | st.just([128, 128]),
        "modules_to_not_convert": ANYTHING | st.lists(st.sampled_from(["*", "lm_head", "layers.*.mlp", "", 5])),
    },
)


@given(st.dictionaries(st.text(max_size=20), ANYTHING, max_size=6), st.sampled_from(supported()) | ANYTHING)
def test_any_object_is_a_model_or_refused(config: dict[str, Any], model_type: object) -> None:
    _built_or_refused({**config, "model_type": model_type})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=2000)
@given(data=st.data())
def test_a_sound_config_with_broken_fields_is_a_model_or_refused(config: dict[str, Any], data: st.DataObject) -> None:
    broken = copy.deepcopy(config)
    known = ["layer_types", "sliding_window", "quantization_config", "rope_parameters", "torch_dtype", "head_dim"]
    for _ in range(data.draw(st.integers(1, 3))):
        target = broken.get("text_config", broken) if data.draw(st.booleans()) else broken
        if isinstance(target, dict):
            target[data.draw(st.sampled_from([*target, *known]))] = data.draw(ANYTHING | st.integers(1, 64))
    if data.draw(st.booleans()):
        broken["quantization_config"] = data.draw(QUANTISED)
    _built_or_refused(broken)


@pytest.mark.parametrize(
    ("model_type", "name", "other"),
    [
        ("deepseek_v3", "n_routed_experts", "num_local_experts"),
        ("deepseek_v2", "n_routed_experts", "num_experts"),
        ("deepseek_v4", "moe_intermediate_size", "intermediate_size"),
        ("deepseek_v4", "n_routed_experts", "num_local_experts"),
        ("qwen3_moe", "num_experts", "num_local_experts"),
        ("mixtral", "num_local_experts", "num_experts"),
        ("gpt2", "n_embd", "hidden_size"),
        ("longcat_flash", "moe_topk", "num_experts_per_tok"),
    ],
)
def test_one_field_under_two_names_is_read_where_they_agree_and_refused_where_not(
    small: Any, model_type: str, name: str, other: str
) -> None:
    value = small(model_type)[name]
    alone = build_model({k: v for k, v in small(model_type).items() if k != other})
    assert build_model(small(model_type, **{other: value})).parameters == alone.parameters
    assert build_model(small(model_type, **{other: None})).parameters == alone.parameters
    with pytest.raises(Refused) as refusal:
        build_model(small(model_type, **{other: value * 2}))
    values = {"first": name, "value": str(value), "other": str(value * 2)}
    assert [(p.code, p.path, p.values) for p in refusal.value.problems] == [("model.two_names", other, values)]


def test_a_length_that_the_class_passes_by_may_differ(small: Any) -> None:
    assert build_model(small("ctrl", n_positions=256, n_ctx=512)).max_context == 256


NO_TEXTS: tuple[dict[str, Any], ...] = (
    {"model_type": "clip_vision_model"},
    {"model_type": "llava", "text_config": {}},
    {"model_type": "bert"},
    {"model_type": "whisper"},
    {"model_type": "wav2vec2"},
    {"model_type": "qwen2_vl"},
    {"model_type": "gemma4", "text_config": {}},
)


@pytest.mark.parametrize("text", NO_TEXTS, ids=lambda text: text["model_type"])
@pytest.mark.parametrize("outer", ["llava_onevision", "llava", "internvl", "mistral3"])
def test_a_text_inside_another_model_is_a_decoder_of_text_or_refused_by_its_field(
    outer: str, text: dict[str, Any]
) -> None:
    with pytest.raises(Refused) as refusal:
        build_model({"model_type": outer, "text_config": text, "tie_word_embeddings": False})
    assert [(p.code, p.path) for p in refusal.value.problems] == [("model.text_unknown", "text_config.model_type")]
