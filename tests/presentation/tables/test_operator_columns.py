"""Every column of the Operators table: how it is shown, and what it says of rows of every kind."""

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.device import Origin
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import Override, OwnRow
from explorer.presentation.tables.columns import as_text, duration, in_unit, number, ratio, share, tick
from explorer.presentation.tables.operator_columns import device_columns, operator_columns
from explorer.presentation.tables.operator_rows import OperatorRow, alike, operator_rows
from explorer.presentation.words.messages import render
from tests.presentation.llama import catalogue, device, study

LOOKS = """\
name|Operator||left|name|shown|text
kind|Kind||left|muted|shown|kind
count|Calls||right|plain|shown|number
dims|Dims||left|plain|hidden|dims
weights|Weights||left|plain|hidden|format
activations|Activations||left|plain|hidden|format
kv|KV cache||left|plain|hidden|format
output|Output||left|plain|hidden|format
accumulate|Accumulator||left|plain|hidden|accumulate
fused|Fused||left|check|hidden|check
enabled|Counted||left|check|hidden|check
flops|FLOPs|FLOP|right|plain|shown|
bytes|Bytes|B|right|plain|shown|
bytes_read|Bytes read|B|right|plain|hidden|
bytes_written|Bytes written|B|right|plain|hidden|
weight_bytes|Weight bytes|B|right|plain|hidden|
kv_bytes|KV bytes|B|right|plain|hidden|
intensity|Intensity|FLOP/B|right|plain|shown|
bound|Bound||left|pill|shown|
compute_format|Compute format||left|plain|hidden|
peak|Peak|FLOP/s|right|plain|hidden|
attainable|Attainable|FLOP/s|right|plain|hidden|
of_roof|% of roof||right|plain|hidden|
kernels|Kernels||right|plain|hidden|
launch|Launch time|s|right|plain|hidden|
time|Time|s|right|plain|shown|
total|Total time|s|right|plain|hidden|
share|Time share||right|bar|shown|
flop_share|FLOP share||right|bar|shown|
group|Group||left|muted|hidden|
device_times@bound@round|Bound||left|pill|hidden|
device_times@time@round|Time|s|right|plain|hidden|
device_times@bound@other|Bound||left|pill|hidden|
device_times@time@other|Time|s|right|plain|hidden|
device_times@ratio@other|Ratio||right|plain|hidden|"""
MATMUL = "bf16 peak of Round accelerator: 1.00 PFLOP/s (Round data sheet)."
NORM = "fp32 peak of Round accelerator: 50.0 TFLOP/s (Round data sheet)."
TIME = "HBM bandwidth of Round accelerator: 2.00 TB/s (Round data sheet)."
SHARES = ["share", "flop_share"]
FORMATS = ["weights", "activations", "kv", "output", "accumulate"]
NOTHING = ["flops", "bytes", "bytes_read", "bytes_written", "weight_bytes", "kv_bytes", "intensity", "bound",
           "compute_format", "peak", "attainable", "of_roof", "kernels", "launch", "time", "total", "share",
           "flop_share", "device_times@bound@round", "device_times@time@round", "device_times@bound@other",
           "device_times@time@other", "device_times@ratio@other"]  # fmt: skip
