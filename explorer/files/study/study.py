"""Study files: `*.roofline.yaml`, every fault named, older formats migrated, written in one step."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.study.check import study_problems
from explorer.analysis.study.study import FORMAT, Study
from explorer.files.catalogue import load_catalogue
from explorer.files.disk import limits
from explorer.files.disk.atomic import Stamp, write_atomically
from explorer.files.disk.faults import convert
from explorer.files.disk.text import checked, decode, printable, read_text
from explorer.files.disk.yaml_text import load_mapping, most_values
from explorer.files.study.writing import study_pieces

LIMIT: Final = limits.STUDY  # what was saved can be read
SUFFIX: Final = ".roofline.yaml"

Data = dict[str, object]
MIGRATIONS: Final[dict[int, Callable[[Data], Data]]] = {  # from a format to the next one
    1: dict,  # variants, groups and plans came; what a study of format 1 holds means the same
}


def read_study(path: Path) -> Study:
    """Return the study of a file; raise Refused naming every fault."""
    return study_from_text(read_text(path, LIMIT), printable(path.name))


def study_from_text(text: str | bytes, path_for_messages: str = "") -> Study:
    """Return the study of a file's text; raise Refused naming every fault, led by the file's name where given."""
    try:
        return study_of(load_mapping(checked(text, LIMIT) if isinstance(text, str) else decode(text, LIMIT)))
    except Refused as refused:
        raise Refused(*(_of_file(path_for_messages, p) for p in refused.problems)) from None


def study_of(data: Data) -> Study:
    """Return plain data as a study that can be evaluated; raise Refused naming every fault."""
    study = convert(_as_written(_migrated(data)), Study)
    if problems := study_problems(study, _known()):
        raise Refused(*problems)
    return study


def _as_written(data: Data) -> Data:
    """The data with what varies as this program writes it: flags spell it what-ifs."""
    view = data.get("view")
    if not isinstance(view, dict) or not isinstance(vary := view.get("vary"), str):
        return data
    return {**data, "view": {**view, "vary": vary.replace("-", "_")}}


def study_to_text(study: Study) -> str:
    """Return the text of a study's file; `study_from_text` gives the same study back."""
    return "".join(study_pieces(study))


def write_study(study: Study, path: Path, pause: Callable[[], None] = lambda: None) -> Stamp:
    """Write a study's file in one step; raise Refused when it cannot be written or could not be read back.

    `pause` is called now and then, so that a thread can let others run; what it raises leaves the old file in place.
    """
    if problems := study_problems(study, _known()):
        raise Refused(*problems)
    return write_atomically(path, _readable(study_pieces(study)), pause)


def _readable(pieces: Iterable[str]) -> Iterator[str]:
    """The pieces, as long as they make a file that can be read again."""
    size = values = 0
    for piece in pieces:
        size += len(piece.encode())
        values += most_values(piece)
        if size > LIMIT:
            raise Refused(Problem("file.too_large_to_write", values={"limit": LIMIT}))
        if values > limits.YAML_VALUES:
            raise Refused(Problem("file.too_many_to_write", values={"limit": limits.YAML_VALUES}))
        yield piece


def _migrated(data: Data, migrations: Mapping[int, Callable[[Data], Data]] = MIGRATIONS, known: int = FORMAT) -> Data:
    version = data.get("format")
    if version is None:
        raise Refused(Problem("study.no_format", "format", {"known": known}))
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise Refused(Problem("field.integer", "format", {"got": printable(version)}))
    if version > known:
        raise Refused(Problem("study.newer", "format", {"got": printable(version), "known": known}))
    while version < known:
        data = {**migrations[version](data), "format": version + 1}
        version += 1
    return data


@lru_cache(maxsize=1)
def _known() -> Catalogue:
    """The number formats and operator kinds a study may name."""
    return load_catalogue(devices=False)


def _of_file(name: str, problem: Problem) -> Problem:
    if not name:
        return problem
    return Problem(problem.code, f"{name}: {problem.path}" if problem.path else name, problem.values)
