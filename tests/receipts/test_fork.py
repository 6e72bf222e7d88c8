"""A forked child that inherited a store is told to open its own."""

from __future__ import annotations

import os
import warnings
from contextlib import closing

from interlock.store.base import StoreError
from interlock.store.sqlite import SqliteStore
from tests.store.builders import entry, value


def test_a_forked_child_is_told_to_open_its_own_and_harms_nothing(tmp_path):
    path = tmp_path / "store.db"
    with closing(SqliteStore(path)) as store:
        store.commit(entry(1))
        reading, writing = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Python warns of exactly what is shown here
            process = os.fork()
        if process == 0:
            os.write(writing, _said_in_child(store).encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            assert pipe.read() == "commit: before a fork; read: before a fork; own: 2"
        os.waitpid(process, 0)
        assert store.commit(entry(3)) == 3
        assert store.verify().problems == []


def _said_in_child(store: SqliteStore) -> str:
    heard = []
    for name, action in (("commit", lambda: store.commit(entry(2))), ("read", lambda: value(store, "n"))):
        try:
            action()
        except StoreError as error:
            heard.append(f"{name}: {error.message.split(', ')[-1]}")
    store.close()
    own = SqliteStore(store._path)
    heard.append(f"own: {own.commit(entry(2))}")
    own.close()
    return "; ".join(heard)
