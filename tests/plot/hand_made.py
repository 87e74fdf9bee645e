"""Figures of every view made by hand: small, with every part that a painter can draw."""

from typing import Any

import numpy as np
from msgspec.structs import replace
from PySide6.QtGui import QFont

from explorer.presentation.measured.sweep import SweepPanel
from explorer.presentation.roofline.figure import DrawnRoof, Figure, Mark, Strip
from explorer.presentation.slide.blocks import Box
from explorer.presentation.slide.slide import Slide, SlideBlock
from explorer.presentation.slide.table import DecidingTable, TableRow
from explorer.presentation.views.batch_chart import BatchChart, BatchMark, Curve, Spot
from explorer.presentation.views.decode import DecodeView
from explorer.presentation.views.held.tables import TextRow, TextTable
from explorer.presentation.views.memory import Bar, DeviceBars, MemoryChart
from explorer.presentation.views.time import TimeBar, TimeView


def big() -> QFont:
    """A font at which a unit is two pixels."""
    font = QFont()
    font.setPixelSize(26)
    return font


def time_figure(**more: Any) -> TimeView:
    bars = (
        TimeBar("gate, up, down", "memory", 0.5, 0.6, "120 µs", "50 %", "60 %"),
        TimeBar("attention", "compute", 0.25, 0.3875, "60 µs", "25 %", "38.8 %", "1.6× its share"),
        TimeBar("norm of every layer of it", "overhead", 0.2, 0.0125, "48 µs", "20 %", "1.25 %", "16× its FLOP share"),
        TimeBar("embed", "memory", 0.046, 0.0, "11 µs", "4.6 %", "0 %", "no FLOPs"),
        TimeBar("cast", "memory", 0.003, 0.0003, "0.7 µs", "0.3 %", "0 %"),
        TimeBar("copy", "memory", 0.0009, 0.0, "0.2 µs", "0.1 %", "0 %"),
    )
    view = {
        "title": "Where 240 µs go",
        "finding": "Norms take a fifth of the time.",
        "bars": bars,
        "time_text": "240 µs",
        "flops_text": "1.2 T",
        "headers": ("Time", "FLOPs", "Time share", "FLOP share"),
        "bounds": (("compute", "for compute"), ("memory", "for memory"), ("overhead", "for launches")),
        "selection": frozenset({"attention"}),
        **more,
    }
    return TimeView(**view)


def plain_time() -> TimeView:
    """Without a finding, notes and a selection; one row alone."""
    bar = TimeBar("matmul", "compute", 1.0, 1.0, "3 ms", "100 %", "100 %")
    return time_figure(bars=(bar,), finding="", selection=frozenset(), bounds=(("compute", "for compute"),))


EMPTY_TIME = TimeView("", "", (), "", "", ("", "", "", ""), (), empty_text="Nothing to see.")

_XS = np.array([0.0, 2.0, 4.0, 6.0, 8.0 + 1e-10, 10.0])  # rounded as logarithms are
_YS = np.array([10.0, 40.0, 160.0, 400.0, 700.0, 900.0])


def batch_chart(**more: Any) -> BatchChart:
    chart: dict[str, Any] = {
        "title": "Tokens per second, all requests",
        "x_title": "Batch",
        "x_max": 8.0,
        "y_max": 800.0,
        "x_ticks": ((0.0, "1"), (2.0, "4"), (4.0, "16"), (6.0, "64"), (8.0, "256")),
        "y_ticks": ((0.0, "0"), (400.0, "400"), (800.0, "800")),
        "curves": (
            Curve("a", "One", 0, _XS, _YS, active=True, full_at=5.0),
            Curve("b", "Two", 1, _XS, _YS / 2),
            Curve("c", "Three", 2, _XS, _YS / 4, full_at=-1.0),
            Curve("d", "Four", 3, _XS, _YS / 8, full_at=9.0),
        ),
        "marks": (
            BatchMark(3.0, "knee", 0),
            BatchMark(3.2, "half in the cache", 0),
            BatchMark(5.0, "memory full", 0, wall=True),
            BatchMark(0.1, "first", 0),
            BatchMark(7.9, "the last of all", 0),
        ),
        **more,
    }
    return BatchChart(**chart)


