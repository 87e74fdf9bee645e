from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.views.memory_bar import MemoryView, fit_batch, memory_view
from tests.presentation.llama import KV_SEQUENCE, WEIGHTS, device, evaluated


def shown(*devices: object, look: Look = ENGLISH, **work: object) -> MemoryView:
    evaluation = evaluated(*devices, **work)  # type: ignore[arg-type]
    active = evaluation.devices[0]
    return memory_view(evaluation, active, fit_batch(evaluation, active), look)


def test_the_bar_holds_weights_kv_and_reserve() -> None:
    view = shown(reserve=1e9)
    assert [(s.part, s.size) for s in view.segments] == [
        ("weights", WEIGHTS),
        ("kv", 8 * KV_SEQUENCE),
        ("reserve", 1e9),
    ]
    assert view.held == WEIGHTS + 8 * KV_SEQUENCE + 1e9


def test_words_name_what_is_held_of_what_and_the_largest_batch() -> None:
    view = shown()
    assert (view.title, view.fit_text, view.over) == ("Memory 20.4 of 80.0 GB", "fits up to batch 119", False)
    assert [s.text for s in view.segments] == ["weights 16.1 GB", "KV 4.29 GB"]


def test_binary_units_are_the_users_choice() -> None:
    assert shown(look=Look(unit="GiB")).title == "Memory 19.0 of 74.5 GiB"


def test_what_does_not_fit_says_so_and_what_would() -> None:
    assert (shown(batch=200).over, shown(batch=200).fit_text) == (True, "fits only up to batch 119")
    assert shown(device(capacity=10e9)).fit_text == "the weights alone do not fit"
    assert shown(phase="prefill", batch=4096).fit_text.endswith("too much")
    assert shown(phase="prefill").fit_text == "fits"


def test_a_capacity_not_known_is_said() -> None:
    view = shown(device(capacity=None))
    assert (view.title, view.fit_text, view.over) == ("Memory 20.4 GB, capacity not known", "", False)
