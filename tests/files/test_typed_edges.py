"""What people type and paste: each limit, each word, each line that is left out."""

import math

import pytest
from msgspec.structs import replace

from explorer.analysis.problem import Refused
from explorer.analysis.study.check import LARGEST_BATCH, LARGEST_CONTEXT, LARGEST_DIM
from explorer.analysis.study.study import HardwareEntry, ModelEntry, Study
from explorer.files.catalogue import load_catalogue
from explorer.files.disk.yaml_text import load_mapping
from explorer.files.hardware.devices import candidates, device_to_yaml, find_device, load_devices, load_user_devices
from explorer.files.resources import resource_root
from explorer.files.study.examples import example_studies
from explorer.files.study.study import _migrated, study_from_text, study_of, study_to_text, write_study
from explorer.files.study.writing import study_pieces, takes_long
from explorer.files.typed.arguments import named_device, named_devices, named_model, quick_model_from
from explorer.files.typed.cells import LARGEST_CALLS, read_calls, read_dim, read_dims, read_name, read_number
from explorer.files.typed.pasted import LARGEST, MOST_ROWS, parse_rows, unquoted
from explorer.files.typed.pasted_measurements import MOST_ROWS as MOST_MEASUREMENTS
from explorer.files.typed.pasted_measurements import parse_measurements, read_phase, read_whole
from tests.analysis.making import device, own, study

CATALOGUE = load_catalogue()
MATMUL = CATALOGUE.kind_by_id["matmul"]


def refused(call, *args, **more):
    with pytest.raises(Refused) as found:
        call(*args, **more)
    (problem,) = found.value.problems
    return problem


NUMBERS = {
    "1": 1.0, "+1": 1.0, "-1": -1.0, "1.": 1.0, "1k": 1e3, "1K": 1e3, "1M": 1e6, "1G": 1e9, "1T": 1e12, "1Ki": 2.0**10,
    "1Mi": 2.0**20, "1Gi": 2.0**30, "1Ti": 2.0**40, "1\u00a0k": 1e3, "1\u2009k": 1e3, "1e3k": 1e6, "0.123": 0.123,
    "1234.567": 1234.567, "1.2345": 1.2345, "-0.5": -0.5,
}  # fmt: skip


@pytest.mark.parametrize("text", NUMBERS)
def test_a_number_may_have_a_prefix(text):
    assert read_number(text) == NUMBERS[text]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1,5", "typed.two_ways"),
        ("1.234", "typed.two_ways"),
        ("12.345.678", "typed.two_ways"),
        ("-123.456", "typed.two_ways"),
        ("x", "typed.number"),
        ("1B", "typed.number"),
        ("1  k", "typed.number"),
        ("1e308k", "typed.number"),
        ("1kk", "typed.number"),
    ],
)
def test_what_is_no_number_is_told_with_its_place_and_its_beginning(text, code):
    problem = refused(read_number, text, "here")
    assert (problem.code, problem.path, problem.values) == (code, "here", {"got": text})
    assert refused(read_number, "x" * 50).values == {"got": "x" * 40}
    assert refused(read_number, "," * 50).values == {"got": "," * 40}


def test_more_suffixes_may_be_given():
    assert read_number("7B", more={"B": 1e9}) == 7e9
    assert read_number("7k", more={"B": 1e9}) == 7e3


@pytest.mark.parametrize(
    ("read", "low", "high", "below", "above"),
    [
        (read_dim, 0, LARGEST_DIM, -1, LARGEST_DIM * 1.01),
        (read_calls, 1e-9, LARGEST_CALLS, 0, LARGEST_CALLS * 1.01),
        (lambda t: read_whole(t, 50), 1, 50, 0, 51),
    ],
    ids=["dim", "calls", "whole"],
)
def test_a_figure_is_within_its_limits_both_ends_included(read, low, high, below, above):
    assert read(repr(low)) == low
    assert read(repr(high)) == high
    for odd in (below, above):
        assert refused(read, repr(odd)).values["got"] == odd


def test_calls_are_at_most_a_million_millions_and_a_whole_figure_has_no_rest():
    assert LARGEST_CALLS == 1e12
    assert refused(read_calls, "0").path == "count"
    assert refused(read_whole, "1.5", 50, "here").path == "here"


@pytest.mark.parametrize(
    ("text", "dims"),
    [
        ("", {}),
        (" ; ", {}),
        ("m=1", {"m": 1.0}),
        ("m : 1;n=2 , k=3", {"m": 1.0, "n": 2.0, "k": 3.0}),
        ("m=1\u00a0n=2\u2009k=3", {"m": 1.0, "n": 2.0, "k": 3.0}),
        ("m=1\tn=2", {"m": 1.0, "n": 2.0}),
    ],
)
def test_dims_are_read_whatever_stands_between(text, dims):
    assert read_dims(text, MATMUL) == dims


