"""Flags of a comparison: the device that ratios are to, and what stands side by side."""

import argparse
from typing import Final, get_args

from explorer.analysis.study.choices import Vary

_BASELINE: Final = "the device that ratios are to, one of those compared"
_VARIES: Final = tuple(name.replace("_", "-") for name in get_args(Vary))


def add_comparison(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--baseline", metavar="HARDWARE", help=_BASELINE)
    parser.add_argument(
        "--vary", type=_dashed, choices=_VARIES, metavar=f"{{{','.join(_VARIES)}}}", help="what is compared"
    )


def _dashed(text: str) -> str:
    """The word as flags write it; study files write what_ifs."""
    return text.replace("_", "-")


def is_compared(asked: argparse.Namespace) -> bool:
    """Whether flags ask for a comparison."""
    return asked.baseline is not None or asked.vary is not None
