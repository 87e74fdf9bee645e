"""A model known by six numbers: its weights and its KV cache as two rough rows."""

from math import isfinite

from explorer.analysis.models.checkpoint.storage import WIDE_FORMATS, Storage
from explorer.analysis.models.config.fields import LAYER_LIMIT, SIZE_LIMIT
from explorer.analysis.models.model import Model
from explorer.analysis.models.parts import TOKENS, Architecture, Cache, Layer, Op, Per, Tensor
from explorer.analysis.problem import Note, Problem, Refused
from explorer.analysis.study.study import QuickModel

PARAMETER_LIMIT = 1e16


def quick_model(quick: QuickModel, name: str = "") -> Model:
    """A rough model: parameters x bytes streamed, 2 x layers x KV heads x head size per token.

    Raises `Refused` for figures that cannot be.
    """
    problems = _faults(quick)
    if problems:
        raise Refused(*problems)
    activations = quick.weights if quick.weights in WIDE_FORMATS else "fp16"
    return Model(
        name=name or "quick",
        model_type="quick",
        family="",
        architecture=_architecture(quick),
        storage=Storage(quick.weights, activations),
        kv_format=quick.kv,
        assumptions=(Note("model.rough"),),
        rough=True,
        file_bytes=quick.file_bytes,
    )


def _faults(quick: QuickModel) -> list[Problem]:
    limits = {
        "params": (quick.params, PARAMETER_LIMIT),
        "layers": (quick.layers, LAYER_LIMIT),
        "kv_heads": (quick.kv_heads, SIZE_LIMIT),
        "head_dim": (quick.head_dim, SIZE_LIMIT),
        "file_bytes": (1 if quick.file_bytes is None else quick.file_bytes, PARAMETER_LIMIT),
    }
    return [
        Problem("model.out_of_range", f"quick.{name}", {"value": str(value), "least": 1, "most": most})
        for name, (value, most) in limits.items()
        if not (isfinite(value) and 1 <= value <= most)
    ]


def _architecture(quick: QuickModel) -> Architecture:
    weights = Op(
        "weights",
        "quick_weights",
        (("tokens", TOKENS), ("params", float(quick.params)), ("file_bytes", Per("file_bytes"))),
        "mlp",
        storage="linear",
        tensors=(Tensor("weights", round(quick.params), "rough", "linear"),),
    )
    shape = (("layers", float(quick.layers)), ("kv_heads", float(quick.kv_heads)), ("head_dim", float(quick.head_dim)))
    cache = Op("kv_cache", "quick_kv", (("b", Per("batch")), ("context", Per("keys")), *shape), "attention")
    layer = Layer(tuple(range(quick.layers)), (), (Cache(2 * quick.kv_heads * quick.head_dim),), "full", "dense")
    return Architecture(before=(weights,), layers=(layer,), after=(cache,))
