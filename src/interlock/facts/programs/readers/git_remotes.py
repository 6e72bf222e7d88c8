"""git: forms that reach other repositories."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft, names_url
from interlock.facts.programs.readers.git_settings import settings_of, take_setting, takes_template
from interlock.facts.programs.table import Special
from interlock.facts.programs.use import Push


def _remote(draft: UseDraft, word: str) -> None:
    """A repository by URL, `host:path` or path, or the name of one that is configured: no role has all of them."""
    if names_url(word):
        draft.urls.append(word)
    elif ":" in word and not word.startswith(("/", ".", "~")) and "\0" not in word.partition(":")[0]:
        if word.startswith("ext::"):
            draft.aside(word[5:])
        else:
            draft.hosts.append(word.partition(":")[0].rpartition("@")[2])
    elif "/" in word or word.startswith((".", "~")):
        draft.reads.append(word)


def _push(draft: UseDraft) -> None:
    """What is pushed where is put together from the words, the options and settings on the line."""
    flags = set(draft.flags)
    words = draft.operands
    repository = words[0] if words else draft.value("--repo")  # git takes the option only if there is no word
    words = words[1:]
    if repository is not None:
        _remote(draft, repository)
    for key, value in settings_of(draft):
        if (key.endswith(".push") and value.startswith("+")) or (key.endswith(".mirror") and value == "true"):
            draft.add("git/force-publishes", "forced")
    for word in words:
        plain = word.lstrip("+")
        source, mark, target = plain.partition(":")
        if word.startswith("+") or target.startswith("+"):
            draft.add("git/force-publishes", "forced")
        if (mark and not source) or "--delete" in flags:
            draft.add("git/deletes-remote")
        name = target if mark and target else source or target
        draft.refs.append(name.lstrip("+").removeprefix("refs/heads/"))
    if {"--all", "--mirror", "--branches"} & flags:
        draft.refs.append("*")
    elif not words and "--tags" not in flags:
        draft.refs.append("HEAD")
    draft.sends = "--dry-run" not in flags
    if not draft.sends:  # the hook still runs
        draft.drop("git/publishes", "git/force-publishes", "git/deletes-remote")
        return
    draft.push = Push(
        remote=repository or "",
        refspecs=tuple(words),
        force=bool({"--force", "--force-with-lease", "--force-if-includes"} & flags),
        delete="--delete" in flags,
        all=bool({"--all", "--branches"} & flags),
        mirror="--mirror" in flags,
        tags="--tags" in flags,
        follow_tags="--follow-tags" in flags,
        settings=tuple(settings_of(draft)),
        elsewhere="--git-dir" in flags or draft.name != "git",
        unsure=bool(draft.unknown) or repository == "\0",  # which may be several words
    )


def _send_pack(draft: UseDraft) -> None:
    """The program behind `git push`: told nothing, it sends every branch that both sides have."""
    flags = set(draft.flags)
    draft.push = Push(
        remote=draft.operands[0] if draft.operands else "",
        refspecs=tuple(draft.operands[1:]) or (":",),
        force="--force" in flags,
        all="--all" in flags,
        mirror="--mirror" in flags,
        unsure="--stdin" in flags or bool(draft.unknown),
    )


def _subtree_push(draft: UseDraft) -> None:
    """`git subtree push --prefix=x REPOSITORY BRANCH`."""
    words = draft.operands
    draft.push = Push(remote="".join(words[-2:-1]), refspecs=tuple(words[-1:]), unsure=len(words) < 2)


def _fetch(draft: UseDraft) -> None:
    """A repository, and references, of which some are written here."""
    if draft.operands and "--multiple" not in draft.flags:
        _remote(draft, draft.operands[0])
    for word in draft.operands[1:]:
        if word.startswith("+") or ":" in word:
            draft.refs.append(word.rpartition(":")[2])


def _clones(draft: UseDraft) -> None:
    """A repository is fetched into a new folder."""
    if not draft.operands:
        return
    source = draft.operands[0]
    _remote(draft, source)
    for name, value in draft.values:
        if name == "--config":
            key, _, text = value.partition("=")
            take_setting(draft, key, text)
    takes_template(draft)
    name = source.rstrip("/").rpartition("/")[2].rpartition(":")[2].removesuffix(".git")
    draft.creates.append(draft.operands[1] if len(draft.operands) > 1 else name or "\0")


def _archive(draft: UseDraft) -> None:
    """The archive of another repository, if one is named."""
    remote = draft.value("--remote")
    if remote is not None:
        _remote(draft, remote)
        draft.add("network")
    if (command := draft.value("--exec")) is not None:
        draft.aside(command)


def _first(draft: UseDraft) -> None:
    """`git ls-remote REPOSITORY REFS…`."""
    for word in draft.operands[:1]:
        _remote(draft, word)


def _others(draft: UseDraft) -> None:
    """`git remote add NAME REPOSITORY`."""
    for word in draft.operands[1:]:
        _remote(draft, word)


def _scp(draft: UseDraft) -> None:
    """Without files, those that were changed are sent."""
    draft.send(*draft.operands[1:])


READERS: dict[str, Special] = {
    "archive": _archive,
    "clones": _clones,
    "fetch": _fetch,
    "first": _first,
    "others": _others,
    "push": _push,
    "scp": _scp,
    "send_pack": _send_pack,
    "subtree_push": _subtree_push,
}
