"""torch profiler traces and tables; made up in kineto's layout."""

import gzip
import json
import re
from pathlib import Path

import pytest

from explorer.analysis.problem import Refused
from explorer.files.importers import Cancelled, read_measurements
from explorer.files.importers.torch import events
from tests.files.importers.traces import kernel, launch, op, trace

BF16 = ["c10::BFloat16"] * 3
ADDMM = [[512], [64, 256], [256, 512], [], []]
LINEAR = [
    op("aten::linear", 0, 100, [[64, 256], [512, 256], [512]], BF16),
    op("aten::t", 1, 5, [[512, 256]], BF16[:1]),
    op("aten::addmm", 10, 80, ADDMM, BF16),
    op("aten::copy_", 15, 20, [[64, 512], [64, 512]], BF16[:2]),
]


def only(found):
    (point,) = found.points
    return point


def test_the_innermost_operator_with_a_formula_stands_for_those_around_and_inside(read):
    point = only(read(trace(*LINEAR)))
    assert point.name == "aten::addmm [512, 64x256, 256x512]"
    assert (point.flops, point.bytes) == (2 * 64 * 256 * 512, 2 * (64 * 256 + 256 * 512 + 64 * 512))
    assert (point.time_s, point.format) == (pytest.approx(80e-6), "bf16")


def test_kernels_are_joined_by_correlation_and_time_to_their_operator(read):
    gpu = [
        launch(1, 30.0),
        kernel(1, 7.0),
        launch(2, 17.0),
        kernel(2, 3.0),
        launch(3, 30.0, tid=2),
        kernel(3, 4.0, "lost"),
    ]
    found = read(trace(*LINEAR, *gpu))
    by_name = {p.name.split(" ")[0]: p for p in found.points}
    assert by_name["aten::addmm"].time_s == pytest.approx(10e-6)  # both kernels
    assert by_name["lost"].flops is None
    assert found.device == "Example GPU"


def test_calls_alike_are_one_point_with_the_median_and_the_quartiles(read):
    calls = [op("aten::mm", 100 * i, 10 + i, [[8, 8], [8, 8]]) for i in range(5)]
    point = only(read(trace(*calls)))
    assert (point.calls, point.time_s, point.total_s) == (5, pytest.approx(12e-6), pytest.approx(60e-6))
    assert point.quartiles_s == (pytest.approx(11e-6), pytest.approx(13e-6))


def test_other_shapes_or_types_are_other_points(read):
    calls = [
        op("aten::mm", 0, 10, [[8, 8], [8, 8]]),
        op("aten::mm", 100, 10, [[8, 8], [8, 16]]),
        op("aten::mm", 200, 10, [[8, 8], [8, 8]], ["double"] * 2),
    ]
    assert [p.flops for p in read(trace(*calls)).points] == [1024, 2048, 1024]


def test_plain_arguments_that_change_nothing_make_no_other_point(read):
    calls = [op("aten::add_", 100 * i, 10, [[8], [8]], concrete=["", "", str(i)]) for i in range(4)]
    assert only(read(trace(*calls))).calls == 4


def test_threads_are_kept_apart(read):
    found = read(
        trace(op("aten::mm", 0, 100, [[8, 8], [8, 8]]), op("aten::bmm", 10, 20, [[2, 8, 8], [2, 8, 8]], tid=2))
    )
    assert len(found.points) == 2


