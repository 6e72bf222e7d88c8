"""A machine's clock, boot, firmware, processors, and what is plugged into it."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Special, Table, act, look

__all__ = ["TABLE"]

_SHOW = look("*")
_SET = act("system-settings", "*")
_BOOT = act("system-settings kernel", "*", "mention*")
_DEVICE = act("device", "*", "mention*")


def _only(shows: str, *instead_of: str, bare: bool = False) -> Special:
    """Looks if every option is one of these; without any option only if `bare`."""
    allowed = frozenset(shows.split())

    def judge(draft: UseDraft) -> None:
        if (draft.flags or bare) and allowed.issuperset(draft.flags) and not draft.unknown:
            draft.looks(*instead_of)

    return judge


def _hwclock(draft: UseDraft) -> None:
    if not {"--hctosys", "--systohc", "--set", "--systz", "--adjust", "--setepoch", "--param-set"} & set(draft.flags):
        draft.looks("system-settings")


def _alone(draft: UseDraft) -> None:
    """One operand is shown; a second one sets it."""
    if len(draft.operands) < 2:
        draft.looks("system-settings")


def _rtcwake(draft: UseDraft) -> None:
    if draft.value("--mode") == "show" or "--list-modes" in draft.flags or "--dry-run" in draft.flags:
        draft.looks("reboots")


def _initcpio(draft: UseDraft) -> None:
    """Without a file to make, it rehearses."""
    if not {"--generate", "--preset", "--allpresets", "--uki", "--save"} & set(draft.flags):
        draft.looks("system-settings", "kernel")


def _dracut(draft: UseDraft) -> None:
    if "--list-modules" in draft.flags or "--print-cmdline" in draft.flags:
        draft.looks("system-settings", "kernel")


def _efi(draft: UseDraft) -> None:
    if {"-v", "-u", "--verbose", "--unicode", "-V"}.issuperset(draft.flags) and not draft.operands:
        draft.looks("system-settings", "kernel")


def _kmod(draft: UseDraft) -> None:
    if draft.operands[:1] in (["list"], ["static-nodes"], ["help"], ["status"]):
        draft.looks("kernel")


def _setpci(draft: UseDraft) -> None:
    if not any("=" in word for word in draft.operands):
        draft.looks("kernel")


def _serial(draft: UseDraft) -> None:
    """`setserial -g /dev/tty…` shows; words after the device set it."""
    if "-g" in draft.flags or "-a" in draft.flags or len(draft.operands) == 1:
        draft.looks("device", "system-settings")


def _modem(draft: UseDraft) -> None:
    """`mmcli -m 0`, and options that list or get; the others act on the modem."""
    names = {"--modem", "--bearer", "--sim", "--sms", "--list-modems", "--output-json", "--output-keyvalue"}
    if all(flag in names or "-list" in flag or flag.endswith(("-status", "-get")) for flag in draft.flags):
        draft.looks("device")


def _ipmi(draft: UseDraft) -> None:
    words = draft.operands
    shows = {"status", "list", "elist", "print", "info", "get", "getenables", "summary", "help", "dump", "type"}
    verb = words[-1] if words[1:2] == ["power"] else words[1] if len(words) > 1 else ""
    if words[:1] == ["exec"]:
        draft.reads += words[1:2]
    elif words in (["sdr"], ["sensor"], ["fru"], ["sel"]) or (verb in shows and words[0] not in {"raw", "hpm"}):
        draft.looks("device")
    elif words[1:2] == ["power"]:
        draft.add("reboots")


def _v4l2(draft: UseDraft) -> None:
    shows = ("--list", "--get", "--info", "--all", "--device", "-d", "-D", "-l", "-L", "-C", "-V", "-z")
    if draft.flags and all(flag.startswith(shows) for flag in draft.flags):
        draft.looks("device")


def _events(draft: UseDraft) -> None:
    if "--query" in draft.flags:
        draft.looks("captures")


def _framebuffer(draft: UseDraft) -> None:
    if not draft.operands and {"-i", "-s", "-v", "--info", "--show"}.issuperset(draft.flags):
        draft.looks("system-settings")


_TIME = act("system-settings network", "*")

TABLE: Table = {
    "hwclock": act("system-settings", "r/show get s/hctosys w/systohc set systz a/adjust getepoch setepoch epoch= "
        "predict date= delay= u/utc l/localtime f/rtc= noadjfile adjfile= test!dry D/verbose directisa param-get= "
        "param-set=", special=_hwclock),
    "ntpdate": act("system-settings network", "q!dry 4 6 b B d!dry s u v a= e= k= o= p= t=", "host*"),
    "sntp": look("4 6 a= b= c= d D= g= K= k= l= M= o= r!system-settings s!system-settings S!system-settings t= w W=",
        "host*", "network"),
    "htpdate": look("a!system-settings s!system-settings x!system-settings D!service b c d f F h l m= M= n p= P= q t T "
        "u= i=", "host*", "network"),
    "rdate": act("system-settings network", "p!dry 4 6 a c n o= s u v t=", "host*"),
    "ntpd chronyd openntpd systemd-timesyncd ntpd-rs": act("service system-settings network", "h!dry *"),
    "ntpctl": look("s="),
    "ntpdc": look("4 6 d D= i n p s l", "host*", "network"),
    "chronyc": Program("4 6 a c d e h= m n N p= v", "text*", "network", subs={
        "tracking sources sourcestats activity ntpdata serverstats rtcdata clients selectdata authdata sourcename "
        "waitsync smoothing help": look("*", "text*", "network"), "*": _TIME}),
    "adjtimex": act("system-settings", "p/print *", special=_only("--print", "system-settings")),
    "tzselect clockdiff": _SHOW,
    "tzconfig sethostname": _SET,
    "rtcwake": act("reboots", "m/mode= s/seconds= t/time= date= d/device= a/auto l/local u/utc v/verbose "
        "n/dry-run list-modes A/adjfile=", special=_rtcwake),
    "grub-probe grub2-probe grub-file grub2-file grub-script-check os-prober linux-boot-prober lsinitrd "
    "grub-mkpasswd-pbkdf2 grub2-mkpasswd-pbkdf2 grub-render-label grub-fstest": look("*", "mention*"),
    "grubby": act("system-settings kernel", "info= default-kernel default-index default-title bootloader-probe *",
        special=_only("--info --default-kernel --default-index --default-title --bootloader-probe", "system-settings",
            "kernel")),
    "grub-reboot grub2-reboot grub-set-default grub2-set-default grub2-install grub2-mkconfig "
    "extlinux syslinux lilo sdboot-manage": _BOOT,
    "grub-editenv grub2-editenv": act("system-settings kernel", "v",
        special=lambda draft: draft.looks("system-settings", "kernel") if draft.operands[1:2] == ["list"]
            or draft.operands == ["list"] else None),
    "grub-mount": act("mounts", "*"),
    "kernelstub": act("system-settings kernel", "p/print-config v/verbose *", special=_only("--print-config --verbose",
        "system-settings", "kernel")),
    "kernel-install": act("system-settings kernel", "*", subs={"list inspect": _SHOW, "*": _BOOT}),
    "bootctl": look("no-pager p/print-esp-path x/print-boot-path R/print-root-device esp-path= boot-path= json=",
        subs={"status list is-installed help kernel-identify kernel-inspect": _SHOW, "*": _BOOT}),
    "dracut": act("system-settings kernel", "list-modules print-cmdline h!dry *", "mention*", special=_dracut),
    "mkinitcpio": act("system-settings kernel", "g/generate= p/preset= P/allpresets U/uki= s/save L/listhooks "
        "H/hookhelp= M/automods A/addhooks= S/skiphooks= c/config=read k/kernel= n v/verbose z= t= D r= V!dry h!dry",
            special=_initcpio),
    "efibootmgr": act("system-settings kernel", "*", special=_efi),
    "mokutil": act("system-settings kernel", "l/list-enrolled N/list-new D/list-delete sb-state db pk kek dbx "
        "test-key= "
        "list-sbat-revocations short *", special=_only("--list-enrolled --list-new --list-delete --sb-state --db --pk "
            "--kek --dbx --test-key --list-sbat-revocations --short", "system-settings", "kernel")),
    "sbctl": look("*", subs={"status verify list-bundles list-files list-enrolled-keys setup-mode": _SHOW, "*": _BOOT}),
    "fwupdmgr": Program("y/assume-yes json *", "text*", "kernel network", subs={"get-* search security "
        "hwids help check-reboot-needed": look("*", "text*", "network"),
        "*": act("kernel network", "*")}),
    # Without an order to write, a chip is looked for, read or compared.
    "flashrom": act("device", "p/programmer= r/read=write L/list-supported!dry R!dry w/write=read!kernel "
        "E/erase!kernel v/verify=read c/chip= l/layout=read i/image= V f/force!forced n/noverify o/output=write "
        "flash-name!dry flash-size!dry wp-enable!kernel wp-disable!kernel wp-range=text!kernel *"),
    "rpi-eeprom-update": act("kernel", "l!dry j!dry a d r f= s h!dry",
        special=lambda draft: None if draft.flags else draft.looks("kernel")),
    "vcgencmd": look("t", subs={"measure_* get_* version commands vcos mem_* pm_get_*": _SHOW, "*": _DEVICE}),
    "raspi-config": act("system-settings", "*", special=lambda draft: draft.looks("system-settings")
        if draft.operands[:1] == ["nonint"] and "".join(draft.operands[1:2]).startswith(("get_", "is_")) else None),
    "ubuntu-drivers": Program("*", subs={"list devices debug list-oem": _SHOW,
        "*": act("installs-package system-package network", "*")}),
    "mhwd mhwd-kernel mhwd-gpu": act("installs-package system-package", "l/list!dry li!dry lr!dry la!dry lh!dry "
        "lhd!dry "
        "ld!dry listhardware!dry listinstalled!dry i r a f *", long=True),
    "akmods genkernel": _BOOT,
    "eclean-kernel": act("removes-package system-package kernel", "l/list-kernels!dry p/pretend!dry n= a d *"),
    "kmod dkms": act("kernel", "n/dry-run/show!dry f/force!forced k= m= v= a= all *", "mention*", special=_kmod),
    "cpupower": Program("c/cpu= v", "text*", "read-only", subs={"frequency-info idle-info info monitor powercap-info":
        _SHOW, "frequency-set": _SET, "*": act("kernel", "*")}),
    "cpufreq-set": _SET,
    "chmem chcpu ryzenadj undervolt throttled wrmsr x86_energy_perf_policy": act("kernel", "*"),
    "rdmsr edac-util ras-mc-ctl mcelog usb-devices parse-edid get-edid "
    "edid-decode hwloc-info dumpkeys fgconsole gpiodetect gpioinfo kbdinfo sginfo sg_inq sg_map sg_scan "
    "sg_readcap sg_vpd ": look("*", "mention*"),
    "cpuctl": look("", subs={"list identify": _SHOW, "*": act("kernel", "*")}),
    "setpci": act("kernel", "s= d= f v D!dry dumpregs!dry G P=", special=_setpci),
    "tlp": _SET,
    "tuned": act("service system-settings", "V!dry *"),
    "tuned-adm": look("*", subs={"list active recommend verify profile_info profile_mode": _SHOW, "*": _SET}),
    "powerprofilesctl": look("", subs={"list get query-battery-aware list-holds list-actions version": _SHOW,
        "launch": Program("p/profile= r/reason= i/appid=", "argv", "read-only"), "*": _SET}),
    "envycontrol": act("system-settings kernel", "q/query!dry v!dry *"),
    "prime-select": look("", subs={"query": _SHOW, "*": _SET}),
    "libinput": look("", subs={"list-devices list-kernel-devices quirks analyze measure": _SHOW,
        "debug-events debug-gui debug-tablet record replay test": act("captures", "o/output-file=write *")}),
    "evtest": act("captures", "grab query", special=_events),
    "evemu-record evemu-describe intercept fbgrab fbcat": act("captures", "*", "mention*"),
    "uinput evemu-play evemu-device evemu-event cec-client cec-ctl minicom picocom cu tio gtkterm putty "
    "modetest ledmon i2cdetect i2cget i2cset i2cdump gpioget gpioset gpiomon usbreset uhubctl dfu-util "
    "st-flash sispmctl": _DEVICE,
    "keyd": Program("m", "text*", "captures", subs={"list-keys": _SHOW, "monitor": act("captures", "*"), "*": _SET}),
    "fbset": act("system-settings", "i s v info show *", special=_framebuffer, long=True),
    "con2fbmap": act("system-settings", "", special=_alone),
    "chvt deallocvt kbd_mode setleds kbdrate gpm ctrlaltdel": _SET,
    "setserial": act("device system-settings", "g a b G q v V w z", special=_serial),
    "mmcli": act("device network", "m/modem= b/bearer= i/sim= s/sms= L/list-modems J/output-json K/output-keyvalue *",
        special=_modem),
    "ipmitool": act("device", "I= H= U= P= E a f=read L= c v V!dry p= k= y= K Y C= A= o= O= e= b= t= B= T= l= m= N= R= "
        "S=read D= z= h!dry", special=_ipmi, stops=True),
    "ipmi-sensors ipmi-sel ipmi-fru bmc-info": _SHOW,
    "usbip": look("d/debug l/log tcp-port=", subs={"list port version help": look("*", "text*", "network"),
        "*": act("device network", "*")}),
    "usbipd": act("network/listens device", "h!dry v!dry *"),
    "v4l2-ctl": act("device", "*", special=_v4l2),
    "v4l2loopback-ctl": look("", subs={"list query get-caps get-fps": _SHOW, "*": _DEVICE}),
    "liquidctl": look("*", subs={"list status": _SHOW, "*": _DEVICE}),
}  # fmt: skip
