"""Every figure of the collected facts is in the database, or listed here with the reason why not."""

import csv
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer.analysis.catalogue.device import Device, MemoryLevel
from explorer.files.hardware.devices import find_device, load_devices
from explorer.files.resources import resource_root

RENAMED = {
    "NVIDIA H100 NVL 94GB (per GPU)": "NVIDIA H100 NVL 94GB",
    "NVIDIA GB200 (per GPU)": "NVIDIA GB200",
    "NVIDIA GB300 (per GPU)": "NVIDIA GB300",
    "NVIDIA GH200 144GB (GPU part)": "NVIDIA GH200 144GB",
    "NVIDIA Jetson Orin Nano 8GB Super": "NVIDIA Jetson Orin Nano Super 8GB",
    "Groq LPU v1 (GroqCard)": "Groq LPU v1",
    "NVIDIA A16 (per GPU)": "NVIDIA A16",
    "NVIDIA Tesla K80 (per GPU)": "NVIDIA Tesla K80",
    "NVIDIA GH200 96GB (GPU part)": "NVIDIA GH200 96GB",
}
LEFT_OUT = {
    ("Google TPU v4", "tdp"): "a measured maximum, not a TDP",
    ("Google TPU v3", "tdp"): "a measured maximum, not a TDP",
    ("Google TPU v3", "interconnect_island"): "the rate of its links is not published",
    ("Intel Data Center GPU Max 1550", "interconnect_island"): "the rate of its links is not published",
    ("NVIDIA H20 96GB", "smem_l1_per_sm"): "how many cores have it is not known",
    ("Raspberry Pi 5", "pcie_bidir"): "lanes for peripherals, no link between devices",
    ("NVIDIA GB10 (DGX Spark)", "interconnect_bidir"): "joins CPU and GPU inside the package, not devices",
    ("Cerebras WSE-3", "interconnect_unidir"): "joins the cores of one wafer, not devices",
    ("Cerebras WSE-3", "fp16_tensor_fp32acc_sparse"): "a sparse figure is no peak",
    ("AMD Radeon RX 7900 XTX", "llc_bw"): "an effective figure that counts hits, no pipe rate",
    ("Qualcomm Snapdragon X Elite X1E-84-100", "llc_size"): "the cache of the CPU; the device is the GPU",
}
NOT_HELD = {
    "note", "boost_clock", "base_clock", "allcore_clock",  # clocks are checked in test_database.py
    "host_network_unidir",  # the network of a host belongs to the study
    "int8_npu",  # the NPU beside a GPU is another device
    "pcie_gen", "pcie_lanes", "interconnect_unidir",  # pcie_unidir and interconnect_bidir hold what they say
}  # fmt: skip
PEAKS = {
    "bf16_tensor": ("bf16", "fp32", "tensor"),
    "fp16_tensor_fp32acc": ("fp16", "fp32", "tensor"),
    "fp16_tensor_fp16acc": ("fp16", "fp16", "tensor"),
    "fp8_tensor": ("fp8", "fp32", "tensor"),
    "fp8_tensor_fp16acc": ("fp8", "fp16", "tensor"),
    "fp4_tensor": ("fp4", "fp32", "tensor"),
    "int8": ("int8", "int32", None),
    "int4": ("int4", "int32", None),
    "mxfp8_tensor": ("mxfp8", "fp32", "tensor"),
    "tf32_tensor": ("tf32", "fp32", "tensor"),
    "fp32": ("fp32", "fp32", None),
    "fp32_matrix": ("fp32", "fp32", "tensor"),
    "fp16_vector": ("fp16", "fp16", "vector"),
    "bf16_vector": ("bf16", "fp32", "vector"),
    "fp64": ("fp64", "fp64", "vector"),
    "fp64_tensor": ("fp64", "fp64", "tensor"),
}
LAST_LEVELS = {"Infinity Cache", "L3", "SLC", "SRAM"}
FIRST_LEVELS = {"L1/shared", "LDS", "L1/SLM", "threadgroup"}
MEASURED = re.compile(r"(?:matmul|mma)_(\w+?)_measured")
MEASURED_AS = {
    "fp16acc": ("fp16", "fp16"),
    "fp8_fp16acc": ("fp8", "fp16"),
    "int8": ("int8", "int32"),
    "int4": ("int4", "int32"),
}
ALTERNATIVES = ("l2_bw", "l2_bw_paper", "l2_bw_measured")
# Figures of the database that the facts do not hold, with the reason.
ADDED = {
    ("nvidia-h100-sxm5-80gb", "launch_overhead"): "the H200's, same die",
}
EXACT = 1e-9


