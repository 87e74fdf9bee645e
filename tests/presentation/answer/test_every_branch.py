"""The answer's branches at their edges, and every key of the public JSON."""

import math

import pytest
from msgspec.structs import replace

import explorer.presentation.sentences  # noqa: F401 - registers every sentence
from explorer.analysis.catalogue.device import Device
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import OwnRow, QuickModel, Study, View
from explorer.presentation.answer.answer import answer, plain_text, rich_text, with_marks
from explorer.presentation.answer.json_result import device_json, evaluation_json, figure, model_json, workload_json
from explorer.presentation.answer.lever_texts import lever_texts
from explorer.presentation.look import Look
from explorer.presentation.quantities.numbers import seconds
from explorer.presentation.words.messages import Message
from tests.presentation.llama import EMBEDDING, KV_SEQUENCE, WEIGHTS, catalogue, evaluated
from tests.presentation.llama import device as llama_device
from tests.presentation.llama import study as llama
from tests.presentation.roofline.made import Placed, device, placed

MEMORY: Placed = ("m", 1e9, 1e9, 1.0)  # 1 ms
COMPUTE: Placed = ("c", 1e12, 1e9, 1.0)  # 10 ms
SLOW = replace(device("Slow"), peaks=tuple(replace(p, rate=1e8) for p in device().peaks))
LAUNCHING = device("Launching", launch=1.0)


def said(case: Evaluation, look: Look | None = None) -> str:
    return plain_text(answer(case, look) if look else answer(case))


@pytest.mark.parametrize(
    ("rows", "on", "start"),
    [
        ((MEMORY,), 1, "Waiting for memory."),
        ((MEMORY,), 2, "Waiting for memory on both devices."),
        ((MEMORY,), 3, "Waiting for memory on all three."),
        ((MEMORY,), 4, "Waiting for memory on all 4 devices."),
        (
            (COMPUTE, ("m", 1e9, 1.2e9, 1.0)),
            1,
            "Waiting for compute in 89 % of the time, for memory in most of the rest.",
        ),
        ((COMPUTE, ("m", 1e9, 1e10 / 9, 1.0)), 1, "Waiting for compute. "),
        (
            (COMPUTE, ("m", 1e9, 1.2e9, 1.0)),
            2,
            "Waiting for compute on both devices. That holds for 89 % of the time on D0.",
        ),
        ((COMPUTE, ("m", 1e9, 1e10 / 9, 1.0)), 2, "Waiting for compute on both devices. On D0"),
    ],
)
def test_what_is_waited_for_on_how_many(rows: tuple[Placed, ...], on: int, start: str) -> None:
    assert said(placed(*rows, on=tuple(device(f"D{i}") for i in range(on)))).startswith(start)


def test_devices_that_wait_for_different_things() -> None:
    two = said(placed(MEMORY, on=(device(), SLOW)))
    assert two.startswith("Waiting for memory on Dev, for compute on Slow. On Dev m takes at least 1.00 ms")
    three = said(placed(MEMORY, on=(device(), SLOW, LAUNCHING), launch="eager"))
    lead = "Waiting for memory on Dev, for compute on Slow, for kernel launches on Launching; "
    assert three.startswith(f"{lead}launches of Dev and Slow unknown.")
    many = said(placed(MEMORY, on=(SLOW, *(device(f"D{i}") for i in range(4)))))
    assert many.startswith("Waiting for memory on 4 devices, for compute on Slow.")
    few = said(placed(MEMORY, on=(SLOW, *(device(f"D{i}") for i in range(3)))))
    assert few.startswith("Waiting for memory on D0, D1, D2, for compute on Slow.")


def test_launches_that_take_most_of_the_time_need_no_second() -> None:
    mixed = device("Mixed", launch=4e-3)
    found = said(placed(("m", 1e9, 2e9, 1.0), COMPUTE, MEMORY, on=(replace(mixed, launch_overhead=None),)))
    assert found.startswith("Waiting for compute in 77 % of the time, for memory in most of the rest.")
    rows = [MEMORY] * 4 + [("c", 4.5e11, 1e9, 1.0)]
    eager = said(placed(*rows, on=(mixed,), launch="eager"))
    assert eager.startswith("Waiting for kernel launches in 78 % of the time. On Mixed")


