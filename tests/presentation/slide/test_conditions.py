"""The footer's conditions are those of the study shown, each where it matters."""

import pytest
from msgspec.structs import replace

from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.study import Override, OwnRow
from explorer.presentation.look import Look
from explorer.presentation.slide.conditions import conditions, without_room
from explorer.presentation.slide.slide import build_slide
from tests.presentation.llama import catalogue, device, evaluated, study


def test_model_batch_context_formats_attention_logits_launch_and_devices_are_said() -> None:
    assert conditions(evaluated()) == (
        "Llama-3.1-8B decode, batch 8, context 4,096 · weights, activations and KV bf16 · causal attention, "
        "last-token logits · launch: graph · on Round"
    )


@pytest.mark.parametrize(
    ("work", "said"),
    [
        ({"batch": 3, "context": 77}, "batch 3, context 77"),
        ({"phase": "prefill"}, "Llama-3.1-8B prefill, "),
        ({"weights": "fp8"}, "weights fp8, activations and KV bf16"),
        ({"kv": "fp8"}, "weights and activations bf16, KV fp8"),
        ({"activations": "fp16"}, "weights and KV bf16, activations fp16"),
        ({"weights": "int4", "activations": "fp16", "kv": "fp8"}, "weights int4, activations fp16, KV fp8"),
        ({"attention_count": "full", "logits": "all"}, "full attention, all logits"),
        ({"launch": "eager"}, "launch: every kernel by itself"),
        ({"reserve": 2e9}, "2.00 GB kept free"),
    ],
)
def test_each_condition_follows_the_workload(work: dict[str, object], said: str) -> None:
    assert said in conditions(evaluated(**work))  # type: ignore[arg-type]


def test_sizes_are_in_the_unit_of_the_look() -> None:
    assert "2.00 GiB kept free" in conditions(evaluated(reserve=2.0**31), Look(unit="GiB"))


def test_the_devices_without_room_are_named_with_what_is_needed_and_held() -> None:
    small = replace(device("Small", capacity=10e9), id="small")
    assert without_room(evaluated(device(), small)) == "no room on Small (10.0 GB, 20.4 GB needed)"
    assert without_room(evaluated()) == ""
    close = replace(device("Close", capacity=20.3531e9), id="close")
    assert without_room(evaluated(close)) == "no room on Close (20.353 GB, 20.355 GB needed)"


def test_formats_of_single_rows_and_operators_of_ones_own_are_counted() -> None:
    base = study()
    one = replace(base, overrides=(Override(row="up_proj", weights="fp8"),))
    assert "one row in formats of its own" in conditions(evaluate(one, catalogue()))
    own = replace(base, operators=(OwnRow(id="1", name="a", kind="matmul"), OwnRow(id="2", name="b", kind="matmul")))
    assert "with 2 operators of its own" in conditions(evaluate(own, catalogue()))


def test_many_devices_are_counted_and_those_of_several_named() -> None:
    base = study(*(replace(device(f"D{i}"), id=f"d{i}") for i in range(8)))
    several = replace(base, hardware=(replace(base.hardware[0], count=4), *base.hardware[1:]))
    assert conditions(evaluate(several, catalogue())).endswith("on 8 devices, 4 × D0")


def test_the_model_named_is_the_one_evaluated_not_the_studys_name() -> None:
    other = replace(study(), name="A study of Qwen")
    slide = build_slide(evaluate(other, catalogue()))
    shown = f"{slide.title} {slide.subtitle} {slide.conditions} {slide.footer}"
    assert "Llama-3.1-8B" in shown
    assert "Qwen" not in shown
