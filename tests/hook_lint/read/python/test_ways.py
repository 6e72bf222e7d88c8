"""How hooks end, and what they have said on the way."""

from __future__ import annotations

import pytest

from tests.hook_lint.read.python.reading import read, ways

DENY = (
    '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",'
    ' "permissionDecisionReason": %s}}'
)
GUARD = """
data = json.load(sys.stdin)
command = data.get("tool_input", {}).get("command", "")
if "rm -rf" in command:
    %s
"""


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ("sys.exit(2)", "exit 2"),
        ("exit(2)", "exit 2"),
        ("quit(2)", "exit 2"),
        ("os._exit(2)", "exit 2"),
        ("raise SystemExit(2)", "exit 2"),
        ("raise SystemExit", "exit 0"),
        ("sys.exit()", "exit 0"),
        ("sys.exit(None)", "exit 0"),
        ("sys.exit(True)", "exit 1"),
        ("sys.exit(-1)", "exit 255"),
        ("sys.exit(int(os.environ['CODE']))", "exit None"),
        ('sys.exit("no")', "exit 1 | stderr: no"),
        ('sys.exit(f"no: {command}")', "exit 1 | stderr: no: …"),
        ("from sys import exit as leave\n    leave(2)", "exit 2"),
        ("BLOCK = 2\n    sys.exit(BLOCK)", "exit 2"),
        ('raise ValueError("no")', "raise"),
        ("assert False, 'no'", "raise"),
        ('print("no", file=sys.stderr)\n    sys.exit(2)', "exit 2 | stderr: no"),
        ('sys.stderr.write("no")\n    sys.exit(2)', "exit 2 | stderr: no"),
        ('print("no")\n    sys.exit(1)', "exit 1 | stdout: no"),
        ('print("a", command, sep="-")\n    sys.exit(2)', "exit 2 | stdout: a-…"),
        ("print(command)\n    sys.exit(2)", "exit 2 | stdout: …"),
        ('sys.stdout.write(json.dumps({"decision": "block"}))\n    sys.exit(0)',
         'exit 0 | stdout: {"decision": "block"}'),
        ('json.dump({"decision": "block"}, sys.stdout)\n    sys.exit(0)', 'exit 0 | stdout: {"decision": "block"}'),
        ('print(json.dumps({"decision": "block"}), file=sys.stderr)\n    sys.exit(0)',
         'exit 0 | stderr: {"decision": "block"}'),
        ('print(json.dumps({"reason": command, "n": 1}))\n    sys.exit(0)', 'exit 0 | stdout: {"reason": "?", "n": 1}'),
        ('print(json.dumps({"reason": f"no {command}"}))\n    sys.exit(0)', 'exit 0 | stdout: {"reason": "no …"}'),
        ('print(\'{"decision": "block"}\')\n    sys.exit(0)', 'exit 0 | stdout: {"decision": "block"}'),
        ('print(\'{"reason": "\' + command + \'"}\')\n    sys.exit(0)', 'exit 0 | stdout by parts: {"reason": "?"}'),
        ('print(f\'{{"reason": "no {command}"}}\')\n    sys.exit(0)', 'exit 0 | stdout by parts: {"reason": "no …"}'),
        ('print(\'{"reason": "%s"}\' % command)\n    sys.exit(0)', 'exit 0 | stdout by parts: {"reason": "?"}'),
        ('print(\'{{"reason": "{}"}}\'.format(command))\n    sys.exit(0)', 'exit 0 | stdout by parts: {"reason": "?"}'),
        ('print(f\'{{"reason": {json.dumps(command)}}}\')\n    sys.exit(0)', 'exit 0 | stdout by parts: {"reason": …}'),
        ('print({"decision": "block"})\n    sys.exit(0)', "exit 0 | stdout: {'decision': 'block'}"),
        ('print("first")\n    print(json.dumps({}))\n    sys.exit(0)', "exit 0 | stdout: first | stdout: {}"),
        ('import logging\n    logging.warning("blocked rm")\n    sys.exit(0)', "exit 0 | log: blocked rm"),
        ('log = open("x", "a")\n    log.write("blocked rm")\n    sys.exit(0)', "exit 0 | log: blocked rm"),
        ('print("blocked", file=open("x", "a"))\n    sys.exit(0)', "exit 0 | log: blocked"),
        ('import logging\n    logging.info("seen")\n    sys.exit(0)', "exit 0"),
        ("sys.exit(0 if command.endswith('x') else 2)", ["exit 0", "exit 2"]),
        ("import traceback\n    traceback.print_exc()\n    sys.exit(1)", "exit 1 | stderr: Traceback …"),
    ],
)  # fmt: skip
def test_every_form_of_an_end(end: str, expected: str | list[str]):
    here = [expected] if isinstance(expected, str) else expected
    assert sorted(ways(GUARD % end)) == sorted([*here, "end (default)"])


