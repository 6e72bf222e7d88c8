"""A machine's own network: interfaces, addresses, routes, wireless, bridges and private networks."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special

_FIREWALL_ASKS = ("--list", "--get", "--query", "--info", "--state", "--check-config", "--path-")
_FIREWALL_PLACES = frozenset({
    "--permanent", "--zone", "--policy", "--ipset", "--service", "--icmptype", "--helper", "--direct", "--quiet",
    "--timeout", "--version", "--help",
})  # fmt: skip


def _firewall_cmd(draft: UseDraft) -> None:
    """Every option begins with what it does: `--list-all`, `--get-zones`, `--add-service`."""
    flags = [flag for flag in draft.flags if flag not in _FIREWALL_PLACES]
    if flags and all(flag.startswith(_FIREWALL_ASKS) for flag in flags):
        draft.looks("firewall")


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


READERS: dict[str, Special] = {
    "firewall_cmd": _firewall_cmd,
    "iw": _iw,
    "iwctl": _iwctl,
}
