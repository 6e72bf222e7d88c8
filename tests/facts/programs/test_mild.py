"""Neighbours in one program: what is mild or only looks, and the form next to it that is not."""

from __future__ import annotations

import pytest

from tests.facts.programs.reading import looks, runs, use

# A command, what it does, and what it does not do (`-`: nothing to say).
ROWS = """
apt-get update | upkeep | changes
apt-mark hold jq | upkeep | changes
dnf versionlock add vim | upkeep | package-source
dnf config-manager --add-repo https://x.example | package-source | upkeep
pacman -Sc | upkeep | removes-package
pacman -Rns vim | removes-package | upkeep
eclean distfiles | upkeep | removes-package
emaint sync -a | upkeep | removes-package
oma refresh | upkeep | package-source
urpmi.update -a | upkeep | package-source
urpmi.addmedia x ftp://x.example | package-source | upkeep
extrepo enable x | package-source | upkeep
tlmgr paper a4 | upkeep | installs-package
tlmgr key add a.gpg | changes | upkeep
updatedb | upkeep | changes
btrfs scrub start / | upkeep | formats-disk
btrfs subvolume delete a | shreds | upkeep
rusnapshot --del --id 3 | shreds | -
timeshift --create | upkeep | shreds
timeshift --delete --snapshot x | shreds | -
tmutil startbackup | upkeep | shreds
tmutil delete /Volumes/x | shreds | upkeep
ldconfig | upkeep | kernel
ldconfig -f x.conf | kernel | -
locale-gen | system-settings | kernel
grub-mkconfig -o /boot/grub/grub.cfg | kernel | read-only
cpufreq-set -g powersave | system-settings | kernel
flashrom -p internal -r rom.bin | device | kernel
flashrom -p internal -w rom.bin | kernel | -
haveged -F | service | kernel
nft add table inet x | firewall | -
ufw enable | firewall | -
setfattr -n user.note -v x a | changes | hides
setfattr -n security.ima -v x a | hides | -
exiftool -All= a.jpg | changes | hides
exiftool -FileModifyDate=2001:01:01 a.jpg | hides | -
htpasswd -c users me | users | -
chsh -s /bin/zsh | users | -
jmap -histo 12 | debugger | captures
jmap -dump:format=b,file=a 12 | captures | -
sysdig -r a.scap | - | captures
sysdig -w a.scap | captures | -
terraform taint x.y | changes | infra/state
terraform import x.y 1 | infra/state | -
cdk init app --language go | changes | infra/applies
cdk deploy | infra/applies | -
gh variable set X | forge/writes | cloud/access
gh secret set X | cloud/access | -
gh cs ports visibility 80:public | network/tunnels | read-only
jj undo | git/changes | git/discards-work
jj abandon x | git/changes | git/discards-work
jj op abandon ..@- | git/expires | -
jj git push --deleted | git/deletes-remote | -
hg purge | git/discards-work | -
VBoxManage controlvm x pause | virtual-machine | container/removes
VBoxManage controlvm x poweroff | container/removes | -
pueue add -- make | changes | schedules
pueue clean | changes | kills
pueue kill 3 | kills | -
sg docker -c ls | privilege | -
emerge --sync | upkeep | installs-package
emerge -av vim | installs-package | removes-package
emerge -avC vim | removes-package | installs-package
urpmi vim | installs-package | -
urpme vim | removes-package | -
brew services run x | service | autostart
brew services start x | autostart | -
update-alternatives --config java | system-settings | package-source
update-alternatives --install /usr/bin/x x /tmp/x 1 | package-source | -
npm config set fund false | changes | package-source
npm config set fund false registry https://x.example | package-source | -
npm config set fund=false registry=https://x.example | package-source | -
crond -n | service | schedules
module purge | shell-state | told-to-delete
chfn -f x me | system-settings | users
pkill -CONT x | changes | kills
pkill x | kills | -
pacman-key --populate | upkeep | package-source
pacman-key --add x.gpg | package-source | upkeep
pacman-key --init --add x.gpg | package-source | upkeep
k3s etcd-snapshot save | upkeep | cluster/changes
k3s etcd-snapshot restore a | database/restores | -
microk8s reset | cluster/deletes | -
docker swarm ca --rotate | cluster/changes | -
docker swarm ca | network | cluster/changes
doctl auth remove --context x | signs-in | cloud/deletes
az quantum target set -t x | changes | cloud/deploys
nginx -s reload | service | network/listens
nginx | network/listens | service
brew services restart x | service | autostart
scrot -s a.png | interactive | -
scrot a.png | captures | interactive
screencapture -i a.png | interactive | -
screencapture -x a.png | captures | interactive
kill -CONT 5 | changes | kills
kill -9 5 | kills | -
xbps-remove -O | upkeep | removes-package
xbps-remove -Oo | removes-package | upkeep
tlmgr option paper a4 | upkeep | package-source
tlmgr option repository https://x.example | package-source | -
pip config set global.timeout 60 | changes | package-source
pip config set global.index-url https://x.example | package-source | -
pip config edit | package-source | -
kubectl attach x | cluster/reads | cluster/runs
kubectl attach -it x | cluster/runs | -
systemctl set-property x CPUQuota=20% | service | autostart
systemctl edit x | autostart | -
launchctl start x | service | autostart
launchctl load x.plist | autostart | -
gh cache delete 5 | forge/writes | forge/deletes
nix-collect-garbage -d | shreds | -
systemd-firstboot --keymap de | system-settings | users
systemd-firstboot --root-password x | users | -
systemctl halt --when=cancel | service | reboots
systemctl halt | reboots | -
crictl rmi x | container/removes | forced
crictl rm x | forced | -
kubectl cp ns/pod:/a b | cluster/reads | cluster/changes
kubectl cp b ns/pod:/a | cluster/changes | -
kubectl proxy | network | network/tunnels
kubectl proxy --address 0.0.0.0 | network/tunnels | -
kubectl proxy --accept-hosts=.* | network/tunnels | -
certbot renew --dry-run | network | writes-secret
certbot renew | writes-secret | -
rpmkeys --import x | package-source | -
xev -root | captures | -
nuclei -ut | network | network/scans
nuclei -u x.example -tl | network/scans | -
hashcat -m 0 x | captures | -
mitmdump -nr a -w b | - | network/listens
mitmdump -n -C a | network/listens | -
squid -k reconfigure | service | network/listens
squid | network/listens | -
etckeeper commit x | upkeep | shreds
etckeeper uninit | shreds | -
regedit -E f k | windows | system-settings
regedit -D k | system-settings | -
aa-audit x | upkeep | system-settings
aa-genprof x | system-settings | -
lxc stop x | container/changes | container/removes
lxc delete x | container/removes | -
vagrant box remove x | virtual-machine | container/removes
vagrant destroy x | container/removes | -
pm2 save | service | autostart
pm2 startup | autostart | -
photorec /dev/sdb | upkeep | changes
sg run -c ls | privilege | -
sg run -p a -r b -U | changes | privilege
"""