@pytest.mark.parametrize(
    ("rows", "middle"),
    [
        ((MEMORY,), "On Dev m takes at least 1.00 ms: 1.00 FLOP/byte, ridge 100."),
        ((("m", 1e9, 1e9, 3.0),), "On Dev m takes at least 3.00 ms: 1.00 FLOP/byte, ridge 100."),
        ((("", 1e9, 1e9, 1.0),), "On Dev made takes at least 1.00 ms: 1.00 FLOP/byte, ridge 100."),
        ((("c", 1e9, 0.0, 1.0),), "On Dev c takes at least 10.0 µs: – FLOP/byte, ridge 100."),
        (
            (MEMORY, COMPUTE),
            "On Dev the 2 operators take at least 11.0 ms, operator by operator (memory-bound 1, compute-bound 1).",
        ),
        (
            (MEMORY, MEMORY),
            "On Dev the 2 operators take at least 2.00 ms, operator by operator (memory-bound 2, compute-bound 0).",
        ),
    ],
)
def test_what_operators_take(rows: tuple[Placed, ...], middle: str) -> None:
    assert middle in said(placed(*rows))


def test_an_operator_on_a_device_without_a_peak() -> None:
    found = said(placed(MEMORY, on=(replace(device(), peaks=()),)))
    assert found == (
        "Waiting for memory. On Dev m takes at least 1.00 ms: 1.00 FLOP/byte. "
        "Compute is not judged on Dev: its peak for bf16 is not known."
    )


def test_without_a_device_it_says_which_is_lacking() -> None:
    case = placed(MEMORY, on=(device(), device("Two")))
    one, two = case.study.hardware
    flat = replace(two, device=replace(two.device, memory=(replace(two.device.memory[0], bandwidth=None),)))
    hidden = replace(case.study, hardware=(replace(one, visible=False), flat))
    assert said(evaluate(hidden, catalogue())) == "No visible device has a memory bandwidth: nothing can be placed."
    none = replace(case.study, hardware=(replace(one, visible=False),))
    assert said(evaluate(none, catalogue())) == "Choose a device to see what this work waits for."
    assert said(evaluate(Study(), catalogue())) == "Open a model or add operators to see what they wait for."


@pytest.mark.parametrize(
    ("work", "sentence"),
    [
        ({}, "On Round a step takes at least 9.65 ms: at most 104 tokens/s per request, 829 in all (batch 8)."),
        ({"batch": 1}, "On Round a step takes at least 7.77 ms: at most 129 tokens/s."),
    ],
)
def test_what_a_step_takes(work: dict[str, object], sentence: str) -> None:
    assert sentence.split(" (", maxsplit=1)[0].split(":", maxsplit=1)[0] in said(evaluated(**work))  # type: ignore[arg-type]
    assert ("per request" in said(evaluated(**work))) == (not work)  # type: ignore[arg-type]


@pytest.mark.parametrize("phase", ["decode", "prefill"])
@pytest.mark.parametrize("batch", [1, 8])
def test_the_time_of_a_step_without_room_is_told_as_one_of_more_memory(phase: str, batch: int) -> None:
    full = evaluated(llama_device(capacity=1e9), phase=phase, batch=batch)
    assert "On Round with enough memory" in said(full)
    for fits in (None, 80e9):
        assert "enough memory" not in said(evaluated(llama_device(capacity=fits), phase=phase, batch=batch))


def test_what_stands_in_the_way() -> None:
    full = said(evaluated(llama_device(capacity=20e9)), Look(unit="GiB"))
    assert "It does not fit: 19.0 GiB are needed, Round holds 18.6 GiB." in full
    assert "does not fit" not in said(evaluated(llama_device(capacity=None)))
    base = llama()
    quick = QuickModel(params=1e9, layers=2, kv_heads=1, head_dim=4)
    rough = replace(base, models=(replace(base.models[0], config=None, quick=quick),))
    assert said(evaluate(rough, catalogue())).endswith("Rough: the model is known by its size only.")
    slow = replace(llama_device(), launch_overhead=LAUNCHING.launch_overhead)
    launched = evaluated(slow, launch="eager")
    assert f"the step takes {seconds(float(launched.devices[0].totals.time_s))}" in said(launched)
    assert "launched by itself" not in said(evaluated(slow))


