"""The shipped hardware against the arithmetic and the known traps of spec sheets."""

import math
import time
from collections.abc import Callable

import pytest
import yaml

from explorer.analysis.catalogue.device import Device
from explorer.analysis.catalogue.device_check import ACCUMULATORS, OPERANDS, device_problems
from explorer.files.catalogue import load_catalogue
from explorer.files.hardware.devices import load_devices
from explorer.files.resources import resource_root
from tests.hardware.clocks import NO_CLOCK, TENSOR_CLOCKS

GIB = 1024**3
DEVICES = load_devices(resource_root() / "hardware")
BY_ID = {device.id: device for device in DEVICES}


def rate(device: Device | str, operand: str, accumulate: str = "fp32", unit: str = "tensor") -> float | None:
    found = BY_ID[device] if isinstance(device, str) else device
    return next(
        (p.rate for p in found.peaks if (p.format, p.accumulate, p.unit) == (operand, accumulate, unit)),
        None,
    )


def test_there_are_275_devices_in_the_catalogue() -> None:
    assert len(load_catalogue().devices) == len(BY_ID) == 275


def test_the_file_of_a_device_is_named_by_its_id() -> None:
    files = {path.stem for path in (resource_root() / "hardware").glob("*.yaml")}
    assert files == set(BY_ID)


@pytest.mark.parametrize("key", ["id", "name", "short"])
def test_names_are_unique_and_present(key: str) -> None:
    names = [getattr(device, key).lower() for device in DEVICES]
    assert all(names)
    assert len(set(names)) == len(names)


def test_short_names_fit_a_chart_label() -> None:
    assert max(len(device.short) for device in DEVICES) <= 15


def test_vendors_are_spelled_one_way() -> None:
    known = {
        "AMD", "AWS", "Ampere", "Apple", "Cambricon", "Cerebras", "Google", "Groq", "Huawei", "Intel", "NVIDIA",
        "Qualcomm", "Raspberry Pi", "Tenstorrent",
    }  # fmt: skip
    assert {device.vendor for device in DEVICES} == known
    assert all(device.name.startswith(device.vendor) for device in DEVICES)


@pytest.mark.parametrize("device", DEVICES, ids=lambda d: d.id)
def test_every_figure_names_a_listed_source_and_a_confidence(device: Device) -> None:
    assert device_problems(device) == ()
    parts = [*device.peaks, *device.memory, *device.links, *device.origins.values()]
    parts += [o for level in device.memory for o in level.origins.values()]
    parts += [device.launch_overhead] if device.launch_overhead else []
    parts += [part.measured for part in (*device.peaks, *device.memory) if part.measured]
    assert all(part.source in device.sources for part in parts)
    assert all(part.confidence in {"high", "medium", "low"} for part in parts)
    plain = {n for n in ("year", "cores", "on_chip_per_core", "tdp_w") if getattr(device, n) is not None}
    assert plain == set(device.origins)
    assert {part.source for part in parts} == set(device.sources)


@pytest.mark.parametrize("device", DEVICES, ids=lambda d: d.id)
def test_a_derived_figure_shows_its_arithmetic(device: Device) -> None:
    parts = [*device.peaks, *device.memory, *device.links, *device.origins.values()]
    assert all(part.note for part in parts if device.sources[part.source].kind == "derived")


def test_no_price_is_shipped() -> None:
    assert all(device.price_per_hour is None for device in DEVICES)


@pytest.mark.parametrize("device_id", TENSOR_CLOCKS)
def test_dense_fp16_tensor_rate_per_clock_and_core_is_the_known_power_of_two(device_id: str) -> None:
    clock, expected = TENSOR_CLOCKS[device_id]
    device = BY_ID[device_id]
    peak = rate(device, "fp16") or rate(device, "bf16")
    assert peak is not None
    assert device.cores is not None
    assert math.log2(expected).is_integer()
    assert peak / (device.cores * clock * 1e6) == pytest.approx(expected, rel=0.015)


def test_every_device_with_a_16_bit_tensor_rate_is_checked_or_listed() -> None:
    tensor = {d.id for d in DEVICES if rate(d, "fp16") or rate(d, "bf16")}
    assert tensor == set(TENSOR_CLOCKS) | NO_CLOCK


@pytest.mark.parametrize("card", ["3060-12gb", "3090", "4060-ti"])
def test_geforce_fp16_with_fp32_accumulate_runs_at_half_rate(card: str) -> None:
    half, full = rate(f"nvidia-geforce-rtx-{card}", "fp16"), rate(f"nvidia-geforce-rtx-{card}", "fp16", "fp16")
    assert half is not None
    assert full == pytest.approx(2 * half, rel=0.005)


