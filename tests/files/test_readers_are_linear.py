"""No reader takes more than its time: its worst cases are grown, and the time grows with them, not faster."""

import json
import os
import re
import time
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pytest

from explorer.analysis.models.checkpoint.module_patterns import Patterns, unread
from explorer.analysis.problem import Refused
from explorer.files.detect import detect
from explorer.files.disk import limits
from explorer.files.importers import read_measurements, recognised, registry
from explorer.files.models.config import parse_config
from explorer.files.models.model_file import read_model
from tests.files.reading import READERS, seconds
from tests.files.worst_cases import CASES
from tests.fuzz_readers import fuzz

SMALL, GROWN = 10_000, 6
MOST_S = 0.3  # at the grown size, whatever the growth
ROOM = 2.5  # times what a linear reader would need, since small times are noisy
FLOOR_S = 0.03  # times below are not judged
QUICK_S = 0.1
RECOGNISED_S = 0.1  # 50 ms on a machine that does nothing else
GRADE = [(reader, case) for reader, cases in CASES.items() for case in cases]
LARGEST = {"pasted rows": 1_000_000, "pasted measurements": 1_000_000, "device": limits.DEVICE}


def grown(reader: str, case: str, size: int, path: Path, tries: int = 2) -> float:
    path.write_bytes(CASES[reader][case](size))
    return min(seconds(reader, path) for _ in range(tries))


def test_every_reader_has_its_worst_cases():
    tools = {importer.tool for importer in registry.IMPORTERS}
    assert tools | set(READERS) | {"no tool"} == set(CASES)
    assert all(len(cases) >= 8 for cases in CASES.values())


@pytest.fixture(scope="module", autouse=True)
def warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What the first reading imports and compiles is no part of any reader's time."""
    path = tmp_path_factory.mktemp("warm") / "file"
    for reader, cases in CASES.items():
        for case in list(cases)[-3:]:
            grown(reader, case, 2_000, path, 1)


@pytest.mark.parametrize(("reader", "case"), GRADE)
def test_time_grows_no_faster_than_the_file(reader, case, tmp_path):
    path = tmp_path / "file"
    large = grown(reader, case, GROWN * SMALL, path, 1)
    if large < FLOOR_S:
        return
    small = grown(reader, case, SMALL, path)
    large = min(large, grown(reader, case, GROWN * SMALL, path, 1))
    assert large < min(MOST_S, FLOOR_S + ROOM * GROWN * small)


@pytest.mark.parametrize("reader", sorted(CASES))
def test_a_large_worst_case_is_read_in_the_time_its_limit_leaves(reader, tmp_path):
    """Two of the costliest cases each, at a size that shows what small ones hide."""
    path = tmp_path / "file"
    size = min(LARGEST.get(reader, 400_000), 400_000)
    for case in list(CASES[reader])[-2:]:
        assert grown(reader, case, size, path, 1) < 1.0


