"""A step's parts at their edges: placings, fits, peaks, what is used again."""

import math
from typing import Any

import numpy as np
import pytest
from msgspec.structs import asdict, replace

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.device import Device, Peak
from explorer.analysis.catalogue.formats import NumberFormat
from explorer.analysis.step.costs import Costs, compile_kind
from explorer.analysis.step.evaluate import Evaluation, Evaluator, evaluate
from explorer.analysis.step.expand import apply_overrides, as_row, fused
from explorer.analysis.step.ledger import WEIGHTS
from explorer.analysis.step.machines.peaks import compute_format, found_peak, wanted_peak
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.step.placement import Placed, place
from explorer.analysis.step.resources import Resource
from explorer.analysis.step.stack import Lane, RowStack, main_peak, stacked
from explorer.analysis.step.totals import Fitted
from explorer.analysis.study.study import FittedRoof, Group, Override, OwnRow, PlannedStep, Study, Workload
from tests.analysis.making import device, own, study
from tests.analysis.measured_rows import LLAMA_8B
from tests.analysis.step.made import asked, cost, row

# placings


class Offered:
    """A machine with lanes made by hand."""

    bandwidth = 2.0

    def __init__(self, *lanes: Lane) -> None:
        self._lanes = lanes

    def asked(self, _wanted: Any) -> Any:
        return Machine(device()).peak("tensor", "bf16")

    def lanes(self, _stack: RowStack, *, eager: bool) -> tuple[Lane, ...]:  # noqa: ARG002
        return self._lanes


def seconds(kind: str, *each: float, tier: Any = "step") -> Lane:
    values = np.array(each)
    return Lane((Resource(kind, kind, rate=1.0),), values, values, tier=tier, known=not np.isnan(values).any())  # type: ignore[arg-type]


NAN = math.nan
PLAIN = stacked((row("a", 2.0), row("b", 3.0)), (cost(1.0, 1.0), cost(1.0, 1.0)), asked)[0]


@pytest.mark.parametrize(
    ("lanes", "spent_", "sums"),
    [
        ((seconds("memory", 1, 5), seconds("compute", 4, 2)), [4, 5], {"memory": 15, "compute": 8}),
        ((seconds("compute", 4, 5), seconds("memory", 4, 5)), [4, 5], {"memory": 23}),
        ((seconds("memory", 1, 5), seconds("compute", NAN, 6)), [1, 6], {"memory": 2, "compute": 18}),
        ((seconds("compute", NAN, 6), seconds("memory", 1, 5)), [1, 6], {"memory": 2, "compute": 18}),
        (
            (seconds("memory", 1, 2), seconds("compute", 1, 2), seconds("launch", 3, 2)),
            [3, 2],
            {"memory": 6, "overhead": 6},
        ),
    ],
)
def test_a_row_takes_as_long_as_its_slowest_use(
    lanes: tuple[Lane, ...], spent_: list[float], sums: dict[str, float]
) -> None:
    placed = Placed(PLAIN, Offered(*lanes), eager=True)
    assert placed.time_s.tolist() == spent_
    assert placed.sum_s == 2 * spent_[0] + 3 * spent_[1]
    assert {b: s for b, s in placed.bound_sums().items() if s} == sums
    assert [p.time_s for p in placed.points] == spent_
    assert {p.bound for p in placed.points} == sums.keys()
    assert placed.details_s == 0.0


def test_details_come_on_top_of_the_step_alone() -> None:
    placed = Placed(PLAIN, Offered(seconds("memory", 1, 5), seconds("memory", 3, 2, tier="detail")), eager=True)
    assert (placed.sum_s, placed.details_s) == (17.0, 4.0)
    assert [len(work.uses) for work in placed.works] == [2, 2]
    assert [(work.time_s, work.launched_s, work.count) for work in placed.works] == [(1.0, 3.0, 2.0), (5.0, 5.0, 3.0)]
    none = Placed(PLAIN, Offered(seconds("memory", 1, 0), seconds("memory", 0, 0, tier="detail")), eager=True)
    assert [len(work.uses) for work in none.works] == [1, 1]


