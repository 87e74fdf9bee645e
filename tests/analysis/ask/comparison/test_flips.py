"""Operators whose bound differs between what stands side by side."""

from explorer.analysis.ask.comparison.compared import compare
from explorer.analysis.ask.comparison.flips import flips
from explorer.analysis.ask.comparison.subjects import subjects
from explorer.analysis.step.evaluate import evaluate
from explorer.files.study.examples import example_path
from explorer.files.study.study import read_study
from tests.analysis.ask.comparison.machines import (
    A100,
    B200,
    CATALOGUE,
    GEFORCE,
    H100,
    H200,
    MI300X,
    TWO,
    compared,
    llama,
)


def test_from_a100_to_h100_one_matmul_waits_for_memory() -> None:
    """256 x 8192 x 8192: 241 FLOP/byte lie between the ridges 153 and 295."""
    evaluation = evaluate(read_study(example_path("a100-to-h100")), CATALOGUE)
    found = compare(evaluation).flips
    assert found.of == 6
    assert found.count == 1
    (flip,) = found.groups
    assert flip.rows == ("matmul 256 rows",)
    assert flip.subjects == {"compute": (A100,), "memory": (H100,)}
    point = next(p for p in evaluation.devices[0].points if p.row.name == flip.rows[0])
    assert round(float(point.intensity or 0)) == 241


def test_operators_that_flip_alike_stand_together_also_of_machines_without_room() -> None:
    found = compared(llama()).flips
    assert (found.count, found.of) == (8, 17)
    most, few = found.groups
    assert most.rows == ("q_proj", "o_proj", "gate_proj", "up_proj", "down_proj", "lm_head")
    assert most.subjects == {"memory": (H100, MI300X, B200), "compute": (A100, H200, TWO, GEFORCE)}
    assert few.rows == ("k_proj", "v_proj")
    assert few.subjects["compute"] == (A100, TWO, GEFORCE)


def test_the_verdict_of_a_row_is_that_of_its_point() -> None:
    evaluation = evaluate(llama(), CATALOGUE)
    for result in evaluation.devices:
        assert result.modelled.bounds() == tuple(p.bound for p in result.modelled.points)


def test_one_alone_flips_nothing() -> None:
    assert flips(subjects(evaluate(llama(H100), CATALOGUE))).groups == ()
    assert flips(()).of == 0