LOOKS = """
nft monitor; ufw --dry-run enable; grub-mkconfig; htpasswd -n me; htpasswd -v users me; chsh -l; vipw -V; jj op log
jj op show x; jj bookmark list; gh cs ports; gcrane gc x.example/y; dnf versionlock list; shiny-mirrors config show
tlmgr print-platform; sg run --pattern a --lang ts; gpu-screen-recorder --list-audio-devices; flashrom -L
dnf module list; squid -k parse; testdisk /list; john --list=formats; hashcat --example-hashes; xev; pass; scrontab -l
module avail; hwinfo --help
rpmkeys --list; nix-collect-garbage -d --dry-run; tlmgr option repository; dmidecode; lshw -c disk
emerge -pv vim; certbot --help
"""


def rows() -> list[tuple[str, ...]]:
    return [tuple(part.strip() for part in line.split("|")) for line in ROWS.splitlines() if line]


@pytest.mark.parametrize(("line", "does", "leaves"), rows())
def test_a_mild_form_and_its_neighbour(line, does, leaves):
    found = use(line).traits
    assert does in found or does == "-", found
    assert leaves not in found, found
    assert "read-only" not in found, found


@pytest.mark.parametrize("line", [part.strip() for part in LOOKS.replace("\n", ";").split(";") if part.strip()])
def test_what_only_looks(line):
    assert looks(line), use(line)


@pytest.mark.parametrize("line", ["dmidecode -t memory", "lshw -c disk -short", "hwinfo --cpu", "virt-what --version"])
def test_single_parts_tell_no_machine_from_another(line):
    assert "fingerprints" not in use(line).traits


@pytest.mark.parametrize(
    "line", ["dmidecode", "dmidecode -t memory -t bios", "lshw", "lshw -c system", "hwinfo --bios"]
)
def test_the_whole_machine_does(line):
    assert "fingerprints" in use(line).traits


@pytest.mark.parametrize("line", ["./script x", "tools/install -d /usr", "scripts/test a", "../start"])
def test_a_script_with_a_plain_name_is_not_the_program_of_that_name(line):
    assert not use(line).known
    assert not looks(line)


@pytest.mark.parametrize(
    "line", ["bin/script x", "/usr/bin/script x", ".venv/bin/coverage run x", "./rm x", "/opt/x/install a b"]
)
def test_installed_programs_and_other_names_are_known_by_their_path(line):
    assert use(line).known


def test_a_certificate_is_shown_and_not_the_file_it_stands_in():
    assert use("openssl x509 -in a.pem -text -noout").reads == ()
    assert use("openssl pkey -in a.pem -text").reads == ("a.pem",)


def test_a_program_that_comes_with_another_has_its_own_words():
    assert runs("k3s kubectl get pods") == [("argv", "kubectl", "get", "pods")]
    assert runs("microk8s helm list") == [("argv", "helm", "list")]
    assert "cluster/runs" not in use("k3s kubectl get pods").traits


def test_what_is_queued_is_a_command():
    assert runs("pueue add -g x -- rm -r y") == [("shell", "rm -r y")]
