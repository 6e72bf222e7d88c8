"""Agents other than Claude Code: what is in their files, and whether a call that must be denied is sent through it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from interlock.config.places import socket_path
from interlock.daemon.control import stop
from interlock.doctor.finding import Finding, note, ok, problem
from interlock.doctor.hosts import HostReport, look
from interlock.doctor.known_bad import BAD, LOUD
from interlock.hosts import HOSTS
from interlock.hosts.base.installing import HostSpot, apply_setup, plan_setup
from interlock.hosts.base.setup import HostScope
from interlock.hosts.base.trusting import grant_trust
from interlock.hosts.discovery import hosts_with_setup
from tests.hosts.codex.pretended import put_codex

EVERY_SETUP = [(host.name, scope) for host in hosts_with_setup() if host.setup for scope in host.setup.scopes]
UNKNOWN = "Interlock could not find out whether {} runs them: {}"
NODE = shutil.which("node")


class Place:
    """A project and a home with nothing in them, in which agents are set up."""

    def __init__(self, folder: Path) -> None:
        self.root, self.home, self.programs = folder / "shop", Path.home(), folder / "bin"
        (self.root / ".git").mkdir(parents=True)
        self.programs.mkdir()

    def spot(self, name: str, scope: HostScope | None = None) -> HostSpot:
        host = HOSTS[name]
        assert host.setup is not None
        return HostSpot(host=host, scope=scope or host.setup.scopes[0], root=self.root, home=self.home)

    def set_up(self, name: str, scope: HostScope | None = None) -> HostSpot:
        spot = self.spot(name, scope)
        apply_setup(plan_setup([spot]))
        return spot

    def trust(self, name: str) -> None:
        """What a person does so that an agent runs the hooks of this project."""
        rules = {"gemini": (".gemini/trustedFolders.json", {str(self.root): "TRUST_FOLDER"}),
                 "copilot": (".copilot/config.json", {"trustedFolders": [str(self.root)]})}  # fmt: skip
        if name in rules:
            put(self.home / rules[name][0], json.dumps(rules[name][1]))

    def look(self, *names: str, **more: object) -> list[HostReport]:
        return list(look(self.root, self.home, names or None, **more))  # type: ignore[arg-type]  # of a test

    def told(self, *names: str, **more: object) -> list[Finding]:
        return [finding for report in self.look(*names, **more) for finding in report.findings]


def put(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def spoil(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    for name in ("CODEX_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    place = Place(tmp_path)
    monkeypatch.setenv("PATH", f"{place.programs}:/usr/bin:/bin")
    for agent in ("amp", "codex", "copilot", "gemini", "opencode", "qwen"):
        assert shutil.which(agent, path="/usr/bin:/bin") is None
    yield place
    stop(socket_path())


# --- entries that hold, and what is said of the rest --------------------------------------------------------


@pytest.mark.parametrize(("name", "scope"), EVERY_SETUP)
def test_entries_that_hold_deny_it_in_the_words_of_their_host(place: Place, name: str, scope: HostScope):
    spot = place.set_up(name, scope)
    place.trust(name)
    if name == "codex":
        put_codex(place.programs, place.home)
        put(place.home / ".codex" / "trusts-projects", "")
        grant_trust(spot)
    files = [file.path for file in spot.files()]
    where = files[0] if len(files) == 1 else " and ".join(dict.fromkeys(str(file.parent) for file in files))
    (report,) = place.look(name)
    (finding,) = report.findings
    unknown = {
        "cursor": (
            UNKNOWN.format("Cursor", "Cursor does not say which workspaces it trusts or which hooks it has loaded"),
        )
    }
    assert finding == replace(
        ok(spot.host.title, f"the entries in {where} deny `{BAD}`"), details=unknown.get(name, ())
    )
    assert (report.scope, report.state, report.is_guarded) == (scope, "complete", True)


@pytest.mark.parametrize("name", [name for name, scope in EVERY_SETUP if scope == "user" and name != "amp"])
def test_a_client_that_is_gone_is_loud_on_every_host(place: Place, name: str):
    """Most hosts refuse then, by the entry's own words; the doctor demands the reason of the rule."""
    spot = place.set_up(name, "user")
    for file in spot.files():
        spoil(file.path, "/interlock/client.py", "/interlock/gone/interlock/client.py")
    (first, *_) = place.told(name)
    assert (first.level, LOUD in first.text) == ("problem", True)
    assert first.help == f"run `interlock init --host {name}{' --scope user' * (spot.setup.scopes[0] != 'user')}`"


