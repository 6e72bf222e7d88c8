"""`make bench`: one line a figure, `name value target ok|SHORT`."""

from __future__ import annotations

import sys

from bench import policy, protocol, store


def main() -> None:
    for part in (protocol, policy, store):
        for figure in part.figures():
            print(figure)
            sys.stdout.flush()


main()
