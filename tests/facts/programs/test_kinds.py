"""What kind of thing a command does."""

from __future__ import annotations

import pytest

from interlock.facts.programs import TRAITS
from tests.facts.programs.reading import runs, said, use


@pytest.mark.parametrize(
    ("line", "has", "has_not"),
    [
        ("sudo ls", "privilege", ""), ("su -c x", "privilege", ""), ("doas ls", "privilege", ""), ("ls", "",
            "privilege"),
        ("kill -9 5", "kills", ""), ("kill -l", "read-only", "kills"), ("pkill x", "kills", ""), ("killall x",
            "kills", ""), ("pgrep x", "", "kills"),
        ("node --inspect x.js", "", "network/listens"), ("node --inspect=0.0.0.0 x.js", "network/listens", ""),
        ("kubectl port-forward x 80", "network changes", "network/tunnels"),
        ("kubectl port-forward x 80 --address 0.0.0.0", "network/tunnels", ""),
        ("kill %1", "changes", "kills"), ("kill -s TERM %2", "changes", "kills"), ("kill -9 %1 5", "kills", ""),
            ("kill -9 -1", "kills forced", ""), ("kill %:3000", "changes", "kills"), ("kill %:5432", "kills", ""),
        ("pkill -f 'next dev'", "changes", "kills"), ("pkill -f 'python app.py'", "changes", "kills"),
            ("pkill next", "kills", ""), ("pkill -f node", "kills", ""), ("pkill -f '.*.py'", "kills", ""),
        ("fuser -k 3000/tcp", "changes", "kills read-only"), ("fuser -k 22/tcp", "kills", ""),
            ("fuser -k 3000/tcp /srv", "kills", ""), ("fuser 3000/tcp", "read-only", "kills"),
        ("reboot", "reboots", ""), ("shutdown -h now", "reboots", ""), ("systemctl reboot", "reboots", ""),
            ("systemctl restart x", "service", "reboots"),
        ("mkfs.ext4 /dev/sda1", "formats-disk", ""), ("mkfs -t ext4 /dev/sda1", "formats-disk", ""),
            ("dd if=x of=/dev/sda", "formats-disk", ""),
        ("dd if=x of=y", "", "formats-disk"), ("dd if=/dev/zero of=/dev/null", "", "formats-disk"),
            ("wipefs -a /dev/sda", "formats-disk", ""), ("wipefs /dev/sda", "", "formats-disk"),
        ("fdisk -l", "read-only", "formats-disk"), ("fdisk /dev/sda", "formats-disk", ""), ("shred x", "shreds", ""),
            ("diskutil eraseDisk x y", "formats-disk", ""),
        ("chmod -R 777 x", "world-writable permissions recursive", ""), ("chmod o+w x", "world-writable", ""),
            ("chmod u+w x", "", "world-writable"), ("chmod 4755 x", "set-user-id", ""),
        ("chmod u+s x", "set-user-id", ""), ("chmod 755 x", "", "set-user-id world-writable"), ("chown -R root x",
            "ownership users recursive", ""), ("chown me x", "ownership", "users"),
        ("useradd x", "users", ""), ("passwd x", "users writes-secret", ""), ("visudo", "users privilege", ""),
        ("crontab -e", "schedules", ""), ("crontab -l", "", "schedules"), ("at now", "schedules", ""),
            ("systemctl enable x", "service autostart", ""),
        ("ufw disable", "firewall", ""), ("ufw status", "read-only", "firewall"), ("iptables -F", "firewall", ""),
            ("setenforce 0", "security-off", ""),
        ("history -c", "history-wiped", ""), ("history", "reads-environment", "history-wiped"),
            ("export HISTFILE=/dev/null", "history-wiped", ""), ("export A=b", "shell-state", "history-wiped"),
        ("unset HISTFILE", "history-wiped", ""), ("truncate -s0 /var/log/syslog", "log-wiped", ""),
            ("truncate -s0 logs/a.log", "", "log-wiped"), ("truncate -s0 ~/a.log", "log-wiped", ""),
            ("journalctl --vacuum-time=1s", "log-wiped", ""), ("insmod x.ko", "kernel", ""),
        ("strace -p 5 ls", "debugger", ""), ("tcpdump -i any", "captures", ""), ("xclip -o", "clipboard", ""),
            ("base64 x", "encodes read-only", ""), ("touch -t 0101 x", "hides", ""),
        # packages
        ("apt-get install -y x", "installs-package system-package", ""), ("apt list", "read-only",
            "installs-package"), ("apt remove x", "removes-package", ""), ("pip install x", "installs-package",
                "system-package"),
        ("pip install --break-system-packages x", "system-package", ""), ("npm i -g x",
            "installs-package system-package", ""), ("npm publish", "publishes-package", ""),
                ("npm publish --dry-run", "", "publishes-package"),
        ("cargo publish", "publishes-package", ""), ("twine upload x", "publishes-package", ""), ("npm uninstall x",
            "removes-package", ""), ("npx x", "runs-package", ""), ("brew tap a/b", "package-source", ""),
        ("npm config set registry x", "package-source", ""), ("pacman -Syu", "installs-package", ""), ("pacman -Qs x",
            "read-only", ""), ("pacman -Rns x", "removes-package", ""), ("cargo install --version 1 x",
                "installs-package", ""),
        # git
        ("git push", "git/publishes", "git/force-publishes"), ("git push -f", "git/force-publishes", ""),
            ("git push --force-with-lease", "git/force-publishes", ""), ("git push origin +main",
                "git/force-publishes", ""),
        ("git push origin :old", "git/deletes-remote", ""), ("git push -d origin old", "git/deletes-remote", ""),
            ("git push --mirror", "git/force-publishes", ""), ("git push -n", "", "git/publishes"),
        ("git reset --hard", "git/discards-work", "git/rewrites-history"), ("git reset --hard HEAD~3",
            "git/discards-work git/rewrites-history", ""), ("git reset", "git/changes",
                "git/discards-work git/rewrites-history"),
        ("git reset --soft HEAD~1", "git/rewrites-history", "git/discards-work"), ("git reset HEAD x", "",
            "git/rewrites-history"), ("git checkout -- x", "git/discards-work", ""), ("git checkout .",
                "git/discards-work", ""),
        ("git checkout main", "git/changes", "git/discards-work"), ("git checkout -b x", "git/changes",
            "git/discards-work"), ("git checkout -f", "git/discards-work", ""), ("git checkout README.md",
                "git/discards-work", ""),
        ("git restore x", "git/discards-work", ""), ("git restore --staged x", "git/changes", "git/discards-work"),
            ("git switch x", "git/changes", "git/discards-work"), ("git switch --discard-changes x",
                "git/discards-work", ""),
        ("git clean -fd", "git/discards-work", ""), ("git clean -n", "read-only", "git/discards-work"),
            ("git stash drop", "git/deletes-branch git/discards-work", ""), ("git stash", "git/changes",
                "git/discards-work"),
        ("git branch -D x", "git/deletes-branch forced", ""), ("git branch -d x", "git/deletes-branch", "forced"),
            ("git rebase main", "git/rewrites-history", ""), ("git commit --amend",
                "git/rewrites-history git/commits", ""),
        ("git commit -m x", "git/commits", "git/rewrites-history"), ("git commit -nm x", "git/skips-hooks",
            "git/runs-hooks"), ("git filter-branch --all", "git/rewrites-history", ""), ("git reflog expire --all",
                "git/expires", ""),
        ("git gc --prune=now", "git/expires", ""), ("git gc", "git/changes", "git/expires"), ("git config a.b c",
            "git/config", ""), ("git config a.b", "read-only", "git/config"), ("git worktree remove -f x",
                "git/discards-work", ""),
        ("git update-ref -d x", "git/deletes-branch", ""), ("git merge x", "git/commits", ""), ("git pull --rebase",
            "network", ""), ("git add .", "git/changes", "git/discards-work"),
        # forges
        ("gh pr merge 5", "forge/merges", ""), ("gh pr create", "forge/writes", "forge/merges"), ("gh repo delete x",
            "forge/deletes", ""), ("gh api x", "read-only", "forge/writes"), ("gh api x -X DELETE", "forge/deletes",
                ""),
        ("gh api graphql -f query='query { a }'", "read-only", ""), ("gh api graphql -f query='mutation { a }'",
            "forge/writes", "read-only"), ("gh secret set x", "writes-secret", ""), ("gh auth token", "reads-secret",
                ""),
        # cloud, infrastructure, containers, clusters
        ("aws s3 rb s3://x --force", "cloud/deletes", ""), ("aws ec2 terminate-instances --instance-ids x",
            "cloud/deletes", ""), ("aws ec2 describe-instances", "cloud/reads read-only", "cloud/changes"),
                ("aws iam create-user", "cloud/access cloud/changes", ""),
        ("aws iam create-access-key", "reads-secret", ""), ("aws ssm send-command", "cloud/runs", ""),
            ("aws --profile p --region r s3 ls", "read-only", ""), ("gcloud --project p sql instances delete x",
                "cloud/deletes", ""),
        ("gcloud auth print-access-token", "reads-secret", ""), ("az group delete -n x", "cloud/deletes", ""),
            ("az keyvault secret show --name x", "reads-secret", ""), ("terraform destroy", "infra/destroys", ""),
                ("terraform apply -destroy", "infra/destroys", ""),
        ("terraform apply -auto-approve", "infra/applies forced", "infra/destroys"), ("terraform state rm x",
            "infra/destroys", ""), ("terraform state list", "read-only", ""), ("pulumi destroy", "infra/destroys",
                ""), ("ansible-playbook x.yml", "infra/applies", ""),
        ("docker run --privileged x", "container/privileged container/runs", ""), ("docker run x", "container/runs",
            "container/privileged"), ("docker run --cap-add SYS_ADMIN x", "container/privileged", ""),
                ("docker run --pid=host x", "container/privileged", ""),
        ("docker run -v /:/h x", "container/mounts-host", ""), ("docker run -v vol:/h x", "",
            "container/mounts-host"), ("docker run --mount type=bind,source=/,target=/h x", "container/mounts-host",
                ""), ("docker system prune -af", "container/prunes", ""),
        ("docker rm -f x", "container/removes", "container/prunes"), ("docker compose down -v",
            "container/removes container/prunes", ""), ("docker compose down", "container/removes",
                "container/prunes"), ("docker push x", "publishes-package", ""),
        ("kubectl delete ns x", "cluster/deletes", ""), ("kubectl drain x", "cluster/deletes", ""),
            ("kubectl apply -f x", "cluster/changes", "cluster/deletes"), ("kubectl -n a get pods",
                "cluster/reads read-only", ""), ("helm uninstall x", "cluster/deletes", ""),
        # databases
        ("psql -c 'DROP TABLE t'", "database/drops", ""), ("psql -c 'delete from t'", "database/drops", ""),
            ("psql -c 'delete from t where id = 1'", "database/deletes", "database/drops"),
                ("psql -c \"select 'drop table t'\"", "read-only", "database/drops"),
        ("psql -c 'insert into t values (1)'", "database/writes", "database/drops"), ("dropdb x", "database/drops",
            ""), ("dropdb x_test", "database/writes", "database/drops"), ("dropdb test", "database/drops", ""),
            ("dropdb x_test x", "database/drops", ""), ("dropdb -h db.org x_test", "database/drops", ""),
            ("sqlite3 :memory: 'drop table t'", "read-only", "database/drops"),
            ("sqlite3 :memory: \"attach 'a' as b; drop table b.t\"", "database/drops", ""),
            ("mongosh --eval 'db.t.countDocuments({deleted: true})'", "", "database/deletes"),
            ("mongosh --eval 'db.t.deleteOne({a: 1})'", "database/deletes", ""),
            ("diskutil apfs list", "read-only", "formats-disk"), ("diskutil eject disk2", "mounts", "formats-disk"),
            ("diskutil unmountDisk force disk0", "mounts", "formats-disk"),
            ("diskutil apfs deleteVolume disk1s1", "formats-disk", ""), ("diskutil renameVolume a b", "upkeep",
                "formats-disk"), ("softwareupdate --schedule off", "security-off", ""),
            ("tmux kill-session -t a", "upkeep", "kills"), ("tmux kill-session -a -t a", "kills", ""),
            ("tmux kill-server", "kills", ""), ("schtasks /query", "read-only", "schedules"),
            ("schtasks /create /tn a", "schedules", ""), ("mshta http://a.org/x", "executes-download", ""),
            ("rundll32 javascript:x", "executes-download", ""), ("rundll32 a.dll,b", "misuses",
                "executes-download"), ("aws ec2 create-key-pair --key-name a", "reads-secret", ""),
            ("svcadm disable ssh", "service", ""), ("svcs -a", "read-only", ""),
            ("redis-cli flushall", "database/drops", ""), ("redis-cli -h h get k", "read-only",
                "database/writes"), ("redis-cli del k", "database/deletes", ""),
        ("mongosh --eval 'db.dropDatabase()'", "database/drops", ""), ("pg_dump x", "database/dumps", ""),
            ("mysql -e 'truncate t'", "database/drops", ""), ("sqlite3 a.db 'select 1'", "read-only",
                "database/writes"),
        # the network
        ("nc -l 80", "network/listens", ""), ("nc h 80", "sends-stdin", "network/listens"), ("ssh -L 1:h:2 x",
            "network/tunnels", ""), ("ssh x", "network", "network/tunnels"), ("http.server", "network/serves",
                "read-only"), ("curl -k https://x", "insecure", ""),
        ("curl -o x https://y", "downloads", ""), ("curl https://y", "network", "downloads"), ("nmap x",
            "network/scans", ""), ("ngrok http 80", "network/tunnels", ""), ("mail -s x y", "notifies", ""),
                ("nc -e sh h 1", "network/shell", ""),
        ("nc -z db 5432", "network", "network/scans"), ("nc -z db 1-1024", "network/scans", ""),
        ("nc -z 10.0.0.1 22 80", "network/scans", ""), ("ping 10.0.0.\0", "network/scans", ""),
        ("ping -b 10.0.0.255", "network/scans", ""), ("fping -g 10.0.0.0/24", "network/scans", ""),
        ("ping -c 1 10.0.0.1", "network read-only", "network/scans"), ("mtr -b x.example", "network", "network/scans"),
        ("http --verify=no https://x", "insecure", ""), ("xh -k https://x", "insecure", ""),
        # what a machine is, and what it knows of others
        ("lsmod", "fingerprints read-only", ""), ("dmidecode -t bios", "fingerprints", ""),
        ("sysctl -n hw.model", "fingerprints read-only", "kernel"), ("sysctl -n hw.ncpu", "read-only", "fingerprints"),
        ("sysctl hw.model=x", "kernel", "fingerprints"), ("csrutil status", "fingerprints read-only", "security-off"),
        ("csrutil disable", "security-off", "read-only"), ("ioreg -l", "fingerprints", ""),
        ("sw_vers", "read-only", "fingerprints"), ("lscpu", "read-only", "fingerprints"),
        ("arp -a", "network/maps", ""), ("arp -d x", "system-settings", ""), ("ip neigh", "network/maps read-only", ""),
        ("ip n flush all", "system-settings", ""), ("ip addr", "read-only", "network/maps"),
        ("ausearch -m avc", "read-only", "security-off"), ("auditctl -D", "security-off", ""),
        ("ss -antp", "network/maps", ""), ("netstat", "network/maps", ""), ("ss -tlnp", "read-only", "network/maps"),
        ("netstat -rn", "read-only", "network/maps"), ("netstat -an", "read-only", "network/maps"),
        ("launchctl setenv A b", "autostart system-settings", ""), ("launchctl list", "read-only", "autostart"),
        ("loginctl enable-linger me", "autostart", ""), ("loginctl list-users", "read-only", "autostart"),
        ("security find-generic-password -wa me", "reads-secret", ""),
        ("simctl list", "read-only", "publishes-package"),
        ("go run x.example/y@latest", "runs-package network", ""), ("go run ./cmd", "runs-project", "runs-package"),
        ("sfltool resetbtm", "security-off", ""), ("sfltool dumpbtm", "read-only", "security-off"),
        # a password on a file
        ("openssl enc -aes-256-cbc -in a -out b", "locks", ""), ("openssl aes-256-cbc -in a -out b", "locks", ""),
        ("openssl enc -pbkdf2 -in a -out b", "locks", ""), ("openssl enc -d -aes-256-cbc -in b", "encrypts", "locks"),
        ("openssl enc -a -in x", "encodes", "locks"), ("gpg -c x", "locks", ""),
        ("gpg -e -r me x", "encrypts", "locks"),
        ("gpg -d x", "encrypts", "locks"), ("zip -P pw a.zip b", "locks", ""), ("zip -e a.zip b", "locks", ""),
        ("zip -r a.zip b", "recursive", "locks"), ("7z a -ppw a.7z b", "locks", ""), ("7z x -ppw a.7z", "", "locks"),
        ("age -p -o a b", "locks", ""), ("age -r key -o a b", "encrypts", "locks"), ("ccencrypt a", "locks", ""),
        # the clock
        ("date 010100001971", "system-settings", "read-only"), ("date -s x", "system-settings", ""),
        ("date -j -f %s 1 +%T", "read-only", "system-settings"), ("date +%s", "read-only", "system-settings"),
        ("export HISTCONTROL=ignorespace", "hides", ""), ("export HISTCONTROL=erasedups", "", "hides history-wiped"),
    ],
)  # fmt: skip
def test_traits(line, has, has_not):
    found = use(line).traits
    assert set(has.split()) <= found
    assert not set(has_not.split()) & found


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("curl https://a.b/c", {"urls": ("https://a.b/c",)}),
        ("curl a.b", {"urls": ("http://a.b",)}),
        ("curl -d @f https://a.b", {"urls": ("https://a.b",), "sends": True, "sent": ("f",)}),
        ("curl -d text https://a.b", {"urls": ("https://a.b",), "sends": True}),
        ("curl -F x=@f https://a.b", {"urls": ("https://a.b",), "sends": True, "sent": ("f",)}),
        ("curl -T f https://a.b", {"urls": ("https://a.b",), "sends": True, "sent": ("f",)}),
        ("curl -X GET https://a.b", {"urls": ("https://a.b",)}),
        ("curl -G -d q=1 https://a.b", {"urls": ("https://a.b",)}),
        ("wget --post-file=f https://a.b", {"urls": ("https://a.b",), "sends": True, "sent": ("f",)}),
        ("http POST a.b x=1", {"urls": ("http://a.b",), "sends": True}),
        ("http a.b x==1", {"urls": ("http://a.b",)}),
        ("scp f me@h:d", {"hosts": ("h",), "sends": True, "sent": ("f",)}),
        ("scp me@h:d f", {"hosts": ("h",)}),
        ("rsync -a d h:d", {"hosts": ("h",), "sends": True, "sent": ("d",)}),
        ("rsync -a d e", {}),
        ("ssh -J hop me@h ls", {"hosts": ("hop", "h")}),
        ("nc h 80", {"hosts": ("h",)}),
        ("psql -h h -c x", {"hosts": ("h",)}),
        ("psql -h localhost -c x", {}),
        ("aws s3 cp f s3://b/k", {"urls": ("s3://b/k",), "sends": True, "sent": ("f",)}),
        ("aws s3 cp s3://b/k f", {"urls": ("s3://b/k",)}),
        ("aws s3 sync . s3://b", {"urls": ("s3://b",), "sends": True, "sent": (".",)}),
        ("gsutil cp f gs://b", {"urls": ("gs://b",), "sends": True, "sent": ("f",)}),
        ("kubectl cp f pod:/x", {"sends": True, "sent": ("f",)}),
        ("gh gist create f", {"sends": True, "sent": ("f",)}),
        ("git push git@h:r.git main", {"hosts": ("h",), "sends": True, "refs": ("main",)}),
        ("git push", {"sends": True, "refs": ("HEAD",)}),
        ("git push origin HEAD:refs/heads/main", {"sends": True, "refs": ("main",)}),
        ("git push --all origin", {"sends": True, "refs": ("*",)}),
        ("git push --delete origin old", {"sends": True, "refs": ("old",)}),
        ("git branch -D a b", {"refs": ("a", "b")}),
        ("git clone https://a.b/r", {"urls": ("https://a.b/r",)}),
        ("git clone ./r s", {}),
        ("pip install git+https://a.b/r", {"urls": ("https://a.b/r",)}),
        ("pip install -i https://a.b/simple x", {"urls": ("https://a.b/simple",)}),
        ("ping a.b", {"hosts": ("a.b",)}),
        ("telnet a.b 25", {"hosts": ("a.b",)}),
        ("openssl s_client -connect a.b:443", {"hosts": ("a.b",)}),
    ],
)  # fmt: skip
def test_where_data_goes(line, expected):
    assert said(line, "urls", "hosts", "sends", "sent", "refs") == expected


