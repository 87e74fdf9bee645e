"""Times operators with the torch of whatever Python runs this file: a job in on stdin, JSON lines out on stdout.

Imports nothing of this program, so that any Python from 3.9 on with torch from 2.0 on can run it, here or over ssh.

stdin    the job, one JSON line: {"protocol": 1, "command": "hello"|"measure"|"ceilings"|"trace", "device": "cpu", ...};
         then any number of {"control": "pause"|"resume"}
stdout   {"type": "hello"|"alive"|"progress"|"row"|"skipped"|"ceiling"|"operators"|"done"|"error", ...}, one a line
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import itertools
import json
import math
import os
import platform
import re
import statistics
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Optional

PROTOCOL = 1
OLDEST_TORCH = (2, 0)
BEAT_S = 2.0
MB = 1024 * 1024
STEADY = 0.1  # quartiles this close, as a share of the median, need no more runs
torch: Any = None  # set once the hello may say whether there is one


class Stop(Exception):  # noqa: N818 - an answer, not a fault of this file
    """The job cannot be done at all; `code` keys the program's sentence."""

    def __init__(self, code: str, **values: Any) -> None:
        super().__init__(code)
        self.code, self.values = code, values


class Skip(Exception):  # noqa: N818 - an answer too
    """One row cannot be timed; the rest goes on."""

    def __init__(self, code: str, **values: Any) -> None:
        super().__init__(code)
        self.code, self.values = code, values


# --- staying offline: no job needs the network, and what a stranger's config names must not be fetched or run


_OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",
    "HF_HUB_DISABLE_XET": "1",  # its downloads are native code, which no hook sees
    "DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "USE_HUB_KERNELS": "0",
}
_SECRETS = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HUGGINGFACE_TOKEN", "HF_TOKEN_PATH")
# Of Python's audit events those that lead out, and which of their arguments says where to.
_OUTWARD = {
    "socket.connect": 1,
    "socket.sendto": 1,
    "socket.sendmsg": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
    "socket.gethostbyaddr": 0,
    "urllib.Request": 0,
}
_NO_NETWORK = {
    "OfflineModeIsEnabled",
    "LocalEntryNotFoundError",
    "URLError",
    "MaxRetryError",
    "ConnectError",
    "ConnectionError",
}
asked_for: list[str] = []  # what was asked of the network, in vain


class Offline(OSError):  # noqa: N818 - an answer too
    """Something asked for the network; an OSError, so that libraries fall back on what they have here."""


def go_offline() -> None:
    """Before torch and all else is imported: libraries read these switches once."""
    os.environ.update(_OFFLINE)
    for name in _SECRETS:
        os.environ.pop(name, None)
    sys.addaudithook(_refuse)


def _refuse(event: str, args: tuple[Any, ...]) -> None:
    at = _OUTWARD.get(event)
    if at is None:
        return
    where = args[at] if len(args) > at else None
    local = event in {"socket.connect", "socket.sendto", "socket.sendmsg"} and not isinstance(where, tuple)
    if where is None or local or (event == "urllib.Request" and str(where).startswith(("file:", "data:"))):
        return
    raise _refused(where)


def _refused(where: Any) -> Offline:
    text = ":".join(map(str, where[:2])) if isinstance(where, tuple) else str(where)
    asked_for.append(text[:200])
    return Offline(f"no network here: {text[:200]}")


def _close_torch_hub() -> None:
    """What torch's own hub has kept on this machine can still be used."""
    hub = getattr(torch, "hub", None)
    if hasattr(hub, "urlopen"):
        error = importlib.import_module("urllib.error").URLError

        def urlopen(url: Any, *_: Any, **__: Any) -> Any:
            raise error(_refused(getattr(url, "full_url", url)))

        hub.urlopen = urlopen  # type: ignore[union-attr]


