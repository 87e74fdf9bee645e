"""Every branch of a slide's title, subtitle, notes, footer and table, word for word."""

import pytest
from msgspec.structs import replace

from explorer import __version__
from explorer.analysis.catalogue.device import Device, Source
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import Measurement, QuickModel, Study, View
from explorer.presentation.roofline.figure import Figure
from explorer.presentation.slide.blocks import Box
from explorer.presentation.slide.finding import finding, subtitle
from explorer.presentation.slide.footer import footer
from explorer.presentation.slide.slide import build_slide, proposed_texts
from explorer.presentation.slide.table import TableRow, deciding_table
from tests.presentation.llama import catalogue, evaluated
from tests.presentation.llama import device as llama_device
from tests.presentation.llama import study as llama
from tests.presentation.roofline.made import Placed, device, placed

MEMORY: Placed = ("m", 1e9, 1e9, 1.0)  # 1 ms, 1 FLOP/byte
COMPUTE: Placed = ("c", 1e12, 1e9, 1.0)  # 10 ms at the peak
MANY = tuple(device(f"D{i}") for i in range(5))
SLOW = replace(device("Slow"), peaks=tuple(replace(p, rate=1e8) for p in device().peaks))  # memory never waits
LAUNCHING = device("Launching", launch=1.0)


@pytest.mark.parametrize(
    ("on", "title"),
    [
        (MANY[:1], "This work waits for memory on D0, launches unknown"),
        (MANY[:2], "This work waits for memory on both devices, launches unknown"),
        (MANY[:3], "This work waits for memory on all three devices, launches unknown"),
        (MANY[:4], "This work waits for memory on all 4 devices, launches unknown"),
        ((device(), SLOW), "This work waits for memory on Dev, for compute on Slow, launches unknown"),
        ((SLOW, *MANY[:3]), "This work waits for memory on D0, D1, D2, for compute on Slow, launches unknown"),
        ((SLOW, *MANY[:4]), "This work waits for memory on 4 devices, for compute on Slow, launches unknown"),
        (
            (device(), SLOW, LAUNCHING),
            "This work waits for something else from device to device; launches of Dev and Slow unknown",
        ),
    ],
)
def test_the_title_says_what_is_waited_for_on_which_devices(on: tuple[Device, ...], title: str) -> None:
    case = placed(MEMORY, on=on, launch="eager")
    assert finding(case) == title
    assert finding(evaluate(replace(case.study, name="Mine"), catalogue())) == title.replace(
        "This work", "The work of “Mine”"
    )


def test_without_work_or_device_the_title_asks_for_one() -> None:
    hidden = replace(placed(MEMORY).study, hardware=(replace(placed(MEMORY).study.hardware[0], visible=False),))
    for case in (evaluate(hidden, catalogue()), placed()):
        assert finding(case) == "This work: choose a device"
    assert subtitle(placed()) == "0 operators, one after the other: choose a device to see what it waits for"


@pytest.mark.parametrize(
    ("work", "start"),
    [
        ({}, "Batch 8, context 4,096, bf16 weights and KV: "),
        ({"weights": "fp8"}, "Batch 8, context 4,096, fp8 weights, bf16 KV: "),
        ({"kv": "fp8"}, "Batch 8, context 4,096, bf16 weights, fp8 KV: "),
        ({"phase": "prefill"}, "Batch 8, prompts of 4,096 tokens, bf16 weights: "),
        ({"phase": "prefill", "batch": 1}, "A prompt of 4,096 tokens, bf16 weights: "),
    ],
)
def test_the_subtitle_begins_with_the_conditions(work: dict[str, object], start: str) -> None:
    assert subtitle(evaluated(**work)).startswith(start)  # type: ignore[arg-type]
    phase = str(work.get("phase", "decode"))
    assert finding(evaluated(**work)).startswith(f"Llama-3.1-8B {phase} waits for ")  # type: ignore[arg-type]


RANKING = "bandwidth decides the ranking, not TFLOP/s"
GRAPHS = "so graphs or fewer kernels help first"
TWO_ROWS = "2 operators, one after the other: "


