"""GGUF files: exact bytes from the header alone, row by row; anything else is one clear refusal."""

import struct
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from explorer.analysis.ask.capacity import capacity_fit
from explorer.analysis.catalogue.device import Device, MemoryLevel
from explorer.analysis.problem import Refused
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.step.expand import built_model
from explorer.analysis.study.check import study_problems
from explorer.analysis.study.study import HardwareEntry, ModelEntry, Study, Workload
from explorer.files.catalogue import load_catalogue
from explorer.files.detect import detect
from explorer.files.models.gguf.tensor_types import FILE_TYPES, TYPES
from explorer.files.models.model_file import read_model
from explorer.files.study.study import study_from_text, study_to_text
from explorer.presentation import sentences as texts  # noqa: F401 - registers every sentence
from explorer.presentation.words.messages import TEMPLATES
from tests.files.gguf_plain import EVERY as SMALL
from tests.files.weights import gguf_head, llama_metadata, llama_tensors, size_of, write_gguf

CATALOGUE = load_catalogue(devices=False)
VOCABULARY = {
    "tokenizer.ggml.tokens": [f"token {i}" for i in range(128_256)],
    "tokenizer.ggml.merges": [f"left{i} right{i}" for i in range(280_147)],
    "tokenizer.ggml.token_type": [1] * 128_256,
    "tokenizer.chat_template": "{{ message }}" * 2_000,
}


def evaluation(entry: ModelEntry, **work) -> Evaluation:
    study = Study(models=(replace(entry, id="m"),), active_model="m", workload=Workload(**work))
    assert study_problems(study, CATALOGUE) == ()
    return evaluate(study, CATALOGUE)


def codes(path: Path) -> list[str]:
    with pytest.raises(Refused) as refused:
        built_model(read_model(path))
    found = [p.code for p in refused.value.problems]
    assert all(code in TEMPLATES for code in found)
    return found


def test_types_are_those_of_the_gguf_package():
    from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType, LlamaFileType

    known = {t.value: GGML_QUANT_SIZES[t] for t in GGMLQuantizationType if t in GGML_QUANT_SIZES}
    assert {number: (t.block, t.bytes) for number, t in TYPES.items()} == known
    assert set(FILE_TYPES) == {t.value for t in LlamaFileType if t is not LlamaFileType.GUESSED}
    own = {
        "F32": "fp32",
        "F16": "fp16",
        "BF16": "bf16",
        "F64": "fp64",
        "I8": "int8",
        "MXFP4": "mxfp4",
        "NVFP4": "nvfp4",
    }
    for kind in GGMLQuantizationType:
        if kind.value in TYPES:
            assert TYPES[kind.value].name == own.get(kind.name, kind.name)


def test_number_formats_of_the_catalogue_have_the_bits_of_the_gguf_types():
    for stored in TYPES.values():
        if (known := CATALOGUE.format_by_id.get(stored.name)) is not None:
            assert known.bits == 8 * stored.bytes / stored.block, stored.name


def test_a_file_of_the_gguf_package_is_read(tmp_path):
    import gguf

    path = tmp_path / "tiny.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    for add, value in (
        (writer.add_block_count, 1), (writer.add_context_length, 512), (writer.add_embedding_length, 64),
        (writer.add_feed_forward_length, 128), (writer.add_head_count, 4), (writer.add_head_count_kv, 2),
    ):  # fmt: skip
        add(value)
    writer.add_token_list([f"t{i}" for i in range(96)])
    shapes = {
        "token_embd": (96, 64), "output_norm": (64,), "blk.0.attn_norm": (64,), "blk.0.attn_q": (64, 64),
        "blk.0.attn_k": (32, 64), "blk.0.attn_v": (32, 64), "blk.0.attn_output": (64, 64), "blk.0.ffn_norm": (64,),
        "blk.0.ffn_gate": (128, 64), "blk.0.ffn_up": (128, 64), "blk.0.ffn_down": (64, 128),
    }  # fmt: skip
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", np.zeros(shape, np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    model = built_model(read_model(path))
    assert model.stored is not None
    assert model.parameters == sum(int(np.prod(s)) for s in shapes.values())
    assert model.stored.resident == 2 * model.parameters
    assert model.weights_format == "fp16"


