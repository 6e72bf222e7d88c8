"""`interlock explain`: judge one call and show the verdict, what changes, and which rules said so."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from msgspec import DecodeError, json

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, named_policies, policies, policy_option, reporting, say, verbose_option
from interlock.cli.explanation import PolicyNotes, data_of, report
from interlock.config.bundles import core_policy
from interlock.config.layers import PolicyLayer
from interlock.config.places import project_root
from interlock.errors import InterlockError
from interlock.hosts.claude_code.runtime import built_in_policies
from interlock.judging.in_force import InForce, policies_in_force
from interlock.policy.count import count_rules
from interlock.testing.events import call_of, payload_for
from interlock.testing.results import response_of
from interlock.testing.trial import TRIAL_CALL, CallTrial, Explanation

__all__ = ["explain"]


@click.command()
@click.argument("call", required=False)
@click.option("--tool", help="Judge a call of this tool; CALL is then its input as JSON, or its main field.")
@click.option(
    "--result", "result", metavar="TEXT", help="Also judge this result of the call: text or JSON; - is stdin."
)
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
@click.option("--all", "-a", "everything", is_flag=True, help="Also list the rules that were checked and did not fire.")
@verbose_option("Like --all, with the condition that each rule did not meet, and the host's answer.")
@json_option
def explain(
    call: str | None,
    tool: str | None,
    result: str | None,
    event_file: Path | None,
    branch: str | None,
    really_run: bool,
    pack: str | None,
    policy_file: Path | None,
    everything: bool,
    verbose: bool,
    as_json: bool,
) -> None:
    """Judge CALL, a shell command, and show the verdict, what would change, and which rules say so.

    \b
    Examples:
      interlock explain "git push -f origin main"
      interlock explain --tool Write '{"file_path": "/etc/hosts", "content": "x"}'
      interlock explain --tool Read .env --result "TOKEN=abc"
      interlock explain "rm -rf build" --pack strict --all
      interlock explain --event event.json --json

    Nothing is executed or recorded: unless you give --run, hooks are not asked and `run` checks count as passed.
    """
    with reporting():
        raw = _raw(call, tool, event_file)
        root = project_root(Path.cwd())
        force, notes = _policies(root, pack, policy_file)
        judges = (*force.policies, *built_in_policies(force.policies, force.depends))
        trial = CallTrial(judges, root, branch, really_run=really_run)
        try:
            judged = [trial.judge(raw)]
            if result is not None:
                judged.append(trial.judge(_result_of(judged[0], result)))
        finally:
            trial.close()
        notes = notes.with_skips(judges, judged, trial.skipped_checks, count_rules(judges), really_run=really_run)
        if as_json:
            say(to_json(data_of(judged, notes)))
        else:
            say(report(judged, notes, everything=everything or verbose, verbose=verbose))


def _policies(root: Path, pack: str | None, policy_file: Path | None) -> tuple[InForce, PolicyNotes]:
    """The named policies, or those that apply here. A broken file is an error, even if its last version is in force."""
    named = named_policies(pack, policy_file)
    if named is not None:
        return InForce(tuple(named)), PolicyNotes()
    layers = policies(None)  # raises for a broken file, whose errors the person needs to see
    force = policies_in_force(root, remember=False)
    bare = len(force.policies) == 1 and force.policies[0].file == core_policy().file
    return force, PolicyNotes(bare=bare, notices=force.notices, untrusted=_without_trust(layers))


def _without_trust(layers: Sequence[PolicyLayer]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Each policy that is not trusted, with what of it does not count: rules, their effects, hooks, descriptions."""
    found = []
    for one in layers:
        if one.trusted:
            continue
        acting = {(rule.id, rule.source): rule for rule, _ in one.in_force.rules}
        lost = []
        for rule, _ in one.policy.rules:
            left = acting.get((rule.id, rule.source))
            effects = ("change", "output", "set", "context", "notify")
            if left is None or (rule.decision is None and any(getattr(rule, name) is not None for name in effects)):
                lost.append(rule.id)
            elif gone := [name for name in effects if getattr(rule, name) is not None]:
                lost.append(f"{rule.id} ({', '.join(f'`{name}`' for name in gone)})")
        lost += [name for name, _ in one.policy.hook_files]
        lost += [hook.name or str(hook.run or hook.url) for hook in one.policy.externals]
        lost += [f"the description of {name}" for name in one.policy.programs]
        found.append((one.policy.file, tuple(lost)))
    return tuple(found)


# --- the events ----------------------------------------------------------------------------------------------


def _raw(call: str | None, tool: str | None, event_file: Path | None) -> bytes:
    if event_file is not None:
        if call is not None or tool is not None:
            raise InterlockError("--event cannot be used together with a call", help="give one of them")
        return event_file.read_bytes()
    if call is None:
        raise InterlockError("nothing to explain", help='give a command: interlock explain "git push -f"')
    # An argument may be any bytes, but a payload must be UTF-8.
    try:
        call.encode()
    except UnicodeEncodeError as error:
        raise InterlockError("the call is not valid UTF-8") from error
    name, given = call_of(call if tool is None else {tool: _input(call)})
    return payload_for("PreToolUse", {}, tool_name=name, tool_input=given, cwd=str(Path.cwd()), tool_use_id=TRIAL_CALL)


def _input(text: str) -> Any:
    if not text.lstrip().startswith("{"):
        return text
    try:
        return json.decode(text)
    except DecodeError as error:
        raise InterlockError(f"the input is not JSON: {error}") from error


def _result_of(judged: Explanation, text: str) -> bytes:
    """The event with which a host would report this result of a call."""
    event = judged.event
    if event is None or event.hook_event_name != "PreToolUse":
        raise InterlockError("--result needs a call", help="give a command, or --tool with its input")
    text = sys.stdin.read() if text == "-" else text
    try:
        text.encode()
        result = json.decode(text) if text.lstrip()[:1] in ("{", "[") else text
    except UnicodeEncodeError as error:
        raise InterlockError("the result is not valid UTF-8") from error
    except DecodeError:
        result = text  # it only looks like JSON
    tool, given = getattr(event, "tool_name"), judged.reply.verdict.input  # noqa: B009 - every call has one
    response = response_of(tool, given, result)
    fields = {"tool_name": tool, "tool_input": given, "tool_response": response, "tool_use_id": TRIAL_CALL}
    return payload_for("PostToolUse", {}, cwd=event.cwd, **fields)
