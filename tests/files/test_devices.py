"""Hardware files: what is read, what is refused and how it is said, what is written, how a device is found."""

import os
import stat
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from explorer.analysis.catalogue.device import Device
from explorer.analysis.problem import Refused
from explorer.files.hardware.devices import (
    LIMIT,
    device_to_yaml,
    find_device,
    load_devices,
    load_user_devices,
    read_device,
    write_device,
)
from explorer.files.resources import resource_root
from explorer.presentation.hardware import device_texts
from explorer.presentation.words.messages import TEMPLATES, render_problem

HARDWARE = resource_root() / "hardware"
DEVICES = load_devices(HARDWARE)
H100 = (HARDWARE / "nvidia-h100-sxm5-80gb.yaml").read_text(encoding="utf-8")
SMALL = """\
format: 1
id: my-card
name: My card
vendor: Me
peaks:
  - {format: bf16, accumulate: fp32, unit: tensor, rate: 100e12, source: sheet}
memory:
  - {level: HBM, capacity: 16e9, bandwidth: 1e12, latency: 400e-9}
sources:
  sheet: {kind: datasheet, title: A sheet}
"""


def refused(source: str | bytes | Path) -> list[tuple[str, str]]:
    """Codes and paths of the refusal; every one of them has a sentence of one line."""
    with pytest.raises(Refused) as caught:
        read_device(source)
    problems = caught.value.problems
    for problem in problems:
        assert problem.code in TEMPLATES, problem.code
        assert "\n" not in render_problem(problem)
        assert len(render_problem(problem)) < 500
    return [(p.code, p.path) for p in problems]


def test_a_small_file_becomes_a_device_with_numbers_without_a_sign_in_the_exponent() -> None:
    device = read_device(SMALL)
    assert device.peaks[0].rate == 100e12
    assert device.memory[0].latency == 400e-9
    assert device.class_ == "gpu"


def test_text_bytes_and_path_read_alike(tmp_path: Path) -> None:
    path = tmp_path / "card.yaml"
    path.write_text(SMALL, encoding="utf-8-sig")
    assert read_device(path) == read_device(SMALL) == read_device(SMALL.encode())


@pytest.mark.parametrize("device", DEVICES, ids=lambda d: d.id)
def test_a_written_device_reads_back_equal(device: Device) -> None:
    assert read_device(device_to_yaml(device)) == device


def test_every_fault_of_shape_is_named_with_its_path() -> None:
    text = (
        SMALL.replace("rate: 100e12", "rate: fast, speed: 3")
        .replace("unit: tensor", "unit: matrix")
        .replace("level: HBM, ", "")
        .replace("vendor: Me", "vendor: 7\nclass: toaster\nyear: 20.5\nlinks: none")
    )
    assert set(refused(text)) == {
        ("field.number", "peaks[0].rate"),
        ("field.unknown", "peaks[0].speed"),
        ("field.choice", "peaks[0].unit"),
        ("field.missing", "memory[0].level"),
        ("field.text", "vendor"),
        ("field.choice", "class"),
        ("field.integer", "year"),
        ("field.list", "links"),
    }


def test_every_fault_of_value_is_named_with_its_path() -> None:
    text = (
        SMALL.replace("rate: 100e12", "rate: -1")
        .replace("capacity: 16e9", "capacity: .nan")
        .replace("bandwidth: 1e12", "bandwidth: 0")
        .replace("latency: 400e-9", "latency: 400")
        .replace("latency: 400}", "latency: 400000}")
        .replace("source: sheet}", "source: shet}")
        .replace("id: my-card", "id: My Card")
        .replace("format: bf16", "format: bf-16")
    )
    assert set(refused(text)) == {
        ("device.id", "id"),
        ("field.not_positive", "peaks[0].rate"),
        ("field.choice", "peaks[0].format"),
        ("device.source", "peaks[0].source"),
        ("field.not_finite", "memory[0].capacity"),
        ("field.not_positive", "memory[0].bandwidth"),
        ("field.out_of_range", "memory[0].latency"),
    }


