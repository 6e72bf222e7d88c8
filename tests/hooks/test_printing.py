"""What hooks print, and what stands around the worker: neither reaches an answer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from interlock.hooks.process import HookProcess
from interlock.service import handle
from tests.hooks.events import denial, event, pre, said, written

Start = Callable[[str], HookProcess]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Write a hooks file whose hook has this body, and make its worker."""
    made: list[HookProcess] = []

    def make(body: str) -> HookProcess:
        head = (
            'import os, subprocess, sys\nfrom interlock import *\n\n@hook(["PreToolUse", "Stop"])\ndef guard():\n    '
        )
        made.append(HookProcess([written(tmp_path, head + body)], 30))
        return made[-1]

    yield make
    for worker in made:
        worker.close()


@pytest.mark.parametrize(
    "body",
    [
        "print('hello')",
        "sys.stdout.write('hello\\n')",
        "print('hello', file=sys.stderr)",
        "os.write(1, b'hello\\n')",
        "os.write(2, b'hello\\n')",
        "subprocess.run(['echo', 'hello'])",
        "subprocess.run('echo hello >&2', shell=True)",
        "sys.__stdout__.write('hello\\n'); sys.__stdout__.flush()",
        "sys.stdout.buffer.write(b'hello\\n')",
        "subprocess.run(['echo', 'hello'], stdout=sys.stdout)",
    ],
)
def test_what_a_hook_prints_never_reaches_the_answer_and_can_be_read(start: Start, body: str):
    worker = start(body)
    reply = handle("claude-code", pre(), worker)
    assert (reply.stdout, reply.stderr, reply.exit_code) == (b"{}", "", 0)
    assert (worker.printed(), worker.printed()) == ("hello\n", "")


def test_what_is_printed_while_loading_can_be_read(tmp_path: Path):
    text = 'from interlock import *\nprint("loading")\n@hook("PreToolUse")\ndef guard(): print("running")\n'
    with HookProcess([written(tmp_path, text)], 30) as worker:
        assert handle("claude-code", pre(), worker).stdout == b"{}"
        assert worker.printed() == "loading\nrunning\n"


def test_a_hook_may_print_any_text(start: Start):
    worker = start("print('héllo — 💶')")
    assert handle("claude-code", pre(), worker).stdout == b"{}"
    assert worker.printed() == "héllo — 💶\n"


def test_bytes_that_are_no_text_can_still_be_read(start: Start):
    worker = start("os.write(1, b'a\\xffb')")
    assert handle("claude-code", pre(), worker).stdout == b"{}"
    assert worker.printed() == "a\ufffdb"


def test_what_can_be_read_is_capped_and_the_rest_is_dropped(start: Start):
    worker = start("print('x' * 200_000)")
    handle("claude-code", pre(), worker)
    assert worker.printed() == "x" * 64 * 1024
    assert worker.printed() == ""
    handle("claude-code", pre(), worker)
    assert worker.printed() == "x" * 64 * 1024


def test_nothing_is_printed_before_the_worker_started(tmp_path: Path):
    assert HookProcess([tmp_path / "never-read.py"]).printed() == ""


# --- a denial that was printed and not returned ------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Blocked: rm is closed",
        "access DENIED",
        "refused: over the limit",
        "forbidden",
        "rejected!",
        '{"permissionDecision": "deny"}',
        '{"decision": "block"}',
    ],
)
def test_a_printed_denial_without_an_opinion_denies(start: Start, tmp_path: Path, text: str):
    """S1-04 The hook meant to stop the call and said so to nobody."""
    reason = denial(handle("claude-code", pre(), start(f"print({text!r})")))
    assert reason == (
        f"hook `guard` ({tmp_path}/guards.py:4) failed: it printed `{text}` and returned no opinion; "
        "return deny(...) instead"
    )


