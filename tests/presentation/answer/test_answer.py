"""A verdict where launches are unknown says so, in the lead, the tables and the gains; else nothing is said of them."""

import pytest
from msgspec.structs import replace

from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import HardwareEntry
from explorer.presentation.answer.answer import answer, plain_text, rich_text, without_marks
from explorer.presentation.answer.lever_texts import lever_texts
from explorer.presentation.slide.finding import finding
from explorer.presentation.tables.device_columns import comparison_columns, device_rows
from explorer.presentation.tables.operator_columns import columns_on
from explorer.report.console import evaluation_text
from tests.presentation.llama import CONFIG, catalogue, device, study

EXPERTS = {**CONFIG, "model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 2}


def bare(name: str) -> HardwareEntry:
    return on(name, known=False)


def on(name: str, *, known: bool = True) -> HardwareEntry:
    made = device(name)
    plain = made if known else replace(made, launch_overhead=None)
    return HardwareEntry(id=plain.id, device=plain)


def found(*entries: HardwareEntry, config: dict[str, object] | None = None, launch: str = "eager") -> Evaluation:
    base = study(launch=launch, batch=4)
    models = (replace(base.models[0], config=config or CONFIG),)
    return evaluate(replace(base, hardware=entries, models=models), catalogue())


def lead(*entries: HardwareEntry, launch: str = "eager") -> str:
    return plain_text(answer(found(*entries, launch=launch))[:1])


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ((bare("A"),), "Waiting for memory, launches unknown."),
        ((bare("A"), bare("B")), "Waiting for memory on both devices, launches unknown."),
        ((bare("A"), bare("B"), bare("C"), bare("D")), "Waiting for memory on all 4 devices, launches unknown."),
    ],
)
def test_the_lead_is_hedged(entries: tuple[HardwareEntry, ...], said: str) -> None:
    assert lead(*entries) == said


def test_the_devices_whose_launches_are_unknown_are_named() -> None:
    assert lead(on("A"), bare("B"), bare("C")).endswith("; launches of B and C unknown.")
    assert lead(on("A"), bare("B")).endswith("; launches of B unknown.")
    assert lead(on("A"), *map(bare, "BCDE")).endswith("; launches of 4 of them unknown.")
    assert "launches of B and C unknown" in rich_text(answer(found(on("A"), bare("B"), bare("C"))))
    assert finding(found(bare("A"))).endswith(", launches unknown")
    assert finding(found(on("A"), bare("B"))).endswith("; launches of B unknown")


@pytest.mark.parametrize("made", [((on("A"),), "eager"), ((bare("A"),), "graph"), ((bare("A"), on("B")), "graph")])
def test_where_nothing_is_unknown_nothing_is_said(made: tuple[tuple[HardwareEntry, ...], str]) -> None:
    entries, launch = made
    evaluation = found(*entries, launch=launch)
    assert "unknown" not in plain_text(answer(evaluation))
    assert "unknown" not in finding(evaluation)
    assert "at most" not in " ".join(without_marks(m) for m in lever_texts(evaluation, entries[0].id))
    assert "unknown" not in " ".join(evaluation_text(evaluation).split())


def test_tables_and_gains_carry_it() -> None:
    evaluation = found(on("A"), bare("B"))
    column = next(c for c in comparison_columns(evaluation) if c.key == "bound")
    known, unknown = (column.text(r) for r in device_rows(evaluation))
    assert "unknown" not in known
    assert unknown == "memory, launches unknown"
    header = {c.key: c.title() for c in columns_on(evaluation.devices[1])}
    assert header["bound"] == "Bound, launches unknown"
    gains = [without_marks(m) for m in lever_texts(evaluation, evaluation.devices[1].entry.id)]
    assert gains
    assert all(" at most " in gain for gain in gains)


def test_the_hint_names_a_file_and_no_command_of_the_window() -> None:
    text = " ".join(evaluation_text(found(bare("A"))).split())
    assert "A hardware file gives one as launch_overhead: {seconds: ...}." in text
    assert "Edit device" not in text
    assert "published" not in text


def test_a_mixtures_pace_is_said_to_be_without_launches() -> None:
    for entry in (on("A"), bare("A")):
        text = plain_text(answer(found(entry, config=EXPERTS)))
        assert "by random routing, without launches (" in text
    assert "without launches" not in plain_text(answer(found(on("A"), config=EXPERTS, launch="graph")))
    titles = {c.key: c.title() for c in comparison_columns(found(on("A"), config=EXPERTS))}
    assert all("without launches" in titles[key] for key in ("routed", "per_request", "in_all"))