def test_faster_resources_shorten_what_waits_for_them() -> None:
    placed = Placed(PLAIN, Offered(seconds("memory", 1, 6), seconds("compute", 4, 2)), eager=True)
    assert placed.faster_sum({}) == placed.sum_s == 26.0
    assert placed.faster_sum({"memory": 2.0}) == 2 * 4 + 3 * 3
    assert placed.faster_sum({"compute": 4.0}) == 2 * 1 + 3 * 6
    assert placed.lane("compute") is placed.lanes[1]
    assert placed.lane("link") is None


def test_a_fit_takes_the_longer_of_both_and_its_time_a_kernel() -> None:
    stack = stacked((row("a", 2.0), row("b", 3.0)), (cost(1.0, 6.0, 2.0, 2.0), cost(1.0, 1.0, 1.0, 4.0)), asked)[0]
    placed = Placed(stack, Offered(seconds("memory", 1, 1), seconds("compute", 1, NAN)), eager=True)
    assert placed.fitted_sum(3.0, 4.0, 0.5) == 2 * (3.0 + 1.0) + 3 * (0.5 + 2.0)
    assert placed.fitted_sum(3.0, 2.0, 0.0) == 2 * 4.0 + 3 * 1.0
    alone = Placed(stack, Offered(seconds("memory", 1, 1)), eager=True)
    assert alone.fitted_sum(3.0, 4.0, 0.0) == 2 * 2.0 + 3 * 0.5


def test_rows_beyond_a_peak_are_told_once_for_each_peak(catalogue: Catalogue) -> None:
    rows = (
        own("up", "matmul", m=4096, n=4096, k=4096),
        own("copy", "copy", values=1e6),
        own("few", "matmul", m=1, n=64, k=64),
    )
    placed = evaluate(study(*rows, replace(rows[0], id="again", name="again")), catalogue).devices[0].own
    assert [p.row.name for p in placed.beyond(1e18)] == ["up"]
    assert placed.beyond(1e18) is placed.beyond(1e18)
    assert [p.row.name for p in placed.beyond(1.0)] == ["up"]
    assert placed.on_chart == 3
    for number in range(16):
        placed.keep(number, number)
    assert [placed.kept(n) for n in (0, 15)] in ([0, 15], [None, 15])
    placed.keep("more", 1)
    placed.keep("again", 1)
    assert placed.kept("again") == 1


def test_points_come_in_the_order_of_their_rows() -> None:
    array = np.array([1.0, 2.0])
    costs = (cost(1.0, 1.0), Costs(array, array, array, 1.0, 0.0, 0.0), cost(2.0, 2.0))
    rows = (row("a"), row("b"), row("c"))
    found = place(rows, costs, asked, Machine(device()), eager=False)
    assert [p.row.name for p in found] == ["a", "b", "c"]


# fits of a machine


@pytest.mark.parametrize(
    ("fitted", "expected"),
    [
        (FittedRoof(bandwidth=1e12, peak=150e12, format="bf16", per_kernel_s=2.0), (2.0, 2e12, 2.0)),
        (FittedRoof(), (1.0, 4e12, 0.0)),
        (FittedRoof(peak=150e12), (1.0, 4e12, 0.0)),
        (FittedRoof(format="bf16"), (1.0, 4e12, 0.0)),
        (FittedRoof(peak=150e12, format="fp4"), (2.0, 4e12, 0.0)),
    ],
)
def test_a_fit_slows_the_peak_and_takes_the_bandwidths_place(fitted: FittedRoof, expected: tuple[float, ...]) -> None:
    assert Fitted.of(Machine(device(), 2, "", fitted), fitted) == expected


def test_a_band_is_of_the_fit_or_of_the_efficiencies(catalogue: Catalogue) -> None:
    plain = study(own("copy", "copy", values=1e6), expected=(0.5, 0.8))
    totals = evaluate(plain, catalogue).devices[0].totals
    assert totals.expected_s == (totals.time_s / 0.8, totals.time_s / 0.5)
    fitted = FittedRoof(bandwidth=1e12, spread=0.2)
    made = replace(plain, hardware=(replace(plain.hardware[0], fitted=fitted),))
    low, high = evaluate(made, catalogue).devices[0].totals.expected_s
    assert (low, high) == (pytest.approx(0.8 * 4e6 / 1e12), pytest.approx(1.2 * 4e6 / 1e12))


# peaks


