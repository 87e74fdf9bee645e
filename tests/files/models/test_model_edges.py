"""Folders, names, labels and configs of models, and which model a text means."""

import json
import struct

import pytest

from explorer.analysis.problem import Refused
from explorer.analysis.study.study import ModelEntry
from explorer.files.disk import limits
from explorer.files.models import safetensors
from explorer.files.models.config import read_config
from explorer.files.models.find_model import find_model, models_like
from explorer.files.models.kind import gguf_alone, holds_model
from explorer.files.models.model_file import model_name, read_model
from explorer.files.models.safetensors import (
    INDEX,
    SINGLE,
    folder_tensors,
)  # fmt: skip
from explorer.files.models.tensors import FileTensor, summarise

DTYPES = {
    "F64": ("fp64", 64), "F32": ("fp32", 32), "F16": ("fp16", 16), "BF16": ("bf16", 16), "F8_E4M3": ("fp8", 8),
    "F8_E5M2": ("fp8", 8), "F8_E8M0": ("E8M0", 8), "F8_E4M3FNUZ": ("fp8", 8), "F8_E5M2FNUZ": ("fp8", 8),
    "F4": ("fp4", 4), "F6_E2M3": ("fp6", 6), "F6_E3M2": ("fp6", 6), "I8": ("int8", 8), "BOOL": ("BOOL", 8),
    "U8": ("U8", 8), "I16": ("I16", 16), "U16": ("U16", 16), "I32": ("I32", 32), "U32": ("U32", 32), "I64": ("I64", 64),
    "U64": ("U64", 64), "C64": ("C64", 64),
}  # fmt: skip


def about(shape=(8,), dtype="F16", begin=0, size=None):
    bits = DTYPES.get(dtype, ("", 16))[1]
    values = 1
    for n in shape:
        values *= n
    return {
        "dtype": dtype,
        "shape": list(shape),
        "data_offsets": [begin, begin + (values * bits // 8 if size is None else size)],
    }


def write(path, listed, room=64, pad=0, length=None):
    text = (listed if isinstance(listed, bytes) else json.dumps(listed).encode()) + b" " * pad
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(text) if length is None else length) + text)
        file.truncate(8 + len(text) + room)
    return path


def refused(read, path):
    with pytest.raises(Refused) as found:
        read(path)
    (problem,) = found.value.problems
    return problem


def index(folder, places, name=INDEX):
    path = folder / name
    path.write_text(json.dumps({"weight_map": places}) if isinstance(places, dict) else places)
    return path


def shards(folder, *names):
    for i, name in enumerate(names):
        write(folder / name, {f"t{i}": about(), f"u{i}": about(begin=16)})


A, B = "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"


def test_a_folder_holds_a_model_where_it_has_a_config_or_gguf_files(tmp_path):
    assert (holds_model(tmp_path), gguf_alone(tmp_path)) == (False, None)
    assert (holds_model(tmp_path / "none"), gguf_alone(tmp_path / "none")) == (False, None)
    (tmp_path / "readme.md").write_text("x")
    assert not holds_model(tmp_path)
    (tmp_path / "mmproj-x.gguf").write_text("x")
    assert holds_model(tmp_path)
    assert gguf_alone(tmp_path) is None
    (tmp_path / "b.gguf").write_text("x")
    assert gguf_alone(tmp_path) == tmp_path / "b.gguf"
    (tmp_path / "a.gguf").write_text("x")
    assert gguf_alone(tmp_path) is None
    (tmp_path / "a-00001-of-00002.gguf").write_text("x")
    assert gguf_alone(tmp_path) == tmp_path / "a-00001-of-00002.gguf"
    (tmp_path / "config.json").write_text("{}")
    assert gguf_alone(tmp_path) is None


def test_a_folder_is_looked_at_up_to_a_number_of_entries(tmp_path, monkeypatch):
    for i in range(3):
        (tmp_path / f"{i}.gguf").write_text("x")
    monkeypatch.setattr(limits, "FOLDER_ENTRIES", 1)
    assert gguf_alone(tmp_path) is not None
    monkeypatch.setattr(limits, "FOLDER_ENTRIES", 0)
    assert not holds_model(tmp_path)


def test_a_single_file_is_taken_where_there_is_no_index(tmp_path):
    assert folder_tensors(tmp_path) is None
    write(tmp_path / SINGLE, {"t": about()})
    assert [t.name for t in folder_tensors(tmp_path)] == ["t"]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("m/config.json", "m"),
        (f"m/{INDEX}", "m"),
        (f"m/{SINGLE}", "m"),
        (f"m/{A}", "m"),
        ("m/model-x.bin", "model-x.bin"),
        ("m/x.safetensors", "x"),
        ("m/x.gguf", "x"),
        ("m/x.json", "x"),
        ("models--org--Name/snapshots/abc/config.json", "Name"),
        ("models--org--Name/snapshots/abc", "Name"),
        ("m/a\nb.gguf", "ab"),
        (f"m/{'x' * 120}", "x" * 100),
        ("m/.gguf", "model"),
    ],
)
def test_a_model_is_named_after_its_file_or_its_folder(tmp_path, path, name):
    assert model_name(tmp_path / path) == name


