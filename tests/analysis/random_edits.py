"""Random studies of a model with rows of the user's own, and one random edit after the other."""

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.kinds import Dim, OperatorKind
from explorer.analysis.study.edit_rows import change_row, insert_rows, override_row, remove_rows
from explorer.analysis.study.edits import add_hardware
from explorer.analysis.study.study import FittedRoof, OwnRow, Study
from explorer.files.study.examples import opening_study

KINDS = ("matmul", "copy", "relu", "reduction", "unknown", "mine")
FORMATS = (None, "bf16", "fp8", "int4", "nonsense")
MINE = OperatorKind(
    id="mine",
    unit="vector",
    dims=(Dim(name="x", default=4.0),),
    flops="x * 2",
    bytes_read="a * x / (x - 3)",
    bytes_written="o * x",
)


def some_rows(rng: Random, count: int) -> tuple[OwnRow, ...]:
    return tuple(_row(rng, i) for i in range(count))


def _row(rng: Random, i: int) -> OwnRow:
    kind = rng.choice(KINDS)
    if kind == "matmul":
        dims = {n: float(rng.randint(1, 4096)) for n in rng.sample("mnk", rng.randint(0, 3))}
    else:
        dims = {"x": float(rng.randint(1, 6))} if kind == "mine" else {"values": float(rng.randint(0, 10**8))}
    return OwnRow(
        id=f"row-{i}",
        name=f"row {i}",
        kind=kind,
        dims=dims,
        count=float(rng.choice((1, 1, 3, 32))),
        weights=rng.choice(FORMATS),
        activations=rng.choice(FORMATS[:4]),
        fused=rng.random() < 0.1,
        enabled=rng.random() < 0.9,
    )


def edited(study: Study, rng: Random, catalogue: Catalogue) -> Study:
    """The study after one edit of some sort."""
    work = study.workload
    ids = [o.id for o in study.operators]
    edits = (
        lambda: replace(study, workload=replace(work, batch=rng.randint(1, 300))),
        lambda: replace(study, workload=replace(work, context=rng.randint(1, 9000))),
        lambda: replace(study, workload=replace(work, weights=rng.choice((None, "fp8", "int4")))),
        lambda: replace(study, workload=replace(work, kv=rng.choice((None, "fp8")))),
        lambda: replace(study, workload=replace(work, launch=rng.choice(("graph", "eager")))),
        lambda: replace(study, workload=replace(work, phase=rng.choice(("prefill", "decode")))),
        lambda: change_row(study, rng.choice(ids), count=float(rng.randint(1, 9))) if ids else study,
        lambda: change_row(study, rng.choice(ids), kind=rng.choice(KINDS), dims={}) if ids else study,
        lambda: remove_rows(study, set(rng.sample(ids, min(3, len(ids))))),
        lambda: insert_rows(study, some_rows(rng, rng.randint(1, 4)), (), rng.choice(ids) if ids else ""),
        lambda: replace(study, operators=tuple(rng.sample(study.operators, len(study.operators)))),
        lambda: replace(study, active_model="" if study.active_model else study.models[0].id),
        lambda: override_row(study, "lm_head", weights=rng.choice((None, "fp8"))),
        lambda: add_hardware(study, rng.choice(catalogue.devices)) if len(study.hardware) < 5 else study,
        lambda: replace(study, hardware=study.hardware[1:]) if len(study.hardware) > 1 else study,
        lambda: replace(study, hardware=tuple(replace(e, count=rng.randint(1, 8)) for e in study.hardware)),
        lambda: replace(study, hardware=(replace(study.hardware[0], fitted=_fit(rng)), *study.hardware[1:])),
        lambda: replace(study, kinds=() if study.kinds else (MINE,)),
        lambda: replace(study, view=replace(study.view, per_value=not study.view.per_value)),
    )
    return rng.choice(edits)()


def _fit(rng: Random) -> FittedRoof:
    return FittedRoof(bandwidth=rng.uniform(1e11, 2e12), peak=1e14, format="bf16", per_kernel_s=1e-6)


def history(seed: int, catalogue: Catalogue, *, rows: int, steps: int) -> Iterator[Study]:
    """A study and its states after every edit."""
    rng = Random(seed)  # noqa: S311 - no secret
    study = replace(opening_study(), operators=some_rows(rng, rows), kinds=(MINE,))
    yield study
    for _ in range(steps):
        study = edited(study, rng, catalogue)
        yield study
