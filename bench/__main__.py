"""`make bench`: one line a figure, `name value target ok|SHORT`."""

from __future__ import annotations

import sys

from bench import facts, gate, mcp, policy, protocol, session, store


def main() -> None:
    for part in (protocol, policy, store, session, gate, facts, mcp):
        for figure in part.figures():
            print(figure)
            sys.stdout.flush()


main()
