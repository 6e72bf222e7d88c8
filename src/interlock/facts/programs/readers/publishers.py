"""Build tools that hand out what they built."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special

# Goals and tasks by which build tools hand out what they built.
_GOALS = (
    "deploy",
    "deploy:deploy-file",
    "site-deploy",
    "release:perform",
    "nexus-staging:release",
    "publish",
    "publishSigned",
)


def _goals(draft: UseDraft) -> None:
    """Names of tasks are put together, and one that ends in `Local` stays on the machine."""
    for word in draft.operands:
        goal = word.rpartition(":")[2] if draft.name != "mvn" else word
        if (
            word in _GOALS
            or goal == "publish"
            or (goal.startswith("publish") and not goal.endswith(("ToMavenLocal", "Local", "M2")))
        ):
            draft.add("publishes-package", "network")


READERS: dict[str, Special] = {
    "gradle": _goals,
}
