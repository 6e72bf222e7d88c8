"""Every key of the policy language: where it may be, what it takes, what it means. Errors, docs and schema use it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from interlock.event import EVENTS
from interlock.facts.fields import FIELDS
from interlock.facts.programs.traits import TRAITS
from interlock.facts.tools import KINDS, known_tools
from interlock.policy.positions import read_yaml

__all__ = ["GIVEN", "KEYS", "RULE_KEYS", "TOP_KEYS", "UNLESS_KEYS", "Key", "json_schema"]


class Key(Struct, frozen=True):
    """One key of the language."""

    name: str
    where: frozenset[str]
    takes: str
    means: str
    example: str


_TOP, _RULE, _UNLESS = "top", "rule", "unless"


def _key(name: str, where: str, takes: str, means: str, example: str) -> Key:
    return Key(name, frozenset(where.split()), takes, means, example)


KEYS: tuple[Key, ...] = (
    _key("version", "top", "1", "The language's version.", "version: 1"),
    _key("packs", "top", "packs", "Packs to use, shipped or your own, with their parameters.",
         "packs: [core, {use: git, with: {protected: [main]}, without: [force-push], asks: deny}]"),
    _key("hooks", "top", "hooks", "Python hook files, and programs or URLs that speak a hook protocol.",
         "hooks: [./guards.py, {run: ./check.sh, event: PreToolUse, tool: Bash}]"),
    _key("let", "top", "map", "Names for values, and for conditions written `${…}`.",
         "let: {limits: {new: 100}, weekend: '${now.getDayOfWeek() in [0, 6]}'}"),
    _key("state", "top", "map", "What the policy remembers: name and default, or `{default, scope}`.",
         "state: {tenure: {}, refunds: {default: 0, scope: project}}"),
    _key("tools", "top", "tools", "What the fields of your own tools mean.",
         "tools: {mcp__files__save: {write: target, content: body}}"),
    _key("programs", "top", "programs", "What your own programs do, so that rules can go by it.",
         "programs: {ourctl: {does: {read-only: [get], cluster/deletes: [destroy]}}}"),
    _key("brief", "top", "bool", "Tell the model every rule's `about` when a session or a subagent starts.",
         "brief: true"),
    _key("inbox", "top", "inbox",
         "The inbox: how long a call waits there, and who is told of a request. Your own policy may have all of it, "
         "a project's only `wait`.",
         "inbox: {wait: 5m, desktop: true}"),
    _key("record", "top", "record", "How long records are kept. Only your own policy may say so.",
         "record: {keep: 90d}"),
    _key("rules", "top", "rules", "The rules, in order.", "rules: [{id: no-web, tool: WebFetch, deny: Stay offline.}]"),
    _key("observe", "top rule", "bool", "Evaluate and record, never enforce.", "observe: true"),
    _key("approve", "top rule", "approve",
         "Where a person is asked: at the `host`'s own prompt, in Interlock's `inbox`, where the call waits, or in "
         "`both`, where the first answer counts.",
         "approve: inbox"),
    _key("id", "rule", "id", "The rule's name, which says what it catches.", "id: force-push"),
    _key("about", "rule", "text", "One sentence on why the rule exists.", "about: Never push over shared history."),
    _key("on_error", "rule", "on_error", "What a failing rule does: `deny` (default), `ask`, `ignore`.",
         "on_error: ask"),
    _key("event", "rule", "events", "The events the rule applies to; PreToolUse by default.",
         "event: [Stop, SubagentStop]"),
    _key("tool", "rule unless", "names", "Tools by name, glob or /regex/.", "tool: [Write, mcp__files__*]"),
    _key("kind", "rule unless", "kinds", f"Tools by kind: {', '.join(KINDS)}.", "kind: [shell, edit]"),
    _key("agent", "rule unless", "names", "The subagent's type; `main` is the main thread.", "agent: reviewer"),
    _key("mode", "rule unless", "names", "The host's permission mode.", "mode: plan"),
    _key("host", "rule unless", "names", "The host that raised the event.", "host: claude-code"),
    _key("branch", "rule unless", "names", "The branch that is checked out.", "branch: [main, release/*]"),
    _key("server", "rule unless", "names", "Where an MCP server comes from (its `source`).", "server: user"),
    _key("prompt", "rule unless", "texts", "Texts or /regexes/ in the prompt.", "prompt: /deploy/i"),
    _key("command", "rule unless", "commands", "Commands that would run, however they are written.",
         "command: git push --force|-f"),
    _key("does", "rule unless", "names",
         "What a command does, by name or glob; if `command` is given too, both must match the same command.",
         "does: [git/force-publishes, database/*]"),
    _key("push", "rule unless", "push",
         "Pushes by what they go to: branches, or `{to, remote, force, delete, certain}`.",
         "push: {to: [main, release/*], remote: origin}"),
    _key("path", "rule unless", "paths",
         "Paths that the call touches: globs, or `{read, write, create, delete, send}`.",
         "path: {write: [src/, '*.lock']}"),
    _key("url", "rule unless", "urls", "Hosts or URLs that the call reaches.", "url: ['*.example.com']"),
    _key("content", "rule unless", "texts",
         "Texts or /regexes/ in what is written to files or, after a call, in what comes back.",
         "content: /BEGIN PRIVATE KEY/"),
    _key("when", "rule unless", "condition", "A CEL condition.", "when: input.amount > 100"),
    _key("unless", "rule", "unless", "Exceptions: a map of conditions, or a list of maps, any of which excuses.",
         "unless: {branch: me/*}"),
    _key("run", "rule", "run",
         "A check that runs last; it matches if it exits with a code other than zero.", "run: npm test --silent"),
    _key("timeout", "rule", "duration",
         "How long `run` may take (60s): at most 500s, and at most 1h where some work ends, as on Stop.",
         "timeout: 300s"),
    _key("max_lines", "rule", "count", "How many lines of what `run` prints to keep, from the end.", "max_lines: 40"),
    _key("deny", "rule", "text", "Do not run the call; the text goes to the model.", "deny: Use the staging copy."),
    _key("ask", "rule", "text", "Let a person decide; the text goes to them.", "ask: Run ${match.command.text}?"),
    _key("allow", "rule", "text or true", "Run the call without asking.", "allow: true"),
    _key("defer", "rule", "text or true", "Hand the call back to the host undecided.", "defer: true"),
    _key("change", "rule", "map", "Fields of the input to rewrite; null removes one.",
         "change: {file_path: '/sandbox${match.path}'}"),
    _key("quiet", "rule", "text",
         "Why the model need not be told about the change.", "quiet: a comment alters nothing"),
    _key("output", "rule", "any", "What the model reads instead of the result.", "output: '${redact(output)}'"),
    _key("context", "rule", "text",
         "Something to tell the model in addition to the event.", "context: Tests live in tests/."),
    _key("notify", "rule", "notice",
         "Something to tell the person; with `desktop: true` on their desktop, too.",
         "notify: {text: 'Done in ${project}', desktop: true}"),
    _key("set", "rule", "map", "What to remember; maps merge into maps.",
         "set: {tenure: {'${input.customer_id}': '${output.tenure}'}}"),
    _key("interrupt", "rule", "text or bool", "End the turn: `true` with a deny; alone, the text goes to the person.",
         "interrupt: true"),
    _key("cases", "rule", "cases", "Calls the rule must catch and calls it must let pass; `interlock check` runs them.",
         "cases: {catch: [git push -f], pass: [git push]}"),
)  # fmt: skip

TOP_KEYS = {key.name: key for key in KEYS if _TOP in key.where}
RULE_KEYS = {key.name: key for key in KEYS if _RULE in key.where}
UNLESS_KEYS = {key.name: key for key in KEYS if _UNLESS in key.where}


def _some(one: dict[str, Any]) -> dict[str, Any]:
    """One of these, or a list of them."""
    return {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}


_TEXT = {"type": "string", "pattern": r"\S"}
_PATTERN = {"anyOf": [_TEXT, {"type": "number"}]}  # `branch: 1.2` is a name, although YAML takes it for a number
_TEXTS = _some(_PATTERN)
_CONSTANT = {"type": "string", "pattern": r"\$\{.+\}"}  # of `let`
# What the closed names take besides: a regex, a glob or a constant.
_PATTERN_OF_NAMES = {"type": "string", "pattern": r"^/|[*?\[]|\$\{.+\}"}


def _choice(known: Iterable[str], otherwise: dict[str, Any]) -> dict[str, Any]:
    """One of the known names, which editors complete, or something else."""
    return {"anyOf": [{"enum": list(known)}, otherwise]}


_MODES = ("default", "plan", "acceptEdits", "bypassPermissions", "dontAsk", "auto")
# What `given` of a case may say, by its shape.
GIVEN: dict[str, Any] = {
    "branch": _PATTERN, "git": {"type": "object"}, "agent": _TEXT, "mode": _TEXT, "host": _TEXT, "now": _TEXT,
    "server": _TEXT,
    "state": {"type": "object"}, "run": {"type": ["integer", "object"]}, "past": {"type": "object"},
    "files": {"type": ["array", "object"]}, "wrote": {"type": ["array", "object"]}, "returns": {},
    "told": {"type": "array"},
}  # fmt: skip
_CASE = {
    "anyOf": [
        _TEXT,
        {
            "type": "object",
            "minProperties": 1,
            "properties": {
                "given": {
                    "description": "The situation in which the call is made.",
                    "type": "object",
                    "additionalProperties": False,
                    "properties": GIVEN,
                }
            },
        },
    ]
}
_DURATION = {"type": "string", "pattern": r"^(\d+(\.\d+)?(ms|s|m|h|d))+$"}
_SHAPES: dict[str, Any] = {
    "1": {"const": 1},
    "bool": {"type": "boolean"},
    "text": _TEXT,
    "id": {"type": "string", "pattern": r"^[A-Za-z0-9][A-Za-z0-9_.\u00aa-\uffff-]*$"},
    "condition": _TEXT,
    "notice": {"anyOf": [_TEXT, {"type": "object", "additionalProperties": False, "required": ["text"],
                                 "properties": {"text": _TEXT, "desktop": {"type": "boolean"}}}]},
    "count": {"type": "integer", "minimum": 1},
    "duration": _DURATION,
    "text or true": {"anyOf": [_TEXT, {"const": True}]},
    "text or bool": {"anyOf": [_TEXT, {"type": "boolean"}]},
    "map": {"type": "object"},
    "any": {},
    "names": _TEXTS,
    "texts": _TEXTS,
    "commands": _TEXTS,
    "urls": _TEXTS,
    "run": {"anyOf": [_TEXT, {"type": "array", "minItems": 1}]},
    "approve": {"enum": ["host", "inbox", "both"]},
    "on_error": {"enum": ["deny", "ask", "ignore"]},
    "kinds": _some(_choice(KINDS, _PATTERN_OF_NAMES)),
    "events": _some({"$ref": "#/$defs/event"}),
    "paths": {"anyOf": [_TEXTS, {"type": "object", "additionalProperties": False, "minProperties": 1,
                                 "properties": dict.fromkeys(("read", "write", "create", "delete", "send"), _TEXTS)}]},
    "push": {"anyOf": [_TEXTS, {"type": "object", "additionalProperties": False,
                                "properties": {"to": _TEXTS, "remote": _TEXTS, "force": {"type": "boolean"},
                                               "delete": {"type": "boolean"}, "certain": {"type": "boolean"}}}]},
    "inbox": {"type": "object", "additionalProperties": False, "properties": {
        "wait": {**_DURATION, "description": "How long a call waits for an answer: 1s to 24h (8m)."},
        "desktop": {"type": "boolean", "description": "Show a notice on the desktop for each request."},
        "webhook": {
            "type": "object", "additionalProperties": False, "required": ["url"],
            "description": "Where a message about each request is sent.",
            "properties": {
                "url": {**_TEXT, "description": "The address: https, or http on this machine."},
                "secret": {**_TEXT, "description": "A file with the key that signs the messages."},
                "message": {"enum": ["json", "slack"], "description": "The form of the messages (json)."},
                "page": {**_TEXT, "description": "The address under which people reach the page."}}}}},
    "record": {"type": "object", "additionalProperties": False, "properties": {
        "keep": {**_DURATION, "description": "How long records stay: a day at least."}}},
    "unless": {"anyOf": [{"$ref": "#/$defs/unless"}, {"type": "array", "items": {"$ref": "#/$defs/unless"}}]},
    "rules": {"type": "array", "items": {"$ref": "#/$defs/rule"}},
    "packs": {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/pack"}, {
        "type": "object", "additionalProperties": False, "required": ["use"],
        "properties": {"use": {"$ref": "#/$defs/pack"},
                       "with": {"type": "object", "description": "Values for the pack's parameters."},
                       "without": {**_TEXTS, "description": "Rules of the pack to leave out."},
                       "asks": {"const": "deny", "description": "Deny where the pack would ask."}}}]}},
    "hooks": {"type": "array", "items": {"anyOf": [_TEXT, {
        "type": "object", "additionalProperties": False,
        "oneOf": [{"required": ["run"]}, {"required": ["url"]}],
        "properties": {
            "run": {"anyOf": [_TEXT, {"type": "array", "minItems": 1}], "description": "The program to run."},
            "url": {**_TEXT, "description": "The address to send the event to."},
            "event": {**_some({"enum": list(EVENTS)}), "description": "The events it is asked about."},
            "tool": {"$ref": "#/$defs/tools", "description": "The tools it is asked about."},
            "dialect": {"enum": ["claude-code", "flat"], "description": "The protocol that it speaks."},
            "timeout": {**_DURATION, "description": "How long it may take (60s)."},
            "name": {**_TEXT, "description": "What it is called in the record."}}}]}},
    "tools": {"type": "object", "additionalProperties": {
        "type": "object", "additionalProperties": False,
        "properties": {"kind": {"enum": list(KINDS)},
                       **dict.fromkeys(("command", "read", "write", "url", "content"), _TEXTS)}}},
    "programs": {"type": "object", "additionalProperties": {"$ref": "#/$defs/program"}},
    "cases": {"type": "object", "additionalProperties": False,
              "properties": {"catch": {"type": "array", "items": _CASE}, "pass": {"type": "array", "items": _CASE}}},
}  # fmt: skip
# Keys of the same shape whose names are known, wholly or in part.
_BY_NAME: dict[str, Any] = {
    "tool": {"$ref": "#/$defs/tools"},
    "does": _some(_choice(TRAITS, _PATTERN_OF_NAMES)),
    "mode": _some(_choice(_MODES, _PATTERN)),
    "host": _some({"$ref": "#/$defs/host"}),
    "agent": _some(_choice(["main"], _PATTERN)),
    "state": {
        "type": "object",
        # A map with one of these keys is a declaration; any other value is the default itself.
        "additionalProperties": {
            "if": {"type": "object", "anyOf": [{"required": ["default"]}, {"required": ["scope"]}]},
            "then": {
                "required": ["default"],
                "additionalProperties": False,
                "properties": {"default": {}, "scope": {"enum": ["session", "agent", "project", "user"]}},
            },
        },
    },
}


def json_schema(hosts: Iterable[str] = (), packs: Iterable[str] = ()) -> dict[str, Any]:
    """A JSON Schema of the language, so that editors complete and check it, with the names of hosts and shipped packs.

    The loader is stricter: it also reads patterns and conditions. It accepts nothing that the schema refuses.
    """
    from interlock.policy.programs.keys import schema  # noqa: PLC0415 - a policy loads without it

    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Interlock policy",
        **_object(TOP_KEYS),
        "required": ["version"],
        "$defs": {
            "event": _choice((name for name in EVENTS if name != "WorktreeCreate"), _CONSTANT),
            "tools": _some(_choice(sorted({*known_tools(), *FIELDS}), _PATTERN)),
            "host": _choice(hosts, _PATTERN),
            "pack": _choice(packs, _TEXT),
            "rule": {**_object(RULE_KEYS), "required": ["id"]},
            "unless": {**_object(UNLESS_KEYS), "minProperties": 1},
            **schema(),
        },
    }


def _object(keys: dict[str, Key]) -> dict[str, Any]:
    properties = {
        key.name: {
            "description": key.means,
            "examples": [read_yaml(key.example, key.name).root.plain()[key.name]],
            **_BY_NAME.get(key.name, _SHAPES[key.takes]),
        }
        for key in keys.values()
    }
    return {"type": "object", "additionalProperties": False, "properties": properties}
