"""What is read, written, made, deleted and made executable."""

from __future__ import annotations

import pytest

from tests.facts.programs.reading import looks, said, use

FIELDS = ("reads", "writes", "creates", "deletes", "executable")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # copying, moving, linking
        ("cp a b", {"reads": ("a",), "writes": ("b", "b/a")}),
        ("cp a dir/", {"reads": ("a",), "writes": ("dir/a",)}),
        ("cp x/a y/b .", {"reads": ("x/a", "y/b"), "writes": ("./a", "./b")}),
        ("cp -t dir a b", {"reads": ("a", "b"), "writes": ("dir/a", "dir/b")}),
        ("cp -T a b", {"reads": ("a",), "writes": ("b",)}),
        ("cp -r src/. dst/", {"reads": ("src/.",), "writes": ("dst/",)}),
        ("cp a /", {"reads": ("a",), "writes": ("/a",)}),
        ("mv a b", {"reads": ("a",), "writes": ("b", "b/a"), "deletes": ("a",)}),
        ("mv *.txt old/", {"reads": ("*.txt",), "writes": ("old/*.txt",), "deletes": ("*.txt",)}),
        ("ln -s target link", {"reads": ("target",), "creates": ("link", "link/target")}),
        ("ln -sf target link", {"reads": ("target",), "writes": ("link", "link/target")}),
        ("install -m 755 a /usr/bin/", {"reads": ("a",), "writes": ("/usr/bin/a",), "executable": ("/usr/bin/a",)}),
        ("install -m 644 a /etc/a", {"reads": ("a",), "writes": ("/etc/a", "/etc/a/a")}),
        ("install -d x", {"creates": ("x",)}),
        # removing
        ("rm a -r b", {"deletes": ("a", "b")}),
        ("rmdir -p a/b", {"deletes": ("a/b",)}),
        ("unlink a", {"deletes": ("a",)}),
        ("shred -u a", {"writes": ("a",), "deletes": ("a",)}),
        ("find /tmp -name x -delete", {"reads": ("/tmp",), "deletes": ("/tmp/\0",)}),
        ("find -delete", {"reads": (".",), "deletes": ("./\0",)}),
        ("find . -name delete", {"reads": (".",)}),
        ("find . -fprint out", {"reads": (".",), "writes": ("out",)}),
        ("find . -newer stamp", {"reads": (".", "stamp")}),
        # making
        ("mkdir -p a b", {"creates": ("a", "b")}),
        ("touch a", {"creates": ("a",)}),
        ("mktemp -d /tmp/a.XXXX", {"creates": ("/tmp/a.\0",)}),
        ("tee -a a", {"reads": ("a",), "writes": ("a",)}),
        ("tee a b", {"writes": ("a", "b")}),
        ("truncate -s 0 a", {"writes": ("a",)}),
        ("dd if=a of=b bs=1", {"reads": ("a",), "writes": ("b",)}),
        # permissions
        ("chmod +x a", {"writes": ("a",), "executable": ("a",)}),
        ("chmod 755 a", {"writes": ("a",), "executable": ("a",)}),
        ("chmod 644 a", {"writes": ("a",)}),
        ("chmod u=rw,g-x a", {"writes": ("a",)}),
        ("chmod -x a", {"writes": ("a",)}),
        ("chmod --reference=r a", {"reads": ("r",), "writes": ("a",)}),
        ("chown me a b", {"writes": ("a", "b")}),
        # text
        ("cat a b", {"reads": ("a", "b")}),
        ("grep -r pat dir", {"reads": ("dir",)}),
        ("grep -e pat file", {"reads": ("file",)}),
        ("grep -f pats file", {"reads": ("pats", "file")}),
        ("sed s/a/b/ f", {"reads": ("f",)}),
        ("sed -i s/a/b/ f g", {"reads": ("f", "g"), "writes": ("f", "g")}),
        ("sed -n -e p f", {"reads": ("f",)}),
        ("sed 'w out' f", {"reads": ("f",), "writes": ("out",)}),
        ("sed '/x/s/a/b/w out' f", {"reads": ("f",), "writes": ("out",)}),
        ("awk '{print $1}' f", {"reads": ("f",)}),
        ("awk -F: -v a=1 '{print > \"out\"}' x=1 f", {"reads": ("f",), "writes": ("out",)}),
        ("awk '$1 > 5' f", {"reads": ("f",)}),
        ("sort f -o f", {"reads": ("f",), "writes": ("f",)}),
        ("uniq a b", {"reads": ("a",), "writes": ("b",)}),
        ("jq . f", {"reads": ("f",)}),
        ("yq -i .a=1 f", {"reads": ("f",), "writes": ("f",)}),
        ("patch -p1 -i a.diff", {"reads": ("a.diff",), "writes": ("\0",)}),
        ("diff a b", {"reads": ("a", "b")}),
        ("xxd -r a b", {"reads": ("a",), "writes": ("b",)}),
        # archives
        ("tar xzf a.tgz -C out", {"reads": ("a.tgz",), "writes": ("out/\0",)}),
        ("tar -xf a.tar", {"reads": ("a.tar",), "writes": ("./\0",)}),
        ("tar czf a.tgz b c", {"reads": ("b", "c"), "writes": ("a.tgz",)}),
        ("tar -C d -cf a.tar b --remove-files", {"reads": ("d/b",), "writes": ("a.tar",), "deletes": ("d/b",)}),
        ("tar tf a.tar", {"reads": ("a.tar",)}),
        ("unzip -d out a.zip", {"reads": ("a.zip",), "writes": ("out/\0",)}),
        ("unzip -l a.zip", {"reads": ("a.zip",)}),
        ("zip -r a.zip b", {"reads": ("b",), "writes": ("a.zip",)}),
        ("gzip a", {"reads": ("a",), "writes": ("a.gz",), "deletes": ("a",)}),
        ("gzip -k a", {"reads": ("a",), "writes": ("a.gz",)}),
        ("gzip -c a", {"reads": ("a",)}),
        ("gunzip a.gz", {"reads": ("a.gz",), "writes": ("a",), "deletes": ("a.gz",)}),
        ("7z x a.7z -oout", {"reads": ("a.7z",), "writes": ("out/\0",)}),
        ("7z l a.7z", {"reads": ("a.7z",)}),
        ("rsync -a --delete src/ dst", {"reads": ("src/",), "writes": ("dst",), "deletes": ("dst/\0",)}),
        ("rsync -an --delete src/ dst", {"reads": ("src/",)}),
        # others that touch files
        ("curl -o out https://x.y/z", {"writes": ("out",)}),
        ("curl -O https://x.y/z.zip", {"writes": ("z.zip",)}),
        ("curl -o /dev/null https://x.y/z", {}),
        ("curl file:///etc/shadow", {"reads": ("/etc/shadow",)}),
        ("wget https://x.y/z.zip", {"writes": ("z.zip",)}),
        ("wget -P d https://x.y/z.zip", {"writes": ("d/z.zip",)}),
        ("wget -O - https://x.y/z", {}),
        ("git clone https://x.y/r.git", {"creates": ("r",)}),
        ("git checkout -- a", {"writes": ("a",)}),
        ("git rm a", {"deletes": ("a",)}),
        ("git rm --cached a", {}),
        ("git mv a b", {"reads": ("a",), "writes": ("b",), "deletes": ("a",)}),
        ("git config --system user.name me", {"writes": ("/etc/gitconfig",)}),
        ("git config -f a user.name me", {"reads": ("a",), "writes": ("a",)}),
        ("git config user.name me", {}),
        ("openssl enc -in a -out b", {"reads": ("a",), "writes": ("b",)}),
        ("vim a", {"reads": ("a",), "writes": ("a",)}),
        ("od -c a", {"reads": ("a",)}), ("od -A x -t x1 a", {"reads": ("a",)}), ("hexdump -C a", {"reads": ("a",)}),
        ("strings -n 8 a", {"reads": ("a",)}),
        ("ffmpeg -i a b", {"reads": ("a",), "writes": ("b",)}),
        ("sqlite3 a.db 'delete from t'", {"reads": ("a.db",), "writes": ("a.db",)}),
        ("ssh-keygen -t ed25519 -f k", {"writes": ("k", "k.pub")}),
        ("docker run -v /etc:/e:ro alpine", {"reads": ("/etc",)}),
        ("docker run -v /etc:/e alpine", {"reads": ("/etc",), "writes": ("/etc",)}),
        ("docker run -v data:/e alpine", {}),
        ("docker cp web:/a b", {"writes": ("b",)}),
        ("gcc a.c -o a", {"reads": ("a.c",), "writes": ("a",)}),
        ("black a.py", {"reads": ("a.py",), "writes": ("a.py",)}),
        ("black --check a.py", {"reads": ("a.py",)}),
        ("ruff check a.py", {"reads": ("a.py",)}),
        ("perl -i -pe x a", {"reads": ("a",), "writes": ("a",)}),
    ],
)  # fmt: skip
def test_paths_by_what_happens_to_them(line, expected):
    assert said(line, *FIELDS) == expected


