"""Programs that are for something else and can be made to run another one."""

from __future__ import annotations

import pytest

from interlock.facts.shell import Shell, read_shell
from tests.facts.programs.reading import use


def aside(line: str) -> list[str]:
    """What a command runs beside what it is for."""
    return [" ".join(nested.words) for nested in use(line).runs if nested.aside]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tar cf a.tar x --checkpoint-action=exec='sh x.sh'", ["sh x.sh"]),
        ("tar -I 'sh -c id' -cf a.tar x", ["sh -c id"]),
        ("zip a.zip x -T -TT 'sh #'", ["sh #"]),
        ("rsync -e 'sh -c id' a b:", ["sh -c id"]),
        ("restic --password-command /opt/pw snapshots", ["/opt/pw"]),
        ("vim -c ':!id' a", ["id"]),
        ("sqlite3 a.db '.shell id'", ["id"]),
        ("awk 'BEGIN {system(\"id\")}'", ["id"]),
        ("ssh -o ProxyCommand=';id' host", ["id"]),
        ("split --filter='sh -i' a", ["sh -i"]),
    ],
)
def test_what_an_option_names_is_run_aside(line: str, expected: list[str]):
    assert aside(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "rsync -e 'ssh -p 2222' a b:",
        "tar -I 'zstd -19 -T0' -cf a.tar.zst x",
        "tar --use-compress-program=pigz -xf a.tgz",
        "tar cf a.tar x --checkpoint-action=dot",
        "hyperfine --prepare 'sh clean.sh' 'sh run.sh'",
        "bash -c id",
        "env sh -c id",
    ],
)
def test_what_an_option_is_for_is_no_aside(line: str):
    assert aside(line) == []


def traits(shell: Shell) -> frozenset[str]:
    return shell.commands[0].use.traits


@pytest.mark.parametrize("option", ["sh x.sh", "/bin/bash -c id", "id; sh", "env zsh"])
def test_a_shell_in_an_option_is_told_of_the_program_that_has_it(option: str):
    assert "runs-shell" in traits(read_shell(f"tar -I '{option}' -cf a.tar x"))


def test_a_program_from_elsewhere_in_an_option_is_unread():
    files = [one.file for one in read_shell("tar -I /usr/local/bin/agent -cf a.tar x").unread]
    assert files == ["/usr/local/bin/agent"]
    assert read_shell("nice /usr/local/bin/agent").unread == ()
    assert read_shell("tar -I /usr/bin/zstd -cf a.tar x").unread == ()


@pytest.mark.parametrize(
    "line", ["ftp host\n!sh", "less a.txt\n!id", "python3\nos.getcwd", "vi a.txt\n:!id", "mysql\n\\! id", "top\nkeys"]
)
def test_what_follows_a_program_that_a_person_drives_may_be_typed_into_it(line: str):
    assert any(reason.startswith("may be typed into") for reason in read_shell(line).reasons)


@pytest.mark.parametrize(
    "line",
    ["less a.txt\ngit status", "vi a.txt && make", "python3 a.py\nmytool", "echo 1 | python3\nmytool", "mytool\nother"],
)
def test_a_known_program_is_a_command_of_its_own(line: str):
    assert not any(reason.startswith("may be typed into") for reason in read_shell(line).reasons)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("certbot renew --deploy-hook 'sh x.sh'", ["sh x.sh"]),
        ("dnsmasq --conf-script='/opt/x 1>&2'", ["/opt/x 1>&2"]),
        ("fail2ban-client set sshd action a actionban /opt/x", ["/opt/x"]),
        ("zic -d . -y /opt/x zone", ["/opt/x"]),
        ("borg create --rsh 'sh -c id' a::b c", ["sh -c id"]),
        ("busctl --address=unixexec:path=/bin/sh,argv1=-c,argv2=id", ["/bin/sh -c id"]),
        ("pdflatex --shell-escape '\\immediate\\write18{id}'", ["id"]),
        ("rpmquery --eval '%(id)'", ["id"]),
        ("msgfilter -P sh -c id", ["sh -c id"]),
        ("check_by_ssh -o 'ProxyCommand sh -i' -H h -C uptime", ["sh -i"]),
        ("gcc -wrapper sh,-s x", ["sh -s"]),
        ("gdb -ex '!id' -ex quit", ["id"]),
        ("enscript -I 'sh >&2' a", ["sh >&2"]),
        ("xdg-user-dir '}; id #'", [" id #"]),
    ],
)
def test_programs_with_an_option_for_another_one(line: str, expected: list[str]):
    assert aside(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "gdb -batch -ex run -ex bt ./app",
        "pdflatex -interaction=nonstopmode paper.tex",
        "certbot certificates",
        "busctl list",
        "fail2ban-client status sshd",
        "xdg-user-dir DOWNLOAD",
        "rpmquery -a",
    ],
)
def test_their_ordinary_uses_run_nothing_aside(line: str):
    assert aside(line) == []


