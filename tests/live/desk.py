"""A small MCP server on stdio, written out by hand: its one tool says what it was given, as JSON if told so."""

import json
import sys
from typing import Any

SCHEMA = {"type": "object", "properties": {"amount": {"type": "number"}, "to": {"type": "string"}}}
TOOL = {"name": "send_money", "description": "Send money.", "inputSchema": SCHEMA}


def answer_to(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        return {"protocolVersion": params.get("protocolVersion", "2025-06-18"), "capabilities": {"tools": {}},
                "serverInfo": {"name": "desk", "version": "1"}}  # fmt: skip
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        said = json.dumps({"sent": params.get("arguments")}) if sys.argv[1:] == ["json"] else ""
        return {"content": [{"type": "text", "text": said or f"sent {json.dumps(params.get('arguments'))}"}]}
    return {}


def main() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" in asked and "method" in asked:
            result = answer_to(asked["method"], asked.get("params") or {})
            print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)


if __name__ == "__main__":
    main()
