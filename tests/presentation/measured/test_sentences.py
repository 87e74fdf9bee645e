"""Gaps, fits and sweeps in words, one value after the other."""

import math

import pytest
from msgspec.structs import replace

from explorer.analysis.measured.diagnosis import Counters, Diagnosis, InFlight
from explorer.analysis.measured.gap import Gap, gaps
from explorer.analysis.measured.roof_fit import Estimate, RoofFit
from explorer.analysis.problem import Note
from explorer.analysis.study.study import Measurement
from explorer.presentation.measured.gap import (
    diagnosis_sentences,
    gap_sentences,
    note_text,
    roof_fit_lines,
    roof_fit_remarks,
    sweep_sentence,
    verdict_text,
)
from explorer.presentation.measured.sweep import SweepPanel, sweep_panels
from tests.presentation.roofline.made import placed

ROW = ("up", 1e10, 1e9, 1.0)  # 1 ms, bound by memory


def gap(**fields: object) -> Gap:
    one = Measurement(id="1", name="timed", device="dev", **fields)  # type: ignore[arg-type]
    (found,) = gaps(placed(ROW, measurements=(one,)))
    return found


@pytest.mark.parametrize(
    ("seconds", "verdict", "second"),
    [
        (4e-3, "much room",
         "25 % of the bound: much room. Memory sets the bound, yet most of the time goes elsewhere."),
        (1.5e-3, "some room", "67 % of the bound: some room, up to 1.50× where memory sets the bound."),
        (1.1e-3, "engineering limit",
         "91 % of the bound: the engineering limit. Only less work or other hardware makes it faster."),
        (0.5e-3, "over the bound",
         "200 % of the bound: an assumption is broken. The likely causes, the likeliest first:"),
    ],
)  # fmt: skip
def test_the_first_two_sentences_of_every_verdict(seconds: float, verdict: str, second: str) -> None:
    found = gap(row="up", time_s=seconds)
    lines = gap_sentences(found)
    assert lines[0] == f"up took {seconds * 1e3:.2f} ms on Dev; its bound is 1.00 ms.".replace("0.50 ms", "500 µs")
    assert lines[1] == second
    assert verdict_text(found) == verdict
    assert len(lines) == (3 if verdict == "over the bound" else 2)
    assert gap_sentences(found, device="My box")[0].split(" on ")[1].startswith("My box;")


def test_a_step_is_told_from_an_operator() -> None:
    assert gap_sentences(gap(time_s=2e-3))[0] == "A step took 2.00 ms on Dev; its floor is 1.00 ms."
    counted = gap(flops=1e10, bytes=1e9, time_s=2e-3, tool="t")
    assert gap_sentences(counted)[0] == "timed took 2.00 ms on Dev; its bound is 1.00 ms."


@pytest.mark.parametrize(
    ("fields", "last"),
    [
        ({"row": "up", "quartiles_s": (1e-3, 3e-3), "runs": 9}, "The middle half of 9 runs: 1.00 ms to 3.00 ms."),
        ({"row": "up", "quartiles_s": (1e-3, 3e-3)}, "The middle half of the runs: 1.00 ms to 3.00 ms."),
        ({"row": "up", "size_bytes": 5e9}, "50 % of the bound: some room, up to 2.00× where memory sets the bound."),
    ],
)
def test_remarks_follow_the_verdict(fields: dict[str, object], last: str) -> None:
    assert gap_sentences(gap(time_s=2e-3, **fields))[-1] == last


def test_weights_of_a_file_are_said_to_be_its_size() -> None:
    found = gap(time_s=2e-3)
    sized = Gap(**{f: getattr(found, f) for f in found.__struct_fields__} | {
        "measurement": replace(found.measurement, size_bytes=5e9)
    })  # fmt: skip
    assert gap_sentences(sized)[-1] == "Weights are the 5.00 GB of its file, as if every value took the same bytes."
    assert len(gap_sentences(found)) == 2


def test_without_a_prediction_there_is_the_reason_or_nothing() -> None:
    gone = gap(row="gone", time_s=1.0)
    assert gap_sentences(gone) == ["The study has no operator “gone” at these conditions."]
    assert verdict_text(gone) == ""
    silent = Gap(gone.measurement, None, None, 1.0, None, None)
    assert gap_sentences(silent) == []


