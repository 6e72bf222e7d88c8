"""Hooks of a host become external hooks of a policy where they mean the same there, and stay where they do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.errors import InterlockError
from interlock.hosts.claude_code.adoption import CannotAdopt, MovedHook, convert
from interlock.hosts.claude_code.policy_text import add_hooks, take_out
from interlock.hosts.claude_code.settings_rules import SettingsHook
from interlock.policy.load import load_policy
from interlock.policy.names import ToolPattern

POLICY = Path("/shop/interlock.yaml")


def hook(handler: dict[str, Any], event: str = "PreToolUse", matcher: str | None = None) -> SettingsHook:
    return SettingsHook(event, matcher, handler, "settings.json", 0, 0)


def command(text: str = "/bin/guard", **more: Any) -> dict[str, Any]:
    return {"type": "command", "command": text, **more}


@pytest.mark.parametrize(
    ("handler", "written"),
    [
        (command("/bin/guard --x 'a b'"), """{run: "/bin/guard --x 'a b'", event: PreToolUse, timeout: 500s}"""),
        (command('echo "hi"'), '{run: "echo \\"hi\\"", event: PreToolUse, timeout: 500s}'),
        (command(args=["a", "b c"]), '{run: ["/bin/guard", "a", "b c"], event: PreToolUse, timeout: 500s}'),
        (command(args=[], timeout=5), '{run: ["/bin/guard"], event: PreToolUse, timeout: 5s}'),
        (command(timeout=0.5), '{run: "/bin/guard", event: PreToolUse, timeout: 0.5s}'),
        (command(timeout=9999), '{run: "/bin/guard", event: PreToolUse, timeout: 500s}'),
        (
            command("node", args=["${CLAUDE_PROJECT_DIR}/my hooks/x.js", "it's"]),
            "{run: \"exec node \\\"$CLAUDE_PROJECT_DIR\\\"'/my hooks/x.js' 'it'\\\"'\\\"'s'\", "
            "event: PreToolUse, timeout: 500s}",
        ),
        (
            {"type": "http", "url": "http://127.0.0.1:1/x", "timeout": 3, "onFailure": "block"},
            '{url: "http://127.0.0.1:1/x", event: PreToolUse, timeout: 3s}',
        ),
    ],
)
def test_a_hook_is_written_as_the_policy_has_it(handler: dict[str, Any], written: str):
    found = convert(hook(handler), POLICY)
    assert found.written() == written
    assert add_hooks(b"version: 1\n", POLICY, [found]).after.decode() == f"version: 1\n\nhooks:\n  - {written}\n"


@pytest.mark.parametrize(
    ("event", "seconds"), [("UserPromptSubmit", 30), ("SessionEnd", 1.5), ("Stop", 500), ("PreModelSwitch", 30)]
)
def test_a_hook_without_a_timeout_keeps_the_hosts_own(event: str, seconds: float):
    assert convert(hook(command(), event), POLICY).seconds == seconds


@pytest.mark.parametrize(
    ("handler", "event", "matcher", "why"),
    [
        ({"type": "prompt", "prompt": "x"}, "PreToolUse", None, "it is of the type `prompt`"),
        ({"type": "agent", "prompt": "x"}, "Stop", None, "it is of the type `agent`"),
        ({"type": "mcp_tool", "server": "a", "tool": "b"}, "Stop", None, "it is of the type `mcp_tool`"),
        (command(**{"if": "Bash(ls)"}), "PreToolUse", None, "a policy has no `if`"),
        (command(shell="powershell"), "PreToolUse", None, "a policy has no `shell`"),
        ({**command(), "async": True}, "PreToolUse", None, "it runs in the background"),
        (command(asyncRewake=True), "PreToolUse", None, "it runs in the background"),
        (
            {"type": "http", "url": "http://127.0.0.1/", "headers": {"a": "b"}},
            "Stop",
            None,
            "a policy has no `headers`",
        ),
        (command(" "), "PreToolUse", None, "it runs nothing"),
        (command(args=["${CLAUDE_PLUGIN_ROOT}/x"]), "Stop", None, "the host puts something into its arguments"),
        (command("./guard.sh"), "PreToolUse", None, "there is no `./guard.sh` beside interlock.yaml"),
        (
            command("hooks/guard.sh"),
            "PreToolUse",
            None,
            "where `hooks/guard.sh` is depends on where the agent is; write its whole path",
        ),
        (command(), "WorktreeCreate", None, "Interlock is not asked about this event"),
        (command(), "SessionStart", "startup", "its matcher `startup` is not about a tool"),
        (command(), "PreToolUse", "^(?!Read)", "its matcher `^(?!Read)` cannot be said exactly in a policy"),
        (command(), "PreToolUse", "[^B]ash", "its matcher `[^B]ash` cannot be said exactly in a policy"),
        (command(), "PreToolUse", "\\Aash", "its matcher `\\Aash` cannot be said exactly in a policy"),
        (command(), "PreToolUse", "Bash(", None),
        (command(), "PreToolUse", "*foo", None),
    ],
)
def test_a_hook_that_would_mean_something_else_stays(
    handler: dict[str, Any], event: str, matcher: str | None, why: str | None
):
    with pytest.raises(CannotAdopt) as found:
        convert(hook(handler, event, matcher), POLICY)
    assert str(found.value) == why if why else "cannot be said exactly" in str(found.value)


def test_a_program_beside_the_policy_is_adopted(tmp_path: Path):
    (tmp_path / "guard.sh").touch()
    found = convert(hook(command("./guard.sh --x")), tmp_path / "interlock.yaml")
    assert found.run == "./guard.sh --x"


def test_a_matcher_of_an_event_that_has_none_is_dropped():
    assert convert(hook(command(), "Stop", "Bash"), POLICY).tool == ()


@pytest.mark.parametrize("matcher", [None, "", "*"])
def test_a_matcher_that_leaves_nothing_out_is_no_pattern(matcher: str | None):
    assert convert(hook(command(), matcher=matcher), POLICY).tool == ()


@pytest.mark.parametrize(
    ("matcher", "patterns", "hits", "misses"),
    [
        ("Write", ("/^(?:Write)$/",), ["Write"], ["NotebookWrite", "mcp__x__Write", "write"]),
        ("Write|Edit, Read", ("/^(?:Write|Edit|Read)$/",), ["Write", "Edit", "Read"], ["MultiEdit", "Grep"]),
        ("Task", ("/^(?:Task)$/",), ["Agent", "Task"], ["TaskStop"]),
        ("mcp__pay__refund|Read", ("/^(?:Read)$/", "mcp__pay__refund"), ["mcp__pay__refund"], ["mcp__x__refund"]),
        ("mcp__pay", ("/^(?:mcp__pay)$/",), [], ["mcp__pay__refund"]),
        ("Edit.*", ("/Edit.*/",), ["Edit", "MultiEdit", "NotebookEdit"], ["Write"]),
        ("mcp__pay__.*", ("/mcp__pay__.*/",), ["mcp__pay__refund", "x_mcp__pay__y"], ["mcp__crm__get"]),
        ("^(?:Edit|Write)$", ("/^(?:Edit|Write)$/",), ["Edit"], ["MultiEdit"]),
        ("Note[Bb]ook\\w+", ("/Note[Bb]ook\\w+/",), ["NotebookEdit"], ["Notebook"]),
    ],
)
def test_a_matcher_is_said_so_that_it_matches_the_same_tools(
    matcher: str, patterns: tuple[str, ...], hits: list[str], misses: list[str]
):
    found = convert(hook(command(), matcher=matcher), POLICY).tool
    assert found == patterns
    pattern = ToolPattern(found)
    assert [tool for tool in hits if pattern.match(tool) is None] == []
    assert [tool for tool in misses if pattern.match(tool) is not None] == []


def test_what_a_tools_full_name_matches_may_also_be_allowed_by_the_hook():
    assert ToolPattern(convert(hook(command(), matcher="mcp__pay__refund|Read"), POLICY).tool).match(
        "mcp__pay__refund"
    ) == "exact"  # fmt: skip


# --- in a policy's text --------------------------------------------------------------------------------------

ONE = MovedHook("Stop", run="a b")
TWO = MovedHook("PreToolUse", run=("x", "y: z # w"), tool=("/^(?:Bash)$/",), seconds=5.0)
ITEM = '{run: "a b", event: Stop, timeout: 60s}'
ITEM_TWO = '{run: ["x", "y: z # w"], event: PreToolUse, tool: "/^(?:Bash)$/", timeout: 5s}'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("version: 1\n", f"version: 1\n\nhooks:\n  - {ITEM}\n  - {ITEM_TWO}\n"),
        ("version: 1", f"version: 1\n\nhooks:\n  - {ITEM}\n  - {ITEM_TWO}\n"),
        ("version: 1\r\n", f"version: 1\r\n\r\nhooks:\r\n  - {ITEM}\r\n  - {ITEM_TWO}\r\n"),
        ("hooks: []\nversion: 1\n", f"hooks: [{ITEM}, {ITEM_TWO}]\nversion: 1\n"),
        ("hooks: [./g.py]  # mine\nversion: 1\n", f"hooks: [./g.py, {ITEM}, {ITEM_TWO}]  # mine\nversion: 1\n"),
        (
            'hooks: [\n  {run: "]", event: Stop},\n]\nversion: 1\n',
            f'hooks: [\n  {{run: "]", event: Stop}}, {ITEM}, {ITEM_TWO},\n]\nversion: 1\n',
        ),
        (
            "version: 1\nhooks:\n  - ./g.py  # mine\n\n# rules\nrules: []\n",
            f"version: 1\nhooks:\n  - ./g.py  # mine\n  - {ITEM}\n  - {ITEM_TWO}\n\n# rules\nrules: []\n",
        ),
        (
            "version: 1\nhooks:\n- run: x\n  event: Stop\nrules: []\n",
            f"version: 1\nhooks:\n- run: x\n  event: Stop\n- {ITEM}\n- {ITEM_TWO}\nrules: []\n",
        ),
        (
            "version: 1\nhooks:\n    - run: |\n        x\n\n        y\n      event: Stop",
            "version: 1\nhooks:\n    - run: |\n        x\n\n        y\n      event: Stop\n"
            f"    - {ITEM}\n    - {ITEM_TWO}\n",
        ),
    ],
)
def test_hooks_are_added_behind_those_that_are_there_and_taken_out_again(before: str, after: str):
    added = add_hooks(before.encode(), POLICY, [ONE, TWO])
    assert added.after.decode() == after
    assert take_out(added.after, added) == before.encode()
    edited = b"# a note\n" + added.after
    assert take_out(edited, added) == b"# a note\n" + before.encode(), "also after a person has written in it"


def test_a_policy_that_is_broken_is_not_touched():
    with pytest.raises(InterlockError, match="unknown key"):
        add_hooks(b"version: 1\nrulez: []\n", POLICY, [ONE])


@pytest.mark.parametrize("text", ["{version: 1}", "version: 1\nhooks: [./g.py # why\n  ]\n"])
def test_where_it_cannot_be_done_safely_a_person_is_told_what_to_write(text: str):
    with pytest.raises(InterlockError) as found:
        add_hooks(text.encode(), POLICY, [ONE])
    assert found.value.message == f"the hooks cannot be added to `{POLICY}` without touching the rest"
    assert found.value.help == f"write them there by hand:\n  - {ITEM}"


def test_hooks_that_a_person_has_changed_since_are_theirs_to_take_out():
    added = add_hooks(b"version: 1\n", POLICY, [ONE])
    with pytest.raises(InterlockError, match="was changed where hooks were adopted into it"):
        take_out(added.after.replace(b"60s", b"61s"), added)
    by_hand = b"version: 1\n# taken out\n"
    assert take_out(by_hand, added) == by_hand


@given(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1).filter(str.strip)
    | st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1), min_size=1).map(
        tuple
    )
)
def test_any_command_is_the_same_in_the_policy_or_refused(run: str | tuple[str, ...]):
    try:
        added = add_hooks(b"version: 1\n", POLICY, [MovedHook("Stop", run=run)])
    except InterlockError:
        return
    assert [found.run for found in load_policy(added.after, str(POLICY)).externals] == [run]
