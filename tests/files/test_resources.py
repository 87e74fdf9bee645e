import sys
from pathlib import Path

import pytest

import explorer
from explorer.files.resources import resource_root


def test_in_a_checkout_data_lies_beside_the_package(root: Path) -> None:
    assert resource_root() == root
    assert (root / "hardware").is_dir()


def test_installed_it_lies_in_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explorer, "__path__", [str(tmp_path / "explorer")])
    assert resource_root() == tmp_path, "nothing is installed there"
    (tmp_path / "explorer" / "_data").mkdir(parents=True)
    assert resource_root() == tmp_path / "explorer" / "_data"


def test_frozen_it_lies_where_it_was_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert resource_root() == tmp_path
