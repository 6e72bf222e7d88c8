"""A server on stdio with nothing but the standard library, whose tools misbehave on request.

What it was really asked to do is appended to the file that is its first argument; a second one makes it ignore its
end: `stubborn`.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

SLEEPER = "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(600)"


def answer(tool: str, given: dict[str, Any]) -> dict[str, Any] | None:
    match tool:
        case "echo":
            return {"content": [{"type": "text", "text": given.get("text", "")}]}
        case "repeat":
            return {"content": [{"type": "text", "text": "x" * given["size"]}]}
        case "child":
            child = subprocess.Popen([sys.executable, "-c", SLEEPER], stdin=subprocess.DEVNULL)
            return {"content": [{"type": "text", "text": json.dumps([os.getpid(), child.pid])}]}
        case "exit":
            os._exit(given["code"])
        case "signal":
            os.kill(os.getpid(), given["number"])
    return None  # it hangs


def main() -> None:
    stubborn = "stubborn" in sys.argv
    if stubborn:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message.get("method") != "tools/call":
            if "id" in message:
                say({"jsonrpc": "2.0", "id": message["id"], "result": {}})
            continue
        params = message["params"]
        with Path(sys.argv[1]).open("a", encoding="utf-8") as ledger:
            ledger.write(params["name"] + "\n")
        result = answer(params["name"], params.get("arguments", {}))
        if result is not None:
            say({"jsonrpc": "2.0", "id": message["id"], "result": result})
    while stubborn:
        time.sleep(600)


def say(message: dict[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
    sys.stdout.buffer.flush()


main()
