"""Counters of a profiler, in words' codes."""

import pytest

from explorer.analysis.catalogue.device import Device, MemoryLevel
from explorer.analysis.measured.diagnosis import Counters, diagnose
from explorer.analysis.problem import Refused

H100 = Device(id="h", name="H", vendor="T", memory=(MemoryLevel(level="HBM3", bandwidth=3350e9, latency=375e-9),))


@pytest.mark.parametrize(
    ("memory", "compute", "finding"),
    [
        (0.92, 0.2, "memory"),
        (0.35, 0.1, "latency"),
        (0.3, 0.4, "latency"),
        (0.2, 0.95, "compute"),
        (0.85, 0.88, "both"),
        (0.05, 0.03, "overhead"),
        (0.65, 0.2, "mostly_memory"),
        (0.2, 0.65, "mostly_compute"),
        (0.6, 0.6, "between"),
        (1.1, 0.1, "memory"),
    ],
)
def test_counters_tell_what_is_waited_for(memory, compute, finding):
    assert diagnose(Counters(memory, compute)).finding == finding


def test_latency_counts_bytes_in_flight_by_littles_law():
    found = diagnose(Counters(0.35, 0.1), H100).in_flight
    assert found.needed == pytest.approx(3350e9 * 375e-9)
    assert found.achieved == pytest.approx(0.35 * 3350e9 * 375e-9)


def test_without_a_latency_the_device_cannot_tell_bytes_in_flight():
    found = diagnose(Counters(0.35, 0.1))
    assert found.in_flight is None
    assert "diagnosis.no_latency" in {n.code for n in found.notes}


def test_high_memory_throughput_is_warned_of_cache_hits():
    assert "diagnosis.cache_hits" in {n.code for n in diagnose(Counters(0.9, 0.1)).notes}
    assert "diagnosis.over_peak" in {n.code for n in diagnose(Counters(1.2, 0.1)).notes}
    assert not diagnose(Counters(0.35, 0.1), H100).notes


def test_an_operator_of_little_time_is_not_worth_it():
    small = diagnose(Counters(0.9, 0.1, time_share=0.02, rank=9)).notes
    assert {"diagnosis.small", "diagnosis.rank"} <= {n.code for n in small}
    large = next(n for n in diagnose(Counters(0.9, 0.1, time_share=0.5)).notes if n.code == "diagnosis.gain")
    assert large.values["gain"] == pytest.approx(2.0)


@pytest.mark.parametrize("share", [-0.1, float("nan"), 35.0])
def test_what_is_no_share_is_refused(share):
    with pytest.raises(Refused, match=r"diagnosis\.share"):
        diagnose(Counters(share, 0.1))
