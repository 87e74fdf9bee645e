"""`evaluate` tells of each measurement its bound and verdict, and of one that beats its bound the causes."""

from msgspec.structs import replace

from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import Measurement
from explorer.presentation.answer.json_result import evaluation_json
from explorer.presentation.measured.listed import measurement_lines
from explorer.report.console import evaluation_text
from tests.presentation.llama import catalogue, study


def measured(*stated: Measurement, **work: object) -> Evaluation:
    return evaluate(replace(study(**work), measurements=stated), catalogue())  # type: ignore[arg-type]


def step(name: str, milliseconds: float, **more: object) -> Measurement:
    return Measurement(id=name, name=name, device="round", time_s=milliseconds / 1e3, phase="decode", **more)  # type: ignore[arg-type]


def test_the_json_has_bound_efficiency_and_verdict_of_each() -> None:
    fast, slow = evaluation_json(measured(step("fast", 8.0), step("slow", 30.0)))["measurements"]
    assert (fast["name"], fast["device"], fast["operator"]) == ("fast", "Round accelerator", None)
    assert (fast["verdict"], fast["beats_bound"], slow["beats_bound"]) == ("over the bound", True, False)
    assert fast["measured_s"] == 8e-3
    assert round(fast["bound_s"], 5) == round(slow["bound_s"], 5) == 9.65e-3
    assert round(fast["efficiency"], 2) == 1.21
    assert fast["causes"]
    assert slow["causes"] == []
    assert fast["uniform_s"] == fast["bound_s"]


def test_a_decode_step_that_beats_its_bound_is_never_told_that_its_head_was_skipped() -> None:
    for batch in (1, 8):
        (found,) = evaluation_json(measured(step("fast", 7.0), batch=batch))["measurements"]
        assert not any("lm_head" in cause for cause in found["causes"])


def test_the_text_says_so_those_over_their_bound_first() -> None:
    evaluation = measured(step("slow", 30.0), step("fast", 8.0))
    text = " ".join(evaluation_text(evaluation).split())
    assert "Measured: - fast: A step took 8.00 ms" in text
    assert "an assumption is broken" in text
    assert text.index("- fast:") < text.index("- slow:")
    assert "Measured:" not in evaluation_text(measured())


def test_what_has_no_bound_says_why_and_very_many_are_counted() -> None:
    lost = Measurement(id="l", name="lost", device="gone", time_s=1.0)
    (found,) = evaluation_json(measured(lost))["measurements"]
    assert (found["verdict"], found["bound_s"]) == (None, None)
    assert "choose one" in found["why_no_bound"]
    many = measured(*(step(f"m{i}", 20.0) for i in range(25)))
    assert measurement_lines(many)[-1] == "5 measurements more."
    assert len(measurement_lines(many)) == 21
