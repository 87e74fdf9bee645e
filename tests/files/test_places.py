"""Places behind closed doors: nothing raises, and reading says why."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from explorer.analysis.problem import Refused
from explorer.analysis.study.study import Study
from explorer.files.catalogue import load_catalogue
from explorer.files.detect import detect
from explorer.files.disk.places import is_file, is_folder, may_exist
from explorer.files.models.model_file import read_model
from explorer.files.study.study import read_study
from explorer.files.typed.arguments import named_device, named_model


@pytest.fixture
def closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that may be seen but not entered, by whoever runs the test."""
    folder = tmp_path / "closed"
    folder.mkdir()
    for name in ("config.json", "x.yaml"):
        (folder / name).write_text("{}")
    if os.name == "posix" and os.geteuid() != 0:
        folder.chmod(0o000)
        yield folder
        folder.chmod(0o700)
        return
    for name in ("stat", "open"):
        monkeypatch.setattr(os, name, _guarded(getattr(os, name), f"{folder}{os.sep}"))
    yield folder


def _guarded(call: Callable[..., object], lead: str) -> Callable[..., object]:
    """For root every door is open."""

    def guarded(path: object, *more: object, **named: object) -> object:
        if str(path).startswith(lead):
            raise PermissionError(13, "Permission denied", str(path))
        return call(path, *more, **named)

    return guarded


def test_what_lies_behind_a_closed_door_may_exist(closed: Path) -> None:
    assert is_folder(closed)
    assert not is_folder(closed / "x")
    assert not is_file(closed / "config.json")
    assert may_exist(closed / "config.json")
    assert not may_exist(closed.parent / "absent")


def test_every_reader_says_that_the_door_is_closed(closed: Path) -> None:
    catalogue = load_catalogue(devices=False)
    readers: tuple[Callable[[], object], ...] = (
        lambda: named_model(str(closed), Study(), catalogue),
        lambda: named_model(str(closed / "config.json"), Study(), catalogue),
        lambda: named_device(str(closed / "x.yaml"), ()),
        lambda: read_study(closed / "x.yaml"),
        lambda: read_model(closed),
        lambda: detect(closed / "x.yaml"),
    )
    for read in readers:
        with pytest.raises(Refused) as refused:
            read()
        assert [p.code for p in refused.value.problems] == ["file.read"]
