"""Tokens per second at the usual batches or lengths of prompts, each with its own room."""

import pytest
from msgspec.structs import replace

from explorer.analysis.ask.comparison.compared import Comparison, compare
from explorer.analysis.ask.comparison.figures.swept_figures import RateMemory
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.study import Study
from explorer.analysis.study.variant import SetBatch, Variant
from tests.analysis.ask.comparison.machines import A100, CATALOGUE, GEFORCE, H100, cell, compared, evaluated, llama
from tests.analysis.making import own


def swept(found: Comparison) -> list[str]:
    return [f.id for f in found.figures if f.group in {"at_batch", "at_context"}]


def at(study: Study, **work: object) -> Study:
    return replace(study, workload=replace(study.workload, **work))


@pytest.mark.parametrize("batch", [1, 8, 32])
def test_each_batch_has_the_tokens_and_ratio_of_a_study_at_it(batch: int) -> None:
    found, alone = compared(llama(H100, A100, batch=64)), compared(llama(H100, A100, batch=batch))
    for key in (H100, A100):
        here, there = cell(found, key, f"at_batch_{batch}"), cell(alone, key, "in_all")
        assert here.value == pytest.approx(there.value, rel=1e-12)
        assert here.ratio == pytest.approx(there.ratio, rel=1e-12)
        assert here.best == there.best


def test_the_studys_own_batch_stands_among_them_only_where_it_is_none_of_them() -> None:
    usual = ["at_batch_1", "at_batch_8", "at_batch_32"]
    assert swept(compared(llama(H100, batch=8))) == usual
    found = compared(llama(H100, A100, batch=64))
    assert swept(found) == [*usual, "at_batch_own"]
    assert cell(found, A100, "at_batch_own") == cell(found, A100, "in_all")


def test_prefill_is_compared_by_the_length_of_prompts() -> None:
    prefill = at(llama(H100, A100), phase="prefill", batch=2, context=4096)
    found = compared(prefill)
    assert swept(found) == ["at_context_512", "at_context_2048", "at_context_8192", "at_context_own"]
    alone = compared(at(prefill, context=8192))
    assert cell(found, A100, "at_context_8192").value == pytest.approx(cell(alone, A100, "in_all").value, rel=1e-12)
    assert "at_context_own" not in swept(alone)


def test_room_is_judged_at_each_batch_and_not_at_the_studys() -> None:
    # 16.1 GB of weights and 1.07 GB of KV cache for a request at 8,192 tokens: the 4090's 25.8 GB hold 9
    found = compared(llama(H100, GEFORCE, batch=512, context=8192))
    here = cell(found, GEFORCE, "at_batch_8")
    assert here.value is not None
    assert cell(found, GEFORCE, "in_all").value is None
    full = cell(found, GEFORCE, "at_batch_32")
    assert (full.value, full.ratio) == (None, None)
    assert full.why is not None
    assert (full.why.code, full.why.values) == ("compare.why.no_room_at_batch", {"at": "32"})
    assert cell(found, H100, "at_batch_32").value is not None


def test_a_batch_for_which_nothing_has_room_keeps_its_column_and_says_why() -> None:
    found = compared(llama(GEFORCE, batch=1, context=131072))
    assert cell(found, GEFORCE, "at_batch_32").why is not None


def test_rows_of_the_user_count_at_every_batch() -> None:
    study = replace(llama(H100, batch=8), operators=(own("up", "matmul", m=256, n=8192, k=8192),))
    found = compared(study)
    assert cell(found, H100, "at_batch_8").value == pytest.approx(cell(found, H100, "in_all").value, rel=1e-12)
    bare = compared(llama(H100, batch=8))
    assert (cell(found, H100, "at_batch_8").value or 0) < (cell(bare, H100, "at_batch_8").value or 0)


def test_where_the_batch_itself_varies_no_column_bears_the_studys_own() -> None:
    study = replace(llama(H100, batch=64), what_ifs=(Variant(label="more", edit=SetBatch(batch=128)),))
    found = compared(study, vary="what_ifs")
    assert swept(found) == ["at_batch_1", "at_batch_8", "at_batch_32"]
    assert len(found.rows) == 2
    assert len({row.cells["at_batch_8"].value for row in found.rows}) == 1


def test_without_a_model_no_batch_is_compared() -> None:
    bare = replace(llama(H100), models=(), active_model="", operators=(own("up", "matmul", m=256, n=512, k=512),))
    assert swept(compared(bare)) == []


def test_a_drag_of_the_batch_sweeps_once_and_a_change_of_context_again() -> None:
    first = evaluated(llama(H100, A100))
    compare(first)
    memory = first.carried(RateMemory)
    found = memory.of(first)
    assert memory.of(evaluate(llama(H100, A100, batch=9), CATALOGUE, first)) is found
    longer = memory.of(evaluate(llama(H100, A100, context=2048), CATALOGUE, first))
    assert longer is not found
    assert (longer[H100][2] or 0) < (found[H100][2] or 0)
