"""Traces and tables of PyTorch's profiler: who answers for a kernel, which rows count, where events are cut."""

import json

import numpy as np
import pytest

from explorer.analysis.problem import Refused
from explorer.files.disk import limits
from explorer.files.importers import recognised
from explorer.files.importers.torch import join
from explorer.files.importers.torch.events import Event, decoded, loosely
from explorer.files.importers.torch.join import Spans, nested
from explorer.files.importers.torch.names import COPY, HEAVY, LIGHT, NOTHING, UNKNOWN, class_of
from explorer.files.importers.torch.trace import quartiles
from tests.files.importers.traces import kernel, launch, op, trace


def told(found):
    return {p.name.split(" ")[0]: (p.calls, round(p.time_s * 1e6, 6)) for p in found.points}


def skipped(found):
    return [(s.where, s.why.code.removeprefix("import."), dict(s.why.values), s.count) for s in found.skipped]


# --- who answers for a kernel


def nest_of(*spans):
    """Operators as thread, start, end and class."""
    held = Spans()
    for call, (thread, start, end, _) in enumerate(spans):
        held.add(thread, start, end - start, call)
    return nested(held, [level for *_, level in spans])


def owners(*spans):
    """For each operator, in the order given, the one that answers for it; None for none."""
    nest = nest_of(*spans)
    found = {int(nest.call[i]): None if o < 0 else int(nest.call[o]) for i, o in enumerate(nest.owner)}
    return [found[i] for i in range(len(spans))]


@pytest.mark.parametrize(
    ("levels", "answers"),
    [
        ((HEAVY, LIGHT, COPY), [0, 0, 0]),
        ((HEAVY, HEAVY, LIGHT), [None, 1, 1]),
        ((LIGHT, HEAVY, LIGHT), [None, 1, 1]),
        ((LIGHT, LIGHT, COPY), [None, 1, 1]),
        ((LIGHT, COPY, UNKNOWN), [0, 0, 0]),
        ((COPY, UNKNOWN, NOTHING), [None, 1, 1]),
        ((UNKNOWN, NOTHING, NOTHING), [0, 0, 0]),
        ((NOTHING, COPY, NOTHING), [None, 1, 1]),
        ((UNKNOWN, NOTHING, COPY), [None, None, 2]),
        ((NOTHING, NOTHING, NOTHING), [None, None, None]),
        ((HEAVY, NOTHING, HEAVY), [None, None, 2]),
        ((COPY, NOTHING, NOTHING), [0, 0, 0]),
        ((UNKNOWN, UNKNOWN, NOTHING), [None, 1, 1]),
    ],
)
def test_the_innermost_operator_that_works_answers_for_itself_and_all_inside(levels, answers):
    spans = [(1, float(i), 10.0 - i, level) for i, level in enumerate(levels)]
    assert owners(*spans) == answers
    assert owners(*spans[::-1]) == [None if a is None else 2 - a for a in answers[::-1]]


def test_operators_of_other_threads_or_other_times_hold_nothing():
    assert owners((1, 0, 10, HEAVY), (2, 1, 2, LIGHT), (1, 10, 11, LIGHT)) == [0, 1, 2]
    assert owners((1, 0, 10, HEAVY), (1, 9.5, 12, LIGHT), (1, 10, 11, LIGHT)) == [0, 0, 0]


def test_times_that_cannot_be_are_left_out_of_the_nest():
    nest = nest_of(
        (1, 0, 5, HEAVY), (1, float("nan"), 5, HEAVY), (1, 3, 2, HEAVY), (1, 1, float("inf"), HEAVY), (1, 2, 2, LIGHT)
    )
    assert nest.call.tolist() == [0, 4]
    assert nest.parent.tolist() == [-1, 0]


@pytest.mark.parametrize("climbs", [64, 0])
def test_a_moment_is_held_by_the_innermost_operator_of_its_thread_that_has_not_ended(climbs, monkeypatch):
    monkeypatch.setattr(join, "_CLIMBS", climbs)
    nest = nest_of((1, 0, 10, HEAVY), (1, 1, 5, HEAVY), (1, 2, 3, HEAVY), (3, 0, 4, HEAVY), (1, 6, 7, HEAVY))
    moments = [
        (1, -1),
        (1, 0),
        (1, 2.5),
        (1, 3),
        (1, 4),
        (1, 5.5),
        (1, 6),
        (1, 9),
        (1, 11),
        (2, 1),
        (3, 4),
        (3, 5),
        (1, 4.5),
    ]
    threads, times = (np.array(part) for part in zip(*moments, strict=True))
    found = nest.holding(threads.astype(np.int64), times.astype(float))
    held = [None if i < 0 else int(nest.call[i]) for i in found]
    assert held == [None, 0, 2, 2, 1, 0, 4, 0, None, None, 3, None, 1]


