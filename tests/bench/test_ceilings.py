"""Measured ceilings become a hardware file that can be read back; what cannot be so is flagged and left out."""

from explorer.bench.ceilings import impossible, measured_ceilings, measured_device
from explorer.bench.protocol import CeilingFound, Hello, TorchDevice
from explorer.files.hardware.devices import device_to_yaml, read_device

HELLO = Hello(
    protocol=1,
    python="3.11.7",
    torch="2.13.0+cpu",
    host="Lab Box",
    system="Linux x86_64",
    devices=(TorchDevice(id="cpu", name="Intel(R) Xeon(R) Gold", memory=64e9, cache=32e6),),
)
FOUND = [
    CeilingFound(name="memory copy", level="memory", way="copy", rate=20e9),
    CeilingFound(name="memory triad", level="memory", way="triad", rate=25e9),
    CeilingFound(name="cache triad", level="cache", way="triad", rate=200e9),
    CeilingFound(name="matmul fp32", format="fp32", rate=1e12, size=2048),
    CeilingFound(name="matmul bf16", format="bf16", rate=4e12, size=4096),
    CeilingFound(name="matmul int8", format="int8", rate=8e12, size=4096),
]


def device(found=FOUND):
    return measured_device(found, HELLO, "cpu", "2026-01-31", 2)


def test_the_file_says_where_when_and_with_what_it_was_measured():
    made = read_device(device_to_yaml(device()))
    assert made == device()
    assert made.sources["measured"].kind == "measured"
    assert made.sources["measured"].title == "Measured on Lab Box, 2026-01-31, torch 2.13.0+cpu, 2 threads"
    assert made.class_ == "cpu"


def test_the_best_way_of_using_memory_is_the_bandwidth():
    made = device()
    assert [(m.level, m.bandwidth, m.capacity) for m in made.memory] == [("DRAM", 25e9, 64e9), ("L3", 200e9, 32e6)]


def test_wide_formats_run_on_the_units_that_norms_run_on():
    assert {(p.format, p.unit, p.accumulate) for p in device().peaks} == {
        ("fp32", "vector", "fp32"),
        ("bf16", "tensor", "fp32"),
        ("int8", "tensor", "int32"),
    }


def test_a_cache_slower_than_memory_is_flagged_and_left_out():
    slow = [*FOUND[:2], CeilingFound(name="cache triad", level="cache", rate=5e9)]
    assert [(name, note.code) for name, note in impossible(slow)] == [("cache triad", "measure.order")]
    assert [m.level for m in device(slow).memory] == ["DRAM"]
    assert [c.doubtful for c in measured_ceilings(slow, HELLO, "cpu")] == [False, False, True]


def test_double_precision_faster_than_single_is_flagged():
    odd = [*FOUND, CeilingFound(name="matmul fp64", format="fp64", rate=2e12)]
    assert [name for name, _ in impossible(odd)] == ["matmul fp32"]


def test_a_possible_order_is_not_flagged():
    assert impossible(FOUND) == ()


def test_without_a_bandwidth_there_is_no_device():
    assert device(FOUND[2:]) is None