CONFIG = {"model_type": "llama", "hidden_size": 8}


def entry_of(tmp_path, config=CONFIG, listed=None, name="x.safetensors"):
    (tmp_path / "config.json").write_text(json.dumps(config))
    return read_model(
        write(tmp_path / name, listed or {"a": about((4,), "F16"), "b": about((3,), "F32", begin=8)}, room=100)
    )


def test_the_label_is_the_method_else_the_format_of_most_bytes(tmp_path):
    def label(quantised):
        return entry_of(tmp_path, CONFIG | {"quantization_config": quantised}).tensors.label

    assert (
        label(None)
        == label({"quant_method": 3})
        == label({"quant_method": "x" * 41})
        == label({"quant_method": "a\n"})
        == "fp32"
    )
    assert label({"quant_method": "x" * 40}) == "x" * 40
    assert label({"quant_method": "gptq", "bits": 4}) == "gptq 4 bit"
    assert label({"quant_method": "gptq", "bits": 32}) == "gptq 32 bit"
    for bits in (0, 33, "4", None):
        assert label({"quant_method": "gptq", "bits": bits}) == "gptq"


def test_equal_bytes_of_one_format_add_up_for_the_label(tmp_path):
    listed = {"a": about((4,), "F16"), "b": about((4,), "F16", begin=8), "c": about((3,), "F32", begin=16)}
    assert entry_of(tmp_path, listed=listed).tensors.label == "fp16"


def test_weights_without_a_config_and_a_shard_without_its_index_are_refused(tmp_path):
    assert refused(read_model, write(tmp_path / "x.safetensors", {"a": about()})).code == "safetensors.no_config"
    assert refused(read_model, write(tmp_path / A, {"a": about()})).values == {"file": INDEX}


def test_one_shard_stands_for_the_whole_model_and_the_index_too(tmp_path):
    shards(tmp_path, A, B)
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    path = index(tmp_path, {"t0": A, "u0": A, "t1": B, "u1": B})
    for place in (path, tmp_path / A, tmp_path):
        entry = read_model(place)
        assert (len(entry.tensors.entries), entry.config, entry.source) == (4, CONFIG, place.name)
    (tmp_path / A).unlink()
    (tmp_path / B).unlink()
    assert read_model(path).tensors is None


def test_tensors_of_layers_and_experts_are_one_entry_each(tmp_path):
    tensors = [FileTensor(f"l.{i}.experts.{e}.w", "fp16", 2, 4) for i in (0, 1, 2, 5) for e in range(3)]
    tensors += [
        FileTensor("l.7.w", "fp16", 1, 2),
        FileTensor("l.1234567.w", "fp16", 1, 2),
        FileTensor("l.123456.w", "fp16", 1, 2),
    ]
    tensors += [
        FileTensor("l.7.w", "fp32", 1, 4),
        FileTensor("e.expert.3.w", "fp16", 1, 2),
        FileTensor("plain", "fp16", 5, 10),
    ]
    found = summarise(tensors, "x", "y")
    assert (found.label, found.read_as) == ("x", "y")
    assert [(e.name, e.format, e.count, e.values, e.bytes, e.layers) for e in found.entries] == [
        ("l.*.experts.*.w", "fp16", 12, 24, 48, "0-2, 5"),
        ("l.*.w", "fp16", 2, 2, 4, "7, 123456"),
        ("l.1234567.w", "fp16", 1, 1, 2, ""),
        ("l.*.w", "fp32", 1, 1, 4, "7"),
        ("e.expert.*.w", "fp16", 1, 1, 2, ""),
        ("plain", "fp16", 1, 5, 10, ""),
    ]


def test_tensors_with_odd_names_or_none_or_too_many_kinds_are_refused():
    from explorer.analysis.study.tensor_check import LARGEST_NAME, MOST_ENTRIES

    for names in (["a\n"], ["a" * (LARGEST_NAME + 1)], [], [f"t{i}" for i in range(MOST_ENTRIES + 1)]):
        with pytest.raises(Refused):
            summarise([FileTensor(n, "fp16", 1, 2) for n in names], "x")
    assert len(summarise([FileTensor(f"t{i}", "fp16", 1, 2) for i in range(MOST_ENTRIES)], "x").entries) == MOST_ENTRIES
    assert summarise([FileTensor("a" * LARGEST_NAME, "fp16", 1, 2)], "x")


