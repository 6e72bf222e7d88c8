"""Which rules of a policy are weaker when it guards another agent."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from interlock.effect import effects_of
from interlock.errors import Source
from interlock.hosts.base.capabilities import capabilities_of, reaches
from interlock.hosts.base.host import Host
from interlock.policy.load import Policy
from interlock.policy.rule import Rule

__all__ = ["KINDS", "WeakRule", "find_weaker"]

# What is weaker → how it is said of one rule, and of several. `{n}` is their number, `{host}` the agent.
KINDS: dict[str, tuple[str, str]] = {
    "never runs": (
        "1 rule is about events that {host} does not have, and never runs",
        "{n} rules are about events that {host} does not have, and never run",
    ),
    "agent": (
        "1 rule tells agents apart, and {host} does not say which subagent makes a call",
        "{n} rules tell agents apart, and {host} does not say which subagent makes a call",
    ),
    "mode": (
        "1 rule is about permission modes that {host} does not know",
        "{n} rules are about permission modes that {host} does not know",
    ),
    "source": (
        "1 rule depends on where an MCP server comes from, which {host} does not say: it never applies",
        "{n} rules depend on where an MCP server comes from, which {host} does not say: they never apply",
    ),
    "ask": (
        "1 rule asks in the inbox, and denies if nobody answers",
        "{n} rules ask in the inbox, and deny if nobody answers",
    ),
    "allow": (
        "1 rule that allows does not skip {host}'s own question",
        "{n} rules that allow do not skip {host}'s own question",
    ),
    "deny": (
        "1 rule that denies only tells the person: {host} goes on",
        "{n} rules that deny only tell the person: {host} goes on",
    ),
    "change": (
        "1 rule that changes a call denies it, and tells the model the safe call",
        "{n} rules that change a call deny it, and tell the model the safe call",
    ),
    "withheld": (
        "1 rule that replaces a result withholds all of it",
        "{n} rules that replace a result withhold all of it",
    ),
    "shown": (
        "1 rule cannot replace a result: {host} shows the model all of it",
        "{n} rules cannot replace a result: {host} shows the model all of it",
    ),
    "context": (
        "1 rule has something to tell the model: {host} cannot pass it on, so the person is told",
        "{n} rules have something to tell the model: {host} cannot pass it on, so the person is told",
    ),
    "interrupt": (
        "1 rule that ends the turn only denies or warns",
        "{n} rules that end the turn only deny or warn",
    ),
}


class WeakRule(Struct, frozen=True):
    """A rule, where it is, and in which way it is weaker; `detail` has the events it is about."""

    kind: str  # of KINDS
    rule: str
    source: Source
    detail: str = ""


def find_weaker(policy: Policy, host: Host) -> Iterator[WeakRule]:
    """Every way in which a rule of the policy is weaker there than in Claude Code, in the order of the rules."""
    for rule, _ in policy.rules:
        yield from _of_rule(rule, host)


def _unknown(rule: Rule, host: Host) -> Iterator[str]:
    """What the rule wants to know of a call that the host does not say."""
    conditions = (rule.condition, *rule.unless)
    agents = "agent" in rule.names or any(one.agent is not None for one in conditions)
    if agents and host.speech.agent is None:
        yield "agent"
    modes = ("default", *host.speech.modes)
    named = [one.mode for one in conditions if one.mode is not None]
    if any(not any(map(one.matches, modes)) for one in named) or ("mode" in rule.names and len(modes) == 1):
        yield "mode"
    sources = "server" in rule.names or any(one.server is not None for one in conditions)
    if sources and not host.speech.sources:
        yield "source"


def _of_rule(rule: Rule, host: Host) -> Iterator[WeakRule]:
    there = [event for event in rule.events if reaches(host, event)]
    if not there:
        yield WeakRule("never runs", rule.id, rule.source, ", ".join(rule.events))
        return
    can = capabilities_of(host)

    def ignores(effect: str) -> bool:
        """Whether the host ignores it on every event where it could do something."""
        able = [event for event in there if effect in effects_of(event)]
        return bool(able) and not any(effect in host.dialect.honours(event) for event in able)

    def weak(kind: str) -> WeakRule:
        return WeakRule(kind, rule.id, rule.source, ", ".join(there))

    yield from (weak(kind) for kind in _unknown(rule, host))
    if rule.decision == "ask" and rule.approve != "inbox" and (not host.asks or ignores("ask")):
        yield weak("ask")
    elif rule.decision in ("allow", "deny") and ignores(rule.decision):
        yield weak(rule.decision)
    if rule.change is not None and ignores("change"):
        yield weak("change")
    if rule.output is not None and can.result in ("withheld", "shown"):
        yield weak(can.result)
    if rule.context is not None and ignores("context"):
        yield weak("context")
    if rule.interrupt and ignores("interrupt"):
        yield weak("interrupt")
