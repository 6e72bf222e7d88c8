"""Kill a server's processes when the proxy is gone, however it ended. Run as a script; imports nothing from Interlock.

It reads the number of the server's process group from its stdin, then waits for end of file: the proxy's side closes
when the proxy dies, even if it is killed. A proxy that ends normally says so, and nothing is killed.
"""

from __future__ import annotations

import os
import signal
import sys
import time

GRACE = 1.0


def main() -> None:
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    group, _, rest = sys.stdin.buffer.readline().partition(b"\n")
    if rest or not group.strip().isdigit() or int(group) < 2:
        return
    if sys.stdin.buffer.read().strip() == b"done":
        return
    for sign in (signal.SIGTERM, signal.SIGKILL):
        if not _send(int(group), sign):
            return
        until = time.monotonic() + GRACE
        while time.monotonic() < until and _send(int(group), 0):
            time.sleep(0.02)


def _send(group: int, sign: int) -> bool:
    try:
        os.killpg(group, sign)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main()
