"""A family is one file and one line of a table: registered, its configs are read at every door."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from explorer.analysis.models import families, registry
from explorer.analysis.models.families.decoder import DecoderReader
from explorer.analysis.models.families.family import Family

CONFIG = {
    "model_type": "dummy",
    "width": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 128,
    "vocab_size": 100,
}


@pytest.fixture
def dummy(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType(f"{families.__name__}.dense.dummy")
    module.FAMILIES = (Family(("dummy",), DecoderReader("Dummy", aliases={"hidden_size": ("width",)})),)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(registry.MODULES, "dense.dummy", ("dummy",))


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(CONFIG), encoding="utf-8")
    return path


@pytest.mark.usefixtures("dummy")
def test_a_registered_family_is_read_from_a_config(run: Callable, config: Path) -> None:
    found = json.loads(run("model", config, "--json").out)
    layer = 2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 128 + 2 * 64
    assert found["parameters"] == 2 * 100 * 64 + 2 * layer + 64


@pytest.mark.usefixtures("dummy")
def test_a_registered_family_is_evaluated(run: Callable, config: Path) -> None:
    found = json.loads(run("evaluate", "--model", config, "--hardware", "H100 SXM5", "--json").out)
    assert found["hardware"][0]["totals"]["time_s"] > 0


def test_an_unregistered_one_is_refused_with_the_ways_out(refused: Callable[..., str], config: Path) -> None:
    line = refused("model", config)
    assert "dummy" in line
    assert "quick model" in line
