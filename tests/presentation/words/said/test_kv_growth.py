"""The growth of the KV cache says where it holds: up to a window, and at the context in question."""

import json

import pytest
from msgspec.structs import replace

from explorer.analysis.models import Model, build_model
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import ModelEntry
from explorer.cli.main import main
from explorer.presentation.answer.json_result import evaluation_json
from explorer.presentation.explain.explain import explain
from explorer.presentation.look import Look
from explorer.presentation.views.memory import memory_chart
from explorer.presentation.words.said.kv_growth import kv_growth_text
from tests.presentation.llama import CONFIG, catalogue, study

# 60 layers, every sixth of them global: 16 heads of 256 within 1,024 tokens, 4 of 512 everywhere
GEMMA_4_31B = {
    "model_type": "gemma4_text", "hidden_size": 5376, "intermediate_size": 21504, "num_hidden_layers": 60,
    "num_attention_heads": 32, "num_key_value_heads": 16, "head_dim": 256, "num_global_key_value_heads": 4,
    "global_head_dim": 512, "attention_k_eq_v": True, "sliding_window": 1024, "vocab_size": 262144,
    "hidden_size_per_layer_input": 0, "num_kv_shared_layers": 0, "dtype": "bfloat16",
    "layer_types": (["sliding_attention"] * 5 + ["full_attention"]) * 10,
}  # fmt: skip
MISTRAL = {**CONFIG, "model_type": "mistral", "sliding_window": 4096}  # every layer has the window
KIB = 1024


def of(config: dict[str, object], **work: object) -> Evaluation:
    base = study(**work)  # type: ignore[arg-type]
    return evaluate(replace(base, models=(ModelEntry(id="llama", name="W", config=config),)), catalogue())


def model(config: dict[str, object]) -> Model:
    return build_model(config, "W")


@pytest.mark.parametrize(
    ("config", "context", "below", "here"),
    [
        (GEMMA_4_31B, 100, 880, 880),
        (GEMMA_4_31B, 1024, 880, 880),
        (GEMMA_4_31B, 1025, 880, 80),
        (GEMMA_4_31B, 100_000, 880, 80),
        (MISTRAL, 4096, 128, 128),
        (MISTRAL, 4097, 128, 0),
        (CONFIG, 100_000, 128, 128),
    ],
)
def test_growth_is_that_of_the_layers_whose_window_is_not_full(
    config: dict[str, object], context: int, below: float, here: float
) -> None:
    found = evaluation_json(of(config, context=context))["model"]
    assert (found["kv_bytes_per_token"], found["kv_bytes_per_token_at_context"]) == (below * KIB, here * KIB)
    grown = [model(config).kv_bytes(1.0, float(c), 2.0) for c in (context - 1, context)]
    assert grown[1] - grown[0] == here * KIB  # the token at the context


def test_the_text_gives_both_figures_and_where_they_hold() -> None:
    gib = Look(unit="GiB")
    assert kv_growth_text(model(CONFIG), 5000, 2.0, gib) == "128 KiB per token"
    assert kv_growth_text(model(GEMMA_4_31B), 800, 2.0, gib) == "880 KiB per token up to 1,024 tokens"
    both = "880 KiB per token up to 1,024 tokens, 80.0 KiB at context 2,048"
    assert kv_growth_text(model(GEMMA_4_31B), 2048, 2.0, gib) == both
    assert kv_growth_text(model(GEMMA_4_31B), 2048, 1.0, gib).startswith("440 KiB")


def test_the_command_line_the_inspector_and_the_memory_view_say_it(
    tmp_path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(GEMMA_4_31B), "utf-8")
    main(["model", str(path), "--context", "4096"], None, None)  # type: ignore[arg-type]
    text = " ".join(capsys.readouterr().out.split())
    assert "KV cache 901 kB per token up to 1,024 tokens, 81.9 kB at context 4,096 as bf16" in text
    main(["model", str(path), "--context", "4096", "--json"], None, None)  # type: ignore[arg-type]
    assert json.loads(capsys.readouterr().out)["kv_bytes_per_token_at_context"] == 80 * KIB
    evaluation = of(GEMMA_4_31B, context=4096)
    lines = {line.label: line for line in explain(evaluation, total="kv_bytes", look=Look(unit="GiB")).lines}
    assert lines["KV per token"].answer == "880 KiB"
    assert "up to 1,024 tokens" in lines["KV per token"].source
    assert lines["KV per token at 4,096"].answer == "80.0 KiB"
    assert any("80.0 KiB at context 4,096" in s for s in memory_chart(evaluation, Look(unit="GiB")).sentences)
    assert all("per token" not in s for s in memory_chart(of(CONFIG)).sentences)
