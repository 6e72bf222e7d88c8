"""What the doctor says about hooks that say no and return nothing."""

from __future__ import annotations

from contextlib import closing

import pytest
from msgspec import json

from interlock import hook
from interlock.config.bundles import core_policy
from interlock.doctor.hooks import look
from interlock.hooks.run import HookSet
from interlock.hooks.silence import SOUNDS
from interlock.judging.guard import Guard
from interlock.probe.world import Machine
from interlock.service import answer
from interlock.store.place import open_store
from tests.builders import call
from tests.doctor.conftest import Shop, told
from tests.hooks.events import named


@hook("PreToolUse")
def talks(call):
    print(f"Blocked {call.tool}")


@hook("PreToolUse")
async def complains(call):
    import sys

    sys.stderr.write("12 blocked domains, all fine\nport 80 is blocked\n")


@pytest.mark.parametrize("times", [1, 3])
def test_each_thing_that_was_said_and_not_returned_is_a_finding_once(shop: Shop, times: int):
    assert told(look()) == []
    store, hooks = open_store(), HookSet([talks, complains])
    with closing(store), closing(hooks), Guard([core_policy()], Machine(str(shop.root)), store) as guard:
        for number in range(times):
            event = {**call("delete_account"), "tool_use_id": f"c{number}"}
            answer(guard, "claude-code", json.encode(event), [hooks])
    assert told(look()) == [
        (
            "note",
            f"{named(talks)} failed: it printed `Blocked delete_account` and "
            "returned no opinion; return deny(...) instead",
        ),
        ("note", f"{named(complains)} said `port 80 is blocked`, {SOUNDS}; return deny(...) instead"),
    ]
