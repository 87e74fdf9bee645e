"""What a row uses beside its step time is explained, and leaves that time alone."""

import pytest

from explorer.analysis.step.machines.single import Machine
from explorer.analysis.step.resources import Resource
from explorer.analysis.step.stack import Lane, RowStack, lane
from explorer.presentation.explain.explain import explain
from tests.presentation.llama import evaluated

INNER = Resource("memory", "L2", rate=8e12)


def test_an_inner_memory_has_time_and_intensity_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    before = evaluated()
    lanes = Machine.lanes

    def with_inner(self: Machine, stack: RowStack, *, eager: bool) -> tuple[Lane, ...]:
        return (*lanes(self, stack, eager=eager), lane((INNER,), 16 * stack.moved, tier="detail"))

    monkeypatch.setattr(Machine, "lanes", with_inner)
    evaluation = evaluated()
    (device,), (old,) = evaluation.devices, before.devices
    point = next(p for p in device.points if p.row.name == "gate_proj")
    lines = {line.label: line for line in explain(evaluation, rows=("gate_proj",)).lines}
    assert lines["L2"].value == pytest.approx(16 * point.bytes / 8e12)
    assert lines["L2"].source == "as launched; no part of the time above"
    assert lines["intensity at L2"].value == pytest.approx(point.costs.flops / (16 * point.bytes))
    assert (device.totals.time_s, device.totals.floor_s) == (old.totals.time_s, old.totals.floor_s)
    assert device.totals.launched_s == pytest.approx(4 * old.totals.time_s, rel=0.05)
    assert "L2" not in {line.label for line in explain(before, rows=("gate_proj",)).lines}