TEXTS = {
    "q_proj": (
        "q_proj|matmul|32|m=8 n=4096 k=4096|fp8|bf16|bf16|bf16|fp16||✓|268 MFLOP|16.9 MB|16.8 MB|65.5 kB|16.8 MB|0 B"
        "|15.9"
        "|memory|bf16|1.00 PFLOP/s|31.8 TFLOP/s|100 %|1|2.00 µs|8.45 µs|271 µs|2.8 %|6.2 %|attention"
        "|memory|8.45 µs|memory|16.9 µs|2.00×"
    ),
    "norm": (
        "norm|rms_norm|1|rows=8 channels=4096|bf16|bf16|bf16|bf16|–|✓|✓|131 kFLOP|8.19 kB|8.19 kB|0 B|8.19 kB|0 B|16.0"
        "|memory|fp32|50.0 TFLOP/s|32.0 TFLOP/s|100 %|0|0 s|4.10 ns|4.10 ns|< 0.1 %|< 0.1 %|norm"
        "|memory|4.10 ns|memory|8.19 ns|2.00×"
    ),
    "k_proj": (
        "k_proj|matmul|32|m=8 n=1024 k=4096|bf16|bf16|bf16|bf16|–||✓|67.1 MFLOP|8.47 MB|8.45 MB|16.4 kB|8.39 MB|0 B"
        "|7.92"
        "|memory|bf16|1.00 PFLOP/s|15.8 TFLOP/s|100 %|1|2.00 µs|4.24 µs|136 µs|1.4 %|1.6 %|attention"
        "|memory|4.24 µs|memory|8.47 µs|2.00×"
    ),
    "mine": (
        "mine|matmul|2|m=8 n=4096 k=4096|bf16|bf16|bf16|fp32|–||✓|268 MFLOP|33.8 MB|33.6 MB|131 kB|33.6 MB|0 B|7.95"
        "|memory|bf16|1.00 PFLOP/s|15.9 TFLOP/s|100 %|1|2.00 µs|16.9 µs|33.8 µs|0.3 %|0.4 %|own"
        "|memory|16.9 µs|memory|33.8 µs|2.00×"
    ),
    "out": f"out|relu|1|values=4194304|bf16|bf16|bf16|bf16|–|✓|{'|–' * 18}|own{'|–' * 5}",
    "odd": f"odd|nope|1||bf16|bf16|bf16|bf16|–||✓{'|–' * 18}|own{'|–' * 5}",
}  # fmt: skip


@pytest.fixture(scope="module")
def case() -> Evaluation:
    base = study(device(), device("Other", bandwidth=1e12), launch="eager")
    mine = (
        OwnRow(id="a", name="mine", kind="matmul", dims={"m": 8.0}, count=2.0, output="fp32"),
        OwnRow(id="b", name="out", kind="relu", enabled=False, fused=True),
        OwnRow(id="c", name="odd", kind="nope"),
    )
    changed = (Override(row="q_proj", weights="fp8", accumulate="fp16"), Override(row="norm", fused=True))
    return evaluate(replace(base, overrides=changed, operators=mine), catalogue())


def row(case: Evaluation, name: str) -> OperatorRow:
    return next(r for r in operator_rows(case) if r.name == name)


def test_how_every_column_is_shown(case: Evaluation) -> None:
    found = [
        f"{c.key}|{c.title()}|{c.unit}|{'right' if c.right else 'left'}|{c.style}|{'shown' if c.shown else 'hidden'}"
        f"|{c.edit or ''}"
        for c in operator_columns(case)
    ]
    assert found == LOOKS.split("\n")
    bounds = ["bound", "device_times@bound@round", "device_times@bound@other"]
    assert [c.key for c in operator_columns(case) if c.words] == bounds
    assert [c.key for c in operator_columns(case) if c.bar] == ["share", "flop_share"]


@pytest.mark.parametrize("name", TEXTS)
def test_what_every_column_says(case: Evaluation, name: str) -> None:
    assert [c.text(row(case, name)) for c in operator_columns(case)] == TEXTS[name].split("|")


@pytest.mark.parametrize(
    ("name", "editable", "changed"),
    [
        ("q_proj", [*FORMATS, "fused"], ["weights", "accumulate"]),
        ("norm", [*FORMATS, "fused"], ["fused"]),
        ("k_proj", [*FORMATS, "fused"], []),
        ("mine", ["name", "kind", "count", "dims", *FORMATS, "fused", "enabled"], ["output"]),
        ("out", ["name", "kind", "count", "dims", *FORMATS, "fused", "enabled"], ["fused"]),
    ],
)
def test_what_can_be_edited_and_what_was_changed(
    case: Evaluation, name: str, editable: list[str], changed: list[str]
) -> None:
    assert [c.key for c in operator_columns(case) if c.can_edit(row(case, name))] == editable
    assert [c.key for c in operator_columns(case) if c.changed(row(case, name))] == changed


