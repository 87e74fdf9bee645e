"""Devices by their figures, from the command line and from Python."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import explorer

FIGURES = "2TB/s,300TFLOP/s,80GB"


def test_a_device_by_its_figures_is_evaluated_and_named_as_typed(as_json: Callable[..., Any]) -> None:
    flags = ("--model", "Llama-3.1-8B", "--weights", "fp16")
    found = as_json("evaluate", *flags, "--hardware", FIGURES, "RTX 4090")
    first = found["hardware"][0]
    assert first["name"] == "2TB/s, 300TFLOP/s, 80GB"
    assert (first["bandwidth_byte_per_s"], first["peak_flop_per_s"], first["ridge_flop_per_byte"]) == (2e12, 3e14, 150)
    assert first["totals"]["simple"]["whole_file_s"] == pytest.approx(16.06e9 / 2e12, rel=0.02)
    assert first["totals"]["fits"] is True
    assert any("80,000,000,000 bytes" in said for said in found["assumptions"])


def test_without_a_capacity_nothing_is_said_of_fitting(as_json: Callable[..., Any]) -> None:
    found = as_json("evaluate", "--model", "Llama-3.1-8B", "--hardware", "2TB/s,300TFLOP/s")
    assert found["hardware"][0]["totals"]["fits"] is None
    assert any("typed alone" in said for said in found["assumptions"])


def test_a_bare_figure_is_refused_in_one_sentence(refused: Callable[..., str]) -> None:
    line = refused("evaluate", "--model", "Llama-3.1-8B", "--hardware", "2TB/s")
    assert line == (
        "“2TB/s” names no dense bf16 peak; a device is typed with both rates, as in “2TB/s,300TFLOP/s,80GB”."
    )


def test_python_and_figures_take_it_too(tmp_path: Path) -> None:
    study = explorer.new_study("Llama-3.1-8B", FIGURES)
    assert study.hardware[0].device.bandwidth == 2e12
    explorer.render(study, tmp_path / "typed.svg")
    assert "typed 2.00 TB/s" in (tmp_path / "typed.svg").read_text("utf-8")


def test_a_quick_model_takes_billions(as_json: Callable[..., Any], refused: Callable[..., str]) -> None:
    rest = "layers=80,kv_heads=8,head_dim=128"
    found = as_json("evaluate", "--quick", f"params=70B,{rest}", "--hardware", FIGURES)
    assert found["model"]["parameters"] == 70_000_000_000
    line = refused("evaluate", "--quick", f"params=8x7B,{rest}", "--hardware", FIGURES)
    assert "8x7B" in line
    assert "params" in line