@pytest.mark.parametrize(
    "text",
    [
        """
        out = {}
        out["hookSpecificOutput"] = {}
        out["hookSpecificOutput"]["hookEventName"] = "PreToolUse"
        out["hookSpecificOutput"]["permissionDecision"] = "deny"
        out["hookSpecificOutput"]["permissionDecisionReason"] = "no"
        print(json.dumps(out))
        """,
        """
        part = {"hookEventName": "PreToolUse"}
        out = dict(hookSpecificOutput=part)
        part.update({"permissionDecision": "deny"}, permissionDecisionReason="no")
        sys.stdout.write(json.dumps(out, indent=2) + "\\n")
        """,
        """
        DENY = "deny"

        def answer(decision, reason="no"):
            return {"hookSpecificOutput": {
                "hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": reason}}

        json.dump(answer(DENY), sys.stdout)
        """,
        """
        from enum import Enum

        class Decision(str, Enum):
            DENY = "deny"

        class Output:
            def __init__(self, decision, reason):
                self.decision, self.reason = decision, reason

            def to_json(self):
                return json.dumps({"hookSpecificOutput": {
                    "hookEventName": "PreToolUse", "permissionDecision": self.decision.value,
                    "permissionDecisionReason": self.reason}})

        print(Output(Decision.DENY, "no").to_json())
        """,
        """
        from dataclasses import asdict, dataclass

        @dataclass
        class Part:
            hookEventName: str = "PreToolUse"
            permissionDecision: str = "deny"
            permissionDecisionReason: str = ""

        print(json.dumps({"hookSpecificOutput": asdict(Part(permissionDecisionReason="no"))}))
        """,
        """
        from typing import TypedDict

        class Part(TypedDict):
            hookEventName: str
            permissionDecision: str
            permissionDecisionReason: str

        part = Part(hookEventName="PreToolUse", permissionDecision="deny", permissionDecisionReason="no")
        print(json.dumps({**{"hookSpecificOutput": part}}))
        """,
        """
        base = {"hookEventName": "PreToolUse", "permissionDecision": "allow"}
        print(json.dumps({"hookSpecificOutput": base | {
            "permissionDecision": "deny", "permissionDecisionReason": "n" + "o"}}))
        """,
        """
        emit = lambda decision: print(json.dumps({"hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": "no"}}))
        emit("deny")
        """,
        """
        from functools import partial

        def emit(name, decision, reason):
            print(json.dumps({"hookSpecificOutput": {
                "hookEventName": name, "permissionDecision": decision, "permissionDecisionReason": reason}}))

        deny = partial(emit, "PreToolUse", "deny")
        deny("no")
        """,
    ],
)
def test_an_answer_that_is_put_together_step_by_step_is_known(text: str):
    assert ways(text) == ["end | stdout: " + DENY % '"no"']


def test_an_answer_with_parts_that_are_not_known_says_so():
    text = """
    data = json.load(sys.stdin)
    print(json.dumps({"hookSpecificOutput": {
        "permissionDecision": data["x"], "updatedInput": {**data["tool_input"], "command": "ls"}}}))
    """
    [ending] = read(text).endings
    assert repr(ending.said[0].value) == (
        "{'hookSpecificOutput': {'permissionDecision': UNKNOWN, 'updatedInput': {'command': 'ls', '*': UNKNOWN}}}"
    )


def test_helpers_end_the_program_where_they_do():
    text = """
    def deny(reason):
        print(json.dumps({"decision": "block", "reason": reason}))
        sys.exit(0)

    def main():
        data = json.load(sys.stdin)
        if data["tool_name"] != "Bash":
            return
        if "rm" in data["tool_input"]["command"]:
            deny("no rm")
        if "sudo" in data["tool_input"]["command"]:
            deny("no sudo")
        print("seen", file=sys.stderr)

    if __name__ == "__main__":
        main()
    """
    assert ways(text) == [
        'exit 0 | stdout: {"decision": "block", "reason": "no rm"}',
        'exit 0 | stdout: {"decision": "block", "reason": "no sudo"}',
        "end (default)",
        "end (default) | stderr: seen",
    ]


