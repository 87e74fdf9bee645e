"""EnCodec (arXiv 2210.13438): convolutions around a recurrence, from samples to codes and back."""

from collections.abc import Mapping
from math import floor, log2, prod
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.fixed.pieces import (
    Ops,
    Run,
    added,
    conv1d,
    dense,
    labelled,
    learnt,
    normed,
    product,
    upsampled,
    valued,
)
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields, brief
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import OnePassReader, Pass, class_of, sizes_of
from explorer.analysis.models.families.sound.wav2vec2 import SECONDS, noted
from explorer.analysis.models.parts import Op, Tensor, count_values
from explorer.analysis.problem import Value

ENCODEC: Final[Mapping[str, Value | None]] = {
    "audio_channels": 1, "hidden_size": 128, "num_filters": 32, "num_residual_layers": 1,
    "upsampling_ratios": "8, 5, 4, 2", "norm_type": "weight_norm", "kernel_size": 7, "last_kernel_size": 7,
    "residual_kernel_size": 3, "compress": 2, "num_lstm_layers": 2, "use_conv_shortcut": True, "sampling_rate": 24_000,
    "codebook_size": 1024,
}  # fmt: skip
GATES: Final = 4  # of a long short-term memory
ELU: Final = 3.0  # compare, exponential, difference
LEAST: Final = 1.5  # kbit/s, the smallest bandwidth of a config that names none


