"""Large files of other tools, made up in their layout: a torch trace of a GPU, a details page of Nsight Compute."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

LAYERS = [(64 * (1 + i % 5), 4096, 1024 * (1 + i % 3)) for i in range(15)]
KERNELS = (
    "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn",
    "void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous namespace)::launch_clamp_scalar>(int)",
)
B, S = '"c10::BFloat16"', '"Scalar"'


def _operator(name: str, start: float, duration: float, dims: str, types: str, ident: int) -> str:
    return f"""  {{
    "ph": "X", "cat": "cpu_op", "name": "{name}", "pid": 19371, "tid": 19371,
    "ts": {start:.3f}, "dur": {duration:.3f},
    "args": {{
      "External id": {ident},"Record function id": 0, "Concrete Inputs": ["", ""], "Input type": [{types}], "Input Dims": {dims}, "Ev Idx": {ident}
    }}
  }}"""  # noqa: E501 - as wide as the profiler writes it


def _launched(name: str, launch: float, duration: float, ident: int) -> Iterator[str]:
    yield f"""  {{
    "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 19371, "tid": 19371,
    "ts": {launch:.3f}, "dur": 5.100,
    "args": {{
      "External id": {ident}, "cbid": 211, "correlation": {ident}
    }}
  }}"""
    yield f"""  {{
    "ph": "s", "id": {ident}, "pid": 19371, "tid": 19371, "ts": {launch:.3f},
    "cat": "ac2g", "name": "ac2g"
  }}"""
    yield f"""  {{
    "ph": "X", "cat": "kernel", "name": "{name}", "pid": 0, "tid": 7,
    "ts": {launch + 30:.3f}, "dur": {duration:.3f},
    "args": {{
      "External id": {ident}, "queued": 0, "device": 0, "context": 1, "stream": 7, "correlation": {ident}, "registers per thread": 160, "shared memory": 16384, "blocks per SM": 28.00926, "warps per SM": 112.03704, "grid": [3025, 1, 1], "block": [128, 1, 1], "est. achieved occupancy %": 19
    }}
  }}"""  # noqa: E501 - as wide as the profiler writes it
    yield f"""  {{
    "ph": "f", "id": {ident}, "pid": 0, "tid": 7, "ts": {launch + 30:.3f},
    "cat": "ac2g", "name": "ac2g", "bp": "e"
  }}"""


def _events() -> Iterator[str]:
    for step in count():
        m, k, n = LAYERS[step % len(LAYERS)]
        at, ident = 5108241718215.0 + 80 * step, 10 * step
        yield _operator("aten::linear", at, 40, f"[[{m}, {k}], [{n}, {k}], [{n}]]", f"{B}, {B}, {B}", ident)
        yield _operator("aten::t", at + 1, 3, f"[[{n}, {k}]]", B, ident + 1)
        dims = f"[[{n}], [{m}, {k}], [{k}, {n}], [], []]"
        yield _operator("aten::addmm", at + 5, 30, dims, f"{B}, {B}, {B}, {S}, {S}", ident + 2)
        yield _operator("aten::relu", at + 42, 10, f"[[{m}, {n}]]", B, ident + 3)
        yield from _launched(KERNELS[0], at + 20, 55.5 + step % 7 / 10, ident + 4)
        yield from _launched(KERNELS[1], at + 45, 6.25 + step % 7 / 10, ident + 5)


def write_trace(path: Path, size: int) -> None:
    """A trace of about `size` bytes."""
    with path.open("w", encoding="utf-8") as file:
        file.write('{\n  "schemaVersion": 1,\n  "deviceProperties": [\n    {"id": 0, "name": "Example GPU"}\n  ],\n')
        file.write('  "traceEvents": [\n')
        written = 0
        for event in _events():
            file.write(event)
            written += len(event) + 2
            if written > size and '"ph": "f"' in event:
                break
            file.write(",\n")
        file.write('\n  ],\n  "traceName": "x.json"\n}\n')


METRICS = [("dram__bytes_read.sum", "byte"), ("dram__bytes_write.sum", "byte"), ("gpu__time_duration.sum", "ns")]
METRICS += [
    (f"sm__sass_thread_inst_executed_op_{f}{o}_pred_on.sum", "inst") for f in "dfh" for o in ("add", "mul", "fma")
]
METRICS += [("sm__inst_executed_pipe_tensor.sum", "inst"), ("lts__t_bytes.sum", "byte"), ("l1tex__t_bytes.sum", "byte")]


def write_details(path: Path, rows: int) -> None:
    """A details page with `rows` rows, 15 metrics a launch, almost all of them wanted."""
    front = '"15249","gpp.x","127.0.0.1","void some::kernel<4, other::functor<float>>(int, T2, T3)","1","13"'
    front += ',"(128, 1, 1)","(65535, 1, 1)","0","8.9","Command line profiler metrics"'
    with path.open("w", encoding="utf-8") as file:
        file.write('"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size",')
        file.write('"Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"\n')
        for row in range(rows):
            launch, at = divmod(row, len(METRICS))
            metric, unit = METRICS[at]
            value = 0 if "tensor" in metric else 12_345 * (1 + row % 997)
            file.write(f'"{launch}",{front},"{metric}","{unit}","{value:,}"\n')
