"""Programs in Python and JavaScript that are too large end at a limit that is counted, and the report says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock.hook_lint.gather import gather
from interlock.hook_lint.read import read_programs
from interlock.hook_lint.read.python.machine import HookReader
from interlock.hook_lint.read.python.state import branch_on
from interlock.hook_lint.read.python.values import (
    MOST_PARTS,
    EventPart,
    Known,
    PyText,
    PyValue,
    Seq,
    is_too_large,
)

PYTHON = 'import json, sys\nd = json.load(sys.stdin)\nc = d["tool_input"]["command"]\n'
SCRIPT = 'const d = JSON.parse(require("fs").readFileSync(0, "utf8"));\nlet c = d.tool_input.command;\n'
MANY = "it has too many ways to follow"
DEEP = "it is nested too deeply"
LARGE = {
    "one of many, many times": (
        "a.py", "if " + " and ".join(f'("a{n}" in c or "b{n}" in c)' for n in range(60)) + ":\n    sys.exit(2)", MANY,
    ),
    "one of ten thousand": ("a.py", "if " + " or ".join(f'c == "{n}"' for n in range(10_000)) + ":\n    exit(2)", MANY),
    "ten thousand branches": ("a.py", "".join(f'if "{n}" in c:\n    sys.exit(2)\n' for n in range(10_000)), MANY),
    "cases": ("a.py", "match c:\n" + "".join(f'    case "{n}": sys.exit(2)\n' for n in range(5_000)), MANY),
    "a text that is doubled": ("a.py", 'x = "a"\n' + "x = x + x\n" * 60 + "if x in c:\n    sys.exit(2)\n", ""),
    "an unknown text that is doubled": ("a.py", "x = c\n" + 'x = f"{x}{x}"\n' * 60 + "print(x)\n", ""),
    "a list that is doubled": ("a.py", "x = [c]\n" + "x = [*x, *x]\n" * 60 + "if x: sys.exit(2)\n", ""),
    "a tuple of itself twice": ("a.py", "x = (c,)\n" + "x = (x, x)\n" * 60 + "if x: sys.exit(2)\n", ""),
    "a nested expression": ("a.py", "x = " + "+".join(["c"] * 15_000), DEEP),
    "branches of a script": ("a.js", "".join(f'if (c.includes("{n}")) v = {n};\n' for n in range(9_000)), MANY),
    "cases of a script": ("a.js", "switch (c) {" + "".join(f'case "{n}": exit(2);' for n in range(8_000)) + "}", MANY),
    "a minified file": ("a.js", "".join(f"function f{n}(a){{return c}}" for n in range(40_000)), "it is too long"),
    "open brackets": ("a.js", "function {" * 20_000, DEEP),
    "nested brackets": ("a.js", "x = " + "[" * 15_000 + "]" * 15_000, DEEP),
    "a fallback of itself": ("a.js", "c = c || c;\n" * 60, ""),
    "a list of a script that is doubled": ("a.js", "let x = [c];" + "x = [...x, ...x];" * 60, ""),
    "a text of a script that is doubled": ("a.js", 'let x = "a";' + "x = x + x; x = x.repeat(200);" * 60, ""),
}  # fmt: skip


@pytest.mark.parametrize("name", LARGE)
def test_it_is_read_to_an_end(name: str, monkeypatch: pytest.MonkeyPatch):
    file, text, why = LARGE[name]
    values = asked = 0
    value, ask = HookReader.value, branch_on

    def counted(self: HookReader, node: object, state: object) -> PyValue:
        nonlocal values
        values += 1
        return value(self, node, state)  # type: ignore[arg-type]

    def counted_question(question: object, state: object) -> object:
        nonlocal asked
        asked += 1
        return ask(question, state)  # type: ignore[arg-type]

    monkeypatch.setattr(HookReader, "value", counted)
    monkeypatch.setattr("interlock.hook_lint.read.python.machine.branch_on", counted_question)
    [program] = read_programs(file, (PYTHON if file == "a.py" else SCRIPT) + text)
    assert program.unread == why
    assert values < 200_000
    assert asked < 70_000


def test_a_value_has_no_more_parts_than_it_may():
    event = EventPart(("tool_name",))
    assert not is_too_large(Seq((event,) * (MOST_PARTS - 1)))
    assert is_too_large(Seq((event,) * MOST_PARTS))
    assert is_too_large(EventPart(("a",), (("b",),) * MOST_PARTS))
    assert is_too_large(PyText((event,) * MOST_PARTS))
    assert not is_too_large(Known("a" * 10 * MOST_PARTS))


def test_a_hook_that_is_too_large_is_said_and_one_that_calls_another_file_is_not(tmp_path: Path):
    large = tmp_path / "large.py"
    large.write_text(PYTHON + LARGE["ten thousand branches"][1])
    (tmp_path / "other.py").write_text(PYTHON + "import rules\nif rules.forbid(c):\n    sys.exit(2)\n")
    found = gather([tmp_path])
    assert sorted(Path(one.program.file).name for one in found.hooks) == ["large.py", "other.py"]
    assert found.unfinished == [(str(large), MANY)]
