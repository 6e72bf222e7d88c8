"""What a host spawns for one event: standard input to the daemon, the daemon's answer to standard output.

    python -I -S client.py EVENT SOCKET PROJECT
    python -I -S client.py HOST:EVENT SOCKET [PROJECT [WORD…]]

It runs before every call of every session, so it is short: `spawn/exchange.py`, whose bytecode is cached, does the
work. If that cannot be loaded, as while the package is being replaced, the client ends with the exit code by which a
host refuses the event, or lets pass what must not be held up.
"""

import posix
import sys
from _frozen_importlib_external import SourceFileLoader

REFUSE = 2
# The exit code of an event whose answer is not a refusal. A permission prompt is refused by no exit code, but by a
# failure; an end of turn or a prompt must not be held up. Written by `hosts/claude_code/failing.py`.
# fmt: off
EXITS = {"PermissionRequest": 1, "UserPromptSubmit": 0, "Stop": 0, "SubagentStop": 0, "PreCompact": 0, "TeammateIdle": 0, "TaskCreated": 0, "TaskCompleted": 0}
# fmt: on

if __name__ == "__main__":
    try:
        exchange = {"__name__": "interlock.spawn.exchange", "__file__": __file__}
        loader = SourceFileLoader("interlock.spawn.exchange", __file__.rpartition("/")[0] + "/spawn/exchange.py")
        exec(loader.get_code("interlock.spawn.exchange"), exchange)  # type: ignore[arg-type]  # a source file has code, or it raises
        exchange["main"]()  # type: ignore[operator]  # defined by what was just run
    except BaseException:
        posix.write(2, b"Interlock could not be run.\n")  # some hosts take a refusal without a word for none
        posix._exit(EXITS.get(sys.argv[1].rpartition(":")[2] if len(sys.argv) > 1 else "", REFUSE))
