"""Calls of JavaScript that reach other machines."""

from __future__ import annotations

import re

from interlock.facts.code.javascript.modules import SENDING
from interlock.facts.code.javascript.on_programs import OnPrograms
from interlock.facts.code.javascript.values import (
    ENVIRONMENT,
    FILE,
    NETWORK,
    WHOLE_ENVIRONMENT,
    Closure,
    Either,
    List,
    Num,
    Obj,
    TextValue,
    Value,
    origin,
    text_of,
)
from interlock.facts.limits import JS_PARTS
from interlock.facts.shell import UNKNOWN

__all__ = ["WEB", "OnNetwork"]

WEB = re.compile(r"(?i)(?:https?|ftp|wss?)://[^\s'\"`\\<>]+")


class OnNetwork(OnPrograms):
    """Which addresses are reached, and whether something leaves."""

    def _origin(self, args: list[Value]) -> int:
        return origin(List(args))

    def _addresses(self, value: Value, depth: int = 2) -> list[str]:
        """The addresses in what a client is given."""
        if isinstance(value, TextValue):
            return WEB.findall(value.text)
        if isinstance(value, List) and depth:
            return [url for one in value.items[: JS_PARTS.most] for url in self._addresses(one, depth - 1)]
        if isinstance(value, Either):
            return [url for one in value.values for url in self._addresses(one, depth)]
        if not isinstance(value, Obj) or not depth:
            return []
        found = [url for one in value.props.values() for url in self._addresses(one, depth - 1)]
        host = value.props.get("hostname") or value.props.get("host")
        if host is not None and not found:
            port, path = value.props.get("port"), value.props.get("path")
            behind = f":{text_of(port)}" if port is not None and UNKNOWN not in text_of(port) else ""
            found = [f"https://{text_of(host)}{behind}{text_of(path) if path is not None else '/'}"]
        return found

    def _sends(self, args: list[Value]) -> None:
        self.effects.traits.add("network")
        self.effects.sends = True
        if self._origin(args) & WHOLE_ENVIRONMENT:
            self.effects.traits.add("reads-environment")

    def _request(self, root: str, last: str, args: list[Value]) -> Value:
        effects = self.effects
        effects.traits.add("network")
        for arg in args:
            effects.urls += self._addresses(arg)
        options = [arg for arg in args if isinstance(arg, Obj)]
        for arg in args:
            options += [one for one in arg.items if isinstance(one, Obj)] if isinstance(arg, List) else []
        unknown = len(args) > 1 and isinstance(args[1], TextValue) and root in ("fetch", "ky", "got") and last == root
        if last in SENDING or unknown or any(_has_body(one) for one in options):
            self._sends(args)
        elif self._origin(args) & (FILE | ENVIRONMENT | WHOLE_ENVIRONMENT):
            self._sends(args)  # in the address
        self._run_functions(args, TextValue(UNKNOWN, NETWORK))
        if root in ("http", "https", "http2", "request", "superagent") and last != "get":
            return Obj(kind="connection", open=True)
        return TextValue(UNKNOWN, NETWORK)

    def _connect(self, args: list[Value]) -> Value:
        self.effects.traits.add("network")
        for arg in args:
            self.effects.urls += self._addresses(arg)
        numbers = [text_of(arg) for arg in args if isinstance(arg, Num)]
        hosts = [arg.text for arg in args if isinstance(arg, TextValue) and not WEB.match(arg.text)]
        if hosts and numbers:
            self.effects.urls.append(f"https://{hosts[0]}:{numbers[0]}/")
        found = Obj(kind="connection", open=True)
        called = [Closure(arg.node, arg.scope, arg.this or found) if isinstance(arg, Closure) else arg for arg in args]
        self._run_functions(called, found)
        return found


def _has_body(options: Obj) -> bool:
    """Whether options of a request make it send something."""
    method = text_of(options.props.get("method", TextValue("GET"))).upper()
    bodies = {"body", "data", "json", "form"} & options.props.keys()
    return method not in ("GET", "HEAD", "OPTIONS") or bool(bodies) or (options.open and not options.props)