SPOTS = (
    Spot(3.0, 100.0, 0, active=True, ratio="1×"),
    Spot(5.0, 140.0, 1, ratio="1.40×"),
    Spot(8.0 + 1e-10, 20.0, 2),
    Spot(9.0, 20.0, 3, ratio="0.20×"),
)


def decode_figure(**more: Any) -> DecodeView:
    view: dict[str, Any] = {
        "title": "Decode of a model",
        "charts": (
            batch_chart(),
            batch_chart(title="Each", marks=(), x_title=""),
            batch_chart(title="Step time", curves=()),
        ),
        "spots": (SPOTS, SPOTS[:1], ()),
        "legend": (("One", 0), ("Two of them", 1), ("The third device", 2), ("A fourth device with a name", 3)),
        **more,
    }
    return DecodeView(**view)


HELD = TextTable(
    "By device",
    ("Device", "Held", "Largest batch"),
    (
        TextRow(("Small accelerator", "74 GB", "130"), strong=True),
        TextRow(("A very long name of a device that is cut", "150 GB", "none"), fault=True),
    ),
    "A note.",
)
KINDS = TextTable("By kind", ("Kind", "Layers", "KV cache"), (TextRow(("full · dense", "32", "4.29 GB")),))


def memory_figure(**more: Any) -> MemoryChart:
    devices = (
        DeviceBars(
            "Small accelerator",
            Bar((40.0, 20.0, 10.0, 4.0), "74 of 80 GB"),
            Bar((40.0, 60.0, 10.0, 4.0), "114 of 80 GB", "at 128 k", over=True),
            80.0,
            "batch 12 at most",
            active=True,
        ),
        DeviceBars(
            "A very long name of a device that is cut",
            Bar((90.0, 50.0, 0.0, 10.0), "150 of 100 GB", over=True),
            None,
            100.0,
            "does not fit",
            active=False,
        ),
        DeviceBars("Unknown", Bar((40.0, 20.0, 0.0, 0.0), "60 GB"), None, None, "no capacity known", active=False),
    )
    chart: dict[str, Any] = {
        "title": "Memory of a model",
        "devices": devices,
        "legend": (("weights", "Weights"), ("kv", "KV cache"), ("state", "State"), ("reserve", "Reserve")),
        "sentences": (
            "The first fits, with six to spare, and does so for as long as nobody asks for more than that.",
            "The second does not.",
        ),
        "tables": (HELD, KINDS),
        **more,
    }
    return MemoryChart(**chart)


EMPTY_MEMORY = MemoryChart("", (), (), (), "No model.")


def sweep_figure(*, followed: bool = True) -> SweepPanel:
    points = tuple((6.0 + 0.5 * i, -5.0 + 0.45 * i) for i in range(6))
    curve = tuple((5.5 + 0.25 * i, -5.4 + 0.24 * i) for i in range(14))
    return SweepPanel("Against bytes moved in all", points, curve, followed, (5.75, 8.75), (-5.25, -2.5))


ROOFS = (
    DrawnRoof(
        "fast",
        "Fast",
        0,
        12.5,
        15.0,
        "3.2 TB/s",
        "1,000 TFLOP/s",
        "ridge 316",
        active=True,
        lower_peaks=((14.0, "fp32 100 TFLOP/s"), (16.5, "out of sight"), (12.0, "below")),
    ),
    DrawnRoof("slow", "Slow", 1, 12.0, 14.5, "1 TB/s", "316 TFLOP/s", "ridge 316"),
    DrawnRoof("cache", "Cache", 2, 13.5, None, "32 TB/s", ""),
    DrawnRoof("real", "Reached", 3, 12.3, 14.7, "2 TB/s", "500 TFLOP/s", "ridge 250", measured=True),
)


