"""`fresh`: the files that a call runs and that its session wrote."""

from __future__ import annotations

from typing import Any

import pytest

from interlock.policy import engine
from interlock.store.memory import MemoryStore
from tests.policy.builders import Session

ASKS = """
rules:
  - {id: own-code, when: fresh.size() > 0, ask: "${fresh[0].file} ${fresh[0].by} ${fresh[0].how}"}
  - {id: never, command: mkfs, deny: Never.}
"""


def asked(session: Session, call: Any) -> str | None:
    verdict = session.call(call)
    return verdict.reason if verdict.decision == "ask" else None


@pytest.mark.parametrize(
    ("first", "then", "said"),
    [
        ({"Write": {"file_path": "/proj/run.sh", "content": "ls"}}, "bash run.sh", "/proj/run.sh bash written"),
        ({"Edit": "tool.py"}, "cd src && python3 ../tool.py", "/proj/tool.py python written"),
        ("echo ls > /tmp/a.sh", "sh /tmp/a.sh", "/tmp/a.sh sh written"),
        ("cp x bin/x", "./bin/x", "/proj/bin/x  written"),
        ("curl -o get.sh https://x.example", "bash get.sh", "/proj/get.sh bash downloaded"),
        ("curl https://x.example > get.sh", "source ./get.sh", "/proj/get.sh source downloaded"),
        ('python3 -c \'open("a.sh", "w").write("ls")\'', "sudo bash a.sh", "/proj/a.sh bash written"),
        # near misses: another file, another way to use it
        ({"Write": "run.sh"}, "bash other.sh", None),
        ({"Write": "run.sh"}, "cat run.sh", None),
        ({"Read": "run.sh"}, "bash run.sh", None),
        ("rm run.sh", "bash run.sh", None),
        ("echo x > $F", "bash run.sh", None),
    ],
)
def test_a_file_that_an_earlier_call_of_the_session_wrote_is_fresh_when_it_is_run(first, then, said):
    session = Session(ASKS)
    session.call(first)
    assert asked(session, then) == said


def test_a_file_that_the_same_call_writes_is_fresh():
    assert asked(Session(ASKS), "echo ls > a.sh && bash a.sh") == "/proj/a.sh bash written"


def test_a_script_that_could_be_read_is_fresh_too():
    session = Session(ASKS, given={"files": {"a.sh": "ls"}})
    session.call({"Write": "a.sh"})
    assert asked(session, "bash a.sh") == "/proj/a.sh bash written"


def test_what_a_denied_call_would_have_written_is_not_fresh():
    session = Session(ASKS)
    assert session.call("mkfs -t ext4 x; echo ls > a.sh").decision == "deny"
    assert asked(session, "bash a.sh") is None


def test_another_session_wrote_nothing_of_this_one():
    store = MemoryStore()
    Session(ASKS, store=store, id="one").call({"Write": "a.sh"})
    assert asked(Session(ASKS, store=store, id="two"), "bash a.sh") is None
    assert asked(Session(ASKS, store=store, id="one"), "sh a.sh") == "/proj/a.sh sh written"


def test_nothing_is_kept_where_no_rule_asks():
    session = Session("rules: [{id: never, command: mkfs, deny: Never.}]")
    assert session.call({"Write": "a.sh"}).opinions == ()


def test_beyond_the_files_that_are_kept_every_file_may_be_fresh(monkeypatch):
    monkeypatch.setattr(engine, "_MOST_WROTE", 2)
    session = Session(ASKS)
    for name in ("a", "b"):
        session.call({"Write": name})
    assert asked(session, "bash other.sh") is None
    session.call({"Write": "c"})
    assert asked(session, "bash other.sh") == "/proj/other.sh bash written"
