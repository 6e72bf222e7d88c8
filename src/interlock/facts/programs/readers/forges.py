"""Code forges: GitHub's, GitLab's and others' command lines."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Rewrite, Special

# Mutations of GraphQL that take something away, or let it in for good.
_GONE = ("delete", "archive", "merge", "remove", "transfer")
# What decides who may do what, and what runs by itself.
_GUARDS = frozenset(
    {"protection", "collaborators", "secrets", "hooks", "keys", "rulesets", "environments", "permissions"}
)


def _gone(query: str) -> bool:
    """Whether a query of GraphQL takes something away."""
    names = query.replace("(", " ").replace("{", " ").split()
    return "mutation" in query and any(name.startswith(_GONE) for name in names)


def _api(draft: UseDraft) -> None:
    """`gh api`: a GET looks, anything else writes; fields make it a POST."""
    flags = set(draft.flags)
    method = (draft.value("--method") or "").upper()
    fields = {"--field", "--raw-field", "--input"} & flags
    graphql = draft.operands[:1] == ["graphql"]
    for name, value in draft.values:
        if name == "--input":
            draft.add("sends-stdin") if value == "-" else draft.send(value)
        elif name == "--field" and value.partition("=")[2].startswith("@"):
            draft.send(value.partition("=")[2][1:])
    if graphql:
        queries = [
            value.partition("=")[2]
            for name, value in draft.values
            if name in {"--field", "--raw-field"} and value.startswith("query=")
        ]
        if any(_gone(query) for query in queries):
            draft.add("forge/deletes")
        if (
            len(queries) == 1
            and queries[0].lstrip().startswith(("query", "{"))
            and "mutation" not in queries[0]
            and method in {"", "POST"}
        ):
            draft.looks("forge/writes")
        return
    if method in {"GET", "HEAD"} or (not method and not fields):
        draft.looks("forge/writes")
        if "\0" in "".join(draft.operands):
            draft.acts()
    elif method == "DELETE":
        draft.add("forge/deletes")
    elif method != "GET" and _GUARDS.intersection("/".join(draft.operands[:1]).split("/")):
        draft.add("cloud/access")


def _clone(draft: UseDraft) -> None:
    """The folder is named after the repository, unless it is named itself."""
    if draft.operands:
        name = draft.operands[0].rstrip("/").rpartition("/")[2]
        draft.creates.append(draft.operands[1] if len(draft.operands) > 1 else name)


def _alias(draft: UseDraft) -> None:
    """An alias is a shell's text if it begins with `!`, or by an option."""
    if len(draft.operands) > 1 and (draft.operands[1].startswith("!") or "--shell" in draft.flags):
        draft.run("shell", draft.operands[1].removeprefix("!"))


_RUN_SETTINGS = ("hooks.", "ui.ssh", "ui.editor", "ui.merge", "extdiff.cmd", "pager.pager")


def _settings(draft: UseDraft) -> None:
    """`hg --config alias.x=!cmd x`."""
    for name, value in draft.values:
        text = value.partition("=")[2]
        key = value.partition("=")[0]
        if name == "--config" and text.startswith("!"):
            draft.aside(text[1:])
        elif name == "--config" and key.startswith(_RUN_SETTINGS):
            draft.aside(text)
        if name == "--config-option" and ":tunnels:" in key:
            draft.aside(text)


READERS: dict[str, Special] = {
    "alias": _alias,
    "api": _api,
    "clone": _clone,
    "settings": _settings,
}


REWRITES: dict[str, Rewrite] = {
    "etckeeper_vcs": (lambda args: ("git", *args)),
}
