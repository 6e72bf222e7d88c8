"""What a person may allow beyond one call: to which calls it applies, for how long, and how that is said in words."""

from __future__ import annotations

import re
import secrets
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, Literal, TypeAlias

from msgspec import Struct, json

from interlock.errors import InterlockError
from interlock.facts.fields import main_field
from interlock.facts.shapes import commands_in, main_value, shape_of_command, telling, verb_of
from interlock.facts.shell import Command
from interlock.facts.tools import kind_of
from interlock.judging.asking import ASKED_BY, grant_policy
from interlock.judging.guard import Guard
from interlock.policy.load import load_policy
from interlock.probe.world import Machine
from interlock.service import judge_again
from interlock.store.asking import ApprovalRequest, Grant
from interlock.store.base import Scope
from interlock.store.memory import MemoryStore

__all__ = [
    "SCOPES",
    "WIDTHS",
    "GrantScope",
    "GrantWidth",
    "Terms",
    "grant_for",
    "match_for",
    "match_of",
    "widths_for",
    "words_for",
    "words_of_match",
]

JsonObject: TypeAlias = dict[str, Any]
GrantScope: TypeAlias = Literal["session", "agent", "project"]
SCOPES: dict[GrantScope, str] = {
    "session": "in this session",
    "agent": "by this agent, in this session",
    "project": "in this project",
}
GrantWidth: TypeAlias = Literal["exact", "alike", "folder"]
WIDTHS: dict[GrantWidth, str] = {
    "alike": "calls like this one",
    "exact": "exactly this call",
    "folder": "anything in its folder",
}
"""To which calls: to those that differ only in their arguments, to this one again, to those in the same folder."""

_LITERAL = re.compile(r"[^*?\[\]{}!$\\~…\x00-\x1f]+")  # what a pattern reads as itself
_PROJECT = "${project}/**"
_PATH_KINDS = ("reads", "writes", "creates", "deletes", "sends")
_HOST = re.compile(r"[\w.-]+(?::\d+)?")
_PLAIN = re.compile(r"[\w.:+-]+(?: [\w.:+-]+)*")
_MOST_NAMED = 6
_ESCAPED = re.compile(r"\\(.)")


class Terms(Struct, frozen=True, kw_only=True):
    """How far a grant reaches: to which calls, where, how many of them, until when."""

    width: GrantWidth = "alike"
    scope: GrantScope = "session"
    calls: int | None = None
    until: float | None = None


def match_for(request: ApprovalRequest, width: GrantWidth = "alike") -> JsonObject:
    """The calls that are more of the same as the one that was asked about, in the words of a rule.

    Raises InterlockError if that would not let even this call run: a person must not be promised what does not hold.
    """
    found = match_of(request.tool, json.decode(request.body), width, request.project)
    if not _lets_run(found, request):
        raise InterlockError("more of this call cannot be allowed: part of it cannot be known before it runs")
    return found


def widths_for(request: ApprovalRequest) -> dict[GrantWidth, str]:
    """The widths among which a person can choose for this call, each with what it stands for. None: nothing more."""
    found: dict[GrantWidth, str] = {}
    for width in WIDTHS:
        try:
            words = words_of_match(match_for(request, width))
        except InterlockError:
            continue
        if words not in found.values():
            found[width] = words
    return found


def match_of(tool: str, body: JsonObject, width: GrantWidth = "alike", project: str = "") -> JsonObject:
    """The same for a call of a tool, with its input and what it touches. Raises InterlockError if it means nothing.

    A command with a subcommand stands for all its arguments (`npm install`). One that acts on what it is given stands
    for itself alone: a yes to removing one folder is none to removing another.
    """
    given: JsonObject = body["input"]
    if body.get("parts"):
        raise InterlockError("a call that does several things at once can only be allowed by itself")
    value = main_value(tool, given)
    is_file = kind_of(tool) in ("edit", "read")
    if width == "folder" and (value is None or not is_file):
        raise InterlockError("only a call about one file can be allowed for its folder")
    if value is None:
        return {"tool": tool}
    if kind_of(tool) == "shell":
        commands = commands_in(tool, given)
        wide = {id(one) for one in telling(commands) if verb_of(one)} if width == "alike" else set()
        patterns = [_shape(one) if id(one) in wide else _exactly(one) for one in commands if one.program]
        match = {"tool": tool, "command": list(dict.fromkeys(patterns))}
        is_wide = any(not one.startswith("/^") for one in patterns)
        return match | _reach(body.get("touches") or {}, project if is_wide else "")
    host = value.partition("://")[2].partition("/")[0].rpartition("@")[2]
    if "://" in value and width == "alike" and _HOST.fullmatch(host):
        return {"tool": tool, "url": host}
    if width == "folder":
        folder = str(PurePosixPath(value).parent)
        if folder in ("/", ".", "..") or not _is_literal(folder):
            raise InterlockError("the folder of this file cannot be allowed as a whole")
        return {"tool": tool, "path": [f"{folder}/**"]}
    if is_file and _is_literal(value):
        return {"tool": tool, "path": [value]}
    if "://" in value or is_file:
        # A name with a sign that patterns read would mean more than it says, so it is compared as it is.
        return {"tool": tool, "when": f"input.{main_field(tool)} == {json.encode(value).decode()}"} | (
            {"path": ["/**"]} if is_file else {"url": "*"}
        )
    return {"tool": tool}


