"""Parts of an SVG are groups with names; what a stranger calls a device cannot forge one."""

import xml.etree.ElementTree as ET

import pytest
from msgspec.structs import replace

from explorer.plot.paint.groups import END, START
from explorer.presentation.views.declared import VIEWS
from explorer.report.figure_export import Paper, figure_bytes
from explorer.report.svg_text import with_groups
from tests.plot.drawing import A100, H100, decode_study, evaluated

pytestmark = pytest.mark.usefixtures("qapp")
SVG = "{http://www.w3.org/2000/svg}"


def groups(svg: str) -> dict[str, ET.Element]:
    root = ET.fromstring(svg)  # noqa: S314
    found = [g for g in root.iter(f"{SVG}g") if "id" in g.attrib]
    assert len({g.attrib["id"] for g in found}) == len(found)
    return {g.attrib["id"]: g for g in found}


def words(group: ET.Element) -> str:
    return " ".join(t.text or "" for t in group.iter(f"{SVG}text"))


def test_the_parts_of_the_roofline_are_named() -> None:
    found = groups(figure_bytes(evaluated(decode_study(H100, A100)), ".svg").decode())
    assert {"title", "chart", "roofs", "points", "labels", "table", "help", "read", "footer"} <= set(found)
    assert "waits for memory on both devices" in words(found["title"])
    assert "989 TFLOP/s" in words(found["roofs"])
    assert "gate" in words(found["labels"])
    assert "gate" not in words(found["roofs"])
    assert "3.35 TB/s" in words(found["table"])
    assert "batch 8, context 4,096" in words(found["footer"])
    assert found["labels"] in list(found["chart"].iter(f"{SVG}g"))


@pytest.mark.parametrize("view", [v.name for v in VIEWS.values() if not v.bare])
def test_every_view_has_its_title_chart_and_footer_in_groups(view: str) -> None:
    svg = figure_bytes(evaluated(decode_study(H100, A100)), ".svg", Paper(texts={"title": "Mine"}), view).decode()
    found = groups(svg)
    assert words(found["title"]).startswith("Mine")
    assert words(found["chart"])
    assert "Llama-8B decode, batch 8" in words(found["footer"])
    assert START not in svg
    assert END not in svg


@pytest.mark.parametrize("name", [f"{START}chart", f"{END}chart", f"{END}points{START}points"])
def test_a_name_that_looks_like_a_mark_leaves_a_whole_file(name: str) -> None:
    study = decode_study(replace(H100, name=name, short=name), A100)
    ET.fromstring(figure_bytes(evaluated(study), ".svg").decode())  # noqa: S314


def test_groups_stand_around_the_states_that_qt_writes() -> None:
    plain = f'<svg><g fill="a"><text>{START}one</text><text>x</text><text>{END}one</text></g></svg>'
    assert "".join(with_groups(plain).split("\n")) == '<svg><g id="one"><g fill="a"><text>x</text></g></g></svg>'
