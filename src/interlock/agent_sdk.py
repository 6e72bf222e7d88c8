"""`interlock.agent_sdk.guard(options)`: put the Claude Agent SDK under a policy. Needs `interlock[agent-sdk]`."""

from interlock.binding.agent_sdk import guard

__all__ = ["guard"]
