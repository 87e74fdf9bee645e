"""Operators side by side: what is alike together, the rest exact, ratios of times to the baseline's."""

import pytest
from msgspec.structs import replace

from explorer.analysis.ask.comparison.drawn import drawn_subjects
from explorer.analysis.ask.comparison.paired import PairedStep, paired_step
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.study.study import OwnRow, QuickModel, Study
from tests.plot.drawing import A100, H100, MI300X, decode_study, evaluated, matmul_study

QUICK = QuickModel(params=8e9, layers=32, kv_heads=8, head_dim=128)


def paired(evaluation: Evaluation) -> PairedStep:
    return paired_step(drawn_subjects(evaluation))


def test_operators_of_one_kind_in_one_part_of_a_layer_stand_together() -> None:
    step = paired(evaluated(decode_study(H100, A100, batch=256, context=1024)))
    names = [g.names for g in step.groups[:4]]
    assert names == [
        ("attention",),
        ("gate_proj", "up_proj", "down_proj"),
        ("q_proj", "k_proj", "v_proj", "o_proj"),
        ("lm_head",),
    ]


def test_groups_and_what_they_leave_add_up_to_the_step_operator_by_operator() -> None:
    evaluation = evaluated(decode_study(H100, A100, MI300X))
    step = paired(evaluation)
    assert step.whole.seconds == tuple(float(d.totals.time_s) for d in evaluation.devices)
    assert len(step.rests) == len(step.groups) + 1
    for n, rest in enumerate(step.rests):
        for place, whole in enumerate(step.whole.seconds):
            shown = sum(g.seconds[place] or 0.0 for g in step.groups[:n])
            assert shown + (rest.seconds[place] or 0.0) == pytest.approx(whole, rel=1e-12)
    assert step.rests[-1].names == ()


def test_ratios_are_of_times_bandwidths_where_both_wait_for_memory_and_peaks_where_both_wait_for_compute() -> None:
    step = paired(evaluated(decode_study(H100, A100, batch=8)))
    assert step.groups[0].ratios[0] == 1.0
    assert step.whole.ratios[1] == pytest.approx(3.35 / 2.039, rel=1e-6)  # 1.64
    squares = paired(evaluated(matmul_study(8192, 8192, 8192, H100, A100)))
    assert squares.whole.ratios[1] == pytest.approx(989.4 / 312, rel=1e-6)  # 3.17


def test_a_range_of_ratios_is_of_operators_that_take_time() -> None:
    step = paired(evaluated(decode_study(H100, A100, batch=256, context=1024)))
    ends = step.ratio_range(1)
    assert ends is not None
    assert ends[0].names == ("attention",)  # of many at the ratio of bandwidths the one that takes longest
    assert ends[1].names == ("lm_head",)
    assert [e.ratios[1] for e in ends] == pytest.approx([1.643, 2.58], abs=0.01)


def test_operators_of_the_users_own_that_share_a_name_stand_apart() -> None:
    study = matmul_study(64, 64, 64, H100, A100)
    twin = OwnRow(id="b", name="matmul", kind="matmul", dims={"m": 8192.0, "n": 8192.0, "k": 8192.0})
    step = paired(evaluated(replace(study, operators=(*study.operators, twin))))
    assert [g.names for g in step.groups] == [("matmul",), ("matmul",)]
    assert step.groups[0].seconds[0] == pytest.approx(2 * 8192**3 / 989.4e12)


def hardware(study: Study, **changes: object) -> Study:
    return replace(study, view=replace(study.view, **changes))


def test_the_baseline_stands_first_then_the_device_that_is_set_beside_it() -> None:
    study = hardware(decode_study(H100, A100, MI300X), baseline="d2", compare_with="d1")
    drawn = drawn_subjects(evaluated(study))
    assert [s.key for s in drawn.subjects] == ["d2", "d1", "d0"]
    assert drawn.baseline is drawn.subjects[0]


def test_who_has_no_room_is_named_and_not_drawn_nor_is_a_ratio_to_it() -> None:
    small = replace(A100, memory=(replace(A100.memory[0], capacity=10e9),))
    drawn = drawn_subjects(evaluated(decode_study(small, H100, MI300X)))
    assert [s.key for s in drawn.no_room] == ["d0"]
    assert drawn.baseline is None
    step = paired_step(drawn)
    assert len(step.whole.seconds) == 2
    assert step.whole.ratios == (None, None)


def test_devices_beyond_the_most_are_told() -> None:
    drawn = drawn_subjects(evaluated(decode_study(*[H100] * 8)))
    assert (len(drawn.subjects), len(drawn.more)) == (6, 2)


def test_models_without_an_operator_have_no_time_for_it() -> None:
    study = decode_study(H100)
    config = {**(study.models[0].config or {}), "num_hidden_layers": 16}
    models = (*study.models, replace(study.models[0], id="half", name="half", config=config))
    quick = replace(study.models[0], id="q", name="quick", config=None, quick=QUICK)
    step = paired(evaluated(hardware(replace(study, models=(*models, quick)), vary="models")))
    attention = next(g for g in step.groups if g.names == ("attention",))
    assert attention.ratios[1] == pytest.approx(0.5)
    weights = next(g for g in step.groups if g.names == ("weights",))
    assert weights.seconds[:2] == (None, None)
    assert weights.ratios == (None, None, None)
