"""The header of GGUF files, byte by byte: types and mixes by number, arrays, edges of what is kept."""

import struct

import pytest

from explorer.analysis.problem import Refused
from explorer.files.disk import limits
from explorer.files.models.gguf.header import read_gguf
from explorer.files.models.model_file import read_model

OWN = {"F32": "fp32", "F16": "fp16", "BF16": "bf16", "F64": "fp64", "I8": "int8", "MXFP4": "mxfp4", "NVFP4": "nvfp4"}
LABELS = {"ALL_F32": "fp32", "MOSTLY_F16": "fp16", "MOSTLY_BF16": "bf16"}
U8, BOOL, U32, TEXT, ARRAY, U64 = 0, 7, 4, 8, 9, 10


def text(value):
    data = value.encode() if isinstance(value, str) else value
    return struct.pack("<Q", len(data)) + data


def pair(key, kind, layout, value):
    return text(key) + struct.pack(f"<I{layout}", kind, value)


def worded(key, value):
    return text(key) + struct.pack("<I", TEXT) + text(value)


def array(key, kind, data, count):
    return text(key) + struct.pack("<IIQ", ARRAY, kind, count) + data


def tensor(name, sizes, kind=0, offset=0):
    return text(name) + struct.pack(f"<I{len(sizes)}QIQ", len(sizes), *sizes, kind, offset)


def head(pairs=(), tensors=(), version=3, counts=None):
    counted = counts or (len(tensors), len(pairs))
    return struct.pack("<4sIQQ", b"GGUF", version, *counted) + b"".join(pairs) + b"".join(tensors)


