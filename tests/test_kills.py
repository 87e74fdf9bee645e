"""A program killed at any moment loses no saved study and nothing that was edited before, and no worker lives on."""

import sys

import pytest

from tests.kills import Kills

KILLS = 6


@pytest.mark.skipif(sys.platform != "linux", reason="processes are told by what Linux says of them")
def test_no_kill_loses_what_was_saved_or_edited(tmp_path):
    kills = Kills(tmp_path, seed=1, longest_s=0.6, signals=("SIGKILL", "SIGKILL", "SIGTERM", "SIGINT"))
    for _ in range(KILLS):
        kills.kill_once()
    kills.tidy()
    assert kills.counted["acts"] > KILLS