@pytest.mark.parametrize(
    ("text", "code", "path"),
    [
        ("x m=1", "typed.dims", "dims"),
        ("m=1 x", "typed.dims", "dims"),
        ("m=1 m=2", "typed.dim_twice", "dims"),
        ("z=1", "study.dim", "dims"),
        ("m=x", "typed.number", "dims.m"),
        ("m=-1", "study.range", "dims.m"),
        ("m=1" + " " * 1998, "typed.dims", "dims"),
    ],
)
def test_dims_that_cannot_be_are_told_with_their_place(text, code, path):
    problem = refused(read_dims, text, MATMUL)
    assert (problem.code, problem.path) == (code, path)


def test_dims_may_be_two_thousand_letters_long_and_unknown_for_an_unknown_kind():
    assert read_dims("m=1" + " " * 1997, MATMUL) == {"m": 1.0}
    assert read_dims("z=1", None) == {"z": 1.0}


def test_a_name_is_one_printable_line_of_at_most_200_letters_that_is_free():
    assert read_name(" a b ") == "a b"
    assert read_name("x" * 200)
    for odd in ("", " ", "x" * 201, "a\nb"):
        assert refused(read_name, odd).values == {"limit": 200}
    assert refused(read_name, "a", {"a"}).code == "typed.name_taken"


# --- pasted rows


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ('"a"', "a"),
        ('"a ""b"""', 'a "b"'),
        ('"', '"'),
        ('""', ""),
        (' "a" ', "a"),
        ('"a', '"a'),
        ("'=a", "=a"),
        ('" a "', "a"),
        ("'a", "'a"),
    ],
)
def test_quotes_of_spreadsheets_are_no_part_of_a_cell(cell, text):
    assert unquoted(cell) == text


def rows(text):
    found, problems = parse_rows(text, CATALOGUE)
    return found, [(p.code, p.path) for p in problems]


def test_a_table_of_as_many_letters_and_rows_as_fit_is_read():
    row = "a\tmatmul\n"
    assert (MOST_ROWS, LARGEST) == (2_000, 1_000_000)
    assert len(rows(row * 2_000)[0]) == 2_000
    assert len(rows("name\tkind\n" + row * 2_000)[0]) == 2_000
    assert rows(row * 2_002) == ((), [("pasted.large", "")])
    assert rows("name\tkind\n" + row * 2_001) == ((), [("pasted.large", "")])
    assert len(rows(row + "\n" * (1_000_000 - len(row)))[0]) == 1
    assert rows(row + "\n" * (1_000_001 - len(row))) == ((), [("pasted.large", "")])
    assert rows("") == ((), [("pasted.empty", "")])


def test_lines_are_counted_as_they_stand_and_ids_too():
    found, problems = rows("\nname\tkind\r\n\r\na\tmatmul\rb\tnone\n\nc\tmatmul")
    assert [(r.id, r.name) for r in found] == [("row-4", "a"), ("row-7", "c")]
    assert problems == [("row.kind", "line 5, kind")]


def test_a_column_may_not_stand_twice_but_unknown_ones_may():
    assert rows("x\n\nname\tkind\tcalls\tcount\n")[1] != [("pasted.twice", "line 3")]
    assert rows("\nname\tkind\tcalls\tcount\na\tmatmul\t1\t1") == ((), [("pasted.twice", "line 2")])
    assert len(rows("name\tkind\tx\tx\na\tmatmul\t1\t2")[0]) == 1


HEAD = "name\tkind\tcalls\tfused\tcounted\tweights\n"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("a\tmatmul\t-\t–\t\t-", (1.0, False, True, None)),
        ("a\tmatmul\t3\t1\t0\tFP8", (3.0, True, False, "fp8")),
        ("a\tmatmul\t3\tYes\tNo\tfp8", (3.0, True, False, "fp8")),
        ("a\tmatmul\t3\t✓\tfalse\t", (3.0, True, False, None)),
        ("a\tmatmul\t3\tX\tTRUE\t", (3.0, True, True, None)),
        ("a\tmatmul\t3\t0.0\t1.0\t", (3.0, False, True, None)),
        ("a\tmatmul\t3\tmaybe\t\t", "typed.yes_no line 2, fused"),
        ("a\tmatmul\t0\t\t\t", "study.positive line 2, count"),
        ("a\tmatmul\t1\t\t\tfp7", "study.number_format line 2, weights"),
        ("a\t\t1", "pasted.no_kind line 2, kind"),
        ("a\tmatmul\t1\t\t\t\tmore", "pasted.columns line 2"),
        ("a\tmatmul\t1\t\t\t\t", (1.0, False, True, None)),
    ],
)
def test_each_cell_of_a_row_is_read_or_told(line, told):
    found, problems = rows(HEAD + line)
    if isinstance(told, str):
        assert [" ".join(p) for p in problems] == [told]
    else:
        (row,) = found
        assert (row.count, row.fused, row.enabled, row.weights) == told


