"""Points put where a test wants them: an operator kind whose FLOPs and bytes are its dims, round devices."""

from explorer.analysis.catalogue.device import Device, LaunchOverhead, MemoryLevel, Peak, Source
from explorer.analysis.catalogue.kinds import Dim, OperatorKind
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import HardwareEntry, Measurement, OwnRow, Study, View, Workload
from tests.presentation.llama import catalogue

KIND = OperatorKind(
    id="made", en="Made", dims=(Dim(name="f"), Dim(name="b")), flops="f", bytes_read="b", bytes_written="0"
)
Placed = tuple[str, float, float, float]  # name, FLOPs, bytes, calls


def device(
    name: str = "Dev", *, level: str = "HBM3", source: str = "", kind: str = "", launch: float | None = None
) -> Device:
    """1 TB/s and 100 TFLOP/s: the ridge stands at 100 FLOP/byte."""
    return Device(
        id=name.lower(),
        name=name,
        vendor="Test",
        peaks=tuple(
            Peak(format=f, accumulate="fp32", unit=u, rate=1e14, source=source)  # type: ignore[arg-type]
            for f, u in (("bf16", "tensor"), ("fp32", "vector"))
        ),
        memory=(MemoryLevel(level=level, capacity=80e9, bandwidth=1e12, source=source),),
        launch_overhead=None if launch is None else LaunchOverhead(seconds=launch),
        sources={source: Source(kind=kind)} if source and kind else {},  # type: ignore[arg-type]
    )


def placed(
    *rows: Placed,
    on: tuple[Device, ...] = (),
    view: View | None = None,
    measurements: tuple[Measurement, ...] = (),
    **work: object,
) -> Evaluation:
    hardware = tuple(HardwareEntry(id=d.id, device=d) for d in on or (device(),))
    operators = tuple(
        OwnRow(id=str(i), name=name, kind="made", dims={"f": flops, "b": moved}, count=calls)
        for i, (name, flops, moved, calls) in enumerate(rows)
    )
    study = Study(
        hardware=hardware,
        kinds=(KIND,),
        operators=operators,
        workload=Workload(**work),  # type: ignore[arg-type]
        view=view or View(),
        measurements=measurements,
    )
    return evaluate(study, catalogue())
