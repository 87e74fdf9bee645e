"""The tensors that a GGUF file of a model has, from the model's architecture."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from explorer.analysis.catalogue.ggml_types import tensor_bytes
from explorer.analysis.models.checkpoint.held import Ops, path_of
from explorer.analysis.models.checkpoint.mixes.rules import Facts, Matrix, Use
from explorer.analysis.models.checkpoint.tensor_names import gguf_name
from explorer.analysis.models.model import Model
from explorer.analysis.models.parts import Architecture, Op, Tensor, stacks

_USES: Final[dict[str, Use]] = {
    "attn_v": "v",
    "attn_qkv": "v",
    "attn_kv_b": "v",
    "attn_k": "k",
    "attn_q": "q",
    "attn_output": "attn_output",
    "ffn_down": "down",
    "ffn_down_exps": "down",
    "ffn_down_shexp": "down",
    "ffn_gate": "gate",
    "ffn_gate_exps": "gate",
    "ffn_gate_shexp": "gate",
    "ffn_up": "up",
    "ffn_up_exps": "up",
    "ffn_up_shexp": "up",
}
_NEVER: Final = frozenset({"ffn_gate_inp", "ssm_conv1d"})
_SMALL_KINDS: Final = frozenset({"causal_conv1d", "gated_delta_rule", "state_space_scan", "selective_scan", "wkv5"})
_POSITIONS: Final = re.compile(r"pos|wpe|token_type|relative")  # and token types: never quantised
_SEVENTY: Final = (80, 8192)


class MixTensor(NamedTuple):
    """One tensor: the operators that read it, rows, what the rules ask of it; without a `matrix` it stays in fp32."""

    ops: Ops
    rows: int
    columns: int
    matrix: Matrix | None

    def bytes_as(self, name: str) -> int:
        """Bytes in a type."""
        return tensor_bytes(name, self.rows, self.columns)


class Inventory(msgspec.Struct, frozen=True, eq=False):
    """All tensors of a file in the order of its layers, and what the rules ask of the model."""

    tensors: tuple[MixTensor, ...]
    facts: Facts


def inventory(model: Model) -> Inventory:
    """What a file of this model's text part holds; towers and drafts are files of their own, or left out."""
    architecture = model.architecture
    facts = _facts(model)
    found: list[MixTensor] = []
    for stack in stacks(architecture):
        found += _outer(stack, architecture)
        found += _inner(stack, facts)
    return Inventory(tuple(found), facts)


def _facts(model: Model) -> Facts:
    every = [op for stack in stacks(model.architecture) for layer in stack.layers for op in layer.ops]
    heads = next((dict(op.dims) for op in every if op.kind.startswith("attention") and "kv_heads" in dict(op.dims)), {})
    query, shared = heads.get("heads", 1.0), heads.get("kv_heads", 1.0)
    gqa = int(query // shared) if isinstance(query, float) and isinstance(shared, float) and shared else 1
    layers = len({i for layer in model.architecture.layers for i in layer.indices})
    experts = max((t.count for op in every for t in op.tensors if t.role == "experts"), default=0)
    return Facts(
        layers=layers,
        gqa=gqa,
        experts=experts,
        falcon=model.model_type == "falcon",
        seventy=(layers, _hidden(model.architecture)) == _SEVENTY and not (gqa == 1 and model.model_type == "llama"),
    )


def _hidden(architecture: Architecture) -> int:
    tables = [dict(op.dims) for op in architecture.before if op.kind == "embedding"]
    width = tables[0].get("hidden") if tables else None
    return int(width) if isinstance(width, float) else 0


# --- before and after all layers


def _outer(stack: Architecture, whole: Architecture) -> Iterator[MixTensor]:
    heads = [op for op in stack.after if op.group == "head" and op.kind == "matmul"]
    tables = [op for op in stack.before if op.kind == "embedding" and op.tensors]
    shared = _readers_of_the_table(whole) if whole.tied else ()
    for op in (*stack.before, *stack.after):
        use: Use | None = "other"
        ops: Ops = (op,)
        if tables and op is tables[0]:
            use = "output" if whole.tied else "embedding"
            ops = tuple(dict.fromkeys((op, *shared)))
        elif op in tables:
            use = None if _POSITIONS.search(op.name) else "embedding"
        elif op in heads:
            use = "output"
        yield from _tensors(op, ops, use, 0, 0, 1)


def _readers_of_the_table(whole: Architecture) -> Ops:
    """Tied heads, and tables that are another's."""
    outer = [op for stack in stacks(whole) for op in (*stack.before, *stack.after)]
    heads = (op for op in outer if op.group == "head" and op.kind == "matmul")
    return (*heads, *(op for op in outer if op.kind == "embedding" and not op.tensors))


# --- layers


def _inner(stack: Architecture, facts: Facts) -> Iterator[MixTensor]:
    by_number = sorted((i, n) for n, layer in enumerate(stack.layers) for i in layer.indices)
    named = [_named(layer.ops) for layer in stack.layers]
    values = sum(1 for _, n in by_number for _, _, use in named[n] if use == "v")
    seen: Counter[str] = Counter()
    for number, n in by_number:
        for op, ops, use in named[n]:
            by_layer = facts.experts > 1 and use in {"down", "gate", "up"}  # then the name tells the layer
            nth = number if by_layer else seen[use or ""]
            seen[use or ""] += 1
            yield from _tensors(op, ops, use, number, nth, values if use == "v" else len(by_number))


def _named(ops: Ops) -> list[tuple[Op, Ops, Use | None]]:
    """Operators with tensors, all that read the same ones, and their use."""
    found: list[tuple[Op, Ops, Use | None]] = []
    for op in ops:
        if op.tensors:
            path = path_of(op)
            found.append((op, tuple(o for o in ops if path_of(o) == path), _use(op, path)))
    return found


def _use(op: Op, path: str) -> Use | None:
    name = gguf_name(path)
    if name in _NEVER or op.kind in _SMALL_KINDS or op.kind == "embedding":
        return None
    return _USES.get(name, "other")


def _tensors(op: Op, ops: Ops, use: Use | None, layer: int, nth: int, of: int) -> Iterator[MixTensor]:
    dims = dict(op.dims)
    width = dims.get("hidden" if op.kind == "embedding" else "k", 0.0)
    columns = int(width) if isinstance(width, float) else 0
    for tensor in op.tensors:
        if use is None or not _is_matrix(tensor, columns):
            yield MixTensor(ops, tensor.count, tensor.values, None)
            continue
        stacked = tensor.count > 1
        matrix = Matrix(use, layer, nth, of, columns, stacked)
        yield MixTensor(ops, tensor.count * tensor.values // columns, columns, matrix)


def _is_matrix(tensor: Tensor, columns: int) -> bool:
    """Tensors of one dimension are never quantised, nor are norms and routers."""
    if tensor.role in {"bias", "norm", "router"} or not columns or tensor.values % columns:
        return False
    return tensor.values > columns
