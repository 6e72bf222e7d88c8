"""`make bench`: one line a figure, `name value target ok|SHORT`."""

from __future__ import annotations

from bench import protocol


def main() -> None:
    for figure in protocol.figures():
        print(figure)


main()