@pytest.mark.parametrize(
    ("name", "dims", "concrete", "flops", "moved"),
    [
        ("aten::bmm", [[4, 32, 64], [4, 64, 16]], [], 2 * 4 * 32 * 64 * 16, 4 * 4 * (32 * 64 + 64 * 16 + 32 * 16)),
        ("aten::linear", [[2, 3, 8], [5, 8], [5]], [], 2 * 6 * 8 * 5, 4 * (48 + 40 + 30)),
        ("aten::relu", [[10, 10]], [], 100, 800),
        ("aten::gelu", [[10, 10], []], ["", ""], 800, 800),
        ("aten::_softmax", [[10, 10], [], []], ["", "1", "False"], 500, 800),
        ("aten::add", [[10], [10], []], [], 10, 120),
        ("aten::mul", [[10], []], [], 10, 80),
        ("aten::native_layer_norm", [[4, 8], [], [8], [8], []], [], 7 * 32, 4 * (32 + 16 + 32)),
        ("aten::embedding", [[100, 8], [3]], [], 0, 2 * 4 * 24),
        ("aten::conv2d", [[1, 3, 64, 64], [16, 3, 3, 3], [16]], ["", "", "", "[1, 1]", "[0, 0]", "[1, 1]", "1"],
         2 * 16 * 62 * 62 * 27, 4 * (3 * 64 * 64 + 16 * 27 + 16 * 62 * 62)),
        ("aten::cudnn_convolution", [[1, 8, 10, 20], [8, 4, 3, 1]], ["", "", "[1, 0]", "[2, 1]", "[1, 1]", "2"],
         2 * 8 * 5 * 20 * 4 * 3, 4 * (8 * 200 + 8 * 12 + 8 * 100)),
        ("aten::scaled_dot_product_attention", [[1, 8, 128, 64]] * 3, ["", "", "", "", "0.", "False", "", "False"],
         4 * 8 * 128 * 128 * 64, 4 * 4 * 8 * 128 * 64),
        ("aten::scaled_dot_product_attention", [[1, 8, 128, 64]] * 3, ["", "", "", "", "0.", "True", "", "False"],
         4 * 8 * (128 * 129 // 2) * 64, 4 * 4 * 8 * 128 * 64),
        ("aten::_flash_attention_forward", [[1, 128, 8, 64]] * 3, [""] * 8 + ["False"],
         4 * 8 * 128 * 128 * 64, 4 * 4 * 8 * 128 * 64),
    ],
)  # fmt: skip
def test_flops_and_bytes_follow_from_shapes_by_the_programs_formulas(read, name, dims, concrete, flops, moved):
    point = only(read(trace(op(name, 0, 10, dims, concrete=concrete))))
    assert (point.flops, point.bytes) == (flops, moved)


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (op("aten::mm", 0, 10), "import.no_shapes"),
        (op("aten::sort", 0, 10, [[10]]), "import.no_formula"),
        (op("aten::conv2d", 0, 10, [[1, 3, 64, 64], [16, 3, 3, 3]]), "import.stride_unknown"),
        (op("aten::scaled_dot_product_attention", 0, 10, [[1, 8, 128, 64]] * 3), "import.mask_unknown"),
        (op("aten::mm", 0, 10, [[8, 8], [8, 8]], ["Strange", "Strange"]), "import.no_types"),
        (op("aten::mm", 0, 10, [[8, 8], [9, 8]]), "import.no_formula"),
    ],
)
def test_what_is_not_recorded_or_not_known_is_said(read, event, why):
    assert why in {n.code for n in only(read(trace(event))).notes}


def test_copies_over_a_link_and_exchanges_between_devices_are_left_out(read):
    gpu = [
        kernel(1, 5.0, "Memcpy HtoD (Pageable -> Device)", "gpu_memcpy"),
        kernel(2, 9.0, "ncclDevKernel_AllReduce_Sum_f32"),
        kernel(3, 4.0),
    ]
    found = read(trace(*gpu))
    assert [p.name for p in found.points] == ["some_kernel"]
    assert {s.why.code for s in found.skipped} == {"import.link_copy", "import.collective"}


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_layout_and_order_of_the_file_do_not_matter(read, indent):
    other = [{"ph": "x"}, {"ph": "y"}]
    first = read(trace(*LINEAR, indent=indent, after=other, zzz={"a": [{}, {}]}))
    turned = read(json.dumps({"before": other, "traceEvents": LINEAR[::-1]}, indent=indent))
    bare = read(json.dumps(LINEAR, indent=indent))
    assert first.points[0].flops == turned.points[0].flops == bare.points[0].flops


def test_a_packed_trace_is_read_as_it_is(read):
    assert only(read(gzip.compress(trace(*LINEAR).encode()))).flops


