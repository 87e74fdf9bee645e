"""Models of which the size of their file is known."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import explorer
from explorer.files.study.writing import study_pieces


def step(as_json: Callable[..., Any], model: str | Path, size: str, *more: str) -> Any:
    found = as_json("evaluate", "--model", model, "--file-bytes", size, "--hardware", "RTX 4090", *more)
    return found["hardware"][0]["totals"], found["assumptions"]


def test_gpt_oss_by_its_file_streams_experts_in_mxfp4_and_the_rest_in_eight_bits(as_json: Callable[..., Any]) -> None:
    """A token: 3.58e9 expert values at 4.25 bit, 1.54e9 of attention and head at 8.5: 3.53 GB, not 4.34 bit for all."""
    totals, said = step(as_json, "gpt-oss-120b", "63.37GB")
    assert totals["weight_bytes_streamed"] == pytest.approx(3.53e9, rel=0.02)
    assert any("MXFP4_MOE" in sentence for sentence in said)


@pytest.mark.parametrize("size", ["65.25GB", "60.77 GiB"])
def test_a_file_of_the_checkpoints_own_size_has_its_formats(as_json: Callable[..., Any], size: str) -> None:
    totals, said = step(as_json, "gpt-oss-120b", size)
    assert totals["weight_bytes_streamed"] == pytest.approx(5.0e9, rel=0.01)
    assert any("checkpoint's own" in sentence for sentence in said)


@pytest.mark.parametrize(
    ("model", "size", "mix"),
    [
        ("Qwen3-30B-A3B", "18.56GB", "Q4_K_M"),
        ("Qwen3-30B-A3B", "32.48e9", "Q8_0"),
        ("Qwen3-4B", "2497281120", "Q4_K_M"),
        ("Llama-3.1-8B", "4.58GiB", "Q4_K_M"),
        ("Llama-3.1-8B", "3.18 GB", "Q2_K"),
    ],
)
def test_a_published_size_is_known_as_its_mix(as_json: Callable[..., Any], model: str, size: str, mix: str) -> None:
    sized, said = step(as_json, model, size)
    named = as_json("evaluate", "--model", model, "--weights", mix, "--hardware", "RTX 4090")["hardware"][0]["totals"]
    assert any(f"the mix {mix}:" in sentence for sentence in said)
    assert sized["weight_bytes_streamed"] == pytest.approx(named["weight_bytes_streamed"], rel=1e-3)


def test_a_size_between_the_mixes_counts_the_fewest_bytes_and_says_the_band(as_json: Callable[..., Any]) -> None:
    """17.71 GB: 4.64 bit for all, 1.76 GB a token beside the routers; Q4_K_M scaled down would read 1.88 GB."""
    totals, said = step(as_json, "Qwen3-30B-A3B", "17.71GB")
    assert totals["weight_bytes_resident"] == pytest.approx(17.71e9)
    assert totals["weight_bytes_streamed"] == pytest.approx(1.80e9, rel=0.01)
    assert any("No mix" in sentence and "1,877," in sentence for sentence in said)


@pytest.mark.parametrize("size", ["2GB", "900GB"])
def test_a_size_that_no_file_of_the_model_has_is_refused(refused: Callable[..., str], size: str) -> None:
    line = refused("evaluate", "--model", "Qwen3-30B-A3B", "--file-bytes", size, "--hardware", "RTX 4090")
    assert line.startswith("--file-bytes: No file of this model takes")


@pytest.mark.parametrize("size", ["big", "0", "-5GB", "12 parsecs", "18,56GB", "5 Gbit"])
def test_what_is_no_size_is_refused_in_a_line(refused: Callable[..., str], size: str) -> None:
    line = refused("evaluate", "--model", "Qwen3-4B", f"--file-bytes={size}", "--hardware", "RTX 4090")
    assert "--file-bytes" in line


def test_a_mix_asked_for_stands_above_the_files_size(as_json: Callable[..., Any]) -> None:
    totals, said = step(as_json, "Qwen3-30B-A3B", "18.56GB", "--weights", "Q8_0")
    assert totals["weight_bytes_resident"] == pytest.approx(32.48e9, rel=1e-3)
    assert any("which was asked for" in sentence for sentence in said)
    assert not any("has the size" in sentence for sentence in said)


@pytest.mark.parametrize(
    ("model", "size", "mix", "held"),
    [
        ("Llama-3.1-8B", "30GB", "Q4_K_M", "4,912,898,048"),
        ("Qwen3-30B-A3B", "18.56GB", "Q8_0", "32,4"),
        ("DeepSeek-V3", "404GB", "bf16", "1,342,"),
    ],
)
def test_a_size_and_a_format_that_contradict_are_said_with_the_bytes_of_both(
    as_json: Callable[..., Any], model: str, size: str, mix: str, held: str
) -> None:
    for found in (
        as_json("model", model, "--file-bytes", size, "--weights", mix),
        as_json("evaluate", "--model", model, "--file-bytes", size, "--weights", mix, "--hardware", "H100 SXM5"),
    ):
        said = next(s for s in found["assumptions"] if "which was asked for" in s)
        assert held in said
        assert "is stored otherwise" in said


def test_a_size_near_to_the_format_asked_for_has_no_part_in_it_either(as_json: Callable[..., Any]) -> None:
    said = as_json("model", "Llama-3.1-8B", "--file-bytes", "9.08GB", "--weights", "fp8")["assumptions"]
    assert any("have no part in it" in s for s in said)


def test_a_quick_models_file_is_said_to_be_left_aside_too(as_json: Callable[..., Any]) -> None:
    quick = "params=8e9,layers=32,kv_heads=8,head_dim=128,weights=bf16,file_bytes=16.1e9"
    sized = as_json("evaluate", "--quick", quick, "--hardware", "H100 SXM5")
    other = as_json("evaluate", "--quick", quick, "--weights", "fp8", "--hardware", "H100 SXM5")
    assert not any("which was asked for" in s for s in sized["assumptions"])
    assert any("16,100,000,000 bytes is stored otherwise" in s for s in other["assumptions"])


@pytest.mark.parametrize(
    ("model", "size", "rules", "file"),
    [
        ("DeepSeek-V3", "404GB", "404,554,586,112", "404,000,000,000"),
        ("gpt-oss-120b", "63.37GB", "63,374,323,968", "63,370,000,000"),
        ("Llama-3.1-8B", "4.91GB", "4,912,898,048", "4,910,000,000"),
    ],
)
def test_the_rules_sum_and_the_files_size_are_said_apart(
    as_json: Callable[..., Any], model: str, size: str, rules: str, file: str
) -> None:
    said = next(s for s in as_json("model", model, "--file-bytes", size)["assumptions"] if "has the size" in s)
    assert f"the tensors take {rules} bytes" in said
    assert said.count(file) == 1


def test_other_formats_say_that_the_files_size_has_no_part_in_them(as_json: Callable[..., Any]) -> None:
    _, said = step(as_json, "Qwen3-4B", "2.497GB", "--weights", "fp8")
    assert any("which was asked for" in sentence for sentence in said)
    assert not any("has the size" in sentence for sentence in said)


def test_the_mix_of_the_files_own_size_may_be_named_beside_it(as_json: Callable[..., Any]) -> None:
    _, said = step(as_json, "Qwen3-4B", "2.497GB", "--weights", "Q4_K_M")
    assert not any("which was asked for" in sentence for sentence in said)


def test_a_quick_model_takes_a_files_size_too(as_json: Callable[..., Any]) -> None:
    quick = "params=70B,layers=80,kv_heads=8,head_dim=128"
    found = as_json("evaluate", "--quick", quick, "--file-bytes", "42.52GB", "--hardware", "H100 SXM5")
    assert found["hardware"][0]["totals"]["weight_bytes_resident"] == 42.52e9


def test_the_model_command_and_python_know_the_size_too(as_json: Callable[..., Any]) -> None:
    assert as_json("model", "Qwen3-4B", "--file-bytes", "2.497GB")["weight_bytes"] == pytest.approx(2.4913e9, rel=1e-4)
    study = explorer.new_study("gpt-oss-20b", "RTX 4090", file_bytes=12.11e9)
    card = explorer.evaluate(study).active
    assert card is not None
    assert float(card.totals.traffic.weights_streamed) == pytest.approx(2.575e9, rel=1e-3)


def test_the_size_stays_with_the_study(tmp_path: Path) -> None:
    study = explorer.new_study("Qwen3-4B", "RTX 4090", file_bytes=2.497e9)
    path = tmp_path / "sized.roofline.yaml"
    path.write_text("".join(study_pieces(study)), "utf-8")
    assert explorer.load_study(path).models[0].file_bytes == 2.497e9


@pytest.mark.parametrize(("text", "free"), [("2GB", 2e9), ("512MiB", 2**29), ("1e9", 1e9), ("0", 0.0)])
def test_a_reserve_is_kept_free(as_json: Callable[..., Any], text: str, free: float) -> None:
    flags = ("evaluate", "--model", "Qwen3-4B", "--hardware", "RTX 4090")
    kept, all_of_it = (
        as_json(*flags, *more)["hardware"][0]["totals"]["memory_bytes"] for more in (("--reserve", text), ())
    )
    assert kept - all_of_it == free


def test_a_reserve_that_is_no_size_is_refused(refused: Callable[..., str]) -> None:
    flags = ("evaluate", "--model", "Qwen3-4B", "--hardware", "RTX 4090")
    assert "--reserve" in refused(*flags, "--reserve", "some")
    assert "--reserve" in refused(*flags, "--reserve=-2GB")
