"""Every figure of a device at its exact bounds and one step beyond: refused with its field's path and code."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.device import (
    Device,
    LaunchOverhead,
    Link,
    MeasuredBandwidth,
    MeasuredRate,
    MemoryLevel,
    Origin,
    Peak,
    Source,
)
from explorer.analysis.catalogue.device_check import device_problems
from tests.analysis.making import device

Made = Callable[[Any], Device]
PLAIN = device()
LEVEL = MemoryLevel(level="HBM", bandwidth=1.0)


def told(made: Device) -> list[tuple[str, str]]:
    return [(p.code, p.path) for p in device_problems(made)]


def level(**fields: Any) -> Device:
    return replace(PLAIN, memory=(LEVEL, replace(LEVEL, level="L2", **fields)))


def plain(name: str) -> Made:
    return lambda value: replace(PLAIN, **{name: value})


FIGURES: list[tuple[str, Made, float, float]] = [
    ("peaks[0].rate", lambda v: device(rate=v), 1.0, 1e24),
    (
        "peaks[0].measured.rate",
        lambda v: replace(PLAIN, peaks=(replace(PLAIN.peaks[0], measured=MeasuredRate(rate=v)),)),
        1.0,
        1e24,
    ),
    ("memory[1].measured.bandwidth", lambda v: level(measured=MeasuredBandwidth(bandwidth=v)), 1.0, 1e24),
    ("memory[1].capacity", lambda v: level(capacity=v), 1.0, 1e24),
    ("memory[1].bandwidth", lambda v: level(bandwidth=v), 1.0, 1e24),
    ("memory[1].latency", lambda v: level(latency=v), 1e-12, 1e3),
    ("links[0].per_direction", lambda v: replace(PLAIN, links=(Link(name="l", per_direction=v),)), 1.0, 1e24),
    ("launch_overhead.seconds", lambda v: replace(PLAIN, launch_overhead=LaunchOverhead(seconds=v)), 1e-12, 1e3),
    ("year", plain("year"), 1940, 2200),
    ("cores", plain("cores"), 1, 10**12),
    ("on_chip_per_core", plain("on_chip_per_core"), 1, 10**12),
    ("tdp_w", plain("tdp_w"), 1e-9, 1e9),
    ("price_per_hour", plain("price_per_hour"), 1e-9, 1e9),
]


@pytest.mark.parametrize(("path", "make", "low", "high"), FIGURES, ids=[f[0] for f in FIGURES])
def test_a_figure_may_be_at_its_bounds_and_not_beyond(path: str, make: Made, low: float, high: float) -> None:
    whole = isinstance(low, int)
    beyond = high + 1 if whole else math.nextafter(high, math.inf)
    under = low - 1 if whole else math.nextafter(low, 0.0)
    assert [told(make(low)), told(make(high))] == [[], []]
    assert told(make(beyond)) == [("field.out_of_range", path)]
    assert told(make(under)) == [("field.out_of_range" if under > 0 else "field.not_positive", path)]
    assert [told(make(v)) for v in (0, -1)] == [[("field.not_positive", path)]] * 2
    assert [told(make(v)) for v in (math.inf, math.nan)] == [[("field.not_finite", path)]] * 2
    (problem,) = device_problems(make(beyond))
    assert problem.values == {"got": beyond, "low": low, "high": high}


@pytest.mark.parametrize(
    ("path", "make"),
    [
        ("name", plain("name")),
        ("vendor", plain("vendor")),
        ("memory[0].level", lambda t: replace(PLAIN, memory=(replace(LEVEL, level=t),))),
        ("links[0].name", lambda t: replace(PLAIN, links=(Link(name=t, per_direction=1.0),))),
        ("short", plain("short")),
    ],
)
def test_a_word_is_one_line_of_a_hundred_characters(path: str, make: Made) -> None:
    assert told(make("x" * 100)) == []
    assert [told(make(t)) for t in ("x" * 101, "a\nb", " ")] == [[("field.line", path)]] * 3
    assert told(make("")) == ([] if path == "short" else [("field.line", path)])


@pytest.mark.parametrize(
    ("ident", "sound"),
    [
        ("a" * 100, True),
        ("9.a_b-c", True),
        ("a" * 101, False),
        ("", False),
        ("A", False),
        ("-a", False),
        ("a b", False),
    ],
)
def test_an_id_is_short_and_plain(ident: str, sound: bool) -> None:
    assert told(replace(PLAIN, id=ident)) == ([] if sound else [("device.id", "id")])


def test_a_device_has_a_memory_with_a_bandwidth_and_the_format_that_is_known() -> None:
    assert told(replace(PLAIN, memory=())) == [("device.no_memory", "memory")]
    assert told(replace(PLAIN, memory=(MemoryLevel(level="m"),))) == [("device.no_bandwidth", "memory[0].bandwidth")]
    assert told(replace(PLAIN, format=2)) == [("device.format", "format")]


def test_formats_and_accumulators_are_listed_ones() -> None:
    peak = Peak(format="f" * 101, accumulate="a" * 101, unit="tensor", rate=1.0)
    found = device_problems(replace(PLAIN, peaks=(*PLAIN.peaks, peak)))
    assert [(p.code, p.path, p.values["got"]) for p in found] == [
        ("field.choice", "peaks[2].format", "f" * 100),
        ("field.choice", "peaks[2].accumulate", "a" * 100),
    ]


def test_a_part_that_stands_twice_is_refused_at_the_second_place() -> None:
    twice = replace(
        PLAIN, peaks=PLAIN.peaks[:1] * 2, memory=(LEVEL, LEVEL), links=(Link(name="l", per_direction=1.0),) * 2
    )
    assert [(p.code, p.path, p.values["what"]) for p in device_problems(twice)] == [
        ("device.repeated", "peaks[1]", "bf16 fp32 tensor"),
        ("device.repeated", "memory[1].level", "HBM"),
        ("device.repeated", "links[1].name", "l"),
    ]
    other = (PLAIN.peaks[0], replace(PLAIN.peaks[0], unit="vector"), replace(PLAIN.peaks[0], accumulate="fp16"))
    assert told(replace(PLAIN, peaks=other, links=(Link(name="HBM", per_direction=1.0),))) == []


SOURCED: list[tuple[str, Made]] = [
    ("peaks[0].source", lambda s: replace(PLAIN, peaks=(replace(PLAIN.peaks[0], source=s),))),
    ("memory[0].source", lambda s: replace(PLAIN, memory=(replace(LEVEL, source=s),))),
    ("links[0].source", lambda s: replace(PLAIN, links=(Link(name="l", per_direction=1.0, source=s),))),
    (
        "memory[0].origins.latency.source",
        lambda s: replace(PLAIN, memory=(replace(LEVEL, origins={"latency": Origin(source=s)}),)),
    ),
    ("origins.year.source", lambda s: replace(PLAIN, origins={"year": Origin(source=s)})),
    ("launch_overhead.source", lambda s: replace(PLAIN, launch_overhead=LaunchOverhead(seconds=1.0, source=s))),
]


@pytest.mark.parametrize(("path", "make"), SOURCED, ids=[s[0] for s in SOURCED])
def test_a_source_that_is_named_is_listed(path: str, make: Made) -> None:
    assert told(make("")) == []
    assert told(replace(make("here"), sources={"here": Source(kind="paper")})) == []
    (problem,) = device_problems(make("s" * 101))
    assert (problem.code, problem.path, problem.values) == ("device.source", path, {"got": "s" * 100})


def test_origins_name_figures_that_there_are() -> None:
    for name in ("year", "cores", "on_chip_per_core", "tdp_w", "price_per_hour"):
        assert told(replace(PLAIN, origins={name: Origin()})) == []
    for name in ("capacity", "bandwidth", "latency"):
        assert told(replace(PLAIN, memory=(replace(LEVEL, origins={name: Origin()}),))) == []
    odd = replace(PLAIN, origins={"o" * 101: Origin()}, memory=(replace(LEVEL, origins={"year": Origin()}),))
    assert [(p.code, p.path, p.values["got"]) for p in device_problems(odd)] == [
        ("field.choice", "origins", "o" * 100),
        ("field.choice", "memory[0].origins", "year"),
    ]