def test_what_files_and_ports_they_touch():
    assert "network/listens" in use("ruby -run -e httpd . -p 80").traits
    assert "network/shell" in use("socket -svp 'sh -i' 4444").traits
    assert "network/shell" in use("tcpserver 0 4444 sh").traits
    assert "runs-shell" in use("script -q /dev/null").traits
    assert "runs-shell" not in use("script -c 'make test' log").traits
    assert use("tar Pxf a.tar --xform s@.*@/etc/x@").writes[-1:] != ()
    assert use("lwp-request file:///etc/x").reads == ("/etc/x",)


@pytest.mark.parametrize(
    ("line", "file"),
    [
        ("java -javaagent:/tmp/a.jar=x -version", "/tmp/a.jar"),
        ("nvim -l /tmp/a.lua", "/tmp/a.lua"),
        ("rake -f /tmp/a.rake", "/tmp/a.rake"),
        ("exiftool -config /tmp/a b.jpg", "/tmp/a"),
        ("cargo run --manifest-path /tmp/a/Cargo.toml", "/tmp/a/Cargo.toml"),
        ("ssh -F /tmp/a host", "/tmp/a"),
        ("openvpn --config /tmp/a.ovpn", "/tmp/a.ovpn"),
        ("pic -U /tmp/a.pic", "/tmp/a.pic"),
        ("cobc -xj /tmp/a.cob", "/tmp/a.cob"),
        ("virsh define /tmp/a.xml", "/tmp/a.xml"),
        ("jshell --execution local /tmp/a.jsh", "/tmp/a.jsh"),
    ],
)
def test_files_whose_content_is_run(line: str, file: str):
    assert file in [nested.words[0] for nested in use(line).runs if nested.kind == "file"]


def test_settings_in_the_usual_places_are_not_run():
    assert all(nested.kind != "file" for nested in use("ssh -F ~/.ssh/work host uptime").runs)
    assert use("pic a.pic").runs == ()


@pytest.mark.parametrize("line", ["MANPAGER='sh -c id' man ls", "RSYNC_RSH='bash -i' rsync a b:"])
def test_a_variable_that_starts_a_shell_is_told(line: str):
    assert any(reason.endswith("starts a shell") for reason in read_shell(line).reasons)


def test_a_variable_that_names_a_pager_is_not():
    assert read_shell("MANPAGER=cat man ls").reasons == ()


def test_names_of_files_on_the_input_are_read():
    (_, pack) = read_shell("echo a/b c | cpio -o").commands
    assert pack.use.reads == ("a/b", "c")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("make SHELL=/opt/x", ["/opt/x"]),
        ("make CC='sh -c id' all", ["sh -c id"]),
        ("go build -toolexec 'sh -c id' ./...", ["sh -c id"]),
        ("npm --script-shell=/opt/x run test", ["/opt/x"]),
        ("gpg --photo-viewer '/opt/x %i' --list-keys", ["/opt/x %i"]),
        ("make SHELL=/bin/bash test", []),
        ("make V=1 PREFIX=/opt", []),
    ],
)
def test_builds_that_are_told_which_programs_to_use(line: str, expected: list[str]):
    assert aside(line) == expected


@pytest.mark.parametrize(
    ("line", "file"),
    [
        ("php -d auto_prepend_file=/tmp/a.php b.php", "/tmp/a.php"),
        ("ruby -r/tmp/a -e 1", "/tmp/a"),
        ("node --import=/tmp/a.mjs b.js", "/tmp/a.mjs"),
        ("jest --config /tmp/a.js", "/tmp/a.js"),
        ("mvn -f /tmp/a/pom.xml test", "/tmp/a/pom.xml"),
        ("pytest /tmp/test_a.py::test_b", "/tmp/test_a.py"),
        ("java -cp lib/a.jar:/tmp/a Main", "/tmp/a"),
        ("perl -I/tmp/a -MB -e 1", "/tmp/a"),
        ("screen -c /tmp/a -dm ls", "/tmp/a"),
    ],
)
def test_code_from_elsewhere_that_an_option_brings_in(line: str, file: str):
    assert file in [nested.words[0] for nested in use(line).runs if nested.kind == "file"]


def test_a_key_that_ssh_is_told_to_use_is_not_read():
    assert use("ssh -i ~/.ssh/id_ed25519 host uptime").reads == ()
    assert use("scp -i ~/.ssh/id_ed25519 a host:").reads == ("a",)


@pytest.mark.parametrize("value", ["/tmp/a", "src:/tmp/a"])
def test_a_search_path_that_anybody_writes_to_loads_code(value: str):
    assert read_shell(f"PYTHONPATH={value} python3 -m b").reasons == ("PYTHONPATH loads code",)


def test_a_search_path_of_the_project_does_not():
    assert read_shell("PYTHONPATH=src:lib python3 -m b").reasons == ()


def test_an_address_that_deno_runs_is_fetched_and_run():
    assert "executes-download" in use("deno run -A https://a.example/b.ts").traits
    assert "executes-download" not in use("deno run -A b.ts").traits