def test_the_code_that_main_returns_is_placed_at_its_return():
    text = """
    def main():
        data = json.load(sys.stdin)
        if "rm" in data["tool_input"]["command"]:
            print("no", file=sys.stderr)
            return 1
        return 0

    sys.exit(main())
    """
    program = read(text)
    assert [(one.code, program.text[one.span.start : one.span.end]) for one in program.endings] == [
        (1, "return 1"),
        (0, "return 0"),
    ]


def test_a_loop_over_rules_is_one_way_to_find_and_one_to_find_nothing():
    text = """
    RULES = [(r"rm\\s", "no rm", 2), (r"sudo", "no sudo", 2)]

    def check(command):
        for pattern, message, code in RULES:
            if re.search(pattern, command):
                return False, message
        return True, None

    data = json.load(sys.stdin)
    fine, message = check(data["tool_input"]["command"])
    if not fine:
        print(f"Blocked: {message}", file=sys.stderr)
        sys.exit(2)
    sys.exit(0)
    """
    assert ways(text) == ["exit 2 | stderr: Blocked: …", "exit 0 (default)"]


def test_a_list_of_problems_is_empty_on_one_way_and_full_on_the_other():
    text = """
    data = json.load(sys.stdin)
    command = data["tool_input"]["command"]
    problems = []
    if "rm" in command:
        problems.append("rm")
    if "sudo" in command:
        problems.append("sudo")
    if problems:
        print("no: " + ", ".join(problems), file=sys.stderr)
        sys.exit(2)
    """
    assert ways(text) == [
        "exit 2 | stderr: no: rm",
        "exit 2 | stderr: no: rm, sudo",
        "exit 2 | stderr: no: sudo",
        "end (default)",
    ]


def test_a_comprehension_of_problems_is_asked_for_what_it_looks_at():
    text = """
    data = json.load(sys.stdin)
    found = [word for word in ("rm", "sudo") if word in data["tool_input"]["command"]]
    if found:
        sys.exit(2)
    """
    refusal, default = sorted(read(text).endings, key=lambda one: one.how == "end")
    assert (refusal.code, refusal.paths, refusal.when) == (2, (("tool_input", "command"),), ("found",))
    assert (default.is_default, default.when) == (True, ("not (found)",))


# --- errors ------------------------------------------------------------------------------------------------------


def test_a_handler_is_where_something_has_failed():
    text = """
    try:
        data = json.load(sys.stdin)
    except json.JSONDecodeError as error:
        print(f"bad input: {error}", file=sys.stderr)
        sys.exit(1)
    sys.exit(0)
    """
    assert ways(text) == ["exit 1 (error) | stderr: bad input: …", "exit 0"]


def test_an_error_after_which_it_goes_on_is_marked_only_where_no_other_way_comes():
    text = """
    try:
        data = json.load(sys.stdin)
    except ValueError:
        data = {}
    if "rm" in data.get("tool_input", {}).get("command", ""):
        sys.exit(2)
    sys.exit(0)
    """
    assert ways(text) == ["exit 2", "exit 0 (default)"]


def test_a_bare_except_catches_the_exit_itself():
    text = """
    try:
        data = json.load(sys.stdin)
        if "rm" in data["tool_input"]["command"]:
            print("no", file=sys.stderr)
            sys.exit(2)
    except:
        sys.exit(0)
    """
    assert ways(text) == ["exit 0 (error)", "exit 0 | stderr: no", "end (default)"]


def test_except_exception_does_not_catch_an_exit():
    text = """
    try:
        data = json.load(sys.stdin)
        if "rm" in data["tool_input"]["command"]:
            sys.exit(2)
    except Exception:
        sys.exit(0)
    """
    assert ways(text) == ["exit 2", "exit 0 (error)", "end (default)"]


def test_an_exit_that_a_handler_lets_through_keeps_its_code():
    text = """
    try:
        sys.exit(2)
    except SystemExit:
        raise
    """
    assert ways(text) == ["exit 2"]


def test_an_error_of_ones_own_is_how_a_refusal_travels():
    text = """
    class Blocked(Exception):
        pass

    def check(command):
        if "rm" in command:
            raise Blocked("no rm")

    try:
        check(json.load(sys.stdin)["tool_input"]["command"])
    except Blocked as refusal:
        print(refusal, file=sys.stderr)
        sys.exit(2)
    except Exception as error:
        print(f"broken: {error}", file=sys.stderr)
        sys.exit(1)
    """
    assert ways(text) == [
        "exit 2 | stderr: no rm",
        "exit 1 (error) | stderr: broken: …",
        "end (default)",
    ]


