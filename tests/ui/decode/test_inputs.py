"""A model whose input has a size of its own: inputs in the panel, no slider or list that would do nothing."""

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

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
