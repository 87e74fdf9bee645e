"""Every figure below is worked by hand from the shapes in llama.py: batch 8, context 4096, 2 TB/s, 1 PFLOP/s."""

import pytest

from explorer.analysis.catalogue.kinds import Dim, OperatorKind
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.study import Override, OwnRow, Study
from explorer.presentation.explain.explain import explain
from explorer.presentation.explain.lines import Explanation, Line
from explorer.presentation.explain.totals import TOTALS
from tests.presentation.llama import EMBEDDING, KV_SEQUENCE, WEIGHTS, catalogue, device, evaluated, study


def line(found: Explanation, label: str) -> Line:
    return next(entry for entry in found.lines if entry.label == label)


def total(key: str, **work: object) -> Explanation:
    return explain(evaluated(**work), total=key)


def remarks(found: Explanation) -> str:
    return " ".join(entry.source for entry in found.lines)


def test_flops_of_a_projection_are_formula_numbers_and_result() -> None:
    found = line(explain(evaluated(), rows=("up_proj",)), "FLOPs")
    assert (found.formula, found.substituted, found.answer) == ("2·m·n·k", "2·8·14336·4096", "940 MFLOP")
    assert found.value == 939_524_096


def test_bytes_of_a_projection_are_read_and_written_once() -> None:
    found = explain(evaluated(), rows=("up_proj",))
    assert line(found, "bytes read").value == 2 * 8 * 4096 + 2 * 4096 * 14336
    assert line(found, "bytes written").value == 2 * 8 * 14336
    assert line(found, "bytes written").substituted == "2·8·14336"


def test_intensity_stands_beside_the_ridge() -> None:
    found = explain(evaluated(), rows=("up_proj",))
    assert line(found, "intensity").value == pytest.approx(939_524_096 / 117_735_424)
    assert line(found, "intensity").source == "below the ridge of 500"
    assert line(found, "ridge").value == 500


def test_time_is_the_largest_part_and_names_what_it_waits_for() -> None:
    found = explain(evaluated(), rows=("up_proj",))
    assert line(found, "time").substituted == "max(940 ns, 58.9 µs)"
    assert line(found, "time").value == pytest.approx(117_735_424 / 2e12)
    assert "Waits for memory." in remarks(found)
    assert line(found, "all calls").substituted == "32·58.9 µs"


def test_the_peak_names_its_entry_source_and_confidence() -> None:
    found = line(explain(evaluated(), rows=("up_proj",)), "peak")
    assert found.answer == "1.00 PFLOP/s"
    assert found.source == "bf16, fp32 accumulator, tensor units, dense; datasheet, high confidence"


def test_a_norm_is_judged_by_the_vector_peak() -> None:
    found = explain(evaluated(), rows=("input_layernorm",))
    assert line(found, "FLOPs").substituted == "4·8·4096"
    assert line(found, "peak").answer == "50.0 TFLOP/s"
    assert "medium confidence" in line(found, "peak").source


def test_sources_are_cited_once_at_the_end() -> None:
    assert remarks(explain(evaluated(), rows=("up_proj",))).count("Round data sheet") == 1


def test_attention_shows_its_softmax_apart_and_expands_derived_figures() -> None:
    found = explain(evaluated(), rows=("attention",))
    assert line(found, "FLOPs").value == 2 * 8 * 32 * 4096 * 256
    assert line(found, "softmax inside").value == 5 * 8 * 32 * 4096
    assert line(found, "softmax inside").substituted == "5·8·32·4096"
    assert line(found, "kv_values").answer == "2048"
    assert line(found, "pairs").value == 4096


def test_weight_only_formats_show_dequantisation_and_do_not_add_it() -> None:
    found = explain(evaluated(weights="int4"), rows=("up_proj",))
    assert line(found, "dequantisation").value == pytest.approx(2 * 4096 * 14336)
    assert line(found, "FLOPs").value == 939_524_096


def test_formats_that_compute_as_they_are_stored_need_no_dequantisation() -> None:
    found = explain(evaluated(weights="fp8", activations="fp8"), rows=("up_proj",))
    assert all(entry.label != "dequantisation" for entry in found.lines)
    assert "fp8" in remarks(found)


def test_eager_launches_are_a_part_of_the_time() -> None:
    found = explain(evaluated(launch="eager"), rows=("input_layernorm",))
    assert line(found, "launch").value == 2e-6
    assert "Waits for kernel launches." in remarks(found)


def test_several_rows_are_summed_over_their_calls() -> None:
    found = explain(evaluated(), rows=("up_proj", "gate_proj"))
    assert found.heading == "2 operators"
    assert line(found, "FLOPs").value == 2 * 32 * 939_524_096
    assert line(found, "time").value == pytest.approx(2 * 32 * 117_735_424 / 2e12)


def test_a_fused_row_says_so_and_moves_only_its_weights() -> None:
    fused = study()
    fused = Study(
        hardware=fused.hardware,
        models=fused.models,
        active_model="llama",
        workload=fused.workload,
        overrides=(Override(row="input_layernorm", fused=True),),
    )
    found = explain(evaluate(fused, catalogue()), rows=("input_layernorm",))
    assert line(found, "bytes read").value == 2 * 4096
    assert line(found, "bytes written").value == 0
    assert "Fused" in remarks(found)


