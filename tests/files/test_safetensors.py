"""safetensors: exact bytes from headers, one file, shards or a folder; anything else is one clear refusal."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from explorer.analysis.models import Model
from explorer.analysis.problem import Refused
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.step.expand import built_model
from explorer.analysis.study.check import study_problems
from explorer.analysis.study.study import ModelEntry, Study
from explorer.files.catalogue import load_catalogue
from explorer.files.detect import detect
from explorer.files.models.model_file import read_model
from explorer.presentation import sentences as texts  # noqa: F401 - registers every sentence
from explorer.presentation.words.messages import TEMPLATES
from tests.files.weights import DTYPE_BYTES, Stored, safetensors_head, write_safetensors, write_sharded

CATALOGUE = load_catalogue(devices=False)
H, F, V, L = 256, 512, 1000, 3
LLAMA: dict[str, Any] = {
    "model_type": "llama", "hidden_size": H, "intermediate_size": F, "num_hidden_layers": L, "num_attention_heads": 4,
    "num_key_value_heads": 2, "vocab_size": V, "hidden_act": "silu", "attention_bias": False, "mlp_bias": False,
    "tie_word_embeddings": False, "torch_dtype": "bfloat16", "max_position_embeddings": 4096,
}  # fmt: skip
LINEAR = {
    "self_attn.q_proj": (H, H), "self_attn.k_proj": (H // 2, H), "self_attn.v_proj": (H // 2, H),
    "self_attn.o_proj": (H, H), "mlp.gate_proj": (F, H), "mlp.up_proj": (F, H), "mlp.down_proj": (H, F),
}  # fmt: skip


def plain(name: str, shape: tuple[int, ...]) -> list[Stored]:
    return [(f"{name}.weight", shape, "BF16")]


def fp8(name: str, shape: tuple[int, ...]) -> list[Stored]:
    blocks = tuple(-(-n // 128) for n in shape)
    return [(f"{name}.weight", shape, "F8_E4M3"), (f"{name}.weight_scale_inv", blocks, "F32")]


def gptq(name: str, shape: tuple[int, ...]) -> list[Stored]:
    out, inner = shape
    return [
        (f"{name}.qweight", (inner // 8, out), "I32"),
        (f"{name}.scales", (inner // 128, out), "F16"),
        (f"{name}.qzeros", (inner // 128, out // 8), "I32"),
        (f"{name}.g_idx", (inner,), "I32"),
    ]


def llama(linear: Any = plain) -> list[Stored]:
    found = [*plain("model.embed_tokens", (V, H)), *plain("model.norm", (H,)), *plain("lm_head", (V, H))]
    for i in range(L):
        lead = f"model.layers.{i}."
        found += plain(f"{lead}input_layernorm", (H,)) + plain(f"{lead}post_attention_layernorm", (H,))
        for name, shape in LINEAR.items():
            found += linear(lead + name, shape)
    return found


def size_of(tensors: list[Stored]) -> int:
    total = 0
    for _, shape, dtype in tensors:
        values = 1
        for n in shape:
            values *= n
        total += values * DTYPE_BYTES[dtype]
    return total


def folder(path: Path, tensors: list[Stored], config: dict[str, Any], shards: int = 1) -> Path:
    path.mkdir(exist_ok=True)
    (path / "config.json").write_text(json.dumps(config))
    if shards == 1:
        write_safetensors(path / "model.safetensors", tensors)
    else:
        write_sharded(path, [tensors[i::shards] for i in range(shards)])
    return path


def built(entry: ModelEntry) -> tuple[Model, float]:
    """The model, and the weight bytes a step of one token streams, the row of the table apart."""
    study = Study(models=(replace(entry, id="m"),), active_model="m")
    assert study_problems(study, CATALOGUE) == ()
    found = evaluate(study, CATALOGUE)
    assert found.problems == ()
    assert found.model is not None
    table = sum(float(c.weight_bytes) for r, c in zip(found.rows, found.costs, strict=True) if r.kind == "embedding")
    return found.model, float(found.traffic.weights_streamed) - table


def codes(path: Path) -> list[str]:
    with pytest.raises(Refused) as refused:
        built_model(read_model(path))
    found = [p.code for p in refused.value.problems]
    assert all(code in TEMPLATES for code in found)
    return found


@pytest.mark.parametrize(
    ("linear", "quantised", "label"),
    [
        (plain, None, "bf16"),
        (fp8, {"quant_method": "fp8", "weight_block_size": [128, 128], "activation_scheme": "dynamic"}, "fp8"),
        (gptq, {"quant_method": "gptq", "bits": 4, "group_size": 128}, "gptq 4 bit"),
    ],
)
def test_a_checkpoints_bytes_are_its_files(tmp_path, linear, quantised, label):
    tensors = llama(linear)
    config = LLAMA | ({"quantization_config": quantised} if quantised else {})
    model, streamed = built(read_model(folder(tmp_path / "m", tensors, config)))
    assert model.stored is not None
    assert model.stored.resident == size_of(tensors)
    assert streamed == pytest.approx(size_of(tensors) - V * H * 2, rel=1e-12)
    assert model.weights_format == label
    assert not any(n.code == "model.tensors_idle" for n in model.assumptions)


def test_rows_of_a_quantised_checkpoint_name_format_and_bits(tmp_path):
    config = LLAMA | {"quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 128}}
    entry = replace(read_model(folder(tmp_path / "m", llama(gptq), config)), id="m")
    rows = {r.name: r.weights for r in evaluate(Study(models=(entry,), active_model="m"), CATALOGUE).rows}
    assert rows["q_proj"].startswith("int4 4.")
    assert rows["lm_head"] == rows["norm"] == "bf16"


@pytest.mark.parametrize("what", ["model.safetensors.index.json", "model-00002-of-00003.safetensors", ""])
def test_shards_are_one_model_from_the_index_any_shard_or_the_folder(tmp_path, what):
    tensors = llama()
    place = folder(tmp_path / "Name-8B", tensors, LLAMA, shards=3)
    entry = read_model(place / what if what else place)
    model, _ = built(entry)
    assert entry.name == "Name-8B"
    assert model.stored is not None
    assert model.stored.resident == size_of(tensors)
    assert detect(place / what if what else place) == "model"


def test_a_folder_of_config_and_index_alone_follows_the_config(tmp_path):
    place = folder(tmp_path / "m", llama(), LLAMA, shards=2)
    for shard in place.glob("*.safetensors"):
        shard.unlink()
    assert read_model(place).tensors is None
    assert built_model(read_model(place)).parameters > 0


def test_a_missing_shard_is_named(tmp_path):
    place = folder(tmp_path / "m", llama(), LLAMA, shards=2)
    (place / "model-00002-of-00002.safetensors").unlink()
    with pytest.raises(Refused) as refused:
        read_model(place)
    assert refused.value.problems[0].values == {"file": "model-00002-of-00002.safetensors"}


def test_a_shard_without_its_index_or_config_is_refused(tmp_path):
    place = folder(tmp_path / "m", llama(), LLAMA, shards=2)
    index = place / "model.safetensors.index.json"
    shutil.copy(index, tmp_path / "kept.json")
    index.unlink()
    assert codes(place / "model-00001-of-00002.safetensors") == ["tensors.part_missing"]
    (place / "config.json").unlink()
    shutil.copy(tmp_path / "kept.json", index)
    assert codes(index) == ["safetensors.no_config"]


def test_experts_under_other_names_are_found(tmp_path):
    """Mixtral's checkpoint calls its experts w1, w2 and w3."""
    config = LLAMA | {"model_type": "mixtral", "num_local_experts": 4, "num_experts_per_tok": 2, "sliding_window": None}
    attention = {k: v for k, v in LINEAR.items() if k.startswith("self_attn")}
    tensors = [t for t in llama() if ".mlp." not in t[0]]
    for i in range(L):
        lead = f"model.layers.{i}.block_sparse_moe."
        tensors += plain(f"{lead}gate", (4, H))
        for e in range(4):
            for name, shape in (("w1", (F, H)), ("w3", (F, H)), ("w2", (H, F))):
                tensors += plain(f"{lead}experts.{e}.{name}", shape)
    model, streamed = built(read_model(folder(tmp_path / "m", tensors, config)))
    assert attention
    assert model.stored is not None
    assert model.stored.resident == 2 * model.parameters == size_of(tensors)
    routed = size_of([t for t in tensors if ".experts." in t[0]])
    assert streamed == pytest.approx(size_of(tensors) - V * H * 2 - routed / 2, rel=1e-12)
    assert model.stored.active == pytest.approx(streamed, rel=1e-12)


