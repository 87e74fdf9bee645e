"""The public JSON: plain data in SI base units, undefined figures null."""

import math
from collections.abc import Iterable
from typing import Any

import msgspec

import explorer.presentation.words.core_texts
import explorer.presentation.words.said.launches  # noqa: F401 - registers the words used here
from explorer.analysis.ask.knees import knees
from explorer.analysis.ask.notes import model_notes, notes
from explorer.analysis.catalogue.device import Device
from explorer.analysis.models import Model
from explorer.analysis.problem import Note
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.ledger import KV, WEIGHTS
from explorer.analysis.step.placement import Point
from explorer.analysis.step.rows import Number
from explorer.analysis.step.totals import Pace
from explorer.analysis.study.study import Workload
from explorer.presentation.compare.versus import baseline_json, vs_baseline_json
from explorer.presentation.measured.listed import measurements_json
from explorer.presentation.words.messages import Message, of_note, render

Json = dict[str, Any]


def evaluation_json(evaluation: Evaluation, *, compared: bool = False) -> Json:
    """What `evaluate --json` prints: per-call figures of each operator on each visible device, and totals.

    `compared`: with the baseline, and each device's ratios to it.
    """
    model = evaluation.model
    visible = [d for d in evaluation.devices if d.entry.visible]
    return {
        **(baseline_json(evaluation) if compared else {}),
        "model": None if model is None else {**_model(model), **_kv_growth(model, evaluation)},
        "workload": workload_json(evaluation),
        "assumptions": list(dict.fromkeys(sentences(notes(evaluation)))),  # of twins, which share a name here, once
        "hardware": [
            {**_on(evaluation, d), **({"vs_baseline": vs_baseline_json(evaluation, d)} if compared else {})}
            for d in visible
        ],
        "measurements": measurements_json(evaluation),
    }


def model_json(model: Model, evaluation: Evaluation) -> Json:
    """What `model --json` prints; KV and state bytes of one sequence at the evaluation's context."""
    work = evaluation.study.workload
    formats = evaluation.evaluator.formats
    kv = formats[work.kv or model.kv_format].bytes
    return {
        **_model(model),
        **_kv_growth(model, evaluation),
        **_crossed(model, kv),
        "kv_bytes": figure(model.kv_bytes(1.0, float(work.context), kv)),
        "state_bytes": figure(model.state_bytes(1.0)),
        "weight_bytes": figure(model.weight_bytes(work.weights, formats)),
        "layers": [
            {"count": layer.count, "indices": list(layer.indices), "attention": layer.attention, "mlp": layer.mlp}
            for layer in model.layers
        ],
        "assumptions": sentences(model_notes(model, evaluation)),
    }


def _crossed(model: Model, kv_bytes_per_value: float) -> Json:
    """What stands beside the KV of a token, which is self-attention's alone where there is cross-attention."""
    crossed = model.cross_kv_bytes_per_token(kv_bytes_per_value)
    return {} if crossed is None else {"cross_kv_bytes_per_encoder_token": figure(crossed)}


def device_json(device: Device) -> Json:
    """A device under the keys of its hardware file, with every default written out."""
    found: Json = _whole(device)
    return found


def workload_json(evaluation: Evaluation) -> Json:
    """The workload, with the formats that take effect."""
    work: Workload = evaluation.study.workload
    model = evaluation.model
    activations = work.activations or (model.activations_format if model else "bf16")
    return {
        "phase": work.phase,
        "batch": work.batch,
        "context": work.context,
        "weights": work.weights or (model.weights_format if model else activations),
        "activations": activations,
        "kv": work.kv or (model.kv_format if model else activations),
        "launch": work.launch,
        "count_attention": work.attention_count,
        "logits": work.logits,
        "skew": work.skew,
    }


def sentences(notes: Iterable[Note]) -> list[str]:
    """Assumptions as English sentences."""
    return [render(of_note(n)) for n in notes]


def figure(value: Number | None) -> float | None:
    """A figure as JSON has it: finite, whole bytes and FLOPs without a fraction, else null."""
    if value is None or not math.isfinite(value):
        return None
    plain = float(value)
    return int(plain) if plain.is_integer() and abs(plain) < 2**53 else plain


def _model(model: Model) -> Json:
    return {
        "name": model.name,
        "model_type": model.model_type,
        "parameters": model.parameters,
        "active_parameters": model.active_parameters,
    }


