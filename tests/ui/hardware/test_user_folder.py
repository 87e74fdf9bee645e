from pathlib import Path

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.device import Device
from explorer.app import make_window
from explorer.files.hardware.devices import read_device, write_device
from explorer.files.study.examples import opening_study
from explorer.ui.dialogs import Preferences
from explorer.ui.hardware.editor import DeviceEditor
from explorer.ui.hardware.picker import HardwarePicker
from explorer.ui.session import Session, Shown
from explorer.ui.settings import Settings

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
H100 = "nvidia-h100-sxm5-80gb"


def mine(catalogue: Catalogue, ident: str = "my-card", name: str = "My card") -> Device:
    return replace(catalogue.device_by_id[H100], id=ident, name=name)


def own_names(picker: HardwarePicker) -> list[str]:
    return [r.name for r in picker.model.rows if r.own]


def test_a_folder_that_is_missing_is_not_made_by_looking(picker: HardwarePicker, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: bool(picker.user._watcher.directories()))
    assert not picker.user.folder.exists()
    assert own_names(picker) == []


def test_a_file_written_into_the_folder_appears_and_goes_with_it(
    picker: HardwarePicker, catalogue: Catalogue, qtbot: QtBot
) -> None:
    picker.user.folder.mkdir(parents=True)
    path = picker.user.folder / "my-card.yaml"
    write_device(mine(catalogue), path)
    qtbot.waitUntil(lambda: own_names(picker) == ["My card"])
    assert picker.search.placeholderText() == "Search 276 devices"
    write_device(mine(catalogue, name="My better card"), path)
    qtbot.waitUntil(lambda: own_names(picker) == ["My better card"])
    path.unlink()
    qtbot.waitUntil(lambda: own_names(picker) == [])
    assert picker.search.placeholderText() == "Search 275 devices"


def test_a_broken_file_is_said_in_one_sentence_with_its_name(
    picker: HardwarePicker, catalogue: Catalogue, qtbot: QtBot
) -> None:
    picker.user.folder.mkdir(parents=True)
    write_device(mine(catalogue), picker.user.folder / "good.yaml")
    with qtbot.waitSignal(picker.said) as said:
        (picker.user.folder / "broken.yaml").write_text("format: 1\nid: x\nname: [", encoding="utf-8")
        picker.user.rescan()
    assert "broken.yaml" in said.args[0]
    assert "\n" not in said.args[0]
    qtbot.waitUntil(lambda: own_names(picker) == ["My card"])


def test_the_same_fault_is_said_once(picker: HardwarePicker) -> None:
    picker.user.folder.mkdir(parents=True)
    (picker.user.folder / "broken.yaml").write_text("no", encoding="utf-8")
    said: list[str] = []
    picker.said.connect(said.append)
    picker.user.scan()
    picker.user.scan()
    assert len(said) == 1


def test_a_file_with_the_id_of_the_database_is_refused_by_name(
    picker: HardwarePicker, catalogue: Catalogue, qtbot: QtBot
) -> None:
    picker.user.folder.mkdir(parents=True)
    write_device(catalogue.device_by_id[H100], picker.user.folder / "copied.yaml")
    with qtbot.waitSignal(picker.said) as said:
        picker.user.scan()
    assert "copied.yaml" in said.args[0]
    assert H100 in said.args[0]
    assert own_names(picker) == []


