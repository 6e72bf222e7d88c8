"""What `interlock import` takes a permission rule to mean is what the real client does with it."""

from __future__ import annotations

import json

import pytest

from interlock.config.bundles import find_pack
from interlock.imports.draft import settle
from interlock.imports.permissions import matches_command, read_permissions, specifier_of
from interlock.imports.write import new_policy
from interlock.policy.load import load_policy
from tests.e2e.model import bash
from tests.e2e.session import Session
from tests.policy.builders import Session as Pretended

ENTRIES = ["Bash(touch a)", "Bash(touch b:*)", "Bash(touch c *)", "Bash(mkdir d*)", "Bash(touch * z)"]
COMMANDS = [
    "touch a", "touch a a2", "touch b", "touch b b2", "touch bx", "touch c c2", "touch c", "touch cx", "mkdir dx",
    "mkdir d1 d2", "mkdir ed", "touch q z", "touch q zz", "touch w",
]  # fmt: skip
LINES = ["touch a && touch b", "touch a && touch w", "touch w; mkdir dy"]


def host_means(command: str) -> bool:
    specifiers = [specifier_of(entry) for entry in ENTRIES]
    return any(one is not None and matches_command(one.inside, command) for one in specifiers)


@pytest.mark.parametrize("decision", ["allow", "deny"])
def test_a_permission_rule_means_what_the_real_client_means(session: Session, decision: str):
    lists = {decision: ENTRIES, **({"allow": ["Bash"]} if decision == "deny" else {})}
    text = json.dumps({"permissions": lists})
    session.write(".claude/settings.json", text)
    ran = session.run(*(bash(command) for command in (*COMMANDS, *LINES)), "Done.", tools=())
    results = [not result.error for result in ran.results()]
    assert len(results) == len(COMMANDS) + len(LINES)
    caught = [one if decision == "allow" else not one for one in results]
    assert dict(zip(COMMANDS, caught, strict=False)) == {command: host_means(command) for command in COMMANDS}
    # The imported rules: a deny catches no less, an allow no more.
    found = settle(read_permissions(json.dumps({"permissions": {decision: ENTRIES}}), "settings.json"))
    assert found.left == []
    pretended = Pretended(load_policy(new_policy(found), "interlock.yaml", find_pack))
    ours = [pretended.call({"Bash": {"command": command}}).decision == decision for command in (*COMMANDS, *LINES)]
    stricter = zip(caught, ours, strict=True) if decision == "deny" else zip(ours, caught, strict=True)
    assert [command for command, (one, other) in zip((*COMMANDS, *LINES), stricter, strict=True) if one > other] == []