def number(ident: str, bits: float, compute: str) -> NumberFormat:
    return NumberFormat(id=ident, bits=bits, family="float", compute=compute)


@pytest.mark.parametrize(
    ("activations", "partner", "expected"),
    [
        ((4.5, "fp4"), (16, "bf16"), "bf16"),
        ((16, "bf16"), (4.5, "fp4"), "bf16"),
        ((8, "fp8"), (8.5, "int8"), "fp8"),
        ((4.79, "fp4"), (4.81, "x"), "x"),
        ((9.59, "fp8"), (9.61, "x"), "x"),
        ((9.59, "fp8"), (32, "fp32"), "bf16"),
        ((19.1, "a"), (19.3, "x"), "a"),
        ((38.3, "a"), (38.5, "x"), "a"),
        ((38.5, "a"), (64, "x"), "a"),
        ((9.5, "a"), (5.0, "x"), "a"),
    ],
)
def test_a_narrow_activation_is_computed_as_its_wider_partner(
    activations: tuple[float, str], partner: tuple[float, str], expected: str
) -> None:
    assert compute_format(number("a", *activations), number("b", *partner)) == expected


def with_peaks(*peaks: tuple[str, str, str, float]) -> Device:
    made = tuple(Peak(format=f, accumulate=a, unit=u, rate=r) for f, a, u, r in peaks)  # type: ignore[arg-type]
    return replace(device(), peaks=made)


@pytest.mark.parametrize(
    ("wanted", "peaks", "found"),
    [
        (("tensor", "bf16", None), [("bf16", "fp16", "tensor", 1), ("bf16", "fp32", "tensor", 2)], (4, "bf16", "")),
        (("tensor", "bf16", "fp16"), [("bf16", "fp32", "tensor", 2), ("bf16", "fp16", "tensor", 1)], (2, "bf16", "")),
        (("tensor", "bf16", "fp64"), [("bf16", "fp32", "tensor", 2), ("bf16", "fp16", "tensor", 1)], (4, "bf16", "")),
        (("tensor", "bf16", None), [("bf16", "fp32", "vector", 2), ("bf16", "fp16", "tensor", 1)], (2, "bf16", "")),
        (("tensor", "bf16", None), [("bf16", "fp32", "vector", 2), ("fp16", "fp32", "tensor", 1)], (4, "bf16", "")),
        (
            ("tensor", "bf16", "bf16"),
            [("fp16", "bf16", "tensor", 1), ("fp16", "fp32", "tensor", 2)],
            (4, "fp16", "bf16"),
        ),
        (("tensor", "fp4", None), [("fp32", "fp32", "tensor", 1), ("bf16", "fp32", "tensor", 2)], (4, "bf16", "fp4")),
        (("tensor", "int8", None), [("int8", "fp32", "tensor", 1), ("int8", "int32", "tensor", 2)], (4, "int8", "")),
        (("tensor", "fp64", None), [("fp32", "fp32", "tensor", 1)], (None, "fp64", "")),
        (("vector", "bf16", None), [("bf16", "fp32", "tensor", 1), ("fp32", "fp32", "vector", 2)], (4, "fp32", "")),
        (("vector", "bf16", None), [("bf16", "fp32", "vector", 1), ("fp32", "fp32", "vector", 2)], (2, "bf16", "")),
        (("vector", "bf16", None), [("fp16", "fp32", "vector", 1)], (None, "bf16", "")),
    ],
)
def test_the_peak_of_a_row_is_the_nearest_that_the_device_has(wanted: Any, peaks: Any, found: tuple[Any, ...]) -> None:
    choice = found_peak(with_peaks(*peaks), wanted, 2.0)
    assert (choice.rate, choice.format, choice.stands_in_for) == found


@pytest.mark.parametrize(("partner", "expected"), [("weights", "fp8"), ("kv", "bf16"), ("activations", "fp8")])
def test_a_row_asks_with_its_partners_format(partner: str, expected: str, catalogue: Catalogue) -> None:
    made = row(activations="fp8", weights="fp8", kv="bf16", accumulate="fp16")
    assert wanted_peak(made, "tensor", partner, catalogue.format_by_id) == ("tensor", expected, "fp16")
    assert wanted_peak(made, "vector", partner, catalogue.format_by_id) == ("vector", "fp8", "fp16")


