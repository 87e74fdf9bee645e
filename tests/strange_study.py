"""A study whose every text is a stranger's."""

from msgspec.structs import replace

from explorer.analysis.catalogue.device import Origin, Source
from explorer.analysis.catalogue.kinds import Dim, OperatorKind
from explorer.analysis.study.study import FittedRoof, HardwareEntry, Measurement, OwnRow, Study
from explorer.files.study.examples import opening_study


def strange_study(name: str, odd: str = "") -> Study:
    """The example of the first frame with `name` wherever a name stands, and `odd` where any text may stand."""
    odd = odd or name
    study = opening_study()
    one, two, *_ = (e.id for e in study.hardware)
    kind = OperatorKind(
        id=f"K {name}", en=f"E {name}", zh=odd, dims=(Dim(name="m", default=64.0, en=odd, zh=odd),), note=odd,
        flops="2 * m", bytes_read="a * m", bytes_written="o * m",
    )  # fmt: skip
    return replace(
        study,
        name=f"S {name}",
        notes=f"N {odd}",
        hardware=tuple(_entry(e, i, name, odd) for i, e in enumerate(study.hardware)),
        models=tuple(replace(m, name=f"M {name}", source=odd) for m in study.models),
        operators=(
            OwnRow(id="o1", name=name, kind="matmul"),
            OwnRow(id="o2", name=f"O {name}", kind="matmul", dims={"m": 512.0}),
            OwnRow(id="o3", name=f"P {name}", kind=kind.id),
        ),
        kinds=(kind,),
        measurements=(
            Measurement(id="m1", name=name, device=one, time_s=7e-3, source=odd, tool=odd),
            Measurement(id="m2", name=f"Z {name}", device=one, row=f"O {name}", time_s=1e-3, source=odd),
            Measurement(
                id="m3", name=f"C {name}", device=two, time_s=1e-3, flops=1e9, bytes=1e6, format="bf16",
                memory_busy=0.4, compute_busy=0.2, total_s=1e-2, calls=10, tool=odd, source=odd,
            ),
        ),
    )  # fmt: skip


def _entry(entry: HardwareEntry, i: int, name: str, odd: str) -> HardwareEntry:
    device = entry.device
    memory = tuple(replace(m, level=f"L{j} {name}"[:100], note=odd) for j, m in enumerate(device.memory))
    device = replace(
        device, name=f"D{i} {name}", short=f"d{i} {name}", vendor=f"V {name}", form=odd, note=odd, memory=memory,
        links=tuple(replace(k, name=f"I{j} {name}", note=odd) for j, k in enumerate(device.links)),
        peaks=tuple(replace(p, note=odd) for p in device.peaks),
        sources={k: replace(s, title=odd, note=odd) if isinstance(s, Source) else s for k, s in device.sources.items()},
        origins={k: replace(o, note=odd) if isinstance(o, Origin) else o for k, o in device.origins.items()},
    )  # fmt: skip
    roof = FittedRoof(bandwidth=3e12, peak=5e14, format="bf16", rows=3, source=odd) if i == 0 else None
    return replace(entry, device=device, fitted=roof)
