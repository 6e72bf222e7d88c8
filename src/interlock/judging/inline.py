"""The shell inside skills, slash commands and agents, judged like the Bash calls that the host runs without an event.

A host runs the inline shell of a skill when a model or a person calls the skill, or when an agent starts with it. It
raises an event only for that call, not for the shell. The same is true of the hooks and MCP servers in the definition
of a skill or an agent. So the definition is read here, and all participants are asked about each command in it as if
it were a separate call; their answers count for the call that would run it. Hooks in a definition that answer for
calls are asked about in addition, whatever they run: a host takes the answer that comes last, so they can replace an
input that has been judged already.

If a file exists but cannot be read, the check fails, and a failed check denies. A file that is not found is another
matter: the host raises the event only for names that it knows, so this name comes from a place that only the host was
told about. Then a person is asked, or the prompt is denied if no one can be asked. This happens only if a rule or hook
judges shell commands at all; otherwise nothing is lost. An agent that is not found passes: hosts are often given
agents without files, and the skills that such an agent starts with are those that its owner listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Protocol

from msgspec import Struct, json
from msgspec.structs import replace

from interlock.effect import effects_of
from interlock.event import Event, PreToolUse, UserPromptExpansion, payload_of
from interlock.facts.definitions import Definition
from interlock.facts.inline import UNKNOWN, Inline, inline_commands
from interlock.facts.tools import kind_of
from interlock.fold import Answers, Round, decide
from interlock.hosts.claude_code.skills import Lookup
from interlock.policy.rule import Rule
from interlock.policy.situation import Panel, Situation
from interlock.verdict import Decision, JsonObject, Opinion, Verdict, failure

__all__ = ["InlinePanel", "SkillPlaces", "judges_commands", "may_run_skill"]

_BY = "interlock"
_MOST = 50  # commands of one call: each is judged as a separate call, all within one deadline
_SHOWN = 200
# Sources of commands that have no file: those built into the host, and prompts of MCP servers, whose shell never runs.
_FILELESS = frozenset({"builtin", "bundled", "mcp"})
# This tool starts agents from a script, by names that the script may compute.
_WORKFLOW = "Workflow"
# Makes the whole line opaque, so that rules about commands that cannot be known before they run apply to it.
_UNKNOWN_PART = "$INTERLOCK_UNKNOWN"
_OPAQUE = f'\neval "{_UNKNOWN_PART}"'


class SkillPlaces(Protocol):
    """Finds the files of skills, commands and agents."""

    def skill(self, name: str, *, cwd: str, transcript: str = "") -> Lookup: ...
    def agent(self, name: str, *, cwd: str, transcript: str = "") -> Lookup: ...
    def agents(self, *, cwd: str, transcript: str = "") -> Lookup: ...


def may_run_skill(event: Event) -> bool:
    """Whether an event can make the host run the contents of a skill, a command or an agent."""
    if not isinstance(event, PreToolUse):
        return isinstance(event, UserPromptExpansion)
    return event.mcp_server is None and (event.tool_name == _WORKFLOW or kind_of(event.tool_name) in ("skill", "agent"))


def judges_commands(rules: Iterable[Rule]) -> bool:
    """Whether any of these rules could stop, question or change a call of Bash."""
    return any(
        "PreToolUse" in rule.events
        and not rule.observe
        and (rule.changes or rule.decision not in (None, "allow"))
        and (rule.condition.tool is None or rule.condition.tool.match("Bash") is not None)
        and (rule.condition.kind is None or rule.condition.kind.matches("shell"))
        for rule in rules
    )


class _Outer(Struct, frozen=True):
    """The call or prompt that would run inline shell: its title in messages, the files it uses, its arguments."""

    title: str
    lookup: Lookup
    args: str = ""
    must_exist: bool = True


class InlinePanel:
    """Asks a panel about the inline shell of skills, commands and agents, and gives its opinions about the call."""

    def __init__(self, inner: Panel, places: SkillPlaces, *, judging: bool = True) -> None:
        """`judging`: whether any participant in `inner` judges shell commands."""
        self._inner = inner
        self._places = places
        self._judging = judging

    def ask(self, situation: Situation, round_: Round) -> Answers:
        outer = self._outer(situation.event, round_.draft.input) if round_.asks(0) else None
        opinions = tuple(self._opinions(situation, outer)) if outer is not None else ()
        return {0: opinions} if opinions else {}

    def _outer(self, event: Event, given: JsonObject) -> _Outer | None:
        where = {"cwd": event.cwd, "transcript": event.transcript_path}
        if isinstance(event, UserPromptExpansion):
            if event.command_source in _FILELESS or event.expansion_type == "mcp_prompt":
                return None
            name = event.command_name
            return _Outer(f"/{name}", self._places.skill(name, **where), event.command_args)
        if not isinstance(event, PreToolUse) or event.mcp_server is not None:
            return None
        match kind_of(event.tool_name):
            case "skill":
                name, args = _skill_call(given)
                return _Outer(f"/{name}", self._places.skill(name, **where), args)
            case None if event.tool_name == _WORKFLOW:
                return _Outer("an agent of the workflow", self._places.agents(**where), must_exist=False)
            case "agent":
                name = _text(given, "subagent_type") or "general-purpose"
                return _Outer(f"agent {name}", self._places.agent(name, **where), must_exist=False)
        return None

    def _opinions(self, situation: Situation, outer: _Outer) -> Iterator[Opinion]:
        event_name = situation.event.hook_event_name
        found = outer.lookup
        if found.unread is not None and self._judging:
            yield failure(event_name, _BY, f"Interlock could not judge what `{outer.title}` would run", found.unread)
        if found.missing is not None and outer.must_exist and self._judging:
            told = f"Interlock does not know which shell commands `{outer.title}` would run: {found.missing}."
            yield _as_far_as_possible(event_name, Opinion(by=_BY, decision="ask"), told)
        for file, definition in found.definitions if self._judging else ():
            for told in _doubts(definition):
                opinion = Opinion(by=_BY, decision="ask")
                yield _as_far_as_possible(event_name, opinion, f"`{outer.title}` brings {told} ({file}).")
        values = {"CLAUDE_SESSION_ID": situation.event.session_id}
        commands = [
            (f"{script.file}:{inline.line}", inline)
            for script in found.scripts
            for inline in inline_commands(script.text, outer.args, {**script.values, **values})
        ]
        commands += [
            (f"{start.what}, {file}", Inline(start.command, 0))
            for file, definition in found.definitions
            for start in definition.starts
        ]
        if len(commands) > _MOST:
            many = f"`{outer.title}` would run more than {_MOST} shell commands, too many to judge at once"
            yield failure(event_name, _BY, many)
            return
        for number, (place, inline) in enumerate(commands):
            verdict = self._judge(_alone(situation, inline, number))
            told = f"`{outer.title}` would run `{_short(inline.command)}` ({place})"
            yield from _about_outer(event_name, told, verdict)

    def _judge(self, situation: Situation) -> Verdict:
        # `alone`: no hook of the host sees this made-up call, so none can undo a change of it.
        given = situation.event.tool_input if isinstance(situation.event, PreToolUse) else {}
        return decide(given, partial(self._inner.ask, situation), alone=True)


def _doubts(definition: Definition) -> Iterator[str]:
    """What a person should know about a definition before it starts."""
    if definition.answering:
        events = " and ".join(definition.answering)
        yield f"its own {events} hooks, which can replace an input that Interlock has judged"
    yield from (f"something that Interlock cannot judge: {why}" for why in definition.unread)


def _skill_call(given: JsonObject) -> tuple[str, str]:
    """The skill and its arguments; an older tool has both in one line."""
    line = _text(given, "command")
    if "skill" not in given and line:
        name, _, args = line.strip().removeprefix("/").partition(" ")
        return name, args.strip()
    return _text(given, "skill").strip().removeprefix("/"), _text(given, "args")


def _text(given: JsonObject, field: str) -> str:
    value = given.get(field, "")
    return value if isinstance(value, str) else json.encode(value).decode()


def _alone(situation: Situation, inline: Inline, number: int) -> Situation:
    """The same question about one inline command, as a separate call."""
    outer = situation.event
    command = inline.command.replace(UNKNOWN, _UNKNOWN_PART) + _OPAQUE if inline.unknown else inline.command
    event = PreToolUse(
        session_id=outer.session_id,
        transcript_path=outer.transcript_path,
        cwd=outer.cwd,
        permission_mode=outer.permission_mode,
        prompt_id=outer.prompt_id,
        agent_id=outer.agent_id,
        agent_type=outer.agent_type,
        effort=outer.effort,
        scratchpad_dir=outer.scratchpad_dir,
        tool_name="Bash",
        tool_input={"command": command},
        tool_use_id=f"{getattr(outer, 'tool_use_id', None) or outer.prompt_id or outer.session_id}.inline.{number}",
    )
    return replace(situation, event=event, raw=json.encode(payload_of(event)))


def _about_outer(event_name: str, told: str, verdict: Verdict) -> Iterator[Opinion]:
    """What opinions about an inline command mean for the call that would run it.

    Every opinion is passed on at least without its effect, so that the firings of rules are counted. An allow or a text
    for the model is not passed on, because it was about another call. A change becomes a deny, because Interlock cannot
    change a command inside the definition.
    """
    safe = verdict.input.get("command")
    changers = {change.by for change in verdict.changes}
    for opinion in verdict.opinions:
        kept = Opinion(
            by=opinion.by,
            source=opinion.source,
            policy=opinion.policy,
            set=opinion.set,
            notice=opinion.notice,
            error=opinion.error,
            would=opinion.would,
        )
        reason = f"{told}: {opinion.reason}" if opinion.reason else f"{told}."
        if opinion.decision == "deny":
            yield replace(kept, decision="deny", reason=reason, interrupt=opinion.interrupt)
        elif opinion.change is not None and opinion.by in changers:
            unsafe = f"{told}, which Interlock cannot change. Make it run this instead: {safe}"
            yield replace(kept, decision="deny", reason=unsafe)
        elif opinion.decision in ("ask", "defer"):
            yield _as_far_as_possible(event_name, replace(kept, decision=opinion.decision), reason)
        else:
            yield kept


def _as_far_as_possible(event_name: str, opinion: Opinion, reason: str) -> Opinion:
    """An opinion that the event can express; where no one can be asked, the answer is no."""
    decision: Decision | None = opinion.decision
    if decision is None or decision in effects_of(event_name):
        return replace(opinion, reason=reason)
    return replace(opinion, decision="deny", reason=f"{reason} (No one can be asked here.)")


def _short(command: str) -> str:
    plain = " ".join(command.replace(UNKNOWN, "…").split())
    return plain if len(plain) <= _SHOWN else f"{plain[:_SHOWN]}…"
