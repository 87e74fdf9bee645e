"""A bound that nobody spelled: with one word of its own it is spoken of in whole sentences everywhere."""

import sys

import numpy as np
import pytest
from msgspec.structs import replace

import explorer.presentation.sentences  # noqa: F401
from explorer.analysis.ask.notes import notes
from explorer.analysis.ask.step_time import step_time
from explorer.analysis.catalogue.device import Link
from explorer.analysis.measured.gap import gaps
from explorer.analysis.step import placement
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.step.resources import BOUND_OF, BOUNDS, Resource
from explorer.analysis.step.stack import Lane, RowStack, lane
from explorer.analysis.study.variant import ScaleDevice
from explorer.presentation.answer.answer import answer, plain_text
from explorer.presentation.explain.explain import explain
from explorer.presentation.explain.lines import Explanation
from explorer.presentation.measured.gap import gap_sentences
from explorer.presentation.slide.finding import finding, subtitle
from explorer.presentation.views.time import time_view
from explorer.presentation.words.bounds import BOUND_ORDER
from explorer.presentation.words.messages import TEMPLATES
from tests.analysis.making import own, study
from tests.analysis.test_gap import measured, with_measurements
from tests.presentation.llama import catalogue, device, evaluated
from tests.presentation.llama import study as base_study

LANES = Machine.lanes
RATES = {"Round": 1e10, "Fast": 1e15}  # B/s of the made-up link, by device


@pytest.fixture(autouse=True)
def tether(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fourth bound, which every byte has to pass; its one word is "the tether"."""

    def with_tether(self: Machine, stack: RowStack, *, eager: bool) -> tuple[Lane, ...]:
        rate = RATES.get(self.device.short or self.device.name, 1e15)
        rate = self.links[0].rate if self.links else rate
        link = Resource("link", "Tether 2", latency=5e-6, rate=rate)
        return (*LANES(self, stack, eager=eager), lane((link,), stack.moved, calls=np.full(len(stack.rows), 2.0)))

    monkeypatch.setattr(Machine, "lanes", with_tether)
    monkeypatch.setitem(BOUND_OF, "link", "tether")  # type: ignore[arg-type]
    monkeypatch.setitem(placement._RANK, "link", len(BOUNDS))
    monkeypatch.setitem(TEMPLATES, "bound.tether", "the tether")
    for module in [m for name, m in sys.modules.items() if name.startswith("explorer.")]:
        for name, table in (("BOUNDS", BOUNDS), ("BOUND_ORDER", BOUND_ORDER)):
            if getattr(module, name, None) is table:
                monkeypatch.setattr(module, name, (*table, "tether"))


def test_devices_with_a_link_between_them_are_not_called_ideal(monkeypatch: pytest.MonkeyPatch) -> None:
    made = base_study(device())
    several = replace(made, hardware=tuple(replace(e, count=2) for e in made.hardware))
    assert "note.ideal_devices" not in {note.code for note in notes(evaluate(several, catalogue()))}
    monkeypatch.setattr(Machine, "lanes", LANES)
    assert "note.ideal_devices" in {note.code for note in notes(evaluate(several, catalogue()))}


def texts(found: Explanation) -> list[str]:
    return [f"{line.label} {line.result} {line.source}" for line in found.lines]


def test_the_answer_and_the_slide_wait_for_it() -> None:
    evaluation = evaluated(device())
    assert plain_text(answer(evaluation)).startswith("Waiting for the tether. On Round a step takes")
    assert finding(evaluation) == "Llama-3.1-8B decode waits for the tether on Round"
    assert subtitle(evaluation).endswith("KV: 100 % of the time waits for the tether on Round")


def test_devices_that_wait_for_different_things_name_it() -> None:
    found = evaluated(device(), device("Fast"))
    assert plain_text(answer(found)).startswith("Waiting for memory on Fast, for the tether on Round.")


def test_an_operator_and_the_step_explain_it() -> None:
    evaluation = evaluated(device())
    (row, *_), (point, *_) = evaluation.rows, evaluation.devices[0].points
    assert point.bound == "tether"
    lines = texts(explain(evaluation, rows=(row.name,)))
    (line,) = [found for found in explain(evaluation, rows=(row.name,)).lines if found.label == "the tether"]
    assert (line.formula, line.source) == ("bytes/rate + messages·latency", "Tether 2")
    assert line.substituted.endswith(" + 2·5.00 µs")
    assert line.value == point.time_s == point.bytes / 1e10 + 2 * 5e-6
    assert any(line.strip() == "Waits for the tether." for line in lines)
    floor = texts(explain(evaluation))
    assert any(line.split()[:2] == ["the", "tether"] for line in floor)


def test_time_bars_and_their_legend_say_what_is_waited_for() -> None:
    view = time_view(evaluated(device()))
    assert ("tether", "waits for the tether") in view.bounds
    assert {bar.bound for bar in view.bars} == {"tether"}


def test_operators_of_ones_own_are_counted_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RATES, "DEV", 1e9)
    rows = (own("up", "matmul", m=64, n=64, k=64), own("down", "matmul", m=64, n=64, k=64))
    said = plain_text(answer(evaluate(study(*rows), catalogue())))
    assert "(memory-bound 0, compute-bound 0, waiting for the tether 2)" in said


def test_a_measurement_beside_it_says_what_sets_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RATES, "DEV", 1e9)
    base = study(own("up", "matmul", m=4096, n=4096, k=4096))
    bound = 3 * 2 * 4096**2 / 1e9 + 2 * 5e-6
    (found,) = gaps(evaluate(with_measurements(base, measured(row="up", time_s=bound / 0.4)), catalogue()))
    assert found.bound_s == pytest.approx(bound)
    assert gap_sentences(found)[1] == (
        "40 % of the bound: much room. Waiting for the tether sets the bound, yet most of the time goes elsewhere."
    )


def test_a_faster_link_is_timed_with_its_latency_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = evaluated(replace(device(), links=(Link(name="Tether 2", per_direction=1e10),)))
    (result,) = evaluation.devices
    edit = ScaleDevice(device=result.entry.id, figure="links", factor=2.0)
    point = result.points[0]
    expected = sum(float(p.row.count * (p.bytes / 2e10 + 2 * 5e-6)) for p in result.points)
    assert point.bound == "tether"
    assert step_time(evaluation, result, edit) == pytest.approx(expected)
