"""What a command line asks for, and the devices it means."""

import pytest
from msgspec.structs import replace

from explorer.analysis.problem import Refused
from explorer.analysis.study.study import HardwareEntry, ModelEntry, Study
from explorer.files.catalogue import load_catalogue
from explorer.files.hardware.devices import candidates, device_to_yaml, find_device, load_devices, load_user_devices
from explorer.files.typed.arguments import named_device, named_devices, named_model, quick_model_from

CATALOGUE = load_catalogue()


def refused(call, *args, **more):
    with pytest.raises(Refused) as found:
        call(*args, **more)
    (problem,) = found.value.problems
    return problem


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
        (QUICK.replace("32", "1e9"), "study.range", {"got": 1e9}),
        (QUICK.replace("13e9", "0.5"), "study.range", {"got": 0.5, "low": 1}),
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