def test_an_entry_that_denies_for_another_reason_is_said_to_deny_and_why_in_one_line(place: Place):
    spot = place.set_up("gemini", "user")
    (file,) = spot.files()
    spoil(file.path, "/interlock/client.py", "/interlock/gone/interlock/client.py")
    (first, *_) = place.told("gemini")
    start = f"{LOUD}: the entry in {file.path} denied `{BAD}`, but not by Interlock's own rule: it said: "
    assert first.text.startswith(start)
    assert "can't open file" in first.text
    assert "\n" not in first.text


def test_an_entry_that_answers_nothing_is_loud_and_says_what_came(place: Place):
    spot = place.set_up("qwen")
    (file,) = (one.path for one in spot.files())
    found = json.loads(file.read_bytes())
    handler = found["hooks"]["PreToolUse"][0]["hooks"][0]
    handler["command"] = f"echo hello; true {handler['command']}"
    file.write_text(json.dumps(found), encoding="utf-8")
    (finding,) = place.told("qwen")
    assert finding == problem(
        "Qwen Code",
        f"{LOUD}: the entry in {file} did not deny `{BAD}`: it answered `hello` and exit 0",
        "run `interlock init --host qwen`",
        [f"{file}: its entries are not the ones that this version writes"],
    )


def test_a_plugin_that_cannot_be_loaded_is_loud(place: Place):
    if NODE is None:
        pytest.skip("node is not installed")
    spot = place.set_up("opencode")
    (file,) = (one.path for one in spot.files())
    spoil(file, "export const Interlock", "export const const Interlock")
    (finding,) = place.told("opencode")
    assert (finding.level, "the plugin cannot be loaded" in finding.text) == ("problem", True)


def test_without_anything_that_runs_javascript_the_client_of_the_plugin_is_tried(
    place: Place, monkeypatch: pytest.MonkeyPatch
):
    place.set_up("opencode")
    monkeypatch.setenv("PATH", str(place.programs))
    (finding,) = place.told("opencode")
    assert finding.level == "ok"


def test_a_program_that_lost_its_mode_is_named_and_mended(place: Place):
    spot = place.set_up("cline")
    script = spot.files()[0].path
    script.chmod(0o644)
    (finding,) = place.told("cline")
    assert finding.details == (f"{script}: it is not executable, so it never runs",)
    place.set_up("cline")
    assert [one.level for one in place.told("cline")] == ["ok"]
    assert plan_setup([spot]).is_empty


def test_entries_of_which_none_would_be_started_are_loud(place: Place, monkeypatch: pytest.MonkeyPatch):
    spot = place.set_up("qwen")
    (file,) = (one.path for one in spot.files())
    monkeypatch.setattr("interlock.doctor.hosts.starts_of", lambda spot, event: [])
    text = f"{LOUD}: no entry in {file} would be run for a call"
    assert place.told("qwen") == [problem("Qwen Code", text)]


def test_what_is_missing_is_a_problem_although_the_rest_holds(place: Place):
    spot = place.set_up("qwen")
    (file,) = (one.path for one in spot.files())
    found = json.loads(file.read_bytes())
    del found["hooks"]["Stop"]
    file.write_text(json.dumps(found), encoding="utf-8")
    holds = f"run by `doctor`, the entries in {file} deny `{BAD}`"
    text = f"{file}: it has no entry for Stop"
    assert place.told("qwen") == [problem("Qwen Code", text, "run `interlock init --host qwen`", [holds])]
    assert [one.is_guarded for one in place.look("qwen")] == [False]


