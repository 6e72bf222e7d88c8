"""Programs that run others."""

from __future__ import annotations

import pytest

from tests.facts.programs.reading import runs, use

RM = ("argv", "rm", "-rf", "x")


@pytest.mark.parametrize(
    "wrapper",
    [
        "repeat 3", "-", "runcon -t x", "runcon u:r:t", "setpriv --reuid 1", "foreman run", "lerna exec --",
        "sudo", "sudo -u root", "sudo -nE A=b", "doas -u x", "env", "env -i A=b C=d", "env -u HOME", "env --",
            "nohup", "time", "time -p",
        "timeout 5", "timeout -s KILL --foreground 5s", "nice", "nice -n 5", "nice -5", "ionice -c 2 -n 7",
            "stdbuf -oL", "setsid -w",
        "command", "command -p", "builtin", "exec", "exec -a name", "busybox", "chrt -f 10", "taskset -c 0",
            "unshare -r", "nsenter -t 1 -m",
        "setarch -R", "runuser -u x --", "gosu x", "systemd-run --user --scope", "flock /tmp/l", "strace -f -o t",
            "valgrind -q", "uv run",
        "poetry run", "poetry -C d run", "conda run -n e", "rustup run nightly", "direnv exec .", "mise exec --",
            "tini --",
    ],
)  # fmt: skip
def test_a_wrapped_command_is_found(wrapper):
    assert RM in runs(f"{wrapper} rm -rf x")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("bash -c 'rm -rf x' name arg", [("shell", "rm -rf x")]),
        ("bash -xec 'rm -rf x'", [("shell", "rm -rf x")]),
        ("sh -e script.sh a b", [("file", "script.sh", "a", "b")]),
        ("eval rm -rf x", [("shell", "rm -rf x")]),
        ("source ./env.sh", [("file", "./env.sh")]),
        (". ./env.sh", [("file", "./env.sh")]),
        ("su -c 'rm x' root", [("shell", "rm x")]),
        ("su root -c 'rm x'", [("shell", "rm x")]),
        ("sudo -s rm x", [("shell", "rm x")]),
        ("env -S 'rm -rf' x", [("shell", "rm -rf x")]),
        ("trap 'rm x' EXIT", [("shell", "rm x")]),
        ("coreutils --coreutils-prog=rm -rf x", [("argv", "rm", "-rf", "x")]),
        ("start-stop-daemon -S -x /bin/rm -- -rf x", [("argv", "/bin/rm", "-rf", "x")]),
        ("start-stop-daemon -K -x /bin/rm", []),
        ("capsh -- -c 'rm x'", [("argv", "bash", "-c", "rm x")]),
        ("sg g -c 'rm x'", [("shell", "rm x")]),
        ("sg g 'rm x'", [("shell", "rm x")]),
        ("zargs -- a b -- rm -f", [("argv", "rm", "-f", "a", "b")]),
        ("nodemon -x 'rm x' a.js", [("shell", "rm x")]),
        ("trap - EXIT", []),
        ("command -v rm", []),
        ("xargs rm -f", [("argv", "rm", "-f", "\0")]),
        ("xargs -I{} rm {}/x", [("argv", "rm", "\0/x")]),
        ("xargs -i rm {}", [("argv", "rm", "\0")]),
        ("xargs -0 -n 1 -P4", [("argv", "echo", "\0")]),
        ("find . -name '*.o' -exec rm -f {} ;", [("argv", "rm", "-f", "./\0")]),
        ("find /a /b -exec rm {} +", [("argv", "rm", "/a/\0"), ("argv", "rm", "/b/\0")]),
        ("find / -execdir rm {} ;", [("argv", "rm", "/\0")]),
        ("fd -e o -x rm -f {}", [("argv", "rm", "-f", "\0")]),
        ("fd pattern -X rm", [("argv", "rm", "\0")]),
        ("parallel rm ::: a b", [("argv", "rm", "a"), ("argv", "rm", "b")]),
        ("parallel -j4 rm {}.o ::: a", [("argv", "rm", "a.o")]),
        ("parallel rm", [("argv", "rm", "\0")]),
        ("parallel ::: 'rm x'", [("shell", "rm x")]),
        ("watch -n1 rm x", [("shell", "rm x"), ("argv", "rm", "x")]),
        ("watch -x rm x", [("argv", "rm", "x")]),
        ("ssh -p 22 me@host rm -rf x", [("shell", "rm -rf x")]),
        ("ssh host sh -c 'rm x'", [("shell", "sh -c rm x"), ("argv", "sh", "-c", "rm x")]),
        ("ssh -o ProxyCommand='nc %h' host", [("shell", "nc %h")]),
        ("docker exec -it web rm x", [("argv", "rm", "x")]),
        ("docker run --rm -v /:/h alpine rm x", [("argv", "rm", "x")]),
        ("docker run --entrypoint rm alpine x", [("argv", "rm", "x")]),
        ("kubectl exec -n a pod -c web -- rm x", [("argv", "rm", "x")]),
        ("git -c alias.x='!rm -rf x' x", [("shell", "rm -rf x")]),
        ("git -c alias.x='push -f' x origin", [("argv", "git", "push", "-f", "origin")]),
        ("git -c core.sshCommand='rm x' fetch", [("shell", "rm x")]),
        ("git rebase --exec 'rm x' main", [("shell", "rm x")]),
        ("git bisect run rm x", [("argv", "rm", "x")]),
        ("git submodule foreach 'rm x'", [("shell", "rm x")]),
        ("npx -y rimraf@5 x", [("argv", "rimraf", "x")]),
        ("npx --package=a -c 'rm x'", [("shell", "rm x")]),
        ("npm exec -- rimraf x", [("argv", "rimraf", "x")]),
        ("npm run build", [("file", "package.json", "build")]),
        ("yarn build", [("file", "package.json", "build")]),
        ("make -C sub clean all", [("file", "Makefile", "clean", "all")]),
        ("make -f other.mk", [("file", "other.mk")]),
        ("uvx ruff@0.5 check", [("argv", "ruff", "check")]),
        ("pipx run cowsay hi", [("argv", "cowsay", "hi")]),
        ("uv run script.py", [("file", "script.py")]),
        ("uv run -m pytest -q", [("argv", "python", "-m", "pytest", "-q")]),
        ("python -c 'print(1)' a", [("code:python", "print(1)")]),
        ("python -Ic 'print(1)'", [("code:python", "print(1)")]),
        ("python3 -m pip install x", [("argv", "pip", "install", "x")]),
        ("python -m mytool x", [("file", "mytool", "x")]),
        ("python app.py --help", [("file", "app.py", "--help")]),
        ("node -e 'f()'", [("code:js", "f()")]),
        ("node app.js", [("file", "app.js")]),
        ("perl -pi -e 's/a/b/' f", [("code:perl", "s/a/b/")]),
        ("ruby -e 'f'", [("code:ruby", "f")]),
        ("php -r 'f();'", [("code:php", "f();")]),
        ("psql -c 'select 1'", [("code:sql", "select 1")]),
        ("psql -c '\\! rm x'", [("shell", "rm x")]),
        ("sqlite3 a.db 'select 1'", [("code:sql", "select 1")]),
        ("sqlite3 a.db '.shell rm x'", [("shell", "rm x")]),
        ("mysql -e 'select 1' db", [("code:sql", "select 1")]),
        ("awk 'BEGIN { system(\"rm x\") }'", [("shell", "rm x")]),
        ("tar cf a.tar b --checkpoint=1 --checkpoint-action=exec='rm x'", [("shell", "rm x")]),
        ("tar -I 'rm x' -cf a b", [("shell", "rm x")]),
        ("rsync -e 'sh -c x' a b", [("shell", "sh -c x")]),
        ("vim -c '!rm x' f", [("shell", "rm x")]),
        ("vim -c ':set nu' f", []),
        ("tmux new -d -s a 'rm x'", [("shell", "rm x")]),
        ("tmux ls", []),
        ("tmux send-keys -t a 'rm x' Enter", [("shell", "rm x")]),
        ("screen -dm rm x", [("argv", "rm", "x")]),
        ("script -c 'rm x' log", [("shell", "rm x")]),
        ("expect -c 'spawn rm x'", [("code:other", "spawn rm x")]),
        ("gdb --args rm x", [("argv", "rm", "x")]),
        ("less '+!rm x' f", [("shell", "rm x")]),
        ("python -m http.server", [("argv", "http.server")]),
        ("man -P 'rm x' ls", [("shell", "rm x")]),
        ("flock /tmp/l -c 'rm x'", [("shell", "rm x")]),
        ("socat TCP:h:1 EXEC:/bin/sh", [("shell", "/bin/sh")]),
        ("nc -e /bin/sh h 1", [("shell", "/bin/sh")]),
        ("openssl rand -engine ./x.so 1", [("argv", "./x.so")]),
        ("split --filter='rm x' f", [("shell", "rm x")]),
        ("sort --compress-program=./x f", [("argv", "./x")]),
        ("cmd /c del x", [("code:cmd", "del x")]),
        ("powershell -Command Remove-Item x", [("code:powershell", "Remove-Item x")]),
        ("powershell -enc AAAA", [("code:powershell", "\0")]),
        ("powershell -nop -w hidden -enc bABzAA==", [("code:powershell", "ls")]),
        ("osascript -e 'do shell script \"rm x\"'", [("shell", "rm x"), ("code:other", 'do shell script "rm x"')]),
        ("osascript -e 'display notification \"a\" with title \"b\"'", []),
        ("osascript -e 'display notification (path to me)'", [("code:other", "display notification (path to me)")]),
        ("crontab jobs.txt", [("file", "jobs.txt")]),
    ],
)  # fmt: skip
def test_what_is_run_is_found_and_of_its_kind(line, expected):
    assert runs(line) == expected


