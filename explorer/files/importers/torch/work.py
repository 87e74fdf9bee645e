"""FLOPs and bytes of a PyTorch operator from its shapes and types, by the program's own formulas."""

import math
from typing import Any, Final, NamedTuple

import msgspec

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.problem import Note, Refused
from explorer.analysis.step.costs import checked_costs, compile_kind
from explorer.analysis.step.rows import Row
from explorer.files.importers.torch.names import ATTENTIONS, CONVOLUTIONS

Shape = list[int]
_MOST_DIMS: Final = 8
TYPES: Final = {
    "float": "fp32",
    "double": "fp64",
    "c10::half": "fp16",
    "c10::bfloat16": "bf16",
    "signed char": "int8",
    "unsigned char": "int8",
    "bool": "int8",
    "c10::float8_e4m3fn": "fp8",
    "c10::float8_e5m2": "fp8",
    "c10::float8_e4m3fnuz": "fp8",
    "c10::float8_e5m2fnuz": "fp8",
    "half": "fp16",
    "bfloat16": "bf16",
    "long": "fp64",
    "long int": "fp64",
    "int": "fp32",  # only their width counts: no FLOPs follow from them
}
_BIAS_FIRST: Final = {"aten::addmm", "aten::baddbmm", "aten::addmv", "aten::_addmm_activation"}
_WITH_WEIGHT: Final = {"aten::linear", "aten::mkldnn_linear", "mkldnn::_linear_pointwise"}
# where causal stands among the arguments; the last two lay heads behind tokens
_CAUSAL: Final = {
    "aten::scaled_dot_product_attention": 5,
    "aten::_scaled_dot_product_flash_attention": 4,
    "aten::_scaled_dot_product_flash_attention_for_cpu": 4,
    "aten::_scaled_dot_product_efficient_attention": 6,
    "aten::_scaled_dot_product_cudnn_attention": 6,
    "aten::_flash_attention_forward": 8,
}
# stride, padding, dilation
_CONV_AT: Final = {
    "aten::cudnn_convolution": (3, 2, 4),
    "aten::miopen_convolution": (4, 3, 5),
    "aten::mkldnn_convolution": (4, 3, 5),
    "aten::thnn_conv2d": (4, 5, None),
    "aten::_slow_conv2d_forward": (4, 5, None),
    "aten::slow_conv2d_forward": (4, 5, None),
    "aten::_conv_depthwise2d": (4, 5, 6),
}
_TRANSPOSED_AT: Final = {"aten::convolution": 6, "aten::_convolution": 6, "aten::convolution_overrideable": 6}
_ELEMENTWISE: Final = {
    "relu": "relu",
    "relu_": "relu",
    "clamp_min": "relu",
    "clamp_min_": "relu",
    "silu": "silu",
    "silu_": "silu",
    "softmax": "softmax",
    "_softmax": "softmax",
    "sum": "reduction",
    "mean": "reduction",
}
_BINARY: Final = {"add", "add_", "sub", "sub_", "mul", "mul_", "div", "div_"}


class Call(NamedTuple):
    """An operator's call as recorded: the shape, type and value of each argument, where they are known."""

    name: str
    dims: list[Any]
    types: list[Any]
    concrete: list[Any]

    def shape(self, index: int) -> Shape:
        """Sizes of one argument; none for a scalar."""
        found = self.dims[index] if index < len(self.dims) else []
        sound = (
            isinstance(found, list)
            and len(found) <= _MOST_DIMS
            and all(isinstance(d, int) and 0 <= d < 2**50 for d in found)
        )
        return found if sound else []

    def format(self, index: int) -> str | None:
        """The number format of one argument."""
        found = self.types[index] if index < len(self.types) else ""
        return TYPES.get(found.lower()) if isinstance(found, str) else None

    def value(self, index: int | None) -> str:
        """One argument as text, empty where it was not recorded."""
        found = self.concrete[index] if index is not None and index < len(self.concrete) else ""
        return found if isinstance(found, str) else ""


class CallWork(NamedTuple):
    """Figures per call, and what is missing of them and why."""

    flops: float | None = None
    bytes: float | None = None
    format: str = ""
    notes: tuple[Note, ...] = ()


class _Kind(NamedTuple):
    """A kind of the catalogue with its dims; which arguments are the operands."""

    id: str
    dims: dict[str, float]
    operands: tuple[int, int] = (0, 0)
    times: float = 1.0


