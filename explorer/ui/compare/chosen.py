"""The baseline that was chosen: models and devices have one each, so that neither is forgotten for the other."""

from explorer.analysis.study.study import View
from explorer.ui.session import Session


def chosen_baseline(view: View) -> str:
    """The id of what was chosen among that which varies, "" for the active one."""
    return view.baseline_model if view.vary == "models" else view.baseline


def set_baseline(session: Session, key: str) -> None:
    """Choose a model where these vary, else a device."""
    if session.store.study.view.vary == "models":
        session.store.set_view(baseline_model=key)
    else:
        session.store.set_view(baseline=key)
