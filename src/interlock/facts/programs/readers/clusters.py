"""What works beside kubectl: delivery, meshes, schedulers, local clusters, machines, keepers of secrets."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _passes_on(draft: UseDraft) -> None:
    """`k3s kubectl get pods`: another program that comes with this one, with its own words."""
    if draft.args[:1] in (("kubectl",), ("crictl",), ("ctr",), ("helm",), ("helm3",)) and len(draft.args) > 1:
        words = draft.args[1:]
        draft.runs = []
        draft.run("argv", draft.args[0], *(words[1:] if words[0] == "--" else words))
        # What the words mean is for the other program to say.
        draft.traits = None
        draft.dry = False
        draft.looks()


def _powers_off(draft: UseDraft) -> None:
    """`controlvm NAME poweroff` takes the power away from a running machine; to pause it or ask it to stop is mild."""
    if draft.operands[:1] == ["controlvm"] and draft.operands[2:3] in (["poweroff"], ["reset"], []):
        draft.add("container/removes")


READERS: dict[str, Special] = {
    "passes_on": _passes_on,
    "powers_off": _powers_off,
}
