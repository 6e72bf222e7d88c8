"""Programs that hand a version to everybody: registries of packages, extensions and apps, and makers of releases."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]

_OUT = act("publishes-package network", "dry-run!dry d/dryRun!dry *", "mention*")
_TAKE_BACK = act("publishes-package network", "dry-run!dry *")


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


TABLE: Table = {
    "vsce ovsx": Program("*", "text*", "changes network", subs={
        "ls list show search verify-pat get generate-manifest help": look("*", "text*", "network"),
            "package": act("runs-project", "*"),
        "publish unpublish": _OUT, "login logout create-publisher delete-publisher create-namespace": act("signs-in "
            "network", "*")}),
    "jsr": Program("*", "text*", "installs-package network", subs={"publish": _OUT, "show info": look("*", "text*",
        "network"),
        "*": act("installs-package network", "*")}),
    "goreleaser": Program("*", "text*", "runs-project", subs={
        "check healthcheck jsonschema completion help": look("*"), "build init": act("runs-project", "*"),
        "release r publish continue announce": act("runs-project publishes-package network",
            "snapshot!dry auto-snapshot skip= clean f/config=read p/parallelism= timeout= release-notes=read draft "
                "single-target k/key=")}),
    "semantic-release release-it np auto shipit release-please standard-release lerna-publish": act("runs-project "
        "network", "*", "mention*", special=_released),
    "changeset changesets": Program("*", "text*", "changes", subs={"status": look("*"), "publish": _OUT,
        "*": act("changes", "*")}),
    "lerna rush nx": Program("*", "text*", "runs-project", subs={
        "publish": act("publishes-package runs-project network", "*"),
        "exec": act("runs-project", "*", "argv"), "ls list changed diff info show report graph "
            "scan": look("*"),
        "version": act("git/commits git/publishes runs-project", "*"),
        "release": act("publishes-package git/commits runs-project network", "d/dry-run!dry skip-publish *"),
        "*": act("runs-project", "*", "mention*")}),
    "flit": Program("f/ini-file=read", "text*", "runs-project", subs={"publish": _OUT, "build install "
        "init": act("runs-project", "*")}),
    "pod": Program("*", "text*", "installs-package network", subs={
        "trunk": Program("*", subs={"push delete deprecate": _TAKE_BACK, "add-owner "
            "remove-owner": act("publishes-package", "*"),
            "me info": look("*", "text*", "network"), "register": act("signs-in", "*")}),
        "repo": Program("*", subs={"push": _OUT, "list": look("*"), "*": act("package-source network", "*")}),
        "spec lib": Program("*", subs={"lint which cat": look("*", "text*", "network"), "create": act("changes", "*")}),
        "search list outdated env": look("*", "text*", "network"), "cache": act("changes", "*"),
            "deintegrate": act("changes", "*"),
        "*": act("installs-package network", "*")}),
    "flutter fvm": Program("v/verbose d/device-id= version!dry", "text*", "runs-project", subs={
        "doctor devices analyze help": look("*"), "logs": look("c/clear!acts d= device-id="),
        "emulators": act("device", "*",
            special=lambda draft: draft.looks("device") if draft.args == ("emulators",) else None),
        "config channel": act("changes", "*", special=lambda draft: draft.looks("changes") if draft.args in (
            ("config", "--list"), ("channel",)) else None),
        "pub": Program("*", subs={"publish": _OUT, "deps outdated": look("*"), "*": act("installs-package network",
            "*")}),
        "*": act("runs-project", "*", "mention*")}),
    "mix": Program("*", "text*", "runs-project", special=lambda draft: _mix(draft)),
    "hex": act("publishes-package network", "*"),
    "cpan-upload cpan_upload mago-upload": _OUT,
    "fastlane": act("runs-project", "*", "mention*", special=_lane, subs={
        "action actions env docs search_plugins": look("*"),
        "init new_action add_plugin install_plugins update_plugins update_fastlane": act("changes", "*"),
        "*": act("runs-project", "*", "mention*", special=lambda draft: _lanes(draft))}),
    "cosign notation": Program("*", "text*", "network", subs={
        "verify verify-attestation verify-blob tree triangulate version ls list inspect dockerfile "
            "download": look("*", "text*", "network"),
        "sign attest attach copy upload clean save load push": act("publishes-package network", "*"),
        "generate-key-pair import-key-pair key cert": act("writes-secret", "*"), "*": act("changes network", "*")}),
    "gradle gradlew ./gradlew mvn mvnw ./mvnw sbt": Program("version!dry help!dry q/quiet D= P= "
        "f/file=file I/init-script=file "
        "pl= am "
        "T= U B e X o s/settings=read "
        "p/project-dir=base b/build-file=file x/exclude-task= offline dry-run!dry m!dry *", "mention*", "runs-project",
            special=lambda draft: _goals(draft)),
    "chart-releaser cr chartmuseum": act("publishes-package network", "*"),
    "butler steamcmd itch": Program("*", "text*", "network", subs={"push": _OUT, "status version": look("*", "text*",
        "network"), "*": act("changes network", "*")}),
    "web-ext chrome-webstore-upload": Program("*", "text*", "runs-project", subs={"sign upload publish": _OUT,
        "lint": look("*"), "*": act("runs-project", "*")}),
}  # fmt: skip


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
