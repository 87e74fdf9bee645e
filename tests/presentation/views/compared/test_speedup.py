"""The map of speed-ups in words: one label a region, limits that hold, where the study stands."""

import numpy as np
import pytest
from msgspec.structs import replace

from explorer.analysis.ask.comparison.speedup import SpeedMap
from explorer.analysis.study.study import Study, View
from explorer.analysis.study.variant import SetBatch, Variant
from explorer.presentation.look import Look
from explorer.presentation.views.compared import speedup
from explorer.presentation.views.compared.speedup import SpeedupFigure, speedup_figure
from tests.plot.drawing import A100, H100, decode_study, evaluated, matmul_study


def figure(study: Study) -> SpeedupFigure:
    return speedup_figure(evaluated(study), Look())


def test_h100_over_a100_is_the_ratio_of_bandwidths_until_compute_decides() -> None:
    found = figure(decode_study(A100, H100, batch=256, context=1024))
    assert found.title == "H100 over A100"
    assert found.says == "speed-up of the step, op by op"
    assert found.finding == "At batch 256 and context 1,024, H100 is 1.92× as fast as A100, operator by operator."
    assert found.limits == "at most 3.17×, the ratio of peaks; bandwidth ratio 1.64× · box: now"
    first = found.labels[0]
    assert (first.text, first.below) == ("1.64×", "bandwidth ratio")
    assert {"2.27×", "2.05×", "1.92×"} <= {label.text for label in found.labels}
    assert sum(label.text == "1.64×" for label in found.labels) == 1
    assert found.now == (1, 8)
    assert found.cells[1][8].text == "1.92×"
    assert found.cells[1][8].tip == "batch 256, context 1,024\nH100 is 1.92× as fast as A100, operator by operator"
    assert (found.columns[:3], found.columns[10], found.rows[:2]) == (("1", "2", "4"), "1k", ("512", "1k"))


def test_slower_is_shaded_the_other_way_and_bounded_from_below() -> None:
    found = figure(decode_study(H100, A100, batch=250, context=1000))
    assert found.limits == "at least 0.32×, the ratio of peaks; bandwidth ratio 0.61× · box: nearest to now"
    faster = figure(decode_study(A100, H100))
    for row, other in zip(found.cells, faster.cells, strict=True):
        for cell, twin in zip(row, other, strict=True):
            assert (cell.shade is None) == (twin.shade is None)
            if cell.shade is not None and twin.shade is not None:
                assert cell.shade < 0 < twin.shade
                assert cell.shade == pytest.approx(-twin.shade)


def test_cells_say_who_has_room() -> None:
    small = replace(H100, name="Small", short="Small", memory=(replace(H100.memory[0], capacity=20e9),))
    found = figure(decode_study(A100, small, batch=64, context=512))
    labels = {label.text for label in found.labels if not label.room}
    assert labels == {"room on A100 alone", "no room on either"}
    assert found.finding == "At batch 64 and context 512, no room: Small."
    assert found.cells[0][6].shade is None
    assert found.cells[0][6].tip == "batch 64, context 512\nno room on Small"
    assert found.hatched[0][5:7] == ("", "under")


@pytest.mark.parametrize(
    ("study", "says"),
    [
        (decode_study(H100), "One machine stands alone: tick a second device."),
        (Study(), "Choose devices and a model or operators to compare."),
        (matmul_study(64, 64, 64, H100, A100), "Own operators have neither batch nor context"),
        (
            replace(
                decode_study(H100),
                view=View(vary="what_ifs"),
                what_ifs=(Variant(label="more", edit=SetBatch(batch=64)),),
            ),
            "What-ifs of batch or context have no map",
        ),
    ],
)
def test_where_there_is_no_map_one_sentence_says_why(study: Study, says: str) -> None:
    found = figure(study)
    assert says in found.empty_text
    assert found.cells == ()


def test_formats_have_a_map_on_the_baseline_without_ratios_of_machines() -> None:
    found = figure(replace(decode_study(H100), view=View(vary="formats", compare_with="1")))
    assert found.title == "weights int8 over weights and KV bf16"
    assert found.limits in {"box: now", "box: nearest to now"}


def test_a_map_without_ratios_says_why() -> None:
    study = decode_study(A100, H100)
    found = figure(replace(study, workload=replace(study.workload, launch="eager")))
    assert found.finding == "H100 has no ratio to A100: nobody published what a launch takes on H100, A100."
    assert {(c.text, c.shade) for row in found.cells for c in row} == {("", None)}
    assert "launches unknown" in {label.text for label in found.labels}
    assert found.cells[0][0].tip.endswith("no ratio of H100 to A100: launches unknown")


def test_a_cell_is_the_ratio_of_bandwidths_only_where_it_is_written_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    yes = np.array([[True, True]])
    near = SpeedMap((1, 2), (512,), np.array([[0.8035, 0.8065]]), yes, yes, 0.8035, 2.0)
    monkeypatch.setattr(speedup, "speed_map", lambda *_: near)
    found = figure(decode_study(A100, H100))
    assert [(label.text, label.below) for label in found.labels] == [("0.80×", "bandwidth ratio"), ("0.81×", "")]


def test_the_bound_of_a_map_is_the_largest_ratio_of_all_peaks_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    yes = np.array([[True, True]])
    near = SpeedMap((1, 2), (512,), np.array([[1.7, 2.4]]), yes, yes, 1.5, 2.0, (2.0, 3.0))
    monkeypatch.setattr(speedup, "speed_map", lambda *_: near)
    assert figure(decode_study(A100, H100)).limits.startswith("at most 3.00×, the ratio of peaks")
