"""fp8 and MXFP4 as the transformers library stores them."""

from explorer.analysis.models.checkpoint.assignment import LINEAR, LINEAR_AND_HEAD, Assignment, Kind, Rule
from explorer.analysis.models.checkpoint.layout import WeightLayout
from explorer.analysis.models.checkpoint.methods.layouts import FLOAT, fp8, fp8_blocks, mxfp4
from explorer.analysis.models.checkpoint.methods.method import Found, Method

_EXPONENT = 1  # byte of a scale that is a power of two


def covered(method: Method, *lists: str) -> frozenset[Kind]:
    """The library leaves the head as it is unless a list says what is left, which must then name it."""
    return LINEAR if method.get(*lists) is None else LINEAR_AND_HEAD


def fine_grained(method: Method) -> Found:
    """fp8 with a scale for each block, or for each matrix; scales of V4 checkpoints are exponents alone."""
    lists = ("modules_to_not_convert", "ignored_layers", "ignore")
    scheme = method.get("activation_scheme", otherwise="none")
    method.one_of("activation_scheme", scheme, "dynamic", "static", "none")
    inputs = "" if scheme == "none" else "fp8"
    static = FLOAT if scheme == "static" else 0
    rules = [Rule(None, method.names("within", *lists))]
    default = _blocks(method, inputs, static)
    extra = method.names("within", "modules_to_convert")
    if extra.texts:
        rules.append(Rule(default, extra))
    experts = method.get("expert_dtype", otherwise=method.fields.config.get("expert_dtype"))
    if experts is not None and method.one_of("expert_dtype", experts, "fp4", "fp8") and experts == "fp4":
        method.fields.note("model.experts_format", format="mxfp4")
        rules.append(Rule(mxfp4(inputs), kinds=frozenset({"experts", "fused"})))
    return Found(Assignment(tuple(rules), default, covered(method, *lists)))


def _blocks(method: Method, inputs: str, static: float) -> WeightLayout | None:
    block = method.get("weight_block_size")
    if block is None:
        return fp8(inputs, tensor=FLOAT + static)
    sizes = list(block) if isinstance(block, list | tuple) else []
    if len(sizes) != 2 or not all(isinstance(n, int) and 0 < n <= 65_536 for n in sizes):
        method.unread("weight_block_size", block, "two sizes")
        return None
    stated = method.get("expert_dtype", otherwise=method.fields.config.get("expert_dtype"))
    short = method.get("scale_fmt") == "ue8m0" and stated is not None
    return fp8_blocks(sizes[0], sizes[1], inputs, scale=_EXPONENT if short else FLOAT, tensor=static)


def fbgemm(method: Method) -> Found:
    """fp8 with a scale for each row."""
    rules = (Rule(None, method.names("within", "modules_to_not_convert")),)
    return Found(Assignment(rules, fp8("fp8", output=FLOAT), covered(method, "modules_to_not_convert")))


def micro_scaled(method: Method) -> Found:
    """MXFP4 of experts; nothing else of such a checkpoint is quantised."""
    rules = (Rule(None, method.names("within", "modules_to_not_convert")),)
    return Found(Assignment(rules, mxfp4(), frozenset({"experts", "fused"})))
