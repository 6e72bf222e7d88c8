"""Put Interlock's entries for a host where its setup says: `python -m tests.live.entries HOST PROJECT`, in its home."""

from __future__ import annotations

import sys
from pathlib import Path

from interlock.hosts import host_of
from interlock.hosts.base.entry_lists import add_entries, new_text
from interlock.hosts.base.setup import OwnFile


def main(name: str, project: str) -> None:
    setup = host_of(name).setup
    assert setup is not None
    for file in setup.files("user", Path(project), Path.home()):
        file.path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(file, OwnFile):
            file.path.write_bytes(file.content)
            file.path.chmod(file.mode)
            continue
        text = file.path.read_text(encoding="utf-8") if file.path.exists() else new_text(file)
        file.path.write_text(add_entries(text, file)[0], encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
