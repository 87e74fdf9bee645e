import os
import sys
from pathlib import Path

import pytest

from devtools import smoke_test

FAKE = """#!{python}
import json, os, pathlib, sys
words = sys.argv[1:]
if words[0] == "smoke-test":
    window = {{"platform": os.environ["QT_QPA_PLATFORM"]}}
    pathlib.Path(words[1]).write_text(json.dumps({{"ok": {ok}, "checks": {{"window": window}}}}))
elif words == ["hardware", "--json"]:
    print(json.dumps([{{"name": "a"}}] * 90))
elif words[0] == "evaluate":
    print(json.dumps({{"hardware": [{{"totals": {{"floor_s": 1.0, "time_s": 1.5}}}}]}}))
elif words[0] == "render":
    first = {{".png": b"\\x89PNG", ".pdf": b"%PDF", ".svg": b"<svg"}}[pathlib.Path(words[2]).suffix]
    pathlib.Path(words[2]).write_bytes(first + b" " * 3000)
else:
    print("no such device", file=sys.stderr)
    sys.exit(2)
"""
pytestmark = pytest.mark.skipif(os.name == "nt", reason="the stand-in is a script")


def packed(folder: Path, *, ok: bool) -> Path:
    program = folder / "roofline-explorer" / "roofline-explorer"
    program.parent.mkdir()
    program.write_text(FAKE.format(python=sys.executable, ok=ok))
    program.chmod(0o755)
    return folder


def test_a_program_whose_figures_come_out_passes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smoke_test.shutil, "which", lambda _: None)
    assert smoke_test.main([str(packed(tmp_path, ok=True))]) == 0
    assert "FAILED" not in capsys.readouterr().out


def test_a_program_that_finds_faults_in_itself_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smoke_test.shutil, "which", lambda _: None)
    assert smoke_test.main([str(packed(tmp_path, ok=False))]) == 1
    assert capsys.readouterr().out.count("FAILED") == 1


def test_a_program_that_was_not_packed_fails_in_every_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert smoke_test.main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.count("FAILED") == len(smoke_test.checks())


def test_the_packed_program_sees_nothing_of_our_python(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYTHONPATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "QT_PLUGIN_PATH"):
        monkeypatch.setenv(name, "/other")
    assert "/other" not in smoke_test.bare_environment("offscreen").values()
