"""The first token: one prompt read alone, whatever the study's phase and batch."""

from typing import Any

import pytest
from msgspec.structs import replace

from explorer.analysis.ask.comparison.compared import compare
from explorer.analysis.ask.comparison.figures.first_token import one_prompt
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.study import ModelEntry, Study, Workload
from tests.analysis.ask.comparison.machines import (
    A100,
    B200,
    CATALOGUE,
    GEFORCE,
    H100,
    MI300X,
    cell,
    compared,
    evaluated,
    llama,
)


def test_the_first_token_is_the_floor_of_one_prompt() -> None:
    found = compared(llama())
    for key, milliseconds, ratio in ((H100, 14.8, 1.0), (B200, 6.53, 0.44), (MI300X, 11.2, 0.76), (A100, 46.9, 3.17)):
        assert 1e3 * (cell(found, key, "first_token").value or 0) == pytest.approx(milliseconds, rel=5e-3)
        assert cell(found, key, "first_token").ratio == pytest.approx(ratio, abs=0.005)
    # 165.2 TFLOP/s by the sheet; the floor takes the measured peak above it
    assert (cell(found, GEFORCE, "first_token").ratio or 0) < 989.4 / 165.2


MIXTURE = {  # 48 layers of 128 experts, 8 chosen
    "model_type": "qwen3_moe",
    "architectures": ["Qwen3MoeForCausalLM"],
    "hidden_size": 2048,
    "intermediate_size": 6144,
    "moe_intermediate_size": 768,
    "num_experts": 128,
    "num_experts_per_tok": 8,
    "norm_topk_prob": True,
    "num_hidden_layers": 48,
    "num_attention_heads": 32,
    "num_key_value_heads": 4,
    "head_dim": 128,
    "vocab_size": 151936,
    "max_position_embeddings": 40960,
    "tie_word_embeddings": False,
    "hidden_act": "silu",
    "torch_dtype": "bfloat16",
    "rms_norm_eps": 1e-6,
    "rope_theta": 1000000.0,
}


def mixture(**work: Any) -> Study:
    study = llama(A100, H100, MI300X, batch=8, context=2048)
    model = ModelEntry(id="mixture", name="Mixture", config=MIXTURE)
    workload = replace(study.workload, **work)
    return replace(study, models=(model,), active_model="mixture", workload=workload)


def test_the_first_token_reads_experts_as_the_rates_beside_it_do() -> None:
    """2,048 tokens at random read all 128: 61.1 GB less one table; on A100 compute decides, 41.7 ms."""
    found = compared(mixture())
    for key, milliseconds, ratio in ((A100, 41.7, 1.0), (H100, 18.1, 0.434), (MI300X, 11.4, 0.274)):
        first = cell(found, key, "first_token")
        assert 1e3 * (first.value or 0) == pytest.approx(milliseconds, abs=0.05)
        assert first.ratio == pytest.approx(ratio, abs=0.001)


def test_a_step_where_routing_matters_on_one_device_has_its_seconds_on_all() -> None:
    found = compared(mixture(phase="prefill", batch=1))
    base, other = cell(found, A100, "routed"), cell(found, H100, "routed")
    assert base.value == cell(found, A100, "at_least").value
    assert other.ratio == pytest.approx(0.434, abs=0.001)
    assert "routed" not in {f.id for f in compared(llama()).figures}


def test_neither_batch_nor_phase_changes_the_first_token() -> None:
    study = llama(H100, A100)
    prefill = replace(study, workload=replace(study.workload, phase="prefill", batch=8))
    assert cell(compared(prefill), A100, "first_token") == cell(compared(study), A100, "first_token")


def test_a_drag_of_the_batch_asks_once_and_a_change_of_context_again() -> None:
    first = evaluated(llama(H100, A100))
    asked = one_prompt(first)
    more = evaluate(llama(H100, A100, batch=8), CATALOGUE, first)
    assert one_prompt(more) is not None
    again = evaluate(replace(first.study, workload=replace(first.study.workload, batch=8)), CATALOGUE, first)
    assert one_prompt(again) is asked
    longer = evaluate(replace(first.study, workload=replace(first.study.workload, context=2048)), CATALOGUE, first)
    assert one_prompt(longer) is not asked
    assert (cell(compare(longer), H100, "first_token").value or 0) > (
        cell(compare(first), H100, "first_token").value or 0
    )


def test_without_a_model_there_is_no_first_token() -> None:
    found = compared(replace(llama(H100), models=(), active_model=""))
    assert cell(found, H100, "first_token").why.code == "compare.why.no_model"  # type: ignore[union-attr]


def test_an_encoder_generates_no_first_token() -> None:
    study = llama(H100)
    config = {
        "model_type": "bert",
        "hidden_size": 768,
        "intermediate_size": 3072,
        "num_hidden_layers": 12,
        "num_attention_heads": 12,
        "vocab_size": 30522,
        "max_position_embeddings": 512,
        "type_vocab_size": 2,
    }
    bert = ModelEntry(id="bert", name="BERT", config=config)
    found = compared(
        replace(study, models=(bert,), active_model="bert", workload=Workload(phase="prefill", context=512))
    )
    assert cell(found, H100, "first_token").why.code == "compare.why.no_prompt"  # type: ignore[union-attr]
    assert cell(found, H100, "at_least").value is not None
