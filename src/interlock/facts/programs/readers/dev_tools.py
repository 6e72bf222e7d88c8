"""Tools around a project: tests, documents, diagrams, schemas, releases, dotfiles, notebooks, data, models, and "
"sending files."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _sends(draft: UseDraft) -> None:
    """Every operand that is no URL is a file that leaves."""
    files = [word for word in draft.operands if "://" not in word]
    if files:
        draft.send(*files)
    else:
        draft.add("sends-stdin")


def _shares(draft: UseDraft) -> None:
    if {"--list", "--read"} & set(draft.flags):
        draft.looks()
    elif (
        draft.name == "airshare" and len(draft.operands) < 2 and not {"--upload", "--file-path", "-f"} & set(draft.args)
    ):
        draft.add("downloads")  # a code alone: what somebody offers under it is fetched
    else:
        _sends(draft)


def _listens_to_others(draft: UseDraft) -> None:
    """A server for this machine alone, unless it is given another address."""
    for name, value in draft.values:
        if name == "--host" and value not in {"localhost", "127.0.0.1", "::1"}:
            draft.add("network/listens")


READERS: dict[str, Special] = {
    "listens_to_others": _listens_to_others,
    "sends": _sends,
    "shares": _shares,
}
