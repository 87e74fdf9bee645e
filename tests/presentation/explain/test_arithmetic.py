"""Every explained figure is worked out again: from its symbols, from its numbers, and from the evaluation."""

from collections.abc import Iterator
from functools import lru_cache

import pytest
from msgspec.structs import replace

from explorer.analysis.ask.row_figures import formula_values
from explorer.analysis.step.evaluate import DeviceResult, Evaluation, evaluate
from explorer.analysis.step.ledger import KV, WEIGHTS
from explorer.analysis.step.placement import Point
from explorer.analysis.study.study import ModelEntry, OwnRow
from explorer.presentation.explain.explain import explain
from explorer.presentation.explain.lines import Line
from explorer.presentation.explain.totals import TOTALS
from tests.presentation.explain.worked import answer_of, worked_out
from tests.presentation.llama import CONFIG, catalogue, device, study

EXPERTS = {**CONFIG, "model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 2}
WORK: dict[str, dict[str, object]] = {
    "decode": {},
    "eager": {"launch": "eager", "weights": "fp8", "kv": "fp8"},
    "prefill": {"phase": "prefill", "batch": 2, "context": 512},
    "reserved": {"reserve": 3e9, "batch": 3, "context": 100},
}


@lru_cache(maxsize=16)
def evaluation(work: str, experts: bool = False, count: int = 1) -> Evaluation:
    base = study(**WORK[work])  # type: ignore[arg-type]
    models = (replace(base.models[0], config=EXPERTS),) if experts else base.models
    hardware = (replace(base.hardware[0], count=count),)
    own = (OwnRow(id="own", name="my rows", kind="matmul", dims={"m": 3.0}, count=2.0),)
    return evaluate(replace(base, models=models, hardware=hardware, operators=own), catalogue())


CASES = [(work, experts, count) for work in WORK for experts, count in ((False, 1), (True, 2))]


def by_label(lines: tuple[Line, ...]) -> dict[str, Line]:
    found = {line.label: line for line in reversed(lines) if line.label}
    assert found
    return found


def rows(case: Evaluation) -> Iterator[tuple[Point, dict[str, Line]]]:
    for point in case.devices[0].points:
        yield point, by_label(explain(case, rows=(point.row.name,)).lines)


def figures(point: Point, on: DeviceResult) -> dict[str, float | None]:
    """What the lines of a row are to say, from the point itself."""
    step = on.totals
    return {
        "FLOPs": point.costs.flops,
        "bytes read": point.costs.bytes_read,
        "bytes written": point.costs.bytes_written,
        "intensity": point.costs.flops / (point.costs.bytes_read + point.costs.bytes_written),
        "ridge": (point.peak.rate or 0.0) / (on.machine.bandwidth or 1.0),
        "peak": point.peak.rate,
        "bandwidth": on.machine.bandwidth,
        "compute": point.seconds("compute"),
        "memory": point.seconds("memory"),
        "time": point.time_s,
        "all calls": point.row.count * point.time_s,
        "time share": point.row.count * point.time_s / step.time_s,
        "FLOP share": point.row.count * point.costs.flops / step.traffic.flops,
    }


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_figures_of_every_row_are_those_of_the_evaluation(case: tuple[str, bool, int]) -> None:
    on = evaluation(*case).devices[0]
    for point, lines in rows(evaluation(*case)):
        for label, wanted in figures(point, on).items():
            assert lines[label].value == pytest.approx(wanted, rel=1e-12), (point.row.name, label)
        times = [lines[label].value or 0.0 for label in ("compute", "memory", "launch") if label in lines]
        assert lines["time"].value == pytest.approx(max(times))
        assert ("launch" in lines) == (case[0] == "eager")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_formulas_of_every_row_give_its_figures(case: tuple[str, bool, int]) -> None:
    work, kinds = evaluation(*case), evaluation(*case).evaluator.kinds
    seen = 0
    for point, lines in rows(work):
        kind = kinds[point.row.kind].kind
        names = formula_values(work, point, kind)
        for label in ("FLOPs", "bytes read", "bytes written", *(d.name for d in kind.derived)):
            if lines[label].formula:
                assert worked_out(lines[label].formula, names) == pytest.approx(lines[label].value, rel=1e-9)
                assert worked_out(lines[label].substituted) == pytest.approx(lines[label].value, rel=1e-3)
                seen += 1
            else:
                assert not lines[label].substituted
    assert seen > 30


def every_line(case: Evaluation) -> Iterator[Line]:
    names = [p.row.name for p in case.devices[0].points]
    for name in names:
        yield from explain(case, rows=(name,)).lines
    for several in (names[:2], names[:4], names[:5], names):
        yield from explain(case, rows=several).lines
    for key in TOTALS:
        yield from explain(case, total=key).lines
    yield from explain(case).lines


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_numbers_put_in_give_the_answer_within_their_digits(case: tuple[str, bool, int]) -> None:
    seen = 0
    for line in every_line(evaluation(*case)):
        if line.substituted and not line.substituted.count("…") and line.result not in {"never", "–"}:
            if line.unit.endswith("iB") or line.label == "FLOP share" or "<" in line.result:
                continue
            wanted = answer_of(line.answer)
            near = pytest.approx(
                wanted, rel=0.02, abs=1.0 if "batch" in line.label else 0.0006 * ("share" in line.label)
            )
            assert worked_out(line.substituted) == near, line
            seen += 1
    assert seen > 100


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_answer_is_the_value_within_its_digits(case: tuple[str, bool, int]) -> None:
    seen = 0
    for line in every_line(evaluation(*case)):
        if line.value is not None and line.result not in {"never", "–"} and "<" not in line.result:
            near = pytest.approx(
                line.value, rel=0.0051, abs=1.0 if "batch" in line.label else 0.0006 * ("share" in line.label)
            )
            assert answer_of(line.answer) == near, line
            seen += 1
    assert seen > 100


def test_sums_of_rows_are_those_of_their_calls() -> None:
    case = evaluation("eager")
    points = case.devices[0].points[1:5]
    lines = by_label(explain(case, rows=[p.row.name for p in points]).lines)
    flops = sum(p.row.count * p.costs.flops for p in points)
    moved = sum(p.row.count * (p.costs.bytes_read + p.costs.bytes_written) for p in points)
    spent = sum(p.total_s for p in points)
    step = case.devices[0].totals
    wanted = {
        "FLOPs": flops,
        "bytes": moved,
        "intensity": flops / moved,
        "time": spent,
        "time share": spent / step.time_s,
        "FLOP share": flops / step.traffic.flops,
    }
    assert {label: lines[label].value for label in wanted} == pytest.approx(wanted)
    assert lines["time"].substituted.count("+") == 3


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("work", ["decode", "prefill"])
def test_totals_are_those_of_the_evaluation(work: str, count: int) -> None:
    case = evaluation(work, count=count)
    on, batch, context = case.devices[0], case.study.workload.batch, case.study.workload.context
    tokens = batch * (context if work == "prefill" else 1)
    wanted: dict[str, object] = {
        "floor_s": on.totals.floor_s,
        "time_s": on.totals.time_s,
        "tokens_per_s": tokens / on.totals.floor_s,
        "tokens_per_s_per_request": tokens / batch / on.totals.floor_s,
        "streamed_s": on.totals.streamed_s,
        "whole_file_s": on.totals.whole_file_s,
        "memory_bytes": case.memory.total,
        "kv_bytes": case.memory.of(KV),
        "peak": count * 1e15,
        "bandwidth": count * 2e12,
        "capacity": count * 80e9,
        "ridge": 500.0,
    }
    for key, value in wanted.items():
        assert answer_of(explain(case, total=key).lines[0].answer) == pytest.approx(float(value), rel=0.0051), key  # type: ignore[arg-type]


def test_the_longest_operators_of_a_step_are_named_with_their_times() -> None:
    case = evaluation("decode")
    longest = sorted(case.devices[0].points, key=lambda p: -p.total_s)[:3]
    named = explain(case, total="time_s").lines[1:]
    assert [line.label for line in named] == [p.row.name for p in longest]
    assert [answer_of(line.answer) for line in named] == pytest.approx([p.total_s for p in longest], rel=0.0051)


def test_kv_of_layers_with_a_window_is_not_claimed_to_grow_with_the_context() -> None:
    window = {**CONFIG, "model_type": "mistral", "sliding_window": 1024}
    base = study()
    case = evaluate(replace(base, models=(ModelEntry(id="llama", name="W", config=window),)), catalogue())
    each = by_label(explain(case, total="kv_bytes").lines)["KV per sequence"]
    assert (each.formula, each.substituted) == ("", "")
    assert each.source == "Summed over the layers at 4,096 tokens; windowed layers hold their window."
    assert answer_of(each.answer) == pytest.approx(case.memory.of(KV) / 8, rel=0.0051)


def test_what_is_left_over_may_be_less_than_nothing() -> None:
    case = evaluate(study(device(capacity=20e9)), catalogue())
    left = by_label(explain(case, total="memory_bytes").lines)["left over"]
    assert left.answer == "−355 MB"
    assert 20e9 - case.memory.of(WEIGHTS) - case.memory.of(KV) == pytest.approx(-355e6, rel=0.005)
    exact = evaluate(study(device(capacity=float(case.memory.total))), catalogue())
    assert by_label(explain(exact, total="memory_bytes").lines)["left over"].answer == "0 B"
