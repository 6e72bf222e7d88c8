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
iscsiadm -m node; btrbk list; snapper list; timeshift --list
fdisk -l; sfdisk -d /dev/sda; sfdisk --part-type /dev/sda 1; sgdisk -p /dev/sda; sgdisk -i 1 /dev/sda; gdisk -l /dev/sda
""",
    "machines": """
virsh list --all; virsh -c qemu:///system dominfo vm; virsh dumpxml vm; virsh net-list; virsh snapshot-list vm
virt-df -a disk.img; virt-top; qm list; qm config 100; qm stat 100; pct list; lxc-ls -f; lxc-info -n a; pvesh get /nodes
lxc-cgroup -n a memory.usage; waydroid status; nixos-container list; virt-sysprep -a img --dry-run
""",
    "tracing": """
opensnoop; execsnoop-bpfcc -x; biolatency 1 10; tcplife; trace-cmd list -e; trace-cmd report; bpftool prog list
bpftool map dump id 5; bpftool feature; bpftrace -l; bpftrace -V; dtrace -l; fatrace -t; extrace ls; turbostat --quiet
turbostat ls; criu check; tlp-stat -b; cpufreq-info; tegrastats; powertop; ausearch -m avc -ts recent; aureport -s
auditctl -l; auditctl -s; ntpq -p; ntpq -c rv
""",
    "hardware": """
hwclock; hwclock -r; hwclock --show; ntpdate -q pool.example; sntp pool.example; htpdate host; chronyc tracking
chronyc sources -v; tzselect; rtcwake -m show; grub-probe -t fs /boot; grubby --info=ALL; grub-editenv list
kernelstub -p; bootctl; bootctl status; dracut --list-modules; mkinitcpio -L; mkinitcpio; efibootmgr; efibootmgr -v
mokutil --sb-state; fwupdmgr get-devices; rpi-eeprom-update; vcgencmd measure_temp; raspi-config nonint get_ssh
ubuntu-drivers list; kmod list; dkms status; cpupower -c all frequency-info; cpupower info; setpci -s 0:1 4.w
tuned-adm active; powerprofilesctl get; libinput list-devices; evtest --query /dev/input/event0 EV_KEY KEY_A; fbset -i
con2fbmap 1; setserial -g /dev/ttyS0; mmcli -L; mmcli -m 0 --messaging-list-sms; ipmitool sdr; ipmitool sel list
ipmitool chassis status; ipmitool chassis power status; usbip list -l; v4l2-ctl --list-devices; liquidctl status
get-edid; dmidecode -s bios-version; date; date +%s; date -d yesterday +%F; hostname -f; date -j -f %Y 2020 +%s
""",
    "servers": """
