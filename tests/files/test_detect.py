"""What a file is, told by its content."""

import json
import os
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.analysis.problem import Refused
from explorer.analysis.study.study import Study
from explorer.files.detect import detect
from explorer.files.study.study import study_to_text


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.txt", json.dumps({"model_type": "llama"}), "model"),
        ("a.yaml", '{"architectures": ["X"]}', "model"),
        ("config.json", "[1]", "model"),
        ("x", "format: 1\nid: a\nmemory:\n  - {level: HBM}\n", "device"),
        ("x.json", "peaks: []\n", "device"),
        ("x.yaml", "{format: 1, workload: {batch: 2}}", "study"),
        ("x.yaml", "format: 1\nname: a\n", "study"),
        ("x.yaml", study_to_text(Study(name="n")), "study"),
        ("x.yaml", "\ufeffformat: 1\nhardware: []\n", "study"),
        ("notes.yaml", "| model | size | test | t/s |\n|-|-|-|-|\n| x | 1 GiB | tg128 | 125.00 |\n", "measurements"),
        ("x.json", '{"schemaVersion": 1, "traceEvents": []}', "measurements"),
    ],
)
def test_content_tells_the_kind_whatever_the_name(tmp_path, name, text, kind):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert detect(path) == kind


def test_a_model_folder_is_a_config_and_another_folder_is_refused(tmp_path):
    with pytest.raises(Refused) as refused:
        detect(tmp_path)
    assert refused.value.problems[0].code == "file.folder"
    (tmp_path / "config.json").write_text("{}")
    assert detect(tmp_path) == "model"


def test_a_missing_file_is_refused_with_the_reason(tmp_path):
    with pytest.raises(Refused) as refused:
        detect(tmp_path / "gone")
    assert refused.value.problems[0].code == "file.read"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_a_pipe_or_an_endless_device_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    for name, code in (("pipe.yaml", "file.not_a_file"), ("zero.json", "file.not_a_file"), ("loop.yaml", "file.read")):
        with pytest.raises(Refused) as refused:
            detect(tmp_path / name)
        assert refused.value.problems[0].code == code


def test_a_file_of_many_gigabytes_is_refused_at_once(tmp_path):
    path = tmp_path / "huge.yaml"
    with path.open("wb") as file:
        file.truncate(5 * 2**30)
    with pytest.raises(Refused) as refused:
        detect(path)
    assert refused.value.problems[0].code == "file.too_large"


def test_a_name_of_any_length_or_form_is_refused_in_words(tmp_path):
    for name in ("x" * 5000, "a/" * 3000, "new\nline", "nul\0"):
        with pytest.raises(Refused) as refused:
            detect(tmp_path / name)
        assert refused.value.problems[0].code in {"file.read", "file.not_a_file"}


@pytest.mark.parametrize("text", ["[" * 300_000, "{" * 300_000, "- " * 300_000, "a: " * 200_000, '{"a":' * 50_000])
def test_hostile_nesting_is_judged_at_once(tmp_path, text):
    path = tmp_path / "deep.yaml"
    path.write_text(text)
    started = time.process_time()
    with pytest.raises(Refused):
        detect(path)
    assert time.process_time() - started < 2


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_told_or_refused(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "any"
    path.write_bytes(content)
    try:
        assert detect(path) in {"study", "device", "model"}
    except Refused as refused:
        assert len(refused.problems) == 1
