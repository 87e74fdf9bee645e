"""Configs off disk: the object they hold, or one clear refusal."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer.presentation.sentences  # noqa: F401 - registers every sentence
from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.files.models.config import LIMIT, parse_config, read_config
from explorer.presentation.words.messages import TEMPLATES, render_problem


def _code(path: Path) -> str:
    with pytest.raises(Refused) as refusal:
        read_config(path)
    (problem,) = refusal.value.problems
    line = render_problem(problem)
    assert problem.code in TEMPLATES
    assert "\n" not in line
    return problem.code


def _file(folder: Path, content: bytes) -> Path:
    path = folder / "config.json"
    path.write_bytes(content)
    return path


def test_a_file_and_its_folder_give_the_same_config(tmp_path: Path) -> None:
    path = _file(tmp_path, b'\xef\xbb\xbf{"model_type": "llama", "eps": 1e-05, "layers": [1, null, true]}')
    assert read_config(path) == read_config(str(tmp_path)) == {
        "model_type": "llama", "eps": 1e-05, "layers": [1, None, True]
    }  # fmt: skip


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "config.syntax"),
        (b'{"a": 1', "config.syntax"),
        (b"[1]", "config.not_an_object"),
        (b"3", "config.not_an_object"),
        (b'{"a": 1e999}', "config.not_finite"),
        (b'{"a": ' + b"9" * 5000 + b"}", "config.too_many_digits"),
        (b'{"a": 1, "b": {"c": 1, "c": 2}}', "config.duplicate_key"),
        (b"\xff\xfe{}", "file.not_utf8"),
        (b'{"a": ' + b"[" * 100_000, "config.too_deep"),
        (b'{"a": ' + b"[" * 200 + b"]" * 200 + b"}", "config.too_deep"),
        (b" " * (LIMIT + 1), "file.too_large"),
    ],
)
def test_what_is_no_config_is_refused_in_one_line(tmp_path: Path, content: bytes, code: str) -> None:
    assert _code(_file(tmp_path, content)) == code


@pytest.mark.parametrize("word", ["Infinity", "-Infinity", "NaN"])
def test_what_python_writes_for_no_finite_number_is_refused_where_a_field_is_read_and_nowhere_else(word: str) -> None:
    text = """{"model_type": "llama", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2,
        "num_attention_heads": 4, "vocab_size": 100, "unused": [0.0, %s], "rope_theta": %s}"""
    assert build_model(parse_config(text % (word, word))).parameters > 0
    with pytest.raises(Refused) as refusal:
        build_model({**parse_config(text % (word, word)), "num_key_value_heads": parse_config(f'{{"n": {word}}}')["n"]})
    assert [render_problem(p) for p in refusal.value.problems] == [
        f"num_key_value_heads: A whole number is expected, not '{word}'."
    ]


def test_missing_files_and_folders_without_a_config_are_refused(tmp_path: Path) -> None:
    assert _code(tmp_path / "absent.json") == "file.read"
    assert _code(tmp_path) == "config.none_in_folder"
    assert _code(tmp_path / "nul\0.json") == "file.not_a_file"
    (tmp_path / "config.json").mkdir()
    assert _code(tmp_path) == "file.not_a_file"


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_a_config_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzzed.json"
    path.write_bytes(content)
    try:
        assert isinstance(read_config(path), dict)
    except Refused as refusal:
        assert "\n" not in render_problem(refusal.problems[0])


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(st.dictionaries(st.text(max_size=10), VALUES, max_size=6))
def test_what_json_writes_is_read_back(config: dict[str, object]) -> None:
    assert parse_config(json.dumps(config)) == config


def test_every_collected_config_is_read(shared: Path) -> None:
    paths = list((shared / "cases" / "configs").glob("*.json"))
    assert len(paths) > 50
    assert all("model_type" in read_config(path) for path in paths)


def test_half_a_character_is_refused_and_a_whole_one_is_read() -> None:
    assert parse_config('{"a": "\\ud83d\\ude00"}') == {"a": "\U0001f600"}
    for text in ('{"a": "\\ud83d"}', '{"\\udc00": 1}', '{"a": [{"b": "x\\uDFFFy"}]}'):
        with pytest.raises(Refused) as refused:
            parse_config(text)
        assert refused.value.problems[0].code == "config.half_character"