@pytest.mark.parametrize(
    ("line", "stdin"),
    [
        ("bash", "shell"), ("bash -s a", "shell"), ("bash x.sh", "data"), ("bash -c x", "data"), ("sudo -i", "shell"),
            ("su", "shell"),
        ("ssh host", "shell"), ("ssh host ls", "data"), ("python", "code:python"), ("python -", "code:python"),
            ("python x.py", "data"),
        ("node", "code:js"), ("perl", "code:perl"), ("psql db", "code:sql"), ("psql -c x", "data"), ("sqlite3 a.db",
            "code:sql"),
        ("mysql db", "code:sql"), ("at now", "shell"), ("crontab -", "shell"), ("xargs rm", "args"), ("parallel rm",
            "args"),
        ("parallel", "shell"), ("parallel rm ::: a", "data"), ("cat", "data"), ("powershell", "code:powershell"),
    ],
)  # fmt: skip
def test_what_standard_input_is_for(line, stdin):
    assert use(line).stdin == stdin


@pytest.mark.parametrize(
    ("line", "where"),
    [("ssh h ls", "host"), ("docker exec c ls", "container"), ("docker run c ls", "container"),
        ("kubectl exec p -- ls", "container"),
     ("chroot /mnt ls", "container"), ("sudo ls", "here")],
)  # fmt: skip
def test_where_it_is_run(line, where):
    assert [nested.where for nested in use(line).runs] == [where]


