"""A study's text is made once for each part, and a file is never larger than what can be read."""

import msgspec
import pytest
from msgspec.structs import replace

from explorer.analysis.problem import Refused
from explorer.analysis.study.study import Measurement, ModelEntry, OwnRow, Study, View, Workload
from explorer.files.disk import limits
from explorer.files.disk.yaml_text import dump_yaml, most_values
from explorer.files.study import study as study_files
from explorer.files.study import writing as study_writing
from explorer.files.study.study import read_study, study_from_text, study_to_text, write_study
from explorer.files.study.writing import study_pieces, takes_long

ROWS = tuple(OwnRow(id=f"r{i}", name=f"row {i}", kind="matmul", dims={"m": i + 1.0}) for i in range(300))
STUDY = Study(
    name="n",
    operators=ROWS,
    models=(ModelEntry(id="m", name="A", config={"a": [1, {"b": None}], "é": "x" * 200, "y": True}),),
    measurements=(Measurement(id="t", name="run", time_s=1.25e-5, quartiles_s=(1e-5, 0.002)),),
    workload=Workload(batch=3),
    view=View(selection=("row 1",)),
)


def test_the_text_in_pieces_is_the_text_of_the_plain_data_at_once():
    for study in (STUDY, Study(), replace(STUDY, operators=()), replace(STUDY, workload=Workload())):
        assert "".join(study_pieces(study)) == dump_yaml({"format": 2, **msgspec.to_builtins(study)})


def test_only_the_rows_that_changed_are_made_again(monkeypatch):
    study_to_text(STUDY)
    made = []
    before = study_writing.item_text
    monkeypatch.setattr(study_writing, "item_text", lambda data, indent: made.append(data) or before(data, indent))
    changed = replace(ROWS[7], count=5.0)
    edited = replace(STUDY, operators=(*ROWS[:7], changed, *ROWS[8:]), workload=Workload(batch=9))
    assert study_from_text(study_to_text(edited)) == edited
    assert [d["id"] for d in made] == ["r7"]


def test_parts_of_an_earlier_study_never_stand_for_others_in_the_same_memory():
    for i in range(50):  # each study's parts are freed, and the next ones take their place
        study = Study(operators=tuple(OwnRow(id=f"{i}-{n}", name="x", kind="matmul") for n in range(20)))
        assert study_from_text(study_to_text(study)) == study


def test_a_study_that_could_not_be_read_again_is_not_written_over_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.roofline.yaml"
    path.write_text("old")
    monkeypatch.setattr(study_files, "LIMIT", 1000)
    with pytest.raises(Refused) as refused:
        write_study(STUDY, path)
    assert refused.value.problems[0].code == "file.too_large_to_write"
    assert path.read_text() == "old"


def test_what_takes_long_is_known_by_what_a_study_holds():
    assert not takes_long(Study())
    assert not takes_long(replace(STUDY, operators=ROWS[:50]))
    assert takes_long(replace(STUDY, operators=ROWS * 2))
    assert takes_long(Study(models=(ModelEntry(id="m", name="A", config={"a": [0] * 1000}),)))
    assert takes_long(Study(models=(ModelEntry(id="m", name="A", config={"a": "x" * 1_000_000}),)))


def test_a_study_of_more_values_than_are_read_is_not_written_over_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.roofline.yaml"
    path.write_text("old")
    config = {"model_type": "llama", "junk": [0] * 2000}
    study = Study(models=(ModelEntry(id="m", name="M", config=config),), active_model="m")
    monkeypatch.setattr(limits, "YAML_VALUES", 1900)
    with pytest.raises(Refused) as refused:
        write_study(study, path)
    assert [p.code for p in refused.value.problems] == ["file.too_many_to_write"]
    assert path.read_text() == "old"
    text = study_to_text(study)
    monkeypatch.setattr(limits, "YAML_VALUES", most_values(text))
    write_study(study, path)
    assert read_study(path) == study
    monkeypatch.setattr(limits, "YAML_VALUES", most_values(text) - 1)
    with pytest.raises(Refused):
        read_study(path)
    with pytest.raises(Refused):
        write_study(study, path)
