"""What a hook compares and searches values of the event with, and which programs it runs."""

from __future__ import annotations

import pytest

from tests.hook_lint.read.python.reading import read

START = """
data = json.load(sys.stdin)
tool = data["tool_name"]
command = data["tool_input"]["command"]
path = data["tool_input"]["file_path"]
"""
COMMAND, PATH = "tool_input.command", "tool_input.file_path"


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ('re.search(r"rm\\s", command)', (COMMAND, r"rm\s", "regex", "")),
        ('re.match("rm", command)', (COMMAND, "rm", "match", "")),
        ('re.fullmatch("rm", command)', (COMMAND, "rm", "whole", "")),
        ('re.findall("rm", command)', (COMMAND, "rm", "regex", "")),
        ('re.compile("rm").search(command)', (COMMAND, "rm", "regex", "")),
        ('re.compile("rm", re.I).match(command.strip())', (COMMAND, "rm", "match", "")),
        ('re.search("|".join(["rm", "sudo"]), command)', (COMMAND, "rm|sudo", "regex", "")),
        ('re.search("a" r"b", command)', (COMMAND, "ab", "regex", "")),
        ('"rm" in command', (COMMAND, "rm", "contains", "")),
        ('"rm" not in command.lower()', (COMMAND, "rm", "contains", "lower")),
        ('"rm" in command.split()[0]', (COMMAND, "rm", "contains", "other")),
        ('command.startswith("rm")', (COMMAND, "rm", "starts", "")),
        ('path.replace("\\\\", "/").startswith("src")', (PATH, "src", "starts", "")),
        ('os.path.basename(path).startswith("x")', (PATH, "x", "starts", "other")),
        ('__import__("fnmatch").fnmatch(path, "*.env")', None),
        ('re.search("rm", tool + command)', None),
        ('re.search(data["x"], command)', None),
        ('"rm" in open(path).read()', None),
    ],
)  # fmt: skip
def test_how_a_value_is_searched(condition: str, expected: tuple[str, ...] | None):
    program = read(START + f"if {condition}:\n    sys.exit(2)\n")
    found = [(".".join(one.path), one.text, one.how, one.change) for one in program.patterns]
    assert found == ([expected] if expected else [])


def test_patterns_of_the_shell():
    text = (
        START
        + "from fnmatch import fnmatch\nif any(fnmatch(path, one) for one in ('*.env', '.git/*')):\n    sys.exit(2)\n"
    )
    assert [(one.text, one.how) for one in read(text).patterns] == [("*.env", "glob"), (".git/*", "glob")]


def test_paths_match_patterns_of_the_shell_by_themselves():
    text = START + "from pathlib import Path\nif Path(path).match('*.env'):\n    sys.exit(2)\n"
    assert [(one.text, one.how) for one in read(text).patterns] == [("*.env", "glob")]


@pytest.mark.parametrize(
    "rules",
    [
        'RULES = ["rm", "sudo"]\nfor rule in RULES:\n    if re.search(rule, command):\n        sys.exit(2)',
        'RULES = [("rm", 1), ("sudo", 2)]\nfor rule, _ in RULES:\n    if re.search(rule, command):\n'
        '        sys.exit(2)',
        'RULES = {"rm": 1, "sudo": 2}\nfor rule in RULES:\n    if re.search(rule, command):\n        sys.exit(2)',
        'RULES = {"rm": 1, "sudo": 2}\nfor rule, _ in RULES.items():\n    if re.search(rule, command):\n'
        '        sys.exit(2)',
        'RULES = [{"p": "rm"}, {"p": "sudo"}]\nfor rule in RULES:\n'
        '    if re.search(rule["p"], command):\n        sys.exit(2)',
        'RULES = [re.compile(one) for one in ("rm", "sudo")]\nfor rule in RULES:\n'
        '    if rule.search(command):\n        sys.exit(2)',
        'RULES = ("rm", "sudo")\nif any(re.search(rule, command) for rule in RULES):\n    sys.exit(2)',
        'RULES = ("rm", "sudo")\nif [rule for rule in RULES if re.search(rule, command)]:\n    sys.exit(2)',
        'RULES = ("rm", "sudo")\nif next((rule for rule in RULES if re.search(rule, command)), None):\n    sys.exit(2)',
        'from dataclasses import dataclass\n@dataclass\nclass Rule:\n    pattern: str\n'
        'for rule in [Rule("rm"), Rule(pattern="sudo")]:\n    if re.search(rule.pattern, command):\n'
        '        sys.exit(2)',
        'def is_bad(text):\n    return bool(re.search("rm", text) or re.search("sudo", text))\n'
        'if is_bad(command):\n    sys.exit(2)',
    ],
)  # fmt: skip
def test_rules_in_any_container_are_each_a_pattern_where_it_is_written(rules: str):
    program = read(START + rules + "\nsys.exit(0)\n")
    found = [(one.text, program.text[one.span.start : one.span.end]) for one in program.patterns]
    assert found == [("rm", '"rm"'), ("sudo", '"sudo"')]
    refused, default = sorted(program.endings, key=lambda one: one.span.start)
    assert (refused.code, refused.found) == (2, tuple(one.span for one in program.patterns))
    assert (default.code, default.is_default, default.found) == (0, True, ())