def test_towers_and_drafts_are_held_and_not_read(tmp_path):
    tower = plain("vision_tower.encoder.layers.0.mlp.fc1", (4096, 1024))
    model, streamed = built(read_model(folder(tmp_path / "m", [*llama(), *tower], LLAMA)))
    assert model.stored is not None
    assert model.stored.resident == size_of(llama()) + size_of(tower)
    assert streamed == pytest.approx(size_of(llama()) - V * H * 2, rel=1e-12)
    (idle,) = [n for n in model.assumptions if n.code == "model.tensors_idle"]
    assert idle.values["bytes"] == size_of(tower)


def test_config_and_file_of_different_models_are_refused(tmp_path):
    place = folder(tmp_path / "m", llama(), LLAMA | {"intermediate_size": 4096})
    assert codes(place) == ["tensors.other_model"]
    place = folder(tmp_path / "n", [t for t in llama() if "mlp" not in t[0]], LLAMA)
    assert codes(place) == ["tensors.lacking"]


def test_a_file_cut_short_names_tensor_and_bytes(tmp_path):
    place = folder(tmp_path / "m", llama(), LLAMA)
    with (place / "model.safetensors").open("r+b") as file:
        file.truncate((place / "model.safetensors").stat().st_size - 10)
    with pytest.raises(Refused) as refused:
        read_model(place / "model.safetensors")
    assert refused.value.problems[0].code == "tensors.cut"
    assert refused.value.problems[0].values["missing"] == 10


