"""A decision that Claude Code does not know has no effect

## What
`permissionDecision` is not `allow`, `deny`, `ask` or `defer`; `decision` is not `approve` or `block`; or the `behavior`
of a permission prompt is not `allow` or `deny`. Case matters.

## Why
One wrong word makes the whole answer invalid. Claude Code drops it, and the call runs.

## Example
```json
{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "block"}}
```

## Fix
```json
{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from interlock.hook_lint.answers import answers_of
from interlock.hook_lint.fate import DENIALS
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.rewording import value_replaced
from interlock.hook_lint.wiring import HookSubject

CODE = "IL207"
ABOUT = "hook"
FIXES = True
_DECISIONS, _OLD, _BEHAVIOURS = ("allow", "deny", "ask", "defer"), ("approve", "block"), ("allow", "deny")


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every decision in a word that the client refuses."""
    allows: set[tuple[str, str]] = set()
    for ending, said in answers_of(subject.program):
        if ending.code == 2:
            continue
        for key, word, known in _wrong_words(said.value, subject.events):
            meant = _word_meant_by(word, known)
            if meant in ("allow", "approve") and not said.value.keys() - {"decision", "reason"}:
                if (key, word) in allows:
                    continue  # it has no effect anywhere, and what it says is what happens anyway
                allows.add((key, word))
            if key == "hookSpecificOutput.decision":
                message = f"`{key}` is the text `{word}`, which makes the whole answer invalid; it must be an object"
                yield at(CODE, subject.program, said.span, message, f'write {{"behavior": "{meant or "deny"}"}}')
                continue
            listed = ", ".join(f"`{one}`" for one in known)
            message = f"`{key}` is `{word}`, which makes the whole answer invalid; the client knows {listed}"
            help = f"write `{meant}`" if meant else ""
            # An allow that has never worked would begin to waive questions.
            is_safe = meant is not None and meant not in ("allow", "approve")
            fix = value_replaced(subject.program, said.span, key, word, meant) if meant and is_safe else None
            yield at(CODE, subject.program, said.span, message, help, fix=fix)


def _wrong_words(said: Mapping[str, Any], events: tuple[str, ...]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    part = said.get("hookSpecificOutput")
    inner = part if isinstance(part, dict) else {}
    prompt = inner.get("decision")
    pairs = [
        ("permissionDecision", inner.get("permissionDecision"), _DECISIONS),
        ("decision", said.get("decision"), _OLD),
    ]
    if "PermissionRequest" in events and isinstance(prompt, dict):
        pairs.append(("behavior", prompt.get("behavior"), _BEHAVIOURS))
    elif set(events) == {"PermissionRequest"} and isinstance(prompt, str):
        yield "hookSpecificOutput.decision", prompt, _BEHAVIOURS
    for key, word, known in pairs:
        if isinstance(word, str) and "…" not in word and word not in known:
            yield key, word, known


def _word_meant_by(word: str, known: tuple[str, ...]) -> str | None:
    plain = word.strip().lower()
    if plain in known:
        return plain
    if plain in DENIALS:
        return "block" if "block" in known else "deny"
    if plain in ("approve", "approved", "allow", "allowed", "yes", "accept", "ok", "continue"):
        return "approve" if "approve" in known else "allow"
    return None