def test_every_trait_is_one_sentence():
    assert all(text.endswith(".") and text.count(". ") == 0 for text in TRAITS.values())


@pytest.mark.parametrize(
    "line",
    [
        "git checkout -tf main", "git restore --unified --staged a.txt",
        "git restore --inter-hunk-context --staged a.txt", "git restore a.txt", "git restore --no-staged -W a.txt",
        "git restore --no-worktree -W --no-patch a.txt",
        "git restore -p", "git checkout -- a.txt", "git CHECKOUT -- a.txt", "git checkout-index -fa",
        "git read-tree --reset -u HEAD", "git -c clean.requireForce=no clean -d", "git submodule deinit -f lib",
        "git reset --har", "git clean -xdf", "git checkout -qf main", "git switch --discard main",
    ],
)  # fmt: skip
def test_unsaved_work_may_be_lost(line):
    assert "git/discards-work" in use(line).traits


@pytest.mark.parametrize(
    "line",
    [
        "git restore", "git restore --no-staged a.txt", "git restore -W --no-worktree a.txt",
        "git restore -p --no-patch",
        "git restore a.txt --help", "git checkout --unified 3 main", "git checkout --inter-hunk-context 3 main",
        "git restore --staged a.txt", "git checkout -t origin/x", "git checkout --track main a.txt",
        "git checkout -b x main a.txt", "git clean -n", "git checkout-index -f --prefix=out/ -a",
        "git sparse-checkout list", "git submodule deinit lib",
    ],
)  # fmt: skip
def test_unsaved_work_stays(line):
    assert "git/discards-work" not in use(line).traits


