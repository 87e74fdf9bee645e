"""A stranger's file on the command line: its names are shown, and do nothing, in every form of output."""

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from explorer.files.study.study import read_study, write_study
from tests.strange_study import strange_study
from tests.strangers import FORMULAS, NAMES

HIDDEN = "esc\x1b]0;x\x07\x1b[31m nul\x00 bidi\u202e\u2066 c1\x9b31m zero\u200b line\u2028\u2029end"
STEERING = set("\x1b\x00\x07\x9b\u202e\u2066\u200b\u2028\u2029\r")
SVG = "{http://www.w3.org/2000/svg}"
TABLE = """| model | size | test | t/s |
|-|-|-|-|
| llama\x1b]0;PWNED\x07\x1b[31m 7B\u202e Q4_0 | 3.56 GiB | pp512 | 1000.00 ± 1 |
"""


def study_file(folder: Path, name: str, odd: str = "") -> Path:
    path = folder / "s.roofline.yaml"
    write_study(strange_study(name, odd), path)
    return path


def outputs(run, study: Path) -> dict[str, str]:
    forms = ("", "--json", "--csv", "--markdown")
    found = {form: run("evaluate", str(study), *filter(None, [form])) for form in forms}
    assert {r.code for r in found.values()} == {0}
    return {form: r.out for form, r in found.items()}


@pytest.mark.parametrize("name", [*NAMES, *FORMULAS])
def test_names_are_shown_in_every_form_and_nothing_hidden_is_printed(run, tmp_path, name):
    found = outputs(run, study_file(tmp_path, name, HIDDEN))
    for form, text in found.items():
        assert not STEERING & set(text), form
    assert f"O {name}" in found[""]
    rows = list(csv.reader(io.StringIO(found["--csv"])))
    assert len({len(row) for row in rows}) == 1, "no name begins a cell or a line of its own"
    assert {row[1].replace("'", "") for row in rows} >= {f"O {name}".replace("'", "")}
    json.loads(found["--json"])
    assert not re.search(r"<(img|b|a|table|script|h1|!)", found["--markdown"])


@pytest.mark.parametrize("name", FORMULAS)
def test_no_cell_of_a_file_begins_like_a_formula(run, tmp_path, name):
    text = outputs(run, study_file(tmp_path, name))["--csv"]
    for row in csv.reader(io.StringIO(text)):
        for cell in row:
            bare = cell.lstrip('" \t')
            assert bare[:1] not in set("=+-@\uff1d\uff0b\uff0d\uff20") or re.fullmatch(r"-?[\d.e+-]+", cell), cell
            assert not re.search(r"[;\t]\s*[=+@-]", cell)


@pytest.mark.parametrize("name", ["x\x1b[31m\x07\x00\u202ey", "two\nlines|`c`\t<b>", "half \ud800"])
def test_a_file_of_another_tool_is_shown_with_what_hides_in_it(run, tmp_path, name):
    path = tmp_path / "trace.json"
    event = {"ph": "X", "cat": "kernel", "name": name, "ts": 0, "dur": 10, "pid": 0, "tid": 0}
    path.write_text(json.dumps({"traceEvents": [event]}))
    done = run("import", str(path))
    assert not STEERING & set(done.out + done.err)
    assert "Traceback" not in done.err
    done.out.encode()


