"""One program: told something, heard, and ended with all it started."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from interlock.errors import InterlockError
from interlock.process import MOST, Ran, clean_environment, run_program

AMPLE = 60.0  # no test waits for it unless it is broken
SHORT = 0.4  # and here every one does
ENV = {"PATH": os.environ["PATH"], "LANG": "C"}


def run(command: str | list[str], stdin: bytes = b"", timeout: float = AMPLE, **more) -> Ran:
    return run_program(command, stdin=stdin, timeout=timeout, **{"cwd": "/", "env": ENV, **more})


def python(code: str, stdin: bytes = b"", timeout: float = AMPLE, **more) -> Ran:
    return run([sys.executable, "-I", "-S", "-c", code], stdin, timeout, **more)


def ends(pid: int) -> bool:
    """Whether a process ends, waiting for it as long as it takes."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([process], [], [], AMPLE)[0])
    finally:
        os.close(process)


def is_running(pid: int) -> bool:
    process = os.pidfd_open(pid)
    try:
        return not select.select([process], [], [], 0)[0]
    finally:
        os.close(process)


# --- told and heard ----------------------------------------------------------------------------------------


def test_a_string_goes_to_the_shell():
    assert run("read x; echo $x | tr a-z A-Z; echo no >&2; exit 3", b"hello\n") == Ran(3, b"HELLO\n", "no\n")


def test_a_list_is_run_without_a_shell():
    assert run(["printf", "%s.", "$HOME", "a b", "*"]) == Ran(0, b"$HOME.a b.*.", "")


def test_it_gets_the_folder_and_the_environment_it_is_given_and_no_other(tmp_path: Path):
    assert run(["pwd"], cwd=str(tmp_path)).stdout == f"{tmp_path}\n".encode()
    assert run(["env"], env={"PATH": ENV["PATH"], "A": "ü"}).stdout == f"PATH={ENV['PATH']}\nA=ü\n".encode()


def test_a_program_is_looked_for_on_the_path_it_is_given(tmp_path: Path):
    (tmp_path / "mine").write_text("#!/bin/sh\necho mine\n", encoding="utf-8")
    (tmp_path / "mine").chmod(0o755)
    assert run(["mine"], env={"PATH": str(tmp_path)}).stdout == b"mine\n"
    assert run(["./mine"], cwd=str(tmp_path)).stdout == b"mine\n"


def test_it_leads_a_session_and_a_group_of_its_own_and_has_no_terminal():
    code = "import os; print(os.getsid(0) == os.getpgid(0) == os.getpid())\nopen('/dev/tty')"
    ran = python(code)
    assert (ran.stdout, ran.code) == (b"True\n", 1)


def test_nothing_else_that_is_open_here_is_open_there(tmp_path: Path):
    with (tmp_path / "x").open("wb") as file:
        os.set_inheritable(file.fileno(), True)
        assert python("import os; print(os.listdir('/proc/self/fd'))").stdout == b"['0', '1', '2', '3']\n"


def test_much_is_written_while_much_is_read():
    told = bytes(range(256)) * 20_000
    assert run(["cat"], told, most=len(told)) == Ran(0, told, "")


@pytest.mark.parametrize("command", ["exit 0", "exec <&-; echo done", "read x; echo done"])
def test_what_it_does_not_read_is_no_error(command: str):
    ran = run(command, b"x\n" * 2_500_000)
    assert (ran.code, ran.late, ran.stderr) == (0, False, "")


def test_stderr_that_is_no_utf8_is_shown_as_far_as_it_goes():
    assert run(r"printf 'a\377b' >&2").stderr == "a�b"


def test_a_program_may_close_its_output_before_it_ends():
    assert run("exec >&- 2>&-; sleep 0.1; exit 5") == Ran(5, b"", "")


def test_a_program_that_dies_of_a_signal_has_that_signal_for_a_code():
    assert run("echo x; kill -TERM $$") == Ran(-signal.SIGTERM, b"x\n", "")


# --- limits ------------------------------------------------------------------------------------------------

LATE = {
    "silent": "echo a; exec sleep 100",
    "deaf to what it is asked": "trap '' TERM INT HUP; echo a; while :; do sleep 100; done",
    "trickling": "while :; do echo a; sleep 0.01; done",
    "without output": "echo a; exec >&- 2>&-; sleep 100",
    "reading on": "echo a; exec 3<&0; sleep 100 <&3",
    "with a child": "echo a; sleep 100 & wait",
}


@pytest.mark.parametrize("name", LATE)
def test_a_program_is_ended_at_its_deadline(name: str):
    ran = run(LATE[name], b"x" * 1_000_000, timeout=SHORT)
    assert (ran.code, ran.late, ran.cut, ran.stdout[:2]) == (-signal.SIGKILL, True, False, b"a\n")


def test_output_of_exactly_the_limit_is_kept():
    assert run("printf 12345; printf 678 >&2", most=8) == Ran(0, b"12345", "678")


