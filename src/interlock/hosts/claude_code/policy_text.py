"""Add hooks to a policy's text, and remove them again, without changing anything else in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from interlock.config.bundles import find_pack
from interlock.errors import InterlockError
from interlock.hosts.claude_code.adoption import MovedHook
from interlock.policy.load import ExternalHook, Policy, load_policy
from interlock.policy.positions import Node, read_yaml

__all__ = ["Addition", "add_hooks", "take_out"]

_INDENTATION = "  "


class Addition(Struct, frozen=True):
    """What was added to a policy."""

    file: str
    before: bytes
    after: bytes
    piece: str


def add_hooks(text: bytes, file: Path, hooks: Sequence[MovedHook]) -> Addition:
    """The policy with these hooks after its own. Raises InterlockError if that cannot be done safely."""
    was = _load(text, file)
    old = text.decode("utf-8")
    new, piece = _add(old, str(file), [hook.written() for hook in hooks])
    after = new.encode("utf-8")
    try:
        now = _load(after, file)
    except InterlockError as error:
        raise _by_hand(file, hooks) from error
    wanted = [_meaning(hook) for hook in was.externals] + [_identity_of_move(hook) for hook in hooks]
    if [_meaning(hook) for hook in now.externals] != wanted or not _same_otherwise(was, now):
        raise _by_hand(file, hooks)
    return Addition(str(file), text, after, piece)


def take_out(text: bytes, addition: Addition) -> bytes:
    """The policy without what was added. Raises InterlockError if a person must do it."""
    if text == addition.after:
        return addition.before
    left = text.decode("utf-8", "replace")
    if left.count(addition.piece) == 1:
        after = left.replace(addition.piece, "").encode("utf-8")
        _load(after, Path(addition.file))
        return after
    if _is_left(text, addition):
        raise InterlockError(
            f"`{addition.file}` was changed where hooks were adopted into it",
            help="take those hooks out by hand, then run this again",
        )
    return text


def _is_left(text: bytes, addition: Addition) -> bool:
    """Whether any of the added hooks is still in the policy, in whatever form."""
    file = Path(addition.file)
    before = {_identity(hook) for hook in _load(addition.before, file).externals}
    added = {_identity(hook) for hook in _load(addition.after, file).externals} - before
    return any(_identity(hook) in added for hook in _load(text, file).externals)


def _load(text: bytes, file: Path) -> Policy:
    return load_policy(text, str(file), find_pack)


def _by_hand(file: Path, hooks: Sequence[MovedHook]) -> InterlockError:
    lines = "\n".join(f"  - {hook.written()}" for hook in hooks)
    return InterlockError(
        f"the hooks cannot be added to `{file}` without touching the rest", help=f"write them there by hand:\n{lines}"
    )


def _meaning(hook: ExternalHook) -> tuple[object, ...]:
    """What a hook does, wherever it is written."""
    return hook.run, hook.url, hook.events, hook.tool.patterns if hook.tool else None, hook.timeout


def _identity(hook: ExternalHook) -> tuple[object, ...]:
    return hook.run, hook.url


def _identity_of_move(hook: MovedHook) -> tuple[object, ...]:
    return hook.run, hook.url, (hook.event,), hook.tool or None, hook.seconds


def _same_otherwise(was: Policy, now: Policy) -> bool:
    """Whether only external hooks differ. Rules are compared by their names; their text is kept."""
    return [rule.id for rule, _ in was.rules] == [rule.id for rule, _ in now.rules] and _rest(was) == _rest(now)


def _rest(policy: Policy) -> tuple[object, ...]:
    bare = replace(policy, rules=(), externals=(), lines=())
    return bare.state, bare.tools, [file for file, _ in bare.hook_files], bare.brief, bare.observe


def _add(text: str, file: str, items: list[str]) -> tuple[str, str]:
    """The text with the items added to its `hooks`, and the piece that was added."""
    end = "\r\n" if "\r\n" in text else "\n"
    root = read_yaml(text, file).root
    node = root.value.get("hooks")
    if node is None:
        lead = "" if text.endswith(end) or not text else end
        piece = f"{lead}{end}hooks:{end}" + "".join(f"{_INDENTATION}- {item}{end}" for item in items)
        return text + piece, piece
    if not isinstance(node.value, list):
        raise InterlockError(f"`hooks` in `{file}` is not a list")
    lines = text.splitlines(keepends=True)
    if _opens_flow(lines, node):
        return _into_flow(text, lines, node, items)
    return _into_block(lines, node, items, end)


def _opens_flow(lines: list[str], node: Node) -> bool:
    return lines[node.source.line - 1][node.source.column - 1 : node.source.column] == "["


def _into_flow(text: str, lines: list[str], node: Node, items: list[str]) -> tuple[str, str]:
    start = sum(len(line) for line in lines[: node.source.line - 1]) + node.source.column
    close = _closing(text, start)
    before = len(text[:close].rstrip())
    if node.value and text[:before].endswith(","):
        before -= 1
    piece = (", " if node.value else "") + ", ".join(items)
    return text[:before] + piece + text[before:], piece


_FLOW = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?<=\s)#[^\r\n]*|[\[\]{}]""")


def _closing(text: str, start: int) -> int:
    """Where the list that was opened before `start` ends."""
    depth = 1
    for found in _FLOW.finditer(text, start):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if depth == 0:
            return found.start()
    raise InterlockError("the list `hooks` is not closed")


def _into_block(lines: list[str], node: Node, items: list[str], end: str) -> tuple[str, str]:
    """The place after the last item: its lines are those indented further than its dash."""
    last = node.value[-1].source.line - 1
    dash = re.match(r"[ ]*(?=-\s)", lines[last])
    if dash is None:
        raise InterlockError("the last item of `hooks` is not on its own line")
    place = last + 1
    for number in range(last + 1, len(lines)):
        content = lines[number].strip()
        if content and not content.startswith("#"):
            if len(lines[number]) - len(lines[number].lstrip(" ")) <= len(dash[0]):
                break
            place = number + 1
    lead = "" if lines[place - 1].endswith(("\n", "\r")) else end
    piece = lead + "".join(f"{dash[0]}- {item}{end}" for item in items)
    return "".join(lines[:place]) + piece + "".join(lines[place:]), piece
