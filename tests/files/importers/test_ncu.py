"""Nsight Compute's CSV pages; the texts are made up in the tool's layout."""

import json
from pathlib import Path

import pytest

from explorer.analysis.problem import Refused
from explorer.files.importers import read_measurements

NAMES = ["ID", "Process ID", "Kernel Name", "Block Size", "Section Name", "Metric Name", "Metric Unit", "Metric Value"]
COUNTS = {
    "gpu__time_duration.sum": ("ns", "1,000"),
    "dram__bytes.sum": ("byte", "2,000"),
    **{
        f"sm__sass_thread_inst_executed_op_{f}{o}_pred_on.sum": ("inst", str(n))
        for f in "dfh"
        for o, n in (("add", 10), ("mul", 20), ("fma", 100))
    },
}
ONE = 10 + 20 + 2 * 100


def details(metrics=None, kernel="some_kernel", names=NAMES, launches=1):
    metrics = COUNTS if metrics is None else metrics
    rows = [names]
    for launch in range(launches):
        for metric, (unit, value) in metrics.items():
            cells = dict(zip(NAMES, [str(launch), "7", kernel, "(1, 1, 1)", "S", metric, unit, value], strict=True))
            rows.append([cells.get(n, "x") for n in names])
    return "\n".join(",".join('"' + c.replace('"', '""') + '"' for c in row) for row in rows) + "\n"


def test_fused_multiply_adds_count_two(read):
    point = read(details()).points[0]
    assert (point.name, point.flops, point.bytes) == ("some_kernel", 3 * ONE, 2000)
    assert point.time_s == pytest.approx(1e-6)


def test_each_launch_is_a_point(read):
    assert [p.calls for p in read(details(launches=3)).points] == [1, 1, 1]


def test_lines_of_the_profiler_and_of_the_program_between_are_passed_over(read):
    noisy = "==PROF== Connected\nhello, world\n" + details().replace("\n", "\nloss: 0.1, ok\n", 4) + "==PROF== Bye\n"
    assert read(noisy).points[0].flops == 3 * ONE


@pytest.mark.parametrize("encode", ["utf-8-sig", "utf-16"])
def test_marks_of_encodings_are_no_part_of_the_text(read, encode):
    assert read(details().encode(encode)).points[0].bytes == 2000


def test_windows_line_ends_are_no_part_of_a_figure(read):
    assert read(details().replace("\n", "\r\n")).points[0].bytes == 2000


def test_columns_are_found_by_their_names(read):
    moved = ["Metric Value", "Metric Unit", "Extra", "Kernel Name", "Metric Name", "ID", "Process ID"]
    assert read(details(names=moved)).points[0].flops == 3 * ONE


def test_nvtx_columns_with_quotes_inside_are_passed_over(read):
    nvtx = "thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg"
    text = details(names=[*NAMES[:2], nvtx, *NAMES[2:]], kernel='k<"a","b">').replace('"x"', '"1  ""d:r:none"",""q"""')
    point = read(text).points[0]
    assert (point.name, point.flops) == ('k<"a","b">', 3 * ONE)


def test_rows_of_rules_without_a_metric_are_passed_over(read):
    text = details().replace('"Metric Value"', '"Metric Value","Rule Name","Rule Description"')
    rule = '"0","7","some_kernel","(1, 1, 1)","S","","","","R","Take ""care"", and\nmind 1,234 bytes"\n'
    assert read(text + rule).points[0].bytes == 2000


@pytest.mark.parametrize(
    ("time", "moved", "share", "seconds", "size"),
    [
        ("117.344", "27.595.520", "65,77", 117_344e-9, 27_595_520),  # European
        ("117.344", "1.234", "5", 117_344e-9, 1234),  # bytes are whole, so the point parts thousands
        ("117,344", "27,595,520", "65.77", 117_344e-9, 27_595_520),
        ("117.344", "2048", "65.77", 117.344e-9, 2048),
        ("1 234,5", "27 595 520", "65,77", 1234.5e-9, 27_595_520),  # French
        ("1'234.5", "27'595'520", "65.77", 1234.5e-9, 27_595_520),  # Swiss
    ],
)
def test_the_locale_is_told_by_all_figures_of_the_file(read, time, moved, share, seconds, size):
    metrics = {
        "gpu__time_duration.sum": ("ns", time),
        "dram__bytes.sum": ("byte", moved),
        "sm__throughput.avg.pct_of_peak_sustained_elapsed": ("%", share),
    }
    point = read(details(metrics)).points[0]
    assert (point.time_s, point.bytes) == (pytest.approx(seconds), size)


