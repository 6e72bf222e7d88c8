"""Both stores do what every store must."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest

from interlock.store.base import Store
from interlock.store.memory import MemoryStore
from interlock.store.sqlite import SqliteStore
from interlock.testing.store_conformance import CHECKS, Check, run_store_conformance


@pytest.fixture(params=["memory", "sqlite"])
def make_store(request, tmp_path) -> Callable[[], Store]:
    return MemoryStore if request.param == "memory" else lambda: SqliteStore(tmp_path / "store.db")


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_store(check: Check, make_store):
    with closing(make_store()) as store:
        check(store)


def test_the_suite_runs_without_a_test_runner_and_names_what_fails():
    assert len(run_store_conformance(MemoryStore)) == len(CHECKS)

    class Forgetful(MemoryStore):
        def answer_to(self, once: str) -> bytes | None:
            return None

    with pytest.raises(AssertionError, match="answers: found"):
        run_store_conformance(Forgetful)
