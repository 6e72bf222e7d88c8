"""git: its settings, wherever they are given: on the line, in the environment, or kept by `git config`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special

# Settings whose value is a command.
_COMMAND_KEYS = ("alias.", "core.sshcommand", "core.pager", "core.editor", "core.fsmonitor", "core.gitproxy",
                 "diff.external", "sequence.editor", "credential.helper", "gpg.program", "gpg.ssh.program", "pager.",
                 "uploadpack.packobjectshook", "core.askpass", "ssh.variant")  # fmt: skip
_COMMAND_ENDS = (".textconv", ".command", ".cmd", ".clean", ".smudge", ".process", ".driver", ".helper", ".path",
                 ".uploadpack", ".receivepack", ".proxy", ".program")  # fmt: skip
# Those by which git runs something of its own accord.
_CHOOSES = frozenset({"core.hookspath", "core.fsmonitor", "core.sshcommand", "core.gitproxy",
                      "uploadpack.packobjectshook"})  # fmt: skip
_TRANSPORTS = frozenset({"core.sshcommand", "core.gitproxy"})
_REACHES = frozenset({"fetch", "pull", "push", "clone", "ls-remote", "remote", "submodule", "archive", "lfs", "svn",
                      "fetch-pack", "send-pack", "maintenance", "backfill"})  # fmt: skip
# How long git keeps what nothing leads to any more, and a value by which that ends now.
_KEEPS_LOST = frozenset({"gc.pruneexpire", "gc.reflogexpire", "gc.reflogexpireunreachable", "gc.cruftexpire"})
_AT_ONCE = re.compile(r"now|all|0|false|\d+[. ]?(?:second|minute|hour)")
_TRUSTS = re.compile(r"http\.(?:.+\.)?(?:proxy)?sslverify$")
_BOOLEAN = frozenset({"", "true", "false", "yes", "no", "on", "off", "0", "1"})
_OFF = frozenset({"false", "no", "off", "0"})


def settings_of(draft: UseDraft) -> Iterator[tuple[str, str]]:
    """The settings that stand on the line, keys in lower case; what is not known is `\\0`."""
    for name, value in draft.values:
        if name == "-c":
            key, mark, text = value.partition("=")
            low = text.lower()
            yield key.lower(), "false" if low in _OFF else "true" if not mark or low in _BOOLEAN - {""} else text
        elif name == "--config-env":
            yield value.partition("=")[0].lower(), "\0"


def settings_in(env: Mapping[str, str]) -> tuple[str, ...]:
    """The settings that variables give to git, as it would take them on the line."""
    count = env.get("GIT_CONFIG_COUNT", "").strip().lstrip("0")
    if not count:
        return ()
    words: list[str] = []
    for name, key in env.items():
        at = name.removeprefix("GIT_CONFIG_KEY_")
        if at != name:
            words += ["-c", f"{key}={env.get(f'GIT_CONFIG_VALUE_{at}', chr(0))}"]
    # The variables of more of them, if there are more, are set elsewhere.
    return tuple(words) if count == str(len(words) // 2) else (*words, "-c", "\0=\0")


def take_settings(draft: UseDraft) -> None:
    """What the settings on the line do."""
    for key, value in settings_of(draft):
        if key in _TRANSPORTS and not _REACHES & set(draft.words):
            continue  # nobody is reached
        take_setting(draft, key, value)
    if draft.value("--exec-path") is not None:
        draft.add("git/chooses-programs")
        draft.acts()


def takes_template(draft: UseDraft) -> None:
    """A new repository gets its hooks and settings from the folder that is named."""
    if draft.value("--template"):
        draft.add("git/chooses-programs")
        draft.acts()


def take_setting(draft: UseDraft, key: str, value: str) -> None:
    """A setting that names a command is a command."""
    low = key.lower()
    plain = value.lower() in _BOOLEAN
    if "\0" in low:
        draft.add("git/chooses-programs")
        draft.acts()
    elif low in {"include.path"} or (low.startswith("includeif.") and low.endswith(".path")):
        draft.run("file", value, by="git")
        draft.acts()
    elif low.startswith("alias.") and not value.startswith("!"):
        return
    elif low in _CHOOSES and not (plain and low == "core.fsmonitor"):
        draft.add("git/chooses-programs")
        draft.acts()
        if low != "core.hookspath":
            draft.aside(value)
    elif not plain and (low.startswith(_COMMAND_KEYS) or low.endswith(_COMMAND_ENDS)):
        draft.aside(value.removeprefix("!"))
        draft.acts()
        if low.startswith("alias."):
            draft.add("git/chooses-programs")
    if low in _KEEPS_LOST and _AT_ONCE.match(value.lower()):
        draft.add("git/expires")
        draft.acts()
    if (low in {"commit.gpgsign"} or _TRUSTS.match(low)) and value.lower() in _OFF:
        draft.add("insecure")


_READS = frozenset({"--get", "--get-all", "--get-regexp", "--get-urlmatch", "--list", "--get-color", "--get-colorbool",
                    "--name-only"})  # fmt: skip
_REMOVES = frozenset({"--unset", "--unset-all", "--remove-section"})
_CHANGES = _REMOVES | {"--rename-section", "--add", "--replace-all"}
_SECRETS = ("token", "password", "credential")
# They give git credentials, and are set up so by their own makers.
_HELPERS = re.compile(r"!\s*(?:\S*/)?(?:gh|glab|aws|gcloud|az|git)\s")
_OF_OTHERS = re.compile(r"!|(?!/usr/|/bin/|/opt/|/Applications/)\S*/\S*(?:\s|$)|[^$]*(?:[;|&`]|\$\()")


def _keep_setting(draft: UseDraft, key: str, value: str) -> None:
    """A setting that holds from now on."""
    take_setting(draft, key, value)
    low = key.lower()
    commands = low.startswith(_COMMAND_KEYS) or (low.endswith(_COMMAND_ENDS) and not low.startswith("submodule."))
    if commands and not low.startswith("alias.") and _OF_OTHERS.match(value) and not _HELPERS.match(value):
        draft.add("git/chooses-programs")
    parts = low.split(".")
    if parts[0] == "remote" and ((parts[-1] == "push" and value.startswith("+")) or parts[-1:] == ["mirror"]):
        draft.add("git/force-publishes", "forced")


def _config(draft: UseDraft) -> None:
    """Keys decide what a setting does: some name commands, some hold secrets."""
    flags = set(draft.flags)
    words = draft.operands
    form = words[0] if words else ""
    if form in {"get", "list"} and not flags & {"--unset", "--add"}:
        return
    if form == "edit" or "--edit" in flags:
        draft.add("git/config", "interactive")
    elif flags & _CHANGES or form in {"set", "unset", "rename-section", "remove-section"}:
        draft.add("git/config")
        words = words[1:] if form == "set" else words
        if len(words) > 1 and not flags & _REMOVES and form not in {"unset", "remove-section", "rename-section"}:
            _keep_setting(draft, words[0], words[1])
    elif not flags & _READS and len(words) > 1:
        draft.add("git/config")
        _keep_setting(draft, words[0], words[1])
    elif words and "--list" not in flags and any(key in words[0].lower() for key in _SECRETS):
        draft.add("reads-secret")
    if "git/config" in (draft.traits or ()):
        draft.acts()
        file = draft.value("--file")
        if file is not None or "--system" in flags:
            draft.writes.append(file or "/etc/gitconfig")


def _git(draft: UseDraft) -> None:
    """Settings on the line, and a subcommand that is an alias given there."""
    take_settings(draft)
    if draft.words or not draft.operands:
        return
    name, *rest = draft.operands
    for key, text in settings_of(draft):
        if key == f"alias.{name.lower()}" and not text.startswith("!"):
            draft.run("argv", "git", *text.replace("'", "").replace('"', "").split(), *rest)


READERS: dict[str, Special] = {
    "config": _config,
    "git": _git,
    "takes_template": takes_template,
}
