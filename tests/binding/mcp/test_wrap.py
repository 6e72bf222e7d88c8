"""Configuration files: servers put behind the proxy and taken out again, and nothing else touched."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as some

from interlock.cli import main
from interlock.errors import InterlockError
from interlock.hosts.mcp.installer import plan_unwrap, plan_wrap, write

OURS = ["-I", "-m", "interlock", "mcp"]
WRITTEN = """\
{
\t"mcpServers": {
\t\t"files": {"command": "npx", "args": ["-y", "server-filesystem", "/tmp"], "env": {"A": "ü"}},
\t\t"bare":   { "command":"srv" },
\t\t"far": {
\t\t\t"type": "http",
\t\t\t"url": "https://crm.example/mcp",
\t\t\t"headers": {"Authorization": "Bearer ${TOKEN}"}
\t\t}
\t},
\t"other": [1.0,   2]
}
"""


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["mcp", *words])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / ".mcp.json"
    file.write_text(WRITTEN)
    return file


def servers(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text())["mcpServers"]
    return found


def test_every_server_goes_behind_the_proxy_and_nothing_else_changes(file):
    ran = run("wrap", str(file), "--yes")
    assert ran.exit_code == 0, ran.output
    assert servers(file) == {
        "files": {
            "command": sys.executable,
            "args": [*OURS, "--name", "files", "--", "npx", "-y", "server-filesystem", "/tmp"],
            "env": {"A": "ü"},
        },
        "bare": {"command": sys.executable, "args": [*OURS, "--name", "bare", "--", "srv"]},
        "far": {
            "type": "stdio",
            "command": sys.executable,
            "args": [*OURS, "--name", "far", "--url", "https://crm.example/mcp"],
            "env": {"INTERLOCK_MCP_HEADERS": '{"Authorization":"Bearer ${TOKEN}"}'},
        },
    }
    assert file.read_text().endswith('\t},\n\t"other": [1.0,   2]\n}\n')
    assert ', "env": {"A": "ü"}},\n' in file.read_text()


def test_a_dry_run_shows_the_change_and_writes_nothing(file):
    shown = run("wrap", str(file), "--dry-run")
    assert (shown.exit_code, "+" in shown.output, file.read_text()) == (0, True, WRITTEN)
    run("wrap", str(file), "--yes")
    wrapped = file.read_text()
    assert run("unwrap", str(file), "--dry-run").exit_code == 0
    assert file.read_text() == wrapped


def test_unwrapping_puts_every_byte_back(file):
    run("wrap", str(file), "--yes")
    assert run("unwrap", str(file), "--yes").exit_code == 0
    assert file.read_text() == WRITTEN


def test_wrapping_twice_is_wrapping_once(file):
    run("wrap", str(file), "--yes")
    once = file.read_text()
    ran = run("wrap", str(file), "--yes")
    assert "nothing to change" in ran.output
    assert file.read_text() == once


def test_what_was_edited_since_is_rebuilt_from_what_it_says(file):
    run("wrap", str(file), "--yes")
    file.write_text(file.read_text().replace('"/tmp"', '"/home"'))
    run("unwrap", str(file), "--yes")
    assert servers(file)["files"] == {"command": "npx", "args": ["-y", "server-filesystem", "/home"], "env": {"A": "ü"}}
    assert servers(file)["far"]["url"] == "https://crm.example/mcp"


def test_headers_are_rebuilt_where_nothing_is_known(file, nobodys_home):
    run("wrap", str(file), "--yes")
    for kept in (nobodys_home / ".local/state/interlock/mcp/wrapped").iterdir():
        kept.unlink()
    run("unwrap", str(file), "--yes")
    far = servers(file)["far"]
    assert far == {"type": "http", "url": "https://crm.example/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}}


def test_only_the_servers_that_are_named_change(file):
    run("wrap", str(file), "--only", "bare", "--policy", "team.yaml", "--hide-denied", "--yes")
    assert servers(file)["files"]["command"] == "npx"
    assert servers(file)["bare"]["args"] == [
        *OURS, "--name", "bare", "--policy", str(Path("team.yaml").absolute()), "--hide-denied", "--", "srv",
    ]  # fmt: skip
    assert "names no server `nobody`" in run("wrap", str(file), "--only", "nobody", "--yes").output


def test_without_a_yes_nothing_is_written(file):
    ran = run("wrap", str(file))
    assert ran.exit_code == 1
    assert "there is no terminal to ask at" in ran.output
    assert file.read_text() == WRITTEN


def test_the_earlier_version_is_kept(file):
    ran = run("wrap", str(file), "--yes")
    kept = ran.output.split("kept the previous version in ")[1].splitlines()[0]
    assert Path(kept).read_text() == WRITTEN


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ({"mcpServers": {"a": {"command": "x"}}}, "Claude Desktop, Cursor"),
        ({"projects": {"/p/q": {"mcpServers": {"a": {"command": "x"}}}}, "n": 1}, "Claude Code, for one project"),
        ({"servers": {"a": {"type": "stdio", "command": "x"}}, "inputs": []}, "VS Code"),
        ({"mcp": {"servers": {"a": {"command": "x"}}}}, "VS Code's settings"),
    ],
)
def test_the_shapes_of_all_clients_are_known(tmp_path, written, name):
    file = tmp_path / "c.json"
    file.write_text(json.dumps(written))
    assert run("wrap", str(file), "--yes").exit_code == 0
    assert '"--name", "a", "--", "x"' in file.read_text(), name
    run("unwrap", str(file), "--yes")
    assert json.loads(file.read_text()) == written


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"type": "sse", "url": "https://x/sse"}, "the older HTTP+SSE transport"),
        ({"command": "x", "args": "one"}, "its `args` are not a list of texts"),
        ({"args": []}, "neither a `command` nor a `url`"),
        ({"url": "https://x", "headers": {"A": 1}}, "its `headers` are not a map of texts"),
        (7, "it is not an object"),
    ],
)
def test_what_cannot_go_behind_the_proxy_is_left_and_told(tmp_path, entry, why):
    file = tmp_path / ".mcp.json"
    file.write_text(json.dumps({"mcpServers": {"a": entry}}))
    ran = run("wrap", str(file), "--yes")
    assert why in ran.output
    assert "nothing to change" in ran.output


@pytest.mark.parametrize(
    ("text", "why"),
    [("{", "not valid JSON"), ("{}", "names no MCP servers"), ('{"mcpServers": {}, // c\n}', "not valid JSON")],
)
def test_a_file_that_is_not_understood_is_left_alone(tmp_path, text, why):
    file = tmp_path / ".mcp.json"
    file.write_text(text)
    ran = run("wrap", str(file), "--yes")
    assert ran.exit_code == 1
    assert why in ran.output
    assert file.read_text() == text


def test_a_missing_file_names_those_that_are_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".cursor").mkdir()
    (tmp_path / ".cursor" / "mcp.json").write_text("{}")
    ran = run("wrap")
    assert ran.exit_code == 1
    assert f"name the file: {tmp_path}/.cursor/mcp.json" in ran.output


def test_a_link_is_left_alone(tmp_path, file):
    link = tmp_path / "link.json"
    link.symlink_to(file)
    with pytest.raises(InterlockError, match="symbolic link"):
        plan_wrap(link)


entries = some.fixed_dictionaries(
    {"command": some.text(min_size=1)},
    optional={
        "args": some.lists(some.text(), max_size=3),
        "env": some.dictionaries(some.text(), some.text(), max_size=2),
    },
)


@settings(max_examples=20, deadline=None)  # every example writes files, and waits until they are on the disk
@given(
    some.dictionaries(some.text(min_size=1, max_size=8), entries, min_size=1, max_size=3),
    some.sampled_from([None, 1, 2, "\t"]),
)
def test_whatever_was_wrapped_is_unwrapped_to_the_byte(tmp_path_factory, found, indent):
    file = tmp_path_factory.mktemp("w") / "m.json"
    text = json.dumps({"mcpServers": found}, indent=indent)
    file.write_text(text)
    write(plan_wrap(file))
    assert file.read_text() != text
    write(plan_unwrap(file))
    assert file.read_text() == text