def mark(x: float, y: float, *rows: str, **more: Any) -> Mark:
    given: dict[str, Any] = {"device": "fast", "colour": 0, "label": "", "area": 0.2, "bound": "memory", **more}
    return Mark(x=x, y=y, rows=rows or ("row",), **given)


def measured(x: float, y: float, row: str, **more: Any) -> Mark:
    return mark(x, y, row, **{"shape": "diamond", "measured": True, "label": row, **more})


MARKS = (
    mark(0.0, 12.5, "norm", area=0.01, label="norm 1 %"),
    mark(1.0, 13.5, "up", "down", area=0.6, label="up, down 60 % of time", shorter=("up + 1 60 %", "60 %")),
    mark(1.1, 13.55, "gate", area=0.1, label="gate 10 %", shape="square"),
    mark(1.05, 13.4, "q", area=0.08, label="q 8 %", shape="triangle"),
    mark(2.0, 14.4, "head", area=0.35, label="head 35 %", bound="compute", ceiling=14.5, gain_text="up to 1.26×"),
    mark(1.5, 13.0, "slowed", "more", device="slow", colour=1, active=False, area=0.3),
    mark(3.0, 14.9, "k", area=0.0001, bound="overhead"),
    measured(2.5, 13.8, "timed", ceiling=15.0, gain_text="up to 15×", spread=(13.6, 13.9)),
    measured(0.5, 13.4, "too fast", ceiling=13.0, over=True, spread=(13.39, 13.41)),
    measured(-0.5, 12.2, "crowd", label=""),
    mark(9.0, 13.0, "beyond", label="out of sight"),
)


def roofline_figure(**more: Any) -> Figure:
    """Every kind of roof and mark, a strip, a selection; the ranges as they are."""
    given: dict[str, Any] = {
        "roofs": ROOFS,
        "marks": MARKS,
        "strips": (
            Strip(("lookup",), "fast", 0, "lookup 30 %", 0.3),
            Strip(("copy", "cast"), "fast", 1, "copy 1 %", 0.01),
            Strip(("concat",), "fast", 2, "concat 100 %", 0.9),
        ),
        "strip_text": "3 operators without FLOPs",
        "zone": 2.5,
        "memory_zone_text": "memory-bound",
        "compute_zone_text": "compute-bound",
        "selection": frozenset({"up", "copy", "timed", "k", "slowed"}),
        "fitted": False,
        **more,
    }
    return Figure((-1.0, 4.0), (11.5, 15.5), "Intensity in FLOP/byte", "Performance in FLOP/s", **given)


def bare_figure(**more: Any) -> Figure:
    """One roof and one point."""
    given: dict[str, Any] = {"roofs": ROOFS[1:2], "marks": (mark(1.0, 13.0, "one", label="one"),), "fitted": False}
    ranges: dict[str, Any] = {"x_range": (-1.0, 4.0), "y_range": (11.5, 15.5)}
    return Figure(**{"x_title": "x", "y_title": "y", **ranges, **given, **more})


def named_figure() -> Figure:
    """The active roof alone, with all its names and one label."""
    return roofline_figure(roofs=ROOFS[:1], marks=MARKS[4:5], strips=())


def short_figure() -> Figure:
    """Flat parts too short for the names of their roofs, one close over the other."""
    fast = replace(ROOFS[0], bandwidth=11.6, lower_peaks=((14.9, "tf32"),))
    slow = replace(ROOFS[1], bandwidth=11.2, peak=14.6)
    near = replace(ROOFS[3], bandwidth=12.9, peak=14.63)
    return roofline_figure(roofs=(slow, fast, near), marks=(), strips=(), zone=3.4)


