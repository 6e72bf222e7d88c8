"""Administering a machine: what only looks, what changes, and what it changes."""

from __future__ import annotations

import pytest

from tests.facts.programs.reading import looks, runs, use

LOOKS = {
    "interfaces": """
ip a; ip a s; ip addr show dev eth0; ip -br -c a; ip -4 addr; ip -j -p link show; ip l; ip l sh; ip link ls up; ip r
ip r s; ip route get 1.1.1.1; ip -6 ro; ip n; ip neigh show; ip ru; ip rule list; ip m; ip netns; ip netns list
ip netns identify 5; ip monitor; ip mo link; ip tunt; ip tuntap list; ip x p; ip xfrm policy list; ip help; ip vrf
ip nexthop; ip mptcp endpoint show; ip -s link; ip stats; ip vrf exec blue ls
bridge link; bridge fdb show; bridge v; bridge vlan show; bridge monitor
tc q; tc qdisc show dev eth0; tc -s class show dev eth0; tc filter ls dev eth0; devlink dev info; rdma link
ifconfig; ifconfig eth0; ifconfig -a; iwconfig; route -n; arp -a; ethtool eth0; ethtool -i eth0; ethtool -k eth0
mii-tool -v eth0; nstat; iw list; iw dev; iw dev wlan0 info; iw dev wlan0 station dump; iw dev wlan0 get power_save
iw reg get; iw phy phy0 info; rfkill; rfkill list; nmcli; nmcli g; nmcli d; nmcli dev status; nmcli d wifi list
nmcli d w; nmcli c; nmcli c s home; nmcli con show --active; nmcli g h; nmcli r; nmcli r wifi; nmcli n c
nmcli -t -f NAME con show; networkctl; networkctl status eth0; wpa_cli status; wpa_cli scan_results; wpa_cli stat
iwctl station list; iwctl station wlan0 show; connmanctl services; brctl show; netplan get; netplan status
hostapd -v; lldpctl; wg; wg show; tailscale status; tailscale ip -4; zerotier-cli info; mullvad status; ipsec status
f5fpc --info; netselect a b; l2ping -c 1 00:11:22:33:44:55; trip example.com
""",
    "volumes": """
btrfs f sh; btrfs fi df /; btrfs filesystem usage /mnt; btrfs f du -s a; btrfs su l /; btrfs su sh a; btrfs d st /
btrfs d u /; btrfs b status /; btrfs sc status /; btrfs c img; btrfs check -p img; btrfs i dump-s img; btrfs p g a
btrfs qg s a; btrfs rest -D img out; btrfs f label /mnt; btrfs send snap; btrfs --version; compsize a
bcachefs fs usage; zfs list; zpool status; zpool import; zpool list -v; zfs get all tank; pvs; vgs; lvs; lvm lvs
pvdisplay; vgcfgrestore -l vg; pvck --dump headers /dev/sda1; lvmdevices; lvmdevices --check; dmsetup ls
mdadm --detail /dev/md0; mdadm -E /dev/sda1; stratis pool list; stratis fs list; cryptsetup status x
cryptsetup luksDump /dev/sda1; partx -l disk.img; partx --show /dev/sda; kpartx -l img; losetup; losetup -a
losetup -j img; zramctl; udisksctl status; udisksctl info -b /dev/sda; nvme list; nvme smart-log /dev/nvme0
hdparm -I /dev/sda; hdparm -tT /dev/sda; hdparm -B /dev/sda; hdparm -W /dev/sda; badblocks -sv /dev/sda
blockdev --getpbsz /dev/sda; blockdev --getsize64 /dev/sda; fstrim -n /; f3read /media/x; iscsiadm -m session
iscsiadm -m node; iscsiadm -m discovery -t st -p 10.0.0.5; btrbk list; snapper list; timeshift --list
fdisk -l; sfdisk -d /dev/sda; sfdisk --part-type /dev/sda 1; sgdisk -p /dev/sda; sgdisk -i 1 /dev/sda; gdisk -l /dev/sda
""",
}

