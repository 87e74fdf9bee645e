"""From a study's rows to a job and back to measurements beside their predictions."""

import json

import msgspec
import pytest

import explorer.presentation.measured.measure_texts  # noqa: F401 - the sentences used here
from explorer.analysis.catalogue.kinds import Dim, OperatorKind
from explorer.analysis.problem import Refused
from explorer.analysis.study.study import OwnRow, Workload
from explorer.bench.jobs import (
    Job,
    RowResult,
    measure_job,
    measured_point,
    sweep_job,
    with_measurements,
)
from explorer.bench.protocol import Hello, RowSkipped, RowTimed
from explorer.bench.reasons import note_of_skip
from explorer.files.study.study import study_from_text, study_to_text
from explorer.presentation.words.messages import of_note, render

HELLO = Hello(protocol=1, python="3.11", torch="2.13", threads=4)
MATMUL = OwnRow(id="a", name="q_proj", kind="matmul", dims={"m": 8, "n": 16, "k": 32}, activations="fp16")


def timed(row_id: str, seconds: float = 0.5, **more: object) -> RowTimed:
    return RowTimed(
        id=row_id, median_s=seconds, low_s=0.9 * seconds, high_s=1.1 * seconds, min_s=seconds, runs=9, **more
    )


def results(job: Job, seconds: float = 0.5) -> list[RowResult]:
    return [RowResult(r, timed(r.id), measured_point(r, timed(r.id, seconds), job, HELLO)) for r in job.rows]


def test_a_row_is_told_with_every_dimension_its_formats_and_its_counts(evaluated):
    (row,) = measure_job(evaluated(MATMUL)).rows
    assert row.dims == {"m": 8, "n": 16, "k": 32, "bias": 0}
    assert (row.formats.activations, row.formats.output) == ("fp16", "fp16")
    assert row.flops == 2 * 8 * 16 * 32
    assert row.bytes == 2 * (8 * 32 + 16 * 32 + 8 * 16)


def test_dimensions_left_to_the_kind_are_spelled_out(evaluated):
    (row,) = measure_job(evaluated(OwnRow(id="a", name="x", kind="conv2d"))).rows
    assert row.dims["C_in"] == 64
    assert row.dims["stride"] == 1


def test_the_job_is_one_line_and_holds_no_more_than_the_worker_needs(evaluated):
    line = measure_job(evaluated(MATMUL)).line()
    assert b"\n" not in line
    assert json.loads(line)["protocol"] == 1
    assert "left_out" not in json.loads(line)


def test_a_fused_row_is_left_out_with_the_reason(evaluated):
    job = measure_job(evaluated(MATMUL, msgspec.structs.replace(MATMUL, id="b", name="norm", fused=True)))
    assert [r.name for r in job.rows] == ["q_proj"]
    assert [(s.where, s.why.code) for s in job.left_out] == [("norm", "measure.skip.fused")]


def test_a_kind_of_the_users_is_never_taken_for_one_of_torchs(evaluated):
    own = OperatorKind(id="copy", dims=(Dim(name="n"),), flops="n", bytes_read="n", bytes_written="0")
    (row,) = measure_job(evaluated(OwnRow(id="a", name="x", kind="copy"), kinds=(own,))).rows
    assert row.kind == "own/copy"


def test_rows_are_picked_by_name_and_a_wrong_name_is_refused(evaluated):
    other = msgspec.structs.replace(MATMUL, id="b", name="k_proj")
    assert [r.name for r in measure_job(evaluated(MATMUL, other), ["k_proj"]).rows] == ["k_proj"]
    with pytest.raises(Refused) as refused:
        measure_job(evaluated(MATMUL), ["nonsense"])
    assert refused.value.problems[0].code == "measure.no_row"
    with pytest.raises(Refused):
        measure_job(evaluated())


def test_a_sweep_times_one_row_at_each_value_once(evaluated):
    job = sweep_job(evaluated(MATMUL), "q_proj", "m", [1, 16, 16, 256])
    assert [r.dims["m"] for r in job.rows] == [1, 16, 256]
    assert [r.flops for r in job.rows] == [2 * m * 16 * 32 for m in (1, 16, 256)]
    assert job.rows[1].label == "q_proj, m = 16"
    with pytest.raises(Refused):
        sweep_job(evaluated(MATMUL), "q_proj", "depth", [1])


def test_results_stand_beside_their_rows_and_replace_older_ones(evaluated):
    evaluation = evaluated(MATMUL, workload=Workload(phase="prefill", batch=2, context=64))
    job = measure_job(evaluation)
    once = with_measurements(evaluation.study, results(job), "gpu")
    (measured,) = once.measurements
    assert (measured.row, measured.device, measured.time_s) == ("q_proj", "gpu", 0.5)
    assert (measured.phase, measured.batch, measured.context) == ("prefill", 2, 64)
    assert measured.quartiles_s == pytest.approx((0.45, 0.55))
    again = with_measurements(once, results(job, 0.25), "gpu")
    assert [m.time_s for m in again.measurements] == [0.25]


def test_points_of_a_sweep_bring_their_own_counts(evaluated):
    evaluation = evaluated(MATMUL)
    job = sweep_job(evaluation, "q_proj", "m", [1, 16])
    measured = with_measurements(evaluation.study, results(job), "gpu").measurements
    assert [(m.row, m.flops) for m in measured] == [(None, 1024.0), (None, 16384.0)]
    assert len({m.id for m in measured}) == 2


def test_measurements_survive_the_file(evaluated):
    evaluation = evaluated(MATMUL)
    study = with_measurements(evaluation.study, results(measure_job(evaluation)), "gpu")
    assert study_from_text(study_to_text(study)).measurements == study.measurements


def test_what_limits_a_figure_is_said_with_it(evaluated):
    job = measure_job(evaluated(MATMUL))
    said = timed("0", steady=False, note="composed", resident="cache")
    codes = [n.code for n in measured_point(job.rows[0], said, job, HELLO).notes]
    assert codes == ["measure.note.composed", "measure.note.cached", "measure.note.unsteady"]


def test_a_row_beyond_memory_names_the_part_it_may_take():
    said = RowSkipped(id="0", code="memory", name="adam", values={"need": 20e9, "free": 23.9e9})
    why = render(of_note(note_of_skip(said)))
    assert why == "It needs 20 GB, more than 70 % of the 23.9 GB that are free on this device."
