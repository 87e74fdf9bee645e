"""Titles of the slides of single views."""

from types import SimpleNamespace
from typing import cast

from explorer.analysis.step.evaluate import DeviceResult
from explorer.presentation.slide.titles import _most, _within_one


def device(**shares: float) -> DeviceResult:
    points = [SimpleNamespace(row=SimpleNamespace(name=name)) for name in shares]
    return cast("DeviceResult", SimpleNamespace(points=points, shares=list(shares.values())))


def test_operators_that_tie_with_the_last_named_are_named_too() -> None:
    names, total = _most(device(gate=0.283, up=0.283, down=0.283, rest=0.151))
    assert names == ["gate", "up", "down"]
    assert round(total, 3) == 0.849


def test_what_is_smaller_is_not_named_once_half_is_told() -> None:
    assert _most(device(a=0.4, b=0.3, c=0.2, d=0.1))[0] == ["a", "b"]
    assert _most(device(a=0.1, b=0.09, c=0.08, d=0.07))[0] == ["a", "b", "c"]


def test_the_part_of_a_layer_is_said_once() -> None:
    assert _within_one(["experts.gate_proj", "experts.up_proj"]) == ["experts.gate_proj", "up_proj"]
    assert _within_one(["experts.gate_proj", "attention"]) == ["experts.gate_proj", "attention"]
    assert _within_one(["qkv", "o"]) == ["qkv", "o"]
