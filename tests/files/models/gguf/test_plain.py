"""Plain decoders in GGUF files: figures that a key, a tensor or nothing tells."""

from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.files.models.gguf.architectures import config_of
from explorer.files.models.gguf.header import GgufFile
from explorer.files.models.tensors import FileTensor
from tests.files.gguf_plain import GEMMAS, PLAIN

SMALL = PLAIN | GEMMAS


def read(name: str, *, without: tuple[str, ...] = (), more: Any = (), **keys: Any) -> dict[str, Any]:
    small = SMALL[name]
    lead = small.architecture
    metadata = small.metadata | {f"{lead}.{key.replace('__', '.')}": value for key, value in keys.items()}
    kept = {key: value for key, value in metadata.items() if key.removeprefix(f"{lead}.") not in without}
    found = [*small.tensors, *more]
    shapes = {t[0]: t[1] for t in found}
    return config_of(GgufFile(kept, tuple(FileTensor(t[0], t[2], 1, 1) for t in found), shapes)).config


def test_windows_of_exaone4_are_those_that_the_file_lists() -> None:
    assert read("exaone4")["layer_types"] == ["sliding_attention"] * 3 + ["full_attention"]
    assert read("exaone4, no window")["layer_types"] == ["full_attention"] * 4
    assert "layer_types" not in read("exaone4", without=("attention.sliding_window_pattern",))


def test_biases_are_told_by_the_tensors() -> None:
    assert read("seed_oss")["attention_bias"] is True
    assert read("seed_oss")["attention_out_bias"] is False
    assert read("ernie4_5")["use_bias"] is False
    assert read("phimoe")["lm_head_bias"] is True


def test_experts_that_always_work_are_counted_by_key_else_by_their_width() -> None:
    assert read("dots1")["n_shared_experts"] == 1
    assert read("dots1", expert_shared_count=2)["n_shared_experts"] == 2
    assert read("ernie4_5-moe")["moe_num_shared_experts"] == 1
    wide = [("blk.1.ffn_up_shexp.weight", (256, 1024), "Q4_K")]
    assert read("ernie4_5-moe", more=wide)["moe_num_shared_experts"] == 2


def test_granite_with_experts_has_one_that_always_works_where_its_size_is_told() -> None:
    assert read("granitemoe")["model_type"] == "granitemoe"
    assert read("granitemoe, shared")["shared_intermediate_size"] == 512
    assert read("granite")["embedding_multiplier"] == 12.0
    assert read("granite")["logits_scaling"] == 1.0


def test_the_rotated_part_of_a_head_is_told_by_its_key() -> None:
    assert read("nemotron")["partial_rotary_factor"] == 0.5
    assert read("nemotron", without=("rope.dimension_count",))["partial_rotary_factor"] == 1.0


def test_llama4_of_128_experts_leaves_queries_and_keys_as_they_are() -> None:
    assert read("llama4")["use_qk_norm"] is True
    assert read("llama4", expert_count=128)["use_qk_norm"] is False
    assert read("llama4")["interleave_moe_layer_step"] == 2


def test_gemma4_tells_heads_of_both_kinds_of_layers() -> None:
    mixed = read("gemma4, with experts")
    assert (mixed["head_dim"], mixed["global_head_dim"]) == (64, 128)
    assert (mixed["num_key_value_heads"], mixed["num_global_key_value_heads"], mixed["attention_k_eq_v"]) == (
        2,
        1,
        True,
    )
    assert mixed["enable_moe_block"] is True
    own = read("gemma4, own inputs")
    assert (own["hidden_size_per_layer_input"], own["vocab_size_per_layer_input"]) == (256, 1024)
    assert own["attention_k_eq_v"] is False
    assert "enable_moe_block" not in own
    twice = read("gemma4, own inputs", feed_forward_length=(512, 512, 1024, 1024))
    assert (twice["intermediate_size"], twice["use_double_wide_mlp"]) == (512, True)


def test_apertus_is_read_as_its_own_family() -> None:
    small = PLAIN["arcee"]
    metadata = {key.replace("arcee.", "apertus."): value for key, value in small.metadata.items()}
    metadata["general.architecture"] = "apertus"
    tensors = tuple(FileTensor(t[0], t[2], 1, 1) for t in small.tensors)
    config = config_of(GgufFile(metadata, tensors, {t[0]: t[1] for t in small.tensors})).config
    assert (config["model_type"], config["hidden_act"]) == ("apertus", "xielu")
    assert build_model(config).parameters


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("olmoe", "expert_used_count"), ("dots1", "expert_feed_forward_length"), ("hunyuan-moe", "expert_count"),
        ("llama4", "expert_feed_forward_length"), ("gemma4, own inputs", "attention.key_length"),
        ("gemma4, own inputs", "attention.sliding_window"),
    ],
)  # fmt: skip
def test_figures_that_a_model_cannot_do_without_are_asked_for_by_key(name: str, key: str) -> None:
    with pytest.raises(Refused) as refused:
        read(name, without=(key,))
    (problem,) = refused.value.problems
    assert (problem.code, problem.values) == ("gguf.key", {"key": f"{SMALL[name].architecture}.{key}"})


@pytest.mark.parametrize("name", ["exaone4", "exaone4, no window", "gemma4, own inputs", "llama4"])
def test_a_number_of_layers_that_cannot_be_is_refused_at_once(name: str) -> None:
    with pytest.raises(Refused):
        build_model(read(name, block_count=4_000_000_000))
