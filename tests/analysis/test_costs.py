"""Costs of every kind, worked by hand from the conventions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.catalogue.kinds import Derived, Dim, OperatorKind
from explorer.analysis.problem import Refused
from explorer.analysis.step.costs import checked_costs, compile_kind, known_kind, row_costs
from explorer.analysis.step.rows import Row

# kind, dims, (FLOPs, bytes read, bytes written) at 16 bit; by hand
CASES = [
    ("matmul", {"m": 3, "n": 5, "k": 7}, (210, 2 * 21 + 2 * 35, 30)),
    ("qkv_matmul", {"m": 3, "n": 5, "n_kv": 2, "k": 7}, (210, 2 * 21 + 2 * 35, 2 * 3 * 5)),
    ("batched_matmul", {"b": 2, "m": 3, "n": 5, "k": 7}, (420, 2 * 42 + 2 * 70, 60)),
    ("grouped_matmul", {"groups": 4, "m": 6, "n": 5, "k": 7}, (420, 84 + 280, 60)),
    ("absorbed_matmul", {"heads": 2, "m": 3, "n": 5, "k": 7}, (420, 84 + 140, 60)),
    ("moe_matmul", {"tokens": 2, "experts": 8, "top_k": 2, "n": 5, "k": 7}, (280, 56 + 2 * 3.5 * 35, 40)),
    (
        "conv2d",
        {"N": 1, "C_in": 4, "C_out": 6, "H": 8, "W": 8, "K_h": 3, "K_w": 3, "stride": 2, "pad": 1, "groups": 2},
        (2 * 6 * 16 * 2 * 9, 2 * 256 + 2 * 6 * 2 * 9, 2 * 96),
    ),
    (
        "conv1d",
        {"N": 1, "C_in": 4, "C_out": 6, "L": 8, "K": 3, "stride": 2, "pad": 1, "groups": 2},
        (2 * 6 * 4 * 2 * 3, 2 * 4 * 8 + 2 * 6 * 2 * 3, 2 * 6 * 4),
    ),
    (
        "conv_transpose",
        {"N": 3, "C_in": 4, "C_out": 6, "L": 5, "L_out": 10, "K": 4, "groups": 2, "bias": 7},
        (2 * 3 * 5 * 4 * 3 * 4, 2 * 3 * 4 * 5 + 2 * 4 * 3 * 4 + 7, 2 * 3 * 6 * 10),
    ),
    (
        "attention",
        {"b": 2, "heads": 4, "kv_heads": 2, "S_q": 3, "S_k": 3, "D_qk": 8, "D_v": 6},
        (2 * 2 * 4 * 6 * 14, 2 * 2 * 4 * 3 * 8 + 2 * 2 * 3 * 2 * 14, 2 * 2 * 4 * 3 * 6),
    ),
    (
        "attention_standard",
        {"b": 1, "heads": 2, "kv_heads": 2, "S_q": 3, "S_k": 3, "D_qk": 4, "D_v": 4},
        (2 * 2 * 9 * 8, 2 * 24 + 2 * 3 * 2 * 8 + 4 * 18, 2 * 24 + 4 * 18),
    ),
    ("layer_norm", {"rows": 3, "channels": 10}, (210, 60 + 40, 60)),
    ("rms_norm", {"rows": 3, "channels": 10}, (120, 60 + 20, 60)),
    ("softmax", {"values": 10}, (50, 20, 20)),
    ("relu", {"values": 10}, (10, 20, 20)),
    ("silu", {"values": 10}, (40, 20, 20)),
    ("gelu", {"values": 10}, (80, 20, 20)),
    ("gated_silu", {"values": 10}, (50, 40, 20)),
    ("gated_gelu", {"values": 10}, (90, 40, 20)),
    ("gated_relu2", {"values": 10}, (30, 40, 20)),
    ("residual_add", {"values": 10}, (10, 40, 20)),
    ("multiply", {"values": 10}, (10, 40, 20)),
    ("rotary", {"tokens": 4, "positions": 2, "heads": 3, "dim": 8}, (288, 2 * 96 + 2 * 16, 192)),
    ("embedding", {"tokens": 4, "hidden": 8}, (0, 64, 64)),
    ("reduction", {"values": 10}, (10, 20, 0)),
    ("scale", {"values": 10, "per_value": 3}, (30, 20, 20)),
    ("router", {"tokens": 2, "experts": 8, "top_k": 2}, (80, 32, 8)),
    ("combine", {"tokens": 2, "top_k": 2, "hidden": 8}, (64, 64, 32)),
    (
        "chunked_attention",
        {"b": 2, "heads": 4, "kv_heads": 2, "S_q": 10, "S_k": 10, "D_qk": 8, "D_v": 6, "chunk": 4},
        (2 * 2 * 4 * (10 + 10 + 3) * 14, 2 * 2 * 4 * 10 * 8 + 2 * 2 * 10 * 2 * 14, 2 * 2 * 4 * 10 * 6),
    ),
    (
        "block_attention",  # ten tokens, two to either side: 44 pairs
        {"b": 2, "heads": 3, "S": 10, "D": 5, "block": 4, "step": 2, "reach": 2},
        (2 * 2 * 3 * 5 * (44 + 44), 2 * 2 * 3 * 10 * 5 * 3, 2 * 2 * 3 * 10 * 5),
    ),
    (
        "block_attention",  # whole blocks: four of 4 tokens, 12 block pairs each way
        {"b": 2, "heads": 3, "S": 10, "D": 5, "block": 4, "step": 2, "reach": 2, "masked": 0},
        (2 * 2 * 3 * 5 * 2 * 16 * 12, 2 * 2 * 3 * 10 * 5 * 3, 2 * 2 * 3 * 10 * 5),
    ),
    (
        "index_scores",
        {"b": 1, "heads": 2, "S_q": 8, "S_k": 8, "D": 4, "rate": 4, "topk": 1},
        (2 * 2 * (4 * 1 + 2) * 5, 2 * 8 * 2 * 5 + 2 * 2 * 4, 4 * 8 * 1),  # queries see 0 0 0 1 1 1 1 2 keys
    ),
    (
        "compressed_attention",
        {"b": 1, "heads": 2, "S_q": 8, "S_k": 8, "D": 4, "window": 3, "rate": 2, "topk": 2},
        (4 * 2 * (1 + 2 + 6 * 3 + 0 + 1 + 1 + 5 * 2) * 4, 2 * 2 * 8 * 4 + 2 * (8 + 4) * 4, 2 * 2 * 8 * 4),
    ),
    ("compress_kv", {"tokens": 8, "width": 6, "rate": 4, "size": 3}, (384, 2 * 2 * 48 + 2 * 24, 2 * 2 * 3)),
    (
        "causal_conv1d",
        {"b": 2, "tokens": 6, "channels": 5, "kernel": 4, "carried": 1},
        (2 * 6 * 5 * 4, 60 + 40 + 2 * 2 * 5 * 3, 60 + 2 * 2 * 5 * 3),
    ),
    (
        "gated_delta_rule",
        {"b": 2, "tokens": 6, "heads": 4, "key_heads": 2, "D_k": 3, "D_v": 5, "carried": 1},
        (6 * (4 * (7 * 15 + 20) + 36), 2 * 6 * (12 + 28) + 2 * 8 + 4 * 2 * 60, 2 * 6 * 20 + 4 * 2 * 60),
    ),
    (
        "selective_scan",
        {"b": 2, "tokens": 6, "channels": 5, "size": 3, "carried": 1},
        (6 * 5 * 28, 2 * 6 * 16 + 2 * 5 * 4 + 4 * 2 * 15, 2 * 6 * 5 + 4 * 2 * 15),
    ),
    (
        "state_space_scan",
        {"b": 2, "tokens": 6, "heads": 4, "D": 5, "groups": 2, "size": 3, "carried": 1},
        (6 * 4 * (75 + 15 + 6), 2 * 6 * (24 + 12) + 2 * 12 + 4 * 2 * 60, 2 * 6 * 20 + 4 * 2 * 60),
    ),
    (
        "wkv5",
        {"b": 2, "tokens": 6, "heads": 4, "D": 3, "carried": 1},
        (6 * 4 * 60, 2 * 6 * 36 + 2 * 24 + 4 * 2 * 36, 2 * 6 * 12 + 4 * 2 * 36),
    ),
    (
        "wkv4",
        {"b": 2, "tokens": 6, "channels": 5, "carried": 1},
        (23 * 30, 2 * 60 + 2 * 10 + 4 * 2 * 15, 60 + 4 * 2 * 15),
    ),
    (
        "decayed_attention",
        {"b": 2, "tokens": 6, "heads": 4, "D_k": 3, "D_v": 5, "carried": 1},
        (6 * 4 * 75, 2 * 6 * 4 * 11 + 4 * 2 * 60, 2 * 6 * 20 + 4 * 2 * 60),
    ),
    (
        "rg_lru",
        {"b": 2, "tokens": 6, "channels": 5, "carried": 1},
        (17 * 30, 2 * 3 * 30 + 2 * 5 + 4 * 2 * 5, 2 * 30 + 4 * 2 * 5),
    ),
    (
        "token_shift",
        {"b": 2, "tokens": 6, "hidden": 5, "mixes": 3, "carried": 1},
        (270, 2 * 30 + 2 * 15 + 2 * 10, 2 * 90 + 2 * 10),
    ),
    ("hyper_connection", {"tokens": 3, "streams": 4, "hidden": 5}, (3 * 5 * 40, 2 * 3 * (25 + 20), 2 * 3 * 20)),
    ("gated_sigmoid", {"values": 10}, (40, 40, 20)),
    ("relu2", {"values": 10}, (20, 20, 20)),
    ("cast", {"values": 10}, (0, 20, 20)),
    ("copy", {"values": 10}, (0, 20, 20)),
    ("transpose", {"values": 10}, (0, 20, 20)),
    ("optimizer_adam", {"params": 10}, (180, 140, 140)),
    ("quick_weights", {"tokens": 2, "params": 10}, (40, 20, 0)),
    ("quick_kv", {"b": 1, "context": 3, "layers": 2, "kv_heads": 2, "head_dim": 4}, (192, 192, 0)),
]


@pytest.mark.parametrize(("kind", "dims", "expected"), CASES, ids=[c[0] for c in CASES])
def test_a_kind_costs_what_the_conventions_say(catalogue, kind, dims, expected):
    costs = row_costs(Row(kind, kind, dims), catalogue)
    assert (costs.flops, costs.bytes_read, costs.bytes_written) == pytest.approx(expected)


def test_every_kind_has_a_case(catalogue):
    assert {k.id for k in catalogue.kinds} == {c[0] for c in CASES}


def test_weights_count_at_their_own_format_with_block_scales(catalogue):
    row = Row("q", "matmul", {"m": 1, "n": 128, "k": 128}, weights="mxfp4")
    assert row_costs(row, catalogue).weight_bytes == pytest.approx(128 * 128 * 4.25 / 8)


@given(queries=st.integers(1, 40), before=st.integers(0, 40), window=st.integers(1, 60))
def test_windowed_causal_pairs_equal_the_sum_over_queries(catalogue, queries, before, window):
    keys = queries + before
    dims = {"b": 1, "heads": 1, "kv_heads": 1, "S_q": queries, "S_k": keys, "D_qk": 1, "D_v": 0, "window": window}
    pairs = row_costs(Row("a", "attention", dims), catalogue).flops / 2
    assert pairs == sum(min(position + 1, window) for position in range(before, keys))


@given(queries=st.integers(1, 40), before=st.integers(0, 40), chunk=st.integers(1, 50))
def test_pairs_within_chunks_equal_the_sum_over_queries(catalogue, queries, before, chunk):
    keys = queries + before
    dims = {"b": 1, "heads": 1, "kv_heads": 1, "S_q": queries, "S_k": keys, "D_qk": 1, "D_v": 0, "chunk": chunk}
    pairs = row_costs(Row("a", "chunked_attention", dims), catalogue).flops / 2
    assert pairs == sum(position % chunk + 1 for position in range(before, keys))


@given(
    queries=st.integers(1, 40),
    before=st.integers(0, 40),
    window=st.integers(1, 30),
    rate=st.integers(1, 9),
    topk=st.integers(1, 12),
)
def test_pairs_with_compressed_keys_equal_the_sum_over_queries(catalogue, queries, before, window, rate, topk):
    keys = queries + before
    dims = {"heads": 1, "S_q": queries, "S_k": keys, "D": 1, "window": window, "rate": rate, "topk": topk}
    attended = row_costs(Row("a", "compressed_attention", dims), catalogue).flops / 4
    scored = row_costs(Row("a", "index_scores", dims), catalogue).flops / 4
    positions = range(before, keys)
    assert attended == sum(min(p + 1, window) + min((p + 1) // rate, topk) for p in positions)
    assert scored == sum((p + 1) // rate for p in positions)


def test_a_decode_step_reads_only_the_keys_of_its_chunk_and_those_it_chose(catalogue):
    dims = {"b": 1, "heads": 1, "kv_heads": 1, "S_q": 1, "S_k": 8200, "D_qk": 1, "D_v": 1, "cached": 8200}
    assert row_costs(Row("a", "chunked_attention", dims), catalogue).kv_bytes == 2 * 2 * 8
    chosen = {"heads": 1, "S_q": 1, "S_k": 4000, "D": 1, "window": 128, "rate": 4, "topk": 512, "cached": 4000}
    assert row_costs(Row("a", "compressed_attention", chosen), catalogue).kv_bytes == 2 * (128 + 512)


def test_a_state_is_read_and_written_once_whatever_the_tokens(catalogue):
    dims = {"b": 3, "heads": 4, "key_heads": 2, "D_k": 8, "D_v": 8, "carried": 1}
    moved = {row_costs(Row("a", "gated_delta_rule", {**dims, "tokens": t}), catalogue).kv_bytes for t in (3, 300)}
    assert moved == {2 * 4 * 3 * 4 * 8 * 8}


def test_attention_counted_full_ignores_mask_and_window(catalogue):
    dims = {"b": 1, "heads": 1, "kv_heads": 1, "S_q": 5, "S_k": 9, "D_qk": 1, "D_v": 0, "window": 2, "causal": 0}
    assert row_costs(Row("a", "attention", dims), catalogue).flops == 2 * 45


def test_latent_attention_reads_its_keys_once_as_values_too(catalogue):
    dims = {
        "b": 1,
        "heads": 16,
        "kv_heads": 1,
        "S_q": 1,
        "S_k": 100,
        "D_qk": 576,
        "D_v": 512,
        "shared_kv": 1,
        "cached": 100,
    }
    assert row_costs(Row("a", "attention", dims), catalogue).kv_bytes == 2 * 100 * 576


def test_a_batch_of_arrays_equals_the_single_calls(catalogue):
    tokens = np.array([1.0, 2.0, 64.0])
    dims = {"experts": 128, "top_k": 8, "n": 768, "k": 2048}
    together = row_costs(Row("e", "moe_matmul", {**dims, "tokens": tokens}), catalogue)
    for i, t in enumerate(tokens):
        alone = row_costs(Row("e", "moe_matmul", {**dims, "tokens": float(t)}), catalogue)
        assert together.bytes_read[i] == pytest.approx(alone.bytes_read, rel=1e-12)


def test_distinct_experts_match_the_posted_figures(catalogue):
    """ik_llama.cpp#1630: of 128 experts, 8 per token: 15.5 distinct at 2 tokens, 112 at 32."""
    for tokens, distinct in ((1, 8.0), (2, 15.5), (32, 111.8)):
        row = Row("e", "moe_matmul", {"tokens": tokens, "experts": 128, "top_k": 8, "n": 1, "k": 1})
        assert row_costs(row, catalogue).weight_bytes / 2 == pytest.approx(distinct, rel=1e-3)


