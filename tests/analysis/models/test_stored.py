"""Tensors of a file against the architecture they belong to: all reach their rows, whatever the family."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.analysis.models import Model, build_model
from explorer.analysis.models.checkpoint.stored import _scopes, with_tensors
from explorer.analysis.problem import Refused
from explorer.analysis.step.phases.registry import one_step
from explorer.files.models.presets import load_presets
from explorer.files.models.tensors import FileTensor, summarise


def listed(model: Model) -> Iterator[FileTensor]:
    """A checkpoint in the family's own module names, 16 bits a value."""
    for scope in _scopes(model.architecture):
        lead = f"model.{scope.side}." if scope.side else "model."
        for op in scope.ops:
            for tensor in op.tensors:
                values = tensor.values * tensor.count
                for layer in sorted(scope.layers) or [None]:
                    place = lead if layer is None else f"{lead}layers.{layer}."
                    yield FileTensor(place + tensor.name, "bf16", values, 2 * values)
    for tensor in model.architecture.extra:
        values = tensor.values * tensor.count
        yield FileTensor(f"vision_tower.{tensor.name}", "bf16", values, 2 * values)


def check(model: Model) -> None:
    stored = with_tensors(model, summarise(listed(model), "bf16"))
    assert stored.stored is not None
    assert stored.stored.resident == 2 * model.parameters
    assert not [n for n in stored.assumptions if n.code == "model.tensors_missing"]
    phase = "decode" if "decode" in model.architecture.phases else "prefill"
    rows = stored.rows(one_step(phase, 1.0, 512.0))
    products = {row.weights for row in rows if row.kind in {"matmul", "moe_matmul"}}
    assert all(name.split()[0] == "bf16" for name in products)  # "bf16 16.03" with a bias


@pytest.mark.parametrize("preset", load_presets(), ids=lambda p: p.id)
def test_every_tensor_of_a_preset_reaches_a_row(preset) -> None:
    check(build_model(preset.config, preset.name))


def test_every_tensor_of_every_real_config_reaches_a_row(shared: Path) -> None:
    checked = 0
    for path in sorted((shared / "cases" / "configs").glob("*.json")):
        if "V4" in path.name:  # its compressed caches share one module
            continue
        try:
            model = build_model(json.loads(path.read_text(encoding="utf-8")), path.stem)
        except Refused:
            continue
        check(model)
        checked += 1
    assert checked >= 40
