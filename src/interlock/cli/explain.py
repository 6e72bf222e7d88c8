"""`interlock explain`: judge one call and show what every rule said."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from msgspec import DecodeError, json

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, named_policies, policies, policy_option, reporting, say
from interlock.config.places import project_root
from interlock.errors import InterlockError
from interlock.judging.guard import Guard
from interlock.judging.in_force import policies_in_force
from interlock.policy.engine import Step
from interlock.policy.load import Policy
from interlock.policy.situation import CheckOutcome, Situation
from interlock.probe.world import Machine
from interlock.service import Reply, answer, judge_again
from interlock.store.memory import MemoryStore
from interlock.testing.events import call_of, payload_for

__all__ = ["explain"]

_COLOURS = {"deny": "red", "ask": "yellow", "defer": "yellow", "allow": "green", "none": "cyan"}


_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
@click.argument("call", required=False)
@click.option("--tool", help="Judge a call of this tool; CALL is then its input as JSON, or its main field.")
@click.option(
    "--event",
    "event_file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Judge the event in this file.",
)
@click.option("--branch", help="Pretend that this branch is checked out.")
@click.option("--run", "really_run", is_flag=True, help="Really run `run` checks and hooks.")
@click.option("--pack", "pack", help="Judge by this shipped pack instead of the policies that apply in this project.")
@policy_option
@json_option
def explain(
    call: str | None,
    tool: str | None,
    event_file: Path | None,
    branch: str | None,
    really_run: bool,
    pack: str | None,
    policy_file: Path | None,
    as_json: bool,
) -> None:
    """Judge CALL, a shell command, and show which rules were checked, what each said, and the verdict.

    \b
    Examples:
      interlock explain "git push -f origin main"
      interlock explain --tool Write '{"file_path": "/etc/hosts", "content": "x"}'
      interlock explain --tool Read .env
      interlock explain "rm -rf build" --pack strict
      interlock explain --event event.json --json

    Nothing is executed or recorded: unless you give --run, hooks are not asked and `run` checks count as passed.
    """
    with reporting():
        raw = _raw(call, tool, event_file)
        root = project_root(Path.cwd())
        steps: list[Step] = []
        world = _World(str(root), branch, really_run)
        acting = _acting(root, pack, policy_file)
        with Guard(acting, world, MemoryStore(), project=str(root), alone=True, trace=steps.append,
                   run_hooks=really_run) as guard:  # fmt: skip
            answer(guard, "claude-code", raw)  # a first time, so that the time shown does not include starting
            steps.clear()
            start = time.perf_counter()
            reply = judge_again(guard, "claude-code", raw)
            took = time.perf_counter() - start
        steps = list({step.rule: step for step in steps}.values())  # if a rule was asked twice, its last answer
        say(to_json(_data(steps, reply, took)) if as_json else _text(steps, reply, took, len(guard.engine.rules)))


def _acting(root: Path, pack: str | None, policy_file: Path | None) -> Sequence[Policy]:
    """The named policies, or those that apply here. A broken file is an error, even if its last version is in force."""
    named = named_policies(pack, policy_file)
    if named is not None:
        return named
    policies(None)  # raises for a broken file, whose errors the person needs to see
    return policies_in_force(root, remember=False).policies


class _World(Machine):
    """This machine, without what must not happen when a call is only explained."""

    def __init__(self, project: str, branch: str | None, really_run: bool) -> None:
        super().__init__(project)
        self._pretended = branch
        self._really_run = really_run

    def branch(self, project: str) -> str:
        return self._pretended if self._pretended is not None else super().branch(project)

    def run(self, command: str | list[str], timeout: float, situation: Situation) -> CheckOutcome:
        # Exit code 0 is a check that passes.
        return super().run(command, timeout, situation) if self._really_run else CheckOutcome()


def _raw(call: str | None, tool: str | None, event_file: Path | None) -> bytes:
    if event_file is not None:
        return event_file.read_bytes()
    if call is None:
        raise InterlockError("nothing to explain", help='give a command: interlock explain "git push -f"')
    # An argument may be any bytes, but a payload must be UTF-8.
    try:
        call.encode()
    except UnicodeEncodeError as error:
        raise InterlockError("the call is not valid UTF-8") from error
    name, given = call_of(call if tool is None else {tool: _input(call)})
    return payload_for(
        "PreToolUse", {}, tool_name=name, tool_input=given, cwd=str(Path.cwd()), tool_use_id="toolu_explain"
    )


def _input(text: str) -> Any:
    if not text.lstrip().startswith("{"):
        return text
    try:
        return json.decode(text)
    except DecodeError as error:
        raise InterlockError(f"the input is not JSON: {error}") from error


def _data(steps: Sequence[Step], reply: Reply, took: float) -> dict[str, Any]:
    verdict = reply.verdict
    return {
        "decision": verdict.decision,
        "reason": verdict.reason,
        "rules": [
            {"rule": one.rule, "outcome": one.outcome, "why": one.detail, "said": _words_of(one)} for one in steps
        ],
        "changes": [{"field": one.field, "by": one.by} for one in verdict.changes],
        "input": verdict.input,
        "errors": list(verdict.errors),
        "answer": reply.stdout.decode(),
        "exit_code": reply.exit_code,
        "microseconds": round(took * 1e6),
    }


def _text(steps: Sequence[Step], reply: Reply, took: float, rules: int) -> str:
    verdict = reply.verdict
    decision = verdict.decision or "none"
    lines = [f"{len(steps)} of {rules} rules checked"]
    marks = {"fired": click.style("fired   ", fg="yellow"), "failed": click.style("failed  ", fg="red")}
    for one in steps:
        why = f"  ({one.detail})" if one.detail else ""
        said = f"  → {_words_of(one)}" if _words_of(one) else ""
        lines.append(f"  {marks.get(one.outcome, 'no match')}  {one.rule}{why}{said}")
    for change in verdict.changes:
        lines.append(f"changed  `{change.field}` by {change.by}")
    verdict_word = click.style(decision, fg=_COLOURS[decision], bold=True)
    lines.append(verdict_word + (f"  {verdict.reason}" if verdict.reason else ""))
    lines += [f"         [{reason.source}]" for reason in verdict.reasons if reason.source is not None]
    return "\n".join([*lines, f"in {took * 1e6:.0f} µs"])


def _words_of(step: Step) -> str:
    opinion = step.opinion
    if opinion is None:
        return ""
    if opinion.would is not None:
        return f"would {opinion.would}"
    parts = [opinion.decision or "", "change" if opinion.change is not None else ""]
    return " ".join(part for part in parts if part)
