"""What is said of experts: two figures where the routing decides, each with its name."""

import pytest
from msgspec.structs import replace

from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import OwnRow, Study
from explorer.presentation.answer.answer import answer, plain_text
from explorer.presentation.answer.json_result import evaluation_json
from explorer.presentation.explain.explain import explain
from explorer.presentation.slide.conditions import conditions
from explorer.presentation.tables.device_columns import comparison_columns, device_rows
from explorer.presentation.views.decode import decode_view, sweep_batches
from explorer.report.console import evaluation_text
from tests.presentation.llama import CONFIG, catalogue, device, study

EXPERTS = {**CONFIG, "model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 2}


def moe(**work: object) -> Evaluation:
    base = study(**work)  # type: ignore[arg-type]
    return evaluate(replace(base, models=(replace(base.models[0], config=EXPERTS),)), catalogue())


def said(**work: object) -> str:
    return plain_text(answer(moe(**work)))


def test_the_answer_names_random_routing_and_the_least() -> None:
    text = said(batch=8, weights="fp8")
    assert "a step takes about 23.6 ms by random routing (42.3 tokens/s per request, 338 in all); " in text
    assert "no less than 8.98 ms, if all requests chose alike." in text
    assert "at skew 50 %" in said(batch=8, skew=0.5)
    assert "to the first token by random routing" in said(phase="prefill", batch=1, context=16)
    assert "2 prompts of 16 tokens take about" in said(phase="prefill", batch=2, context=16)


@pytest.mark.parametrize("work", [{"batch": 1}, {"phase": "prefill", "batch": 64, "context": 8192}])
def test_one_figure_is_said_where_they_are_one(work: dict[str, object]) -> None:
    text = said(**work)
    assert "at least" in text
    assert "routing" not in text


def test_operators_of_experts_have_two_figures_too() -> None:
    row = OwnRow(id="e", name="up", kind="moe_matmul", dims={"tokens": 64.0})
    one = Study(hardware=study().hardware, operators=(row,))
    text = plain_text(answer(evaluate(one, catalogue())))
    assert "up takes about 472 µs by random routing" in text
    assert "no less than" in text
    two = replace(one, operators=(row, replace(row, id="f", name="down")))
    assert "the 2 operators take about 944 µs by random routing" in plain_text(answer(evaluate(two, catalogue())))


def test_the_table_has_a_column_more_and_says_whose_the_rates_are() -> None:
    evaluation = moe(batch=8)
    cells = {c.title(): c.text(r) for c in comparison_columns(evaluation) for r in device_rows(evaluation)}
    totals = evaluation.devices[0].totals
    assert cells["At least"] != cells["With random routing"]
    assert float(cells["Tokens/s in all, random routing"].replace(",", "")) == pytest.approx(
        8 / float(totals.uniform_s), rel=0.01
    )
    assert "With random routing" not in {c.title() for c in comparison_columns(moe(batch=1))}
    assert "With skew 25 %" in {c.title() for c in comparison_columns(moe(batch=8, skew=0.25))}


def test_the_json_has_both_and_the_contracts_rate_stays_that_of_the_floor() -> None:
    totals = evaluation_json(moe(batch=8, skew=0.5))["hardware"][0]["totals"]
    assert totals["floor_s"] < totals["routed_s"] < totals["uniform_s"]
    assert totals["tokens_per_s"] == pytest.approx(8 / totals["floor_s"])
    assert totals["uniform_tokens_per_s"] == pytest.approx(8 / totals["uniform_s"])
    assert totals["routed_tokens_per_s_per_request"] == pytest.approx(1 / totals["routed_s"])
    assert evaluation_json(moe(batch=8, skew=0.5))["workload"]["skew"] == 0.5


def test_assumptions_exports_and_curves_say_how_experts_are_chosen() -> None:
    random, skewed, one = moe(batch=8), moe(batch=8, skew=0.5), moe(batch=1)
    assert "those that random routing reaches" in evaluation_text(random).replace("\n  ", " ")
    assert "routing at skew 0.5" in evaluation_text(skewed).replace("\n  ", " ")
    assert "random routing reaches" not in evaluation_text(one).replace("\n  ", " ")
    assert "experts by random routing" in conditions(random)
    titles = [c.title for c in decode_view(skewed, sweep_batches(skewed)).charts]
    assert all(t.endswith(", at skew 50 %") for t in titles)
    dense = evaluate(study(batch=8), catalogue())
    assert "experts" not in conditions(dense)
    assert all("rout" not in c.title for c in decode_view(dense, sweep_batches(dense)).charts)


def test_the_inspector_shows_the_floor_of_the_fewest_and_the_routed_step() -> None:
    for total in ("floor_s", "routed_s", "tokens_per_s"):
        lines = explain(moe(batch=8), total=total).lines
        assert any(line.label == "step, by random routing" for line in lines)
        assert any("fewest experts" in line.source for line in lines)
    assert explain(moe(batch=1), total="routed_s").lines == explain(moe(batch=1), total="floor_s").lines


def test_a_hidden_device_decides_nothing_of_the_table() -> None:
    base = study(device(), batch=8)
    hidden = replace(base.hardware[0], visible=False)
    evaluation = evaluate(replace(base, hardware=(hidden,)), catalogue())
    assert "With random routing" not in {c.title() for c in comparison_columns(evaluation)}
