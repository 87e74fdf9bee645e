"""Study files: exact round trip, every fault named, nothing but a study or a refusal."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import explorer.presentation.sentences  # noqa: F401 - registers every sentence
from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.device import Device, MemoryLevel, Peak
from explorer.analysis.catalogue.kinds import Derived, Dim, OperatorKind
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.study.check import study_problems
from explorer.analysis.study.study import (
    HardwareEntry,
    Measurement,
    ModelEntry,
    Override,
    OwnRow,
    QuickModel,
    Study,
    View,
    Workload,
)
from explorer.files.catalogue import load_catalogue
from explorer.files.study.study import _migrated, read_study, study_from_text, study_of, study_to_text, write_study
from explorer.presentation.words.messages import TEMPLATES, render_problem

DEVICE = Device(
    id="card",
    name="Card",
    vendor="Vendor",
    peaks=(Peak(format="fp16", accumulate="fp32", unit="tensor", rate=300e12),),
    memory=(MemoryLevel(level="HBM", capacity=80e9, bandwidth=2e12),),
)
KIND = OperatorKind(
    id="mine",
    dims=(Dim(name="x", default=2.0),),
    derived=(Derived(name="twice", formula="2 * x"),),
    flops="twice",
    bytes_read="a * x",
    bytes_written="o * x",
)
FULL = Study(
    name="Everything",
    notes="First line.\nSecond line: “quoted”, 中文, # no comment",
    hardware=(HardwareEntry(id="h1", device=DEVICE, colour="#123456", visible=False, count=8),),
    models=(
        ModelEntry(id="m1", name="A", source="config.json", config={"hidden_size": 8, "eps": 1e-05, "on": True}),
        ModelEntry(id="m2", name="B", quick=QuickModel(params=13e9, layers=32, kv_heads=32, head_dim=128)),
    ),
    active_model="m2",
    workload=Workload(batch=8, context=4096, weights="int8", kv="fp8", launch="eager", expected=(0.5, 0.9)),
    overrides=(Override(row="q_proj", weights="fp8", fused=True),),
    operators=(
        OwnRow(id="o1", name="gemm", kind="matmul", dims={"m": 4096, "n": 4096, "k": 4096}),
        OwnRow(id="o2", name="own", kind="mine", dims={"x": 0.1}, count=2.5, enabled=False),
    ),
    kinds=(KIND,),
    measurements=(Measurement(id="t1", name="run", tokens_per_s=52.5, phase="decode", batch=1),),
    view=View(active_hardware="h1", selection=("gemm",), x_range=(-1.5, 4.0), compare_charts=("years",)),
)


def faults(**fields: object) -> dict[str, str]:
    found = study_problems(msgspec.structs.replace(FULL, **fields), load_catalogue(devices=False))
    return {p.path: p.code for p in found}


def test_a_study_with_everything_comes_back_equal(tmp_path: Path) -> None:
    path = tmp_path / "full.roofline.yaml"
    write_study(FULL, path)
    assert read_study(path) == FULL


def test_writing_twice_gives_the_same_text() -> None:
    text = study_to_text(FULL)
    assert study_to_text(study_from_text(text)) == text


def test_any_yaml_reader_reads_the_file() -> None:
    data = yaml.safe_load(study_to_text(FULL))
    assert data["format"] == 2
    assert data["notes"] == FULL.notes
    assert data["workload"]["batch"] == 8


def test_a_good_study_has_no_problems() -> None:
    assert faults() == {}


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
LINE = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf", "Cn", "Co", "Zl", "Zp", "Zs"]), max_size=20)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
ROWS = st.builds(
    OwnRow,
    id=st.uuids().map(str),
    name=LINE,
    kind=st.just("matmul"),
    dims=st.dictionaries(st.sampled_from(["m", "n", "k"]), st.floats(0, 1e18), max_size=3),
    count=st.floats(1e-3, 1e9),
    weights=st.sampled_from([None, "fp16", "int4", "Q4_K"]),
    enabled=st.booleans(),
)
STUDIES = st.builds(
    Study,
    name=LINE,
    notes=TEXT,
    models=st.lists(
        st.builds(
            ModelEntry,
            id=st.uuids().map(str),
            name=LINE,
            config=st.dictionaries(TEXT, PLAIN, max_size=4),
        ),
        max_size=2,
    ).map(tuple),
    workload=st.builds(
        Workload, batch=st.integers(1, 2**20), context=st.integers(1, 2**27), reserve=st.floats(0, 1e18)
    ),
    operators=st.lists(ROWS, max_size=3).map(tuple),
)


@given(STUDIES)
@settings(max_examples=150, deadline=None)
def test_every_study_comes_back_equal(study: Study) -> None:
    assert study_from_text(study_to_text(study)) == study


@pytest.mark.parametrize(
    ("fields", "path", "code"),
    [
        ({"workload": Workload(batch=0)}, "workload.batch", "study.range"),
        ({"workload": Workload(batch=2**40)}, "workload.batch", "study.range"),
        ({"workload": Workload(context=0)}, "workload.context", "study.range"),
        ({"workload": Workload(expected=(0.8, 0.6))}, "workload.expected", "study.expected"),
        ({"workload": Workload(expected=(0.0, 1.0))}, "workload.expected", "study.expected"),
        ({"workload": Workload(expected=(0.5, float("nan")))}, "workload.expected", "study.expected"),
        ({"workload": Workload(kv="fp5")}, "workload.kv", "study.number_format"),
        ({"active_model": "m9"}, "active_model", "study.active_model"),
        ({"hardware": (HardwareEntry(id="h", device=DEVICE, count=0),)}, "hardware[0].count", "study.range"),
        (
            {"hardware": (HardwareEntry(id="h", device=msgspec.structs.replace(DEVICE, memory=())),)},
            "hardware[0].device.memory",
            "device.no_memory",
        ),
        ({"models": (ModelEntry(id="m2", name="neither"),)}, "models[0]", "study.model_source"),
        ({"operators": (OwnRow(id="o", name="o", kind="nothing"),)}, "operators[0].kind", "row.kind"),
        (
            {"operators": (OwnRow(id="o", name="o", kind="matmul", dims={"q": 1}),)},
            "operators[0].dims.q",
            "study.dim",
        ),
        (
            {"operators": (OwnRow(id="o", name="o", kind="matmul", dims={"m": float("inf")}),)},
            "operators[0].dims.m",
            "study.range",
        ),
        (
            {"operators": (OwnRow(id="o", name="o", kind="conv2d", dims={"stride": 0}),)},
            "operators[0]",
            "formula.value",
        ),
        (
            {"kinds": (KIND, msgspec.structs.replace(KIND, id="bad", flops="secret * x"))},
            "kinds[1].flops",
            "formula.name",
        ),
        ({"kinds": (KIND, KIND)}, "kinds[1].id", "study.twice"),
        ({"kinds": (KIND, msgspec.structs.replace(KIND, id="matmul"))}, "kinds[1].id", "study.kind_taken"),
        ({"view": View(x_range=(2.0, 1.0))}, "view.x_range", "study.view_range"),
        (
            {"measurements": (Measurement(id="t", name="t", time_s=-1.0),)},
            "measurements[0].time_s",
            "study.positive",
        ),
    ],
)
def test_each_fault_is_named_at_its_field(fields: dict[str, object], path: str, code: str) -> None:
    assert faults(**fields).get(path) == code


def refusal(text: str | bytes) -> tuple[Problem, ...]:
    with pytest.raises(Refused) as refused:
        study_from_text(text, "some.roofline.yaml")
    return refused.value.problems


def test_a_newer_format_is_refused_with_what_to_do() -> None:
    (problem,) = refusal("format: 3\nsomething: new\n")
    assert render_problem(problem) == (
        "some.roofline.yaml: format: This study has format 3, this program reads up to format 2; update the program."
    )


def test_a_file_without_a_format_is_no_study() -> None:
    assert refusal("name: x")[0].code == "study.no_format"


def test_an_unknown_key_is_refused_with_its_path() -> None:
    problems = refusal("format: 1\nworkload: {batch: 8, interpreter: /usr/bin/python}\n")
    assert [(p.code, p.path) for p in problems] == [("field.unknown", "some.roofline.yaml: workload.interpreter")]


def test_several_faults_are_told_at_once() -> None:
    problems = refusal("format: 1\nworkload: {batch: much, launch: later}\n")
    assert {p.path.partition(": ")[2] for p in problems} == {"workload.batch", "workload.launch"}


def test_an_older_format_passes_every_migration_in_turn() -> None:
    def renamed(data: dict[str, object]) -> dict[str, object]:
        return {"name": data["title"], "format": data["format"]}

    def signed(data: dict[str, object]) -> dict[str, object]:
        return {**data, "notes": "migrated"}

    data = _migrated({"format": 1, "title": "old"}, {1: renamed, 2: signed}, known=3)
    assert data == {"format": 3, "name": "old", "notes": "migrated"}


def test_a_study_that_could_not_be_read_back_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "x.roofline.yaml"
    with pytest.raises(Refused):
        write_study(Study(workload=Workload(batch=0)), path)
    assert not path.exists()


def test_a_study_is_never_half_written(tmp_path: Path) -> None:
    path = tmp_path / "x.roofline.yaml"
    write_study(FULL, path)
    before = path.read_bytes()
    with pytest.raises(Refused):
        write_study(FULL, tmp_path / "no such folder" / "x.roofline.yaml")
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def read_or_refused(text: str | bytes) -> None:
    problems = problems_of(lambda: study_from_text(text, "f"))
    for problem in problems:
        line = render_problem(problem)
        assert "\n" not in line
        assert problem.code in TEMPLATES, "the sentence is missing"


def problems_of(read: Callable[[], Study]) -> tuple[Problem, ...]:
    try:
        study = read()
    except Refused as refused:
        return refused.problems
    assert study_problems(study, load_catalogue(devices=False)) == ()
    return ()


@given(st.binary(max_size=200) | st.text(max_size=200))
@settings(max_examples=300, deadline=None)
def test_anything_is_read_or_refused(text: str | bytes) -> None:
    read_or_refused(text)


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_a_damaged_study_is_read_or_refused(data: st.DataObject) -> None:
    text = study_to_text(FULL)
    start = data.draw(st.integers(0, len(text) - 1))
    length = data.draw(st.integers(0, 30))
    patch = data.draw(
        st.sampled_from(["", " ", "\n", "{", "[", "- ", ": ", "-1", "1e999", "nan", ".nan", "!!x ", "&a "]) | TEXT
    )
    read_or_refused(text[:start] + patch + text[start + length :])


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_a_study_of_odd_values_is_read_or_refused(data: st.DataObject) -> None:
    tree = msgspec.to_builtins(FULL) | {"format": 1}
    part = tree
    while isinstance(part, dict | list) and part:
        key = data.draw(st.sampled_from(list(part) if isinstance(part, dict) else list(range(len(part)))))
        inner = part[key]
        if isinstance(inner, dict | list) and inner and data.draw(st.booleans()):
            part = inner
            continue
        part[key] = data.draw(PLAIN | st.floats() | st.just(10**400))
        break
    problems_of(lambda: study_of(tree))


def test_without_a_catalogue_kinds_and_formats_are_taken_on_trust() -> None:
    study = Study(operators=(OwnRow(id="o", name="o", kind="of tomorrow", weights="fp3"),))
    assert study_problems(study) == ()
    assert len(study_problems(study, Catalogue())) > 0


@pytest.mark.parametrize("character", ["k", '"', "é", "\U0001f600", " "])
@pytest.mark.parametrize("length", [100, 300, 1024, 5000])
def test_a_config_with_keys_of_any_length_reads_back(character, length):
    entry = ModelEntry(id="a", name="a", config={"model_type": "llama", "q": [{character * length: {"m": [1]}}]})
    study = Study(models=(entry,))
    assert study_from_text(study_to_text(study)) == study


def test_the_largest_config_that_is_read_can_be_saved_and_read_back():
    names = [f"model.layers.{i}.mlp.experts.{i}.gate_proj" for i in range(100_000)]
    study = Study(models=(ModelEntry(id="a", name="a", config={"model_type": "llama", "q": names}),))
    assert study_from_text(study_to_text(study)) == study
