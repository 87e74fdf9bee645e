"""Residual networks: a stem, then stages of layers of two or three convolutions."""

import msgspec

from explorer.analysis.models.blocks.fixed.pieces import (
    Ops,
    Run,
    Side,
    added,
    batch_norm,
    conv2d,
    conv_size,
    labelled,
    valued,
)

REDUCTION = 4


class Residual(msgspec.Struct, frozen=True):
    """A ResNet (transformers ResNetModel); `learns`: its norms are parameters, else frozen buffers.

    `deep`: the stem is three small convolutions and shortcuts average before they project (RT-DETR's ResNet-D).
    """

    channels: int
    embedding: int
    widths: tuple[int, ...]
    depths: tuple[int, ...]
    bottleneck: bool = True
    activation: str = "relu"
    first_halves: bool = False
    early: bool = False
    learns: bool = True
    deep: bool = False

    def parts(self, side: Side) -> tuple[list[Run], list[Side]]:
        """Its parts over a picture, and the size after each stage."""
        stem, side = self._stem(side)
        parts, sides, inputs = [Run(labelled(stem, "stem"))], [], self.embedding
        for index, (width, depth) in enumerate(zip(self.widths, self.depths, strict=True)):
            stride = 2 if index or self.first_halves else 1
            for at, times in ((0, 1), (1, depth - 1)):
                ops, side = self._layer(inputs, width, side, 1 if at else stride, first=not at)
                parts.append(Run(labelled(ops, f"stage {index + 1}"), times, "convolution"))
                inputs = width
            sides.append(side)
        return parts, sides

    def _stem(self, side: Side) -> tuple[Ops, Side]:
        width = self.embedding
        if not self.deep:
            ops, side = self._conv("embedder", self.channels, width, side, 7, 2)
        else:
            found: list[Ops] = []
            steps = ((self.channels, width // 2, 2), (width // 2, width // 2, 1), (width // 2, width, 1))
            for at, (inputs, outputs, stride) in enumerate(steps):
                made, side = self._conv(f"embedder.{at}", inputs, outputs, side, 3, stride)
                found.append(made)
            ops = sum(found, ())
        pooled = conv_size(side, 3, 2, 1)
        return (*ops, valued("pooler", "reduction", width * side[0] * side[1])), pooled

    def _conv(
        self, path: str, inputs: int, outputs: int, side: Side, kernel: int, stride: int = 1, *, act: bool = True
    ) -> tuple[Ops, Side]:
        after = conv_size(side, kernel, stride, kernel // 2)
        area = after[0] * after[1]
        ops: Ops = (
            conv2d(f"{path}.convolution", inputs, outputs, side, kernel, stride=stride, pad=kernel // 2, bias=False),
            batch_norm(f"{path}.normalization", outputs, area, learns=self.learns),
        )
        return (*ops, valued(f"{path}.activation", self.activation, outputs * area)) if act else ops, after

    def _layer(self, inputs: int, width: int, side: Side, stride: int, *, first: bool) -> tuple[Ops, Side]:
        small = width // REDUCTION
        steps: tuple[tuple[int, int, int, int], ...] = ((inputs, width, 3, stride), (width, width, 3, 1))
        if self.bottleneck:
            one, two = (stride, 1) if self.early else (1, stride)
            steps = ((inputs, small, 1, one), (small, small, 3, two), (small, width, 1, 1))
        found, after = (
            self._shortcut(inputs, width, side, stride, always=first and self.deep and not self.bottleneck),
            side,
        )
        for at, (a, b, kernel, step) in enumerate(steps):
            made, after = self._conv(f"layer.{at}", a, b, after, kernel, step, act=at < len(steps) - 1)
            found = (*found, *made)
        values = width * after[0] * after[1]
        return (*found, added("residual_add", values), valued("activation", self.activation, values)), after

    def _shortcut(self, inputs: int, width: int, side: Side, stride: int, *, always: bool) -> Ops:
        if inputs == width and stride == 1 and not always:
            return ()
        if self.deep and stride == 2:
            values = inputs * side[0] * side[1]
            halved = conv_size(side, 2, 2)
            made, _ = self._conv("shortcut.1", inputs, width, halved, 1, act=False)
            return (valued("shortcut.0", "reduction", values), *made)
        return self._conv("shortcut", inputs, width, side, 1, stride, act=False)[0]
