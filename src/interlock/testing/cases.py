"""Run the cases in a policy: what each rule must catch and pass, and what must be found in programs' commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from interlock.errors import InterlockError, Source, did_you_mean
from interlock.event import EVENTS, Event, ToolEvent
from interlock.hosts.base.samples import SESSION
from interlock.judging.guard import Guard
from interlock.policy.durations import seconds_of
from interlock.policy.engine import Step
from interlock.policy.history import TOLD, WROTE, own_name
from interlock.policy.load import Policy
from interlock.policy.names import ToolPattern
from interlock.policy.order import with_awaited
from interlock.policy.rule import Case, Condition, Rule
from interlock.policy.schema import GIVEN
from interlock.service import respond
from interlock.store.base import Entry, Scope, StateChange
from interlock.store.memory import MemoryStore
from interlock.testing.events import call_of, payload_for
from interlock.testing.pretend import PROJECT, Pretend
from interlock.verdict import Opinion, Verdict

__all__ = [
    "CaseResult",
    "CaseTrial",
    "check_given",
    "event_of_case",
    "files_of_session",
    "given_of",
    "prepare",
    "run_case",
    "run_cases",
    "try_case",
]

JsonObject: TypeAlias = dict[str, Any]


_KINDS: dict[type, str] = {dict: "map", list: "list", int: "number"}


class CaseResult(Struct, frozen=True):
    """The outcome of one case."""

    rule: str  # or the program that it is about
    source: Source
    ok: bool
    message: str = ""
    help: str = ""
    line: str = ""  # of the file, for pointing at the case


def run_cases(policy: Policy) -> Iterator[CaseResult]:
    """Run every case of every program and rule in the file itself. The cases of a pack are about the pack alone."""
    for result in (*_program_cases(policy), *_rule_cases(policy)):
        number = result.source.line - 1
        yield result if result.ok or number >= len(policy.lines) else replace(result, line=policy.lines[number])


def _rule_cases(policy: Policy) -> Iterator[CaseResult]:
    for rule, _ in policy.rules:
        if rule.source.file == policy.file:
            yield from (run_case(policy, rule, case) for case in rule.cases)


def _program_cases(policy: Policy) -> Iterator[CaseResult]:
    if not policy.programs:
        return
    from interlock.policy.programs.cases import case_errors  # noqa: PLC0415 - few policies describe programs
    from interlock.policy.programs.families import reading  # noqa: PLC0415

    listed = {id(one): one for one in policy.programs.values()}.values()
    use_of = reading(list(listed))
    for one in listed:
        for case in one.cases if one.source.file == policy.file else ():
            errors = case_errors(case, use_of)
            message = "; ".join(error.message for error in errors)
            help = next((error.help for error in errors if error.help), "")
            yield CaseResult(one.names[0], case.source, ok=not errors, message=message, help=help)


def run_case(policy: Policy, rule: Rule, case: Case) -> CaseResult:
    """Check that the rule catches or passes the case as it must."""
    try:
        trial = try_case(policy, rule, case.given)
    except InterlockError as error:
        return CaseResult(rule.id, case.source, ok=False, message=error.message, help=error.help or "")
    if trial.failure:
        return CaseResult(rule.id, case.source, ok=False, message=trial.failure)
    if trial.caught == case.catch:
        return CaseResult(rule.id, case.source, ok=True)
    message = f"`{rule.id}` must {'catch' if case.catch else 'pass'} this, but does not: {trial.why()}"
    help = "correct the rule, or move the case under `pass`"
    if trial.caught:
        help = "correct the rule or its `unless`, or move the case under `catch`"
    return CaseResult(rule.id, case.source, ok=False, message=message, help=help)


class CaseTrial(Struct, frozen=True):
    """What a rule did with a case: whether it caught it, how it failed, and the verdict of the rule alone.

    `why`: what the rule said, or why it said nothing.
    """

    caught: bool
    failure: str
    verdict: Verdict
    why: Callable[[], str]


def given_of(case: Case) -> JsonObject:
    """The circumstances that a case names."""
    return _split(case.given)[1]


def event_of_case(rule: Rule, case: Case) -> bytes:
    """The event of a case, as Claude Code sends it."""
    return _event_for(rule, *_split(case.given))


def try_case(policy: Policy, rule: Rule, written: Any, event: Event | None = None) -> CaseTrial:
    """Judge a case by its rule alone. `event`: what another host's dialect made of it.

    Raises InterlockError for a mistake in the case.
    """
    what, given = _split(written)
    if isinstance(what, dict) and len(what) == 1 and not what.keys() & {"event", "prompt"}:
        ToolPattern(next(iter(what)), policy.tools)  # a misspelt tool would make a case that proves nothing
    check_given(given)  # before the world is made, so that a mistake is reported in the words of the case
    world = Pretend()
    world.given(given)
    store = MemoryStore()
    prepare(store, policy, given, world)
    # The rule alone, with those about which it asks: scenarios test how rules work together.
    needed = with_awaited(rule, (one for one, _ in policy.rules))
    alone = replace(policy, rules=tuple(pair for pair in policy.rules if pair[0].id in needed))
    host = str(given.get("host", "claude-code"))
    steps: list[Step] = []
    options: JsonObject = {"alone": True, "run_hooks": False, "host": host, "trace": steps.append}
    with Guard([alone], world, store, project=PROJECT, **options) as guard:
        raw = _event_for(rule, what, given)
        reply = respond("claude-code", raw, guard.sitting, name=None if event is None else lambda _: event)
    # A rule that fails also has an opinion, in the safe direction. That must not count as catching the call.
    own = [opinion for opinion in reply.verdict.opinions if opinion.by == rule.id]
    broken = next((opinion.error for opinion in own if opinion.error), "")
    if not broken and not reply.verdict.opinions and reply.verdict.errors:
        broken = reply.verdict.errors[0]
    return CaseTrial(bool(own), broken, reply.verdict, lambda: _why(rule, what, own, steps))


def _why(rule: Rule, what: Any, own: list[Opinion], steps: list[Step]) -> str:
    """What the rule said, or the first condition that did not hold."""
    step = next((one for one in reversed(steps) if one.rule == rule.id), None)
    if own:
        said = " and ".join(dict.fromkeys(one.decision for one in own if one.decision)) or "fired"
        reason = next((f" ({one.reason})" for one in own if one.reason), "")
        what = f" about `{step.detail}`" if step is not None and step.detail else ""
        return f"it said {said}{what}{reason}" if said != "fired" else f"it fired{what}"
    if step is not None and step.detail:
        return step.detail
    condition = rule.condition
    if condition.tool is not None and isinstance(what, str | dict):
        tool = "Bash" if isinstance(what, str) else next(iter(what), "")
        if condition.tool.match(str(tool)) is None:
            return f"`tool` is {_names_text(condition.tool.patterns)}, and the call is of `{tool}`"
    for key in condition.items:
        if (patterns := _patterns_of(condition, key)) is not None:
            return f"no {key} of the call matches {_names_text(patterns)}"
    return "its conditions do not hold"


def _patterns_of(condition: Condition, key: str) -> tuple[str, ...] | None:
    if key == "command":
        found = condition.command
        return tuple(one.pattern for one in found) if found is not None else getattr(condition.does, "patterns", None)
    if key == "path" and condition.path is not None:
        return tuple(glob for globs in condition.path.globs.values() for glob in globs)
    return getattr(getattr(condition, key), "patterns", None)


def _names_text(patterns: Sequence[str]) -> str:
    shown = " or ".join(f"`{one}`" for one in patterns[:3])
    return f"{shown} or {len(patterns) - 3} others" if len(patterns) > 3 else shown


def _split(written: Any) -> tuple[Any, JsonObject]:
    if isinstance(written, dict) and "given" in written:
        rest = {key: value for key, value in written.items() if key != "given"}
        return rest or None, {} if written["given"] is None else written["given"]
    return written, {}


def _event_for(rule: Rule, what: Any, given: JsonObject) -> bytes:
    event = rule.events[0]
    if isinstance(what, dict) and set(what) == {"event"}:
        fields = what["event"]
        if isinstance(fields, dict) and len(fields) == 1 and next(iter(fields)) in EVENTS:
            event, fields = next(iter(fields.items()))
        return payload_for(event, given, **(fields if isinstance(fields, dict) else {}))
    if isinstance(what, dict) and set(what) == {"prompt"}:
        return payload_for(event, given, prompt=what["prompt"])
    if what is None:
        return payload_for(event, given)
    if not issubclass(EVENTS[event], ToolEvent):  # a text is a prompt for every event that is not about a call
        return payload_for(event, given, prompt=what)
    if isinstance(what, str) and event == "UserPromptSubmit":
        return payload_for(event, given, prompt=what)
    tool, tool_input = call_of(what)
    fields = {"tool_response": given.get("returns", {})} if event == "PostToolUse" else {}
    return payload_for(event, given, tool_name=tool, tool_input=tool_input, **fields)


def check_given(given: JsonObject) -> None:
    """Refuse a `given` with parts that would have no effect."""
    # A misspelt key would otherwise leave the case passing for the wrong reason.
    if not isinstance(given, dict):
        raise InterlockError("`given` is not a map")
    wanted: dict[str, tuple[type, ...]] = {
        "state": (dict,),
        "past": (dict,),
        "files": (list, dict),
        "wrote": (list, dict),
        "told": (list,),
        "run": (int, dict),
        "git": (dict,),
    }
    for name, kinds in wanted.items():
        if name in given and not (isinstance(given[name], kinds) and not isinstance(given[name], bool)):
            raise InterlockError(f"`given.{name}` is not a {' or a '.join(_KINDS[kind] for kind in kinds)}")
    for name in given:
        if name not in GIVEN:
            help = did_you_mean(name, list(GIVEN), f"use one of {', '.join(GIVEN)}")
            raise InterlockError(f"`given` has no `{name}`", help=help)


def prepare(store: MemoryStore, policy: Policy, given: JsonObject, world: Pretend) -> None:
    """Put the state and the past that a case describes into the store."""
    check_given(given)
    changes = []
    for name, value in (given.get("state") or {}).items():
        spec = policy.state.get(name)
        if spec is None:
            raise InterlockError(f"the policy declares no state called `{name}`")
        changes.append(StateChange(_scope(spec.scope), own_name(policy.file, name), value, whole=True))
    if given.get("wrote"):
        changes.append(files_of_session(given["wrote"], world))
    if given.get("told"):
        told = {str(number): str(text) for number, text in enumerate(given["told"])}
        changes.append(StateChange(_scope("session"), TOLD, told))
    now = world.now().timestamp()
    if changes:
        store.commit(Entry(record={}, raw=b"", at=now, changes=tuple(changes)))
    for rule, ago in (given.get("past") or {}).items():
        seconds = seconds_of(str(ago))
        if seconds is None:
            raise InterlockError(f"`{ago}` is not a duration", help="write 5m")
        kept = own_name(policy.file, rule)
        # In every scope, because a rule may count by any of them.
        fired = tuple((_scope(kind), kept) for kind in ("session", "agent", "project", "user"))
        store.commit(Entry(record={}, raw=b"", at=now - seconds, fired=fired))


def files_of_session(wrote: list[str] | dict[str, str], world: Pretend) -> StateChange:
    """What is remembered of files that earlier calls of the session made; a slash at the end makes it a folder."""
    how = wrote if isinstance(wrote, dict) else dict.fromkeys(wrote, "written")
    return StateChange(
        _scope("session"),
        WROTE,
        {world.resolved(path) + "/" * path.endswith("/"): str(word) for path, word in how.items()},
    )


def _scope(kind: str) -> Scope:
    return Scope(kind, {"session": SESSION, "agent": f"{SESSION}/main", "project": PROJECT, "user": "dev"}[kind])
