"""What of ours would really run: where it stands, what switches it off, and what races with it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from interlock.hosts.claude_code.entries import entries_for
from interlock.hosts.claude_code.events import WIRED
from interlock.hosts.claude_code.recovery import TOLD_AT, direct
from interlock.hosts.claude_code.settings_files import main_folder, worktrees_of
from interlock.hosts.claude_code.settings_state import SettingsState, cannot_tell, settings_state, would_stay_on

OTHER = {"type": "command", "command": "./other.sh"}


class Machine:
    """A project, a person's folder and a managed file, in which settings are put."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "shop"
        self.config = folder / "config"
        self.managed = folder / "etc" / "managed-settings.json"
        for made in (self.project / ".claude", self.config, self.managed.parent):
            made.mkdir(parents=True)

    def file(self, scope: str) -> Path:
        return {
            "managed": self.managed,
            "drop-in": self.managed.with_suffix(".d") / "10.json",
            "user": self.config / "settings.json",
            "project": self.project / ".claude" / "settings.json",
            "local": self.project / ".claude" / "settings.local.json",
        }[scope]

    def put(self, scope: str, value: Any) -> Path:
        file = self.file(scope)
        file.parent.mkdir(exist_ok=True)
        file.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        return file

    def install(self, scope: str = "local", **more: Any) -> Path:
        return self.put(scope, {**more, "hooks": ours("project" if scope == "project" else "local")})

    def standing(self, **more: Any) -> SettingsState:
        return settings_state(self.project, config_dir=self.config, managed=self.managed, **more)


def ours(scope: Any = "local") -> dict[str, list[dict[str, Any]]]:
    return {event: [{"hooks": [handler]}] for event, handler in entries_for(scope).items()}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def whys(found: SettingsState) -> list[str]:
    return [one.why for one in found.off]


@pytest.mark.parametrize("scope", ["managed", "drop-in", "user", "project", "local"])
def test_entries_run_from_every_file_that_a_client_reads(machine: Machine, scope: str):
    file = machine.install(scope)
    found = machine.standing()
    assert found.running == dict.fromkeys(WIRED, (str(file),))
    assert (found.missing, found.off, found.beside, found.stale, found.problems) == ((), (), (), (), ())


def test_where_nothing_is_installed_nothing_runs(machine: Machine):
    found = machine.standing()
    assert (found.running, found.missing) == ({}, tuple(WIRED))


def test_an_entry_counts_only_if_it_is_exactly_what_we_write(machine: Machine):
    handler = entries_for("local")["Stop"]
    weakened: list[dict[str, Any]] = [
        {"hooks": [{**handler, "timeout": 1}]},
        {"hooks": [{key: value for key, value in handler.items() if key != "onFailure"}]},
        {"hooks": [{**handler, "async": True}]},
        {"hooks": [{**handler, "if": "Bash(ls)"}]},
        {"hooks": [{**handler, "args": handler["args"][:-1]}]},
        {"hooks": [{**handler, "command": "/bin/true"}]},
        {"hooks": [handler], "matcher": "Bash"},
    ]
    for group in weakened:
        machine.put("local", {"hooks": {**ours(), "Stop": [group]}})
        assert machine.standing().missing == ("Stop",), group


@pytest.mark.parametrize("matcher", ["", "*"])
def test_a_matcher_that_leaves_nothing_out_does_not_matter(machine: Machine, matcher: str):
    machine.put("local", {"hooks": {"Stop": [{"matcher": matcher, "hooks": [entries_for("local")["Stop"]]}]}})
    assert "Stop" in machine.standing().running


@pytest.mark.parametrize(
    "change", [{"timeout": 0.001}, {"async": True}, {"onFailure": "continue"}, {"shell": "bash", "async": True}]
)
@pytest.mark.parametrize("scope", ["user", "project", "local"])
def test_an_altered_copy_counts_as_no_entry_since_the_client_runs_only_one_of_the_two(
    machine: Machine, scope: str, change: dict[str, Any]
):
    handler = entries_for("local")["PreToolUse"]
    copy = {"hooks": [{**handler, **change}]}
    hooks = ours() if scope == "local" else {}
    machine.install("local")
    file = machine.put(scope, {"hooks": {**hooks, "PreToolUse": [*hooks.get("PreToolUse", []), copy]}})
    found = machine.standing()
    assert found.missing == ("PreToolUse",)
    assert whys(found) == [f"{file} contains an altered copy of Interlock's entry for PreToolUse"]


