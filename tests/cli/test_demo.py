"""`interlock demo`: what a newcomer sees first."""

import json
import os
import signal
import subprocess
import sys
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlsplit

from click.testing import CliRunner

from interlock.cli import main
from interlock.cli.demo import POLICY, TURNS


def run(*arguments: str) -> str:
    found = CliRunner().invoke(main, ["demo", *arguments])
    assert found.exit_code == 0, found.output
    return found.output


def steps() -> list[dict]:
    return [json.loads(line) for line in run("--json").splitlines()]


def test_a_dozen_steps_are_shown_with_every_sort_of_verdict():
    shown = steps()
    assert len(shown) == len(TURNS) >= 12
    assert {step["decision"] for step in shown} == {None, "allow", "ask", "deny"}


def test_the_refund_story_is_told():
    """S1-09 S1-11 S1-12 S1-15 the refunds of the demo."""
    refunds = [step for step in steps() if step["tool"] and step["tool"].endswith("process_refund")]
    assert [(step["input"]["customer_id"], step["input"]["amount"], step["decision"]) for step in refunds] == [
        ("ada", 250, "deny"),
        ("ada", 250, None),
        ("ada", 1400, "deny"),
        ("bob", 150, "deny"),
    ]
    assert [reason["by"] for reason in refunds[0]["reasons"]] == ["refund-unverified", "refund-over-limit"]
    assert "escalate_to_human" in refunds[2]["reasons"][0]["text"]


def test_changes_are_shown_before_and_after():
    text = run()
    assert (
        """\
      without_root changed `command` (the model is told):
        before  "sudo npm install"
        after   "npm install"
"""
        in text
    )
    assert (
        """\
        before  "STRIPE_KEY=sk_live_4242abcd\\nDEBUG=1"
        after   "STRIPE_KEY=[redacted Stripe key]\\nDEBUG=1"
"""
        in text
    )


def test_a_guard_with_a_bug_is_named():
    failed = next(step for step in steps() if step["tool"] == "delete_account")
    assert failed["decision"] == "deny"
    assert "demo_guards.py:" in failed["reasons"][0]["text"]


def test_a_denial_names_its_rule_with_file_and_line_and_one_is_explained():
    text = run()
    assert "force-push [demo_policy.yaml:9]: `git push --force origin main` overwrites other people's work." in text
    assert "what `interlock explain` shows about it:" in text
    assert "fired     refund-over-limit" in text


def test_the_demos_policy_is_an_ordinary_one():
    shown = CliRunner().invoke(main, ["check", "--policy", str(POLICY)])
    assert shown.exit_code == 0, shown.output


def test_colours_are_for_terminals_only():
    shown = subprocess.run([sys.executable, "-m", "interlock", "demo"], capture_output=True, check=True)
    assert b"\x1b[" not in shown.stdout


def test_help_names_the_commands_with_an_example():
    shown = CliRunner().invoke(main, ["--help"])
    assert "demo" in shown.output
    assert "hook" in shown.output
    assert "interlock hook claude-code < event.json" in shown.output


def test_an_unknown_command_is_an_error():
    assert CliRunner().invoke(main, ["dmeo"]).exit_code == 2


def test_the_page_plays_until_it_is_interrupted_and_leaves_nothing_behind(tmp_path):
    """The person's own home is not touched, and the folder of the demonstration is gone afterwards."""
    home = tmp_path / "home"
    home.mkdir()
    places = {"HOME": str(home), "TMPDIR": str(tmp_path), "PATH": os.defpath}
    command = [sys.executable, "-m", "interlock", "demo", "--page"]
    with subprocess.Popen(command, env=places, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as playing:
        assert playing.stdout is not None
        link = next(line.strip() for line in playing.stdout if "/enter#" in line)
        address = urlsplit(link)
        with closing(HTTPConnection(address.netloc, timeout=20)) as page:
            page.request("GET", "/inbox")
            assert page.getresponse().status == 401  # the link lets one in, and nothing else does
        first = next(line for line in playing.stdout if "runs" in line and "src/cart/discount.ts" in line)
        assert first.endswith("Read src/cart/discount.ts\n")
        assert [one.name.startswith("interlock-demo-") for one in tmp_path.iterdir() if one != home] == [True]
        playing.send_signal(signal.SIGINT)
        assert playing.stdout.read().endswith("\nThe demonstration is over.\n")
        assert playing.wait(20) == 0
    assert list(tmp_path.iterdir()) == [home]
    assert list(home.iterdir()) == []
