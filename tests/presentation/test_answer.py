"""The answer in words, for every way a study can stand."""

import pytest
from msgspec.structs import replace

import explorer.presentation.sentences  # noqa: F401
from explorer.analysis.ask.shares import dominant_bound
from explorer.analysis.catalogue.device import Device, LaunchOverhead, MemoryLevel, Peak
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import HardwareEntry, ModelEntry, OwnRow, QuickModel, Study, View, Workload
from explorer.files.catalogue import load_catalogue
from explorer.presentation.answer.answer import (
    answer,
    plain_text,
    rich_text,
    with_marks,
    without_marks,
)
from explorer.presentation.answer.lever_texts import lever_texts
from explorer.presentation.look import Look
from explorer.presentation.words.messages import Message

CATALOGUE = load_catalogue(devices=False)
GEMM = OwnRow(id="g", name="gemm", kind="matmul", dims={"m": 4096, "n": 4096, "k": 4096}, activations="fp16")
GEMV = OwnRow(id="v", name="gemv", kind="matmul", dims={"m": 1, "n": 4096, "k": 4096}, activations="fp16")


def card(
    name: str = "Card", rate: float | None = 300e12, bandwidth: float = 2e12, capacity: float | None = 80e9
) -> HardwareEntry:
    peaks = () if rate is None else (Peak(format="fp16", accumulate="fp32", unit="tensor", rate=rate),)
    device = Device(
        id=name.lower(),
        name=name,
        vendor="V",
        peaks=peaks,
        memory=(MemoryLevel(level="HBM", capacity=capacity, bandwidth=bandwidth),),
        launch_overhead=LaunchOverhead(seconds=1e-3),
    )
    return HardwareEntry(id=device.id, device=device)


def study(*hardware: HardwareEntry, params: float = 13e9, **work: object) -> Study:
    quick = QuickModel(params=params, layers=32, kv_heads=32, head_dim=128)
    return Study(
        hardware=hardware or (card(),),
        models=(ModelEntry(id="m", name="M", quick=quick),),
        active_model="m",
        workload=Workload(**work),  # type: ignore[arg-type]
    )


def rows(*own: OwnRow, hardware: tuple[HardwareEntry, ...] | None = None, **work: object) -> Study:
    return Study(hardware=hardware or (card(),), operators=own, workload=Workload(**work))  # type: ignore[arg-type]


def evaluated(of: Study) -> Evaluation:
    return evaluate(of, CATALOGUE)


def said(of: Study) -> str:
    return plain_text(answer(evaluated(of)))


def test_one_device_that_waits_for_memory() -> None:
    assert said(study()) == (
        "Waiting for memory. On Card a step takes at least 13.5 ms: at most 73.9 tokens/s. "
        "Rough: the model is known by its size only."
    )


def test_several_requests_are_told_per_request_and_in_all() -> None:
    assert "at most 57.8 tokens/s per request, 463 in all." in said(study(batch=8))


def test_long_names_leave_room_for_the_figures_behind_them() -> None:
    text = said(study(card("Card-" * 20)))
    assert "On Card-Card-" in text
    assert "at least 13.5 ms" in text
    assert len(text) < 170
    row = said(rows(replace(GEMM, name="gemm-" * 30)))
    assert "gemm-gemm-" in row
    assert len(row) < 200


def test_devices_that_wait_alike_are_counted() -> None:
    assert said(study(card("A"), card("B"))).startswith("Waiting for memory on both devices. On A a step")
    assert said(study(card("A"), card("B"), card("C"))).startswith("Waiting for memory on all three. On A a step")
    four = [card(name) for name in "ABCD"]
    assert said(study(*four)).startswith("Waiting for memory on all 4 devices. On A a step")


def test_devices_that_wait_differently_are_named() -> None:
    text = said(study(card("Fast"), card("Slow", rate=1e12), context=1))
    assert text.startswith("Waiting for memory on Fast, for compute on Slow. On Fast a step takes at least 13.0 ms")


def test_more_than_three_devices_of_one_kind_are_counted_not_named() -> None:
    slow = [card(name, rate=1e12) for name in "ABCD"]
    assert said(study(card("Fast"), *slow, context=1)).startswith(
        "Waiting for memory on Fast, for compute on 4 devices."
    )


def test_the_answer_speaks_of_the_active_device() -> None:
    of = replace(study(card("A"), card("B", bandwidth=4e12)), view=View(active_hardware="b"))
    assert "On B a step takes at least 6.77 ms" in said(of)


def test_a_hidden_device_does_not_count() -> None:
    hidden = replace(card("B", rate=1e12), visible=False)
    assert said(study(card("A"), hidden, context=1)).startswith("Waiting for memory. On A")


def test_several_of_one_device_are_named_with_their_count() -> None:
    assert "On 2 × Card a step takes at least 6.77 ms" in said(study(replace(card(), count=2)))


def test_prefill_tells_the_time_to_the_first_token() -> None:
    text = said(study(phase="prefill", context=4096))
    assert text.startswith(
        "Waiting for compute. On Card a prompt of 4,096 tokens takes at least 355 ms to the first token"
    )
    assert "3 prompts of 4,096 tokens take at least" in said(study(phase="prefill", context=4096, batch=3))


