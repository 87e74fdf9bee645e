"""Every assumption has its sentence wherever assumptions are printed, in a process that has just begun."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

CODE = re.compile(r'"(note\.[a-z0-9_]+)"')
PATHS = ("explorer.presentation.answer.json_result", "explorer.presentation.sentences", "explorer.report.console")


def codes(root: Path) -> set[str]:
    """Codes of assumptions that the analysis writes out."""
    found = (CODE.findall(p.read_text("utf-8")) for p in (root / "explorer" / "analysis").rglob("*.py"))
    return {code for each in found for code in each}


@pytest.mark.parametrize("path", PATHS)
def test_a_module_that_prints_assumptions_brings_all_their_sentences(path: str, root: Path) -> None:
    code = f"import json, {path}, explorer.presentation.words.messages as said; print(json.dumps([*said.TEMPLATES]))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, encoding="utf-8", check=True, timeout=60
    )
    assert {"note.routing_random", "note.routing_skewed", "note.no_launch", "note.floor_peak"} <= codes(root)
    assert codes(root) - set(json.loads(done.stdout)) == set()


@pytest.mark.parametrize(
    "asked",
    [
        ("--model", "Qwen3-30B-A3B", "--hardware", "H200 SXM", "--batch", "4"),
        ("--model", "Qwen3-30B-A3B", "--hardware", "H200 SXM", "--batch", "4", "--skew", "0.5"),
        ("--model", "Mixtral-8x7B", "--hardware", "RTX 5090", "--batch", "8", "--launch", "eager"),
        ("--quick", "params=13e9,layers=32,kv_heads=32,head_dim=128", "--hardware", "RTX 5090", "--phase", "prefill"),
    ],
)
def test_no_key_stands_where_a_sentence_is_meant(asked: tuple[str, ...], root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "explorer", "evaluate", *asked, "--json"],
        cwd=root, capture_output=True, encoding="utf-8", check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)["assumptions"]
    assert said
    assert [text for text in said if " " not in text] == []
