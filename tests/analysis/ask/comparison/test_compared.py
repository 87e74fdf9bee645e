"""Figures side by side: values by hand, ratios to the baseline, the best, what is missing, the order of rows."""

import pytest
from msgspec.structs import replace

from explorer.analysis.ask.comparison.compared import compare, figures_of
from explorer.analysis.catalogue.device import MemoryLevel
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.study import HardwareEntry
from explorer.analysis.study.variant import ScaleDevice, SetBatch, Variant
from explorer.files.study.examples import example_path
from explorer.files.study.study import read_study
from tests.analysis.ask.comparison.machines import (
    A100,
    B200,
    CATALOGUE,
    GEFORCE,
    H100,
    H200,
    MI300X,
    TWO,
    cell,
    compared,
    evaluated,
    llama,
)
from tests.analysis.making import device

# Llama-3.1-8B, bf16, batch 256, context 1,024. Streamed: 8,030,261,248 parameters less the 525,336,576 of the input
# table, 2 B each, and 256 of its rows; KV 32 layers x 2 x 8 heads x 128 x 2 B = 131,072 B a token, 1,024 of them and
# the new one of 256 requests; logits 256 x 128,256 x 2 B.
WEIGHTS = 2 * (8_030_261_248 - 525_336_576) + 256 * 4096 * 2
KV = 131_072 * 256 * 1024
MOVED = WEIGHTS + KV + 131_072 * 256 + 256 * 128_256 * 2
HELD = 2 * 8_030_261_248 + KV


def test_steps_by_hand() -> None:
    found = compared(llama())
    for key, bandwidth, ratio in (
        (H100, 3.35e12, 1.0),
        (B200, 8.0e12, 0.41875),
        (MI300X, 5.3e12, 0.63208),
        (H200, 4.8e12, 0.69792),
        (TWO, 4.078e12, 0.82148),
        (A100, 2.039e12, 1.64296),
    ):
        least = cell(found, key, "at_least")
        assert least.value == pytest.approx(MOVED / bandwidth, rel=1e-6)
        assert least.ratio == pytest.approx(ratio, rel=1e-5)
        assert cell(found, key, "per_request").value == pytest.approx(bandwidth / MOVED, rel=1e-6)
        assert cell(found, key, "in_all").value == pytest.approx(256 * bandwidth / MOVED, rel=1e-6)
        assert cell(found, key, "in_all").ratio == pytest.approx(1 / ratio, rel=1e-5)


def test_largest_batches_by_hand() -> None:
    found = compared(llama())
    per_sequence = 131_072 * 1024
    for key, gib, count in (
        (H100, 80, 520),
        (B200, 180, 1320),
        (MI300X, 192, 1416),
        (H200, 141, 1008),
        (GEFORCE, 24, 72),
    ):
        assert (gib * 2**30 - 2 * 8_030_261_248) // per_sequence == count
        assert cell(found, key, "largest_batch").value == count


def test_tokens_per_joule_are_those_of_all_requests_at_the_power_of_all_devices() -> None:
    found = compared(llama())
    for key, watt in ((H100, 700), (B200, 1000), (A100, 400), (TWO, 800)):
        assert cell(found, key, "per_joule").value == pytest.approx((cell(found, key, "in_all").value or 0) / watt)
    assert cell(found, TWO, "per_joule").value == pytest.approx(cell(found, A100, "per_joule").value)
    assert cell(found, H100, "per_joule").value == pytest.approx(24.8, abs=0.05)


def test_machines_by_hand() -> None:
    found = compared(llama())
    assert cell(found, B200, "ridge").value == pytest.approx(2250 / 8)
    assert cell(found, B200, "bandwidth").ratio == pytest.approx(8 / 3.35)
    assert cell(found, TWO, "peak").value == 624e12
    assert cell(found, A100, "peak").ratio == pytest.approx(312 / 989.4)
    assert cell(found, A100, "ridge").ratio == pytest.approx(153.016 / 295.343, rel=1e-4)
    assert cell(found, A100, "year").difference == -2
    assert cell(found, A100, "year").ratio is None


def test_the_best_is_marked_where_figures_differ_and_ties_all_are() -> None:
    found = compared(llama())
    best = {f.id: [r.subject.key for r in found.rows if r.cells[f.id].best] for f in found.figures}
    assert best["bandwidth"] == best["at_least"] == best["in_all"] == best["first_token"] == [B200]
    assert best["largest_batch"] == [MI300X]
    assert best["held"] == best["ridge"] == best["year"] == best["power"] == []
    pair = compared(llama(A100, TWO))
    assert not any(r.cells["per_joule"].best for r in pair.rows)
    three = compared(llama(A100, TWO, H100))
    assert not any(r.cells["launch"].best for r in three.rows if r.subject.key != H100)
    tied = compared(llama(H100, H200, A100))
    assert [r.subject.key for r in tied.rows if r.cells["peak"].best] == [H100, H200]


