"""Models that run once over an input of a fixed size count inputs, and nothing is said of prompts or caches."""

from typing import Any

import pytest
from msgspec.structs import replace

import explorer.presentation.sentences  # noqa: F401 - registers the words
from explorer.analysis.ask.batch_sweep import sweep_batches
from explorer.analysis.ask.levers import levers
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import ModelEntry
from explorer.presentation.answer.answer import answer
from explorer.presentation.look import ENGLISH
from explorer.presentation.slide.conditions import conditions
from explorer.presentation.slide.finding import finding, subtitle
from explorer.presentation.slide.table import deciding_table
from explorer.presentation.tables.device_columns import comparison_columns, device_rows
from explorer.presentation.views.capacity import capacity_sentences
from explorer.presentation.views.decode import batch_chart, decode_view, figure_text, pace_text, read_out, spots_of
from explorer.presentation.views.memory import memory_chart
from explorer.presentation.views.memory_bar import memory_view
from tests.presentation.llama import catalogue, evaluated, study

VIT = {"model_type": "vit", "architectures": ["ViTForImageClassification"], "num_labels": 1000}
RESNET = {"model_type": "resnet", "architectures": ["ResNetForImageClassification"], "num_labels": 1000}
WAV = {"model_type": "wav2vec2", "architectures": ["Wav2Vec2ForCTC"]}
BART: dict[str, Any] = {
    "model_type": "bart", "architectures": ["BartForConditionalGeneration"], "vocab_size": 50265, "d_model": 1024,
    "encoder_layers": 12, "decoder_layers": 12, "encoder_attention_heads": 16, "decoder_attention_heads": 16,
    "encoder_ffn_dim": 4096, "decoder_ffn_dim": 4096, "max_position_embeddings": 4096,
}  # fmt: skip


def of(config: dict[str, Any], **work: Any) -> Evaluation:
    base = study(model=False, **{"phase": "prefill", "batch": 64, "context": 2048, **work})
    entry = ModelEntry(id="m", name="M", config=config)
    return evaluate(replace(base, models=(entry,), active_model="m"), catalogue())


@pytest.fixture(params=[VIT, RESNET, WAV], ids=["vit", "resnet", "wav2vec2"])
def once(request: pytest.FixtureRequest) -> Evaluation:
    found = of(request.param)
    assert found.tokens_per_input is not None
    return found


def test_tokens_are_counted_of_every_other_model() -> None:
    assert evaluated(phase="prefill").tokens_per_input is None
    assert evaluated().tokens_per_input is None
    assert of({"model_type": "bert", "architectures": ["BertModel"]}).tokens_per_input is None
    assert pace_text(evaluated(), 12.0) == "12.0 tok/s"


def test_rates_are_the_inputs_of_the_answer_everywhere(once: Evaluation) -> None:
    active = once.active
    assert active is not None
    rate = 64 / float(active.totals.floor_s)
    told = pace_text(once, active.totals.routed.tokens_per_s)
    assert told == figure_text(rate, "all", inputs=True)
    assert told.endswith(" inputs/s")
    assert told == f"{answer(once)[1].values['inputs']} inputs/s"
    (spot,) = spots_of(once, "all")
    assert spot.y == pytest.approx(rate)
    chart = batch_chart(once, sweep_batches(once), "all", compact=True)
    assert chart.title == "Inputs/s by batch"
    assert chart.value_at(chart.curves[0], 6.0) == pytest.approx(rate)
    assert read_out(chart, "all", 6.0)[1].endswith(told)
    passes = batch_chart(once, sweep_batches(once), "each")
    assert passes.title == "Passes/s against batch"
    assert passes.value_at(passes.curves[0], 6.0) == pytest.approx(rate / 64)
    assert read_out(passes, "each", 6.0)[1].endswith(" passes/s")
    (row,) = device_rows(once)
    cells = {c.key: c for c in comparison_columns(once)}
    assert "per_request" not in cells
    assert cells["in_all"].value(row) == pytest.approx(rate)
    assert (cells["in_all"].unit, cells["memory"].unit) == ("inputs/s", "B")


def test_a_slide_names_the_batch_alone_and_inputs_by_batch(once: Evaluation) -> None:
    assert subtitle(once).startswith("Batch 64, ")
    assert "token" not in subtitle(once)
    table = deciding_table(once)
    assert table.spanning == "inputs/s at batch"
    assert table.headers[3:] == ("1", "8", "32", "64")
    rates = [deciding_table(of(once.study.models[0].config, batch=b)).rows[0].cells[3:] for b in (1, 32)]
    assert rates[0] == rates[1] == table.rows[0].cells[3:6]
    for word in ("attention", "logits", "context", "KV", "prefill"):
        assert word not in conditions(once)
    assert conditions(once).startswith("M, one pass, batch 64 · ")
    assert finding(once).startswith("One pass of M ")


def test_views_speak_of_no_context(once: Evaluation) -> None:
    view = decode_view(once, sweep_batches(once))
    assert view.title == "M: what a larger batch brings"
    assert not any("oken" in chart.title for chart in view.charts)
    memory = memory_chart(once)
    assert memory.title == "M: memory held at batch 64"
    assert memory.devices[0].limits == "fits"
    active = once.active
    assert active is not None
    (told,) = capacity_sentences(once, active)
    assert "context" not in told


def test_without_a_cache_its_format_is_no_lever(once: Evaluation) -> None:
    assert "lever.kv8" not in {gain.code for gain in levers(once, once.study.hardware[0].id)}
    assert "lever.kv8" in {gain.code for gain in levers(evaluated(), "round")}


def test_a_cache_of_two_kinds_of_attention_says_so() -> None:
    pair = of(BART, phase="decode")
    active = pair.active
    assert active is not None
    named = "KV of self- and cross-attention "
    assert any(s.text.startswith(named) for s in memory_view(pair, active, None).segments)
    assert named in capacity_sentences(pair, active)[0]
    assert ("kv", "KV cache of self- and cross-attention") in memory_chart(pair).legend
    alone = evaluated()
    assert alone.active is not None
    assert any(s.text.startswith("KV 4") for s in memory_view(alone, alone.active, None, ENGLISH).segments)
