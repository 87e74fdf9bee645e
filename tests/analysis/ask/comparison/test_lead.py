"""Who is ahead of a baseline and who behind."""

import pytest
from msgspec.structs import replace

from explorer.analysis.ask.comparison.lead import kind_ratios, lead
from tests.analysis.ask.comparison.machines import A100, B200, GEFORCE, H100, TWO, compared, llama
from tests.analysis.making import own

ROWS = (own("up", "matmul", m=256, n=8192, k=8192), own("gelu", "gelu", values=1e8))


def test_the_best_is_ahead_and_the_worst_behind_by_tokens() -> None:
    found = lead(compared(llama()))
    assert found is not None
    assert (found.figure, found.best.subject.key, found.worst.subject.key) == ("in_all", B200, A100)  # type: ignore[union-attr]


def test_none_is_ahead_of_the_best_and_none_behind_the_worst() -> None:
    first = lead(compared(llama(baseline=B200)))
    assert first is not None
    assert first.best is None
    last = lead(compared(llama(H100, A100, B200, baseline=A100)))
    assert last is not None
    assert last.worst is None


def test_equals_are_neither_ahead_nor_behind() -> None:
    study = llama(A100)
    twin = replace(study.hardware[0], id="twin")
    found = lead(compared(replace(study, hardware=(*study.hardware, twin))))
    assert found is not None
    assert found.best is found.worst is None


def test_without_tokens_times_decide_and_the_shorter_one_is_ahead() -> None:
    study = replace(llama(A100, B200), models=(), active_model="", operators=ROWS)
    found = lead(compared(study))
    assert found is not None
    assert (found.figure, found.best.subject.key, found.worst) == ("by_operator", B200, None)  # type: ignore[union-attr]


def test_a_baseline_without_room_leads_nothing() -> None:
    assert lead(compared(llama(GEFORCE, H100))) is None
    assert lead(compared(replace(llama(), hardware=()))) is None


def test_ratios_of_operators_are_those_of_their_times() -> None:
    found = compared(llama(H100, A100, TWO))
    base, other, two = found.rows
    products = kind_ratios(other, base, ("matmul",))
    attention = kind_ratios(other, base, ("attention",))
    assert products is not None
    assert (products.low, products.high) == pytest.approx((2.09, 2.58), abs=0.005)
    assert attention is not None
    assert attention.low == attention.high == pytest.approx(3.35 / 2.039)
    half = kind_ratios(two, other, ("matmul",))
    assert half is not None
    assert (half.low, half.high) == pytest.approx((0.5, 0.5))
    assert kind_ratios(other, base, ("conv2d",)) is None
