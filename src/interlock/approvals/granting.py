"""What a person may allow beyond one call: to which calls it applies, for how long, and how that is said in words."""

from __future__ import annotations

import re
import secrets
from datetime import datetime
from typing import Any, Literal, TypeAlias

from msgspec import Struct, json

from interlock.errors import InterlockError
from interlock.facts.shapes import commands_in, main_value, shape_of_command, telling, verb_of
from interlock.facts.shell import Command
from interlock.facts.tools import kind_of
from interlock.judging.asking import grant_policy
from interlock.policy.load import load_policy
from interlock.store.asking import ApprovalRequest, Grant
from interlock.store.base import Scope

__all__ = ["SCOPES", "GrantScope", "Terms", "grant_for", "match_for", "match_of", "words_for", "words_of_match"]

JsonObject: TypeAlias = dict[str, Any]
GrantScope: TypeAlias = Literal["session", "agent", "project"]
SCOPES: dict[GrantScope, str] = {
    "session": "in this session",
    "agent": "by this agent, in this session",
    "project": "in this project",
}
_PLAIN = re.compile(r"[\w.:+-]+(?: [\w.:+-]+)*")
_ESCAPED = re.compile(r"\\(.)")


class Terms(Struct, frozen=True, kw_only=True):
    """How far a grant reaches: where, for how many calls, until when."""

    scope: GrantScope = "session"
    calls: int | None = None
    until: float | None = None


def match_for(request: ApprovalRequest) -> JsonObject:
    """The calls that are more of the same as the one that was asked about, in the words of a rule.

    A command with a subcommand stands for all its arguments (`npm install`). One that acts on what it is given stands
    for itself alone: a yes to removing one folder is none to removing another.
    """
    return match_of(request.tool, json.decode(request.body)["input"])


def match_of(tool: str, given: JsonObject) -> JsonObject:
    """The calls that are more of the same as a call."""
    value = main_value(tool, given)
    if kind_of(tool) == "shell" and value is not None:
        commands = commands_in(tool, given)
        wide = {id(one) for one in telling(commands) if verb_of(one)}
        patterns = [_shape(one) if id(one) in wide else _exactly(one) for one in commands if one.program]
        return {"tool": tool, "command": list(dict.fromkeys(patterns))}
    if value is not None and "://" in value:
        return {"tool": tool, "url": value.partition("://")[2].partition("/")[0].rpartition("@")[2]}
    if value is not None and kind_of(tool) in ("edit", "read"):
        return {"tool": tool, "path": value}
    return {"tool": tool}


def _shape(command: Command) -> str:
    shape = shape_of_command(command)
    # A word with a sign that patterns read would mean more than it says.
    return shape if _PLAIN.fullmatch(shape) else _exactly(command)


def _exactly(command: Command) -> str:
    return f"/^{re.escape(command.text)}$/"


def words_for(match: JsonObject, terms: Terms) -> str:
    """What a grant allows, in words that a person reads before they give it."""
    what = words_of_match(match)
    bounds = [SCOPES[terms.scope]]
    if terms.calls is not None:
        bounds.append("once" if terms.calls == 1 else f"{terms.calls} times")
    if terms.until is not None:
        bounds.append(f"until {_time(terms.until)}")
    return f"{what}, {', '.join(bounds)}"


def grant_for(request: ApprovalRequest, match: JsonObject, terms: Terms, by: str, at: float) -> Grant:
    """The grant of a person. Raises InterlockError if it would allow nothing, or what it should match is no rule."""
    if terms.calls is not None and terms.calls < 1:
        raise InterlockError("a grant for fewer than one call allows nothing")
    if terms.until is not None and terms.until <= at:
        raise InterlockError("a grant that has ended allows nothing")
    encoded = json.encode(match, order="sorted")
    load_policy(grant_policy(encoded), "the grant")
    owner = {"project": Scope("project", request.project), "session": Scope("session", request.session)}
    return Grant(
        id=secrets.token_hex(4),
        at=at,
        by=by,
        scope=owner["project" if terms.scope == "project" else "session"],
        text=words_for(match, terms),
        match=encoded,
        agent=request.agent if terms.scope == "agent" else None,
        left=terms.calls,
        until=terms.until,
        request=request.id,
    )


def words_of_match(match: JsonObject) -> str:
    """Which calls are meant, in words."""
    if "command" in match:
        commands = match["command"] if isinstance(match["command"], list) else [match["command"]]
        return ", ".join(_command(one) for one in commands)
    if "url" in match:
        return f"{match['tool']} of anything on {match['url']}"
    if "path" in match:
        return f"{match['tool']} of `{match['path']}`"
    return f"{match.get('tool', 'any tool')} with any input"


def _command(pattern: str) -> str:
    if pattern.startswith("/^") and pattern.endswith("$/"):
        return "exactly `" + _ESCAPED.sub(r"\1", pattern[2:-2]) + "`"
    return f"`{pattern}` with anything behind it"


def _time(moment: float) -> str:
    at = datetime.fromtimestamp(moment).astimezone()
    is_today = at.date() == datetime.now().astimezone().date()
    return f"{at:%H:%M}" if is_today else f"{at:%Y-%m-%d %H:%M}"
