"""What every host must answer, as checks that need no test runner: `run_host_conformance(host, payloads)`.

The payloads are events as the host really sent them, one of each kind that it raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import UNSET, Struct

from interlock.effect import effects_of, safe_direction
from interlock.errors import InterlockError
from interlock.event import EVENTS, Event, PostToolUse, ToolEvent
from interlock.facts.results import meaning
from interlock.hosts.base.host import Failing, Host
from interlock.hosts.base.reading import Output
from interlock.hosts.base.reply import Reply
from interlock.verdict import STRICTNESS, Opinion, Verdict, combine

__all__ = ["CHECKS", "Check", "HostCase", "run_host_conformance"]

_MOST_CHECK_SECONDS = 500  # that a policy may let a `run` check take; a host must wait longer for its answer
_WHY = "it broke on purpose"
_OPINIONS: dict[str, Opinion] = {
    "nothing": Opinion(by="nobody"),
    "allow": Opinion(by="safe", decision="allow", reason="Known to be safe."),
    "ask": Opinion(by="unsure", decision="ask", reason="Is this meant?"),
    "deny": Opinion(by="risky", decision="deny", reason="Too risky for today."),
    "deny and end the turn": Opinion(by="risky", decision="deny", reason="Too risky for today.", interrupt=True),
    "end the turn": Opinion(by="enough", interrupt=True, reason="Enough for today."),
    "defer": Opinion(by="later", decision="defer", reason="Decide later."),
    "change": Opinion(by="label", change={"note": "changed"}),
    "change and allow": Opinion(by="label", change={"note": "changed"}, decision="allow"),
    "context": Opinion(by="hint", context="Tests live in tests/."),
    "notice": Opinion(by="bell", notice="Look here."),
    "output": Opinion(by="hide", output="[hidden]"),
}
# Whatever a host sends, it is read or refused; nothing else may come of it.
_UNREADABLE = (b"", b"[]", b"null", b"\xff", b"{}", b'{"hook_event_name": 7}', b'{"hook_event_name": "PreToolUse"}')
# What comes of an entry that answers nothing: its host may refuse the call or run it, but was given no reason.
_FAILURES = ((0, b"", b""), (0, b"{}", b""), (0, b"it broke", b""), (1, b"", b""), (2, b"", b""), (-9, b"", b""))
_MEANS: dict[Failing, str] = {
    "deny": "denies",
    "block": "denies",
    "stop": "denies",
    "nothing": "denies",
    "end turn": "holds the result back",
    "hold back": "holds the result back",
    "last words": "passes",
    "notice": "passes",
}


class HostCase(Struct, frozen=True):
    """A host, and events as it sent them."""

    host: Host
    payloads: Sequence[bytes]

    def events(self) -> Iterator[Event]:
        for raw in self.payloads:
            yield self.host.dialect.decode(raw)

    def answers(self) -> Iterator[tuple[Event, str, Verdict, Reply]]:
        """Every event with every sort of verdict, and what the host is answered."""
        for event in self.events():
            original = event.tool_input if isinstance(event, ToolEvent) else {}
            result = meaning(event.tool_name, event.tool_response) if isinstance(event, PostToolUse) else UNSET
            for name, opinion in _OPINIONS.items():
                verdict = combine([opinion], original, result)
                yield event, name, verdict, self.host.dialect.encode(event, verdict)


Check = Callable[[HostCase], None]
CHECKS: list[Check] = []


def run_host_conformance(host: Host, payloads: Sequence[bytes]) -> list[str]:
    """Run every check on a host. Returns their names; raises AssertionError that says what is wrong."""
    for check in CHECKS:
        check(HostCase(host, payloads))
    return [check.__name__ for check in CHECKS]


def _check(function: Check) -> Check:
    CHECKS.append(function)
    return function


def _demand(holds: bool, what: str) -> None:
    if not holds:
        raise AssertionError(what)


# --- what comes in -----------------------------------------------------------------------------------------------


@_check
def every_event_it_sends_is_in_its_table(case: HostCase) -> None:
    for event in case.events():
        _demand(event.hook_event_name in case.host.events, f"{event.hook_event_name} is not in the host's table")


@_check
def what_cannot_be_read_is_refused_by_name(case: HostCase) -> None:
    cut = [raw[:-2] for raw in case.payloads]
    for raw in (*_UNREADABLE, *cut):
        try:
            found = case.host.dialect.decode(raw)
        except InterlockError:
            continue
        raise AssertionError(f"{raw[:60]!r} was read as {found}")


# --- its table ---------------------------------------------------------------------------------------------------


@_check
def every_event_has_a_row(case: HostCase) -> None:
    _demand(case.host.events.keys() == EVENTS.keys(), "the table and the known events differ")


@_check
def an_event_is_wired_or_it_is_said_why_not(case: HostCase) -> None:
    for name, event in case.host.events.items():
        _demand((event.seconds is None) == bool(event.why_not), f"{name} needs a time limit or a reason, and not both")
        _demand(not event.web or event.seconds is not None, f"{name} goes over HTTP and is not wired")


@_check
def it_waits_longer_than_the_longest_check_wherever_a_policy_can_refuse(case: HostCase) -> None:
    for name, event in case.host.events.items():
        if event.seconds is not None and not event.cap and "deny" in case.host.dialect.honours(name):
            _demand(event.seconds > _MOST_CHECK_SECONDS, f"{name} waits only {event.seconds} s")


@_check
def it_honours_nothing_that_the_event_cannot_do(case: HostCase) -> None:
    for name in case.host.events:
        extra = case.host.dialect.honours(name) - effects_of(name) - {"context"}
        _demand(not extra, f"{name} is said to honour {sorted(extra)}, which no event of that name can do")


# --- what goes out -----------------------------------------------------------------------------------------------


@_check
def what_it_would_ignore_becomes_stricter_and_is_named(case: HostCase) -> None:
    for event, name, meant, reply in case.answers():
        said, where = reply.verdict, f"{event.hook_event_name}, {name}"
        can = case.host.dialect.honours(event.hook_event_name)
        if meant.decision in ("ask", "defer", "deny") and "deny" in can:
            _demand(STRICTNESS[said.decision] >= STRICTNESS[meant.decision], f"{where}: became {said.decision}")
        if meant.decision == "allow" and "allow" not in can:
            _demand(said.decision != "allow", f"{where}: an allow that the host does not know")
        if said.decision != meant.decision:
            _demand(bool(said.lowered), f"{where}: it became {said.decision} without a word")


@_check
def a_denial_gives_its_reason(case: HostCase) -> None:
    for event, name, meant, reply in case.answers():
        if meant.decision == "deny" and reply.verdict.decision == "deny":
            told = reply.stdout.decode() + reply.stderr
            _demand("Too risky for today." in told, f"{event.hook_event_name}, {name}: the reason is not told")


@_check
def the_same_verdict_is_answered_the_same(case: HostCase) -> None:
    for event, name, meant, reply in case.answers():
        again = case.host.dialect.encode(event, meant)
        _demand(again.stdout == reply.stdout, f"{event.hook_event_name}, {name}: two answers differ")


@_check
def a_kept_answer_keeps_its_decision(case: HostCase) -> None:
    for event, name, _, reply in case.answers():
        decision = reply.verdict.decision
        restored = case.host.dialect.restore(reply.stdout, Verdict(decision=decision)).decision
        _demand(restored == decision, f"{event.hook_event_name}, {name}: {decision} came back as {restored}")


@_check
def it_reads_its_own_denials(case: HostCase) -> None:
    if not case.host.adopts:
        return  # nobody else answers in its form
    for event, name, meant, reply in case.answers():
        if meant.decision == "deny" and reply.verdict.decision == "deny":
            output = Output(stdout=reply.stdout, stderr=reply.stderr, exit_code=reply.exit_code)
            read = case.host.dialect.read(event.hook_event_name, output, "a hook").opinion
            _demand(
                read is not None and read.decision == "deny", f"{event.hook_event_name}, {name}: not read as a denial"
            )


@_check
def its_reader_knows_its_own_denials_and_nothing_else(case: HostCase) -> None:
    denied = case.host.denied
    if denied is None:
        _demand(case.host.setup is None, "it has entries, and `denied` does not say how it reads their answers")
        return
    for event, name, meant, reply in case.answers():
        silent = case.host.dialect.encode(event, Verdict(input=meant.input, original=meant.original))
        if event.hook_event_name != "PreToolUse" or denied(silent.exit_code, silent.stdout, silent.stderr.encode()):
            continue  # or the host itself would refuse it, whatever a policy leaves open
        found = denied(reply.exit_code, reply.stdout, reply.stderr.encode())
        if reply.verdict.decision != "deny":
            _demand(found is None, f"{name}: {reply.verdict.decision} is read as a denial")
        elif meant.decision == "deny":
            _demand("Too risky for today." in (found or ""), f"{name}: its own denial is read as {found!r}")
    for code, stdout, stderr in _FAILURES:
        _demand(not denied(code, stdout, stderr), f"exit {code} with {stdout!r} is read as a denial with a reason")


# --- when nobody judged ------------------------------------------------------------------------------------------


@_check
def a_failure_never_allows_and_says_why(case: HostCase) -> None:
    for name in (*case.host.events, None):
        reply = case.host.dialect.fail(name, _WHY)
        _demand(reply.verdict.decision != "allow", f"{name}: a failure allows")
        _demand(_WHY in reply.stdout.decode() + reply.stderr, f"{name}: a failure does not say why")


@_check
def a_failure_takes_the_form_in_the_table(case: HostCase) -> None:
    for name, event in case.host.events.items():
        verdict = case.host.dialect.fail(name, _WHY).verdict
        denies, holds = verdict.decision == "deny", verdict.withheld is not None
        expected = {"denies": denies, "holds the result back": holds, "passes": not denies and not holds}
        _demand(expected[_MEANS[event.failing]], f"{name}: `{event.failing}`, and the answer is otherwise")


@_check
def an_event_that_nobody_could_read_is_refused(case: HostCase) -> None:
    _demand(safe_direction(None) == "deny", "an event without a name must fall the strictest way")
    reply = case.host.dialect.fail(None, _WHY)
    _demand(reply.verdict.decision == "deny", "an event without a name is not refused")
