"""Where the files of skills, commands and agents are found, as Claude Code was seen to find them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from interlock.facts.definitions import Definition, Start
from interlock.hosts.claude_code.skills import AgentsGiven, Lookup, SkillFiles, agents_given, folders_given


class Disk:
    """A project, a home and a folder of settings."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.project = root / "work" / "shop"
        self.home = root / "home"
        self.config = root / "moved"
        self.transcript = str(self.config / "projects" / "-work-shop" / "s.jsonl")
        self.project.mkdir(parents=True)

    def put(self, path: str, text: str = "", name: str | None = None) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        above = f"---\nname: {name}\n---\n" if name else ""
        file.write_text(f"{above}{text or path}", encoding="utf-8")
        return file

    def files(self, **more: Any) -> SkillFiles:
        return SkillFiles(str(self.project), home=self.home, managed=self.root / "etc", **more)

    def skill(self, name: str, cwd: Path | None = None, **more: Any) -> Lookup:
        return self.files(**more).skill(name, cwd=str(cwd or self.project), transcript=self.transcript)

    def agent(self, name: str, **more: Any) -> Lookup:
        return self.files(**more).agent(name, cwd=str(self.project), transcript=self.transcript)

    def found(self, name: str, cwd: Path | None = None, **more: Any) -> list[str]:
        lookup = self.skill(name, cwd, **more)
        assert lookup.unread is None
        assert bool(lookup.scripts) == (lookup.missing is None)
        return [os.path.relpath(script.file, self.root) for script in lookup.scripts]


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(tmp_path)


SHOP = "work/shop/.claude"


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("x", f"{SHOP}/commands/x.md"),
        ("dir:x", f"{SHOP}/commands/dir/x.md"),
        ("a:b:x", f"{SHOP}/commands/a/b/x.md"),
        ("x", f"{SHOP}/commands/dir/x.md"),  # older hosts
        ("cs", f"{SHOP}/commands/cs/SKILL.md"),
        ("s", f"{SHOP}/skills/s/SKILL.md"),
        ("/s", f"{SHOP}/skills/s/SKILL.md"),
        (" s ", f"{SHOP}/skills/s/SKILL.md"),
        ("S", f"{SHOP}/skills/s/SKILL.md"),
        ("s", "moved/skills/s/SKILL.md"),
        ("s", "moved/commands/s.md"),
        ("s", "home/.claude/skills/s/SKILL.md"),
        ("s", "home/.claude/commands/s.md"),
        ("s", "etc/.claude/skills/s/SKILL.md"),
        ("s", "work/.claude/skills/s/SKILL.md"),
        ("s", ".claude/commands/s.md"),
        ("s", "work/shop/sub/.claude/skills/s/SKILL.md"),
        ("sub:s", "work/shop/sub/.claude/skills/s/SKILL.md"),
        ("a/b:s", "work/shop/a/b/.claude/skills/s/SKILL.md"),
        ("simplify", f"{SHOP}/skills/simplify/SKILL.md"),
    ],
)
def test_a_name_is_found_where_the_host_finds_it(disk: Disk, name: str, file: str):
    disk.put(file)
    disk.put(f"{SHOP}/commands/other.md")
    disk.put(f"{SHOP}/skills/another/SKILL.md")
    assert disk.found(name) == [file]


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("../commands/x", f"{SHOP}/commands/x.md"),
        ("dir/x", f"{SHOP}/commands/dir/x.md"),
        ("flat", f"{SHOP}/skills/flat.md"),
        ("g:h", f"{SHOP}/skills/g/h/SKILL.md"),
        ("nosuch", f"{SHOP}/commands/x.md"),
        ("s", "elsewhere/.claude/skills/s/SKILL.md"),
        ("", f"{SHOP}/commands/x.md"),
    ],
)
def test_any_other_name_is_missing(disk: Disk, name: str, file: str):
    disk.put(file)
    assert disk.skill(name) == Lookup(missing="its file was not found")


def test_what_the_host_brings_along_has_no_file(disk: Disk):
    assert disk.skill("compact") == disk.skill("code-review") == Lookup()


def test_a_skill_is_found_by_the_name_it_gives_itself(disk: Disk):
    disk.put(f"{SHOP}/skills/named/SKILL.md", name="other-name")
    assert disk.found("other-name") == disk.found("named") == [f"{SHOP}/skills/named/SKILL.md"]