def test_a_trace_cut_short_is_read_up_to_there_and_says_so(read):
    text = trace(*LINEAR, op("aten::relu", 200, 5, [[9]]))
    found = read(text[: text.rindex('"aten::relu"')])
    assert only(found).name.startswith("aten::addmm")
    assert "import.cut_short" in {n.code for n in found.notes}


def test_a_packed_trace_cut_short_is_refused(read):
    with pytest.raises(Refused) as refused:
        read(gzip.compress(trace(*LINEAR).encode())[:-20])
    assert refused.value.problems[0].code == "import.packed"


def test_events_with_odd_members_cost_only_themselves(read):
    odd = [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "ts": "soon"}, {"ph": 3}, [], None, {"args": "x"}]
    text = {**op("aten::mm", 0, 10, [[8, 8], [8, 8]]), "ts": "0.5", "dur": "10"}
    assert only(read(trace(*odd, text, *odd))).time_s == pytest.approx(10e-6)  # type: ignore[arg-type]


@pytest.mark.parametrize("odd", ["1e400", "-5", "NaN"])
def test_times_that_cannot_be_cost_only_their_event(read, odd):
    broken = [op("aten::mm", 7, 4242, [[8, 8], [8, 8]]), kernel(1, 4242)]
    for events_ in ([*broken[:1], *LINEAR], [*LINEAR, launch(2, 30.0), kernel(2, 7.0), *broken]):
        found = read(trace(*events_).replace("4242", odd))
        assert [p.name.split(" ")[0] for p in found.points] == ["aten::addmm"]


def test_blocks_are_cut_between_events_wherever_they_end(read, monkeypatch):
    nasty = op('aten::x "},{" ]}, {', 0, 5, [[3]])
    nasty["args"]["list"] = [{"a": 1}, {"b": [{"c": 2}, {"d": "}, {"}]}]
    all_events = [
        e
        for i in range(40)
        for e in (op("aten::mm", 1000 * i, 10 + i, [[8, 8], [8, 8]]), {**nasty, "ts": 1000 * i + 500})
    ]
    for size in (7, 64, 257, 1000):
        monkeypatch.setattr(events, "BLOCK", size)
        found = read(trace(*all_events, after=[{"x": 1}, {"y": 2}] * 30))
        assert [p.calls for p in found.points] == [40, 40], size
        assert not found.notes


def test_old_event_names_and_the_lists_of_the_first_profiler_are_known(read):
    old = [{**e, "cat": "Operator"} for e in LINEAR]
    assert only(read(trace(*old))).flops
    first = [{"ph": "X", "name": "aten::mm", "ts": 1, "dur": 2, "tid": 1, "pid": "CPU functions", "args": {}}]
    assert only(read(json.dumps(first))).calls == 1


def test_a_trace_that_is_of_another_program_is_refused(read):
    with pytest.raises(Refused):
        read('{"traceEvents": [{"ph": "X", "cat": "gc", "name": "MajorGC", "ts": 1, "dur": 2, "pid": 1, "tid": 1}]}')


def test_reading_tells_how_far_it_is_and_stops_when_told(tmp_path: Path):
    path = tmp_path / "t"
    path.write_text(trace(*(op("aten::mm", 100 * i, 10, [[8, 8], [8, 8]]) for i in range(20_000))))
    told: list[float] = []
    read_measurements(path, lambda done: told.append(done) or True)
    assert told == sorted(told)
    assert len(told) > 3
    assert told[-1] == 1.0
    with pytest.raises(Cancelled):
        read_measurements(path, lambda done: done < 0.3)


RULE = "  ".join("-" * n for n in (24, 10, 10, 10, 10, 10, 32, 12)) + "  "
TABLE = f"""some log
{RULE}
                    Name    Self CPU   CPU total   Self CUDA  CUDA total  # of Calls                      Input Shapes  Total MFLOPs
{RULE}
            aten::linear    10.000us     1.000ms     0.000us    80.000us           2            [[64, 256], [512, 256]]            --
             aten::addmm   800.000us   900.000us    80.000us    80.000us           2      [[512], [64, 256], [256, 512]]        33.554
        aten::mystery_op     5.000us     5.000us    10.000us    10.000us           5                              [[9]]         0.010
        some_gemm_kernel     0.000us     0.000us    80.000us    80.000us           2                                 []            --
        cudaLaunchKernel    30.000us    30.000us     0.000us     0.000us           2                                 []            --
{RULE}
Self CPU time total: 1.000ms
Self CUDA time total: 90.000us
"""  # noqa: E501 - as wide as the tool prints it


