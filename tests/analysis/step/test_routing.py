"""Experts: the floor reads the fewest, random routing the distinct ones, a skew something between."""

import numpy as np
import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.step.ledger import WEIGHTS
from explorer.analysis.study.check import study_problems
from explorer.analysis.study.study import ModelEntry, Study
from tests.analysis.making import device, own, study
from tests.analysis.measured_rows import LLAMA_8B

EXPERTS, CHOSEN, LAYERS, HIDDEN, INNER = 8, 2, 32, 4096, 14_336
MIXTRAL = ModelEntry(  # shapes of Mixtral-8x7B's config
    id="moe",
    name="MoE",
    config={
        **(LLAMA_8B.config or {}),
        "model_type": "mixtral",
        "architectures": ["MixtralForCausalLM"],
        "num_local_experts": EXPERTS,
        "num_experts_per_tok": CHOSEN,
        "vocab_size": 32_000,
    },
)
ONE_EXPERT = 3 * HIDDEN * INNER * 2  # bytes of gate, up and down of one layer


def modelled(entry: ModelEntry = MIXTRAL, **work: object) -> Study:
    return replace(study(on=(device(),), **work), models=(entry,), active_model=entry.id)


def of(catalogue: Catalogue, entry: ModelEntry = MIXTRAL, **work: object) -> Evaluation:
    return evaluate(modelled(entry, **work), catalogue)


def distinct(tokens: int, skew: float = 0.0) -> float:
    uniform = EXPERTS * (1 - (1 - CHOSEN / EXPERTS) ** tokens)
    return uniform - skew * (uniform - CHOSEN)


@pytest.mark.parametrize(("phase", "batch", "context"), [("decode", 64, 2048), ("decode", 2, 100), ("prefill", 1, 16)])
@pytest.mark.parametrize("skew", [0.0, 0.25, 1.0])
def test_bytes_of_experts_follow_the_routing(
    phase: str, batch: int, context: int, skew: float, catalogue: Catalogue
) -> None:
    tokens = batch if phase == "decode" else batch * context
    found = of(catalogue, phase=phase, batch=batch, context=context, skew=skew)
    alike = of(catalogue, phase=phase, batch=batch, context=context, skew=1.0)
    each = LAYERS * ONE_EXPERT
    streamed, fewest = float(found.traffic.weights_streamed), float(alike.traffic.weights_streamed)
    assert streamed - fewest == pytest.approx((distinct(tokens, skew) - CHOSEN) * each, abs=1e4)
    assert float(found.traffic.compulsory.of(WEIGHTS)) == pytest.approx(fewest, rel=1e-12)
    assert float(found.traffic.beyond.uniform) == pytest.approx((distinct(tokens) - CHOSEN) * each, rel=1e-9)
    assert found.traffic.flops == alike.traffic.flops  # they follow the experts of a token


def test_floor_and_random_routing_do_not_move_with_the_skew_and_what_is_timed_lies_between(
    catalogue: Catalogue,
) -> None:
    totals = [of(catalogue, batch=16, skew=s).devices[0].totals for s in (0.0, 0.3, 0.7, 1.0)]
    assert len({round(float(t.floor_s), 15) for t in totals}) == 1
    assert len({round(float(t.uniform_s), 15) for t in totals}) == 1
    routed = [float(t.routed.seconds) for t in totals]
    assert routed[0] == pytest.approx(float(totals[0].uniform_s))
    assert routed[-1] == pytest.approx(float(totals[0].floor_s))
    assert routed == sorted(routed, reverse=True)
    timed = [float(t.time_s) for t in totals]
    assert timed == sorted(timed, reverse=True)
    assert timed[0] > timed[-1] * 2
    assert totals[1].routed.tokens_per_s == pytest.approx(16 / routed[1])
    assert totals[1].tokens_per_s == pytest.approx(16 / float(totals[1].floor_s))
    assert totals[1].uniform.tokens_per_s_per_request == pytest.approx(1 / routed[0])


@pytest.mark.parametrize(
    ("entry", "work"), [(MIXTRAL, {"batch": 1}), (LLAMA_8B, {"batch": 64}), (LLAMA_8B, {"skew": 1.0})]
)
def test_one_token_and_dense_models_have_one_figure(
    entry: ModelEntry, work: dict[str, object], catalogue: Catalogue
) -> None:
    totals = of(catalogue, entry, **work).devices[0].totals
    assert totals.uniform_s == pytest.approx(totals.floor_s, rel=1e-12)
    assert totals.routed.seconds == pytest.approx(totals.floor_s, rel=1e-12)
    assert not totals.routing_matters


def test_where_compute_decides_the_routing_does_not_matter(catalogue: Catalogue) -> None:
    found = of(catalogue, phase="prefill", batch=8, context=8192)
    assert float(found.traffic.beyond.uniform) > 0
    assert not found.devices[0].totals.routing_matters


def test_a_sweep_has_the_paces_of_each_batch(catalogue: Catalogue) -> None:
    found = of(catalogue, skew=0.4)
    batches = np.array([1.0, 4.0, 64.0])
    (totals,) = found.evaluator.sweep(found.evaluator.step(batch=batches), [found.devices[0].machine])
    for i, batch in enumerate(batches):
        one = of(catalogue, batch=int(batch), skew=0.4).devices[0].totals
        assert np.broadcast_to(totals.floor_s, 3)[i] == pytest.approx(float(one.floor_s))
        assert np.broadcast_to(totals.uniform.seconds, 3)[i] == pytest.approx(float(one.uniform_s))
        assert np.broadcast_to(totals.routed.seconds, 3)[i] == pytest.approx(float(one.routed.seconds))


@pytest.mark.parametrize("skew", [0.0, 0.5])
def test_an_own_operator_of_experts_has_a_floor_of_its_fewest(skew: float, catalogue: Catalogue) -> None:
    row = own("up", "moe_matmul", tokens=64, experts=128, top_k=8, n=768, k=2048, skew=skew)
    found = evaluate(study(row), catalogue).devices[0]
    each, acts = 768 * 2048 * 2, (64 * 8 * 2048 + 64 * 8 * 768) * 2
    uniform = 128 * (1 - (1 - 8 / 128) ** 64)
    assert float(found.totals.floor_s) == pytest.approx((8 * each + acts) / 2e12)
    assert float(found.totals.uniform_s) == pytest.approx((uniform * each + acts) / 2e12)
    assert float(found.totals.time_s) == pytest.approx(((uniform - skew * (uniform - 8)) * each + acts) / 2e12)


@pytest.mark.parametrize("skew", [-0.1, 1.1, float("nan")])
def test_a_skew_lies_between_random_and_all_alike(skew: float) -> None:
    (problem,) = study_problems(modelled(skew=skew))
    assert (problem.code, problem.path) == ("study.range", "workload.skew")