def test_another_hook_of_the_same_interpreter_is_no_copy(machine: Machine):
    other = {"type": "command", "command": entries_for("local")["Stop"]["command"], "args": ["-c", "pass"]}
    machine.put("user", {"hooks": {"Stop": [{"hooks": [other]}]}})
    machine.install()
    assert machine.standing().missing == ()


def test_other_hooks_are_named_with_what_they_run(machine: Machine):
    machine.install()
    file = machine.put(
        "user",
        {
            "hooks": {
                "PreToolUse": [{"matcher": "Bash", "hooks": [OTHER, {"type": "http", "url": "http://127.0.0.1:1/"}]}],
                "Stop": [
                    {
                        "hooks": [
                            {"type": "command", "command": "node", "args": ["a.js", "b"]},
                            {"type": "prompt", "prompt": "ok?"},
                            {"type": "agent", "prompt": "ok?"},
                            {"type": "mcp_tool", "server": "a", "tool": "b"},
                        ]
                    }
                ],
            }
        },
    )
    found = machine.standing()
    assert [str(hook) for hook in found.beside] == [
        f"PreToolUse (Bash): ./other.sh [{file}]",
        f"PreToolUse (Bash): http://127.0.0.1:1/ [{file}]",
        f"Stop: node a.js b [{file}]",
        f"Stop: a prompt hook [{file}]",
        f"Stop: an agent hook [{file}]",
        f"Stop: the MCP tool a/b [{file}]",
    ]
    assert found.missing == ()
    assert not found.alone


def test_only_another_hook_on_calls_could_undo_a_change(machine: Machine):
    machine.install()
    machine.put("user", {"hooks": {"Stop": [{"hooks": [OTHER]}]}})
    assert machine.standing().alone


def test_an_entry_of_another_installation_is_stale(machine: Machine):
    handler = entries_for("local")["Stop"]
    old = {**handler, "command": "/old/python"}
    file = machine.put("user", {"hooks": {"Stop": [{"hooks": [old]}]}})
    machine.install()
    found = machine.standing()
    assert found.beside == ()
    assert found.stale == (f"Stop: /old/python {' '.join(handler['args'])} [{file}]",)


@pytest.mark.parametrize(
    ("said", "off"),
    [
        ({"user": True}, "user"),
        ({"user": True, "project": False}, None),
        ({"project": True, "local": False}, None),
        ({"project": False, "local": True}, "local"),
        ({"managed": False, "local": True}, None),
        ({"managed": True, "local": False}, "managed"),
        ({"managed": True, "drop-in": False}, None),
        ({"managed": False, "drop-in": True}, "drop-in"),
    ],
)
def test_the_file_that_has_the_last_word_switches_all_hooks_off(
    machine: Machine, said: dict[str, bool], off: str | None
):
    for scope, value in said.items():
        machine.put(scope, {"disableAllHooks": value})
    local = {"disableAllHooks": said["local"]} if "local" in said else {}
    machine.install("local", **local)
    found = machine.standing()
    assert (found.missing == ()) is (off is None)
    assert whys(found) == ([f"{machine.file(off)} switches all hooks off (`disableAllHooks`)"] if off else [])


def test_a_false_in_a_file_that_is_ignored_saves_nobody(machine: Machine):
    machine.put("user", {"disableAllHooks": True})
    machine.put("project", {"disableAllHooks": False, "model": 1})
    machine.install()
    assert machine.standing().running == {}


def test_a_true_in_a_file_that_one_client_ignores_counts_for_the_other(machine: Machine):
    machine.put("project", {"disableAllHooks": True, "hooks": {"Stop": ["x"]}})
    machine.install()
    assert machine.standing().running == {}


@pytest.mark.parametrize(
    "said",
    [
        {"allowManagedHooksOnly": True},
        {"strictPluginOnlyCustomization": True},
        {"strictPluginOnlyCustomization": ["skills", "hooks"]},
    ],
)
def test_who_manages_the_machine_may_let_only_managed_hooks_run(machine: Machine, said: dict[str, Any]):
    machine.install("local")
    machine.put("managed", said)
    assert machine.standing().running == {}
    machine.install("managed", **said)
    assert machine.standing().missing == ()
    machine.put("managed", {})
    machine.put("project", said)
    assert machine.standing().missing == (), "others cannot"


