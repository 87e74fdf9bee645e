"""Whatever a user does in whatever order: no exception, no warning, nothing lost, and a study that can be saved."""

import os

import pytest

from tests.ui.monkey_world import World

ACTIONS = int(os.environ.get("MONKEY_ACTIONS", "120"))
SEEDS = range(*map(int, os.environ.get("MONKEY_SEEDS", "1 3").split()))


@pytest.mark.parametrize("seed", SEEDS)
def test_no_order_of_actions_breaks_the_window_or_the_study(qapp, tmp_path, seed):
    assert World(tmp_path / "world", seed).play(ACTIONS) == ACTIONS
