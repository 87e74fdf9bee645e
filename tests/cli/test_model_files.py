"""Models of the command line: files of weights, folders, presets by part of a name; each fault is one line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.files.gguf_models import SMALL
from tests.files.test_safetensors import LLAMA, folder, llama, size_of
from tests.files.weights import llama_metadata, llama_tensors, write_gguf


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    return write_gguf(tmp_path / "Llama-3.1-8B-Q4_K_M.gguf", llama_metadata(), llama_tensors())


def test_a_gguf_file_is_evaluated_with_its_own_bytes(run: Callable, gguf: Path) -> None:
    found = json.loads(run("evaluate", "--model", gguf, "--hardware", "H100 SXM5", "--json").out)
    totals = found["hardware"][0]["totals"]
    assert totals["weight_bytes_resident"] == 4_912_898_304
    table, row, idle = 295_501_824, 4096 * 4.5 / 8, 256
    assert totals["weight_bytes_streamed"] == pytest.approx(4_912_898_304 - table - idle + row)
    assert found["workload"]["weights"] == "Q4_K_M"
    assert found["model"]["parameters"] == 8_030_261_248


def test_model_says_what_one_token_reads_of_the_file(run: Callable, gguf: Path, tmp_path: Path) -> None:
    assert "4.91 GB in all, of which one token reads 4.62 GB" in " ".join(run("model", gguf).out.split())
    small = SMALL["qwen3moe"]
    moe = write_gguf(tmp_path / "moe.gguf", small.metadata, small.tensors)
    assert "of which one token reads" in run("model", moe).out


def test_a_folder_of_shards_is_a_model(run: Callable, tmp_path: Path) -> None:
    place = folder(tmp_path / "Tiny-1B", llama(), LLAMA, shards=2)
    found = json.loads(run("model", place, "--json").out)
    assert found["weight_bytes"] == size_of(llama())


def test_a_part_of_a_presets_name_is_enough(run: Callable) -> None:
    found = json.loads(run("model", "llama 405b", "--json").out)
    assert found["parameters"] == 405_853_388_800


@pytest.mark.parametrize(
    ("cut", "words"),
    [(100, "ends"), (3, "not UTF-8"), (4_000_000_000, "bytes too early")],
)
def test_a_damaged_file_is_one_clear_line(refused: Callable[..., str], gguf: Path, cut: int, words: str) -> None:
    with gguf.open("r+b") as file:
        file.truncate(cut)
        if cut == 3:
            file.write(b"\xff\xfe\xff")
    line = refused("evaluate", "--model", gguf, "--hardware", "H100 SXM5")
    assert gguf.name in line
    assert words in line


def test_several_presets_are_named(refused: Callable[..., str]) -> None:
    assert "Qwen3-4B, Qwen3-8B" in refused("model", "qwen3")
