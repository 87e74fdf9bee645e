"""Rows of a step: what is computed and moved, in which formats, under which names."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.models import build_model
from explorer.analysis.models.checkpoint.stored_formats import merged_formats
from explorer.analysis.models.model import TensorGroup
from explorer.analysis.models.registry import reader_of
from explorer.analysis.problem import Refused
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.step.rows import Row
from tests.analysis.models.test_streamed import shared_uses

Small = Callable[..., dict[str, Any]]
Rows = Callable[..., dict[str, Row]]
Cost = Callable[[Row], Costs]
# an index, the current chunk, a window on a cache that is kept whole
READS_LESS = {"deepseek_v32", "glm_moe_dsa", "deepseek_v4", "llama4", "llama4_text", "gpt_neo"}
# weights that layers share or read twice, tables of distances, parts that are held and idle, a table for each side
APART = {
    "albert", "deberta", "deberta-v2", "esm", "layoutlmv3", "led", "longformer", "longt5", "marian", "roformer",
    "t5gemma", "xlnet", "mobilebert", "mask2former", "grounding-dino",
}  # fmt: skip
BY_DEFAULT = {
    "token_type": "type_vocab_size",
    "task_type": "task_type_vocab_size",
    "relative_attention_bias": "relative_attention_num_buckets",
}
TENSOR = {"matmul", "qkv_matmul", "attention", "moe_matmul", "absorbed_matmul"}


def test_row_names_are_unique_in_both_phases(config: dict[str, Any]) -> None:
    model = build_model(config)
    for phase in model.phases:
        names = [row.name for row in model.rows(one_step(phase, 1, 100))]
        assert len(names) == len(set(names))


def test_every_row_is_of_a_kind_that_knows_its_dims(config: dict[str, Any], catalogue: Catalogue) -> None:
    model = build_model(config)
    for phase in model.phases:
        for row in model.rows(one_step(phase, 1, 100)):
            assert set(row.dims) <= {dim.name for dim in catalogue.kind_by_id[row.kind].dims}
            formats = {row.weights, row.activations, row.output, row.kv}
            assert formats <= merged_formats(catalogue.format_by_id, model.own_formats).keys()


def test_weights_streamed_at_batch_one_are_the_resident_ones_but_the_table_and_idle_experts(
    config: dict[str, Any], catalogue: Catalogue, cost: Cost
) -> None:
    if config["model_type"] in APART:
        pytest.skip("worked out apart, in tests of the family")
    model = build_model(config)
    whole = model.phases[-1:] if model.architecture.encoder is None else model.phases
    rows = [row for phase in whole for row in model.rows(one_step(phase, 1, 1))]
    tables = sum(row.count * cost(row).weight_bytes for row in rows if row.kind == "embedding")
    streamed = sum(row.count * cost(row).weight_bytes for row in rows if row.kind != "embedding")
    formats = model.formats(one_step("decode", 1, 100))
    known = merged_formats(catalogue.format_by_id, model.own_formats)
    bytes_of = {kind: known[getattr(formats, kind)].bytes for kind in ("linear", "kept", "wide")}
    unread = [g for g in model.tensors if g.role in {"embedding", "vision"} or g.name == "encoder_attn"]
    read = [(g, g.count if g.role == "router" else g.active) for g in model.tensors if g not in unread]
    resident = sum(count * _each(g, bytes_of) for g, count in read)
    shared = [
        g for g in model.tensors if g.name.startswith("shared_transf")
    ]  # a block is read by each layer that uses it
    resident += sum((shared_uses(model) - g.count) * g.values_each * bytes_of[g.storage] for g in shared)
    if model.tied:  # the head streams the table, which the lookup then does not count again
        table = next(g for g in model.tensors if g.role == "embedding" and "position" not in g.name)
        resident += table.values * bytes_of["wide"]
        unread.remove(table)
    assert streamed == pytest.approx(resident, rel=1e-12)
    if model.architecture.encoder is not None or model.architecture.encoder_tokens is not None:
        return  # its tables are read in both phases, or by a text of another length
    widths = [g.values_each / _rows_of_table(config, g.name) for g in unread if g.role == "embedding"]
    assert tables == sum(widths) * bytes_of["wide"]


def _each(group: TensorGroup, bytes_of: dict[str, float]) -> float:
    packing = group.packing
    if packing is None:
        return group.values_each * bytes_of[group.storage]
    return group.values_each * packing.bits / 8 + packing.beside


def _rows_of_table(config: dict[str, Any], name: str) -> int:
    inner = config.get("thinker_config", config.get("vlm_config", config.get("semantic_config", config)))
    text = inner.get("text_config", inner)
    for start, field in BY_DEFAULT.items():
        if name.startswith(start):
            return int(text.get(field) or _default(config, field))
    if name.startswith("embed_positions"):
        return int(text["max_position_embeddings"]) + 2
    if name.startswith("position_embeddings"):
        return int(text["max_position_embeddings"])
    if name.startswith("embed_tokens.embed_audio"):
        return int(text["num_codebooks"]) * int(text["vocab_size"])
    if name.startswith(("wpe", "positions_embed", "position_embeds")):
        return int(text.get("n_positions") or text.get("block_size") or text["max_position_embeddings"])
    spare = 8 if "mllama" in config["model_type"] else 0
    return int(text.get("padded_vocab_size") or text.get("input_vocab_size") or text["vocab_size"]) + spare


def _default(config: dict[str, Any], name: str) -> int:
    reader = reader_of(config["model_type"])
    assert reader is not None
    found = reader.defaults[name]
    assert isinstance(found, int)
    return found


def test_kv_read_in_decode_is_the_cache_held(config: dict[str, Any], cost: Cost) -> None:
    model = build_model(config)
    if "decode" not in model.phases:
        assert model.kv_bytes(3, 1000, 2.0) == 0
        return
    for context in (50, 128, 1000):
        read = sum(row.count * cost(row).kv_bytes for row in model.rows(one_step("decode", 3, context, kv="bf16")))
        if config["model_type"] in READS_LESS:
            assert read < model.kv_bytes(3, context, 2.0) or context <= 128
        else:  # a state is read and written
            assert read == model.kv_bytes(3, context, 2.0) + 2 * model.state_bytes(3)


def test_a_grid_of_batches_and_contexts_equals_its_single_points(config: dict[str, Any], cost: Cost) -> None:
    model, batches, contexts = build_model(config), np.array([[1], [7]]), np.array([[60, 128, 5000]])
    for phase in model.phases:
        for row in model.rows(one_step(phase, batches, contexts)):
            grid = np.broadcast_to(cost(row).bytes_read, (2, 3))
            for i, j in np.ndindex(2, 3):
                points = model.rows(one_step(phase, int(batches[i, 0]), int(contexts[0, j])))
                point = next(p for p in points if p.name == row.name)
                assert grid[i, j] == pytest.approx(float(cost(point).bytes_read), rel=1e-12)


def test_logits_are_for_the_last_position_unless_all_are_asked_for(small: Small, rows_of: Rows) -> None:
    assert rows_of(small("llama"), "prefill", 2, 100)["lm_head"].dims["m"] == 2
    assert rows_of(small("llama"), "prefill", 2, 100, logits="all")["lm_head"].dims["m"] == 200
    assert rows_of(small("llama"), "decode", 2, 100, logits="all")["lm_head"].dims["m"] == 2


def test_windowed_layers_read_no_more_than_their_window_in_decode(small: Small, rows_of: Rows) -> None:
    rows = rows_of(small("gemma3_text"), context=1000)
    assert (rows["attention[sliding]"].dims["S_k"], rows["attention"].dims["S_k"]) == (128, 1000)
    assert (rows["attention[sliding]"].count, rows["attention"].count) == (4, 2)
    assert rows_of(small("gemma3_text"), context=100)["attention[sliding]"].dims["S_k"] == 100


def test_a_window_limits_pairs_in_prefill_but_not_when_counted_full(small: Small, rows_of: Rows, cost: Cost) -> None:
    masked = cost(rows_of(small("mistral"), "prefill", 1, 1000)["attention"])
    full = cost(rows_of(small("mistral"), "prefill", 1, 1000, attention_count="full")["attention"])
    pairs = sum(min(i + 1, 128) for i in range(1000))
    assert masked.flops == 2 * 8 * pairs * 64
    assert full.flops == 2 * 8 * 1000 * 1000 * 64
    assert masked.bytes_read == full.bytes_read


def test_latent_attention_is_expanded_in_prefill_and_absorbed_in_decode(small: Small, rows_of: Rows) -> None:
    prefill, decode = (rows_of(small("deepseek_v3"), phase) for phase in ("prefill", "decode"))
    assert prefill["kv_b_proj"].kind == "matmul"
    assert (prefill["attention"].dims["D_qk"], prefill["attention"].dims["kv_heads"]) == (48, 8)
    assert "kv_b_proj" not in decode
    assert {decode[f"kv_b_proj[{half}]"].kind for half in "kv"} == {"absorbed_matmul"}
    assert (decode["attention"].dims["D_qk"], decode["attention"].dims["D_v"]) == (80, 64)
    assert (decode["attention"].dims["kv_heads"], decode["attention"].dims["shared_kv"]) == (1, 1)


def test_rows_run_in_execution_order(small: Small) -> None:
    names = [row.name for row in build_model(small("deepseek_v2")).rows(one_step("decode", 1, 100))]
    order = ["embed_tokens", "q_proj", "kv_a_proj_with_mqa", "attention", "o_proj", "down_proj[dense]", "gate"]
    order += ["experts.gate_proj", "combine", "shared_experts.down_proj", "mlp.residual_add", "norm", "lm_head"]
    assert [name for name in names if name in order] == order


def test_modules_of_one_name_are_told_apart_by_their_parents(small: Small, rows_of: Rows) -> None:
    assert {"attn.c_proj", "mlp.c_proj", "c_attn", "c_fc"} <= rows_of(small("gpt2")).keys()


def test_layers_of_a_mixture_are_sparse_where_the_config_says_so(small: Small, rows_of: Rows) -> None:
    rows = rows_of(small("qwen3_moe"))  # of layers 1, 3, 5 the first is named in mlp_only_layers
    assert (rows["experts.up_proj"].count, rows["up_proj[dense]"].count) == (2, 4)
    summary = build_model(small("qwen3_moe")).layers
    assert [(layer.indices, layer.mlp) for layer in summary] == [((0, 1, 2, 4), "dense"), ((3, 5), "moe 4 of 16")]


def test_norms_of_queries_and_keys_span_a_head_or_the_whole_width(small: Small, rows_of: Rows) -> None:
    head, width = (rows_of(small(name), batch=3)["k_norm"].dims for name in ("qwen3", "olmo2"))
    assert (head["rows"], head["channels"]) == (3 * 2, 48)
    assert (width["rows"], width["channels"]) == (3, 2 * 32)


def test_part_of_a_head_is_rotated_where_the_config_says_so(small: Small, rows_of: Rows) -> None:
    assert rows_of(small("phi3"))["rotary_emb"].dims["dim"] == 16
    assert rows_of(small("llama"))["rotary_emb"].dims["dim"] == 32


def test_keys_and_values_leave_their_projections_in_the_kv_format(small: Small, rows_of: Rows) -> None:
    rows = rows_of(small("llama"), kv="fp8")
    assert [rows[name].output for name in ("q_proj", "k_proj", "v_proj", "o_proj")] == ["bf16", "fp8", "fp8", "bf16"]
    assert rows["attention"].kv == "fp8"
    assert rows_of(small("deepseek_v3"), kv="fp8")["kv_a_proj_with_mqa"].output == "fp8"


@pytest.mark.parametrize(("kind", "name", "kv_width"), [("phi3", "qkv_proj", 2 * 2 * 32), ("gpt2", "c_attn", 2 * 256)])
def test_keys_and_values_of_a_fused_projection_are_written_in_the_kv_format(
    small: Small, rows_of: Rows, cost: Cost, kind: str, name: str, kv_width: int
) -> None:
    wide = cost(rows_of(small(kind, torch_dtype="bfloat16"), batch=3)[name])
    narrow = cost(rows_of(small(kind, torch_dtype="bfloat16"), batch=3, kv="fp8")[name])
    assert wide.bytes_written == 3 * 2 * (256 + kv_width)
    assert narrow.bytes_written == 3 * (2 * 256 + 1 * kv_width)
    assert (narrow.flops, narrow.bytes_read) == (wide.flops, wide.bytes_read)


def test_a_chosen_weight_format_leaves_norms_tables_routers_and_head_wide(small: Small, rows_of: Rows) -> None:
    rows = rows_of(small("mixtral"), weights="Q4_K")
    assert {rows[n].weights for n in ("q_proj", "experts.down_proj")} == {"Q4_K"}
    assert {rows[n].weights for n in ("input_layernorm", "embed_tokens", "gate", "lm_head")} == {"bf16"}
    wide = rows_of(small("mixtral"), weights="fp32")
    assert {row.weights for row in wide.values()} == {"fp32"}


def test_activations_are_stored_as_asked_where_that_is_a_wide_format(small: Small, rows_of: Rows) -> None:
    """Narrow ones are what linear layers read; between them values stay as the checkpoint has them."""
    stored = {a: rows_of(small("llama"), activations=a)["o_proj"] for a in ("fp16", "fp32", "fp8")}
    assert {a: (row.activations, row.output) for a, row in stored.items()} == {
        "fp16": ("fp16", "fp16"),
        "fp32": ("fp32", "fp32"),
        "fp8": ("fp8", "bf16"),
    }


@pytest.mark.parametrize(("model_type", "part"), [("qwen3_next", 0.25), ("qwen3_5_text", 0.25), ("llama", 1.0)])
def test_a_part_of_each_head_is_rotated_where_a_config_says_none(
    small: Small, rows_of: Rows, model_type: str, part: float
) -> None:
    config = small(model_type, partial_rotary_factor=..., rope_parameters=..., rope_scaling=...)
    width = config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]
    assert rows_of(config)["rotary_emb"].dims["dim"] == part * width


def test_block_scaled_fp8_checkpoints_multiply_in_fp8_and_store_activations_in_bf16(
    small: Small, rows_of: Rows
) -> None:
    rows = rows_of(small("deepseek_v3"))
    assert (rows["o_proj"].weights, rows["o_proj"].activations, rows["o_proj"].output) == (
        "fp8-block128",
        "fp8",
        "bf16",
    )
    assert (rows["lm_head"].weights, rows["lm_head"].activations) == ("bf16", "bf16")
    assert rows_of(small("deepseek_v3"), activations="bf16")["o_proj"].activations == "bf16"
    assert rows_of(small("deepseek_v3"), weights="bf16")["o_proj"].activations == "bf16"


def test_modules_a_checkpoint_leaves_out_stay_wide_until_another_format_is_chosen(small: Small, rows_of: Rows) -> None:
    own, stated, chosen = (rows_of(small("gpt_oss"), weights=w) for w in (None, "mxfp4", "int8"))
    for rows in (own, stated):
        assert (rows["q_proj"].weights, rows["experts.down_proj"].weights) == ("bf16", "mxfp4")
    assert {chosen[n].weights for n in ("q_proj", "experts.down_proj")} == {"int8"}


def test_single_layers_left_unquantised_get_rows_of_their_own(small: Small, rows_of: Rows) -> None:
    quantised = {"quant_method": "fp8", "modules_to_not_convert": ["model.layers.0.self_attn.o_proj", "lm_head"]}
    rows = rows_of(small("llama", quantization_config=quantised))
    kept, others = rows["o_proj[unquantised]"], rows["o_proj"]
    assert (kept.count, kept.weights) == (1, "bf16")
    assert (others.count, others.weights) == (5, "fp8")


def test_resident_bytes_follow_the_format(small: Small, catalogue: Catalogue) -> None:
    model = build_model(small("llama"))
    linear = sum(g.values for g in model.tensors if g.storage == "linear")
    assert model.weight_bytes(None, catalogue.format_by_id) == 2 * model.parameters
    assert model.weight_bytes("fp8", catalogue.format_by_id) == 2 * model.parameters - linear
    assert model.weight_bytes("fp32", catalogue.format_by_id) == 4 * model.parameters
    with pytest.raises(Refused):
        model.weight_bytes("fp7", catalogue.format_by_id)


def test_a_long_prompt_streams_no_more_of_a_table_than_the_table(small: Small, rows_of: Rows, cost: Cost) -> None:
    short = cost(rows_of(small("llama"), phase="prefill", batch=1, context=10)["embed_tokens"])
    long = cost(rows_of(small("llama"), phase="prefill", batch=8, context=1000)["embed_tokens"])
    assert (short.weight_bytes, long.weight_bytes) == (10 * 256 * 2, 1000 * 256 * 2)
    assert long.bytes_read == 8000 * 256 * 2


def test_an_unknown_phase_is_refused(small: Small) -> None:
    with pytest.raises(Refused):
        build_model(small("llama")).rows(one_step("dreaming", 1, 1))


def test_cache_grows_by_the_full_layers_alone_past_the_window(small: Small) -> None:
    model = build_model(small("gemma3_text"))
    per_layer = 2 * 2 * 32 * 2.0
    assert model.kv_bytes(1, 128, 2.0) == 6 * 128 * per_layer
    assert model.kv_bytes(1, 129, 2.0) - model.kv_bytes(1, 128, 2.0) == 2 * per_layer
    assert model.kv_bytes_per_token(2.0) == 6 * per_layer
    grid = model.kv_bytes(np.array([[1.0], [4.0]]), np.array([[100.0, 1000.0]]), 2.0)
    assert isinstance(grid, np.ndarray)
    assert grid[1, 1] == model.kv_bytes(4, 1000, 2.0)


def test_products_of_a_prompt_equal_the_counted_reference(shared: Path, cost: Cost) -> None:
    with (shared / "cases" / "prefill_flops.csv").open(encoding="utf-8") as file:
        cases = list(csv.DictReader(file))
    assert len(cases) == 27
    for case in cases:
        model = build_model(json.loads((shared / "cases" / "configs" / case["config"]).read_text("utf-8")))
        rows = model.rows(one_step("prefill", 1, 512, attention_count="full", logits="all"))
        flops = sum(row.count * cost(row).flops for row in rows if row.kind in TENSOR)
        assert flops == float(case["matmul_flops_full_attention_all_logits"]), case["config"]


def test_every_operator_equals_the_closed_forms(shared: Path, cost: Cost) -> None:
    files = {"Llama-2-7B": "meta-llama--Llama-2-7b-hf.json", "Llama-2-13B": "meta-llama--Llama-2-13b-hf.json"}
    models = {
        name: build_model(json.loads((shared / "cases" / "configs" / file).read_text("utf-8")))
        for name, file in files.items()
    }
    with (shared / "cases" / "operators_closed_form.csv").open(encoding="utf-8") as file:
        cases = [row for row in csv.DictReader(file) if row["op"] not in {"TOTAL", "attention_full_reference"}]
    assert len(cases) == 216
    for case in cases:
        step = one_step(case["phase"], int(case["batch"]), int(case["seq"]))
        rows = {row.name: row for row in models[case["model"]].rows(step)}
        row = rows[case["op"].removesuffix("_causal")]
        costs = cost(row)
        assert row.count == int(case["count"])
        assert costs.flops == pytest.approx(float(case["flops_per_call"]), rel=1e-9)
        assert costs.bytes_read + costs.bytes_written == pytest.approx(float(case["bytes_per_call"]), rel=1e-9)


def test_figures_of_one_case_hold_without_the_collected_ones(cost: Cost) -> None:
    config = {
        "model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 32, "vocab_size": 32000, "torch_dtype": "float16",
    }  # fmt: skip
    rows = {row.name: row for row in build_model(config).rows(one_step("decode", 8, 2048))}  # Llama-2-7B, closed form
    for name, flops, moved in (
        ("q_proj", 268435456, 33685504),
        ("attention", 268435456, 268566528),
        ("gate_proj", 721420288, 90419200),
        ("lm_head", 2097152000, 262721536),
    ):
        costs = cost(rows[name])
        assert (costs.flops, costs.bytes_read + costs.bytes_written) == (flops, moved)


@pytest.mark.parametrize(("asked", "stored"), [("fp8", "bf16"), ("int8", "bf16"), ("fp32", "fp32"), ("fp16", "fp16")])
def test_small_activations_are_those_of_products_and_what_lies_between_stays_wide(
    small: Small, rows_of: Rows, asked: str, stored: str
) -> None:
    rows = rows_of(small("llama"), activations=asked)
    products = {
        row.activations for row in rows.values() if row.kind in {"matmul", "qkv_matmul"} and row.name != "lm_head"
    }
    between = {(row.activations, row.output) for row in rows.values() if row.kind in {"rms_norm", "residual_add"}}
    assert (products, between) == ({asked}, {(stored, stored)})
