"""Verdicts that flip, in words: which operators wait for something else, and where."""

from msgspec.structs import replace

from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.presentation.answer.flipped import flips_text
from explorer.report.console import evaluation_text

CATALOGUE = load_catalogue(devices=False)


def opened(hidden: str = "", **work: object) -> Evaluation:
    study = opening_study()
    hardware = tuple(replace(e, visible=hidden not in e.id or not hidden) for e in study.hardware)
    return evaluate(replace(study, hardware=hardware, workload=replace(study.workload, **work)), CATALOGUE)


def test_operators_are_named_with_what_they_wait_for_and_where() -> None:
    """At batch 256 the matmuls have 195 to 240 FLOP/byte: above the ridge of the A100 (153), below the others'."""
    told = flips_text(opened(batch=256, context=1024))
    assert told.startswith("Verdicts that flip, 8 of 17: ")
    assert told.endswith(": memory on H100, MI300X, compute on A100")
    assert all(name in told for name in ("q, ", "gate", "up", "down", "lm_head", "k, ", "v"))
    assert "attention" not in told


def test_where_all_wait_alike_or_nothing_stands_beside_it_nothing_is_said() -> None:
    assert flips_text(opened()) == ""
    assert flips_text(opened(hidden="a100", batch=256, context=1024)) == ""


def test_the_command_line_says_it_below_the_answer() -> None:
    text = evaluation_text(opened(batch=256, context=1024))
    assert "Verdicts that flip, 8 of 17:" in text.split("\n\n")[1]
    assert "Verdicts that flip" not in evaluation_text(opened())