def test_a_table_with_escape_sequences_is_shown_and_not_printed(run, tmp_path):
    path = tmp_path / "table.md"
    path.write_text(TABLE, encoding="utf-8")
    done = run("import", str(path))
    assert done.code == 0
    assert r"llama\x1b]0;PWNED\x07\x1b[31m 7B\u202e Q4_0" in done.out
    assert not STEERING & set(done.out)
    found = run("import", str(path), "--json")
    assert not STEERING & set(found.out)
    assert "\x1b" in json.loads(found.out)["points"][0]["name"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems take no such names")
def test_a_file_named_with_escape_sequences_or_no_text_is_one_line(tmp_path):
    for name in (b"x\x1b[31m.yaml", b"x\xff\xfe.yaml", "x\u202e.yaml".encode()):
        path = bytes(tmp_path) + b"/" + name
        Path(path.decode(errors="surrogateescape")).write_bytes(b"format: 1\nname: 5\n")
        for command in ("evaluate", "hardware", "import"):
            call = [sys.executable, "-m", "explorer", command, path]
            done = subprocess.run(call, capture_output=True, check=False, timeout=60)
            assert done.returncode == 2
            assert done.stderr.count(b"\n") == 1, done.stderr
            assert not {0x1B, 0xFF} & set(done.stderr)
            assert "\u202e" not in done.stderr.decode()


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_terminal_of_few_letters_gets_every_form_without_a_traceback(tmp_path, encoding):
    study = study_file(tmp_path, "名 <b>é</b>", HIDDEN)
    for form in ("--json", "--csv", "--markdown"):
        call = [sys.executable, "-m", "explorer", "evaluate", str(study), form]
        env = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "PATH": ""}
        done = subprocess.run(call, capture_output=True, check=False, timeout=60, env=env)
        assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(subprocess.run(
        [sys.executable, "-m", "explorer", "evaluate", str(study), "--json"],
        capture_output=True, check=False, timeout=60, env=env,
    ).stdout.decode(encoding))  # fmt: skip


@pytest.mark.parametrize("name", [*NAMES, FORMULAS[0]])
def test_a_drawn_figure_holds_the_names_as_text_and_nothing_that_acts(run, tmp_path, name):
    study = study_file(tmp_path, name, HIDDEN)
    assert run("render", str(study), "-o", str(tmp_path / "figure.svg")).code == 0
    tree = ET.parse(tmp_path / "figure.svg")  # noqa: S314 - it has no entities
    parts = {e.tag.removeprefix(SVG) for e in tree.iter()}
    assert parts <= {
        "svg", "title", "desc", "defs", "g", "path", "text", "polyline", "polygon", "rect", "circle", "ellipse", "line",
        "linearGradient", "stop", "clipPath", "image", "pattern", "use",
    }  # fmt: skip
    links = [v for e in tree.iter() for k, v in e.attrib.items() if k.endswith(("href", "src")) or k.startswith("on")]
    assert [v for v in links if not v.startswith(("data:image/png;base64,", "#"))] == []
    words = [e.text or "" for e in tree.iter(f"{SVG}text")]
    assert any(name[:12] in w for w in words), words


@pytest.mark.parametrize(("ending", "first"), [("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_pictures_are_drawn_with_such_names(run, tmp_path, ending, first):
    out = tmp_path / f"figure.{ending}"
    assert run("render", str(study_file(tmp_path, NAMES[0], HIDDEN)), "-o", str(out)).code == 0
    assert out.read_bytes().startswith(first)


def test_the_shared_inputs_do_nothing(run, shared, tmp_path):
    folder = shared / "cases" / "hostile"
    if not folder.is_dir():
        pytest.skip("no hostile inputs beside this checkout")
    done = run("import", str(folder / "terminal-escape.md"))
    assert done.code == 0
    assert not STEERING & set(done.out)
    for file in ("csv-formula-names", "html-names"):
        found = outputs(run, folder / f"{file}.roofline.yaml")
        assert not re.search(r"<(img|b|script|/text)", found["--markdown"])
        for row in csv.reader(io.StringIO(found["--csv"])):
            assert not [c for c in row if re.match(r"[\s\"]*[=+@]", c)]
        out = tmp_path / "figure.svg"
        assert run("render", str(folder / f"{file}.roofline.yaml"), "-o", str(out)).code == 0
        ET.parse(out)  # noqa: S314 - it has no entities


@pytest.mark.parametrize("name", [*NAMES, *FORMULAS])
def test_a_study_with_such_names_is_read_back_equal(tmp_path, name):
    study = strange_study(name, f"{HIDDEN}\n{name}")
    path = tmp_path / "s.roofline.yaml"
    write_study(study, path)
    assert read_study(path) == study