@pytest.mark.parametrize(
    ("faults", "text"),
    [(0, ""), (1, "One operator has a fault and is left out."), (2, "2 operators have faults and are left out.")],
)
def test_rows_with_faults_are_counted(faults: int, text: str) -> None:
    case = placed(MEMORY)
    odd = tuple(OwnRow(id=f"o{i}", name=f"o{i}", kind=f"nope{i}") for i in range(faults))
    found = said(evaluate(replace(case.study, operators=(*case.study.operators, *odd)), catalogue()))
    assert found.endswith(text or "ridge 100.")
    alone = evaluate(replace(case.study, operators=odd), catalogue())
    if faults:
        assert said(alone).startswith("This cannot be evaluated. No operator kind is named “nope0”.")


def long_named(*ends: str) -> tuple[Device, ...]:
    return tuple(replace(device(), id=f"d{i}", name=f"{'x' * 45}{end}") for i, end in enumerate(ends))


def test_long_names_are_shortened_so_that_they_are_told_apart() -> None:
    alone = said(placed(MEMORY, on=long_named("A")))
    assert f"On {'x' * 39}… m takes" in alone
    twins = said(placed(MEMORY, on=long_named("A", "B"), view=View(active_hardware="d1")))
    assert f"On {'x' * 20}…{'x' * 18}B m takes" in twins
    exact = said(placed(MEMORY, on=(replace(device(), name="y" * 40),)))
    assert f"On {'y' * 40} m takes" in exact


def test_marks_are_kept_or_taken_and_values_never_are_marks() -> None:
    message = Message(
        "answer.operator_no_ridge", {"device": "<b>", "name": "a&b", "time": "1 s", "intensity": 2, "versus": ""}
    )
    assert with_marks(message) == "On &lt;b&gt; a&amp;b takes at least <b>1 s</b>: 2 FLOP/byte."
    assert plain_text([message, Message("answer.rough")]) == (
        "On <b> a&b takes at least 1 s: 2 FLOP/byte. Rough: the model is known by its size only."
    )
    assert rich_text([message, Message("answer.rough")]).endswith(
        "2 FLOP/byte. Rough: the model is known by its size only."
    )


def test_levers_carry_their_gains() -> None:
    found = {m.key: m.values["gain"] for m in lever_texts(evaluated(), "round")}
    assert found["lever.bandwidth2"] == "2.00×"
    assert all(str(gain).endswith("×") for gain in found.values())


def test_the_json_of_a_decode_step() -> None:
    case = evaluated()
    found = evaluation_json(case)
    assert found["model"] == {
        "name": "Llama-3.1-8B", "model_type": "llama", "parameters": 8030261248, "active_parameters": 8030261248,
        "kv_bytes_per_token": 131072, "kv_bytes_per_token_at_context": 131072,
    }  # fmt: skip
    assert found["workload"] == {
        "phase": "decode", "batch": 8, "context": 4096, "weights": "bf16", "activations": "bf16", "kv": "bf16",
        "launch": "graph", "count_attention": "causal", "logits": "last", "skew": 0,
    }  # fmt: skip
    (on,) = found["hardware"]
    assert {k: on[k] for k in list(on)[:5]} == {
        "name": "Round accelerator", "devices": 1, "peak_flop_per_s": 10**15, "bandwidth_byte_per_s": 2 * 10**12,
        "ridge_flop_per_byte": 500,
    }  # fmt: skip
    totals = case.devices[0].totals
    assert on["totals"] == {
        "flops": totals.traffic.flops, "bytes": totals.traffic.bytes, "time_s": totals.time_s,
        "floor_s": totals.floor_s, "expected_s": list(totals.expected_s),
        "simple": {"streamed_s": totals.streamed_s, "whole_file_s": totals.whole_file_s},
        "tokens_per_s": totals.tokens_per_s, "tokens_per_s_per_request": totals.tokens_per_s_per_request,
        "weight_bytes_resident": WEIGHTS, "weight_bytes_streamed": WEIGHTS - EMBEDDING + 8 * 4096 * 2,
        "kv_bytes": 8 * KV_SEQUENCE, "memory_bytes": WEIGHTS + 8 * KV_SEQUENCE, "fits": True,
        **{f"{way}_s": totals.floor_s for way in ("uniform", "routed")},
        **{f"{way}_tokens_per_s": totals.tokens_per_s for way in ("uniform", "routed")},
        **{f"{way}_tokens_per_s_per_request": totals.tokens_per_s_per_request for way in ("uniform", "routed")},
    }  # fmt: skip
    assert on["decode"] == {
        "kv_half_batch": pytest.approx(27.958449683), "ridge_batch": None, "fit_batch": 119,
        "knee_batch": pytest.approx(13.978998238),
    }  # fmt: skip
    point = next(p for p in case.devices[0].points if p.row.name == "up_proj")
    assert next(o for o in on["operators"] if o["name"] == "up_proj") == {
        "name": "up_proj", "kind": "matmul", "count": 32, "flops": 939524096, "bytes_read": 117506048,
        "bytes_written": 229376, "intensity_flop_per_byte": pytest.approx(939524096 / 117735424),
        "compute_format": "bf16", "peak_flop_per_s": 10**15, "bound": "memory", "time_s": point.time_s,
        "share": pytest.approx(32 * point.time_s / totals.time_s),
    }  # fmt: skip


