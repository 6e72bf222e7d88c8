"""A small MCP server on stdio whose one tool asks the client a question before it answers.

Written out by hand: the protocol is the one in which a server may ask.
"""

from __future__ import annotations

import json
import sys
from typing import Any

VERSION = "2025-06-18"
QUESTION = {
    "message": "Which seat?",
    "requestedSchema": {"type": "object", "properties": {"seat": {"type": "string"}}, "required": ["seat"]},
}


def send(**message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def receive() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(next(sys.stdin))
    return found


def book() -> str:
    """Ask for a seat, and say what was answered."""
    send(id="question", method="elicitation/create", params=QUESTION)
    while (answer := receive()).get("id") != "question":
        pass
    return json.dumps(answer["result"], sort_keys=True)


def answer_to(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        return {"protocolVersion": VERSION, "capabilities": {"tools": {}}, "serverInfo": {"name": "a", "version": "1"}}
    if method == "tools/list":
        return {"tools": [{"name": "book", "description": "Book a seat.", "inputSchema": {"type": "object"}}]}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": book()}]}
    return {}


def main() -> None:
    while True:
        try:
            asked = receive()
        except StopIteration:
            return
        if "id" in asked and "method" in asked:
            send(id=asked["id"], result=answer_to(asked["method"], asked.get("params", {})))


if __name__ == "__main__":
    main()
