"""A profiler's trace as points: one per operator and shapes, timed by its kernels, or by itself where none ran."""

import re
from array import array
from typing import Any, Final

import msgspec
import numpy as np

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.measured.imported import Imported, MeasuredPoint
from explorer.analysis.problem import Problem, Refused
from explorer.files.catalogue import load_catalogue
from explorer.files.disk import limits
from explorer.files.importers.findings import LONGEST, Findings
from explorer.files.importers.importer import Importer
from explorer.files.importers.source import SourceText
from explorer.files.importers.torch.events import Event, EventStream
from explorer.files.importers.torch.join import Nest, Spans, nested
from explorer.files.importers.torch.names import NOTHING, WITH_VALUES, class_of
from explorer.files.importers.torch.work import Call, CallWork, work

TOOL: Final = "torch profiler trace"
_OP, _LAUNCH, _KERNEL, _COPY, _REMARK = 1, 2, 3, 4, 5
_CATEGORIES: Final = {
    "cpu_op": _OP,
    "Operator": _OP,
    "operator": _OP,
    "cuda_runtime": _LAUNCH,
    "cuda_driver": _LAUNCH,
    "hip_runtime": _LAUNCH,
    "Runtime": _LAUNCH,
    "xpu_runtime": _LAUNCH,
    "privateuse1_runtime": _LAUNCH,
    "mtia_runtime": _LAUNCH,
    "kernel": _KERNEL,
    "Kernel": _KERNEL,
    "gpu_memset": _KERNEL,
    "Memset": _KERNEL,
    "gpu_memcpy": _COPY,
    "Memcpy": _COPY,
    "user_annotation": _REMARK,
}
_SIGN: Final = re.compile(r'"traceEvents"\s*+:')
_SCHEMA: Final = re.compile(r'"schemaVersion"\s*+:')
_ABOUT: Final = re.compile(r'"(?:deviceProperties|distributedInfo)"\s*+:')
_FIRST: Final = re.compile(r"\s*+\[\s*+\{([^{}]*+)")
_PHASE: Final = re.compile(r'"ph"\s*+:')
_NEAR: Final = 2_000  # characters between what tells a trace
_DEVICE: Final = re.compile(rb'"name"\s*+:\s*+"([^"\\]{1,100}+)"')
_LISTED: Final = re.compile(rb"\}\s*+\]")
_LARGEST_ID: Final = 2**62
_ACROSS: Final = ("HtoD", "DtoH", "HtoH", "HtoA", "AtoH", "PtoP")
_COLLECTIVE: Final = re.compile(r"(?:gloo|nccl|mpi|ucc|xccl|c10d):|nccl(?:Dev)?Kernel", re.IGNORECASE)
_US: Final = 1e-6
Key = tuple[str, bytes, bytes, bytes]


def recognises(source: SourceText) -> bool:
    """Whether it is a Chrome trace."""
    start = source.start
    if _SIGN.search(start):
        return True
    if (schema := _SCHEMA.search(start)) and _ABOUT.search(start, schema.end(), schema.end() + _NEAR):
        return True
    first = _FIRST.match(start)
    return first is not None and _PHASE.search(first[1][:_NEAR]) is not None


def read(source: SourceText) -> Imported:
    """Operators with their shapes and times."""
    gathered = Gathered()
    stream = EventStream(source)
    for events in stream:
        gathered.take(events)
        gathered.check()
    found = Findings(TOOL, "points")
    found.device = _device(stream.head) or _device(stream.tail)
    if stream.broken:
        found.note("import.cut_short")
    Points(gathered, found).make()
    return found.imported()


def _device(text: bytes) -> str:
    at = text.find(b'"deviceProperties"')
    if at < 0:
        return ""
    listed = _LISTED.search(text, at)
    found = _DEVICE.findall(text, at, len(text) if listed is None else listed.start())
    return " + ".join(dict.fromkeys(n.decode("utf-8", "replace") for n in found))[:200]


