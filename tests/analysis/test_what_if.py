from explorer.analysis.study.what_if import WHAT_IF, faster_device
from tests.presentation.llama import device


def test_a_what_if_copy_multiplies_rates_and_says_where_they_come_from() -> None:
    base = device()
    copy = faster_device(base, id_="x", name="X", short="x", title="twice the figure of Round", bandwidth=2.0)
    assert (copy.bandwidth, copy.capacity) == (4e12, 80e9)
    assert copy.peaks == base.peaks
    assert copy.memory[0].source == WHAT_IF
    assert copy.sources[WHAT_IF].title == "twice the figure of Round"


def test_compute_alone_leaves_the_memory_alone() -> None:
    copy = faster_device(device(), id_="x", name="X", short="x", title="t", compute=2.0)
    assert [p.rate for p in copy.peaks] == [2e15, 1e14]
    assert copy.memory == device().memory
