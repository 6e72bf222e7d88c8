"""A LangChain agent under a policy: `python langchain_agent.py yes`."""

from __future__ import annotations

import sys
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from refunds import WANTED, gate, process_refund, show_question, show_result

from interlock.frameworks.langchain import InterlockMiddleware


class Script(GenericFakeChatModel):
    """A model that says what it was told to say."""

    def bind_tools(self, tools: Any, **options: Any) -> Script:
        return self


def main(answer: str) -> None:
    calls = [{"name": "process_refund", "args": args, "id": f"call_{n}"} for n, args in enumerate(WANTED)]
    model = Script(messages=iter([*(AIMessage("", tool_calls=[call]) for call in calls), AIMessage("Done.")]))
    agent = create_agent(
        model,
        [process_refund],
        middleware=[InterlockMiddleware(gate)],  # the last one, if there are others
        checkpointer=InMemorySaver(),  # an interrupt needs one
    )
    config: Any = {"configurable": {"thread_id": "1"}}
    state = agent.invoke({"messages": [("user", "I want my money back.")]}, config)
    show_result(state["messages"][2].content)
    show_question(state["__interrupt__"][0].value["description"])
    state = agent.invoke(Command(resume={"type": "approve" if answer == "yes" else "reject"}), config)
    show_result(state["messages"][4].content)


if __name__ == "__main__":
    main(*sys.argv[1:] or ["yes"])