@pytest.mark.parametrize(
    ("reader", "case"),
    [
        *(("gguf", case) for case in ("strings", "bytes", "small arrays", "texts", "tensors")),
        *(("safetensors", case) for case in ("tensors", "lists", "metadata", "shape")),
        *(("config", case) for case in ("objects", "lists", "keys")),
        *(("llama-bench", case) for case in ("rows", "json_empty", "long_header", "long_model", "sql_quotes")),
        *(("torch profiler trace", case) for case in ("names", "empty", "nested", "packed_pieces")),
        *(("Nsight Compute", case) for case in ("launches", "metrics", "raw_columns")),
        ("mixbench", "title"),
        ("rocprof-compute", "columns"),
    ],
)
def test_memory_stays_within_some_times_the_file(reader, case, tmp_path):
    path = tmp_path / "file"
    size = 150_000
    path.write_bytes(CASES[reader][case](size))
    tracemalloc.start()
    try:
        seconds(reader, path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 50 * size + 3_000_000


def test_lying_counts_cost_nothing(tmp_path):
    """A header of the largest size that is read, whose counts say that it holds far more."""
    path = tmp_path / "file"
    for case in ("lying keys", "lying tensors", "lying strings", "lying length", "lying bytes"):
        with path.open("wb") as file:
            file.write(CASES["gguf"][case](1_000))
            file.truncate(2**29)
        tracemalloc.start()
        try:
            assert seconds("gguf", path) < QUICK_S
            assert tracemalloc.get_traced_memory()[1] < 10_000_000
        finally:
            tracemalloc.stop()


def test_a_header_of_512_megabytes_takes_little_memory(tmp_path):
    path = tmp_path / "file"
    with path.open("wb") as file:
        file.write(
            CASES["gguf"]["long strings"](2**20).replace(
                (2**20 // 1008).to_bytes(8, "little"), bytes([0, 0, 0, 0, 1, 0, 0, 0]), 1
            )
        )
        file.truncate(2**29)
    tracemalloc.start()
    try:
        assert seconds("gguf", path) < 2
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def test_recognising_reads_only_the_beginning(tmp_path):
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.write(b"a: 1\n")
        file.truncate(2**36)
    tracemalloc.start()
    try:
        assert recognised(path) == ""
        with pytest.raises(Refused):
            detect(path)
        assert tracemalloc.get_traced_memory()[1] < 40 * limits.HEAD
    finally:
        tracemalloc.stop()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
@pytest.mark.parametrize("kind", ["pipe", "endless", "folder", "loop", "socket"])
def test_what_is_no_plain_file_is_refused_at_once(kind, tmp_path):
    import socket

    path = tmp_path / "x.json"
    listener = socket.socket(socket.AF_UNIX)
    {
        "pipe": lambda: os.mkfifo(path),
        "endless": lambda: path.symlink_to("/dev/zero"),
        "folder": path.mkdir,
        "loop": lambda: path.symlink_to(path.name),
        "socket": lambda: listener.bind(str(path)),
    }[kind]()
    assert recognised(path) == ""
    for read in (read_measurements, detect, *([read_model] if kind != "folder" else [])):
        with pytest.raises(Refused) as refused:
            read(path)
        assert refused.value.problems[0].code in {"file.not_a_file", "file.read", "file.folder"}
    listener.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_a_file_that_has_nothing_to_say_yet_is_empty(tmp_path, monkeypatch):
    """As the kernel's log is, which calls itself a plain file."""
    path = tmp_path / "x.txt"
    os.mkfifo(path)
    writer = os.open(path, os.O_RDWR)
    monkeypatch.setattr("stat.S_ISREG", lambda _mode: True)
    assert recognised(path) == ""
    with pytest.raises(Refused) as refused:
        read_measurements(path)
    assert refused.value.problems[0].code == "import.empty"
    os.close(writer)


def test_a_folder_of_very_many_files_is_looked_at_in_part(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "FOLDER_ENTRIES", 100)
    for number in range(300):
        (tmp_path / f"{number}.txt").touch()
    with pytest.raises(Refused):
        detect(tmp_path)


def test_half_a_character_is_refused_in_one_sentence(tmp_path):
    event = (
        '{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "ts": 1, "dur": 5, "args": {"Input Dims": [[8, 8], [8, 8]]'
    )
    llama = '[{"model_type": "\\ud800", "n_prompt": 0, "n_gen": 8, "avg_ts": 4.0}]'
    trace = f'{{"traceEvents": [{event}, "Input type": ["\\ud800"]}}}}]}}'
    for number, text in enumerate((llama, trace, trace.replace("aten::mm", "\\udfff::x"))):
        path = tmp_path / str(number)
        path.write_text(text, "utf-8")
        with pytest.raises(Refused) as refused:
            read_measurements(path)
        assert [p.code for p in refused.value.problems] == ["config.half_character"]


def test_patterns_of_a_config_take_little_time():
    many = tuple(f"*a*b*{i}" for i in range(5_000)) + tuple(f"re:.*(a|b)(c|d).*{i}" for i in range(5_000))
    beyond = unread(many)
    assert 9_000 < len(beyond) < 10_000
    kept = Patterns((*tuple(set(many) - set(beyond)), "*l*l*l*l*l*l*l*l*l*x"))
    assert not kept.name("layers." + "l" * 60 + ".y")
    assert Patterns(("layers.1.mlp*",)).name("layers.1.mlp.gate")
    assert Patterns(("*.gate",)).name("layers.1.mlp.gate")
    assert not Patterns(("layers.1.mlp*",)).name("layers.2.mlp.gate")


@pytest.mark.parametrize("text", ['{"a": 1e999}', '{"a": ' + "9" * 5000 + "}", '{"a": ' + "[" * 100_000])
def test_figures_and_nests_that_cannot_be_are_one_sentence(text):
    with pytest.raises(Refused) as refused:
        parse_config(text)
    assert len(refused.value.problems) == 1


def test_expressions_are_compiled_in_known_places_only(root: Path):
    """A new expression over a stranger's text comes with its worst case: see `worst_cases.py`."""
    risky = re.compile(r"\\s\*\\n|\.\*[^?\"]*\.\*|\(\.\+\?\)|\\s\+\(\.|\(\?:[^()]*[*+]\)[*+](?!\+)")
    lines = ((p, line) for p in (root / "explorer").rglob("*.py") for line in p.read_text("utf-8").splitlines())
    calls = re.compile(r"re\.(compile|search|match|fullmatch|findall)\(")
    assert [f"{path.name}: {line}" for path, line in lines if calls.search(line) and risky.search(line)] == []


def test_a_study_of_many_rows_is_still_read(tmp_path):
    path = tmp_path / "large.roofline.yaml"
    rows = "".join(f"- {{id: r{i}, name: r{i}, kind: matmul, dims: {{m: 8, n: 8, k: 8}}}}\n" for i in range(2_000))
    path.write_text(f"format: 1\nname: large\noperators:\n{rows}", "utf-8")
    from explorer.files.study.study import read_study

    assert len(read_study(path).operators) == 2_000


def test_every_limit_is_named_in_its_sentence(tmp_path):
    """What is too large is refused with the limit."""
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"model_type": "x" * (limits.CONFIG + 1)}), "utf-8")
    with pytest.raises(Refused) as refused:
        read_model(path)
    assert refused.value.problems[0].values["limit"] == limits.CONFIG


def test_damaged_files_of_every_kind_are_answered_in_little_time(tmp_path):
    assert fuzz(7, 150, (), tmp_path) == []


@pytest.mark.parametrize("reader", sorted(set(CASES) - {"gguf", "safetensors", "pasted rows", "pasted measurements"}))
def test_recognising_takes_less_time_than_a_beat_of_the_window(reader, tmp_path):
    """It happens in the window's thread, whatever the file turns out to be."""
    path = tmp_path / "file"
    for case in CASES[reader].values():
        path.write_bytes(case(limits.HEAD))
        times = []
        for _ in range(2):
            started = time.process_time()
            recognised(path)
            with suppress(Refused):
                detect(path)
            times.append(time.process_time() - started)
            if times[-1] < RECOGNISED_S:
                break
        assert min(times) < RECOGNISED_S