def test_saving_as_my_hardware_makes_the_folder_and_lists_the_device(
    picker: HardwarePicker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(dialog: DeviceEditor) -> int:
        dialog.accept()
        return dialog.result()

    monkeypatch.setattr(DeviceEditor, "exec", run)
    picker.commands.save_as_own(next(r for r in picker.model.rows if r.key == f"entry:{H100}"))
    saved = picker.user.folder / f"{H100}-2.yaml"
    assert read_device(saved).name == "NVIDIA H100 SXM5 80GB (mine)"
    assert own_names(picker) == ["H100 SXM5 80GB (mine)"]
    current = picker.list.current_row()
    assert current is not None
    assert current.key == f"device:{H100}-2"


def test_editing_an_own_device_writes_its_file(
    picker: HardwarePicker, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = picker.user.save(mine(catalogue), picker.user.folder / "any name.yaml")

    def run(dialog: DeviceEditor) -> int:
        cell = dialog.memory.table.item(0, 2)
        assert cell is not None
        cell.setText("5 TB/s")
        dialog.accept()
        return dialog.result()

    monkeypatch.setattr(DeviceEditor, "exec", run)
    picker.commands.edit(next(r for r in picker.model.rows if r.own))
    assert read_device(path).bandwidth == 5e12
    assert [p.name for p in picker.user.folder.iterdir()] == ["any name.yaml"]
    assert next(r for r in picker.model.rows if r.own).details[1] == "5.00 TB/s, typed"


def test_a_folder_that_cannot_be_made_is_said_and_loses_nothing(
    picker: HardwarePicker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    picker.user.set_folder(tmp_path / "file" / "hardware")
    monkeypatch.setattr(DeviceEditor, "exec", lambda _dialog: 1)
    with qtbot.waitSignal(picker.said) as said:
        picker.commands.save_as_own(next(r for r in picker.model.rows if r.key == f"entry:{H100}"))
    assert "cannot be written" in said.args[0]


def test_another_folder_is_read(picker: HardwarePicker, catalogue: Catalogue, tmp_path: Path, qtbot: QtBot) -> None:
    other = tmp_path / "other"
    other.mkdir()
    write_device(mine(catalogue, "other-card", "Other card"), other / "other.yaml")
    picker.user.set_folder(other)
    qtbot.waitUntil(lambda: own_names(picker) == ["Other card"])


def test_another_folder_chosen_in_the_preferences_is_read(
    settings: Settings, catalogue: Catalogue, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    write_device(mine(catalogue, "other-card", "Other card"), other / "other.yaml")

    def choose(dialog: Preferences) -> int:
        dialog.folder.setText(str(other))
        dialog.accept()
        return dialog.result()

    monkeypatch.setattr(Preferences, "exec", choose)
    window = make_window(opening_study(), settings)
    window.take_catalogue(catalogue)
    window.preferences()
    qtbot.waitUntil(lambda: own_names(window.picker) == ["Other card"])
    assert window.session.look is window.session.state.look


def test_a_new_catalogue_keeps_the_users_devices(
    picker: HardwarePicker, session: Session, catalogue: Catalogue, qtbot: QtBot
) -> None:
    picker.user.save(mine(catalogue))
    session.set_catalogue(Catalogue(catalogue.formats, catalogue.kinds, catalogue.devices, catalogue.presets))
    qtbot.waitUntil(lambda: own_names(picker) == ["My card"])
    assert "my-card" in session.catalogue.device_by_id


def test_a_catalogue_made_from_the_merged_one_lists_own_devices_once(
    picker: HardwarePicker, session: Session, catalogue: Catalogue
) -> None:
    picker.user.save(mine(catalogue))
    said: list[str] = []
    picker.said.connect(said.append)
    merged = session.catalogue
    session.set_catalogue(Catalogue(merged.formats, merged.kinds, merged.devices, merged.presets))
    picker.user.scan()
    assert said == []
    assert own_names(picker) == ["My card"]
    assert len(session.catalogue.devices) == len(catalogue.devices) + 1


def counted(session: Session) -> list[Shown]:
    """Every state that is shown from now on."""
    found: list[Shown] = []
    session.shown.connect(lambda _old, new: found.append(new))
    return found


def test_what_the_folder_holds_is_shown_once_and_nothing_follows_from_it(
    picker: HardwarePicker, session: Session, catalogue: Catalogue, qtbot: QtBot
) -> None:
    shown = counted(session)
    asked: list[int] = []
    session.database_changed.connect(lambda: asked.append(1))
    picker.user.save(mine(catalogue))
    for _ in range(20):
        qtbot.wait(1)
    assert [len(s.evaluation.catalogue.devices) for s in shown] == [len(catalogue.devices) + 1]
    assert asked == []
    picker.user.scan()
    assert len(shown) == 1


def test_drawing_the_picker_reads_no_folder_and_changes_no_catalogue(
    picker: HardwarePicker, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picker.user, "scan", lambda: pytest.fail("drawing read the folder"))
    before = session.catalogue
    shown = counted(session)
    picker.apply(None, session.state)
    session.set_look(session.look)
    assert len(shown) == 1
    assert session.catalogue is before


@pytest.mark.parametrize("again", [True, False], ids=["equal", "smaller"])
def test_a_database_read_again_gets_the_users_devices_in_the_same_frame(
    picker: HardwarePicker, session: Session, catalogue: Catalogue, again: bool
) -> None:
    picker.user.save(mine(catalogue))
    shown = counted(session)
    devices = catalogue.devices if again else catalogue.devices[:3]
    session.set_catalogue(replace(catalogue, devices=devices))
    assert [len(s.evaluation.catalogue.devices) for s in shown] == [len(devices) + 1]
    assert own_names(picker) == ["My card"]


def test_a_database_that_takes_an_own_id_shows_its_own_device_and_says_so(
    picker: HardwarePicker, session: Session, catalogue: Catalogue, qtbot: QtBot
) -> None:
    picker.user.save(mine(catalogue))
    theirs = mine(catalogue, name="Theirs")
    with qtbot.waitSignal(picker.said) as said:
        session.set_catalogue(replace(catalogue, devices=(*catalogue.devices, theirs)))
        assert session.catalogue.device_by_id["my-card"].name == "Theirs"
    assert "my-card.yaml" in said.args[0]
    assert own_names(picker) == []


def test_devices_that_went_with_their_file_are_gone_from_a_catalogue_that_was_handed_back(
    picker: HardwarePicker, session: Session, catalogue: Catalogue
) -> None:
    path = picker.user.save(mine(catalogue))
    session.set_catalogue(session.catalogue)
    path.unlink()
    picker.user.scan()
    assert session.catalogue.devices == catalogue.devices
