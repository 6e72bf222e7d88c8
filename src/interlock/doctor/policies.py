"""Which rules are active, which are dead and why, and which policies are trusted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from interlock.config.bundles import core_policy, load_file
from interlock.config.layers import PolicyLayer, candidates
from interlock.config.trust import Trust
from interlock.doctor.finding import Finding, note, ok, problem
from interlock.errors import InterlockError
from interlock.hosts.claude_code.runtime import built_in_policies
from interlock.judging.in_force import policies_in_force
from interlock.judging.pause import Pause
from interlock.lint import dead

__all__ = ["look"]


def look(project: Path) -> Iterator[Finding]:
    """Findings about each policy, then about all of them together."""
    found: list[PolicyLayer] = []
    trust = Trust()
    for layer, file in candidates(project):
        if not file.is_file():
            continue
        try:
            one = PolicyLayer(layer, load_file(file), trusted=layer in ("user", "managed") or trust.holds(file))
        except InterlockError as error:
            yield problem("policy", f"{file} is broken: {error.in_one_line()}", "run `interlock check`")
            continue
        found.append(one)
        if not one.trusted:
            text = f"{file} is not trusted: it can only deny and ask"
            yield note("policy", text, "read it, then run `interlock trust`")
    if not found:
        yield note("policy", "there is no policy here except the built-in one", "run `interlock init`")
    # Read again as a session would: a broken policy is replaced by its last good version, or by one that only reads.
    try:
        yield from _in_force(project, [*found, PolicyLayer("core", core_policy(), trusted=True)])
    except InterlockError as error:
        yield problem("policy", f"only reading is allowed: {error.in_one_line()}", "run `interlock check`")
    if (pause := Pause.now()) is not None:
        yield problem("policy", f"Interlock is paused by {pause.by}", "run `interlock pause --end`")


def _in_force(project: Path, layers: list[PolicyLayer]) -> Iterator[Finding]:
    """How many rules are active, counted as in the message at the start of a session; then what is wrong with them."""
    force = policies_in_force(project, remember=False)
    policies = (*force.policies, *built_in_policies(force.policies, force.depends))
    observing = [rule.observe or policy.observe for policy in policies for rule, _ in policy.rules]
    active = len(observing) - sum(observing)
    lifeless = [finding for one in layers for finding in dead.find(one.policy)]
    waiting = sum(len(one.policy.rules) - len(one.in_force.rules) for one in layers)
    parts = [f"{active} rule{'s' * (active != 1)} active", f"{len(lifeless)} dead"]
    parts += [f"{waiting} waiting for trust"] if waiting else []
    parts += [f"{sum(observing)} more only observe"] if any(observing) else []
    yield ok("policy", ", ".join(parts))
    for finding in lifeless:
        yield problem("policy", f"{finding.source}: {finding.message}", "correct or remove it")
    for text in force.notices:
        yield problem("policy", text)
