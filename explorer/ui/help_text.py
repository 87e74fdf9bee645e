"""What every number means, for the Help menu: one paragraph per idea."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP
from explorer.ui.look.text import tr

PARAGRAPHS: tuple[tuple[str, str], ...] = (
    (
        QT_TRANSLATE_NOOP("ui", "Units"),
        QT_TRANSLATE_NOOP(
            "ui",
            "One FLOP is one add or one multiply; a fused multiply-add counts 2. Rates are decimal: 1 TB/s is 1e12 "
            "bytes per second. Peaks are dense and belong to one operand format and one accumulator.",
        ),
    ),
    (
        QT_TRANSLATE_NOOP("ui", "Operator time"),
        QT_TRANSLATE_NOOP(
            "ui",
            "The largest of FLOPs / peak, bytes / bandwidth and launch overhead; the largest names the bound: compute, "
            "memory or overhead. Every operand is counted once. Launches cost nothing in mode graph.",
        ),
    ),
    (
        QT_TRANSLATE_NOOP("ui", "Step time"),
        QT_TRANSLATE_NOOP(
            "ui", "Operator by operator: the sum of all operator times, with nothing fused that the rows do not fuse."
        ),
    ),
    (
        QT_TRANSLATE_NOOP("ui", "At least"),
        QT_TRANSLATE_NOOP(
            "ui",
            "The floor: the larger of all FLOPs over their peaks and the bytes no fusion can remove (weights, KV "
            "cache, the step's outputs) over the bandwidth. No honest measurement of the same work beats it. Of a "
            "mixture of experts it reads the fewest experts, as if all tokens chose alike.",
        ),
    ),
    (
        QT_TRANSLATE_NOOP("ui", "Expected"),
        QT_TRANSLATE_NOOP("ui", "Step time at 80 % down to 60 % efficiency; edit the band in the decode panel."),
    ),
    (
        QT_TRANSLATE_NOOP("ui", "Simple lines"),
        QT_TRANSLATE_NOOP(
            "ui",
            "What people work out by hand: streamed is weights read plus KV cache over the bandwidth; whole file takes "
            "all weight bytes.",
        ),
    ),
    (
        QT_TRANSLATE_NOOP("ui", "Decode"),
        QT_TRANSLATE_NOOP(
            "ui",
            "A step reads every weight but the embedding table once, and the keys and values of all tokens held. Of a "
            "mixture of experts it reads the distinct experts that the batch is expected to choose: at random, or "
            "fewer under the routing skew. Times, tokens per second and knees go by it.",
        ),
    ),
    (
        QT_TRANSLATE_NOOP("ui", "KV half, ridge, full, knee"),
        QT_TRANSLATE_NOOP(
            "ui",
            "The batch where half of the traffic is KV cache; where decode turns compute-bound; where memory is full; "
            "past which doubling the batch gains less than the factor you set.",
        ),
    ),
)


def conventions() -> list[tuple[str, str]]:
    """The help page: headings and paragraphs."""
    return [part for title, text in PARAGRAPHS for part in (("h3", tr(title)), ("p", tr(text)))]
