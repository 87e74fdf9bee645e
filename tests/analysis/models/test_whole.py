"""Every family's small config as a whole, and with each of its fields changed, as counted when it was checked."""

import json
from typing import Any

import pytest

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.models import build_model
from tests.analysis.models.conftest import CONFIGS
from tests.analysis.models.whole import TABLE, TRIED, changes, figures, files, held, outcome

EXPECTED: dict[str, Any] = json.loads(TABLE.read_text("utf-8"))


def test_every_small_config_has_its_figures() -> None:
    assert EXPECTED.keys() == CONFIGS.keys()


@pytest.mark.parametrize("model_type", CONFIGS)
def test_a_family_keeps_its_figures(model_type: str, catalogue: Catalogue) -> None:
    found = json.loads(json.dumps(figures(build_model({"model_type": model_type, **CONFIGS[model_type]}), catalogue)))
    assert found == {name: value for name, value in EXPECTED[model_type].items() if name not in TRIED}


@pytest.mark.parametrize("model_type", CONFIGS)
def test_each_field_of_a_family_means_what_it_meant(model_type: str, catalogue: Catalogue) -> None:
    config = {"model_type": model_type, **CONFIGS[model_type]}
    assert {name: outcome(changed, catalogue) for name, changed in changes(config)} == EXPECTED[model_type]["changed"]


@pytest.mark.parametrize("model_type", CONFIGS)
def test_a_file_of_a_family_reaches_the_rows_it_reached(model_type: str) -> None:
    model = build_model({"model_type": model_type, **CONFIGS[model_type]})
    assert {name: held(model, summary) for name, summary in files(model)} == EXPECTED[model_type]["files"]
