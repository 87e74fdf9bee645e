"""The core's speed: a decode sweep of every operator, and a whole batch-by-context grid."""

import time
from collections.abc import Callable

import numpy as np
import pytest

from explorer.analysis.catalogue import Catalogue
from explorer.analysis.edits import add_hardware, add_model
from explorer.analysis.evaluate import Evaluator, evaluate
from explorer.analysis.study import ModelEntry, Study
from explorer.files.catalogue import load_catalogue
from tests.analysis.test_decode import LLAMA_2_13B

DEVICES = ("nvidia-h100-sxm5-80gb", "nvidia-a100-sxm4-80gb", "amd-instinct-mi300x", "nvidia-geforce-rtx-4090")


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def thirteen(catalogue: Catalogue, count: int) -> Study:
    study = Study()
    for ident in DEVICES[:count]:
        study = add_hardware(study, catalogue.device_by_id[ident])
    return add_model(study, ModelEntry(id="m", name="13B", config=LLAMA_2_13B))


def best(function: Callable[[], object], rounds: int = 30) -> float:
    function()
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        function()
        times.append(time.perf_counter() - started)
    return min(times)


def yardstick() -> float:
    """A fixed piece of numpy work, about 1 ms on the machine of the budgets: slow machines get a longer one."""
    values = np.linspace(1.0, 2.0, 100_000)
    return best(lambda: [np.sqrt(values) for _ in range(10)])


@pytest.mark.benchmark(group="core")
def test_a_64_batch_decode_sweep_of_a_13b_model_takes_a_millisecond(benchmark, catalogue):
    evaluator = Evaluator(thirteen(catalogue, 1), catalogue)
    batches = np.arange(1.0, 65.0)

    def sweep() -> object:
        return evaluator.sweep(evaluator.step(batch=batches), evaluator.roofs)

    benchmark(sweep)
    assert best(sweep) <= 1e-3 * max(1.0, yardstick() / 1e-3)


@pytest.mark.benchmark(group="core")
def test_a_256_by_256_grid_on_four_devices_takes_60_milliseconds(benchmark, catalogue):
    evaluator = Evaluator(thirteen(catalogue, 4), catalogue)
    batches = np.geomspace(1, 4096, 256)[:, None]
    contexts = np.geomspace(128, 131072, 256)[None, :]

    def grid() -> object:
        return evaluator.sweep(evaluator.step(batch=batches, context=contexts), evaluator.roofs)

    benchmark(grid)
    assert best(grid, 5) <= 60e-3 * max(1.0, yardstick() / 1e-3)


@pytest.mark.benchmark(group="core")
def test_one_evaluation_costs_less_than_a_sweep_of_64_batches_allows(benchmark, catalogue):
    study = thirteen(catalogue, 4)
    benchmark(lambda: evaluate(study, catalogue))
    assert best(lambda: evaluate(study, catalogue)) <= 2e-3 * max(1.0, yardstick() / 1e-3)
