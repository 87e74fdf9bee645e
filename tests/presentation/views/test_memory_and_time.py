"""What is held where, and where time goes: every part of the figures."""

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import OwnRow, QuickModel, Study, View
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.slide.slide import Slide, built
from explorer.presentation.views.capacity import capacity_sentences
from explorer.presentation.views.declared import tab_views
from explorer.presentation.views.memory import Bar, DeviceBars, MemoryChart, memory_chart, memory_chart_steps
from explorer.presentation.views.memory_bar import MemoryPart, MemoryView, fit_batch, memory_view
from explorer.presentation.views.time import TimeBar, TimeView, folded, time_view
from tests.presentation.llama import CONFIG, KV_SEQUENCE, WEIGHTS, catalogue, device, evaluated, study
from tests.presentation.roofline.made import placed

SMALL = device("Other", bandwidth=1e12, capacity=20e9)
GIB = Look(unit="GiB")
NOW, LONGEST = (WEIGHTS, 8.0 * KV_SEQUENCE, 0.0, 0.0), (WEIGHTS, 8.0 * KV_SEQUENCE * 32, 0.0, 0.0)


def test_bars_of_every_device_now_and_at_the_models_longest_context() -> None:
    chart = memory_chart(evaluated(device(), SMALL), GIB)
    assert chart.title == "Llama-3.1-8B: memory held at batch 8, context 4,096"
    assert chart.devices == (
        DeviceBars(
            "Round",
            Bar(NOW, "19.0 GiB of 74.5 GiB"),
            Bar(LONGEST, "143 GiB of 74.5 GiB", "at 131,072 tokens", over=True),
            80e9,
            "fits: up to context 60,977, or batch 119",
            active=True,
        ),
        DeviceBars(
            "Other",
            Bar(NOW, "19.0 GiB of 18.6 GiB", over=True),
            Bar(LONGEST, "143 GiB of 18.6 GiB", "at 131,072 tokens", over=True),
            20e9,
            "does not fit: needs 2 devices",
            active=False,
        ),
    )
    assert chart.legend == (("weights", "weights"), ("kv", "KV cache"))
    assert chart.sentences[1:3] == (
        "Longest context at batch 8 on one Round: 60,977 tokens.", "Largest batch at context 4,096 on one Round: 119."
    )  # fmt: skip
    assert chart.largest == 80e9 < sum(LONGEST)  # what the model could take some day sets no scale
    assert chart.empty_text == ""


def test_the_chart_grows_by_one_device_at_a_time() -> None:
    case = evaluated(device(), SMALL, reserve=1e9)
    first, second, whole = memory_chart_steps(case)
    assert [len(c.devices) for c in (first, second, whole)] == [1, 2, 2]
    assert [len(c.tables) for c in (first, second, whole)] == [0, 0, 2]
    assert first.legend == second.legend == (("weights", "weights"), ("kv", "KV cache"), ("reserve", "reserve"))


def test_a_capacity_that_is_not_known_bounds_nothing() -> None:
    (bars,) = memory_chart(evaluated(device(capacity=None))).devices
    assert (bars.now.text, bars.now.over, bars.longest, bars.capacity, bars.limits) == (
        "20.4 GB",
        False,
        None,
        None,
        "",
    )


def test_at_the_models_longest_context_there_is_one_bar() -> None:
    assert memory_chart(evaluated(context=131072)).devices[0].longest is None
    assert memory_chart(evaluated(context=131071)).devices[0].longest is not None


def test_weights_that_fit_nowhere_have_no_limits() -> None:
    (bars,) = memory_chart(evaluated(device(capacity=1.0), reserve=5.0)).devices
    assert bars.limits == ""
    assert bars.now.over


@pytest.mark.parametrize(
    ("ends", "largest"),
    [((), 1.0), ((None, 0.0, None), 1.0), ((5.0, 3.0, None), 5.0), ((5.0, 7.0, 6.0), 7.0), ((5.0, 3.0, 9.0), 5.0)],
)
def test_the_axis_ends_at_the_capacity_or_at_what_is_held_now(ends: tuple[float | None, ...], largest: float) -> None:
    bars = ()
    if ends:
        capacity, now, longest = ends
        at_longest = None if longest is None else Bar((longest,), "")
        bars = (DeviceBars("d", Bar((now or 0.0,), ""), at_longest, capacity, "", active=True),)
    assert MemoryChart("", bars, (), ()).largest == largest


@pytest.mark.parametrize("case", [evaluate(Study(), catalogue()), placed(("a", 1.0, 1.0, 1.0))], ids=["empty", "rows"])
def test_without_a_model_there_is_nothing_to_show(case: Evaluation) -> None:
    assert memory_chart(case) == MemoryChart("", (), (), (), "Choose a model and a device to see what fits.")


def bar_of(*devices: Device, look: Look = ENGLISH, **work: object) -> MemoryView:
    case = evaluated(*devices, **work)  # type: ignore[arg-type]
    return memory_view(case, case.devices[0], fit_batch(case, case.devices[0]), look)


