"""Every column of the tables of measurements and models."""

import pytest
from msgspec.structs import replace

from explorer.analysis.ask.compare import ModelFigures
from explorer.analysis.measured.gap import gaps
from explorer.analysis.problem import Refused
from explorer.analysis.step.expand import built_model
from explorer.analysis.study.study import Measurement, ModelEntry, QuickModel, Study
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.tables.measurement_columns import (
    MeasurementRow,
    measurement_columns,
    measurement_rows,
    of_text,
)
from explorer.presentation.tables.model_columns import ModelRow, model_columns, model_rows, parameters
from explorer.presentation.words.messages import render
from tests.presentation.llama import CONFIG, catalogue
from tests.presentation.llama import study as llama
from tests.presentation.roofline.made import device, placed

MEASURED = """\
measurement|Measurement||left|name|shown|text
of|Of||left|plain|shown|format
on|On||left|plain|shown|format
measured_s|Measured|s|right|plain|shown|text
bound_s|Bound|s|right|plain|shown|
waits|Waits for||left|pill|shown|
efficiency|Efficiency||right|bar|shown|
verdict|Verdict||left|plain|shown|
measured_rate|Tokens/s|tokens/s|right|plain|shown|text
of_model|Model||left|muted|shown|format
phase|Phase||left|muted|shown|format
batch|Batch||right|plain|shown|text
context|Context||right|plain|shown|text
quartiles|Middle half||right|plain|hidden|
runs|Runs||right|plain|hidden|
file_size|File|B|right|plain|hidden|text
measured_flops|FLOPs|FLOP|right|plain|hidden|
measured_bytes|Bytes|B|right|plain|hidden|
measured_by|Source||left|muted|shown|text"""
MODELS = """\
active|Active||left|mark|shown|check
model|Model||left|name|shown|text
type|Type||left|muted|shown|
parameters|Parameters||right|plain|shown|
active_parameters|Active per token||right|plain|shown|
weights_size|Weights size|B|right|plain|shown|text
kv_per_token|KV per token|B|right|plain|shown|
kv_at_context|KV per token at context|B|right|plain|shown|
floor|At least|s|right|plain|shown|
as_routed|As routed|s|right|plain|shown|
in_all|Tokens/s in all|tokens/s|right|plain|shown|
per_request|Tokens/s per request|tokens/s|right|plain|hidden|
memory|Memory|B|right|plain|shown|
max_context|Max context||right|plain|shown|
rough|Rough||left|muted|shown|
source|Source||left|muted|shown|"""


def looks(columns: object) -> list[str]:
    return [
        f"{c.key}|{c.title()}|{c.unit}|{'right' if c.right else 'left'}|{c.style}|{'shown' if c.shown else 'hidden'}"
        f"|{c.edit or ''}"
        for c in columns  # type: ignore[attr-defined]
    ]


def test_how_every_column_is_shown() -> None:
    assert looks(measurement_columns()) == MEASURED.split("\n")
    assert [c.key for c in measurement_columns() if c.words] == ["of", "waits", "verdict", "phase"]
    assert looks(model_columns(ENGLISH)) == MODELS.split("\n")


def timed(**fields: object) -> Measurement:
    return Measurement(**{"id": "1", "name": "run", "device": "dev", **fields})  # type: ignore[arg-type]


def measured_row(one: Measurement, *, joined: bool = True) -> MeasurementRow:
    case = placed(("up", 1e10, 1e9, 1.0), measurements=(one,))
    found = {g.measurement.id: g for g in gaps(case)} if joined else {}
    (row,) = measurement_rows(case.study, found)
    return row