def _wanted_online(error: Optional[BaseException]) -> Optional[str]:
    """What an error wanted from the network; None where it is of another kind."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, Offline) or type(error).__name__ in _NO_NETWORK:
            return asked_for[0] if asked_for else " ".join(str(error).split())[:200]
        error = error.__cause__ or error.__context__
    return None


# --- talking: the real stdout is ours alone, whatever others print goes to stderr


class Channel:
    """JSON lines both ways; controls are read by a thread that costs nothing while it waits."""

    def __init__(self) -> None:
        self._in = sys.stdin.buffer
        self._out = os.fdopen(os.dup(1), "wb", buffering=0)
        os.dup2(2, 1)
        self._kept, sys.stdin = sys.stdin, open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123 - for the whole run
        sys.stdout = sys.stderr
        self._lock = threading.Lock()
        self._running = threading.Event()
        self._running.set()

    def send(self, kind: str, **values: Any) -> None:
        line = json.dumps({"type": kind, **values}, default=str).encode() + b"\n"
        with self._lock:
            try:
                self._out.write(line)
            except OSError:  # nobody listens any more
                os._exit(3)

    def read_job(self) -> dict[str, Any]:
        line = self._in.readline()
        try:
            job = json.loads(line)
        except ValueError:
            raise Stop("protocol", text=line[:80].decode("utf-8", "replace")) from None
        if not isinstance(job, dict) or job.get("protocol") != PROTOCOL:
            raise Stop("protocol", text=line[:80].decode("utf-8", "replace"))
        return job

    def listen(self, *, until_closed: bool) -> None:
        threading.Thread(target=self._listen, args=(until_closed,), daemon=True).start()
        threading.Thread(target=self._beat, daemon=True).start()

    def _listen(self, until_closed: bool) -> None:
        for line in iter(self._in.readline, b""):
            if b'"pause"' in line:
                self._running.clear()
            elif b'"resume"' in line:
                self._running.set()
        if until_closed:  # the program, or the connection to it, is gone: nobody wants the rest
            os._exit(3)

    def _beat(self) -> None:
        while True:
            time.sleep(BEAT_S)
            self.send("alive", paused=not self._running.is_set())

    def wait_while_paused(self) -> float:
        start = time.perf_counter()
        self._running.wait()
        return time.perf_counter() - start


# --- the machine


class Machine:
    """One torch device: how it synchronises, what memory is free, how large its last cache is (None: unknown)."""

    def __init__(self, name: str, threads: int | None) -> None:
        self.name = name
        self.kind = name.split(":", 1)[0]
        if name not in {d["id"] for d in devices()} and self.kind not in {d["id"] for d in devices()}:
            raise Stop("device", device=name, known=", ".join(d["id"] for d in devices()))
        if threads:
            torch.set_num_threads(threads)
        self.threads = torch.get_num_threads()
        self.cache = _cache_bytes(self.kind)

    def timer(self) -> float:
        self.sync()
        return time.perf_counter()

    def sync(self) -> None:
        if self.kind != "cpu":
            getattr(torch, self.kind).synchronize()

    def free(self) -> float:
        """Bytes that may still be taken."""
        if self.kind in {"cuda", "xpu"}:
            module = getattr(torch, self.kind)
            try:
                held = module.memory_reserved() - module.memory_allocated()
                return float(module.mem_get_info()[0] + held)
            except (AttributeError, RuntimeError):
                return float(module.get_device_properties(0).total_memory) * 0.8
        return _free_host_memory()


def devices() -> list[dict[str, Any]]:
    """What torch can run on here; the processor always, first."""
    found: list[dict[str, Any]] = [
        {"id": "cpu", "name": _processor(), "memory": _total_host_memory(), "cache": _cache_bytes("cpu")}
    ]
    for kind in ("cuda", "xpu"):
        module = getattr(torch, kind, None)
        if module is None or not module.is_available():
            continue
        for index in range(module.device_count()):
            traits = module.get_device_properties(index)
            cache = getattr(traits, "L2_cache_size", None)
            entry = {"id": f"{kind}:{index}", "name": traits.name, "memory": traits.total_memory, "cache": cache}
            found.append(entry)
        found.append({**found[-module.device_count()], "id": kind})
    if getattr(torch.backends, "mps", None) is not None and torch.backends.mps.is_available():
        found.append({"id": "mps", "name": _processor(), "memory": _total_host_memory(), "cache": None})
    return found


def _processor() -> str:
    text = _text("/proc/cpuinfo")
    named = re.search(r"^(?:model name|Model|Processor)\s*:\s*(.+)$", text, re.MULTILINE)
    return named.group(1).strip() if named else platform.processor() or platform.machine()


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _cache_bytes(kind: str) -> int | None:
    """Bytes of the last cache before memory."""
    if kind in {"cuda", "xpu"}:
        size = getattr(getattr(torch, kind).get_device_properties(0), "L2_cache_size", None)
        return int(size) if size else None
    sizes = [_size(_text(str(p))) for p in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size")]
    if sizes:
        return max(sizes) or None
    try:
        sizes = [os.sysconf(f"SC_LEVEL{n}_CACHE_SIZE") for n in (2, 3)]
    except (AttributeError, ValueError, OSError):
        return None
    return max(sizes) or None


def _size(text: str) -> int:
    number = re.match(r"(\d+)\s*([KMG]?)", text.strip())
    return int(number.group(1)) * {"": 1, "K": 1024, "M": MB, "G": 1024 * MB}[number.group(2)] if number else 0


def _free_host_memory() -> float:
    """MemAvailable, less where a container allows less; half of all where the system does not say."""
    found = re.search(r"^MemAvailable:\s*(\d+) kB", _text("/proc/meminfo"), re.MULTILINE)
    free = float(found.group(1)) * 1024 if found else _total_host_memory() / 2
    for limit, used in (
        ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
        ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
    ):
        most, now = _text(limit).strip(), _text(used).strip()
        if most.isdigit() and now.isdigit() and float(most) < 1e15:
            free = min(free, float(most) - float(now))
    return free


def _total_host_memory() -> float:
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        pass
    try:  # Windows: the length, then seven sizes of a MEMORYSTATUSEX
        status = (ctypes.c_uint64 * 8)(64)
        ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))  # type: ignore[attr-defined,unused-ignore]
        return float(status[1])
    except (AttributeError, OSError):
        return 4e9


# --- operands: views of one arena of random bytes, filled once, so that rows cost no setup of their own


class Tensor(NamedTuple):
    """An operand to be: its shape and torch dtype."""

    shape: tuple[int, ...]
    dtype: Any

    @property
    def bytes(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize if hasattr(self.dtype, "itemsize") else self._old_bytes()

    def _old_bytes(self) -> int:  # before torch 2.1
        return math.prod(self.shape) * int(torch.empty(0, dtype=self.dtype).element_size())


class Plan(NamedTuple):
    """How a row is timed: operands read and written, and what binds them to one call without arguments."""

    inputs: Sequence[Tensor]
    outputs: Sequence[Tensor]
    bind: Callable[..., Callable[[], Any]]
    call: str
    note: str = ""
    extra: float = 0.0


class Arena:
    """Memory that operands are cut from: the part that is read is random and never written, the other is scratch."""

    def __init__(self, machine: Machine, first: int = 0) -> None:
        self._machine = machine
        self._first = first  # the size to begin with, so that it need not grow row by row
        self._parts: dict[str, Any] = {}

    @property
    def bytes(self) -> int:
        return sum(int(p.numel()) for p in self._parts.values())

    def part(self, name: str, size: int) -> Any:
        held = self._parts.get(name)
        if held is None or held.numel() < size:
            self._parts.pop(name, None)
            del held
            block = _random_block(self._machine.name)
            blocks = -(-max(size, self._first) // block.numel())
            held = torch.empty(blocks * block.numel(), dtype=torch.uint8, device=self._machine.name)
            held.view(blocks, block.numel()).copy_(block.expand(blocks, block.numel()))
            self._parts[name] = held
        return held

    def cut(self, name: str, wanted: Sequence[Tensor], sets: int) -> list[list[Any]]:
        """`sets` disjoint sets of operands."""
        part = self.part(name, sets * _room(wanted))
        offset, found = 0, []
        for _ in range(sets):
            tensors = []
            for each in wanted:
                tensors.append(part[offset : offset + each.bytes].view(each.dtype).view(each.shape))
                offset += _aligned(each.bytes)
            found.append(tensors)
        return found


def _aligned(size: int) -> int:
    return -(-size // 512) * 512 + 512  # not a power of two apart: operands would fight for the same cache sets


def _room(wanted: Sequence[Tensor]) -> int:
    return sum(_aligned(t.bytes) for t in wanted)


def _random_block(device: str) -> Any:
    """4 MB of random bf16 values, whose bytes are finite and unlike each other as fp32, fp16 and fp64 too."""
    torch.seed()
    return torch.randn(2 * MB, device=device).to(torch.bfloat16).view(torch.uint8)


# --- kinds: one function each, from dims and dtypes to a plan


class Formats(NamedTuple):
    """torch dtypes of a row's operands."""

    a: Any
    w: Any
    o: Any
    kv: Any


Dims = dict[str, int]
_DTYPES = {
    "fp64": "float64",
    "fp32": "float32",
    "tf32": "float32",
    "bf16": "bfloat16",
    "fp16": "float16",
    "fp8": "float8_e4m3fn",
    "int8": "int8",
}


def _same(*dtypes: Any) -> Any:
    if len(set(dtypes)) > 1:
        raise Skip("mixed", formats=", ".join(_short(d) for d in dict.fromkeys(dtypes)))
    return dtypes[0]


def _short(dtype: Any) -> str:
    return str(dtype).replace("torch.", "")


def _matmul(d: Dims, f: Formats) -> Plan:
    x, w = Tensor((d["m"], d["k"]), f.a), Tensor((d["n"], d["k"]), f.w)
    if _same(f.a, f.w) == torch.int8:
        return _int8_matmul(x, w)
    if "float8" in str(f.a):
        return _fp8_matmul(x, w, f)
    y = Tensor((d["m"], d["n"]), _same(f.a, f.o))

    def bind(x: Any, w: Any, y: Any) -> Callable[[], Any]:
        w = w.t()
        return lambda: torch.mm(x, w, out=y)

    return Plan([x, w], [y], bind, "torch.mm(x, w.t(), out=y)")


def _int8_matmul(x: Tensor, w: Tensor) -> Plan:
    if not hasattr(torch, "_int_mm"):
        raise Skip("format", format="int8")
    y = Tensor((x.shape[0], w.shape[0]), torch.int32)

    def bind(x: Any, w: Any, y: Any) -> Callable[[], Any]:
        w = w.t()
        return lambda: torch._int_mm(x, w, out=y)  # noqa: SLF001 - torch has no public int8 matmul

    return Plan([x, w], [y], bind, "torch._int_mm(x, w.t(), out=y)", "int32_output")


def _fp8_matmul(x: Tensor, w: Tensor, f: Formats) -> Plan:
    if not hasattr(torch, "_scaled_mm"):
        raise Skip("format", format="fp8")
    kept = f.o if f.o in {torch.bfloat16, torch.float16, torch.float32} else torch.bfloat16

    def bind(x: Any, w: Any) -> Callable[[], Any]:
        one, w = torch.ones((), device=x.device), w.t()
        return lambda: torch._scaled_mm(x, w, one, one, out_dtype=kept)  # noqa: SLF001 - torch has no public one

    return Plan([x, w], [], bind, "torch._scaled_mm(x, w.t(), 1, 1)", "allocates", x.shape[0] * w.shape[0] * 4.0)


def _batched(b: int, m: int, n: int, k: int, f: Formats) -> Plan:
    kind = _same(f.a, f.w, f.o)
    wanted = [Tensor((b, m, k), kind), Tensor((b, k, n), kind)]
    return Plan(
        wanted,
        [Tensor((b, m, n), kind)],
        lambda x, w, y: lambda: torch.bmm(x, w, out=y),
        "torch.bmm(x, w, out=y)",
    )