def test_every_file_of_one_name_is_told(disk: Disk):
    files = [f"{SHOP}/commands/s.md", f"{SHOP}/skills/s/SKILL.md", "moved/skills/s/SKILL.md"]
    for file in files:
        disk.put(file)
    assert sorted(disk.found("s")) == sorted(files)


def test_where_the_agent_stands_counts_too(disk: Disk):
    disk.put("else/.claude/skills/s/SKILL.md")
    assert disk.found("s", cwd=disk.root / "else" / "deep") == ["else/.claude/skills/s/SKILL.md"]


def test_links_are_followed_and_circles_end(disk: Disk):
    disk.put("outside/SKILL.md")
    disk.put("texts/e.md")
    for place, target in (("skills/ln", "outside"), ("commands/ld", "texts"), ("commands/round", f"{SHOP}/commands")):
        link = disk.root / SHOP / place
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(disk.root / target)
    assert disk.found("ln") == [f"{SHOP}/skills/ln/SKILL.md"]
    assert disk.found("ld:e") == [f"{SHOP}/commands/ld/e.md"]


def test_folders_that_settings_or_the_command_line_add_are_looked_into(disk: Disk):
    disk.put("added/.claude/skills/s/SKILL.md")
    assert disk.found("s", folders=[disk.root / "added"]) == ["added/.claude/skills/s/SKILL.md"]
    disk.put(f"{SHOP}/settings.json", '{"permissions": {"additionalDirectories": ["../../added"]}}')
    assert disk.found("s") == ["added/.claude/skills/s/SKILL.md"]


def test_what_a_host_was_started_with_is_read_from_its_command_line():
    argv = ["claude", "-p", "/x", "--add-dir", "a", "/b", "--model", "m", "--plugin-dir", "p", "q", "--plugin-dir=r"]
    assert folders_given(argv, "/w") == ([Path("/w/a"), Path("/b")], [Path("/w/p"), Path("/w/r")])


# --- plugins -----------------------------------------------------------------------------------------------


def plugin(disk: Disk, place: str, **manifest: object) -> None:
    disk.put(f"{place}/.claude-plugin/plugin.json", json.encode({"name": "pp", **manifest}).decode())
    disk.put(f"{place}/commands/pc.md")
    disk.put(f"{place}/commands/d/e.md")
    disk.put(f"{place}/extra/ex.md")
    disk.put(f"{place}/skills/ps/SKILL.md")
    disk.put(f"{place}/skills/pn/SKILL.md", name="fancy")


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("pp:pc", "commands/pc.md"),
        ("pp:d:e", "commands/d/e.md"),
        ("pp:ex", "extra/ex.md"),
        ("pp:ps", "skills/ps/SKILL.md"),
        ("pp:pn", "skills/pn/SKILL.md"),
        ("pp:fancy", "skills/pn/SKILL.md"),
        ("fancy", "skills/pn/SKILL.md"),
    ],
)
def test_an_installed_plugin_is_looked_into(disk: Disk, name: str, file: str):
    plugin(disk, "cache/pp")
    installed = {"version": 2, "plugins": {"pp@mk": [{"scope": "user", "installPath": str(disk.root / "cache/pp")}]}}
    disk.put("moved/plugins/installed_plugins.json", json.encode(installed).decode())
    assert disk.found(name) == [f"cache/pp/{file}"]
    assert disk.skill(f"qq:{name}").missing


def test_a_plugin_of_a_marketplace_on_this_disk_is_read_where_it_lies(disk: Disk):
    plugin(disk, "mk/pp")
    market = {"plugins": [{"name": "pp", "source": "./pp"}, {"name": "other", "source": {"source": "github"}}]}
    disk.put("mk/.claude-plugin/marketplace.json", json.encode(market).decode())
    known = {"mk": {"installLocation": str(disk.root / "mk")}}
    disk.put("moved/plugins/known_marketplaces.json", json.encode(known).decode())
    disk.put("moved/plugins/installed_plugins.json", '{"plugins": {"pp@mk": [], "other@mk": []}}')
    assert disk.found("pp:ps") == ["mk/pp/skills/ps/SKILL.md"]


def test_a_skill_folder_that_is_a_plugin_is_one(disk: Disk):
    plugin(disk, f"{SHOP}/skills/folder")
    assert disk.found("pp:pc") == [f"{SHOP}/skills/folder/commands/pc.md"]


