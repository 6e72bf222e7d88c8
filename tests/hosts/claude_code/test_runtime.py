"""What Interlock itself runs on is written by nobody but people and their package managers."""

from __future__ import annotations

import ast
import os
import shutil
import site
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

import interlock
from interlock.config.bundles import core_policy
from interlock.hosts.claude_code.runtime import LIBRARIES, built_in_policies, guards_with, runtime_files
from interlock.judging.guard import Guard
from interlock.probe.world import Machine
from interlock.service import judge_again
from interlock.store.memory import MemoryStore
from interlock.testing.events import payload_for

ENVIRONMENT = Path(sys.prefix)
PROJECT = ENVIRONMENT.parent  # as if the environment were the project's own
PACKAGES = Path(site.getsitepackages()[0])
# Of what runs in processes that answer nothing, and of the frameworks, which run in their users' own processes.
OPTIONAL = {
    "agents", "anyio", "claude_agent_sdk", "google", "langchain", "langchain_core", "langgraph", "mcp", "opentelemetry",
    "pydantic", "pydantic_ai", "pydantic_core", "tree_sitter", "tree_sitter_javascript", "tree_sitter_typescript",
}  # fmt: skip
BEHIND = {"_yaml", "anyio", "h11"}  # what those libraries import


@pytest.fixture(scope="module")
def guard() -> Guard:
    policies = (core_policy(), *built_in_policies((core_policy(),), (), Path("/moved")))
    return Guard(policies, Machine(str(PROJECT)), MemoryStore(), project=str(PROJECT), alone=True, run_hooks=False)


def decided(guard: Guard, tool: str, **given: Any) -> tuple[str | None, list[str]]:
    event = json.decode(payload_for("PreToolUse", {}, tool_name=tool, tool_input=given, tool_use_id="t"))
    verdict = judge_again(guard, "claude-code", json.encode({**event, "cwd": str(PROJECT)})).verdict
    return verdict.decision, [reason.by for reason in verdict.reasons]


RUNTIME = [
    str(Path(sys.executable)),
    os.path.realpath(sys.executable),
    str(PACKAGES / "evil.pth"),
    str(PACKAGES / "sitecustomize.py"),
    str(PACKAGES / "usercustomize.py"),
    str(PACKAGES / "msgspec" / "__init__.py"),
    str(PACKAGES / "yaml" / "cyaml.py"),
    str(PACKAGES / "click" / "core.py"),
    str(Path(sysconfig.get_path("stdlib")) / "socket.py"),
    str(Path(interlock.__file__).parent / "hot.py"),
]
WRITES = [
    "ln -sf /bin/true {}", "cp /bin/true {}", "mv x {}", "rm -f {}", "chmod -x {}", "echo x > {}", "tee {} < x",
    "dd if=x of={}", "install x {}", "rsync x {}", "sed -i s/a/b/ {}", "truncate -s 0 {}", "ln {} x",
    """python3 -c 'open("{}", "w").write("")'""", "node -e 'require(\"fs\").writeFileSync(\"{}\", \"\")'",
]  # fmt: skip


@pytest.mark.parametrize("file", RUNTIME)
def test_no_agent_writes_what_interlock_runs_on(guard: Guard, file: str):
    assert decided(guard, "Write", file_path=file, content="")[0] == "deny"
    assert decided(guard, "Edit", file_path=file, old_string="a", new_string="b")[0] == "deny"
    assert [line for line in WRITES if decided(guard, "Bash", command=line.replace("{}", file))[0] != "deny"] == []


def test_looking_at_it_is_free(guard: Guard):
    looks = ["cat {}", "ls -l {}", "file {}", "grep -n x {}", "cp {} /tmp/x", "head {}"]
    assert [
        line for line in looks for file in RUNTIME if decided(guard, "Bash", command=line.replace("{}", file))[0]
    ] == []


@pytest.mark.skipif(sys.prefix == sys.base_prefix, reason="needs a virtual environment")
@pytest.mark.parametrize(
    "command",
    [
        "rm -rf {env}", "mv {env} old", "echo x > {env}/pyvenv.cfg", "ln -sf /bin/true {env}/bin/python3",
        "rm -rf {env}/lib", "find {env} -type f -delete",
        "find {env} -name 'python*' -delete", "find . -name python3 -delete", "find {env} -type f | xargs rm",
        "chmod -R 000 {env}", "ln -sfn /tmp/evil {env}/bin/python3",
    ],
)  # fmt: skip
def test_nor_the_environment_it_lives_in(guard: Guard, command: str):
    assert decided(guard, "Bash", command=command.format(env=ENVIRONMENT.name))[0] == "deny"