@pytest.fixture(scope="module")
def rows(shared: Path) -> list[dict[str, str]]:
    found = []
    for name in ("hardware_facts.csv", "hardware_facts_more.csv"):
        with (shared / "facts" / name).open(encoding="utf-8", newline="") as file:
            found += list(csv.DictReader(file))
    return found


@pytest.fixture(scope="module")
def devices() -> dict[str, Device]:
    return {d.name: d for d in load_devices(resource_root() / "hardware")}


def level(device: Device, names: set[str]) -> MemoryLevel | None:
    return next((m for m in device.memory[1:] if m.level in names), None)


def holds(device: Device, figure: str, text: str) -> bool:  # noqa: C901, PLR0911, PLR0912 - one line per figure
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    same = lambda found, scale: found is not None and found == pytest.approx(value * scale, rel=EXACT)  # noqa: E731
    l2, last, first = level(device, {"L2"}), level(device, LAST_LEVELS), level(device, FIRST_LEVELS)
    match figure:
        case "vendor":
            return device.vendor == text
        case "form_factor":
            return bool(device.form) and text.startswith(device.form)
        case "year":
            return same(device.year, 1)
        case "mem_type":
            outer = device.memory[0].level
            return text.startswith(outer) or (outer == "SRAM" and "SRAM" in text)
        case "mem_bw":
            return same(device.memory[0].bandwidth, 1e9)
        case "mem_capacity":
            # printed GB is GiB, decimal, or a little more than the driver reports
            return device.capacity is not None and value * 0.999e9 <= device.capacity <= value * 1.0738e9
        case "mem_latency":
            return same(device.memory[0].latency, 1e-9)
        case "mem_bw_measured":
            found = device.memory[0].measured
            return same(found and found.bandwidth, 1e9) or f"{text} GB/s measured" in device.memory[0].note
        case "mem_bw_measured_lbm":
            return f"{text} GB/s measured by a lattice Boltzmann kernel" in device.memory[0].note
        case "mem_options":
            sizes = tuple(float(size) * 1024**3 for size in text.split(","))
            return (device.memory[0].sizes or (device.capacity,)) == sizes
        case "sm_count":
            return same(device.cores, 1)
        case "tdp":
            return same(device.tdp_w, 1)
        case "llc_size":
            return last is not None and same(last.capacity, 1024**2)
        case "llc_bw" | "llc_bw_measured":
            return last is not None and (same(last.bandwidth, 1e9) or f"{text} GB/s measured" in last.note)
        case "llc_latency":
            return last is not None and same(last.latency, 1e-9)
        case "interconnect_island":
            return value == 1 or any(same(k.island, 1) for k in device.links)
        case "pcie_unidir":
            pcie = (k for k in device.links if "PCIe" in k.name)
            return device.class_ == "cpu" or any(same(k.per_direction, 1e9) for k in pcie)
        case "vmem":
            return same(device.memory[1].capacity, 1024**2)
        case "l2_size":
            return l2 is not None and (same(l2.capacity, 1024**2) or same(l2.capacity, 1000 * 1024))
        case "l2_latency":
            return l2 is not None and same(l2.latency, 1e-9)
        case "smem_l1_per_sm":
            return first is not None and device.cores is not None and same(first.capacity, 1024 * device.cores)
        case "smem_bw":
            return first is not None and same(first.bandwidth, 1e9)
        case "l1_latency":
            return first is not None and same(first.latency, 1e-9)
        case "interconnect_bidir":
            return bool(device.links) and same(device.links[0].per_direction, 0.5e9)
        case "pcie_bidir":
            return (
                bool(device.links) and "PCIe" in device.links[-1].name and same(device.links[-1].per_direction, 0.5e9)
            )
        case "launch_overhead_stream":
            return device.launch_overhead is not None and same(device.launch_overhead.seconds, 1e-6)
        case "launch_overhead_graph":
            return device.launch_overhead is not None and f"{text} us in a graph" in device.launch_overhead.note
        case _ if measured := MEASURED.fullmatch(figure):
            return _measures(device, measured[1], same)
        case _ if figure in ALTERNATIVES:
            return l2 is not None and (same(l2.bandwidth, 1e9) or re.search(rf"\b{text} GB/s", l2.note) is not None)
        case _ if figure in PEAKS:
            return any(_is(peak, PEAKS[figure]) and same(peak.rate, 1e12) for peak in device.peaks)
    return False


