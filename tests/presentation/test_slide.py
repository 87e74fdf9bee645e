import pytest
from msgspec.structs import replace

from explorer.analysis.ask.levers import levers
from explorer.analysis.catalogue.device import LaunchOverhead
from explorer.analysis.study.study import Measurement, QuickModel
from explorer.presentation.roofline.build import build_figure
from explorer.presentation.roofline.figure import Figure
from explorer.presentation.slide.slide import TEXT_KEYS, build_slide, proposed_texts
from tests.plot.drawing import A100, H100, MI300X, decode_study, device, evaluated, matmul_study


def test_the_title_says_the_finding_and_the_subtitle_conditions_and_why() -> None:
    slide = build_slide(evaluated(decode_study()))
    assert slide.title == "Llama-8B decode waits for memory on all three devices"
    assert slide.subtitle == (
        "Batch 8, context 4,096, bf16 weights and KV: every operator sits left of every ridge, "
        "so bandwidth decides the ranking, not TFLOP/s"
    )


def test_devices_that_wait_for_different_things_are_named() -> None:
    slow = device("Slow", 2e12, 3e12)
    slide = build_slide(evaluated(decode_study(H100, slow, batch=64, context=128)))
    assert slide.title == "Llama-8B decode waits for memory on H100, for compute on Slow"


def test_prefill_waits_for_compute_and_the_table_counts_prompts() -> None:
    slide = build_slide(evaluated(decode_study(phase="prefill", batch=1, context=2048)))
    assert slide.title == "Llama-8B prefill waits for compute on all three devices"
    assert slide.table.spanning == "tokens/s at prompts of"
    assert "TFLOP/s decide before bandwidth" in slide.subtitle


def test_launches_are_blamed_where_they_take_the_time() -> None:
    slow = replace(H100, launch_overhead=LaunchOverhead(seconds=1e-3))
    slide = build_slide(evaluated(decode_study(slow, launch="eager")))
    assert slide.title == "Llama-8B decode waits for kernel launches on H100"
    assert "launch: every kernel by itself" in slide.conditions


def test_the_table_holds_what_the_evaluation_says() -> None:
    evaluation = evaluated(decode_study())
    table = build_slide(evaluation).table
    assert [r.name for r in table.rows] == ["H100", "A100", "MI300X"]
    h100 = table.rows[0].cells
    assert h100[:3] == ("3.35 TB/s", "989", "295")
    assert h100[4] == f"{float(evaluation.devices[0].totals.tokens_per_s):,.0f}"  # batch 8 is the study's own
    alone = evaluated(decode_study(batch=32)).devices[0].totals.tokens_per_s
    assert h100[5] == f"{float(alone):,.0f}"


def test_a_batch_that_does_not_fit_says_so() -> None:
    study = decode_study(H100, context=65536)
    assert build_slide(evaluated(study)).table.rows[0].cells[-1] == "no room"


def test_own_rows_are_judged_by_time_and_share_of_peak() -> None:
    slide = build_slide(evaluated(replace(matmul_study(1, 4096, 4096), name="One column")))
    assert slide.title == "The work of “One column” waits for memory on H100"
    assert slide.subtitle.startswith("One operator: ")
    assert slide.table.headers[-2:] == ("operator by operator", "of peak")
    assert slide.table.rows[0].cells[-1] == "0.3 %"


def test_levers_are_those_of_the_active_device() -> None:
    evaluation = evaluated(decode_study())
    gains = {g.code: g.gain for g in levers(evaluation, "d0")}
    slide = build_slide(evaluation)
    assert slide.help.title == "What would help on H100"
    assert f"2× bandwidth {gains['lever.bandwidth2']:.2f}×" in " ".join(slide.help.lines)
    assert slide.help.lines[-1] == "Of no use here: 2× compute."


def test_how_to_read_it_names_only_what_is_shown() -> None:
    many = build_slide(evaluated(decode_study())).read.lines[0]
    assert "trail from batch 1 to 8" in many
    assert "Pale points" in many
    assert "diamond" not in many
    one = build_slide(evaluated(decode_study(H100, batch=1))).read.lines[0]
    assert "trail" not in one
    assert "Pale" not in one
    timed = replace(
        decode_study(), measurements=(Measurement(id="1", name="t", device="d0", tokens_per_s=1000.0, batch=8),)
    )
    assert "The diamond is measured: 72 % of its bound." in build_slide(evaluated(timed)).read.lines[0]


def test_the_footer_states_the_conditions_whatever_the_texts_say() -> None:
    slide = build_slide(evaluated(decode_study()), texts={"footer": "", "subtitle": ""})
    assert slide.conditions == (
        "Llama-8B decode, batch 8, context 4,096 · weights, activations and KV bf16 · causal attention, last-token "
        "logits · launch: graph · on H100, A100, MI300X"
    )
    full = build_slide(evaluated(decode_study(attention_count="full", logits="all"))).conditions
    assert "full attention, all logits" in full


def test_every_text_can_be_replaced_or_left_out() -> None:
    evaluation = evaluated(decode_study())
    assert set(proposed_texts(evaluation)) == set(TEXT_KEYS)
    slide = build_slide(evaluation, texts={"title": "Mine", "help": "first\nsecond", "footer": ""})
    assert (slide.title, slide.help.lines, slide.footer) == ("Mine", ("first", "second"), "")
    assert slide.subtitle == build_slide(evaluation).subtitle
    assert proposed_texts(evaluation)["title"] == build_slide(evaluation).title


def test_the_trail_ends_where_the_points_are() -> None:
    evaluation = evaluated(decode_study(batch=64))
    slide = build_slide(evaluation)
    assert isinstance(slide.figure, Figure)
    first, last = slide.figure.trail[0], slide.figure.trail[-1]
    one = {m.rows[0]: m for m in build_figure(evaluated(decode_study(batch=1))).marks if m.active}
    gate = next(m for m in first if m.rows[0] == "gate_proj")
    ring = next(m for m in one.values() if "gate_proj" in m.rows)
    assert gate.x == pytest.approx(ring.x, abs=0.001)
    now = next(m for m in slide.figure.marks if "gate_proj" in m.rows and m.active)
    assert gate.x < next(m for m in last if m.rows[0] == "gate_proj").x < now.x


def test_a_study_without_hardware_or_work_still_makes_a_slide() -> None:
    nothing = replace(decode_study(), hardware=(), models=(), active_model="")
    slide = build_slide(evaluated(nothing))
    assert slide.title
    assert slide.table.rows == ()


def test_a_quick_model_is_named_rough() -> None:
    study = decode_study(A100, MI300X)
    quick = QuickModel(params=13e9, layers=32, kv_heads=32, head_dim=128)
    rough = replace(study, models=(replace(study.models[0], config=None, quick=quick),))
    assert "rough model" in build_slide(evaluated(rough)).conditions