class Gathered:
    """What the events leave behind: spans of operators, launches, kernels; texts are kept once."""

    def __init__(self) -> None:
        self.keys: dict[Key, int] = {}
        self.spans = Spans()
        self.threads: dict[tuple[int | str, int | str], int] = {}
        self.launches = (array("q"), array("q"), array("d"))  # correlation, thread, moment
        self.kernels = (array("q"), array("q"), array("d"))  # correlation, name, microseconds
        self.kernel_names: dict[tuple[str, int], int] = {}
        self.collectives: dict[str, int] = {}

    def take(self, events: list[Event]) -> None:
        """Gather from some thousand events."""
        categories, keys, threads = _CATEGORIES, self.keys, self.threads
        for event in events:
            code = categories.get(event.cat)
            if code is None or event.ph != "X":
                if event.pid == "CPU functions" and event.ph == "X":
                    code = _OP
                else:
                    continue
            args = event.args
            if code == _OP:
                if args is None:
                    key: Key = (event.name, b"", b"", b"")
                else:
                    values = bytes(args.concrete) if event.name in WITH_VALUES else b""
                    key = (event.name, bytes(args.dims or args.old_dims), bytes(args.types), values)
                call = keys.setdefault(key, len(keys))
                thread = threads.setdefault((event.pid, event.tid), len(threads))
                self.spans.add(thread, event.ts, event.dur, call)
            elif code == _LAUNCH:
                if args is not None and 0 <= args.correlation < _LARGEST_ID:
                    self._add(self.launches, args.correlation, self._thread(event), event.ts)
            elif code == _REMARK or _COLLECTIVE.match(event.name):
                if _COLLECTIVE.match(event.name):
                    self.collectives[event.name] = self.collectives.get(event.name, 0) + 1
            else:
                name = self.kernel_names.setdefault((event.name, code), len(self.kernel_names))
                ident = -1 if args is None or abs(args.correlation) > _LARGEST_ID else args.correlation
                self._add(self.kernels, ident, name, event.dur)

    def check(self) -> None:
        """Raise Refused where it is more than a trace can mean."""
        kinds = max(len(self.keys), len(self.kernel_names), len(self.threads), len(self.collectives))
        if kinds > limits.TRACE_KINDS:
            raise Refused(Problem("import.many", values={"limit": limits.TRACE_KINDS}))
        if max(len(self.spans.thread), len(self.launches[0]), len(self.kernels[0])) > limits.TRACE_SPANS:
            raise Refused(Problem("import.many_events", values={"limit": limits.TRACE_SPANS}))

    def _thread(self, event: Event) -> int:
        return self.threads.setdefault((event.pid, event.tid), len(self.threads))

    @staticmethod
    def _add(into: "tuple[array[int], array[int], array[float]]", first: int, second: int, third: float) -> None:
        into[0].append(first)
        into[1].append(second)
        into[2].append(third)