def test_a_copy_that_brings_an_interpreter_along_is_seen(guard: Guard, tmp_path: Path):
    (tmp_path / Path(sys.executable).name).touch()
    target = Path(sys.executable).parent
    assert decided(guard, "Bash", command=f"cp -r {tmp_path}/. {target}/")[0] == "deny"


@pytest.mark.parametrize(
    "command",
    [
        "pip install requests", "pip install -U pip setuptools", "pip uninstall -y requests", "pip install -e .",
        "{env}/bin/pip install requests", "{env}/bin/python -m pip install -r requirements.txt", "uv sync", "uv add x",
        "uv pip install msgspec", "uv venv", "uv venv {env}", "python3 -m venv {env}", "python3 -m venv --clear {env}",
        "virtualenv {env}", "poetry install", "poetry add x", "conda install numpy", "pipx install black",
        "uv tool install ruff", "{env}/bin/pytest -q", "source {env}/bin/activate && pytest",
        "pip freeze > requirements.txt", "find . -name '*.pyc' -delete", "find . -name __pycache__ | xargs rm -rf",
        "sed -i s/a/b/ {packages}/requests/api.py", "touch {packages}/requests/x.py", "python3 -m compileall src",
        "kill 1", "kill -9 99999999",
    ],
)  # fmt: skip
def test_package_managers_and_other_packages_are_free(guard: Guard, command: str):
    line = command.format(env=ENVIRONMENT.name, packages=PACKAGES)
    assert decided(guard, "Bash", command=line) == (None, [])


def test_the_daemon_is_not_ended_by_its_number(guard: Guard):
    for line in (f"kill {os.getpid()}", f"kill -9 -{os.getpid()}", f"/bin/kill -s TERM 1 {os.getpid()}"):
        assert decided(guard, "Bash", command=line)[1] == ["own-process"]


def test_a_persons_settings_are_theirs_wherever_they_were_moved_to(guard: Guard):
    assert decided(guard, "Write", file_path="/moved/settings.json", content="{}")[1] == ["own-settings"]
    assert decided(guard, "Bash", command="cp x /moved/settings.json")[1] == ["own-settings"]
    assert decided(guard, "Bash", command="cd /moved && rm settings.json")[1] == ["own-settings"]
    assert decided(guard, "Write", file_path="/moved/plans/p.md", content="")[0] is None
    assert decided(guard, "Write", file_path="/other/settings.json", content="")[0] is None


def test_an_interlock_on_the_search_path_is_found_before_the_right_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", f"{tmp_path}:relative:/usr/bin")
    policies = (core_policy(), *built_in_policies((core_policy(),), ()))
    guard = Guard(policies, Machine(str(PROJECT)), MemoryStore(), project=str(PROJECT), alone=True, run_hooks=False)
    assert decided(guard, "Write", file_path=str(tmp_path / "interlock"), content="")[1] == ["own-runtime"]
    assert decided(guard, "Write", file_path=str(tmp_path / "interlocks"), content="")[0] is None


def test_each_link_on_the_way_to_the_interpreter_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    real = tmp_path / "real" / "bin"
    real.mkdir(parents=True)
    shutil.copy(shutil.which("true") or "/bin/true", real / "python3.11")
    (real / "python3").symlink_to("python3.11")
    (tmp_path / "env").symlink_to("real")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "env" / "bin" / "python3"))
    wanted = {"env/bin/python3", "env", "env/bin/python3.11", "real/bin/python3.11"}
    assert {str(tmp_path / name) for name in wanted} <= set(runtime_files())


def test_every_library_that_is_imported_is_known():
    """The next one that somebody imports has to be written down too."""
    package = Path(interlock.__file__).parent
    found: set[str] = set()
    for file in package.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            found.update(name.partition(".")[0] for name in names)
    assert found - sys.stdlib_module_names - {"interlock", *OPTIONAL} == set(LIBRARIES) - BEHIND


# --- guarded elsewhere ---------------------------------------------------------------------------------------


def settings(folder: Path, command: str, **more: Any) -> None:
    hooks = {"PreToolUse": [{"hooks": [{"type": "command", "command": command}]}]}
    (folder / ".claude").mkdir(parents=True)
    (folder / ".claude" / "settings.json").write_bytes(json.encode({"hooks": hooks, **more}))


def test_a_folder_is_guarded_if_its_settings_ask_interlock(tmp_path: Path):
    guards = guards_with(tmp_path / "config")
    assert not guards(str(tmp_path))
    settings(tmp_path / "ours", "interlock hook claude-code")
    settings(tmp_path / "theirs", "other-guard")
    settings(tmp_path / "off", "interlock hook claude-code", disableAllHooks=True)
    places = ("ours", "ours/sub", "theirs", "off", "nosuch")
    assert [guards(str(tmp_path / place)) for place in places] == [True, False, False, False, False]
