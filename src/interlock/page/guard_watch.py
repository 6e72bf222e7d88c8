"""Is this project guarded? What the doctor finds, looked up in the background so that no view waits for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from interlock.config.places import project_root
from interlock.doctor import daemon, hosts, neighbours, policies, runtime, settings
from interlock.doctor.finding import Finding, problem, settle
from interlock.errors import InterlockError, text_of

__all__ = ["GuardFindings", "GuardWatch", "look_around"]

_FRESH = 300.0  # seconds for which findings are shown without looking again


class GuardFindings(Struct, frozen=True):
    """What was found, and when."""

    at: float
    findings: tuple[Finding, ...]
    seconds: float = 0.0  # that looking took

    @property
    def problems(self) -> int:
        return sum(one.level == "problem" for one in self.findings)

    @property
    def is_guarded(self) -> bool:
        return not self.problems


def look_around(project: Path) -> Iterator[Finding]:
    """The doctor's checks that only read files: neither an agent is asked nor a known-bad call is tried."""
    root = project_root(project)
    agents = list(hosts.look(root, Path.home(), asks=False, tries=False))
    if settings.is_meant(project, others=any(agent.scope is not None for agent in agents)):
        yield from settings.look(project, root)
    for agent in agents:
        yield from agent.findings
    yield from policies.look(root)
    yield from daemon.look()
    yield from runtime.look(root)
    yield from neighbours.look(project, root)


class GuardWatch:
    """Looks whether a project is guarded, in a thread of its own, and keeps what was found."""

    def __init__(
        self,
        project: Path,
        clock: Callable[[], float] = time.time,
        look: Callable[[Path], Iterator[Finding]] = look_around,
    ) -> None:
        self.project = project
        self._clock = clock
        self._look = look
        self._lock = threading.Lock()
        self._found: GuardFindings | None = None
        self._thread: threading.Thread | None = None

    def latest(self) -> GuardFindings | None:
        """What was found last; None until something was. If that is long ago, a new look begins."""
        found = self._found
        if found is None or self._clock() - found.at > _FRESH:
            self.look_again()
        return found

    @property
    def is_looking(self) -> bool:
        return self._thread is not None

    def look_again(self) -> None:
        """Begin to look, unless somebody is looking."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="interlock-doctor", daemon=True)
                self._thread.start()

    def wait(self, seconds: float) -> None:
        """Wait until nobody is looking, but not longer than this."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def _run(self) -> None:
        start = time.perf_counter()
        try:
            found = settle(self._look(self.project))
        except InterlockError as error:
            found = [problem("doctor", error.in_one_line(), "run `interlock doctor`")]
        except Exception as error:  # noqa: BLE001 - a view that says so is better than one that shows an old finding
            found = [problem("doctor", f"the checks failed: {text_of(error)}", "run `interlock doctor`")]
        self._found = GuardFindings(self._clock(), tuple(found), time.perf_counter() - start)
        with self._lock:
            self._thread = None
