"""Other programs' files are replaced whole or not at all, never through a link, and a copy is kept."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from interlock.config.places import state_folder
from interlock.errors import InterlockError
from interlock.files import edit
from interlock.files.edit import MOST_BYTES, FileChange, apply_changes, may_edit, read_bytes
from interlock.hosts.claude_code.places import backup_folder


def backups() -> list[bytes]:
    return [copy.read_bytes() for copy in sorted((state_folder() / "backups").rglob("*")) if copy.is_file()]


def names(folder: Path) -> list[str]:
    return sorted(found.name for found in folder.iterdir())


def test_a_file_is_replaced_and_keeps_its_mode_and_the_old_one_is_kept(tmp_path: Path):
    file = tmp_path / "settings.json"
    file.write_bytes(b"old")
    file.chmod(0o640)
    kept = apply_changes([FileChange(file, b"old", b"new")], backup_folder)
    assert file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert names(tmp_path) == ["settings.json"]
    assert [copy.read_bytes() for copy in kept] == [b"old"] == backups()
    assert stat.S_IMODE(kept[0].stat().st_mode) == 0o600


def test_a_file_is_made_with_its_folder_and_nothing_is_kept_of_it(tmp_path: Path):
    file = tmp_path / "a" / "b" / "settings.json"
    assert apply_changes([FileChange(file, None, b"new", 0o600)], backup_folder) == []
    assert file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_file_is_removed_and_its_folder_only_if_nothing_else_is_in_it(tmp_path: Path):
    for other in (False, True):
        folder = tmp_path / f"folder{other}"
        folder.mkdir()
        (folder / "settings.json").write_bytes(b"old")
        if other:
            (folder / "mine").touch()
        apply_changes([FileChange(folder / "settings.json", b"old", None, also_folder=True)], backup_folder)
        assert not (folder / "settings.json").exists()
        assert folder.exists() is other


def test_a_file_that_changed_since_it_was_looked_at_is_left_alone(tmp_path: Path):
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_bytes(b"1")
    two.write_bytes(b"changed")
    with pytest.raises(InterlockError, match="has changed in the meantime; nothing was written"):
        apply_changes([FileChange(one, b"1", b"new"), FileChange(two, b"2", b"new")], backup_folder)
    assert (one.read_bytes(), two.read_bytes()) == (b"1", b"changed")
    with pytest.raises(InterlockError, match="has changed in the meantime"):
        apply_changes([FileChange(one, None, b"new")], backup_folder)


def test_when_one_of_several_cannot_be_written_none_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_bytes(b"1")
    real = edit._make

    def full(change: FileChange) -> None:
        if change.path == two:
            raise OSError(28, "No space left on device")
        real(change)

    monkeypatch.setattr(edit, "_make", full)
    with pytest.raises(InterlockError) as found:
        apply_changes([FileChange(one, b"1", b"new"), FileChange(two, None, b"new")], backup_folder)
    assert found.value.message == f"cannot write `{two}`: No space left on device"
    assert one.read_bytes() == b"1"
    assert names(tmp_path) == ["one"]


def test_a_write_that_breaks_off_leaves_the_old_file_and_no_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "settings.json"
    file.write_bytes(b"old")

    def broken(descriptor: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("interlock.files.edit.os.fsync", broken)
    with pytest.raises(InterlockError, match="cannot write"):
        apply_changes([FileChange(file, b"old", b"new")], backup_folder)
    assert file.read_bytes() == b"old"
    assert names(tmp_path) == ["settings.json"]


def refused(path: Path) -> str:
    with pytest.raises(InterlockError) as found:
        may_edit(path)
    return found.value.render()


def test_a_symlinked_file_is_left_alone(tmp_path: Path):
    (tmp_path / "real").write_bytes(b"{}")
    link = tmp_path / "settings.json"
    link.symlink_to("real")
    assert refused(link) == (
        f"error: `{link}` is a symbolic link; it is left as it is\nhelp: replace the link with the file it leads to"
    )
    (tmp_path / "real").unlink()
    assert "is a symbolic link" in refused(link), "also one that leads nowhere"


def test_a_file_in_a_symlinked_folder_is_left_alone(tmp_path: Path):
    (tmp_path / "real").mkdir()
    link = tmp_path / ".claude"
    link.symlink_to("real")
    assert refused(link / "settings.json") == (
        f"error: `{link}` is a symbolic link; it is left as it is\nhelp: replace the link with a folder"
    )


def test_a_read_only_file_is_left_alone(tmp_path: Path):
    file = tmp_path / "settings.json"
    file.write_bytes(b"{}")
    file.chmod(0o444)
    assert refused(file) == (
        f"error: `{file}` is read-only; it is left as it is\nhelp: chmod u+w '{file}', then run this again"
    )


def test_a_file_of_somebody_else_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "settings.json"
    file.write_bytes(b"{}")
    me = os.geteuid()
    monkeypatch.setattr("interlock.files.edit.os.geteuid", lambda: me + 1)
    assert refused(file) == (
        f"error: `{file}` belongs to another user; it is left as it is\nhelp: run this as its owner"
    )


def test_what_is_no_file_is_left_alone(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    assert refused(tmp_path / "pipe") == f"error: `{tmp_path / 'pipe'}` is not a plain file; it is left as it is"
    (tmp_path / "file").touch()
    assert "cannot look at" in refused(tmp_path / "file" / "settings.json")


def test_a_file_that_is_not_there_may_be_made(tmp_path: Path):
    assert may_edit(tmp_path / "a" / "settings.json") is None


def test_a_plain_file_is_read_and_nothing_else(tmp_path: Path):
    assert read_bytes(tmp_path / "gone") is None
    (tmp_path / "file").write_bytes(b"x")
    assert read_bytes(tmp_path / "file") == b"x"
    assert read_bytes(tmp_path / "file" / "below") is None
    (tmp_path / "large").write_bytes(b" " * (MOST_BYTES + 1))
    with pytest.raises(InterlockError, match="it is larger than"):
        read_bytes(tmp_path / "large")