def test_a_machine_without_room_has_no_step_and_says_so() -> None:
    found = compared(llama())
    row = found.rows[-1]
    assert row.subject.key == GEFORCE
    assert not row.room
    for figure in ("at_least", "by_operator", "per_request", "in_all", "per_joule", "memory_share", "expected_low"):
        assert row.cells[figure].value is None
        assert row.cells[figure].ratio is None
        assert row.cells[figure].why is not None
        assert row.cells[figure].why.code == "compare.why.no_room"  # type: ignore[union-attr]
    assert row.cells["held"].value == pytest.approx(HELD, rel=1e-6)
    assert row.cells["fits"].value == 0.0
    assert row.cells["first_token"].value is not None


def test_a_capacity_that_nobody_published_is_neither_room_nor_none() -> None:
    unknown = HardwareEntry(id="x", device=device(bandwidth=2e12, capacity=None, ident="x"))
    study = llama(H100)
    found = compared(replace(study, hardware=(*study.hardware, unknown)))
    assert cell(found, "x", "fits").value is None
    assert cell(found, "x", "largest_batch").value is None
    assert cell(found, "x", "fits").why.code == "compare.why.no_capacity"  # type: ignore[union-attr]
    assert cell(found, "x", "at_least").value == pytest.approx(MOVED / 2e12, rel=1e-6)


def test_without_a_figure_of_the_baseline_the_others_have_no_ratio_and_say_so() -> None:
    found = compared(llama(), vary="machines")
    assert cell(found, A100, "launch").ratio == pytest.approx(2.6 / 2.4)
    other = compared(llama(baseline=B200))
    assert cell(other, A100, "launch").value == 2.6e-6
    assert cell(other, A100, "launch").ratio is None
    assert cell(other, A100, "launch").no_ratio.code == "compare.why.no_baseline"  # type: ignore[union-attr]
    full = compared(llama(baseline=GEFORCE))
    assert full.rows[0].subject.key == GEFORCE
    assert cell(full, H100, "at_least").value is not None
    assert cell(full, H100, "at_least").ratio is None


def test_rows_stand_in_the_order_asked_for_behind_the_baseline() -> None:
    def keys(sort: str) -> list[str]:
        return [r.subject.key for r in compared(llama(compare_sort=sort)).rows]

    assert keys("-in_all") == [H100, B200, MI300X, H200, TWO, A100, GEFORCE]
    assert keys("in_all") == [H100, A100, TWO, H200, MI300X, B200, GEFORCE]
    assert keys("") == [H100, A100, MI300X, H200, TWO, B200, GEFORCE]
    launched = keys("launch")
    assert launched[:4] == [H100, H200, A100, TWO]
    assert launched[-1] == GEFORCE
    assert keys("no such figure") == keys("")


def test_an_order_chosen_later_orders_the_same_figures() -> None:
    evaluation = evaluated(llama())
    before = compare(evaluation)
    view = replace(evaluation.study.view, compare_sort="-in_all")
    after = compare(evaluation.viewed(replace(evaluation.study, view=view)))
    assert after.rows[1].subject.key == B200
    assert after.rows[1] is before.row(B200)


def test_a_machine_of_unknown_bandwidth_keeps_the_figures_that_it_has() -> None:
    blind = replace(device(ident="x"), memory=(MemoryLevel(level="HBM", capacity=80e9),))
    study = llama(H100)
    found = compared(replace(study, hardware=(*study.hardware, HardwareEntry(id="x", device=blind, count=2))))
    assert cell(found, "x", "bandwidth").value is None
    assert cell(found, "x", "capacity").value == 160e9
    assert cell(found, "x", "peak").value == 600e12
    assert cell(found, "x", "at_least").why.code == "compare.why.no_bandwidth"  # type: ignore[union-attr]


def test_prices_stand_there_where_someone_gave_one() -> None:
    assert "price" not in {f.id for f in compared(llama()).figures}
    study = llama(A100, TWO)
    priced = (replace(e, device=replace(e.device, price_per_hour=1.5)) for e in study.hardware)
    found = compared(replace(study, hardware=tuple(priced)))
    assert cell(found, TWO, "price").value == 3.0
    assert cell(found, TWO, "per_price").value == pytest.approx(256 * 4.078e12 / MOVED * 3600 / 3.0, rel=1e-6)


def test_a_peak_that_stands_in_for_another_format_says_so() -> None:
    study = llama(H100, A100)
    found = compared(replace(study, workload=replace(study.workload, weights="fp8", activations="fp8")))
    assert cell(found, A100, "peak").why.code == "compare.note.stands_in"  # type: ignore[union-attr]
    assert cell(found, H100, "peak").why is None


