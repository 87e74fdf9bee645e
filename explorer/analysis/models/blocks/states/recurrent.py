"""What recurrent layers share: the causal convolution before them and what they carry from token to token."""

from explorer.analysis.models.parts import TOKENS, Dim, Op, Per, Role, State, Tensor

CARRIED = Per("cached", limit=1.0)  # 1 in decode, where earlier tokens left a state; 0 in prefill
SEQUENCES: tuple[tuple[str, Dim], ...] = (("b", Per("batch")), ("tokens", TOKENS))


def recurrent(name: str, kind: str, dims: dict[str, float], parent: str, weights: dict[str, int]) -> Op:
    """An operator that carries a state; `weights` are values by tensor name."""
    sizes = tuple(dims.items())
    tensors = tuple(Tensor(f"{parent}.{tensor}", values, _role(tensor)) for tensor, values in weights.items())
    return Op(name, kind, (*SEQUENCES, *sizes, ("carried", CARRIED)), "attention", parent=parent, tensors=tensors)


def _role(tensor: str) -> Role:
    return "bias" if tensor.endswith("bias") and not tensor.endswith("dt_bias") else "attention"


def per_head(
    name: str, heads: int, inputs: int, outputs: int, parent: str, *, weight: str = "weight", bias: str = ""
) -> Op:
    """A linear layer of each head for itself, with its tensors' names."""
    dims = (("heads", float(heads)), ("m", TOKENS), ("n", float(outputs)), ("k", float(inputs)))
    tensors = (Tensor(f"{parent}.{weight}", heads * inputs * outputs, "attention", "linear"),)
    own = (Tensor(f"{parent}.{bias}", heads * outputs, "bias"),) if bias else ()
    return Op(name, "absorbed_matmul", dims, "attention", parent=parent, storage="linear", tensors=(*tensors, *own))


def convolution(channels: int, kernel: int, parent: str, *, bias: bool = False, name: str = "conv1d") -> Op:
    """A depthwise convolution over the latest `kernel` tokens."""
    weights = {f"{name}.weight": channels * kernel, **({f"{name}.bias": channels} if bias else {})}
    return recurrent(name, "causal_conv1d", {"channels": channels, "kernel": kernel}, parent, weights)


def convolution_state(channels: int, kernel: int) -> State:
    """The inputs a convolution still needs: all but the newest it looks at."""
    return State(channels * (kernel - 1), fp32=False)