@pytest.mark.parametrize(
    ("card", "fp16", "fp8", "int8"), [("4090", 165.2, 330.3, 660.6), ("5090", 209.5, 419.0, 838.0)]
)
def test_geforce_fp8_is_halved_with_fp32_accumulate_and_int8_is_not(
    card: str, fp16: float, fp8: float, int8: float
) -> None:
    device = f"nvidia-geforce-rtx-{card}"
    assert rate(device, "fp16") == rate(device, "bf16") == fp16 * 1e12
    assert rate(device, "fp16", "fp16") == rate(device, "fp8") == fp8 * 1e12
    assert rate(device, "fp8", "fp16") == rate(device, "int8", "int32") == int8 * 1e12


@pytest.mark.parametrize(
    ("device_id", "gigabytes_per_s"),
    [
        ("nvidia-a100-pcie-40gb", 1555),
        ("nvidia-a100-sxm4-40gb", 1555),
        ("nvidia-a100-sxm4-80gb", 2039),
        ("nvidia-a100-pcie-80gb", 1935),
        ("nvidia-h100-sxm5-80gb", 3350),
        ("nvidia-h100-pcie-80gb", 2000),
        ("nvidia-h100-nvl-94gb", 3900),
        ("nvidia-h200-sxm-141gb", 4800),
        ("nvidia-rtx-pro-6000-blackwell-workstation", 1792),
        ("nvidia-rtx-pro-6000-blackwell-server", 1597),
        ("amd-instinct-mi300x", 5300),
        ("amd-instinct-mi325x", 6000),
        ("google-tpu-v5e", 819),
        ("google-tpu-v5p", 2765),
        ("apple-m4-pro-20-core-gpu", 273),
        ("apple-m4-max-40-core-gpu", 546),
        ("apple-m3-max-40-core-gpu", 400),
        ("intel-xeon-6980p", 844.8),
    ],
)
def test_memory_bandwidth_is_the_one_of_this_variant(device_id: str, gigabytes_per_s: float) -> None:
    assert BY_ID[device_id].bandwidth == gigabytes_per_s * 1e9


def test_the_three_h100_have_their_own_tensor_rates_and_the_h200_shares_the_sxm_one() -> None:
    assert rate("nvidia-h100-sxm5-80gb", "bf16") == rate("nvidia-h200-sxm-141gb", "bf16") == 989.4e12
    assert rate("nvidia-h100-pcie-80gb", "bf16") == 756e12
    assert rate("nvidia-h100-nvl-94gb", "bf16") == 835.5e12
    assert BY_ID["nvidia-h100-pcie-80gb"].cores == 114


@pytest.mark.parametrize(
    ("device_id", "operand", "ridge"), [("nvidia-h100-sxm5-80gb", "bf16", 295), ("nvidia-a100-sxm4-80gb", "bf16", 153)]
)
def test_ridge_point_is_peak_over_bandwidth(device_id: str, operand: str, ridge: int) -> None:
    peak, bandwidth = rate(device_id, operand), BY_ID[device_id].bandwidth
    assert peak is not None
    assert bandwidth is not None
    assert round(peak / bandwidth) == ridge


@pytest.mark.parametrize(
    "device_id",
    [
        "amd-instinct-mi250x",
        "amd-instinct-mi210",
        "google-tpu-v4",
        "amd-radeon-rx-7900-xtx",
        "amd-ryzen-ai-max-plus-395-strix-halo",
    ],
)
def test_int8_runs_at_the_bf16_rate_where_the_hardware_does(device_id: str) -> None:
    assert rate(device_id, "int8", "int32") == rate(device_id, "bf16")


@pytest.mark.parametrize("device_id", ["nvidia-b300-sxm-288gb", "nvidia-gb300"])
def test_b300_has_almost_no_int8(device_id: str) -> None:
    int8 = rate(device_id, "int8", "int32")
    assert int8 is not None
    assert 125e12 <= int8 <= 165e12


def test_v100_int8_is_no_tensor_rate() -> None:
    assert rate("nvidia-v100-sxm2-32gb", "int8", "int32") is None
    assert rate("nvidia-v100-sxm2-32gb", "int8", "int32", "vector") == 62.7e12