@pytest.mark.parametrize(
    "line",
    [
        "ls -la", "cat x", "head -n 5 x", "tail -5 x", "wc -l x", "stat x", "du -sh .", "df -h", "pwd", "tree -L 2",
            "basename x", "echo -n hi", "printf %s x",
        "date +%F", "whoami", "id -u", "uname -a", "which ls", "type ls", "find . -name '*.py'", "fd -e py",
            "grep -rn x .", "rg -n x src", "sed -n 1,5p x",
        "awk '{print $1}' x", "sort -u x", "uniq -c x", "cut -d: -f1 x", "tr a b", "diff a b", "jq .a x", "yq .a x",
            "xxd x", "base64 -d x", "less x", "man ls",
        "ps aux", "top -bn1", "pgrep -f x", "lsof -i :80", "free -h", "uptime", "env", "printenv PATH", "sha256sum x",
            "file x", "realpath x", "readlink -f x",
        "git status -sb", "git log --oneline -5", "git diff --stat HEAD~1", "git show HEAD", "git branch -a",
            "git tag -l", "git remote -v", "git stash list",
        "git rev-parse HEAD", "git config --get user.name", "git blame x", "git ls-files", "git worktree list",
            "git reflog", "git grep x",
        "docker ps -a", "docker images", "docker logs -f --tail 5 x", "docker inspect x", "docker compose ps",
            "kubectl get pods -A", "kubectl describe pod x", "kubectl logs -f x",
        "helm list", "terraform plan", "terraform show", "aws s3 ls", "aws ec2 describe-instances --filters x",
            "gcloud compute instances list", "az vm list -o table",
        "gh pr list", "gh pr view 5 --json title", "gh api repos/a/b", "npm ls", "npm view x", "pip list",
            "pip show x", "cargo tree", "go version", "brew list",
        "systemctl status x", "journalctl -u x -n 50", "ip addr show", "ip a", "ss -tlnp", "dig x.y", "ping -c 1 x.y",
            "curl https://x.y", "curl -sSL -H a:b https://x.y",
        "tar tzf a.tgz", "unzip -l a.zip", "openssl x509 -in a -noout -text", "gpg --list-keys", "psql -c 'select 1'",
            "sqlite3 a.db 'select * from t'",
        "crontab -l", "ruff check .", "mypy src", "shellcheck x.sh", "nproc", "lscpu", "test -f x", "[ -f x ]",
            "true", "sleep 1", "cd x", "sysctl -a", "iptables -L -n",
    ],
)  # fmt: skip
def test_forms_that_only_look(line):
    assert looks(line), use(line)


