"""Flags that say what is evaluated, and the study that they describe."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.expand import active_entry
from explorer.analysis.step.phases.registry import PHASES
from explorer.analysis.study.check import study_problems
from explorer.analysis.study.edit_models import with_file_size
from explorer.analysis.study.study import ModelEntry, Study, Workload
from explorer.files.models.format_names import with_format_ids
from explorer.files.study.study import read_study
from explorer.presentation.quantities.quantity import read_size
from explorer.presentation.words.messages import refusal

if TYPE_CHECKING:
    from explorer.analysis.catalogue.catalogue import Catalogue
    from explorer.analysis.step.evaluate import Evaluation

HARDWARE: Final = "any part of a name, a file, or bandwidth, dense bf16 peak and capacity: 2TB/s,300TFLOP/s[,80GB]"
MODEL: Final = "a config.json, GGUF or safetensors file, a model's folder"
WEIGHTS: Final = (
    "a number format (fp8, int4, Q4_K, ...), or a mix of formats by tensor as llama-quantize makes it (Q4_K_M, IQ2_XS, "
    "MXFP4_MOE, F16, ...; i1-IQ4_XS: with an importance matrix; UD-Q4_K_XL, Q4_K_L: as the nearest)"
)


def add_work(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("study", nargs="?", type=Path, metavar="STUDY")
    add("--model", metavar="NAME|FILE", help=f"{MODEL}, or part of a name, of the study's or a preset's")
    add("--file-bytes", type=size, metavar="N", help="size of the model's file of weights: 63.37GB, 58.9GiB")
    add("--quick", metavar="params=13e9,layers=32,kv_heads=32,head_dim=128[,weights=F][,kv=F][,file_bytes=N]")
    add("--hardware", nargs="+", action="extend", default=[], metavar="H", help=HARDWARE)
    add("--devices", type=int, metavar="N", help="ideal devices: N times the rates and the capacity")
    add("--phase", choices=(*PHASES, "train"), metavar=f"{{{','.join(PHASES)}}}")
    add("--batch", type=int, metavar="N")
    add("--context", type=int, metavar="N")
    add("--weights", metavar="FORMAT", help=WEIGHTS)
    add("--activations", metavar="FORMAT")
    add("--kv", metavar="FORMAT")
    add("--reserve", type=size, metavar="N", help="memory kept free of weights and KV cache: 2GB, 512MiB")
    add("--launch", choices=("graph", "eager"))
    add("--count-attention", choices=("causal", "full"), dest="attention_count")
    add("--logits", choices=("last", "all"))
    add("--skew", type=float, metavar="0..1", help="of the routing to experts: 0 random, 1 all tokens alike")


def size(text: str) -> float:
    """Bytes as typed; GB are 1e9, GiB 2^30."""
    try:
        return read_size(text)
    except Refused as refused:
        raise argparse.ArgumentTypeError(refusal(refused)) from None


def study_of_flags(
    asked: argparse.Namespace, catalogue: "Catalogue", without: Study | None = None, *, hardware: bool = True
) -> Study:
    """The study that flags describe, on top of a study's file where one is given; raise Refused."""
    if asked.phase == "train":
        raise Refused(Problem("cli.train"))
    no_work = asked.study is None and asked.model is None and asked.quick is None
    study = (without if without and no_work else Study()) if asked.study is None else read_study(asked.study)
    study = replace(study, workload=workload_of(asked, study.workload, catalogue))
    study = _with_model(study, asked, catalogue)
    study = _with_hardware(study, asked, catalogue)
    if asked.model or asked.quick or asked.hardware:  # the name told of other work
        study = replace(study, name="")
    check(study, catalogue)
    if hardware and not any(e.visible for e in study.hardware):
        raise Refused(Problem("cli.no_hardware"))
    if not study.active_model and not any(o.enabled for o in study.operators):
        raise Refused(Problem("cli.no_work"))
    return study


def workload_of(asked: argparse.Namespace, work: Workload, catalogue: "Catalogue") -> Workload:
    given = {n: v for n, v in vars(asked).items() if n in Workload.__struct_fields__ and v is not None}
    return with_format_ids(replace(work, **given), catalogue)


def _with_model(study: Study, asked: argparse.Namespace, catalogue: "Catalogue") -> Study:
    from explorer.files.typed.arguments import named_model, quick_model_from

    if asked.model and asked.quick:
        raise Refused(Problem("cli.two_models"))
    if asked.quick:
        quick = with_format_ids(quick_model_from(asked.quick), catalogue)
        entry = ModelEntry(id="quick", name="quick model", source="typed", quick=quick)
    elif asked.model:
        entry = named_model(asked.model, study, catalogue)
    elif asked.file_bytes is not None and (active := active_entry(study)) is not None:
        entry = active
    else:
        return study
    if asked.file_bytes is not None:
        entry = with_file_size(entry, asked.file_bytes)
    others = tuple(m for m in study.models if m.id != entry.id)
    return replace(study, models=(*others, entry), active_model=entry.id)


def _with_hardware(study: Study, asked: argparse.Namespace, catalogue: "Catalogue") -> Study:
    if asked.hardware:
        from explorer.files.typed.arguments import named_devices

        entries = named_devices(asked.hardware, study, catalogue)
        study = replace(study, hardware=entries, view=replace(study.view, active_hardware=entries[0].id))
    if asked.devices is not None:
        study = replace(study, hardware=tuple(replace(e, count=asked.devices) for e in study.hardware))
    return study


def check(study: Study, catalogue: "Catalogue") -> None:
    if problems := study_problems(study, catalogue):
        raise Refused(*problems)


def evaluated(study: Study, catalogue: "Catalogue") -> "Evaluation":
    """The study's evaluation, by the window's own code; a fault of any part is refused here."""
    evaluation = evaluation_of(study, catalogue)
    if evaluation.problems:
        raise Refused(*evaluation.problems)
    return evaluation


def in_phase(asked: argparse.Namespace, evaluation: "Evaluation") -> "Evaluation":
    """The evaluation, unless it is of another phase than the one asked for; raise Refused."""
    model = evaluation.model
    if asked.phase and model is not None and asked.phase not in model.phases:
        raise Refused(Problem("model.no_decode", "workload.phase", {"model": model.name}))
    return evaluation


def evaluation_of(study: Study, catalogue: "Catalogue") -> "Evaluation":
    from explorer.analysis.step.evaluate import evaluate

    return evaluate(study, catalogue)