CHANGES = {
    "interfaces": """
ip a a 10.0.0.2/24 dev eth0: system-settings
ip addr add 10.0.0.2/24 dev eth0: system-settings
ip a d 10.0.0.2 dev eth0: system-settings
ip a f eth0: system-settings
ip l s eth0 down: system-settings
ip l set eth0 up: system-settings
ip link add br0 type bridge: system-settings
ip l d br0: system-settings
ip r a default via 10.0.0.1: system-settings
ip r d default: system-settings
ip route replace default dev eth0: system-settings
ip r f cache: system-settings
ip ru a from 10.0.0.2 lookup 5: system-settings
ip n f dev eth0: system-settings
ip netns add blue: system-settings
ip netns exec blue ls: privilege
ip tunt a d tun0 m tun: system-settings
ip xfrm state flush: system-settings
ip xfrm state: reads-secret
ip xfrm state list: reads-secret
ip -batch rules.txt: system-settings
bridge l s dev eth0 state 0: system-settings
bridge v a dev eth0 vid 5: system-settings
tc q a dev eth0 root netem delay 5ms: system-settings
tc qdisc del dev eth0 root: system-settings
ifconfig eth0 down: system-settings
route add default gw 10.0.0.1: system-settings
ethtool -K eth0 gro off: -
ethtool -A eth0 rx off: -
ethtool -s eth0 speed 100: -
mii-tool -F 100baseTx-FD eth0: -
iw dev wlan0 set power_save off: system-settings
iw dev wlan0 del: system-settings
iw reg set US: system-settings
rfkill block wifi: system-settings device
nmcli g h box: system-settings
nmcli n off: system-settings
nmcli r wifi off: system-settings
nmcli c up home: system-settings
nmcli c m home ipv4.method auto: system-settings
nmcli d w c home: system-settings
nmcli d wifi show-password: reads-secret
nmcli -s con show home: reads-secret
networkctl down eth0: system-settings
wpa_cli set_network 0 ssid x: system-settings
wpa_cli reconf: system-settings
iwctl station wlan0 connect show: system-settings
dhclient -r eth0: network system-settings
brctl addbr br0: system-settings
netplan apply: system-settings
hostapd a.conf: network system-settings
wg showconf wg0: reads-secret
wg show wg0 private-key: reads-secret
wg set wg0 peer x: network system-settings
tailscale up: network system-settings
tailscale funnel 80: network/listens
nordvpn s technology nordlynx: network system-settings
zerotier-cli join 5: network system-settings
""",
    "volumes": """
btrfs su d a: shreds
btrfs su c a: changes
btrfs f de -r a: changes
btrfs f r 5g /: formats-disk
btrfs f label /mnt x: changes
btrfs d a /dev/sdb /: formats-disk
btrfs d st -z /: changes
btrfs b start /: changes
btrfs c --repair /dev/sda1: formats-disk
btrfs resc z /dev/sda1: formats-disk
btrfs p s a ro true: changes
btrfs send -f out snap: -
zpool destroy tank: formats-disk
zpool import tank: mounts
zfs set x=y tank: changes
lvremove vg/a: formats-disk
vgchange -ay vg: mounts
lvm lvremove vg/a: formats-disk
vgcfgrestore vg: formats-disk
pvck --repair -f m /dev/sda1: formats-disk
lvmdevices --adddev /dev/sda1: changes
mdadm --create /dev/md0 -l 1 -n 2 /dev/sda /dev/sdb: formats-disk
mdadm --stop /dev/md0: mounts
cryptsetup luksDump --dump-volume-key /dev/sda1: reads-secret
cryptsetup luksFormat /dev/sda1: formats-disk
partx -a disk.img: mounts
losetup -f disk.img: mounts
losetup /dev/loop0 disk.img: mounts
losetup -d /dev/loop0: mounts
umount -l /mnt: mounts
zramctl -f -s 2G: mounts
udisksctl mount -b /dev/sda1: mounts
nvme format /dev/nvme0n1: formats-disk
nvme fw-commit /dev/nvme0: kernel
hdparm -B 1 /dev/sda: device
hdparm -B254 /dev/sda: device
hdparm -N p500 /dev/sda: device
hdparm -y /dev/sda: device
hdparm --security-erase x /dev/sda: formats-disk
badblocks -sw /dev/sda: formats-disk
blockdev --getsz --setro /dev/sda: device
iscsiadm -m node -T iqn -p 10.0.0.5 --login: mounts
iscsiadm -m node -o delete: mounts
timeshift --list --delete-all: shreds
sfdisk --delete /dev/sda 1: formats-disk
sfdisk --part-type /dev/sda 1 82: formats-disk
sgdisk -d 1 /dev/sda: formats-disk
sgdisk -p -d 1 /dev/sda: formats-disk
sgdisk -l old.bak /dev/sda: formats-disk
""",
}


def lines_of(table: dict[str, str]) -> list[str]:
    return [line.strip() for text in table.values() for part in text.splitlines() for line in part.split(";") if line]


def changes() -> list[tuple[str, str]]:
    rows = [line.rpartition(":") for text in CHANGES.values() for line in text.splitlines() if line]
    return [(line, traits.strip()) for line, _, traits in rows]


@pytest.mark.parametrize("line", lines_of(LOOKS))
def test_what_only_looks(line):
    assert looks(line), use(line)


@pytest.mark.parametrize(("line", "traits"), changes())
def test_what_changes_a_machine(line, traits):
    found = use(line)
    assert "read-only" not in found.traits, found
    assert found.traits.issuperset(traits.split() if traits != "-" else ()), found


def test_a_program_run_in_another_namespace_is_seen():
    assert runs("ip netns exec blue rm -r x") == [("argv", "rm", "-r", "x")]
    assert runs("ip net e blue rm -r x") == [("argv", "rm", "-r", "x")]


def test_a_word_that_is_not_known_is_no_beginning():
    assert not looks("ip §")
    assert not looks("ip a §")
    assert not looks("btrfs §")