@pytest.mark.parametrize(
    "line", ["timeout 5 ls", "env A=b ls", "nohup ls", "time ls", "bash -c ls", "xargs ls", "poetry run ls"]
)
def test_a_wrapper_only_looks_and_what_it_runs_is_judged_apart(line):
    assert "read-only" in use(line).traits


@pytest.mark.parametrize("line", ["bash x.sh", "bash", "python -c 1", "node x.js", "python", "source x", "make"])
def test_code_that_was_not_read_is_not_looking(line):
    assert "read-only" not in use(line).traits


@pytest.mark.parametrize(
    ("line", "cd", "base"),
    [("cd sub", "sub", ""), ("cd", "~", ""), ("cd -", "\0", ""), ("pushd /a", "/a", ""), ("popd", "\0", ""),
        ("git -C /r status", None, "/r"),
     ("git -C a -C b status", None, "a/b"), ("make -C sub", None, "sub"), ("env -C /x ls", None, "/x"),
         ("npm --prefix web test", None, "web"),
     ("ls", None, "")],
)  # fmt: skip
def test_where_the_shell_and_the_command_stand(line, cd, base):
    found = use(line)
    assert (found.cd, found.base) == (cd, base)


def test_xargs_with_a_file_of_words_leaves_its_input_to_the_command():
    assert use("xargs rm -rf").stdin == "args"
    assert use("xargs -a list rm -rf").stdin == "data"
    assert ("argv", "rm", "-rf", "\0") in runs("xargs -a list rm -rf")
    assert runs("xargs -a /dev/null /bin/sh") == [("argv", "/bin/sh")]


@pytest.mark.parametrize("option", ["-i", "--replace", "--replace=", "--replace={}", "-I {}"])
def test_the_mark_of_xargs_is_replaced_inside_a_text(option):
    assert ("argv", "bash", "-c", "rm -rf \0") in runs(f"xargs {option} bash -c 'rm -rf {{}}'")


@pytest.mark.parametrize("line", ["bash -n x.sh", "sh -n x.sh", "bash -n -c 'rm x'"])
def test_a_shell_that_only_checks_runs_nothing(line):
    assert runs(line) == []


@pytest.mark.parametrize("line", ["bash -n +n x.sh", "bash -in x.sh", "bash -n §", "bash x.sh -n", "xonsh -n x.sh"])
def test_a_shell_that_may_do_more_than_check_runs_its_file(line):
    assert runs(line) != []


def test_node_takes_print_and_eval_in_one_word():
    assert runs("node -pe 'f()'") == [("code:js", "f()")]
    assert runs("node -p 'f()'") == [("code:js", "f()")]