def test_a_file_that_cannot_be_read_is_named_once(place: Place):
    spot = place.set_up("codex")
    (file,) = (one.path for one in spot.files())
    file.write_text("// mine\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    (finding,) = place.told("codex")
    assert finding == problem(
        "Codex",
        f"{file}: it contains a comment, which JSON does not allow (line 1)",
        f"correct {file}, then run `interlock init --host codex`",
    )


def test_an_entry_of_amp_that_is_not_the_first_may_never_be_asked(place: Place):
    spot = place.set_up("amp")
    file = spot.files()[1].path
    found = json.loads(file.read_bytes())
    found["amp.permissions"].insert(0, {"tool": "Bash", "action": "allow"})
    file.write_text(json.dumps(found), encoding="utf-8")
    (finding,) = place.told("amp")
    assert finding.text == f"{file}: another entry comes before Interlock's, and may decide first"


# --- what keeps a host from running its entries --------------------------------------------------------------


def test_a_host_that_does_not_trust_its_entries_is_named(place: Place):
    put_codex(place.programs, place.home)
    spot = place.set_up("codex")
    (finding,) = place.told("codex")
    assert (finding.level, finding.text) == ("problem", "Codex does not trust 7 of its 7 entries, and skips them")
    assert finding.help == "run `interlock init --host codex`"
    grant_trust(spot)
    assert [one.level for one in place.told("codex")] == ["ok"]


def test_a_host_that_cannot_be_asked_is_named(place: Place):
    place.set_up("codex")
    (finding,) = place.told("codex")
    assert (finding.level, finding.details) == ("ok", (UNKNOWN.format("Codex", "`codex` is not on the PATH"),))


@pytest.mark.parametrize(
    ("name", "file", "values", "key"),
    [
        ("gemini", "home/.gemini/settings.json", {"hooksConfig": {"enabled": False}}, "hooksConfig.enabled"),
        ("gemini", "shop/.gemini/settings.json", {"hooksConfig": {"enabled": False}}, "hooksConfig.enabled"),
        ("gemini", "shop/.gemini/settings.json", {"hooksConfig": {"disabled": ["interlock"]}}, "hooksConfig.disabled"),
        ("qwen", "home/.qwen/settings.json", {"disableAllHooks": True}, "disableAllHooks"),
        ("qwen", "shop/.qwen/settings.json", {"disableAllHooks": True}, "disableAllHooks"),
        ("copilot", "shop/.github/copilot/settings.json", {"disableAllHooks": True}, "disableAllHooks"),
        ("copilot", "shop/.claude/settings.local.json", {"disableAllHooks": True}, "disableAllHooks"),
        ("gemini", "home/.gemini/settings.json", {"hooksConfig": {"enabled": True, "disabled": ["other"]}}, None),
        ("qwen", "shop/.qwen/settings.json", {"disableAllHooks": False}, None),
        ("copilot", "home/.copilot/settings.json", {"disableAllHooks": True}, None),
    ],
)
def test_a_setting_that_switches_hooks_off_is_found(
    place: Place, name: str, file: str, values: dict[str, object], key: str | None
):
    place.set_up(name, "user")
    place.trust(name)
    where = (place.home if file.startswith("home/") else place.root) / file.partition("/")[2]
    there = json.loads(where.read_bytes()) if where.exists() else {}
    put(where, json.dumps({**there, **values}))
    found = [one for one in place.told(name) if one.level == "problem"]
    assert [one.help for one in found] == ([] if key is None else [f"change `{key}` in {where}"])


@pytest.mark.parametrize("name", ["gemini", "copilot"])
def test_a_project_that_nobody_trusts_switches_nothing_off_and_runs_no_hooks_of_its_own(place: Place, name: str):
    place.set_up(name, "user")
    for folder in (".gemini", ".github/copilot"):
        put(place.root / folder / "settings.json", '{"disableAllHooks": true, "hooksConfig": {"enabled": false}}')
    assert [one.level for one in place.told(name)] == ["ok"]
    place.set_up(name, "project")
    assert [one.text for one in place.told(name) if one.level == "problem"] == [
        f"{HOSTS[name].title.partition(' ')[0]} does not trust this folder, so it runs none of the project's hooks"
    ]


@pytest.mark.parametrize(
    ("rules", "trusted"),
    [
        ({"{root}": "TRUST_FOLDER"}, True),
        ({"{parent}": "TRUST_FOLDER"}, True),
        ({"{root}/src": "TRUST_PARENT"}, True),
        ({"{root}/src": "TRUST_FOLDER"}, False),
        ({"{parent}": "TRUST_FOLDER", "{root}": "DO_NOT_TRUST"}, False),
        ({}, False),
    ],
)
def test_of_the_folders_that_gemini_trusts_the_nearest_counts(place: Place, rules: dict[str, str], trusted: bool):
    place.set_up("gemini", "project")
    said = {rule.format(root=place.root, parent=place.root.parent): level for rule, level in rules.items()}
    put(place.home / ".gemini" / "trustedFolders.json", json.dumps(said))
    assert [one.level for one in place.told("gemini")] == ["ok" if trusted else "problem"]


# --- agents without entries, and the agent itself ------------------------------------------------------------


def test_an_agent_that_is_used_here_and_asks_nobody_is_a_note_with_the_command(place: Place):
    (place.home / ".gemini").mkdir()
    where = f"it is used here ({place.home / '.gemini'}) and"
    guards = "does not ask Interlock; `interlock init --host gemini` guards it"
    assert place.told() == [note("Gemini CLI", f"{where} {guards}")]
    assert [(one.host, one.scope, one.is_guarded) for one in place.look()] == [("gemini", None, False)]
    place.set_up("qwen")
    assert [one.about for one in place.told()] == ["Qwen Code", "Gemini CLI"], "those with entries come first"


def test_an_agent_that_only_shares_entries_is_not_mentioned_where_nobody_uses_it(place: Place):
    place.set_up("copilot", "user")
    assert [one.host for one in place.look()] == ["copilot"]
    assert [one.is_guarded for one in place.look("vscode")] == [True]
    (place.home / ".vscode-server").mkdir()
    assert [one.host for one in place.look()] == ["copilot", "vscode"]
    (place.home / ".vscode-server").rmdir()
    place.set_up("vscode", "user")
    assert [one.host for one in place.look()] == ["copilot", "vscode"]


def test_what_keeps_an_agent_from_entries_that_were_written_for_another_is_a_note(place: Place):
    place.set_up("vscode", "project")
    (place.home / ".copilot").mkdir()
    assert [(one.about, one.level) for one in place.told()] == [("Copilot CLI", "note"), ("VS Code", "ok")]
    assert [one.is_guarded for one in place.look()] == [False, True]
    place.set_up("copilot", "project")
    assert [(one.about, one.level) for one in place.told()] == [("Copilot CLI", "problem"), ("VS Code", "ok")]


def test_an_agent_that_was_asked_about_must_have_entries(place: Place):
    text = "it was not found here and has no Interlock entries"
    assert place.told("cline") == [problem("Cline", text, "run `interlock init --host cline`")]


def test_nothing_is_started_if_nobody_wants_that(place: Place):
    spot = place.set_up("codex")
    (file,) = (one.path for one in spot.files())
    assert place.told(asks=False, tries=False) == [ok("Codex", f"the entries in {file} are complete")]
    assert not socket_path().exists()


def test_what_the_agent_itself_did_is_added(place: Place):
    spot = place.set_up("qwen")
    (file,) = (one.path for one in spot.files())
    denies = f"the entries in {file} deny `{BAD}`"
    itself = ok("Qwen Code", "so does Qwen Code itself")
    assert place.told(drive=lambda spot: itself) == [ok("Qwen Code", f"{denies}, and so does Qwen Code itself")]
    unknown = note("Qwen Code", "`qwen` is not on the PATH, so only its entries were tried")
    assert place.told(drive=lambda spot: unknown) == [ok("Qwen Code", denies), unknown]
    ran = problem("Qwen Code", f"{LOUD}: started with these entries, it ran `{BAD}`")
    assert place.told(drive=lambda spot: ran) == [ran]


def test_an_agent_whose_entries_do_not_hold_is_not_started(place: Place):
    spot = place.set_up("qwen")
    spoil(spot.files()[0].path, "/interlock/client.py", "/interlock/gone/interlock/client.py")
    started: list[HostSpot] = []
    place.told(drive=lambda spot: started.append(spot) or ok("", ""))  # type: ignore[func-returns-value]
    assert started == []
