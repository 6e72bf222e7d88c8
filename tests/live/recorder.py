"""A hook that notes what it was given and answers what a test has laid down: `recorder.py FOLDER LABEL`.

It is run by hosts, alone, with nothing of this package. The answers to LABEL lie in FOLDER/answers/LABEL.json: the
first one counts whose `when` occurs in what the hook is given.
"""

import contextlib
import json
import os
import signal
import sys
from pathlib import Path


def ancestry() -> list[list[str]]:
    """The command lines of the processes above this one up to the host, the nearest first: they share its home."""
    found: list[list[str]] = []
    process = os.getppid()
    while process > 1:
        place = Path("/proc") / str(process)
        try:
            if f"HOME={os.environ.get('HOME')}".encode() not in (place / "environ").read_bytes().split(b"\0"):
                break
            found.append((place / "cmdline").read_bytes().decode(errors="replace").rstrip("\0").split("\0"))
            process = int((place / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
        except OSError:
            break
    return found


def main() -> int:
    folder, label = Path(sys.argv[1]), sys.argv[2]
    given = sys.stdin.read()
    entry = {
        "label": label,
        "argv": sys.argv[3:],
        "stdin": given,
        "cwd": str(Path.cwd()),
        "env": dict(os.environ),
        "ancestry": ancestry(),
    }
    with (folder / "hooks.jsonl").open("a", encoding="utf-8") as log:
        log.write(json.dumps(entry) + "\n")
    answers: list[dict[str, object]] = []
    with contextlib.suppress(FileNotFoundError):
        answers = json.loads((folder / "answers" / f"{label}.json").read_text(encoding="utf-8"))
    answer = next((one for one in answers if str(one["when"]) in given), {})
    if answer.get("hang"):
        signal.pause()
    sys.stdout.write(str(answer.get("stdout", "")))
    sys.stderr.write(str(answer.get("stderr", "")))
    return int(str(answer.get("exit", 0)))


if __name__ == "__main__":
    sys.exit(main())
