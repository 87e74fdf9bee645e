"""Which subjects a chart draws where there are more than it has room for."""

from msgspec.structs import replace

from explorer.analysis.ask.comparison.drawn import drawn_subjects
from tests.plot.drawing import H100, decode_study, device, evaluated

SLOW = tuple(device(f"Slow {i}", 1e14, 1e12 + i * 1e9) for i in range(7))
FAST = device("Fast", 2e15, 9e12)


def drawn(*devices: object, most: int = 3, baseline: str = "") -> tuple[list[str], list[str]]:
    study = decode_study(*devices, batch=1, context=1024)  # type: ignore[arg-type]
    entries = {e.device.name: e.id for e in study.hardware}
    found = drawn_subjects(
        evaluated(replace(study, view=replace(study.view, baseline=entries.get(baseline, "")))), most
    )
    names = {e.id: e.device.name for e in study.hardware}
    return [names[s.key] for s in found.subjects], [names[s.key] for s in found.more]


def test_baseline_and_fastest_are_drawn_however_many_there_are() -> None:
    shown, more = drawn(H100, *SLOW, FAST)
    assert shown == [H100.name, "Fast", "Slow 0"]
    assert more == [d.name for d in SLOW[1:]]
    shown, _ = drawn(H100, *SLOW, FAST, baseline="Slow 5")
    assert shown == ["Slow 5", "Fast", H100.name]


def test_where_all_are_drawn_they_stand_in_the_order_of_the_study() -> None:
    assert drawn(H100, *SLOW[:2], FAST, most=4) == ([H100.name, "Slow 0", "Slow 1", "Fast"], [])
