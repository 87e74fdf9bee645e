"""Sizes as typed behind flags: with a unit, or in so many bytes that none can be missing."""

from collections.abc import Callable
from typing import Any

import pytest

QUICK = "params=8e9,layers=32,kv_heads=8,head_dim=128"


@pytest.mark.parametrize("size", ["4.92GB", "4.92 GB", "4.92G", "4920000000", "4.92e9"])
def test_a_quick_models_file_is_typed_as_that_of_any_model(as_json: Callable[..., Any], size: str) -> None:
    found = as_json("evaluate", "--quick", f"{QUICK},file_bytes={size}", "--hardware", "RTX 4090")
    assert found["hardware"][0]["totals"]["weight_bytes_resident"] == 4.92e9


@pytest.mark.parametrize("size", ["4.92", "5", "4.92 parsecs", "-4GB", "0"])
def test_what_is_no_size_of_a_quick_model_is_asked_for_its_unit(refused: Callable[..., str], size: str) -> None:
    line = refused("evaluate", "--quick", f"{QUICK},file_bytes={size}", "--hardware", "RTX 4090")
    assert "file_bytes cannot be" in line
    assert "4.92GB" in line


@pytest.mark.parametrize(
    ("flag", "size"), [("--reserve", "2"), ("--reserve", "512"), ("--file-bytes", "63.37"), ("--reserve", "2e3")]
)
def test_a_bare_number_too_small_for_bytes_is_asked_for_its_unit(
    refused: Callable[..., str], flag: str, size: str
) -> None:
    line = refused("evaluate", "--model", "gpt-oss-120b", flag, size, "--hardware", "RTX 4090")
    assert flag in line
    assert f"{size}GB" in line


@pytest.mark.parametrize("size", ["0", "2GB", "2000000000", "512MiB", "1e9"])
def test_sizes_with_a_unit_none_and_bytes_in_full_are_taken(as_json: Callable[..., Any], size: str) -> None:
    found = as_json("evaluate", "--model", "Llama-3.1-8B", "--reserve", size, "--hardware", "RTX 4090")
    assert found["hardware"]
