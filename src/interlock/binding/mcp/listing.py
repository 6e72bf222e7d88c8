"""The part of a server's list of tools that the client is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, TypeAlias

from interlock.binding.mcp.descriptions import orders_in
from interlock.binding.mcp.judging import ServerIdentity
from interlock.binding.mcp.pins import Pins
from interlock.errors import InterlockError
from interlock.hosts.mcp.dialect import HOST
from interlock.policy.load import Policy
from interlock.policy.rule import Rule

__all__ = ["Listing", "PinMode", "is_denied_outright"]

JsonObject: TypeAlias = dict[str, Any]
PinMode: TypeAlias = Literal["deny", "report", "off"]


class Listing:
    """Pins tools as they are listed, and removes those that may never be called."""

    def __init__(
        self,
        server: ServerIdentity,
        pins: Pins,
        mode: PinMode,
        policies: Callable[[], Sequence[Policy]] | None,
        tell: Callable[[str], None],
    ) -> None:
        """`policies` are asked which tools to hide; None hides none."""
        self._server = server
        self._pins = pins
        self._mode = mode
        self._policies = policies
        self._tell = tell
        self._changed: frozenset[str] = frozenset()
        self._orders: dict[str, str] = {}  # tools whose descriptions give orders, and a few words of them
        self._accepted: set[tuple[str, str]] = set()  # those of them that a person has let run

    def filter(self, result: JsonObject) -> JsonObject:
        """The list without the tools that are denied whatever their arguments; the same object if there are none."""
        tools = result.get("tools")
        if not isinstance(tools, list):
            return result
        self._look_for_orders(tools)
        gone = set(self._pin(tools)) | set(self._denied_tools(tools))
        if not gone:
            return result
        return {**result, "tools": [tool for tool in tools if _name(tool) not in gone]}

    def refuses(self, name: str) -> str | None:
        """Why a tool may not be called, if it changed since it was approved."""
        if self._mode != "deny" or name not in self._changed:
            return None
        try:
            if not self._pins.is_changed(name):  # a person has approved it in the meantime
                self._changed -= {name}
                self.accept(name)
                return None
        except InterlockError as error:
            return error.in_one_line()
        return (
            f"The tool `{name}` of the server `{self._server.name}` has changed its description since it was "
            f"approved. A person must check it: interlock mcp approve {self._server.name}"
        )

    def question_about(self, name: str) -> str | None:
        """What to ask a person before a tool is called for the first time, if its description gives orders."""
        words = self._orders.get(name)
        if words is None or self._mode != "deny" or (name, words) in self._accepted:
            return None
        return (
            f"The description of the tool `{name}` of the server `{self._server.name}` gives the model orders: "
            f"“{words}”. Use this tool?"
        )

    def accept(self, name: str) -> None:
        """A person lets a tool run as it describes itself now; it is not asked about again."""
        if name in self._orders:
            self._accepted.add((name, self._orders[name]))

    def _look_for_orders(self, tools: list[Any]) -> None:
        if self._mode == "off":
            return
        for tool in tools:
            name = _name(tool)
            words = orders_in(tool) if name else None
            if words is None:
                self._orders.pop(name, None)
            elif self._orders.get(name) != words:
                self._orders[name] = words
                then = "; a person is asked before it is called" if self._mode == "deny" else ""
                self._tell(f"the description of the tool `{name}` of `{self._server.name}` gives the model orders: "
                           f"“{words}”{then}")  # fmt: skip

    def _pin(self, tools: list[Any]) -> Iterable[str]:
        if self._mode == "off":
            return ()
        try:
            changed, added = self._pins.see(tools)
        except InterlockError as error:
            self._tell(error.in_one_line())
            return ()
        listed = {_name(tool) for tool in tools}
        self._changed = frozenset((self._changed - listed) | set(changed))
        server = self._server.name
        for name in changed:
            what = "is hidden and denied" if self._mode == "deny" else "is let through"
            self._tell(f"the tool `{name}` of `{server}` changed since it was approved and {what}: "
                       f"look with `interlock mcp approve {server}`")  # fmt: skip
        for name in added:
            self._tell(f"the server `{server}` has a new tool `{name}`")
        return changed if self._mode == "deny" else ()

    def _denied_tools(self, tools: list[Any]) -> Iterable[str]:
        if self._policies is None:
            return
        try:
            policies = self._policies()
        except InterlockError as error:
            self._tell(f"no tool is hidden: {error.in_one_line()}")
            return
        for tool in tools:
            name = _name(tool)
            if name and any(is_denied_outright(policy, self._server, name) for policy in policies):
                yield name


def is_denied_outright(policy: Policy, server: ServerIdentity, name: str) -> bool:
    """Whether a rule denies a tool by its name alone, whatever it is called with."""
    if policy.observe:
        return False
    return any(_denies(rule, server, server.tool(name)) for rule, _ in policy.rules)


def _denies(rule: Rule, server: ServerIdentity, tool: str) -> bool:
    condition = rule.condition
    if rule.decision != "deny" or "PreToolUse" not in rule.events or rule.observe:
        return False
    if rule.unless or rule.run is not None or condition.when is not None or condition.items or condition.kind:
        return False
    about = {"host": HOST, "server": server.source}
    if not all(key in about and getattr(condition, key).matches(about[key]) for key in condition.about):
        return False
    return condition.tool is None or condition.tool.match(tool) is not None


def _name(tool: Any) -> str:
    name = tool.get("name") if isinstance(tool, dict) else None
    return name if isinstance(name, str) else ""
