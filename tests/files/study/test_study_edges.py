"""Studies, examples and the catalogue: formats, limits of writing, titles."""

import math

import pytest

from explorer.analysis.problem import Refused
from explorer.analysis.study.study import ModelEntry, Study
from explorer.files.catalogue import load_catalogue
from explorer.files.disk.yaml_text import load_mapping
from explorer.files.resources import resource_root
from explorer.files.study.examples import example_studies
from explorer.files.study.study import _migrated, study_from_text, study_of, study_to_text, write_study
from explorer.files.study.writing import study_pieces, takes_long
from tests.analysis.making import own

CATALOGUE = load_catalogue()


def refused(call, *args, **more):
    with pytest.raises(Refused) as found:
        call(*args, **more)
    (problem,) = found.value.problems
    return problem


@pytest.mark.parametrize("version", ["1", True, 0, -1, 1.0])
def test_a_format_is_a_whole_number_from_one_up(version):
    assert refused(_migrated, {"format": version}).code == "field.integer"


def test_older_studies_are_migrated_step_by_step_and_newer_ones_are_refused():
    steps = {1: lambda d: {**d, "seen": [1]}, 2: lambda d: {**d, "seen": [*d["seen"], 2]}}
    assert _migrated({"format": 1}, steps, 3) == {"format": 3, "seen": [1, 2]}
    assert _migrated({"format": 3}, steps, 3) == {"format": 3}
    assert refused(_migrated, {"format": 4}, steps, 3).values == {"got": "4", "known": 3}
    assert refused(_migrated, {}, steps, 3).code == "study.no_format"


def test_faults_of_a_study_are_led_by_its_file_where_it_has_one():
    text = "zoo: 1\n" + study_to_text(Study())
    assert refused(study_from_text, text, "f").path == "f: zoo"
    assert refused(study_from_text, text.encode()).path == "zoo"
    assert refused(study_from_text, "[", "f").path == "f"


def test_a_study_that_could_not_be_read_back_is_not_written(tmp_path, monkeypatch):
    from explorer.files.study import study as module

    size = len(study_to_text(Study(name="é")).encode())
    path = tmp_path / "a"
    monkeypatch.setattr(module, "LIMIT", size)
    write_study(Study(name="é"), path)
    assert path.stat().st_size == size
    monkeypatch.setattr(module, "LIMIT", size - 1)
    assert refused(write_study, Study(name="é"), path).values == {"limit": size - 1}
    with pytest.raises(Refused):
        write_study(Study(operators=(own("a", "gone"),)), tmp_path / "b")
    assert not (tmp_path / "b").exists()


def test_a_study_is_written_in_small_pieces_and_parts_are_not_written_anew():
    operators = tuple(own(f"r{i}", "matmul") for i in range(120))
    of = Study(name="s", operators=operators)
    pieces = list(study_pieces(of))
    sizes = [p.count("- ") for p in pieces if p.startswith("  - ")]
    assert sizes == [50, 50, 20]
    changed = Study(name="s", operators=(*operators[:-1], own("new", "softmax")))
    for one in (changed, of):
        assert study_of(load_mapping("".join(study_pieces(one)))) == study_from_text(study_to_text(one)) == one
    assert "operators" not in "".join(study_pieces(Study()))


@pytest.mark.parametrize(("count", "long"), [(400, False), (401, True)])
def test_a_study_of_more_than_400_parts_or_values_takes_long_to_write(count, long):
    assert takes_long(Study(operators=tuple(own(f"r{i}", "matmul") for i in range(count)))) is long
    config = {"a": list(range(count - 2))}
    assert takes_long(Study(models=(ModelEntry(id="m", name="m", config=config),))) is long


def test_long_texts_in_a_config_count_by_the_thousand():
    def of(length):
        return Study(models=(ModelEntry(id="m", name="m", config={"a": "x" * length}),))

    assert takes_long(of(399_000)) is True
    assert takes_long(of(398_999)) is False


def test_examples_have_titles_in_both_languages_and_english_otherwise():
    first = example_studies()[0]
    assert (first.title("zh_CN"), first.title("zh"), first.title("en"), first.title("fr"), first.title()) == (
        first.zh, first.zh, first.en, first.en, first.en,
    )  # fmt: skip
    assert first.zh != first.en
    assert first.path.is_file()


def test_a_catalogue_holds_what_is_asked_for():
    bare = load_catalogue(devices=False)
    assert (bare.devices, bare.presets) == ((), ())
    assert load_catalogue(devices=False, presets=True).presets
    assert load_catalogue(presets=False).presets == ()
    assert load_catalogue(presets=False).devices
    assert CATALOGUE.presets
    assert (resource_root() / "resources").is_dir()
    assert all(math.isfinite(f.bits) for f in bare.formats)