@pytest.mark.parametrize(
    ("capacity", "work", "title", "fit", "over"),
    [
        (80e9, {}, "Memory 20.4 of 80.0 GB", "fits up to batch 119", False),
        (80e9, {"phase": "prefill"}, "Memory 20.4 of 80.0 GB", "fits", False),
        (20e9, {}, "Memory 20.4 of 20.0 GB", "fits only up to batch 7", True),
        (10e9, {}, "Memory 20.4 of 10.0 GB", "the weights alone do not fit", True),
        (20e9, {"phase": "prefill"}, "Memory 20.4 of 20.0 GB", "355 MB too much", True),
        (2e12, {}, "Memory 20.4 GB of 2.00 TB", "fits up to batch 3,695", False),
        (None, {}, "Memory 20.4 GB, capacity not known", "", False),
        (float(WEIGHTS + 8 * KV_SEQUENCE), {}, "Memory 20.4 of 20.4 GB", "fits up to batch 8", False),
    ],
)
def test_the_bar_says_what_is_held_of_what_and_what_fits(
    capacity: float | None, work: dict[str, object], title: str, fit: str, over: bool
) -> None:
    found = bar_of(device(capacity=capacity), **work)
    assert (found.title, found.fit_text, found.over, found.capacity) == (title, fit, over, capacity)
    assert found.held == WEIGHTS + 8 * KV_SEQUENCE
    assert found.segments == (
        MemoryPart("weights", WEIGHTS, "weights 16.1 GB"), MemoryPart("kv", 8.0 * KV_SEQUENCE, "KV 4.29 GB")
    )  # fmt: skip


@pytest.mark.parametrize(
    ("one", "count", "work", "lines"),
    [
        (
            device(),
            1,
            {},
            [
                ("Llama-3.1-8B with bf16 weights fits on one Round: 20.36 of 80.0 GB at batch 8, context 4,096 "
                "(weights 16.1 GB, KV 4.29 GB)."),
                "Longest context at batch 8 on one Round: 60,977 tokens.",
                "Largest batch at context 4,096 on one Round: 119.",
                ("At the model's longest context, 131,072 tokens, batch 8 takes 153 GB (weights 16.1 GB, KV 137 GB): "
                "2 Round."),
            ],
        ),
        (
            SMALL,
            1,
            {"weights": "fp8", "batch": 64},
            [
                ("Llama-3.1-8B with fp8 weights does not fit on one Other: 43.44 of 20.0 GB at batch 64, context 4,096 "
                "(weights 9.08 GB, KV 34.4 GB); it fits on 3 Other."),
                "Longest context at batch 64 on 3 Other: 6,069 tokens.",
                "Largest batch at context 4,096 on 3 Other: 94.",
                ("At the model's longest context, 131,072 tokens, batch 64 takes 1.11 TB (weights 9.08 GB, KV 1.10 "
                "TB): 56 Other."),
            ],
        ),
        (
            device(capacity=1.0),
            1,
            {"reserve": 5.0},
            [
                ("Llama-3.1-8B with bf16 weights does not fit on one Round: 20.36 GB of 1.00 B at batch 8, context "
                "4,096 (weights 16.1 GB, KV 4.29 GB, reserve 5.00 B)."),
            ],
        ),
        (device(capacity=None), 1, {}, []),
    ],
)  # fmt: skip
def test_whether_it_fits_in_words(one: Device, count: int, work: dict[str, object], lines: list[str]) -> None:
    base = study(one, **work)  # type: ignore[arg-type]
    case = evaluate(replace(base, hardware=(replace(base.hardware[0], count=count),)), catalogue())
    assert capacity_sentences(case, case.devices[0]) == lines


def test_more_room_than_the_model_has_context_is_said() -> None:
    case = evaluated(device(capacity=800e9))
    lines = capacity_sentences(case, case.devices[0])
    assert lines[1] == "Longest context at batch 8 on one Round: 747,622 tokens, more than the 131,072 of the model."
    exactly = evaluated(device(capacity=WEIGHTS + 8 * 32.0 * KV_SEQUENCE))
    assert (
        capacity_sentences(exactly, exactly.devices[0])[1] == "Longest context at batch 8 on one Round: 131,072 tokens."
    )


def test_time_of_every_operator_beside_its_flops() -> None:
    rows = (("small", 1e9, 1e9, 1.0), ("big", 1e11, 3e9, 2.0), ("moves", 0.0, 2e9, 1.0))
    view = time_view(placed(*rows, view=View(selection=("big",))))
    assert (view.title, view.finding) == ("Operator by operator: where 9.00 ms go on Dev", "")
    assert (view.time_text, view.flops_text) == ("9.00 ms", "201 GFLOP")
    assert view.headers == ("Time", "FLOPs", "Time share", "FLOP share")
    assert view.bounds == (("memory", "waits for memory"),)
    assert view.selection == {"big"}
    third = pytest.approx(1 / 9)
    assert view.bars == (
        TimeBar("big", "memory", pytest.approx(6 / 9), pytest.approx(200 / 201), "6.00 ms", "66.7 %", "99.5 %"),
        TimeBar("moves", "memory", pytest.approx(2 / 9), 0.0, "2.00 ms", "22.2 %", "no FLOPs"),
        TimeBar("small", "memory", third, pytest.approx(1 / 201), "1.00 ms", "11.1 %", "0.5 %", "22× its FLOP share"),
    )
    assert [b.name for b in time_view(placed(*rows), order="execution").bars] == ["small", "big", "moves"]


