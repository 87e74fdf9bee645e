"""An encoder in the window: prefill is shown, and the switch says why there is no decode."""

import pytest

from explorer.analysis.study.study import ModelEntry
from explorer.app import make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.ui.settings import Settings
from tests.cli.test_encoders import BERT


@pytest.fixture
def window(qapp, qtbot):
    made = make_window(opening_study(), Settings())
    made.take_catalogue(load_catalogue())
    made.show()
    qtbot.waitExposed(made)
    return made


def choose(window, model_id: str) -> None:
    window.session.store.edit("Choose model", active_model=model_id)


def test_an_encoder_shows_prefill_and_a_decoder_its_decode_again(window):
    store = window.session.store
    first = store.study.active_model
    assert store.study.workload.phase == "decode"
    store.edit("Add", models=(*store.study.models, ModelEntry(id="bert", name="bert", config=BERT)))
    choose(window, "bert")
    assert window.session.state.study.workload.phase == "prefill"
    assert window.session.state.evaluation.rows
    assert window.header.phases.buttons["prefill"].isChecked()
    assert not window.header.phases.buttons["decode"].isEnabled()
    assert "no decode" in window.header.phases.buttons["decode"].toolTip()
    assert not window.actions_by_name["decode"].isEnabled()
    store.set_view(per_value=True)
    assert window.session.state.study.workload.phase == "prefill"
    choose(window, first)
    assert window.session.state.study.workload.phase == "decode"
    assert window.header.phases.buttons["decode"].isEnabled()
    assert window.header.phases.buttons["decode"].toolTip() == ""
    assert window.actions_by_name["decode"].isEnabled()
