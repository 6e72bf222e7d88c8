"""Programs that really run, held against what is read of them: nothing that happens is missed.

Every one of them is stopped by an audit hook before it does anything; see `stage.py`.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from interlock.facts.code.python import effects_of_python
from interlock.facts.code.python.reader import CONFUSED
from interlock.facts.effects import MODULES, CodeEffects
from tests.facts.code.python import stage
from tests.facts.code.python.programs import program

COUNT = 600
_VALUE = "${PYTHON_VALUE}"


def events_of(programs: list[str], folder: Path) -> list[list[list[Any]]]:
    """What each of the programs is about to do."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-I", str(Path(stage.__file__))], input=json.dumps(programs), capture_output=True, text=True,
        cwd=folder, env={"HOME": str(home), "PATH": "/nowhere"}, timeout=600, check=True,
    )  # fmt: skip
    found: list[list[list[Any]]] = json.loads(done.stdout)
    return found


class Place:
    """Compares paths as the program saw them with those that were read."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)

    def whole(self, path: str) -> str:
        path = re.sub(r"^~(?=/|$)", f"{self.folder}/home", path)
        return os.path.normpath(path if path.startswith("/") else f"{self.folder}/{path}")

    def has(self, paths: list[str], path: Any) -> bool:
        return not isinstance(path, str) or any(self._covers(one, path) for one in paths)

    def _covers(self, read: str, path: str) -> bool:
        if "\0" in read or "*" in read:
            pattern = ".*".join(map(re.escape, re.split(r"[\0*]", read)))
            return re.fullmatch(f"(?:.*/)?{pattern}(?:/.*)?", path, re.DOTALL) is not None
        whole = self.whole(read)
        # Folders above it are made with it; what is copied or removed goes along with its folder.
        seen = self.whole(path)
        return seen == whole or whole.startswith(seen + "/") or seen.startswith(whole + "/")


def missing(event: list[Any], found: CodeEffects, place: Place) -> str:
    """What of an event was not read; empty if nothing."""
    kind, *args = event
    changed = found.writes + found.deletes
    every = changed + found.reads
    if kind == "open":
        writes = (isinstance(args[1], str) and set(args[1]) & set("wax+")) or (args[1] is None and args[2] & 3)
        return "" if place.has(found.writes if writes else every, args[0]) else args[0]
    if kind in ("os.remove", "os.rmdir", "shutil.rmtree"):
        return "" if place.has(changed, args[0]) else args[0]
    if kind in ("os.rename", "shutil.move", "os.link"):
        return "" if place.has(changed, args[0]) and place.has(changed, args[1]) else f"{args[0]} {args[1]}"
    if kind in ("os.symlink", "shutil.copyfile", "shutil.copytree", "shutil.copymode", "shutil.copystat"):
        return "" if place.has(every, args[1]) else args[1]
    if kind in ("os.mkdir", "os.chmod", "os.chown", "os.truncate", "os.utime"):
        return "" if place.has(changed, args[0]) else args[0]
    if kind == "sqlite3.connect":
        return "" if place.has(every, args[0]) else args[0]
    if kind == "os.system":
        return "" if any(args[0] in line for line in found.shell) else args[0]
    if kind in ("subprocess.Popen", "os.exec", "os.posix_spawn"):
        if not args[1] or not args[1][0]:
            return ""  # no program
        home = f"{place.folder}/home"
        return "" if any(_is_line(line, args[1], args[0], home) for line in found.shell) else str(args[1])
    if kind in ("urllib.Request", "socket.connect", "socket.getaddrinfo"):
        return "" if "network" in found.traits else str(args[0])
    return f"an event that nobody compares: {kind}"


def _is_line(line: str, words: Any, program: Any, home: str) -> bool:
    if isinstance(words, str) or len(words) == 1:
        # A text without a shell is the name of a program that is not there; it is read as a line.
        line = line.replace("~", home).replace("./", "")
        return (words if isinstance(words, str) else words[0]) in line or os.path.normpath(program) in line
    if words[:2] in (["/bin/sh", "-c"], ["sh", "-c"]):
        return words[2] in line
    read = shlex.split(line.rpartition(" && ")[2])
    read = [re.sub("^~(?=/)", home, one) for one in read]
    same = [one if _VALUE not in one else None for one in read]
    given = [str(program or words[0]), *map(str, words[1:])]
    return len(same) <= len(given) + 1 and all(
        one is None or one == other or (number == 0 and one in (program, words[0], str(program).rpartition("/")[2]))
        for number, (one, other) in enumerate(zip(same, given, strict=False))
    )


def held_against(seeds: range, folder: Path) -> tuple[list[str], int]:
    """What was missed of some programs, and how many of them did something."""
    place = Place(folder)
    programs = [program(seed) for seed in seeds]
    missed, acted = [], 0
    for seed, text, events in zip(seeds, programs, events_of(programs, folder), strict=True):
        acted += bool(events)
        found = effects_of_python(text)
        missed += [f"{seed}: {CONFUSED}\n{text}"] if found.opaque == CONFUSED else []
        if found.opaque in ("", MODULES):
            missed += [f"{seed}: {what}\n{text}" for event in events if (what := missing(event, found, place))]
    return missed, acted


def test_whatever_programs_do_is_read_before_they_run(tmp_path: Path):
    missed, acted = held_against(range(COUNT), tmp_path)
    assert missed == []
    assert acted > COUNT * 0.6


def test_most_programs_are_read_and_not_merely_called_unreadable():
    unread = [seed for seed in range(1, COUNT, 3) if effects_of_python(program(seed)).opaque]
    assert len(unread) < COUNT / 3 * 0.05


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("open('a')", "open"), ("import os; os.remove('a')", "os.remove"), ("import os; os.system('ls')", "os.system"),
        ("import subprocess; subprocess.run(['ls'])", "subprocess.Popen"), ("import os; os.fork()", "os.fork"),
    ],
)  # fmt: skip
def test_the_hook_stops_what_it_writes_down(text: str, event: str, tmp_path: Path):
    events = events_of([f"{text}\nopen('b', 'w')", "print(1)"], tmp_path)
    assert [[one[0] for one in each] for each in events] == [[event], []]
    assert [file.name for file in tmp_path.iterdir()] == ["home"]


def test_what_is_not_read_would_be_found(tmp_path: Path):
    place = Place(tmp_path)
    nothing = effects_of_python("print(1)")
    for text in (
        "open('a')", "import os; os.remove('a')", "import os; os.system('ls')", "import os; os.rename('a', 'b')",
        "import subprocess; subprocess.run(['ls'])", "import sqlite3; sqlite3.connect('a')",
    ):  # fmt: skip
        (events,) = events_of([text], tmp_path)
        assert missing(events[0], nothing, place)
        assert not missing(events[0], effects_of_python(text), place)


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as made:
        found, acted = held_against(range(int(sys.argv[1]), int(sys.argv[2])), Path(made))
        for one in found[: int(sys.argv[3]) if len(sys.argv) > 3 else 10]:
            print(one, "\n")
        print(len(found), "missed;", acted, "did something")
