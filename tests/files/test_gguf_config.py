"""Each key of GGUF metadata reaches its field of the config; a key that is missing leaves what is usual."""

import pytest

from explorer.analysis.problem import Refused
from explorer.files.models.gguf.architectures import config_of
from explorer.files.models.gguf.header import GgufFile
from explorer.files.models.gguf.metadata import stem_of
from explorer.files.models.tensors import FileTensor

ALWAYS = {"embedding_length": 1003, "block_count": 30, "attention.head_count": 10}
ROUTED = {"expert_count": 16, "expert_used_count": 3}
MLA = {
    "rope.dimension_count": 32, "attention.key_length": 64, "attention.kv_lora_rank": 128, "attention.value_length": 48,
}  # fmt: skip
SSM = {
    "ssm.time_step_rank": 8, "ssm.conv_kernel": 4, "ssm.state_size": 72, "ssm.group_count": 6, "ssm.inner_size": 812,
}  # fmt: skip
NEEDED = {
    "qwen2moe": ROUTED, "qwen3moe": ROUTED, "qwen3vlmoe": ROUTED, "gpt-oss": ROUTED, "deepseek2": MLA,
    "glm4moe": ROUTED | {"expert_feed_forward_length": 600}, "qwen3next": ROUTED | SSM,
}  # fmt: skip
GIVEN = {
    "nextn_predict_layers": 2, "attention.head_count_kv": 5, "feed_forward_length": 3000, "vocab_size": 777,
    "context_length": 4000, "expert_feed_forward_length": 600, "attention.sliding_window": 512,
    "expert_shared_feed_forward_length": 700, "attention.key_length_mla": 96, "attention.value_length_mla": 40,
    "attention.q_lora_rank": 256, "expert_shared_count": 2, "leading_dense_block_count": 3,
    "full_attention_interval": 5, **ROUTED, **MLA, **SSM,
}  # fmt: skip
BASE = {
    "hidden_size": 1003, "num_hidden_layers": 28, "num_attention_heads": 10, "num_key_value_heads": 5, "head_dim": 64,
    "intermediate_size": 3000, "vocab_size": 777, "max_position_embeddings": 4000, "tie_word_embeddings": False,
    "torch_dtype": "float16",
}  # fmt: skip
BARE = {
    "hidden_size": 1003, "num_hidden_layers": 30, "num_attention_heads": 10, "num_key_value_heads": 10, "head_dim": 100,
    "tie_word_embeddings": True, "torch_dtype": "float16",
}  # fmt: skip
SILU = {"hidden_act": "silu"}
EXPERTS = {"num_experts": 16, "num_experts_per_tok": 3, "decoder_sparse_step": 1, "mlp_only_layers": []}
LINEAR = {
    "linear_conv_kernel_dim": 4, "linear_key_head_dim": 72, "linear_num_key_heads": 6, "linear_num_value_heads": 8,
    "linear_value_head_dim": 101, "partial_rotary_factor": 0.25,
}  # fmt: skip
QWEN3 = SILU | {"use_sliding_window": False, "attention_bias": False}
GEMMA = {"hidden_activation": "gelu_pytorch_tanh", "attention_bias": False}
GLM = SILU | {
    "partial_rotary_factor": 0.5, "n_routed_experts": 16, "num_experts_per_tok": 3, "moe_intermediate_size": 600,
}  # fmt: skip
DEEPSEEK = SILU | {"attention_bias": False, "kv_lora_rank": 128, "qk_rope_head_dim": 32, "moe_layer_freq": 1}
LOCAL = {"num_local_experts": 16, "num_experts_per_tok": 3}


def without(config, *keys):
    return {k: v for k, v in config.items() if k not in keys}