def test_hooks_that_a_person_switches_off_leave_managed_ones(machine: Machine):
    machine.install("managed")
    machine.put("user", {"disableAllHooks": True})
    assert machine.standing().missing == ()


@pytest.mark.parametrize("scope", ["managed", "user", "project", "local"])
@pytest.mark.parametrize(
    ("name", "value", "on"),
    [
        ("CLAUDE_CODE_SIMPLE", "1", False),
        ("CLAUDE_CODE_SIMPLE", "0", True),
        ("CLAUDE_CODE_SAFE_MODE", "true", False),
        ("LD_PRELOAD", "/tmp/x.so", False),
        ("LD_TRACE_LOADED_OBJECTS", "1", False),
        ("LD_SHOW_AUXV", "", False),
        ("DYLD_PRINT_LIBRARIES", "1", False),
        ("OLD_HOME", "/x", True),
        ("PYTHONPATH", "/tmp", True),
        ("HTTP_PROXY", "http://127.0.0.1:1", True),
        ("PATH", "/tmp", True),
        ("FOO", "1", True),
    ],
)
def test_a_variable_that_steers_the_client_switches_us_off(
    machine: Machine, scope: str, name: str, value: str, on: bool
):
    machine.install("local", **({"env": {name: value}} if scope == "local" else {}))
    if scope != "local":
        machine.put(scope, {"env": {name: value}})
    found = machine.standing()
    assert (found.missing == ()) is on
    assert [f"{machine.file(scope)} sets `{name}`" in why for why in whys(found)] == ([] if on else [True])


@pytest.mark.parametrize(
    ("name", "on"),
    [
        ("SHELLOPTS", False), ("BASHOPTS", False), ("BASH_ENV", False), ("BASH_FUNC_exec%%", False),
        ("BASH_DEFAULT_TIMEOUT_MS", True), ("ENVIRONMENT", True), ("SHELL", True),
    ],
)  # fmt: skip
def test_what_steers_a_shell_matters_to_the_one_entry_that_runs_through_one(machine: Machine, name: str, on: bool):
    file = machine.install("local", env={name: "noexec"})
    found = machine.standing()
    why = [] if on else [f"{file} sets `{name}`, which affects the shell of Interlock's entry"]
    assert (found.missing, whys(found)) == (() if on else ("UserPromptSubmit",), why)


@pytest.mark.parametrize("scope", ["local", "project"])
def test_an_entry_in_the_form_that_was_written_before_still_counts(machine: Machine, scope: Any):
    file = machine.install(scope)
    machine.put(scope, {"hooks": {**ours(scope), TOLD_AT: [{"hooks": [direct(entries_for(scope)[TOLD_AT])]}]}})
    found = machine.standing()
    assert (found.running, found.stale) == (dict.fromkeys(WIRED, (str(file),)), ())


@pytest.mark.parametrize("name", ["PATH", "PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PYTHONINSPECT"])
def test_what_chooses_a_program_matters_to_an_entry_that_is_found_by_its_name(machine: Machine, name: str):
    file = machine.install("project", env={name: "/tmp"})
    found = machine.standing()
    assert (found.running, whys(found)) == ({}, [f"{file} sets `{name}`, which decides what `interlock` is"])


HTTP = [{"PreToolUse": {"type": "http", "url": "http://127.0.0.1:9/hook", "onFailure": "block"}}]


@pytest.mark.parametrize(
    ("more", "on"),
    [
        ({}, True),
        ({"env": {"HTTP_PROXY": "http://127.0.0.1:1"}}, False),
        ({"env": {"https_proxy": "http://127.0.0.1:1"}}, False),
        ({"env": {"ALL_PROXY": "http://127.0.0.1:1"}}, False),
        ({"env": {"HTTP_PROXY": "http://127.0.0.1:1", "NO_PROXY": "127.0.0.1"}}, True),
        ({"env": {"NO_PROXY": "*"}}, True),
        ({"allowedHttpHookUrls": ["http://127.0.0.1:9/*"]}, True),
        ({"allowedHttpHookUrls": []}, False),
        ({"allowedHttpHookUrls": ["https://example.com/*"]}, False),
    ],
)
def test_what_may_divert_a_request_matters_to_an_http_entry(machine: Machine, more: dict[str, Any], on: bool):
    machine.put("local", {**more, "hooks": {"PreToolUse": [{"hooks": [HTTP[0]["PreToolUse"]]}]}})
    assert ("PreToolUse" in machine.standing(ours=HTTP).running) is on


