"""Documentation that is checked: examples run, tables come from the code, every word is explained."""

import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import interlock
from interlock.cli import main
from interlock.cli.init import STARTER
from interlock.effect import effects_of, safe_direction
from interlock.event import EVENTS
from interlock.hooks.load import load_hooks
from interlock.hooks.registry import ARGUMENTS
from interlock.hosts import dialect_of
from interlock.hosts.claude_code.fields import FIELDS

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def python_blocks() -> list[tuple[str, str]]:
    return [
        (f"{page.name}-{number}", block)
        for page in PAGES
        for number, block in enumerate(
            re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL), 1
        )
    ]


@pytest.mark.parametrize(("name", "code"), python_blocks(), ids=[name for name, _ in python_blocks()])
def test_an_example_in_the_docs_runs(name, code, tmp_path):
    for module in re.findall(r"^from (agents|google\.adk|langchain|pydantic_ai)\b", code, re.MULTILINE):
        pytest.importorskip(module, reason=f"{module} is not installed")
    file = tmp_path / "example.py"
    file.write_text(code, encoding="utf-8")
    if "@hook" in code:
        assert load_hooks([file])
    else:
        exec(compile(code, str(file), "exec"), {})


def generated(page: str, name: str) -> str:
    found = re.search(rf"<!-- \[\[\[{name}\]\]\].*?-->\n(.*?)<!-- \[\[\[end\]\]\] -->", text_of(page), re.DOTALL)
    assert found, f"{page} has no place for the table `{name}`"
    return found[1]


def host_rows(names: list[str], hosts: list[str]) -> str:
    rows = [f"| event | {' | '.join(hosts)} | if a check fails |", "|---" * (len(hosts) + 2) + "|"]
    for name in names:
        cells = [", ".join(sorted(dialect_of(host).honours(name))) or "–" for host in hosts]
        rows.append(f"| {name} | {' | '.join(cells)} | {safe_direction(name)} |")
    return "\n".join(rows) + "\n"


def test_the_table_of_events_holds_all_of_them():
    assert generated("docs/protocol.md", "events") == host_rows(list(EVENTS), ["claude-code"])


SEVERAL = {
    "any": "true if any says so",
    "chain": "the last; each sees what the one before it left",
    "each": "all of them",
    "first": "the first; the others are named",
    "last": "the last; the others are named",
    "lines": "all of them, as lines",
    "strictest": "the strictest; the others are named",
}
NEEDS = {
    "allow": "only if the same hook allows the call and that allow counts",
    "interrupt": "only if the turn ends",
    "no deny": "only if nothing is denied",
    "own result": "only if no other hook or rule replaces or withholds the result",
}
PLACES = {"top": "", "specific": "hookSpecificOutput.", "decision": "hookSpecificOutput.decision.", "text": ""}


def field_rows() -> str:
    """Every field of a foreign hook's answer: on which events it counts, what becomes of it, and of several."""
    rows = ["| field | on | becomes | of several hooks |", "|---|---|---|---|"]
    for field in FIELDS:
        becomes = field.becomes + (f", {NEEDS[field.needs]}" if field.needs else "")
        several = SEVERAL[field.several] if field.several else "–"
        rows.append(
            f"| `{PLACES[field.place]}{field.name}` | {events_in_words(field.events)} | {becomes} | {several} |"
        )
    return "\n".join(rows) + "\n"


def events_in_words(names: frozenset[str]) -> str:
    """The names, or those that are left out where these are fewer."""
    left = [name for name in EVENTS if name not in names]
    if len(left) < len(names) / 2:
        return "every event" + (f" except {', '.join(left)}" if left else "")
    return ", ".join(name for name in EVENTS if name in names) or "no event"


def test_the_table_of_fields_is_what_is_done_with_them():
    assert generated("docs/protocol.md", "fields") == field_rows()


def test_every_public_word_and_argument_is_explained():
    page = text_of("docs/hooks.md")
    for word in interlock.__all__:
        assert f"`{word}(" in page or f"`@{word}(" in page, word
    for argument in ARGUMENTS:
        assert f"| `{argument}` |" in page, argument


def test_every_mistake_has_a_row():
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src/interlock/hosts").rglob("*.py"))
    named = set(re.findall(r'(?:Failed|Mistake)\(\s*"([a-z0-9-]+)"', source))
    assert len(named) > 20
    page = text_of("docs/protocol.md")
    assert [name for name in sorted(named) if f"`{name}`" not in page] == []


def test_every_command_is_documented_with_an_example():
    context = click.Context(main)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command is not None
        assert "Examples:" in (command.help or ""), name


def command_lines() -> list[str]:
    """Every `interlock …` that a page shows in a block for the shell or in its text, without what it is piped into."""
    found = set()
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        lines = [
            line for block in re.findall(r"```(?:sh|console)\n(.*?)```", text, re.DOTALL) for line in block.splitlines()
        ]
        lines += re.findall(r"`(interlock [^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
        for line in lines:
            for command in re.findall(r"(?:^|&& |\$ )(interlock (?:[^#|&<>]|\|(?=\w))+)", line):
                found.add(command.strip())
    return sorted(found)


@pytest.mark.parametrize("line", command_lines())
def test_a_command_that_the_docs_show_exists_with_its_options(line):
    _, name, *words = shlex.split(line)
    if name.startswith("-"):
        return  # options of `interlock` itself, such as --version
    command = main.get_command(click.Context(main), name)
    assert command is not None, f"there is no `interlock {name}`"
    while isinstance(command, click.Group) and words and (inner := command.commands.get(words[0])):
        command, words = inner, words[1:]
    command.make_parser(click.Context(command)).parse_args(words)


def test_effects_are_only_shown_where_an_event_has_them():
    assert {name for name in EVENTS if "allow" in effects_of(name)} == {
        "PreToolUse",
        "PermissionRequest",
        "PreModelSwitch",
    }


def test_the_quickstart_has_ten_lines_and_says_what_the_first_policy_says(tmp_path, monkeypatch):
    session = re.search(r"```console\n(.*?)```", text_of("README.md"), re.DOTALL)
    assert session
    lines = session[1].splitlines()
    assert len(lines) <= 10
    (tmp_path / "interlock.yaml").write_text(STARTER, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for line in lines:
        command = line.removeprefix("$ ").partition("  #")[0].split()
        if line.startswith("$ interlock "):
            assert main.get_command(click.Context(main), command[1]) is not None, line
    explained = CliRunner().invoke(main, ["explain", "git push -f origin main"]).output
    assert "".join(f"{line}\n" for line in lines if not line.startswith("$")) in explained


def test_what_the_readme_shows_of_its_policy_is_what_is_printed(tmp_path, monkeypatch):
    readme = text_of("README.md")
    policy = re.search(r"```yaml\n(.*?)```", readme, re.DOTALL)
    session = re.search(r"```console\n(.*?)```", readme.partition("## A policy")[2], re.DOTALL)
    assert policy
    assert session
    (tmp_path / "interlock.yaml").write_text(policy[1], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    checked = CliRunner().invoke(main, ["check", "--policy", "interlock.yaml"])
    explained = CliRunner().invoke(main, ["explain", "--policy", "interlock.yaml", "git push -f origin main"])
    printed = re.sub(r"core     \S+/packs/", "core     …/packs/", checked.output)
    printed += re.sub(r"in \d+ µs\n", "", explained.output)
    assert "".join(line + "\n" for line in session[1].splitlines() if not line.startswith("$")) == printed
