"""T5 in GGUF files: two stacks under names of their own, every byte in its row."""

from pathlib import Path
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.models.checkpoint.stored import with_tensors
from explorer.analysis.step.phases.registry import one_step
from explorer.files.models.model_file import read_model
from tests.files.weights import Tensor, size_of, write_gguf

H, F, V, WIDE, LAYERS = 256, 512, 1024, 256, {"enc": 3, "dec": 2}
METADATA: dict[str, Any] = {
    "general.architecture": "t5",
    "t5.embedding_length": H,
    "t5.feed_forward_length": F,
    "t5.attention.head_count": 4,
    "t5.attention.key_length": 64,
    "t5.attention.relative_buckets_count": 32,
    "t5.block_count": 3,
    "t5.decoder_block_count": 2,
    "t5.context_length": 512,
}


def tensors(*, gated: bool = True, head: bool = True) -> list[Tensor]:
    found: list[Tensor] = [("token_embd.weight", (H, V), "fp16")]
    found += [("output.weight", (H, V), "fp16")] if head else []
    stored = {"enc": "Q4_K", "dec": "Q8_0"}
    for side, count in LAYERS.items():
        found += [(f"{side}.output_norm.weight", (H,), "fp32"), (f"{side}.blk.0.attn_rel_b.weight", (4, 32), "fp32")]
        kinds = ["attn", *(["cross_attn"] if side == "dec" else [])]
        for i in range(count):
            lead, form = f"{side}.blk.{i}", stored[side]
            for kind in kinds:
                found += [(f"{lead}.{kind}_norm.weight", (H,), "fp32")]
                found += [(f"{lead}.{kind}_{part}.weight", (H, WIDE), form) for part in "qkvo"]
            parts = ["ffn_up", *(["ffn_gate"] if gated else [])]
            found += [(f"{lead}.{part}.weight", (H, F), form) for part in parts]
            found += [(f"{lead}.ffn_norm.weight", (H,), "fp32"), (f"{lead}.ffn_down.weight", (F, H), form)]
    return found


@pytest.mark.parametrize(("gated", "head"), [(True, True), (False, True), (True, False)])
def test_every_tensor_of_t5_reaches_the_stack_it_belongs_to(tmp_path: Path, gated: bool, head: bool) -> None:
    given = tensors(gated=gated, head=head)
    entry = read_model(write_gguf(tmp_path / "a.gguf", METADATA, given))
    assert entry.config is not None
    assert entry.tensors is not None
    plain = build_model(entry.config)
    assert plain.parameters == sum(t[1][0] * (t[1][1] if len(t[1]) > 1 else 1) for t in given)
    model = with_tensors(plain, entry.tensors)
    assert model.stored is not None
    assert model.stored.resident == sum(map(size_of, given))
    prefill = {row.name: row.weights for row in model.rows(one_step("prefill", 1, 10))}
    decode = {row.name: row.weights for row in model.rows(one_step("decode", 1, 10))}
    inward = "wi_0" if gated else "wi"
    assert {prefill[name] for name in ("q", "o", inward, "wo")} == {"Q4_K"}
    assert {decode[name] for name in ("SelfAttention.q", "EncDecAttention.q", inward, "wo", "lm_head")} <= {
        "Q8_0",
        "fp16",
    }
    codes = [note.code for note in model.assumptions]
    assert "model.tensors_idle" not in codes


def test_a_t5_without_a_count_of_decoder_blocks_has_as_many_as_encoder_blocks(tmp_path: Path) -> None:
    metadata = {key: value for key, value in METADATA.items() if "decoder" not in key}
    config = read_model(write_gguf(tmp_path / "a.gguf", metadata, tensors())).config
    assert config is not None
    assert config["num_decoder_layers"] == 3
