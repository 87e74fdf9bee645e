"""Headers and indexes of safetensors at their limits."""

import json
import struct

import pytest

from explorer.analysis.problem import Refused
from explorer.files.disk import limits
from explorer.files.models.kind import weights_format
from explorer.files.models.safetensors import (
    INDEX,
    folder_tensors,
    looks_like_safetensors,
    read_index,
    read_safetensors,
)  # fmt: skip
from explorer.files.models.tensors import FileTensor

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


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_tensor_has_the_format_and_bytes_of_its_dtype(tmp_path, dtype):
    name, bits = DTYPES[dtype]
    path = write(tmp_path / "a", {"t": about((4, 2), dtype), "__metadata__": {"a": "b"}})
    assert read_safetensors(path) == (FileTensor("t", name, 8, bits),)


@pytest.mark.parametrize("missing", [0, 1])
def test_a_file_ends_where_its_last_tensor_does(tmp_path, missing):
    path = write(tmp_path / "a", {"t": about(), "u": about(begin=16)}, room=32 - missing)
    if missing:
        assert refused(read_safetensors, path).values == {"tensor": "u", "missing": 1}
    else:
        assert len(read_safetensors(path)) == 2


@pytest.mark.parametrize(
    ("told", "code"),
    [
        (about((1,) * 16), None),
        (about((1,) * 17), "safetensors.tensor"),
        (about((0,)), None),
        (about(size=15), "safetensors.tensor"),
        (about(size=17), "safetensors.tensor"),
        (about((-1,), size=-2), "safetensors.tensor"),
        (about((-1, -8)), "safetensors.tensor"),
        (about((0,), begin=-1, size=0), "safetensors.tensor"),
        (about((2**60,)), "safetensors.tensor"),
        (about((2**60, 0)), "safetensors.tensor"),
        (about((2**60 - 1, 0)), None),
        ({"dtype": "F16"}, "safetensors.tensor"),
        (3, "safetensors.tensor"),
        (about(dtype="F3"), "safetensors.dtype"),
        (about((0,), begin=2**60, size=0), "safetensors.tensor"),
    ],
    ids=range(15),
)
def test_a_tensor_has_few_sizes_that_can_be_and_as_many_bytes_as_they_say(tmp_path, told, code):
    path = write(tmp_path / "a", {"t": told})
    if code is None:
        assert len(read_safetensors(path)) == 1
    else:
        assert refused(read_safetensors, path).code == code


def test_a_header_is_at_least_two_letters_and_at_most_the_file(tmp_path):
    path = tmp_path / "a"
    for data in (b"", b"1234567", struct.pack("<Q", 1) + b"{}", struct.pack("<Q", 3) + b"{}"):
        path.write_bytes(data)
        assert refused(read_safetensors, path).code == "safetensors.header"
    path.write_bytes(struct.pack("<Q", 2) + b"{}")
    assert read_safetensors(path) == ()


@pytest.mark.parametrize("more", [0, 1])
def test_a_header_is_read_up_to_its_limit(tmp_path, more):
    text = json.dumps({"t": about()}).encode()
    path = write(tmp_path / "a", text, pad=limits.SAFETENSORS_HEAD - 8 - len(text) + more)
    if more:
        assert refused(read_safetensors, path).code == "binary.head"
    else:
        assert len(read_safetensors(path)) == 1


@pytest.mark.parametrize("more", [0, 1])
def test_more_tensors_than_a_model_has_are_refused_before_they_are_read(tmp_path, more):
    braces = limits.SAFETENSORS_TENSORS + 2 - 2 + more
    path = write(tmp_path / "a", {"{" * braces: about()})
    if more:
        assert refused(read_safetensors, path).values == {"limit": limits.SAFETENSORS_TENSORS}
    else:
        assert len(read_safetensors(path)) == 1


def index(folder, places, name=INDEX):
    path = folder / name
    path.write_text(json.dumps({"weight_map": places}) if isinstance(places, dict) else places)
    return path


def shards(folder, *names):
    for i, name in enumerate(names):
        write(folder / name, {f"t{i}": about(), f"u{i}": about(begin=16)})


A, B = "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"


