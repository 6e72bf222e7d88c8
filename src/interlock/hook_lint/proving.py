"""Run a hook against made-up events of its matcher, in a scratch folder, and say what the client would do with it."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct, json
from msgspec.structs import replace

from interlock.effect import can
from interlock.errors import InterlockError
from interlock.event import EVENTS
from interlock.hook_lint.fate import EXIT_TWO_IS_HEARD, Fate, answer_in, fate_of
from interlock.hook_lint.made_up import made_up_events
from interlock.hook_lint.program import Ending, HookProgram, OutputPart, Span
from interlock.hook_lint.run_output import said_in
from interlock.hook_lint.wiring import HookSubject, HookWire
from interlock.process import clean_environment, run_program

__all__ = ["Proof", "prove"]

JsonObject: TypeAlias = dict[str, Any]

_IN_HOME = re.compile(r"(?:~|\$HOME|\$\{HOME\})/\.claude/")
_PATIENCE = 10.0  # seconds; a hook that takes longer is said to be slow
_MOST_BYTES = 16 << 20  # of the folder that is copied
_NOWHERE = Span(0, 0, 1, 1)


class Proof(Struct, frozen=True, kw_only=True):
    """One run of a hook: the event it was given, in a few words, and what the client would do.

    If no event fits its entry, `given` is empty.
    """

    hook: str
    event: str
    given: str
    does: str
    is_refused: bool = False


def prove(subject: HookSubject) -> Iterator[Proof]:
    """Every event that the entries of a hook would be run for. The hook is run: only for people who asked for it."""
    for wire in subject.wires:
        if wire.handler.get("type", "command") != "command" or wire.root is None:
            continue
        with tempfile.TemporaryDirectory(prefix="interlock-prove-") as folder:
            project = Path(folder) / "project"
            _copy(wire, wire.root, project)
            events = list(made_up_events(wire.event, wire.matcher, project))
            for given, payload in events:
                yield _run(subject.program, wire, given, payload, project)
            if not events:
                yield Proof(hook=_name(wire), event=wire.event, given="", does=_why_never(wire))


def _name(wire: HookWire) -> str:
    return wire.script.name if wire.script is not None else str(wire.handler["command"])


def _why_never(wire: HookWire) -> str:
    if wire.event not in EVENTS:
        return f"it never runs: there is no event `{wire.event}`"
    return f"it was not run: the matcher `{wire.matcher}` matches none of the made-up calls"


def _copy(wire: HookWire, root: Path, project: Path) -> None:
    """The hooks' own folder, without the project around it."""
    project.mkdir(parents=True)
    source = root / ".claude"
    if wire.holder == "user":  # whose folder also holds every transcript
        source = source / "hooks"
    elif not source.is_dir():
        source = root / "hooks"
    sources = [source]
    script = wire.script
    if script is not None and script.parent.is_relative_to(root) and root not in (script.parent, source):
        sources.append(script.parent)
    for one in sources:
        if one.is_dir() and not (project / one.relative_to(root)).exists():
            _copy_folder(one, project / one.relative_to(root))


def _copy_folder(source: Path, target: Path) -> None:
    size = sum(file.stat().st_size for file in source.rglob("*") if file.is_file())
    if size > _MOST_BYTES:
        raise InterlockError(f"`{source}` is too large to copy", help="name a smaller folder")
    shutil.copytree(source, target, symlinks=True)


def _run(program: HookProgram, wire: HookWire, given: str, payload: JsonObject, project: Path) -> Proof:
    command = str(wire.handler["command"])
    # A project that is meant for a home, of dotfiles for instance, names its scripts from there.
    is_home = wire.holder == "user" or _IN_HOME.search(command) is not None
    home = project if is_home else project.parent / "home"
    home.mkdir(exist_ok=True)
    places = {"CLAUDE_PROJECT_DIR": str(project), "CLAUDE_PLUGIN_ROOT": str(project), "HOME": str(home)}
    environ = {**clean_environment(os.environ), **places, "CLAUDECODE": "1"}
    args = wire.handler.get("args")
    words = ["/bin/sh", "-c", command] if args is None else [command, *args]
    limit = min(float(wire.handler.get("timeout", _PATIENCE)), _PATIENCE)
    proof = Proof(hook=_name(wire), event=wire.event, given=given, does="")
    if _IN_HOME.search(command) and wire.script is not None and not wire.script.is_relative_to(wire.root or project):
        return replace(proof, does="not run: it is in somebody's home, and not in this project")
    try:
        ran = run_program(words, stdin=json.encode(payload) + b"\n", cwd=str(project), env=environ, timeout=limit)
    except InterlockError as error:
        return replace(proof, does=f"it cannot be started ({error.message}), so the call runs")
    if ran.late:
        return replace(proof, does=f"it took longer than {limit:g} s; if the client stops waiting, the call runs")
    ending = _ending_of(ran.stdout.decode("utf-8", "replace"), ran.stderr, ran.code)
    fate = fate_of(wire.event, ending, program) if wire.event in EVENTS else Fate(does="nothing")
    return replace(proof, does=_in_words(fate, ending, wire), is_refused=fate.does == "denies")


def _ending_of(stdout: str, stderr: str, code: int) -> Ending:
    said = list(said_in(stdout, lambda _start, _end: _NOWHERE))
    if stderr:
        said.append(OutputPart(stream="stderr", span=_NOWHERE, text=stderr))
    return Ending(how="exit", span=_NOWHERE, code=code, said=tuple(said))


def _in_words(fate: Fate, ending: Ending, wire: HookWire) -> str:
    """What the client does, for a person to read."""
    fails = ending.code not in (0, 2) or fate.invalid
    if fate.does == "nothing" and fails and wire.blocks_on_failure:
        return "refused, because the hook failed and `onFailure` is `block`"
    ends = can(wire.event).deny_goes_on
    words = {
        "denies": ("the agent goes on working" if ends else "refused") + _reason(ending),
        "asks": "a person is asked" + _reason(ending),
        "allows": "the agent stops" if ends else "allowed without a question",
        "defers": "left for later (`defer`)",
        "unknown": "unknown",
    }
    if fate.does != "nothing":
        return words[fate.does] + (", with a changed input" if fate.changes else "")
    if ending.code == 2 and wire.event in EXIT_TWO_IS_HEARD:
        return "the call has run, and the model is told" + _reason(ending)
    waits = wire.event in ("PreToolUse", "PermissionRequest")
    then = "the agent stops" if ends else "the call runs" if waits else "it goes on"
    if fate.invalid:
        return f"the answer is dropped ({fate.invalid}); {then}"
    return f"exit code {ending.code} has no effect; {then}" if fails else "no objection"


def _reason(ending: Ending) -> str:
    """The first line of the reason that the client takes: from stderr with exit code 2, otherwise from the answer."""
    if ending.code == 2:
        text = "".join(one.text for one in ending.on("stderr"))
    else:
        answer = answer_in(ending)
        said = answer.value if answer is not None else {}
        text = str(said.get("reason") or said.get("hookSpecificOutput", {}).get("permissionDecisionReason", ""))
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return f": {first[:80]}" if first else ""
