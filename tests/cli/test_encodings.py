"""Whatever the terminal or pipe can spell: JSON is whole and means the same, and no command fails on a letter."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.files.study.study import write_study
from tests.strange_study import strange_study

NAME = "名 é “x” µ – 👍 \u00a0"
TABLE = f"| model | size | test | t/s |\n|-|-|-|-|\n| llama 7B Q4_0 {NAME} | 3.56 GiB | pp512 | 1000.00 ± 1 |\n"
END = "\x1d"
# every command in one process, for its start is most of the time
RUN = f"""
import json, sys
import explorer.__main__ as program
for command in json.load(open(sys.argv[1], encoding="utf-8")):
    sys.argv = ["roofline-explorer", *command]
    try:
        code = program.main()
    except SystemExit as left:
        code = left.code
    print(code, end={END!r})
    print(end={END!r}, file=sys.stderr)
"""
LOCALE = "LC_ALL=C"
QT = re.compile("Detected locale(.*\n)*?for more information.\n")  # what Qt itself says of such a locale
ENCODINGS = ("ascii", "cp1252", LOCALE)  # others are tried on the writer alone


def commands(folder: Path) -> list[list[str]]:
    study, table, odd = folder / "s.roofline.yaml", folder / "t.md", folder / f"{NAME}.json"
    write_study(strange_study(NAME.strip()), study)
    table.write_text(TABLE, encoding="utf-8")
    every: list[list[str]] = [["evaluate", str(study), *form] for form in ([], ["--json"], ["--csv"], ["--markdown"])]
    for what in (["model", "Llama-3.1-8B"], ["hardware"], ["hardware", "H100 SXM5"], ["import", str(table)]):
        every += [what, [*what, "--json"]]
    every += [["render", str(study), "-o", str(folder / "f.svg")]]
    every += [[name, "--help"] for name in ("evaluate", "model", "hardware", "import", "render", "measure")]
    refused = (
        ["evaluate", str(odd)], ["evaluate", "--model", NAME], ["evaluate", str(study), "--hardware", NAME],
        ["evaluate", "--quick", NAME], ["model", str(odd), "--json"], ["hardware", NAME], ["import", str(odd)],
        ["render", str(study), "-o", str(folder / NAME / "x.png")], ["render", str(study), "--view", NAME, "-o", "x"],
        ["measure", str(study), "--rows", NAME, "--python", NAME, "--json"], [NAME],
    )  # fmt: skip
    return [*every, *refused]


def ran(folder: Path, root: Path, encoding: str, given: list[list[str]]) -> list[tuple[int, str, str]]:
    """Code, output and standard error of each command."""
    listed = folder / "commands.json"
    listed.write_text(json.dumps(given), encoding="utf-8")
    spoken = {"PYTHONIOENCODING": encoding}
    if encoding == LOCALE:
        spoken, encoding = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, "ascii"
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONIOENCODING"}
    environment |= {"PYTHONPATH": str(root), "QT_QPA_PLATFORM": "offscreen", **spoken}
    command = [sys.executable, "-c", RUN, str(listed)]
    done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=120, cwd=folder)
    assert done.returncode == 0, done.stderr[-2000:]
    out, error = (text.decode(encoding).split(END)[:-1] for text in (done.stdout, done.stderr))
    found = []
    for i, told in enumerate(error):
        *lines, code = out[i].rpartition("\n") if "\n" in out[i] else ("", out[i])
        found.append((int(code), "".join(lines), told))
    return found


@pytest.fixture(scope="module")
def whole(root: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[list[str]], list[tuple[int, str, str]]]:
    """The commands, and what they say where every letter is known."""
    folder = tmp_path_factory.mktemp("whole")
    given = commands(folder)
    return given, ran(folder, root, "utf-8", given)


def test_where_every_letter_is_known_it_is_written(whole) -> None:
    given, found = whole
    assert [code for code, _, _ in found] == [2 if told else 0 for _, _, told in found]
    assert {code for code, _, _ in found} == {0, 2}
    assert sum("名" in out for _, out, _ in found) >= 6
    assert sum("名" in told for _, _, told in found) >= 8
    assert len(given) == len(found)


@pytest.mark.skipif(sys.platform == "win32", reason="the encoding of arguments is another one there")
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_json_means_the_same_and_no_command_fails_in_any_encoding(encoding, whole, root, tmp_path) -> None:
    given, wanted = whole
    found = ran(tmp_path, root, encoding, given)
    assert [code for code, _, _ in found] == [code for code, _, _ in wanted]
    for command, (code, out, told), (_, out8, told8) in zip(given, found, wanted, strict=True):
        assert QT.sub("", told).count("\n") == told8.count("\n")
        assert "failed" not in told, command
        if code == 0 and "--json" in command:
            assert json.loads(out) == json.loads(out8)
            assert not {c for c in out if not c.isprintable()} - {"\n"}
        assert out.count("\n") == out8.count("\n"), command
