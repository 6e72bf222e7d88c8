"""The `permissions` lists of Claude Code settings.

Rules that deny or ask catch at least what the host catches; rules that allow, allow at most what the host allows. So a
call that is judged differently afterwards is judged more strictly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from interlock.errors import InterlockError, Source
from interlock.files.jsonedit import JsonNode, read
from interlock.imports.draft import DraftRule, Import, NotCarried, cel_text, problem_of
from interlock.verdict import Decision

__all__ = ["LISTS", "Specifier", "command_regex", "matches_command", "read_permissions", "specifier_of"]

LISTS: tuple[Decision, ...] = ("deny", "ask", "allow")  # as the host asks them
_ENTRY = re.compile(r"([A-Za-z_][\w.*-]*)(?:\((.*)\))?", re.DOTALL)
_OPERATORS = re.compile(r"[;&|<>\n\r`]|\$\(")
_SIMPLE_WORDS = re.compile(r"[A-Za-z0-9][\w.-]*(?: (?:-{1,2}[A-Za-z][\w-]*|[A-Za-z0-9][\w.:@/-]*))*")
_EDITS = ["Edit", "Write", "MultiEdit", "NotebookEdit"]
_STAYS = "it stays in the settings, where it still applies"
_OTHER_KEYS = {"defaultMode", "additionalDirectories", "disableBypassPermissionsMode", "disableAutoMode"}
_NEVER_APPLIED = {"Write": "Edit", "NotebookEdit": "Edit", "MultiEdit": "Edit", "Glob": "Read", "Grep": "Read"}

_Made: TypeAlias = "_Part | str"


class Specifier(Struct, frozen=True):
    """One entry of a list: a tool, and what is in its brackets."""

    tool: str
    inside: str | None = None


class _Part(Struct, frozen=True):
    """What one entry adds to a rule: rules of the same kind become one."""

    kind: str
    keys: dict[str, Any]
    adds: dict[str, list[Any]]  # lists of the rule that it adds to
    catch: tuple[Any, ...] = ()
    passes: tuple[Any, ...] = ()


_Member: TypeAlias = tuple[_Part, str, Source]


def specifier_of(text: str) -> Specifier | None:
    """An entry as the host reads it; None if it is not one."""
    found = _ENTRY.fullmatch(text.strip())
    if found is None:
        return None
    inside = re.sub(r"\\([()])", r"\1", found[2]).strip() if found[2] is not None else None
    return Specifier(found[1], None if inside in (None, "", "*", ":*") else inside)


def read_permissions(text: str, file: str, *, own: bool = False) -> Import:
    """What the lists of a settings file become; `own` is a person's, where `/x` is not in a project."""
    root = read(text.removeprefix("\ufeff"), file)
    if not isinstance(root.value, dict):
        raise InterlockError("the settings are not an object", root.source(file), "write {…}")
    found = Import()
    permissions = root.value.get("permissions")
    if permissions is None:
        raise InterlockError("the settings have no `permissions`", root.source(file), "give a file that has some")
    if not isinstance(permissions.value, dict):
        raise InterlockError("`permissions` is not an object", permissions.source(file), 'write {"deny": […]}')
    for key, node in permissions.value.items():
        if key in LISTS:
            continue
        known = key in _OTHER_KEYS
        why = _STAYS if known else "Claude Code has no such setting"
        found.left.append(NotCarried(node.source(file), f"permissions.{key}", why))
    for decision in LISTS:
        if decision in permissions.value:
            _read_list(permissions.value[decision], decision, file, found, own=own)
    return found


def _read_list(node: JsonNode, decision: Decision, file: str, found: Import, *, own: bool) -> None:
    if not isinstance(node.value, list):
        raise InterlockError(f"`permissions.{decision}` is not a list", node.source(file), 'write ["Bash(npm test)"]')
    groups: dict[str, list[_Member]] = {}
    seen: set[str] = set()
    for item in node.value:
        source = item.source(file)
        if not isinstance(item.value, str):
            raise InterlockError(
                f"an entry of `permissions.{decision}` is not a text", source, 'write "Bash(npm test)"'
            )
        if item.value in seen:
            continue
        seen.add(item.value)
        made: _Made = _part(item.value, decision)
        if own and re.match(r"\w+\(/(?!/)", item.value):
            made = "it means a path beside your own settings; write it with `~/` or `//`"
        if isinstance(made, str):
            found.left.append(NotCarried(source, item.value, made))
        else:
            groups.setdefault(made.kind, []).append((made, item.value, source))
    for kind, members in groups.items():
        _add_group(kind, decision, members, found)


