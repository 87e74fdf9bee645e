"""Quantised checkpoints from their files: the handed cases, and what lies beside a config."""

import csv
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import explorer.presentation.sentences  # noqa: F401 - registers every sentence
from explorer.analysis.models import Model
from explorer.analysis.problem import Refused
from explorer.analysis.step.expand import built_model
from explorer.files.catalogue import load_catalogue
from explorer.files.models.model_file import read_model
from explorer.files.models.sidecars import with_sidecar
from explorer.presentation.words.messages import render_problem

SMALL: dict[str, Any] = {
    "model_type": "llama", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "vocab_size": 100,
    "num_attention_heads": 4, "tie_word_embeddings": False, "torch_dtype": "bfloat16",
}  # fmt: skip
CASES = [
    "auto-round",
    "bitsandbytes-skip",
    "compressed-tensors-groups",
    "exl2",
    "exl3",
    "fp8-block-ignore",
    "fp8-channel-moe-ignore",
    "hqq",
    "mlx-mixed",
    "modelopt-fp8-sidecar/config",
    "modelopt-nvfp4-sidecar/config",
    "mxfp4-gpt-oss",
    "nvfp4-fused-experts",
    "nvfp4-moe",
    "quark",
    "torchao",
]


def weight_bytes(model: Model) -> float:
    return model.weight_bytes(None, load_catalogue(devices=False).format_by_id)


def built(path: Path) -> Model:
    return built_model(read_model(path))


@pytest.mark.parametrize("case", CASES)
def test_a_handed_checkpoint_has_its_bytes_and_its_cache(case: str, shared: Path) -> None:
    folder = shared / "cases" / "quant"
    with (folder / "quant.csv").open(encoding="utf-8") as file:
        truth = {row["config"].removesuffix(".json"): row for row in csv.DictReader(file)}
    assert set(truth) == set(CASES)
    model = built(folder / f"{case}.json")
    wanted = float(truth[case]["weight_bytes"])
    assert weight_bytes(model) == (pytest.approx(wanted, rel=0.02) if case == "exl2" else wanted)
    assert model.kv_format == truth[case]["kv_format"]


FAILED = [  # name, GB of weights, the cache's format
    ("01_modelopt_sidecar", 134.1, "fp8"),
    ("01_modelopt_sidecar/config.json", 134.1, "fp8"),
    ("02_mixed_groups_config.json", 21.7, "bf16"),
    ("03_fused_experts_config.json", 18.8, "fp8"),
    ("05_mlx_4bit_config.json", 4.61, "bf16"),
]


@pytest.mark.parametrize(("name", "gigabytes", "kv"), FAILED)
def test_a_checkpoint_that_went_wrong_has_its_published_size(
    name: str, gigabytes: float, kv: str, shared: Path
) -> None:
    model = built(shared / "cases" / "failing" / name)
    assert weight_bytes(model) / 1e9 == pytest.approx(gigabytes, abs=0.05 if gigabytes > 10 else 0.005)
    assert model.kv_format == kv


def test_infinity_in_a_field_that_is_not_used_changes_no_count(shared: Path) -> None:
    model = built(shared / "cases" / "failing" / "04_infinity_config.json")
    assert (round(model.parameters / 1e9, 2), round(model.active_parameters / 1e9, 2)) == (120.67, 12.77)


BESIDE = [
    ("hf_quant_config.json", {"quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8"}}, "fp8", "fp8"),
    (
        "hf_quant_config.json",
        {"quantization": {"quant_algo": "NVFP4", "exclude_modules": ["*self_attn*"]}},
        "nvfp4",
        "bf16",
    ),
    ("hf_quant_config.json", {"quantization": {"quant_algo": None, "kv_cache_quant_algo": "FP8"}}, "bf16", "fp8"),
    ("quantize_config.json", {"bits": 4, "group_size": 32, "desc_act": True}, "int4-g32", "bf16"),
    ("quant_config.json", {"zero_point": True, "q_group_size": 64, "w_bit": 4, "version": "GEMM"}, "int4-g64", "bf16"),
]


