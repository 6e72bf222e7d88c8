"""Under which conditions a hook ends in each way, and which ways lead past them."""

from __future__ import annotations

import pytest

from tests.hook_lint.read.python.reading import read, ways


def test_conditions_are_those_around_an_end_and_those_it_has_come_past():
    text = """
    data = json.load(sys.stdin)
    if data.get("tool_name") != "Bash":
        sys.exit(0)
    if "rm" in data["tool_input"]["command"]:
        sys.exit(2)
    sys.exit(0)
    """
    first, refusal, last = sorted(read(text).endings, key=lambda one: one.span.start)
    assert (first.when, first.paths, first.tools) == (('data.get("tool_name") != "Bash"',), (("tool_name",),), ())
    assert refusal.when == ('"rm" in data["tool_input"]["command"]', 'not (data.get("tool_name") != "Bash")')
    assert (refusal.paths, refusal.tools) == ((("tool_input", "command"), ("tool_name",)), ("Bash",))
    assert (last.is_default, last.tools) == (True, ("Bash",))


def test_an_end_without_conditions_is_every_events():
    [ending] = read("json.load(sys.stdin)\nsys.exit(2)\n").endings
    assert (ending.when, ending.paths, ending.is_default) == ((), (), False)


def test_inside_of_a_condition_about_something_else_the_call_does_not_lead_here():
    text = """
    data = json.load(sys.stdin)
    if data["tool_name"] != "Bash":
        sys.exit(0)
    if not os.path.exists("rules.json"):
        raise FileNotFoundError("rules.json")
    """
    [raised] = [one for one in read(text).endings if one.how == "raise"]
    assert raised.paths == ()
    assert len(raised.when) == 2


def test_a_program_that_was_run_about_the_call_leads_on():
    text = """
    data = json.load(sys.stdin)
    result = subprocess.run(["ruff", "check", data["tool_input"]["file_path"]], capture_output=True)
    if result.returncode != 0:
        print(result.stdout, file=sys.stderr)
        sys.exit(1)
    """
    program = read(text)
    [refusal] = [one for one in program.endings if one.how == "exit"]
    assert refusal.paths == (("tool_input", "file_path"),)
    assert [(one.name, one.decides, one.arguments) for one in program.uses] == [("ruff", True, ("check", "…"))]


def test_what_one_condition_has_settled_is_not_asked_again():
    text = """
    tool = json.load(sys.stdin)["tool_name"]
    if tool == "Bash":
        print("shell")
    elif tool in ("Bash", "Write"):
        print("file")
    if tool == "Write":
        print("write")
    """
    assert ways(text) == ["end (default)", "end (default) | stdout: file | stdout: write", "end | stdout: shell"]


@pytest.mark.parametrize(
    ("condition", "is_default"),
    [
        ('"rm" in command', False),
        ('"rm" not in command', True),
        ('not re.search("rm", command)', True),
        ('re.match("ls", command) is None', True),
        ('command.startswith("ls")', False),
        ('not any(word in command for word in ("rm", "sudo"))', True),
        ('tool == "Read"', False),
        ('tool != "Bash"', True),
        ('tool == "Bash" and "rm" not in command', True),
        ('tool == "Bash" and command.startswith("ls")', False),
        ("not command", True),
        ("command", False),
        ("len(command) > 100", False),
        ('os.environ.get("MODE") == "x"', False),
    ],
)
def test_the_default_is_what_comes_to_a_call_to_which_nothing_applies(condition: str, is_default: bool):
    text = f"""
    data = json.load(sys.stdin)
    tool, command = data["tool_name"], data["tool_input"]["command"]
    if {condition}:
        print(json.dumps({{"decision": "approve"}}))
        sys.exit(0)
    sys.exit(2)
    """
    assert {one.is_default for one in read(text).endings if one.code == 0} == {is_default}


def test_a_hook_that_asks_nothing_has_no_default():
    [ending] = read('print(json.dumps({"decision": "approve"}))').endings
    assert not ending.is_default


def test_match_asks_one_case_after_the_other():
    text = """
    data = json.load(sys.stdin)
    match data["tool_name"]:
        case "Bash":
            sys.exit(2)
        case "Write" | "Edit" if data["tool_input"]["file_path"].endswith(".env"):
            sys.exit(3)
        case _:
            sys.exit(4)
    """
    program = read(text)
    assert [
        (one.code, one.tools, one.is_default) for one in sorted(program.endings, key=lambda one: one.span.start)
    ] == [
        (2, ("Bash",), False),
        (3, ("Edit", "Write"), False),
        (4, (), True),
    ]
    assert [one.values for one in program.comparisons] == [("Bash",), ("Write",), ("Edit",)]


def test_handlers_in_a_table_are_called_for_their_tools():
    text = """
    def bash(event):
        if "rm" in event["tool_input"]["command"]:
            sys.exit(2)

    def write(event):
        if event["tool_input"]["file_path"].endswith(".env"):
            sys.exit(3)

    HANDLERS = {"Bash": bash, "Write": write}
    data = json.load(sys.stdin)
    handler = HANDLERS.get(data["tool_name"])
    if handler:
        handler(data)
    """
    assert [line for line in ways(text) if line.startswith("exit")] == ["exit 2", "exit 3"]
    assert [one.values for one in read(text).comparisons] == [("Bash", "Write")]


def test_a_function_that_is_not_awaited_never_runs():
    text = """
    import asyncio

    async def main():
        sys.exit(2)

    main()
    """
    assert ways(text) == ["end"]
    assert ways(text.replace("    main()\n", "    asyncio.run(main())\n")) == ["exit 2"]


def test_a_file_that_is_imported_does_not_do_what_a_program_does():
    text = """
    if __name__ != "__main__":
        sys.exit(2)
    """
    assert ways(text) == ["end"]