def test_a_row_without_a_name_has_that_of_its_kind():
    assert rows("name\tkind\n\tmatmul")[0][0].name == "matmul"


# --- pasted measurements

STUDY = study(own("up", "matmul"), on=(device(ident="h100"), device(ident="a100")))


def measured(text, of=STUDY):
    found, problems = parse_measurements(text, of, ["up"])
    return found, [(p.code, p.path) for p in problems]


def test_as_many_measurements_as_fit_are_read():
    line = "a\tup\th100\t1 ms\n"
    assert MOST_MEASUREMENTS == 20_000
    found, problems = measured(line * 20_000)
    assert (len(found), problems, found[-1].id) == (20_000, [], "pasted-20000")
    assert measured(line * 20_001) == ((), [("pasted.large", "")])
    assert measured("x" * 1_000_001) == ((), [("pasted.large", "")])
    assert measured("\n\t\n") == ((), [("pasted.empty", "")])
    assert len(measured(line + "\n" * (1_000_000 - len(line)))[0]) == 1


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("a\tup\th100\t1 ms\t5", (1e-3, None, "up")),
        ("a\tstep\th100\t-\t5", (None, 5.0, None)),
        ("a\tWhole Step\th100\t1 ms", (1e-3, None, None)),
        ("a\tUP\tH100\t1 ms\t\tpp\t2\t3", (1e-3, None, "up")),
        ("a\t\th100\t0 s\t5", "pasted.no_figure line 1"),
        ("a\t\th100\t1 s\t-5", "pasted.no_figure line 1"),
        ("a\t\th100\t1 s\t\t\t0", "study.range line 1, batch"),
        (f"a\t\th100\t1 s\t\t\t{LARGEST_BATCH + 1}", "study.range line 1, batch"),
        (f"a\t\th100\t1 s\t\t\t{LARGEST_BATCH}\t{LARGEST_CONTEXT}", (1.0, None, None)),
        (f"a\t\th100\t1 s\t\t\t1\t{LARGEST_CONTEXT + 1}", "study.range line 1, context"),
        ("\tup\th100\t1 s", (1.0, None, "up")),
        ("\t\th100\t1 s", (1.0, None, None)),
    ],
)
def test_each_cell_of_a_measurement_is_read_or_told(line, told):
    found, problems = measured(line)
    if isinstance(told, str):
        assert [" ".join(p) for p in problems] == [told]
    else:
        (one,) = found
        assert (one.time_s, one.tokens_per_s, one.row) == told
        assert one.name == (line[0] if line[0] == "a" else one.row or "step")


def test_headers_with_units_are_known_and_the_first_line_counts():
    found, problems = measured("Measured (s)\tModel\tFile (GB)\tZoo\n1 s\tgone\t4 GB\tx\n2 s\t\t4 GB\tx\n")
    assert problems == [("pasted.not_known", "line 2, model")]
    assert [(m.id, m.time_s, m.size_bytes, m.device) for m in found] == [("pasted-3", 2.0, 4e9, "")]


def test_the_only_device_of_a_study_needs_no_name():
    one = study(own("up", "matmul"), on=(device(ident="h100"),))
    assert measured("a\tup\t\t1 s", one)[0][0].device == "h100"


def test_sources_are_cut_and_phases_have_short_names():
    assert measured("a\tup\th100\t1 s\t\t\t\t\t" + "x" * 300)[0][0].source == "x" * 200
    assert [read_phase(t) for t in ("PP", "prefill", "tg", " Decode ")] == ["prefill", "prefill", "decode", "decode"]
    assert refused(read_phase, "x" * 99).values["got"] == "x" * 60


# --- what a command line asks for

QUICK = "params=13e9,layers=32,kv_heads=8,head_dim=128"


def test_a_quick_model_is_read_by_its_names():
    found = quick_model_from(f" {QUICK} , weights = fp8, kv=fp8,file_bytes=7e9,")
    assert (found.params, found.layers, found.kv_heads, found.head_dim) == (13e9, 32, 8, 128)
    assert (found.weights, found.kv, found.file_bytes) == ("fp8", "fp8", 7e9)
    assert isinstance(found.layers, int)