gitlab-ctl status; gitlab-ctl tail nginx; gitlab-runner list; prosodyctl status; postfix status; postconf -n
postqueue -p; mailq; exim4 -bp; apachectl -t; apache2ctl -M; apachectl configtest; a2query -m; phpquery -V; rndc status
named-checkconf; unbound-control status; pihole status; pivpn list; fail2ban-client status sshd; ceph -s; ceph osd tree
ceph health detail; cephadm ls; audit2allow -a; audit2why -i a.log; sealert -a a.log; lynis audit system
rkhunter --check; aide -C; aide; clamscan -r .; chkrootkit; needrestart -b; chcat -L; aa-unconfined; lid x
chage -l me; lchage --list me; faillock; faillock --user me; pdbedit -L; sa -m; chkconfig --list; sysrc -a
systemctl log-level; systemctl service-log-level x; rc-status; rc-update; rc-update show; sv status x; initctl list
rc-service -l; service x status; homectl list; resolvectl dns; resolvectl dns eth0
resolvectl --legend=no query a.example
aa-status --profiled; pm2 ls; pm2 logs x; swapon; setcap -v cap_net_raw=p a; tcpdump -r a.pcap; tshark -r a.pcap
ipset save; ipset list; arptables-save; perf top; GetFileInfo a; arecord -l; slurp; xdotool getactivewindow; xinput list
xinput list-props 5; wmctrl -l; ufw app list; xinput; shutdown --show
pacman-key -l; oma search x; pro status; urpmq x; do-release-upgrade -c; rpm-ostree status; abroot pkg list
xdp-filter poll; macchanger -s eth0; systemd-hwdb query x; pihole -q a.example; bootc upgrade --check
synoupgrade --check; ceph mgr module ls; apachectl -t -f x.conf
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
btrfs su c a: upkeep
btrfs f de -r a: upkeep
btrfs f r 5g /: formats-disk
btrfs f label /mnt x: upkeep
btrfs d a /dev/sdb /: formats-disk
btrfs d st -z /: changes
btrfs b start /: upkeep
btrfs c --repair /dev/sda1: formats-disk
btrfs resc z /dev/sda1: formats-disk
btrfs p s a ro true: upkeep
btrfs send -f out snap: -
zpool destroy tank: formats-disk
zpool import tank: mounts
zfs set x=y tank: changes
lvremove vg/a: formats-disk
vgchange -ay vg: mounts
lvm lvremove vg/a: formats-disk
vgcfgrestore vg: formats-disk
pvck --repair -f m /dev/sda1: formats-disk
lvmdevices --adddev /dev/sda1: upkeep
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
hdparm --user-master u --security-erase x /dev/sda: formats-disk
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
    "machines": """
virsh start vm: virtual-machine
virsh undefine vm: virtual-machine container/removes
virsh secret-get-value x: reads-secret
virsh dumpxml --security-info vm: reads-secret
virt-sysprep -a img: virtual-machine
qm des 100: virtual-machine container/removes
qm resu 100: virtual-machine
pct exec 100 -- ls: container/runs
lxc-start a: container/runs
lxc-destroy a: container/removes
lxc-cgroup -n a memory.max 5: container/changes
lxc-attach a: container/enters
""",
    "tracing": """
bashreadline: captures
sslsniff-bpfcc: captures
trace-cmd record -e all: kernel
bpftool prog load a.o /sys/fs/bpf/x: kernel
bpftool batch file x: kernel
bpftrace x.bt: kernel
criu dump -t 5: captures
powertop --auto-tune: system-settings
powertop --html=a.html: upkeep
auditctl -D: security-off
auditctl -e 0: security-off
auditctl -w /etc/passwd: system-settings
ntpq -c :config: system-settings
""",
    "hardware": """
hwclock -w: system-settings
hwclock --set --date x: system-settings
ntpdate pool.example: system-settings
sntp -S pool.example: system-settings
htpdate -s host: system-settings
rdate host: system-settings
chronyc makestep: system-settings
date 093023592021.59: system-settings
date -s 10.00: system-settings
hostname box: system-settings
rtcwake -m mem -s 10: reboots
grubby --update-kernel=ALL --args x: kernel
grubby --info=ALL --remove-kernel=x: kernel
grub-set-default 1: kernel
kernelstub: kernel
bootctl install: kernel
mkinitcpio -P: kernel
efibootmgr -b 1 -B: kernel
mokutil --import k: kernel
fwupdmgr update: kernel
rpi-eeprom-update -a: kernel
raspi-config nonint do_ssh 0: system-settings
kmod load x: kernel
dkms install a/1: kernel
cpupower frequency-set -g powersave: system-settings
setpci -s 0:1 4.w=5: kernel
tuned-adm profile x: system-settings
libinput debug-events: captures
evtest /dev/input/event0: captures
fbset -g 1 2 3 4 5: system-settings
con2fbmap 1 2: system-settings
mmcli -m 0 --messaging-delete-sms 1: device
ipmitool chassis power off: reboots
ipmitool raw 0 1: device
usbip attach -r h -b 1: device
""",
    "servers": """
gitlab-ctl restart: service
gitlab-backup restore: database/restores
prosodyctl adduser a@b: users
postfix reload: service
postconf -e a=b: system-settings
apachectl restart: service
apachectl -k stop: service
a2enmod x: system-settings
fail2ban-client set sshd unbanip 1.2.3.4: firewall
ceph osd rm 1: changes
ceph auth get client.admin: reads-secret
audit2allow -a -M x: -
aide -i: changes
clamscan --remove .: changes
needrestart: service
chcat -d a: permissions
apparmor_parser -R x: security-off
apparmor_parser -r x: system-settings
chage -M 10 me: users
faillock --user me --reset: users
pdbedit -L -w: reads-secret
pdbedit -u me -x: users
chkconfig sshd on: service autostart
sysrc a_enable=YES: service
systemctl log-level debug: service
systemctl service-log-level x debug: service
rc-update add x default: service autostart
sv down x: service
rc-service x restart: service
homectl passwd me: users
resolvectl dns eth0 1.1.1.1: system-settings
pm2 delete all: service kills
pm2 start app.js: service
pm2 startup: autostart
swapon /dev/sdb2: mounts
swapoff -a: mounts
setcap cap_net_raw=p a: privilege
tcpdump -r a.pcap -w b.pcap: captures
tcpdump -i any: captures
ipset destroy: firewall
perf top -p 5: debugger
arecord a.wav: captures
xdotool search --name x key Return: captures
xinput test 5: captures
xinput disable 5: system-settings
ufw app default allow: firewall
shutdown -c: changes
ceph mgr module enable x: changes
chkconfig --list --del x: service
pdbedit -L -u me -a: users
apachectl -D X: service
mokutil --sb-state --import k: kernel
mmcli -m 0 -e: device
v4l2-ctl -d /dev/video0 --overlay=1: device
iscsiadm -m discovery -t st -p 10.0.0.5: network
arpspoof -i eth0 -t 10.0.0.5 10.0.0.1: captures
snort -i eth0: captures
hostapd -t a.conf: system-settings
btrfs scrub limit -l 5 /: upkeep
pacman-key --list-keys --delete x: package-source
pro attach x: package-source
urpmi.addmedia x: package-source
installpkg a.tgz: installs-package system-package
removepkg a: removes-package
do-release-upgrade: installs-package
steamos-readonly disable: security-off
xdp-filter port 80: firewall
macchanger -r eth0: system-settings
systemd-hwdb update: system-settings
pihole disable: service
bootc upgrade: installs-package
telinit q: changes
telinit 6: reboots
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