@pytest.mark.parametrize(
    ("condition", "values"),
    [
        ('tool == "Bash"', ("Bash",)),
        ('tool != "Bash"', ("Bash",)),
        ('"Bash" == tool', ("Bash",)),
        ('tool in ("Write", "Edit")', ("Write", "Edit")),
        ('tool not in {"Write", "Edit"}', ("Write", "Edit")),
        ('tool in TOOLS', ("Write", "Edit")),
        ('tool in NAMES.keys()', ("Read",)),
        ('tool.lower() == "bash"', ("bash",)),
        ('tool is None', None),
        ('tool == ""', None),
        ('tool == data["x"]', None),
    ],
)  # fmt: skip
def test_what_a_value_is_compared_with(condition: str, values: tuple[str, ...] | None):
    text = START + f'TOOLS = ["Write", "Edit"]\nNAMES = {{"Read": 1}}\nif {condition}:\n    sys.exit(2)\n'
    program = read(text)
    assert [(one.path, one.values) for one in program.comparisons] == ([(("tool_name",), values)] if values else [])


def test_a_comparison_that_fits_is_found_on_the_way():
    program = read(START + 'if tool == "Bash" and "rm" in command:\n    sys.exit(2)\n')
    [refusal] = [one for one in program.endings if one.code == 2]
    assert [program.text[span.start : span.end] for span in refusal.found] == ['tool == "Bash"', '"rm"']


def test_a_pattern_that_must_not_fit_is_not_found_on_the_way():
    program = read(START + 'if not re.search("^ls", command):\n    sys.exit(2)\n')
    [refusal] = [one for one in program.endings if one.code == 2]
    assert refusal.found == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('subprocess.run(["jq", "."])', ("jq", (".",), False, False)),
        ('subprocess.run("jq . x", shell=True)', ("jq", (".", "x"), False, False)),
        ('os.system("jq .")', ("jq", (".",), False, False)),
        ('if subprocess.run(["/usr/bin/jq"]).returncode:\n    sys.exit(2)', ("jq", (), False, True)),
        ('if os.popen("jq .").read():\n    sys.exit(2)', ("jq", (".",), False, True)),
        ('import shutil\nif shutil.which("jq"):\n    subprocess.check_output(["jq"])', ("jq", (), True, False)),
        ('try:\n    subprocess.run(["jq"])\nexcept FileNotFoundError:\n    sys.exit(2)', ("jq", (), True, False)),
        ('try:\n    subprocess.run(["jq"])\nexcept subprocess.TimeoutExpired:\n    sys.exit(2)',
         ("jq", (), False, False)),
    ],
)  # fmt: skip
def test_programs_that_a_hook_runs(text: str, expected: tuple[object, ...]):
    assert [(one.name, one.arguments, one.is_checked, one.decides) for one in read(text).uses] == [expected]


def test_a_program_whose_output_is_printed_decides():
    [use] = read('print(subprocess.run(["jq", "."], capture_output=True, text=True).stdout)').uses
    assert use.decides