@given(scale=st.integers(2, 9))
def test_scaling_every_dim_of_a_matmul_scales_flops_by_the_cube(catalogue, scale):
    base = row_costs(Row("q", "matmul", {"m": 3, "n": 5, "k": 7}), catalogue).flops
    big = row_costs(Row("q", "matmul", {"m": 3 * scale, "n": 5 * scale, "k": 7 * scale}), catalogue).flops
    assert big == base * scale**3


def kind(**fields: object) -> OperatorKind:
    given_fields = {"id": "mine", "flops": "x", "bytes_read": "a * x", "bytes_written": "0", "dims": (Dim(name="x"),)}
    return OperatorKind(**{**given_fields, **fields})  # type: ignore[arg-type]


def test_every_fault_of_an_own_kind_is_named_with_its_field():
    with pytest.raises(Refused) as refused:
        compile_kind(kind(flops="y", bytes_read="x +", derived=(Derived(name="d", formula="import os"),)))
    assert [p.path for p in refused.value.problems] == ["derived[0].formula", "flops", "bytes_read"]


@pytest.mark.parametrize("name", ["a", "min", "class", "2x", "_hidden", "x y", ""])
def test_a_dim_may_not_take_a_name_that_formulas_need(name):
    with pytest.raises(Refused):
        compile_kind(kind(dims=(Dim(name=name), Dim(name="x"))))


