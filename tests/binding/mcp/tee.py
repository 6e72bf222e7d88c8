"""Stands between two ends of a connection and writes down every line: `tee.py FILE command…`."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import IO


def main() -> None:
    file, *command = sys.argv[1:]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin is not None
    assert child.stdout is not None
    pump = threading.Thread(target=copy, args=(sys.stdin.buffer, child.stdin, Path(f"{file}.up")), daemon=True)
    pump.start()
    copy(child.stdout, sys.stdout.buffer, Path(f"{file}.down"))
    sys.exit(child.wait())


def copy(source: IO[bytes], target: IO[bytes], kept: Path) -> None:
    with kept.open("wb", buffering=0) as copied:
        for line in source:
            copied.write(line)
            target.write(line)
            target.flush()
    target.close()


main()
