"""The core's speed beside plain Python and numpy: a decode sweep of every operator, and a batch-by-context grid."""

import numpy as np
import pytest

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.step.evaluate import Evaluator, evaluate
from explorer.analysis.study.edits import add_hardware, add_model
from explorer.analysis.study.study import ModelEntry, Study
from explorer.files.catalogue import load_catalogue
from tests.analysis.test_decode import LLAMA_2_13B
from tests.benchmarks.floors import plain_numpy, plain_python
from tests.benchmarks.judged import Judge

DEVICES = ("nvidia-h100-sxm5-80gb", "nvidia-a100-sxm4-80gb", "amd-instinct-mi300x", "nvidia-geforce-rtx-4090")


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def thirteen(catalogue: Catalogue, count: int) -> Study:
    study = Study()
    for ident in DEVICES[:count]:
        study = add_hardware(study, catalogue.device_by_id[ident])
    return add_model(study, ModelEntry(id="m", name="13B", config=LLAMA_2_13B))


def test_a_64_batch_decode_sweep_of_a_13b_model_costs_little_python(judge: Judge, catalogue: Catalogue) -> None:
    evaluator = Evaluator(thirteen(catalogue, 1), catalogue)
    batches = np.arange(1.0, 65.0)
    judge(
        "core: sweep of 64 batches",
        lambda _: evaluator.sweep(evaluator.step(batch=batches), evaluator.machines),
        plain_python(),
        goal=2.5,
        limit=3.5,
        goal_ms=1,
    )


def test_a_256_by_256_grid_on_four_devices_costs_little_numpy(judge: Judge, catalogue: Catalogue) -> None:
    evaluator = Evaluator(thirteen(catalogue, 4), catalogue)
    batches = np.geomspace(1, 4096, 256)[:, None]
    contexts = np.geomspace(128, 131072, 256)[None, :]
    judge(
        "core: grid of 256 x 256",
        lambda _: evaluator.sweep(evaluator.step(batch=batches, context=contexts), evaluator.machines),
        plain_numpy(),
        goal=6,
        limit=9,
        goal_ms=60,
        steps=4,
    )


def test_one_evaluation_costs_little_python(judge: Judge, catalogue: Catalogue) -> None:
    study = thirteen(catalogue, 4)
    judge("core: one evaluation", lambda _: evaluate(study, catalogue), plain_python(), goal=2.5, limit=3.5, goal_ms=2)