def test_a_file_that_nobody_can_be_sure_of_may_switch_us_off(machine: Machine):
    machine.install()
    file = machine.put("user", '{"env": {}, "env": {}}')
    found = machine.standing()
    assert found.running == {}
    assert whys(found)[0].startswith(f"it is unclear what {file} says: not valid JSON: the key `env` appears twice")


def test_a_file_that_cannot_be_read_may_switch_us_off(machine: Machine):
    machine.install()
    file = machine.file("user")
    file.symlink_to(file.name)
    assert whys(machine.standing()) == [f"cannot read {file}: Too many levels of symbolic links"]


def test_a_folder_or_a_pipe_in_a_files_place_may_switch_us_off_and_keeps_nobody_waiting(machine: Machine):
    machine.install()
    machine.file("user").mkdir()
    assert whys(machine.standing()) == [f"cannot read {machine.file('user')}: Is a directory"]
    os.mkfifo(machine.file("project"))
    assert f"cannot read {machine.file('project')}: it is not a plain file" in whys(machine.standing())


def test_a_broken_file_of_others_takes_only_itself(machine: Machine):
    machine.install()
    machine.put("user", "{")
    found = machine.standing()
    assert found.missing == ()
    assert len(found.problems) == 1


def test_plugins_are_named_since_they_may_bring_hooks(machine: Machine):
    machine.install("local", disableAllHooks=False)
    file = machine.put("user", {"enabledPlugins": {"a@b": True, "c@d": False}})
    assert machine.standing().notices == (f"{file} enables plugins, which may have their own hooks: a@b",)


def test_what_a_file_would_hold_can_be_supposed(machine: Machine):
    file = machine.file("local")
    text = json.dumps({"hooks": ours()}).encode()
    assert machine.standing(instead={file: text}).missing == ()
    machine.install()
    assert machine.standing(instead={file: None}).running == {}
    assert machine.standing(instead={file: None}).files == Machine.standing(machine, instead={file: None}).files


# --- where a client looks that is started in a folder --------------------------------------------------------


def repository(folder: Path) -> Path:
    (folder / ".git").mkdir(parents=True)
    return folder


def worktree_of(main: Path, folder: Path) -> Path:
    """What `git worktree add` leaves: two files that name each other."""
    kept = main / ".git" / "worktrees" / folder.name
    kept.mkdir(parents=True)
    folder.mkdir(parents=True)
    (folder / ".git").write_text(f"gitdir: {kept}\n", encoding="utf-8")
    (kept / "gitdir").write_text(f"{folder / '.git'}\n", encoding="utf-8")
    (kept / "commondir").write_text("../..\n", encoding="utf-8")
    return folder


def read_in(machine: Machine, start: Path) -> list[str]:
    """The settings files of a project that are read there, the one that has the last word first."""
    found = settings_state(start, config_dir=machine.config, managed=machine.managed)
    return [file.path for file in found.files if file.scope in ("local", "project")]


def own(folder: Path) -> list[str]:
    return [f"{folder}/.claude/settings.local.json", f"{folder}/.claude/settings.json"]


def test_below_the_root_of_a_repository_its_local_settings_are_read_too_and_have_the_last_word(machine: Machine):
    sub = repository(machine.project) / "a" / "b"
    sub.mkdir(parents=True)
    assert read_in(machine, sub) == [own(machine.project)[0], *own(sub)]
    assert read_in(machine, machine.project) == own(machine.project)
    file = machine.install("local", disableAllHooks=False)
    (sub / ".claude").mkdir()
    (sub / ".claude" / "settings.local.json").write_text('{"disableAllHooks": true}', encoding="utf-8")
    found = settings_state(sub, config_dir=machine.config, managed=machine.managed)
    assert (found.missing, found.running["Stop"]) == ((), (str(file),))
    assert found.notices == (
        f"{file} is read here by newer clients only; one as old as 2.1.197 reads nothing above the folder it is "
        "started in",
    )
    machine.install("local", disableAllHooks=True)
    (sub / ".claude" / "settings.local.json").write_text('{"disableAllHooks": false}', encoding="utf-8")
    assert settings_state(sub, config_dir=machine.config, managed=machine.managed).running == {}


