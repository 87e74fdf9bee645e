"""Mixes in what would help and in saved variants."""

import pytest
from msgspec.structs import replace

import explorer
from explorer.analysis.ask.step_time import step_time
from explorer.analysis.study.apply import applied
from explorer.analysis.study.check import study_problems
from explorer.analysis.study.study import Override, OwnRow
from explorer.analysis.study.variant import SetFormats, Variant


@pytest.mark.parametrize("before", [None, "Q4_K_M", "Q8_0", "fp8"])
@pytest.mark.parametrize("after", [None, "Q4_K_M", "IQ2_M", "int8"])
def test_a_step_in_another_mix_takes_as_long_as_that_study(before: str | None, after: str | None) -> None:
    study = explorer.new_study("Qwen3-30B-A3B", "RTX 4090", weights=before, batch=4)
    evaluation = explorer.evaluate(study)
    edit = SetFormats(weights=after)
    whole = explorer.evaluate(applied(study, edit)).devices[0].totals.time_s
    assert step_time(evaluation, evaluation.devices[0], edit) == pytest.approx(float(whole), rel=1e-12)


def test_eight_bit_weights_help_no_mix_of_fewer_bits() -> None:
    def helps(weights: str) -> set[str]:
        return {gain.code for gain in explorer.levers(explorer.new_study("Qwen3-4B", "RTX 4090", weights=weights))}

    assert "lever.weights8" not in helps("Q4_K_M") | helps("UD-Q2_K_XL")
    assert "lever.weights8" in helps("BF16") & helps("F16")


def test_a_mix_stands_where_all_weights_of_a_model_do_and_nowhere_else() -> None:
    study = explorer.new_study("Qwen3-4B", "RTX 4090")
    catalogue = explorer.load_catalogue()
    fits = replace(study, what_ifs=(Variant(label="smaller", edit=SetFormats(weights="IQ2_M")),))
    assert study_problems(fits, catalogue) == ()
    wrong = (
        replace(study, what_ifs=(Variant(label="kv", edit=SetFormats(kv="Q4_K_M")),)),
        replace(study, operators=(OwnRow(id="a", name="a", kind="matmul", weights="Q4_K_M"),)),
        replace(study, overrides=(Override(row="q_proj", weights="IQ3_M"),)),
    )
    for each in wrong:
        assert [problem.code for problem in study_problems(each, catalogue)] == ["study.mix_here"]
