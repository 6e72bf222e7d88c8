"""`python -m bench.trace`: which of our modules and calls one event passes through, from request to encoded reply.

The event is `rm -rf ~` before it runs, the second event of its session, in a daemon that is warm.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import interlock
from bench.events import EVENT, encoded
from bench.rows import Part, Row, Run, Values
from interlock.daemon.entry_watch import EntryWatch
from interlock.daemon.frames import HookRequest, answer_frame
from interlock.daemon.peers import parent_of
from interlock.daemon.sessions import Sessions
from interlock.daemon.settings_watch import SettingsWatch
from interlock.judging.projects import Projects
from interlock.store.place import open_store

PACKAGE = str(Path(str(interlock.__file__)).parent) + os.sep
ENGINE = ("facts", "policy")
INSIDE = (*ENGINE, "store")  # the rooms in which the work is done; all others only pass the event on
ROWS = {
    "modules outside": Row("one event: modules outside facts, policy and store", 12, ""),
    "calls outside": Row("  calls outside them", 60, ""),
    "engine calls": Row("  calls in the engine (facts and policy)", 250, ""),
    "modules": Row("  all our modules", unit=""),
    "calls": Row("  all our calls", unit=""),
}
_SETTLED = 0.3  # seconds
_POLICY = "version: 1\npacks: [guarded]\n"  # what `interlock init` starts a project with


@contextlib.contextmanager
def warm_daemon(project: Path) -> Iterator[Callable[[bytes], bytes]]:
    """A daemon without its sockets: gives the answer to one event as it is written to the client."""
    with Projects(open_store, whole=True) as projects:
        sessions = Sessions(projects, SettingsWatch().beside, EntryWatch(projects.record).beside)
        host = parent_of(os.getpid())
        yield lambda raw: answer_frame(sessions.answer(HookRequest("PreToolUse", project, raw), host))


@dataclass(frozen=True)
class Step:
    """A call of a function of ours."""

    thread: str
    depth: int
    module: str
    name: str

    @property
    def room(self) -> str:
        return self.module.partition("/")[0].removesuffix(".py")

    def __str__(self) -> str:
        return f"{self.thread:20} {'  ' * self.depth}{self.module}:{self.name}"


class Tracer:
    """Notes the calls of our functions in every thread that starts after it was made, while it is on."""

    def __init__(self, package: str = PACKAGE) -> None:
        self.steps: list[Step] = []
        self.is_on = False
        self._package = package
        self._depth: Counter[int] = Counter()

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        before = sys.getprofile()
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(before)
            threading.setprofile(None)

    def trace(self, task: Callable[[], object]) -> Sequence[Step]:
        """The calls made in one run of a task."""
        self.steps, self._depth = [], Counter()
        self.is_on = True
        try:
            task()
        finally:
            self.is_on = False
        return self.steps

    def _note(self, frame: FrameType, event: str, argument: Any) -> None:
        if not self.is_on or event not in ("call", "return"):
            return
        code = frame.f_code
        if not code.co_filename.startswith(self._package):
            return
        thread = threading.get_ident()
        if event == "return":
            self._depth[thread] = max(0, self._depth[thread] - 1)
            return
        name = threading.current_thread().name
        module = code.co_filename.removeprefix(self._package)
        self.steps.append(Step(name, self._depth[thread], module, _name(code)))
        self._depth[thread] += 1


def _name(code: CodeType) -> str:
    return str(getattr(code, "co_qualname", code.co_name))


def trace_event() -> Sequence[Step]:
    """The steps of one event in a home of its own."""
    tracer = Tracer()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        stack.enter_context(_at_home(folder / "home"))
        project = folder / "shop"
        (project / ".git").mkdir(parents=True)
        (project / "interlock.yaml").write_text(_POLICY, encoding="utf-8")
        stack.enter_context(tracer.watching())
        answer = stack.enter_context(warm_daemon(project))
        _warm(answer, project)
        first = answer(_push(project, "traced", 1))
        assert b'"permissionDecision":"deny"' in first, first
        event = _push(project, "traced", 2)
        return list(tracer.trace(lambda: answer(event)))


def _warm(answer: Callable[[bytes], bytes], project: Path) -> None:
    """Another session first. Files that have only just changed are read again at every event."""
    for number in range(2):
        answer(_push(project, "warm", number))
        time.sleep(_SETTLED)


def _push(project: Path, session: str, number: int) -> bytes:
    call = {"tool_input": {"command": "rm -rf ~"}, "tool_use_id": f"toolu_{number:020}"}
    return encoded({**EVENT, "session_id": session, "cwd": str(project), **call}) + b"\n"


@contextlib.contextmanager
def _at_home(folder: Path) -> Iterator[None]:
    folder.mkdir(mode=0o700)
    before = os.environ.get("HOME")
    os.environ["HOME"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["HOME"]
        else:
            os.environ["HOME"] = before


# --- what is said of it ----------------------------------------------------------------------------------------------


def counts(steps: Sequence[Step]) -> Values:
    outside = [step for step in steps if step.room not in INSIDE]
    return {
        "modules outside": len({step.module for step in outside}),
        "calls outside": len(outside),
        "engine calls": sum(step.room in ENGINE for step in steps),
        "modules": len({step.module for step in steps}),
        "calls": len(steps),
    }


def rooms(steps: Sequence[Step]) -> list[str]:
    """A line for each room and for each of its modules, those with most calls first."""
    calls = Counter(step.room for step in steps)
    lines = []
    for room, number in calls.most_common():
        modules = Counter(step.module for step in steps if step.room == room)
        lines.append(f"{room:20} {number:5} calls in {len(modules)} modules")
        lines += [f"  {module:38} {count:5}" for module, count in modules.most_common()]
    return lines


@contextlib.contextmanager
def _opens() -> Iterator[Run]:
    yield lambda: counts(trace_event())


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.trace", description=str(__doc__).partition(": ")[2])
    parser.add_argument("--walk", action="store_true", help="show every call in order")
    options = parser.parse_args()
    steps = trace_event()
    if options.walk:
        print("\n".join(map(str, steps)))
    print("\n".join(rooms(steps)))
    for key, value in counts(steps).items():
        row = ROWS[key]
        mark = "-" if row.target is None else f"≤ {row.target:g}  {'SHORT' if value > row.target else 'ok'}"
        print(f"{row.name.strip():55} {value:5.0f}  {mark}")


PART = Part("trace", ROWS, _opens, once=True)

if __name__ == "__main__":
    main()
