"""What a hook imports from files of its project is read as a run would read it."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from interlock.hook_lint.gather import gather
from interlock.hook_lint.program import HookProgram
from interlock.hook_lint.read.python import read_python
from interlock.hook_lint.run import lint_hooks
from tests.hook_lint.read.python.reading import lines_of

HELPER = """
import json, sys

def load():
    return json.load(sys.stdin)

def refuse(why):
    print(why, file=sys.stderr)
    sys.exit(2)

def answer(word):
    print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": word}}))
"""


def read(folder: Path, text: str, **files: str) -> HookProgram:
    """The hook `guard.py`; the other files by their paths, with `__` for `/`."""
    for name, content in files.items():
        file = folder / f"{name.replace('__', '/')}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(content), encoding="utf-8")
    file = folder / "hooks" / "guard.py"
    file.parent.mkdir(exist_ok=True)
    file.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    [program] = read_python(str(file), file.read_text(encoding="utf-8"))
    return program


def ways(folder: Path, text: str, **files: str) -> list[str]:
    program = read(folder, text, **files)
    assert program.unread == ""
    return lines_of(program)


GUARD = """
if "rm -rf" in load()["tool_input"]["command"]:
    refuse("no rm -rf")
"""


@pytest.mark.parametrize(
    ("begin", "place"),
    [
        ("from helper import load, refuse\n", "hooks__helper"),
        ("from helper import *\n", "hooks__helper"),
        ("from helper import load as load, refuse as no\nrefuse = no\n", "hooks__helper"),
        ("import helper\nload, refuse = helper.load, helper.refuse\n", "hooks__helper"),
        ("import lib.helper as h\nload, refuse = h.load, h.refuse\n", "hooks__lib__helper"),
        ("from lib.helper import load, refuse\n", "hooks__lib__helper"),
        ("from lib import helper\nload, refuse = helper.load, helper.refuse\n", "hooks__lib__helper"),
        ("from .helper import load, refuse\n", "hooks__helper"),
        ("from . import helper\nload, refuse = helper.load, helper.refuse\n", "hooks__helper"),
        ("from ..lib.helper import load, refuse\n", "lib__helper"),
        (
            "import sys\nfrom pathlib import Path\nsys.path.insert(0, str(Path(__file__).parent / 'lib'))\n"
            "from helper import load, refuse\n",
            "hooks__lib__helper",
        ),
        (
            "import os, sys\nROOT = os.path.dirname(os.path.dirname(__file__))\nsys.path.append(ROOT)\n"
            "from core.helper import load, refuse\n",
            "core__helper",
        ),
        ("try:\n    from helper import load, refuse\nexcept ImportError:\n    load = refuse = None\n", "hooks__helper"),
    ],
)
def test_a_function_of_another_file_is_followed(tmp_path, begin, place):
    program = read(tmp_path, begin + GUARD, **{place: HELPER})
    assert program.unread == ""
    assert "exit 2 | stderr: no rm -rf" in lines_of(program)
    assert [read.path for read in program.reads] == [("tool_input",), ("tool_input", "command")]


def test_what_another_file_does_is_shown_where_the_hook_uses_it(tmp_path):
    program = read(tmp_path, "from helper import load, refuse\n" + GUARD, hooks__helper=HELPER)
    [refusal] = [ending for ending in program.endings if ending.code == 2]
    assert refusal.span.line == 4
    assert program.text[refusal.span.start : refusal.span.end] == 'refuse("no rm -rf")'
    assert refusal.paths == (("tool_input", "command"),)


def test_an_answer_of_another_file_is_read_with_what_it_is_given(tmp_path):
    text = "from helper import answer, load\nload()\nanswer('deny')\n"
    said = '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}'
    assert ways(tmp_path, text, hooks__helper=HELPER) == [f"end | stdout: {said}"]


def test_variables_and_classes_of_another_file_are_known(tmp_path):
    helper = """
    import sys
    CODE = 2
    count = 0
    class Gate:
        def __init__(self, why):
            self.why = why
        def close(self):
            global count
            count = count + 1
            print(self.why, count, file=sys.stderr)
            sys.exit(CODE)
    """
    text = "from helper import Gate\nGate('closed').close()\n"
    assert ways(tmp_path, text, hooks__helper=helper) == ["exit 2 | stderr: closed 1"]


def test_an_import_does_what_is_not_in_a_function_of_the_file(tmp_path):
    helper = "import sys\nprint('too old', file=sys.stderr)\nsys.exit(1)\n"
    assert ways(tmp_path, "import helper\nprint('never')\n", hooks__helper=helper) == ["exit 1 | stderr: too old"]


def test_an_import_does_not_do_what_is_for_the_program_alone(tmp_path):
    helper = "def main():\n    raise SystemExit(1)\n\nif __name__ == '__main__':\n    main()\n"
    assert ways(tmp_path, "import helper\nprint('on')\n", hooks__helper=helper) == ["end | stdout: on"]


def test_files_that_import_each_other_come_to_an_end(tmp_path):
    text = "from one import say\nsay()\n"
    files = {
        "hooks__one": "import two\ndef say():\n    two.tell()\n",
        "hooks__two": "import one\ndef tell():\n    print('x')\n",
    }
    assert ways(tmp_path, text, **files) == ["end | stdout: x"]


@pytest.mark.parametrize(
    ("begin", "files"),
    [
        ("from helper import load, refuse\n", {}),
        ("from helper import load, refuse\n", {"hooks__helper": "def load(:\n"}),
        ("from helper import load, refuse\n", {"lib__helper": HELPER}),
        ("from helper import load, refuse\n", {"hooks__helper": "load = 1\n" * 40_000}),
        ("from helper import load, refuse\n", {"hooks__helper": "x = 1\n"}),
    ],
)
def test_what_cannot_be_found_is_not_guessed(tmp_path, begin, files):
    assert "is in another file" in read(tmp_path, begin + GUARD, **files).unread


def test_a_library_is_not_looked_for_in_the_project(tmp_path):
    assert ways(tmp_path, "import json\nprint(json.dumps({}))\n", json="raise SystemExit(3)\n") == ["end | stdout: {}"]


def test_a_program_that_is_too_large_with_its_imports_is_read_without_them(tmp_path):
    helper = "import os\n" + "".join(f"if os.environ.get('A{n}'):\n    B{n} = '{n}'\n" for n in range(3_000))
    program = read(tmp_path, "import helper, sys\nhelper.run()\nsys.exit(2)\n", hooks__helper=helper)
    assert [ending.code for ending in program.endings] == [2]


# --- what is said about it -------------------------------------------------------------------------------------


def found(folder: Path) -> list[tuple[str, int, bool]]:
    (folder / ".git").mkdir(exist_ok=True)
    settings = folder / ".claude" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(
        '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", '
        '"command": "python3 \\"$CLAUDE_PROJECT_DIR\\"/hooks/guard.py", "onFailure": "block"}]}]}}',
        encoding="utf-8",
    )
    return [(one.code, one.source.line, one.fix is not None) for one in lint_hooks(gather([folder]))]


def test_a_mistake_in_another_file_is_found_and_not_corrected_in_the_wrong_one(tmp_path):
    helper = "import sys\ndef refuse(why):\n    print(why, file=sys.stderr)\n    sys.exit(1)\n"
    text = """
    import json, sys
    from helper import refuse
    if "rm -rf" in json.load(sys.stdin)["tool_input"]["command"]:
        refuse("Blocked by rule 1")
    """
    read(tmp_path, text, hooks__helper=helper)
    assert found(tmp_path) == [("IL201", 4, False)]


def test_a_pattern_of_another_file_is_left_alone(tmp_path):
    helper = (
        "import re\nRULES = [r'^git push']\ndef hits(text):\n    return any(re.search(one, text) for one in RULES)\n"
    )
    text = """
    import json, sys
    from helper import hits
    if hits(json.load(sys.stdin)["tool_input"]["command"]):
        print("Blocked", file=sys.stderr)
        sys.exit(2)
    """
    read(tmp_path, text, hooks__helper=helper)
    assert found(tmp_path) == []


def test_what_only_a_file_that_is_imported_looks_for_counts(tmp_path):
    helper = """
    import json, sys
    def paths():
        given = json.load(sys.stdin)["tool_input"]
        return [given[name] for name in ("file_path", "notebook_path") if name in given]
    """
    text = """
    import sys
    from helper import paths
    if any(".env" in path for path in paths()):
        print("Blocked: .env", file=sys.stderr)
        sys.exit(2)
    """
    assert "notebook_path" in read(tmp_path, text, hooks__helper=helper).own_text
