"""A machine's own network: interfaces, addresses, routes, wireless, bridges and private networks."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _names(draft: UseDraft) -> None:
    """A name, a level or a switch after the word sets it."""
    if draft.operands:
        draft.add("system-settings")
        draft.acts()


def _switches(draft: UseDraft) -> None:
    if {"on", "off"} & set(draft.operands):
        draft.add("system-settings")
        draft.acts()


def _ifconfig(draft: UseDraft) -> None:
    words = draft.operands
    if len(words) > 1 and not (len(words) == 2 and words[1] in {"inet", "inet6", "ether", "link"}):
        draft.add("system-settings")
        draft.acts()


def _route(draft: UseDraft) -> None:
    if set(draft.operands) & {"add", "del", "delete", "change", "flush"}:
        draft.add("system-settings")
    elif draft.name in {"arp", "ndp"}:
        draft.add("network/maps")


def _iw(draft: UseDraft) -> None:
    """`iw dev NAME VERB …` and `iw phy NAME VERB …`."""
    words = draft.operands[1:]
    looks = {"info", "link", "scan", "get", "survey", "channels", "help", "dump", "list"}
    if words and words[0] not in looks and words[1:2] not in (["dump"], ["get"], ["show"]):
        draft.add("system-settings")
        draft.acts()


def _iwctl(draft: UseDraft) -> None:
    """`iwctl station list`, `iwctl station wlan0 show`."""
    words = draft.operands
    if words[1:2] == ["list"] or words[2:3] in (["show"], ["scan"], ["get-networks"], ["get-bsses"]):
        draft.looks("system-settings")


def _lldp(draft: UseDraft) -> None:
    if {"configure", "unconfigure", "pause", "resume"} & set(draft.operands):
        draft.add("system-settings")
        draft.acts()


READERS: dict[str, Special] = {
    "ifconfig": _ifconfig,
    "iw": _iw,
    "iwctl": _iwctl,
    "lldp": _lldp,
    "macchanger": (
        lambda draft: (
            draft.looks("system-settings") if draft.flags and {"--show", "--list"}.issuperset(draft.flags) else None
        )
    ),
    "names": _names,
    "route": _route,
    "switches": _switches,
}
