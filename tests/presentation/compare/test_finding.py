"""Titles and conditions of a comparison."""

from typing import Any

from msgspec.structs import replace

from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.files.study.examples import example_path
from explorer.files.study.study import read_study
from explorer.presentation.compare.finding import compare_conditions, compare_title
from explorer.presentation.compare.table import compare_table
from tests.analysis.ask.comparison.machines import A100, B200, CATALOGUE, GEFORCE, H100, MI300X, evaluated, llama
from tests.analysis.making import own


def example(name: str, **view: Any) -> Evaluation:
    study = read_study(example_path(name))
    return evaluate(replace(study, view=replace(study.view, **view)), CATALOGUE)


def test_the_title_says_who_is_ahead_and_on_what_the_last_is_behind() -> None:
    assert compare_title(evaluated(llama())) == (
        "B200 serves 2.39× the tokens of H100; A100 takes 2.09–2.58× as long on matmuls, 1.64× on attention"
    )


def test_equal_ratios_are_said_once() -> None:
    few = compare_title(evaluated(llama(H100, A100, batch=8)))
    assert few == "H100 serves more tokens; A100 takes 1.64× as long"
    study = llama(H100, A100, batch=8)
    own_rows = replace(study, operators=(own("up", "matmul", m=8192, n=8192, k=8192),))
    assert "on matmuls" in compare_title(evaluated(own_rows))


def test_a_baseline_that_leads_is_said_to_lead() -> None:
    title = compare_title(evaluated(llama(H100, B200, baseline=B200)))
    assert title.startswith("B200 serves more tokens; H100 takes 2.")
    assert compare_title(evaluated(llama(A100, B200))) == "B200 serves 3.92× the tokens of A100"


def test_without_a_figure_of_the_baseline_the_title_claims_nothing() -> None:
    assert compare_title(evaluated(llama(GEFORCE, H100))) == (
        "Llama-3.1-8B does not fit on RTX 4090: 50.4 GB of 25.8; 2 devices have room"
    )
    full = compare_title(evaluated(llama(A100, H100, MI300X, batch=700)))
    assert full.startswith("Llama-3.1-8B does not fit on A100 and H100: ")
    assert full.endswith(" of 85.9; 2 devices have room")
    assert compare_title(evaluated(llama(H100))) == "H100 by itself"


def test_operators_alone_are_compared_by_time() -> None:
    assert compare_title(example("a100-to-h100")) == (
        "Operator by operator, H100 is the faster; A100 needs 2.82× the time"
    )


def test_measurements_are_compared_by_what_was_measured_and_by_their_bound() -> None:
    title = compare_title(example("qwen3-4b-apple", vary="measurements"))
    assert title == "Q4_K_M tg128: 2.67× as fast as BF16 tg128, by its bound 3.22×"


def test_the_conditions_are_those_of_the_study_and_how_the_small_figures_are_read() -> None:
    said = compare_conditions(evaluated(llama()))
    for part in ("Llama-3.1-8B decode", "batch 256, context 1,024", "weights and KV bf16", "launch: graph"):
        assert part in said
    assert "times are at least, rates at most · expected: as is usual" in said
    assert said.endswith("under a value: its ratio to H100 SXM5 · ● best")
    assert "difference from" in compare_conditions(evaluated(llama(compare_as="difference")))


def test_prompts_are_read_and_changes_bring_tokens() -> None:
    study = llama(H100, B200)
    prefill = replace(study, workload=replace(study.workload, phase="prefill", batch=1))
    assert compare_title(evaluated(prefill)) == "B200 reads 2.26× the tokens of H100"
    formats = replace(llama(H100, batch=1), view=replace(study.view, vary="formats"))
    assert compare_title(evaluated(formats)).startswith("Weights int4 + KV fp8: 3.")
    alone = replace(study, view=replace(study.view, vary="what_ifs"))
    assert "no what-ifs" in compare_title(evaluated(alone))


def test_with_experts_chosen_at_random_rates_are_about_and_no_bounds() -> None:
    study = example("qwen3-30b-home").study
    said = compare_conditions(evaluated(replace(study, workload=replace(study.workload, batch=8))))
    assert "times are at least; with experts as read by random routing, times and rates are about" in said
    assert "at most" not in said


def test_measurements_of_several_devices_name_theirs_in_the_title_and_under_the_row() -> None:
    found = example("qwen3-30b-home", vary="measurements")
    lines = compare_table(found).lines
    assert all(line.note for line in lines)
    assert len({line.note for line in lines}) > 1
    assert any(f"{line.names[-1]} on {line.note}" in compare_title(found) for line in lines)


def test_of_three_none_is_ahead_of_the_best_and_of_two_one_is_the_faster() -> None:
    three = compare_title(evaluated(llama(H100, A100, B200, baseline=B200)))
    assert three.startswith("None serves more tokens than B200; ")
