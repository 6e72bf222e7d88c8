"""What holds for every line."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from interlock.facts.shell import read_shell
from tests.facts.shell.lines import FRAGMENTS, LINES, SETTING


def commands(line):
    return {(one.program, one.args) for one in read_shell(line).commands}


@settings(deadline=None)
@given(st.one_of(st.text(max_size=80), FRAGMENTS))
def test_any_text_is_read_without_an_error(line):
    shell = read_shell(line)
    assert shell.opaque == bool(shell.reasons)
    assert all(0 <= one.start <= one.end <= len(line) for one in shell.commands)
    places = [code.command for code in shell.code] + [unread.command for unread in shell.unread]
    assert all(place < len(shell.commands) for place in places)
    assert all(one.opaque in shell.reasons for one in shell.commands if one.opaque)


@settings(deadline=None)
@given(st.one_of(LINES, FRAGMENTS))
def test_reading_is_the_same_each_time(line):
    assert read_shell(line) == read_shell(line)


@settings(deadline=None)
@given(st.one_of(LINES, FRAGMENTS))
def test_a_command_that_is_appended_is_found_and_loses_none(line):
    before = read_shell(line)
    assume(not before.opaque)
    appended = commands(f"{line}\nlast x")
    # A here-document without an end, or a backslash at the end, takes the next line in.
    assume("<<" not in line and not line.endswith("\\"))
    assert commands(line) <= appended
    assert ("last", ("x",)) in appended or before.functions


PREFIXES = st.sampled_from([
    "sudo", "env A=1", "nohup", "timeout 5", "command", "exec", "eval", "A=1", "2>/dev/null", "xargs -a f",
    "nice -n 5",
])  # fmt: skip
AROUND = st.sampled_from([
    "( {} )", "{{ {}; }}", "! {}", "time {}", "if {}; then :; fi", "while {}; do :; done", "x=$( {} )",
    "echo $( {} )",
    "cat <( {} )", "a | {}", "{} | a", "a && {}", "a || {}", "{} &", "f() {{ {}; }}; f", "case x in x) {};; esac",
    "for i in 1; do {}; done", "coproc {}", "echo ${{x:-$( {} )}}", "echo $((1 + $( {} )))", "[[ -n $( {} ) ]]",
    "select i in 1; do {}; done", "until {}; do :; done", "function f {{ {}; }}", "export x=$( {} )", "a=($( {} ))",
    "for i in $none; do {}; done", "a <<< $( {} )", "a > $( {} )", "x[$( {} )]=1", 'echo "a $( {} ) b"',
])  # fmt: skip
# These bring quotes of their own, which do not nest.
OUTERMOST = st.sampled_from([
    "{}", "bash -c '{}'", "eval '{}'", "trap '{}' EXIT", "echo '{}' | sh", "bash <<< '{}'", "sh <<E\n{}\nE",
    "echo `{}`",
    "EDITOR='{}' git commit", "alias z='{}'; z", "cat <<E\n$( {} )\nE", "sudo sh -c '{}'",
    "printf %s '{}' | sudo bash",
])  # fmt: skip
QUOTED = st.sampled_from(["rm -rf /", 'r""m -rf /', "\\rm -rf /", '"rm" "-rf" /', "r\\m \\-rf /", 'rm "-r"f "/"'])


@settings(deadline=None)
@given(QUOTED, st.lists(PREFIXES, max_size=3), st.lists(AROUND, max_size=3), OUTERMOST)
def test_a_command_is_found_however_it_is_quoted_and_wrapped(line, prefixes, around, outermost):
    assignments = [prefix for prefix in prefixes if "=" in prefix[:2] or prefix[0] == "2"]
    for prefix in [one for one in prefixes if one not in assignments] + assignments:
        line = f"{prefix} {line}"
    for wrapper in [*around, outermost]:
        line = wrapper.format(line)
    assert any(one.name == "rm" and "/" in one.args for one in read_shell(line).commands)


@settings(deadline=None)
@given(LINES)
def test_a_line_in_a_text_for_a_shell_has_the_same_commands(line):
    inner = line.replace("'", "'\\''")
    assume(not read_shell(SETTING + line).opaque)
    assert commands(SETTING + line) <= commands(
        f"bash -c '{SETTING.replace(chr(39), chr(39) + chr(92) + chr(39) * 2)}{inner}'"
    )