def work(call: Call, catalogue: Catalogue) -> CallWork:
    """FLOPs and bytes of a call; None where shapes, types or the formula are not known."""
    if not any(isinstance(d, list) and d for d in call.dims):
        return CallWork(notes=(Note("import.no_shapes"),))
    if call.name in CONVOLUTIONS:
        return _convolution(call, catalogue)
    kind = _attention(call) if call.name in ATTENTIONS else _matmul(call) or _light(call)
    if isinstance(kind, Note):
        return CallWork(notes=(kind,))
    if kind is None:
        return CallWork(notes=(Note("import.no_formula"),))
    return _costs(call, kind, catalogue)


def _costs(call: Call, kind: _Kind, catalogue: Catalogue) -> CallWork:
    first, second = (call.format(i) for i in kind.operands)
    known = first is not None
    a = first or "bf16"
    row = Row(
        name=call.name, kind=kind.id, dims=kind.dims, weights=second or a, activations=a,
        output=_output(call, a), kv=second or a,
    )  # fmt: skip
    formats = dict(catalogue.format_by_id)
    try:
        costs = checked_costs(row, compile_kind(catalogue.kind_by_id[kind.id]), formats)
    except (Refused, KeyError):
        return CallWork(notes=(Note("import.no_formula"),))
    moved = float(costs.bytes_read) + float(costs.bytes_written)
    notes = () if known else (Note("import.no_types"),)
    whole = kind.times == 1.0
    return CallWork(
        flops=float(costs.flops) * kind.times,
        bytes=moved if known and whole else None,
        format=first or "",
        notes=notes if whole else (*notes, Note("import.backward_bytes")),
    )


def _output(call: Call, activations: str) -> str:
    """FP8 and int8 products leave in 16 and 32 bit; a copy leaves in the type of what it fills."""
    if call.name == "aten::copy_":
        return call.format(0) or activations
    return {"fp8": "bf16", "int8": "fp32"}.get(activations, activations) if "mm" in call.name else activations


def _matmul(call: Call) -> _Kind | None:
    first = 1 if call.name in _BIAS_FIRST else 0
    x, w = call.shape(first), call.shape(first + 1)
    at = (first, first + 1)
    if call.name in _WITH_WEIGHT:
        if len(x) >= 1 and len(w) == 2 and x[-1] == w[1]:
            return _Kind("matmul", {"m": math.prod(x[:-1]), "n": w[0], "k": w[1]}, at)
        return None
    plain = {"aten::mm", "aten::addmm", "aten::_scaled_mm", "aten::_int_mm", "aten::matmul", "aten::_addmm_activation"}
    if call.name in plain and len(x) >= 2 and len(w) == 2 and x[-1] == w[0]:
        return _Kind("matmul", {"m": math.prod(x[:-1]), "n": w[1], "k": w[0]}, at)
    if call.name in {"aten::mv", "aten::addmv"} and len(x) == 2 and len(w) == 1 and x[1] == w[0]:
        return _Kind("matmul", {"m": 1, "n": x[0], "k": x[1]}, (first + 1, first))
    batched = {"aten::bmm", "aten::baddbmm", "aten::matmul"}
    if call.name in batched and len(x) >= 3 and x[:-2] == w[:-2] and x[-1] == w[-2]:
        return _Kind("batched_matmul", {"b": math.prod(x[:-2]), "m": x[-2], "n": w[-1], "k": x[-1]}, at)
    return None


def _attention(call: Call) -> _Kind | Note | None:
    backward = "backward" in call.name
    q, k, v = (call.shape(i + backward) for i in range(3))
    if not (len(q) == len(k) == len(v) == 4):
        return Note("import.no_formula")
    if not (call.name.startswith("aten::_scaled") or call.name == "aten::scaled_dot_product_attention"):
        q, k, v = ([s[0], s[2], s[1], s[3]] for s in (q, k, v))
    causal = _is_causal(call, q[2], k[2])
    if causal is None:
        return Note("import.mask_unknown")
    dims = {
        "b": q[0], "heads": q[1], "kv_heads": k[1], "S_q": q[2], "S_k": k[2], "D_qk": q[3], "D_v": v[3],
        "causal": float(causal),
    }  # fmt: skip
    return _Kind("attention", dims, (int(backward), int(backward) + 1), 2.5 if backward else 1.0)


