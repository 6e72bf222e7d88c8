"""A place for lines to run in: its own namespaces, an empty HOME, and no program but the stub.

Nothing of the machine is seen from within, nothing outside can be written, there is no network, and every line is
stopped after a second. Who makes the box as root is nobody in it.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from tools.fuzz.cell import Contents, live

__all__ = ["HOME", "Box", "Ran", "Started", "why_not"]

HOME = "/home/u"
_STUB = Path(__file__).with_name("stub.c")
# Programs that are real in the box: they pass on what they are given, or run it.
_REAL = (
    "bash", "dash", "cat", "base64", "tr", "rev", "env", "xargs", "nohup", "timeout", "nice", "tee", "head", "tail",
    "sort", "uniq", "seq", "find", "setsid", "xxd", "cut", "wc", "grep", "mktemp", "chmod", "cp", "mv", "touch",
    "mkdir", "dirname", "basename",
)  # fmt: skip
_STUBS = (
    *(f"{letter}{number}" for letter, most in (("z", 100), ("n", 10), ("y", 10)) for number in range(most)),
    *("za", "zb", "zc", "zd", "zz", "ee", "ff", "gg"),
    "sh", "git", "ls", "node", "npm", "curl", "sed", "awk", "python3", "make", "sleep", "date", "whoami", "id", "uname",
    "hostname", "go", "cargo", "docker", "sudo", "doas", "ps", "df", "du", "file", "which", "diff", "jq", "tar", "gzip",
    "vi", "less", "pytest", "pip", "ssh", "rsync", "stat", "tput", "clear", "realpath", "ln",
)  # fmt: skip


class Started(NamedTuple):
    """A program that was started: the file that it is, and its words, the first of which is its name."""

    path: str
    words: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.path.rsplit("/", 1)[-1]


class Ran(NamedTuple):
    """What became of a line."""

    started: tuple[Started, ...]
    refused: bool  # for its grammar, all of it or what was left
    late: bool  # it was stopped
    errors: str


class Box:
    """A box that lines can be run in, one after another; each finds it as if it were the first."""

    def __init__(self) -> None:
        asks, answers = os.pipe(), os.pipe()
        contents = _contents()
        self._child = os.fork()
        if self._child == 0:
            os.close(asks[1])
            os.close(answers[0])
            live(contents, asks[0], answers[1])
        os.close(asks[0])
        os.close(answers[1])
        self._asks = os.fdopen(asks[1], "wb")
        self._answers = os.fdopen(answers[0], "rb")
        reason = self._answer()
        if reason is None or reason:
            self.close()
            raise OSError((reason or b"the box ended").decode())

    def run(self, line: str, *, dash: bool = False) -> Ran:
        """Run a line with bash. `dash`: `sh` is dash there, not bash."""
        sent = line.encode("utf-8", "surrogateescape")
        self._asks.write(struct.pack("=I?", len(sent), dash) + sent)
        self._asks.flush()
        late, started, errors = (self._answer() for _ in range(3))
        if late is None or started is None or errors is None:
            raise OSError("the box ended")
        told = errors.decode("utf-8", "replace")
        refused = "syntax error" in told or "unexpected EOF" in told or "Syntax error" in told
        return Ran(tuple(_records(started)), refused, late == b"1", told)

    def _answer(self) -> bytes | None:
        head = self._answers.read(4)
        return self._answers.read(struct.unpack("=I", head)[0]) if len(head) == 4 else None

    def close(self) -> None:
        self._asks.close()
        self._answers.close()
        os.waitpid(self._child, 0)

    def __enter__(self) -> Box:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def why_not() -> str:
    """Why there can be no box on this machine, if so."""
    try:
        with Box() as box:
            ran = box.run("z1 $(z2) < <(z3)")
    except OSError as error:
        return f"no box for bash: {error}"
    names = sorted(one.name for one in ran.started)
    return "" if names == ["z1", "z2", "z3"] else f"no box for bash: it ran {names}"


def _contents() -> Contents:
    """What lies in the box, by path; read before the machine is out of sight."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or not shutil.which("bash") or not shutil.which("ldd"):
        raise OSError("it needs bash, ldd and a C compiler")
    files = {f"/.real/{name}": Path(path).read_bytes() for name in _REAL if (path := shutil.which(name))}
    for library in _libraries([path for name in _REAL if (path := shutil.which(name))]):
        files[library] = Path(library).read_bytes()
    for file in Path("/usr/lib/locale/C.utf8").rglob("*"):
        if file.is_file():
            files[str(file)] = file.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder, "stub")
        done = subprocess.run([compiler, "-O1", "-static", "-o", built, _STUB], capture_output=True, check=False)
        if done.returncode:
            raise OSError("the stub cannot be compiled")
        files["/bin/z0"] = built.read_bytes()
    names = {*_STUBS, *_REAL}
    return Contents(files, {f"/bin/{name}": "/bin/z0" for name in sorted(names - {"z0"})}, HOME)


def _libraries(programs: list[str]) -> list[str]:
    found = subprocess.run(["ldd", *programs], capture_output=True, text=True, check=False).stdout
    return sorted({word for word in found.split() if word.startswith("/") and not word.endswith(":")})


def _records(data: bytes) -> Iterator[Started]:
    at = 0
    while at + 4 <= len(data):
        size = struct.unpack_from("=I", data, at)[0]
        path, *words = data[at + 4 : at + 4 + size].decode("utf-8", "surrogateescape").split("\0")[:-1]
        yield Started(path, tuple(words))
        at += 4 + size
