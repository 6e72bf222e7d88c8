"""Which rules are active, which are dead and why, and whose policies are trusted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from interlock.config import Layered, Trust, candidates, core_policy, load_file
from interlock.doctor.finding import Finding, note, ok, problem
from interlock.inforce import Pause, policies_in_force
from interlock.lint import dead
from interlock.source import InterlockError

__all__ = ["look"]


def look(project: Path) -> Iterator[Finding]:
    """Each policy by itself, then what holds of all of them."""
    found: list[Layered] = []
    trust = Trust()
    for layer, file in candidates(project):
        if not file.is_file():
            continue
        try:
            one = Layered(layer, load_file(file), trusted=layer in ("user", "managed") or trust.holds(file))
        except InterlockError as error:
            yield problem("policy", f"{file} is broken: {error.in_one_line()}", "run `interlock check`")
            continue
        found.append(one)
        if not one.trusted:
            text = f"{file} is not trusted: it may deny and ask, and no more"
            yield note("policy", text, "read it, then run `interlock trust`")
    yield from _active([*found, Layered("core", core_policy(), trusted=True)])
    if not found:
        yield note("policy", "there is no policy here but the built-in one", "run `interlock init`")
    try:
        for text in policies_in_force(project, remember=False).notices:
            yield problem("policy", text)
    except InterlockError as error:
        yield problem("policy", f"only looking is allowed: {error.in_one_line()}", "run `interlock check`")
    if (pause := Pause.now()) is not None:
        yield problem("policy", f"Interlock is paused by {pause.by}", "run `interlock pause --end`")


def _active(layers: list[Layered]) -> Iterator[Finding]:
    lifeless = {one.policy.file: list(dead.find(one.policy)) for one in layers}
    rules = sum(len(one.in_force.rules) for one in layers)
    gone = sum(len(found) for found in lifeless.values())
    waiting = sum(len(one.policy.rules) - len(one.in_force.rules) for one in layers)
    observing = sum(rule.observe or one.policy.observe for one in layers for rule, _ in one.in_force.rules)
    also = [f"{gone} dead"] + ([f"{waiting} wait for trust"] if waiting else [])
    also += [f"{observing} only observe"] if observing else []
    yield ok("policy", f"{rules - gone - observing} rules active, {', '.join(also)}")
    for findings in lifeless.values():
        for finding in findings:
            yield problem("policy", f"{finding.source}: {finding.message}", "correct or remove it")