@pytest.mark.parametrize(
    ("fields", "texts", "editable"),
    [
        (
            {"row": "up", "time_s": 2e-3, "quartiles_s": (1e-3, 3e-3), "runs": 9, "batch": 8, "context": 512,
             "phase": "decode", "source": "lab"},
            "run|up|Dev|2.00 ms|1.00 ms|memory|50.0 %|some room|–|–|decode|8|512|1.00 ms – 3.00 ms|9|–|–|–|lab",
            "measurement of on measured_s phase batch context file_size measured_by",
        ),
        (
            {"time_s": 4e-3, "size_bytes": 5e9},
            "run|whole step|Dev|4.00 ms|1.00 ms|memory|25.0 %|much room|–|–|–|–|–|–|–|5.00 GB|–|–|–",
            "measurement of on measured_s measured_rate of_model phase batch context file_size measured_by",
        ),
        (
            {"time_s": 1.1e-3, "flops": 1e10, "bytes": 1e9},
            (
                "run|counted by the tool|Dev|1.10 ms|1.00 ms|memory|90.9 %|engineering limit|–|–|–|–|–|–|–|–"
                "|10.0 GFLOP|1.00 GB|–"
            ),
            "measurement on measured_s batch context file_size measured_by",
        ),
        (
            {"time_s": 0.5e-3, "bytes": 1e9},
            "run|counted by the tool|Dev|500 µs|1.00 ms|memory|200 %|over the bound|–|–|–|–|–|–|–|–|–|1.00 GB|–",
            "measurement on measured_s batch context file_size measured_by",
        ),
        (
            {"row": "up", "device": "gone", "tokens_per_s": 12.5},
            "run|up|–|–|–|–|–|–|12.5|–|–|–|–|–|–|–|–|–|–",
            "measurement of on measured_s phase batch context file_size measured_by",
        ),
    ],
)  # fmt: skip
def test_what_every_column_says_of_a_measurement(fields: dict[str, object], texts: str, editable: str) -> None:
    row = measured_row(timed(**fields))
    assert [c.text(row) for c in measurement_columns()] == texts.split("|")
    assert " ".join(c.key for c in measurement_columns() if c.can_edit(row)) == editable


def test_a_measurement_that_waits_for_its_gap_says_what_it_knows() -> None:
    row = measured_row(timed(row="up", time_s=2e-3), joined=False)
    texts = {c.key: c.text(row) for c in measurement_columns()}
    assert (texts["measured_s"], texts["bound_s"], texts["waits"], texts["verdict"]) == ("2.00 ms", "–", "–", "–")
    assert all(c.tip(row) is None for c in measurement_columns())


def test_a_gap_of_another_measurement_is_not_taken() -> None:
    case = placed(("up", 1e10, 1e9, 1.0), measurements=(timed(row="up", time_s=2e-3),))
    (found,) = gaps(case)
    changed = replace(case.study, measurements=(timed(row="up", time_s=4e-3),))
    (row,) = measurement_rows(changed, {"1": found})
    assert row.gap is None


def test_the_tip_of_a_verdict_is_the_gap_in_sentences() -> None:
    row = measured_row(timed(row="up", time_s=2e-3))
    (tip,) = [t for c in measurement_columns() if (t := c.tip(row)) is not None]
    assert render(tip).split("\n")[0] == "up took 2.00 ms on Dev; its bound is 1.00 ms."
    assert len(render(tip).split("\n")) == 2


def test_a_measurement_names_its_device_and_model() -> None:
    base = llama(device("One"), device("Two"))
    twin = replace(base.hardware[1], id="second", device=base.hardware[0].device)
    study = replace(
        base,
        hardware=(replace(base.hardware[0], id="first"), twin),
        measurements=(
            timed(id="a", device="first"),
            timed(id="b", device="second", model="llama"),
            timed(id="c", device="one", model="gone"),
            timed(id="d", device="", row="up_proj"),
        ),
    )
    found = measurement_rows(study, {})
    assert [(r.key, r.device, r.model) for r in found] == [
        ("a", "One", "Llama-3.1-8B"),
        ("b", "One (2)", "Llama-3.1-8B"),
        ("c", "One", "gone"),
        ("d", "", "Llama-3.1-8B"),
    ]
    column = next(c for c in measurement_columns() if c.key == "of_model")
    assert [column.text(r) for r in found] == ["Llama-3.1-8B", "Llama-3.1-8B", "gone", "–"]


def test_what_was_timed_in_words() -> None:
    assert [of_text(v) for v in (None, "", "step", "counted", "up")] == [
        "–", "–", "whole step", "counted by the tool", "up"
    ]  # fmt: skip


FORMATS = catalogue().format_by_id
FIGURES = ModelFigures(
    floor_s=9.65e-3, tokens_per_s=829.0, tokens_per_s_per_request=104.0, memory_bytes=20.4e9, fits=True
)


def models(*entries: ModelEntry, figures: ModelFigures | None = None, **work: object) -> tuple[ModelRow, ...]:
    base = llama(**work)  # type: ignore[arg-type]
    return model_rows(
        replace(base, models=(*base.models, *entries)), FORMATS, None if figures is None else {"llama": figures}
    )