def test_a_command_that_only_the_manifest_names_is_found(disk: Disk):
    plugin(disk, "pp", commands={"about": {"source": "./extra/ex.md"}, "said": {"content": "!`touch x`"}})
    given = [disk.root / "pp"]
    assert disk.found("pp:about", plugins=given) == ["pp/extra/ex.md"]
    assert "!`touch x`" in disk.skill("pp:said", plugins=given).scripts[0].text


def test_lists_of_plugins_that_cannot_be_read_leave_the_plugin_missing(disk: Disk):
    for text in ("{", "[]", '{"plugins": 3}', '{"plugins": {"pp@mk": [3, {"installPath": 3}]}}'):
        disk.put("moved/plugins/installed_plugins.json", text)
        assert disk.skill("pp:ps").missing


# --- what is read ------------------------------------------------------------------------------------------


def test_a_script_comes_with_the_values_the_host_puts_in(disk: Disk):
    plugin(disk, "pp")
    disk.put(f"{SHOP}/commands/x.md", "text")
    (command,) = disk.skill("x").scripts
    (skill,) = disk.skill("pp:ps", plugins=[disk.root / "pp"]).scripts
    assert (command.text, command.values) == ("text", {"CLAUDE_PROJECT_DIR": str(disk.project)})
    assert skill.values == {
        "CLAUDE_PROJECT_DIR": str(disk.project),
        "CLAUDE_SKILL_DIR": str(disk.root / "pp/skills/ps"),
        "CLAUDE_PLUGIN_ROOT": str(disk.root / "pp"),
    }


def test_a_file_that_cannot_be_read_is_said_to_be_there(disk: Disk):
    long = disk.put(f"{SHOP}/commands/long.md", "x" * 1_000_001)
    assert disk.skill("long") == Lookup(unread=f"{long} cannot be read: it is longer than 1,000,000 bytes")
    gone = disk.root / SHOP / "commands" / "gone.md"
    gone.symlink_to("nowhere.md")
    assert disk.skill("gone") == Lookup(unread=f"{gone} cannot be read: No such file or directory")


def test_a_pipe_of_that_name_holds_nothing_up(disk: Disk):
    pipe = disk.root / SHOP / "commands" / "pipe.md"
    pipe.parent.mkdir(parents=True)
    os.mkfifo(pipe)
    assert disk.skill("pipe") == Lookup(unread=f"{pipe} cannot be read: it is not a regular file")


def test_bytes_that_are_no_text_are_read_as_far_as_they_are(disk: Disk):
    disk.put(f"{SHOP}/commands/x.md").write_bytes(b"\xff !`touch x`")
    assert disk.skill("x").scripts[0].text == "\ufffd !`touch x`"


def test_a_search_that_takes_too_long_finds_nothing(disk: Disk):
    disk.put(f"{SHOP}/commands/x.md")
    ticks = iter(range(0, 10_000, 10))
    found = disk.files(clock=lambda: float(next(ticks))).skill("x", cwd="", transcript="")
    assert found == Lookup(missing="its file was not found in time: there are too many folders to look into")


# --- agents ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("skills", ["[ns, cc]", "ns, cc", "\n  - ns\n  - cc"])
def test_an_agent_brings_the_skills_it_starts_with(disk: Disk, skills: str):
    disk.put(f"{SHOP}/skills/ns/SKILL.md")
    disk.put(f"{SHOP}/commands/cc.md")
    disk.put(f"{SHOP}/agents/a/file.md", f"---\nname: Work\nskills: {skills}\n---\n!`touch body`")
    found = disk.agent("work")
    assert [Path(script.file).name for script in found.scripts] == ["SKILL.md", "cc.md"]
    assert disk.agent("file").missing  # its own name counts, not the file's


def test_an_agent_without_skills_brings_none(disk: Disk):
    disk.put("moved/agents/w.md", "---\nname: w\n---\n!`touch body`")
    assert disk.agent("w") == Lookup()


def test_an_agent_of_a_plugin_is_found_by_both_its_names(disk: Disk):
    plugin(disk, "pp")
    disk.put("pp/agents/pa.md", "---\nname: pa\nskills: [pp:ps]\n---\n")
    given = [disk.root / "pp"]
    assert len(disk.agent("pp:pa", plugins=given).scripts) == len(disk.agent("pa", plugins=given).scripts) == 1


