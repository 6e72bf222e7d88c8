"""Control programs of servers whose verbs stand in unusual places, and files that are named by halves."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _postconf(draft: UseDraft) -> None:
    """A setting is shown by its name and set by `name=value`."""
    if {"-e", "-X", "-#", "-b"} & set(draft.flags) or any("=" in word for word in draft.operands):
        draft.add("system-settings")


def _exim(draft: UseDraft) -> None:
    """`exim -bp`, `-bt`, `-bV`: the queue, an address, the version."""
    if draft.args and draft.args[0] in {"-bp", "-bpc", "-bpr", "-bpru", "-bt", "-bv", "-bV", "-bP", "-bh"}:
        draft.looks("notifies", "network")


_CEPH_SHOWS = frozenset({
    "status", "stat", "df", "tree", "ls", "dump", "stats", "perf", "detail", "list", "get", "find", "metadata",
    "versions", "metrics", "blocked-by", "ls-tree", "query", "count-metadata", "lspools", "export",
})  # fmt: skip


def _ceph(draft: UseDraft) -> None:
    """`ceph -s`, `ceph osd tree`: the second word says what is shown."""
    words = draft.operands
    alone = {"status", "health", "df", "version", "versions", "report", "fsid", "features", "quorum_status", "time"}
    second = "".join(words[2:3] if words[1:2] in (["pool"], ["module"]) else words[1:2])
    if words[:1] == ["auth"] and second in {"get", "get-key", "print-key", "print_key", "export", "ls", "list"}:
        draft.looks("changes")
        draft.add("reads-secret")
    elif words[:1] == ["auth"] and second != "caps":
        draft.add("reads-secret" if second.startswith("get") else "writes-secret")
    elif second in {"delete", "rm", "purge", "destroy", "zap"}:
        draft.add("database/drops")
    elif second in _CEPH_SHOWS or (words and words[0] in alone) or (not words and "--status" in draft.flags):
        draft.looks("changes")


def _sysrc(draft: UseDraft) -> None:
    """A setting is shown by its name and set by `name=value`."""
    if "-x" not in draft.flags and not any("=" in word for word in draft.operands):
        draft.looks("service", "autostart")


def _pihole(draft: UseDraft) -> None:
    """Its verbs may be options."""
    if draft.args[:1] in ((), ("status",), ("version",), ("query",), ("tail",), ("-q",), ("-v",), ("-t",), ("-c",)):
        draft.looks("service", "system-settings")


def _needrestart(draft: UseDraft) -> None:
    """`-r l` lists what would be restarted."""
    if draft.value("-r") == "l" or {"-b", "-p"} & set(draft.flags):
        draft.looks("service")


def _module(draft: UseDraft) -> None:
    """A module is two files here, the policy and its source."""
    for name, value in draft.values:
        if name == "-M":
            draft.writes += [value + ".te", value + ".pp"]


READERS: dict[str, Special] = {
    "ceph": _ceph,
    "exim": _exim,
    "module": _module,
    "needrestart": _needrestart,
    "pihole": _pihole,
    "postconf": _postconf,
    "sysrc": _sysrc,
}
