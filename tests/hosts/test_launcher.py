"""The launcher: it runs the client with the words of an entry, and without any it lets the daemon find out the rest."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from interlock.hosts.base.launcher import launcher_text, write_launcher
from interlock.hosts.base.places import launcher_file

SAYS = "import sys\nprint(sys.argv[1:], flush=True)\nimport posix\nposix._exit(7)\n"


def ran(folder: Path, python: Path, *words: str) -> tuple[int, str]:
    """A launcher of another client, which says what it was given."""
    client = folder / "client.py"
    client.write_text(SAYS, encoding="utf-8")
    place = folder / "interlock-hook"
    place.write_text(launcher_text(python, client, folder / "socket"), encoding="utf-8")
    place.chmod(0o700)
    given = [word.replace("CLIENT", str(client)) for word in words]
    done = subprocess.run([str(place), *given], input=b"{}", capture_output=True, timeout=20, check=False)
    return done.returncode, done.stdout.decode()


@pytest.mark.parametrize("name", ["python", "my python"])
def test_it_takes_the_words_of_an_entry_and_otherwise_says_that_the_host_left_them_out(tmp_path: Path, name: str):
    """A name with a space cannot be in the first line of a program, so a shell starts it."""
    python = tmp_path / name
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n', encoding="utf-8")
    python.chmod(0o700)
    python = python if " " in name else Path(sys.executable)
    assert ran(tmp_path, python, "-I", "-S", "CLIENT", "Stop", "/s", "/p") == (7, "['Stop', '/s', '/p']\n")
    assert ran(tmp_path, python) == (7, f"['any:', '{tmp_path}/socket']\n")


def test_without_its_client_it_refuses(tmp_path: Path):
    assert ran(tmp_path, Path(sys.executable), "-I", "-S", str(tmp_path / "gone.py"), "Stop", "/s", "/p") == (2, "")


def test_it_is_written_once_and_again_if_somebody_changed_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    place = write_launcher()
    assert (place, place.stat().st_mode & 0o777) == (launcher_file(), 0o700)
    first = place.stat().st_ino
    assert write_launcher().stat().st_ino == first
    place.write_text("#!/bin/sh\n", encoding="utf-8")
    assert "client.py" in write_launcher().read_text(encoding="utf-8")
