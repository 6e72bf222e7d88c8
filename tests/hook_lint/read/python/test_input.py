"""What a hook takes from its input, in all the ways in which people write that."""

from __future__ import annotations

import pytest

from interlock.hook_lint.program import InputRead
from tests.hook_lint.read.python.reading import HEAD, paths_read, read

ASK = """
tool = data.get("tool_name", "")
command = data["tool_input"]["command"]
"""
BOTH = ["tool_name", "tool_input", "tool_input.command"]


@pytest.mark.parametrize(
    "start",
    [
        "data = json.load(sys.stdin)",
        "data = json.loads(sys.stdin.read())",
        "data = json.loads(sys.stdin.buffer.read().decode('utf-8'))",
        "data = json.load(sys.stdin.buffer)",
        "data = json.loads(input())",
        "raw = sys.stdin.read().strip()\ndata = json.loads(raw) if raw else {}",
        "data = json.loads(sys.stdin.readline())",
        "data = json.loads(open(0).read())",
        "data = json.loads(os.read(0, 1 << 20))",
        "import io\ndata = json.load(io.TextIOWrapper(sys.stdin.buffer, encoding='utf-8'))",
        "from sys import stdin\ndata = json.load(stdin)",
        "import json as j\ndata = j.loads(''.join(sys.stdin.readlines()))",
        "import orjson\ndata = orjson.loads(sys.stdin.buffer.read())",
        "with open('/dev/stdin') as f:\n    data = json.load(f)",
        "try:\n    data = json.load(sys.stdin)\nexcept Exception:\n    sys.exit(0)",
        "data: dict = json.load(sys.stdin)",
        "if not sys.stdin.isatty():\n    data = json.load(sys.stdin)\nelse:\n    data = {}",
        "def load():\n    return json.load(sys.stdin)\n\ndata = load()",
        "def load():\n    try:\n        return json.load(sys.stdin)\n    except ValueError:\n"
        "        sys.exit(1)\n\ndata = load()",
        "from typing import cast\ndata = cast(dict, json.load(sys.stdin))",
        "for line in sys.stdin:\n    data = json.loads(line)\n    break",
        "data = dict(json.load(sys.stdin))",
    ],
)  # fmt: skip
def test_the_event_is_known_however_it_is_read(start: str):
    program = read(start + ASK)
    assert [".".join(one.path) for one in program.reads] == BOTH
    assert program.reads_event
    assert not program.unread


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('data.get("tool_input", {}).get("file_path", "")', ["tool_input", "tool_input.file_path"]),
        ('(data.get("tool_input") or {}).get("file_path")', ["tool_input", "tool_input.file_path"]),
        ('data.get("a", {}).get("b", {}).get("c")', ["a", "a.b", "a.b.c"]),
        ('KEY = "tool_name"\ndata[KEY]', ["tool_name"]),
        ('for key in ("path", "file_path"):\n    data["tool_input"].get(key)',
         ["tool_input", "tool_input.path", "tool_input.file_path"]),
        ('for edit in data["tool_input"].get("edits", []):\n    edit.get("new_string")',
         ["tool_input", "tool_input.edits", "tool_input.edits.*.new_string"]),
        ('for key, value in data["tool_input"].items():\n    value["x"]', ["tool_input", "tool_input.*.x"]),
        ('tool_input = data["tool_input"]\nif isinstance(tool_input, str):\n    json.loads(tool_input)["x"]',
         ["tool_input"]),
        ('def field(event, *names):\n    for name in names:\n        event = event.get(name, {})\n    return event\n'
         'field(data, "tool_name")', ["tool_name"]),
        ('def command_of(event):\n    return event["tool_input"]["command"]\ncommand_of(data).strip()',
         ["tool_input", "tool_input.command"]),
        ('new = {**data["tool_input"]}\nnew["command"]', ["tool_input", "tool_input.command"]),
        ('new = data["tool_input"].copy()\nnew["command"] = "ls"\nnew.get("timeout")',
         ["tool_input", "tool_input.timeout"]),
        ('getattr(data, "tool_name", None)', ["tool_name"]),
        ('match data:\n    case {"tool_name": "Bash", "tool_input": {"command": command}}:\n        pass',
         ["tool_name", "tool_input", "tool_input.command"]),
        ('print(f"{data[\'cwd\']}/x")', ["cwd"]),
        ('names = [data.get(name) for name in ["tool_name", "cwd"]]', ["tool_name", "cwd"]),
        ('"tool_name" in data', []),
    ],
)  # fmt: skip
def test_fields_are_read_by_any_expression(text: str, expected: list[str]):
    assert paths_read("data = json.load(sys.stdin)\n" + text) == expected


@pytest.mark.parametrize(
    "text",
    [
        """
        from dataclasses import dataclass

        @dataclass
        class Event:
            tool_name: str
            tool_input: dict

        event = Event(**json.load(sys.stdin))
        """,
        """
        from pydantic import BaseModel

        class ToolInput(BaseModel):
            command: str = ""

        class Event(BaseModel):
            tool_name: str
            tool_input: ToolInput

        event = Event.model_validate_json(sys.stdin.read())
        """,
        """
        from types import SimpleNamespace

        event = SimpleNamespace(**json.load(sys.stdin))
        """,
        """
        class Event:
            def __init__(self, data):
                self.data = data

            @property
            def tool_name(self):
                return self.data["tool_name"]

            @property
            def tool_input(self):
                return self.data["tool_input"]

        event = Event(json.load(sys.stdin))
        """,
    ],
)
def test_an_event_that_is_made_into_an_object_is_read_by_its_attributes(text: str):
    program = read(text + '\n        event.tool_name == "Bash" and event.tool_input["command"]\n')
    assert [one.path for one in program.reads] == [("tool_name",), ("tool_input",), ("tool_input", "command")]