@pytest.mark.parametrize(
    ("line", "replacement", "expected"),
    [
        ("format: 1\n", "format: 2\n", ("device.format", "format")),
        ("  - {level: HBM, capacity: 16e9, bandwidth: 1e12, latency: 400e-9}", "  []", ("device.no_memory", "memory")),
        (" bandwidth: 1e12,", "", ("device.no_bandwidth", "memory[0].bandwidth")),
        ("name: My card", 'name: "a\\nb"', ("field.line", "name")),
        ("rate: 100e12", "rate: 100e300", ("field.out_of_range", "peaks[0].rate")),
        ("rate: 100e12", f"rate: {'9' * 5000}", ("field.not_finite", "peaks[0].rate")),
        ("rate: 100e12", "rate: 1:30", ("field.number", "peaks[0].rate")),
        ("rate: 100e12", "rate: true", ("field.number", "peaks[0].rate")),
        ("rate: 100e12", "rate: '100e12'", ("field.number", "peaks[0].rate")),
        ("sources:", "origins: {colour: {}}\nsources:", ("field.choice", "origins")),
        ("format: 1\n", "format: 1\n? [a]\n: 1\n", ("yaml.key", "")),
        ("format: 1\n", "format: 1\nformat: 1\n", ("yaml.duplicate_key", "")),
        ("name: My card", "name: !!python/object/apply:os.system [echo]", ("yaml.tag", "")),
        ("name: My card", "name: &a My card\nshort: *a", ("yaml.alias", "")),
        ("format: 1\n", "format: 1\n<<: {a: 1}\n", ("field.unknown", '"<<"')),
        ("format: 1\n", "format: [1\n", ("yaml.syntax", "")),
        ("format: 1\n", "\tformat: 1\n", ("yaml.syntax", "")),
        ("sources:", "---\nsources:", ("yaml.documents", "")),
    ],
)
def test_a_fault_is_named(line: str, replacement: str, expected: tuple[str, str]) -> None:
    assert expected in refused(SMALL.replace(line, replacement))


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("", "yaml.not_mapping"),
        ("- a\n- b\n", "yaml.not_mapping"),
        ("a\x00b", "file.nul"),
        ("a: \x01", "yaml.characters"),
        ("a: \ud800", "yaml.characters"),
        (SMALL.encode("utf-16"), "file.not_utf8"),
        (b"\xff\xd8\xff\xe0", "file.not_utf8"),
        ("#" * (LIMIT + 1), "file.too_large"),
        ("a: " + "[" * 900, "yaml.too_deep"),
        ("{a: " * 5000, "yaml.too_deep"),
        ("- " * 100_000, "yaml.too_deep"),
        ("a: &x [1]\nb: &y [*x, *x]\n", "yaml.alias"),
    ],
)
def test_odd_text_is_refused_in_one_line(source: str | bytes, code: str) -> None:
    assert [c for c, _ in refused(source)] == [code]


def test_a_missing_file_a_folder_and_a_pipe_are_refused(tmp_path: Path) -> None:
    assert refused(tmp_path / "none.yaml") == [("file.read", "")]
    assert refused(tmp_path) == [("file.not_a_file", "")]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.yaml")
        assert refused(tmp_path / "pipe.yaml") == [("file.not_a_file", "")]


def test_many_faults_are_cut_at_fifty() -> None:
    assert len(refused(SMALL + "".join(f"k{i}: 1\n" for i in range(1000)))) == 50


def test_write_replaces_the_file_in_one_step_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "card.yaml"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    write_device(read_device(SMALL), path)
    assert read_device(path) == read_device(SMALL)
    assert [p.name for p in tmp_path.iterdir()] == ["card.yaml"]
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_device_that_could_not_be_read_back_is_not_written(tmp_path: Path) -> None:
    bad = msgspec.structs.replace(read_device(SMALL), id="Bad Id")
    with pytest.raises(Refused):
        write_device(bad, tmp_path / "bad.yaml")
    assert list(tmp_path.iterdir()) == []


def test_writing_into_no_folder_is_refused_with_a_reason(tmp_path: Path) -> None:
    with pytest.raises(Refused) as caught:
        write_device(read_device(SMALL), tmp_path / "none" / "card.yaml")
    assert caught.value.problems[0].code == "file.write"


def test_user_devices_come_with_the_problems_of_the_bad_files(tmp_path: Path) -> None:
    write_device(read_device(SMALL), tmp_path / "a.yaml")
    (tmp_path / "b.yml").write_text(SMALL, encoding="utf-8")
    (tmp_path / "c.yaml").write_text(SMALL.replace("100e12", "0"), encoding="utf-8")
    (tmp_path / "readme.txt").write_text("not hardware", encoding="utf-8")
    devices, problems = load_user_devices(tmp_path)
    assert [d.id for d in devices] == ["my-card"]
    assert [(p.code, p.path) for p in problems] == [
        ("device.same_id", "b.yml"),
        ("field.not_positive", "c.yaml: peaks[0].rate"),
    ]