def test_a_table_gives_operators_by_device_time_and_never_their_kernels_again(read):
    found = read(TABLE)
    assert [(p.name.split(" ")[0], p.calls, p.time_s) for p in found.points] == [
        ("aten::addmm", 2, pytest.approx(40e-6)),
        ("aten::mystery_op", 5, pytest.approx(2e-6)),
    ]
    assert found.points[0].flops == 2 * 64 * 256 * 512
    assert found.points[1].flops == pytest.approx(2000)  # the tool's own count, of all calls
    assert {s.why.code for s in found.skipped} == {"import.no_kernel", "import.in_operator", "import.host_call"}


def test_a_range_that_a_table_shows_on_the_device_too_is_no_kernel(read):
    own = "aten::addmm", "aten::mystery_op"
    lines = [line for line in TABLE.splitlines() if not line.strip().startswith((*own, "aten::linear"))]
    shown = [line.replace("some_gemm_kernel", "        my_range") for line in lines if "some_gemm" in line]
    called = [
        line.replace("   0.000us     0.000us    80.000us", "  50.000us    90.000us     0.000us") for line in shown
    ]
    at = next(i for i, line in enumerate(lines) if "some_gemm" in line)
    assert only(read("\n".join((*lines[:at], *shown, *called, *lines[at:])))).name == "some_gemm_kernel"


def test_a_table_without_device_time_gives_cpu_time_and_passes_over_what_only_calls_others(read):
    idle = re.sub(r"(80|10)\.000us(?=  +(80|10|0)\.000us  |  +\d  )", " 0.000us", TABLE)
    found = read(idle)
    first = found.points[0]
    assert (first.name.split(" ")[0], first.time_s) == ("aten::addmm", pytest.approx(400e-6))
    assert "import.wrapper" in {s.why.code for s in found.skipped}


def test_the_column_names_of_the_first_tables_are_known(read):
    rule = "  ".join("-" * 15 for _ in range(4))
    names = ("Name", "Self CPU total", "CPU total", "Number of Calls")
    text = "\n".join(
        (
            rule,
            "  ".join(n.rjust(15) for n in names),
            rule,
            "  ".join(c.rjust(15) for c in ("aten::mm", "4us", "5us", "2")),
        )
    )
    point = only(read(text))
    assert (point.name, point.calls, point.time_s) == ("aten::mm", 2, pytest.approx(2e-6))


def test_samples_are_read_with_the_flops_of_their_shapes(shared: Path):
    folder = shared / "samples" / "torch_trace"
    found = {
        p.name.split(" ")[0]: p for p in read_measurements(folder / "local_torch2.13_cpu_shapes_flops_mem.json").points
    }
    assert found["aten::addmm"].flops == 2 * 64 * 256 * 1024
    assert found["aten::_slow_conv2d_forward"].flops == 3_321_216
    assert found["aten::_scaled_dot_product_flash_attention_for_cpu"].flops == 4 * 8 * 128 * 128 * 64
    alexnet = read_measurements(folder / "hta_alexnet.json.gz")
    assert {p.name: p.calls for p in alexnet.points}["aten::cudnn_convolution"] == 10
    assert alexnet.device == "NVIDIA A100-PG509-200"
    with pytest.raises(Refused) as refused:
        read_measurements(folder / "hta_cpu_only.json.gz")
    assert refused.value.problems[1].code == "import.collective"


def test_tables_of_the_collection_are_read(shared: Path):
    folder = shared / "samples" / "torch_table"
    first = read_measurements(folder / "cuda_fp16_train_excerpt.txt").points[0]
    assert (first.calls, first.time_s) == (720, pytest.approx(239.338e-3 / 720))
    local = read_measurements(folder / "local_torch2.13_cpu_shapes_flops_mem.txt").points
    assert [p.flops for p in local if "addmm" in p.name] == [2 * 64 * 256 * 1024] * 2