def test_committed_settings_of_the_root_are_not_read_below_it(machine: Machine):
    sub = repository(machine.project) / "sub"
    sub.mkdir()
    machine.install("project")
    assert settings_state(sub, config_dir=machine.config, managed=machine.managed).running == {}


def test_without_a_repository_nothing_above_is_read(machine: Machine):
    machine.install("local")
    sub = machine.project / "sub"
    sub.mkdir()
    assert read_in(machine, sub) == own(sub)


def test_a_nested_repository_has_settings_of_its_own(machine: Machine):
    nested = repository(repository(machine.project) / "vendor" / "lib")
    machine.install("local")
    assert read_in(machine, nested) == own(nested)
    assert settings_state(nested, config_dir=machine.config, managed=machine.managed).running == {}


def test_a_worktree_shares_the_local_settings_of_the_tree_it_was_made_from(machine: Machine, tmp_path: Path):
    tree = worktree_of(repository(machine.project), tmp_path / "wt")
    assert read_in(machine, tree) == [own(machine.project)[0], *own(tree)]
    (tree / "sub").mkdir()
    assert read_in(machine, tree / "sub") == [own(machine.project)[0], *own(tree / "sub")]
    assert worktrees_of(machine.project) == [tree]
    moved = tree.rename(tmp_path / "moved")
    assert read_in(machine, moved) == own(moved), "the two no longer name each other"
    assert worktrees_of(machine.project) == []


@pytest.mark.parametrize("text", ["gitdir: /nowhere\n", "rubbish", "", "gitdir: ../shop/.git/worktrees/wt\n"])
def test_a_git_file_that_leads_nowhere_or_to_another_tree_makes_a_root_of_its_own(
    machine: Machine, tmp_path: Path, text: str
):
    worktree_of(repository(machine.project), tmp_path / "wt")
    forged = tmp_path / "forged"
    (forged / "sub").mkdir(parents=True)
    (forged / ".git").write_text(text, encoding="utf-8")
    assert main_folder(forged / "sub") == forged
    assert read_in(machine, forged / "sub") == [own(forged)[0], *own(forged / "sub")]


def test_a_worktree_of_a_bare_repository_has_no_main_tree(machine: Machine, tmp_path: Path):
    bare, tree = tmp_path / "bare.git", tmp_path / "wt"
    (bare / "worktrees" / "wt").mkdir(parents=True)
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {bare}/worktrees/wt\n", encoding="utf-8")
    (bare / "worktrees" / "wt" / "gitdir").write_text(f"{tree}/.git\n", encoding="utf-8")
    (bare / "worktrees" / "wt" / "commondir").write_text("../..\n", encoding="utf-8")
    assert (main_folder(tree), read_in(machine, tree)) == (None, own(tree))


def test_a_home_that_is_a_repository_shares_nothing(machine: Machine, nobodys_home: Path):
    sub = repository(nobodys_home) / "sub"
    sub.mkdir()
    assert read_in(machine, sub) == own(sub)


def test_variables_are_put_together_as_the_client_does(machine: Machine):
    repository(machine.project)
    sub = machine.project / "sub"
    sub.mkdir()
    names = {"user": "abcdef", "sub project": "bcdef", "sub local": "cdef", "local": "def", "managed": "ef"}
    for scope, letters in names.items():
        file = sub / ".claude" / f"settings{'.local' * ('local' in scope)}.json" if "sub" in scope else None
        if file is None:
            machine.put(scope, {"env": dict.fromkeys(letters, scope)})
        else:
            file.parent.mkdir(exist_ok=True)
            file.write_text(json.dumps({"env": dict.fromkeys(letters, scope)}), encoding="utf-8")
    found = settings_state(sub, config_dir=machine.config, managed=machine.managed)
    said = ["user", "sub project", "sub local", "local", "managed", "managed"]
    assert found.env == dict(zip("abcdef", said, strict=True))


def test_who_could_be_switched_off_by_what_comes_with_a_project_is_told(machine: Machine):
    file = machine.install("local")
    assert machine.standing().notices == (
        f"{file} does not say `disableAllHooks: false`, so settings that come with the project can switch all hooks "
        "off; `interlock init` writes it",
    )
    machine.install("local", disableAllHooks=False)
    assert machine.standing().notices == ()
    machine.put("local", {})
    file = machine.install("user", disableAllHooks=False)
    assert machine.standing().notices == (
        f"settings that come with a project can switch off the entries in {file}; `interlock init` in that project, or "
        "`--scope managed`, prevents that",
    )
    machine.put("local", {"disableAllHooks": False})
    assert machine.standing().notices == ()
    machine.put("local", {})
    machine.install("managed")
    assert machine.standing().notices == ()