@pytest.mark.parametrize(
    ("places", "code"),
    [
        ({"a": "../../etc/passwd"}, "safetensors.index"),
        ({"a": "/etc/x.safetensors"}, "safetensors.index"),
        ({"a": 3}, "safetensors.index"),
        ({}, "safetensors.index"),
        ([], "safetensors.index"),
    ],
)
def test_an_index_names_files_beside_it_and_nothing_else(tmp_path, places, code):
    (tmp_path / "config.json").write_text(json.dumps(LLAMA))
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": places}))
    assert codes(index) == [code]


HEAD, DATA = safetensors_head(llama())


@settings(max_examples=300, deadline=2000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    edits=st.lists(st.tuples(st.integers(0, len(HEAD) - 1), st.binary(min_size=1, max_size=6)), max_size=4),
    cut=st.one_of(st.none(), st.integers(0, len(HEAD))),
)
def test_a_damaged_file_is_read_or_refused_and_nothing_else(tmp_path, edits, cut):
    head = bytearray(HEAD)
    for at, replacement in edits:
        head[at : at + len(replacement)] = replacement
    (tmp_path / "config.json").write_text(json.dumps(LLAMA))
    path = tmp_path / "model.safetensors"
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


def test_block_scaled_experts_take_their_blocks_scales_and_biases(tmp_path):
    """gpt-oss stores its experts as blocks of 4 bit values with one 8 bit scale for 32 of them."""
    experts, inner = 4, 256
    config = LLAMA | {
        "model_type": "gpt_oss", "num_local_experts": experts, "num_experts_per_tok": 2, "intermediate_size": inner,
        "head_dim": 64, "attention_bias": True, "sliding_window": 128,
        "quantization_config": {"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn",
            "model.layers.*.mlp.router", "model.embed_tokens", "lm_head"]},
    }  # fmt: skip
    tensors = [t for t in llama() if ".mlp." not in t[0]]
    for i in range(L):
        lead = f"model.layers.{i}."
        tensors += [(f"{lead}self_attn.{n}_proj.bias", (H if n in "qo" else H // 2,), "BF16") for n in "qkvo"]
        tensors += [(f"{lead}self_attn.sinks", (4,), "BF16"), (f"{lead}mlp.router.bias", (experts,), "BF16")]
        tensors += plain(f"{lead}mlp.router", (experts, H))
        for name, out, width in (("gate_up_proj", 2 * inner, H), ("down_proj", H, inner)):
            path = f"{lead}mlp.experts.{name}"
            tensors += [
                (f"{path}_blocks", (experts, out, width // 32, 16), "U8"),
                (f"{path}_scales", (experts, out, width // 32), "U8"),
                (f"{path}_bias", (experts, out), "BF16"),
            ]
    entry = read_model(folder(tmp_path / "m", tensors, config))
    model, streamed = built(entry)
    routed = size_of([t for t in tensors if ".experts." in t[0]])
    assert model.stored is not None
    assert model.stored.resident == size_of(tensors)
    assert streamed == pytest.approx(size_of(tensors) - V * H * 2 - routed / 2, rel=1e-12)
    rows = {
        r.name: r.weights for r in evaluate(Study(models=(replace(entry, id="m"),), active_model="m"), CATALOGUE).rows
    }
    assert rows["experts.down_proj"] == "mxfp4 4.31"  # 4.25 and the bias of 256 inputs
