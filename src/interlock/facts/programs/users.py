"""Users, groups, passwords and rights."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Table, act, look

__all__ = ["TABLE"]


def _passwd(draft: UseDraft) -> None:
    if "--status" in draft.flags:
        draft.looks("users", "writes-secret")


def _htpasswd(draft: UseDraft) -> None:
    """`-n` prints a line, `-v` compares."""
    if {"-n", "-v"} & set(draft.flags):
        draft.looks("users", "writes-secret")
    else:
        draft.writes += draft.operands[:1]


def _verifies(draft: UseDraft) -> None:
    if draft.name == "setcap" and "-v" in draft.flags:
        draft.looks("privilege", "permissions")


def _visudo(draft: UseDraft) -> None:
    if "--check" in draft.flags:
        draft.looks("users", "privilege")
    else:
        draft.writes.append(draft.value("--file") or "/etc/sudoers")


TABLE: Table = {
    "useradd adduser userdel deluser usermod groupadd addgroup groupdel delgroup groupmod gpasswd newusers chpasswd "
    "chgpasswd pwconv pwunconv grpconv pw luseradd sysadminctl dseditgroup dsenableroot "
    "pwpolicy newuidmap newgidmap": act("users", "D/defaults gethashtypes!dry getpolicy!dry *"),
    # A name and telephone numbers, for people to read.
    "chfn": act("system-settings", "f/full-name= o/office= p/office-phone= h/home-phone= r= w= u!dry v!dry *"),
    "vipw vigr": act("users", "V!dry h!dry *"),
    "chsh": act("users", "l/list-shells!dry s/shell= v!dry h!dry *"),
    "htpasswd": act("users writes-secret", "c b i n m 2 5 B C= r= d s p D v", special=_htpasswd),
    "passwd yppasswd smbpasswd pam_tally2": act("users writes-secret",
        "S/status a/all d/delete e/expire l/lock/list u/unlock n/mindays= x/maxdays= w/warndays= i/inactive= q/quiet "
        "R/root= r= stdin k *", special=_passwd),
    "visudo": act("users privilege", "c/check f/file= q/quiet s/strict O P x/export=", special=_visudo),
    "setcap": act("privilege permissions", "r v q n= *", "text mention*",
        special=_verifies),
    "kinit kdestroy kpasswd kadmin": act("signs-in network", "*"),
    "klist": look("*"),
    "lslogins lastlog2 pinky": look("*"),
    "polkit-agent-helper-1": act("privilege", "*"),
}  # fmt: skip