def _kv_growth(model: Model, evaluation: Evaluation) -> Json:
    """Bytes of KV cache per token: below every window, and at the context in question."""
    work = evaluation.study.workload
    kv = evaluation.evaluator.formats[work.kv or model.kv_format].bytes
    return {
        "kv_bytes_per_token": figure(model.kv_bytes_per_token(kv)),
        "kv_bytes_per_token_at_context": figure(model.kv_bytes_per_token_at(work.context, kv)),
    }


def _on(evaluation: Evaluation, result: DeviceResult) -> Json:
    shares = zip(result.points, result.shares, strict=True)
    return {
        "name": result.entry.device.name,
        "devices": result.machine.count,
        "peak_flop_per_s": figure(result.main_peak.rate),
        "bandwidth_byte_per_s": figure(result.machine.bandwidth),
        "ridge_flop_per_byte": figure(result.ridge),
        "floor_peak_flop_per_s": figure(result.main_peak.ceiling),
        "floor_bandwidth_byte_per_s": figure(result.machine.floor_bandwidth),
        "launch_overhead_s": figure(result.machine.launch_s),
        "times_unknown_because": render(Message("launches.reason")) if result.launches_unknown else None,
        "operators": [_operator(point, share) for point, share in shares],
        "totals": _totals(result),
        "decode": _decode(evaluation, result),
    }


def _operator(point: Point, share: float) -> Json:
    costs = point.costs
    return {
        "name": point.row.name,
        "kind": point.row.kind,
        "count": figure(point.row.count),
        "flops": figure(costs.flops),
        "bytes_read": figure(costs.bytes_read),
        "bytes_written": figure(costs.bytes_written),
        "intensity_flop_per_byte": figure(point.intensity),
        "compute_format": point.peak.format,
        "peak_flop_per_s": figure(point.peak.rate),
        "bound": point.bound,
        "time_s": None if point.launches_unknown else figure(point.time_s),
        "share": share,
        **({"time_at_least_s": figure(point.time_s)} if point.launches_unknown else {}),
    }


def _totals(result: DeviceResult) -> Json:
    totals = result.totals
    return {
        "flops": figure(totals.traffic.flops),
        "bytes": figure(totals.traffic.bytes),
        "time_s": None if result.launches_unknown else figure(totals.time_s),
        "floor_s": figure(totals.floor_s),
        "expected_s": [None if result.launches_unknown else figure(t) for t in totals.expected_s],
        "simple": {"streamed_s": figure(totals.streamed_s), "whole_file_s": figure(totals.whole_file_s)},
        "tokens_per_s": figure(totals.tokens_per_s),
        "tokens_per_s_per_request": figure(totals.tokens_per_s_per_request),
        "weight_bytes_resident": figure(totals.memory.of(WEIGHTS)),
        "weight_bytes_streamed": figure(totals.traffic.weights_streamed),
        "kv_bytes": figure(totals.memory.of(KV)),
        "memory_bytes": figure(totals.memory_bytes),
        "fits": totals.fits,
        **_pace("uniform", totals.uniform),
        **_pace("routed", totals.routed),
        **({"time_at_least_s": figure(totals.time_s)} if result.launches_unknown else {}),
    }


def _pace(name: str, pace: Pace) -> Json:
    """The floor and what follows from it, with the experts of random routing, or of the workload's."""
    return {
        f"{name}_s": figure(pace.seconds),
        f"{name}_tokens_per_s": figure(pace.tokens_per_s),
        f"{name}_tokens_per_s_per_request": figure(pace.tokens_per_s_per_request),
    }


def _decode(evaluation: Evaluation, result: DeviceResult) -> Json:
    found = knees(evaluation, result.entry.id)
    names = ("kv_half_batch", "ridge_batch", "fit_batch", "knee_batch")
    return {name: None if found is None else figure(getattr(found, name)) for name in names}


def _whole(value: Any) -> Any:
    """A struct and all inside it as plain data; unlike msgspec's own, without leaving defaults out."""
    if isinstance(value, msgspec.Struct):
        encoded = zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True)
        return {key: _whole(getattr(value, name)) for name, key in encoded}
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_whole(item) for item in value]
    return figure(value) if isinstance(value, float) else value