KNOWN = [
    ModelEntry(id=i, name=n)
    for i, n in (
        ("a", "Llama 8B"),
        ("b", "Llama 70B"),
        ("c", "Qwen 8B Chat"),
        ("d", "Qwen 18B"),
        ("e", "Qwen-8B"),
        ("f", "Qwen/8b Base"),
    )
]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A", "a"),
        (" llama 8b ", "a"),
        ("70", "b"),
        ("qwen chat", "c"),
        ("18B", "d"),
        ("chat-qwen", "c"),
        ("Base_8B", "f"),
        ("qwen-8b", "e"),
    ],
)
def test_a_model_is_found_by_its_id_its_name_or_words_of_it(text, found):
    assert find_model(text, KNOWN).id == found


def test_words_alone_do_not_tell_several_models_apart_and_whole_words_win():
    assert [m.id for m in models_like("qwen 8b", KNOWN)] == ["c", "d", "e", "f"]
    assert [m.id for m in models_like("qwen 8b", KNOWN[:4])] == ["c"]
    assert models_like(" -_/ ", KNOWN) == ()


@pytest.mark.parametrize(("count", "more"), [(4, ""), (5, ", …")])
def test_several_models_are_listed_four_at_a_time(count, more):
    with pytest.raises(Refused) as refused_:
        find_model("x", [ModelEntry(id=f"x{i}", name=f"Name {i}") for i in range(count)])
    assert refused_.value.problems[0].values == {"text": "x", "names": ", ".join(f"Name {i}" for i in range(4)) + more}


def test_a_model_that_is_not_there_is_answered_with_the_nearest_or_what_would_do():
    for text, code, hint in (("Lamma 8B", "asked.model_near", "Llama 8B"), ("zzzzzzzz", "asked.model", "config.json")):
        with pytest.raises(Refused) as found:
            find_model(text, KNOWN)
        assert (found.value.problems[0].code, found.value.problems[0].values["hint"]) == (code, hint)


def test_a_file_is_read_as_a_model_of_its_own_and_its_faults_are_led_by_its_name(tmp_path):
    path = tmp_path / "my.json"
    path.write_text(json.dumps(CONFIG))
    assert (find_model(str(path), KNOWN).id, find_model(str(path), KNOWN).config) == ("model", CONFIG)
    path.write_text("[")
    with pytest.raises(Refused) as found:
        find_model(str(path), KNOWN)
    assert found.value.problems[0].path == "my.json"


def config_error(tmp_path, text):
    path = tmp_path / "c.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    problem = refused(read_config, path)
    return problem.code, problem.values


def test_a_config_is_plain_json_up_to_its_limits(tmp_path):
    deep = '{"a":' * 31 + "[]" + "}" * 31
    path = tmp_path / "c.json"
    path.write_text(deep)
    assert read_config(path)
    assert config_error(tmp_path, '{"a":' + deep + "}") == ("config.too_deep", {"limit": 32})
    assert config_error(tmp_path, '{"a": ' + "9" * 41 + "}")[0] == "config.too_many_digits"
    path.write_text('{"a": ' + "9" * 40 + "}")
    assert read_config(path)["a"] == int("9" * 40)
    assert config_error(tmp_path, '{"a": 1,\n "a": 2}') == ("config.duplicate_key", {"key": "a"})
    assert config_error(tmp_path, '{"a": 1e999}') == ("config.not_finite", {"value": "1e999"})
    assert config_error(tmp_path, '{"a": 1,\n  b}')[1] | {"reason": ""} == {"line": 2, "column": 3, "reason": ""}
    assert config_error(tmp_path, "[]")[0] == "config.not_an_object"
    assert config_error(tmp_path, '{"a": "\\ud800"}') == ("config.half_character", {"code": "d800"})
    assert config_error(tmp_path, "[" * 200_000)[0] == "config.too_deep"
    path.write_text('{"a": "\\ud83d\\ude00"}')
    assert read_config(path) == {"a": "😀"}


@pytest.mark.parametrize("more", [0, 1])
def test_a_config_of_8_mib_is_read_and_a_larger_one_is_refused(tmp_path, more):
    path = tmp_path / "c.json"
    path.write_bytes(b"{}" + b" " * (8 * 2**20 - 2 + more))
    if more:
        assert refused(read_config, path).values == {"limit": 8 * 2**20}
    else:
        assert read_config(path) == {}


def test_a_folder_without_a_config_is_named(tmp_path):
    assert refused(read_config, tmp_path).values == {"file": "config.json", "folder": tmp_path.name}


def test_the_longest_header_is_of_the_library():
    assert safetensors._LONGEST_HEADER == 2**27
