"""Kinds of layers: their bytes add up to what the step holds."""

import pytest
from msgspec.structs import replace

from explorer.analysis.ask.layer_kinds import LayerKinds, layer_kinds
from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.edits import add_model
from explorer.analysis.study.study import ModelEntry, QuickModel, Study, Workload
from explorer.files.catalogue import load_catalogue
from explorer.files.models.presets import load_presets
from explorer.presentation.answer.nothing import is_refused
from tests.analysis.models.conftest import CONFIGS

PRESETS = {p.id: p for p in load_presets()}


@pytest.fixture(scope="module")
def known() -> Catalogue:
    return load_catalogue(devices=False)


def kinds(known: Catalogue, entry: ModelEntry, **work: object) -> LayerKinds:
    study = add_model(Study(workload=Workload(batch=3, context=5000, **work)), entry)
    found = layer_kinds(evaluate(study, known))
    assert found is not None
    return found


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("work", [{}, {"weights": "int4", "kv": "fp8"}, {"phase": "prefill"}])
def test_kv_and_state_of_the_kinds_are_those_of_the_step_and_no_weight_is_counted_twice(
    known: Catalogue, name: str, work: dict[str, object]
) -> None:
    if work.get("phase") and "bert" not in name:
        work = {**work, "weights": "fp8"}
    entry = PRESETS[name]
    if "bert" in name:
        work = {**work, "phase": "prefill"}
    found = kinds(known, entry, **work)
    assert sum(k.kv for k in found.kinds) == pytest.approx(found.kv, rel=1e-12)
    assert sum(k.state for k in found.kinds) == pytest.approx(found.state, rel=1e-12)
    assert found.other_weights is not None
    assert 0 < found.other_weights < found.weights
    assert 0 < found.other_values < found.values


def test_a_window_bounds_what_its_layers_hold(known: Catalogue) -> None:
    """Gemma 3 27B: 52 layers see 1,024 tokens, 10 all 5,000; 16 KV heads of 128, keys and values, bf16."""
    sliding, full = kinds(known, PRESETS["gemma-3-27b-it"]).kinds
    each = 2 * 16 * 128 * 2.0
    assert (sliding.attention, sliding.count, sliding.kv) == ("sliding 1024", 52, 3 * 52 * 1024 * each)
    assert (full.attention, full.count, full.kv) == ("full", 10, 3 * 10 * 5000 * each)


def test_linear_layers_hold_state_and_no_kv(known: Catalogue) -> None:
    linear, full = kinds(known, PRESETS["qwen3-next-80b-a3b"]).kinds
    assert (linear.attention, linear.count, linear.kv) == ("linear", 36, 0.0)
    assert linear.state > 0
    assert full.state == 0


def test_of_a_file_only_the_size_of_all_weights_is_known(known: Catalogue) -> None:
    found = kinds(known, replace(PRESETS["llama-3.1-8b"], file_bytes=16.1e9))
    assert found.other_weights is None
    assert [k.weights for k in found.kinds] == [None]
    assert found.kinds[0].values == 6_979_584_000  # parameters are known all the same
    assert found.weights == pytest.approx(16.1e9, rel=0.01)


def test_a_quick_model_has_no_kinds(known: Catalogue) -> None:
    quick = ModelEntry(id="q", name="q", quick=QuickModel(params=7e9, layers=32, kv_heads=8, head_dim=128))
    assert layer_kinds(evaluate(add_model(Study(), quick), known)) is None
    assert layer_kinds(evaluate(Study(), known)) is None


@pytest.mark.parametrize("model_type", CONFIGS)
def test_the_kinds_of_every_family_add_up(known: Catalogue, model_type: str) -> None:
    entry = ModelEntry(id="m", name="m", config={"model_type": model_type, **CONFIGS[model_type]})
    work = Workload(batch=2, context=64)
    evaluation = evaluate(add_model(Study(workload=work), entry), known)
    if is_refused(evaluation):
        evaluation = evaluate(add_model(Study(workload=replace(work, phase="prefill")), entry), known)
    found = layer_kinds(evaluation)
    if found is None:
        assert evaluation.model is not None
        assert not evaluation.model.layers
        return
    assert sum(k.kv for k in found.kinds) == pytest.approx(found.kv, rel=1e-12)
    assert sum(k.state for k in found.kinds) == pytest.approx(found.state, rel=1e-12)
    assert found.other_values >= 0
    assert found.other_weights is None or found.other_weights >= -1e-6
