"""Paired bars in words: names of what is alike, times, ratios, and why there is nothing to pair."""

import pytest
from msgspec.structs import replace

from explorer.analysis.study.study import Study, View
from explorer.presentation.look import Look
from explorer.presentation.views.compared.paired import GROUPS, PairedFigure, paired_figure
from tests.plot.drawing import A100, H100, MI300X, decode_study, evaluated, matmul_study

TINY = replace(H100, name="Tiny", short="Tiny", memory=(replace(H100.memory[0], capacity=1e9),))


def figure(study: Study, look: Look | None = None) -> PairedFigure:
    return paired_figure(evaluated(study), look or Look())


def test_bars_say_time_and_ratio_and_the_baseline_says_that_it_is() -> None:
    found = figure(decode_study(H100, A100, batch=256, context=1024))
    assert [g.name for g in found.groups[:4]] == ["attention", "gate, up, down", "q, k, v, o", "lm_head"]
    assert [(b.time_text, b.ratio_text) for b in found.groups[0].bars] == [
        ("10.3 ms", "baseline"),
        ("16.9 ms", "1.64×"),
    ]
    assert found.groups[1].bars[1].ratio_text == "2.54×"
    assert [(s.name, s.whole.time_text, s.whole.ratio_text) for s in found.subjects] == [
        ("H100", "15.7 ms", "baseline"),
        ("A100", "30.0 ms", "1.92×"),
    ]
    assert found.whole_text == "whole step, operator by operator"
    assert found.finding == "A100 takes 1.92× as long as H100: from 1.64× on attention to 2.58× on lm_head."
    assert found.groups[0].bars[1].tip == "attention\n16.9 ms on A100, 1.64× as long as H100"


def test_the_rest_is_counted_and_goes_by_its_name_where_it_is_one() -> None:
    found = figure(decode_study(H100, A100))
    assert found.rests[0].name == "all 17 operators"
    assert found.rests[3].name == "9 others"
    assert found.rests[3].bars[0].seconds == pytest.approx(
        found.subjects[0].whole.seconds - sum(g.bars[0].seconds for g in found.groups[:3])  # type: ignore[operator,misc]
    )
    assert len(found.groups) == GROUPS
    two = figure(matmul_study(64, 64, 64, H100, A100))
    assert (two.groups[0].name, two.rests[0].name) == ("matmul", "matmul")


def test_many_are_told_by_the_quickest_and_the_slowest() -> None:
    found = figure(decode_study(H100, A100, MI300X))
    assert found.finding == "Against H100, MI300X takes 0.63× as long and A100 1.64×."
    even = figure(decode_study(H100, A100, batch=1))
    assert even.finding == "A100 takes 1.64× as long as H100, about the same on every operator."


def test_a_step_whose_launches_nobody_published_is_at_least_and_so_is_its_ratio() -> None:
    from explorer.analysis.catalogue.device import LaunchOverhead

    told = replace(H100, launch_overhead=LaunchOverhead(seconds=3e-6))
    found = figure(decode_study(told, A100, launch="eager"))
    assert found.subjects[1].whole.time_text.startswith("≥ ")
    assert found.subjects[1].whole.ratio_text.startswith("≥ ")
    assert found.notes == ("Launches unknown: A100.",)
    other = figure(decode_study(A100, told, launch="eager"))
    assert other.subjects[1].whole.ratio_text.startswith("≤ ")


def test_who_is_left_out_is_said() -> None:
    small = replace(A100, name="Small", short="Small", memory=(replace(A100.memory[0], capacity=10e9),))
    many = [replace(H100, name=f"N{i}", short=f"N{i}") for i in range(7)]
    found = figure(decode_study(small, *many))
    assert found.notes == ("No room: Small.", "Not drawn: N6.")
    assert [s.whole.ratio_text for s in found.subjects] == [""] * 6  # the baseline has no room
    assert found.finding == ""
    assert found.beyond[2] == "4 more where there is room."
    pair = decode_study(H100, A100)
    twice = replace(pair, hardware=(pair.hardware[0], replace(pair.hardware[1], count=2)))
    assert figure(twice).notes == ("Ideal, links not counted: 2 × A100.",)


@pytest.mark.parametrize(
    ("study", "says"),
    [
        (decode_study(H100), "One machine stands alone: tick a second device."),
        (Study(), "Choose devices and a model or operators to compare."),
        (replace(decode_study(H100, A100), models=(), active_model=""), "Choose devices and a model"),
        (replace(decode_study(H100, A100), view=View(vary="models")), "One model stands alone: add a second one."),
        (replace(decode_study(H100), view=View(vary="what_ifs")), "The study has no what-ifs yet: add one to compare."),
        (replace(decode_study(H100, A100), view=View(vary="measurements")), "Measurements are compared in the table"),
        (decode_study(TINY), "One machine stands alone: tick a second device."),
        (decode_study(TINY, TINY), "Nothing to compare; no room: Tiny, Tiny (2)."),
        (decode_study(H100, TINY), "Nothing beside H100 can be drawn; no room: Tiny."),
    ],
)
def test_where_there_is_nothing_to_pair_one_sentence_says_why(study: Study, says: str) -> None:
    found = figure(study)
    assert says in found.empty_text
    assert found.groups == ()


def test_formats_are_named_by_what_is_changed_beside_the_step_as_it_is() -> None:
    found = figure(replace(decode_study(H100), view=View(vary="formats")))
    assert [s.name for s in found.subjects][:3] == ["weights and KV bf16", "weights int4 + KV fp8", "weights fp8"]
    assert found.subjects[1].whole.ratio_text.startswith("0.")
    assert [s.colour for s in found.subjects] == [0, 8, 1, 2, 3, 4]


def test_a_small_ratio_has_digits() -> None:
    from explorer.analysis.catalogue.device import LaunchOverhead

    told = replace(H100, launch_overhead=LaunchOverhead(seconds=3e-3))
    found = figure(decode_study(told, A100, launch="eager", batch=1))
    texts = [g.bars[1].ratio_text for g in found.groups]
    assert any(text.startswith("≥ 0.0") for text in texts)
    assert "≥ 0.00×" not in texts