def _add_group(kind: str, decision: Decision, members: Sequence[_Member], found: Import) -> None:
    """All entries of one kind as one rule: an allow must cover every part of a call, so they must be together."""
    whole = _rule(kind, decision, members)
    if not problem_of(whole):
        found.rules.append(whole)
        return
    good: list[_Member] = []
    exact: list[_Member] = []
    for member in members:
        _, entry, source = member
        inside = (specifier_of(entry) or Specifier("")).inside
        problem = problem_of(_rule(kind, decision, [member]))
        if not problem:
            good.append(member)
        elif decision == "allow" and kind == "commands" and inside is not None and "*" not in inside:
            exact.append((_line(inside), entry, source))
        else:
            why = _RUNS_MORE if decision == "allow" and kind == "commands" else problem
            found.left.append(NotCarried(source, entry, why))
    together = _rule(kind, decision, good) if good else None
    if together is not None and problem_of(together):
        found.rules += [_rule(kind, decision, [member]) for member in good]
    elif together is not None:
        found.rules.append(together)
    if exact:
        _add_group("lines", decision, exact, found)


_RUNS_MORE = "a rule judges what this command runs by itself, so none allows exactly this"


def _rule(kind: str, decision: Decision, members: Sequence[_Member]) -> DraftRule:
    first, _, source = members[0]
    lists: dict[str, list[Any]] = {}
    for part, _, _ in members:
        for key, values in part.adds.items():
            lists.setdefault(key, []).extend(value for value in values if value not in lists.get(key, []))
    keys = {key: value for key, value in first.keys.items() if key != "when"}
    for key, values in lists.items():
        if key in ("read", "write"):
            keys["path"] = {key: values}
        elif key != "when":
            keys[key] = values[0] if len(values) == 1 else values
    if "when" in lists:
        keys["when"] = _WHENS[kind](lists["when"])
    keys[decision] = _REASONS[decision] if decision != "allow" else True
    catch = _unique(case for part, _, _ in members for case in part.catch)
    entries = [entry for _, entry, _ in members]
    passes = [case for case in _unique(one for part, _, _ in members for one in part.passes) if case not in catch]
    passes = [case for case in passes if not _is_caught(case, kind, entries)]
    name = f"permissions-{decision}-{kind}"
    listed = ", ".join(entries) if len(entries) < 4 else f"{', '.join(entries[:3])} and {len(entries) - 3} more"
    what = f"permissions.{decision}: {listed}" if len(entries) > 1 else entries[0]
    return DraftRule(name, source, what, keys, tuple(catch), tuple(passes[:2]))


_REASONS = {
    "deny": "The permissions of this project deny this. Do it another way, or ask the user to do it.",
    "ask": "The permissions of this project ask a person about this. Go on?",
}


