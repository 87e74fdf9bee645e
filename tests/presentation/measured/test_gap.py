"""Between two figures, at the bound and over it: gpt-oss-120b on a DGX Spark, with other measurements typed in."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from explorer.analysis.measured.gap import Gap, gaps
from explorer.analysis.step.evaluate import evaluate
from explorer.files.catalogue import load_catalogue
from explorer.files.study.study import read_study
from explorer.presentation.measured.gap import gap_sentences, verdict_text

ELSEWHERE = "most of the time goes elsewhere"


def measured(root: Path, times: float, batch: int = 1, *, of_random: bool = False) -> Gap:
    """A step that took so many times its floor, or so many times what random routing allows."""
    study = read_study(root / "resources" / "studies" / "gpt-oss-spark.roofline.yaml")
    (one,) = study.measurements
    catalogue = load_catalogue(devices=False)

    def gap(seconds: float) -> Gap:
        of = replace(study, measurements=(replace(one, tokens_per_s=None, time_s=seconds, batch=batch),))
        (found,) = gaps(evaluate(of, catalogue))
        return found

    work = gap(1.0).prediction
    assert work is not None
    return gap(times * (work.uniform_s if of_random else work.bound_s))


@pytest.mark.parametrize("batch", [8, 32])
def test_between_floor_and_random_routing_only_that_is_told(batch: int, root: Path) -> None:
    found = measured(root, 0.95, batch, of_random=True)
    _first, told, *more = gap_sentences(found)
    assert told.startswith("Between random routing (")
    assert "No fault" in told or "no fault" in told
    assert not [line for line in (told, *more) if "much room" in line or ELSEWHERE in line or "% of the bound" in line]
    assert verdict_text(found) == "beats random routing"


@pytest.mark.parametrize("batch", [8, 32])
def test_slower_than_random_routing_is_judged_by_both_figures(batch: int, root: Path) -> None:
    text = " ".join(gap_sentences(measured(root, 1.25, batch, of_random=True)))
    assert "80 % of what random routing allows" in text
    assert ELSEWHERE not in text


def test_far_from_its_only_figure_the_time_goes_elsewhere(root: Path) -> None:
    assert ELSEWHERE in " ".join(gap_sentences(measured(root, 4.0)))


@pytest.mark.parametrize("times", [0.999, 0.998, 0.9915])
@pytest.mark.parametrize("batch", [1, 8])
def test_within_measuring_error_it_is_at_its_bound(times: float, batch: int, root: Path) -> None:
    found = measured(root, times, batch)
    assert (verdict_text(found), found.causes) == ("at its bound", ())
    assert gap_sentences(found)[1].startswith("At its bound")


@pytest.mark.parametrize("times", [0.98, 0.7])
def test_beyond_it_an_assumption_is_broken_and_the_formats_are_the_studys(times: float, root: Path) -> None:
    lines = gap_sentences(measured(root, times))
    assert "an assumption is broken" in lines[1]
    (bits,) = [line for line in lines if "Weights of fewer bits" in line]
    assert "mxfp4" in bits
    assert "bf16" not in bits
    assert not any("yields 1.0 tokens" in line for line in lines)
