"""What the doctor says about the settings of a client that is started somewhere."""

from __future__ import annotations

import pytest

from interlock.doctor.settings import look
from interlock.hosts.claude_code.address import choose_address, keep_address
from interlock.hosts.claude_code.places import socket_path
from tests.doctor.conftest import Shop, told

WIRED = "all 30 events have entries, in "


def test_a_project_with_our_entries_is_well(shop: Shop):
    shop.install()
    assert told(look(shop.root, shop.root)) == [("ok", f"{WIRED}{shop.root}/.claude/settings.local.json")]


def test_it_is_the_folder_one_stands_in_that_is_judged(shop: Shop):
    shop.install(scope="project")
    sub = shop.folder("sub")
    assert told(look(sub, shop.root)) == [
        ("problem", f"none of Interlock's entries would run in a session started in {sub}")
    ]
    shop.install()
    assert told(look(sub, shop.root))[0] == ("ok", f"{WIRED}{shop.root}/.claude/settings.local.json")


def test_what_switches_us_off_is_named(shop: Shop):
    shop.install()
    file = shop.change("project", env={"LD_TRACE_LOADED_OBJECTS": "1"})
    (found,) = look(shop.root, shop.root)
    assert (found.level, found.details) == (
        "problem",
        (f"{file} sets `LD_TRACE_LOADED_OBJECTS`, which affects the process of Interlock's entry before it starts",),
    )


@pytest.mark.parametrize("scope", ["local", "user"])
def test_a_hook_that_can_be_adopted_is_named_with_how(shop: Shop, scope: str):
    shop.change(scope, hooks={"Stop": [{"hooks": [{"type": "command", "command": "/bin/true"}]}]})
    shop.install()
    found = [finding for finding in look(shop.root, shop.root) if "races" in finding.text]
    option = "" if scope == "local" else f" --scope {scope}"
    assert [finding.help for finding in found] == [f"`interlock init{option} --adopt` runs it in order with the policy"]


def test_a_hook_that_cannot_be_adopted_is_named_without(shop: Shop):
    file = shop.change("local", hooks={"Stop": [{"hooks": [{"type": "prompt", "prompt": "ok?"}]}]})
    shop.install()
    found = [finding for finding in look(shop.root, shop.root) if "races" in finding.text]
    assert [(finding.text, finding.help) for finding in found] == [
        (
            f"another hook races with Interlock: Stop: a prompt hook [{file}]; "
            "it cannot be adopted: it is of the type `prompt`",
            "",
        )
    ]


def test_a_hook_of_the_shared_file_stays_there(shop: Shop):
    file = shop.change("project", hooks={"Stop": [{"hooks": [{"type": "command", "command": "/bin/true"}]}]})
    shop.install()
    found = [finding for finding in look(shop.root, shop.root) if "races" in finding.text]
    assert [(finding.text, finding.help) for finding in found] == [
        (
            f"another hook races with Interlock: Stop: /bin/true [{file}]; it cannot be adopted: "
            "the file is shared, and whoever has not trusted the policy would be left without it",
            "",
        )
    ]


def test_a_hook_of_the_folder_one_stands_in_is_not_reached_by_adopting(shop: Shop):
    shop.install()
    sub = shop.folder("sub/.claude").parent
    (sub / ".claude" / "settings.json").write_text(
        '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/bin/true"}]}]}}', encoding="utf-8"
    )
    found = [finding for finding in look(sub, shop.root) if "races" in finding.text]
    assert [finding.help for finding in found] == [""]


@pytest.mark.parametrize("name", ["CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE"])
def test_a_switch_in_this_environment_is_named(shop: Shop, monkeypatch: pytest.MonkeyPatch, name: str):
    shop.install()
    monkeypatch.setenv(name, "1")
    assert [level for level, text in told(look(shop.root, shop.root)) if f"`{name}` is set" in text] == ["problem"]
    monkeypatch.setenv(name, "0")
    assert [text for _, text in told(look(shop.root, shop.root)) if name in text] == []


def test_a_proxy_is_named_where_calls_go_over_http(shop: Shop, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    shop.install()
    assert [text for _, text in told(look(shop.root, shop.root)) if "PROXY" in text] == []
    address = choose_address()
    keep_address(socket_path().parent, address)
    shop.install(address=address)
    assert [one for one in told(look(shop.root, shop.root)) if "PROXY" in one[1]] == [
        (
            "problem",
            "HTTP_PROXY in the environment sends HTTP hooks to a proxy; "
            "put 127.0.0.1 into NO_PROXY, or unset HTTP_PROXY",
        )
    ]
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    assert [text for _, text in told(look(shop.root, shop.root)) if "PROXY" in text] == []
