"""A customer service agent that may refund, under `policy.yaml`.

ANTHROPIC_API_KEY=… python agent.py "Refund ann 800 for order o-7: it arrived broken."
"""

# ruff: noqa: T201 - it talks to a person
from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from claude_agent_sdk import (
    AssistantMessage,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    ResultMessage,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    UserMessage,
    create_sdk_mcp_server,
    tool,
)

from interlock.agent_sdk import guard

CUSTOMERS = {"ann": "vip", "bob": "regular", "eve": "new"}
LEDGER: list[dict[str, Any]] = []  # what was really done


def said(value: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": json.dumps(value)}]}


@tool("get_customer", "Look a customer up.", {"customer_id": str})
async def get_customer(given: dict[str, Any]) -> dict[str, Any]:
    return said({"customer_id": given["customer_id"], "tenure": CUSTOMERS[given["customer_id"]]})


@tool("verify_customer", "Verify who a customer is.", {"customer_id": str})
async def verify_customer(given: dict[str, Any]) -> dict[str, Any]:
    return said({"verified": given["customer_id"] in CUSTOMERS})


@tool("process_refund", "Refund an order.", {"customer_id": str, "order_id": str, "amount": float})
async def process_refund(given: dict[str, Any]) -> dict[str, Any]:
    LEDGER.append({"refund": given["amount"], "to": given["customer_id"]})
    return said({"refunded": given["amount"]})


@tool(
    "escalate_to_human",
    "Hand a case to a person.",
    {"customer_id": str, "order_id": str, "amount": float, "reason": str},
)
async def escalate_to_human(given: dict[str, Any]) -> dict[str, Any]:
    LEDGER.append({"escalated": given["amount"], "for": given["customer_id"]})
    return said({"ticket": "t-1"})


# Two servers offer a refund: a rule about `process_refund` holds for both.
SERVERS = {
    "crm": create_sdk_mcp_server("crm", tools=[get_customer, verify_customer]),
    "payments": create_sdk_mcp_server("payments", tools=[process_refund, escalate_to_human]),
    "legacy": create_sdk_mcp_server("legacy", tools=[process_refund]),
}


def options(**more: Any) -> ClaudeAgentOptions:
    """What the agent runs with: its own tools and no others, every call judged."""
    return guard(
        ClaudeAgentOptions(
            system_prompt="You help customers. Verify and look up a customer before you refund anything.",
            mcp_servers=dict(SERVERS),
            tools=[],
            allowed_tools=[f"mcp__{server}" for server in SERVERS],
            setting_sources=[],
            **more,
        ),
        policy=Path(__file__).with_name("policy.yaml"),
        alone=True,
    )


def show(message: Any) -> None:
    """What happens, a line each."""
    for block in getattr(message, "content", []) if isinstance(message, AssistantMessage | UserMessage) else []:
        match block:
            case TextBlock():
                print(f"agent   {block.text}")
            case ToolUseBlock():
                print(f"call    {block.name} {json.dumps(block.input)}")
            case ToolResultBlock():
                parts = block.content if isinstance(block.content, list) else [{"text": block.content}]
                text = " ".join(str(part.get("text", "")) for part in parts)
                print(f"{'denied' if block.is_error else 'result'}  {text}")
    if isinstance(message, ResultMessage):
        print(f"ledger  {json.dumps(LEDGER)}")


async def main(prompt: str) -> None:
    async with ClaudeSDKClient(options()) as client:
        await client.query(prompt)
        async for message in client.receive_response():
            show(message)


if __name__ == "__main__":
    asyncio.run(main(" ".join(sys.argv[1:]) or "Refund ann 800 for order o-7: it arrived broken."))