@pytest.mark.parametrize(
    ("rows", "on", "why"),
    [
        ((MEMORY,), MANY[:1], "One operator: every operator sits left of the ridge, so bandwidth decides, not TFLOP/s"),
        ((MEMORY, MEMORY), MANY[:2], f"{TWO_ROWS}every operator sits left of every ridge, so {RANKING}"),
        (
            (("m", 1e9, 1e12, 1.0), COMPUTE),
            MANY[:2],
            f"{TWO_ROWS}nearly all of the time waits for memory, so {RANKING}",
        ),
        (
            (("m", 1e9, 1e12, 1.0), COMPUTE),
            MANY[:1],
            f"{TWO_ROWS}99 % of the time waits for memory on D0, so bandwidth decides before TFLOP/s",
        ),
        (
            (("m", 1e9, 1e11, 1.0), COMPUTE),
            MANY[:2],
            f"{TWO_ROWS}91 % of the time waits for memory on D0, so bandwidth decides before TFLOP/s",
        ),
        (
            (MEMORY, COMPUTE),
            MANY[:1],
            f"{TWO_ROWS}91 % of the time waits for compute on D0, so TFLOP/s decide before bandwidth",
        ),
        (
            (MEMORY,),
            (LAUNCHING,),
            f"One operator: 100 % of the time goes to kernel launches on Launching, {GRAPHS}",
        ),
        (
            (MEMORY,),
            (replace(device(), peaks=()),),
            "One operator: 100 % of the time waits for memory on Dev, so bandwidth decides before TFLOP/s",
        ),
    ],
)
def test_the_subtitle_ends_with_the_reason(rows: tuple[Placed, ...], on: tuple[Device, ...], why: str) -> None:
    assert subtitle(placed(*rows, on=on, launch="eager" if LAUNCHING in on else "graph")) == why


@pytest.mark.parametrize("rows", [(MEMORY,), (COMPUTE,)])
@pytest.mark.parametrize("on", [(device(),), (device(), device("Second"))])
def test_a_reason_without_the_launches_says_that_they_are_unknown(
    rows: tuple[Placed, ...], on: tuple[Device, ...]
) -> None:
    bound = "memory" if rows == (MEMORY,) else "compute"
    why = f"launches unknown and left out, 100 % of the time waits for {bound} on Dev"
    assert subtitle(placed(*rows, on=on, launch="eager")) == f"One operator: {why}"
    assert "launches unknown" not in subtitle(placed(*rows, on=on))


PROGRAM = f"Roofline Explorer {__version__}"


def test_the_footer_of_operators_names_memory_and_sources_by_kind() -> None:
    kinds = ("measured", "datasheet", "derived", "paper", "recalled")
    on = tuple(device(k.capitalize(), source="s", kind=k) for k in kinds)
    other = device("Datasheet 2", source="s", kind="datasheet")
    case = placed(MEMORY, on=(*on, other, device("None", source="gone")), launch="eager")
    assert footer(case) == (
        f"{PROGRAM} · bounds: each operand once through HBM3 · times at least, "
        "launches unknown: Measured, Datasheet, Derived, Paper, Recalled, Datasheet 2, None · dense peaks: "
        "Datasheet, Datasheet 2 from data sheets, Derived derived, Paper from papers, Measured measured, "
        "Recalled recalled, None without a source"
    )
    hidden = replace(case.study, hardware=tuple(replace(e, visible=False) for e in case.study.hardware))
    assert footer(evaluate(replace(hidden, workload=placed(MEMORY).study.workload), catalogue())) == (
        f"{PROGRAM} · bounds: each operand once through memory"
    )


def test_the_footer_of_a_model_names_its_sources_and_measurements() -> None:
    base = llama(logits="all", attention_count="full")
    timed = (
        Measurement(id="1", name="one", source="lab"), Measurement(id="2", name="two"),
        Measurement(id="3", name="three", source="lab"),
    )  # fmt: skip
    quick = QuickModel(params=1e9, layers=2, kv_heads=1, head_dim=4)
    assert footer(evaluate(replace(base, measurements=timed), catalogue())) == (
        f"{PROGRAM} · bounds: each operand once through HBM · dense peaks: Round from data sheets · measured: lab, two"
    )
    rough = replace(llama(), models=(replace(base.models[0], config=None, quick=quick),), name="")
    assert footer(evaluate(rough, catalogue())) == (
        f"{PROGRAM} · bounds: each operand once through HBM · dense peaks: Round from data sheets"
    )


def notes(case: Evaluation) -> str:
    (line,) = build_slide(case).read.lines
    return line


AREA = "Point area is the share of step time."
RING = "A ring holds several operators."
PALE = "Pale points: the same operators on the other devices."
SLOPE = "On a slope bandwidth limits, on a flat roof compute does."


def diamond(ident: str, seconds: float) -> Measurement:
    return Measurement(id=ident, name=ident, device="dev", row="m", time_s=seconds)


def test_how_to_read_it_names_what_is_there_and_fills_up_with_the_slope() -> None:
    assert notes(placed(MEMORY)) == f"{AREA} {SLOPE}"
    assert notes(placed(MEMORY, view=View(area_is_share=False))) == SLOPE
    assert notes(placed(MEMORY, replace_name(MEMORY, "n"))) == f"{AREA} {RING} {SLOPE}"
    assert notes(placed(MEMORY, on=MANY[:2])) == f"{AREA} {PALE} {SLOPE}"
    assert notes(placed(MEMORY, replace_name(MEMORY, "n"), on=MANY[:2])) == f"{AREA} {RING} {PALE}"
    one = placed(MEMORY, measurements=(diamond("1", 2e-3),))
    assert notes(one) == f"{AREA} The diamond is measured: 50 % of its bound. {SLOPE}"
    two = placed(MEMORY, measurements=(diamond("1", 2e-3), diamond("2", 3e-3)))
    assert notes(two) == f"{AREA} Diamonds are measured. {SLOPE}"
    trail = notes(evaluated(batch=64))
    assert trail == f"{AREA} {RING} The band is the trail from batch 1 to 64."
    ring_elsewhere = placed(("m", 1e9, 1e9, 1.0), on=(device(), device("Two")))
    assert RING not in notes(ring_elsewhere)