def test_operators_that_hold_one_another_very_deep_are_climbed():
    depth = 200
    nest = nest_of(*[(1, float(i), 1000.0 - i, HEAVY) for i in range(depth)])
    times = np.array([1000.0 - i - 0.5 for i in range(depth)])
    found = nest.holding(np.ones(depth, np.int64), times)
    assert found.tolist() == list(range(depth))


CLASSES = {
    "aten::mm": HEAVY,
    "aten::conv2d": HEAVY,
    "aten::_flash_attention_forward": HEAVY,
    "aten::relu": LIGHT,
    "aten::copy_": COPY,
    "aten::view": NOTHING,
    "aten::sort": UNKNOWN,
    "mylib::op": UNKNOWN,
    "my_range": NOTHING,
    "autograd::engine": NOTHING,
    "profiler::x": NOTHING,
    "aten::clone": NOTHING,
}


@pytest.mark.parametrize("name", CLASSES)
def test_how_much_an_operator_is_is_told_by_its_name(name):
    assert class_of(name) == CLASSES[name]


# --- traces

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


# --- tables


def table(names, *rows, after=(), widths=None):
    """A table as the profiler prints it."""
    widths = widths or [max(len(str(r[i])) for r in (names, *rows)) + 1 for i in range(len(names))]
    rule = "  ".join("-" * w for w in widths)
    lines = [rule, "  ".join(n.rjust(w) for n, w in zip(names, widths, strict=True)), rule]
    lines += ["  ".join(str(c).rjust(w) for c, w in zip(r, widths, strict=True)) for r in rows]
    return "\n".join([*lines, rule, *after, ""])


CPU = ("Name", "Self CPU", "CPU total", "# of Calls")
CUDA = ("Name", "Self CPU", "CPU total", "Self CUDA", "CUDA total", "# of Calls", "Input Shapes", "Total KFLOPs")


def test_every_row_of_a_table_on_the_device_is_a_point_or_left_out_with_why(read):
    rows = [
        ("aten::mm", "9us", "9us", "4us", "4us", "2", "[[8, 8], [8, 8]]", "7"),
        ("aten::mm", "9us", "9us", "4us", "4us", "2", "[[8, 8], ...]", "7"),
        ("aten::view", "9us", "9us", "4us", "4us", "2", "[]", "--"),
        ("my::op", "9us", "9us", "3us", "6us", "3", "[[4]]", "--"),
        ("my::wrap", "9us", "9us", "2us", "6us", "3", "[]", "--"),
        ("aten::idle", "9us", "9us", "0us", "0us", "3", "[]", "--"),
        ("cudaLaunchKernel", "9us", "9us", "1us", "1us", "3", "[]", "--"),
        ("a_range", "9us", "9us", "0us", "8us", "1", "[]", "--"),
        ("a_range", "0us", "0us", "8us", "8us", "1", "[]", "--"),
        ("gemm_kernel", "0us", "0us", "4us", "4us", "2", "[]", "--"),
        ("Memcpy HtoD", "0us", "0us", "4us", "4us", "2", "[]", "--"),
        ("aten::none", "9us", "9us", "4us", "4us", "0", "[]", "--"),
        ("aten::odd", "9us", "9us", "x", "4us", "1", "[]", "--"),
    ]
    found = read(table(CUDA, *rows, after=["Self CPU time total: 1us", "Total x", "STAGE x"]))
    points = [
        (p.name, p.calls, p.time_s * 1e6, p.total_s * 1e6, p.flops, [n.code for n in p.notes]) for p in found.points
    ]
    assert [(name, calls, round(each, 6), round(whole, 6), *more) for name, calls, each, whole, *more in points] == [
        ("aten::mm [[8, 8], [8, 8]]", 2, 2.0, 4.0, 1024, ["import.no_types"]),
        ("aten::mm [[8, 8], ...]", 2, 2.0, 4.0, 3500, ["import.tools_flops"]),
        ("aten::view", 2, 2.0, 4.0, None, ["import.no_shapes"]),
        ("my::op [[4]]", 3, 1.0, 3.0, None, ["import.no_formula"]),
    ]
    assert skipped(found) == [
        ("line 8", "wrapper", {"text": "my::wrap"}, 1),
        ("line 9", "no_kernel", {"text": "aten::idle"}, 2),
        ("line 10", "host_call", {"text": "cudaLaunchKernel"}, 1),
        ("line 12", "does_nothing", {"text": "a_range"}, 1),
        ("line 13", "in_operator", {"text": "gemm_kernel"}, 1),
        ("line 14", "link_copy", {"text": "Memcpy HtoD"}, 1),
        ("line 15", "row", {"text": "aten::none"}, 1),
        ("line 16", "row", {"text": "aten::odd"}, 1),
    ]


