"""`interlock prompt`: the active rules as text for a system prompt."""

from __future__ import annotations

from pathlib import Path

import click

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, policies, policy_option, reporting, say
from interlock.policy.engine import brief_of

__all__ = ["prompt"]


@click.command()
@policy_option
@json_option
def prompt(policy_file: Path | None, as_json: bool) -> None:
    """Print what the active rules are about, for a model to read.

    \b
    Examples:
      interlock prompt >> CLAUDE.md
      interlock prompt --policy interlock.yaml

    With `brief: true` in a policy, Interlock tells the model automatically when a session starts.
    """
    with reporting():
        rules = [rule for layer in policies(policy_file) for rule, _ in layer.in_force.rules]
        if as_json:
            say(to_json([{"rule": rule.id, "about": rule.about} for rule in rules if rule.about]))
        else:
            say(brief_of(rules))
