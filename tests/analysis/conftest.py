"""Small catalogues and devices for the core's tests."""

import msgspec
import pytest
import yaml

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.formats import NumberFormat
from explorer.analysis.catalogue.kinds import OperatorKind


@pytest.fixture(scope="session")
def catalogue(root) -> Catalogue:
    """Formats and kinds as the program ships them, without devices."""
    formats = yaml.safe_load((root / "resources/formats.yaml").read_text("utf-8"))["formats"]
    kinds = yaml.safe_load((root / "resources/operators.yaml").read_text("utf-8"))["kinds"]
    return Catalogue(
        formats=msgspec.convert(formats, tuple[NumberFormat, ...]),
        kinds=msgspec.convert(kinds, tuple[OperatorKind, ...]),
    )
