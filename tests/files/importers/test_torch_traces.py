"""Traces of PyTorch at their edges: joins, copies, exchanges, limits, odd events."""

import json

import numpy as np
import pytest

from explorer.analysis.problem import Refused
from explorer.files.disk import limits
from explorer.files.importers import read_measurements, recognised
from explorer.files.importers.torch.events import Event, decoded, loosely
from explorer.files.importers.torch.trace import quartiles
from tests.files.importers.traces import kernel, launch, op, trace


def told(found):
    return {p.name.split(" ")[0]: (p.calls, round(p.time_s * 1e6, 6)) for p in found.points}


def skipped(found):
    return [(s.where, s.why.code.removeprefix("import."), dict(s.why.values), s.count) for s in found.skipped]


MM = [[8, 8], [8, 8]]
GPU = {
    "cuda_runtime": "kernel",
    "cuda_driver": "Kernel",
    "hip_runtime": "gpu_memset",
    "Runtime": "Memset",
    "xpu_runtime": "kernel",
    "privateuse1_runtime": "kernel",
    "mtia_runtime": "kernel",
}


@pytest.mark.parametrize("runtime", GPU)
@pytest.mark.parametrize("operator", ["cpu_op", "Operator", "operator"])
def test_launches_and_kernels_of_every_backend_are_known(read, runtime, operator):
    events = [{**op("aten::mm", 0, 10, MM), "cat": operator}, {**launch(5, 3.0), "cat": runtime}]
    found = read(trace(*events, kernel(5, 4.0, cat=GPU[runtime])))
    assert told(found) == {"aten::mm": (1, 4.0)}
    assert found.notes == ()


def test_kernels_are_joined_by_their_own_launch_and_others_stand_alone(read):
    events = [
        op("aten::mm", 0, 10, MM),
        op("aten::bmm", 20, 10, [[2, 8, 8], [2, 8, 8]]),
        op("aten::view", 40, 10, [[8]]),
        launch(7, 25.0),
        launch(3, 5.0),
        launch(9, 45.0),
        launch(11, 60.0),
        {**launch(-1, 5.0)},
        launch(2**62, 5.0),
        kernel(3, 1.0),
        kernel(3, 2.0),
        kernel(7, 4.0),
        kernel(9, 8.0, "of a view"),
        kernel(11, 16.0, "of none"),
        kernel(4, 32.0, "unknown"),
        kernel(4, 34.0, "unknown"),
        kernel(1, 0.0, "no time"),
        kernel(-1, 64.0, "no id"),
        kernel(2**62 + 1, 128.0, "odd id"),
        kernel(1, 3.0, "Memcpy HtoD x", "gpu_memcpy"),
        kernel(1, 4.0, "Memcpy HtoD x", "gpu_memcpy"),
        kernel(1, 5.0, "Memcpy DtoD x", "gpu_memcpy"),
        kernel(1, 6.0, "HtoD kernel"),
    ]
    found = read(trace(*events))
    assert told(found) == {
        "aten::mm": (1, 3.0),
        "aten::bmm": (1, 4.0),
        "aten::view": (1, 8.0),
        "of": (1, 16.0),
        "unknown": (2, 33.0),
        "no": (1, 64.0),
        "odd": (1, 128.0),
        "Memcpy": (1, 5.0),
        "HtoD": (1, 6.0),
    }
    assert [n.code for n in found.notes] == ["import.kernels_alone"]
    assert skipped(found) == [
        ("Memcpy HtoD x", "link_copy", {"count": 2}, 1),
        ("no time", "no_time", {"text": "no time"}, 1),
    ]


@pytest.mark.parametrize("across", ["HtoD", "DtoH", "HtoH", "HtoA", "AtoH", "PtoP"])
def test_copies_over_a_link_are_no_work_of_the_device(read, across):
    found = read(trace(kernel(1, 5.0, f"Memcpy {across} (a -> b)", "Memcpy"), kernel(2, 1.0)))
    assert list(told(found)) == ["some_kernel"]


