"""Write the example studies anew."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from devtools.project import ROOT
from devtools.words import EXAMPLES
from examples.questions import QUESTIONS
from examples.studies import CATALOGUE, STUDIES
from explorer.analysis.study.study import Study
from explorer.files.study.study import SUFFIX, write_study


def main(arguments: Sequence[str]) -> int:
    """Write every study into resources/studies."""
    EXAMPLES.parse_args(arguments)
    for name, study in studies():
        write_study(study, file_of(name))
        print(name)
    return 0


def studies() -> Iterator[tuple[str, Study]]:
    for name, make in STUDIES.items():
        yield name, make()
    for name, ask in QUESTIONS.items():
        yield name, ask(CATALOGUE)


def file_of(name: str) -> Path:
    return ROOT / "resources" / "studies" / f"{name}{SUFFIX}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
