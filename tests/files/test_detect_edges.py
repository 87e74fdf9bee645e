"""How far a file is looked at, and which of its keys tell what it is."""

import pytest

from explorer.analysis.problem import Refused
from explorer.files.detect import detect
from explorer.files.disk import limits


def refused(call, *args):
    with pytest.raises(Refused) as found:
        call(*args)
    (problem,) = found.value.problems
    return problem


def kind(tmp_path, text, name="x.yaml"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    try:
        return detect(path)
    except Refused as found:
        return found.problems[0].code


LONG = "#" * 99 + "\n"


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("format: 1", "x", "study"),
        ("format: 1\nname: x", "x", "study"),
        ("name: x", "x", "file.unknown"),
        ("format: 1\nname: x\nmore: 1", "x", "file.unknown"),
        ("kinds: []", "x", "study"),
        ("view: {}", "x", "study"),
        ('"models": []', "x", "study"),
        ("'active_model': a", "x", "study"),
        ("x:1\nmemory: 3", "x", "device"),
        ("memory:3", "x", "file.unknown"),
        ("  memory: 3", "x", "file.unknown"),
        ("a: {memory: 3}", "x", "file.unknown"),
        ("{a: 1, memory: 3}", "x", "device"),
        ("x" * 99 + "{memory: 3}", "x", "device"),
        ("x" * 100 + "{memory: 3}", "x", "file.unknown"),
        ('{"a": {"memory": 1}}', "x", "file.unknown"),
        ('{"a": [{"memory": 1}], "peaks": 2}', "x", "device"),
        ('{"a": "}", "memory": 1}', "x", "device"),
        ('{"a": "\\"", "memory": 1}', "x", "device"),
        ('{"a": "memory", "b": 1}', "x", "file.unknown"),
        ('{"weight_map": {}}', "x", "model"),
        ('  {"model_type": "x"}', "x", "model"),
        ("anything", "x.json", "model"),
        ('{"a": {}, "memory": 1', "x", "device"),
        ('{"a": "b\n, "memory": 1}', "x", "file.unknown"),
        ("[memory: 1]", "x", "file.unknown"),
    ],
    ids=range(26),
)
def test_the_outermost_keys_tell_what_a_file_is(tmp_path, text, name, found):
    assert kind(tmp_path, text, name) == found


def test_the_first_256_kib_are_looked_at_and_no_further(tmp_path):
    line = "memory: 3\n"
    for at, found in ((262_144 - len(line) - 1, "device"), (262_144, "file.unknown")):
        text = LONG * (at // 100) + "#" * (at % 100 - 1) + "\n" if at % 100 else LONG * (at // 100)
        assert kind(tmp_path, text + line + LONG * 1000) == found


@pytest.mark.parametrize("letter", ["x", "é", "€", "😀"])
@pytest.mark.parametrize("shift", range(4))
def test_a_letter_that_the_end_of_the_look_cuts_in_two_does_no_harm(tmp_path, letter, shift):
    assert kind(tmp_path, "memory: 3\n#" + "#" * shift + letter * 300_000) == "device"


@pytest.mark.parametrize("more", [0, 1])
def test_a_file_larger_than_any_kind_is_refused_before_it_is_judged(tmp_path, more):
    path = tmp_path / "x.yaml"
    with path.open("wb") as file:
        file.write(b"memory: 3\n" + LONG.encode() * 3000)
        file.truncate(limits.STUDY + more)
    if more:
        assert refused(detect, path).values == {"limit": limits.STUDY}
    else:
        assert detect(path) == "device"
