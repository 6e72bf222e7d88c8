"""The packs and ready policies as they are shipped, loaded once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import interlock.packs
from interlock.config.bundles import core_policy, find_pack
from interlock.judging.guard import Guard
from interlock.policy.load import Policy, load_policy
from interlock.service import judge_again
from interlock.store.memory import MemoryStore
from interlock.testing.events import call_of, payload_for
from interlock.testing.pretend import PROJECT, Pretend
from interlock.verdict import Verdict

PACKS = ("core", "secrets", "files", "git", "network", "system", "packages", "containers", "cloud", "databases",
         "untrusted")  # fmt: skip
READY = ("guarded", "strict", "autonomous")
FILES = sorted(path.stem for path in Path(interlock.packs.__file__).parent.glob("*.yaml"))


@cache
def pack(name: str) -> Policy:
    file, text = find_pack(name, "interlock.yaml")
    return load_policy(text, file, find_pack)


@cache
def _guard(name: str) -> Guard:
    policies = [pack(name)] if name == "core" else [pack(name), core_policy()]
    return Guard(policies, Pretend(), MemoryStore(), project=PROJECT, alone=True, run_hooks=False)


def verdict(name: str, written: object) -> Verdict:
    """What a pack says of one call, as the first of a session."""
    tool, given = call_of(written)
    raw = payload_for("PreToolUse", {}, tool_name=tool, tool_input=given, tool_use_id="toolu_1")
    return judge_again(_guard(name), "claude-code", raw).verdict


def decision(name: str, written: object) -> str:
    return verdict(name, written).decision or "none"
