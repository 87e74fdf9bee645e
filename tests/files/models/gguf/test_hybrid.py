"""Decoders with states in GGUF files: kinds of layers are told by tensors, sizes by keys."""

from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.files.models.gguf.architectures import config_of
from explorer.files.models.gguf.header import GgufFile
from explorer.files.models.tensors import FileTensor
from tests.files.gguf_hybrids import HYBRIDS


def read(name: str, *, without: str = "", tensors: Any = None, **more: Any) -> dict[str, Any]:
    small = HYBRIDS[name]
    lead = small.architecture
    metadata = small.metadata | {f"{lead}.{key.replace('__', '.')}": value for key, value in more.items()}
    metadata.pop(f"{lead}.{without}", None)
    found = small.tensors if tensors is None else tensors
    shapes = {t[0]: t[1] for t in found}
    return config_of(GgufFile(metadata, tuple(FileTensor(t[0], t[2], 1, 1) for t in found), shapes)).config


def test_layers_are_of_the_kind_that_their_tensors_tell() -> None:
    assert read("lfm2")["layer_types"] == ["conv", "full_attention"] * 2
    assert read("granitehybrid")["layer_types"] == ["linear_attention", "full_attention"] * 2
    assert read("bamba as granitehybrid")["attn_layer_indices"] == [1, 3]
    assert read("nemotron_h")["layers_block_type"] == ["linear_attention", "mlp", "full_attention", "linear_attention"]
    assert read("nemotron_h_moe")["layers_block_type"][1] == "moe"
    jamba = read("jamba")
    assert (jamba["attn_layer_period"], jamba["attn_layer_offset"]) == (2, 1)
    assert (jamba["expert_layer_period"], jamba["expert_layer_offset"]) == (2, 1)


def test_layers_of_jamba_at_uneven_distances_are_refused() -> None:
    small = HYBRIDS["jamba"]
    moved = [t for t in small.tensors if not t[0].startswith("blk.3.attn_")]
    assert read("jamba", tensors=moved)["attn_layer_period"] == 4  # one alone
    odd = [*moved, *(("blk.0" + t[0][5:], *t[1:]) for t in moved if t[0].startswith("blk.1.attn_q"))]
    with pytest.raises(Refused) as refused:
        read("jamba", tensors=odd)
    assert [(p.code, p.values) for p in refused.value.problems] == [
        ("gguf.layers_differ", {"key": "jamba.attention.head_count_kv"})
    ]


@pytest.mark.parametrize(
    ("name", "model_type"), [("granitehybrid", "granitemoehybrid"), ("granitehybrid, dense", "bamba")]
)
def test_positions_beside_mamba_without_experts_are_bambas(name: str, model_type: str) -> None:
    found = read(name, rope__scaling__finetuned=True)
    assert found["model_type"] == model_type
    assert found.get("position_embedding_type", "rope") == "rope"
    assert read(name)["position_embedding_type"] == "nope"


@pytest.mark.parametrize(("said", "kind"), [(True, "falcon_mamba"), (False, "mamba")])
def test_norms_inside_make_a_falcon_mamba(said: bool, kind: str) -> None:
    assert read("mamba", ssm__dt_b_c_rms=said)["model_type"] == kind


def test_a_mamba_whose_inner_size_is_no_multiple_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        build_model(read("mamba", ssm__inner_size=500))
    assert [p.code for p in refused.value.problems] == ["model.inner_size_differs"]


@pytest.mark.parametrize("key", ["ssm.inner_size", "ssm.state_size", "ssm.conv_kernel", "ssm.time_step_rank"])
@pytest.mark.parametrize("name", ["granitehybrid", "falcon-h1", "jamba", "mamba", "mamba2", "nemotron_h"])
def test_sizes_of_states_are_asked_for_by_key(name: str, key: str) -> None:
    with pytest.raises(Refused) as refused:
        read(name, without=key)
    lead = HYBRIDS[name].architecture
    assert [(p.code, p.values) for p in refused.value.problems] == [("gguf.key", {"key": f"{lead}.{key}"})]


def test_biases_of_layers_that_not_every_block_has_are_found_in_any() -> None:
    assert read("lfm2")["conv_bias"] is False
    biased = [*HYBRIDS["lfm2"].tensors, ("blk.2.shortconv.in_proj.bias", (768,), "fp32")]
    assert read("lfm2", tensors=biased)["conv_bias"] is True
    assert read("jamba")["mamba_conv_bias"] is True
    assert read("jamba")["mamba_proj_bias"] is False


@pytest.mark.parametrize("name", ["lfm2", "lfm2moe", "granitehybrid", "jamba", "nemotron_h"])
def test_a_number_of_layers_that_cannot_be_is_refused_at_once(name: str) -> None:
    with pytest.raises(Refused):
        build_model(read(name, block_count=4_000_000_000))
