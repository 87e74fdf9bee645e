"""Launches that nobody published: no ratio, no verdict, no share."""

import numpy as np
import pytest
from msgspec.structs import replace

from explorer.analysis.ask.comparison.compared import compare
from explorer.analysis.ask.comparison.speedup import speed_map, speed_pair
from explorer.analysis.step.evaluate import Evaluation
from tests.analysis.ask.comparison.machines import A100, H100, MI300X, cell, evaluated, llama


def eager(*names: str, batch: int = 1) -> Evaluation:
    """MI300X has no launch figure in the database."""
    study = llama(*names, batch=batch)
    return evaluated(replace(study, workload=replace(study.workload, launch="eager")))


@pytest.mark.parametrize("names", [(A100, MI300X), (MI300X, A100)])
def test_the_map_has_no_ratio_where_launches_of_one_are_unknown(names: tuple[str, ...]) -> None:
    evaluation = eager(*names)
    pair = speed_pair(evaluation)
    assert pair is not None
    assert (pair.now, pair.why) == (None, "launches")
    assert np.isnan(speed_map(evaluation, pair).ratio).all()
    known = speed_pair(eager(A100, H100))
    assert known is not None
    assert known.now is not None


def test_a_device_without_a_launch_figure_has_no_verdict_to_flip() -> None:
    found = compare(eager(A100, H100, MI300X)).flips
    assert found.left_out == (MI300X,)
    assert found.of == 17
    assert all(MI300X not in keys for flip in found.groups for keys in flip.subjects.values())
    assert compare(eager(A100, MI300X)).flips.groups == ()


def test_shares_of_a_time_without_its_launches_are_unknown() -> None:
    found = compare(eager(A100, MI300X))
    for figure in ("memory_share", "compute_share", "overhead_share"):
        unknown = cell(found, MI300X, figure)
        assert unknown.value is None
        assert unknown.why is not None
        assert unknown.why.code == "compare.why.launch_shares"
        assert cell(found, A100, figure).value is not None