@pytest.mark.parametrize(
    "body",
    [
        "print('all fine')",
        "print('0 denied, not blocked')",
        "print('unblocked, undeniable')",
        "print('denied'); return allow()",
        "print('denied'); return notify('x')",
        "deny",
    ],
)
def test_other_words_and_denials_beside_an_opinion_are_left_alone(start: Start, body: str):
    """S1-04 Near misses."""
    assert handle("claude-code", pre(), start(body)).exit_code == 0


def test_a_denial_printed_while_loading_is_not_the_hooks(tmp_path: Path):
    text = 'from interlock import *\nprint("deny list loaded")\n@hook("PreToolUse")\ndef guard(): pass\n'
    with HookProcess([written(tmp_path, text)], 30) as worker:
        assert handle("claude-code", pre(), worker).stdout == b"{}"


def test_a_denial_printed_by_one_hook_is_not_the_next_ones(tmp_path: Path):
    text = """
        from interlock import *

        @hook("PreToolUse")
        def talks():
            print("denied")
            return notify("Seen.")

        @hook("PreToolUse")
        def silent():
            return None
        """
    with HookProcess([written(tmp_path, text)], 30) as worker:
        assert said(handle("claude-code", pre(), worker)) == {"systemMessage": "Seen."}


def test_a_printed_denial_on_stop_passes_with_a_notice(start: Start):
    """S1-04 Stop's safe direction."""
    reply = handle("claude-code", event("Stop", stop_hook_active=False), start("print('denied')"))
    assert list(said(reply)) == ["systemMessage"]
    assert "it printed `denied` and returned no opinion" in said(reply)["systemMessage"]


# --- the surroundings --------------------------------------------------------------------------------------

POISON = ["msgspec", "interlock", "sitecustomize", "usercustomize", "re2", "socket", "asyncio", "struct"]


@pytest.fixture
def poisoned(tmp_path: Path) -> Path:
    """A folder of modules that leave a trace when they are imported."""
    folder = tmp_path / "poison"
    folder.mkdir()
    for name in [*POISON, "startup"]:
        trace = f"open({str(tmp_path / 'trace')!r}, 'a').write({name!r} + chr(10))\n"
        (folder / f"{name}.py").write_text(trace, encoding="utf-8")
    package = folder / "interlock" / "hooks"
    package.mkdir(parents=True)
    for file in (folder / "interlock" / "__init__.py", package / "__init__.py", package / "worker.py"):
        file.write_text((folder / "interlock.py").read_text(encoding="utf-8"), encoding="utf-8")
    return folder


def answered_well(folder: Path) -> bool:
    body = "async def f(): return deny('No.')\n    import asyncio\n    return asyncio.run(f())\n"
    head = 'from interlock import *\n\n@hook("PreToolUse")\ndef guard():\n    '
    (folder / "hooks").mkdir()
    with HookProcess([written(folder / "hooks", head + body)], 30) as worker:
        return denial(handle("claude-code", pre(), worker)) == "No."


def test_the_environment_does_not_say_what_the_worker_imports(
    poisoned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PYTHONPATH", str(poisoned))
    monkeypatch.setenv("PYTHONSTARTUP", str(poisoned / "startup.py"))
    monkeypatch.setenv("PYTHONHOME", str(poisoned))
    monkeypatch.setenv("PYTHONINSPECT", "1")
    assert answered_well(tmp_path)
    assert not (tmp_path / "trace").exists()


def test_the_working_directory_does_not_say_what_the_worker_imports(
    poisoned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(poisoned)
    assert answered_well(tmp_path)
    assert not (tmp_path / "trace").exists()


def test_the_poison_would_be_noticed(poisoned: Path, tmp_path: Path):
    """Or the two tests above could not fail."""
    subprocess.run([sys.executable, "-c", "import interlock, msgspec"], cwd=poisoned, check=True)
    assert "interlock\nmsgspec\n" in (tmp_path / "trace").read_text(encoding="utf-8")
