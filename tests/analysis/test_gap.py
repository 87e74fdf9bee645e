"""Measured beside bound: joined at its own conditions, judged, and told why where the bound is beaten."""

import msgspec
import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device, MemoryLevel, Peak, Source
from explorer.analysis.measured.gap import Gap, gaps, verdict_of
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.study import Measurement, Override, OwnRow, QuickModel, Study
from tests.analysis.making import device, own, study
from tests.analysis.measured_rows import LLAMA_8B

MATMUL = own("up", "matmul", m=4096, n=4096, k=4096)
SMALL = own("small", "matmul", m=16, n=1024, k=1024)


def measured(name: str = "run", **fields: object) -> Measurement:
    return Measurement(**{"id": name, "name": name, "device": "dev", **fields})


def with_measurements(base: Study, *found: Measurement) -> Study:
    return msgspec.structs.replace(base, measurements=found)


def one(base: Study, catalogue, **fields: object) -> Gap:
    (gap,) = gaps(evaluate(with_measurements(base, measured(**fields)), catalogue))
    return gap


def codes(gap: Gap) -> list[str]:
    return [c.code for c in gap.causes]


def with_model(entry=LLAMA_8B, on: tuple[Device, ...] = (), **work: object) -> Study:
    base = study(on=on, **work)
    return msgspec.structs.replace(base, models=(entry,), active_model=entry.id)


def test_a_row_is_joined_to_its_operator_time(catalogue):
    gap = one(study(MATMUL), catalogue, row="up", time_s=1e-3)
    assert gap.prediction.flops == 2 * 4096**3
    assert gap.bound_s == pytest.approx(2 * 4096**3 / 300e12)
    assert gap.efficiency == pytest.approx(2 * 4096**3 / 300e12 / 1e-3)
    assert gap.verdict == "room"
    assert not gap.causes


def test_launches_are_no_part_of_the_bound(catalogue):
    slow = study(SMALL, on=(device(launch=1.0),), launch="eager")
    gap = one(slow, catalogue, row="small", time_s=1e-3)
    assert gap.bound_s < 2e-6


def test_a_step_is_joined_to_its_floor_and_tokens_become_seconds(catalogue):
    base = with_model(batch=4, context=1024)
    gap = one(base, catalogue, tokens_per_s=200.0)
    assert gap.measured_s == pytest.approx(4 / 200)
    assert gap.bound_s == evaluate(base, catalogue).devices[0].totals.floor_s


def test_a_step_is_evaluated_at_the_conditions_of_its_measurement_not_of_the_study(catalogue):
    base = with_model(batch=64, context=8192, phase="prefill")
    gap = one(base, catalogue, tokens_per_s=50.0, batch=1, context=256, phase="decode")
    alone = evaluate(with_model(batch=1, context=256, phase="decode"), catalogue)
    assert gap.bound_s == alone.devices[0].totals.floor_s
    assert gap.measured_s == pytest.approx(1 / 50)


def test_bytes_of_a_file_take_the_place_of_counted_weights(catalogue):
    # llama-bench prints 4.58 GiB for Llama-3-8B Q4_K_M; its table of embeddings, in Q4_K, is not streamed
    gap = one(with_model(context=256), catalogue, tokens_per_s=100.0, size_bytes=4_917_737_553)
    streamed = 4_912_898_048 - 128_256 * 4096 * 4.5 / 8
    held = 256 * 32 * 2 * 8 * 128 * 2
    assert gap.prediction.bytes == pytest.approx(streamed + held, rel=2e-3)


@pytest.mark.parametrize("size", [4_917_737_553, 5.2e9, 8e9])
def test_what_a_measured_file_holds_is_not_changed_by_formats_of_single_rows(catalogue, size):
    base = with_model(context=256)
    other = replace(base, overrides=(Override(row="lm_head", weights="fp32"), Override(row="up_proj", weights="int8")))
    plain, changed = (one(s, catalogue, tokens_per_s=100.0, size_bytes=size) for s in (base, other))
    assert changed.prediction.bytes == plain.prediction.bytes
    unsized = (one(s, catalogue, tokens_per_s=100.0) for s in (base, other))
    assert len({gap.prediction.bytes for gap in unsized}) == 2


def test_what_another_tool_counted_needs_no_row(catalogue):
    gap = one(study(), catalogue, time_s=1e-3, flops=1e9, bytes=1e9, format="bf16")
    assert gap.bound_s == pytest.approx(1e9 / 2e12)
    assert gap.efficiency == pytest.approx(0.5)
    assert gap.verdict == "between"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"device": "gone", "time_s": 1.0}, "gap.no_device"),
        ({"row": "gone", "time_s": 1.0}, "gap.row_gone"),
        ({"model": "gone", "time_s": 1.0}, "gap.model_gone"),
        ({"row": "up"}, "gap.no_time"),
    ],
)
def test_what_cannot_be_joined_says_why(catalogue, fields, code):
    gap = one(study(MATMUL), catalogue, **fields)
    assert gap.why.code == code
    assert gap.efficiency is None


@pytest.mark.parametrize(
    ("efficiency", "verdict"),
    [
        (0.1, "room"),
        (0.499, "room"),
        (0.5, "between"),
        (0.799, "between"),
        (0.8, "limit"),
        (1.0, "limit"),
        (1.2, "over"),
    ],
)
def test_verdicts_turn_at_a_half_four_fifths_and_one(efficiency, verdict):
    assert verdict_of(efficiency) == verdict


# causes


def cached_device(capacity: float) -> Device:
    plain = device()
    return msgspec.structs.replace(
        plain, memory=(*plain.memory, MemoryLevel(level="L2", capacity=capacity, bandwidth=9e12))
    )