@pytest.mark.parametrize("stream", ["1", "2"])
def test_output_over_the_limit_ends_the_program(stream: str):
    ran = run(f"yes >&{stream}; sleep 100")
    assert (ran.code, ran.cut, ran.late) == (-signal.SIGKILL, True, False)
    assert (len(ran.stdout), len(ran.stderr)) == ((MOST, 0) if stream == "1" else (0, MOST))


def test_five_megabytes_are_over_the_limit_also_when_they_are_all_there_is():
    assert python("print('x' * 5_000_000)").cut


def test_stdout_and_stderr_share_the_limit():
    ran = run("printf 12345; printf 6789 >&2", most=8)
    assert (ran.cut, len(ran.stdout) + len(ran.stderr)) == (True, 8)


# --- what it started ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("redirect", ["", ">/dev/null", ">/dev/null 2>&1"], ids=["both", "stderr", "none"])
def test_what_is_left_of_its_group_ends_with_it(redirect: str):
    ran = run(f"sleep 1000 {redirect} & echo $!")
    assert (ran.code, ran.late, ran.held) == (0, False, not redirect)
    assert ends(int(ran.stdout))


def test_its_whole_group_is_ended_at_the_deadline():
    ran = run("(trap '' TERM; sleep 1000 & echo $!; wait) & echo $!; wait", timeout=SHORT)
    assert ran.late
    assert all(ends(int(pid)) for pid in ran.stdout.split())


def test_its_whole_group_is_ended_when_it_says_too_much():
    ran = run("sleep 1000 & echo $!; yes")
    assert ran.cut
    assert ends(int(ran.stdout.split()[0]))


def test_a_daemon_that_holds_its_output_open_delays_nothing():
    code = "import subprocess; print(subprocess.Popen(['sleep', '1000'], start_new_session=True).pid)"
    ran = python(code, timeout=1000)
    pid = int(ran.stdout)
    try:
        assert is_running(pid)
        assert (ran.code, ran.late, ran.held) == (0, False, True)
    finally:
        os.kill(pid, signal.SIGKILL)


def test_what_a_child_says_just_after_the_program_ended_is_heard():
    code = "import os; r, w = os.pipe()\nif os.fork() == 0: os.close(w); os.read(r, 1); os.write(1, b'late')"
    assert python(code) == Ran(0, b"late", "")


def test_what_was_said_is_read_also_if_we_only_wake_up_when_all_is_over(monkeypatch: pytest.MonkeyPatch):
    def wait(process: subprocess.Popen[bytes]) -> int:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        return 0

    monkeypatch.setattr("interlock.process._exit_code", wait)
    monkeypatch.setattr("interlock.process._GRACE", 0.0)
    assert run("echo said; echo much >&2") == Ran(0, b"said\n", "much\n")


# --- nothing is left here ----------------------------------------------------------------------------------


def test_fifty_runs_leave_no_file_open_and_no_zombie():
    def once(number: int) -> None:
        if number % 5 == 0:
            with pytest.raises(InterlockError):
                run(["/no/such/program"])
        elif number % 5 == 1:
            run("yes", most=10)
        elif number % 10 == 2:
            run("sleep 100", b"x" * 100_000, timeout=0.02)
        else:
            run("cat", b"x" * 100_000)

    once(2)
    before = sorted(Path("/proc/self/fd").iterdir())
    for number in range(50):
        once(number)
    assert set(Path("/proc/self/fd").iterdir()) <= set(before)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_an_exit_code_that_got_lost_is_not_taken_for_zero():
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        with pytest.raises(InterlockError, match="its exit code is lost"):
            run("exit 2")
    finally:
        signal.signal(signal.SIGCHLD, before)


# --- what cannot be started --------------------------------------------------------------------------------


def refusal(command: str | list[str], folder: Path, cwd: str | None = None) -> str:
    with pytest.raises(InterlockError) as caught:
        run(command, cwd=cwd or str(folder))
    return caught.value.in_one_line().replace(str(folder), "/w")


