import json
from pathlib import Path

import pytest

import explorer
from explorer.analysis.step.evaluate import evaluate
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import example_path, opening_study
from explorer.presentation.answer.json_result import evaluation_json

QUICK = {"params": 13e9, "layers": 32, "kv_heads": 32, "head_dim": 128}
FIRST = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}


def test_an_evaluation_is_that_of_the_program() -> None:
    expected = evaluation_json(evaluate(opening_study(), load_catalogue()))
    assert explorer.as_json(explorer.evaluate(opening_study())) == expected
    assert explorer.as_json(example_path("llama-8b-decode")) == expected
    assert json.loads(json.dumps(expected)) == expected


def test_the_figures_have_the_names_shapes_and_units_that_are_told() -> None:
    evaluation = explorer.evaluate(opening_study())
    active = evaluation.active
    assert active is not None
    assert len(active.points) == len(active.shares) == len(evaluation.rows)
    assert sum(active.shares) == pytest.approx(1)
    assert sum(p.total_s for p in active.points) == pytest.approx(active.totals.time_s)
    assert active.totals.floor_s <= active.totals.time_s
    assert active.totals.tokens_per_s == pytest.approx(opening_study().workload.batch / active.totals.floor_s)
    point = active.points[0]
    assert point.costs.flops / point.bytes == pytest.approx(point.intensity)


@pytest.mark.parametrize("form", FIRST)
def test_a_picture_comes_as_bytes_and_goes_into_a_file_of_any_form(form: str, qapp: object, tmp_path: Path) -> None:
    picture = explorer.render(opening_study(), form=form)  # type: ignore[arg-type]
    assert picture.startswith(FIRST[form])
    path = tmp_path / f"figure.{form.upper()}"
    assert explorer.render(explorer.evaluate(opening_study()), path) == path.read_bytes()
    assert path.read_bytes().startswith(FIRST[form])


@pytest.mark.parametrize("view", ["roofline", "chart", "time", "decode", "memory"])
def test_every_view_of_the_command_line_can_be_drawn(view: str, qapp: object) -> None:
    pictures = {explorer.render(opening_study(), view=view, theme=theme) for theme in ("light", "dark")}
    assert len(pictures) == 2


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"view": "x"}, "There is no view “x”"),
        ({"form": "gif"}, ".gif"),
        ({"file": "x.gif"}, ".gif"),
        ({"theme": "pink"}, "There is no theme “pink”; take light or dark."),
        ({"size": (1, 2)}, "each side must have 200"),
        ({"size": 1600}, "1600 is no width and height"),
        ({"scale": "big"}, "The scale is a number"),
        ({"scale": float("nan")}, "at scale nan"),
        ({"file": "/none/such/x.png"}, "x.png cannot be written"),
    ],
)
def test_a_picture_that_cannot_be_is_refused_in_words(
    more: dict[str, object], said: str, qapp: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(explorer.InputError) as refused:
        explorer.render(opening_study(), **more)  # type: ignore[arg-type]
    assert said in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_a_study_that_says_nothing_is_refused() -> None:
    with pytest.raises(explorer.InputError, match="shows no device"):
        explorer.evaluate(explorer.new_study(QUICK))
    with pytest.raises(explorer.InputError, match="neither a model nor operators"):
        explorer.render(explorer.new_study(hardware="H100 SXM5"))


def test_another_catalogue_may_judge_a_study() -> None:
    catalogue = load_catalogue(devices=False)
    assert explorer.evaluate(opening_study(), catalogue).catalogue is catalogue


def test_a_model_tells_what_it_holds() -> None:
    model = explorer.model("gpt-oss-120b")
    assert model.parameters == 116829156672
    assert model.active_parameters < model.parameters / 10
    assert sum(len(layer.indices) for layer in model.layers) == 36
