"""What a decode step streams is what is resident, less what it does not read: exactly, in every family."""

from collections.abc import Callable, Iterator
from math import prod
from typing import Any

import pytest

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.models import Model, build_model
from explorer.analysis.models.checkpoint.stored_formats import merged_formats
from explorer.analysis.models.parts import Architecture, Op, Tensor, stacks
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.step.rows import Row
from tests.analysis.models.conftest import CONFIGS
from tests.analysis.models.test_counts import SIBLINGS

STEP = one_step("decode", 1.0, 64.0)
EVERY = {name: case["config"] for name, case in SIBLINGS.items()} | {
    f"small {name}": {"model_type": name, **config} for name, config in CONFIGS.items()
}
# these look at the encoder, whose keys and values prefill leaves
CROSS = ("encoder_attn", "EncDecAttention", "cross_attn", "crossattention", "cross_attention")
DECODERS = [name for name, config in EVERY.items() if "decode" in build_model(config).phases]


@pytest.mark.parametrize("name", DECODERS)
def test_one_token_streams_all_weights_but_the_input_table_idle_experts_and_what_is_left_out(
    name: str, catalogue: Catalogue, cost: Callable[[Row], Costs]
) -> None:
    model = build_model(EVERY[name])
    each = _bytes_of(model, catalogue)
    resident = sum(_bytes(times * tensor.count, tensor, each) for times, _, tensor in _tensors(model.architecture))
    assert resident == pytest.approx(model.weight_bytes(None, catalogue.format_by_id), rel=1e-12)
    unread = sum(_bytes(times * _unread(model, op, tensor), tensor, each) for times, op, tensor in _decoder(model))
    others = resident - sum(_bytes(times * tensor.count, tensor, each) for times, _, tensor in _decoder(model))
    streamed = sum(float(row.count) * float(cost(row).weight_bytes) for row in model.rows(STEP))
    expected = resident - others - unread + _looked_up(model, each) + _shared(model, each)
    assert streamed == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("weights", ["int4", "fp8", "bf16", "fp32"])
def test_biases_stay_wide_beside_quantised_weights(
    weights: str, small: Callable[..., dict[str, Any]], rows_of: Callable[..., dict[str, Row]],
    cost: Callable[[Row], Costs], catalogue: Catalogue,
) -> None:  # fmt: skip
    row = rows_of(small("qwen2"), weights=weights)["q_proj"]
    wide = 4 if weights == "fp32" else 2
    matrix = prod(float(row.dims[d]) for d in "nk") * catalogue.format_by_id[weights].bytes
    assert row.dims["bias"] == wide * float(row.dims["n"])
    assert cost(row).weight_bytes == matrix + wide * float(row.dims["n"])
    assert "bias" not in rows_of(small("llama"))["q_proj"].dims


def _tensors(architecture: Architecture) -> Iterator[tuple[int, Op | None, Tensor]]:
    for stack in stacks(architecture):
        yield from _owned(stack)
        yield from ((1, None, tensor) for tensor in stack.extra)


def _owned(stack: Architecture) -> Iterator[tuple[int, Op, Tensor]]:
    yield from ((1, op, tensor) for op in (*stack.before, *stack.after) for tensor in op.tensors)
    yield from ((len(la.indices), op, tensor) for la in stack.layers for op in la.ops for tensor in op.tensors)


def _decoder(model: Model) -> Iterator[tuple[int, Op, Tensor]]:
    return _owned(model.architecture)


def _unread(model: Model, op: Op, tensor: Tensor) -> int:
    """Tensors that one token does not read: a table it only looks up, idle experts, keys of the encoder's tokens."""
    if op.kind == "embedding":
        return 0 if model.tied and op is model.architecture.before[0] else tensor.count
    if op.phase == "prefill" and op.parent in CROSS:
        return tensor.count
    return 0 if tensor.role == "router" else tensor.count - tensor.active  # it scores all experts, idle ones too


def _shared(model: Model, each: dict[str, float]) -> float:
    """What layers read of the blocks they share, which no layer owns: each reads one."""
    blocks = [tensor for tensor in model.architecture.extra if tensor.name.startswith("shared_transf")]
    return shared_uses(model) * sum(_bytes(1, tensor, each) for tensor in blocks)


def shared_uses(model: Model) -> int:
    """How many layers put a shared block in front of their own mixer."""
    return sum(layer.count for layer in model.layers if layer.attention.startswith("full + mamba"))


def _looked_up(model: Model, each: dict[str, float]) -> float:
    """The rows read of every table that is not streamed as the head; the head's where the encoder holds it."""
    tables = [row for row in model.rows(STEP) if row.kind == "embedding"]
    found = sum(
        row.count * min(float(row.dims["tokens"]), float(row.dims["vocab"])) * float(row.dims["hidden"]) * each["wide"]
        for row in (tables[1:] if model.tied else tables)
    )
    if model.tied and not model.architecture.before[0].tensors:
        found += float(tables[0].dims["hidden"]) * float(tables[0].dims["vocab"]) * each["wide"]
    return found


def _bytes_of(model: Model, catalogue: Catalogue) -> dict[str, float]:
    chosen = model.formats(STEP)
    named = {"linear": chosen.linear, "kept": chosen.kept, "wide": chosen.wide}
    known = merged_formats(catalogue.format_by_id, model.own_formats)
    return {storage: known[name].bytes for storage, name in named.items()}


def _bytes(count: int, tensor: Tensor, each: dict[str, float]) -> float:
    if tensor.packing is not None:
        return count * (tensor.values * tensor.packing.bits / 8 + tensor.packing.beside)
    return count * tensor.values * each[tensor.storage]