@pytest.mark.parametrize(
    "line",
    [
        "tail -f x --frobnicate", "find . -delete", "find . -fls x", "sed -i s/a/b/ x", "sed 's/a/b/w o' x",
            "sed 's/a/b/e' x", "sort -o x x", "date -s now", "date 01010000",
        "hostname new", "tree -o x", "git branch new", "git branch -d x", "git tag v1", "git stash",
            "git config a.b c", "git remote add a b", "git diff --output=x", "git log --frobnicate",
        "git -c core.pager=x log", "git worktree add x", "git reflog expire --all", "docker rm x",
            "kubectl delete pod x", "kubectl get secret x -o yaml", "terraform apply",
        "aws s3 rm s3://x", "aws ec2 run-instances", "aws secretsmanager get-secret-value --secret-id x",
            "gcloud compute instances delete x", "az vm delete", "az vm delete list",
        "gh pr merge", "gh api -X DELETE x", "gh api x -f a=b", "gh auth token", "npm install", "npm run x",
            "pip install x", "cargo build", "go run x", "brew install x",
        "systemctl stop x", "journalctl --vacuum-time=1s", "ip link set eth0 down", "ip route add x",
            "curl -d a https://x.y", "curl -X POST https://x.y", "curl -o x https://x.y", "curl -K c",
        "curl https://§", "dig §.x.y", "tar xf a", "psql -c 'drop table t'", "psql -c 'select 1; delete from t'",
            "psql -f x.sql", "sqlite3 a.db", "crontab -r", "ruff check --fix",
        "sysctl -w a=b", "iptables -F", "history -c", "export A=b", "dmesg -C", "ss -K", "fuser -k 80/tcp",
            "yq -i x y", "rg --pre x y", "frobnicate",
    ],
)  # fmt: skip
def test_near_misses_do_not_only_look(line):
    assert not looks(line), use(line)
