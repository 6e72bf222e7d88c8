"""Talk to a filesystem server behind the proxy, and show what becomes of each call: `python demo.py [server…]`.

Without arguments the server is fetched with npx. Only the standard library is used, to show that any client will do.
"""

# ruff: noqa: S101, S603, T201

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SERVER = ["npx", "-y", "@modelcontextprotocol/server-filesystem"]


class Client:
    """As much of an MCP client as it takes: requests one after the other, and a person who says yes to questions."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._last = 0
        shown = {"name": "demo", "version": "1"}
        capabilities = {"elicitation": {}}
        self.ask("initialize", protocolVersion="2025-06-18", capabilities=capabilities, clientInfo=shown)
        self._say({"method": "notifications/initialized"})

    def ask(self, method: str, **params: Any) -> Any:
        self._last += 1
        self._say({"id": self._last, "method": method, "params": params})
        while True:
            message = self._hear()
            if message.get("method") == "elicitation/create":
                print("  a person is asked:")
                for line in message["params"]["message"].splitlines()[1:-1]:
                    print(f"  {line}")
                self._say({"id": message["id"], "result": {"action": "accept", "content": {"answer": "allow"}}})
            elif message.get("id") == self._last and "method" not in message:
                return message

    def call(self, tool: str, **arguments: str) -> None:
        print(f"\n{tool} " + ", ".join(f"{name}={Path(value).name!r}" for name, value in arguments.items()))
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        for block in result["content"]:
            print(f"  {'refused: ' if result.get('isError') else ''}{block['text'].strip()}")

    def close(self) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        return self._process.wait()

    def _say(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._process.stdin.flush()

    def _hear(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            sys.exit("the server is gone")
        found: dict[str, Any] = json.loads(line)
        return found


def main(server: list[str]) -> int:
    folder = Path(tempfile.mkdtemp(prefix="notes-"))
    try:
        (folder / "notes.txt").write_text("deploy with key AKIAABCDEFGHIJKLMNOP on friday")
        (folder / ".env").write_text("PASSWORD=hunter2")
        proxy = [sys.executable, "-m", "interlock", "mcp", "--name", "files", "--policy", str(HERE / "interlock.yaml")]
        client = Client([*proxy, "--project", str(folder), "--", *server, str(folder)])
        client.call("read_text_file", path=str(folder / "notes.txt"))
        client.call("read_text_file", path=str(folder / ".env"))
        client.call("write_file", path=str(folder / "plan.txt"), content="Rest.")
        client.call("move_file", source=str(folder / "notes.txt"), destination=str(folder / "old.txt"))
        code = client.close()
        print("\nleft in the folder: " + ", ".join(sorted(file.name for file in folder.iterdir())))
        return code
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or SERVER))