@pytest.mark.parametrize(
    ("time_unit", "byte_unit", "seconds", "size"),
    [("usecond", "Mbyte", 1e-6, 2e6), ("ms", "Kbyte", 1e-3, 2e3), ("s", "Gbyte", 1, 2e9)],
)
def test_units_with_prefixes_are_scaled(read, time_unit, byte_unit, seconds, size):
    metrics = {"gpu__time_duration.sum": (time_unit, "1"), "dram__bytes.sum": (byte_unit, "2")}
    point = read(details(metrics)).points[0]
    assert (point.time_s, point.bytes) == (pytest.approx(seconds), pytest.approx(size))


def test_an_unknown_unit_is_said_and_the_figure_left_out(read):
    found = read(details({**COUNTS, "dram__bytes.sum": ("furlong", "2,000")}))
    assert found.points[0].bytes is None
    assert [(s.why.code, s.why.values["unit"]) for s in found.skipped] == [("import.unit", "furlong")]


@pytest.mark.parametrize(
    ("counters", "size"),
    [
        ({"dram__bytes_read.sum": "100", "dram__bytes_write.sum": "20"}, 120),
        ({"dram__bytes_op_read.sum": "100", "dram__bytes_op_write.sum": "20"}, 120),
        ({"fbpa__dram_read_bytes.sum": "100", "fbpa__dram_write_bytes.sum": "20"}, 120),
        ({"dram__bytes_read.sum": "100"}, None),
    ],
)
def test_old_and_new_counters_of_memory_are_known(read, counters, size):
    metrics = {"gpu__time_duration.sum": ("ns", "10")} | {k: ("byte", v) for k, v in counters.items()}
    assert read(details(metrics)).points[0].bytes == size


def test_sectors_are_32_bytes(read):
    sectors = {f"dram__sectors_{d}.sum": ("sector", n) for d, n in (("read", "3"), ("write", "1"))}
    assert read(details({"gpu__time_duration.sum": ("ns", "10"), **sectors})).points[0].bytes == 128


def test_bytes_follow_from_a_rate_and_a_share_is_kept_apart(read):
    metrics = {"Duration": ("us", "2"), "Memory Throughput": ("Gbyte/s", "500"), "DRAM Throughput": ("%", "50")}
    text = details(metrics) + details({"Memory Throughput": ("%", "80")}).partition("\n")[2]
    point = read(text).points[0]
    assert (point.bytes, point.memory_busy) == (pytest.approx(1e6), 0.5)


@pytest.mark.parametrize(
    ("kernel", "used"),
    [("k", {"sm__inst_executed_pipe_tensor.sum": "5"}), ("ampere_fp16_s16816gemm_fp16_128x128", {})],
)
def test_a_tensor_core_kernel_whose_flops_the_counters_miss_gets_no_flops_and_says_why(read, kernel, used):
    metrics = COUNTS | {k: ("inst", v) for k, v in used.items()}
    point = read(details(metrics, kernel)).points[0]
    assert point.flops is None
    assert "import.tensor_missed" in {n.code for n in point.notes}


def test_an_idle_tensor_pipe_leaves_the_counted_flops(read):
    metrics = {**COUNTS, "sm__inst_executed_pipe_tensor.sum": ("inst", "0")}
    assert read(details(metrics, "x_tensorop_y")).points[0].flops == 3 * ONE


def test_counters_of_tensor_operations_are_counted_once(read):
    name = "sm__ops_path_tensor_src_fp16_dst_fp32"
    metrics = COUNTS | {
        f"{name}.sum": ("", "1,000,000"),
        f"{name}_sparsity_off.sum": ("", "1,000,000"),
        "sm__inst_executed_pipe_tensor.sum": ("inst", "5"),
    }
    assert read(details(metrics)).points[0].flops == 1_000_000 + 3 * ONE


def test_counts_per_cycle_times_cycles_are_counts(read):
    one = {
        f"smsp__sass_thread_inst_executed_op_f{o}_pred_on.sum.per_cycle_elapsed": ("inst/cycle", "2")
        for o in ("add", "mul")
    }
    metrics = one | {
        "derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2": ("inst", "6"),
        "smsp__cycles_elapsed.avg.per_second": ("Ghz", "1"),
        "gpu__time_duration.sum": ("us", "3"),
    }
    point = read(details(metrics)).points[0]
    assert point.flops == pytest.approx((2 + 2 + 6) * 1e9 * 3e-6)


