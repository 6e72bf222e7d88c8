"""Print what the Interlock on the import path answers to every corpus row and every golden event, one JSON line each.

`tools/compare.py` runs this once per checkout. It must work with old and new layouts of the package, so everything it
takes from Interlock is looked up in `find_api`, by name: if a module moved, the source is searched for it.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

PACKS = ("guarded", "strict")
HOSTS = ("claude-code", "flat")
# The facts of a call as rules see them. They are the same under every policy, so only one guard prints them.
FACTS = """
version: 1
rules:
  - id: facts
    context: "${[commands, reads, writes, creates, deletes, sends, urls, secrets, unclear, incomplete, unread, fresh]}"
"""
# Every kind of opinion, so that every branch of a dialect's encoder is compared.
OPINIONS: dict[str, list[dict[str, Any]]] = {
    "none": [],
    "allow": [{"by": "a", "decision": "allow", "reason": "Known to be safe."}],
    "ask": [{"by": "a", "decision": "ask", "reason": "Is this meant?"}],
    "deny": [{"by": "a", "decision": "deny", "reason": "Too risky."}],
    "two denials": [
        {"by": "a", "decision": "deny", "reason": "Not verified."},
        {"by": "b", "decision": "allow"},
        {"by": "c", "decision": "deny", "reason": "Over the limit."},
    ],
    "deny and interrupt": [{"by": "a", "decision": "deny", "reason": "Stop here.", "interrupt": True}],
    "interrupt": [{"by": "a", "interrupt": True, "reason": "Enough for today."}],
    "defer": [{"by": "a", "decision": "defer", "reason": "Decide later."}],
    "change": [{"by": "a", "change": {"note": "changed", "description": None}}],
    "quiet change": [{"by": "a", "change": {"note": "changed"}, "quiet": "a label only"}],
    "change and allow": [{"by": "a", "change": {"note": "changed"}, "decision": "allow"}],
    "change and ask": [{"by": "a", "change": {"note": "changed"}, "decision": "ask", "reason": "Send it like this?"}],
    "change and deny": [{"by": "a", "change": {"note": "changed"}, "decision": "deny", "reason": "No."}],
    "context": [{"by": "a", "context": "Tests live in tests/."}],
    "notice": [{"by": "a", "notice": "Look here."}],
    "output": [{"by": "a", "output": "[redacted]"}],
    "withhold": [{"by": "a", "withhold": "a.py failed", "notice": "a.py failed: x", "error": "a.py failed: x"}],
    "output and context": [{"by": "a", "output": "[redacted]"}, {"by": "b", "context": "Something was removed."}],
}


def find_api() -> SimpleNamespace:
    """Everything this script takes from Interlock."""
    guard = _find("Guard", "interlock.guard", "interlock.judging.guard")
    service = importlib.import_module("interlock.service")
    return SimpleNamespace(
        guard=guard,
        # Judging was once a method of the guard.
        judge=getattr(guard, "judge_again", None) or service.judge_again,
        handle=getattr(guard, "handle", None) or service.answer,
        load_policy=_find("load_policy", "interlock.policy.load"),
        find_pack=_find("find_pack", "interlock.config"),
        core_policy=_find("core_policy", "interlock.config"),
        store=_find("MemoryStore", "interlock.store.memory"),
        world=_find("Pretend", "interlock.testing.pretend"),
        payload_for=_find("payload_for", "interlock.testing.events"),
        dialect_of=_dialects(),
        opinion=_find("Opinion", "interlock.verdict"),
        combine=_find("combine", "interlock.verdict"),
        result_of=_find("result_of", "interlock.facts.results"),
        project="/proj",
    )


def _find(name: str, *modules: str) -> Any:
    """A public name, from where it is known to be, or else from the module that defines it."""
    for module in (*modules, *_definers(name)):
        try:
            found = getattr(importlib.import_module(module), name, None)
        except ImportError:
            continue
        if found is not None:
            return found
    raise SystemExit(f"this checkout has nothing called `{name}`; teach tools/checkout_answers.py where it is now")


def _definers(name: str) -> Iterator[str]:
    root = Path(importlib.import_module("interlock").__file__ or "").parent
    for file in sorted(root.rglob("*.py")):
        if re.search(rf"^(?:class|def) {name}\b", file.read_text(encoding="utf-8"), re.MULTILINE):
            yield ".".join(("interlock", *file.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")


def _dialects() -> Callable[[str], Any]:
    try:
        return _find("dialect_of", "interlock.wire", "interlock.hosts")  # type: ignore[no-any-return]
    except SystemExit:
        host_of = _find("host_of", "interlock.hosts")
        return lambda name: getattr(host_of(name), "dialect", host_of(name))


# --- corpora -------------------------------------------------------------------------------------------------


def corpus_answers(api: SimpleNamespace, folder: Path) -> Iterator[tuple[str, Any]]:
    """Each row of each corpus with its verdict under each pack, and with the facts of its command."""
    facts = api.load_policy(FACTS, "facts")
    guards = {
        pack: _guard(api, [*_policies(api, pack), *([facts] if pack == PACKS[0] else [])], api.store())
        for pack in PACKS
    }
    payload = json.loads(api.payload_for("PreToolUse", {}, tool_name="Bash", tool_input={}, tool_use_id="toolu_row"))
    for file in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(file.read_text(encoding="utf-8-sig").split("\n"), 1):
            if line.strip():
                row = json.loads(line)
                raw = json.dumps({**payload, "tool_input": {"command": row["command"]}}).encode()
                key = f"{file.name}:{number} {row['command']}"
                yield key, {pack: _guarded(partial(_verdict, api, guards[pack], raw)) for pack in PACKS}


def _policies(api: SimpleNamespace, pack: str) -> list[Any]:
    file, text = api.find_pack(pack, "")
    return [api.load_policy(text, file, api.find_pack), api.core_policy()]


def _guard(api: SimpleNamespace, policies: list[Any], store: Any) -> Any:
    return api.guard(policies, api.world(), store, project=api.project, alone=True, run_hooks=False)


def _verdict(api: SimpleNamespace, guard: Any, raw: bytes) -> dict[str, Any]:
    verdict = api.judge(guard, "claude-code", raw).verdict
    told = [one.context for one in verdict.opinions if one.by == "facts" and one.context]
    found = {
        "decision": verdict.decision,
        "reasons": [reason.text for reason in verdict.reasons],
        "rules": [one.by for one in verdict.opinions if one.by != "facts"],
        "input": None if verdict.input == verdict.original else verdict.input,
        "context": [text for text in verdict.context if text not in told],
        "notices": list(verdict.notices),
        "errors": list(verdict.errors),
        "facts": json.loads(told[0]) if told else None,
    }
    return {name: value for name, value in found.items() if value}


crashes: list[str] = []


def _guarded(compute: Callable[[], Any]) -> Any:
    """What was computed, or how it failed: one bad row must not end the comparison."""
    try:
        return compute()
    except Exception as error:  # noqa: BLE001 - every failure is an answer to compare
        crashes.append(f"{type(error).__name__}: {error}")
        return {"crash": crashes[-1]}


# --- goldens -------------------------------------------------------------------------------------------------


def golden_answers(api: SimpleNamespace, folder: Path) -> Iterator[tuple[str, Any]]:
    """Each golden event with every reply: encoded for every kind of verdict, and judged by every pack."""
    policies = {pack: _policies(api, pack) for pack in PACKS}
    for file in sorted(folder.glob("*.json")):
        raw = file.read_bytes()
        for host in HOSTS:
            found = {f"verdict {name}": _guarded(partial(_encoded, api, host, raw, name)) for name in OPINIONS}
            found["failed"] = _guarded(partial(_failed, api, host, raw))
            for pack in PACKS:
                found[f"pack {pack}"] = _guarded(partial(_handled, api, host, raw, policies[pack]))
            yield f"golden {file.stem} {host}", found


def _encoded(api: SimpleNamespace, host: str, raw: bytes, name: str) -> dict[str, Any]:
    dialect = api.dialect_of(host)
    event = dialect.decode(raw)
    opinions = [api.opinion(**fields) for fields in OPINIONS[name]]
    verdict = api.combine(opinions, getattr(event, "tool_input", {}), api.result_of(event))
    return _reply(dialect.encode(event, verdict))


def _failed(api: SimpleNamespace, host: str, raw: bytes) -> dict[str, Any]:
    dialect = api.dialect_of(host)
    event = dialect.decode(raw)
    return _reply(dialect.fail(event.hook_event_name, "guard.py failed", detail="KeyError: 'x'", event=event))


def _handled(api: SimpleNamespace, host: str, raw: bytes, policies: list[Any]) -> dict[str, Any]:
    return _reply(api.handle(_guard(api, policies, api.store()), host, raw))


def _reply(reply: Any) -> dict[str, Any]:
    found = {
        "exit": reply.exit_code,
        "stdout": reply.stdout.decode(),
        "stderr": reply.stderr,
        "lost": [f"{loss.effect}: {loss.instead}" for loss in reply.verdict.lowered],
    }
    return {name: value for name, value in found.items() if value}


def main(source: str, goldens: str, corpora: str) -> None:
    """Write every answer; exit with a message if one could not be computed."""
    api = find_api()
    used = importlib.import_module("interlock").__file__ or ""
    if not Path(used).resolve().is_relative_to(Path(source).resolve()):
        raise SystemExit(f"this would compare {used}, which is not below {source}")
    write = sys.stdout.write
    for key, value in golden_answers(api, Path(goldens)):
        write(json.dumps([key, value], sort_keys=True) + "\n")
    if corpora:
        for key, value in corpus_answers(api, Path(corpora)):
            write(json.dumps([key, value], sort_keys=True) + "\n")
    # Two checkouts that crash alike are not the same: nothing was compared.
    if crashes:
        raise SystemExit(f"{len(crashes)} answers could not be computed; the first: {crashes[0]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
