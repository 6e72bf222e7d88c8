"""Add a rule to a policy file or take one out, and leave every other byte of the file as it is."""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct, json

from interlock.errors import InterlockError
from interlock.policy.positions import Node, read_yaml

__all__ = ["RuleEdit", "add_rule", "remove_rule", "rule_lines"]

_PLAIN = re.compile(r"[A-Za-z][\w./@-]*(?: [\w./@-]+)*")
_WORDS = re.compile(r"(?i)true|false|null|yes|no|on|off|y|n")
_START = "version: 1\nrules:\n"


class RuleEdit(Struct, frozen=True):
    """A file's text after an edit, and the line on which the rule begins or began."""

    text: str
    line: int


def rule_lines(rule: dict[str, Any]) -> list[str]:
    """A rule as YAML, one key on each line."""
    return [f"{key}: {_value(value)}" for key, value in rule.items()]


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, str) and _PLAIN.fullmatch(value) and not _WORDS.fullmatch(value):
        return value
    return json.encode(value).decode()


def add_rule(text: str, file: str, rule: dict[str, Any]) -> RuleEdit:
    """The file with the rule behind its last one. Raises InterlockError if the file is not written in that way."""
    if not text.strip():
        text = _START
    root = read_yaml(text, file).root
    before = root.plain()
    if not isinstance(before, dict) or not isinstance(before.get("rules", []), list | None):
        raise InterlockError(f"`{file}` is not a policy that a rule can be added to", help="see `interlock check`")
    wanted = {**before, "rules": [*(before.get("rules") or []), rule]}
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += _newline(text)
    for edit in _ways_to_add(root, lines, rule_lines(rule), _newline(text)):
        if _means(edit.text, file, wanted):
            return edit
    raise InterlockError(
        f"cannot tell where a rule goes in `{file}`",
        help="write `rules:` with one rule on each `- `, or add it by hand",
    )


def _ways_to_add(root: Node, lines: list[str], rule: list[str], newline: str) -> list[RuleEdit]:
    if "rules" not in root.keys:
        gap = [] if not lines or not lines[-1].strip() else [newline]
        new = [f"rules:{newline}", *_item(rule, "  ", newline)]
        return [RuleEdit("".join([*lines, *gap, *new]), len(lines) + len(gap) + 2)]
    key = root.keys["rules"]
    items = root.value["rules"].value or []
    stop = _end_of_block(lines, key.line, root)
    if not items:
        head = re.sub(r"(rules:)\s*(?:\[\s*\])?", r"\1", lines[key.line - 1].rstrip("\r\n"), count=1)
        new = [head + newline, *_item(rule, "  ", newline)]
        return [RuleEdit("".join([*lines[: key.line - 1], *new, *lines[key.line :]]), key.line + 1)]
    indent = re.match(r"(\s*)- ", lines[items[0].source.line - 1])
    if indent is not None and items[0].source.line > key.line:
        new = _item(rule, indent[1], newline)
        return [
            RuleEdit("".join([*lines[:at], *gap, *new, *lines[at:]]), at + 1 + len(gap))
            for at in (stop, len(lines))
            for gap in ([newline] if _is_airy(lines, items) else [], [])
        ]
    inside = ", {" + ", ".join(rule) + "}"
    text = "".join(lines)
    found = []
    for place in reversed([one.start() for one in re.finditer(r"\]", text)]):
        changed = text[:place].rstrip() + inside + text[place:]
        found.append(RuleEdit(changed, text[:place].count("\n") + 1))
    return found[:50]


def _item(rule: list[str], indent: str, newline: str) -> list[str]:
    marks = ["- ", *["  "] * (len(rule) - 1)]
    return [f"{indent}{mark}{line}{newline}" for mark, line in zip(marks, rule, strict=True)]


def _is_airy(lines: list[str], items: list[Node]) -> bool:
    """Whether the rules have an empty line between them."""
    return len(items) > 1 and all(not lines[item.source.line - 2].strip() for item in items[1:])


def _end_of_block(lines: list[str], line: int, root: Node) -> int:
    """The number of lines up to the end of the block that a key on `line` starts; comments behind it are not its."""
    later = [one.line for one in root.keys.values() if one.line > line]
    stop = min(later) - 1 if later else len(lines)
    while stop > line and (not lines[stop - 1].strip() or lines[stop - 1].startswith("#")):
        stop -= 1
    return stop


def remove_rule(text: str, file: str, id: str) -> RuleEdit:
    """The file without one of its rules. Raises InterlockError if it cannot be taken out cleanly."""
    root = read_yaml(text, file).root
    before = root.plain()
    rules = before.get("rules") if isinstance(before, dict) else None
    ids = [one.get("id") if isinstance(one, dict) else None for one in rules or []]
    if id not in ids:
        raise InterlockError(f"there is no rule `{id}` in `{file}`", help="`interlock rule list` shows them")
    place = ids.index(id)
    wanted = {**before, "rules": [one for one in rules or [] if one is not (rules or [])[place]]}
    lines = text.splitlines(keepends=True)
    items = root.value["rules"].value
    start = items[place].source.line
    if not re.match(r"\s*- ", lines[start - 1]):
        return _remove_from_brackets(text, file, items[place], wanted)
    stop = (
        items[place + 1].source.line - 1
        if place + 1 < len(items)
        else _end_of_block(lines, root.keys["rules"].line, root)
    )
    while stop > start and (not lines[stop - 1].strip() or lines[stop - 1].lstrip().startswith("#")):
        stop -= 1
    # The empty line that parts it from the rule before goes with it.
    above = 1 if place and not lines[start - 2].strip() else 0
    left = [*lines[: start - 1 - above], *lines[stop:]]
    if len(items) == 1:
        key = root.keys["rules"].line - 1
        left[key] = left[key].replace("rules:", "rules: []", 1)
    changed = "".join(left)
    if not _means(changed, file, wanted):
        raise InterlockError(
            f"cannot take `{id}` out of `{file}` cleanly", help=f"remove it by hand; it is on line {start}"
        )
    return RuleEdit(changed, start)


def _remove_from_brackets(text: str, file: str, item: Node, wanted: Any) -> RuleEdit:
    """Take out one `{…}` of a list in brackets, with the comma beside it."""
    line = item.source.line
    start = sum(map(len, text.splitlines(keepends=True)[: line - 1])) + item.source.column - 1
    head = text[:start]
    for end in [one.end() for one in re.finditer("}", text) if one.end() > start][:50]:
        tail = text[end:]
        for changed in (re.sub(r",\s*$", "", head) + tail, head + re.sub(r"^\s*,\s*", "", tail)):
            if _means(changed, file, wanted):
                return RuleEdit(changed, line)
    raise InterlockError(f"cannot take a rule out of `{file}` cleanly", help=f"remove it by hand; it is on line {line}")


def _means(text: str, file: str, wanted: Any) -> bool:
    """Whether a text means exactly these values: an edit must change nothing else."""
    try:
        return json.encode(_without_ends(read_yaml(text, file).root.plain())) == json.encode(_without_ends(wanted))
    except InterlockError:
        return False


def _without_ends(value: Any) -> Any:
    """The value without line ends behind its texts: the last text of a file has none, and gets one if more follows."""
    if isinstance(value, dict):
        return {key: _without_ends(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_ends(item) for item in value]
    return value.rstrip("\n") if isinstance(value, str) else value


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