# rows of the user and overrides


def test_formats_of_an_own_row_come_from_the_work() -> None:
    def formats(work: dict[str, str], **stated: str) -> tuple[str, ...]:
        made = as_row(OwnRow(id="o", name="o", kind="copy", **stated), Study(workload=Workload(**work)))
        return made.weights, made.activations, made.output, made.kv

    assert formats({}) == ("bf16",) * 4
    assert formats({"activations": "fp8"}) == ("fp8",) * 4
    assert formats({"weights": "int4", "kv": "fp16"}) == ("int4", "bf16", "bf16", "fp16")
    assert formats({"weights": "int4"}, weights="w", activations="x", output="y", kv="z") == ("w", "x", "y", "z")
    assert formats({"activations": "fp8"}, activations="fp16") == ("fp16",) * 4


@pytest.mark.parametrize("field", ["weights", "activations", "output", "kv", "accumulate"])
def test_an_override_changes_its_own_field_of_its_own_row(field: str) -> None:
    rows = (row("a"), row("b"), row("c"))
    found = apply_overrides(rows, {"b": Override(row="b", **{field: "fp64"})})
    assert [r for r in found if r.name != "b"] == [rows[0], rows[2]]
    assert asdict(found[1]) == {**asdict(rows[1]), field: "fp64"}
    assert apply_overrides(rows, {}) is rows


def test_a_fused_operator_moves_weights_and_cache_alone() -> None:
    assert fused(cost(1.0, 9.0, 8.0, 7.0, 2.0, 3.0)) == cost(1.0, 5.0, 0.0, 0.0, 2.0, 3.0)


def test_rows_that_are_off_or_unknown_are_left_out(catalogue: Catalogue) -> None:
    base = own("copy", "copy", values=1e6)
    rows = (
        replace(base, id="off", enabled=False),
        replace(base, id="k", kind="x"),
        replace(base, id="f", output="x"),
        base,
    )
    evaluation = evaluate(study(*rows), catalogue)
    assert [r.name for r in evaluation.rows] == ["copy"]
    assert [(p.code, p.path) for p in evaluation.problems] == [
        ("row.kind", "operators[1].kind"),
        ("row.format", "operators[2]"),
    ]


# evaluations


def modelled(**work: Any) -> Study:
    return replace(study(**work), models=(LLAMA_8B,), active_model=LLAMA_8B.id)


def test_work_that_no_step_takes_in_is_refused(catalogue: Catalogue) -> None:
    for made, code in (
        (modelled(groups=(Group(context=1),)), "study.groups_unread"),
        (replace(modelled(), plan=(PlannedStep(workload=Workload()),)), "study.plan_unread"),
    ):
        assert [p.code for p in evaluate(made, catalogue).problems] == [code]


def test_what_changed_is_computed_anew_and_the_rest_is_kept(catalogue: Catalogue) -> None:
    first = evaluate(modelled(), catalogue)
    base = first.study
    fresh: list[tuple[str, Study]] = [
        ("batch", replace(base, workload=replace(base.workload, batch=9))),
        ("formats", replace(base, workload=replace(base.workload, weights="fp8", kv="fp8"))),
        ("overrides", replace(base, overrides=(Override(row="up_proj", weights="fp8"),))),
        ("models", replace(base, models=(replace(LLAMA_8B, config={**(LLAMA_8B.config or {}), "vocab_size": 9}),))),
        ("rows", replace(base, operators=(own("copy", "copy", values=1e6),))),
        ("hardware", replace(base, hardware=(replace(base.hardware[0], count=2),))),
        ("none", replace(base, name="n")),
    ]
    for name, made in fresh:
        after, alone = evaluate(made, catalogue, first), evaluate(made, catalogue)
        assert float(after.devices[0].totals.time_s) == float(alone.devices[0].totals.time_s), name
        assert [p.time_s for p in after.devices[0].points] == [p.time_s for p in alone.devices[0].points], name
        old, new = first.evaluator, after.evaluator
        assert (new.model is old.model) == (name != "models")
        assert (new.layouts is old.layouts) == (new.pricings is old.pricings) == (name not in {"models", "overrides"})
        assert (new.machines[0] is old.machines[0]) == (name != "hardware")
        assert new.kinds is old.kinds
    assert evaluate(base, replace_catalogue(catalogue), first).evaluator.kinds is not first.evaluator.kinds