# architecture, type of the model, config where all is given, config where only what is needed is
LLAMA = (
    "mixtral", BASE | SILU | LOCAL | {"sliding_window": None, "intermediate_size": 600},
    "llama", BARE | SILU | {"attention_bias": False, "mlp_bias": False},
)  # fmt: skip
MOE = {"moe_intermediate_size": 600}
CONFIGS = {
    "llama": LLAMA,
    "mistral3": LLAMA,
    **dict.fromkeys(
        ("qwen2", "qwen2vl"),
        ("qwen2", BASE | SILU | {"use_sliding_window": False}, "qwen2", BARE | SILU | {"use_sliding_window": False}),
    ),
    "qwen2moe": (
        "qwen2_moe",
        BASE | SILU | EXPERTS | MOE | {"use_sliding_window": False, "shared_expert_intermediate_size": 700},
        "qwen2_moe",
        BARE | SILU | EXPERTS | {"use_sliding_window": False},
    ),
    **dict.fromkeys(("qwen3", "qwen3vl"), ("qwen3", BASE | QWEN3, "qwen3", BARE | QWEN3)),
    **dict.fromkeys(
        ("qwen3moe", "qwen3vlmoe"), ("qwen3_moe", BASE | QWEN3 | EXPERTS | MOE, "qwen3_moe", BARE | QWEN3 | EXPERTS)
    ),
    **{
        name: (kind, BASE | GEMMA | {"sliding_window": 512}, kind, BARE | GEMMA | {"sliding_window": None})
        for name, kind in (("gemma", "gemma"), ("gemma2", "gemma2"), ("gemma3", "gemma3_text"))
    },
    "phi2": (
        "phi",
        BASE | {"hidden_act": "gelu_new", "qk_layernorm": False, "partial_rotary_factor": 0.5},
        "phi",
        BARE | {"hidden_act": "gelu_new", "qk_layernorm": False, "partial_rotary_factor": 1.0},
    ),
    "phi3": ("phi3", BASE | SILU | {"sliding_window": 512}, "phi3", BARE | SILU | {"sliding_window": None}),
    "gpt2": (
        "gpt2",
        {
            "n_embd": 1003, "n_layer": 28, "n_head": 10, "n_positions": 4000, "n_inner": 3000, "vocab_size": 777,
            "activation_function": "gelu_new", "tie_word_embeddings": False, "torch_dtype": "float16",
        },
        "gpt2",
        {
            "n_embd": 1003, "n_layer": 30, "n_head": 10, "activation_function": "gelu_new",
            "tie_word_embeddings": True, "torch_dtype": "float16",
        },
    ),
    "deepseek2": (
        "deepseek_v3",
        without(BASE, "head_dim") | DEEPSEEK | {
            "num_key_value_heads": 10, "q_lora_rank": 256, "qk_nope_head_dim": 64, "v_head_dim": 40,
            "n_routed_experts": 16, "num_experts_per_tok": 3, "n_shared_experts": 2, "moe_intermediate_size": 600,
            "first_k_dense_replace": 3,
        },
        "deepseek_v2",
        without(BARE, "head_dim") | DEEPSEEK | {
            "q_lora_rank": None, "qk_nope_head_dim": 32, "v_head_dim": 48, "n_routed_experts": None,
            "n_shared_experts": 0, "first_k_dense_replace": 0,
        },
    ),
    "gpt-oss": (
        "gpt_oss",
        BASE | SILU | LOCAL | {"attention_bias": True, "sliding_window": 512, "intermediate_size": 600},
        "gpt_oss",
        BARE | SILU | LOCAL | {"attention_bias": False, "sliding_window": None},
    ),
    "glm4moe": (
        "glm4_moe",
        BASE | GLM | {
            "attention_bias": True, "use_qk_norm": True, "n_shared_experts": 2, "first_k_dense_replace": 3,
            "num_nextn_predict_layers": 2,
        },
        "glm4_moe",
        BARE | GLM | {
            "attention_bias": False, "use_qk_norm": False, "n_shared_experts": 0, "first_k_dense_replace": 0,
            "num_nextn_predict_layers": 0,
        },
    ),
    "qwen3next": (
        "qwen3_next",
        BASE | SILU | EXPERTS | MOE | LINEAR | {"full_attention_interval": 5, "shared_expert_intermediate_size": 700},
        "qwen3_next",
        BARE | SILU | EXPERTS | LINEAR | {"full_attention_interval": 4},
    ),
    "bert": (
        "bert",
        without(BASE, "num_key_value_heads", "head_dim", "tie_word_embeddings")
        | {"hidden_act": "gelu", "type_vocab_size": 2},
        "bert",
        without(BARE, "num_key_value_heads", "head_dim", "tie_word_embeddings")
        | {"hidden_act": "gelu", "type_vocab_size": 2},
    ),
    "olmo2": ("olmo2", BASE | SILU | {"attention_bias": False}, "olmo2", BARE | SILU | {"attention_bias": False}),
    "starcoder2": (
        "starcoder2",
        BASE | {"hidden_act": "gelu_pytorch_tanh", "use_bias": True, "sliding_window": 512},
        "starcoder2",
        BARE | {"hidden_act": "gelu_pytorch_tanh", "use_bias": False, "sliding_window": None},
    ),
}  # fmt: skip
TENSORS = (
    "token_embd.weight", "output.weight", "blk.0.attn_q.bias", "blk.0.ffn_gate.bias", "blk.0.attn_q_norm.weight",
    "blk.1.exp_probs_b.bias",
)  # fmt: skip