def test_launches_that_nobody_published_make_a_time_at_least() -> None:
    study = llama(H100, B200)
    found = compared(replace(study, workload=replace(study.workload, launch="eager")))
    assert cell(found, B200, "by_operator").why.code == "compare.note.launches_unknown"  # type: ignore[union-attr]
    assert cell(found, H100, "by_operator").why is None


def test_formats_are_compared_with_the_step_as_it_is() -> None:
    found = compared(llama(H100, batch=1), vary="formats")
    assert [r.is_baseline for r in found.rows] == [True] + [False] * (len(found.rows) - 1)
    halved = next(r for r in found.rows if r.subject.edit is not None and r.subject.edit.weights == "fp8")  # type: ignore[union-attr]
    narrow = 1e-9 * (8_030_261_248 - 2 * 525_336_576)  # lm_head stays in 16 bit, the input table is not read
    rest = 1e-9 * (2 * 525_336_576 + 131_072 * 1024)
    assert halved.cells["at_least"].ratio == pytest.approx((narrow + rest) / (2 * narrow + rest), rel=1e-4)
    assert {f.id for f in figures_of("formats")}.isdisjoint({"bandwidth", "capacity", "year"})


def test_a_what_if_of_another_device_is_one_of_that_device() -> None:
    twice = Variant(label="twice the A100", edit=ScaleDevice(device=A100, figure="bandwidth", factor=2.0))
    larger = Variant(label="batch 512", edit=SetBatch(batch=512))
    found = compared(replace(llama(H100, A100, batch=8), what_ifs=(twice, larger)), vary="what_ifs")
    first, scaled, batch = found.rows
    assert first.is_baseline
    assert scaled.subject.entry.id == A100
    assert scaled.cells["at_least"].ratio == pytest.approx(3.35 / 4.078)
    assert batch.cells["held"].difference == pytest.approx(KV * (512 - 8) / 256)


def test_three_files_of_one_model_gain_what_they_move_less_and_a_little_less_when_timed() -> None:
    found = compare(evaluate(read_study(example_path("qwen3-4b-apple")), CATALOGUE), "measurements")
    rows = {r.subject.name: r.cells for r in found.rows}
    for name, moved, bound, measured in (
        ("BF16 tg128", 1.0, 1.0, 1.0),
        ("Q8_0 tg128", 1.88, 1.88, 1.76),
        ("Q4_K_M tg128", 3.22, 3.22, 2.67),  # 8.05 / 2.50 GB, and 79.7 / 29.9 tokens/s
    ):
        assert rows[name]["bytes_gain"].value == pytest.approx(moved, abs=0.005)
        assert rows[name]["bound_gain"].value == pytest.approx(bound, abs=0.005)
        assert rows[name]["measured_gain"].value == pytest.approx(measured, abs=0.005)
    assert [rows[n]["efficiency"].value for n in ("BF16 tg128", "Q8_0 tg128", "Q4_K_M tg128")] == pytest.approx(
        [0.88, 0.82, 0.73], abs=0.005
    )


def test_prompts_are_compared_with_prompts() -> None:
    found = compare(evaluate(read_study(example_path("qwen3-4b-apple")), CATALOGUE), "measurements")
    prompts = {r.subject.name: r for r in found.rows if "pp512" in r.subject.name}
    assert {r.against for r in prompts.values()} == {"BF16 pp512"}
    assert prompts["Q4_K_M pp512"].cells["measured_gain"].value == pytest.approx(0.947, abs=0.0005)  # 839.5 / 886.5
    assert prompts["Q4_K_M pp512"].cells["bound_gain"].value == pytest.approx(1.0)
    assert [r.subject.name for r in prompts.values() if r.cells["tokens"].best] == ["BF16 pp512"]


def test_nothing_side_by_side_compares_nothing() -> None:
    for vary in ("machines", "models", "formats", "what_ifs", "measurements"):
        found = compared(replace(llama(), hardware=()), vary=vary)
        assert found.rows == ()
        assert found.baseline is None
        assert found.flips.groups == ()


def test_what_was_measured_had_room_whatever_the_sheet_says() -> None:
    study = read_study(example_path("qwen3-4b-apple"))
    tight = replace(
        study,
        hardware=tuple(
            replace(e, device=e.device.with_outermost(replace(e.device.outermost, capacity=3e9)))
            for e in study.hardware
        ),
    )
    found = compare(evaluate(tight, CATALOGUE), "measurements")
    assert [r.subject.name for r in found.rows][:3] == ["BF16 tg128", "Q8_0 tg128", "Q4_K_M tg128"]
    assert all(r.room for r in found.rows)