class Codec(msgspec.Struct, frozen=True):
    """The sizes of both sides; `grouped` normalises outputs in place of weights, `plain` nothing."""

    channels: int
    hidden: int
    filters: int
    deep: int
    ratios: tuple[int, ...]
    kernels: tuple[int, int, int]
    compress: int
    recurrences: int
    shortcut: bool
    grouped: bool
    plain: bool = False

    @property
    def wide(self) -> int:
        """Channels where there are most."""
        return int(self.filters * 2 ** len(self.ratios))

    def inward(self, length: int) -> tuple[Ops, int]:
        """From samples to frames, and how many these are."""
        first, last, _ = self.kernels
        ops, at, width = list(self._conv("0", self.channels, self.filters, length, first)), length, self.filters
        for index, ratio in enumerate(reversed(self.ratios), start=1):
            ops += self._residuals(f"{index}", width, at)
            ops += [
                _elu(f"{index}.act", width * at),
                *self._conv(f"{index}.conv", width, 2 * width, at, 2 * ratio, ratio),
            ]
            at, width = -(-at // ratio), 2 * width
        ops += [*self._recurrence(at), _elu("last.act", width * at), *self._conv("last", width, self.hidden, at, last)]
        return tuple(ops), at

    def outward(self, frames: int) -> Ops:
        """From frames to samples."""
        first, last, _ = self.kernels
        ops, at, width = list(self._conv("0", self.hidden, self.wide, frames, first)), frames, self.wide
        ops += self._recurrence(at)
        for index, ratio in enumerate(self.ratios, start=1):
            made = upsampled(f"{index}.conv", width, width // 2, at, 2 * ratio, after=(at - 1) * ratio + 2 * ratio)
            ops += [_elu(f"{index}.act", width * at), *self._normed(made, width, width // 2, at * ratio + ratio)]
            at, width = at * ratio, width // 2
            ops += self._residuals(f"{index}", width, at)
        ops += [_elu("last.act", width * at), *self._conv("last", width, self.channels, at, last)]
        return tuple(ops)

    def _conv(self, path: str, inputs: int, outputs: int, length: int, kernel: int, stride: int = 1) -> Ops:
        after = -(-length // stride)
        pad = ((after - 1) * stride + kernel - length) / 2
        made = conv1d(path, inputs, outputs, length, kernel, stride=stride, pad=pad)
        return self._normed(made, outputs, outputs, after)

    def _normed(self, op: Op, lengths: int, outputs: int, positions: int) -> Ops:
        path = f"{op.parent}.{op.name}" if op.parent else op.name
        if self.plain:
            return (op,)
        if self.grouped:
            return op, normed(f"{path}.norm", outputs, positions)
        return (replace(op, tensors=(*op.tensors, Tensor(f"{path}.original0", lengths, "bias"))),)

    def _residuals(self, path: str, width: int, length: int) -> Ops:
        inner, kernel = max(width // self.compress, 1), self.kernels[2]
        ops: list[Op] = []
        for at in range(self.deep):
            here = f"{path}.residual{at}"
            ops += [
                _elu(f"{here}.act1", width * length), *self._conv(f"{here}.conv1", width, inner, length, kernel),
                _elu(f"{here}.act2", inner * length), *self._conv(f"{here}.conv2", inner, width, length, 1),
                *(self._conv(f"{here}.shortcut", width, width, length, 1) if self.shortcut else ()),
                added(f"{here}.add", width * length),
            ]  # fmt: skip
        return tuple(ops)

    def _recurrence(self, frames: int) -> Ops:
        """What comes in and what was said before, each by one product for all four gates."""
        wide, ops = self.wide, list[Op]()
        for at in range(self.recurrences):
            for side in ("ih", "hh"):
                made = dense(f"lstm.{side}_l{at}", wide, GATES * wide, frames)
                ops.append(made)
            ops.append(learnt(f"lstm.gates_l{at}", 0, GATES * wide * frames, per_value=4.0, group="activation"))
        return (*ops, added("lstm.add", wide * frames)) if ops else ()


def _elu(path: str, values: float) -> Op:
    return learnt(path, 0, values, per_value=ELU, group="activation")


def codec_of(part: Fields) -> Codec:
    """The sizes that a config names."""
    part.defaults = ENCODEC
    channels, hidden, filters, compress = (
        part.size(name) for name in ("audio_channels", "hidden_size", "num_filters", "compress")
    )
    first, last, inner = (part.size(name) for name in ("kernel_size", "last_kernel_size", "residual_kernel_size"))
    deep, recurrences = part.natural("num_residual_layers"), part.natural("num_lstm_layers")
    for name, count in (("num_residual_layers", deep), ("num_lstm_layers", recurrences)):
        part.check(count <= LAYER_LIMIT, "model.out_of_range", name, value=count, least=0, most=LAYER_LIMIT)
    ratios = sizes_of(part, "upsampling_ratios")
    part.check(len(ratios) <= DEEPEST, "model.list_length", "upsampling_ratios", count=len(ratios), expected=DEEPEST)
    return Codec(
        channels, hidden, filters, min(deep, LAYER_LIMIT), ratios[:DEEPEST], (first, last, inner), compress,
        min(recurrences, LAYER_LIMIT), part.flag("use_conv_shortcut"), _grouped(part),
    )  # fmt: skip


def encodec_values(part: Fields) -> int:
    """Values of both sides; the codebooks are no parameters, each convolution has norms of its weights or outputs."""
    codec = codec_of(part)
    ops = (*codec.inward(1)[0], *codec.outward(1))
    return count_values(tensor for op in ops for tensor in op.tensors)


def _encodec(fields: Fields) -> Pass:
    """Samples to codes of the smallest bandwidth and back (transformers EncodecModel)."""
    class_of(fields, ("EncodecModel",))
    codec, rate, codes = codec_of(fields), fields.size("sampling_rate"), fields.size("codebook_size")
    seconds = _seconds(fields)
    fields.refuse_faults()
    length = seconds * rate
    inward, frames = codec.inward(length)
    books = _books(fields, rate / prod(codec.ratios), codes)
    fields.refuse_faults()
    noted(fields, frames, seconds)
    fields.note("model.recurrence_as_product")
    told = (
        product("quantizer.distances", books, frames, codes, codec.hidden),
        valued("quantizer.argmin", "reduction", books * frames * codes),
        valued("quantizer.add", "residual_add", 2 * books * frames * codec.hidden, "activation"),
    )
    outward = codec.outward(frames)
    return Pass((Run(labelled(inward, "encoder")), Run(told), Run(labelled(outward, "decoder"))), frames)


def _seconds(fields: Fields) -> int:
    """Ten, or as many as a model of chunks takes at once."""
    stated = fields.config.get("chunk_length_s")
    if stated is None:
        return SECONDS
    if isinstance(stated, int | float) and not isinstance(stated, bool) and stated in range(1, 61):
        return int(stated)
    fields.fault("model.variant_unread", "chunk_length_s", value=brief(stated), known="null, 1")
    return 1


def _books(fields: Fields, frames: float, codes: int) -> int:
    """Codebooks that the smallest bandwidth has bits for."""
    listed = fields.items("target_bandwidths", lambda n: isinstance(n, int | float) and 0 < n < 10_000)
    least = float(listed[0]) if listed else LEAST
    if codes < 2:
        fields.fault("model.out_of_range", "codebook_size", value=codes, least=2, most=10**8)
        return 1
    return max(1, floor(1000 * least / (log2(codes) * -(-frames // 1))))


def _grouped(part: Fields) -> bool:
    """Whether outputs are normalised in place of weights."""
    kind = part.text("norm_type")
    if kind not in ("weight_norm", "time_group_norm"):
        part.fault("model.variant_unread", "norm_type", value=brief(kind), known="weight_norm, time_group_norm")
    return kind == "time_group_norm"


DEEPEST: Final = 16  # stages of a codec: each doubles the channels

FAMILIES: Final = (Family(("encodec",), OnePassReader("EnCodec", _encodec, ENCODEC)),)
