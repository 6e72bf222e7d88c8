"""Hook files of a policy that is not trusted are read, and never run."""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock.errors import InterlockError
from interlock.lint.hook_signatures import check_signatures
from tests.lint.project import Project

HEAD = "from interlock import hook\n\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("@hook('PreToolUse')\ndef f(cal): pass\n",
         "hook `f` wants `cal`; it may want call, event, state, host|did you mean `call`?"),
        ("@hook('PreTolUse')\ndef f(call): pass\n", "unknown event `PreTolUse`|did you mean `PreToolUse`?"),
        ("@hook('Stop')\ndef f(call): pass\n", "hook `f` wants `call`, which Stop does not have|None"),
        ("@hook('PreToolUse', tools='Bash')\ndef f(call): pass\n",
         "@hook: hook() got an unexpected keyword argument 'tools'|write @hook(\"PreToolUse\", tool=\"Bash\")"),
        ("@hook('PreToolUse')\nasync def f(*args): pass\n",
         "hook `f` takes *args or **kwargs|name the arguments it wants"),
        ("@interlock.hook('PreToolUse')\ndef f(call, *, more): pass\n",
         "hook `f` wants `more`; it may want call, event, state, host|None"),
    ],
    ids=["argument", "event", "event without a call", "option", "variadic", "keyword"],
)  # fmt: skip
def test_a_hook_that_could_not_be_loaded_is_found_without_running_the_file(text: str, told: str):
    with pytest.raises(InterlockError) as error:
        check_signatures((HEAD + text).encode(), "guards.py")
    assert f"{error.value.message}|{error.value.help}" == told
    assert str(error.value.source).startswith("guards.py:3")


@pytest.mark.parametrize(
    "text",
    [
        "@hook('PreToolUse')\ndef f(call, limit=3, *, more=()): pass\n",
        "@hook(EVENTS)\ndef f(cal): pass\n",
        "@hook('PreToolUse', **options)\ndef f(cal): pass\n",
        "def f(cal): pass\n",
        "@other('PreToolUse')\ndef f(cal): pass\n",
        "def outer():\n    @hook('PreToolUse')\n    def f(cal): pass\n",
    ],
    ids=["defaults", "computed event", "computed options", "plain", "other decorator", "inner"],
)
def test_what_may_load_is_left_to_loading(text: str):
    check_signatures((HEAD + text).encode(), "guards.py")


def test_check_reads_the_hooks_of_an_untrusted_policy_and_runs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    project = Project(tmp_path, monkeypatch)
    project.policy("{id: a, tool: Bash, ask: X?}", top="hooks: [./guards.py]\n")
    proof = project.root / "ran"
    bad = f"open({str(proof)!r}, 'w')\n{HEAD}@hook('PreToolUse')\ndef f(cal): pass\n"
    project.write(bad, "guards.py")
    ran = project.run("check")
    assert ran.exit_code == 1
    assert "error: hook `f` wants `cal`; it may want call, event, state, host [" in ran.output
    assert not proof.exists()
