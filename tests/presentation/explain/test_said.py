"""What explanations say, word for word, where sources, notes and missing figures differ."""

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device, LaunchOverhead, Peak, Source
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import FittedRoof, OwnRow, Study
from explorer.presentation.explain.batches import batch_text
from explorer.presentation.explain.explain import explain
from explorer.presentation.explain.layout import as_text, lay_out
from explorer.presentation.explain.lines import Explanation
from explorer.presentation.explain.totals import per_second
from explorer.presentation.look import Look
from tests.presentation.llama import CONFIG, catalogue, device, evaluated, study

EXPERTS = {**CONFIG, "model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 2}
GIB = Look(unit="GiB")


def told(found: Explanation) -> list[str]:
    return as_text(lay_out(found.lines, 1000)).replace("\u2009", " ").split("\n")


def on(one: Device, count: int = 1, fitted: FittedRoof | None = None, **work: object) -> Evaluation:
    base = study(one, **work)  # type: ignore[arg-type]
    return evaluate(replace(base, hardware=(replace(base.hardware[0], count=count, fitted=fitted),)), catalogue())


def noted() -> Device:
    plain = device()
    return replace(
        plain,
        peaks=(
            replace(plain.peaks[0], note="boost clock", source="paper"),
            replace(plain.peaks[1], source="lost", confidence="low"),
        ),
        memory=(replace(plain.memory[0], note="ECC on", source="", confidence="low"),),
        launch_overhead=LaunchOverhead(seconds=2e-6, source="mine", note="by a script", confidence="low"),
        sources={
            "paper": Source(kind="paper", title="A paper"),
            "mine": Source(kind="measured", note="own bench"),
            "never named": Source(kind="recalled", title="Nothing"),
        },
    )


def lacking() -> Device:
    plain = device(capacity=None)
    peaks = (Peak(format="int4", accumulate="int32", unit="tensor", rate=1e15),)
    return replace(plain, peaks=peaks, launch_overhead=None, sources={"sheet": Source(kind="datasheet")})


FLOOR = [
    "step, at least = max(138 µs, 9.65 ms) = 9.65 ms",
    "  No honest measurement of the same work beats it: intermediates free, launches 0.",
    "compute = sum of FLOPs/peak over 17 operators = 138 µs",
    "memory = compulsory bytes/bandwidth = 19.3 G / 2.00 T = 9.65 ms",
    "compulsory bytes = weights streamed + KV read + KV written and outputs = 15.0 G + 4.29 G + 3.10 M = 19.3 GB",
]
SUM = [
    "operator by operator = calls·each, 17 operators = 9.70 ms",
    "  Kernels run one after the other; nothing fused that the rows do not fuse.",
    "attention = 2.15 ms",
    "gate_proj = 1.88 ms",
    "up_proj = 1.88 ms",
]


@pytest.mark.parametrize("key", ["", "of nothing"])
def test_the_step_is_floor_expectation_and_what_the_device_offers(key: str) -> None:
    found = explain(on(noted()), total=key)
    assert (found.heading, found.about) == ("The step on Round", "")
    assert told(found) == [
        *FLOOR,
        "expected = operator by operator/efficiency = 9.70 ms/0.8…9.70 ms/0.6 = 12.1 ms–16.2 ms",
        "  The band of 60 % to 80 % of the roof is yours to edit; it is no bound.",
        *SUM,
        "peak = 1.00 PFLOP/s",
        "  bf16, fp32 accumulator, tensor units, dense; paper, high confidence; boost clock",
        "bandwidth = 2.00 TB/s",
        "  HBM; no source given, low confidence; ECC on",
        "ridge = peak/bandwidth = 1.00 P / 2.00 T = 500 FLOP/byte",
        "capacity = 80.0 GB",
        "  HBM; no source given, low confidence; ECC on",
        "Paper: A paper.",
    ]


def test_several_devices_add_up_and_are_said_to_be_ideal() -> None:
    assert told(explain(on(device(), 2), look=GIB))[-10:] == [
        "up_proj = 942 µs",
        "peak = n·peak = 2·1.00 P = 2.00 PFLOP/s",
        "  bf16, fp32 accumulator, tensor units, dense; datasheet, high confidence",
        "bandwidth = n·bandwidth = 2·2.00 T = 4.00 TB/s",
        "  HBM; datasheet, high confidence",
        "ridge = peak/bandwidth = 2.00 P / 4.00 T = 500 FLOP/byte",
        "capacity = n·capacity = 2·80.0 G = 149 GiB",
        "  HBM; datasheet, high confidence",
        "2 devices, ideal: links are not counted.",
        "Datasheet: Round data sheet.",
    ]


def test_one_row_says_everything_about_itself_and_cites_each_source_once() -> None:
    found = explain(on(noted(), launch="eager"), rows=("norm",))
    assert (found.heading, found.about) == ("norm", "RMS norm, 1 call, on Round")
    assert told(found) == [
        "FLOPs = 4·rows·channels = 4·8·4096 = 131 kFLOP",
        "bytes read = a·rows·channels + per_channel·w·channels = 2·8·4096 + 1·2·4096 = 73.7 kB",
        "bytes written = o·rows·channels = 2·8·4096 = 65.5 kB",
        "intensity = FLOPs/bytes = 131 k / 139 k = 0.941 FLOP/byte",
        "  below the ridge of 25.0",
        "ridge = peak/bandwidth = 50.0 T / 2.00 T = 25.0 FLOP/byte",
        "peak = 50.0 TFLOP/s",
        "  fp32, fp32 accumulator, vector units, dense; lost, low confidence",
        "bandwidth = 2.00 TB/s",
        "  HBM; no source given, low confidence; ECC on",
        "compute = FLOPs/peak = 131 k / 50.0 T = 2.62 ns",
        "memory = bytes/bandwidth = 139 k / 2.00 T = 69.6 ns",
        "launch = kernels·overhead = 1.00·2.00 µs = 2.00 µs",
        "  eager launches; measured, low confidence; by a script",
        "time = max(2.62 ns, 69.6 ns, 2.00 µs) = 2.00 µs",
        "Waits for kernel launches.",
        "all calls = calls·time = 1·2.00 µs = 2.00 µs",
        "time share = 2.00 µs / 10.1 ms = < 0.1 %",
        "FLOP share = 131 k / 137 G = < 0.1 %",
        "Bytes per value: a = 2 activation (bf16), w = 2 weight (bf16), o = 2 output (bf16).",
        "Dimensions: rows: rows (tokens); per_channel: weights per channel (a scale: 1).",
        "FLOPs and bytes by the operator kind “RMS norm”; each operand is touched once.",
        "Measured: own bench.",
    ]


def test_a_device_that_lacks_figures_says_so_for_each() -> None:
    lines = told(explain(on(lacking(), launch="eager"), rows=("norm",)))
    assert lines[3:16] == [
        "intensity = FLOPs/bytes = 131 k / 139 k = 0.941 FLOP/byte",
        "ridge = peak/bandwidth = –",
        "peak = –",
        "  Round lists no peak for bf16 or anything wider: compute is not judged.",
        "bandwidth = 2.00 TB/s",
        "  HBM; datasheet, high confidence",
        "memory = bytes/bandwidth = 139 k / 2.00 T = 69.6 ns",
        "Eager: Round lists no launch overhead; give one with Edit device.",
        "time = 69.6 ns",
        "  At least: launches are unknown.",
        "Waits for memory.",
        "all calls = calls·time = 1·69.6 ns = 69.6 ns",
        "time share = 69.6 ns / 9.70 ms = < 0.1 %",
    ]
    assert lines[-1].startswith("FLOPs and bytes by the operator kind")  # a source without a title is not cited
    assert told(explain(on(lacking()), total="capacity")) == ["capacity = –", "  Round lists no capacity."]
    memory = told(explain(on(lacking()), total="memory_bytes"))
    assert memory[-2:] == ["capacity = –", "  Round lists no capacity."]
    for key in ("ridge_batch", "fit_batch"):
        assert told(explain(on(lacking()), total=key))[0].endswith("= –")


def test_without_launches_a_row_waits_for_the_longer_of_two() -> None:
    lines = told(explain(on(lacking()), rows=("norm",)))
    assert "time = 69.6 ns" in lines
    assert not [line for line in lines if "max(" in line or "launch" in line]


def test_a_row_at_its_ridge_stands_at_or_above_it() -> None:
    exactly = device(bandwidth=131072.0, peak=139264.0 * 20)
    found = {line.label: line for line in explain(on(exactly), rows=("norm",)).lines}
    assert found["intensity"].value == 131072 / 139264
    lower = device(bandwidth=139264.0, peak=131072.0 * 20)
    told_of = {line.label: line for line in explain(on(lower), rows=("norm",)).lines}
    assert told_of["intensity"].value == told_of["ridge"].value
    assert told_of["intensity"].source == "at or above the ridge of 0.941"


def test_experts_show_how_many_are_read_and_what_their_note_says() -> None:
    base = study(weights="fp8")
    moe = evaluate(replace(base, models=(replace(base.models[0], config=EXPERTS),)), catalogue())
    lines = told(explain(moe, rows=("experts.up_proj",)))
    assert lines[3] == "uniform = experts·(1 − (1 − top_k/experts)^tokens) = 8·(1 − (1 − 2/8)^8) = 7.199"
    assert lines[4].startswith("distinct = uniform − min(skew, 1)·(uniform − min(uniform, top_k)) = 7.199")
    assert lines[-7:-3] == [
        "dequantisation = 2·weights = 2·423 M = 845 MOP",
        "  2 OP per weight on the vector units, overlapping the reads; shown, not added.",
        "FLOPs follow the experts per token, bytes the distinct experts read.",
        "Bytes per value: a = 2 activation (bf16), w = 1 weight (fp8), o = 2 output (bf16).",
    ]
    note = "W grows with the batch (more experts are read), so the equation is solved numerically."
    half = told(explain(moe, total="kv_half_batch"))
    assert half[0] == "KV-half batch = W/K = 47.5 G / 537 M = 88"
    assert half[-1] == note
    ridge = told(explain(moe, total="ridge_batch"))
    assert ridge[0] == ("ridge batch = (W/BW)/(C − K/BW) = (13.7 G/2.00 T) / (28.6 µs − 537 M/2.00 T) = never")
    assert ridge[-1] == note


def test_batches_of_a_dense_model_are_solved_exactly_and_say_no_more() -> None:
    assert told(explain(evaluated(), total="kv_half_batch")) == [
        "KV-half batch = W/K = 15.0 G / 537 M = 27",
        "  Half of the traffic is KV: throughput stands at half of its asymptote, bandwidth/K.",
    ]
    assert told(explain(evaluated(context=1), total="ridge_batch")) == [
        "ridge batch = (W/BW)/(C − K/BW) = (15.0 G/2.00 T) / (15.1 µs − 131 k/2.00 T) = 499",
        "  C: compute of one sequence, each operator by its own peak.",
    ]
    assert told(explain(evaluated(reserve=2e9), total="fit_batch")) == [
        "fits up to batch = ⌊(capacity − weights − reserve)/K⌋ = ⌊(80.0 G − 16.1 G − 2.00 G)/537 M⌋ = 115"
    ]
    assert told(explain(evaluated(knee_factor=1.25), total="knee_batch")) == [
        "knee batch = largest B with 2·step(B)/step(2B) ≥ 1.25× = 41",
        "  Past it, doubling the batch gains less than 1.25× in tokens per second.",
    ]


@pytest.mark.parametrize("key", ["kv_half_batch", "ridge_batch", "fit_batch", "knee_batch"])
def test_a_prefill_has_no_batches_of_note(key: str) -> None:
    label, why = told(explain(evaluated(phase="prefill"), total=key))
    assert label.endswith(" = –")
    assert why == "  Only a decode step of a model has such a batch."


def test_a_fitted_roof_tells_what_was_fitted() -> None:
    full = FittedRoof(bandwidth=1.5e12, peak=8e14, format="bf16", per_kernel_s=3e-6, spread=0.05, rows=12, source="lab")
    found = explain(on(device(), fitted=full), total="expected_s")
    time_s = float(on(device(), fitted=full).devices[0].totals.expected_s[0])
    assert told(found) == [
        f"expected = longer of compute and bytes, + time per kernel = {found.lines[0].result}",
        "  Fitted to 12 measurements (lab), ± 5.0 %; it is no bound.",
        "fitted bandwidth = 1.50 TB/s",
        "fitted peak, bf16 = 800 TFLOP/s",
        "fitted time per kernel = 3.00 µs",
        *SUM,
    ]
    assert float(found.lines[0].result.split(" ms")[0]) == pytest.approx(time_s * 1e3, rel=0.005)
    bare = explain(on(device(), fitted=FittedRoof(rows=3, bandwidth=1.5e12)), total="expected_s")
    assert told(bare)[1:4] == [
        "  Fitted to 3 measurements (–), ± 10 %; it is no bound.",
        "fitted bandwidth = 1.50 TB/s",
        SUM[0],
    ]


def test_memory_lists_every_part_that_is_held() -> None:
    assert told(explain(evaluated(reserve=2e9), total="memory_bytes"))[:14] == [
        "memory held = weights + KV + state + reserve = 16.1 G + 4.29 G + 0 + 2.00 G = 22.4 GB",
        "weights = 16.1 GB",
        "KV cache = batch·K = 8·537 M = 4.29 GB",
        "KV per sequence = context·K₁ = 4096·131 k = 537 MB",
        "KV per token = 131 kB",
        "  bf16; KV heads · (key + value size) · bytes, over the layers",
        "reserve = 2.00 GB",
        "  Set by you.",
        "capacity = 80.0 GB",
        "  HBM; datasheet, high confidence",
        "left over = 80.0 G − 22.4 G = 57.6 GB",
        (
            "Llama-3.1-8B with bf16 weights fits on one Round: 22.36 of 80.0 GB at batch 8, context 4,096 "
            "(weights 16.1 GB, KV 4.29 GB, reserve 2.00 GB)."
        ),
        "Longest context at batch 8 on one Round: 59,070 tokens.",
        "Largest batch at context 4,096 on one Round: 115.",
    ]


def test_operators_without_a_model_hold_nothing_and_have_no_kv_per_token() -> None:
    own = Study(hardware=study().hardware, operators=(OwnRow(id="1", name="try", kind="matmul"),))
    found = evaluate(own, catalogue())
    assert told(explain(found, total="memory_bytes"))[:3] == [
        "memory held = weights + KV + state + reserve = 0 + 0 + 0 + 0 = 0 B",
        "weights = 0 B",
        "KV cache = batch·K = 1·0 = 0 B",
    ]
    assert told(explain(found, total="kv_bytes")) == ["KV cache = batch·K = 1·0 = 0 B"]


@pytest.mark.parametrize(
    ("phase", "key", "line"),
    [
        ("decode", "tokens_per_s", "all requests = batch/step = 8 / 9.65 ms = 829 tokens/s"),
        ("decode", "tokens_per_s_per_request", "per request = 1/step = 1 / 9.65 ms = 104 tokens/s"),
        ("prefill", "tokens_per_s", "all requests = batch·context/step = 8·4096 / 495 ms = 66,159 tokens/s"),
        ("prefill", "tokens_per_s_per_request", "per request = context/step = 4096 / 495 ms = 8,270 tokens/s"),
        ("decode", "streamed_s", "simple: streamed = (W + B·K)/bandwidth = (15.0 G + 8·537 M) / 2.00 T = 9.65 ms"),
        ("decode", "whole_file_s", "simple: whole file = (W + B·K)/bandwidth = (16.1 G + 8·537 M) / 2.00 T = 10.2 ms"),
        ("decode", "ridge", "ridge = peak/bandwidth = 1.00 P / 2.00 T = 500 FLOP/byte"),
    ],
)
def test_totals_in_formula_numbers_and_answer(phase: str, key: str, line: str) -> None:
    found = explain(evaluated(phase=phase), total=key)
    assert told(found)[0] == line
    assert found.about == "on Round"


def test_rates_and_batches_change_their_digits_at_100_and_10() -> None:
    assert [per_second(rate) for rate in (9.52, 99.94, 100.0, 1389.4)] == ["9.52", "99.9", "100", "1,389"]
    assert [batch_text(b) for b in (None, 0.5, 9.99, 10.0, 27.96, 1234.0)] == ["–", "0.50", "10", "10", "27", "1,234"]


def test_up_to_four_rows_are_written_out_as_a_sum() -> None:
    names = [p.row.name for p in evaluated().devices[0].points]
    four, five = (told(explain(evaluated(), rows=names[:n])) for n in (4, 5))
    assert four[0] == "FLOPs = calls·each, 4 operators = 0 + 4.19 M + 8.59 G + 2.15 G = 10.7 GFLOP"
    assert four[1] == "bytes = calls·each, 4 operators = 131 k + 4.46 M + 1.08 G + 271 M = 1.35 GB"
    assert five[0] == "FLOPs = calls·each, 5 operators = 12.9 GFLOP"
    assert explain(evaluated(), rows=names[:2]).about == "embed_tokens, input_layernorm"