class Points:
    """From what was gathered to points."""

    def __init__(self, gathered: Gathered, found: Findings) -> None:
        self._gathered, self._found = gathered, found
        self._keys = list(gathered.keys)
        self._classes = [class_of(key[0]) for key in self._keys]
        first: dict[Key, int] = {}  # blanks between the sizes of a shape make no other shape
        self._alike = np.array([first.setdefault(_spelled(k), i) for i, k in enumerate(self._keys)], np.int64)
        self._catalogue: Catalogue | None = None

    def make(self) -> None:
        """Kernels where there are any, else the operators' own times."""
        for name, count in self._gathered.collectives.items():
            self._found.skip(name, "import.collective", count=count)
        nest = nested(self._gathered.spans, self._classes)
        if len(self._gathered.kernels[0]):
            self._by_kernels(nest)
        else:
            self._by_themselves(nest)

    def _by_themselves(self, nest: Nest) -> None:
        own = nest.owner == np.arange(len(nest.owner))
        self._group(nest.call[own], (nest.end - nest.start)[own])
        idle = int(np.count_nonzero(nest.owner < 0))
        if idle:
            self._found.note("import.no_work", count=idle)

    def _by_kernels(self, nest: Nest) -> None:
        correlation, names, times = (np.array(part) for part in self._gathered.kernels)
        kinds = list(self._gathered.kernel_names)
        across = np.array([code == _COPY and any(a in n for a in _ACROSS) for n, code in kinds], bool)[names]
        if across.any():
            self._found.skip(_first(kinds, names, across), "import.link_copy", count=int(across.sum()))
        kept = ~across & np.isfinite(times) & (times >= 0)
        correlation, names, times = correlation[kept], names[kept], times[kept]
        owner = self._owners(nest, correlation)
        lost = owner < 0
        order = np.argsort(names[lost], kind="stable")
        unique, starts = np.unique(names[lost][order], return_index=True)
        for name, mine in zip(unique.tolist(), np.split(times[lost][order], starts[1:]), strict=len(unique) > 0):
            self._kernel(kinds[name][0], mine)
        instances, where = np.unique(owner[~lost], return_inverse=True)
        per_instance = np.bincount(where, weights=times[~lost], minlength=len(instances))
        self._group(nest.call[instances], per_instance)

    def _owners(self, nest: Nest, correlation: Any) -> Any:
        """For each kernel the operator that answers for it: by correlation to its launch, by time to the operator."""
        ids, threads, moments = (np.array(part) for part in self._gathered.launches)
        if not len(ids) or not len(nest.call):
            return np.full(len(correlation), -1, np.int64)
        order = np.argsort(ids, kind="stable")
        at = np.minimum(np.searchsorted(ids[order], correlation), len(ids) - 1)
        launch = np.where(ids[order][at] == correlation, order[at], -1)
        known = launch >= 0
        inside = np.full(len(correlation), -1, np.int64)
        inside[known] = nest.holding(threads[launch[known]], moments[launch[known]])
        return np.where((inside >= 0) & (nest.owner[inside] >= 0), nest.owner[inside], inside)

    def _group(self, calls: Any, times: Any) -> None:
        """A point per call with the same shapes: the median of its times."""
        if not len(calls):
            return
        calls = self._alike[calls]
        order = np.argsort(calls, kind="stable")
        calls, times = calls[order], times[order]
        unique, starts = np.unique(calls, return_index=True)
        for call, mine in zip(unique.tolist(), np.split(times, starts[1:]), strict=True):
            name, dims, types, concrete = self._keys[call]
            done = self._work(name, dims, types, concrete)
            self._add(_labelled(name, dims), mine, done)

    def _kernel(self, name: str, times: Any) -> None:
        self._found.note("import.kernels_alone")
        self._add(name, times, CallWork())

    def _add(self, name: str, times: Any, done: CallWork) -> None:
        low, middle, high = (q * _US for q in quartiles(times.tolist()))
        if middle <= 0:
            self._found.skip(name, "import.no_time", text=name)
            return
        self._found.points.append(
            MeasuredPoint(
                name=name[:LONGEST],
                calls=float(len(times)),
                time_s=float(middle),
                total_s=float(times.sum()) * _US,
                quartiles_s=(float(low), float(high)) if len(times) > 1 else None,
                flops=done.flops,
                bytes=done.bytes,
                format=done.format,
                device=self._found.device,
                notes=done.notes,
            )
        )

    def _work(self, name: str, dims: bytes, types: bytes, concrete: bytes) -> CallWork:
        if class_of(name) == NOTHING:
            return CallWork()
        return work(Call(name, _list(dims), _list(types), _list(concrete)), self._known())

    def _known(self) -> Catalogue:
        if self._catalogue is None:
            self._catalogue = load_catalogue(devices=False)
        return self._catalogue


def quartiles(times: list[float]) -> tuple[float, float, float]:
    """First quartile, median and third quartile, with lines between the times."""
    ordered = sorted(times)
    last = len(ordered) - 1
    found = []
    for share in (0.25, 0.5, 0.75):
        at = int(share * last)
        above = ordered[min(at + 1, last)]
        found.append(ordered[at] + (above - ordered[at]) * (share * last - at))
    return found[0], found[1], found[2]


def _spelled(key: Key) -> Key:
    name, *parts = key
    dims, types, concrete = (msgspec.json.encode(_list(part)) for part in parts)
    return name, dims, types, concrete


def _first(kinds: list[tuple[str, int]], names: Any, chosen: Any) -> str:
    return kinds[int(names[chosen][0])][0]


def _list(raw: bytes) -> list[Any]:
    try:
        found = msgspec.json.decode(raw) if raw else []
    except (msgspec.DecodeError, RecursionError):
        return []
    return found if isinstance(found, list) else []


def _labelled(name: str, dims: bytes) -> str:
    """The operator with the shapes of its tensors."""
    shapes = ["x".join(map(str, d)) for d in _list(dims) if isinstance(d, list) and d and not isinstance(d[0], list)]
    return f"{name} [{', '.join(shapes)}]" if shapes else name


IMPORTER: Final = Importer(TOOL, "torch profiler traces and tables", recognises, read)
