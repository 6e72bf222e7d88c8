"""A known-bad call through the installed entry: denied, or it is said loudly."""

from __future__ import annotations

import pytest

from interlock.config.places import socket_path
from interlock.daemon.control import stop
from interlock.doctor.canary import look
from interlock.doctor.known_bad import BAD
from interlock.hosts.claude_code.address import choose_address, keep_address
from interlock.hosts.claude_code.places import settings_file
from tests.doctor.conftest import Shop, told

LOUD = "THE GUARD DOES NOT HOLD: "


def test_where_nothing_is_installed_there_is_nothing_to_try(shop: Shop):
    assert told(look(shop.root)) == [("note", "not sent: Interlock has no entry to send it through")]


def test_an_entry_that_holds_denies_it(shop: Shop):
    shop.install()
    file = settings_file("local", shop.root)
    assert told(look(shop.root)) == [("ok", f"the entry in {file} denied `{BAD}`")]
    assert told(look(shop.folder("sub"))) == [("ok", f"the entry in {file} denied `{BAD}`")], "and below the root"


@pytest.mark.parametrize("scope", ["local", "project", "user"])
def test_a_variable_in_any_settings_file_reaches_it_as_it_reaches_the_clients_entry(shop: Shop, scope: str):
    shop.install()
    shop.change(scope, env={"LD_TRACE_LOADED_OBJECTS": "1"})
    ((level, text),) = told(look(shop.root))
    assert level == "problem"
    assert text.startswith(f"{LOUD}the entry in {settings_file('local', shop.root)} did not deny `{BAD}`: it answered ")


def test_what_outranks_a_file_is_heeded_and_a_home_cannot_be_set(shop: Shop):
    shop.install()
    shop.change("user", env={"MALLOC_PERTURB_": "x", "HOME": "/nowhere"})
    assert [level for level, _ in told(look(shop.root))] == ["ok"]


def test_an_entry_that_cannot_be_started_is_loud(shop: Shop, monkeypatch: pytest.MonkeyPatch):
    shop.install(scope="project")
    monkeypatch.setenv("PATH", "/nowhere")
    ((level, text),) = told(look(shop.root))
    assert (level, text.startswith(LOUD)) == ("problem", True)


def over_http(shop: Shop) -> None:
    address = choose_address()
    keep_address(socket_path().parent, address)
    shop.install(address=address)


def test_an_entry_over_http_is_asked_over_http(shop: Shop):
    over_http(shop)
    file = settings_file("local", shop.root)
    for _ in range(2):  # where no daemon runs yet, and where one does
        assert told(look(shop.root)) == [("ok", f"the entry in {file} denied `{BAD}`")]


def test_a_token_that_is_not_the_daemons_is_loud(shop: Shop):
    over_http(shop)
    assert [level for level, _ in told(look(shop.root))] == ["ok"]
    address = choose_address()
    keep_address(socket_path().parent, address)  # the daemon that runs still has the other
    shop.install(address=address)
    ((level, text),) = told(look(shop.root))
    assert level == "problem"
    assert text.endswith("it cannot be reached: [Errno 111] Connection refused")
    stop(socket_path())
    assert [level for level, _ in told(look(shop.root))] == ["ok"]


@pytest.mark.parametrize("where", ["environment", "settings"])
def test_nothing_is_sent_to_a_proxy(shop: Shop, monkeypatch: pytest.MonkeyPatch, where: str):
    over_http(shop)
    if where == "environment":
        monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    else:
        shop.change("user", env={"HTTP_PROXY": "http://127.0.0.1:1"})
    ((level, text),) = told(look(shop.root))
    assert level == "problem"
    assert "sends HTTP hooks to a proxy" in text