def test_an_index_gives_the_tensors_it_names_of_all_shards(tmp_path):
    shards(tmp_path, A, B)
    found = read_index(index(tmp_path, {"t0": A, "u1": B}))
    assert [t.name for t in found] == ["t0", "u1"]
    assert folder_tensors(tmp_path) == found


def test_an_index_alone_tells_no_tensors_and_with_some_shards_names_the_first_missing(tmp_path):
    path = index(tmp_path, {"t0": A, "t1": B, "t2": "c.safetensors"})
    assert read_index(path) is None
    shards(tmp_path, A)
    assert refused(read_index, path).values == {"file": B}


def test_a_shard_that_lacks_what_the_index_says_is_named(tmp_path):
    shards(tmp_path, A, B)
    assert refused(read_index, index(tmp_path, {"t0": A, "gone": B})).values == {"file": B}


@pytest.mark.parametrize(
    "places",
    [
        {},
        {"t": "../a.safetensors"},
        {"t": "b\\a.safetensors"},
        {"t": "a.bin"},
        {"t": "a\n.safetensors"},
        {"t": 3},
        "[",
        "{}",
        {f"t{i}": f"{i}.safetensors" for i in range(4_001)},
    ],
    ids=range(9),
)
def test_an_index_that_names_no_plain_files_is_damaged(tmp_path, places):
    assert refused(read_index, index(tmp_path, places)).values == {"file": INDEX}


def test_four_thousand_shards_are_possible(tmp_path):
    assert read_index(index(tmp_path, {f"t{i}": f"{i}.safetensors" for i in range(4_000)})) is None


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("more", [0, 1])
def test_an_index_is_read_up_to_its_limit(tmp_path, monkeypatch, more, mark):
    text = json.dumps({"weight_map": {"t": A}})
    path = tmp_path / INDEX
    path.write_bytes((mark + text + " " * 20).encode())
    monkeypatch.setattr(limits, "INDEX", len(text) + 20 - more)
    if more and not mark:
        assert refused(read_index, path).values == {"limit": limits.INDEX}
    elif not mark:
        assert read_index(path) is None


def test_the_limits_of_an_index_are_32_mib_and_400_000_tensors(tmp_path):
    path = tmp_path / INDEX
    with path.open("wb") as file:
        file.write(json.dumps({"weight_map": {"t": A}}).encode())
        file.truncate(32 * 2**20 + 1)
    assert refused(read_index, path).code == "file.too_large"
    quotes = 4 * 400_000 + 100
    text = json.dumps({"weight_map": {"t": A}, "x": "Q"})
    good = text.replace("Q", '\\"' * (quotes - text.count('"')))
    path.write_text(good)
    assert read_index(path) is None
    path.write_text(good.replace('\\"', '\\"\\"', 1))
    assert refused(read_index, path).values == {"limit": 400_000}


def test_the_headers_of_all_shards_together_have_a_limit(tmp_path, monkeypatch):
    names = [f"{i}.safetensors" for i in range(3)]
    listed = json.dumps({"t": about()}).encode()
    for i, name in enumerate(names):
        write(tmp_path / name, {f"t{i}": about()}, pad=100 - len(listed) - 1)
    places = {f"t{i}": name for i, name in enumerate(names)}
    path = index(tmp_path, places)
    size = [int.from_bytes((tmp_path / n).read_bytes()[:8], "little") for n in names]
    assert size == [100] * 3
    monkeypatch.setattr(limits, "SAFETENSORS_HEAD", 154)  # twice that: two headers and one with its eight bytes
    assert len(read_index(path)) == 3
    monkeypatch.setattr(limits, "SAFETENSORS_HEAD", 153)
    assert refused(read_index, path).code == "binary.head"


@pytest.mark.parametrize(
    ("start", "known"),
    [
        (struct.pack("<Q", 2**27 - 1) + b"{", True),
        (struct.pack("<Q", 2**27) + b"{", False),
        (struct.pack("<Q", 10) + b"[", False),
        (struct.pack("<Q", 10), False),
        (struct.pack("<Q", 10) + b"{x", True),
    ],
    ids=range(5),
)
def test_safetensors_are_told_by_a_length_that_can_be_and_a_brace(start, known):
    assert looks_like_safetensors(start) is known
    assert weights_format(start) == ("safetensors" if known else "")