def _measures(device: Device, name: str, same: Callable[[float | None, float], bool]) -> bool:
    """Whether the best measured rate of a format stands beside its peak; a format without a peak has none."""
    fmt, accumulate = MEASURED_AS.get(name, (name, "fp32"))
    peaks = [p for p in device.peaks if p.format in {fmt, f"mx{fmt}"}]
    found = [p.measured for p in peaks if p.measured is not None]
    usual = [p for p in peaks if p.accumulate == accumulate and (p.unit == "tensor" or fmt == "fp32")]
    return not usual or any(same(m.rate, 1e12) or f"{m.note}".find(" T by ") >= 0 for m in found)


def _is(peak: Any, wanted: tuple[str, str, str | None]) -> bool:
    return (peak.format, peak.accumulate) == wanted[:2] and wanted[2] in {None, peak.unit}


def test_every_fact_is_in_the_database_or_left_out_for_a_stated_reason(
    rows: list[dict[str, str]], devices: dict[str, Device]
) -> None:
    missing = [
        (r["device"], r["figure"], r["value"])
        for r in rows
        if r["figure"] not in NOT_HELD
        and (r["device"], r["figure"]) not in LEFT_OUT
        and not holds(devices[RENAMED.get(r["device"], r["device"])], r["figure"], r["value"])
    ]
    assert missing == []


def test_every_device_is_found_under_the_name_the_facts_give_it(
    rows: list[dict[str, str]], devices: dict[str, Device]
) -> None:
    for name in dict.fromkeys(r["device"] for r in rows):
        assert find_device(list(devices.values()), name).name == RENAMED.get(name, name)


def test_what_is_left_out_is_really_absent(rows: list[dict[str, str]], devices: dict[str, Device]) -> None:
    for r in rows:
        if (r["device"], r["figure"]) in LEFT_OUT:
            assert not holds(devices[RENAMED.get(r["device"], r["device"])], r["figure"], r["value"])


def test_the_database_holds_nothing_the_facts_do_not(rows: list[dict[str, str]], devices: dict[str, Device]) -> None:
    facts: dict[str, dict[str, str]] = {}
    for r in rows:
        facts.setdefault(RENAMED.get(r["device"], r["device"]), {})[r["figure"]] = r["value"]
    assert set(facts) == set(devices)
    extra = {(d.id, what) for d in devices.values() for what in _unbacked(d, facts[d.name])}
    assert extra == set(ADDED)


def _unbacked(device: Device, facts: dict[str, str]) -> Iterator[str]:
    for peak in device.peaks:
        if not any(f in facts and _is(peak, PEAKS[f]) and holds(device, f, facts[f]) for f in PEAKS):
            yield f"{peak.format}/{peak.accumulate}/{peak.unit}"
    if device.launch_overhead and "launch_overhead_stream" not in facts:
        yield "launch_overhead"
    if device.memory[0].latency and "mem_latency" not in facts:
        yield "latency"
    backed = ("interconnect_bidir" in facts) + bool({"pcie_bidir", "pcie_unidir"} & set(facts))
    yield from ("links" for _ in device.links[backed:])
    yield from (
        m.level
        for m in device.memory[1:]
        if m.bandwidth and m.level == "L2" and not any(f in facts and holds(device, f, facts[f]) for f in ALTERNATIVES)
    )
