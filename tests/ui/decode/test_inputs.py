"""A model whose input has a size of its own: inputs in the panel, no slider or list that would do nothing."""

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from explorer.presentation.quantities.numbers import seconds
from explorer.presentation.words.said.launches import least_text
from explorer.ui.decode.panel import DecodePanel
from tests.presentation.llama import study
from tests.ui.decode_hands import session, shown

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
ENCODER = {
    "model_type": "bert", "architectures": ["BertModel"], "vocab_size": 30522, "hidden_size": 768,
    "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072,
}  # fmt: skip


def panel(qtbot: QtBot, config: dict[str, object] | None) -> DecodePanel:
    of, base = session(), study(phase="prefill", batch=64)
    of.store.put(base if config is None else replace(base, models=(replace(base.models[0], config=config),)))
    made = DecodePanel(of)
    shown(qtbot, of, made)
    made.later.finish()
    return made


@pytest.mark.parametrize("kind", ["vit", "resnet", "wav2vec2"])
def test_inputs_are_counted_and_nothing_is_asked_of_prompts_or_caches(qtbot: QtBot, kind: str) -> None:
    made = panel(qtbot, {"model_type": kind})
    assert made.context.isHidden()
    assert made.kv.isHidden()
    assert made.tiles["tokens_per_s_per_request"].isHidden()
    assert made.tiles["tokens_per_s"].figure.endswith(" inputs/s")
    assert not made.batch.isHidden()


def test_a_model_of_prompts_keeps_them_and_one_without_a_cache_has_no_format_of_it(qtbot: QtBot) -> None:
    decoder, encoder = panel(qtbot, None), panel(qtbot, ENCODER)
    assert not decoder.context.isHidden()
    assert not decoder.kv.isHidden()
    assert decoder.tiles["tokens_per_s"].figure.endswith(" tok/s")
    assert not encoder.context.isHidden()
    assert encoder.kv.isHidden()


def test_the_lower_bound_is_called_as_the_phase_runs_and_the_sum_of_operators_stands_beside_it(qtbot: QtBot) -> None:
    names = {
        "first token, at least": panel(qtbot, None),
        "pass, at least": panel(qtbot, ENCODER),
    }
    for name, made in names.items():
        tile = made.tiles["floor_s"]
        assert tile.accessibleName() == name
        active = made._session.state.evaluation.active
        assert active is not None
        whole = least_text(active, seconds(float(active.totals.time_s)))
        assert not made.tiles["whole_s"].isHidden()
        assert (made.tiles["whole_s"].accessibleName(), made.tiles["whole_s"].figure) == ("operator by operator", whole)
        assert f"operator by operator {whole}" in tile.toolTip()
        with qtbot.waitSignal(made.explain_requested) as asked:
            made.tiles["whole_s"].click()
        assert asked.args == ["time_s"]


def test_a_decode_step_is_a_step_with_its_sum_in_the_tip(qtbot: QtBot) -> None:
    made = panel(qtbot, None)
    made._session.store.edit_workload("Phase", phase="decode")
    made.later.finish()
    assert made.tiles["floor_s"].accessibleName() == "step, at least"
    assert made.tiles["whole_s"].isHidden()
    assert "operator by operator" in made.tiles["floor_s"].toolTip()
