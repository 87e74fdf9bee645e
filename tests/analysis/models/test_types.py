"""Model types of the collected list: their counts, KV, state and products of one pass are those of their classes."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.analysis.models import build_model, supported
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.step.rows import Row, SequenceGroup, Step

TYPES = Path(__file__).parents[4] / "shared" / "cases" / "types"
PRODUCTS = {
    "matmul",
    "block_attention",
    "qkv_matmul",
    "attention",
    "moe_matmul",
    "batched_matmul",
    "conv1d",
    "conv2d",
    "conv_transpose",
}
TEXT = (TYPES / "types.csv").read_text("utf-8") if TYPES.is_dir() else ""
CASES = list(csv.DictReader(TEXT.splitlines()))
NAMES = [case["model_type"] for case in CASES]


REFUSED = {"seamless_m4t_v2": "four models of speech and text in one are refused by their name"}


def test_every_type_that_is_refused_is_listed_with_its_reason() -> None:
    assert {name for name in NAMES if name not in supported()} <= set(REFUSED)
    assert not set(REFUSED) & set(supported())


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_a_collected_type_has_the_figures_of_its_class(case: dict[str, str], cost: Callable[[Row], Costs]) -> None:
    if case["model_type"] in REFUSED:
        pytest.skip(REFUSED[case["model_type"]])
    if "UNCERTAIN" in case["notes"]:
        pytest.skip(case["notes"])
    model = build_model(json.loads((TYPES / case["config"]).read_text("utf-8")))
    crossed = (model.cross_kv_bytes_per_token(2.0) or 0.0) * float(model.prompt_tokens(8192))
    found = {
        "parameters": model.parameters,
        "active_parameters": model.active_parameters,
        "kv_bytes_per_token": model.kv_bytes_per_token(2.0),
        "kv_bytes_8192": model.kv_bytes(1, 8192, 2.0) - crossed if model.kv_bytes_per_token(2.0) else 0,
        "state_bytes": model.state_bytes(1),
    }
    of_one_input = model.architecture.encoder_tokens is not None and model.phases == ("prefill",)
    pair = "decoder_input_ids[1, 512]" in case["notes"]
    apart = "flops for inputs" in case["notes"] and not of_one_input and not pair
    apart |= any(words in case["notes"] for words in ("plain torch path", "RG-LRU"))  # test_recurrent.py
    if case["prefill_flops_512"] and not apart:
        rows = list(model.rows(one_step("prefill", 1, 512, attention_count="full", logits="all")))
        if pair:  # the decoder over 512 tokens at once
            group = SequenceGroup(1.0, 512.0, 512.0)
            rows += model.rows(Step("decode", (group,), attention_count="full", logits="all"))
        products = [row for row in rows if row.kind in PRODUCTS]
        found["prefill_flops_512"] = sum(float(row.count * cost(row).flops) for row in products)
    assert {name: found[name] for name in found if case[name]} == {
        name: int(case[name]) for name in found if case[name]
    }
