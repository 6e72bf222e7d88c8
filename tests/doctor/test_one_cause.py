"""However an installation is broken, the doctor names each cause once and never contradicts itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from interlock.config.trust import Trust
from interlock.doctor import canary, daemon, hooks, neighbours, policies, runtime, sessions, settings
from interlock.doctor.finding import Finding, first_command, note, ok, problem, settle
from interlock.errors import InterlockError
from interlock.hosts.claude_code.places import settings_file
from interlock.store.base import Entry
from interlock.store.place import open_store, store_file, witness_file
from tests.doctor.conftest import Shop

Break = Callable[[Shop], object]


def edited(shop: Shop, change: Callable[[dict[str, Any]], object]) -> None:
    """Change Interlock's installed entries."""
    file = settings_file("local", shop.root)
    values = json.loads(file.read_text(encoding="utf-8"))
    change(values)
    file.write_text(json.dumps(values), encoding="utf-8")


def handlers(values: dict[str, Any]) -> Iterator[dict[str, Any]]:
    return (handler for groups in values["hooks"].values() for group in groups for handler in group["hooks"])


def written(text: str) -> Break:
    return lambda shop: settings_file("local", shop.root).write_text(text, encoding="utf-8")


def each_handler(**fields: Any) -> Break:
    return lambda shop: edited(shop, lambda values: [one.update(fields) for one in handlers(values)])


def top(**fields: Any) -> Break:
    return lambda shop: edited(shop, lambda values: values.update(fields))


def without(*events: str) -> Break:
    return lambda shop: edited(shop, lambda values: [values["hooks"].pop(event) for event in events])


def policy(text: str) -> Break:
    return lambda shop: (shop.root / "interlock.yaml").write_text(text, encoding="utf-8")


def as_folder(shop: Shop) -> None:
    settings_file("local", shop.root).unlink()
    settings_file("local", shop.root).mkdir()


def with_record(shop: Shop, break_: Callable[[], object]) -> None:
    store = open_store()
    store.commit(Entry(record={"session": "s", "event": "Stop"}, raw=b"{}", at=1.0))
    store.close()
    break_()


# Each breaks one thing, and must be one problem.
BROKEN: dict[str, Break] = {
    "nothing is installed": lambda shop: settings_file("local", shop.root).unlink(),
    "settings are empty": written(""),
    "settings are no JSON": written("{ broken"),
    "settings have a comma too many": written('{"hooks": {},}'),
    "settings are a list": written("[]"),
    "settings are a folder": as_folder,
    "hooks are a number": top(hooks=5),
    "hooks are a list": top(hooks=[]),
    "all hooks are switched off": top(disableAllHooks=True),
    "a library is loaded before the entries": top(env={"LD_PRELOAD": "/x.so"}),
    "every entry has a bad time limit": each_handler(timeout="soon"),
    "every entry has a bad type": each_handler(type="magic"),
    "the entry for calls is missing": without("PreToolUse"),
    "some entries are missing": without("PreToolUse", "Stop", "SessionEnd"),
    "the policy is no YAML": policy("version: 1\nrules: ["),
    "the policy has wrong keys": policy("version: 1\nrulez: []\nfoo: 3\n"),
    "the policy is empty": policy(""),
    "a rule is dead": policy('version: 1\nrules:\n  - {id: d, tool: Bash, when: "false", deny: No.}\n'),
    "the record is no database": lambda shop: with_record(shop, lambda: store_file().write_bytes(b"no database" * 99)),
    "the record is gone": lambda shop: with_record(shop, lambda: store_file().unlink()),
    "the record's witness is gone": lambda shop: with_record(shop, lambda: witness_file().unlink()),
}


def examined(shop: Shop) -> list[Finding]:
    """Everything the doctor looks at, except the client, and the canary where that would need one."""
    root = shop.root
    found = [*settings.look(root, root), *policies.look(root)]
    found += canary.look(root) if not any(one.level == "problem" for one in found) else ()
    found += [*daemon.look(), *runtime.look(root), *sessions.look(), *hooks.look(), *neighbours.look(root, root)]
    return settle(found)


@pytest.fixture
def installed(shop: Shop) -> Shop:
    file = shop.root / "interlock.yaml"
    file.write_text("version: 1\nrules: []\n", encoding="utf-8")
    Trust().add(file)
    shop.install()
    return shop


@pytest.mark.parametrize("how", BROKEN)
def test_one_cause_is_one_problem(installed: Shop, how: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("interlock.doctor.canary.look", lambda start: iter(()))  # it would take a minute to fail
    before = examined(installed)
    assert [one for one in before if one.level == "problem"] == []
    BROKEN[how](installed)
    found = examined(installed)
    problems = [one for one in found if one.level == "problem"]
    assert len(problems) == 1, problems
    assert problems[0].help
    assert {one.about for one in found if one.level == "ok"}.isdisjoint({one.about for one in problems})
    lines = [line for one in found for line in (one.text, *one.details)]
    assert len(lines) == len(set(lines))
    assert len(lines) < 15


@pytest.mark.parametrize("first", BROKEN)
@pytest.mark.parametrize("second", ["the policy has wrong keys", "the record is gone", "all hooks are switched off"])
def test_two_causes_are_two_problems_at_most(installed: Shop, first: str, second: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("interlock.doctor.canary.look", lambda start: iter(()))
    try:
        BROKEN[second](installed)
        BROKEN[first](installed)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, InterlockError):
        pytest.skip("one makes the other impossible")
    found = examined(installed)
    problems = [one for one in found if one.level == "problem"]
    assert 1 <= len(problems) <= 2, problems
    assert {one.about for one in found if one.level == "ok"}.isdisjoint({one.about for one in problems})


# --- how findings are put together ---------------------------------------------------------------------------


def test_a_problem_that_quotes_an_earlier_one_is_its_consequence():
    failed = "the store /x/interlock.db failed: it is damaged"
    found = settle(
        [
            problem("record", failed, "restore it"),
            problem("daemon", f"its store has failed, so it refuses everything: {failed}; restore it", "fix it"),
            problem("hooks", f"what hooks said cannot be read: {failed}"),
            problem("record", failed),
        ]
    )
    assert found == [
        problem("record", failed, "restore it", (
            "daemon: its store has failed, so it refuses everything (the same cause)",
            "hooks: what hooks said cannot be read (the same cause)",
        ))
    ]  # fmt: skip


def test_problems_that_only_share_a_few_letters_stay_apart():
    found = [problem("a", "gone", "x"), problem("b", "gone wrong"), problem("c", "another thing is wrong here")]
    assert settle(found) == found


def test_nothing_is_called_ok_that_a_problem_was_found_with():
    found = settle([ok("policy", "12 rules active"), ok("daemon", "running"), problem("policy", "a rule is dead")])
    assert [(one.level, one.about) for one in found] == [("note", "policy"), ("ok", "daemon"), ("problem", "policy")]


def test_the_first_command_is_that_of_the_first_problem_that_names_one():
    assert first_command([note("a", "x", "run `interlock trust`"), problem("b", "y", "unset X")]) is None
    found = [problem("b", "y", "unset X"), problem("c", "z", "read it, then run `interlock init --scope user`")]
    assert first_command(found) == "interlock init --scope user"
