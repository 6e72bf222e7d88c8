"""The first five minutes of a person with Interlock, as recorded in docs/first-five-minutes.md.

Interlock is installed from a wheel into an environment of its own, every command runs in a terminal of 80 and of 100
columns, and the real client makes the calls.
"""

from __future__ import annotations

import re
import shlex
import site
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.e2e import clients
from tests.e2e.model import bash
from tests.e2e.session import LIMIT, Session
from tests.e2e.terminal import Shown, at_terminal

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "first-five-minutes.md"
QUESTION = "Write this? [y/N, d shows every line]: "
ANSWERS = {"interlock init": {QUESTION: "y\n"}, "interlock uninstall": {QUESTION: "y\n"}}
MOST_LINES, MOST_KEYS = 8, 2
# Lines of these commands name places of this machine, however long they are.
WIDE = ("interlock check", "interlock doctor", "interlock log")


class Person(Session):
    """A person whose project is in their home, as most are: its name is short on the screen."""

    @property
    def project(self) -> Path:
        return self.home / "shop"


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with Interlock from a wheel. What it depends on is the one that the tests run with."""
    if find_spec("hatchling") is None:
        pytest.skip("needs hatchling: pip install 'interlock[dev]'")
    folder = tmp_path_factory.mktemp("i")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder))
    run(sys.executable, "-m", "venv", "--without-pip", str(folder / "env"))
    packages = next(folder.glob("env/lib/python*/site-packages"))
    (packages / "dependencies.pth").write_text("\n".join(site.getsitepackages()), encoding="utf-8")
    python = str(folder / "env" / "bin" / "python")
    wheel = str(next(folder.glob("*.whl")))
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-index", "--no-deps", wheel)
    return folder / "env" / "bin"


def run(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT * 2, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def person(installation: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A person with a project, Interlock and Claude Code on their search path."""
    session = Person(tmp_path_factory.mktemp("p"), clients.current())
    programs = session.home / ".local" / "bin"
    programs.mkdir(parents=True)
    (programs / "claude").symlink_to(session.client)
    session.environ = {"PATH": f"{installation}:{programs}:/usr/bin:/bin", "TERM": "xterm-256color"}
    yield session
    session.close()


def recorded() -> list[tuple[str, list[str]]]:
    """The commands on the page, each with the lines that it shows."""
    block = re.findall(r"```console\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    found: list[tuple[str, list[str]]] = []
    for line in "".join(block).splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def play(session: Session, columns: int) -> dict[str, Shown]:
    """Run every command of the page, in order."""
    shown = {}
    for command, _ in recorded():
        if command.startswith("claude"):
            ran = session.run(bash("git push -f origin main"), bash("touch made"))
            shown[command] = Shown(ran.exit_code, ran.results()[0].text, 0)
            continue
        name = next((name for name in ANSWERS if command == name), "")
        program, *arguments = shlex.split(command)
        shown[command] = at_terminal(
            ["/usr/bin/env", program, *arguments],
            columns,
            cwd=session.project,
            env=session.env(),
            answers=ANSWERS.get(name),
        )
    return shown


def plain(session: Session, text: str) -> str:
    """The text as on the page: the person is in ~/shop."""
    return text.replace(str(session.project), "~/shop").replace(str(session.home), "~")


@pytest.mark.parametrize("columns", [80, 100])
def test_from_the_first_command_to_the_last_everything_is_on_one_screen(person: Session, columns: int):
    shown = play(person, columns)
    assert {command: one.code for command, one in shown.items() if one.code} == {}
    wide = {command: one.widest for command, one in shown.items() if not command.startswith((*WIDE, "claude"))}
    assert {command: width for command, width in wide.items() if width > columns} == {}
    before = shown["interlock init"].text.partition(QUESTION)[0]
    assert len(before.splitlines()) <= MOST_LINES
    assert {command: one.keys for command, one in shown.items() if one.keys} == dict.fromkeys(ANSWERS, MOST_KEYS)
    assert "can overwrite other people's work" in shown['claude -p "Publish it."'].text
    assert person.has("made")
    assert not person.settings.exists()
    assert person.has("interlock.yaml")


def test_the_page_shows_what_is_on_the_screen(person: Session):
    """Every line of the page is on the screen, in this order. `…` stands for any lines, and for any text in a line."""
    shown = play(person, 80)
    for command, lines in recorded():
        rest = plain(person, shown[command].text).splitlines()
        for line in lines:
            if line == "…":
                continue
            pattern = re.compile(".*".join(map(re.escape, line.split("…"))))
            place = next((number for number, one in enumerate(rest) if pattern.fullmatch(one)), None)
            assert place is not None, f"`{command}` does not show `{line}` but:\n" + "\n".join(rest)
            rest = rest[place + 1 :]


def test_a_wheel_contains_everything_that_runs_and_everything_to_read(installation: Path):
    package = next(installation.parent.glob("lib/python*/site-packages/interlock"))
    there = {str(file.relative_to(package)) for file in package.rglob("*") if file.is_file()}
    source = ROOT / "src" / "interlock"
    needed = {
        str(file.relative_to(source))
        for file in source.rglob("*")
        if file.is_file() and file.suffix in (".py", ".yaml", ".typed", ".json")
    }
    assert needed - there == set()
    pages = {f"pages/docs/{file.relative_to(ROOT / 'docs')}" for file in (ROOT / "docs").rglob("*.md")}
    assert pages - there == set()
