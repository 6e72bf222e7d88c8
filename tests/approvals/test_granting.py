"""What a person may allow beyond one call, and how that is said before they do."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json
from msgspec.structs import replace

from interlock.approvals.granting import Terms, grant_for, match_for, widths_for, words_for
from interlock.errors import InterlockError
from interlock.event import PreToolUse
from interlock.judging.asking import grant_policy
from interlock.judging.guard import Guard
from interlock.policy.engine import Engine
from interlock.policy.load import load_policy
from interlock.policy.situation import Situation
from interlock.probe.world import Machine
from interlock.service import judge_again
from interlock.store.asking import ApprovalRequest
from interlock.store.base import Scope
from interlock.store.memory import MemoryStore
from interlock.testing.events import payload_for
from interlock.verdict import Verdict


def request(tool: str, **given: Any) -> ApprovalRequest:
    """A request about a call, as it is asked: with what the call touches."""
    situation = Situation(
        event=PreToolUse(
            session_id="s-1", transcript_path="", cwd="/p", tool_name=tool, tool_input=given, tool_use_id="t"
        ),
        host="claude-code",
        raw=b"",
        world=Machine("/p"),
    )
    verdict = Verdict(decision="ask", original=given, input=given)
    subject, _ = Engine([], {}).describe(situation, verdict)
    body = json.encode({"input": given, "touches": subject.to_show(), "cwd": "/p"})
    return ApprovalRequest(id="q", session="s-1", tool=tool, at=1.0, until=2.0, project="/p", agent="a", body=body)


CALLS: list[tuple[ApprovalRequest, dict[str, Any], str]] = [
    (request("Bash", command="npm install left-pad"), {"command": ["npm install"]},
     "`npm install` with anything behind it"),
    (request("Bash", command="rm -rf build"),
     {"command": [r"/^rm\ \-rf\ build$/"], "path": ["/p/build", "/p/build/**"]},
     "exactly `rm -rf build`"),
    (request("Bash", command="git clone https://git.example.com/a /srv/b"),
     {"command": ["git clone"], "path": ["/srv/b", "/srv/b/**"], "url": ["git.example.com"]},
     "`git clone` with anything behind it, touching only `/srv/b`, reaching only git.example.com"),
    (request("Bash", command="git clone https://git.example.com/a"),
     {"command": ["git clone"], "path": ["${project}/**"], "url": ["git.example.com"]},
     "`git clone` with anything behind it, touching only files of this project, reaching only git.example.com"),
    (request("Bash", command="sudo npm install x"), {"command": [r"/^sudo\ npm\ install\ x$/", r"/^npm\ install\ x$/"]},
     "exactly `sudo npm install x`, exactly `npm install x`"),
    (request("Bash", command="git push origin main && npm publish"), {"command": ["git push", "npm publish"]},
     "`git push` with anything behind it, `npm publish` with anything behind it"),
    (request("WebFetch", url="https://me@docs.example.com/a?b"), {"url": "docs.example.com"},
     "WebFetch of anything on docs.example.com"),
    (request("Write", file_path="/p/.env", content="x"), {"path": ["/p/.env"]}, "Write of `/p/.env`"),
    (request("mcp__crm__refund", amount=5), {}, "mcp__crm__refund with any input"),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "match", "words"), CALLS, ids=[words for _, _, words in CALLS])
def test_more_of_the_same(asked, match, words):
    found = match_for(asked)
    assert found == {"tool": asked.tool, **match}
    assert words_for(found, Terms()) == f"{words}, in this session"
    grant_for(asked, found, Terms(), "ann", 1.0)  # it is a rule that can be loaded


def test_more_of_a_call_that_does_several_things_is_not_offered():
    asked = request("apply_patch", command="*** Begin Patch")
    several = replace(asked, body=json.encode({**json.decode(asked.body), "parts": 2}))
    assert widths_for(several) == {}


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


# --- how wide --------------------------------------------------------------------------------------------------------

WIDTHS: list[tuple[ApprovalRequest, dict[str, str]]] = [
    (request("Bash", command="npm install left-pad"),
     {"alike": "`npm install` with anything behind it", "exact": "exactly `npm install left-pad`"}),
    (request("Bash", command="rm -rf build"), {"alike": "exactly `rm -rf build`"}),
    (request("Write", file_path="/p/docs/a.md", content="x"),
     {"alike": "Write of `/p/docs/a.md`", "folder": "Write of anything in `/p/docs/`"}),
    (request("Write", file_path="/a.md", content="x"), {"alike": "Write of `/a.md`"}),
    (request("Write", file_path="/p/*.md", content="x"),
     {"alike": 'Write of "/p/*.md"', "folder": "Write of anything in `/p/`"}),
    (request("Write", file_path="/p/*/a.md", content="x"), {"alike": 'Write of "/p/*/a.md"'}),
    (request("WebFetch", url="https://docs.example.com/a"),
     {"alike": "WebFetch of anything on docs.example.com", "exact": 'WebFetch of "https://docs.example.com/a"'}),
    (request("WebFetch", url="https://*.example.com/a"), {"alike": 'WebFetch of "https://*.example.com/a"'}),
    (request("mcp__crm__refund", amount=5), {"alike": "mcp__crm__refund with any input"}),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "widths"), WIDTHS, ids=[str(json.decode(one.body)) for one, _ in WIDTHS])
def test_a_person_chooses_among_the_widths_that_differ(asked, widths):
    assert widths_for(asked) == widths
    for width in widths_for(asked):
        match = match_for(asked, width)
        grant_for(asked, match, Terms(width=width), "ann", 1.0)
        assert allows(match, asked.tool, json.decode(asked.body)["input"])


@given(st.text(st.sampled_from("ab*?[]{}!$~\\'\" /.é"), min_size=1, max_size=12), st.sampled_from(["exact", "alike"]))
def test_the_name_of_a_file_is_never_a_pattern(name, width):
    """An agent chooses the names of files: a yes to one must not be a yes to others."""
    path = f"/p/{name}"
    try:
        match = match_for(request("Write", file_path=path, content="x"), width)
    except InterlockError:
        return  # nothing more can be allowed of it
    for other in ("/p/other", "/p/a/b", "/p/", f"{path}x", f"/p/x{name}"):
        assert not allows(match, "Write", {"file_path": other, "content": "x"})


def allows(match: dict[str, Any], tool: str, given: dict[str, Any]) -> bool:
    """Whether a grant with this match lets a call run."""
    policy = load_policy(grant_policy(json.encode(match)), "grant")
    guard = Guard([policy], Machine("/p"), MemoryStore(), project="/p", alone=True)
    raw = payload_for("PreToolUse", {}, tool_name=tool, tool_input=given, tool_use_id="toolu_1", cwd="/p")
    return judge_again(guard, "claude-code", raw).verdict.decision == "allow"