@pytest.mark.parametrize(
    ("device_id", "dense_int8"),
    [
        ("nvidia-jetson-agx-orin-64gb", 85.2),
        ("nvidia-jetson-orin-nx-16gb", 30.1),
        ("nvidia-jetson-orin-nano-8gb", 20.5),
        ("nvidia-jetson-orin-nano-super-8gb", 33.4),
        ("nvidia-jetson-agx-thor-t5000", 517),
    ],
)
def test_jetson_int8_is_dense_and_of_the_gpu_alone(device_id: str, dense_int8: float) -> None:
    assert rate(device_id, "int8", "int32") == pytest.approx(dense_int8 * 1e12)


def test_hopper_has_no_int4_and_ampere_no_fp8() -> None:
    assert not any(p.format == "int4" for d in DEVICES if "H100" in d.name or "H200" in d.name for p in d.peaks)
    assert not any(p.format == "fp8" for d in DEVICES if "A100" in d.name for p in d.peaks)


def test_b200_and_gb200_differ() -> None:
    assert rate("nvidia-b200-sxm-180gb", "bf16") == 2250e12
    assert rate("nvidia-gb200", "bf16") == 2500e12


def test_mi355x_fp8_and_fp4_are_dense() -> None:
    assert rate("amd-instinct-mi355x", "fp8") == 5033e12
    assert rate("amd-instinct-mi355x", "fp4") == 10066e12


def test_l40_has_half_of_the_l40s_tensor_rate() -> None:
    full, half = rate("nvidia-l40s", "bf16"), rate("nvidia-l40", "bf16")
    assert full is not None
    assert half == pytest.approx(full / 2, rel=0.01)


def test_a_chip_without_a_published_dense_peak_has_none() -> None:
    assert BY_ID["cerebras-wse-3"].peaks == ()


@pytest.mark.parametrize(
    ("device_id", "name", "per_direction"),
    [
        ("nvidia-a100-sxm4-80gb", "NVLink 3", 300e9),
        ("nvidia-h100-sxm5-80gb", "NVLink 4", 450e9),
        ("nvidia-b200-sxm-180gb", "NVLink 5", 900e9),
        ("nvidia-h100-sxm5-80gb", "PCIe 5.0 x16", 64e9),
        ("nvidia-a10", "PCIe 4.0 x16", 32e9),
        ("google-tpu-v5e", "ICI", 200e9),
        ("google-tpu-v5p", "ICI", 600e9),
        ("intel-gaudi-3", "Ethernet, 24 x 200G", 600e9),
    ],
)
def test_links_count_one_direction(device_id: str, name: str, per_direction: float) -> None:
    assert {k.name: k.per_direction for k in BY_ID[device_id].links}[name] == per_direction


@pytest.mark.parametrize(
    ("device_id", "capacity"),
    [
        ("nvidia-h100-sxm5-80gb", 80 * GIB),
        ("nvidia-h200-sxm-141gb", 141 * GIB),
        ("nvidia-b200-sxm-180gb", 180 * GIB),
        ("nvidia-b300-sxm-288gb", 275_040 * 1024**2),
        ("nvidia-gb300", 284_208 * 1024**2),
        ("nvidia-geforce-rtx-4090", 24 * GIB),
        ("amd-instinct-mi300x", 192 * GIB),
        ("amd-instinct-mi325x", 256 * GIB),
        ("google-tpu-v4", 32 * GIB),
        ("google-tpu-v5e", 16e9),
        ("groq-lpu-v1", 230e6),
    ],
)
def test_capacity_is_in_bytes_and_binary_where_the_vendor_means_it(device_id: str, capacity: float) -> None:
    assert BY_ID[device_id].capacity == capacity


def test_only_ga100_has_the_ga100_l2_bandwidth() -> None:
    l2 = {d.id: m.bandwidth for d in DEVICES for m in d.memory if m.level == "L2"}
    assert {i for i, b in l2.items() if b == 7219e9} == {i for i in l2 if "a100" in i}


@pytest.mark.parametrize("device", DEVICES, ids=lambda d: d.id)
def test_inner_memory_levels_are_smaller_and_faster(device: Device) -> None:
    known: Callable[[str], list[float]] = lambda key: [v for m in device.memory if (v := getattr(m, key)) is not None]  # noqa: E731
    capacity, bandwidth, latency = known("capacity"), known("bandwidth"), known("latency")
    assert bandwidth == sorted(bandwidth)
    assert latency == sorted(latency, reverse=True)
    assert capacity[0] == max(capacity)