@pytest.mark.parametrize(
    ("note", "text"),
    [
        (
            Note("cause.out_of_memory", {"needed": 9e10, "capacity": 8e10}),
            "The run failed and printed a figure all the same: it needs 90.0 GB of 80.0 GB.",
        ),
        (
            Note("cause.speculative", {"over": 2.25}),
            "Speculative decoding: a step that yields 2.2 tokens would explain it.",
        ),
        (Note("cause.clock", {"over": 1.1}), "A clock above the sheet: boost or overclocking gives 10 %."),
        (Note("cause.memory_clock", {"over": 1.02}), "Memory clocked above the sheet, by 2.0 %."),
        (
            Note("cause.roof_measured", {"over": 1.05}),
            "The roof was measured too, and lies 5.0 % low: other runs, another load of the machine.",
        ),
        (
            Note("diagnosis.over_peak", {"share": 1.2}),
            "More than the peak (120 %): the tool counts cache hits, or another peak.",
        ),
        (
            Note("diagnosis.small", {"share": 0.05, "gain": 1.0526}),
            "It takes 5.0 % of the time: whatever is done to it, the whole gains 1.05× at most.",
        ),
        (Note("fit_roof.wide_peak", {"factor": 3.456}), "The peak is uncertain by a factor 3.5: left out."),
        (
            Note("cause.cached_said", {"bytes": 1e6}),
            "Its operands (1.00 MB) stayed in a cache, as the timing itself says.",
        ),
        (
            Note("cause.experts_rough", {"parameters": 8e9}),
            "A mixture of experts counted whole: the rough model reads all 8.00B parameters.",
        ),
        (
            Note("cause.window_rough", {"context": 4096}),
            "A window ignored: the rough model reads all 4,096 tokens in every layer.",
        ),
        (
            Note("cause.wrong_peak", {"counted": "bf16", "format": "fp8", "rate": 2e15}),
            "Another format's peak: judged by bf16, while fp8 runs up to 2.00 PFLOP/s.",
        ),
        (
            Note("diagnosis.rank", {"rank": 3}),
            "It is number 3 by time: start with the longest, never with the most FLOPs.",
        ),
        (Note("cause.fewer_bits", {"format": "bf16"}), "Weights of fewer bits than the bf16 that the study counts."),
    ],
)
def test_figures_of_notes_are_in_their_units(note: Note, text: str) -> None:
    assert note_text(note) == text


def test_a_diagnosis_tells_bytes_in_flight_and_its_notes() -> None:
    found = Diagnosis(
        "latency", Counters(0.35, 0.1), InFlight(1.25e6, 4.4e5, 3.35e12, 3.75e-7),
        (Note("diagnosis.cache_hits", {"share": 0.35}),),
    )  # fmt: skip
    lines = diagnosis_sentences(found, "H100")
    assert lines[0].startswith("Latency or concurrency: memory at 35 % and compute at 10 % both wait.")
    assert lines[1] == (
        "H100 needs 1.25 MB in flight (3.35 TB/s × 375 ns, Little's law); at this throughput there are 440 kB."
    )
    assert lines[2].startswith("A tool's “memory throughput” may include cache hits")
    assert len(diagnosis_sentences(Diagnosis("memory", Counters(0.9, 0.1)))) == 1


def fit(**fields: object) -> RoofFit:
    usual: dict[str, object] = {
        "bandwidth": Estimate(8e11, 7e11, 9e11), "peak": Estimate(5e13, 4e13, 6e13),
        "per_kernel_s": Estimate(5e-6, 4e-6, 6e-6), "sigma": 0.02, "residuals": (0.0,) * 8, "notes": (),
    }  # fmt: skip
    return RoofFit(**(usual | fields))  # type: ignore[arg-type]


def test_a_fit_tells_each_estimate_with_its_interval_and_share() -> None:
    entry = placed(ROW).study.hardware[0]
    assert roof_fit_lines(fit(), entry, "bf16") == [
        ("effective bandwidth", "800 GB/s (700 GB/s to 900 GB/s), 80 % of the sheet"),
        ("effective peak, bf16", "50.0 TFLOP/s (40.0 TFLOP/s to 60.0 TFLOP/s), 50 % of the sheet"),
        ("fixed time per kernel", "5.00 µs (4.00 µs to 6.00 µs)"),
    ]
    assert roof_fit_lines(fit(bandwidth=None, peak=None, per_kernel_s=None), entry, "bf16") == []
    bare = replace(entry, device=replace(entry.device, peaks=()))
    assert roof_fit_lines(fit(), bare, "bf16")[1][1] == "50.0 TFLOP/s (40.0 TFLOP/s to 60.0 TFLOP/s)"