def _is_causal(call: Call, queries: int, keys: int) -> bool | None:
    """Whether the mask hides later tokens; one query sees every key either way."""
    told = call.value(_CAUSAL.get(call.name)).lower()
    if queries == 1:
        return False
    if told == "false":
        return False
    aligned = queries == keys or call.name == "aten::_flash_attention_forward"
    return True if told == "true" and aligned else None


def _light(call: Call) -> _Kind | None:
    name = call.name.removeprefix("aten::")
    x, y = call.shape(0), call.shape(1)
    values = math.prod(x)
    kind: _Kind | None = None
    if not x:
        return None
    if name in _ELEMENTWISE:
        kind = _Kind(_ELEMENTWISE[name], {"values": values})
    elif name in {"gelu", "gelu_"} and call.value(1) in {"", "tanh", "none"}:
        kind = _Kind("gelu", {"values": values})
    elif name in _BINARY:
        kind = _binary(call, x, y, values)
    elif name == "copy_" and x == y:
        same = call.format(0) == call.format(1)
        kind = _Kind("copy" if same else "cast", {"values": values}, (1, 1))
    elif name in {"layer_norm", "native_layer_norm", "rms_norm", "_fused_rms_norm"}:
        kind = _norm(call, x, values)
    elif name == "embedding" and len(x) == 2 and y:
        kind = _Kind("embedding", {"tokens": math.prod(y), "hidden": x[1], "vocab": x[0]})
    return kind


def _binary(call: Call, x: Shape, y: Shape, values: int) -> _Kind | None:
    if x == y and call.format(0) == call.format(1):
        return _Kind("residual_add", {"values": values})
    return _Kind("scale", {"values": values}) if not y or math.prod(y) == 1 else None


def _norm(call: Call, x: Shape, values: int) -> _Kind | None:
    weight = call.shape(2)
    channels = math.prod(weight) if weight else x[-1]
    if not channels or values % channels:
        return None
    dims: dict[str, float] = {"rows": values // channels, "channels": channels}
    if "rms" in call.name:
        return _Kind("rms_norm", dims, (0, 2 if weight else 0))
    return _Kind("layer_norm", dims | {"per_channel": bool(weight) + bool(call.shape(3))}, (0, 2 if weight else 0))


def _convolution(call: Call, catalogue: Catalogue) -> CallWork:
    """2 N C_out C_in/groups times the kernel's and the output's volume, in 1, 2 or 3 dimensions; strided, dilated."""
    if call.name == "aten::convolution_backward" or call.value(_TRANSPOSED_AT.get(call.name)).lower() == "true":
        return CallWork(notes=(Note("import.no_formula"),))
    x, w = call.shape(0), call.shape(1)
    stride, padding, dilation = (_sizes(call.value(i), len(x) - 2) for i in _CONV_AT.get(call.name, (3, 4, 5)))
    if len(x) < 3 or len(w) != len(x):
        return CallWork(notes=(Note("import.no_formula"),))
    if stride is None or padding is None or not w[0]:
        return CallWork(notes=(Note("import.stride_unknown"),))
    dilation = dilation or [1] * len(stride)
    out = [
        (size + 2 * pad - dil * (kernel - 1) - 1) // step + 1
        for size, kernel, step, pad, dil in zip(x[2:], w[2:], stride, padding, dilation, strict=True)
    ]
    if min(out) < 1:
        return CallWork(notes=(Note("import.no_formula"),))
    values = x[0] * w[0] * math.prod(out)
    formats = [call.format(0), call.format(1)]
    widths = [catalogue.format_by_id[f].bytes for f in formats if f is not None]
    moved = None
    if len(widths) == 2:
        moved = widths[0] * (math.prod(x) + values) + widths[1] * math.prod(w)
    notes = () if moved is not None else (Note("import.no_types"),)
    return CallWork(2.0 * values * math.prod(w[1:]), moved, formats[0] or "", notes)


def _sizes(text: str, count: int) -> list[int] | None:
    """`[1, 1]` as sizes; one stands for all."""
    try:
        found = msgspec.json.decode(text) if text else None
    except (msgspec.DecodeError, RecursionError):
        return None
    if not isinstance(found, list) or not all(isinstance(s, int) and 0 <= s < 2**31 for s in found):
        return None
    sizes = found * count if len(found) == 1 else found
    return sizes if len(sizes) == count and count else None
