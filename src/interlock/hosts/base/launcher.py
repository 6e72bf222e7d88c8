"""The program that entries in Claude Code's settings name: Python with the client, in one file and without arguments.

Copilot CLI, VS Code and Cursor run the entries in those settings, too, and leave out their arguments. A bare
interpreter would be given the event as its program: it ends well, and the call runs. The launcher takes the words that
Python would; without any, it has the daemon find out which host has sent which event.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

from interlock.config.places import socket_path
from interlock.errors import InterlockError
from interlock.files.atomic import write_atomically
from interlock.hosts.base.places import client_file, launcher_file, python

__all__ = ["ANY", "launcher_text", "write_launcher"]

ANY = "any:"  # instead of an event: whoever has sent it, and whatever it is

_MOST_LINE = 120  # characters that every system reads of a file's first line
# The first line can name a program without spaces, and one word for it. Then there is no shell, and nothing that a
# variable of a project's settings could change.
_BY_PYTHON = """\
#!{python} -IS
import posix, sys
sys.argv = sys.argv[3:] or [{client!r}, "{any}", {socket!r}]
try:
    with open(sys.argv[0], "rb") as file:
        code = compile(file.read(), sys.argv[0], "exec")
    exec(code, {{"__name__": "__main__", "__file__": sys.argv[0]}})
finally:
    posix.write(2, b"Interlock could not be run.\\n")
    posix._exit(2)
"""
_BY_SHELL = """\
#!/bin/sh
case $# in 0) set -- -I -S {client} {any} {socket};; esac
exec {python} "$@"
"""


def launcher_text(python: Path, client: Path, socket: Path) -> str:
    """The launcher of an installation."""
    words = {"python": str(python), "client": str(client), "socket": str(socket), "any": ANY}
    if len(words["python"]) < _MOST_LINE and re.fullmatch(r"[\w@%+=:,./-]+", words["python"], re.ASCII):
        return _BY_PYTHON.format(**words)
    return _BY_SHELL.format(**{name: shlex.quote(word) for name, word in words.items()})


def write_launcher() -> Path:
    """Write this installation's launcher if it is not there as it should be. Raises InterlockError if that fails."""
    place = launcher_file()
    text = launcher_text(python(), client_file(), socket_path()).encode()
    try:
        if not place.is_file() or place.read_bytes() != text or place.stat().st_mode & 0o777 != 0o700:
            write_atomically(place, text, mode=0o700, durable=True)
    except OSError as error:
        raise InterlockError(f"cannot write `{place}`: {error.strerror}") from error
    if not os.access(place, os.X_OK):
        raise InterlockError(f"`{place}` cannot be run: its file system does not let programs run")
    return place
