"""Work on resources: what a use takes, what a row waits for, and what must not change it."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device, LaunchOverhead, Link, MemoryLevel
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.step.placement import Placed
from explorer.analysis.step.resources import BOUNDS, Resource
from explorer.analysis.step.rows import Row
from explorer.analysis.step.stack import Lane, RowStack, lane
from explorer.analysis.step.work import Tier, Use, Work
from explorer.analysis.study.edits import add_model
from explorer.analysis.study.study import ModelEntry, Study
from tests.analysis.making import device, own, study
from tests.analysis.test_decode import LLAMA_2_13B

RATES = st.floats(1e9, 1e18)
MEMORY = Resource("memory", "HBM", rate=1e12, latency=1e-6)


class More(Machine, frozen=True, eq=False, dict=True):
    """A machine on which every row uses something more, or in another order."""

    rate: float = 1e30
    tier: Tier = "step"
    turned: bool = False

    def lanes(self, stack: RowStack, *, eager: bool) -> tuple[Lane, ...]:
        slow = lane((Resource("memory", "disk", rate=self.rate),), stack.moved, tier=self.tier)
        found = (*super().lanes(stack, eager=eager), slow)
        return found[::-1] if self.turned else found


def mixed(launch: str = "graph", **figures: Any) -> Study:
    rows = (
        own("big", "matmul", m=4096),
        own("one", "matmul", m=1, count=3),
        own("r", "relu", values=10),
        own("c", "copy"),
    )
    return add_model(
        study(*rows, on=(device(launch=2e-6, **figures),), launch=launch, batch=8),
        ModelEntry(id="m", name="m", config=LLAMA_2_13B),
    )


def told(found: tuple[Placed, Placed, Any]) -> Any:
    """All that a placing says of a step."""
    modelled, own_rows, totals = found
    points = (*modelled.points, *own_rows.points)
    return [(p.time_s, p.bound) for p in points], totals.time_s, totals.floor_s, totals.expected_s, totals.tokens_per_s


def test_a_use_takes_amount_over_rate_and_latency_adds_to_launches_and_links_alone() -> None:
    assert Use(MEMORY, 2e12).seconds == 2.0
    assert Use(MEMORY, 2e12, rate_factor=0.5).seconds == 4.0
    assert Use(MEMORY, 2e12, calls=5).seconds == 2.0
    assert Use(Resource("link", "NVLink", rate=1e11, latency=1e-5), 1e9, calls=2).seconds == pytest.approx(0.01002)
    assert Use(Resource("link", "NVLink", rate=1e11), 1e9, calls=2).seconds == pytest.approx(0.01)
    assert Use(Resource("launch", "", latency=3e-6), 0.0, calls=4).seconds == pytest.approx(12e-6)


def test_a_missing_figure_bounds_nothing_and_is_never_zero() -> None:
    assert Use(Resource("compute", "bf16"), 1e12).seconds is None
    assert Use(Resource("launch", ""), 0.0, calls=4).seconds is None
    work = Work(Row("r", "copy", {}), uses=(Use(Resource("compute", "bf16"), 1e30), Use(MEMORY, 1e12)))
    assert (work.time_s, work.bound) == (1.0, "memory")


def test_of_equally_slow_uses_the_first_in_order_is_the_bound() -> None:
    compute, launch = Resource("compute", "bf16", rate=1e12), Resource("launch", "", latency=1.0)
    uses = (Use(launch, 0.0, calls=1), Use(compute, 1e12), Use(MEMORY, 1e12))
    for some in (uses, uses[::-1]):
        assert Work(Row("r", "copy", {}), uses=some).bound == "memory"
    assert Work(Row("r", "copy", {}), uses=uses[:2]).bound == "compute"
    assert BOUNDS == ("memory", "compute", "overhead")


@pytest.mark.parametrize("launch", ["graph", "eager"])
def test_a_resource_that_is_never_the_slowest_changes_nothing(catalogue, launch: str) -> None:
    evaluation = evaluate(mixed(launch), catalogue)
    (machine,) = evaluation.evaluator.machines
    assert told(evaluation.on(More(machine.device))) == told(evaluation.on(machine))


@pytest.mark.parametrize("launch", ["graph", "eager"])
def test_the_order_of_resources_changes_nothing(catalogue, launch: str) -> None:
    evaluation = evaluate(mixed(launch), catalogue)
    (machine,) = evaluation.evaluator.machines
    assert told(evaluation.on(More(machine.device, turned=True))) == told(evaluation.on(machine))


@given(rate=st.floats(1e6, 1e14))
def test_a_detail_slows_the_step_as_launched_and_nothing_else(catalogue, rate: float) -> None:
    evaluation = evaluate(mixed(), catalogue)
    (machine,) = evaluation.evaluator.machines
    plain, detailed = evaluation.on(machine), evaluation.on(More(machine.device, rate=rate, tier="detail"))
    assert told(detailed) == told(plain)
    assert plain[2].launched_s == plain[2].time_s
    assert detailed[2].launched_s >= plain[2].time_s * (1 - 1e-12)
    if rate < 1e12:
        assert detailed[2].launched_s > plain[2].time_s


@given(bandwidth=st.floats(1e10, 1e14), rate=st.floats(1e12, 1e16), launch=st.floats(1e-8, 1e-3), gain=st.floats(1, 64))
def test_time_falls_with_every_rate(catalogue, bandwidth: float, rate: float, launch: float, gain: float) -> None:
    evaluation = evaluate(mixed("eager"), catalogue)

    def time(bandwidth: float, rate: float, launch: float) -> tuple[float, float]:
        found = evaluation.on(Machine(device(rate=rate, bandwidth=bandwidth, launch=launch)))[2]
        return float(found.time_s), float(found.floor_s)

    slow = time(bandwidth, rate, launch)
    for faster in (
        (bandwidth * gain, rate, launch),
        (bandwidth, rate * gain, launch),
        (bandwidth, rate, launch / gain),
    ):
        assert all(a <= b * (1 + 1e-12) for a, b in zip(time(*faster), slow, strict=True))


@pytest.mark.parametrize("launch", ["graph", "eager"])
def test_the_ledger_of_seconds_adds_up_to_the_steps_time(catalogue, launch: str) -> None:
    (result,) = evaluate(mixed(launch), catalogue).devices
    assert result.ledger.total == pytest.approx(result.totals.time_s, rel=1e-12)
    assert result.schedule.seconds == pytest.approx(result.totals.time_s, rel=1e-12)
    shares = {b: float(s) / float(result.totals.time_s) for b, s in result.ledger.by_bound().items()}
    assert shares == pytest.approx({b: s for b, s in result.bound_shares.items() if s})
    assert [e.name for e in result.ledger.entries] == [p.row.name for p in result.points]


def test_works_say_what_points_say(catalogue) -> None:
    (result,) = evaluate(mixed("eager"), catalogue).devices
    works = (*result.modelled.works, *result.own.works)
    assert [float(w.time_s) for w in works] == pytest.approx([p.time_s for p in result.points])
    assert [w.bound for w in works] == [p.bound for p in result.points]
    (point, work) = next((p, w) for p, w in zip(result.points, works, strict=True) if p.row.name == "big")
    assert {u.resource.kind for u in work.uses} == {"memory", "compute", "launch"}
    for use in work.uses:
        assert use.seconds == pytest.approx(point.seconds(use.resource.kind))


def test_a_device_offers_each_level_and_link_by_name_and_rates_of_all_devices() -> None:
    levels = MemoryLevel(level="HBM", bandwidth=1e12, latency=4e-7), MemoryLevel(level="L2", bandwidth=5e12)
    links = (Link(name="NVLink", per_direction=4.5e11),)
    made: Device = replace(device(), memory=levels, links=links, launch_overhead=LaunchOverhead(seconds=2e-6))
    machine = Machine(made, 2)
    offered = {(r.kind, r.key): (r.rate, r.latency) for r in machine.resources}
    assert offered["memory", "HBM"] == (2e12, 4e-7)
    assert offered["memory", "L2"] == (1e13, None)
    assert offered["link", "NVLink"] == (4.5e11, None)
    assert offered["launch", ""] == (None, 2e-6)
    assert offered["compute", ("bf16", "fp32", "tensor")] == (600e12, None)
    assert machine.outermost == machine.memory("HBM")
    assert machine.memory("L3") is None


def test_a_device_without_memory_has_no_figures_rather_than_none_at_all() -> None:
    bare = replace(device(), memory=())
    assert (bare.outermost.level, bare.bandwidth, bare.capacity, bare.inner) == ("", None, None, ())
    assert Machine(bare).bandwidth is None


def grid(evaluation: Evaluation, most: int, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    evaluator = evaluation.evaluator
    step = evaluator.step(batch=np.array([[1.0], [7.0], [300.0]]), context=np.array([[1.0, 4096.0]]))
    from explorer.analysis.step import evaluate as module
    from explorer.analysis.step.stack import stacked

    monkeypatch.setattr(module, "stacked", lambda *a: stacked(*a, most=most))
    return evaluator.sweep(step, evaluator.machines, evaluation.own)


@pytest.mark.parametrize("launch", ["graph", "eager"])
@pytest.mark.parametrize("most", [0, 60])
def test_rows_stacked_and_rows_one_by_one_come_to_the_same(catalogue, launch, most, monkeypatch) -> None:
    evaluation = evaluate(mixed(launch), catalogue)
    (stacked_totals,), (single,) = grid(evaluation, 10**9, monkeypatch), grid(evaluation, most, monkeypatch)
    for name in ("time_s", "floor_s", "launched_s", "memory_bytes", "streamed_s", "tokens_per_s"):
        assert getattr(single, name) == pytest.approx(getattr(stacked_totals, name), rel=1e-12), name
    for name in ("flops", "bytes", "compulsory_bytes"):
        assert getattr(single.traffic, name) == pytest.approx(getattr(stacked_totals.traffic, name), rel=1e-12), name