def folder_with(tmp_path: Path, config: dict[str, Any], name: str, beside: object) -> Path:
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (tmp_path / name).write_text(json.dumps(beside), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("name", "beside", "weights", "kv"), BESIDE)
def test_what_lies_beside_a_config_counts_from_the_folder_and_from_the_file(
    name: str, beside: object, weights: str, kv: str, tmp_path: Path
) -> None:
    folder = folder_with(tmp_path, SMALL, name, beside)
    for path in (folder, folder / "config.json"):
        model = built(path)
        assert (model.weights_format, model.kv_format) == (weights, kv)


GPTQ = {"quant_method": "gptq", "bits": 4, "group_size": 32}


@pytest.mark.parametrize(
    ("own", "name", "beside"),
    [
        ({"quant_method": "fp8"}, "hf_quant_config.json", BESIDE[0][1]),
        (GPTQ, "hf_quant_config.json", BESIDE[1][1]),
        (GPTQ, "quantize_config.json", {"bits": 8, "group_size": 32}),
        (GPTQ, "quantize_config.json", {"bits": 4, "group_size": 128}),
        ({"bits": 4, "group_size": 64}, "quant_config.json", BESIDE[4][1]),
        ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, "hf_quant_config.json", BESIDE[0][1]),
    ],
)
def test_a_config_and_a_file_beside_it_that_differ_are_refused_by_both_names(
    own: dict[str, Any], name: str, beside: object, tmp_path: Path
) -> None:
    folder = folder_with(tmp_path, {**SMALL, "quantization_config": own}, name, beside)
    with pytest.raises(Refused) as refusal:
        read_model(folder)
    text = render_problem(refusal.value.problems[0])
    assert name in text
    assert "config.json" in text


def test_two_files_beside_a_config_that_differ_are_refused_too(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, SMALL, *BESIDE[0][:2])
    folder_with(folder, SMALL, *BESIDE[3][:2])
    with pytest.raises(Refused):
        read_model(folder)


def test_what_a_config_says_of_itself_is_kept_where_the_file_beside_it_agrees(tmp_path: Path) -> None:
    own = {**SMALL, "quantization_config": {**GPTQ, "lm_head": True}}
    model = read_model(folder_with(tmp_path, own, "quantize_config.json", {"bits": 4, "group_size": 32}))
    assert model.config["quantization_config"] == own["quantization_config"]
    alone = tmp_path / "alone"
    alone.mkdir()
    inner = {"text_config": {"quantization": {"bits": 4, "group_size": 64}}}
    assert with_sidecar(inner, alone) is inner


def _nowhere(path: Path) -> None:
    path.symlink_to(path.parent / "blobs" / "gone")


def _loop(path: Path) -> None:
    path.symlink_to(path)


def _endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes are those of Unix")
@pytest.mark.parametrize("name", ["hf_quant_config.json", "quantize_config.json", "quant_config.json"])
@pytest.mark.parametrize("made", [_nowhere, _loop, _endless, Path.mkdir, getattr(os, "mkfifo", None)])
def test_a_file_beside_a_config_that_cannot_be_read_is_refused_by_name(
    made: Callable[[Path], None], name: str, tmp_path: Path
) -> None:
    (tmp_path / "config.json").write_text(json.dumps(SMALL), encoding="utf-8")
    made(tmp_path / name)
    with pytest.raises(Refused) as refusal:
        read_model(tmp_path)
    assert len(refusal.value.problems) == 1
    assert name in render_problem(refusal.value.problems[0])


@pytest.mark.parametrize("damaged", [{}, {"quantization": 3}, []])
def test_a_damaged_file_beside_a_config_is_named(damaged: object, tmp_path: Path) -> None:
    folder = folder_with(tmp_path, SMALL, "hf_quant_config.json", damaged)
    with pytest.raises(Refused) as refusal:
        read_model(folder)
    assert refusal.value.problems[0].path.startswith("hf_quant_config.json")
