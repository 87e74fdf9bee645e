"""llama-bench's tables as people post them: marks of other locales, tables copied from pages, devices of the log."""

import pytest

from explorer.analysis.problem import Refused
from explorer.files.importers import read_measurements

RULE = "|-|-|-|-|\n"


def table(*rates, size="4.36 GiB"):
    rows = "".join(f"| m 7B Q4_0 | {size} | tg{i + 1} | {rate} |\n" for i, rate in enumerate(rates))
    return f"| model | size | test | t/s |\n{RULE}{rows}"


@pytest.mark.parametrize(
    ("text", "rates"),
    [
        (table("2335,96 ± 5,46", "66,48 ± 0,22", size="4,36 GiB"), [2335.96, 66.48]),
        (table("2335,96", "1,234"), [2335.96, 1.234]),
        (table("1,234", "66.5"), [1234.0, 66.5]),
        (table("1,234.5"), [1234.5]),
        (table("1.234,5", "7.250"), [1234.5, 7250.0]),
        (table("117.344"), [117.344]),
        (table("1 234,5"), [1234.5]),
    ],
    ids=["commas", "a column tells", "points tell", "both marks", "points group", "usual", "blanks"],
)
def test_the_decimal_mark_is_told_by_the_figures_of_the_table(read, text, rates):
    assert [p.tokens_per_s for p in read(text).points] == rates


def test_a_size_with_a_decimal_comma_is_read(read):
    (point,) = read(table("66,48 ± 0,22", size="4,36 GiB")).points
    assert point.size_bytes == round(4.36 * 2**30)
    assert point.deviation_s == pytest.approx(0.22 / 66.48**2)


@pytest.mark.parametrize(
    "text",
    [
        "| test | t/s |\n|-|-|\n| tg1 | 1,234 |\n| tg2 | 5,678 |\n",
        table("87,201 ± 1", size="7.49 GiB"),
        table("87,201", size="7,49 GiB"),
    ],
    ids=["alone", "beside sizes with points", "beside sizes with commas"],
)
def test_a_comma_that_may_be_read_two_ways_is_refused_with_the_reason(read, text):
    with pytest.raises(Refused) as refused:
        read(text)
    assert refused.value.problems[1].code == "import.decimals"


@pytest.mark.parametrize("mark", [" | ", "\t"])
def test_tables_without_outer_pipes_and_copied_ones_are_read(read, mark):
    lines = [("model", "size", "test", "t/s"), ("--",) * 4, ("m 7B", "3.83 GiB", "pp 512", "141.36 ± 0.67")]
    found = read("On my machine\n\n" + "\n".join(mark.join(cells) for cells in lines) + "\nmore words\n")
    assert [(p.model, p.context, p.tokens_per_s) for p in found.points] == [("m 7B", 512, 141.36)]
    assert found.skipped == ()


CUT = table("5123.45 ± 10", "87.20 ± 0.31")


@pytest.mark.parametrize("end", ["87", "87.2", "87.20 ± 0.3"])
def test_a_last_row_without_the_end_that_others_have_is_cut_and_named(read, end):
    found = read(CUT[: CUT.rindex("87.20")] + end)
    assert [p.tokens_per_s for p in found.points] == [5123.45]
    assert [s.why.code for s in found.skipped] == ["import.cut_row"]


def test_a_last_row_of_tabs_without_the_deviation_that_others_have_is_cut_and_named(read):
    found = read("model\ttest\tt/s\nm\tpp512\t5123.4 ± 2\nm\ttg128\t8")
    assert ([p.tokens_per_s for p in found.points], [s.why.code for s in found.skipped]) == (
        [5123.4],
        ["import.cut_row"],
    )


def test_rows_of_tabs_behind_prose_are_named_as_without_a_header(read):
    found = read("model\ttest\tt/s\nm\tpp512\t5 ± 2\nsome prose\nm\ttg128\t8 ± 1\n")
    assert ([p.tokens_per_s for p in found.points], [s.why.code for s in found.skipped]) == (
        [5.0],
        ["import.no_header"],
    )


VULKAN = "ggml_vulkan: Found {n} Vulkan devices:\n"
ARC = "ggml_vulkan: {i} = Arc (Intel) | uma: 0 | fp16: 1\n"
IGPU = "ggml_vulkan: {i} = Radeon Graphics (AMD) | uma: 1 | fp16: 1\n"
ROWS = "| test | t/s |\n|-|-|\n| tg8 | 10 |\n"
CUDA = "ggml_cuda_init: found 2 CUDA devices:\n" + "".join(
    f"  Device {i}: Same GPU, compute capability 8.6, VMM: yes\n" for i in range(2)
)


@pytest.mark.parametrize(
    ("log", "device"),
    [
        (VULKAN.format(n=2) + ARC.format(i=0) + IGPU.format(i=1), "Arc (Intel)"),
        (VULKAN.format(n=2) + IGPU.format(i=0) + ARC.format(i=1), "Arc (Intel)"),
        (VULKAN.format(n=1) + IGPU.format(i=0), "Radeon Graphics (AMD)"),
        (VULKAN.format(n=3) + ARC.format(i=0) + IGPU.format(i=1) + ARC.format(i=2), "2 x Arc (Intel)"),
        (CUDA, "2 x Same GPU"),
        (CUDA + CUDA, "2 x Same GPU"),
    ],
    ids=["beside a card", "before a card", "alone", "between cards", "two cards", "a log printed twice"],
)
def test_integrated_devices_beside_others_are_left_out_and_equal_ones_counted(read, log, device):
    assert [p.device for p in read(log + ROWS).points] == [device]


def test_the_devices_that_a_column_names_are_those_of_the_row(read):
    rows = "| dev | fa | sm | ts | test | t/s |\n|-|-|-|-|-|-|\n| CUDA1 | 1 | row | 3/1 | tg8 | 10 |\n"
    log = CUDA.replace("Device 1: Same", "Device 1: Other")
    (point,) = read(log + rows).points
    assert point.device == "Other GPU"
    assert point.name == "tg8 (fa 1, dev CUDA1, ts 3/1, sm row)"


def test_keys_and_values_of_the_cache_may_have_two_formats(read):
    rows = "| type_k | type_v | test | t/s |\n|-|-|-|-|\n| q8_0 | f16 | tg8 | 10 |\n| q8_0 | q8_0 | tg9 | 9 |\n"
    assert [p.kv for p in read(rows).points] == ["q8_0/f16", "q8_0"]


@pytest.mark.parametrize(
    ("file", "rates"),
    [
        ("08_llama_bench_no_outer_pipes.md", [144.47, 142.95, 141.36, 20.06, 20.26, 13.96]),
        ("08b_llama_bench_tab_separated.txt", [141.36, 20.06]),
        ("09_llama_bench_decimal_comma.md", [2335.96, 2286.37, 1988.33, 66.48, 66.27]),
        ("14_llama_bench_igpu_listed.txt", [97.78, 80.88]),
    ],
)
def test_collected_tables_have_the_figures_that_are_printed(shared, file, rates):
    found = read_measurements(shared / "cases" / "failing" / file)
    assert [p.tokens_per_s for p in found.points] == rates
