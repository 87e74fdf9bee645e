"""Whatever a file holds, a reader answers with figures that can be, or refuses it in words."""

import gzip
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import explorer.presentation.sentences  # noqa: F401 - registers every sentence
from explorer.analysis.measured.imported import Imported
from explorer.analysis.problem import Refused
from explorer.files.importers import read_measurements
from explorer.presentation.measured.imported import imported_json
from explorer.presentation.words.messages import TEMPLATES, render_problem
from explorer.report.import_text import imported_text
from tests.files.importers import test_ceilings, test_llama, test_ncu, test_torch
from tests.files.importers.traces import kernel, launch, op, trace

SEEDS: dict[str, str] = {
    "markdown": test_llama.TABLE,
    "llama json": json.dumps([test_llama.ROW, test_llama.ROW], indent=1),
    "llama csv": ",".join(test_llama.ROW) + "\n" + ",".join(f'"{v}"' for v in test_llama.ROW.values()) + "\n",
    "llama sql": "INSERT INTO t (model_type, n_prompt, n_gen, avg_ts) VALUES ('m', '0', '8', '4.0');\n",
    "ncu details": test_ncu.details(launches=2),
    "ncu raw": test_ncu.RAW,
    "trace": trace(*test_torch.LINEAR, launch(1, 30.0), kernel(1, 7.0), op("aten::mm", 500, 5, [[8, 8], [8, 8]])),
    "table": test_torch.TABLE,
    "mixbench": test_ceilings.MIXBENCH,
    "nvbandwidth": test_ceilings.NVBANDWIDTH,
    "ert": "  100.5 GFLOPs\n\n  900.0 L1\n   50.0 DRAM\n",
    "ert json": json.dumps({"empirical": {"gflops": {"data": [["GFLOPs", 8]]}, "gbytes": {"data": [["DRAM", 2]]}}}),
    "babelstream": "BabelStream\nFunction    MBytes/sec  Min (sec)\nCopy   100.5   0.1\n",
    "carm": json.dumps({"cache_level": "L1", "bandwidth_gbps": 170.0}) + "\n",
    "rocprof roofs": "device,HBMBw,MFMAF16Flops\n0,1000,90000\n",
    "rocprof counters": test_ceilings.counters([*test_ceilings.VALU, *test_ceilings.EA], [1] * 16),
}
SPICE = st.sampled_from(
    ["\x00", "\n", '"', ",", ";", "|", "{", "}", "[", "]", "nan", "inf", "1e999", "-1", "0", "9" * 400, "é", "\ufeff",
     "  ", "null", "[[", "]]", "'", "''", "\\u0000", "±", "N/A", "1,2,3", "1.2.3", "%", "Gbyte", "\r"]
)  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    global _folder  # noqa: PLW0603 - hypothesis gives its functions no fixtures of their own
    _folder = tmp_path_factory.mktemp("fuzz")


_folder = Path()


def read(content: bytes) -> Imported | None:
    path = _folder / "fuzz"
    path.write_bytes(content)
    try:
        found = read_measurements(path)
    except Refused as refused:
        assert all(p.code in TEMPLATES for p in refused.problems)
        assert all(render_problem(p) for p in refused.problems)
        return None
    return found


def sound(found: Imported) -> None:
    """Figures are finite and over zero where they must be, and everything can be said."""
    for point in found.points:
        assert point.name is not None
        assert point.time_s is None or 0 < point.time_s < math.inf
        for value in (point.flops, point.bytes, point.tokens_per_s, point.size_bytes, point.parameters):
            assert value is None or 0 <= value < math.inf
        assert 0 < point.calls < math.inf
    assert all(0 < c.rate < math.inf for c in found.ceilings)
    said = [*(s.why for s in found.skipped), *found.notes, *(n for p in found.points for n in p.notes)]
    assert {n.code for n in said} <= set(TEMPLATES)
    json.dumps(imported_json(found), allow_nan=False)
    assert imported_text(found)


def test_every_reason_and_remark_has_its_sentence(root: Path) -> None:
    sources = [*(root / "explorer" / "files" / "importers").rglob("*.py"), *(root / "explorer").glob("*/measured*.py")]
    codes = {code for path in sources for code in re.findall(r'"(import\.[a-z_]+)"', path.read_text(encoding="utf-8"))}
    assert len(codes) > 30
    assert codes <= set(TEMPLATES)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_seed_is_read_as_it_is(seed: str) -> None:
    found = read(SEEDS[seed].encode())
    assert found is not None
    sound(found)


@pytest.mark.parametrize("seed", SEEDS)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_damaged_file_is_read_soundly_or_refused_in_words(seed: str, data: Any) -> None:
    text = SEEDS[seed]
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        span = data.draw(st.sampled_from([0, 0, 1, 5, 40, len(text)]))
        text = text[:at] + data.draw(SPICE) * data.draw(st.sampled_from([0, 1, 1, 3])) + text[at + span :]
    if (found := read(text.encode("utf-8", "surrogatepass"))) is not None:
        sound(found)


@pytest.mark.parametrize("seed", ["trace", "ncu details", "llama json"])
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_damaged_bytes_packed_or_not_are_read_soundly_or_refused_in_words(seed: str, data: Any) -> None:
    content = SEEDS[seed].encode()
    if data.draw(st.booleans()):
        content = gzip.compress(content)
    at = data.draw(st.integers(0, len(content)))
    content = content[:at] + data.draw(st.binary(max_size=4)) + content[at + data.draw(st.integers(0, 3)) :]
    if (found := read(content)) is not None:
        sound(found)


KEYS = st.sampled_from(
    ["ph", "cat", "name", "ts", "dur", "pid", "tid", "args", "Input Dims", "Input type", "correlation"]
)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
)
ANYTHING = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=8), max_leaves=12
)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(ANYTHING, max_size=6))
def test_events_of_any_shape_never_break_a_trace(events: list[Any]) -> None:
    whole = op("aten::mm", 1, 5, [[8, 8], [8, 8]])
    found = read(json.dumps({"traceEvents": [whole, *events, whole]}).encode())
    assert found is not None
    sound(found)
