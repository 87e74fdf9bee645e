"""Recurrent and hybrid decoders: states, caches, and the products of one pass over 512 tokens, part by part.

The figures are those of the classes of the transformers library 5.24 without weights: their caches, and the products
that its plain torch path makes. That path makes more of a scan than its recurrence needs: `in_chunks` says what.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from explorer.analysis.models import Model, build_model
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.step.rows import Row

SIBLINGS = json.loads(Path(__file__).with_name("siblings_hybrid.json").read_text("utf-8"))
TOKENS = 512


class Figures(NamedTuple):
    state: int
    kv_8192: int
    weights: int  # FLOPs of products with weights
    convolutions: int
    batched: int  # of products without weights or with experts'
    kernel: int = 4
    in_chunks: int = 0  # of `batched`, what stands for a scan


def scan_in_chunks(layers: int, heads: int, head: int, size: int, chunk: int = 256) -> int:
    """Mamba-2: scores and outputs within chunks, a state for each, the states summed over chunks, read-outs."""
    chunks = TOKENS // chunk
    within = 2 * TOKENS * chunk * (size + head) + 4 * TOKENS * size * head
    return layers * heads * (within + 2 * (chunks + 1) ** 2 * size * head)


def read_out(layers: int, channels: int, size: int) -> int:
    """Mamba: the one product of a scan is its read-out."""
    return layers * 2 * TOKENS * channels * size


def attention_in_chunks(layers: int, heads: int, keys: int, values: int, chunk: int) -> int:
    """Decayed linear attention: scores and outputs within chunks, a state for each, read-outs."""
    return layers * heads * 2 * TOKENS * (chunk * (keys + values) + 2 * keys * values)


def delta_in_chunks(layers: int, heads: int, keys: int, values: int, *, solved: bool, chunk: int = 64) -> int:
    """The delta rule: what keys predict, read-outs and updates of the state; scores are products where it is `solved`.

    Kimi's makes elementwise work of its scores and products of the system it inverts.
    """
    within = chunk * (2 * keys + values) if solved else chunk * (keys + 2 * values)
    return layers * heads * 2 * TOKENS * (within + 3 * keys * values)


FIGURES = {
    "LFM2-1.2B": Figures(81_920, 100_663_296, 1_198_295_875_584, 63_160_320, 12_884_901_888, 3),
    "LFM2-8B-A1B": Figures(147_456, 100_663_296, 602_771_816_448, 113_688_576, 1_005_022_347_264, 3),
    "AI21-Jamba-Mini-1.5": Figures(
        16_056_320, 134_217_728, 6_347_961_663_488, 945_029_120, 5_793_374_011_392, in_chunks=read_out(28, 8192, 16)
    ),
    "Bamba-9B-v2": Figures(
        123_104_768, 100_663_296, 9_475_234_725_888, 1_009_367_040, 262_540_361_728,
        in_chunks=scan_in_chunks(29, 128, 64, 128),
    ),
    "granite-4.0-h-tiny": Figures(
        57_341_952, 67_108_864, 919_961_862_144, 493_608_960, 702_481_956_864,
        in_chunks=scan_in_chunks(36, 48, 64, 128),
    ),
    "Falcon-H1-7B-Instruct": Figures(
        139_358_208, 369_098_752, 7_357_379_641_344, 649_707_520, 248_657_215_488,
        in_chunks=scan_in_chunks(44, 24, 128, 256),
    ),
    "MiniMax-Text-01-hf": Figures(
        293_601_280, 335_544_320, 20_473_303_793_664, 0, 28_368_258_990_080,
        in_chunks=attention_in_chunks(70, 64, 128, 128, 256),
    ),
    "xLSTM-7b": Figures(
        134_480_896, 0, 6_818_797_453_312, 0, 81_671_487_488,
        in_chunks=attention_in_chunks(32, 8, 256, 512, 64) + 32 * 8 * 2 * TOKENS * 256,  # and of the sum of keys
    ),
    "olmo_hybrid-defaults": Figures(
        54_743_040, 1_006_632_960, 7_213_154_304_000, 1_139_097_600, 91_100_282_880,
        in_chunks=delta_in_chunks(24, 30, 96, 192, solved=True),
    ),
    "zamba2-defaults": Figures(
        72_479_232, 1_509_949_440, 3_935_389_614_080, 1_167_575_040, 164_601_004_032,
        in_chunks=scan_in_chunks(54, 8, 640, 64),
    ),
    "Kimi-Linear-48B-A3B-Instruct": Figures(
        43_417_600, 66_060_288, 1_672_772_321_280, 1_012_531_200, 1_593_432_866_816,
        in_chunks=delta_in_chunks(20, 32, 128, 128, solved=False),
    ),
    "falcon-mamba-7b": Figures(
        36_700_160, 0, 7_161_857_966_080, 2_160_066_560, 8_589_934_592, in_chunks=read_out(64, 8192, 16)
    ),
}  # fmt: skip


def built(name: str) -> Model:
    return build_model(SIBLINGS[name]["config"], name)


STATES = {name: (figures.state, figures.kv_8192) for name, figures in FIGURES.items()}
STATES |= {"Zamba-7B-v1": (39_495_680, 3_162_505_216), "recurrentgemma-2b-it": (460_800, 16_777_216)}


@pytest.mark.parametrize("name", STATES)
def test_states_and_caches_are_those_of_the_class(name: str) -> None:
    model = built(name)
    assert (model.state_bytes(1), model.kv_bytes(1, 8192, 2.0)) == STATES[name]
    assert "model.states_counted" in {note.code for note in model.assumptions}


def of_a_pass(model: Model, cost: Callable[[Row], Costs]) -> dict[str, float]:
    """FLOPs of 512 tokens by kind of row."""
    flops: dict[str, float] = {}
    for row in model.rows(one_step("prefill", 1, TOKENS, attention_count="full", logits="all")):
        flops[row.kind] = flops.get(row.kind, 0.0) + float(row.count * cost(row).flops)
    return flops


@pytest.mark.parametrize("name", FIGURES)
def test_products_of_a_pass_are_those_of_the_class(name: str, cost: Callable[[Row], Costs]) -> None:
    figures = FIGURES[name]
    flops = of_a_pass(built(name), cost)
    padded = (TOKENS + figures.kernel - 1) / TOKENS  # the class makes more outputs than tokens and drops the rest
    assert flops["matmul"] == figures.weights
    assert flops.get("causal_conv1d", 0.0) * padded == figures.convolutions
    assert flops.get("attention", 0.0) + flops.get("moe_matmul", 0.0) + figures.in_chunks == figures.batched


def test_products_of_recurrentgemma_are_those_of_its_class(cost: Callable[[Row], Costs]) -> None:
    flops = of_a_pass(built("recurrentgemma-2b-it"), cost)
    padded = flops["causal_conv1d"] * (TOKENS + 3) / TOKENS
    assert flops["matmul"] + flops["absorbed_matmul"] + flops["attention"] + padded == 2_767_759_400_960
