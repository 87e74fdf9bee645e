"""Rooflines side by side: each subject's own roof and points, the same axes, a verdict in words."""

import pytest
from msgspec.structs import replace

from explorer.analysis.study.study import Study, View
from explorer.presentation.look import Look
from explorer.presentation.views.compared.rooflines import RooflinesFigure, rooflines_figure
from tests.plot.drawing import A100, H100, MI300X, decode_study, evaluated, matmul_study, measured


def figure(study: Study) -> RooflinesFigure:
    return rooflines_figure(evaluated(study), Look())


def test_every_machine_has_a_chart_with_its_own_roof_and_points_on_the_same_axes() -> None:
    found = figure(decode_study(H100, A100, MI300X))
    assert [p.name for p in found.panels] == ["H100", "A100", "MI300X"]
    assert [[r.key for r in p.figure.roofs] for p in found.panels] == [["d0"], ["d1"], ["d2"]]
    assert [{m.device for m in p.figure.marks} for p in found.panels] == [{"d0"}, {"d1"}, {"d2"}]
    assert len({(p.figure.x_range, p.figure.y_range) for p in found.panels}) == 1
    (x_low, x_high), (y_low, y_high) = found.panels[0].figure.x_range, found.panels[0].figure.y_range
    for panel in found.panels:
        (roof,) = panel.figure.roofs
        assert x_low < (roof.ridge or 0.0) < x_high
        assert y_low < (roof.peak or 0.0) < y_high
        assert all(x_low < m.x < x_high and y_low < m.y < y_high for m in panel.figure.marks)
    assert [p.ridge for p in found.panels] == ["ridge 295", "ridge 153", "ridge 247"]
    assert [p.baseline for p in found.panels] == [True, False, False]


def test_points_are_those_of_the_machine_and_labelled_there() -> None:
    found = figure(decode_study(H100, A100, batch=256, context=1024))
    for panel, share in zip(found.panels, ("66 %", "56 %"), strict=True):
        biggest = max(panel.figure.marks, key=lambda m: m.area)
        assert biggest.rows[0] == "attention"
        assert share in biggest.label
        assert biggest.active


def test_verdicts_say_what_most_of_the_time_waits_for() -> None:
    found = figure(decode_study(H100, A100, MI300X))
    assert found.finding == "All 3 wait for memory most of the time."
    assert found.panels[0].verdict == "waits for memory, 100 % of the time"
    two = figure(matmul_study(256, 8192, 8192, H100, A100))
    assert two.finding == "A100: mostly waiting for compute. H100: mostly waiting for memory."
    assert [p.waits for p in two.panels] == ["waits for memory", "waits for compute"]
    assert figure(decode_study(H100, A100)).finding == "Both wait for memory most of the time."


def test_measurements_stay_on_their_own_device() -> None:
    study = measured(matmul_study(256, 8192, 8192, H100, A100), "matmul", 0.7, 4e-5)
    found = figure(study)
    assert [any(m.measured for m in p.figure.every_mark) for p in found.panels] == [True, False]


def test_formats_of_one_device_have_colours_of_their_own() -> None:
    found = figure(replace(decode_study(H100), view=View(vary="formats")))
    assert len({p.colour for p in found.panels}) == len(found.panels) > 3
    for panel in found.panels:
        assert {m.colour for m in panel.figure.marks} == {panel.colour}


def test_what_is_not_drawn_is_said() -> None:
    small = replace(A100, name="Small", short="Small", memory=(replace(A100.memory[0], capacity=1e9),))
    assert figure(decode_study(H100, small)).notes == ("No room: Small.", "Operators without FLOPs are not drawn.")


@pytest.mark.parametrize(
    ("study", "says"),
    [
        (decode_study(H100), "One machine stands alone: tick a second device."),
        (Study(), "Choose devices and a model or operators to compare."),
        (replace(decode_study(H100, A100), view=View(vary="measurements")), "Measurements are compared in the table"),
    ],
)
def test_where_nothing_stands_side_by_side_one_sentence_says_why(study: Study, says: str) -> None:
    found = figure(study)
    assert says in found.empty_text
    assert found.panels == ()