@pytest.mark.parametrize("name", SMALL)
def test_every_byte_of_every_architecture_reaches_its_row(tmp_path, name):
    small = SMALL[name]
    entry = read_model(write_gguf(tmp_path / "a.gguf", small.metadata, small.tensors))
    found = evaluation(entry, batch=4096)
    model = found.model
    assert model is not None
    assert found.problems == ()
    assert model.model_type == small.model_type
    assert model.parameters == sum(int(np.prod(t[1])) for t in small.tensors)
    assert found.memory.of("weights") == sum(map(size_of, small.tensors))
    # with so many tokens every expert is read: all but tables, a tied table as the head
    lookups = sum(float(c.weight_bytes) for r, c in zip(found.rows, found.costs, strict=True) if r.kind == "embedding")
    tables = {"position_embd.weight", "per_layer_token_embd.weight"} | ({"token_embd.weight"} if small.head else set())
    read = [t for t in small.tensors if t[0] not in tables]
    assert float(found.traffic.weights_streamed) - lookups == pytest.approx(sum(map(size_of, read)), rel=1e-12)


@pytest.mark.parametrize("name", SMALL)
def test_a_study_keeps_what_a_file_told(tmp_path, name):
    small = SMALL[name]
    entry = replace(read_model(write_gguf(tmp_path / "a.gguf", small.metadata, small.tensors)), id="m")
    study = Study(models=(entry,), active_model="m")
    assert study_from_text(study_to_text(study)) == study


def test_llama_8b_in_q4_k_m_is_as_large_as_llama_bench_says(tmp_path):
    """llama-bench prints 4.58 GiB for this model and mix."""
    entry = read_model(write_gguf(tmp_path / "Llama-3.1-8B-Q4_K_M.gguf", llama_metadata(), llama_tensors()))
    model = built_model(entry)
    assert entry.name == "Llama-3.1-8B-Q4_K_M"
    assert model.parameters == 8_030_261_248
    assert model.stored is not None
    assert round(model.stored.resident / 2**30, 2) == 4.58
    assert model.weights_format == "Q4_K_M"


def test_rows_name_the_mix_of_their_formats_and_take_its_bytes(tmp_path):
    found = evaluation(read_model(write_gguf(tmp_path / "a.gguf", llama_metadata(), llama_tensors())))
    formats = {row.name: row.weights for row in found.rows}
    assert formats["q_proj"] == "Q4_K"
    assert formats["v_proj"] == formats["down_proj"] == "Q6_K+Q4_K 5.53"
    assert formats["lm_head"] == "Q6_K"
    assert formats["input_layernorm"] == "fp32"
    down = next(i for i, row in enumerate(found.rows) if row.name == "down_proj")
    assert 32 * float(found.costs[down].weight_bytes) == 770_703_360 + 528_482_304


def test_another_format_replaces_the_files_truth(tmp_path):
    entry = read_model(write_gguf(tmp_path / "a.gguf", llama_metadata(), llama_tensors()))
    eight = evaluation(entry, weights="int8")
    assert {r.weights for r in eight.rows if r.name == "down_proj"} == {"int8"}
    assert eight.memory.of("weights") > 8e9


def llama_70b(folder: Path) -> ModelEntry:
    """Llama-3.1-70B in Q4_K_M; llama.cpp stores values that 8 query heads share in Q5_K where others get Q4_K."""
    tensors = [
        (name, sizes, "Q5_K" if ".attn_v." in name and stored == "Q4_K" else stored)
        for name, sizes, stored in llama_tensors(80, 8192, 28672, 1024)
    ]
    metadata = llama_metadata(
        block_count=80, embedding_length=8192, feed_forward_length=28672, **{"attention.head_count": 64}
    )
    return read_model(write_gguf(folder / "70b.gguf", metadata, tensors))


def test_70b_in_q4_k_m_takes_what_people_download(tmp_path):
    """42.52 GB, 39.60 GiB, 4.82 bits per weight as published (ggml-org files of Llama-3.1-70B)."""
    model = built_model(llama_70b(tmp_path))
    assert model.parameters == 70_553_706_496
    assert model.stored is not None
    assert model.stored.resident == pytest.approx(42.52e9, rel=2e-4)
    assert 8 * model.stored.resident / model.parameters == pytest.approx(4.82, abs=0.005)


