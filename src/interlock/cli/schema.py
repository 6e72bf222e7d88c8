"""`interlock schema`: the policy language as a JSON Schema, for completion in editors."""

from __future__ import annotations

from pathlib import Path

import click

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, policy_option, reporting, say
from interlock.config.bundles import PACKS
from interlock.hosts import HOSTS
from interlock.policy.schema import json_schema

__all__ = ["schema"]


@click.command()
@policy_option
@json_option
def schema(policy_file: Path | None, as_json: bool) -> None:
    """Print a JSON Schema of the policy language.

    \b
    Examples:
      interlock schema > interlock.schema.json

    Name it in the first line of a policy, and editors with a YAML language server complete and check it:

    \b
      # yaml-language-server: $schema=interlock.schema.json
    """
    with reporting():
        say(to_json(json_schema(HOSTS, sorted(file.stem for file in PACKS.glob("*.yaml")))))
