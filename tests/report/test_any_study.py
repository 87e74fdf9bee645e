"""Whatever study passes the check is evaluated, worded and printed, in every form."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

import explorer.presentation.sentences  # noqa: F401
from explorer.analysis.catalogue.device import Device, LaunchOverhead, MemoryLevel, Peak
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.check import study_problems
from explorer.analysis.study.study import HardwareEntry, ModelEntry, OwnRow, QuickModel, Study, View, Workload
from explorer.files.catalogue import load_catalogue
from explorer.presentation.answer.answer import answer, plain_text, rich_text
from explorer.presentation.answer.json_result import evaluation_json
from explorer.presentation.answer.lever_texts import lever_texts
from explorer.report.console import evaluation_text
from explorer.report.tables import table_text

CATALOGUE = load_catalogue(devices=False)
FORMATS = st.none() | st.sampled_from([f.id for f in CATALOGUE.formats])
RATE = st.floats(1.0, 1e24)
PEAKS = st.lists(
    st.builds(
        Peak,
        format=st.sampled_from(["fp32", "bf16", "fp16", "fp8", "int8", "int4"]),
        accumulate=st.sampled_from(["fp32", "int32"]),
        unit=st.sampled_from(["tensor", "vector"]),
        rate=RATE,
    ),
    max_size=4,
    unique_by=lambda p: (p.format, p.accumulate, p.unit),
).map(tuple)
DEVICES = st.builds(
    Device,
    id=st.from_regex(r"[a-z]{4}", fullmatch=True),
    name=st.sampled_from(["Card", "|", "<b>", "{x}", "名"]),
    vendor=st.just("V"),
    peaks=PEAKS,
    memory=st.builds(MemoryLevel, level=st.just("HBM"), capacity=st.none() | RATE, bandwidth=RATE).map(lambda m: (m,)),
    launch_overhead=st.none() | st.builds(LaunchOverhead, seconds=st.floats(1e-12, 1e3)),
)
HARDWARE = st.lists(
    st.builds(
        HardwareEntry,
        id=st.uuids().map(str),
        device=DEVICES,
        visible=st.booleans(),
        count=st.integers(1, 1_000_000),
    ),
    max_size=3,
)
QUICK = st.builds(
    QuickModel,
    params=st.floats(1, 1e15),
    layers=st.integers(1, 200),
    kv_heads=st.integers(1, 1000),
    head_dim=st.integers(1, 1000),
    weights=FORMATS.filter(bool),
    kv=FORMATS.filter(bool),
    file_bytes=st.none() | st.floats(1, 1e15),
)
ROWS = st.lists(
    st.sampled_from(CATALOGUE.kinds).flatmap(
        lambda kind: st.builds(
            OwnRow,
            id=st.uuids().map(str),
            name=st.sampled_from(["", "gemm", "a|b", "=1+1", "{x}"]),
            kind=st.just(kind.id),
            dims=st.dictionaries(
                st.sampled_from([d.name for d in kind.dims]), st.floats(0, 1e18) | st.integers(0, 9), max_size=4
            ),
            count=st.floats(1e-6, 1e9),
            weights=FORMATS,
            activations=FORMATS,
            enabled=st.booleans(),
        )
    ),
    max_size=3,
)


@st.composite
def studies(draw: st.DrawFn) -> Study:
    hardware = tuple(draw(HARDWARE))
    models = tuple(draw(st.lists(QUICK.map(lambda q: ModelEntry(id="m", name="M {x}", quick=q)), max_size=1)))
    work = Workload(
        phase=draw(st.sampled_from(["prefill", "decode"])),
        batch=draw(st.integers(1, 2**20)),
        context=draw(st.integers(1, 2**27)),
        weights=draw(FORMATS),
        activations=draw(FORMATS),
        kv=draw(FORMATS),
        launch=draw(st.sampled_from(["graph", "eager"])),
    )
    active = draw(st.sampled_from(["", "gone", *(e.id for e in hardware)]))
    return Study(
        hardware=hardware,
        models=models,
        active_model=models[0].id if models else "",
        workload=work,
        operators=tuple(draw(ROWS)),
        view=View(active_hardware=active),
    )


@given(studies())
@settings(max_examples=250, deadline=None)
def test_a_checked_study_is_evaluated_and_printed_in_every_form(study: Study) -> None:
    if study_problems(study, CATALOGUE):
        return
    evaluation = evaluate(study, CATALOGUE)
    assert evaluation.problems == ()
    json.dumps(evaluation_json(evaluation), allow_nan=False)
    assert plain_text(answer(evaluation))
    assert rich_text(answer(evaluation))
    for result in evaluation.devices:
        lever_texts(evaluation, result.entry.id)
    assert evaluation_text(evaluation)
    visible = sum(e.visible for e in study.hardware)
    lines = table_text(evaluation, "csv").splitlines()
    assert len(lines) == 1 + visible * len(evaluation.rows)
    for kind in ("tsv", "md"):
        table_text(evaluation, kind)


@given(studies())
@settings(max_examples=100, deadline=None)
def test_most_drawn_studies_pass_the_check(study: Study) -> None:
    """Guards the test above against drawing only what is refused: a refusal may come from rows alone."""
    for problem in study_problems(study, CATALOGUE):
        assert problem.path.startswith("operators["), problem