NOTHING = "there is no program to run; write a command, or a list of a program and arguments"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", NOTHING),
        ([], NOTHING),
        ([""], NOTHING),
        (["no-such-program"], "there is no program `no-such-program`; install it, or write its full path"),
        (["./gone"], "there is no program `./gone`; correct its path; it starts in `/w`"),
        (["./plain"], "`./plain` is not executable; run `chmod +x /w/plain`"),
        (["./nothing"], "`./nothing` is not a program; begin it with a `#!` line, such as `#!/bin/sh`"),
        (["./broken"], "the interpreter of `./broken` does not exist; correct its `#!` line"),
        (["/"], "`/` is a folder; name a program in it"),
        (["echo", "a\0b"], "`echo` cannot be started: embedded null byte"),
        (["echo", "x" * 3_000_000], "`echo` cannot be started: Argument list too long"),
    ],
    ids=lambda value: str(value)[:30].replace("\0", "NUL"),
)
def test_what_cannot_be_started_is_named_with_its_cure(command: str | list[str], message: str, tmp_path: Path):
    for name, text, mode in (("plain", "#!/bin/sh", 0o644), ("nothing", "x", 0o755), ("broken", "#!/no/such", 0o755)):
        (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
        (tmp_path / name).chmod(mode)
    assert refusal(command, tmp_path) == message


@pytest.mark.parametrize("command", ["true", ["true"], ["./x"]])
def test_a_folder_that_is_missing_is_named(command: str | list[str], tmp_path: Path):
    assert "cannot run in `/w/gone`: there is no such folder" in refusal(command, tmp_path, str(tmp_path / "gone"))


# --- the environment ---------------------------------------------------------------------------------------

KEPT = {
    "PATH": "/usr/bin:/bin", "HOME": "/home/dev", "USER": "dev", "LANG": "C.UTF-8", "LC_ALL": "C", "TZ": "UTC",
    "TERM": "xterm", "SHELL": "/bin/zsh", "PWD": "/w", "OLDPWD": "/", "TMPDIR": "/tmp", "EDITOR": "vi",
    "CLAUDE_PROJECT_DIR": "/w", "CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s", "CLAUDE_PID": "1",
    "CLAUDE_CODE_MAX_OUTPUT_TOKENS": "9", "CLAUDE_ENV_FILE": "/e", "CLAUDE_PLUGIN_ROOT": "/p", "CLAUDE_EFFORT": "low",
    "VIRTUAL_ENV": "/v", "PYTHONUNBUFFERED": "1", "NODE_ENV": "test", "JAVA_HOME": "/j", "XDG_RUNTIME_DIR": "/r",
    "SSH_AUTH_SOCK": "/s", "HTTPS_PROXY": "http://proxy:3128", "DATABASE_URL": "postgres://db:5432/shop",
    "SCOPE": "http://localhost:4873/@shop/web", "GIT_AUTHOR_NAME": "Dev", "GIT_TERMINAL_PROMPT": "0", "MONKEY": "x",
}  # fmt: skip
DROPPED = {
    "ANTHROPIC_API_KEY": "x", "ANTHROPIC_AUTH_TOKEN": "x", "ANTHROPIC_CUSTOM_HEADERS": "x", "OPENAI_API_KEY": "x",
    "CLAUDE_CODE_OAUTH_TOKEN": "x", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_SESSION_TOKEN": "x",
    "GITHUB_TOKEN": "x", "GH_TOKEN": "x", "NPM_TOKEN": "x", "npm_config__authToken": "x", "GITHUB_PAT": "x",
    "DB_PASSWORD": "x", "PGPASSWORD": "x", "MYSQL_PWD": "x", "DB_PASS": "x", "OAUTH_CLIENT_SECRET": "x",
    "CLIENT_SECRET_JSON": "x", "SECRET_KEY": "x", "RAILS_MASTER_KEY": "x", "GOOGLE_APPLICATION_CREDENTIALS": "/g",
    "OTEL_EXPORTER_OTLP_HEADERS": "x", "STORAGE_CONNECTION_STRING": "x", "SLACK_WEBHOOK_URL": "x", "my_token": "x",
    "DATABASE_URL": "postgres://shop:pw@db/shop", "REDIS_URL": "redis://:pw@cache", "A": "amqp://u:p/w@h",
    "HTTP_PROXY": "http://me:pw@proxy:3128", "B": "-----BEGIN OPENSSH PRIVATE KEY-----", "C": "sk-ant-api03-x",
    "LD_PRELOAD": "/x.so", "LD_LIBRARY_PATH": "/x", "LD_AUDIT": "/x.so", "DYLD_INSERT_LIBRARIES": "/x", "ENV": "/x",
    "BASH_ENV": "/x", "BASH_FUNC_ls%%": "() { :; }", "PS4": "$(x)", "IFS": "/", "SHELLOPTS": "xtrace",
    "PYTHONPATH": "/x", "PYTHONSTARTUP": "/x", "PYTHONHOME": "/x", "PERL5LIB": "/x", "PERL5OPT": "-Mx",
    "RUBYOPT": "-rx", "NODE_OPTIONS": "-r x", "NODE_PATH": "/x", "JAVA_TOOL_OPTIONS": "x", "MAKEFLAGS": "--eval=x",
    "GOFLAGS": "-x", "RUSTC_WRAPPER": "/x", "GIT_SSH_COMMAND": "x", "GIT_EXTERNAL_DIFF": "x", "GIT_EXEC_PATH": "/x",
    "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_VALUE_0": "x", "GIT_DIR": "/x", "LESSOPEN": "|x", "": "x", "a=b": "x",
    "D": "a\0b",
}  # fmt: skip


def test_what_programs_need_is_kept():
    assert clean_environment(KEPT) == KEPT


@pytest.mark.parametrize("name", DROPPED)
def test_credentials_and_what_loads_code_are_dropped(name: str):
    assert clean_environment({name: DROPPED[name], "HOME": "/h"}) == {"HOME": "/h"}
