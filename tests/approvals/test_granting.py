"""What a person may allow beyond one call, and how that is said before they do."""

from __future__ import annotations

import time
from typing import Any

import pytest
from msgspec import json

from interlock.approvals.granting import Terms, grant_for, match_for, words_for
from interlock.errors import InterlockError
from interlock.store.asking import ApprovalRequest
from interlock.store.base import Scope


def request(tool: str, **given: Any) -> ApprovalRequest:
    body = json.encode({"input": given})
    return ApprovalRequest(id="q", session="s-1", tool=tool, at=1.0, until=2.0, project="/p", agent="a", body=body)


CALLS: list[tuple[ApprovalRequest, dict[str, Any], str]] = [
    (request("Bash", command="npm install left-pad"), {"command": ["npm install"]},
     "`npm install` with anything behind it"),
    (request("Bash", command="rm -rf build"), {"command": [r"/^rm\ \-rf\ build$/"]}, "exactly `rm -rf build`"),
    (request("Bash", command="sudo npm install x"), {"command": [r"/^sudo\ npm\ install\ x$/", r"/^npm\ install\ x$/"]},
     "exactly `sudo npm install x`, exactly `npm install x`"),
    (request("Bash", command="git push origin main && npm publish"), {"command": ["git push", "npm publish"]},
     "`git push` with anything behind it, `npm publish` with anything behind it"),
    (request("WebFetch", url="https://me@docs.example.com/a?b"), {"url": "docs.example.com"},
     "WebFetch of anything on docs.example.com"),
    (request("Write", file_path="/p/.env", content="x"), {"path": "/p/.env"}, "Write of `/p/.env`"),
    (request("mcp__crm__refund", amount=5), {}, "mcp__crm__refund with any input"),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "match", "words"), CALLS, ids=[words for _, _, words in CALLS])
def test_more_of_the_same(asked, match, words):
    found = match_for(asked)
    assert found == {"tool": asked.tool, **match}
    assert words_for(found, Terms()) == f"{words}, in this session"
    grant_for(asked, found, Terms(), "ann", 1.0)  # it is a rule that can be loaded


def test_bounds_are_said_in_words():
    soon = time.time() + 60
    clock = time.strftime("%H:%M", time.localtime(soon))
    said = words_for({"tool": "X"}, Terms(scope="project", calls=3, until=soon))
    assert said.startswith("X with any input, in this project, 3 times, until ")
    assert said.endswith(clock)
    assert words_for({"tool": "X"}, Terms(scope="agent", calls=1)) == (
        "X with any input, by this agent, in this session, once"
    )


def test_a_grant_belongs_to_whom_it_was_given():
    asked = request("X")
    match = match_for(asked)
    given = {
        scope: grant_for(asked, match, Terms(scope=scope), "ann", 1.0) for scope in ("session", "agent", "project")
    }
    assert {scope: (grant.scope, grant.agent) for scope, grant in given.items()} == {
        "session": (Scope("session", "s-1"), None),
        "agent": (Scope("session", "s-1"), "a"),
        "project": (Scope("project", "/p"), None),
    }


@pytest.mark.parametrize("terms", [Terms(calls=0), Terms(until=1.0)])
def test_a_grant_that_allows_nothing_is_refused(terms):
    with pytest.raises(InterlockError, match="allows nothing"):
        grant_for(request("X"), {"tool": "X"}, terms, "ann", 1.0)