def write(path, data, beyond=0, alignment=32):
    """The head, padded, and some bytes of data behind it, as a hole."""
    with path.open("wb") as file:
        file.write(data)
        file.truncate(-(-len(data) // alignment) * alignment + beyond)
    return path


ONE = tensor("t.weight", (8,))


def refused(path, read=read_gguf):
    with pytest.raises(Refused) as found:
        read(path)
    (problem,) = found.value.problems
    return problem


def types():
    from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType

    return [(t.value, OWN.get(t.name, t.name), *GGML_QUANT_SIZES[t]) for t in GGMLQuantizationType]


@pytest.mark.parametrize(("kind", "name", "block", "size"), types())
def test_a_tensor_has_the_format_and_the_bytes_of_its_type(tmp_path, kind, name, block, size):
    path = write(tmp_path / "a.gguf", head((), [tensor("t", (2 * block, 3), kind)]), 6 * size)
    file = read_gguf(path)
    assert file.tensors == (("t", name, 6 * block, 6 * size),)
    assert file.shapes == {"t": (2 * block, 3)}
    if block > 1:
        write(path, head((), [tensor("t", (block + 1, 2), kind)]), 4 * size)
        assert refused(path).code == "gguf.damaged"


def test_a_type_that_is_not_known_is_refused_with_its_number_and_tensor(tmp_path):
    problem = refused(write(tmp_path / "a.gguf", head((), [tensor("t", (8,), 4)])))
    assert (problem.code, problem.values) == ("gguf.type", {"type": 4, "tensor": "t"})


def mixes():
    from gguf.constants import LlamaFileType

    known = [t for t in LlamaFileType if t is not LlamaFileType.GUESSED]
    return [(t.value, LABELS.get(t.name, t.name.removeprefix("MOSTLY_"))) for t in known]


def llama(file_type):
    figures = {"block_count": 1, "embedding_length": 8, "attention.head_count": 1}
    pairs = [pair(f"llama.{key}", U32, "I", value) for key, value in figures.items()]
    pairs.append(worded("general.architecture", "llama"))
    if file_type is not None:
        pairs.append(pair("general.file_type", U32, "I", file_type))
    return head(pairs, [tensor("a", (32,), 2), tensor("b", (64,), 30)])


@pytest.mark.parametrize(("number", "label"), [*mixes(), (4, "bf16"), (33, "bf16"), (None, "bf16")])
def test_the_label_is_the_mix_that_the_file_states_else_the_format_of_most_bytes(tmp_path, number, label):
    entry = read_model(write(tmp_path / "a.gguf", llama(number), 1000))
    assert entry.tensors is not None
    assert entry.tensors.label == label


@pytest.mark.parametrize(
    ("kind", "layout", "value"),
    [
        (0, "B", 255), (1, "b", -1), (2, "H", 65_535), (3, "h", -1), (4, "I", 2**32 - 1), (5, "i", -1), (6, "f", 0.5),
        (7, "?", True), (10, "Q", 2**64 - 1), (11, "q", -1), (12, "d", 0.1),
    ],
)  # fmt: skip
def test_numbers_of_every_kind_are_read_alone_and_in_arrays(tmp_path, kind, layout, value):
    pairs = [pair("one", kind, layout, value), array("many", kind, struct.pack(f"<3{layout}", *[value] * 3), 3)]
    file = read_gguf(write(tmp_path / "a.gguf", head([*pairs, worded("end", "x")], [ONE]), 32))
    assert file.metadata == {"one": value, "many": (value,) * 3, "end": "x"}


@pytest.mark.parametrize("kind", [9, 13, 255])
def test_a_kind_of_value_that_is_none_is_refused(tmp_path, kind):
    for odd in (array("x", kind, b"", 0), *([pair("x", kind, "I", 1)] if kind != ARRAY else [])):
        problem = refused(write(tmp_path / "a.gguf", head([odd], [ONE]), 32))
        assert (problem.code, problem.values["what"]) == ("gguf.damaged", "metadata")


def test_of_texts_in_arrays_and_of_long_arrays_the_number_is_kept(tmp_path):
    pairs = [
        array("words", TEXT, text("a") + text("bc"), 2),
        array("kept", U8, b"\1" * 4096, 4096),
        array("long", U8, b"\1" * 4097, 4097),
        array("long wide", U32, b"\1" * 4 * 4097, 4097),
        worded("end", "x"),
    ]
    file = read_gguf(write(tmp_path / "a.gguf", head(pairs, [ONE]), 32))
    assert file.metadata == {"words#": 2, "kept": (1,) * 4096, "long#": 4097, "long wide#": 4097, "end": "x"}


def test_a_text_that_is_too_long_to_matter_is_empty(tmp_path):
    pairs = [worded("long", "x" * 4097), worded("kept", "x" * 4096), worded("odd", b"\xff")]
    file = read_gguf(write(tmp_path / "a.gguf", head(pairs, [ONE]), 32))
    assert file.metadata == {"long": "", "kept": "x" * 4096, "odd": "\ufffd"}


def test_texts_are_kept_up_to_a_limit_for_all_together(tmp_path):
    each = 4096
    count = limits.GGUF_KEPT_TEXT // each
    keys = [f"{i:04d}" for i in range(count)]
    whole = [worded(key, "x" * (each - 4)) for key in keys]
    name = "t"
    last = worded(keys[-1], "x" * (each - 4 - len(name)))  # the tensor's name counts too
    path = write(tmp_path / "a.gguf", head([*whole[:-1], last], [tensor(name, (8,))]), 32)
    assert len(read_gguf(path).metadata) == count
    problem = refused(write(path, head(whole, [tensor(name, (8,))]), 32))
    assert (problem.code, problem.values["what"]) == ("gguf.damaged", "texts")


def test_numbers_in_arrays_are_kept_up_to_a_limit_for_all_together(tmp_path):
    full, rest = divmod(limits.GGUF_KEPT_NUMBERS, 4096)
    sizes = [*[4096] * full, rest, 1]
    pairs = [array(f"{i}", U8, b"\1" * size, size) for i, size in enumerate(sizes)]
    found = read_gguf(write(tmp_path / "a.gguf", head(pairs, [ONE]), 32)).metadata
    assert len(found[str(full)]) == rest
    assert found[f"{full + 1}#"] == 1


@pytest.mark.parametrize(
    ("counts", "code"),
    [
        ((limits.GGUF_TENSORS, 0), "binary.ends"),
        ((limits.GGUF_TENSORS + 1, 0), "gguf.damaged"),
        ((0, limits.GGUF_KEYS), "binary.ends"),
        ((0, limits.GGUF_KEYS + 1), "gguf.damaged"),
    ],
)
def test_more_tensors_or_keys_than_a_model_has_are_refused_before_they_are_read(tmp_path, counts, code):
    assert refused(write(tmp_path / "a.gguf", head(counts=counts))).code == code


@pytest.mark.parametrize(("more", "code"), [(0, "binary.ends"), (1, "gguf.damaged")])
def test_more_strings_than_a_vocabulary_has_are_refused_before_they_are_passed(tmp_path, more, code):
    words = array("words", TEXT, b"", limits.GGUF_STRINGS + more)
    assert refused(write(tmp_path / "a.gguf", head([words], [ONE]))).code == code


@pytest.mark.parametrize("version", [2, 3])
def test_both_versions_are_read(tmp_path, version):
    assert read_gguf(write(tmp_path / "a.gguf", head((), [ONE], version), 32)).tensors


@pytest.mark.parametrize(
    ("version", "code"),
    [(0, "gguf.version"), (4, "gguf.version"), (1 << 24, "gguf.big_endian"), (2 << 24, "gguf.big_endian"),
     (3 << 24, "gguf.big_endian"), (4 << 24, "gguf.version")],
)  # fmt: skip
def test_another_version_or_order_of_bytes_is_refused(tmp_path, version, code):
    problem = refused(write(tmp_path / "a.gguf", head((), [ONE], version), 32))
    assert (problem.code, problem.values) == (code, {"version": version})


def test_a_file_of_just_the_first_figures_is_one_without_tensors_and_a_shorter_one_is_none(tmp_path):
    path = tmp_path / "a.gguf"
    path.write_bytes(head())
    assert refused(path).code == "tensors.none"
    path.write_bytes(head()[:23])
    assert refused(path).code == "gguf.magic"


@pytest.mark.parametrize(
    ("sizes", "kind", "sound"),
    [
        ((2, 2, 2, 1), 0, True), ((2, 2, 2, 1, 1), 0, False), ((), 0, True), ((2**58,), 0, False),
        ((2**30, 2**30), 24, False), ((2**30, 2**30, 2), 24, False), ((32, 1), 2, True), ((16, 2), 2, False),
        ((), 2, False),
    ],
)  # fmt: skip
def test_a_tensor_has_at_most_four_sizes_that_a_file_can_hold(tmp_path, sizes, kind, sound):
    path = write(tmp_path / "a.gguf", head((), [tensor("t", sizes, kind)]), 64)
    if sound:
        assert read_gguf(path).shapes == {"t": sizes}
    else:
        assert refused(path).code in {"gguf.damaged", "tensors.cut"}


def test_as_many_values_as_a_tensor_could_have_are_a_file_cut_short_and_more_are_damage(tmp_path):
    path = tmp_path / "a.gguf"
    assert refused(write(path, head((), [tensor("t", (2**30, 2**30), 24)]), 32)).code == "tensors.cut"
    assert refused(write(path, head((), [tensor("t", (2**30, 2**30, 2), 24)]), 32)).code == "gguf.damaged"


def test_a_tensor_without_a_name_and_two_of_one_name_are_refused(tmp_path):
    path = tmp_path / "a.gguf"
    assert refused(write(path, head((), [tensor("", (8,))]), 32)).values["what"] == "tensors"
    assert refused(write(path, head((), [ONE, ONE]), 64)).values == {"what": "tensor names", "offset": 0}


@pytest.mark.parametrize("alignment", [1, 32, 64, 2**20])
@pytest.mark.parametrize("missing", [0, 1])
def test_a_file_ends_where_the_data_of_its_last_tensor_do_and_not_a_byte_before(tmp_path, alignment, missing):
    pairs = [] if alignment == 32 else [pair("general.alignment", U32, "I", alignment)]
    tensors = [tensor("a", (8,)), tensor("b", (4,), offset=64)]
    path = write(tmp_path / "a.gguf", head(pairs, tensors), 64 + 16 - missing, alignment)
    if missing:
        assert refused(path).values == {"tensor": "b", "missing": 1}
    else:
        assert len(read_gguf(path).tensors) == 2


@pytest.mark.parametrize(
    "value", [pair("general.alignment", U32, "I", 0), pair("general.alignment", U32, "I", 2**20 + 1),
              worded("general.alignment", "32")], ids=["nothing", "too large", "a text"]
)  # fmt: skip
def test_an_alignment_that_cannot_be_is_refused(tmp_path, value):
    assert refused(write(tmp_path / "a.gguf", head([value], [ONE]), 32)).values["what"] == "alignment"


@pytest.mark.parametrize(("more", "code"), [(0, "tensors.none"), (1, "binary.head")])
def test_a_head_is_read_up_to_its_limit_and_no_further(tmp_path, more, code):
    key = text("k") + struct.pack("<I", TEXT)
    length = limits.GGUF_HEAD - 24 - len(key) - 8 + more
    path = tmp_path / "a.gguf"
    with path.open("wb") as file:
        file.write(head(counts=(0, 1)) + key + struct.pack("<Q", length))
        file.truncate(limits.GGUF_HEAD + 100)
    assert refused(path).code == code


def parts(folder, count, names=None, stated=None):
    """A split file; each part holds one tensor."""
    for i in range(1, count + 1):
        pairs = [pair("split.count", U32, "I", stated if stated is not None else count)]
        data = head(pairs, [tensor(names[i - 1] if names else f"t{i}", (8,))])
        write(folder / f"m-{i:05d}-of-{count:05d}.gguf", data, 32)


def test_all_parts_of_a_split_file_are_read_in_their_order_from_any_of_them(tmp_path):
    parts(tmp_path, 3)
    for i in (1, 2, 3):
        file = read_gguf(tmp_path / f"m-{i:05d}-of-00003.gguf")
        assert [t.name for t in file.tensors] == ["t1", "t2", "t3"]
        assert list(file.shapes) == ["t1", "t2", "t3"]


@pytest.mark.parametrize("lost", [1, 3])
def test_the_first_part_that_is_missing_is_named(tmp_path, lost):
    parts(tmp_path, 3)
    (tmp_path / f"m-{lost:05d}-of-00003.gguf").unlink()
    problem = refused(tmp_path / "m-00002-of-00003.gguf")
    assert (problem.code, problem.values) == ("tensors.part_missing", {"file": f"m-{lost:05d}-of-00003.gguf"})


@pytest.mark.parametrize(("count", "whole"), [("00001", True), ("01000", False), ("01001", True), ("00000", True)])
def test_a_name_that_counts_to_one_or_to_more_than_any_model_has_is_a_file_of_its_own(tmp_path, count, whole):
    path = write(tmp_path / f"m-00001-of-{count}.gguf", head((), [ONE]), 32)
    if whole:
        assert read_gguf(path).tensors
    else:
        assert refused(path).code == "tensors.part_missing"


@pytest.mark.parametrize(("stated", "sound"), [(0, True), (1, True), (2, True), (3, False)])
def test_a_file_that_states_another_number_of_parts_than_its_name_is_refused(tmp_path, stated, sound):
    parts(tmp_path, 2, stated=stated)
    path = tmp_path / "m-00001-of-00002.gguf"
    if sound:
        assert len(read_gguf(path).tensors) == 2
    else:
        assert refused(path).values == {"count": 3, "file": path.name}


def test_parts_that_hold_the_same_tensor_are_refused(tmp_path):
    parts(tmp_path, 2, names=["t", "t"])
    assert refused(tmp_path / "m-00001-of-00002.gguf").values["what"] == "tensor names"


def test_limits_hold_for_all_parts_together(tmp_path):
    parts(tmp_path, 2)
    path = tmp_path / "m-00002-of-00002.gguf"
    write(path, head(counts=(0, limits.GGUF_KEYS)))
    assert refused(path).code == "gguf.damaged"
    write(path, head(counts=(0, limits.GGUF_KEYS - 1)))
    assert refused(path).code == "binary.ends"
