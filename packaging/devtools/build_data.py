"""What pyproject.toml cannot say: the folders of data, which stand beside the package here, travel inside it."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from setuptools.command.build_py import build_py

FOLDERS: Final = ("hardware", "resources")
PLACE: Final = "explorer/_data"
LEFT: Final = {"__pycache__", "screenshots"}  # those of resources are the README's


class BuildWithData(build_py):
    """Copies the package and its data; what an earlier build has left in the same place goes first."""

    def run(self) -> None:
        """Build the package, then put its data in."""
        if not self.editable_mode:
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        if not self.editable_mode:
            for file in data_files():
                target = Path(self.build_lib, PLACE, file)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)

    def get_source_files(self) -> list[str]:
        """Files that a source distribution holds."""
        return [*super().get_source_files(), *map(str, data_files())]

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """Files that the wheel holds."""
        data = [] if self.editable_mode else [str(Path(self.build_lib, PLACE, file)) for file in data_files()]
        return [*super().get_outputs(include_bytecode), *data]


def data_files() -> Iterator[Path]:
    """The data, relative to the checkout, in which setuptools runs."""
    for folder in FOLDERS:
        for file in sorted(Path(folder).rglob("*")):
            if file.is_file() and not LEFT & set(file.parts):
                yield file
