"""One field of a config at a time: what its class ignores is ignored, what it honours counts, else it is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from tests.analysis.models.conftest import CONFIGS

# Parameters of the small configs with one field changed, counted on the classes of the transformers library 5.24
# without weights; "refused FIELD" where what comes of it does not run there or is not read here.
COUNTED: dict[str, dict[str, int | str]] = json.loads(Path(__file__).with_name("variants.json").read_text("utf-8"))
CASES = [(model_type, change) for model_type, counts in COUNTED.items() for change in counts]
LEFT_OUT = {"quantization_config"}  # it changes no count
ALIASED = {"deepseek_v4": {"intermediate_size"}}  # another name of a field that the small config states too


def changed(model_type: str, change: str) -> dict[str, Any]:
    out = LEFT_OUT | ALIASED.get(model_type, set()) | {change.removeprefix("no ")}
    config = {name: value for name, value in CONFIGS[model_type].items() if name not in out}
    stated = {} if change.startswith("no ") else json.loads(change)
    return {"model_type": model_type, **config, **stated}


def outcome(config: dict[str, Any]) -> int | str:
    try:
        return build_model(config).parameters
    except Refused as refused:
        return f"refused {refused.problems[0].path}"


@pytest.mark.parametrize(("model_type", "change"), CASES, ids=str)
def test_a_changed_field_counts_as_in_the_class(model_type: str, change: str) -> None:
    assert outcome(changed(model_type, change)) == COUNTED[model_type][change]


@pytest.mark.parametrize("model_type", ["deepseek_v3", "deepseek_v32", "glm_moe_dsa", "glm4_moe", "glm4_moe_lite"])
def test_biases_and_periods_that_a_mixture_ignores_change_nothing(model_type: str) -> None:
    counts = COUNTED[model_type]
    assert {counts['{"mlp_bias": true}'], counts['{"moe_layer_freq": 2}']} == {counts["{}"]}


def test_what_was_wrong_without_a_word_is_counted_honoured_or_refused() -> None:
    assert COUNTED["nemotron_h"]['{"tie_word_embeddings": true}'] == COUNTED["nemotron_h"]["{}"]
    assert COUNTED["stablelm"]['{"head_dim": 40}'] == COUNTED["stablelm"]["{}"]
    assert COUNTED["glm4_moe_lite"]['{"head_dim": 40}'] != COUNTED["glm4_moe_lite"]["{}"]
    assert COUNTED["deepseek_v4"]['{"mlp_bias": true}'] != COUNTED["deepseek_v4"]["{}"]
    assert COUNTED["gpt2"]['{"add_cross_attention": true}'] == "refused add_cross_attention"