def test_no_user_folder_means_no_devices(tmp_path: Path) -> None:
    assert load_user_devices(tmp_path / "none") == ((), ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nvidia-h100-sxm5-80gb", "nvidia-h100-sxm5-80gb"),
        ("NVIDIA H100 SXM5 80GB", "nvidia-h100-sxm5-80gb"),
        ("h100 sxm", "nvidia-h100-sxm5-80gb"),
        ("SXM H100", "nvidia-h100-sxm5-80gb"),
        ("a100 sxm 80", "nvidia-a100-sxm4-80gb"),
        ("4090", "nvidia-geforce-rtx-4090"),
        ("mi300x", "amd-instinct-mi300x"),
        ("B200", "nvidia-b200-sxm-180gb"),
        ("gb200", "nvidia-gb200"),
        ("M4", "apple-m4"),
        ("m4 max 40", "apple-m4-max-40-core-gpu"),
        ("L40", "nvidia-l40"),
        ("A10", "nvidia-a10"),
        ("  strix   HALO ", "amd-ryzen-ai-max-plus-395-strix-halo"),
        ("orin nano 8gb", "nvidia-jetson-orin-nano-8gb"),
        ("8480+", "intel-xeon-platinum-8480-plus"),
        ("NVIDIA GB200 (per GPU)", "nvidia-gb200"),
        ("NVIDIA GH200 144GB (GPU part)", "nvidia-gh200-144gb"),
        ("Groq LPU v1 (GroqCard)", "groq-lpu-v1"),
        ("NVIDIA Jetson Orin Nano 8GB Super", "nvidia-jetson-orin-nano-super-8gb"),
    ],
)
def test_any_unambiguous_part_of_a_name_finds_the_device(text: str, expected: str) -> None:
    assert find_device(DEVICES, text).id == expected


@pytest.mark.parametrize("text", ["A100", "h100", "A100 80GB", "nvidia", "sxm"])
def test_an_ambiguous_part_lists_the_candidates(text: str) -> None:
    with pytest.raises(Refused) as caught:
        find_device(DEVICES, text)
    (problem,) = caught.value.problems
    assert problem.code == "device.ambiguous"
    assert int(problem.values["count"]) > 1
    assert text.split(maxsplit=1)[0].lower() in str(problem.values["candidates"]).lower()


def test_an_unknown_name_lists_the_nearest() -> None:
    with pytest.raises(Refused) as caught:
        find_device(DEVICES, "h10O sxm5")
    (problem,) = caught.value.problems
    assert problem.code == "device.unknown"
    assert "NVIDIA H100 SXM5 80GB" in str(problem.values["nearest"])


@pytest.mark.parametrize("text", ["", "   ", "\x00", "zzzzqqqq", "x" * 100_000])
def test_a_name_like_no_other_is_refused(text: str) -> None:
    with pytest.raises(Refused) as caught:
        find_device(DEVICES, text)
    assert caught.value.problems[0].code == "device.none_like"


def test_every_device_is_found_by_its_id_name_and_short_name() -> None:
    for device in DEVICES:
        assert all(find_device(DEVICES, text) is device for text in (device.id, device.name, device.short))


def test_the_texts_of_devices_are_registered() -> None:
    assert device_texts.__doc__
    assert {k for k in TEMPLATES if k.startswith("device.")}


def survives(source: str | bytes) -> None:
    device, problems = None, ()
    try:
        device = read_device(source)
    except Refused as refusal:
        problems = refusal.problems
    if device is None:
        assert problems
        assert all("\n" not in render_problem(p) for p in problems)
    else:
        assert read_device(device_to_yaml(device)) == device


FUZZ = settings(max_examples=150, deadline=2000, suppress_health_check=[HealthCheck.too_slow])


@FUZZ
@given(st.text(max_size=400))
@example("? ? ? ? a")
@example("%YAML 9.9\n---\na: 1")
@example("!<tag:x> a")
def test_any_text_is_a_device_or_refused(text: str) -> None:
    survives(text)


@FUZZ
@given(st.binary(max_size=400))
def test_any_bytes_are_a_device_or_refused(data: bytes) -> None:
    survives(data)


@FUZZ
@given(st.data())
def test_a_damaged_file_is_a_device_or_refused(data: st.DataObject) -> None:
    begin = data.draw(st.integers(0, len(H100)))
    end = data.draw(st.integers(begin, min(len(H100), begin + 60)))
    piece = data.draw(
        st.one_of(
            st.text(max_size=12),
            st.sampled_from(
                ["[", "{", "- ", ": ", "&a ", "*a", "!!str ", ".inf", "-0", "1e999", "null", "\t", "'", "\u2028"]
            ),
        )
    )
    survives(H100[:begin] + piece + H100[end:])


LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8))
TREES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@FUZZ
@given(key=st.sampled_from([*Device.__struct_fields__, "class", "other"]), tree=TREES)
def test_any_value_in_any_field_is_a_device_or_refused(key: str, tree: object) -> None:
    data = {**msgspec.to_builtins(read_device(SMALL)), key: tree}
    survives(msgspec.json.encode(data, enc_hook=str))


@FUZZ
@given(st.sampled_from("[{-?"), st.integers(1, 3000), st.text("[{-? :a\n", max_size=20))
def test_deep_nesting_is_a_device_or_refused(opening: str, times: int, tail: str) -> None:
    survives(f"{opening} " * times + tail)


def test_the_file_that_the_readme_shows_is_read(root: Path) -> None:
    shown = (root / "README.md").read_text(encoding="utf-8").partition("## Add hardware")[2].partition("```yaml\n")[2]
    device = read_device(shown.partition("```")[0])
    assert (device.id, len(device.peaks), len(device.memory)) == ("example-x1", 3, 1)