def _grouped(d: Dims, f: Formats) -> Plan:
    groups, m, n, k = d["groups"], d["m"], d["n"], d["k"]
    if m % groups == 0:
        return _batched(groups, m // groups, n, k, f)
    return _by_expert([m // groups + (i < m % groups) for i in range(groups)], n, k, f)


def _by_expert(rows: Sequence[int], n: int, k: int, f: Formats) -> Plan:
    """One matmul for each group that has rows."""
    rows = [r for r in rows if r]
    kind, m = _same(f.a, f.w, f.o), sum(rows)
    wanted = [Tensor((m, k), kind), Tensor((len(rows), n, k), kind)]

    def bind(x: Any, w: Any, y: Any) -> Callable[[], Any]:
        parts = list(zip(x.split(rows), [each.t() for each in w], y.split(rows)))

        def call() -> None:
            for a, b, c in parts:
                torch.mm(a, b, out=c)

        return call

    call = "for x, w, y in groups: torch.mm(x, w.t(), out=y)"
    return Plan(wanted, [Tensor((m, n), kind)], bind, call, "composed")


def _moe(d: Dims, f: Formats) -> Plan:
    """Tokens choose experts at random; of several draws the one whose number of distinct experts is expected."""
    tokens, experts, top_k = d["tokens"], d["experts"], d["top_k"]
    uniform = experts * (1 - (1 - top_k / experts) ** tokens)
    expected = uniform - d.get("skew", 0) / 100 * (uniform - min(uniform, top_k))
    # under a skew tokens choose among fewer experts, so many that as many distinct ones are expected
    pool = min(
        range(experts, max(1, min(top_k, experts)) - 1, -1),
        key=lambda p: abs(p * (1 - (1 - top_k / p) ** tokens) - expected),
    )

    def draw() -> list[int]:
        chosen = torch.rand(tokens, pool).topk(top_k, dim=1).indices
        return [int(c) for c in torch.bincount(chosen.flatten(), minlength=experts)]

    draws = [draw() for _ in range(8)]
    best = min(draws, key=lambda rows: abs(sum(r > 0 for r in rows) - expected))
    return _by_expert(best, d["n"], d["k"], f)


def _conv(x: Tensor, w: Tensor, d: Dims, name: str, *, groups: int) -> Plan:
    function = getattr(torch.nn.functional, name)
    stride, pad = d["stride"], d["pad"]
    allocated = 4.0 * x.shape[0] * w.shape[0] * math.prod(x.shape[2:])
    return Plan(
        [x, w],
        [],
        lambda x, w: lambda: function(x, w, None, stride, pad, 1, groups),
        f"F.{name}(x, w, None, {stride}, {pad}, 1, {groups})",
        "allocates",
        allocated,
    )


def _conv2d(d: Dims, f: Formats) -> Plan:
    kind, groups = _same(f.a, f.w, f.o), d["groups"]
    x = Tensor((d["N"], d["C_in"], d["H"], d["W"]), kind)
    return _conv(x, Tensor((d["C_out"], d["C_in"] // groups, d["K_h"], d["K_w"]), kind), d, "conv2d", groups=groups)


def _conv1d(d: Dims, f: Formats) -> Plan:
    kind, groups = _same(f.a, f.w, f.o), d["groups"]
    x, w = Tensor((d["N"], d["C_in"], d["L"]), kind), Tensor((d["C_out"], d["C_in"] // groups, d["K"]), kind)
    return _conv(x, w, d, "conv1d", groups=groups)


def _causal_conv1d(d: Dims, f: Formats) -> Plan:
    kind, b, kernel = _same(f.a, f.w, f.o), d["b"], d["kernel"]
    each = max(1, d["tokens"] // b) + kernel - 1  # the state, or as many zeros, lead the tokens
    x, w = Tensor((b, d["channels"], each), kind), Tensor((d["channels"], 1, kernel), kind)
    return _conv(x, w, {"stride": 1, "pad": 0}, "conv1d", groups=d["channels"])


def _attention(d: Dims, f: Formats) -> Plan:
    """Scaled dot-product attention; a mask is made only where torch's own causal flag does not say it."""
    kind = _same(f.a, f.kv, f.o)
    queries, both = d["S_q"], bool(d.get("both_ways"))
    window = min(d["window"], d["S_k"])
    keys = window if queries == 1 and not both else d["S_k"]
    heads, kv_heads, size = d["heads"], d["kv_heads"], d["D_qk"]
    plain = not d["causal"] or (both and window >= keys) or (queries == 1 and not both)
    flagged = not plain and not both and queries == keys and window >= keys
    masked = not plain and not flagged
    more: dict[str, Any] = {"is_causal": True} if flagged else {}
    if heads != kv_heads:
        more["enable_gqa"] = True
        if _torch_version() < (2, 5):
            raise Skip("torch_old", needs="2.5")

    def bind(q: Any, k: Any, v: Any = None) -> Callable[[], Any]:
        v = k[..., : d["D_v"]] if v is None else v
        given = {**more, "attn_mask": _mask(queries, keys, window, q.device, both=both)} if masked else more
        return lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, **given)

    q, k = Tensor((d["b"], heads, queries, size), kind), Tensor((d["b"], kv_heads, keys, size), kind)
    v = [] if d["shared_kv"] else [Tensor((d["b"], kv_heads, keys, d["D_v"]), kind)]
    told = "".join(f", {name}=True" for name in more) + (", attn_mask=mask" if masked else "")
    extra = 2.0 * q.bytes + (4.0 * queries * keys if masked else 0.0)
    call = f"F.scaled_dot_product_attention(q, k, v{told})"
    return Plan([q, k, *v], [], bind, call, "masked" if masked else "allocates", extra)


def _mask(queries: int, keys: int, window: int, device: Any, *, both: bool) -> Any:
    """True where a query may look: its own position and the `window - 1` before it, or to both sides."""
    at = torch.arange(keys - queries, keys, device=device)[:, None]
    key = torch.arange(keys, device=device)[None, :]
    return (at - key).abs() < window if both else (key <= at) & (key > at - window)


def _chunked_attention(d: Dims, f: Formats) -> Plan:
    if d["S_k"] > d["chunk"]:
        raise Skip("kind")
    return _attention({**d, "window": d["S_k"], "shared_kv": 0}, f)


def _standard_attention(d: Dims, f: Formats) -> Plan:
    """Scores written, read by softmax, written as probabilities and read again; grouped heads share their keys."""
    kind, b, heads, kv_heads = _same(f.a, f.kv, f.o), d["b"], d["heads"], d["kv_heads"]
    q, k, size = d["S_q"], d["S_k"], d["D_qk"]
    each = heads // kv_heads
    wanted = [Tensor((b * kv_heads, each * q, size), kind), Tensor((b * kv_heads, k, size), kind)]
    wanted.append(Tensor((b * kv_heads, k, d["D_v"]), kind))
    scores = Tensor((b * kv_heads, each * q, k), kind)

    def bind(q: Any, k: Any, v: Any, scores: Any, kept: Any, y: Any) -> Callable[[], Any]:
        k = k.transpose(1, 2)

        def call() -> None:
            torch.bmm(q, k, out=scores)
            torch.ops.aten._softmax.out(scores, -1, False, out=kept)  # noqa: SLF001, FBT003 - the form with out=
            torch.bmm(kept, v, out=y)

        return call

    written = [scores, scores, Tensor((b * kv_heads, each * q, d["D_v"]), kind)]
    return Plan(wanted, written, bind, "torch.bmm, softmax, torch.bmm", "composed")


def _layer_norm(d: Dims, f: Formats) -> Plan:
    rows, channels, weights = d["rows"], d["channels"], d["per_channel"]
    x, w = Tensor((rows, channels), f.a), Tensor((channels,), f.w)

    def bind(x: Any, *w: Any) -> Callable[[], Any]:
        weight, bias = (w[0] if w else None), (w[1] if len(w) > 1 else None)
        return lambda: torch.nn.functional.layer_norm(x, (channels,), weight, bias)

    call = "F.layer_norm(x, (channels,), w, b)"
    return Plan([x, *[w] * min(weights, 2)], [], bind, call, "allocates", float(x.bytes))


def _rms_norm(d: Dims, f: Formats) -> Plan:
    channels = d["channels"]
    x, w = Tensor((d["rows"], channels), f.a), Tensor((channels,), f.w)
    if hasattr(torch.nn.functional, "rms_norm"):

        def bind(x: Any, w: Any) -> Callable[[], Any]:
            return lambda: torch.nn.functional.rms_norm(x, (channels,), w, 1e-6)

        return Plan([x, w], [], bind, "F.rms_norm(x, (channels,), w, 1e-6)", "allocates", 3.0 * x.bytes)

    def composed(x: Any, w: Any) -> Callable[[], Any]:
        return lambda: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w

    return Plan([x, w], [], composed, "x * rsqrt(mean(x**2) + 1e-6) * w", "composed", 3.0 * x.bytes)


def _rows_of(values: int) -> tuple[int, int]:
    """A matrix of so many values: rows of 4096 where that divides them."""
    width = next((w for w in (4096, 2048, 1024, 512, 256, 128) if values % w == 0), values)
    return values // width, width


def _unary(call: str, make: Callable[[Any, Any], Callable[[], Any]], note: str = "") -> Callable[[Dims, Formats], Plan]:
    def plan(d: Dims, f: Formats) -> Plan:
        shape = _rows_of(d["values"])
        return Plan([Tensor(shape, f.a)], [Tensor(shape, _same(f.a, f.o))], make, call, note)

    return plan


def _binary(call: str, make: Callable[..., Callable[[], Any]], note: str = "") -> Callable[[Dims, Formats], Plan]:
    def plan(d: Dims, f: Formats) -> Plan:
        x = Tensor((d["values"],), f.a)
        return Plan([x, x], [Tensor((d["values"],), _same(f.a, f.o))], make, call, note)

    return plan


def _gated(activate: Callable[[Any, Any], Any]) -> Callable[..., Callable[[], Any]]:
    def bind(x: Any, z: Any, y: Any) -> Callable[[], Any]:
        def call() -> None:
            activate(x, y)
            torch.mul(y, z, out=y)

        return call

    return bind


def _silu(x: Any, y: Any) -> Any:
    return torch._C._nn.silu(x, out=y)  # noqa: SLF001 - the public one has no out=


def _gelu(x: Any, y: Any) -> Any:
    return torch._C._nn.gelu(x, approximate="tanh", out=y)  # noqa: SLF001 - the public one has no out=


def _relu2(x: Any, y: Any) -> Callable[[], Any]:
    def call() -> None:
        torch.clamp_min(x, 0, out=y)
        torch.mul(y, y, out=y)

    return call


def _scale(d: Dims, f: Formats) -> Plan:
    if d["per_value"] == 1:
        return _unary("torch.mul(x, 0.5, out=y)", lambda x, y: lambda: torch.mul(x, 0.5, out=y))(d, f)
    return _unary("torch.tanh(x, out=y)", lambda x, y: lambda: torch.tanh(x, out=y))(d, f)


def _rotary(d: Dims, f: Formats) -> Plan:
    kind, heads, half = _same(f.a, f.o), d["heads"], d["dim"] // 2
    positions = d["positions"] if d["positions"] and d["tokens"] % d["positions"] == 0 else d["tokens"]
    shape = (d["tokens"] // positions, positions, heads, 2 * half)
    table = Tensor((positions, 1, half), kind)

    def bind(x: Any, cos: Any, sin: Any, y: Any) -> Callable[[], Any]:
        x1, x2, y1, y2 = x[..., :half], x[..., half:], y[..., :half], y[..., half:]

        def call() -> None:
            torch.mul(x1, cos, out=y1)
            y1.addcmul_(x2, sin, value=-1)
            torch.mul(x2, cos, out=y2)
            y2.addcmul_(x1, sin)

        return call

    return Plan([Tensor(shape, kind), table, table], [Tensor(shape, kind)], bind, "x * cos ± x' * sin", "composed")


def _embedding(d: Dims, f: Formats) -> Plan:
    kind, tokens, hidden = _same(f.w, f.o), d["tokens"], d["hidden"]
    rows = max(1, min(d["vocab"], 131072, 256 * MB // max(1, hidden * 2)))

    def bind(table: Any, y: Any) -> Callable[[], Any]:
        chosen = torch.randint(rows, (tokens,), device=table.device)
        return lambda: torch.index_select(table, 0, chosen, out=y)

    call = "torch.index_select(table, 0, tokens, out=y)"
    return Plan([Tensor((rows, hidden), kind)], [Tensor((tokens, hidden), kind)], bind, call, "", 8.0 * tokens)


def _reduction(d: Dims, f: Formats) -> Plan:
    x = Tensor((d["values"],), f.a)
    return Plan(
        [x],
        [Tensor((), f.a)],
        lambda x, y: lambda: torch.sum(x, dim=0, out=y),
        "torch.sum(x, dim=0, out=y)",
    )


def _router(d: Dims, f: Formats) -> Plan:
    x = Tensor((d["tokens"], d["experts"]), _same(f.a, f.o))
    top_k = min(d["top_k"], d["experts"])
    return Plan(
        [x],
        [],
        lambda x: lambda: torch.topk(torch.softmax(x, -1), top_k, dim=-1),
        "torch.topk(torch.softmax(x, -1), k)",
        "composed",
        2.0 * x.bytes,
    )


def _combine(d: Dims, f: Formats) -> Plan:
    return _batched(d["tokens"], 1, d["hidden"], d["top_k"], Formats(f.a, f.a, f.o, f.kv))


def _copied(d: Dims, f: Formats) -> Plan:
    wanted = [Tensor((d["values"],), f.a)]
    return Plan(wanted, [Tensor((d["values"],), f.o)], lambda x, y: lambda: y.copy_(x), "y.copy_(x)")


def _transpose(d: Dims, f: Formats) -> Plan:
    rows = next(r for r in range(math.isqrt(d["values"]), 0, -1) if d["values"] % r == 0)
    columns = d["values"] // rows

    def bind(x: Any, y: Any) -> Callable[[], Any]:
        x = x.t()
        return lambda: y.copy_(x)

    return Plan([Tensor((rows, columns), f.a)], [Tensor((columns, rows), f.o)], bind, "y.copy_(x.t())")


def _adam(d: Dims, f: Formats) -> Plan:
    """16-bit gradients widened, the fused step on fp32 masters, the weights written back in 16 bit."""
    count, full = d["params"], torch.float32
    half = f.w if f.w in {torch.bfloat16, torch.float16} else torch.bfloat16

    def bind(gradient: Any, weight: Any) -> Callable[[], Any]:
        master = torch.randn(count, device=gradient.device)
        master.grad = gradient.to(full)
        step = torch.optim.Adam([master], lr=1e-4, **_fused(master))

        def call() -> None:
            master.grad.copy_(gradient)
            step.step()
            weight.copy_(master)

        return call

    call = "p.grad.copy_(g); torch.optim.Adam([p]).step(); w.copy_(p)"
    return Plan([Tensor((count,), half)], [Tensor((count,), half)], bind, call, "composed", 16.0 * count)


def _fused(master: Any) -> dict[str, bool]:
    kind = master.device.type
    return {"fused": True} if kind == "cuda" or (kind == "cpu" and _torch_version() >= (2, 4)) else {"foreach": False}


KINDS: dict[str, Callable[[Dims, Formats], Plan]] = {
    "matmul": _matmul,
    "qkv_matmul": lambda d, f: _matmul(d, Formats(f.a, f.w, _same(f.o, f.kv), f.kv)),
    "batched_matmul": lambda d, f: _batched(d["b"], d["m"], d["n"], d["k"], f),
    "absorbed_matmul": lambda d, f: _batched(d["heads"], d["m"], d["n"], d["k"], f),
    "grouped_matmul": _grouped,
    "moe_matmul": _moe,
    "conv2d": _conv2d,
    "conv1d": _conv1d,
    "causal_conv1d": _causal_conv1d,
    "attention": _attention,
    "chunked_attention": _chunked_attention,
    "attention_standard": _standard_attention,
    "layer_norm": _layer_norm,
    "rms_norm": _rms_norm,
    "softmax": _unary(
        "torch.softmax(x, -1, out=y)",
        lambda x, y: lambda: torch.ops.aten._softmax.out(x, -1, False, out=y),  # noqa: SLF001, FBT003 - has out=
    ),
    "relu": _unary("torch.clamp_min(x, 0, out=y)", lambda x, y: lambda: torch.clamp_min(x, 0, out=y)),
    "relu2": _unary("relu, square", _relu2, "composed"),
    "silu": _unary("silu(x, out=y)", lambda x, y: lambda: _silu(x, y)),
    "gelu": _unary('gelu(x, approximate="tanh", out=y)', lambda x, y: lambda: _gelu(x, y)),
    "gated_silu": _binary("silu(x, out=y); torch.mul(y, z, out=y)", _gated(_silu), "composed"),
    "gated_gelu": _binary("gelu(x, out=y); torch.mul(y, z, out=y)", _gated(_gelu), "composed"),
    "gated_sigmoid": _binary(
        "torch.sigmoid(x, out=y); torch.mul(y, z, out=y)", _gated(lambda x, y: torch.sigmoid(x, out=y)), "composed"
    ),
    "residual_add": _binary("torch.add(x, z, out=y)", lambda x, z, y: lambda: torch.add(x, z, out=y)),
    "multiply": _binary("torch.mul(x, z, out=y)", lambda x, z, y: lambda: torch.mul(x, z, out=y)),
    "rotary": _rotary,
    "embedding": _embedding,
    "reduction": _reduction,
    "scale": _scale,
    "router": _router,
    "combine": _combine,
    "cast": _copied,
    "copy": _copied,
    "transpose": _transpose,
    "optimizer_adam": _adam,
}


def plan_of(row: dict[str, Any], device: str) -> Plan:
    """The plan of a row; Skip says why there is none."""
    make = KINDS.get(row["kind"])
    if make is None:
        raise Skip("kind")
    named = row["formats"]
    formats = Formats(*(_dtype(named[n], device) for n in ("activations", "weights", "output", "kv")))
    if device.startswith("cuda"):
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = named["activations"] == "tf32"
    dims = {name: round(value * 100 if name == "skew" else value) for name, value in row["dims"].items()}  # percent
    try:
        return make(dims, formats)
    except KeyError as error:
        raise Skip("dims", name=str(error)) from None


def _dtype(name: str, device: str) -> Any:
    dtype = getattr(torch, _DTYPES.get(name, ""), None)
    if dtype is None or (name == "tf32" and not device.startswith("cuda")):
        raise Skip("format", format=name)
    return dtype


def _torch_version() -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", torch.__version__)[:2])


# --- timing


class Timed(NamedTuple):
    """Seconds of one call in each block of runs, how many runs there were, what they took, and with the warm-up."""

    times: list[float]
    runs: int
    counted: float
    spent: float

    def figures(self) -> dict[str, Any]:
        low, middle, high = _quartiles(self.times)
        return {
            "median_s": middle,
            "low_s": low,
            "high_s": high,
            "min_s": min(self.times),
            "runs": self.runs,
            "blocks": len(self.times),
            "timed_s": self.spent,
            "counted_s": self.counted,
            "steady": high - low <= STEADY * middle,
        }


def _quartiles(times: Sequence[float]) -> tuple[float, float, float]:
    if len(times) == 1:
        return times[0], times[0], times[0]
    low, middle, high = statistics.quantiles(times, n=4, method="inclusive")
    return low, middle, high


def timed(calls: Sequence[Callable[[], Any]], machine: Machine, least_s: float, most_s: float) -> Timed:
    """Time calls in turn by torch's Timer: `least_s` of runs, more until the quartiles are close, up to `most_s`."""
    benchmark = importlib.import_module("torch.utils.benchmark")
    start = machine.timer()
    calls[0]()  # warm-up: kernels chosen, code paged in
    first = machine.timer() - start
    step = itertools.cycle([*calls[1:], calls[0]])
    timer = benchmark.Timer(
        "next(step)()", globals={"step": step}, timer=machine.timer, num_threads=torch.get_num_threads()
    )
    if first > least_s / 4:  # slow: finding a block size would cost as much as the runs themselves
        times, runs, counted = _singly(timer, least_s, most_s)
    else:
        times, runs, counted = _blocked(timer, least_s, most_s)
    return Timed(times, runs, counted, machine.timer() - start)


def _blocked(timer: Any, least_s: float, most_s: float) -> tuple[list[float], int, float]:
    """Blocks of as many runs as torch finds enough against its own cost; the size is looked for only once."""
    found = timer.blocked_autorange(min_run_time=least_s)
    number, raw = found.number_per_run, list(found.raw_times)
    while True:
        times = [t / number for t in raw]
        low, middle, high = _quartiles(times)
        spent = sum(raw)
        if high - low <= STEADY * middle or spent + least_s > most_s:
            return times, number * len(times), spent
        until = spent + least_s
        while spent < until:
            raw.append(timer._timer.timeit(number))  # noqa: SLF001 - the public form looks for the size again
            spent += raw[-1]


def _singly(timer: Any, least_s: float, most_s: float) -> tuple[list[float], int, float]:
    """One run a block: two at least, five where that takes no longer than `most_s`."""
    times: list[float] = []
    while len(times) < 2 or (sum(times) + times[-1] < most_s and (len(times) < 5 or sum(times) < least_s)):
        times.append(timer._timer.timeit(1))  # noqa: SLF001 - the public form runs twice more to warm up
    return times, len(times), sum(times)


class Bench:
    """Times rows on one machine, each with operands rotated past the last cache where there is room for that."""

    def __init__(self, machine: Machine, job: dict[str, Any]) -> None:
        self.machine = machine
        self.arena = Arena(machine, self._pool() // 2)
        self.least_s = float(job.get("least_s") or 0.5)
        self.most_s = float(job.get("most_s") or 3.0)
        self.longest_s = float(job.get("longest_s") or 120.0)
        self.flop_rate, self.byte_rate = (5e10, 5e9) if machine.kind == "cpu" else (5e12, 2e11)
        self.seen_rate = 1e12 if machine.kind == "cpu" else 1e15

    def seconds(self, row: dict[str, Any]) -> float:
        """How long a row will take to time, by the rates seen so far."""
        once = max(float(row.get("flops") or 0) / self.flop_rate, float(row.get("bytes") or 0) / self.byte_rate)
        return max(self.least_s * 1.3, 6 * once if 6 * once < self.most_s else max(self.most_s, 2 * once))

    def row(self, row: dict[str, Any]) -> dict[str, Any]:
        """Figures of one row; Skip says why there are none."""
        if float(row.get("flops") or 0) / self.seen_rate > self.longest_s:
            raise Skip("slow", seconds=float(row["flops"]) / self.seen_rate)
        plan = plan_of(row, self.machine.name)
        touched = sum(t.bytes for t in (*plan.inputs, *plan.outputs))
        sets = self._sets(plan, touched)
        calls = self._calls(plan, sets)
        result = timed(calls, self.machine, self.least_s, self.most_s)
        figures = result.figures()
        self._learn(row, figures["median_s"])
        pool = touched * sets
        cached = self.machine.cache is not None and pool < self.machine.cache
        return {**figures, "call": plan.call, "note": plan.note, "sets": sets, "resident": "cache" if cached else ""}

    def _sets(self, plan: Plan, touched: int) -> int:
        free = self.machine.free() + self.arena.bytes
        need = touched + plan.extra
        if need > 0.7 * free:
            raise Skip("memory", need=need, free=free)
        room = int(min(0.4 * free, 1024 * MB) // max(1, touched + plan.extra))
        return max(1, min(math.ceil(self._pool() / max(1, touched)), 512, room))

    def _pool(self) -> int:
        """Bytes that operands rotate through: past the last cache, so that each call finds its own in memory."""
        return int(min(1.25 * (self.machine.cache or 64 * MB), 0.2 * self.machine.free(), 1024 * MB))

    def _calls(self, plan: Plan, sets: int) -> list[Callable[[], Any]]:
        inputs = self.arena.cut("read", plan.inputs, sets) if plan.inputs else [[]] * sets
        outputs = self.arena.cut("written", plan.outputs, sets) if plan.outputs else [[]] * sets
        return [plan.bind(*i, *o) for i, o in zip(inputs, outputs)]

    def _learn(self, row: dict[str, Any], seconds: float) -> None:
        flops, moved = float(row.get("flops") or 0), float(row.get("bytes") or 0)
        if flops / self.flop_rate >= moved / self.byte_rate:
            self.flop_rate = 0.5 * self.flop_rate + 0.5 * flops / seconds
        else:
            self.byte_rate = 0.5 * self.byte_rate + 0.5 * moved / seconds
        self.seen_rate = max(self.seen_rate, 4 * flops / seconds)


def reason(error: BaseException) -> tuple[str, dict[str, Any]]:
    """Why a row raised: a code, and torch's own words in one line."""
    if isinstance(error, Skip):
        return error.code, error.values
    text = " ".join(str(error).split())[:200] or type(error).__name__
    if isinstance(error, MemoryError) or "out of memory" in text or "not enough memory" in text.lower():
        return "out_of_memory", {}
    if "not implemented for" in text or "not supported" in text or isinstance(error, NotImplementedError):
        return "unsupported", {"text": text}
    return "raised", {"text": text}


def measure(channel: Channel, job: dict[str, Any]) -> dict[str, Any]:
    """Time every row of a job; a row that cannot be timed says why, and the rest goes on."""
    machine = Machine(job.get("device") or "cpu", job.get("threads"))
    bench, rows = Bench(machine, job), list(job.get("rows") or ())
    spent = counted = 0.0
    skipped = 0
    for index, row in enumerate(rows):
        channel.wait_while_paused()
        remaining = sum(bench.seconds(r) for r in rows[index:])
        channel.send("progress", done=index, total=len(rows), remaining_s=remaining, id=row["id"], name=row.get("name"))
        try:
            with torch.no_grad():
                found = bench.row(row)
        except Exception as error:  # noqa: BLE001 - whatever torch raises is this row's reason
            code, values = reason(error)
            channel.send("skipped", id=row["id"], name=row.get("name"), code=code, values=values)
            skipped += 1
        else:
            spent += found["timed_s"]
            counted += found["counted_s"]
            channel.send("row", id=row["id"], name=row.get("name"), **found)
    channel.send("progress", done=len(rows), total=len(rows), remaining_s=0.0)
    done = {"rows": len(rows) - skipped, "skipped": skipped, "threads": machine.threads}
    return {**done, "timed_s": spent, "counted_s": counted}


# --- ceilings: the best this machine shows, not the usual


def ceilings(channel: Channel, job: dict[str, Any]) -> dict[str, Any]:
    """Bandwidth of memory and caches, matmul peak of each format."""
    machine = Machine(job.get("device") or "cpu", job.get("threads"))
    steps = [*_bandwidths(machine), *_peaks(machine, job.get("formats") or ("fp32", "bf16", "fp16", "fp64", "int8"))]
    spent = 0.0
    for index, (name, step) in enumerate(steps):
        channel.wait_while_paused()
        channel.send("progress", done=index, total=len(steps), remaining_s=3.0 * (len(steps) - index), name=name)
        try:
            with torch.no_grad():
                start = machine.timer()
                found = step()
                spent += machine.timer() - start
        except Exception as error:  # noqa: BLE001 - whatever torch raises is this ceiling's reason
            code, values = reason(error)
            channel.send("skipped", id=name, name=name, code=code, values=values)
        else:
            channel.send("ceiling", name=name, **found)
    channel.send("progress", done=len(steps), total=len(steps), remaining_s=0.0)
    return {"rows": len(steps), "skipped": 0, "timed_s": spent, "threads": machine.threads}


Step = tuple[str, Callable[[], dict[str, Any]]]


def _bandwidths(machine: Machine) -> Iterator[Step]:
    """Memory by buffers of at least 256 MB and past the last cache; caches by buffers that fit them."""
    free = machine.free()
    large = int(min(max(256 * MB, 1.25 * (machine.cache or 0)), free / 5)) // 4096 * 4096
    for way in ("copy", "triad", "read"):
        yield f"memory {way}", lambda way=way: _bandwidth(machine, way, large, "memory")  # type: ignore[misc]
    if machine.cache:
        small = min(machine.cache // 8, 16 * MB)  # three buffers well inside, yet long against the call itself
        yield "cache triad", lambda: _bandwidth(machine, "triad", small, "cache")


def _bandwidth(machine: Machine, way: str, size: int, level: str) -> dict[str, Any]:
    """Best of several rounds, in B/s; `out=` forms only, because fresh memory is bound by page faults."""
    x, z, y = (torch.randn(size // 4, device=machine.name) for _ in range(3))
    total = torch.zeros((), device=machine.name)
    calls: dict[str, tuple[int, Callable[[], Any]]] = {
        "copy": (2, lambda: y.copy_(x)),
        "triad": (3, lambda: torch.add(x, z, alpha=0.5, out=y)),
        "read": (1, lambda: torch.sum(x, dim=0, out=total)),
    }
    times, call = calls[way]
    best = min(_rounds(call, machine, 1.5))
    moved = times * x.numel() * 4
    return {"level": level, "way": way, "rate": moved / best, "bytes": moved, "seconds": best}


def _rounds(call: Callable[[], Any], machine: Machine, seconds: float) -> list[float]:
    """Seconds of one call, in rounds of at least 20 ms, for at least so many seconds and five rounds."""
    call()
    start = machine.timer()
    call()
    number = max(1, math.ceil(0.02 / max(1e-7, machine.timer() - start)))
    found: list[float] = []
    begun = machine.timer()
    while len(found) < 5 or machine.timer() - begun < seconds:
        start = machine.timer()
        for _ in range(number):
            call()
        found.append((machine.timer() - start) / number)
        if machine.timer() - begun > 10 * seconds:
            break
    return found


def _peaks(machine: Machine, formats: Sequence[str]) -> Iterator[Step]:
    known = [f for f in (*formats, *(("tf32",) if machine.kind == "cuda" else ())) if f in _DTYPES]
    for name in known:
        yield f"matmul {name}", lambda name=name: _peak(machine, name)  # type: ignore[misc]


def _peak(machine: Machine, name: str) -> dict[str, Any]:
    """The best rate of square matmuls, in FLOP/s; at least a second of runs of 2048 and up where that is bearable."""
    size = 512 if machine.kind == "cpu" else 2048
    rate = _square(machine, name, size, 0.1)
    for larger in (2048, 4096, 8192):
        if larger > size and 2.0 * larger**3 / rate < (0.5 if larger > 2048 else 4.0):
            size, rate = larger, max(rate, _square(machine, name, larger, 1.0))
    return {"format": name, "rate": rate, "size": size}


def _square(machine: Machine, name: str, size: int, seconds: float) -> float:
    row = {"kind": "matmul", "dims": {"m": size, "n": size, "k": size}}
    plan = plan_of({**row, "formats": dict.fromkeys(("activations", "weights", "output", "kv"), name)}, machine.name)
    arena = Arena(machine)
    call = plan.bind(*arena.cut("read", plan.inputs, 1)[0], *(arena.cut("written", plan.outputs, 1)[0]))
    return 2.0 * size**3 / min(_rounds(call, machine, seconds))


# --- trace: the operators of a model that runs on no device at all


def trace(channel: Channel, job: dict[str, Any]) -> dict[str, Any]:
    """Run a callable of a Python file, or the model of a config, on the meta device and list its operators."""
    recorder = Recorder()
    _close_torch_hub()
    fields, dropped = _own_fields(job["config"]) if "config" in job else ({}, [])
    try:
        with torch.no_grad(), _patched(recorder):
            run = _of_config(fields, job) if "config" in job else _of_file(job)
            with torch.device("meta"), recorder.mode():
                run(recorder)
    except MemoryError:
        raise Stop("no_memory") from None
    except Exception as error:
        if isinstance(error, Stop) or not dropped:
            raise
        text = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise Stop("config", text=text, fields=", ".join(dropped)) from error
    found = list(recorder.found.values())
    told = {"parameters": recorder.parameters, "guessed": recorder.guessed, "dropped": dropped}
    channel.send("operators", operators=found, **told)
    return {"rows": len(recorder.found), "skipped": 0, "timed_s": 0.0}


_LEAST_MEMORY = 2e9  # torch alone takes some of it


def _of_file(job: dict[str, Any]) -> Callable[[Recorder], None]:
    path, name = str(job.get("path") or "model.py"), str(job.get("callable") or "model")
    folder = str(Path(path).parent)
    if Path(folder).is_absolute() and Path(folder).is_dir():
        sys.path.append(folder)  # the last, so that no neighbour stands in for a library
    space: dict[str, Any] = {"__name__": "traced", "__file__": path}
    with torch.device("meta"):
        exec(compile(job["source"], path, "exec"), space)  # noqa: S102 - the user's own file, in the user's own Python
    if not callable(space.get(name)):
        known = ", ".join(n for n, v in space.items() if callable(v) and not n.startswith("_"))
        raise Stop("no_callable", name=name, known=known[:200])

    def run(recorder: Recorder) -> None:
        asked = space[name]
        found = asked if isinstance(asked, torch.nn.Module) else asked()
        if isinstance(found, tuple) and found and isinstance(found[0], torch.nn.Module):
            recorder.take(found[0])
            _call(found[0], found[1:])

    return run


def _call(model: Any, given: Sequence[Any]) -> None:
    if len(given) == 1 and isinstance(given[0], dict):
        model(**given[0])
    elif len(given) == 1 and isinstance(given[0], (tuple, list)):
        model(*given[0])
    else:
        model(*given)


# Fields of a config that name code, weights, kernels or networks of elsewhere, whatever stands in them.
_NAMING = re.compile(
    r"auto_map|trust_remote_code|custom_pipelines?|backbone|backbone_kwargs|use_timm_backbone|use_pretrained_backbone"
    r"|(\w+_)?(quantization|compression|kernel|adapter|peft)_config|use_kernels?|hub_kernels?|pretrained(_\w+)?"
    r"|\w*implementation(_internal)?|(\w*_)?(name_or_path|repo|repo_id|revision|url|commit_hash|checkpoint|weights_path)"
)
_PATHS = frozenset("/\\:")  # of a repository, an address, a file
_LABELS = {"id2label", "label2id"}
_USUAL = {"_name_or_path", "name_or_path", "_commit_hash"}  # of most configs, and never read here
_BUILT_IN = {"eager", "sdpa", "flash_attention_2", "flash_attention_3", "flex_attention", "grouped_mm", "batched_mm"}


def _own_fields(config: dict[str, Any], above: str = "") -> tuple[dict[str, Any], list[str]]:
    """A config without what leads elsewhere, at any depth, and the names of what was dropped."""
    kept, dropped = {}, []
    for name, value in config.items():
        if name in _LABELS:
            kept[name] = value
        elif _leads_elsewhere(name, value):
            if value and name not in _USUAL and not (isinstance(value, str) and value in _BUILT_IN):
                dropped.append(above + name)
        elif isinstance(value, dict):
            kept[name], more = _own_fields(value, f"{above}{name}.")
            dropped += more
        elif isinstance(value, list):
            held = [_own_fields({"": v}, above + name) for v in value]
            kept[name] = [fields[""] for fields, _ in held if fields]
            dropped += dict.fromkeys(n for _, names in held for n in names)
        else:
            kept[name] = value
    return kept, dropped


def _leads_elsewhere(name: str, value: Any) -> bool:
    if _NAMING.fullmatch(name):
        return True
    return isinstance(value, str) and ("backbone" in name or value[:1] in {"~", "."} or not _PATHS.isdisjoint(value))


def _of_config(fields: dict[str, Any], job: dict[str, Any]) -> Callable[[Recorder], None]:
    sys.modules["kernels"] = None  # type: ignore[assignment]  # some models of the library load code by it unasked
    try:
        transformers = importlib.import_module("transformers")
    except Exception as error:  # noqa: BLE001 - a broken package raises anything
        raise Stop("no_transformers", text=str(error)[:200]) from None
    config = transformers.AutoConfig.for_model(fields.pop("model_type", ""), **fields)
    _without_weights(config)

    kept = getattr(config, "dtype", None) or getattr(config, "torch_dtype", None)
    named = kept if isinstance(kept, torch.dtype) else getattr(torch, str(kept), None)
    dtype = named if isinstance(named, torch.dtype) else torch.bfloat16

    def run(recorder: Recorder) -> None:
        model = _model_of(transformers, config).to(dtype).eval()
        recorder.take(model)
        model(**_inputs_of(model, config, int(job.get("batch") or 1), int(job.get("context") or 2048), dtype))

    return run


def _without_weights(config: Any) -> None:
    """No part of a model asks for trained weights; some do so unasked."""
    if getattr(config, "use_pretrained_backbone", False):
        config.use_pretrained_backbone = False
    for part in list(vars(config).values()):
        if hasattr(part, "model_type") and part is not config:
            _without_weights(part)


def _model_of(transformers: Any, config: Any) -> Any:
    """The model class of the library that the config names, else what the library takes for its kind."""
    asked = (_library_class(transformers, n, config) for n in config.architectures or ())
    named = next((c for c in asked if c is not None), None)
    if named is not None:
        return named(config)
    if not getattr(config, "is_encoder_decoder", False):
        with contextlib.suppress(ValueError, KeyError):  # no decoder of its own
            return transformers.AutoModelForCausalLM.from_config(config)
    return transformers.AutoModel.from_config(config)


def _library_class(transformers: Any, name: Any, config: Any) -> Any:
    """A model class of the library that is made from such a config; None for whatever else bears that name."""
    found = getattr(transformers, name, None) if isinstance(name, str) else None
    if not (isinstance(found, type) and issubclass(found, transformers.PreTrainedModel)):
        return None
    made_of = getattr(found, "config_class", None)
    return found if isinstance(made_of, type) and isinstance(config, made_of) else None


def _inputs_of(model: Any, config: Any, batch: int, context: int, dtype: Any) -> dict[str, Any]:
    """Inputs of a transformers model by the name of its first: tokens, pictures or spectrograms."""
    name = getattr(model, "main_input_name", "input_ids")
    tokens = torch.zeros((batch, context), dtype=torch.long)
    more = {"decoder_input_ids": tokens} if getattr(config, "is_encoder_decoder", False) else {}
    if name == "input_ids":
        return {name: tokens, **(more or {"use_cache": False})}
    if name == "pixel_values":
        size = getattr(config, "image_size", 224)
        high, wide = size if isinstance(size, (list, tuple)) else (size, size)
        return {name: torch.zeros((batch, getattr(config, "num_channels", 3), high, wide), dtype=dtype)}
    if name == "input_features" and hasattr(config, "max_source_positions"):
        heard = torch.zeros((batch, config.num_mel_bins, 2 * config.max_source_positions), dtype=dtype)
        return {name: heard, **more}
    raise Stop("no_input", name=name if isinstance(name, str) else ", ".join(map(str, name)))


class Recorder:
    """Collects operators as they are dispatched: name, module, shapes, formats, and how often."""

    def __init__(self) -> None:
        self.found: dict[str, dict[str, Any]] = {}
        self.parameters = 0
        self.guessed = 0
        self._names: dict[int, str] = {}
        self._stack: list[str] = []
        self._muted = 0

    def take(self, model: Any) -> None:
        """From here on this model's forward counts, not what made it."""
        self.found.clear()
        self._names = {id(m): n for n, m in model.named_modules()}
        self.parameters = sum(p.numel() for p in model.parameters())

    def enter(self, module: Any, *_: Any) -> None:
        self._stack.append(self._names.get(id(module)) or type(module).__name__)

    def leave(self, *_: Any) -> None:
        if self._stack:
            self._stack.pop()

    def record(self, name: str, inputs: Any, outputs: Any, **more: Any) -> None:
        where = self._stack[-1] if self._stack else ""
        entry = {
            "op": name,
            "module": where,
            "inputs": [_described(t) for t in _tensors(inputs)],
            "outputs": [_described(t) for t in _tensors(outputs)],
            **more,
        }
        key = json.dumps(entry, sort_keys=True, default=str)
        self.found.setdefault(key, {**entry, "count": 0})["count"] += 1

    def mode(self) -> Any:
        """A dispatch mode that records every operator that is not a view of its input."""
        dispatch: Any = importlib.import_module("torch.utils._python_dispatch")
        recorder = self

        class Mode(dispatch.TorchDispatchMode):  # type: ignore[misc]
            def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                if func._schema.name == "aten::_local_scalar_dense" and args[0].is_meta:  # noqa: SLF001
                    return recorder.guess(args[0])
                out = func(*args, **(kwargs or {}))
                if not recorder.is_muted and not _is_view(func):
                    recorder.record(func._schema.name, (args, kwargs), out, arguments=_plain(args))  # noqa: SLF001
                return out

        return Mode()

    def guess(self, tensor: Any) -> Any:
        """What a model that looks into its data is told: yes, or nothing."""
        self.guessed += 1
        return tensor.dtype == torch.bool if not tensor.dtype.is_floating_point else 0.0

    @property
    def is_muted(self) -> bool:
        return self._muted > 0

    def whole(self, name: str, out: Callable[..., Any]) -> Callable[..., Any]:
        """A function recorded as one operator, instead of what it is made of on the meta device."""

        def call(*args: Any, **kwargs: Any) -> Any:
            self._muted += 1
            try:
                made = out(*args, **kwargs)
            finally:
                self._muted -= 1
            flags = {k: v for k, v in kwargs.items() if _is_figure(v)}
            self.record(name, (args, {k: v for k, v in kwargs.items() if k != "attn_mask"}), made, flags=flags)
            return made

        return call


def _is_view(func: Any) -> bool:
    returns = func._schema.returns  # noqa: SLF001 - the dispatcher's own description
    return bool(returns) and all(r.alias_info is not None and not r.alias_info.is_write for r in returns)


def _plain(args: Sequence[Any]) -> list[Any]:
    """Arguments that are no tensors, in place: strides, sizes, flags; JSON has no infinity."""
    return [a if _is_figure(a) or _is_numbers(a) else None for a in args]


def _is_figure(value: Any) -> bool:
    return isinstance(value, (bool, int, float)) and math.isfinite(value)


def _is_numbers(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(v, (bool, int)) for v in value)


def _tensors(value: Any) -> Iterator[Any]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _tensors(each)
    elif isinstance(value, dict):
        yield from _tensors(list(value.values()))


def _described(tensor: Any) -> list[Any]:
    return [_short(tensor.dtype), list(tensor.shape)]


class _patched:  # noqa: N801 - reads as a with statement
    """Module names by hooks, and fused functions seen whole; all put back afterwards."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder, self._hooks, self._old = recorder, [], {}  # type: ignore[var-annotated]

    def __enter__(self) -> None:
        functions, hooks = torch.nn.functional, torch.nn.modules.module
        self._hooks = [
            hooks.register_module_forward_pre_hook(self._recorder.enter),
            hooks.register_module_forward_hook(self._recorder.leave),
        ]

        def attended(q: Any, _k: Any, v: Any, *_: Any, **__: Any) -> Any:
            return q.new_empty((*q.shape[:-1], v.shape[-1]))

        whole = {"scaled_dot_product_attention": attended}
        if hasattr(functions, "rms_norm"):
            whole["rms_norm"] = lambda x, *_, **__: torch.empty_like(x)
        for name, out in whole.items():
            self._old[name] = getattr(functions, name)
            setattr(functions, name, self._recorder.whole(name, out))
        if hasattr(torch.backends, "mha"):
            torch.backends.mha.set_fastpath_enabled(False)

    def __exit__(self, *_: object) -> None:
        for hook in self._hooks:
            hook.remove()
        for name, old in self._old.items():
            setattr(torch.nn.functional, name, old)


# --- the job


COMMANDS: dict[str, Callable[[Channel, dict[str, Any]], dict[str, Any]]] = {
    "measure": measure,
    "ceilings": ceilings,
    "trace": trace,
}


def import_torch() -> float:
    """Import torch and return the seconds that took; Stop says why there is none."""
    global torch  # noqa: PLW0603 - every function above uses it
    start = time.perf_counter()
    try:
        torch = importlib.import_module("torch")
    except ModuleNotFoundError as error:
        if error.name == "torch":
            raise Stop("no_torch", python=sys.executable) from None
        raise Stop("torch_broken", text=str(error)) from None
    except Exception as error:  # noqa: BLE001 - a broken package raises anything
        raise Stop("torch_broken", text=f"{type(error).__name__}: {error}"[:300]) from None
    if not hasattr(torch, "__version__"):  # a folder that happens to be called torch
        raise Stop("no_torch", python=sys.executable)
    if _torch_version() < OLDEST_TORCH:
        raise Stop("torch_old", version=torch.__version__)
    return time.perf_counter() - start


def hello(channel: Channel, import_s: float) -> None:
    channel.send(
        "hello",
        protocol=PROTOCOL,
        python=platform.python_version(),
        torch=str(torch.__version__),
        host=platform.node(),
        system=f"{platform.system()} {platform.machine()}",
        devices=devices(),
        threads=torch.get_num_threads(),
        busy=_busy(),
        import_s=import_s,
    )


def _busy() -> float | None:
    """How many processes want to run beside this one: timings of a busy machine say little."""
    try:
        return os.getloadavg()[0]
    except (AttributeError, OSError):
        return None


def work(channel: Channel, begun: float) -> None:
    go_offline()
    job = channel.read_job()
    channel.listen(until_closed=bool(job.get("watched")))
    _yield_to_others(int(job.get("nice", 10)))
    if job.get("command") == "trace":
        _bound_memory()
    import_s = import_torch()
    hello(channel, import_s)
    command = str(job.get("command"))
    if command != "hello":
        if command not in COMMANDS:
            raise Stop("protocol", text=command)
        found = COMMANDS[command](channel, job)
        channel.send("done", **found, import_s=import_s, wall_s=time.perf_counter() - begun)
        return
    channel.send("done", rows=0, skipped=0, timed_s=0.0, import_s=import_s, wall_s=time.perf_counter() - begun)


def _bound_memory() -> None:
    """A config may ask for more layers than any machine holds; where the system can, the trace ends, not the rest."""
    try:
        resource = importlib.import_module("resource")
        most, hard = int(max(_LEAST_MEMORY, _free_host_memory() / 2)), resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (most if hard < 0 else min(most, hard), hard))
    except (ImportError, AttributeError, ValueError, OSError):
        pass


def _yield_to_others(nice: int) -> None:
    try:
        os.nice(nice)
    except (AttributeError, OSError):
        pass


def main() -> int:
    begun = time.perf_counter()
    channel = Channel()
    try:
        work(channel, begun)
    except Stop as stop:
        channel.send("error", code=stop.code, values=stop.values)
        return 1
    except KeyboardInterrupt:
        return 130
    except BaseException as error:  # noqa: BLE001 - the program wants one sentence whatever happened
        traceback.print_exc()
        what = _wanted_online(error)
        if what is not None:
            channel.send("error", code="offline", values={"what": what})
            return 1
        where = traceback.extract_tb(error.__traceback__)[-1]
        text = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        channel.send(
            "error", code="raised", values={"text": text, "where": f"{Path(where.filename).name}:{where.lineno}"}
        )
        return 1
    return 0


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    os._exit(code)  # torch's own threads may take seconds to end, and the answer is out