@pytest.mark.parametrize(
    ("flops", "moved", "note"),
    [
        (3.2e10, 1e9, ""),
        (3.125e10, 1e9, "3.0× its FLOP share"),
        (3e10, 1e9, "3.1× its FLOP share"),
        (9.154e8, 1e9, "99× its FLOP share"),
        (1e8, 1e9, "909× its FLOP share"),
        (1e7, 1e9, "9,091× its FLOP share"),
        (1e6, 0.9e8, ""),  # less than a hundredth of the time
        (1e6, 1.2e8, "11,858× its FLOP share"),
    ],
)
def test_a_word_where_time_is_out_of_proportion(flops: float, moved: float, note: str) -> None:
    view = time_view(placed(("it", flops, moved, 1.0), ("other", 1e12, 1e6, 1.0)))
    found = next(b for b in view.bars if b.name == "it").note
    assert found == note


def test_bounds_are_named_in_their_order_where_they_occur() -> None:
    view = time_view(placed(("m", 1e9, 1e9, 1.0), ("c", 1e12, 1e9, 1.0)))
    assert view.bounds == (("compute", "waits for compute"), ("memory", "waits for memory"))


def test_matmuls_alone_have_no_finding_and_nothing_has_no_bars() -> None:
    own = Study(hardware=study().hardware, operators=(OwnRow(id="1", name="a", kind="matmul"),))
    assert time_view(evaluate(own, catalogue())).finding == ""
    empty = "Choose a device and a model or operators to see where time goes."
    assert time_view(evaluate(Study(), catalogue())) == TimeView(
        "", "", (), "", "", ("", "", "", ""), (), empty_text=empty
    )


def test_a_view_is_built_as_a_slide_and_bare_as_its_figure_with_a_heading_only_where_asked() -> None:
    case = evaluated()
    assert isinstance(built("memory", case, bare=True), MemoryChart)
    assert built("time", case, bare=True) == time_view(case)
    titled = built("memory", case, texts={"title": "Mine"}, bare=True)
    assert isinstance(titled, Slide)
    assert (titled.title, titled.subtitle, titled.blocks, titled.conditions) == ("Mine", "", (), "")
    under = built("chart", case, texts={"subtitle": "Under"})
    assert isinstance(under, Slide)
    assert (under.title, under.subtitle) == ("", "Under")
    for view in ("roofline", "time", "decode", "memory"):
        slide = built(view, case, texts={"title": "Mine"})
        assert isinstance(slide, Slide)
        assert slide.title == "Mine"
        assert slide.conditions
    assert [v.name for v in tab_views()][:5] == ["roofline", "time", "decode", "compare", "memory"]


def test_a_quick_model_holds_what_it_says() -> None:
    base = study()
    quick = QuickModel(params=1e9, layers=2, kv_heads=1, head_dim=4)
    case = evaluate(replace(base, models=(replace(base.models[0], config=None, quick=quick),)), catalogue())
    assert memory_view(case, case.devices[0], None).title == "Memory 2.00 of 80.0 GB"
    assert CONFIG["hidden_size"] == 4096


def test_room_for_more_than_the_program_takes_is_no_infinite_room() -> None:
    (bars,) = memory_chart(evaluated(device(capacity=1e17))).devices
    assert bars.limits == "fits: up to context > 134,217,728, or batch > 1,048,576"


def test_the_tail_of_a_page_is_one_bar_of_all_that_it_stands_for() -> None:
    rows = tuple((f"r{i}", 1e9 * (i + 1), 1e9, float(i + 1)) for i in range(9))
    view = time_view(placed(*rows))
    short = folded(view, 4)
    assert [b.name for b in short.bars] == ["r8", "r7", "r6", "6 others"]
    last, left = short.bars[-1], view.bars[3:]
    assert last.time_share == pytest.approx(sum(b.time_share for b in left))
    assert last.flop_share == pytest.approx(sum(b.flop_share for b in left))
    assert (last.time_text, last.time_percent, last.bound) == ("21.0 ms", "46.7 %", "")
    assert sum(b.time_share for b in short.bars) == pytest.approx(1.0)
    assert folded(view, 9) is view
    assert folded(time_view(placed(*rows), paged=False), 4).bars == view.bars
    assert folded(time_view(placed(*rows), order="execution"), 2).bars[0].name == "r0"


def test_a_tail_without_flops_says_so() -> None:
    rows = (("big", 1e12, 1e9, 1.0), ("a", 0.0, 1e8, 1.0), ("b", 0.0, 1e8, 1.0))
    assert folded(time_view(placed(*rows)), 2).bars[1].flop_percent == "no FLOPs"
