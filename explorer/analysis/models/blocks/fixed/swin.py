"""Swin: attention within windows, in stages that halve the picture and double the width."""

import msgspec

from explorer.analysis.models.blocks.fixed.pieces import (
    Ops,
    Run,
    Side,
    added,
    attended,
    conv2d,
    conv_size,
    dense,
    labelled,
    learnt,
    normed,
    valued,
)

CPB = 512  # inner width of the small network that makes Swin V2's position biases


class Swin(msgspec.Struct, frozen=True):
    """A Swin encoder (transformers SwinModel); `second`: Swin V2's norms after each half and cosine scores.

    `older`: its modules are called as in the library's first versions.
    """

    patch: int
    channels: int
    width: int
    depths: tuple[int, ...]
    heads: tuple[int, ...]
    window: int
    ratio: float = 4.0
    bias: bool = True
    activation: str = "gelu"
    second: bool = False
    older: bool = False

    @property
    def last(self) -> int:
        """The width after the last stage."""
        return int(self.width * 2 ** (len(self.depths) - 1))

    @property
    def _long(self) -> bool:
        return self.second or self.older

    def widths(self) -> list[int]:
        """The width of each stage."""
        return [self.width * 2**index for index in range(len(self.depths))]

    def stem(self, side: Side, *, absolute: bool = False) -> tuple[Run, Side]:
        """PatchGrid, and how many down and across."""
        padded = tuple(-(-n // self.patch) * self.patch for n in side)
        grid = conv_size((padded[0], padded[1]), self.patch, self.patch)
        area = grid[0] * grid[1]
        made = conv2d("patch_embeddings.projection", self.channels, self.width, (padded[0], padded[1]), self.patch,
                      stride=self.patch)  # fmt: skip
        table = (learnt("position_embeddings", area * self.width, area * self.width),) if absolute else ()
        return Run((made, normed("embeddings.norm", self.width, area), *table)), grid

    def stages(self, grid: Side) -> tuple[list[Run], list[Side]]:
        """Blocks and what halves between them; the grid at the blocks of each stage."""
        parts: list[Run] = []
        grids: list[Side] = []
        for index, (width, depth, heads) in enumerate(zip(self.widths(), self.depths, self.heads, strict=True)):
            label = f"stage {index + 1}"
            block = labelled(self._block(width, heads, grid), label)
            window = self._window(grid)
            parts.append(Run(block, depth, f"windows {window} x {window}", "dense"))
            grids.append(grid)
            if index < len(self.depths) - 1:
                merged, grid = self._merged(width, grid)
                parts.append(Run(labelled(merged, label)))
        return parts, grids

    def _window(self, grid: Side) -> int:
        return min(self.window, *grid)

    def _merged(self, width: int, grid: Side) -> tuple[Ops, Side]:
        half = (grid[0] + 1) // 2, (grid[1] + 1) // 2
        area = half[0] * half[1]
        made = dense("downsample.reduction", 4 * width, 2 * width, area, bias=False)
        if self.second:
            return (made, normed("downsample.norm", 2 * width, area)), half
        return (normed("downsample.norm", 4 * width, area), made), half

    def _block(self, width: int, heads: int, grid: Side) -> Ops:
        rows, inner = grid[0] * grid[1], int(self.ratio * width)
        before, after = normed("layernorm_before", width, rows), normed("layernorm_after", width, rows)
        first, second = self._attention(width, heads, grid), self._mlp(width, inner, rows)
        adds = added("attention.residual_add", rows * width), added("mlp.residual_add", rows * width)
        if self.second:
            return (*first, before, adds[0], *second, after, adds[1])
        return (before, *first, adds[0], after, *second, adds[1])

    def _mlp(self, width: int, inner: int, rows: int) -> Ops:
        names = ("mlp.fc1", "mlp.activation_fn", "mlp.fc2")
        if self._long:
            names = ("intermediate.dense", "intermediate.intermediate_act_fn", "output.dense")
        return (
            dense(names[0], width, inner, rows, role="mlp"),
            valued(names[1], self.activation, rows * inner),
            dense(names[2], inner, width, rows, role="mlp"),
        )

    def _attention(self, width: int, heads: int, grid: Side) -> Ops:
        window = self._window(grid)
        down, across = (-(-n // window) for n in grid)
        size, count = window * window, down * across
        rows = count * size
        names = [f"attention.{n}_proj" for n in "qkvo"]
        if self._long:
            names = ["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"]
        biases = (self.bias, self.bias and not self.second, self.bias, True)
        q, k, v, out = (
            dense(name, width, width, rows, bias=bias, role="attention")
            for name, bias in zip(names, biases, strict=True)
        )
        owned = 0 if self.second else (2 * self.window - 1) ** 2 * heads
        parent = "attention.self" if self._long else "attention"
        looked = attended(f"{parent}.attention", heads, width // heads, size, size, windows=count, owned=owned)
        scores = self._position_biases(window, heads) if self.second else ()
        unit = (learnt(f"{parent}.logit_scale", heads, 2 * rows * width, per_value=4.0, group="norm"),)
        return (q, k, v, *(unit if self.second else ()), *scores, looked, out)

    @staticmethod
    def _position_biases(window: int, heads: int) -> Ops:
        """Biases of all distances, made anew in each layer, once for the whole batch."""
        rows = float((2 * window - 1) ** 2)
        path = "attention.self.continuous_position_bias_mlp"
        made = dense(f"{path}.0", 2, CPB, rows), dense(f"{path}.2", CPB, heads, rows, bias=False)
        once = [
            msgspec.structs.replace(op, dims=tuple((n, rows if n == "m" else d) for n, d in op.dims)) for op in made
        ]
        act = msgspec.structs.replace(valued(f"{path}.1", "relu", 1), dims=(("values", rows * CPB),))
        return once[0], act, once[1]
