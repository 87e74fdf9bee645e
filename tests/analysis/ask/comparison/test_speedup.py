"""The map of speed-ups: each cell the ratio of two evaluations, room as it is, found once whatever the workload."""

import pytest
from msgspec.structs import replace

from explorer.analysis.ask.comparison.regions import regions
from explorer.analysis.ask.comparison.speedup import SpeedMap, speed_map, speed_pair
from explorer.analysis.catalogue.device import Device
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import Study, View
from explorer.analysis.study.variant import SetBatch, SetFormats, Variant
from tests.plot.drawing import A100, H100, MI300X, catalogue, decode_study, evaluated, matmul_study


def mapped(evaluation: Evaluation) -> SpeedMap:
    pair = speed_pair(evaluation)
    assert pair is not None
    return speed_map(evaluation, pair)


def sized(device: Device, capacity: float | None) -> Device:
    return replace(device, memory=(replace(device.memory[0], capacity=capacity),))


@pytest.mark.parametrize("phase", ["decode", "prefill"])
def test_a_cell_is_the_ratio_of_two_evaluations(phase: str) -> None:
    found = mapped(evaluated(decode_study(A100, H100, phase=phase)))
    for row, column in ((0, 0), (1, 8), (0, 9), (8, 2)):
        batch, context = found.batches[column], found.contexts[row]
        other = evaluated(decode_study(A100, H100, phase=phase, batch=batch, context=context))
        times = [float(d.totals.time_s) for d in other.devices]
        assert found.ratio[row, column] == pytest.approx(times[0] / times[1])
        assert bool(found.room_under[row, column]) == other.devices[0].totals.fits


def test_h100_over_a100_goes_from_the_ratio_of_bandwidths_towards_that_of_peaks() -> None:
    found = mapped(evaluated(decode_study(A100, H100, batch=256, context=1024)))
    assert found.bandwidth_ratio == pytest.approx(3.35 / 2.039)  # 1.643
    assert found.peak_ratio == pytest.approx(989.4 / 312)  # 3.171
    assert found.contexts == tuple(512 * 2**i for i in range(9))
    assert found.ratio[0, 0] == pytest.approx(1.643, abs=0.001)
    assert found.ratio[found.nearest(256, 1024)] == pytest.approx(1.92, abs=0.005)
    assert found.ratio[0, 9] == pytest.approx(2.27, abs=0.005)


def test_room_of_each_is_judged_apart_and_an_unknown_capacity_takes_everything() -> None:
    found = mapped(evaluated(decode_study(sized(A100, None), sized(H100, 20e9))))
    assert found.room_under.all()
    # 20e9 less 16.06e9 of weights, in caches of 512 tokens of 131,072 bytes: 58
    assert found.room_over[0].tolist() == [b <= 58 for b in found.batches]
    assert not found.both[-1].any()


def test_the_nearest_cell_is_by_doublings() -> None:
    found = mapped(evaluated(decode_study(A100, H100)))
    assert found.nearest(256, 1024) == (1, 8)
    assert found.nearest(250, 1100) == (1, 8)
    assert found.nearest(100_000, 1) == (0, len(found.batches) - 1)


def test_whatever_batch_context_and_view_a_map_is_found_once() -> None:
    study = decode_study(A100, H100)
    first = evaluated(study)
    found = mapped(first)
    later = replace(study, workload=replace(study.workload, batch=77, context=999), view=View(tab="decode"))
    after = evaluate(later, catalogue(), first)
    assert mapped(after) is found
    narrow = evaluate(replace(later, workload=replace(later.workload, kv="fp8")), catalogue(), after)
    assert mapped(narrow) is not found


def view(study: Study, **changes: object) -> Study:
    return replace(study, view=replace(study.view, **changes))


def test_the_one_set_beside_the_baseline_is_over_it_else_the_fastest() -> None:
    study = decode_study(A100, H100, MI300X)
    pair = speed_pair(evaluated(study))
    assert pair is not None
    assert (pair.over.key, pair.under.key) == ("d2", "d0")
    assert pair.now == pytest.approx(5.3 / 2.039, rel=1e-3)
    chosen = speed_pair(evaluated(view(study, baseline="d2", compare_with="d0")))
    assert chosen is not None
    assert (chosen.over.key, chosen.under.key) == ("d0", "d2")
    assert chosen.now == pytest.approx(2.039 / 5.3, rel=1e-3)


def test_there_is_no_ratio_now_where_one_has_no_room() -> None:
    pair = speed_pair(evaluated(decode_study(H100, sized(A100, 10e9))))
    assert pair is not None
    assert pair.now is None


def test_what_changes_the_batch_itself_and_own_operators_have_no_map() -> None:
    batch = Variant(label="more", edit=SetBatch(batch=64))
    kv = Variant(label="kv", edit=SetFormats(kv="fp8"))
    study = view(replace(decode_study(H100), what_ifs=(batch,)), vary="what_ifs")
    assert speed_pair(evaluated(study)) is None
    pair = speed_pair(evaluated(replace(study, what_ifs=(batch, kv))))
    assert pair is not None
    assert pair.over.name == "kv"
    assert speed_pair(evaluated(matmul_study(64, 64, 64, H100, A100))) is None


def test_cells_that_touch_and_say_the_same_are_one_region_with_its_largest_rectangle() -> None:
    found = regions(["aab", "aab", "aba"])
    assert [(r.says, len(r.cells), r.box) for r in found] == [
        ("a", 5, (0, 0, 1, 1)),
        ("b", 2, (0, 2, 1, 2)),
        ("b", 1, (2, 1, 2, 1)),
        ("a", 1, (2, 2, 2, 2)),
    ]
    kept = regions(["aab", "aab", "aba"], (0, 0))
    assert kept[0].box == (0, 1, 1, 1)
    assert regions(["a"], (0, 0))[0].box == (0, 0, 0, 0)


def test_of_a_band_cells_that_touch_at_corners_are_one_region() -> None:
    stairs = ["ab-", "-ab", "--a"]
    assert sum(r.says == "a" for r in regions(stairs)) == 3
    assert [len(r.cells) for r in regions(stairs, None, "a") if r.says == "a"] == [3]
    assert [len(r.cells) for r in regions(stairs, None, "a") if r.says == "b"] == [1, 1]