@pytest.mark.parametrize(
    ("line", "trait", "has"),
    [
        ("ddrescue /dev/sda /dev/sdb map", "formats-disk", True),
        ("ddrescue /dev/sda out.img map", "formats-disk", False),
        ("shred a", "shreds", True), ("shred", "shreds", False),
        ("hashid x", "captures", False), ("hashcat x", "captures", True),
        ("crane push a b", "publishes-package", True), ("crane completion bash", "publishes-package", False),
        ("git daemon", "network/listens", True), ("git gui", "network/listens", False),
    ],
)  # fmt: skip
def test_a_form_is_judged_by_what_it_is_given(line, trait, has):
    assert (trait in use(line).traits) is has


def test_m4_runs_what_it_reads_and_cpp_does_not():
    assert (use("m4").stdin, use("cpp").stdin) == ("code:other", "data")


@pytest.mark.parametrize(
    ("line", "traits"),
    [
        ("git push -f origin x", {"git/force-publishes", "forced"}),
        ("git push origin +x", {"git/force-publishes", "forced"}),
        ("git push origin x:+y", {"git/force-publishes", "forced"}),
        ("git push --mirror", {"git/force-publishes", "forced"}),
        ("git -c remote.origin.push=+x push", {"git/force-publishes", "forced"}),
        ("git -c remote.origin.mirror=yes push", {"git/force-publishes", "forced"}),
        ("git push --force-with-lease", {"git/force-publishes"}),
        ("git push origin x", set()),
        ("git branch -f x HEAD~1", {"git/deletes-branch", "forced"}),
        ("git tag -f v1", {"git/deletes-branch", "forced"}),
        ("git branch x", set()),
        ("git prune", {"git/expires"}),
        ("git prune -n", set()),
        ("git reflog expire --all", {"git/expires"}),
        ("git reflog expire -n --all", set()),
        ("git config core.hooksPath x", {"git/chooses-programs"}),
        ("git config set core.hooksPath x", {"git/chooses-programs"}),
        ("git -c core.hookspath=x commit", {"git/chooses-programs"}),
        ("git --config-env=core.hooksPath=X commit", {"git/chooses-programs"}),
        ("git --exec-path=x status", {"git/chooses-programs"}),
        ("git -c core.sshCommand=x fetch", {"git/chooses-programs"}),
        ("git -c core.sshCommand=x status", set()),
        ("git -c core.fsmonitor=false status", set()),
        ("git config --unset core.hooksPath", set()),
        ("git config core.editor vim", set()),
        ("git clone -c core.hooksPath=x u", {"git/chooses-programs"}),
    ],
)
def test_git_by_what_may_be_lost_or_run(line, traits):
    named = {"git/force-publishes", "forced", "git/deletes-branch", "git/expires", "git/chooses-programs"}
    assert use(line).traits & named == traits


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("git -c alias.x='reset --hard' x", [("argv", "git", "reset", "--hard")]),
        ("git -c alias.x='!rm a' x", [("shell", "rm a")]),
        ("git -c include.path=evil status", [("file", "evil")]),
        ("git -c core.sshCommand=./x fetch", [("shell", "./x")]),
        ("git -c core.sshCommand=./x log", []),
        ("git -c core.pager=cat log", [("shell", "cat")]),
    ],
)
def test_what_settings_of_git_run(line, expected):
    assert runs(line) == expected
