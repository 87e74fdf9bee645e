"""A model in a few figures, so that a change anywhere in what it is read from shows."""

import json
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import astuple

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.models import Model, build_model
from explorer.analysis.models.checkpoint.stored import _scopes, path_of, with_tensors
from explorer.analysis.models.checkpoint.stored_formats import merged_formats
from explorer.analysis.models.model import LayerSummary
from explorer.analysis.problem import Refused
from explorer.analysis.step.costs import compile_kind
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.step.rows import SequenceGroup, Step
from explorer.analysis.study.study import TensorEntry, TensorSummary
from explorer.files.models.tensors import FileTensor, summarise

TABLE = Path(__file__).with_name("whole.json")
TRIED = ("changed", "files")
Config = Mapping[str, Any]


def figures(model: Model, catalogue: Catalogue) -> dict[str, Any]:
    """Counts, bytes held, what a step of each phase costs, and what is said of it."""
    formats = catalogue.format_by_id
    return {
        "parameters": [model.parameters, model.active_parameters],
        "bytes": [model.weight_bytes(None, formats), model.weight_bytes("fp8", formats)],
        "kv": [*(float(model.kv_bytes(3, context, 2.0)) for context in (1, 100, 1000, 100_000))],
        "each": [model.kv_bytes_per_token(2.0), float(model.state_bytes(3)), float(model.prompt_tokens(70))],
        "context": model.max_context,
        "layers": [summary(layers) for layers in model.layers],
        **{phase: step(model, phase, catalogue) for phase in model.phases},
        "rows": {phase: [rows(model, made) for made in steps(phase)] for phase in model.phases},
        "written": [float(model.kv_written(one_step(phase, 3.0, 1000.0), 2.0)) for phase in model.phases],
        "notes": {note.code: " ".join(map(str, note.values.values())) for note in model.assumptions},
    }


def summary(layers: LayerSummary) -> str:
    return f"{layers.count} x {layers.attention}, {layers.mlp}"


def step(model: Model, phase: str, catalogue: Catalogue) -> list[float]:
    """FLOPs, bytes read and written, kernels, bytes of weights and of the cache: 3 sequences of 1000 tokens."""
    kinds = {kind.id: compile_kind(kind) for kind in catalogue.kinds}
    rows = model.rows(one_step(phase, 3.0, 1000.0))
    formats = merged_formats(catalogue.format_by_id, model.own_formats)
    costs = [(row.count, kinds[row.kind].costs(row, formats)) for row in rows]
    return [round(float(sum(np.max(count * cost[i]) for count, cost in costs)), 3) for i in range(6)]


def steps(phase: str) -> Iterator[Step]:
    """The plainest step, one in other formats, one of sequences that differ."""
    yield one_step(phase, 3.0, 50.0)
    yield one_step(phase, 1.0, 5000.0, "fp8", "fp16", "fp8", "full", "all")
    yield one_step(phase, 1.0, 5000.0, "fp32", "int8")
    groups = (SequenceGroup(1.0, 50.0, 3.0), SequenceGroup(20.0, 5000.0, 1.0))
    yield Step(phase, groups)


def rows(model: Model, made: Step) -> str:
    """A digest of all that the rows of a step say."""
    try:
        found = model.rows(made)
    except Refused as refused:
        return ", ".join(p.code for p in refused.problems)
    said = [
        [str(value) if not isinstance(value, dict) else sorted(value.items()) for value in astuple(r)] for r in found
    ]
    return f"{zlib.crc32(json.dumps(said, default=float).encode()):08x}"


def outcome(config: Config, catalogue: Catalogue) -> str:
    """What becomes of a config in one line: its figures, or the faults and their fields."""
    try:
        model = build_model(config)
    except Refused as refused:
        return ", ".join(f"{p.code} {p.path}" for p in refused.problems)
    found = figures(model, catalogue)
    digest = zlib.crc32(json.dumps(found).encode())
    return f"{model.parameters} {digest:08x}"