def test_a_derived_figure_may_read_the_ones_before_it(catalogue):
    made = compile_kind(
        kind(derived=(Derived(name="d", formula="x * 2"), Derived(name="e", formula="d + 1")), flops="e")
    )
    assert made.costs(Row("r", "mine", {"x": 4.0}), catalogue.format_by_id).flops == 9.0


@pytest.mark.parametrize(
    ("flops", "x"),
    [("x - 9", 1.0), ("1 / (x - 1)", 1.0), ("(x - 9) ** 0.5", 1.0), ("x ** 400", 1e10), ("log2(x)", 0.0)],
)
def test_a_result_that_is_no_cost_is_refused(catalogue, flops, x):
    made = compile_kind(kind(flops=flops))
    with pytest.raises(Refused) as refused:
        checked_costs(Row("r", "mine", {"x": x}), made, dict(catalogue.format_by_id), "operators[0]")
    assert refused.value.problems[0].path.startswith("operators[0]")


def test_a_fused_projection_meets_its_weights_and_not_the_cache_it_writes(catalogue):
    assert compile_kind(catalogue.kind_by_id["qkv_matmul"]).partner == "weights"


def test_rows_looked_up_in_a_tied_table_are_weights_of_the_head_alone(catalogue):
    lookup = {"tokens": 10, "hidden": 64, "vocab": 4}
    alone, tied = (row_costs(Row("e", "embedding", {**lookup, "tied": t}), catalogue) for t in (0.0, 1.0))
    assert (alone.weight_bytes, tied.weight_bytes) == (4 * 64 * 2, 0)
    assert tied.bytes_read == alone.bytes_read == 10 * 64 * 2


def test_a_kind_of_the_programs_own_is_compiled_only_where_it_is_used(catalogue) -> None:
    unused = kind(id="unused", flops="not a formula")
    assert known_kind(unused).defaults == tuple((d.name, d.default) for d in unused.dims)
    with pytest.raises(Refused):
        compile_kind(unused)
