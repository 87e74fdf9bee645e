"""The README's tour tells figures that the program gives."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

import explorer.presentation.sentences  # noqa: F401 - registers every sentence
from explorer.analysis.ask.knees import knees
from explorer.analysis.ask.levers import levers
from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import HardwareEntry
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.presentation.actions import ACTIONS
from explorer.presentation.answer.answer import answer, without_marks
from explorer.presentation.answer.lever_texts import lever_message
from explorer.presentation.quantities.numbers import factor, significant
from explorer.presentation.words.messages import render

H100 = "nvidia-h100-sxm5-80gb"
Evaluated = Callable[..., Evaluation]


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture(scope="module")
def tour(root: Path) -> str:
    text = (root / "README.md").read_text("utf-8")
    part = text.partition("<!-- tour: begin -->")[2].partition("<!-- tour: end -->")[0]
    return " ".join(part.replace("*", "").split())


@pytest.fixture(scope="module")
def step(catalogue: Catalogue) -> Evaluated:
    """The example that the program opens with, after changes of its workload."""

    def evaluated(**changes: object) -> Evaluation:
        study = opening_study()
        return evaluate(replace(study, workload=replace(study.workload, **changes)), catalogue)

    return evaluated


def said(evaluation: Evaluation) -> str:
    return re.sub("<[^>]*>", "", " ".join(render(m) for m in answer(evaluation)))


def test_it_opens_with_the_answer(tour: str, step: Evaluated) -> None:
    assert said(step()) in tour


def test_one_operator_is_worked_out(tour: str, step: Evaluated) -> None:
    active = step().active
    assert active is not None
    point = next(p for p in active.points if p.row.name == "gate_proj")
    assert point.costs.flops == 2 * 8 * 14336 * 4096
    assert point.intensity is not None
    assert point.peak.rate is not None
    for figure in (
        f"{point.costs.flops / 1e6:.0f} MFLOP over {point.bytes / 1e6:.0f} MB, {significant(float(point.intensity))}",
        f"{point.performance / 1e12:.1f} of {point.peak.rate / 1e12:.0f} TFLOP/s",
    ):
        assert figure in tour


def test_a_larger_batch_moves_the_time_into_attention(tour: str, step: Evaluated) -> None:
    evaluation = step(batch=64)
    active, at = evaluation.active, knees(evaluation, H100)
    assert active is not None
    assert at is not None
    totals, names = active.totals, [p.row.name for p in active.points]
    assert f"at most {totals.tokens_per_s:,.0f} tokens/s in all, {totals.tokens_per_s_per_request:.1f} per" in tour
    assert f"takes {active.shares[names.index('attention')]:.0%}".replace("%", " %") in tour
    assert f"from batch {at.kv_half_batch:.0f} on half of the traffic is KV cache, at {at.fit_batch}" in tour
    gain = {lever.code: lever.gain for lever in levers(evaluation, H100)}["lever.kv8"]
    assert gain is not None
    assert f"8-bit KV {factor(gain)}" in tour


def test_an_8_bit_cache_helps_as_it_said(tour: str, step: Evaluated) -> None:
    evaluation = step(batch=64, kv="fp8")
    active, at = evaluation.active, knees(evaluation, H100)
    assert active is not None
    assert at is not None
    totals = active.totals
    assert f"at least {totals.floor_s * 1e3:.2f} ms, {totals.tokens_per_s:,.0f} tokens/s in all" in tour
    assert f"holds batch {at.fit_batch}." in tour


def test_the_smaller_card_cannot_hold_it(tour: str, step: Evaluated, catalogue: Catalogue) -> None:
    study = step(batch=64, kv="fp8").study
    card = HardwareEntry(id="card", device=catalogue.device_by_id["nvidia-geforce-rtx-4090"])
    sentences = said(evaluate(replace(study, hardware=(card,)), catalogue))
    assert sentences[sentences.index("It does not fit") :] in tour
    chip = next(g for g in levers(evaluate(replace(study, hardware=(card,)), catalogue), "card") if g.brings_room)
    assert without_marks(lever_message(chip, None)) in tour
    beside = said(evaluate(replace(study, hardware=(*study.hardware, card)), catalogue))
    assert beside[beside.index("RTX 4090") :] in tour


def test_the_prompts_pass_waits_for_compute(tour: str, step: Evaluated) -> None:
    evaluation = step(batch=64, kv="fp8", phase="prefill")
    assert evaluation.active is not None
    assert said(evaluation).startswith("Waiting for compute")
    assert f"64 prompts of 4,096 tokens take the H100 at least {evaluation.active.totals.floor_s:.2f} s" in tour


def test_the_measure_part_names_what_the_menus_say(root: Path) -> None:
    text = (root / "README.md").read_text("utf-8").partition("<!-- measure: begin -->")[2].partition("```")[0]
    named = re.findall(r"\*([^*]+…)\*", " ".join(text.split()))
    assert len(named) == 6
    assert set(named) <= {action.text.replace("&", "") for action in ACTIONS}
