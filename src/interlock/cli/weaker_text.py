"""What `check --host` says: which rules are weaker in an agent, and what never reaches Interlock there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from interlock.cli.common import say, visible
from interlock.cli.elsewhere import HostTrial, sentence_about, trial_data
from interlock.cli.layout import terminal_width, wrap_lines
from interlock.config.places import PACKAGE
from interlock.errors import Source
from interlock.hosts.base.host import Host
from interlock.lint.weaker import KINDS, find_weaker
from interlock.policy.load import Policy

__all__ = ["say_weaker", "weaker_data"]

_FEW = 6


def weaker_data(policies: Sequence[Policy], hosts: Sequence[Host], trials: Sequence[HostTrial]) -> dict[str, Any]:
    """For a program: every host, with its rules that are weaker, what it does not ask about, and what was tried."""
    tried = {trial.host.name: trial_data(trial) for trial in trials}
    return {
        host.name: {
            **({"tried": tried[host.name]} if host.name in tried else {}),
            "weaker": [
                {"rule": one.rule, "at": str(one.source), "what": one.kind, "on": one.detail}
                for policy in policies
                for one in find_weaker(policy, host)
            ],
            "unseen": list(host.unseen),
        }
        for host in hosts
    }


def say_weaker(policies: Sequence[Policy], hosts: Sequence[Host], trials: Sequence[HostTrial]) -> None:
    """For a person: how much holds there, and a sentence for each kind of weakness, with the rules it is about."""
    tried = {trial.host.name: trial for trial in trials}
    for host in hosts:
        found = [one for policy in policies for one in find_weaker(policy, host)]
        say()
        say(click.style(f"in {host.title}" + ("" if found else ": every rule does what it says"), bold=True))
        if host.name in tried:
            _say_wrapped(sentence_about(tried[host.name]), "  ")
        for kind, (one, many) in KINDS.items():
            rules = list(dict.fromkeys((weak.rule, weak.source) for weak in found if weak.kind == kind))
            if rules:
                form = one if len(rules) == 1 else many
                _say_wrapped(f"{form.format(n=len(rules), host=host.title)}:", "  ")
                _say_wrapped(_names(rules), "    ")
        if host.unseen:
            _say_wrapped(f"never judged: {'; '.join(host.unseen)}", "  ")


def _names(rules: Sequence[tuple[str, Source]]) -> str:
    """The person's own rules by name and place, the shipped ones by their packs."""
    own = [(rule, source) for rule, source in rules if not Path(source.file).is_relative_to(PACKAGE)]
    here = f"{Path.cwd()}/"
    shown = [f"{rule} ({source.file.removeprefix(here)}:{source.line})" for rule, source in own[:_FEW]]
    shown += [f"{len(own) - _FEW} more of yours"] if len(own) > _FEW else []
    packs = Counter(Path(source.file).stem for rule, source in rules if (rule, source) not in own)
    shown += [f"{number} of the pack `{pack}`" for pack, number in packs.items()]
    return ", ".join(shown)


def _say_wrapped(text: str, indent: str) -> None:
    width = terminal_width()
    for line in [text] if width is None else wrap_lines(text, max(width - len(indent), 20)):
        say(indent + visible(line))
