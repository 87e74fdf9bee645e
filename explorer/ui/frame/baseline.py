"""The device that ratios are to changes places with the one that the answer speaks of."""

from explorer.ui.session import Session


def swap_baseline(session: Session) -> bool:
    """Swap them; where they are one, the next visible device is the active one then. False where there is no other."""
    evaluation, view = session.state.evaluation, session.state.view
    active = evaluation.active
    if active is None:
        return False
    shown = [device.entry.id for device in evaluation.devices if device.entry.visible]
    place = shown.index(active.entry.id) if active.entry.id in shown else -1
    others = [ident for ident in (*shown[place + 1 :], *shown[: max(place, 0)]) if ident != active.entry.id]
    other = view.baseline if view.baseline in others else next(iter(others), None)
    if other is None:
        return False
    session.store.set_view(active_hardware=other, baseline=active.entry.id)
    return True