@pytest.mark.parametrize(
    ("text", "code", "values"),
    [
        (QUICK + ",layers=3", "quick.twice", {"name": "layers"}),
        ("params=1", "quick.missing", {"names": "layers, kv_heads, head_dim"}),
        (QUICK + ",zoo=3", "quick.unknown", {"text": "zoo=3"}),
        (QUICK + ",kv", "quick.unknown", {"text": "kv"}),
        (QUICK + ",kv=", "quick.unknown", {"text": "kv="}),
        (QUICK.replace("32", "3.5"), "quick.figure", {"name": "layers", "text": "3.5"}),
        (QUICK.replace("13e9", "x"), "quick.figure", {"name": "params", "text": "x"}),
        (QUICK.replace("32", "0"), "quick.figure", {"name": "layers", "text": "0"}),
        (QUICK.replace("13e9", "1.1e18"), "quick.figure", {"name": "params", "text": "1.1e18"}),
    ],
)
def test_a_quick_model_that_cannot_be_is_told(text, code, values):
    problem = refused(quick_model_from, text)
    assert (problem.code, {k: v for k, v in problem.values.items() if k in values}) == (code, values)


def test_a_device_file_of_any_spelling_is_read_and_its_faults_are_led_by_its_name(tmp_path):
    found = CATALOGUE.devices[0]
    for name in ("a.yaml", "a.YML", "plain"):
        path = tmp_path / name
        path.write_text(device_to_yaml(found))
        assert named_device(str(path), ()) == found
    assert refused(named_device, str(tmp_path / "gone.yaml"), ()).code == "file.read"
    assert named_device(found.id, CATALOGUE.devices) == found
    (tmp_path / "bad.yaml").write_text("[")
    assert refused(named_device, str(tmp_path / "bad.yaml"), ()).path == "bad.yaml"


def test_devices_of_the_study_come_before_those_of_the_catalogue_and_none_twice():
    first, second = CATALOGUE.devices[:2]
    mine = replace(first, short="mine")
    of = Study(hardware=(HardwareEntry(id="x", device=mine, visible=False),))
    found = named_devices([first.id, second.id, first.id], of, CATALOGUE)
    assert [(e.id, e.device, e.visible) for e in found] == [("x", mine, True), (second.id, second, True)]


def test_a_preset_is_hidden_by_a_model_of_the_study_of_its_name():
    preset = CATALOGUE.presets[0]
    mine = ModelEntry(id="mine", name=preset.name)
    assert named_model(preset.name, Study(models=(mine,)), CATALOGUE) == mine
    assert named_model(preset.name, Study(), CATALOGUE).id == preset.id


# --- devices


def test_devices_are_found_by_whole_names_then_words_then_parts():
    def made(ident, name, short=""):
        return replace(CATALOGUE.devices[0], id=ident, name=name, short=short, vendor="V")

    known = [
        made("b200", "Blackwell B200"),
        made("gb200", "Grace GB200", "GB"),
        made("x", "Ultra B200X"),
        made("b", "B (per gpu)", "B1"),
    ]
    for text, ident in (
        ("B200", "b200"),
        ("gb200", "gb200"),
        ("GB", "gb200"),
        ("ultra", "x"),
        ("b1 (per GPU)", "b"),
        ("b200x", "x"),
        ("race", "gb200"),
    ):
        assert find_device(known, text).id == ident
    problem = refused(find_device, known, "200")
    assert (problem.code, problem.values["count"], problem.values["candidates"]) == (
        "device.ambiguous",
        3,
        "Blackwell B200, Grace GB200, Ultra B200X",
    )
    assert refused(find_device, known, "B201").values["nearest"].split(", ")[0] == "Blackwell B200"
    assert refused(find_device, known, "qqqqqq").code == "device.none_like"
    assert candidates(known, " ") == []
    many = [made(f"m{i}", f"Many {i}") for i in range(9)]
    assert refused(find_device, many, "many").values["candidates"].endswith("Many 7, …")
    assert refused(find_device, many[:8], "many").values["candidates"].endswith("Many 7")
    assert find_device(known, "b200" + " " * 300 + "x").id == "b200"


def test_device_files_of_a_folder_are_read_by_name_and_bad_ones_are_told(tmp_path):
    first, second = CATALOGUE.devices[:2]
    for name, text in (
        ("b.yaml", device_to_yaml(first)),
        ("a.yml", device_to_yaml(second)),
        (".c.yaml", "["),
        ("d.txt", "["),
        ("e.yaml", "["),
        ("f.yaml", device_to_yaml(first)),
    ):
        (tmp_path / name).write_text(text)
    found, problems = load_user_devices(tmp_path)
    assert [d.id for d in found] == [second.id, first.id]
    assert [(p.code, p.path) for p in problems] == [("yaml.syntax", "e.yaml"), ("device.same_id", "f.yaml")]
    with pytest.raises(Refused):
        load_devices(tmp_path)
    assert load_devices(tmp_path / "none") == ()


def test_a_device_of_a_newer_format_is_told_and_a_written_one_reads_back():
    from explorer.files.hardware.devices import device_of, read_device

    found = CATALOGUE.devices[0]
    assert read_device(device_to_yaml(found)) == found
    assert refused(device_of, {"format": 99, "zoo": 1}).values["known"] < 99


# --- studies


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
