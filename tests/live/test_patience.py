"""How long the real hosts wait for Interlock: until it gives up by itself, and denies the call.

Only Qwen Code has so little patience that this can be seen in every run of the tests. The same of Amp is in
`tests/live/test_amp.py`.
"""

from __future__ import annotations

import pytest

from interlock.hosts.client_literals import seconds_for
from interlock.spawn.exchange import WHY
from tests.live.busy import Busy, limit_of, patient
from tests.live.drive import HOSTS, required, run
from tests.live.guarding import Guarded
from tests.live.world import World

DENY = "{id: no-forbidden, command: touch forbidden, deny: Not that file.}"


@pytest.mark.parametrize("name", [pytest.param(name, marks=patient(name)) for name in HOSTS])
def test_a_host_waits_until_interlock_gives_up_and_denies(name: str, world: World):
    host = required(HOSTS[name])
    Guarded(host, world).guard(DENY)
    with Busy(world).working():
        ran = run(host, world, host.shell("touch made"), "Done.", limit=limit_of(name) + 60)
    assert not world.has("made")
    assert WHY in ran.results[0]
    assert ran.seconds >= seconds_for(limit_of(name))