def test_what_does_not_fit_is_said_in_the_chosen_unit() -> None:
    of = study(params=70e9)
    assert "It does not fit: 141 GB are needed, Card holds 80.0 GB." in said(of)
    assert "131 GiB are needed" in plain_text(answer(evaluated(of), look=Look(unit="GiB")))


def test_what_fits_or_cannot_be_judged_is_not_said_to_not_fit() -> None:
    assert "fit" not in said(study())
    assert "fit" not in said(study(card(capacity=None), params=70e9))


def test_launches_that_rule_are_named_with_what_helps() -> None:
    text = said(study(params=1e6, context=1, launch="eager"))
    assert text.startswith("Waiting for kernel launches. On Card a step takes at least")
    assert "With every kernel launched by itself the step takes 2.00 ms, operator by operator; graphs or fewer" in text


def test_compute_without_a_peak_is_not_judged() -> None:
    text = said(study(card(rate=None)))
    assert text.startswith("Waiting for memory.")
    assert "Compute is not judged on Card: its peak for fp16 is not known." in text


def test_one_operator_shows_its_intensity_beside_the_ridge() -> None:
    assert said(rows(GEMM)) == ("Waiting for compute. On Card gemm takes at least 458 µs: 1,365 FLOP/byte, ridge 150.")
    assert said(rows(GEMM, hardware=(card(rate=None),))).startswith(
        "Waiting for memory. On Card gemm takes at least 50.3 µs: 1,365 FLOP/byte."
    )


def test_several_operators_are_counted_by_bound() -> None:
    assert said(rows(GEMM, GEMV)) == (
        "Waiting for compute. On Card the 2 operators take at least 475 µs, operator by operator "
        "(memory-bound 1, compute-bound 1)."
    )
    assert "(memory-bound 0, compute-bound 0, overhead-bound 2)" in said(rows(GEMM, GEMV, launch="eager"))


def test_time_that_is_divided_is_told_as_a_share() -> None:
    slow = replace(GEMV, count=20)
    assert said(rows(GEMM, slow)).startswith("Waiting for compute in 58 % of the time, for memory in most of the rest.")
    slower = replace(GEMV, count=40)
    assert said(rows(GEMM, slower)).startswith(
        "Waiting for memory in 59 % of the time, for compute in most of the rest."
    )
    both = rows(GEMM, slow, hardware=(card("A"), card("B")))
    assert said(both).startswith("Waiting for compute on both devices. That holds for 58 % of the time on A.")


def test_time_shared_with_launches_is_told_so() -> None:
    big = replace(GEMM, dims={"m": 16384, "n": 8192, "k": 4096})
    text = said(rows(big, replace(GEMV, count=2), launch="eager"))
    assert text.startswith("Waiting for compute in 65 % of the time, for kernel launches in most of the rest.")


def test_nothing_to_evaluate_says_what_to_do() -> None:
    assert said(Study(hardware=(card(),))) == "Open a model or add operators to see what they wait for."
    assert said(rows(GEMM, hardware=(replace(card(), visible=False),))) == (
        "Choose a device to see what this work waits for."
    )


def test_a_model_that_is_refused_says_why() -> None:
    of = Study(hardware=(card(),), models=(ModelEntry(id="m", name="M", config={"model_type": "x"}),), active_model="m")
    text = said(of)
    assert text.startswith("This cannot be evaluated. The model type")


def test_rows_with_faults_are_counted() -> None:
    bad = OwnRow(id="b", name="b", kind="nothing")
    assert said(rows(GEMM, bad)).endswith("One operator has a fault and is left out.")
    assert said(rows(GEMM, bad, replace(bad, id="c"))).endswith("2 operators have faults and are left out.")


def test_levers_that_do_not_apply_are_left_out() -> None:
    of = study(batch=8)
    assert [without_marks(m) for m in lever_texts(evaluated(of), "card")] == [
        "8-bit weights 1.60×",
        "8-bit KV 1.14×",
        "2× bandwidth 2.00×",
    ]
    eight = study(weights="int8", kv="fp8")
    assert [m.key for m in lever_texts(evaluated(eight), "card")] == ["lever.weights4", "lever.kv4", "lever.bandwidth2"]


def test_rich_text_marks_the_figures_and_escapes_names() -> None:
    text = rich_text(answer(evaluated(study(card("<i>A&B")))))
    assert "<b>13.5 ms</b>" in text
    assert "&lt;i&gt;A&amp;B" in text
    assert "<i>" not in text
    assert "<i>A&B" in plain_text(answer(evaluated(study(card("<i>A&B")))))


def test_a_translation_takes_the_place_of_the_whole_sentence() -> None:
    def translate(_context: str, text: str) -> str:
        return "<b>等待{bound}</b> {count}{launches}" if "Waiting for {bound}" in text else text

    message = Message("answer.all", {"count": 5, "bound": "memory", "launches": ""})
    assert with_marks(message, Look(translate=translate)) == "<b>等待memory</b> 5"
    assert without_marks(message, Look(translate=translate)) == "等待memory 5"


@pytest.mark.parametrize("launch", ["graph", "eager"])
def test_shares_by_bound_sum_to_one(launch: str) -> None:
    result = evaluated(rows(GEMM, GEMV, launch=launch)).devices[0]
    shares = result.bound_shares
    assert sum(shares.values()) == pytest.approx(1)
    assert shares[dominant_bound(result)] == max(shares.values())
