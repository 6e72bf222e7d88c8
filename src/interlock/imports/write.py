"""Write imported rules: as a policy of their own, or behind the rules of one that exists."""

from __future__ import annotations

from collections.abc import Sequence

from interlock.config.bundles import find_pack
from interlock.errors import InterlockError
from interlock.imports.draft import DraftRule, Import, yaml_of
from interlock.policy.load import load_policy
from interlock.policy.positions import Node, read_yaml

__all__ = ["append_rules", "new_policy"]


def new_policy(found: Import) -> str:
    """A policy with what was found; comments name where it is from and what is missing."""
    files = dict.fromkeys([rule.source.file for rule in found.rules] + [one.source.file for one in found.left])
    head = [f"# Imported from {', '.join(files)}."]
    head += ["# Not carried:", *(f"# - {_one_line(str(one))}" for one in found.left)] if found.left else []
    return "\n".join([*head, "version: 1", "rules:" if found.rules else "rules: []"]) + "\n" + _rules_text(found.rules)


def _one_line(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)


def _rules_text(rules: Sequence[DraftRule], indent: int = 2) -> str:
    text = "\n".join(yaml_of(rule) for rule in rules)
    if indent >= 2:
        return "".join(" " * (indent - 2) + line if line.strip() else line for line in text.splitlines(keepends=True))
    return "".join(line[2 - indent :] if line.strip() else line for line in text.splitlines(keepends=True))


def append_rules(text: str, file: str, found: Import) -> tuple[str, list[str]]:
    """The policy with the rules behind its own, and the ids that it has already. Raises InterlockError."""
    before = load_policy(text, file, find_pack)
    there = {rule.id for rule, _ in before.rules}
    new = [rule for rule in found.rules if rule.id not in there]
    kept = [rule.id for rule in found.rules if rule.id in there]
    if not new:
        return text, kept
    root = read_yaml(text, file).root
    indent = _indent(root, file)
    start = text if text.endswith("\n") else text + "\n"
    if "rules" not in root.value:
        start += "rules:\n"
    after = start + "\n" + _rules_text(new, indent)
    ids = [rule.id for rule, _ in load_policy(after, file, find_pack).rules]
    if sorted(ids) != sorted([*(rule.id for rule, _ in before.rules), *(rule.id for rule in new)]):
        raise _refusal(file, root)
    return after, kept


def _indent(root: Node, file: str) -> int:
    """How far the items of `rules` are indented, if more can be written behind them."""
    if "rules" not in root.value:
        return 2
    rules = root.value["rules"]
    last = max(root.keys, key=lambda key: root.keys[key].line)
    if last != "rules" or not isinstance(rules.value, list) or not rules.value:
        raise _refusal(file, root)
    first = rules.value[0].source
    if first.line == root.keys["rules"].line:
        raise _refusal(file, root)  # [{…}] on one line
    return int(first.column) - 3


def _refusal(file: str, root: Node) -> InterlockError:
    place = root.keys.get("rules", root.source)
    return InterlockError(
        f"nothing can be added behind the rules of `{file}`", place,
        "make `rules` its last key, with each rule on lines of its own, or write to another file with --out",
    )  # fmt: skip
