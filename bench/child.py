"""`python -m bench.child PART`: measure one part for another process, a run for each line on standard input.

Each answer is a line of JSON: first the part's rows and the package that is measured, then the values of each run. A
checkout is compared with another by asking a child in each of them in turn.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from bench import older_names
from bench.rows import Part, Skipped

__all__ = ["PARTS", "PROTOCOL"]

PROTOCOL = 1
PARTS = (
    "trace", "protocol", "policy", "store", "gate", "facts", "programs", "mcp", "session", "cold", "memory",
    "client", "replay", "asking", "page", "hosts", "lint",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.child")
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--older-names", action="store_true", help="the package may be from before modules were moved")
    options = parser.parse_args()
    if options.older_names:
        older_names.install()
    _serve(options.part, sys.stdin, _private_stdout())


def _private_stdout() -> IO[str]:
    """Standard output for answers alone: whatever else this process or its children print goes to standard error."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


def _serve(name: str, asked: IO[str], answers: IO[str]) -> None:
    def answer(**what: Any) -> None:
        answers.write(json.dumps(what) + "\n")
        answers.flush()

    try:
        part: Part = importlib.import_module(f"bench.{name}").PART
        with part.opens() as run:
            rows = {key: asdict(row) for key, row in part.rows.items()}
            answer(protocol=PROTOCOL, rows=rows, once=part.once, package=_package())
            for _ in asked:
                answer(values=dict(run()))
    except Skipped as why:
        answer(skipped=str(why))
    except Exception as error:  # noqa: BLE001 - told to whoever asked, who goes on with the other parts
        answer(failed=f"{type(error).__name__}: {error}")


def _package() -> str:
    return str(Path(str(importlib.import_module("interlock").__file__)).parent)


if __name__ == "__main__":
    main()