def _reach(touches: JsonObject, project: str) -> JsonObject:
    """What the commands may touch: the files and hosts of this call; of a project, if one is given, all its files."""
    touched = [path for how in _PATH_KINDS for path in touches.get(how) or ()]
    inside = [path for path in touched if project and PurePosixPath(path).is_relative_to(project)]
    named = [path for path in touched if path not in inside and _is_literal(path)]
    paths = [pattern for path in named for pattern in (path, f"{path}/**")]  # a folder, with what is in it
    hosts = [host for host in touches.get("hosts") or () if _HOST.fullmatch(host)]
    found: JsonObject = {"path": list(dict.fromkeys([*([_PROJECT] if inside else []), *paths])), "url": hosts}
    return {name: values for name, values in found.items() if values}


def _lets_run(match: JsonObject, request: ApprovalRequest) -> bool:
    """Whether a grant with this match lets the call itself run, judged as the call would be."""
    body = json.decode(request.body)
    payload = {
        "session_id": request.session,
        "transcript_path": "",
        "cwd": body.get("cwd") or request.project or "/",
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": request.tool,
        "tool_input": body["input"],
        "tool_use_id": "toolu_0",
    }
    project = request.project or "/"
    policy = load_policy(grant_policy(json.encode(match)), "the grant")
    with Guard([policy], Machine(project), MemoryStore(), project=project, alone=True) as guard:
        return judge_again(guard, "claude-code", json.encode(payload)).verdict.decision == "allow"


def _is_literal(path: str) -> bool:
    return _LITERAL.fullmatch(path) is not None and not path.endswith("/")


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
    asked_by = sorted({str(one["by"]) for one in json.decode(request.body).get("reasons") or ()})
    encoded = json.encode({**match, ASKED_BY: asked_by} if asked_by else match, order="sorted")
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
        return ", ".join([_command(one) for one in match["command"]] + _reach_words(match))
    if "when" in match:
        return f"{match['tool']} of {str(match['when']).partition(' == ')[2]}"
    if "url" in match:
        return f"{match['tool']} of anything on {match['url']}"
    if "path" in match:
        path = str(match["path"][0])
        return f"{match['tool']} of " + (f"anything in `{path[:-2]}`" if path.endswith("/**") else f"`{path}`")
    return f"{match.get('tool', 'any tool')} with any input"


def _reach_words(match: JsonObject) -> list[str]:
    """What commands with other arguments may touch. One that is exactly the same touches the same."""
    if all(one.startswith("/^") for one in match["command"]) or not ("path" in match or "url" in match):
        return []
    paths = match.get("path", [])
    outside = [f"`{path}`" for path in paths if not path.endswith("/**")][:_MOST_NAMED]
    files = ["files of this project"] if _PROJECT in paths else []
    hosts = match.get("url", [])[:_MOST_NAMED]
    found = [f"touching only {_and([*files, *outside])}"] if files or outside else []
    return found + ([f"reaching only {_and(hosts)}"] if hosts else [])


def _and(values: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(values[:-1]), *values[-1:]]))


def _command(pattern: str) -> str:
    if pattern.startswith("/^") and pattern.endswith("$/"):
        return "exactly `" + _ESCAPED.sub(r"\1", pattern[2:-2]) + "`"
    return f"`{pattern}` with anything behind it"


def _time(moment: float) -> str:
    at = datetime.fromtimestamp(moment).astimezone()
    is_today = at.date() == datetime.now().astimezone().date()
    return f"{at:%H:%M}" if is_today else f"{at:%Y-%m-%d %H:%M}"