def test_an_own_kind_is_named_as_the_users() -> None:
    kind = OperatorKind(
        id="mine", en="Mine", dims=(Dim(name="n", default=10.0),), flops="3 * n", bytes_read="a * n", bytes_written="0"
    )
    own = Study(hardware=study().hardware, kinds=(kind,), operators=(OwnRow(id="1", name="try", kind="mine"),))
    found = explain(evaluate(own, catalogue()), rows=("try",))
    assert line(found, "FLOPs").substituted == "3·10"
    assert "your own operator kind “Mine”" in remarks(found)


def test_the_floor_is_the_larger_of_compute_and_compulsory_bytes() -> None:
    found = total("floor_s")
    streamed = WEIGHTS - EMBEDDING + 8 * 4096 * 2
    kv_written = 8 * KV_SEQUENCE / 4096
    logits = 2 * 8 * 128_256
    wanted = streamed + 8 * KV_SEQUENCE + kv_written + logits
    assert line(found, "compulsory bytes").answer == "19.3 GB"
    assert evaluated().devices[0].totals.floor_s == pytest.approx(wanted / 2e12)
    assert line(found, "step, at least").substituted == "max(138 µs, 9.65 ms)"


def test_the_expected_band_divides_the_sum_of_operators() -> None:
    found = line(total("expected_s"), "expected")
    assert found.substituted == "9.70 ms/0.8…9.70 ms/0.6"
    assert found.answer == "12.1 ms–16.2 ms"


def test_tokens_per_second_follow_from_the_floor() -> None:
    assert line(total("tokens_per_s"), "all requests").value == pytest.approx(8 / evaluated().devices[0].totals.floor_s)
    assert line(total("tokens_per_s_per_request"), "per request").substituted == "1 / 9.65 ms"


def test_simple_lines_are_weights_and_kv_over_bandwidth() -> None:
    streamed = (WEIGHTS - EMBEDDING + 8 * 4096 * 2 + 8 * KV_SEQUENCE) / 2e12
    assert line(total("streamed_s"), "simple: streamed").answer == f"{streamed * 1e3:.2f} ms"
    whole = (WEIGHTS + 8 * KV_SEQUENCE) / 2e12
    assert line(total("whole_file_s"), "simple: whole file").answer == f"{whole * 1e3:.1f} ms"


def test_memory_is_the_sum_of_its_parts_and_what_is_left() -> None:
    found = total("memory_bytes", reserve=2e9)
    assert line(found, "memory held").substituted == "16.1 G\u2009+\u20094.29 G\u2009+\u20090\u2009+\u20092.00 G"
    assert line(found, "left over").answer == "57.6 GB"
    assert line(found, "reserve").source == "Set by you."


def test_kv_is_batch_times_context_times_bytes_per_token() -> None:
    found = total("kv_bytes")
    assert line(found, "KV cache").substituted == "8·537 M"
    assert line(found, "KV per sequence").substituted == "4096·131 k"
    assert line(found, "KV per token").answer == "131 kB"


def test_kv_half_is_streamed_weights_over_kv_of_a_sequence() -> None:
    found = line(total("kv_half_batch"), "KV-half batch")
    assert found.value == pytest.approx((WEIGHTS - EMBEDDING) / KV_SEQUENCE, rel=1e-3)
    assert (found.formula, found.result) == ("W/K", "27")


def test_decode_that_never_turns_compute_bound_says_why() -> None:
    found = line(total("ridge_batch"), "ridge batch")
    assert found.result == "never"
    assert "grows faster" in found.source


def test_the_ridge_batch_of_a_short_context_is_a_number() -> None:
    assert (line(total("ridge_batch", context=1), "ridge batch").value or 0) > 400


def test_the_fit_batch_is_what_is_left_over_by_kv_of_a_sequence() -> None:
    assert line(total("fit_batch"), "fits up to batch").value == (80e9 - WEIGHTS) // KV_SEQUENCE == 119


def test_capacity_not_known_is_said_and_never_zero() -> None:
    found = explain(evaluated(device(capacity=None)), total="capacity")
    assert found.lines[0].result == "–"
    assert "lists no capacity" in found.lines[0].source


def test_compute_that_is_not_judged_is_said() -> None:
    found = explain(evaluated(weights="fp8", activations="fp8"), total="peak")
    assert "bf16 stands in: Round lists no fp8 peak." in remarks(found)


@pytest.mark.parametrize("key", sorted(TOTALS))
@pytest.mark.parametrize("phase", ["prefill", "decode"])
def test_every_total_has_an_explanation_in_both_phases(key: str, phase: str) -> None:
    found = total(key, phase=phase)
    assert found.heading == found.lines[0].label
    assert all(entry.label or entry.source for entry in found.lines)
    assert not any("explain." in entry.label + entry.source for entry in found.lines)


def test_operators_without_a_model_have_no_tokens_and_say_so() -> None:
    own = Study(hardware=study().hardware, operators=(OwnRow(id="1", name="try", kind="matmul"),))
    found = explain(evaluate(own, catalogue()), total="tokens_per_s")
    assert found.lines[0].result == "–"
    assert "yield no tokens" in found.lines[0].source


def test_nothing_selected_explains_the_step_and_no_device_asks_for_one() -> None:
    assert explain(evaluated()).heading == "The step on Round"
    assert "Choose a device" in remarks(explain(evaluate(Study(), catalogue())))


def test_rows_that_are_not_of_this_step_are_said_to_be_so() -> None:
    assert "not part of this step" in remarks(explain(evaluated(), rows=("gone",)))
