"""Policies of any size: rules on Bash, of which some are about the command that is judged, and rules on Write."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["bash_rules", "policy_text", "write_rules"]


def policy_text(rules: Sequence[str], state: str = "{limit: 5}") -> str:
    return "\n".join(["version: 1", f"state: {state}", "rules:", *rules])


def bash_rules(count: int, matching: int, first: int = 0) -> list[str]:
    """Rules on Bash with patterns of their own; the first ones are about the command that is judged."""
    rules = []
    for number in range(first, first + count):
        command = f"npm test --flag{number}" if number - first < matching else f"tool{number} sub{number}"
        rules.append(
            f"  - {{id: r{number}, tool: Bash, command: {command}, when: state.limit > {number}, deny: Not now.}}"
        )
    return rules


def write_rules(count: int, first: int = 0) -> list[str]:
    rule = '  - {{id: w{0}, tool: Write, path: {{write: "gen{0}/"}}, when: state.limit > {0}, deny: Not now.}}'
    return [rule.format(number) for number in range(first, first + count)]
