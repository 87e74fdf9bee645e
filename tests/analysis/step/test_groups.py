"""Steps of several groups of sequences, and plans of several steps."""

from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.step.phases.ids import DECODE, PREFILL
from explorer.analysis.step.phases.registry import PHASES, one_step, phase_of
from explorer.analysis.step.plan import Planned
from explorer.analysis.step.rows import SequenceGroup, Step
from explorer.analysis.study.edits import add_model
from explorer.analysis.study.study import ModelEntry
from tests.analysis.making import device, own, study
from tests.analysis.test_decode import LLAMA_2_13B

WINDOWED = {**LLAMA_2_13B, "model_type": "mistral", "sliding_window": 1000}


def of(catalogue, config: dict[str, Any] = LLAMA_2_13B, **workload: object) -> Evaluation:
    made = add_model(study(on=(device(),), **workload), ModelEntry(id="m", name="m", config=config))
    return evaluate(made, catalogue)


def costs(evaluation: Evaluation, step: Step) -> dict[str, Any]:
    evaluator = evaluation.evaluator
    rows = evaluator.model_rows(step)
    return {row.name: (row, cost) for row, cost in zip(rows, evaluator.costs(rows), strict=True)}


def test_a_step_of_one_group_has_a_batch_and_a_context() -> None:
    assert (one_step(DECODE, 8, 4096).batch, one_step(DECODE, 8, 4096).context) == (8, 4096)
    assert one_step(DECODE, 8, 4096).groups == (SequenceGroup(1.0, 4096, 8),)
    assert one_step(PREFILL, 8, 4096).groups == (SequenceGroup(4096, 4096, 8),)
    with pytest.raises(ValueError, match="too many"):
        _ = Step(DECODE, (SequenceGroup(1.0, 8, 1), SequenceGroup(1.0, 9, 1))).batch


@pytest.mark.parametrize("config", [LLAMA_2_13B, WINDOWED], ids=["full", "windowed"])
@pytest.mark.parametrize("phase", [PREFILL, DECODE])
def test_groups_read_the_weights_once_and_their_caches_each(catalogue, config, phase) -> None:
    evaluation = of(catalogue, config)
    shape = phase_of(phase).group
    groups = shape(3.0, 500.0), shape(5.0, 1500.0)
    both = costs(evaluation, Step(phase, groups))
    alone = [costs(evaluation, Step(phase, (group,))) for group in groups]
    for name, (row, cost) in both.items():
        at, _, which = name.partition(" [group ")
        if which:
            assert cost == alone[int(which[0]) - 1][at][1], name
            continue
        parts = [a[name][1] for a in alone]
        if name == "embed_tokens":  # a row of the table for each token
            assert cost.weight_bytes == sum(p.weight_bytes for p in parts)
            continue
        assert cost.flops == pytest.approx(sum(p.flops for p in parts), rel=1e-12), name
        assert cost.weight_bytes == parts[0].weight_bytes, name
        moved = sum(p.bytes_read + p.bytes_written - p.weight_bytes for p in parts)
        assert cost.bytes_read + cost.bytes_written - cost.weight_bytes == pytest.approx(moved, rel=1e-12), name
        assert row.count == alone[0][name][0].count
    assert {n.partition(" [")[0] for n in both} == set(alone[0])
    assert {"attention [group 1]", "q_proj"} <= set(both)


def test_equal_groups_are_one_group_of_all_sequences(catalogue) -> None:
    evaluation = of(catalogue)
    evaluator = evaluation.evaluator
    (machine,) = evaluator.machines
    split = Step(DECODE, (SequenceGroup(1.0, 900.0, 3.0), SequenceGroup(1.0, 900.0, 5.0)))
    (two,), (one,) = evaluator.sweep(split, [machine]), evaluator.sweep(one_step(DECODE, 8.0, 900.0), [machine])
    for name in ("floor_s", "memory_bytes", "tokens_per_s", "streamed_s"):
        assert getattr(two, name) == pytest.approx(getattr(one, name), rel=1e-12), name
    assert two.traffic.compulsory_bytes == pytest.approx(one.traffic.compulsory_bytes, rel=1e-12)