def test_an_agent_whose_skill_cannot_be_read_says_so(disk: Disk):
    disk.put(f"{SHOP}/agents/w.md", "---\nname: w\nskills: [long]\n---\n")
    disk.put(f"{SHOP}/commands/long.md", "x" * 1_000_001)
    assert "longer than" in (disk.agent("w").unread or "")


def test_an_agent_that_the_host_brings_along_has_no_file(disk: Disk):
    assert disk.agent("general-purpose") == disk.agent("Explore") == Lookup()
    assert disk.agent("nosuch") == Lookup(missing="its file was not found")


HOOKED = "hooks: {Stop: [{hooks: [{type: command, command: touch x}]}]}"
STOP = Definition((Start("touch x", "a Stop hook"),))


@pytest.mark.parametrize("place", [SHOP, "moved", "home/.claude", "etc/.claude", "work/.claude"])
def test_an_agent_brings_the_hooks_of_its_file(disk: Disk, place: str):
    file = disk.put(f"{place}/agents/w.md", f"---\nname: w\n{HOOKED}\n---\n")
    assert disk.agent("w") == Lookup(definitions=((str(file), STOP),))


def test_a_skill_brings_its_hooks_and_those_of_the_agent_it_runs_in(disk: Disk):
    agent = disk.put(f"{SHOP}/agents/w.md", f"---\nname: w\n{HOOKED}\n---\n")
    skill = disk.put(f"{SHOP}/skills/s/SKILL.md", f"---\nagent: w\n{HOOKED}\n---\n")
    assert disk.skill("s").definitions == ((str(skill), STOP), (str(agent), STOP))


def test_more_agents_than_can_be_looked_at_are_no_agent_that_is_missing(disk: Disk):
    disk.put(f"{SHOP}/agents/w.md", f"---\nname: w\n{HOOKED}\n---\n")
    ticks = iter(range(100))
    assert disk.agent("w", clock=lambda: float(next(ticks))) == Lookup(unread="there are too many agents to look at")


@pytest.mark.parametrize("words", [["--agents", "{}"], ["--agents={}"], ["--agents", "agents.json"]])
def test_the_agents_that_a_host_was_started_with_are_known(tmp_path: Path, words: list[str]):
    text = '{"Scout": {"prompt": "p"}}'
    (tmp_path / "agents.json").write_text(text, encoding="utf-8")
    argv = ["claude", *(word.replace("{}", text) for word in words), "-p", "x"]
    assert agents_given(argv, str(tmp_path)) == AgentsGiven({"scout": {"prompt": "p"}})
    assert agents_given(["claude", "-p", "--agent", "x"], str(tmp_path)) == AgentsGiven()
    assert agents_given([], str(tmp_path)) == AgentsGiven()  # where nobody can say how the host was started


@pytest.mark.parametrize("value", ["nosuch.json", "{", "[]", ""])
def test_agents_that_cannot_be_read_are_not_taken_for_harmless(disk: Disk, value: str):
    given = agents_given(["claude", "--agents", value], str(disk.root))
    assert given.unread == "the agents that the host was given with `--agents` cannot be read"
    assert disk.agent("scout", given=given).unread == given.unread
    assert disk.agent("general-purpose", given=given) == Lookup()


def test_an_agent_that_a_host_was_given_brings_its_skills_and_hooks(disk: Disk):
    disk.put(f"{SHOP}/skills/s/SKILL.md")
    hooks = {"Stop": [{"hooks": [{"type": "command", "command": "touch x"}]}]}
    found = disk.agent("scout", given=AgentsGiven({"scout": {"skills": ["s"], "hooks": hooks}}))
    assert [script.file for script in found.scripts] == [str(disk.root / SHOP / "skills/s/SKILL.md")]
    assert found.definitions == (("--agents scout", STOP),)


def test_all_agents_are_looked_at_for_one_whose_name_is_made_up(disk: Disk):
    file = disk.put(f"{SHOP}/agents/w.md", f"---\nname: w\n{HOOKED}\n---\n")
    disk.put(f"{SHOP}/agents/plain.md", name="plain")
    hooks = {"Stop": [{"hooks": [{"type": "command", "command": "touch x"}]}]}
    found = disk.files(given=AgentsGiven({"scout": {"hooks": hooks}})).agents(cwd=str(disk.project))
    assert found == Lookup(definitions=((str(file), STOP), ("--agents scout", STOP)))
