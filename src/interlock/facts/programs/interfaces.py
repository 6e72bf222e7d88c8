"""A machine's own network: interfaces, addresses, routes, wireless, bridges and private networks."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]

_SHOW = look("*")
_SET = act("system-settings", "*")
_KEYS = act("reads-secret", "*")


def _objects(subs: Table, options: str = "*", traits: str = "") -> Program:
    """Something that shows itself without a verb, and whose verbs may be cut short."""
    return look(options, "text*", traits, subs={**subs, "*": _SET}, brief=True)


# A beginning means the first verb that has it: `ip l s` sets, `ip a s` shows.
_LISTED = _objects({"show lst list ls get help": _SHOW, "showdump stats identify pids list-id monitor": _SHOW})
_KNOWN = _objects({"show lst list ls get help": look("*", "text*", "network/maps")}, traits="network/maps")
_SETTABLE = _objects({"set": _SET, "show lst list ls get help": _SHOW, "xstats afstats": _SHOW})
_RUNS_IN = {"netns": act("privilege", "", "text argv", stops=True), "vrf": Program("", "text argv", "read-only")}
_XFRM = "add update allocspi delete deleteall flush set"

_IP = (
    "V!dry s/stats/statistics d/details f/family= 4 6 B 0 M l/loops= r/resolve b/batch=read!system-settings force "
    "o/oneline t/timestamp ts/tshort n/netns= N/Numeric a/all br/brief j/json p/pretty c/color? rc/rcvbuf= "
    "h/human/human-readable iec echo"
)


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


def _secret_word(draft: UseDraft) -> None:
    """`wg show wg0 private-key` prints the key."""
    if {"private-key", "preshared-keys", "dump"} & set(draft.operands):
        draft.add("reads-secret")


def _lldp(draft: UseDraft) -> None:
    if {"configure", "unconfigure", "pause", "resume"} & set(draft.operands):
        draft.add("system-settings")
        draft.acts()


_LINKS = act("network system-settings", "*")

TABLE: Table = {
    "ip": look(_IP, subs={
        "address addrlabel maddress route rule": _LISTED,
        "neighbor neighbour ntable ntbl tcpmetrics tcp_metrics": _KNOWN,
        "link": _SETTABLE,
        "l2tp fou ila macsec tunnel tunl tuntap tap token": _LISTED,
        "monitor": _SHOW,
        "xfrm": look("*", subs={"state": act("reads-secret", "*", subs={_XFRM: _SET, "list show get": _KEYS,
            "count help": _SHOW}, brief=True), "policy": _objects({_XFRM: _SET, "list show get count help": _SHOW}),
            "monitor": _SHOW},
                brief=True),
        "mroute mrule": _LISTED,
        "netns": _objects({"list show lst list-id help": _SHOW, "identify pids monitor": _SHOW,
            "exec": _RUNS_IN["netns"]}),
        "netconf": _LISTED,
        "vrf": _objects({"show list lst identify pids help": _SHOW, "exec": _RUNS_IN["vrf"]}),
        "sr": _objects({"hmac tunsrc": _objects({"set": _SET, "show": _SHOW})}),
        "nexthop": _LISTED,
        "mptcp": _objects({"endpoint limits": _LISTED, "monitor help": _SHOW}),
        "ioam": _objects({"namespace schema": _objects({"set": _SET, "show": _SHOW}), "help": _SHOW}),
        "help": _SHOW,
        "stats": _SETTABLE,
        "*": _SET,
    }, long=True, brief=True, stops=True),
    "bridge": look(_IP, subs={"link mst": _SETTABLE, "fdb mdb": _LISTED,
        "vlan": _objects({"show lst list tunnelshow help": _SHOW, "global": _SETTABLE}), "vni": _LISTED,
        "monitor help": _SHOW, "*": _SET}, long=True, brief=True, stops=True),
    "tc": look(_IP + " g/graph cf conf= nm/names= u/us", subs={"qdisc class filter chain action actions": _LISTED,
        "monitor help": _SHOW, "*": _SET}, long=True, brief=True, stops=True),
    "devlink": look(_IP + " v/verbose x/hex i/ignore", subs={
        "dev": _objects({"set": _SET, "show info help": _SHOW, "eswitch param": _SETTABLE}),
        "port sb dpipe resource region health trap rate linecard": _objects({"set": _SET,
            "show get occupancy table header list help": _SHOW}), "monitor help": _SHOW, "*": _SET}, brief=True),
    "rdma": look(_IP, subs={"dev link resource system statistic": _SETTABLE, "monitor help": _SHOW, "*": _SET},
        brief=True),
    "ifconfig iwconfig": look("a s v l L m r C d u X f= G=", special=_ifconfig),
    "route arp ndp iwlist iwgetid": look("n e v F C A= a i= D= N 4 6 s=text!system-settings d=text!system-settings "
        "S= k g", special=_route),
    "ethtool": look("a/show-pause c/show-coalesce g/show-ring k/show-features/show-offload l/show-channels i/driver "
        "d/register-dump e/eeprom-dump n/u/show-nfc/show-ntuple P/show-permaddr S/statistics T/show-time-stamping "
        "x/show-rxfh-indir/show-rxfh m/dump-module-eeprom/module-info show-priv-flags show-eee show-fec phy-statistics "
        "show-phys show-module get-phy-tunable get-dump w get-tunable json debug= I/include-statistics"),
    "mii-tool": look("v/verbose V/version w/watch"),
    "lnstat rtstat ctstat nstat rtacct ifstat ifquery": look("*"),
    "rtmon": act("changes", "f=write"),
    "iw": look("", subs={"list event features commands help": _SHOW, "reg": look(subs={"get": _SHOW, "*": _SET}),
        "dev phy wdev": look("*", special=_iw), "*": _SET}),
    "rfkill": look("J/json n/noheadings o/output= output-all r/raw", subs={"list event help": look("*"),
        "block unblock toggle": act("system-settings device", "*")}),
    "nmcli": look("t/terse p/pretty m/mode= c/colors= f/fields= g/get-values= e/escape= a/ask "
        "s/show-secrets!reads-secret w/wait= o/overview", subs={
        "general": _objects({"status permissions": _SHOW, "hostname logging": look("*", special=_names)}),
        "networking": _objects({"connectivity": _SHOW}),
        "radio": look("*", subs={"all wifi wwan": look("*", special=_switches), "*": _SET}, brief=True),
        "connection": _objects({"modify": _SET, "show monitor": look("active order= s/show-secrets!reads-secret *")}),
        "device": _objects({"status show": _SHOW, "set": _SET, "monitor lldp": _SHOW,
            "wifi": _objects({"list": _SHOW, "connect hotspot": _SET, "rescan": _SHOW, "show-password": _KEYS})}),
        "monitor help": _SHOW,
        "*": _SET,
    }, brief=True),
    "networkctl": look("a/all s/stats l/full n/lines= json= no-legend no-pager runtime", subs={
        "list status lldp label cat help": _SHOW, "*": _SET}),
    "wpa_cli hostapd_cli": look("i= p= g= G= s= a=program B P=write r h!dry v!dry", subs={
        "status scan scan_results list_networks ping interface interface_list bss mib get get_network get_capability "
        "pmksa signal_poll all_sta sta list_sta get_config license help ifname driver_flags note level": _SHOW,
        "*": _SET}, brief=True),
    "iwctl": act("system-settings", "P/passphrase= u/username= p/password= v/dont-ask", special=_iwctl),
    "connmanctl": look("", subs={"state technologies services peers monitor vpnconnections scan help tethering_clients":
        _SHOW, "*": _SET}),
    "ifup ifdown dhclient-script ifmetric ifenslave vconfig ifplugd slattach pppd pon poff "
    "ip6tunnel iptunnel ipmaddr nameif openfortivpn vpnc-disconnect": _LINKS,
    "macchanger": act("system-settings", "s/show l/list? r/random e/ending a/another A p/permanent b/bia m/mac=",
        special=lambda draft: draft.looks("system-settings") if draft.flags and {"--show", "--list"}.issuperset(
            draft.flags) else None),
    "brctl": look(subs={"show showmacs showstp": _SHOW, "*": _SET}),
    "netplan": look("debug root-dir=", subs={"get status info help": look("*"), "*": _SET}),
    "hostapd": act("network system-settings", "v!dry h!dry *", "read*"),
    "lldpctl lldpcli": look("d f/format= v k", "text*", special=_lldp),
    "wg": look("*", subs={"show": look("", special=_secret_word), "showconf": _KEYS, "genkey genpsk pubkey": look(),
        "*": _LINKS}),
    "tailscale": look("*", subs={"status ip netcheck ping whois version licenses metrics help": look("*", "text*",
        "network"), "serve funnel": act("network network/listens network/tunnels", "*"),
            "ssh nc": act("network sends-stdin", "*", "host text*"), "*": _LINKS}),
    "zerotier-cli": look("h!dry v!dry j D= p= T=", subs={"info status listnetworks listpeers listmoons peers get dump":
        look("*"), "*": _LINKS}),
    "nordvpn protonvpn protonvpn-cli mullvad": Program("*", "text*", "network system-settings", subs={
        "status countries cities groups settings version": look("*", "text*", "network"), "*": _LINKS}),
    "strongswan ipsec": Program("*", "text*", "network system-settings", subs={
        "status statusall listall listcerts listcacerts version": look("*"), "*": _LINKS}),
    "f5fpc": act("network system-settings", "i/info!dry h!dry v!dry *"),
    "netselect": look("v t= m= s= D c 4 6 I i T", "host*", "network"),
    "l2ping": look("c= d= f!device i= r R s= t= v", "text*", "network"),
    "trip": look("*", "host*", "network"),
}  # fmt: skip