def test_a_chunk_of_a_prompt_sees_what_is_cached_and_itself(catalogue) -> None:
    evaluation = of(catalogue)
    chunk = SequenceGroup(256.0, 1024.0, 2.0)
    _, cost = costs(evaluation, Step(PREFILL, (chunk,)))["attention"]
    heads, size, tokens, cached = 40, 128, 256, 768
    pairs = tokens * cached + tokens * (tokens + 1) / 2
    assert cost.flops == 2 * 2 * heads * pairs * 2 * size
    assert cost.kv_bytes == 2 * cached * 2 * heads * size * 2
    written = evaluation.evaluator.kv_written(Step(PREFILL, (chunk,)))
    assert written == 2 * 256 * 40 * 2 * 5120 * 2


def test_chunks_of_a_prompt_come_to_the_prompt(catalogue) -> None:
    evaluation = of(catalogue, WINDOWED)
    whole = costs(evaluation, one_step(PREFILL, 2.0, 3000.0))
    ends = [700.0, 1500.0, 2900.0, 3000.0]
    starts = [0.0, *ends[:-1]]
    chunks = [
        costs(evaluation, Step(PREFILL, (SequenceGroup(e - s, e, 2.0),))) for s, e in zip(starts, ends, strict=True)
    ]
    for name in ("attention", "q_proj", "gate_proj"):
        assert sum(c[name][1].flops for c in chunks) == pytest.approx(whole[name][1].flops, rel=1e-12), name


def test_models_whose_phases_differ_refuse_sequences_of_different_lengths() -> None:
    mixed = Step(DECODE, (SequenceGroup(1.0, 8.0, 1.0), SequenceGroup(4.0, 4.0, 1.0)))
    latent = {
        "model_type": "deepseek_v2", "vocab_size": 64, "hidden_size": 32, "intermediate_size": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 4, "kv_lora_rank": 16, "q_lora_rank": None, "qk_nope_head_dim": 8, "qk_rope_head_dim": 4,
        "v_head_dim": 8, "n_routed_experts": None, "first_k_dense_replace": 2, "torch_dtype": "bfloat16",
    }  # fmt: skip
    with pytest.raises(Refused) as refused:
        build_model(latent).rows(mixed)
    assert [p.code for p in refused.value.problems] == ["model.mixed_groups"]


def test_the_phases_are_those_a_study_may_name() -> None:
    assert tuple(PHASES)[:2] == (PREFILL, DECODE)
    assert all(PHASES[name].id == name for name in PHASES)
    with pytest.raises(Refused):
        phase_of("dreaming")


def test_a_plan_weighs_its_steps(catalogue) -> None:
    evaluation = of(catalogue, batch=4, context=512)
    (machine,) = evaluation.evaluator.machines
    twice = evaluation.evaluator.step(batch=8.0)
    (one,), (two,) = (evaluation.evaluator.sweep(s, [machine]) for s in (evaluation.step, twice))
    plan = Planned(3.0, evaluation.step, machine), Planned(0.5, twice, machine)
    found = evaluation.evaluator.planned(plan)
    assert found.time_s == pytest.approx(3 * one.time_s + two.time_s / 2)
    assert found.floor_s == pytest.approx(3 * one.floor_s + two.floor_s / 2)
    assert found.flops == pytest.approx(3 * one.traffic.flops + two.traffic.flops / 2)
    assert found.bytes == pytest.approx(3 * one.traffic.bytes + two.traffic.bytes / 2)


def test_a_studys_plan_is_its_one_step_the_users_rows_in_it(catalogue) -> None:
    base = add_model(study(own("q", "matmul", m=8), on=(device(),)), ModelEntry(id="m", name="m", config=LLAMA_2_13B))
    evaluation = evaluate(base, catalogue)
    (plan,), (result,) = evaluation.plans, evaluation.devices
    assert evaluation.evaluator.planned(plan).time_s == pytest.approx(result.totals.time_s, rel=1e-12)
    assert evaluation.evaluator.planned(plan).bytes == pytest.approx(result.totals.traffic.bytes, rel=1e-12)