def memory_time(base: Study, catalogue) -> float:
    return float(evaluate(base, catalogue).devices[0].points[0].seconds("memory"))


def test_operands_that_fit_a_cache_are_the_first_suspect(catalogue):
    base = study(SMALL, on=(cached_device(50e6),))
    gap = one(base, catalogue, row="small", time_s=memory_time(base, catalogue) / 3)
    assert codes(gap)[0] == "cause.cached"
    assert gap.causes[0].values["level"] == "L2"


def test_operands_beyond_every_cache_are_not_blamed_on_it(catalogue):
    base = study(own("copy", "copy", values=1e9), on=(cached_device(50e6),))
    gap = one(base, catalogue, row="copy", time_s=memory_time(base, catalogue) / 1.5)
    assert not [c for c in codes(gap) if c.startswith("cause.cached")]


def test_a_timing_that_was_said_to_be_cached_needs_no_guess(catalogue):
    base = study(SMALL)
    gap = one(base, catalogue, row="small", time_s=memory_time(base, catalogue) / 3, cached=True)
    assert codes(gap)[0] == "cause.cached_said"


def peaked(*peaks: Peak) -> Device:
    return msgspec.structs.replace(device(), peaks=(*device().peaks, *peaks))


def test_a_peak_of_a_narrower_accumulator_explains_what_it_can_reach(catalogue):
    half = Peak(format="bf16", accumulate="fp16", unit="tensor", rate=600e12)
    base = study(MATMUL, on=(peaked(half),))
    gap = one(base, catalogue, row="up", time_s=2 * 4096**3 / 500e12)
    assert codes(gap)[0] == "cause.accumulate"
    assert "cause.sparse" in codes(gap)
    beyond = one(base, catalogue, row="up", time_s=2 * 4096**3 / 700e12)
    assert "cause.accumulate" not in codes(beyond)


def test_another_formats_peak_is_named_where_it_would_suffice(catalogue):
    base = study(MATMUL, on=(peaked(Peak(format="fp8", accumulate="fp32", unit="tensor", rate=900e12)),))
    gap = one(base, catalogue, row="up", time_s=2 * 4096**3 / 800e12)
    cause = next(c for c in gap.causes if c.code == "cause.wrong_peak")
    assert (cause.values["counted"], cause.values["format"]) == ("bf16", "fp8")


def test_a_little_over_a_peak_is_the_clock(catalogue):
    gap = one(study(MATMUL), catalogue, row="up", time_s=2 * 4096**3 / 300e12 / 1.06)
    assert "cause.clock" in codes(gap)[:2]


def test_a_little_over_a_measured_roof_is_no_clock(catalogue):
    level = MemoryLevel(level="DRAM", bandwidth=20e9, source="m")
    cpu = Device(id="dev", name="CPU", vendor="T", memory=(level,), sources={"m": Source(kind="measured")})
    base = study(own("copy", "copy", values=1e9), on=(cpu,))
    gap = one(base, catalogue, row="copy", time_s=memory_time(base, catalogue) / 1.02)
    assert codes(gap)[0] == "cause.roof_measured"
    assert "cause.memory_clock" not in codes(gap)


def test_a_run_that_cannot_fit_is_no_measurement(catalogue):
    base = with_model(on=(device(capacity=8e9),), context=4096)
    gap = one(base, catalogue, tokens_per_s=1133.0)
    assert codes(gap)[0] == "cause.out_of_memory"


def test_a_run_that_says_it_drafts_is_speculative_decoding(catalogue):
    base = with_model(context=512)
    floor = float(evaluate(base, catalogue).devices[0].totals.floor_s)
    gap = one(base, catalogue, tokens_per_s=2 / floor, source="server + MTP draft n=2")
    assert codes(gap)[0] == "cause.speculative_said"


def test_a_rough_model_may_be_a_mixture_counted_whole(catalogue):
    quick = msgspec.structs.replace(
        LLAMA_8B, config=None, quick=QuickModel(params=30e9, layers=48, kv_heads=4, head_dim=128)
    )
    base = with_model(quick, context=512)
    floor = float(evaluate(base, catalogue).devices[0].totals.floor_s)
    gap = one(base, catalogue, tokens_per_s=4 / floor)
    assert codes(gap)[0] == "cause.experts_rough"


def test_pairs_counted_in_full_explain_a_prefill_beyond_its_bound(catalogue):
    base = with_model(context=8192, phase="prefill", attention_count="full")
    floor = float(evaluate(base, catalogue).devices[0].totals.floor_s)
    gap = one(base, catalogue, time_s=floor / 1.1)
    assert "cause.window_full" in codes(gap)[:2]


def test_logits_of_all_tokens_explain_no_more_than_the_heads_share(catalogue):
    base = with_model(context=512, phase="prefill", logits="all")
    floor = float(evaluate(base, catalogue).devices[0].totals.floor_s)
    assert "cause.head_skipped" in codes(one(base, catalogue, time_s=floor / 1.05))
    assert "cause.head_skipped" not in codes(one(base, catalogue, time_s=floor / 1.5))


def test_every_excess_has_some_cause_and_says_how_much(catalogue):
    base = study(own("copy", "copy", values=1e9))
    gap = one(base, catalogue, row="copy", time_s=memory_time(base, catalogue) / 1.5)
    assert gap.causes
    assert all(c.values["over"] == gap.efficiency for c in gap.causes)


def test_own_rows_are_joined_in_a_study_without_a_model(catalogue):
    base = study(MATMUL, OwnRow(id="c", name="c", kind="copy", dims={"values": 1e6}))
    gap = one(base, catalogue, time_s=1.0)
    assert gap.bound_s == evaluate(base, catalogue).devices[0].totals.floor_s
