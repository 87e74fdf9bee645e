"""Decode: batch, KV cache and where it stops paying, on models whose figures are known."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.analysis.ask.knees import decode_line, knees
from explorer.analysis.ask.levers import levers
from explorer.analysis.ask.notes import notes
from explorer.analysis.step.evaluate import Evaluation, Evaluator, evaluate
from explorer.analysis.study.edits import add_model
from explorer.analysis.study.study import ModelEntry, QuickModel, Study
from tests.analysis.making import device, study

LLAMA_2_13B = {
    "model_type": "llama",
    "vocab_size": 32000,
    "hidden_size": 5120,
    "intermediate_size": 13824,
    "num_hidden_layers": 40,
    "num_attention_heads": 40,
    "num_key_value_heads": 40,
    "max_position_embeddings": 4096,
    "rms_norm_eps": 1e-05,
    "tie_word_embeddings": False,
    "hidden_act": "silu",
    "torch_dtype": "float16",
    "attention_bias": False,
    "mlp_bias": False,
}
MIXTRAL = {
    **LLAMA_2_13B,
    "model_type": "mixtral",
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "num_local_experts": 8,
    "num_experts_per_tok": 2,
    "torch_dtype": "bfloat16",
    "max_position_embeddings": 32768,
    "sliding_window": None,
}
CARD = device(rate=300e12, bandwidth=2e12, capacity=80e9, fmt="fp16")
QUICK_13B = QuickModel(params=13e9, layers=32, kv_heads=32, head_dim=128)


def quick(**workload: object) -> Study:
    return add_model(study(on=(CARD,), **workload), ModelEntry(id="q", name="13B", quick=QUICK_13B))


def real(config: dict[str, object], **workload: object) -> Study:
    return add_model(study(on=(CARD,), **workload), ModelEntry(id="m", name="m", config=config))


def one(evaluation: Evaluation):
    return evaluation.devices[0].totals


@pytest.mark.parametrize(("batch", "moved"), [(1, 27.1e9), (8, 34.6e9), (32, 60.4e9)])
def test_a_quick_13b_moves_its_file_and_its_kv_cache(catalogue, batch, moved):
    totals = one(evaluate(quick(batch=batch), catalogue))
    assert totals.floor_s * 2e12 == pytest.approx(moved, rel=2e-3)
    assert totals.floor_s == pytest.approx(totals.whole_file_s)


def test_batching_a_quick_13b_gains_what_its_kv_cache_leaves(catalogue):
    rates = {b: one(evaluate(quick(batch=b), catalogue)).tokens_per_s for b in (1, 8, 32)}
    assert rates[8] / rates[1] == pytest.approx(6.3, abs=0.05)
    assert rates[32] / rates[8] == pytest.approx(2.3, abs=0.05)


def test_quick_knees_follow_the_closed_forms(catalogue):
    evaluation = evaluate(quick(), catalogue)
    at = knees(evaluation, "dev")
    weights, kv = 26e9, 2 * 32 * 32 * 128 * 2 * 2048
    flops = 2 * 13e9 + kv / 2 * 2
    assert at.kv_half_batch == pytest.approx(weights / kv)
    assert at.fit_batch == (80e9 - weights) // kv
    assert at.knee_batch == pytest.approx(weights * 0.5 / (2 * kv * 0.5), rel=1e-3)
    ridge = 2e12 * flops / 300e12 - kv
    assert at.ridge_batch is None
    assert ridge < 0


def test_at_a_short_context_decode_turns_compute_bound_at_the_ridge_batch(catalogue):
    evaluation = evaluate(quick(context=1), catalogue)
    kv = 2 * 32 * 32 * 128 * 2
    expected = (26e9 / 2e12) / ((2 * 13e9 + kv) / 300e12 - kv / 2e12)
    assert knees(evaluation, "dev").ridge_batch == pytest.approx(expected, rel=1e-6)


def test_a_reserve_and_more_devices_move_the_fit_batch(catalogue):
    base = knees(evaluate(quick(), catalogue), "dev").fit_batch
    assert knees(evaluate(quick(reserve=10e9), catalogue), "dev").fit_batch < base
    two = quick()
    two = type(two)(
        **{f: getattr(two, f) for f in two.__struct_fields__}
        | {"hardware": (type(two.hardware[0])(id="dev", device=CARD, count=2),)}
    )
    assert knees(evaluate(two, catalogue), "dev").fit_batch > 2 * base


def test_moe_weights_grow_with_the_batch_and_its_kv_half_is_solved(catalogue):
    evaluation = evaluate(real(MIXTRAL, context=8192), catalogue)
    line = decode_line(evaluation)
    assert line.weights[0] < line.weights[-1]
    half = knees(evaluation, "dev").kv_half_batch
    assert line.weights_at(half) == pytest.approx(half * line.kv, rel=2e-2)


def test_the_floor_is_never_above_the_step_time(catalogue):
    for batch in (1, 7, 64, 500):
        totals = one(evaluate(real(LLAMA_2_13B, batch=batch), catalogue))
        assert totals.floor_s <= totals.time_s * (1 + 1e-12)


def test_a_grid_equals_the_loop_over_its_points(catalogue):
    base = real(MIXTRAL)
    evaluator = Evaluator(base, catalogue)
    batches, contexts = np.array([1.0, 3.0, 64.0]), np.array([1.0, 777.0, 30000.0])
    grid = evaluator.sweep(evaluator.step(batch=batches[:, None], context=contexts[None, :]), evaluator.machines)[0]
    for i, b in enumerate(batches):
        for j, c in enumerate(contexts):
            alone = evaluator.sweep(evaluator.step(batch=float(b), context=float(c)), evaluator.machines)[0]
            for name in ("time_s", "floor_s", "streamed_s", "whole_file_s", "memory_bytes", "tokens_per_s"):
                assert np.broadcast_to(getattr(grid, name), (3, 3))[i, j] == pytest.approx(
                    getattr(alone, name), rel=1e-12
                )


@settings(max_examples=40, deadline=None)
@given(batch=st.integers(1, 2000), context=st.integers(1, 100_000))
def test_a_larger_batch_or_context_is_never_faster_per_step(catalogue, batch, context):
    evaluator = Evaluator(real(LLAMA_2_13B), catalogue)

    def step_s(b: float, c: float) -> float:
        return float(evaluator.sweep(evaluator.step(batch=b, context=c), evaluator.machines)[0].time_s)

    now = step_s(float(batch), float(context))
    assert step_s(batch + 1.0, float(context)) >= now
    assert step_s(float(batch), context + 1.0) >= now


def test_prefill_rates_count_the_prompt_tokens(catalogue):
    totals = one(evaluate(real(LLAMA_2_13B, phase="prefill", batch=4, context=512), catalogue))
    assert totals.tokens_per_s == pytest.approx(4 * 512 / totals.floor_s)
    assert totals.tokens_per_s_per_request == pytest.approx(512 / totals.floor_s)


def test_eight_bit_weights_halve_what_is_not_kept_wide(catalogue):
    evaluation = evaluate(real(LLAMA_2_13B, context=1), catalogue)
    gains = {lever.code: lever.gain for lever in levers(evaluation, "dev")}
    head = 32000 * 5120 * 2
    streamed = float(evaluation.traffic.weights_streamed)
    norms = (2 * 40 + 1) * 5120 * 2
    lighter = head + norms + (streamed - head - norms) / 2
    assert gains["lever.weights8"] == pytest.approx(streamed / lighter, rel=2e-3)


def test_a_study_with_only_its_view_changed_keeps_its_figures(catalogue):
    evaluation = evaluate(quick(), catalogue)
    other = type(evaluation.study)(
        **{f: getattr(evaluation.study, f) for f in evaluation.study.__struct_fields__}
        | {"view": type(evaluation.study.view)(selection=("weights",))}
    )
    assert evaluation.viewed(other).devices is evaluation.devices
    assert evaluation.viewed(other).study is other


def test_a_refused_model_is_a_problem_and_its_rows_are_left_out(catalogue):
    evaluation = evaluate(real_or_refused(), catalogue)
    assert evaluation.problems
    assert evaluation.rows == ()


def real_or_refused() -> Study:
    base = study(on=(CARD,))
    entry = ModelEntry(id="x", name="x", config={"model_type": "nosuch"})
    return add_model(base, entry)


@pytest.mark.parametrize(("context", "beyond"), [(4096, False), (4097, True), (10_000_000, True)])
def test_a_context_beyond_the_models_own_is_remarked(catalogue, context, beyond):
    entry = ModelEntry(id="m", name="m", config={**LLAMA_2_13B, "max_position_embeddings": 4096})
    found = notes(evaluate(add_model(study(context=context), entry), catalogue))
    remarks = [n for n in found if n.code == "note.beyond_max_context"]
    assert [n.values for n in remarks] == ([{"context": context, "most": 4096}] if beyond else [])