def file(architecture, figures, tensors=("blk.0.attn_q.weight",), shapes=None, **more):
    metadata = {"general.architecture": architecture, **{f"{architecture}.{k}": v for k, v in figures.items()}, **more}
    return GgufFile(metadata, tuple(FileTensor(name, "Q4_K", 1, 1) for name in tensors), shapes or {})


def needed(architecture):
    return ALWAYS | NEEDED.get(architecture, {})


def config(architecture, more=(), shapes=None, tensors=("blk.0.attn_q.weight",)):
    return config_of(file(architecture, needed(architecture) | dict(more), tensors, shapes)).config


@pytest.mark.parametrize("name", CONFIGS)
def test_every_key_reaches_its_field(name):
    kind, whole, *_ = CONFIGS[name]
    found = config_of(file(name, ALWAYS | GIVEN, TENSORS))
    assert found == (whole | {"model_type": kind}, "")


@pytest.mark.parametrize("name", CONFIGS)
def test_keys_that_are_missing_leave_what_is_usual_or_nothing(name):
    *_, kind, bare = CONFIGS[name]
    found = config_of(file(name, needed(name)))
    assert found == (bare | {"model_type": kind}, "")


@pytest.mark.parametrize(("name", "key"), [(name, key) for name in CONFIGS for key in needed(name)])
def test_a_key_that_a_model_cannot_do_without_is_asked_for_by_name(name, key):
    given = {k: v for k, v in (needed(name) | {"expert_feed_forward_length": 600}).items() if k != key}
    with pytest.raises(Refused) as refused:
        config_of(file(name, given))
    (problem,) = refused.value.problems
    assert (problem.code, problem.values) == ("gguf.key", {"key": f"{name}.{key}"})


@pytest.mark.parametrize(
    ("value", "heads"),
    [(7.0, 7), ((3, 5), 5), ((7,), 7), (7.5, None), (True, None), ("7", None), ((), None), (float("nan"), None)],
)
def test_a_figure_is_a_whole_number_or_the_largest_of_one_for_each_layer(value, heads):
    assert config("llama", {"context_length": value}).get("max_position_embeddings") == heads


@pytest.mark.parametrize("key", ["attention.head_count", "attention.head_count_kv", "feed_forward_length"])
def test_layers_that_differ_in_a_figure_are_refused_by_its_key_and_equal_ones_are_not(key):
    assert config("llama", {key: (5, 5)})
    with pytest.raises(Refused) as refused:
        config("llama", {key: (5, 6)})
    (problem,) = refused.value.problems
    assert (problem.code, problem.values) == ("gguf.layers_differ", {"key": f"llama.{key}"})