@pytest.mark.parametrize(
    ("name", "tips"),
    [
        (
            "q_proj",
            {"weights": "overridden", "accumulate": "overridden", "kind": "Matrix multiplication", "peak": MATMUL},
        ),
        ("norm", {"fused": "overridden", "kind": "RMS norm", "peak": NORM}),
        ("k_proj", {"kind": "Matrix multiplication", "peak": MATMUL}),
        ("mine", {"kind": "Matrix multiplication", "peak": MATMUL}),
        ("out", {"kind": "ReLU", "name": "Left out of the step; tick “Counted” to count it again."}),
        ("odd", {"name": "No operator kind is named “nope”."}),
    ],
)
def test_what_every_tip_says(case: Evaluation, name: str, tips: dict[str, str]) -> None:
    said = {c.key: render(tip) for c in operator_columns(case) if (tip := c.tip(row(case, name))) is not None}
    wanted = {
        "share": "Calls × time, as a share of the step's time.",
        "flop_share": "Calls × FLOPs, as a share of the step's FLOPs.",
    }
    for key, tip in tips.items():
        wanted[key] = "Set here instead of the model's value; reset to go back." if tip == "overridden" else tip
    if "name" not in tips:
        wanted["device_times@ratio@other"] = "The time as a multiple of that on Round."
    if peak := tips.get("peak"):
        wanted |= dict.fromkeys(("bound", "compute_format", "attainable"), peak)
        wanted |= {"time": TIME, "total": TIME}
    assert said == wanted


def test_rows_know_their_key_device_and_place(case: Evaluation) -> None:
    found = {name: row(case, name) for name in TEXTS}
    assert [found[n].key for n in TEXTS] == [
        "model:q_proj", "model:norm", "model:k_proj", "own:a", "own:b", "own:c"
    ]  # fmt: skip
    assert [found[n].on for n in TEXTS] == ["Round accelerator"] * 4 + ["", ""]
    assert [found[n].enabled for n in TEXTS] == [True, True, True, True, False, True]
    assert [len(found[n].others) for n in TEXTS] == [2, 2, 2, 2, 0, 0]
    assert found["mine"].kind == "matmul"


def test_tips_name_what_stands_in_what_is_lacking_and_other_sources() -> None:
    plain = device()
    level = replace(plain.memory[0], origins={"bandwidth": Origin(source="elsewhere")})
    case = evaluate(study(replace(plain, memory=(level,)), weights="fp8", activations="fp8"), catalogue())
    said = {c.key: render(t) for c in operator_columns(case) if (t := c.tip(row(case, "q_proj"))) is not None}
    assert said["peak"] == "The device lists no fp8 peak; bf16 stands in."
    assert said["time"] == "HBM bandwidth of Round accelerator: 2.00 TB/s (elsewhere)."
    bare = evaluate(study(replace(plain, peaks=(), memory=(replace(level, origins={}, source=""),))), catalogue())
    said = {c.key: render(t) for c in operator_columns(bare) if (t := c.tip(row(bare, "q_proj"))) is not None}
    assert said["peak"] == "No peak of the device fits; compute is not judged."
    assert said["time"] == "HBM bandwidth of Round accelerator: 2.00 TB/s (–)."


def test_rows_are_alike_where_only_their_shares_may_differ(case: Evaluation) -> None:
    one = row(case, "mine")
    assert alike(one, one)
    assert alike(one, replace(one, share=0.5, flop_share=0.1, about=None, key="x"))
    assert alike(one, replace(one, others=tuple(one.others)))
    other = row(case, "k_proj")
    changed = {
        "point": other.point, "row": other.row, "costs": other.costs, "own": None, "others": other.others,
        "override": Override(row="mine"), "problem": row(case, "odd").problem, "device": None, "on": "elsewhere",
    }  # fmt: skip
    for field, value in changed.items():
        assert not alike(one, replace(one, **{field: value})), field


def test_texts_of_single_values() -> None:
    assert [as_text(v) for v in (None, "a\nb", 3.0)] == ["–", "a\\nb", "3.0"]
    assert len(as_text("x" * 501)) == 500
    assert as_text("x" * 500) == "x" * 500
    assert [number(v) for v in (None, "x", 3.0, 2.5, 1234.0)] == ["–", "–", "3", "2.50", "1,234"]
    assert [in_unit("B")(v) for v in (None, "x", 2e9)] == ["–", "–", "2.00 GB"]
    assert [duration(v) for v in (None, "x", 2e-3)] == ["–", "–", "2.00 ms"]
    assert [share(v) for v in (None, "x", 0.256)] == ["–", "–", "25.6 %"]
    assert [ratio(v) for v in (None, "x", 2.0)] == ["–", "–", "2.00"]
    assert [tick(v) for v in (None, 0.0, 1.0)] == ["", "", "✓"]


