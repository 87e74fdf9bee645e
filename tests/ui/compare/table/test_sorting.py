"""A click on a title puts the best first, one more the other way round, the third goes back."""

import pytest

from explorer.ui.compare.table.sorting import next_sort


@pytest.mark.parametrize(
    ("figure", "orders"),
    [
        ("at_least", ("at_least", "-at_least", "")),
        ("in_all", ("-in_all", "in_all", "")),
        ("year", ("-year", "year", "")),
    ],
)
def test_three_clicks(figure: str, orders: tuple[str, ...]) -> None:
    found, current = [], "ridge"
    for _ in range(3):
        current = next_sort(figure, current, "machines")
        found.append(current)
    assert tuple(found) == orders
