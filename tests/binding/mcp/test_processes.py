"""The proxy as a process: pipes, exit codes, signals, and ends of every kind without anything left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from interlock.store.place import open_store, store_file
from tests.binding.mcp.spawned import PROXY, Spawned, is_running, within
from tests.binding.mcp.world import call, denied, notification, request, result, text
from tests.person import Person, no, yes

MOST = 5.0  # seconds until everything is gone
POLICY = """\
version: 1
rules:
  - {id: hushed, tool: secret, deny: Not that.}
"""


@pytest.fixture
def spawn(tmp_path: Path) -> Iterator[Callable[..., Spawned]]:
    (tmp_path / "interlock.yaml").write_text(POLICY)
    made: list[Spawned] = []

    def build(*options: str, **more: Any) -> Spawned:
        made.append(Spawned(tmp_path, *options, **more))
        return made[-1]

    yield build
    for one in made:
        one.close()


def gone(*processes: int) -> bool:
    return within(MOST, lambda: not any(is_running(one) for one in processes))


def test_calls_go_through_and_are_recorded(spawn):
    proxy = spawn()
    assert proxy.ask(request(0, "ping")) == result(0, {})
    assert proxy.ask(call(1, "echo", text="hi")) == text(1, "hi")
    assert proxy.ask(call(2, "secret")) == denied(2, "Not that.")
    proxy.process.stdin.close()
    assert proxy.code() == 0
    assert proxy.did() == ["echo"]
    store = open_store()
    found = [(one.record["event"], one.record["tool"], one.record["decision"]) for one in store.records()]
    store.close()
    assert found == [
        ("SessionStart", None, None),
        ("PreToolUse", "mcp__script__echo", None),
        ("PostToolUse", "mcp__script__echo", None),
        ("PreToolUse", "mcp__script__secret", "deny"),
        ("SessionEnd", None, None),
    ]


def test_without_a_record_nothing_is_written(spawn, nobodys_home):
    proxy = spawn("--record", "off")
    assert proxy.ask(call(1, "secret")) == denied(1, "Not that.")
    proxy.process.stdin.close()
    assert proxy.code() == 0
    assert not (nobodys_home / ".local/state/interlock/store").exists()


def test_sixteen_calls_in_flight_are_all_answered(spawn):
    proxy = spawn("--record", "off")
    proxy.say(*(call(number, "echo", text=str(number)) for number in range(200)))
    assert [proxy.hear() for _ in range(200)] == [text(number, str(number)) for number in range(200)]


def test_large_messages_pass_both_ways_also_to_a_client_that_reads_late(spawn):
    proxy = spawn("--record", "off")
    proxy.say(*(call(number, "repeat", size=300_000) for number in range(20)))
    assert [len(proxy.hear()["result"]["content"][0]["text"]) for _ in range(20)] == [300_000] * 20
    large = "y" * 3_000_000
    assert proxy.ask(call("l", "echo", text=large)) == text("l", large)


def test_a_line_over_the_limit_is_refused_and_a_result_over_it_withheld(spawn):
    proxy = spawn("--record", "off", "--max-bytes", "2000")
    assert proxy.ask(call(1, "echo", text="z" * 3000))["error"]["code"] == -32700
    answer = proxy.ask(call(2, "repeat", size=3000))
    assert answer["result"]["isError"] is True
    assert proxy.ask(call(3, "echo", text="z" * 500)) == text(3, "z" * 500)


def test_the_servers_exit_code_is_ours(spawn):
    proxy = spawn()
    proxy.say(call(1, "exit", code=7))
    assert proxy.hear() is None
    assert proxy.code() == 7


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV])
def test_a_signal_that_ends_the_server_ends_us(spawn, number):
    proxy = spawn()
    proxy.say(call(1, "signal", number=int(number)))
    assert proxy.code() == -number


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_to_us_reaches_the_server(spawn, number):
    proxy = spawn()
    family = proxy.family()
    proxy.process.send_signal(number)
    assert proxy.code(MOST) in (-number, 0, 1, 130)
    assert gone(*family)


def test_a_server_that_cannot_be_started_is_an_error_that_says_so(tmp_path):
    ran = subprocess.run([*PROXY, "--", "./nothing"], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert "error: cannot start `./nothing`: No such file or directory" in ran.stderr


def test_the_client_ends_in_order_and_everything_goes(spawn):
    proxy = spawn()
    family = proxy.family()
    proxy.process.stdin.close()
    assert proxy.code(MOST) == 0
    assert gone(*family)


@pytest.mark.parametrize("stubborn", [False, True])
def test_the_client_is_killed_in_mid_call_and_everything_goes(spawn, stubborn):
    proxy = spawn(stubborn=stubborn)
    family = proxy.family()
    proxy.say(call(1, "hang"))
    assert within(MOST, lambda: "hang" in proxy.did())
    proxy.hang_up()
    proxy.code(MOST)
    assert gone(*family)


@pytest.mark.parametrize("stubborn", [False, True])
def test_the_proxy_is_killed_in_mid_call_and_everything_goes(spawn, stubborn):
    proxy = spawn(stubborn=stubborn)
    family = proxy.family()
    proxy.say(call(1, "hang"))
    assert within(MOST, lambda: "hang" in proxy.did())
    proxy.process.kill()
    assert gone(*family)


def test_the_proxys_whole_group_is_killed_and_everything_goes(spawn):
    proxy = spawn()
    family = proxy.family()
    keepers = [one for one in children(proxy.process.pid) if one not in family]
    for one in (proxy.process.pid, *(one for one in children(proxy.process.pid) if one not in keepers)):
        os.kill(one, signal.SIGKILL)
    assert gone(*family, *keepers)


@pytest.mark.parametrize("stubborn", [False, True])
def test_the_server_is_killed_in_mid_call_and_everything_goes(spawn, stubborn):
    proxy = spawn(stubborn=stubborn)
    family = proxy.family()
    proxy.say(call(1, "hang"))
    assert within(MOST, lambda: "hang" in proxy.did())
    os.kill(family[0], signal.SIGKILL)
    assert proxy.hear() is None
    assert proxy.code(MOST) == -signal.SIGKILL
    assert gone(*family)


def test_a_call_that_is_still_being_judged_when_the_client_goes_never_runs(spawn, tmp_path):
    (tmp_path / "policy.yaml").write_text("version: 1\nhooks: [./slow.py]\n")
    (tmp_path / "slow.py").write_text(
        "import time\nfrom interlock import hook, deny\n\n"
        '@hook("PreToolUse", tool="echo")\ndef slowly(call):\n    time.sleep(8)\n    return deny("no")\n'
    )
    proxy = spawn("--policy", str(tmp_path / "policy.yaml"))
    family = proxy.family()
    proxy.say(call(1, "echo", text="x"))
    proxy.hang_up()
    proxy.code(MOST)
    assert gone(*family)
    assert proxy.did() == ["child"]


def test_python_hooks_of_the_policy_judge_calls(spawn, tmp_path):
    (tmp_path / "policy.yaml").write_text("version: 1\nhooks: [./guards.py]\n")
    (tmp_path / "guards.py").write_text(
        "from interlock import hook, change, deny\n\n"
        '@hook("PreToolUse", tool="echo")\ndef guard(call):\n'
        '    print("noise")\n'
        '    return deny("Python says no.") if call.input["text"] == "no" else change(text="changed", quiet="test")\n'
    )
    proxy = spawn("--policy", str(tmp_path / "policy.yaml"), "--record", "off")
    assert proxy.ask(call(1, "echo", text="no")) == denied(1, "Python says no.")
    assert proxy.ask(call(2, "echo", text="yes")) == text(2, "changed")


def test_a_policy_that_changes_holds_from_the_next_call(spawn, tmp_path):
    proxy = spawn("--record", "off")
    assert proxy.ask(call(1, "echo", text="a")) == text(1, "a")
    (tmp_path / "interlock.yaml").write_text(POLICY + "  - {id: silent, tool: echo, deny: No more.}\n")
    assert proxy.ask(call(2, "echo", text="a")) == denied(2, "No more.")


def test_a_broken_policy_denies_every_call_and_passes_the_rest(spawn, tmp_path):
    (tmp_path / "interlock.yaml").write_text("version: 1\nrules: [{id: x, whne: 1}]\n")
    proxy = spawn()
    assert "the policy is broken" in proxy.ask(call(1, "echo", text="a"))["result"]["content"][0]["text"]
    assert proxy.ask(request(2, "ping")) == result(2, {})
    assert proxy.did() == []


def test_hostile_lines_stop_neither_side(spawn):
    proxy = spawn("--record", "off")
    hostile = [
        b"\xff\xfe\n",
        b"{\n",
        b"[]\n",
        b"null\n",
        b"\0\n",
        b'{"jsonrpc":"2.0","id":5}\n',
        b"{" * 100_000 + b"\n",
    ]
    proxy.say(*hostile)
    assert all("error" in proxy.hear() for _ in hostile)
    proxy.say(b"\n", b"  \r\n", notification("x"))
    assert proxy.ask(call(1, "echo", text="still here")) == text(1, "still here")


def test_a_message_without_a_line_end_before_the_end_is_judged_too(spawn):
    proxy = spawn("--record", "off")
    proxy.say(json.dumps(call(1, "secret")).encode())
    proxy.process.stdin.close()
    assert proxy.hear() == denied(1, "Not that.")
    assert proxy.code() == 0
    assert proxy.did() == []


def test_noise_of_the_server_is_dropped(spawn, tmp_path):
    echo = "for line in sys.stdin:\n    print(line.replace('method', 'result'), end='')\n"
    (tmp_path / "noisy.py").write_text(f"import sys\nprint('starting up')\n{echo}")
    proxy = spawn(server=[sys.executable, "-u", str(tmp_path / "noisy.py")])
    proxy.say(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    assert proxy.hear() == {"jsonrpc": "2.0", "id": 1, "result": "ping"}


def children(process: int) -> list[int]:
    text_ = Path(f"/proc/{process}/task/{process}/children")
    return [int(one) for one in text_.read_text().split()] if text_.exists() else []


def test_a_call_waits_in_a_real_proxy_until_a_person_answers_in_another_process(spawn, tmp_path):
    (tmp_path / "interlock.yaml").write_text(POLICY + "  - {id: asked, tool: echo, ask: Say it?}\n")
    proxy = spawn()
    with Person(store_file(), yes):
        assert proxy.ask(call(1, "echo", text="hi")) == text(1, "hi")
    with Person(store_file(), lambda store, request: no(store, request, "Hush.")):
        assert proxy.ask(call(2, "echo", text="ho")) == denied(2, "ann did not approve this call: Hush.")
    assert proxy.did() == ["echo"]