def file_of(model: Model) -> TensorSummary:
    """A checkpoint whose tensors have formats by turns, under the family's own module names."""
    found: list[FileTensor] = []
    for scope in _scopes(model.architecture):
        lead = f"model.{scope.side}." if scope.side else "model."
        for op in scope.ops:
            for tensor in op.tensors:
                number, size = (("bf16", 2), ("fp32", 4), ("fp8", 1))[zlib.crc32(tensor.name.encode()) % 3]
                values = tensor.values * tensor.count
                places = [f"{lead}layers.{layer}." for layer in sorted(scope.layers)] or [lead]
                found += [FileTensor(f"{place}{tensor.name}", number, values, size * values) for place in places]
    return summarise(found, "mixed")


def held(model: Model, summary: TensorSummary) -> str:
    """What the rows of a model read of a file, or why it is not the model's."""
    try:
        made = with_tensors(model, summary)
    except Refused as refused:
        return ", ".join(f"{p.code} {' '.join(map(str, p.values.values()))}" for p in refused.problems)
    assert made.stored is not None
    ops = sorted((path_of(op), number) for op, number in made.stored.by_op.items())
    formats = [(f.id, f.bits, f.like) for f in made.stored.formats]
    notes = [(n.code, *n.values.values()) for n in made.assumptions if n.code.startswith(("model.t", "model.f"))]
    digest = zlib.crc32(json.dumps([ops, formats, notes]).encode())
    return f"{made.stored.resident:.0f} {made.stored.active:.3f} {digest:08x}"


def files(model: Model) -> Iterator[tuple[str, TensorSummary]]:
    """A file of a model, and the same without a tensor, with one of thrice the size, with one that nobody reads."""
    summary = file_of(model)
    yield "all", summary
    entries = summary.entries
    for at in sorted({0, len(entries) // 3, len(entries) // 2, len(entries) - 1}):
        entry = entries[at]
        yield f"no {entry.name}", TensorSummary(label="mixed", entries=(*entries[:at], *entries[at + 1 :]))
        larger = msgspec.structs.replace(entry, values=3 * entry.values, bytes=3 * entry.bytes)
        yield f"thrice {entry.name}", TensorSummary(label="mixed", entries=(*entries[:at], larger, *entries[at + 1 :]))
    strange = TensorEntry(name="strange.weight", format="bf16", count=1, values=50_000, bytes=100_000)
    yield "strange", TensorSummary(label="mixed", entries=(*entries, strange))


def changes(config: Config) -> Iterator[tuple[str, Config]]:
    """A config without one of its fields, with twice of it, or with its opposite; nested ones too."""
    for key, value in config.items():
        if key == "model_type":
            continue
        yield f"no {key}", {k: v for k, v in config.items() if k != key}
        if isinstance(value, bool):
            yield f"other {key}", {**config, key: not value}
        elif isinstance(value, int):
            yield f"twice {key}", {**config, key: 2 * value}
        elif isinstance(value, Mapping):
            yield from ((f"{key}: {name}", {**config, key: changed}) for name, changed in changes(value))


def whole(config: Config, catalogue: Catalogue) -> dict[str, Any]:
    """The figures of a config, and the outcome of each change of it."""
    model = build_model(config)
    return {
        **figures(model, catalogue),
        "changed": {name: outcome(changed, catalogue) for name, changed in changes(config)},
        "files": {name: held(model, summary) for name, summary in files(model)},
    }


def main() -> None:
    """Write the table anew, for a change that is meant: look at its difference."""
    from explorer.files.catalogue import load_catalogue
    from tests.analysis.models.conftest import CONFIGS

    catalogue = load_catalogue(devices=False)
    table = {name: whole({"model_type": name, **config}, catalogue) for name, config in sorted(CONFIGS.items())}
    lines = [f'"{name}": {{\n{body(found)}\n}}' for name, found in table.items()]
    TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def body(found: Mapping[str, Any]) -> str:
    flat = [f'  "{name}": {json.dumps(value)}' for name, value in found.items() if name not in TRIED]
    for part in TRIED:
        tried = ",\n".join(f'    "{name}": {json.dumps(value)}' for name, value in found[part].items())
        flat.append(f'  "{part}": {{\n{tried}\n  }}')
    return ",\n".join(flat)


if __name__ == "__main__":
    main()
