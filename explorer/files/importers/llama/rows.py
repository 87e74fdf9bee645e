"""One test of llama-bench as a measured point, whatever form it was printed in."""

import re
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from explorer.analysis.measured.imported import MeasuredPoint
from explorer.analysis.problem import Note
from explorer.analysis.step.phases.ids import PhaseId
from explorer.files.disk.text import printable
from explorer.files.importers.figures import finite, positive, whole
from explorer.files.importers.llama.devices import together

_FORMAT: Final = re.compile(
    r"(?:mostly )?\b((?:I?Q\d|TQ\d|B?F(?:16|32|64)(?![0-9A-Za-z])|MXFP4|NVFP4)\w*+(?:\s-\s.*)?)"
)
_SAMPLES: Final = 10_000
_SHORT: Final = 40
_SETTINGS: Final = {"fa": "flash_attn", "dev": "devices", "ts": "tensor_split", "sm": "split_mode"}
_USUAL: Final = {  # what a run has that asks for nothing; the first versions had no such fields
    "fa": {"", "0", "false", "off", "auto", "-1"},
    "dev": {"", "auto", "none"},
    "ts": {"", "0", "0.00", "0.0"},
    "sm": {"", "layer", "1"},
}
_BACKENDS: Final = ("cuda", "vulkan", "kompute", "metal", "sycl", "rpc", "opencl", "gpu_blas", "blas")


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """What was timed: `prompt` tokens read and `generated` tokens written behind `depth` tokens held."""

    prompt: int
    generated: int
    depth: int = 0
    requests: int = 1

    @property
    def phase(self) -> PhaseId | None:
        """Both in one figure is neither."""
        if self.prompt and self.generated:
            return None
        return "decode" if self.generated else "prefill"

    @property
    def name(self) -> str:
        """The tool's own spelling."""
        parts = [f"pp{self.prompt}"] * bool(self.prompt) + [f"tg{self.generated}"] * bool(self.generated)
        return "+".join(parts) + (f" @ d{self.depth}" if self.depth else "")

    @property
    def steps(self) -> float:
        """Tokens of one request per step: a decode step writes one, a prefill is one step."""
        return 1.0 if self.phase == "decode" else float(self.prompt + self.generated)

    @property
    def context(self) -> int:
        """The prompt's length, or the tokens that a decode step reads, in the middle of the run."""
        return max(1, self.depth + self.generated // 2) if self.phase == "decode" else max(1, self.prompt)


def point(
    test: Test, rate: float, *, deviation: float | None = None, samples: Iterable[float] = (), **about: Any
) -> MeasuredPoint:
    """A test at `rate` tokens per second of all requests; `deviation` and `samples` in tokens per second too."""
    seconds = test.steps * test.requests / rate
    known = {k: v for k, v in about.items() if v is not None}
    variant = known.pop("variant", "")
    notes = list(known.pop("notes", ()))
    if test.phase is None:
        notes.append(Note("import.llama_mixed"))
    model = known.get("model", "")
    name = " ".join(t for t in (model, test.name, f"({variant})" if variant else "") if t)
    return MeasuredPoint(
        name=name,
        calls=float(test.generated) if test.phase == "decode" else 1.0,
        time_s=seconds,
        tokens_per_s=rate,
        deviation_s=None if deviation is None else seconds * deviation / rate,
        quartiles_s=_quartiles([test.steps * test.requests / s for s in samples]),
        phase=test.phase,
        batch=test.requests,
        context=test.context,
        depth=test.depth,
        format=known.pop("format", None) or format_of(model),
        notes=tuple(notes),
        **known,
    )


def format_of(model: str) -> str:
    """`Q4_K - Medium` of `qwen2 7B Q4_K - Medium`."""
    found = _FORMAT.search(model)
    return found[1].strip() if found else ""


def _quartiles(times: list[float]) -> tuple[float, float] | None:
    if len(times) < 2:
        return None
    low, _, high = statistics.quantiles(times, method="inclusive")
    return low, high


def of_fields(row: Mapping[str, Any]) -> MeasuredPoint | str:
    """A row of the machine-readable forms, old columns and new; else the code of why not."""
    prompt, generated = whole(row.get("n_prompt")), whole(row.get("n_gen"))
    if prompt is None or generated is None or not prompt + generated:
        return "import.llama_test"
    test = Test(prompt=prompt, generated=generated, depth=whole(row.get("n_depth")) or 0)
    rate = positive(row.get("avg_ts")) or _rate_of(test, row)
    if rate is None:
        return "import.llama_rate"
    layers, backend = whole(row.get("n_gpu_layers")), _backend(row)
    return point(
        test,
        rate,
        deviation=finite(row.get("stddev_ts")),
        samples=_samples(row.get("samples_ts")),
        model=_text(row.get("model_type")) or _text(row.get("model_filename")),
        file=_text(row.get("model_filename")).replace("\\", "/").rpartition("/")[2],
        size_bytes=positive(row.get("model_size")),
        parameters=positive(row.get("model_n_params")),
        device=together(_text(row.get("cpu_info" if backend == "CPU" or not row.get("gpu_info") else "gpu_info"))),
        backend=backend,
        threads=whole(row.get("n_threads")),
        offloaded_layers=layers,
        kv=both(_text(row.get("type_k")), _text(row.get("type_v"))),
        variant=_run(row),
        notes=layer_notes(layers, backend),
    )


def both(keys: str, values: str) -> str:
    """The formats of keys and values: one where they are alike or one is not said, else `keys/values`."""
    return f"{keys}/{values}" if keys and values and keys != values else keys or values


def _run(row: Mapping[str, Any]) -> str:
    """What a run changed of the tool's own settings, by its short names."""
    said = {short: _text(row.get(name)) for short, name in _SETTINGS.items()}
    return ", ".join(f"{short} {text[:_SHORT]}" for short, text in said.items() if text.lower() not in _USUAL[short])


def layer_notes(layers: int | None, backend: str) -> tuple[Note, ...]:
    """A remark where not a layer is said to lie on the GPU."""
    on_cpu = layers == 0 and backend not in {"", "CPU", "BLAS"}
    return (Note("import.llama_no_layers"),) if on_cpu else ()


def _rate_of(test: Test, row: Mapping[str, Any]) -> float | None:
    nanoseconds = positive(row.get("avg_ns"))
    return None if nanoseconds is None else (test.prompt + test.generated) / (nanoseconds * 1e-9)


def _samples(values: object) -> list[float]:
    few = values[:_SAMPLES] if isinstance(values, list) else []
    return [v for v in map(positive, few) if v is not None]


def _backend(row: Mapping[str, Any]) -> str:
    if row.get("backends"):
        return _text(row["backends"])
    named = [n for n in _BACKENDS if _text(row.get(n)).lower() in {"1", "true"}]
    return named[0].upper() if named else "CPU" if "cuda" in row else ""


def _text(value: object) -> str:
    return "" if value is None else value[:200] if isinstance(value, str) else printable(value, 200)
