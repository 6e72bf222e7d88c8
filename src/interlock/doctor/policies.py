"""Which rules are active, which are dead and why, and which policies are trusted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from interlock.config.bundles import core_policy, load_file
from interlock.config.layers import PolicyLayer, candidates
from interlock.config.trust import Trust
from interlock.doctor.finding import Finding, note, ok, problem
from interlock.errors import InterlockError
from interlock.hosts.claude_code.runtime import built_in_policies
from interlock.judging.in_force import InForce, policies_in_force
from interlock.judging.pause import Pause
from interlock.lint import dead
from interlock.policy.count import count_rules

__all__ = ["look"]


def look(project: Path) -> Iterator[Finding]:
    """Findings about each policy, then about all of them together."""
    found: list[PolicyLayer] = []
    untrusted: list[Path] = []
    broken: dict[Path, InterlockError] = {}
    trust = Trust()
    for layer, file in candidates(project):
        if not file.is_file():
            continue
        try:
            one = PolicyLayer(layer, load_file(file), trusted=layer in ("user", "managed") or trust.holds(file))
        except InterlockError as error:
            broken[file] = error
            continue
        found.append(one)
        untrusted += [] if one.trusted else [file]
    if not found and not broken:
        yield note("policy", "there is no policy here except the built-in one", "run `interlock init`")
    # Read again as a session would: a broken policy is replaced by its last good version, or by one that only reads.
    try:
        force = policies_in_force(project, remember=False)
    except InterlockError as error:
        yield from _only_reading(broken, error)
    else:
        yield from _untrusted_notes(untrusted, force.notices)
        yield from _in_force(force, [*found, PolicyLayer("core", core_policy(), trusted=True)])
        for text in force.notices:
            if not any(text.startswith(f"{file} ") for file in untrusted):
                yield problem("policy", text, "run `interlock check`" if "is broken" in text else "")
    if (pause := Pause.now()) is not None:
        yield problem("policy", f"Interlock is paused by {pause.by}", "run `interlock pause --end`")


def _only_reading(broken: Mapping[Path, InterlockError], error: InterlockError) -> Iterator[Finding]:
    """A policy is broken and no good version of it is known: one problem, with what follows from it."""
    for file, own in broken.items():
        text = f"{file} is broken, so only reading is allowed: {own.in_one_line()}"
        yield problem("policy", text, "run `interlock check`", cause=own.message)
    if not broken:
        yield problem("policy", f"only reading is allowed: {error.in_one_line()}", "run `interlock check`")


def _untrusted_notes(untrusted: Sequence[Path], notices: Sequence[str]) -> Iterator[Finding]:
    for file in untrusted:
        changed = next((text for text in notices if text.startswith(f"{file} ")), None)
        text = changed or f"{file} is not trusted: it can only deny and ask"
        yield note("policy", text, "read it, then run `interlock trust`")


def _in_force(force: InForce, layers: Sequence[PolicyLayer]) -> Iterator[Finding]:
    """How many rules are active, counted as in the message at the start of a session; then what is wrong with them."""
    policies = (*force.policies, *built_in_policies(force.policies, force.depends))
    lifeless = [finding for one in layers for finding in dead.find(one.policy)]
    waiting = sum(len(one.policy.rules) - len(one.in_force.rules) for one in layers)
    parts = [str(count_rules(policies))]
    parts += [f"{len(lifeless)} dead"] if lifeless else []
    parts += [f"{waiting} waiting for trust"] if waiting else []
    yield ok("policy", ", ".join(parts))
    for finding in lifeless:
        yield problem("policy", f"{finding.source}: {finding.message}", "correct or remove it")
