"""Keys of other tools, and what Interlock calls the same: people bring the words they know."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["word_for"]

_DECIDE = 'the decision is a key of its own: `deny: "Use a branch."`, `ask: "Push to main?"` or `allow: true`'
_REASON = 'the reason is the value of the decision: `deny: "Push to a branch and open a pull request."`'
_PATTERN = "say what it is about: `command: git push`, `path: '*.env'`, `url: example.com` or `content: /AKIA/`"
_UNRANKED = "remove it: the strictest decision wins, in whatever order the rules are"

_IN_RULES = 'decisions belong to rules: `rules: [{id: push, command: git push, ask: "Push?"}]`'

# Each line: the words of others → the cure. A cure that is one word is a key.
_RULE: dict[str, str] = {
    "matcher toolName tool_name tools toolname": "tool",
    "action decision permission permissionDecision verdict then do effect outcome result policy type": _DECIDE,
    "reason message msg text why_message permissionDecisionReason explanation response": _REASON,
    "block blocks reject forbid refuse disallow prevent stop denied prohibit": "deny",
    "confirm prompt_user approval require_approval question warn_user": "ask",
    "permit accept approved whitelist allowlist allow_list": "allow",
    "warn warning additionalContext inject systemMessage hint remind reminder": "context",
    "pattern patterns regex regexp match matches glob matching rule selector": _PATTERN,
    "if condition conditions where expr expression cel filter": "when",
    "name title key rule_id ruleId label": "id",
    "on events hook hooks hookEventName hook_event trigger triggers hook_event_name": "event",
    "commands cmd cmds bash shell program exec args argv": "command",
    "file files filepath file_path filePath paths filename folder dir directory": "path",
    "domain domains urls link hostname site address": "url",
    "except exclude excludes exceptions ignore skip not": "unless",
    "script check_command runs": "run",
    "rewrite replace updatedInput updated_input modify mutate input transform": "change",
    "updatedToolOutput redact mask": "output",
    "description comment desc why note doc docs documentation": "about",
    "tests examples test should_match": "cases",
    "log dry_run dryRun audit": "observe",
    "alert message_user tell notification": "notify",
    "severity level priority weight order": _UNRANKED,
    "enabled disabled active": "remove it, or write `observe: true` to record and not enforce",
    "remember store save vars": "set",
    "continue stopReason": "interrupt",
}
_TOP: dict[str, str] = {
    "rule policies policy ruleset": "rules",
    "deny ask allow block permissions": _IN_RULES,
    "imports import include includes extends use pack plugins presets": "packs",
    "program commands command cli clis binaries executables": "programs",
    "hook PreToolUse PostToolUse Stop": "hooks",
    "vars variables constants define defs params definitions": "let",
    "memory store variables_state remember": "state",
    "name description title metadata author id about": "remove it, or make it a comment: `# …`",
    "default default_action defaultMode fallback": "remove it: the host decides about calls that no rule matches",
    "log dry_run dryRun audit": "observe",
    "scenarios policy_file": "scenarios go into a file of their own: `NAME.test.yaml`",
    "tests test cases": "cases go under their rule, and scenarios into `NAME.test.yaml`",
}
_PROGRAM: dict[str, str] = {
    "description desc doc summary title": "about",
    "flags opts option args arguments switches params": "options",
    "global globals global_options global-options before": "leading",
    "positional positionals words files parameters argv": "operands",
    "traits effects effect what kind is capabilities actions": "does",
    "subcommands subcommand commands command subs verbs": "forms",
    "conditions if unless rules": "when",
    "alias aliases same as extends inherit base": "like",
    "tests test examples": "cases",
    "input pipe": "stdin",
    "reader parser rewrite python": "`like` takes over how a shipped program is read: `like: curl`",
}
_CLAUSE: dict[str, str] = {
    "word words subcommand command operand": "first",
    "flag flags options": "option",
    "unless not": "without",
    "traits adds is": "does",
    "removes minus": "drops",
    "read-only harmless safe": "looks",
    "program called": "name",
}
_HOOK: dict[str, str] = {
    "command cmd script program exec file": "run",
    "matcher tools": "tool",
    "events on hook": "event",
    "type": "remove it: `run` is a program and `url` an address",
    "id": "name",
    "http endpoint address": "url",
}
_CASES: dict[str, str] = {
    "catches deny block blocks match matches positive should_match hit hits ask fail": "catch",
    "passes allow allows ok negative should_not_match miss misses ignore": "pass",
}
_STATE: dict[str, str] = {"value initial init start type": "default", "per lifetime": "scope"}
_PACK: dict[str, str] = {
    "name pack id import": "use",
    "params parameters args config options": "with",
    "except exclude skip disable": "without",
}
_PATH: dict[str, str] = {
    "edit modify update change": "write", "remove rm": "delete", "upload": "send", "view open": "read", "new": "create",
}  # fmt: skip


_STEP: dict[str, str] = {
    "tool command cmd run do": "call", "result output_is response": "returns", "expected decision verdict": "expect",
    "message why": "reason", "rules rule": "fires", "user": "prompt", "sleep after": "wait", "tests cases": "scenarios",
    "title id": "name", "with setup": "given", "calls": "steps", "file": "policy",
}  # fmt: skip


def _by_word(listed: dict[str, str]) -> dict[str, str]:
    return {word: cure for words, cure in listed.items() for word in words.split()}


_WORDS: dict[str, dict[str, str]] = {
    "rule": _by_word(_RULE),
    "unless": _by_word(_RULE) | {"event": "an exception holds for every event of its rule; write another rule instead"},
    "top": _by_word(_TOP),
    "hook": _by_word(_HOOK),
    "cases": _by_word(_CASES),
    "state": _by_word(_STATE),
    "pack": _by_word(_PACK),
    "path": _by_word(_PATH),
    "step": _by_word(_STEP),
    "program": _by_word(_PROGRAM),
    "clause": _by_word(_CLAUSE),
}


def word_for(word: str, where: str, known: Mapping[str, str]) -> str | None:
    """What to do about another tool's word: the key that is meant, with an example of it, or a sentence."""
    cure = _WORDS.get(where, {}).get(word)
    if cure is None or not cure.isidentifier():
        return cure
    if cure not in known:
        return None
    return f"use `{cure}`, as in `{known[cure]}`" if known[cure] else f"use `{cure}`"
