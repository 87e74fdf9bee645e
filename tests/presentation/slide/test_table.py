"""A mixture's slide: its rates are marked with their routing, and the floor stands beside them."""

import pytest
from msgspec.structs import replace

from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.presentation.quantities.numbers import significant
from explorer.presentation.slide.slide import build_slide
from tests.presentation.llama import CONFIG, catalogue, device, study

EXPERTS = {**CONFIG, "model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 2}


def found(config: dict[str, object], **work: object) -> Evaluation:
    base = study(**work)  # type: ignore[arg-type]
    return evaluate(replace(base, models=(replace(base.models[0], config=config),)), catalogue())


@pytest.mark.parametrize(
    ("work", "header", "routing"),
    [
        ({"batch": 8}, "tokens/s, random, at batch", "by random routing"),
        ({"batch": 8, "skew": 0.5}, "tokens/s, skew 50 %, at batch", "at skew 50 %"),
        ({"batch": 8, "launch": "eager"}, "tokens/s, random, at batch",
         "by random routing, without launches"),
        ({"batch": 1, "context": 16, "phase": "prefill"},
         "tokens/s, random, at prompts of", "by random routing"),
    ],
)  # fmt: skip
def test_a_mixtures_slide_has_both_figures(work: dict[str, object], header: str, routing: str) -> None:
    slide = build_slide(found(EXPERTS, **work))
    assert slide.table.spanning == header
    (text,) = slide.read.lines
    assert f" {routing}, no less than " in text
    assert text.index("about ") < text.index("no less than ")


def test_the_floor_on_the_slide_is_the_answers() -> None:
    (text,) = build_slide(found(EXPERTS, batch=8, weights="fp8")).read.lines
    assert "about 23.6 ms by random routing, no less than 8.98 ms if all chose alike." in text


@pytest.mark.parametrize("work", [{"batch": 8}, {"batch": 1, "phase": "prefill"}])
def test_a_dense_models_slide_says_nothing_of_routing(work: dict[str, object]) -> None:
    slide = build_slide(found(CONFIG, **work))
    assert slide.table.spanning.startswith("tokens/s at ")
    assert "no less than" not in " ".join(slide.read.lines)


def test_where_both_are_one_figure_only_the_swept_rates_are_marked() -> None:
    slide = build_slide(found(EXPERTS, batch=1))
    assert "random" in slide.table.spanning
    assert "no less than" not in " ".join(slide.read.lines)


def test_rates_have_their_ratio_below_where_a_baseline_is_chosen() -> None:
    base = study(device(), device("Quick", bandwidth=8e12), device("Small", bandwidth=1e12, capacity=17e9), batch=8)
    chosen = evaluate(replace(base, view=replace(base.view, baseline="quick")), catalogue())
    slide = build_slide(chosen)
    # two and eight TB/s; 16.1 GB of weights leave room for one request on none of 17 GB
    assert [row.ratios for row in slide.table.rows] == [("0.25×",) * 3, ("1",) * 3, ("0.12×", "", "")]
    assert slide.table.rows[2].cells[-2:] == ("no room", "no room")
    assert slide.read.lines[0].endswith("Small, under a rate: its ratio to Quick.")
    assert all(not row.ratios for row in build_slide(evaluate(base, catalogue())).table.rows)
    alone = replace(base, hardware=base.hardware[:1], view=replace(base.view, baseline="round"))
    assert build_slide(evaluate(alone, catalogue())).table.rows[0].ratios == ()


@pytest.mark.parametrize(
    ("work", "columns", "current"),
    [
        ({"batch": 8}, ("1", "8", "32"), "8"),
        ({"batch": 256}, ("1", "8", "32", "256"), "256"),
        ({"batch": 5}, ("1", "5", "8", "32"), "5"),
        ({"batch": 2, "context": 4096, "phase": "prefill"}, ("512", "2,048", "4,096", "8,192"), "4,096"),
    ],
)
@pytest.mark.parametrize("config", [CONFIG, EXPERTS])
def test_the_batch_or_prompt_of_the_study_stands_among_the_columns(
    config: dict[str, object], work: dict[str, object], columns: tuple[str, ...], current: str
) -> None:
    evaluation = found(config, **work)
    table = build_slide(evaluation).table
    assert table.headers[-table.span :] == columns
    assert table.current is not None
    assert table.headers[table.current] == current
    totals = evaluation.devices[0].totals
    rate = significant(float(totals.routed.tokens_per_s or 0.0)) if totals.fits else "no room"
    assert table.rows[0].cells[table.current] == rate
