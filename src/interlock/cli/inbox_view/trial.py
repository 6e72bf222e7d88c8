"""What the rules say to an edited call, before a person lets it run. Nothing is run, and nothing is recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import json

from interlock.errors import InterlockError
from interlock.hosts.claude_code.runtime import built_in_policies
from interlock.judging.in_force import policies_in_force
from interlock.store.asking import ApprovalRequest
from interlock.store.base import Store
from interlock.store.glance import GlanceStore
from interlock.testing.events import payload_for
from interlock.testing.trial import TRIAL_CALL, CallTrial

__all__ = ["rules_on_edit"]

_WORDS = {
    "deny": "denied",
    "defer": "left to the host",
    "ask": "asked about, which your yes answers",
    "allow": "allowed",
}


def rules_on_edit(request: ApprovalRequest, edited: dict[str, Any], store: Store) -> str:
    """What the rules of the project say now. Hooks, which run something, speak when the call is really judged."""
    project = Path(request.project)
    if not project.is_dir():
        return "not known here: the project is elsewhere"
    try:
        force = policies_in_force(project, remember=False)
        judges = (*force.policies, *built_in_policies(force.policies, force.depends))
        shown = json.decode(request.body)
        fields: dict[str, Any] = {
            "session_id": request.session, "cwd": shown.get("cwd") or request.project,
            "tool_name": request.tool, "tool_input": edited, "tool_use_id": TRIAL_CALL,
        }  # fmt: skip
        if request.agent:
            fields |= {"agent_id": request.agent, "agent_type": shown.get("agent") or ""}
        trial = CallTrial(judges, project, store=GlanceStore(store))
        try:
            verdict = trial.judge(payload_for("PreToolUse", {}, **fields)).verdict
        finally:
            trial.close()
    except InterlockError as error:
        return f"not known: {error.in_one_line()}"
    word = _WORDS.get(verdict.decision or "", "nothing against it")
    why = "; ".join(f"{reason.text} ({reason.by})" for reason in verdict.reasons)
    return f"{word}: {why}" if why else word
