"""An installed entry whose program is gone, crashes or is killed refuses the call, as its host reads the end of it.

The sixteen rows of what hosts do with the answer of a hook are in tests/live/observed.py; these are the rows that no
answer causes, on every host, also on those that no test can start.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock.hosts import HOSTS
from interlock.hosts.base import commands
from interlock.hosts.base.installing import HostSpot, apply_setup, plan_setup
from interlock.hosts.base.setup import HostScope
from interlock.hosts.base.starting import sample_for, starts_of
from interlock.hosts.discovery import hosts_with_setup
from interlock.hosts.opencode import setup as opencode
from interlock.process import run_program

EVERY_SETUP = [(host.name, scope) for host in hosts_with_setup() if host.setup for scope in host.setup.scopes]
ENDS = {
    "ends with 1": "raise SystemExit(1)",
    "ends with another code": "raise SystemExit(9)",
    "fails": "raise RuntimeError",
    "is killed": "import os; os.kill(os.getpid(), 9)",
    "answers and is killed": "print('{}', flush=True); import os; os.kill(os.getpid(), 9)",
}
# Amp asks a person after 1. Gemini and Cline go by what was printed, and the client prints nothing but a whole answer.
ELSE = {"amp": ("ends with 1", "fails"), "gemini": ("answers and is killed",), "cline": ("answers and is killed",)}
BROKEN = [(name, scope, ends) for name, scope in EVERY_SETUP for ends in ENDS if ends not in ELSE.get(name, ())]


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The client of an installation, which a test breaks."""
    file = tmp_path / "a b" / "interlock" / "client.py"
    file.parent.mkdir(parents=True)
    for module in (commands, opencode):
        monkeypatch.setattr(module, "client_file", lambda: file)
    return file


def refusals(name: str, scope: HostScope, folder: Path) -> list[str | None]:
    """How a host reads what becomes of a call through each of the entries that it would start."""
    root, home = folder / "shop", folder / "home"
    root.mkdir()
    here = HostSpot(host=HOSTS[name], scope=scope, root=root, home=home)
    apply_setup(plan_setup([here]))
    denied = here.host.denied
    assert denied is not None
    ends = [
        run_program(one.words, stdin=one.stdin, cwd=str(root), env={"PATH": "/usr/bin:/bin", **one.environ}, timeout=30)
        for one in starts_of(here, sample_for(here, "Bash", {"command": "ls"}, "broken-1"))
    ]
    assert ends
    return [denied(ran.code, ran.stdout, ran.stderr.encode()) for ran in ends]


@pytest.mark.parametrize(("name", "scope", "ends"), BROKEN)
def test_a_call_does_not_run_if_the_client(name: str, scope: HostScope, ends: str, client: Path, tmp_path: Path):
    client.write_text(ENDS[ends], encoding="utf-8")
    assert None not in refusals(name, scope, tmp_path)


@pytest.mark.parametrize(("name", "scope"), EVERY_SETUP)
def test_a_call_does_not_run_if_the_client_is_gone(name: str, scope: HostScope, client: Path, tmp_path: Path):
    assert not client.exists()
    assert None not in refusals(name, scope, tmp_path)


@pytest.mark.parametrize(("name", "scope"), EVERY_SETUP)
def test_a_call_does_not_run_if_the_interpreter_is_gone(
    name: str, scope: HostScope, client: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    client.write_text("raise SystemExit(0)", encoding="utf-8")
    for module in (commands, opencode):
        monkeypatch.setattr(module, "python", lambda: tmp_path / "gone" / "python")
    assert None not in refusals(name, scope, tmp_path)


@pytest.mark.parametrize(("name", "scope"), EVERY_SETUP)
def test_a_client_that_says_nothing_against_a_call_lets_it_pass(
    name: str, scope: HostScope, client: Path, tmp_path: Path
):
    """So that the refusals above are not those of entries that refuse everything."""
    client.write_text("print('{}')", encoding="utf-8")
    assert set(refusals(name, scope, tmp_path)) == {None}