def replace_catalogue(catalogue: Catalogue) -> Catalogue:
    return Catalogue(formats=catalogue.formats, kinds=catalogue.kinds)


def test_the_active_device_is_the_one_chosen_if_it_is_seen(catalogue: Catalogue) -> None:
    made = study(on=(device(ident="a"), device(ident="b"), device(ident="c")))
    for chosen, hidden, active in (
        ("b", "", "b"),
        ("b", "b", "a"),
        ("", "a", "b"),
        ("gone", "", "a"),
        ("c", "abc", None),
    ):
        hardware = tuple(replace(e, visible=e.id not in hidden) for e in made.hardware)
        found = evaluate(replace(made, hardware=hardware, view=replace(made.view, active_hardware=chosen)), catalogue)
        assert (found.active.entry.id if found.active else None) == active


def test_tokens_are_those_that_come_out_or_those_of_the_prompt(catalogue: Catalogue) -> None:
    def tokens(made: Study) -> Any:
        evaluation: Evaluation = evaluate(made, catalogue)
        evaluator: Evaluator = evaluation.evaluator
        return evaluator.tokens(evaluation.step)

    assert tokens(modelled(batch=3, context=100)) == (3.0, 1.0)
    assert tokens(modelled(batch=3, context=100, phase="prefill")) == (300.0, 100.0)
    assert tokens(study()) is None
    totals = evaluate(modelled(batch=3, context=100), catalogue).devices[0].totals
    assert totals.tokens_per_s == pytest.approx(3.0 / float(totals.floor_s))
    assert totals.tokens_per_s_per_request == pytest.approx(1.0 / float(totals.floor_s))


def test_simple_lines_are_bytes_over_the_bandwidth(catalogue: Catalogue) -> None:
    evaluation = evaluate(modelled(batch=3, context=100), catalogue)
    totals, kv = evaluation.devices[0].totals, 3 * 100 * 32 * 2 * 8 * 128 * 2
    assert totals.streamed_s == pytest.approx((float(evaluation.traffic.weights_streamed) + kv) / 2e12)
    assert totals.whole_file_s == pytest.approx((float(evaluation.memory.of(WEIGHTS)) + kv) / 2e12)
    assert totals.whole_file_s > totals.streamed_s


def test_a_kind_of_formulas_prices_a_row_by_its_defaults(catalogue: Catalogue) -> None:
    kind = compile_kind(catalogue.kind_by_id["copy"])
    assert kind.costs(row(kind="copy", dims={}), catalogue.format_by_id) == kind.costs(
        row(kind="copy", dims=dict(kind.defaults)), catalogue.format_by_id
    )


def test_a_point_of_a_sweep_has_arrays_and_none_where_no_value_is_judged() -> None:
    lanes = [
        Lane((Resource(kind, kind, rate=1.0),), values, values, known=not np.isnan(values).any())  # type: ignore[arg-type]
        for kind, values in (
            ("memory", np.array([[1.0, 2.0], [3.0, 4.0]])),
            ("compute", np.array([[NAN, NAN], [5.0, NAN]])),
        )
    ]
    one, two = Placed(PLAIN, Offered(*lanes), eager=False).points
    assert one.seconds("compute") is None
    assert np.array_equal(two.seconds("compute"), [5.0, NAN], equal_nan=True)
    assert np.array_equal(one.seconds("memory"), [1.0, 2.0])


def test_a_fit_that_says_no_spread_is_within_a_tenth() -> None:
    assert FittedRoof().spread == 0.1


def test_the_main_peak_is_that_of_most_flops_not_of_the_largest_row() -> None:
    """Two rows of 3 in fp8 against one of 5 in bf16; two stacks count together."""
    narrow = [row(name, activations="fp8") for name in "ab"]
    rows = (row("c", activations="bf16"), *narrow)
    costs = (cost(5.0), cost(3.0), cost(3.0))
    whole = stacked(rows, costs, asked)
    assert main_peak(whole) == ("tensor", "fp8", None)
    apart = [stack for r, c in zip(rows, costs, strict=True) for stack in stacked((r,), (c,), asked)]
    assert main_peak(apart) == ("tensor", "fp8", None)