def test_a_value_below_which_more_is_read_is_not_the_last():
    program = read('data = json.load(sys.stdin)\nprint(data["tool_input"]["command"])\n')
    assert [(one.path, one.is_last) for one in program.reads] == [
        (("tool_input",), False),
        (("tool_input", "command"), True),
    ]


@pytest.mark.parametrize(
    "text",
    [
        'tool = data.get("tool_name") or data.get("toolName")',
        'tool = data.get("tool_name", data.get("toolName"))',
        'tool = data["tool_name"] if "tool_name" in data else data["toolName"]',
        'tool = data.get("toolName")\nif not tool:\n    tool = data.get("tool_name")',
        'for key in ("tool_name", "toolName"):\n    if key in data:\n        tool = data[key]',
        'if "toolName" in data:\n    tool = data["toolName"]\nelse:\n    tool = data["tool_name"]',
        'def tool_of(event):\n    if event.get("toolName"):\n        return event.get("toolName")\n'
        '    return event.get("tool_name")\ntool = tool_of(data)',
    ],
)  # fmt: skip
def test_what_is_read_in_the_place_of_another_is_beside_it(text: str):
    reads = {one.path: one.beside for one in read("data = json.load(sys.stdin)\n" + text).reads}
    assert reads == {("tool_name",): (("toolName",),), ("toolName",): (("tool_name",),)}


def test_fields_that_have_nothing_to_do_with_each_other_are_not_beside_each_other():
    text = """
    data = json.load(sys.stdin)
    if data.get("stop_hook_active"):
        sys.exit(0)
    parameters = data.get("parameters", {})
    """
    assert {one.path: one.beside for one in read(text).reads} == {("stop_hook_active",): (), ("parameters",): ()}


def test_a_read_is_where_its_field_is_written():
    text = 'data = json.load(sys.stdin)\nname = "é"; tool = data.get("tool_name")\n'
    [found] = read(text).reads
    assert found == InputRead(path=("tool_name",), span=found.span)
    assert (HEAD + text)[found.span.start : found.span.end] == '"tool_name"'
    assert (found.span.line, found.span.column) == (3, 29)


def test_json_of_something_else_is_not_the_event():
    text = """
    config = json.load(open(".claude/config.json"))
    print(config["tool_name"])
    """
    program = read(text)
    assert (program.reads, program.reads_event) == ((), False)


# --- variables and arguments ---------------------------------------------------------------------------------------


def names(text: str) -> list[tuple[str, str, bool, bool]]:
    return [(one.kind, one.name, one.has_default, one.decides) for one in read(text).names]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('x = os.environ.get("CLAUDE_TOOL_NAME")', ("CLAUDE_TOOL_NAME", False, False)),
        ('x = os.environ["CLAUDE_TOOL_NAME"]', ("CLAUDE_TOOL_NAME", False, False)),
        ('x = os.getenv("CLAUDE_TOOL_NAME", "")', ("CLAUDE_TOOL_NAME", False, False)),
        ('x = os.getenv("CLAUDE_TOOL_INPUT", "{}")', ("CLAUDE_TOOL_INPUT", False, False)),
        ('x = os.getenv("CLAUDE_PROJECT_DIR", os.getcwd())', ("CLAUDE_PROJECT_DIR", True, False)),
        ('x = os.environ.get("CLAUDE_PROJECT_DIR") or "."', ("CLAUDE_PROJECT_DIR", True, False)),
        ('x = os.environ.get("CLAUDE_TOOL_NAME") or "unknown"', ("CLAUDE_TOOL_NAME", False, False)),
        ('x = os.environ.get("TOOL") or json.load(sys.stdin)["tool_name"]', ("TOOL", True, False)),
        ('x = os.environ.get("TOOL")\nif not x:\n    x = json.load(sys.stdin)["tool_name"]', ("TOOL", True, False)),
        ('if "TOOL" in os.environ:\n    x = 1', ("TOOL", True, False)),
        ('x = json.loads(os.environ["CLAUDE_TOOL_INPUT"])', ("CLAUDE_TOOL_INPUT", False, True)),
        ('if re.search("rm", os.environ.get("CLAUDE_COMMAND", "")):\n    x = 1', ("CLAUDE_COMMAND", False, True)),
        ('if "rm" in os.environ["CLAUDE_COMMAND"]:\n    x = 1', ("CLAUDE_COMMAND", False, True)),
        ('if os.environ.get("TOOL_NAME") == "Bash":\n    x = 1', ("TOOL_NAME", False, True)),
        ('if os.environ.get("SKIP_HOOK") == "1":\n    sys.exit(0)', ("SKIP_HOOK", False, False)),
    ],
)
def test_variables_of_the_environment(text: str, expected: tuple[str, bool, bool]):
    name, has_default, decides = expected
    assert names(text) == [("environment", name, has_default, decides)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = sys.argv[1]", (False, False)),
        ('if "rm" in sys.argv[1]:\n    sys.exit(2)', (False, True)),
        ("x = json.loads(sys.argv[1])", (False, True)),
        ("x = sys.argv[1] if len(sys.argv) > 1 else ''", (True, False)),
        ('if sys.argv[1] == "status":\n    print("ok")', (False, False)),
    ],
)
def test_arguments(text: str, expected: tuple[bool, bool]):
    assert names(text) == [("argument", "1", *expected)]


def test_a_variable_for_debugging_is_taken_for_unset():
    text = """
    DEBUG = os.environ.get("HOOK_DEBUG", "").lower() in ("1", "true")
    if DEBUG:
        print("Blocked!")
    """
    program = read(text)
    assert [one.said for one in program.endings] == [()]
