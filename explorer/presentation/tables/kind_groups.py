"""Operator kinds by subject, as lists offer them: the user's own first, each kind in one group."""

from collections.abc import Sequence
from typing import Final

import msgspec

from explorer.analysis.catalogue.kinds import OperatorKind
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render

register(
    {
        "kinds.own": QT_TRANSLATE_NOOP("messages", "Your own"),
        "kinds.matmul": QT_TRANSLATE_NOOP("messages", "Matrix multiplication"),
        "kinds.experts": QT_TRANSLATE_NOOP("messages", "Mixture of experts"),
        "kinds.attention": QT_TRANSLATE_NOOP("messages", "Attention"),
        "kinds.recurrent": QT_TRANSLATE_NOOP("messages", "Recurrence and linear attention"),
        "kinds.convolution": QT_TRANSLATE_NOOP("messages", "Convolution"),
        "kinds.norm": QT_TRANSLATE_NOOP("messages", "Norms and reductions"),
        "kinds.activation": QT_TRANSLATE_NOOP("messages", "Activations"),
        "kinds.elementwise": QT_TRANSLATE_NOOP("messages", "Value by value, and moving data"),
        "kinds.training": QT_TRANSLATE_NOOP("messages", "Training"),
        "kinds.quick": QT_TRANSLATE_NOOP("messages", "Quick models"),
        "kinds.other": QT_TRANSLATE_NOOP("messages", "Others"),
    }
)

SUBJECTS: Final[dict[str, tuple[str, ...]]] = {
    "matmul": ("matmul", "qkv_matmul", "batched_matmul", "grouped_matmul", "absorbed_matmul"),
    "attention": (
        "attention", "attention_standard", "chunked_attention", "block_attention", "compressed_attention",
        "compress_kv", "index_scores", "rotary",
    ),
    "experts": ("moe_matmul", "router", "combine"),
    "norm": ("layer_norm", "rms_norm", "softmax", "reduction"),
    "activation": (
        "relu", "relu2", "silu", "gelu", "gated_silu", "gated_gelu", "gated_relu2", "gated_sigmoid",
    ),
    "elementwise": (
        "residual_add", "multiply", "scale", "embedding", "cast", "copy", "transpose", "hyper_connection",
    ),
    "convolution": ("conv2d", "conv1d", "conv_transpose"),
    "recurrent": (
        "gated_delta_rule", "selective_scan", "state_space_scan", "decayed_attention", "wkv4", "wkv5", "rg_lru",
        "causal_conv1d", "token_shift",
    ),
    "training": ("optimizer_adam",),
    "quick": ("quick_weights", "quick_kv"),
}  # fmt: skip
_SUBJECT_OF: Final = {kind: subject for subject, kinds in SUBJECTS.items() for kind in kinds}


class KindGroup(msgspec.Struct, frozen=True):
    """A subject in words, and its kinds."""

    title: str
    kinds: tuple[OperatorKind, ...]


def kind_groups(
    kinds: Sequence[OperatorKind], own: Sequence[OperatorKind], needle: str = "", look: Look = ENGLISH
) -> tuple[KindGroup, ...]:
    """The kinds whose names or meanings hold every word of the needle, by subject; groups without any are left out."""
    mine = {kind.id for kind in own}
    found: dict[str, list[OperatorKind]] = {subject: [] for subject in ("own", *SUBJECTS, "other")}
    for kind in (*own, *(k for k in kinds if k.id not in mine)):
        subject = "own" if kind.id in mine else _SUBJECT_OF.get(kind.id, "other")
        found[subject].append(kind)
    titled = {subject: render(Message(f"kinds.{subject}"), look) for subject in found}
    words = needle.lower().split()
    groups = []
    for subject, members in found.items():
        order = SUBJECTS.get(subject, ())
        members.sort(key=lambda k: order.index(k.id) if k.id in order else len(order))
        hits = [k for k in members if all(_holds(k, titled[subject], word) for word in words)]
        if hits:
            groups.append(KindGroup(titled[subject], tuple(hits)))
    return tuple(groups)


def _holds(kind: OperatorKind, subject: str, word: str) -> bool:
    """Anywhere in name and meaning, and at the beginning of a word of the subject: RMS is no part of “norms”."""
    return word in f"{kind.id} {kind.en}".lower() or any(part.startswith(word) for part in subject.lower().split())
