"""Hooks that say no and stop nothing: the real client runs the call, and lint says why. Set right, they stop it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from interlock.hook_lint.fixing import make_executable, plan_fixes
from interlock.hook_lint.gather import gather
from interlock.hook_lint.run import lint_hooks
from tests.e2e import clients
from tests.e2e.model import Call, Turn, bash
from tests.e2e.session import Session

GUARD = ".claude/hooks/guard"
STARTED = f'"$CLAUDE_PROJECT_DIR"/{GUARD}'
PYTHON = """\
#!/usr/bin/env python3
import json
import sys

event = json.load(sys.stdin)
command = event["tool_input"]["command"]
if "made" in command:
    {no}
"""
PLAIN = '#!/bin/sh\ncat >/dev/null\necho "Blocked: nothing is made here" >&2\nexit 2\n'
RIGHT_ANSWER = {
    "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "deny",
        "permissionDecisionReason": "Nothing is made here.",
    },
}  # fmt: skip
MADE = bash("mkdir made")
REFUND = Call("mcp__payments__process_refund", {"customer_id": "c1", "amount": 5})


@dataclass(frozen=True)
class World:
    """A guard and the entry that starts it. No script: the entry names one that is missing."""

    script: str | None = PLAIN
    mode: int = 0o755
    entry: dict[str, Any] = field(default_factory=lambda: {"type": "command", "command": STARTED})
    matcher: str = "Bash"
    flat: bool = False

    def build(self, session: Session) -> None:
        if self.script is not None:
            session.write(GUARD, self.script).chmod(self.mode)
        group = {"matcher": self.matcher, "hooks": [self.entry]}
        if self.flat:
            group = self.entry
        settings = {"hooks": {"PreToolUse": [group]}}
        session.write(".claude/settings.json", json.dumps(settings, indent=2))


def python(no: str, *, reading: str = "") -> World:
    text = PYTHON.replace("{no}", no.replace("\n", "\n    "))
    return World(script=text.replace('event["tool_input"]["command"]', reading) if reading else text)


def says(answer: object) -> World:
    return python(f"print(json.dumps({answer!r}))")


def specific(**changed: str | None) -> World:
    """A deny with some of its parts changed, or left out."""
    part = {**RIGHT_ANSWER["hookSpecificOutput"], **changed}
    return says({"hookSpecificOutput": {key: value for key, value in part.items() if value is not None}})


def tool(name: str) -> World:
    """A guard for one tool, whatever its input is."""
    no = "print('Blocked', file=sys.stderr)\nsys.exit(2)"
    text = PYTHON.replace("{no}", no.replace("\n", "\n    ")).replace('event["tool_input"]["command"]', '""')
    return World(script=text.replace('if "made" in command:', f'if event["tool_name"] == "{name}":'), matcher="*")


def lowered(pattern: str) -> World:
    """A guard that looks for a pattern in the command after it has made it small."""
    found = f"re.search('{pattern}', command.lower())"
    text = PYTHON.replace("import sys\n", "import re\nimport sys\n").replace('"made" in command', found)
    return World(script=text.replace("{no}", "sys.exit(2)"))


READ = """$(python3 -c 'import json, sys; print(json.load(sys.stdin)["tool_input"]["command"])')"""
BY_SED = """$(sed -n 's/.*"command": *"\\([^"]*\\)".*/\\1/p')"""
LINE = f'if {{open}} "{READ}" = "mkdir made" {{close}}; then echo Blocked >&2; exit 2; fi'


def grep(pattern: str, *, reading: str = READ) -> World:
    return shell(f'grep -q {pattern} <<< "$command"', reading=reading)


def shell(test: str, *, reading: str = READ) -> World:
    return World(script=f'#!/bin/bash\ncommand={reading}\nif {test}; then\n  echo "Blocked" >&2\n  exit 2\nfi\n')


TWO = python("print('Blocked: made', file=sys.stderr)\nsys.exit(2)")
DENIES = says(RIGHT_ANSWER)


@dataclass(frozen=True)
class Case:
    """A hook that stops nothing, what lint says about it, and the right hook beside it. None: `--fix` makes it."""

    code: str
    broken: World
    right: World | None = None
    call: Turn = MADE

    def ran(self, session: Session) -> bool:
        """Whether the tool ran in a session with what is there now."""
        session.run(self.call, "Done.", mcp=self.call is REFUND)
        return bool(session.paid()) if self.call is REFUND else session.has("made")


CASES = {
    "exit 1": Case("IL201", python("print('Blocked: made', file=sys.stderr)\nsys.exit(1)")),
    "raised": Case("IL202", python("raise PermissionError('nothing is made here')"), TWO),
    "printed, then nothing": Case("IL203", python("print('Blocked: made is not allowed')"), TWO),
    "keys of its own": Case("IL204", says({"blocked": True, "error": "not allowed"}), DENIES),
    "decision at the top": Case("IL205", says({"permissionDecision": "deny"}), DENIES),
    "no event named": Case("IL206", specific(hookEventName=None)),
    "another event named": Case("IL206", specific(hookEventName="PostToolUse")),
    "an unknown decision": Case("IL207", specific(permissionDecision="block")),
    "continue false": Case("IL209", says({"continue": False, "stopReason": "Blocked"}), DENIES),
    "text before the JSON": Case(
        "IL214", python(f"print('checking ...')\nprint(json.dumps({RIGHT_ANSWER!r}))"), DENIES
    ),
    "an input field that is not there": Case(
        "IL101", python("sys.exit(2)", reading='event.get("parameters", {}).get("command", "")')
    ),
    "a made-up variable": Case(
        "IL102", World(script='#!/bin/sh\ncase "$CLAUDE_TOOL_INPUT" in *made*) echo "Blocked" >&2; exit 2;; esac\n'),
        World(script='#!/bin/sh\ncase "$(cat)" in *made*) echo "Blocked" >&2; exit 2;; esac\n'),
    ),
    "a made-up argument": Case(
        "IL103", grep("made", reading='"$1"'), grep("made")
    ),
    "a pattern at the beginning": Case(
        "IL601", grep("^mkdir"), grep("mkdir"), call=bash("cd . && mkdir made")
    ),
    "a pattern that is taken for an option": Case(
        "IL603", grep("--mode"),
        grep("-e --mode"), call=bash("mkdir --mode=700 made"),
    ),
    "JSON that is read by sed": Case(
        "IL604", grep("made", reading=BY_SED), grep("made"), call=bash('echo "x"; mkdir made')
    ),
    "stars in quotes": Case(
        "IL607", shell('[[ "$command" == "*made*" ]]'), shell('[[ "$command" == *made* ]]')
    ),
    "a pattern in capitals for a text in small letters": Case(
        "IL607", lowered("MADE"), lowered("made")
    ),
    "a name without its server": Case(
        "IL606", tool("process_refund"), tool("mcp__payments__process_refund"), call=REFUND
    ),
    "bash in a plain shell": Case(
        "IL505", World(entry={"type": "command", "command": LINE.format(open="[[", close="]]")}),
        World(entry={"type": "command", "command": LINE.format(open="[", close="]")}),
    ),
    "a tool of no such name": Case(
        "IL104", python('if event["tool_name"] == "bash":\n    sys.exit(2)')
    ),
    "not executable": Case("IL401", World(mode=0o644)),
    "a folder with a space": Case(
        "IL405", World(entry={"type": "command", "command": f"$CLAUDE_PROJECT_DIR/{GUARD}"})
    ),
    "a missing script": Case("IL402", World(script=None), World()),
    "a permission rule as matcher": Case("IL408", World(matcher="Bash(mkdir *)"), World()),
    "a server as matcher": Case("IL410", World(matcher="mcp__payments"), call=REFUND),
    "an entry without a group": Case("IL407", World(flat=True)),
    "a guard in the background": Case(
        "IL504", World(entry={"type": "command", "command": STARTED, "async": True}), World()
    ),
}  # fmt: skip


@pytest.fixture
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A project whose path has a space in it, as on many desks."""
    session = Session(tmp_path_factory.mktemp("e") / "my files", clients.current())
    yield session
    session.close()


def found_in(session: Session) -> list[str]:
    """What lint says of the project; that the guard lacks `onFailure` holds of all of them."""
    return [one.code for one in lint_hooks(gather([session.project])) if one.code != "IL503"]


def apply_fixes(folder: Path, code: str) -> None:
    plan = plan_fixes(one for one in lint_hooks(gather([folder])) if one.code == code)
    assert [one.code for one in plan.fixed] == [code]
    for change in plan.changes:
        assert change.after is not None
        change.path.write_bytes(change.after)
    for path in plan.executable:
        make_executable(path)


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_a_hook_that_stops_nothing_is_found_and_set_right(session: Session, case: Case):
    case.broken.build(session)
    assert case.ran(session)
    assert found_in(session) == [case.code]

    if case.call is REFUND:
        (session.folder / "ledger").unlink()
    else:
        (session.project / "made").rmdir()
    if case.right is None:
        apply_fixes(session.project, case.code)
    else:
        case.right.build(session)
    assert not case.ran(session)
    assert found_in(session) == []
