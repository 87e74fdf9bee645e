"""Every painter draws what the kept sheets say; see `sheets.py` for how to renew them."""

import pytest

from tests.plot.sheets import FOLDER, SHEETS, drawn, lines

pytestmark = pytest.mark.usefixtures("qapp")
NEAR = 0.11  # pixels


def parts(line: str) -> list[list[float | str]]:
    """The fields of a line; those of numbers alone as numbers."""
    return [[number(word) for word in field.split(" ")] for field in line.split(" | ")]


def number(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word


def alike(one: str, other: str) -> bool:
    """Whether two lines say the same, places within a tenth of a pixel."""
    words = [[word for field in parts(line) for word in field] for line in (one, other)]
    return len(words[0]) == len(words[1]) and all(
        a == b or (isinstance(a, float) and isinstance(b, float) and abs(a - b) < NEAR)
        for a, b in zip(*words, strict=True)
    )


@pytest.mark.parametrize("name", SHEETS)
def test_what_is_drawn_is_what_the_sheet_says(name: str) -> None:
    wanted = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    found = lines(drawn(name))
    other = [(w, f) for w, f in zip(wanted, found, strict=False) if not alike(w, f)]
    assert not other, f"{len(other)} lines differ, first:\nwanted {other[0][0]}\nfound  {other[0][1]}"
    assert len(found) == len(wanted)


def test_every_sheet_that_is_kept_is_drawn() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(SHEETS)
