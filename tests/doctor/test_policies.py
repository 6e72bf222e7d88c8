"""What the doctor says about the policies, and that a session is told the same."""

from __future__ import annotations

import re

from msgspec import json

from interlock.config.trust import Trust
from interlock.doctor.policies import look
from interlock.judging.projects import Projects
from interlock.service import answer_in
from interlock.store.memory import MemoryStore
from tests.doctor.conftest import Shop, told

RULES = """\
version: 1
rules:
  - {id: a, command: rm, deny: No.}
  - {id: b, command: ls, allow: true}
  - {id: c, command: cp, deny: No., observe: true}
  - {id: d, tool: Bash, when: "false", deny: No.}
"""


def counted(shop: Shop) -> str:
    """What a session is told when it starts."""
    event = {"hook_event_name": "SessionStart", "session_id": "s", "transcript_path": "/t", "cwd": str(shop.root)}
    with Projects(MemoryStore) as projects:
        said = answer_in(projects, "claude-code", json.encode({**event, "source": "startup"}), shop.root)
    found = re.search(
        r"Interlock: (\d+ rules? active(?:, \d+ more only observe)?)", json.decode(said.stdout)["systemMessage"]
    )
    assert found is not None
    return found[1]


def test_rules_are_counted_as_a_session_is_told_it(shop: Shop):
    assert told(look(shop.root))[1] == ("ok", counted(shop))
    policy = shop.root / "interlock.yaml"
    policy.write_text(RULES, encoding="utf-8")
    untrusted = told(look(shop.root))
    assert untrusted[0] == ("note", f"{policy} is not trusted: it can only deny and ask")
    assert untrusted[1] == ("ok", f"{counted(shop)}, 1 dead, 1 waiting for trust")
    Trust().add(policy)
    trusted = told(look(shop.root))
    assert trusted[0] == ("ok", f"{counted(shop)}, 1 dead")
    assert trusted[1] == ("problem", f"{policy}:6:5: `d` can never fire: its condition is false")
    assert trusted[0][1] != untrusted[1][1]


def test_where_there_is_no_policy_it_is_said(shop: Shop):
    assert told(look(shop.root))[0] == ("note", "there is no policy here except the built-in one")


def test_a_broken_policy_is_named(shop: Shop):
    (shop.root / "interlock.yaml").write_text("version: 1\nrules: [", encoding="utf-8")
    ((level, text),) = told(look(shop.root))
    assert level == "problem"
    assert text.startswith(f"{shop.root}/interlock.yaml is broken, so only reading is allowed: ")