@pytest.mark.parametrize("device", DEVICES, ids=lambda d: d.id)
def test_ridge_points_are_of_a_plausible_size(device: Device) -> None:
    bandwidth = device.bandwidth
    assert bandwidth is not None
    for peak in device.peaks:
        assert 0.1 < peak.rate / bandwidth < 4000, (peak.format, peak.unit)


def test_shared_memory_of_a_core_is_within_its_first_level() -> None:
    for device in DEVICES:
        if device.on_chip_per_core:
            assert device.cores is not None
            assert device.memory[-1].capacity is not None
            assert device.on_chip_per_core * device.cores <= device.memory[-1].capacity


def test_known_operand_formats_cover_those_of_the_number_formats() -> None:
    catalogue = load_catalogue(devices=False)
    assert {f.compute for f in catalogue.formats} <= set(OPERANDS)
    assert catalogue.devices == ()
    assert {p.accumulate for d in DEVICES for p in d.peaks} <= set(ACCUMULATORS)


def test_reading_the_database_costs_little_more_than_parsing_its_text() -> None:
    def once(work: Callable[[], object]) -> float:
        begun = time.process_time()
        work()
        return time.process_time() - begun

    texts = [path.read_text("utf-8") for path in (resource_root() / "hardware").glob("*.yaml")]
    floor = min(once(lambda: [yaml.load(t, yaml.CSafeLoader) for t in texts]) for _ in range(3))
    assert min(once(lambda: load_devices(resource_root() / "hardware")) for _ in range(3)) < 1.5 * floor


def test_a_size_that_a_device_is_sold_with_is_its_capacity_and_sizes_rise() -> None:
    sold = {d.id: d.outermost for d in DEVICES if d.outermost.sizes}
    assert len(sold) > 40
    assert all(m.capacity in m.sizes and list(m.sizes) == sorted(set(m.sizes)) for m in sold.values())


def test_a_measured_rate_is_never_far_above_its_sheet() -> None:
    """Clocks pass a sheet's by up to 17 %; more means the wrong entry."""
    above = {
        (d.id, p.format): p.measured.rate / p.rate
        for d in DEVICES
        for p in d.peaks
        if p.measured
        if p.measured.rate > p.rate
    }
    assert max(above.values()) < 1.18
    assert sum(value > 1.01 for value in above.values()) >= 21
    assert all(m.measured.bandwidth <= m.bandwidth for d in DEVICES for m in d.memory if m.measured and m.bandwidth)


@pytest.mark.parametrize(
    ("device_id", "unscaled", "scaled"),
    [("nvidia-geforce-rtx-5090", 419.0, 838.0), ("nvidia-geforce-rtx-5060-ti-16gb", 94.8, 189.6)],
)
def test_block_scaled_fp8_of_geforce_blackwell_has_twice_the_rate(
    device_id: str, unscaled: float, scaled: float
) -> None:
    assert rate(device_id, "fp8") == unscaled * 1e12
    assert rate(device_id, "mxfp8") == scaled * 1e12


@pytest.mark.parametrize(
    ("device_id", "gigabytes_per_s", "gibibytes"),
    [
        ("apple-m4-max-32-core-gpu", 410, 36), ("apple-m3-max-30-core-gpu", 300, 96), ("nvidia-h20-96gb", 4000, 96),
        ("nvidia-geforce-rtx-4070-laptop", 256, 8), ("nvidia-geforce-rtx-5090-laptop", 896, 24),
        ("nvidia-geforce-rtx-3060-laptop", 336, 6), ("intel-arc-a770-16gb", 560, 16), ("nvidia-rtx-2000-ada", 224, 16),
        ("amd-radeon-rx-9070-xt", 640, 16), ("nvidia-tesla-k80", 240.6, 12), ("nvidia-a16", 200, 16),
    ],
)  # fmt: skip
def test_variants_that_pages_mix_up_have_their_own_memory(
    device_id: str, gigabytes_per_s: float, gibibytes: int
) -> None:
    assert (BY_ID[device_id].bandwidth, BY_ID[device_id].capacity) == (gigabytes_per_s * 1e9, gibibytes * GIB)


def test_bf16_is_half_of_fp16_on_mi100_and_no_peak_where_it_is_emulated() -> None:
    assert (rate("amd-instinct-mi100", "bf16"), rate("amd-instinct-mi100", "fp16")) == (92.3e12, 184.6e12)
    assert [rate(d, "bf16") for d in ("nvidia-t4", "nvidia-v100-sxm2-32gb", "nvidia-geforce-rtx-2080")] == [None] * 3
