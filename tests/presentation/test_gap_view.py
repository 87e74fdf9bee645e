"""Gaps, counters and fits as sentences."""

from explorer.analysis.measured.diagnosis import Counters, diagnose
from explorer.analysis.measured.gap import gaps
from explorer.analysis.measured.roof_fit import fit_roof
from explorer.analysis.step.evaluate import evaluate
from explorer.files.catalogue import load_catalogue
from explorer.presentation.measured.gap import (
    diagnosis_sentences,
    gap_sentences,
    roof_fit_lines,
    roof_fit_remarks,
    sweep_sentence,
    verdict_text,
)
from explorer.presentation.tables.measurement_columns import measurement_columns, measurement_rows
from tests.analysis.making import device, own, study
from tests.analysis.test_diagnosis import H100
from tests.analysis.test_gap import measured, with_measurements
from tests.analysis.test_roof_fit import rows

CATALOGUE = load_catalogue(devices=False)
BASE = study(own("up", "matmul", m=4096, n=4096, k=4096))
BOUND = 2 * 4096**3 / 300e12


def gap(**fields):
    (found,) = gaps(evaluate(with_measurements(BASE, measured(row="up", **fields)), CATALOGUE))
    return found


def test_a_gap_is_told_with_bound_share_and_what_sets_it():
    lines = gap_sentences(gap(time_s=BOUND / 0.4))
    assert lines[0] == "up took 1.15 ms on DEV; its bound is 458 µs."
    assert lines[1] == "40 % of the bound: much room. Compute sets the bound, yet most of the time goes elsewhere."


def test_the_engineering_limit_is_told():
    assert gap_sentences(gap(time_s=BOUND / 0.9))[1].startswith("90 % of the bound: the engineering limit.")


def test_causes_come_ranked_with_their_reasons():
    lines = gap_sentences(gap(time_s=BOUND / 1.1))
    assert lines[1].startswith("110 % of the bound: an assumption is broken.")
    assert lines[2] == "1. A clock above the sheet: boost or overclocking gives 10 %."
    assert [line[0] for line in lines[2:]] == [str(i) for i in range(1, len(lines) - 1)]


def test_the_spread_of_runs_is_told():
    assert "The middle half of 9 runs: 1.00 ms to 1.20 ms." in gap_sentences(
        gap(time_s=1.1e-3, quartiles_s=(1e-3, 1.2e-3), runs=9)
    )


def test_a_measurement_without_a_bound_says_why():
    (found,) = gaps(evaluate(with_measurements(BASE, measured(device="gone", time_s=1.0)), CATALOGUE))
    assert gap_sentences(found) == ["Its device is none of the study's: choose one."]
    assert verdict_text(found) == ""


def test_latency_is_told_with_bytes_in_flight():
    lines = diagnosis_sentences(diagnose(Counters(0.35, 0.1), H100), "H100")
    assert lines[0].startswith("Latency or concurrency: memory at 35 % and compute at 10 % both wait.")
    assert lines[1].startswith("H100 needs 1.26 MB in flight (3.35 TB/s × 375 ns, Little's law)")


def test_a_fit_is_told_with_intervals_and_share_of_the_sheet():
    fit = fit_roof(rows())
    entry = study(on=(device(rate=120e12, bandwidth=1e12),)).hardware[0]
    lines = dict(roof_fit_lines(fit, entry, "bf16"))
    assert lines["effective bandwidth"].endswith("80 % of the sheet")
    assert lines["effective peak, bf16"].endswith("50 % of the sheet")
    assert "fixed time per kernel" in lines
    assert roof_fit_remarks(fit, [])[0].startswith("Measured times differ from the fitted by")


def test_a_sweep_is_told_in_one_sentence():
    sizes = (1e6, 4e6, 1.6e7, 6.4e7)
    points = [(6e-6 + b / 21e9, b**1.5, b) for b in sizes]
    assert sweep_sentence(points) == (
        "Time follows bytes, not FLOPs: memory-bound, 21.0 GB/s effective, 6.00 µs fixed."
    )
    assert sweep_sentence(points[:2]) == ""
    assert sweep_sentence([]) == ""


def test_the_table_shows_bound_measured_efficiency_and_verdict():
    base = with_measurements(BASE, measured(row="up", time_s=BOUND / 0.74))
    found = gaps(evaluate(base, CATALOGUE))
    (row,) = measurement_rows(base, {g.measurement.id: g for g in found})
    texts = {c.key: c.text(row) for c in measurement_columns()}
    assert (texts["of"], texts["on"]) == ("up", "DEV")
    assert (texts["bound_s"], texts["measured_s"]) == ("458 µs", "619 µs")
    assert (texts["efficiency"], texts["verdict"]) == ("74.0 %", "some room")


def test_the_table_says_nothing_before_a_gap_is_worked_out():
    base = with_measurements(BASE, measured(row="up", time_s=1.0))
    (row,) = measurement_rows(base, {})
    texts = {c.key: c.text(row) for c in measurement_columns()}
    assert (texts["bound_s"], texts["verdict"]) == ("–", "–")
