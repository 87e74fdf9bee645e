"""Contact sheets: many pictures small on one, by kind, theme and scale, each with its name, for eyes in a hurry."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import Image, ImageDraw

_ACROSS, _DOWN = 3, 3
_WIDE, _HIGH, _GAP, _NAME = 800, 500, 16, 18
_GROUND, _INK = "#808080", "#ffffff"


def contact_sheets(folder: Path) -> int:
    """Write `contact-KIND-THEME-SCALE-N.png` for all pictures in a folder; returns how many."""
    groups: defaultdict[str, list[Path]] = defaultdict(list)
    for path in sorted(folder.glob("*.png")):
        if not path.name.startswith("contact-"):
            kind, *_, theme, scale = path.stem.split("-")
            groups[f"{kind}-{theme}-{scale}"].append(path)
    written = 0
    for name, paths in groups.items():
        for number, some in enumerate(_portions(paths), 1):
            _sheet(some).save(folder / f"contact-{name}-{number}.png", compress_level=3)
            written += 1
    return written


def _portions(paths: Sequence[Path]) -> Iterator[Sequence[Path]]:
    step = _ACROSS * _DOWN
    return (paths[begin : begin + step] for begin in range(0, len(paths), step))


def _sheet(paths: Sequence[Path]) -> Image.Image:
    rows = -(-len(paths) // _ACROSS)
    across, down = _WIDE + _GAP, _HIGH + _GAP + _NAME
    sheet = Image.new("RGB", (across * min(len(paths), _ACROSS) + _GAP, down * rows + _GAP), _GROUND)
    pen = ImageDraw.Draw(sheet)
    for place, path in enumerate(paths):
        left, top = _GAP + place % _ACROSS * across, _GAP + place // _ACROSS * down
        pen.text((left, top), path.stem, fill=_INK)
        with Image.open(path) as picture:
            small = picture.convert("RGB")
            small.thumbnail((_WIDE, _HIGH), Image.Resampling.BILINEAR)
            sheet.paste(small, (left, top + _NAME))
    return sheet
