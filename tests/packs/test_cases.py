"""Every shipped rule catches and lets pass what its own cases say."""

from __future__ import annotations

import pytest

from interlock.testing.cases import run_cases
from tests.packs.shipped import FILES, pack


@pytest.mark.parametrize("name", FILES)
def test_the_cases_of_a_pack_hold(name: str):
    assert [f"{result.source}: {result.message}" for result in run_cases(pack(name)) if not result.ok] == []
