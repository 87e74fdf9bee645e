"""The years in words: what the line does is told from the data, what is missing is counted."""

from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device
from explorer.analysis.step.evaluate import evaluate
from explorer.presentation.look import Look
from explorer.presentation.slide.slide import build_slide
from explorer.presentation.views.compared.years import YearsFigure, years_figure
from tests.plot.drawing import A100, H100, catalogue, decode_study


def module(device: Device, year: int | None, **more: object) -> Device:
    named = f"{device.name}-{year}"
    return replace(device, id=named, short=named, name=named, year=year, vendor="NVIDIA", form="SXM5", **more)


def figure(*devices: Device) -> YearsFigure:
    return years_figure(evaluate(decode_study(*devices), catalogue()), Look())


def test_whether_the_ridge_grows_is_told_from_the_devices() -> None:
    wide = replace(H100, memory=(replace(H100.memory[0], bandwidth=4.8e12),))
    found = figure(module(A100, 2020), module(H100, 2022), module(wide, 2024))
    assert found.finding == (
        "The ridge does not grow steadily: 153, 295, 206 FLOP/byte over NVIDIA's fastest SXM modules, 2020 to 2024."
    )
    grows = figure(module(A100, 2020), module(H100, 2022))
    assert grows.finding == "The ridge grows along NVIDIA's fastest SXM modules, 2020 to 2022: 153, 295 FLOP/byte."
    twins = figure(module(A100, 2020), module(H100, 2022), module(H100, 2023))
    assert "153, 295 FLOP/byte and 1 alike" in twins.finding
    assert figure(module(H100, 2022)).finding == ""


def test_the_studys_devices_have_their_colours_and_names_and_lie_within_their_year() -> None:
    found = figure(module(H100, 2022), module(A100, 2020))
    assert [(m.name, m.colour) for m in found.marks] == [("A100-2020", 1), ("H100-2022", 0)]
    assert [round(m.x) for m in found.marks] == [2020, 2022]
    assert found.marks[1].tip == "H100-2022, 2022\n3.35 TB/s, 989 TFLOP/s bf16, ridge 295"
    for place, (_, axis) in enumerate(found.charts):
        assert axis.log
        assert all(axis.low < m.ys[place] < axis.high for m in found.marks)


def test_a_year_holds_its_devices_apart() -> None:
    many = [module(replace(H100, name=f"N{i}"), 2022) for i in range(9)]
    xs = [m.x for m in figure(*many).marks]
    assert len(set(xs)) == 9
    assert all(2021.5 < x < 2022.5 for x in xs)


def test_what_is_not_drawn_is_counted() -> None:
    found = figure(module(H100, 2022), module(A100, None), module(replace(A100, peaks=()), 2020))
    assert found.notes == (
        (
            "1 device, at the faster of dense bf16 and fp16; "
            "line: NVIDIA's SXM modules, those that were not slower than what came before."
        ),
        "Without a year: 1.",
        "Without a 16-bit peak: 1.",
    )


def test_without_any_device_to_draw_one_sentence_says_so() -> None:
    found = figure(H100)
    assert found.empty_text == "No device of the database has a year, a bandwidth and a 16-bit peak."
    assert found.marks == ()


def test_a_slide_says_what_is_counted_once() -> None:
    evaluation = evaluate(decode_study(module(A100, 2020), module(H100, 2022)), catalogue())
    slide = build_slide(evaluation, view="years")
    (counted, *_) = years_figure(evaluation, Look()).notes
    assert counted not in f"{slide.title} {slide.subtitle}"
    assert slide.subtitle == ""
