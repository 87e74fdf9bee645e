"""Devices by year: the whole database, nothing guessed, and a line that the data draws."""

from functools import lru_cache

import pytest
from msgspec.structs import replace

from explorer.analysis.ask.comparison.years import Years, years, years_of
from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.device import Device
from explorer.analysis.step.evaluate import evaluate
from explorer.files.catalogue import load_catalogue
from tests.plot.drawing import A100, H100, decode_study


@lru_cache(maxsize=1)
def database() -> Catalogue:
    return load_catalogue()


def of_year(device: Device, year: int | None, **more: object) -> Device:
    return replace(device, id=f"{device.id}-{year}", year=year, **more)


def by_name(found: Years, name: str) -> float:
    return next(p.ridge for p in found.points if p.device.short == name)


def test_the_ridges_of_flagships_are_those_of_their_sheets_and_rise_and_fall() -> None:
    found = years_of(database().devices)
    sheets = {
        "P100 SXM2": 29,  # 21.2 TFLOP/s fp16 over 732 GB/s
        "V100 SXM2": 139,
        "A100 SXM4 40GB": 201,
        "A100 SXM4 80GB": 153,
        "H100 SXM5": 295,
        "H200 SXM": 206,
        "B200": 281,
    }
    line = [found.points[i].device.short for i in found.line]
    assert [name for name in line if name in sheets] == list(sheets)
    assert {name: round(by_name(found, name)) for name in sheets} == sheets
    assert found.falls
    told = [round(r) for r in found.ridges]
    assert [r for i, r in enumerate(told) if i == 0 or r != told[i - 1]] == list(sheets.values())


def test_every_device_of_the_database_is_drawn_or_counted_once() -> None:
    found = years_of(database().devices)
    lacking = found.without_year + found.without_peak + found.without_bandwidth
    assert len(found.points) + lacking == len(database().devices)
    assert len(found.points) > 200
    assert [p.year for p in found.points] == sorted(p.year for p in found.points)


def test_what_lacks_a_figure_is_counted_by_the_first_that_it_lacks() -> None:
    nothing = replace(H100, peaks=(), memory=(replace(H100.memory[0], bandwidth=None),))
    vectors = tuple(p for p in H100.peaks if p.format == "fp32")
    found = years_of(
        [
            of_year(H100, 2022),
            of_year(H100, None),
            of_year(nothing, None),
            of_year(replace(H100, peaks=vectors), 2021),  # a peak of fp32 is no 16-bit one
            of_year(replace(H100, memory=nothing.memory), 2020),
        ]
    )
    assert (len(found.points), found.without_year, found.without_peak, found.without_bandwidth) == (1, 2, 1, 1)
    assert found.points[0].ridge == pytest.approx(989.4 / 3.35)


def test_a_line_leaves_out_what_was_made_slower_and_other_makers() -> None:
    def module(device: Device, year: int, maker: str = "NVIDIA") -> Device:
        return of_year(device, year, vendor=maker, form="SXM5")

    slow = replace(H100, id="slow", peaks=tuple(replace(p, rate=1e14) for p in H100.peaks))
    found = years_of([module(A100, 2020), module(H100, 2022), module(slow, 2024), module(H100, 2023, "Other")])
    assert [found.points[i].year for i in found.line] == [2020, 2022]
    assert not found.falls
    assert years_of([module(H100, 2020), module(A100, 2022)]).line == (0,)


def test_devices_of_the_study_that_are_in_no_database_are_there_too_and_all_is_found_once() -> None:
    study = decode_study(of_year(H100, 2022), A100)
    evaluation = evaluate(study, database())
    found = years(evaluation)
    assert [p.device.id for p in found.points if p.device.id == "dev-h100-2022"] == ["dev-h100-2022"]
    again = evaluate(replace(study, workload=replace(study.workload, batch=3)), database(), evaluation)
    assert years(again) is found
    other = evaluate(decode_study(of_year(H100, 2023)), database(), evaluation)
    assert years(other) is not found
