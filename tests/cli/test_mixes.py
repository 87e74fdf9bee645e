"""Mixes of llama.cpp by name, on the command line and from Python."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import explorer
from tests.cli.conftest import LLAMA_3_8B

LLAMA_3_1_8B = {**LLAMA_3_8B, "max_position_embeddings": 131072}


def test_weights_may_be_a_mix(as_json: Callable[..., Any], config: Callable[..., Path]) -> None:
    """Llama-3.1-8B Q4_K_M is 4.913 GB, of which the input table is 128,256 x 4,096 x 4.5 bit."""
    flags = ("evaluate", "--model", config(LLAMA_3_1_8B), "--hardware", "RTX 4090", "--weights", "q4_k_m")
    found = as_json(*flags)
    totals = found["hardware"][0]["totals"]
    assert found["workload"]["weights"] == "Q4_K_M"
    assert totals["weight_bytes_resident"] == pytest.approx(4.913e9, rel=2e-4)
    table = 128256 * 4096 * 4.5 / 8
    assert totals["weight_bytes_resident"] - totals["weight_bytes_streamed"] == pytest.approx(table, rel=1e-3)
    assert any("Q4_K_M" in said and "llama.cpp" in said for said in found["assumptions"])


def test_the_size_of_a_mix_is_what_the_model_command_says(as_json: Callable[..., Any]) -> None:
    """Qwen3-4B Q4_K_M: 2.491 GB."""
    assert as_json("model", "Qwen3-4B", "--weights", "Q4_K_M")["weight_bytes"] == pytest.approx(2.491e9, rel=5e-4)


@pytest.mark.parametrize(("flag", "needed"), [("--kv", "Q4_K"), ("--activations", "IQ2_S")])
def test_a_mix_is_for_weights_alone(refused: Callable[..., str], flag: str, needed: str) -> None:
    mix = {"Q4_K": "Q4_K_M", "IQ2_S": "IQ2_M"}[needed]
    line = refused("evaluate", "--model", "Qwen3-4B", "--hardware", "RTX 4090", flag, mix)
    assert line.startswith(f"{flag}: {mix} is a mix of formats")
    assert needed in line


def test_a_quick_model_in_a_mix_says_how_many_bits_it_takes(as_json: Callable[..., Any]) -> None:
    """70B in Q4_K_M: about 42.5 GB; by bits of Llama-3.1-8B within some percent."""
    quick = "params=70.55B,layers=80,kv_heads=8,head_dim=128,weights=Q4_K_M"
    found = as_json("evaluate", "--quick", quick, "--hardware", "H100 SXM5")
    assert found["hardware"][0]["totals"]["weight_bytes_resident"] == pytest.approx(42.5e9, rel=0.02)
    assert any("bits a weight" in said for said in found["assumptions"])


def test_python_takes_mixes_as_the_command_line_does() -> None:
    study = explorer.new_study("Qwen3-30B-A3B", "RTX 4090", weights="ud-q4_k_xl")
    assert study.workload.weights == "UD-Q4_K_XL"
    card = explorer.evaluate(study).active
    assert card is not None
    assert float(card.totals.memory_bytes) == pytest.approx(18.75e9, rel=0.01)
    with pytest.raises(explorer.InputError, match="Q4_K_M is a mix"):
        explorer.with_workload(study, kv="Q4_K_M")


def test_own_operators_take_the_format_of_most_matrices(tmp_path: Path, as_json: Callable[..., Any]) -> None:
    study = tmp_path / "own.roofline.yaml"
    study.write_text(
        "format: 2\nworkload: {weights: IQ2_M}\noperators:\n"
        "- {id: a, name: product, kind: matmul, dims: {m: 1, n: 4096, k: 4096}}\n",
        "utf-8",
    )
    found = as_json("evaluate", study, "--hardware", "H100 SXM5")
    assert found["hardware"][0]["operators"][0]["bytes_read"] == 4096 * 2 + 4096 * 4096 * 82 / 256