def test_what_finally_does_comes_last():
    text = """
    try:
        if "rm" in json.load(sys.stdin)["tool_input"]["command"]:
            sys.exit(2)
    finally:
        sys.exit(0)
    """
    assert ways(text) == ["exit 0 (default)"]


def test_suppress_is_a_handler_that_does_nothing():
    text = """
    import contextlib

    with contextlib.suppress(Exception):
        if "rm" in json.load(sys.stdin)["tool_input"]["command"]:
            sys.exit(2)
        raise ValueError("x")
    print("done")
    """
    assert ways(text) == ["exit 2", "end (error, default) | stdout: done"]


def test_a_raise_that_nothing_catches_ends_the_program():
    text = """
    def check(command):
        if "rm" in command:
            raise PermissionError("no rm")

    check(json.load(sys.stdin)["tool_input"]["command"])
    """
    program = read(text)
    [raised] = [one for one in program.endings if one.how == "raise"]
    assert (raised.code, raised.paths, raised.on_error) == (1, (("tool_input", "command"),), False)


# --- what cannot be read -----------------------------------------------------------------------------------------


def test_functions_of_other_files_may_say_anything():
    text = """
    from guard_utils import deny, log_event

    data = json.load(sys.stdin)
    log_event(data)
    if "rm" in data["tool_input"]["command"]:
        deny("no")
        sys.exit(0)
    """
    program = read(text)
    assert program.unread == "it calls `guard_utils.log_event`, which is in another file"
    assert ways(text) == ["exit 0 | stdout: …", "end (default)"]


def test_an_event_from_another_file_is_an_event_of_which_nothing_is_known():
    text = """
    from hook_utils import read_hook_input

    data = read_hook_input()
    if data.get("tool") == "bash":
        sys.exit(2)
    """
    program = read(text)
    assert (program.reads_event, program.reads, program.comparisons) == (True, (), ())
    assert program.unread


def test_known_libraries_do_not_make_a_program_unread():
    text = """
    import requests, yaml
    from dotenv import load_dotenv

    load_dotenv()
    rules = yaml.safe_load(open("rules.yaml"))
    requests.post("http://localhost", json=json.load(sys.stdin))
    """
    assert read(text).unread == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def f(:\n", "line 2: invalid syntax"),
        ("print 'x'\n", "line 2: Missing parentheses in call to 'print'. Did you mean print(...)?"),
        ("x = " + "(" * 300 + ")" * 300, "line 2: too many nested parentheses"),
        ("\0", "source code string cannot contain null bytes"),
        ("exec(json.load(sys.stdin)['x'])\n", "it runs code that it makes at run time"),
        ("x = 1\n" * 100_000, "it is too long"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, why: str):
    assert read(text).unread == why


def test_a_program_with_too_many_ways_is_read_as_far_as_it_goes():
    rows = "\n".join(f"    if 'a{n}' in command:\n        print('{n}')\n        values.append({n})" for n in range(120))
    start = "data = json.load(sys.stdin)\ncommand = data['tool_input']['command']\nvalues = []\n"
    program = read(f"{start}for x in command:\n{rows}\n")
    assert [one.path for one in program.reads] == [("tool_input",), ("tool_input", "command")]


def test_recursion_ends():
    text = """
    def walk(value):
        if isinstance(value, dict):
            return {key: walk(one) for key, one in value.items()}
        return walk(value) if value else value

    print(json.dumps(walk(json.load(sys.stdin))))
    """
    assert len(read(text).endings) >= 1


def test_places_are_right_in_files_with_any_line_ends_and_a_byte_order_mark():
    text = "\ufeff# é\r\nimport sys\r\nx = 'ü'; sys.exit(2)\r\n"
    from interlock.hook_lint.read.python import read_python

    [program] = read_python("hook.py", text)
    [ending] = program.endings
    assert text[ending.span.start : ending.span.end] == "sys.exit(2)"
    assert (ending.span.line, ending.span.column) == (3, 10)


def test_an_empty_file_ends_with_nothing_said():
    from interlock.hook_lint.read.python import read_python

    [program] = read_python("hook.py", "")
    assert [(one.how, one.said) for one in program.endings] == [("end", ())]
