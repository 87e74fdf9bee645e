"""A fixed choice among all faults: the same for the same seed and the same source."""

import ast
import difflib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from .sites import Site, sites
from .source import Edit, Source


@dataclass(frozen=True)
class Mutant:
    """One fault, chosen."""

    site: Site
    edit: Edit

    @property
    def module(self) -> str:
        return self.site.source.module

    @property
    def room(self) -> str:
        return self.module.split(".")[1]

    @property
    def place(self) -> str:
        return f"{self.module}:{self.site.source.line(self.edit)}"

    @property
    def name(self) -> str:
        return f"{self.place} {self.edit.start} {self.edit.kind} {self.edit.text}"

    @property
    def data(self) -> bytes:
        return self.site.source.changed(self.edit)

    def difference(self, context: int = 2) -> str:
        """What the fault changes, as a unified diff."""
        before, after = (data.decode().splitlines(keepends=True) for data in (self.site.source.data, self.data))
        return "".join(difflib.unified_diff(before, after, self.module, f"{self.module}, with the fault", n=context))


def sample(sources: Sequence[Source], seed: int, count: int) -> list[Mutant]:
    """As many faults, spread evenly over the length of all modules, in random order."""
    every = [site for source in sources for site in sites(source)]
    choice = random.Random(seed)  # noqa: S311  (a sample, not a secret)
    count = min(count, len(every))
    borders = [len(every) * number // count for number in range(count)] + [len(every)] if count else []
    found = [chosen(every[low:high], choice) for low, high in pairwise(borders)]
    choice.shuffle(found)
    return [mutant for mutant in found if mutant is not None]


def chosen(stretch: Sequence[Site], choice: random.Random) -> Mutant | None:
    """A fault from a stretch of the program; another one where the first gives no Python or no change."""
    for site in choice.sample(stretch, len(stretch)):
        for edit in choice.sample(site.edits, len(site.edits)):
            mutant = Mutant(site, edit)
            if is_change(mutant):
                return mutant
    return None


def is_change(mutant: Mutant) -> bool:
    try:
        tree = ast.parse(mutant.data)
    except SyntaxError:
        return False
    return ast.dump(tree) != ast.dump(mutant.site.source.tree)
