"""Programs that hand a version to everybody: registries of packages, extensions and apps, and makers of releases."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special

# Actions that upload to a store, and what people call lanes that do.
_STORES = frozenset({
    "deliver", "supply", "release", "pilot", "upload_to_app_store", "upload_to_play_store", "upload_to_testflight",
    "deploy", "submit", "publish", "production", "beta",
})  # fmt: skip


def _lane(draft: UseDraft) -> None:
    """A lane is the project's own; its name, and fastlane's own actions, say whether something goes to a store."""
    draft.operands = [*draft.words, *draft.operands]
    said = {word for word in draft.operands if ":" not in word}
    if said & _STORES:
        draft.add("publishes-package")
    if "nuke" in said:
        draft.add("publishes-package", "writes-secret", "cloud/deletes")


def _released(draft: UseDraft) -> None:
    """Release tools that do everything when they are started bare."""
    if not {"--dry-run", "--dryRun", "-d", "--snapshot", "--no-publish", "--help", "-h", "--version"} & set(draft.args):
        draft.add("publishes-package")


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
    "lane": _lane,
    "released": _released,
}
