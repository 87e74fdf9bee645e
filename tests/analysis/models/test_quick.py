"""Models typed from six numbers."""

from collections.abc import Callable
from typing import Any

import pytest

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.models import quick_model
from explorer.analysis.problem import Refused
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.step.rows import Row
from explorer.analysis.study.study import QuickModel

Cost = Callable[[Row], Costs]
THIRTEEN = QuickModel(params=13e9, layers=32, kv_heads=32, head_dim=128)


def _streamed(quick: QuickModel, cost: Cost, **step: Any) -> float:
    rows = quick_model(quick).rows(one_step("decode", step.pop("batch", 1), 2048, **step))
    return float(sum(cost(row).bytes_read for row in rows))


def test_a_token_leaves_half_a_mebibyte_and_a_step_reads_weights_and_cache(cost: Cost) -> None:
    assert quick_model(THIRTEEN).kv_bytes_per_token(2.0) == 512 * 1024
    assert _streamed(THIRTEEN, cost) == 26e9 + 2048 * 512 * 1024
    assert _streamed(THIRTEEN, cost, batch=32) == pytest.approx(60.4e9, rel=1e-3)


def test_it_is_named_rough(catalogue: Catalogue) -> None:
    model = quick_model(THIRTEEN, "thirteen")
    assert (model.rough, model.name, model.parameters) == (True, "thirteen", 13_000_000_000)
    assert [note.code for note in model.assumptions] == ["model.rough"]
    assert model.weight_bytes(None, catalogue.format_by_id) == 26e9


def test_a_known_file_size_replaces_parameters_times_bytes_while_the_format_stays(
    cost: Cost, catalogue: Catalogue
) -> None:
    quick = QuickModel(params=4.02e9, layers=36, kv_heads=8, head_dim=128, weights="Q4_K", file_bytes=2.5e9)
    model, kv = quick_model(quick), 2048 * 36 * 2 * 8 * 128 * 2
    assert model.weight_bytes(None, catalogue.format_by_id) == 2.5e9
    assert _streamed(quick, cost) == 2.5e9 + kv
    assert model.weight_bytes("fp16", catalogue.format_by_id) == 8.04e9
    assert _streamed(quick, cost, weights="fp16") == 8.04e9 + kv


@pytest.mark.parametrize(
    ("field", "value"),
    [("params", 0.0), ("params", float("nan")), ("layers", 0), ("kv_heads", -1), ("head_dim", 0), ("file_bytes", -1.0)],
)
def test_impossible_figures_are_refused_by_name(field: str, value: float) -> None:
    figures: dict[str, Any] = {"params": 1e9, "layers": 2, "kv_heads": 2, "head_dim": 64, field: value}
    with pytest.raises(Refused) as refusal:
        quick_model(QuickModel(**figures))
    assert [p.path for p in refusal.value.problems] == [f"quick.{field}"]
