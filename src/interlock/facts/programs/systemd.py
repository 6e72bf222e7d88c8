"""Services, timers, logs and jobs."""

from __future__ import annotations

import posixpath

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Special, Table, act, look

__all__ = ["TABLE"]

_SYSTEMCTL = (
    "t/type= state= failed p/property= P= a/all r/recursive reverse after before l/full value show-types job-mode= "
    "check-inhibitors= i i/ignore-inhibitors kill-whom= kill-value= s/signal= what= now dry-run!dry q/quiet "
    "v/verbose wait no-block user system no-wall no-reload legend= no-legend no-pager no-ask-password global "
    "runtime f/force!forced preset-mode= root= n/lines= o/output= "
    "plain timestamp= when= no-warn H/host=host M/machine= firmware-setup boot-loader-menu= read-only mkdir marked "
    "with-dependencies"
).replace(" i i/", " i/")
_UNITS = "text*"


def _named(shown: int) -> Special:
    """So many words name what is shown; one more sets it."""

    def judge(draft: UseDraft) -> None:
        if len(draft.operands) <= shown:
            draft.looks("service", "system-settings", "network")

    return judge


def _edits(draft: UseDraft) -> None:
    draft.add("interactive", "autostart")


def _called_off(draft: UseDraft) -> None:
    """`--when=cancel`: the machine stays on."""
    if draft.value("--when") == "cancel":
        draft.drop("reboots")
        draft.add("service")


def _journal(draft: UseDraft) -> None:
    if {"--vacuum-size", "--vacuum-time", "--vacuum-files", "--rotate"} & set(draft.flags):
        draft.add("log-wiped")
    elif {"--flush", "--sync", "--relinquish-var", "--setup-keys", "--update-catalog"} & set(draft.flags):
        draft.add("changes")


def _run(draft: UseDraft) -> None:
    if {"--on-calendar", "--on-active", "--on-boot", "--on-startup", "--timer-property"} & set(draft.flags):
        draft.add("schedules")
    if draft.operands:
        draft.run("argv", *draft.operands)
    elif "--shell" in draft.flags:
        draft.stdin = "shell"


def _service(draft: UseDraft) -> None:
    """`service NAME status`, and listings of all."""
    flags = set(draft.flags)
    listing = "--status-all" in flags or draft.args[:1] == ("--status-all",)
    if draft.operands and "/" in draft.operands[0]:  # it is run from where services' scripts stand
        draft.run("argv", posixpath.normpath("/etc/init.d/" + draft.operands[0]), *draft.operands[1:])
    if draft.name == "rc-service":
        listing = bool({"-l", "-e", "-r", "--list", "--exists", "--resolve"} & flags)
    if listing or draft.operands[1:2] == ["status"]:
        draft.looks("service")


def _runit(draft: UseDraft) -> None:
    """`sv status NAME`: the verb comes first."""
    if draft.operands[:1] in (["status"], ["s"], ["list"], ["ls"], ["get"], ["check"], ["version"], ["show-config"]):
        draft.looks("service")


def _rc_update(draft: UseDraft) -> None:
    if draft.operands[:1] in ([], ["show"]) and {"-v", "--verbose"}.issuperset(draft.flags):
        draft.looks("service", "autostart")


def _at(draft: UseDraft) -> None:
    flags = set(draft.flags)
    if {"-l", "-c"} & flags or draft.name == "atq":
        draft.looks("schedules")
    elif {"-d", "-r"} & flags or draft.name == "atrm":
        draft.add("changes")
    elif (file := draft.value("-f")) is not None:
        draft.reads.append(file)
        draft.run("file", file, by="at")
    else:
        draft.stdin = "shell"


def _crontab(draft: UseDraft) -> None:
    flags = set(draft.flags)
    if "-l" in flags:
        draft.looks("schedules")
    elif "-r" in flags:
        draft.add("changes")
    elif "-e" in flags:
        draft.add("interactive")
    elif draft.operands and draft.operands[0] != "-":
        draft.reads.append(draft.operands[0])
        draft.run("file", draft.operands[0], by="crontab")
    else:
        draft.stdin = "shell"