def test_the_json_of_operators_has_no_model_no_tokens_and_hidden_devices_left_out() -> None:
    case = placed(MEMORY, on=(device(), device("Two")))
    hidden = replace(case.study, hardware=(replace(case.study.hardware[0], visible=False), case.study.hardware[1]))
    found = evaluation_json(evaluate(hidden, catalogue()))
    assert found["model"] is None
    assert [on["name"] for on in found["hardware"]] == ["Two"]
    totals = found["hardware"][0]["totals"]
    assert (totals["tokens_per_s"], totals["tokens_per_s_per_request"]) == (None, None)
    assert set(found["hardware"][0]["decode"].values()) == {None}


@pytest.mark.parametrize(
    ("work", "formats"),
    [
        ({}, ("bf16", "bf16", "bf16")),
        ({"activations": "fp8"}, ("bf16", "fp8", "bf16")),
        ({"weights": "int4", "kv": "fp8"}, ("int4", "bf16", "fp8")),
    ],
)
def test_the_formats_that_take_effect(work: dict[str, object], formats: tuple[str, str, str]) -> None:
    keys = ("weights", "activations", "kv")
    found = workload_json(evaluated(**work))  # type: ignore[arg-type]
    assert tuple(found[k] for k in keys) == formats
    own = workload_json(placed(MEMORY, activations="fp16"))
    assert tuple(own[k] for k in keys) == ("fp16", "fp16", "fp16")
    assert tuple(workload_json(placed(MEMORY))[k] for k in keys) == ("bf16", "bf16", "bf16")


def test_the_json_of_a_model() -> None:
    case = evaluated(kv="fp8")
    assert case.model is not None
    found = model_json(case.model, case)
    assert found["kv_bytes_per_token"] == KV_SEQUENCE / 4096 / 2
    assert found["kv_bytes"] == KV_SEQUENCE / 2
    assert (found["state_bytes"], found["weight_bytes"]) == (0, WEIGHTS)
    assert found["layers"] == [
        {"count": 32, "indices": list(range(32)), "attention": found["layers"][0]["attention"],
         "mlp": found["layers"][0]["mlp"]},
    ]  # fmt: skip


def test_figures_are_finite_and_whole_where_they_are() -> None:
    assert [figure(v) for v in (None, math.inf, math.nan, 3.0, 2.5, 2.0**53, -4.0)] == [
        None, None, None, 3, 2.5, 2.0**53, -4,
    ]  # fmt: skip
    assert [type(figure(v)) for v in (3.0, 2.0**53, 2.0**53 - 1, 2.5)] == [int, float, int, float]


def test_a_device_is_written_with_every_default() -> None:
    found = device_json(device())
    assert (found["class"], found["year"], found["links"], found["origins"]) == ("gpu", None, [], {})
    assert found["memory"] == [
        {"level": "HBM3", "capacity": 80 * 10**9, "sizes": [], "bandwidth": 10**12, "latency": None, "source": "",
         "confidence": "high", "note": "", "origins": {}, "measured": None},
    ]  # fmt: skip
