"""Every figure of the example studies as the command line prints it; `python -m tests.cli.figures` writes them anew.

A change of a figure is then seen in the difference of a commit, and has its reason there.
"""

import contextlib
import io
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from explorer.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
STUDIES = sorted((ROOT / "resources" / "studies").glob("*.roofline.yaml"))
FIGURES = Path(__file__).with_name("figures")
CLOSE = 1e-12
_INNERMOST = re.compile(r"[{\[][^{}\[\]]*[}\]]")


def kept(study: Path) -> Path:
    return FIGURES / f"{study.name.removesuffix('.roofline.yaml')}.json"


def printed(study: Path) -> Any:
    """What `evaluate --json` says of a study."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = main(["evaluate", str(study), "--json"], None, None)
    if code:
        raise RuntimeError(f"{study}: {code}")
    return json.loads(out.getvalue())


def as_text(figures: Any) -> str:
    """One line for each operator, so that a difference can be read."""
    text = json.dumps(figures, indent=1, ensure_ascii=False)
    return _INNERMOST.sub(lambda m: re.sub(r"\n\s*", " ", m[0]), text) + "\n"


def differences(before: Any, now: Any, path: str = "") -> Iterator[str]:
    """Where two results differ: keys and their order, words, and numbers by more than `CLOSE`."""
    if isinstance(before, dict) and isinstance(now, dict):
        if list(before) != list(now):
            yield f"{path}: keys {list(before)}, now {list(now)}"
        for key in before.keys() & now.keys():
            yield from differences(before[key], now[key], f"{path}.{key}")
    elif isinstance(before, list) and isinstance(now, list):
        if len(before) != len(now):
            yield f"{path}: {len(before)} entries, now {len(now)}"
        for i, (one, other) in enumerate(zip(before, now, strict=False)):
            yield from differences(one, other, f"{path}[{i}]")
    elif not same(before, now):
        yield f"{path}: {before!r}, now {now!r}"


def same(before: Any, now: Any) -> bool:
    numbers = (int, float)
    if isinstance(before, numbers) and isinstance(now, numbers) and not isinstance(before, bool):
        return math.isclose(before, now, rel_tol=CLOSE, abs_tol=0.0)
    return bool(before == now)


if __name__ == "__main__":
    FIGURES.mkdir(exist_ok=True)
    for path in STUDIES:
        kept(path).write_text(as_text(printed(path)), encoding="utf-8")