@pytest.mark.parametrize(
    ("figures", "shapes", "tokens", "expected"),
    [
        ({"vocab_size": 777}, {"token_embd.weight": (1000, 888)}, 999, 888),
        ({"vocab_size": 777}, {"token_embd.weight": (1000,)}, 999, 777),
        ({"vocab_size": 777}, {}, 999, 777),
        ({}, {}, 999, 999),
        ({}, {}, None, None),
        ({}, {}, "odd", None),
    ],
)
def test_the_vocabulary_is_the_tables_length_else_the_figure_else_the_tokens_counted(figures, shapes, tokens, expected):
    more = {} if tokens is None else {"tokenizer.ggml.tokens#": tokens}
    found = config_of(file("llama", ALWAYS | figures, shapes=shapes, **more)).config
    assert found.get("vocab_size") == expected


@pytest.mark.parametrize(
    ("name", "field", "key", "shapes", "by_key", "by_shape"),
    [
        ("qwen3moe", "moe_intermediate_size", "expert_feed_forward_length",
         {"blk.0.ffn_up_exps.weight": (1000, 64, 16)}, 600, 64),
        ("qwen2moe", "shared_expert_intermediate_size", "expert_shared_feed_forward_length",
         {"blk.0.ffn_up_shexp.weight": (1000, 65)}, 700, 65),
        ("qwen3next", "shared_expert_intermediate_size", "expert_shared_feed_forward_length",
         {"blk.0.ffn_up_shexp.weight": (1000, 66)}, 700, 66),
    ],
)  # fmt: skip
def test_the_size_of_experts_is_told_by_its_key_else_by_their_tensors(name, field, key, shapes, by_key, by_shape):
    assert config(name, {key: by_key}, shapes)[field] == by_key
    assert config(name, {}, shapes)[field] == by_shape


def test_an_encoder_tells_tokens_and_types_by_its_tables():
    shapes = {"token_types.weight": (1000, 3), "position_embd.weight": (1000, 512)}
    found = config("bert", {"context_length": 4000}, shapes)
    assert (found["type_vocab_size"], found["max_position_embeddings"]) == (3, 512)


def test_gpt_oss_without_a_size_of_experts_takes_that_of_the_block():
    assert config("gpt-oss", {"feed_forward_length": 3000})["intermediate_size"] == 3000


def test_mixtral_without_a_size_of_experts_takes_that_of_the_block():
    figures = ROUTED | {"feed_forward_length": 3000}
    assert config("llama", figures)["intermediate_size"] == 3000


@pytest.mark.parametrize(("name", "field"), [("phi3", "sliding_window"), ("starcoder2", "sliding_window")])
def test_a_window_of_nothing_is_none(name, field):
    assert config(name, {"attention.sliding_window": 0})[field] is None


def test_biases_are_told_by_the_tensors_of_the_first_block():
    assert config("llama", tensors=["blk.0.attn_q.bias"])["attention_bias"] is True
    assert config("llama", tensors=["blk.0.attn_q.bias"])["mlp_bias"] is False
    assert config("llama", tensors=["blk.0.ffn_gate.bias"])["mlp_bias"] is True
    assert config("llama", tensors=["blk.1.attn_q.bias"])["attention_bias"] is False


@pytest.mark.parametrize(
    ("stored", "dtype"),
    [
        ([("fp32", 10), ("bf16", 11)], "bfloat16"),
        ([("fp32", 10), ("bf16", 6), ("bf16", 6)], "bfloat16"),
        ([("fp32", 10), ("fp16", 9)], "float32"),
        ([("fp16", 9), ("Q4_K", 1)], "float16"),
        ([("bf16", 9), ("Q4_K", 10)], "float16"),
    ],
)
def test_activations_are_in_the_16_or_32_bit_that_most_bytes_are_stored_in(stored, dtype):
    tensors = tuple(FileTensor(f"t{i}", form, 1, size) for i, (form, size) in enumerate(stored))
    metadata = {"general.architecture": "llama", **{f"llama.{k}": v for k, v in ALWAYS.items()}}
    assert config_of(GgufFile(metadata, tensors, {})).config["torch_dtype"] == dtype


PLAIN = [f"blk.0.attn_{part}.weight" for part in ("q", "k", "v", "output")]


