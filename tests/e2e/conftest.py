"""Sessions of the real client. A test that says `@both` is run on the older client too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e import clients
from tests.e2e.session import Session

CLIENTS = {"current": clients.current, "older": clients.older}


@pytest.fixture
def session(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    client = CLIENTS[getattr(request, "param", "current")]()
    # A short name: sockets live in the home, and the path of a socket is at most 107 characters long.
    session = Session(tmp_path_factory.mktemp("e"), client)
    yield session
    session.close()
