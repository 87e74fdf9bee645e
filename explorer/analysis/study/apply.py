"""What an edit makes of a study; one that speaks of a part which the study lacks leaves it as it is."""

from msgspec import UNSET
from msgspec.structs import asdict, replace

from explorer.analysis.study.scale import scaled
from explorer.analysis.study.study import Study, Workload
from explorer.analysis.study.variant import Edit, ScaleDevice, SetBatch, SetCount, SetFormats, SetWorkload, UseModel


def applied(study: Study, edit: Edit) -> Study:
    """The study under an edit; pure."""
    match edit:
        case SetWorkload():
            given = {k: v for k, v in asdict(edit).items() if v is not None}
            return replace(study, workload=replace(study.workload, **given))
        case SetBatch():
            return replace(study, workload=replace(study.workload, batch=edit.batch))
        case SetFormats():
            return replace(study, workload=in_formats(study.workload, edit))
        case ScaleDevice():
            return _scaled(study, edit)
        case SetCount():
            return _counted(study, edit)
        case UseModel():
            return _with_model(study, edit.model)


def in_formats(work: Workload, edit: SetFormats) -> Workload:
    """The work in other formats."""
    return replace(
        work,
        weights=work.weights if edit.weights is UNSET else edit.weights,
        activations=work.activations if edit.activations is UNSET else edit.activations,
        kv=work.kv if edit.kv is UNSET else edit.kv,
    )


def _scaled(study: Study, edit: ScaleDevice) -> Study:
    if all(e.id != edit.device for e in study.hardware):
        return study
    hardware = (
        replace(e, device=scaled(e.device, edit.figure, edit.factor)) if e.id == edit.device else e
        for e in study.hardware
    )
    return replace(study, hardware=tuple(hardware))


def _counted(study: Study, edit: SetCount) -> Study:
    if all(e.id != edit.device for e in study.hardware):
        return study
    hardware = (replace(e, count=edit.count) if e.id == edit.device else e for e in study.hardware)
    return replace(study, hardware=tuple(hardware))


def _with_model(study: Study, model_id: str) -> Study:
    if model_id == study.active_model or all(m.id != model_id for m in study.models):
        return study
    return replace(study, active_model=model_id, overrides=())
