"""Where the daemon listens for HTTP, and when it does not."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from msgspec import json

from interlock.daemon import web
from tests.daemon.spawned import Home, event, until
from tests.daemon.test_web import listens, log


@pytest.mark.parametrize(("text", "mode"), [("{}", 0o600), ('{"port":80,"token":"x"}', 0o600), (None, 0o644)])
def test_an_address_that_is_not_ours_alone_or_is_none_is_not_served(home: Home, text: str | None, mode: int):
    address = web.new_address(home.run_folder)
    place = home.run_folder / "http.json"
    if text is not None:
        place.write_text(text, "utf-8")
    place.chmod(mode)
    assert home.ask().stdout == b"{}"
    assert not listens(address)
    assert "HTTP hooks are not answered" in log(home)


def test_without_an_address_nothing_is_served(home: Home):
    assert home.ask().stdout == b"{}"
    tables = Path(f"/proc/{home.pid}/net/tcp").read_text("ascii").splitlines()[1:]
    own = {str(link.readlink()) for link in Path(f"/proc/{home.pid}/fd").iterdir()}
    assert not any(f"socket:[{row.split()[9]}]" in own for row in tables)


def test_no_prompt_is_taken_while_somebody_else_holds_the_port(home: Home):
    """Whoever holds it would answer our hooks, and nobody would notice."""
    with socket.socket() as squatter:
        address = web.new_address(home.run_folder)
        squatter.bind(("127.0.0.1", address.port))
        squatter.listen()
        ended = home.ask(event("UserPromptSubmit", prompt="hello"), "UserPromptSubmit")
        said = json.decode(ended.stdout)
        assert said["decision"] == "block"
        assert f"cannot listen on 127.0.0.1:{address.port}" in said["reason"]
    until(lambda: home.ask(event("UserPromptSubmit", prompt="hello"), "UserPromptSubmit").stdout == b"{}")