def test_a_cell_differs_where_its_value_or_its_change_does(case: Evaluation) -> None:
    weights = next(c for c in operator_columns(case) if c.key == "weights")
    q, k = row(case, "q_proj"), row(case, "k_proj")
    assert not weights.differs(q, q)
    assert weights.differs(q, k)
    same_value = replace(k, override=Override(row="k_proj", weights="bf16"))
    assert weights.differs(k, same_value)
    output = next(c for c in operator_columns(case) if c.key == "output")
    assert not output.differs(q, k)


def test_devices_stand_in_groups_under_their_names_with_their_number(case: Evaluation) -> None:
    hardware = (replace(case.study.hardware[0], count=2), case.study.hardware[1])
    found = device_columns(evaluate(replace(case.study, hardware=hardware), catalogue()))
    assert [(c.group, c.title(), c.whole_title()) for c in found] == [
        ("2 × Round", "Bound", "Bound, 2 × Round"),
        ("2 × Round", "Time", "Time, 2 × Round"),
        ("Other", "Bound", "Bound, Other"),
        ("Other", "Time", "Time, Other"),
        ("Other", "Ratio", "Ratio, Other"),
    ]


def test_hidden_devices_have_no_columns_and_ratios_are_to_the_baseline(case: Evaluation) -> None:
    one, other = case.study.hardware
    hidden = evaluate(replace(case.study, hardware=(one, replace(other, visible=False))), catalogue())
    assert {c.group for c in device_columns(hidden)} == {"Round"}
    chosen = evaluate(replace(case.study, view=replace(case.study.view, baseline="other")), catalogue())
    ratios = [c for c in device_columns(chosen) if "@ratio@" in c.key]
    assert [(c.group, c.text(row(chosen, "q_proj"))) for c in ratios] == [("Round", "0.50×")]


def test_columns_come_to_the_step_operator_by_operator(case: Evaluation) -> None:
    base = replace(case.study, overrides=(), operators=(), workload=replace(case.study.workload, launch="graph"))
    whole = evaluate(base, catalogue())
    # 19.4 GB on 2 and on 1 TB/s; 129 GFLOP
    assert {c.key: c.total_text(whole) for c in operator_columns(whole) if c.total_text(whole)} == {
        "flops": "137 GFLOP",
        "bytes": "19.4 GB",
        "intensity": "7.08",
        "bound": "memory",
        "time": "9.70 ms",
        "total": "9.70 ms",
        "device_times@bound@round": "memory",
        "device_times@time@round": "9.70 ms",
        "device_times@bound@other": "memory",
        "device_times@time@other": "19.4 ms",
        "device_times@ratio@other": "2.00×",
    }
    fewer = evaluate(replace(base, hardware=base.hardware[:1]), catalogue())
    assert [c.total_text(fewer) for c in device_columns(whole)] == ["memory", "9.70 ms", "", "", ""]


def test_a_ratio_to_a_time_without_its_launches_says_why_there_is_none(case: Evaluation) -> None:
    one, other = case.study.hardware
    untold = replace(other, device=replace(other.device, launch_overhead=None))
    found = evaluate(replace(case.study, hardware=(one, untold)), catalogue())
    ratio_column = device_columns(found)[-1]
    tip = ratio_column.tip(row(found, "q_proj"))
    assert ratio_column.text(row(found, "q_proj")) == "–"
    assert tip is not None
    assert render(tip) == "No ratio: launches of Other are unknown."
    assert ratio_column.total_text(found) == ""
    assert device_columns(found)[-2].title() == "Time, at least, launches unknown"


def test_a_device_without_room_says_so_and_comes_to_nothing() -> None:
    found = evaluate(study(device(), device("Small", capacity=8e9)), catalogue())
    small = [c for c in device_columns(found) if c.group != "Round"]
    assert {c.group for c in small} == {"Small, no room"}
    assert [(c.text(row(found, "q_proj")), c.total_text(found)) for c in small] == [
        ("memory", "memory"),
        ("16.8 µs", "–"),
        ("1.00×", ""),
    ]