def _sets_one(draft: UseDraft) -> None:
    """`resolvectl dns eth0 ADDRESS` sets it."""
    if len(draft.operands) > 1:
        draft.add("system-settings")


def _sets(draft: UseDraft) -> None:
    if (
        draft.operands
        and draft.operands[0].startswith(("set-", "hostname", "chassis", "deployment", "location", "icon-name"))
        and (draft.operands[0].startswith("set-") or len(draft.operands) > 1)
    ):
        draft.add("system-settings")
        draft.acts()


_CTL = (
    "no-pager no-legend l/full a/all p/property= value H/host=host M/machine= q/quiet j/json= no-ask-password "
    "transient static pretty n/lines= o/output= adjust-system-clock monitor 4 6 i/interface= t/type= s/signal= "
    "kill-whom= user system"
)

TABLE: Table = {
    "systemctl": look(_SYSTEMCTL, subs={
        "status show cat list-units list-unit-files list-timers list-sockets list-dependencies list-jobs "
        "list-machines list-automounts list-paths is-active is-enabled is-failed is-system-running get-default "
        "help show-environment whoami": look(_SYSTEMCTL, _UNITS),
        "start stop restart reload try-restart reload-or-restart try-reload-or-restart condrestart isolate clean "
        "freeze thaw reset-failed daemon-reload daemon-reexec bind mount-image cancel": act("service", _SYSTEMCTL),
        "log-level log-target service-watchdogs": act("service", _SYSTEMCTL, special=_named(0)),
        "service-log-level service-log-target": act("service", _SYSTEMCTL, special=_named(1)),
        "kill": act("service kills", _SYSTEMCTL),
            "enable reenable link preset preset-all add-wants add-requires": act("service autostart", _SYSTEMCTL,
                "mention*"), "disable mask unmask revert": act("service", _SYSTEMCTL),
        # How much a unit may use; `revert` takes it back.
        "set-property": act("service", _SYSTEMCTL),
        "edit": act("service", _SYSTEMCTL + " stdin drop-in=", special=_edits),
            "set-default set-environment unset-environment import-environment": act("system-settings service",
                _SYSTEMCTL),
        "reboot poweroff halt suspend hibernate hybrid-sleep suspend-then-hibernate kexec soft-reboot exit rescue "
        "emergency default switch-root sleep": act("reboots", _SYSTEMCTL, special=_called_off),
    }),
    "journalctl": look("system user M/machine= m/merge D/directory=read file=read i= root= namespace= image= "
        "S/since= U/until= c/cursor= after-cursor= cursor-file=write b/boot? 0 1 2 3 4 5 6 7 8 9 u/unit= user-unit= "
        "t/identifier= T= "
        "p/priority= facility= g/grep= case-sensitive? k/dmesg invocation= I o/output= output-fields= n/lines? "
        "r/reverse show-cursor utc x/catalog no-hostname no-full l/full a/all f/follow "
        "no-tail q/quiet no-pager e/pager-end truncate-newline N/fields F/field= list-boots "
        "disk-usage vacuum-size= vacuum-files= vacuum-time= verify verify-key= sync "
        "relinquish-var smart-relinquish-var flush rotate header list-catalog dump-catalog "
        "update-catalog setup-keys interval= force list-invocations list-namespaces",
                                       special=_journal),
    "systemd-run": Program("no-ask-password scope u/unit= p/property= description= slice= slice-inherit "
        "expand-environment= r/remain-after-exit send-sighup service-type= uid= gid= nice= working-directory=base "
        "d/same-dir E/setenv= t/pty P/pipe q/quiet ignore-failure background= on-active= on-boot= on-startup= "
        "on-unit-active= on-unit-inactive= on-calendar= on-clock-change on-timezone-change path-property= "
        "socket-property= timer-property= no-block wait G/collect S/shell user system H/host=host "
        "M/machine= job-mode=", "text*", "service", special=_run, stops=True),
    "systemd-analyze systemd-cgls systemd-cgtop systemd-delta systemd-path systemd-escape systemd-id128 "
    "systemd-resolve": look("user system global order require no-pager *", "mention*"),
    "systemd-firstboot": act("system-settings", "root-password=text!users root-password-file=read!users "
        "root-password-hashed=text!users delete-root-password!users root-shell=text!users reset!users force!forced "
        "copy-root-password!users root= image= prompt prompt-root-password!users hostname= keymap= locale= timezone= *",
        "mention*"),
    "systemd-tmpfiles systemd-sysusers systemd-machine-id-setup systemd-cryptenroll systemd-nspawn "
    "systemd-creds systemd-mount systemd-umount systemd-ask-password systemd-notify systemd-cat":
            act("system-settings", "*", "mention*"),
    "systemd-hwdb": look("*", subs={"query": look("*"), "*": act("system-settings", "*")}),
    "homectl": look(_CTL, subs={"list inspect show": look(_CTL), "with": act("users", "", "text argv"),
        "*": act("users", "*")}),
    "loginctl machinectl portablectl importctl": look(_CTL, subs={
        "list-sessions session-status show-session list-users user-status show-user list-seats seat-status show-seat "
        "list status show list-images image-status show-image tree introspect list-names get-property monitor "
        "capture list-transfers inspect": look(_CTL),
        "kill-session terminate-session kill-user terminate-user terminate poweroff kill reboot remove": act("kills",
            "*"), "shell login": act("privilege", "*"), "enable-linger": act("autostart", "*"),
        "*": act("system-settings", "*")}),
    "hostnamectl timedatectl localectl": look(_CTL, special=_sets),
    "resolvectl oomctl udevadm": look(_CTL + " legend= c/class= p/protocol= raw? cache= zone= cname=", subs={
        "dns domain llmnr mdns dnssec dnsovertls nta default-route": look(_CTL + " *", "text*", "network",
            special=_sets_one), "status query statistics info show-cache "
        "show-server-state monitor settle verify test cat service openpgp tlsa": look(_CTL + " *", "text*",
            "network"), "*": act("system-settings", "*")}),
    "service invoke-rc.d rc-service s6-svc runsvdir runsvchdir": act("service",
        "status-all full-restart *", special=_service),
    "svcadm": act("service", "r s t v e *"),
    "svcs svcprop": look("*"),
    "sv initctl rcctl": act("service", "*", special=_runit),
    "rc-status s6-svstat": look("*"),
    "rc-update": act("service autostart", "a/all v/verbose u/update", special=_rc_update),
    "openrc": act("service autostart", "*"),
    "at batch atq atrm": act("schedules", "V!dry q= f= m M k t= l b c d r v", special=_at),
    "crontab": act("schedules", "u= l r e i s n", special=_crontab),
    # The daemon itself; what it runs stands in tables of its own.
    "cron crond anacron fcron": act("service", "V!dry h!dry *"),
    "dbus-send gdbus qdbus dbus-monitor": act("changes", "*"),
    # Alone it takes commands from its input.
    "launchctl": Program(stdin="code:other", traits="read-only", subs={
        "list print print-disabled print-cache blame error hostinfo version help resolveport "
        "procinfo managername managerpid manageruid examine dumpstate dumpjpcategory variant getenv plist": look("*"),
            "start kickstart": act("service", "*", "mention*"),
            "load bootstrap enable submit": act("service autostart", "*", "mention*"),
                "unload bootout disable stop remove kill reboot": act("service kills", "*", "mention*"),
        "setenv config": act("system-settings autostart", "*"),
        "unsetenv limit asuser attach debug uncache": act("system-settings", "*")}),
    "gsettings dconf xfconf-query kwriteconfig5 kreadconfig5 gconftool-2": look("schemadir= *",
        subs={"get list-schemas list-keys list-recursively range describe monitor list-children writable read list "
            "dump watch": look("*"), "set reset reset-recursively write load update compile": act("system-settings",
                "*")}),
    "eject": act("device", "*"),
}  # fmt: skip