def test_precisions_that_were_not_counted_are_named(read):
    metrics = {k: v for k, v in COUNTS.items() if "_op_d" not in k}
    point = read(details(metrics)).points[0]
    assert point.flops == 2 * ONE
    assert point.notes[0].values == {"missing": "fp64"}


def test_nothing_counted_in_some_precisions_only_is_not_zero_flops(read):
    metrics = {
        k: ("inst", "0") if "_op_f" in k else v for k, v in COUNTS.items() if "_op_d" not in k and "_op_h" not in k
    }
    assert read(details(metrics)).points[0].flops is None


def test_cycles_and_their_rate_are_a_time(read):
    metrics = {"sm__cycles_elapsed.avg": ("cycle", "3,000"), "sm__cycles_elapsed.avg.per_second": ("Mhz", "1.5")}
    assert read(details(metrics)).points[0].time_s == pytest.approx(2e-3)


def test_a_launch_without_a_time_is_left_out(read):
    text = details() + details({"dram__bytes.sum": ("byte", "5")}, kernel="other").partition("\n")[2].replace(
        '"0"', '"9"'
    )
    found = read(text)
    assert [(s.why.code, s.why.values["text"]) for s in found.skipped] == [("import.no_time", "other")]


RAW = (
    '"ID","Kernel Name","dram__bytes.sum","gpu__time_duration.sum","device__attribute_x"\n'
    '"","","Kbyte","us",""\n"0","a, b","2","10","1"\n"1","c","3","20","1"\n'
)


def test_a_raw_page_has_its_units_in_the_second_row(read):
    assert [(p.name, p.bytes, p.time_s) for p in read(RAW).points] == [
        ("a, b", 2000, pytest.approx(1e-5)),
        ("c", 3000, pytest.approx(2e-5)),
    ]


def test_a_raw_page_without_units_is_refused(read):
    with pytest.raises(Refused) as refused:
        read("\n".join(line for i, line in enumerate(RAW.splitlines()) if i != 1))
    assert refused.value.problems[1].code == "import.unit"


def test_pages_one_after_the_other_are_all_read(read):
    assert len(read(RAW + details() + RAW).points) == 5


def test_a_summary_gives_averages_and_how_often_a_kernel_ran(read):
    text = (
        '"Process ID","Kernel Name","Invocations","Metric Name","Metric Unit","Minimum","Maximum","Average"\n'
        '"1","k","4","Duration","us","1","3","2"\n"1","k","4","Compute (SM) Throughput","%","10","30","20"\n'
    )
    point = read(text).points[0]
    assert (point.calls, point.time_s, point.compute_busy) == (4, pytest.approx(2e-6), pytest.approx(0.2))


def test_without_ids_a_metric_that_comes_again_is_of_another_launch(read):
    names = ["Kernel Name", "Metric Name", "Metric Unit", "Metric Value"]
    text = details(names=names) + details(names=names).partition("\n")[2]
    assert [p.flops for p in read(text).points] == [3 * ONE] * 2


def test_samples_agree_with_a_separate_program(shared: Path):
    wanted = json.loads((shared / "samples" / "expected.json").read_text())["ncu/nersc_rashwanth_output.csv"]
    points = read_measurements(shared / "samples" / "ncu" / "nersc_rashwanth_output.csv").points
    for point, known in zip(points, wanted, strict=True):
        assert (point.name, point.flops, point.bytes) == (known["kernel"], known["flops"], known["dram_bytes"])
        assert point.time_s == pytest.approx(known["time_s"])
        assert point.flops / point.bytes == pytest.approx(known["ai"])


def test_every_sample_of_the_collection_is_read(shared: Path):
    found = {p.name: read_measurements(p).points for p in sorted((shared / "samples" / "ncu").iterdir())}
    european = found["fixture_european_locale_windows_2025_1.csv"][0]
    assert (european.bytes, european.time_s) == (27_595_520, pytest.approx(117_344e-9))
    assert [p.bytes for p in found["fixture_page_raw_realshape_units_base.csv"]] == [5_161_888, 2_591_712]
    assert found["fixture_print_summary_per_kernel.csv"][0].calls == 2
    copied = found["nsightful_copy_blocked_details.csv"][0]
    assert copied.bytes == pytest.approx(196_456_177_859.63 * 21_058_944e-9)