def test_a_70b_of_35_gb_does_not_leave_room_for_a_conversation_on_a_40_gib_card(tmp_path):
    """runpod/docs#839: about 1,310 tokens of KV cache fit beside the weights."""
    device = Device(
        id="d", name="D", vendor="T", memory=(MemoryLevel(level="HBM", capacity=40 * 2**30, bandwidth=1e12),)
    )
    model = replace(llama_70b(tmp_path), id="m")
    study = Study(models=(model,), active_model="m", hardware=(HardwareEntry(id="d", device=device),))
    evaluated = evaluate(study, CATALOGUE)
    found = capacity_fit(evaluated, evaluated.devices[0])
    assert found is not None
    assert not found.fits
    on_one = (40 * 2**30 - found.held.of("weights")) // evaluated.model.kv_bytes_per_token(2.0)
    assert on_one == pytest.approx(1310, rel=0.02)


def test_a_token_reads_only_the_experts_it_uses(tmp_path):
    small = SMALL["qwen3moe"]
    model = built_model(read_model(write_gguf(tmp_path / "a.gguf", small.metadata, small.tensors)))
    assert model.stored is not None
    routed = sum(size_of(t) for t in small.tensors if "_exps" in t[0])
    others = sum(size_of(t) for t in small.tensors if "_exps" not in t[0] and t[0] != "token_embd.weight")
    assert model.stored.active == others + routed * 2 / 8


def test_a_file_of_many_gigabytes_opens_at_once_and_is_never_read_through(tmp_path):
    path = write_gguf(tmp_path / "a.gguf", llama_metadata() | VOCABULARY, llama_tensors())
    assert path.stat().st_size > 4.9e9
    best = min(_seconds(path) for _ in range(3))
    assert best < 0.5


def _seconds(path: Path) -> float:
    start = time.perf_counter()
    read_model(path)
    return time.perf_counter() - start


def test_parts_of_a_split_file_are_one_model(tmp_path):
    small = SMALL["llama"]
    half = len(small.tensors) // 2
    parts = (small.tensors[:half], small.tensors[half:])
    for i, tensors in enumerate(parts):
        metadata = small.metadata if i == 0 else {}
        split = {"split.no": i, "split.count": 2}
        write_gguf(tmp_path / f"m-{i + 1:05d}-of-00002.gguf", metadata | split, tensors)
    whole = sum(map(size_of, small.tensors))
    for i in (1, 2):
        model = built_model(read_model(tmp_path / f"m-{i:05d}-of-00002.gguf"))
        assert model.stored is not None
        assert model.stored.resident == whole
    (tmp_path / "m-00002-of-00002.gguf").unlink()
    assert codes(tmp_path / "m-00001-of-00002.gguf") == ["tensors.part_missing"]
    (tmp_path / "m-00001-of-00002.gguf").rename(tmp_path / "renamed.gguf")
    assert codes(tmp_path / "renamed.gguf") == ["gguf.parts_named"]


def test_content_tells_a_gguf_file_whatever_its_name(tmp_path):
    small = SMALL["llama"]
    assert detect(write_gguf(tmp_path / "study.yaml", small.metadata, small.tensors)) == "model"
    write_gguf(tmp_path / "a.gguf", small.metadata, small.tensors)
    assert detect(tmp_path) == "model"
    assert read_model(tmp_path).tensors is not None


def test_a_file_cut_short_names_the_tensor_and_the_bytes_missing(tmp_path):
    path = write_gguf(tmp_path / "a.gguf", llama_metadata(), llama_tensors())
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size - 1_000_000)
    with pytest.raises(Refused) as refused:
        read_model(path)
    (problem,) = refused.value.problems
    assert problem.code == "tensors.cut"
    assert problem.values == {"tensor": "blk.31.ffn_down.weight", "missing": 1_000_000}


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"GGUF", "gguf.magic"),
        (b"GGUF" + struct.pack("<IQQ", 1, 0, 0), "gguf.version"),
        (b"GGUF" + struct.pack(">IQQ", 3, 0, 0), "gguf.big_endian"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 2**40), "gguf.damaged"),
        (b"GGUF" + struct.pack("<IQQ", 3, 1, 0), "binary.ends"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 0), "tensors.none"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 2**63), "binary.ends"),
    ],
)
def test_what_is_no_gguf_is_refused_with_the_reason(tmp_path, data, code):
    path = tmp_path / "a.gguf"
    path.write_bytes(data)
    assert codes(path) == [code]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"general.architecture": "clip"}, "gguf.not_a_model"),
        ({"general.type": "adapter"}, "gguf.not_a_model"),
        ({"general.alignment": 0}, "gguf.damaged"),
        ({"llama.attention.head_count_kv": [2, 2, 1, 2]}, "gguf.layers_differ"),
    ],
)
def test_what_is_no_plain_model_is_refused(tmp_path, change, code):
    small = SMALL["llama"]
    assert codes(write_gguf(tmp_path / "a.gguf", small.metadata | change, small.tensors)) == [code]