def _unique(cases: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for case in cases:
        if case not in found:
            found.append(case)
    return found


def _is_caught(case: Any, kind: str, entries: Sequence[str]) -> bool:
    """Whether an entry that a case does not come from catches it, too."""
    if kind != "commands" or not isinstance(case, str):
        return False
    specifiers = [specifier_of(entry) for entry in entries]
    return any(one is not None and matches_command(one.inside, case) for one in specifiers)


# --- one entry -------------------------------------------------------------------------------------------------


def _part(entry: str, decision: Decision) -> _Made:
    """What an entry adds to a rule, or why it cannot be carried."""
    specifier = specifier_of(entry)
    if specifier is None:
        return "this is not a permission rule: write `Tool` or `Tool(…)`"
    tool, inside = specifier.tool, specifier.inside
    if inside is None:
        return _whole_tool(tool, decision)
    if tool in _NEVER_APPLIED:
        used = _NEVER_APPLIED[tool]
        if decision == "allow":
            return f"Claude Code never looks at `{tool}(…)`; it takes `{used}(…)`"
        tool = used  # what it was meant to say, and stricter
    make = _MAKERS.get(tool)
    if make is None:
        return f"no rule knows what `{tool}(…)` means; write one with `tool: {tool}` and `when`"
    return make(inside, decision)


def _whole_tool(tool: str, decision: Decision) -> _Made:
    if re.fullmatch(r"mcp__[\w-]+", tool) and "__" not in tool.removeprefix("mcp__"):
        tool = f"{tool}__*"
    if "*" in tool and not re.fullmatch(r"mcp__[\w-]+__[\w*-]*", tool):
        return "Claude Code takes wildcards only in the tools of an MCP server"
    if decision == "allow" and "*" in tool:
        # A rule trusts no tool by a pattern for its name; the host does, for the server that a person named.
        return _Part("servers", {}, {"when": [tool]}, (_call_of(tool),), (_OTHER_TOOL,))
    return _Part("tools", {}, {"tool": [tool]}, (_call_of(tool),), (_OTHER_TOOL,))


_OTHER_TOOL: dict[str, Any] = {"AnotherTool": {}}
_SAMPLES = {
    "Bash": "ls", "Read": {"Read": "notes.txt"}, "Write": {"Write": "notes.txt"}, "Edit": {"Edit": "notes.txt"},
    "WebFetch": {"WebFetch": "https://example.com/"}, "WebSearch": {"WebSearch": "interlock"},
    "Grep": {"Grep": "x"}, "Glob": {"Glob": "*"},
}  # fmt: skip


def _call_of(tool: str) -> Any:
    return _SAMPLES.get(tool, {tool.replace("*", "any"): {}})


# Commands


def command_regex(inside: str) -> str:
    """What the host's pattern for a command means, as a regex for the whole of one command.

    `npm test:*` and `npm test *` mean the words and perhaps more words, `ls*` anything that begins so, and `*`
    elsewhere any characters.
    """
    stem, more = inside, ""
    if inside.endswith(":*") or (inside.endswith(" *") and inside.count("*") == 1):
        stem, more = inside[:-2], "( .*)?"
    return "^" + ".*".join(re.escape(part) for part in stem.split("*")) + more + "$"


def matches_command(inside: str | None, command: str) -> bool:
    """Whether the host's pattern means one command."""
    return inside is None or re.search(command_regex(inside), command) is not None


def _command(inside: str, decision: Decision) -> _Made:
    if re.match(r"[A-Za-z_]\w*=", inside):
        if decision == "allow" and "*" not in inside:
            return _line(inside)
        return "it begins with a variable, and a rule sees the command without it"
    sample = _sample(inside)
    if decision == "allow":
        return _allowed_command(inside, sample)
    if _OPERATORS.search(inside):
        return "it joins several commands, and both tools judge each of them by itself"
    stem = inside.removesuffix(":*").removesuffix(" *")
    in_words = stem != inside and _SIMPLE_WORDS.fullmatch(stem)
    pattern = stem if in_words else f"/{_re2(command_regex(inside))}/"
    return _Part("commands", {}, {"command": [pattern]}, (sample,), _other_commands(inside))


def _allowed_command(inside: str, sample: str) -> _Made:
    joined = _OPERATORS.search(inside) is not None
    if joined and "*" in inside:
        return "it joins several commands around a `*`, and both tools judge each of them by itself"
    if joined:
        return _line(inside)
    return _Part("commands", {"tool": "Bash"}, {"when": [inside]}, (sample,), _other_commands(inside))


def _line(inside: str) -> _Part:
    """A command line as it is, whatever it runs."""
    return _Part(
        "lines", {"tool": "Bash"}, {"when": [inside]}, ({"Bash": {"command": inside}},), ("interlock --version",)
    )


def _sample(inside: str) -> str:
    stem = inside.removesuffix(":*")
    return (stem.removesuffix(" *") if stem == inside else stem).replace("*", "x")


def _other_commands(inside: str) -> tuple[str, ...]:
    return tuple(other for other in ("interlock --version", "true") if not matches_command(inside, other))


def _re2(pattern: str) -> str:
    """Python escapes more than RE2 takes, and a `/` would end the regex of a policy."""
    return re.sub(r"\\([ #&~'\"<>@%,;:=!`/-])", r"\1", pattern).replace("${", "[$][{]")


def _allow_commands(inside: Sequence[str]) -> str:
    """Every command of the call is one of these, as plain as it is written there, and touches only the project.

    The host asks about files elsewhere even if it allows the command.
    """
    parts = [_re2(command_regex(one))[1:-1].replace("( .*)?", "( [^<>]*)?").replace(".*", "[^<>]*") for one in inside]
    regex = f"^(?:{'|'.join(parts)})$"
    plain = f'c.file != "" || (size(c.env) == 0 && c.text.matches({cel_text(regex)}))'
    inside = 'reads.all(p, (p + "/").startsWith(project + "/")) && writes.all(p, (p + "/").startsWith(project + "/"))'
    return f"!opaque && size(commands) > 0 && {inside} && commands.all(c, {plain})"


# Paths, addresses, and the rest


def _path(use: str) -> Callable[[str, Decision], _Made]:
    def make(inside: str, decision: Decision) -> _Made:
        if re.search(r"[\\^$|+{}\[\]!?]", inside):
            return "the path has a character that means something else in a policy"
        globs = _globs(inside, narrow=decision == "allow")
        sample = _path_sample(globs[0])
        tools = (["Read"] if use == "read" else _EDITS) if decision == "allow" else []
        call = {"Read" if use == "read" else "Write": sample}
        other = {"Read" if use == "read" else "Write": "/nowhere/else.txt"}
        keys = {"tool": tools[0] if len(tools) == 1 else tools} if tools else {}
        return _Part(f"{use}s", keys, {use: globs}, (call,), () if _means_all(globs) else (other,))

    return make


def _globs(inside: str, *, narrow: bool) -> list[str]:
    """The host's paths are gitignore's, from the current folder, which is the project's."""
    if inside.startswith("//"):
        base, rest = "/", inside[2:]
    elif inside.startswith("~/"):
        base, rest = "~/", inside[2:]
    else:
        base, rest = "./", inside.removeprefix("./").removeprefix("/")
    below = rest.rstrip("/")
    anywhere = base == "./" and "/" not in below and not inside.startswith(("/", "./"))
    if anywhere and below not in ("*", "**"):
        first = f"**/{below}" if narrow else below
        return [first, f"**/{below}/**"] if not below.endswith("*") else [first]
    whole = base + below
    if below.endswith("*") or not below:
        return [whole.rstrip("/") + "/**" if not below else whole]
    return [f"{whole}/**"] if rest.endswith("/") else [whole, f"{whole}/**"]


def _path_sample(glob: str) -> str:
    found = glob.replace("**/", "").replace("**", "a/b").replace("*", "x")
    return found.removeprefix("./") if not found.startswith("~") else f"/home/dev/{found[2:]}"


def _means_all(globs: Sequence[str]) -> bool:
    return any(glob in ("/**", "*", "**") for glob in globs)


def _domain(inside: str, decision: Decision) -> _Made:
    kind, _, host = inside.partition(":")
    if kind != "domain" or not re.fullmatch(r"(\*\.)?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*", host):
        return "Claude Code knows `WebFetch(domain:HOST)` only"
    sample = {"WebFetch": f"https://{host.replace('*', 'www')}/"}
    other = ({"WebFetch": "https://elsewhere.invalid/"},)
    if decision == "allow":
        return _Part("addresses", {"tool": "WebFetch"}, {"when": [host.lower()]}, (sample,), other)
    return _Part("addresses", {"tool": "WebFetch"}, {"url": [host.lower()]}, (sample,), other)


def _allow_hosts(hosts: Sequence[str]) -> str:
    names = [host for host in hosts if not host.startswith("*.")]
    tests = [f"u.host in [{', '.join(cel_text(name) for name in names)}]"] if names else []
    tests += [f"u.host.endsWith({cel_text(host[1:])})" for host in hosts if host.startswith("*.")]
    return f"size(urls) > 0 && urls.all(u, {' || '.join(tests)})"


def _field(tool: str, field: str) -> Callable[[str, Decision], _Made]:
    def make(inside: str, decision: Decision) -> _Made:
        stem = inside.removesuffix(":*").removesuffix(" *")
        if "*" in stem:
            return "a `*` in the middle of a name"
        catch = ({tool: {field: stem, **_BESIDE.get(tool, {})}},)
        passes = ({tool: {field: "interlock-other", **_BESIDE.get(tool, {})}},)
        return _Part(f"{tool.lower()}s", {"tool": tool}, {"when": [inside]}, catch, passes)

    return make


_BESIDE = {"Agent": {"prompt": "x", "description": "x"}}


def _names(field: str) -> Callable[[Sequence[str]], str]:
    def make(inside: Sequence[str]) -> str:
        value = f'input.?{field}.orValue("")'
        exact = [one for one in inside if "*" not in one]
        tests = [f"{value} in [{', '.join(cel_text(one) for one in exact)}]"] if exact else []
        for one in inside:
            if "*" in one:
                stem = one.removesuffix(":*").removesuffix(" *")
                tests += [f"{value} == {cel_text(stem)}", f"{value}.startsWith({cel_text(stem + ' ')})"]
        return " || ".join(tests)

    return make


def _allow_lines(lines: Sequence[str]) -> str:
    return f"input.command in [{', '.join(cel_text(line) for line in lines)}]"


_MAKERS: dict[str, Callable[[str, Decision], _Made]] = {
    "Bash": _command,
    "Read": _path("read"),
    "Edit": _path("write"),
    "WebFetch": _domain,
    "Agent": _field("Agent", "subagent_type"),
    "Task": _field("Agent", "subagent_type"),
    "Skill": _field("Skill", "skill"),
}


def _allow_servers(tools: Sequence[str]) -> str:
    parts = "|".join(re.escape(tool).replace(r"\*", ".*").replace(r"\-", "-") for tool in tools)
    return f"tool.matches({cel_text(f'^(?:{parts})$')})"


_WHENS: dict[str, Callable[[Sequence[str]], str]] = {
    "servers": _allow_servers,
    "commands": _allow_commands,
    "lines": _allow_lines,
    "addresses": _allow_hosts,
    "agents": _names("subagent_type"),
    "skills": _names("skill"),
}