def said(row: ModelRow, look: Look = ENGLISH) -> list[str]:
    return [c.text(row) for c in model_columns(look)]


def test_what_every_column_says_of_a_model() -> None:
    (row,) = models(figures=FIGURES)
    assert said(row) == [
        "✓", "Llama-3.1-8B", "llama", "8.03B", "8.03B", "16.1 GB", "131 kB", "131 kB", "9.65 ms", "–", "829", "104",
        "20.4 GB", "131,072", "", "–",
    ]  # fmt: skip
    gib = said(row, Look(unit="GiB"))
    assert (gib[5], gib[6], gib[12]) == ("15.0 GiB", "128 KiB", "19.0 GiB")
    assert all(c.tip(row) is None for c in model_columns(ENGLISH))
    assert [c.key for c in model_columns(ENGLISH) if c.can_edit(row)] == ["active", "model", "weights_size"]
    (narrow,) = models(weights="fp8", kv="fp8")
    assert said(narrow)[5:13] == ["9.08 GB", "65.5 kB", "65.5 kB", "–", "–", "–", "–", "–"]


def test_a_mixture_has_its_step_as_routed_beside_the_least_and_says_whose_the_rates_are() -> None:
    (row,) = models(figures=FIGURES._replace(routed_s=17.2e-3))
    shown = dict(zip([c.key for c in model_columns(ENGLISH)], said(row), strict=True))
    assert (shown["floor"], shown["as_routed"]) == ("9.65 ms", "17.2 ms")
    tips = {c.key: render(t) for c in model_columns(ENGLISH) if (t := c.tip(row)) is not None}
    told = "With the experts that the workload's routing reads, random unless a skew is set."
    assert tips == dict.fromkeys(("as_routed", "in_all", "per_request"), told)


def test_a_step_that_does_not_fit_says_so_at_its_memory() -> None:
    (row,) = models(figures=FIGURES._replace(fits=False))
    tips = {c.key: render(t) for c in model_columns(ENGLISH) if (t := c.tip(row)) is not None}
    assert tips == {"memory": "More than the active device holds."}
    (unknown,) = models(figures=FIGURES._replace(fits=None))
    assert all(c.tip(unknown) is None for c in model_columns(ENGLISH))


def test_quick_models_are_rough_and_refused_ones_say_why() -> None:
    quick = ModelEntry(
        id="q", name="Quick", source="by hand", quick=QuickModel(params=1e9, layers=2, kv_heads=1, head_dim=4)
    )
    refused = ModelEntry(id="r", name="Odd", config={"model_type": "nope"})
    plain, rough, odd = models(quick, refused)
    assert plain.active
    assert said(rough) == [
        "", "Quick", "quick", "1.00B", "1.00B", "2.00 GB", "32.0 B", "32.0 B", *["–"] * 6, "✓", "by hand"
    ]  # fmt: skip
    tips = {c.key: render(t) for c in model_columns(ENGLISH) if (t := c.tip(rough)) is not None}
    assert tips == dict.fromkeys(("model", "rough"), "Known by six figures only: weights and KV cache, nothing else.")
    assert said(odd) == ["", "Odd", "nope", *["–"] * 11, "", "–"]
    why = {render(t) for c in model_columns(ENGLISH) if (t := c.tip(odd)) is not None}
    assert len(why) == 1
    assert "The model type" in why.pop()
    nameless = ModelEntry(id="n", name="N", config={k: v for k, v in CONFIG.items() if k != "model_type"})
    (row,) = model_rows(Study(models=(nameless,)), FORMATS)
    assert said(row)[2] == "–"


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), ("x", "–"), (999.6e9, "1.00T"), (999.4e9, "999B"), (999.6e6, "1.00B"), (999.4e6, "999M"),
     (999.6e3, "1.00M"), (999.4e3, "999,400"), (1e12, "1.00T"), (12.5, "12.5")],
)  # fmt: skip
def test_a_number_of_parameters_at_its_edges(value: float | str | None, text: str) -> None:
    assert parameters(value) == text


def test_of_a_model_with_several_faults_the_first_is_told() -> None:
    odd = ModelEntry(id="odd", name="Odd", config={"model_type": "llama", "hidden_size": "x", "num_hidden_layers": "y"})
    with pytest.raises(Refused) as refused:
        built_model(odd)
    assert len(refused.value.problems) > 1
    row = models(odd)[-1]
    assert row.problem == refused.value.problems[0]