def test_an_unknown_architecture_with_tensors_of_its_own_is_refused_by_name(tmp_path):
    small = SMALL["unknown, like llama"]
    tensors = [*small.tensors, ("blk.0.ssm_in.weight", (256, 512), "Q4_K")]
    assert codes(write_gguf(tmp_path / "a.gguf", small.metadata, tensors)) == ["gguf.architecture"]


def test_metadata_that_lack_a_figure_are_refused_by_its_key(tmp_path):
    small = SMALL["llama"]
    metadata = {k: v for k, v in small.metadata.items() if not k.endswith("block_count")}
    assert codes(write_gguf(tmp_path / "a.gguf", metadata, small.tensors)) == ["gguf.key"]


def test_tensors_of_another_size_than_the_metadata_say_are_refused(tmp_path):
    small = SMALL["llama"]
    metadata = small.metadata | {"llama.feed_forward_length": 4096}
    assert codes(write_gguf(tmp_path / "a.gguf", metadata, small.tensors)) == ["tensors.other_model"]


def test_a_file_that_lacks_layers_is_refused(tmp_path):
    small = SMALL["llama"]
    tensors = [t for t in small.tensors if not t[0].startswith("blk.3.")]
    metadata = small.metadata | {"llama.block_count": 8}
    assert codes(write_gguf(tmp_path / "a.gguf", metadata, tensors)) in (["tensors.lacking"], ["tensors.other_model"])


HEAD, DATA = gguf_head(SMALL["qwen3moe"].metadata, SMALL["qwen3moe"].tensors)


@settings(max_examples=300, deadline=2000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    edits=st.lists(st.tuples(st.integers(0, len(HEAD) - 1), st.binary(min_size=1, max_size=9)), max_size=4),
    cut=st.one_of(st.none(), st.integers(0, len(HEAD))),
)
def test_a_damaged_file_is_read_or_refused_and_nothing_else(tmp_path, edits, cut):
    head = bytearray(HEAD)
    for at, replacement in edits:
        head[at : at + len(replacement)] = replacement
    path = tmp_path / "a.gguf"
    with path.open("wb") as file:
        file.write(head if cut is None else head[:cut])
        if cut is None:
            file.truncate(len(head) + DATA)
    try:
        entry = read_model(path)
        built_model(entry)
    except Refused as refused:
        assert all(p.code in TEMPLATES for p in refused.problems)
    else:
        assert study_problems(Study(models=(replace(entry, id="m"),)), CATALOGUE) == ()


ODD = st.one_of(
    st.integers(0, 2**32 - 1),
    st.floats(width=32),
    st.booleans(),
    st.text(max_size=5),
    st.lists(st.integers(0, 2**32 - 1), max_size=3),
    st.lists(st.text(max_size=3), max_size=3),
)


@settings(max_examples=400, deadline=2000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(sorted(SMALL)), data=st.data())
def test_odd_metadata_are_read_or_refused_and_nothing_else(tmp_path, name, data):
    small = SMALL[name]
    keys = data.draw(st.sets(st.sampled_from(sorted(small.metadata)), min_size=1, max_size=2))
    metadata = small.metadata | {key: data.draw(ODD) for key in sorted(keys)}
    path = write_gguf(tmp_path / "a.gguf", metadata, small.tensors)
    try:
        entry = read_model(path)
        built_model(entry)
    except Refused as refused:
        assert all(p.code in TEMPLATES for p in refused.problems)
    else:
        assert study_problems(Study(models=(replace(entry, id="m"),)), CATALOGUE) == ()
