"""Programs that count under whatever name they are run: agents, and Interlock itself."""

from __future__ import annotations

import pytest

from interlock.facts.gather import Facts
from interlock.facts.paths import NoFiles, Places
from interlock.hosts import dialect_of
from tests.builders import call, raw

PLACES = Places("/shop", "/shop", "/home/me")


class Disk(NoFiles):
    """Some links, and the folders whose settings ask Interlock."""

    def __init__(self, links: dict[str, str] | None = None, guarded: tuple[str, ...] = ("/shop",)) -> None:
        self._links = links or {}
        self._guarded = guarded

    def real(self, path: str, *, follow: bool = True) -> str | None:
        return self._links.get(path, super().real(path))

    def guards(self, folder: str) -> bool:
        return folder in self._guarded


def facts(line: str, disk: Disk | None = None) -> Facts:
    event = dialect_of("claude-code").decode(raw(call("Bash", command=line)))
    return Facts(event, {"command": line}, PLACES, disk or Disk())


def words(line: str, disk: Disk | None = None) -> list[str]:
    """The commands of a line that count, with the words they are given."""
    return [one.words for one in facts(line, disk).commands if one.name in ("claude", "codex", "interlock")]


def traits(line: str, disk: Disk | None = None) -> set[str]:
    return {trait for one in facts(line, disk).commands for trait in one.use.traits if trait.startswith("agent/")}


@pytest.mark.parametrize(
    "line",
    [
        "ln -s /opt/claude c; ./c --bare -p x", "ln -s /opt/claude c && c --bare -p x",
        "cp /opt/claude c; ./c --bare -p x",
        "mv /opt/claude bin/c; bin/c --bare -p x", "ln -s /opt/claude c; cd sub; ../c --bare -p x",
        "install /opt/claude /usr/bin/c; /usr/bin/c --bare -p x",
        "ln -s /opt/claude c; sh -c './c --bare -p x'", "node /lib/@anthropic-ai/claude-code/cli.js --bare -p x",
        "~/.local/share/claude/versions/2.1.325 --bare -p x", "sh /opt/claude --bare -p x",
    ],
)  # fmt: skip
def test_another_name_in_the_same_line_is_followed(line: str):
    assert words(line)[-1] == "claude --bare -p x"


def test_a_link_that_is_there_is_followed():
    disk = Disk({"/shop/c": "/opt/bin/claude", "/shop/i": "/opt/bin/interlock", "/shop/g": "/usr/bin/git"})
    assert words("./c --bare", disk) == ["claude --bare"]
    assert words("python3 i pause", disk) == ["interlock pause"]
    assert words("./g push", disk) == []


@pytest.mark.parametrize("line", ["./c --bare", "c --bare", "node server.js", "cp a b; ./b x", "echo claude"])
def test_a_program_that_leads_nowhere_special_is_itself(line: str):
    assert words(line) == []


def test_an_agent_is_guarded_by_the_settings_of_the_folder_it_starts_in():
    disk = Disk(guarded=("/shop", "/other"))
    assert traits("claude -p x", disk) == traits("cd /other && claude -p x", disk) == {"agent/starts"}
    away = {"agent/starts", "agent/unguarded"}
    assert traits("cd /tmp && claude -p x", disk) == traits("cd $X && claude -p x", disk) == away
    assert traits("env -C /tmp claude -p x", disk) == away


def test_what_a_line_does_before_may_change_the_settings_of_another_folder():
    disk = Disk(guarded=("/shop", "/shop/sub"))
    assert traits("cd sub && claude -p x", disk) == {"agent/starts"}
    assert traits("git init sub; cd sub && claude -p x", disk) == {"agent/starts", "agent/unguarded"}
    assert traits("npm test; claude -p x", disk) == {"agent/starts"}


@pytest.mark.parametrize("line", ["claude --version", "claude mcp list", "claude doctor", "claude -h", "codex login"])
def test_what_only_looks_or_keeps_starts_nothing(line: str):
    assert traits(f"cd /tmp && {line}") == set()


@pytest.mark.parametrize(
    "line", ["codex exec x", "gemini -p x", "aider", "copilot -p x", "goose run -t x", "q chat x", "bwrap claude -p x"]
)
def test_other_agents_are_guarded_nowhere(line: str):
    assert traits(line) == {"agent/starts", "agent/unguarded"}


@pytest.mark.parametrize("line", ["copilot svc deploy", "goose up", "goose status", "q status", "ssh host claude -p x"])
def test_a_name_that_they_share_is_not_enough(line: str):
    assert "agent/unguarded" not in traits(line)


# --- every other program ---------------------------------------------------------------------------------------------


def names(line: str, disk: Disk | None = None) -> list[str]:
    return [one.name for one in facts(line, disk).commands]


@pytest.mark.parametrize(
    "line",
    [
        "ln -s /bin/sh s; ./s -c 'touch ran'", "cp /bin/bash b && ./b -c 'touch ran'", "ln -s /bin/touch t; ./t ran",
        "ln -s $(which sh) s; ./s -c 'touch ran'", "ln -sf /bin/sh ls; PATH=. ls -c 'touch ran'",
        "ln -s /usr/bin/python3 p; ./p -c 'import os; os.system(\"touch ran\")'",
        "mv /bin/dash x; sudo ./x -c 'touch ran'",
    ],
)  # fmt: skip
def test_a_program_with_a_new_name_does_what_it_does_under_its_own(line: str):
    assert "touch" in names(line)


def test_a_link_to_a_shell_that_is_there_is_the_shell_even_under_a_known_name():
    disk = Disk({"/shop/x": "/usr/bin/dash", "/shop/bin/ls": "/bin/bash"})
    assert "touch" in names("./x -c 'touch ran'", disk)
    assert "touch" in names("bin/ls -c 'touch ran'", disk)


@pytest.mark.parametrize(
    ("line", "disk"),
    [
        ("cp dist/app app && ./app --help", None),
        ("ln -s build out; ls out", None),
        ("/usr/bin/awk 1", Disk({"/usr/bin/awk": "/usr/bin/mawk"})),
        ("node_modules/.bin/mytool x", Disk({"/shop/node_modules/.bin/mytool": "/shop/node_modules/mytool/cli.js"})),
        (".venv/bin/python -V", Disk({"/shop/.venv/bin/python": "/shop/.venv/bin/python"})),
    ],
)
def test_ordinary_links_and_copies_are_read_once(line: str, disk: Disk | None):
    read = names(line, disk)
    assert read == list(dict.fromkeys(read))
    assert len(read) == line.count("&&") + line.count(";") + 1
