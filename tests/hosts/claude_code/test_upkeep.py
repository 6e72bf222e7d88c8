"""Entries are put back only if what they name would answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from interlock.config.places import socket_path
from interlock.hosts.claude_code.address import FILE, Address, choose_address, keep_address
from interlock.hosts.claude_code.entries import entries_for
from interlock.hosts.claude_code.entry_notes import EntryNote, note_of
from interlock.hosts.claude_code.upkeep import NotPutBack, put_back


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "shop" / ".claude" / "settings.local.json"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"{}")
    return file


@pytest.fixture
def address(nobodys_home: Path) -> Address:
    address = choose_address()
    keep_address(socket_path().parent, address)
    return address


def noted(file: Path, address: Address | None = None) -> EntryNote:
    return note_of(file, "local", entries_for("local", address), b"{}")


def other_port(address: Address) -> None:
    keep_address(socket_path().parent, Address(address.port % 60000 + 1024, address.token))


def other_token(address: Address) -> None:
    keep_address(socket_path().parent, replace(address, token="x" * 43))


def no_address(address: Address) -> None:
    (socket_path().parent / FILE).unlink()


def public_address(address: Address) -> None:
    (socket_path().parent / FILE).chmod(0o644)


def test_entries_over_http_are_put_back_while_they_lead_to_us(file: Path, address: Address):
    put_back(noted(file, address))
    assert address.url("PreToolUse").encode() in file.read_bytes()


@pytest.mark.parametrize("change", [other_port, other_token, no_address, public_address])
def test_entries_over_http_that_lead_to_nobody_or_somebody_else_are_not(
    file: Path, address: Address, change: Callable[[Address], None]
):
    note = noted(file, address)
    change(address)
    with pytest.raises(NotPutBack):
        put_back(note)
    assert file.read_bytes() == b"{}"


@pytest.mark.parametrize("mode", [None, 0o644])
def test_a_program_that_is_gone_or_cannot_be_run_is_named(file: Path, tmp_path: Path, mode: int | None):
    program = tmp_path / "python"
    if mode is not None:
        program.touch(mode)
    entries = {event: {**handler, "command": str(program)} for event, handler in entries_for("local").items()}
    with pytest.raises(NotPutBack, match=f"^{program} is gone$"):
        put_back(replace(noted(file), entries=entries))


@pytest.mark.parametrize("there", [True, False])
def test_interlock_is_looked_for_on_the_search_path(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
):
    monkeypatch.setenv("PATH", str(tmp_path))
    if there:
        (tmp_path / "interlock").touch(0o755)
    note = note_of(file, "project", entries_for("project"), b"{}")
    if there:
        put_back(note)
        return
    with pytest.raises(NotPutBack, match=r"^`interlock` on the search path is gone$"):
        put_back(note)
