"""Slides as the user made them: what a study remembers of each view's, its check and its edit."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from explorer.analysis.problem import Problem
from explorer.analysis.study.study import SlideChoice, Study

LONGEST: Final = 2_000  # characters of a text
LONGEST_LINE: Final = 200
SMALLEST_SIDE, LARGEST_SIDE = 200, 16_000
_MOST_BLOCKS: Final = 30


def slide_of(study: Study, view: str) -> SlideChoice:
    """What the study remembers of a view's slide, else nothing but its name."""
    return next((s for s in study.slides if s.view == view), SlideChoice(view=view))


def with_slide(study: Study, choice: SlideChoice) -> Study:
    """The study that remembers this of a view's slide; what says nothing is not kept."""
    others = tuple(s for s in study.slides if s.view != choice.view)
    if choice == SlideChoice(view=choice.view):
        return replace(study, slides=others)
    known = any(s.view == choice.view for s in study.slides)
    kept = tuple(choice if s.view == choice.view else s for s in study.slides)
    return replace(study, slides=kept if known else (*study.slides, choice))


def slide_problems(study: Study) -> Iterator[Problem]:
    """The faults of the slides that a study remembers."""
    seen: set[str] = set()
    for i, choice in enumerate(study.slides):
        path = f"slides[{i}]"
        if not choice.view.strip() or not _is_line(choice.view):
            yield Problem("study.id", f"{path}.view", {"limit": LONGEST_LINE})
        elif choice.view in seen:
            yield Problem("study.twice", f"{path}.view", {"id": choice.view})
        seen.add(choice.view)
        for name in choice.texts.__struct_fields__:
            text: str | None = getattr(choice.texts, name)
            if text is not None and len(text) > LONGEST:
                yield Problem("study.long", f"{path}.texts.{name}", {"limit": LONGEST})
            elif text is not None and not text.replace("\n", "").isprintable():
                yield Problem("study.printable", f"{path}.texts.{name}")
        blocks = choice.blocks or ()
        if len(blocks) > _MOST_BLOCKS:
            yield Problem("study.many", f"{path}.blocks", {"limit": _MOST_BLOCKS, "got": len(blocks)})
        for n, block in enumerate(blocks[:_MOST_BLOCKS]):
            if not _is_line(block):
                yield Problem("study.line", f"{path}.blocks[{n}]", {"limit": LONGEST_LINE})
        for n, side in enumerate(choice.size):
            if not SMALLEST_SIDE <= side <= LARGEST_SIDE:
                values = {"got": side, "low": SMALLEST_SIDE, "high": LARGEST_SIDE}
                yield Problem("study.range", f"{path}.size[{n}]", values)


def _is_line(text: str) -> bool:
    return len(text) <= LONGEST_LINE and text.isprintable()