def test_exchanges_between_devices_are_counted_and_left_out(read):
    events = [kernel(1, 9.0, "ncclKernel_AllReduce"), kernel(1, 9.0, "ncclKernel_AllReduce"), op("aten::mm", 0, 10, MM)]
    remarks = [
        {**op("nccl:all_reduce", 0, 5), "cat": "user_annotation"},
        {**op("step", 0, 5), "cat": "user_annotation"},
    ]
    found = read(trace(*events, *remarks))
    assert skipped(found) == [
        ("ncclKernel_AllReduce", "collective", {"count": 2}, 1),
        ("nccl:all_reduce", "collective", {"count": 1}, 1),
    ]
    assert told(found) == {"aten::mm": (1, 10.0)}


def test_without_kernels_operators_are_timed_by_themselves_and_idle_ones_are_counted(read):
    found = read(trace(op("aten::view", 0, 10, [[8]]), op("aten::mm", 1, 5, MM), op("aten::t", 20, 5, [[8]])))
    assert told(found) == {"aten::mm": (1, 5.0)}
    assert [(n.code, dict(n.values)) for n in found.notes] == [("import.no_work", {"count": 2})]


def test_blanks_in_a_shape_make_no_other_point_and_other_types_do(read):
    text = trace(op("aten::mm", 0, 10, MM), op("aten::mm", 20, 12, MM))
    spaced = text.replace("[[8, 8], [8, 8]]", "[[8,8],[ 8,8]]", 1)
    (point,) = read(spaced).points
    assert (point.calls, point.total_s, point.quartiles_s) == (
        2,
        pytest.approx(22e-6),
        (pytest.approx(10.5e-6), pytest.approx(11.5e-6)),
    )
    (one,) = read(trace(op("aten::mm", 0, 10, MM))).points
    assert one.quartiles_s is None
    assert one.name == "aten::mm [8x8, 8x8]"


def test_the_old_name_of_shapes_is_read(read):
    text = trace(op("aten::mm", 0, 10, MM)).replace("Input Dims", "Input dims")
    assert read(text).points[0].flops == 1024


def test_devices_are_named_once_and_with_their_names_alone(read):
    devices = [{"id": i, "name": n} for i, n in enumerate(("A", "B", "A"))]
    text = json.dumps({"name": "x", "deviceProperties": devices, "traceEvents": [op("aten::mm", 0, 1, MM)]})
    assert read(text).device == "A + B"
    assert read(json.dumps([op("aten::mm", 0, 1, MM)])).device == ""
    plain = json.dumps({"name": "x", "traceEvents": [op("aten::mm", 0, 1, MM)]})
    assert read(plain).device == ""


@pytest.mark.parametrize(
    "times", [[5.0], [1.0, 2.0], [4.0, 1.0, 3.0, 2.0], [1.0, 2.0, 3.0, 4.0, 10.0], [7.0, 7.0, 1.0]]
)
def test_quartiles_are_those_of_numpy(times):
    assert quartiles(times) == pytest.approx(tuple(np.percentile(times, (25, 50, 75))))