def test_every_row_of_a_table_without_a_device_is_timed_on_the_cpu(read):
    rows = [
        ("aten::mm", "4us", "8us", "2"),
        ("aten::linear", "3us", "8us", "2"),
        ("aten::view", "4us", "4us", "2"),
        ("my_range", "4us", "4us", "2"),
        ("aten::relu", "0us", "4us", "1"),
        ("aten::add", "1.5ms", "2s", "3"),
        ("aten::sub", "1s", "1s", "1"),
        ("aten::div", "500ns", "1us", "1"),
    ]
    found = read(table(CPU, *rows))
    assert [(p.name, p.calls, p.total_s) for p in found.points] == [
        ("aten::mm", 2, pytest.approx(4e-6)),
        ("aten::sub", 1, 1.0),
        ("aten::div", 1, pytest.approx(5e-7)),
    ]
    assert [(w, c, n) for w, c, _, n in skipped(found)] == [
        ("line 5", "wrapper", 2),
        ("line 6", "does_nothing", 2),
        ("line 8", "no_time", 1),
    ]


@pytest.mark.parametrize("device", ["CUDA", "XPU", "HPU", "MTIA", "PrivateUse1", "Device", "HIP"])
def test_every_device_of_the_profiler_has_a_column(read, device):
    names = tuple(n.replace("CUDA", device) for n in CUDA[:6])
    found = read(table(names, ("some_kernel", "0us", "0us", "4us", "4us", "2")))
    assert [(p.name, p.total_s) for p in found.points] == [("some_kernel", pytest.approx(4e-6))]


@pytest.mark.parametrize(("prefix", "power"), [("", 1), ("K", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12), ("P", 1e15)])
def test_flops_that_the_tool_counted_are_of_all_calls_and_have_a_prefix(read, prefix, power):
    names = (*CPU, f"Total {prefix}FLOPs")
    found = read(table(names, ("aten::mm", "4us", "4us", "2", "6")))
    assert found.points[0].flops == pytest.approx(3 * power)


def test_cells_that_are_longer_than_their_column_keep_to_their_words(read):
    names, row = CPU, ("aten::a_very_long_name_of_an_operator", "4us", "5us", "2")
    text = table(names, row, widths=[34, 8, 9, 10])
    assert [(p.name, p.calls) for p in read(text).points] == [(row[0], 2)]


def test_tables_one_after_the_other_are_read_each_by_its_own_columns(read):
    first = table(CPU, ("aten::mm", "4us", "5us", "2"))
    second = table(CUDA[:6], ("my::op", "9us", "9us", "3us", "3us", "3"))
    found = read(first + "\nnoise\n" + second)
    assert [(p.name, p.calls) for p in found.points] == [("aten::mm", 2), ("my::op", 3)]


@pytest.mark.parametrize("columns", [97, 98])
def test_a_rule_has_at_most_a_hundred_columns(read, columns):
    names = (*CPU[:3], *(f"c{i}" for i in range(columns - 1)), CPU[3])
    row = ("aten::mm", "4us", "5us", *("1" * (columns - 1)), "2")
    good = table(CPU, ("aten::bmm", "4us", "5us", "2"))
    assert "aten::mm" in [p.name for p in read(good + table(names, row)).points] or columns == 98


def test_as_many_rows_as_an_import_may_hold_are_read_and_one_more_is_refused(read, monkeypatch):
    text = table(CPU, *[("aten::mm", "4us", "5us", "2")] * 3)
    monkeypatch.setattr(limits, "TOOL_POINTS", 3)
    assert len(read(text).points) == 3
    monkeypatch.setattr(limits, "TOOL_POINTS", 2)
    with pytest.raises(Refused):
        read(text)
