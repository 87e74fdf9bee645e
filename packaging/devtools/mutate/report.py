"""What is said at the end: a table by rooms, and the faults that nobody noticed."""

from collections.abc import Iterator, Sequence

from .trial import Verdict

WORDS = ("killed", "timed out", "survived", "no tests")


def rate(verdicts: Sequence[Verdict]) -> float:
    return sum(verdict.is_killed for verdict in verdicts) / len(verdicts) if verdicts else 1.0


def table(verdicts: Sequence[Verdict]) -> str:
    rooms = sorted({verdict.trial.mutant.room for verdict in verdicts})
    width = max(map(len, ["room", "all", *rooms]))
    head = "  ".join([f"{'room':<{width}}", *(f"{word:>9}" for word in WORDS), f"{'rate':>6}"])
    rows = (row(room, width, [found for found in verdicts if found.trial.mutant.room == room]) for room in rooms)
    return "\n".join([head, *rows, row("all", width, verdicts)])


def row(name: str, width: int, verdicts: Sequence[Verdict]) -> str:
    counts = (sum(verdict.word == word for verdict in verdicts) for word in WORDS)
    return "  ".join([f"{name:<{width}}", *(f"{count:9}" for count in counts), f"{rate(verdicts):6.1%}"])


def survivors(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Each fault that nobody noticed, by modules, as a diff and with what was tried on it."""
    left = [verdict for verdict in verdicts if not verdict.is_killed]
    for verdict in sorted(left, key=lambda found: (found.trial.mutant.module, found.trial.mutant.edit.start)):
        mutant, tests = verdict.trial.mutant, verdict.trial.tests
        tried = f"{len(tests)} tests, {', '.join(nearest(tests))}" if tests else "no test passes here"
        yield f"{mutant.place}  {mutant.edit.kind}: {verdict.word} ({tried})\n{mutant.difference()}"


def nearest(tests: Sequence[str], most: int = 3) -> list[str]:
    files = list(dict.fromkeys(test.split("::")[0] for test in tests))
    return [*files[:most], *(["..."] if len(files) > most else [])]
