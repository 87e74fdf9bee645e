"""The README's examples in Python print what stands below them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

COUNT = 4


def examples(root: Path) -> list[str]:
    part = (root / "README.md").read_text("utf-8").partition("<!-- python: begin -->")[2]
    return re.findall(r"```python\n(.*?)```", part.partition("<!-- python: end -->")[0], re.DOTALL)


@pytest.mark.parametrize("number", range(COUNT))
def test_an_example_prints_what_the_readme_says(number: int, root: Path, tmp_path: Path) -> None:
    found = examples(root)
    assert len(found) == COUNT
    (tmp_path / "resources").symlink_to(root / "resources")
    code = f"import sys; sys.path.append({str(root)!r}); exec(sys.stdin.read())"
    line = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(
        line, input=found[number], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == re.findall(r"^# (.*)$", found[number], re.MULTILINE)
    assert done.stdout