def test_the_remarks_of_a_fit_name_five_outliers_at_most() -> None:
    names = list("abcdefgh")
    assert roof_fit_remarks(fit(), names) == ["Measured times differ from the fitted by 2.0 %."]
    apart = fit(residuals=(0.0, 0.5, -0.5, 0.5, 0.0, 0.5, 0.5, 0.5), notes=(Note("fit_roof.no_peak"),))
    assert roof_fit_remarks(apart, names)[1:] == [
        "Hardly counted, for they stand apart: b, c, d, f, g.", "No peak: all of them wait for memory."
    ]  # fmt: skip
    assert len(roof_fit_remarks(fit(sigma=math.nan, residuals=(1.0,) * 8), names)) == 1


BYTES = (1e6, 4e6, 1.6e7, 6.4e7)


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        (
            [(6e-6 + b / 2e10, b**1.5, b) for b in BYTES],
            "Time follows bytes, not FLOPs: memory-bound, 20.0 GB/s effective, 6.00 µs fixed.",
        ),
        (
            [(6e-6 + b / 2e10, b, b**0.5) for b in BYTES],
            "Time follows FLOPs, not bytes: compute-bound, 20.0 GFLOP/s effective, 6.00 µs fixed.",
        ),
        ([(6e-6, b, b**0.5) for b in BYTES], "Time does not follow the size: 6.00 µs fixed, overhead-bound."),
        (
            [(6e-6 + b / 2e10, 2 * b, b) for b in BYTES],
            "Bytes and FLOPs grow alike here, so the sweep cannot tell them apart: 20.0 GB/s by bytes.",
        ),
        (
            [(6e-6 + b / 2e10, None, b) for b in BYTES],
            "Time follows bytes, not FLOPs: memory-bound, 20.0 GB/s effective, 6.00 µs fixed.",
        ),
        ([(None, 1.0, 1.0)] * 5, ""),
        ([(1.0, 1.0, 1.0)] * 2, ""),
        ([], ""),
    ],
)
def test_a_sweep_says_what_its_times_follow(
    points: list[tuple[float | None, float | None, float | None]], sentence: str
) -> None:
    assert sweep_sentence(points) == sentence


def along(panel: SweepPanel, fixed: float, rate: float) -> bool:
    return all(10**y == pytest.approx(fixed + 10**x / rate, rel=1e-3) for x, y in panel.curve)


def test_panels_show_points_and_the_line_that_they_follow() -> None:
    by_bytes, by_flops = sweep_panels([(6e-6 + b / 2e10, b**1.5, b) for b in BYTES])
    assert (by_bytes.title, by_flops.title) == ("Time against bytes", "Time against FLOPs")
    assert (by_bytes.followed, by_flops.followed) == (True, False)
    assert by_bytes.points == tuple((math.log10(b), math.log10(6e-6 + b / 2e10)) for b in BYTES)
    assert [x for x, _ in by_flops.points] == pytest.approx([math.log10(b**1.5) for b in BYTES])
    assert along(by_bytes, 6e-6, 2e10)
    assert len(by_bytes.curve) == 25
    assert (by_bytes.curve[0][0], by_bytes.curve[-1][0]) == (
        pytest.approx(by_bytes.x_range[0]), pytest.approx(by_bytes.x_range[1])
    )  # fmt: skip
    span = math.log10(64.0)  # 0.08 of it is less than the least room
    assert by_bytes.x_range == (pytest.approx(6 - 0.15), pytest.approx(6 + span + 0.15))
    assert by_flops.x_range == (pytest.approx(9 - 0.12 * span), pytest.approx(9 + 1.62 * span))


def test_panels_of_flops_and_of_what_follows_nothing() -> None:
    by_bytes, by_flops = sweep_panels([(6e-6 + b / 2e10, b, b**0.5) for b in BYTES])
    assert (by_bytes.followed, by_flops.followed) == (False, True)
    assert along(by_flops, 6e-6, 2e10)
    flat = sweep_panels([(6e-6, b, b**0.5) for b in BYTES])
    assert [(p.followed, p.curve) for p in flat] == [(False, ()), (False, ())]
    (only,) = sweep_panels([(6e-6 + b / 2e10, None, b) for b in BYTES])
    assert only.title == "Time against bytes"
    (other,) = sweep_panels([(6e-6 + b / 2e10, b, 0.0) for b in BYTES])
    assert (other.title, other.followed) == ("Time against FLOPs", True)
    few = sweep_panels([(1.0, 2.0, 3.0), (None, 1.0, 1.0)])
    assert [(p.points, p.curve) for p in few] == [
        (((math.log10(3.0), 0.0),), ()), (((math.log10(2.0), 0.0),), ())
    ]  # fmt: skip
    assert sweep_panels([]) == ()
    assert sweep_panels([(1.0, None, None)]) == ()