@pytest.mark.parametrize(
    ("limit", "most", "events"),
    [
        ("TRACE_KINDS", 3, [op("aten::mm", i, 1, [[8, i + 1], [i + 1, 8]]) for i in range(3)]),
        ("TRACE_KINDS", 3, [kernel(1, 1.0, f"k{i}") for i in range(3)]),
        ("TRACE_KINDS", 3, [op("aten::mm", 0, 1, MM, tid=i) for i in range(3)]),
        ("TRACE_KINDS", 3, [kernel(1, 1.0), *(kernel(1, 1.0, f"nccl:{i}") for i in range(3))]),
        ("TRACE_SPANS", 3, [op("aten::mm", i, 1, MM) for i in range(3)]),
        ("TRACE_SPANS", 3, [kernel(1, 1.0) for i in range(3)]),
        ("TRACE_SPANS", 3, [op("aten::mm", 0, 1, MM), *(launch(i, 1.0) for i in range(3))]),
        ("TRACE_EVENTS", 3, [op("aten::mm", i, 1, MM) for i in range(3)]),
    ],
    ids=["shapes", "kernels", "threads", "exchanges", "operators", "runs", "launches", "events"],
)
def test_as_many_as_a_trace_may_have_are_read_and_one_more_is_refused(read, monkeypatch, limit, most, events):
    monkeypatch.setattr(limits, limit, most)
    assert read(trace(*events)).points
    monkeypatch.setattr(limits, limit, most - 1)
    with pytest.raises(Refused) as refused:
        read(trace(*events))
    assert refused.value.problems[0].values == {"limit": most - 1}


FIRST = {"ph": "X", "name": "x"}


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ('{"a": 1, "traceEvents" : []}', True),
        ('{"traceEvents"}', False),
        (json.dumps([FIRST]), True),
        ("[1]", False),
        ('[{"pH": 1}]', False),
        ('{"schemaVersion": 1, "deviceProperties": 2}', True),
        ('{"schemaVersion": 1, "x": 2}', False),
        ('{"deviceProperties": 2, "schemaVersion": 1}', False),
        ('{"schemaVersion": 1,' + " " * 2_100 + '"distributedInfo": 2}', False),
        ('{"schemaVersion": 1,' + " " * 1_900 + '"distributedInfo": 2}', True),
        ('[{"x": "' + " " * 2_100 + '", "ph": 1}]', False),
        ('[{"x": "' + " " * 1_900 + '", "ph": 1}]', True),
    ],
    ids=range(12),
)
def test_a_trace_is_told_by_its_events_or_its_head(tmp_path, text, known):
    path = tmp_path / "x"
    path.write_text(text)
    assert recognised(path) == ("torch profiler trace" if known else "")


def test_events_are_read_loosely_where_one_of_them_is_odd():
    good = {
        "ph": "X",
        "cat": "cpu_op",
        "name": "n",
        "pid": 3,
        "tid": "t",
        "ts": 1,
        "dur": 2,
        "args": {"Input Dims": [[1]], "Input type": ["x"], "Concrete Inputs": ["y"], "correlation": 7},
    }
    strict = decoded(json.dumps([good]).encode())
    assert strict is not None
    loose = loosely({**good, "ts": "1", "extra": object})
    assert loose is not None
    for event in (strict[0], loose):
        assert (event.ph, event.cat, event.name, event.pid, event.tid, event.ts, event.dur) == (
            "X",
            "cpu_op",
            "n",
            3,
            "t",
            1.0,
            2.0,
        )
        assert [json.loads(bytes(r)) for r in (event.args.dims, event.args.types, event.args.concrete)] == [
            [[1]],
            ["x"],
            ["y"],
        ]
        assert event.args.correlation == 7
    assert loosely({**good, "ph": "B"}) is None
    assert loosely({**good, "dur": "soon"}) is None
    assert loosely({**good, "dur": None}) is None
    assert loosely([]) is None
    odd = loosely({"ph": "X", "name": 3, "pid": [], "args": {"correlation": "x", "Input dims": 1}})
    assert odd is not None
    assert (odd.name, odd.pid, odd.args.correlation, bytes(odd.args.old_dims)) == ("", 0, -1, b"1")
    assert loosely({"ph": "X", "args": 3}) == Event(ph="X")
    assert decoded(b"[1, {") is None
    assert decoded(b'[1, {"ph": "X"}, null]') == [Event(ph="X")]
    assert decoded(b"[\xff]") is None


@pytest.mark.parametrize(("end", "cut"), [("]", False), ("", True), (",", True), (" \n", True)])
def test_a_list_of_events_that_has_no_end_is_said_to_be_cut_short(read, end, cut):
    found = read("[" + json.dumps(op("aten::mm", 0, 10, MM)) + end)
    assert told(found) == {"aten::mm": (1, 10.0)}
    assert [n.code for n in found.notes] == ["import.cut_short"] * cut


