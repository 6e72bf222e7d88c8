"""A small MCP server on stdio: customers, orders and refunds, and a tool that answers permission prompts.

What was really done is appended to the file that is its first argument; the second says how prompts are answered.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from mcp.server import MCPServer

CUSTOMERS = {"ada": "vip", "bob": "new"}
server = MCPServer("payments")


def done(tool: str, **given: Any) -> None:
    with Path(sys.argv[1]).open("a", encoding="utf-8") as ledger:
        ledger.write(json.dumps({"tool": tool, **given}) + "\n")


# A permission-prompt tool must answer with one block of text, so structured results are off.
@server.tool(structured_output=False)
def process_refund(customer_id: str, amount: float, note: str = "none") -> str:
    """Refund a customer."""
    done("process_refund", customer_id=customer_id, amount=amount, note=note)
    return f"refunded {amount:g} to {customer_id}, card 4111111111111111"


@server.tool()
def get_customer(customer_id: str) -> dict[str, str]:
    """Look a customer up."""
    done("get_customer", customer_id=customer_id)
    return {"customer_id": customer_id, "tenure": CUSTOMERS[customer_id]}


@server.tool()
def list_orders() -> dict[str, list[dict[str, str]]]:
    """List all orders."""
    done("list_orders")
    return {"orders": [{"id": "o1", "card": "4111111111111111"}]}


@server.tool(structured_output=False)
def approve(tool_name: str, input: dict[str, Any], tool_use_id: str = "") -> str:
    """Answer a permission prompt as a person would."""
    done("approve", tool_name=tool_name, input=input)
    if sys.argv[2] == "yes":
        return json.dumps({"behavior": "allow", "updatedInput": input})
    return json.dumps({"behavior": "deny", "message": "The person said no."})


if __name__ == "__main__":
    server.run("stdio")
