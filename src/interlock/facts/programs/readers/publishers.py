"""Programs that hand a version to everybody: registries of packages, extensions and apps, and makers of releases."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _lane(draft: UseDraft) -> None:
    """A lane is the project's own; its name, and fastlane's own actions, say whether something goes to a store."""
    said = [word for word in draft.operands if ":" not in word]
    if {
        "deliver",
        "supply",
        "release",
        "pilot",
        "upload_to_app_store",
        "upload_to_play_store",
        "upload_to_testflight",
    } & set(said) or any(word in {"deploy", "submit", "publish", "production", "beta"} for word in said):
        draft.add("publishes-package")
    if "nuke" in said:
        draft.add("publishes-package", "writes-secret", "cloud/deletes")


def _released(draft: UseDraft) -> None:
    """Release tools that do everything when they are started bare."""
    if not {"--dry-run", "--dryRun", "-d", "--snapshot", "--no-publish", "--help", "-h", "--version"} & set(draft.args):
        draft.add("publishes-package")


def _mix(draft: UseDraft) -> None:
    """Every task reads the project's own mix.exs, which is code."""
    task = draft.operands[0] if draft.operands else ""
    if task.startswith("hex.") and task.rpartition(".")[2] in {"publish", "retire", "owner", "organization"}:
        if "--dry-run" not in draft.args:
            draft.add("publishes-package", "network")
    elif task in {"ecto.drop", "ecto.reset", "ecto.rollback", "ecto.load"}:
        draft.add("database/deletes")
    elif task.startswith(("deps.", "local.", "archive.", "escript.")) or task in {"hex.install"}:
        draft.add("installs-package", "network")


def _lanes(draft: UseDraft) -> None:
    draft.operands = [*draft.words, *draft.operands]
    _lane(draft)


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
    "fastlane": (lambda draft: _lanes(draft)),
    "flutter_config": (
        lambda draft: draft.looks("changes") if draft.args in (("config", "--list"), ("channel",)) else None
    ),
    "flutter_emulators": (lambda draft: draft.looks("device") if draft.args == ("emulators",) else None),
    "gradle": (lambda draft: _goals(draft)),
    "lane": _lane,
    "mix": (lambda draft: _mix(draft)),
    "released": _released,
}