@pytest.mark.parametrize(
    ("figures", "tensors", "kind"),
    [
        ({}, [], "llama"),
        ({}, ["blk.0.attn_q_norm.weight"], "qwen3"),
        ({}, ["blk.0.attn_q.bias"], "qwen2"),
        ({}, ["blk.0.attn_q.bias", "blk.0.attn_output.bias"], "llama"),
        ({}, ["blk.0.attn_q.bias", "blk.0.attn_output.bias", "blk.0.attn_k_norm.weight"], "llama"),
        ({}, ["ssm_in.weight", "v.blk.0.ssm_in.weight"], "llama"),
        (ROUTED, ["blk.0.ffn_gate_exps.weight"], "mixtral"),
        (ROUTED, ["blk.0.ffn_gate_exps.weight", "blk.0.attn_q_norm.weight"], "qwen3_moe"),
        ({"expert_used_count": 3}, ["blk.0.ffn_gate_exps.weight", "blk.0.attn_q_norm.weight"], "qwen3"),
        (ROUTED, ["blk.0.attn_q_norm.weight"], "qwen3"),
    ],
)
def test_an_unknown_architecture_is_read_as_the_family_whose_tensors_it_has(figures, tensors, kind):
    found = config_of(file("newllm", ALWAYS | figures, [*PLAIN, *tensors]))
    assert (found.config["model_type"], found.read_as) == (kind, "newllm")


@pytest.mark.parametrize("lost", range(4))
def test_an_unknown_architecture_without_one_of_the_attention_tensors_is_refused_by_it(lost):
    with pytest.raises(Refused) as refused:
        config_of(file("newllm", ALWAYS, PLAIN[:lost] + PLAIN[lost + 1 :]))
    (problem,) = refused.value.problems
    stem = PLAIN[lost].split(".")[2]
    assert (problem.code, problem.values) == ("gguf.architecture", {"architecture": "newllm", "tensor": stem})


def test_an_unknown_architecture_with_odd_tensors_is_refused_by_the_first_of_them():
    with pytest.raises(Refused) as refused:
        config_of(file("newllm", ALWAYS, [*PLAIN, "blk.0.zoo.weight", "blk.0.bar.weight", "blk.0.deep.er.weight"]))
    assert refused.value.problems[0].values["tensor"] == "bar"


@pytest.mark.parametrize(
    ("architecture", "kind", "told"),
    [("clip", None, "clip"), ("llama", "adapter", "adapter"), (None, None, "None"), (3, "model", "3")],
)
def test_what_is_no_language_model_is_refused_as_what_it_is(architecture, kind, told):
    metadata = {"general.architecture": architecture, "general.type": kind}
    with pytest.raises(Refused) as refused:
        config_of(GgufFile({k: v for k, v in metadata.items() if v is not None}, (), {}))
    assert refused.value.problems[0].values == {"kind": told}


@pytest.mark.parametrize("kind", ["model", ""])
def test_a_type_of_model_or_an_empty_one_is_a_model(kind):
    assert config_of(file("llama", ALWAYS, **{"general.type": kind})).config


def test_a_model_without_heads_is_read_as_the_figures_say():
    assert config("llama", {"attention.head_count": 0})["head_dim"] == 1003
    assert config("qwen3next", {"ssm.time_step_rank": 0})["linear_value_head_dim"] == 812
    assert config("phi2", {"attention.key_length": 0, "embedding_length": 0})["partial_rotary_factor"] == 0


@pytest.mark.parametrize(
    ("tensor", "stem"),
    [
        ("blk.0.attn_q.weight", "attn_q"), ("blk.12.ffn_up.0.weight", "ffn_up.0"), ("output.weight", "output"),
        ("blk.3.weight", "blk.3"), ("enc.blk.0.attn_q.weight", "enc.blk.0.attn_q"), ("token_embd", ""),
    ],
)  # fmt: skip
def test_only_tensors_of_the_decoders_blocks_are_known_without_their_block(tensor, stem):
    assert stem_of(tensor) == stem