def crowded_figure(by: float = 0.0) -> Figure:
    """Labels that need leaders, some of which find no room."""
    marks = tuple(
        mark(0.6 + by + 0.11 * (i % 6), 12.9 + by + 0.13 * (i // 6), f"r{i}", area=0.3 / (i + 1), label=f"operator {i}")
        for i in range(24)
    )
    return roofline_figure(marks=marks, strips=(), selection=frozenset({"r3", "r20"}), colour_by_bound=True)


def trail_figure() -> Figure:
    """Points that came a long way, one of them from beyond the edge."""
    here = (
        mark(1.0, 13.5, "up", "down", area=0.6),
        mark(-0.9, 12.0, "norm", area=0.2),
        mark(2.0, 13.0, "other", device="slow", colour=1, active=False),
        measured(2.5, 13.5, "timed"),
        mark(0.0, 14.0, "still"),
    )
    past = tuple(
        tuple(replace(m, x=m.x - by, y=m.y - by, rows=m.rows[::-1]) if m.rows[0] != "still" else m for m in here)
        for by in (0.9, 0.6, 0.3)
    )
    return roofline_figure(marks=here, trail=past, strips=(), selection=frozenset())


def eight_figure() -> Figure:
    """A roof and a point of each of eight devices; the points went straight up, along, a little, or not at all."""
    roofs = tuple(
        replace(ROOFS[1], key=f"d{i}", name=f"Device {i}", colour=i, bandwidth=12.6 - 0.3 * i, peak=15.2 - 0.25 * i)
        for i in range(8)
    )
    by = ((0.0, 0.4), (0.4, 0.0), (0.0, -0.4), (-0.4, 0.0), (0.0002, 0.4), (0.4, 0.0002), (0.0002, 0.0002), (0.0, 0.0))
    here = tuple(mark(0.4 * i - 0.4, 12.5 + 0.1 * i, f"r{i}", device=f"d{i}", colour=i) for i in range(8))
    past = tuple(replace(m, x=m.x - across, y=m.y - up) for m, (across, up) in zip(here, by, strict=True))
    return bare_figure(roofs=roofs, marks=here, trail=(past,))


def slide_figure(**more: Any) -> Slide:
    rows = (
        TableRow("First device", 0, ("3.35 TB/s", "989 T", "295", "210", "1,600", "5,900")),
        TableRow("A second one, whose name is far too long", 1, ("1.5 TB/s", "312 T", "208", "95", "700", "2,400")),
    )
    table = DecidingTable(
        "Device", ("Bandwidth", "Peak", "Ridge", "1", "8", "32"), rows, "tokens/s at batch, of them all together", 3, 4
    )
    blocks: dict[str, Any] = {
        "table": table,
        "help": Box("What would help", ("More bandwidth: two times as fast.", "Weights of four bits.")),
        "read": Box("", ("Points under the slope wait for memory; those under the flat part wait for compute. " * 2,)),
    }
    chosen = {name: more.pop(name, content) for name, content in blocks.items()}
    slide: dict[str, Any] = {
        "view": "chart",
        "title": "Decode waits for memory",
        "subtitle": "A model of eight billion parameters at batch 8",
        "figure": bare_figure(x_range=(-8.0, 14.0), y_range=(0.0, 22.0)),
        "blocks": tuple(SlideBlock(name, content) for name, content in chosen.items() if content is not None),
        "conditions": "A model of eight billion parameters, batch 8, on both devices",
        "footer": "Peaks as the makers state them. " * 12,
        "day": "1 December 2026",
        **more,
    }
    return Slide(**slide)


def plain_slide() -> Slide:
    """Without title, footer, boxes and columns that belong together."""
    rows = (TableRow("One", 0, ("1 ms", "40 %")),)
    return slide_figure(
        title="",
        footer="",
        conditions="",
        day="",
        help=None,
        read=Box("How to read it", ()),
        table=DecidingTable("Device", ("Time", "Share"), rows),
        subtitle="A subtitle that is so long that its letters must be smaller, and then smaller still, " * 3,
    )