# --- a change while a session runs ---------------------------------------------------------------------------


def test_a_change_that_leaves_our_entries_alone_is_fine(machine: Machine):
    machine.install("local")
    before = machine.standing()
    machine.install("local", permissions={"allow": ["Bash(ls)"]}, env={"A": "b"}, model="x")
    machine.put("user", {"theme": "dark", "statusLine": 5, "hooks": {"Stop": [{"hooks": [OTHER]}]}})
    assert would_stay_on(before, machine.standing()) == []
    assert would_stay_on(before, before) == []


def test_moving_our_entries_to_another_file_is_fine(machine: Machine):
    file = machine.install("local")
    before = machine.standing()
    machine.install("user")
    file.unlink()
    assert would_stay_on(before, machine.standing()) == []


def check(machine: Machine, change: Any) -> list[str]:
    machine.install("local")
    before = machine.standing()
    change()
    return would_stay_on(before, machine.standing())


def test_each_way_of_switching_us_off_is_a_reason(machine: Machine):
    local = machine.file("local")
    ignored = f"the client would ignore {local}: "
    nothing = ["Interlock would no longer be asked"]
    cases: list[tuple[Any, list[str]]] = [
        (lambda: local.write_text("{}", encoding="utf-8"), nothing),
        (lambda: local.unlink(), nothing),
        (lambda: machine.put("local", "{"), [f"{ignored}not valid JSON: it ends too early [{local}:1:2]"]),
        (
            lambda: machine.install("local", disableAllHooks=True),
            [f"{local} switches all hooks off (`disableAllHooks`)"],
        ),
        (
            lambda: machine.install("local", model=1),
            [f"{ignored}`model` has a value of the wrong kind [{local}:1:11]"],
        ),
        (
            lambda: machine.put("local", {"hooks": {**ours(), "Elicitation": []}}),
            ["Interlock would no longer be asked about Elicitation"],
        ),
        (
            lambda: machine.put("local", {"hooks": {**ours(), "PreToolUse": ["x"]}}),
            [f"{ignored}an entry of PreToolUse has no array `hooks` [{local}:1:27]"],
        ),
        (
            lambda: machine.put("user", {"env": {"CLAUDE_CODE_SIMPLE": "1"}}),
            [f"{machine.file('user')} sets `CLAUDE_CODE_SIMPLE`, so the client runs no hooks"],
        ),
    ]
    for change, reasons in cases:
        machine.put("user", {})
        assert check(machine, change) == reasons


def test_a_setting_that_cannot_be_judged_is_a_reason_where_our_entries_stand(machine: Machine):
    machine.install("local", novelty=1)
    before = machine.standing()
    file = machine.install("local", novelty=1, model="y")
    assert cannot_tell(before, machine.standing()) == []
    machine.install("local", novelty=2)
    assert would_stay_on(before, machine.standing()) == []
    assert cannot_tell(before, machine.standing()) == [
        f"`novelty` changed in {file}, and a value that the client does not accept would make it ignore the whole file"
    ]
    machine.install("local", novelty=1)
    machine.put("user", {"novelty": 3})
    assert cannot_tell(before, machine.standing()) == [], "in another file it can do no harm to ours"


def test_a_link_in_a_files_or_folders_place_is_a_reason(machine: Machine, tmp_path: Path):
    file = machine.install("local")
    before = machine.standing()
    elsewhere = tmp_path / "elsewhere"
    (machine.project / ".claude").rename(elsewhere)
    (machine.project / ".claude").symlink_to(elsewhere)
    found = would_stay_on(before, machine.standing())
    assert f"{file} leads to {elsewhere / file.name} instead of {file}" in found


def test_without_an_earlier_standing_every_entry_must_run(machine: Machine):
    machine.put("local", {"hooks": {**ours(), "Stop": []}})
    assert would_stay_on(SettingsState(), machine.standing()) == ["Interlock would no longer be asked about Stop"]
    machine.install("local")
    assert would_stay_on(SettingsState(), machine.standing()) == []