def replace_name(row: Placed, name: str) -> Placed:
    return (name, *row[1:])


def test_the_table_of_a_decode_step_has_rates_at_batches() -> None:
    table = deciding_table(evaluated(llama_device(), replace(llama_device("Two", 1e12, capacity=21e9), peaks=())))
    assert (table.name_header, table.headers, table.spanning, table.span) == (
        "Device", ("bandwidth", "TFLOP/s", "ridge", "1", "8", "32"), "tokens/s at batch", 3,
    )  # fmt: skip
    first, second = table.rows
    assert (first.name, first.colour, first.cells[:3]) == ("Round", 0, ("2.00 TB/s", "1,000", "500"))
    for batch, cell in zip((1, 8, 32), first.cells[3:], strict=True):
        rate = float(evaluated(batch=batch).devices[0].totals.tokens_per_s or 0.0)
        assert cell == (f"{rate:,.0f}" if rate >= 100 else f"{rate:.1f}")
    assert (second.name, second.colour, second.cells[:3]) == ("Two", 1, ("1.00 TB/s", "–", "–"))
    assert second.cells[-1] == "no room"
    assert second.cells[3] == "64.3"


def test_the_table_of_a_prefill_has_rates_at_prompts() -> None:
    table = deciding_table(evaluated(phase="prefill", batch=1))
    assert table.spanning == "tokens/s at prompts of"
    for context, cell in zip((512, 2048, 4096, 8192), table.rows[0].cells[3:], strict=True):
        rate = float(evaluated(phase="prefill", batch=1, context=context).devices[0].totals.tokens_per_s or 0.0)
        assert cell == f"{rate:,.0f}"


def test_the_table_of_operators_has_time_and_share_of_the_peak() -> None:
    hidden = placed(MEMORY, COMPUTE, on=(device(), device("Two")))
    first = replace(hidden.study.hardware[0], visible=False)
    case = evaluate(replace(hidden.study, hardware=(first, hidden.study.hardware[1])), catalogue())
    table = deciding_table(case)
    assert (table.headers, table.spanning, table.span) == (
        ("bandwidth", "TFLOP/s", "ridge", "operator by operator", "of peak"), "", 0,
    )  # fmt: skip
    assert table.rows == (TableRow("Two", 1, ("1.00 TB/s", "100", "100", "11.0 ms", "91 %")),)


def test_a_slide_shows_no_selection_and_the_levers_two_on_a_line() -> None:
    study = replace(llama(), view=View(selection=("up_proj",), per_value=True))
    slide = build_slide(evaluate(study, catalogue()))
    assert isinstance(slide.figure, Figure)
    assert slide.figure.selection == frozenset()
    assert slide.help.title == "What would help on Round"
    assert all(line.count(", ") <= 1 for line in slide.help.lines)
    assert slide.help.lines[0].count(", ") == 1
    assert "2× bandwidth" in " ".join(slide.help.lines)
    big = {m.rows[0]: m.x for m in slide.figure.marks if m.active}
    last = slide.figure.trail[-1]
    assert all(abs(m.x - big[m.rows[0]]) < 1.0 for m in last)
    per_byte = build_slide(evaluate(replace(study, view=View()), catalogue()))
    assert isinstance(per_byte.figure, Figure)
    shift = [b.x - a.x for a, b in zip(per_byte.figure.trail[0], slide.figure.trail[0], strict=True)]
    assert shift == pytest.approx([0.30103] * len(shift), abs=1e-5)


def test_texts_of_ones_own_stand_in_their_places() -> None:
    own = {
        "title": "T",
        "subtitle": "S",
        "help_title": "H",
        "help": "a\n\n b",
        "read_title": "R",
        "read": "",
        "footer": "F",
    }
    slide = build_slide(evaluated(), texts=own)
    assert (slide.title, slide.subtitle, slide.footer) == ("T", "S", "F")
    assert (slide.help, slide.read) == (Box("H", ("a", " b")), Box("R", ()))
    plain = build_slide(evaluated())
    assert proposed_texts(evaluated()) == {
        "title": plain.title, "subtitle": plain.subtitle, "help_title": plain.help.title,
        "help": "\n".join(plain.help.lines), "read_title": "Read it so", "read": plain.read.lines[0],
        "footer": plain.footer,
    }  # fmt: skip


def test_without_a_device_nothing_would_help() -> None:
    slide = build_slide(evaluate(Study(), catalogue()))
    assert slide.help == Box("", ())
    assert Source(kind="paper").title == ""