def test_copies_over_a_link_are_told_by_the_first_of_them(read):
    copies = [kernel(i, 5.0, f"Memcpy {way}", "gpu_memcpy") for i, way in enumerate(("DtoH", "HtoD", "PtoP"))]
    assert skipped(read(trace(kernel(9, 1.0), *copies))) == [("Memcpy DtoH", "link_copy", {"count": 3}, 1)]


@pytest.mark.parametrize("before", ["\ufeff", "\ufeff \n", "\n "])
@pytest.mark.parametrize("whole", [True, False])
def test_a_mark_or_blanks_before_a_trace_are_no_part_of_it(read, before, whole):
    events = [op("aten::mm", 0, 10, MM), op("aten::mm", 20, 10, MM)]
    assert told(read(before + (trace(*events) if whole else json.dumps(events)))) == {"aten::mm": (2, 10.0)}


MIB = 2**20


@pytest.mark.parametrize(("size", "code"), [(MIB * 5 // 2, ""), (MIB * 9 // 2, "import.long_event")])
def test_an_event_may_be_as_long_as_a_line_and_a_longer_one_is_refused(read, monkeypatch, size, code):
    monkeypatch.setattr(limits, "TOOL_LINE", 2 * MIB)
    long = {**kernel(1, 5.0, "long"), "remark": "x" * size}
    events = [kernel(1, 1.0, "before"), long, kernel(1, 2.0, "after")]
    assert reading(read, trace(*events)) == (([], code) if code else (["before", "long", "after"], ""))


@pytest.mark.parametrize(("size", "code"), [(MIB // 2, ""), (MIB * 5 // 2, "import.no_events")])
def test_events_begin_within_the_length_of_a_line_or_there_are_none(read, monkeypatch, size, code):
    monkeypatch.setattr(limits, "TOOL_LINE", MIB)
    head = {"schemaVersion": 1, "deviceProperties": [], "record": "x" * size}
    text = json.dumps({**head, "traceEvents": [kernel(1, 1.0, "k")]})
    assert reading(read, text) == (([], code) if code else (["k"], ""))


def reading(read, text):
    """The names of the points, or the code of why there are none."""
    try:
        return [p.name for p in read(text).points], ""
    except Refused as refused:
        return [], refused.problems[0].code


BEHIND = (
    '"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "Some GPU", "numSms": 132}], "displayTimeUnit": "ms"'
)


@pytest.mark.parametrize("padding", [0, 3_000_000], ids=["short", "of several blocks"])
def test_the_device_is_read_before_the_events_and_behind_them(read, padding):
    events = json.dumps([op("aten::mm", 0, 10, MM), {**op("aten::add", 20, 10, MM), "cat": "x" * padding}])
    for text in (f'{{{BEHIND}, "traceEvents": {events}}}', f'{{"traceEvents": {events}, {BEHIND}}}'):
        found = read(text)
        assert (found.device, found.points[0].device) == ("Some GPU", "Some GPU")


def test_names_behind_the_list_of_devices_are_no_devices(read):
    text = f'{{"traceEvents": {json.dumps([op("aten::mm", 0, 10, MM)])}, {BEHIND}, "other": [{{"name": "no device"}}]}}'
    assert read(text).device == "Some GPU"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_trace_that_a_windows_shell_redirected_is_read_as_any_other(tmp_path, encoding):
    events = [op("aten::mm", 0, 10, MM), launch(5, 3.0), kernel(5, 4.0)]
    text = json.dumps({"traceEvents": events})
    path = tmp_path / "trace.json"
    path.write_bytes(f"\ufeff{text}".encode(encoding))
    assert told(read_measurements(path)) == {"aten::mm": (1, 4.0)}
