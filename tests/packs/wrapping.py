"""Ways to write a command differently that leave what it does as it is."""

from __future__ import annotations

import base64
import re
import shlex
from collections.abc import Callable
from functools import cache

from tests.packs.shipped import PACKS, decision, pack

__all__ = ["AROUND", "AS_TEXT", "IN_FRONT", "SPELLINGS", "is_simple", "lines_that"]

_SIGNS = re.compile(r"""[;&|<>(){}`\n"'\\$#!=]|\b(?:if|for|while|case|function)\b""")
_FILES = re.compile(r"(?!cd |history|eval|exec|source|export|unset)[a-z]")  # programs that no shell has itself
_PLAIN = re.compile(r"[\w./:@%+,-]+")


@cache
def lines_that(decide: str) -> tuple[str, ...]:
    """Every shell line that a rule of a shipped pack denies, or asks about, by its own cases."""
    found: dict[str, None] = {}
    for name in PACKS:
        for rule, _ in pack(name).rules:
            if any("input.?command" in one.text for one in rule.expressions):
                continue  # it searches the text of the line: quoted often enough, a loop is no longer seen
            for case in rule.cases if rule.decision == decide else ():
                if case.catch and isinstance(case.given, str):
                    found[case.given] = None
    return tuple(line for line in found if decision("guarded", line) == decide)


def is_simple(line: str) -> bool:
    """Whether a line is one command without quotes and signs, so that words can stand before it."""
    return _SIGNS.search(line) is None


def _quoted(form: str) -> Callable[[str], str]:
    return lambda line: form.replace("{}", shlex.quote(line))


def _filled(form: str) -> Callable[[str], str]:
    return lambda line: form.replace("{}", line)


# Words before a simple command.
IN_FRONT: dict[str, Callable[[str], str]] = {
    form: _filled(form)
    for form in (
        "sudo {}", "sudo -u root {}", "env A=1 {}", "env -i {}", "nohup {}", "time {}", "timeout 5 {}",
        "nice -n 5 {}", "nice {}", "ionice -c 3 {}", "stdbuf -oL {}", "setsid {}", "command {}", "exec {}",
        "A=1 {}", "2>/dev/null {}", "unshare -r {}", "flock /tmp/lock {}", "chroot / {}", "doas {}",
        "strace -f {}", "watch -n 1 {}", "eval {}", "find . -maxdepth 0 -exec {} \\;", "xargs -a /dev/null {}",
        "setarch -R {}", "! {}", "caffeinate {}", "systemd-run --user {}", "chronic {}", "taskset -c 0 {}",
        "parallel -N0 {} ::: 1",
    )
}  # fmt: skip

# A text that something runs: these hold for any line, and make a simple command of it or a pipeline.
AS_TEXT: dict[str, Callable[[str], str]] = {
    form: _quoted(form)
    for form in (
        "bash -c {}", "sh -ec {}", "sudo sh -c {}", "eval {}", "su -c {} root", "su root -c {}",
        "script -qc {} /dev/null", "watch {}", "flock /tmp/lock -c {}", "parallel ::: {}", "busybox sh -c {}",
        "trap {} EXIT", "bash <<< {}", "printf %s {} | sh", "echo {} | bash", "echo {} | sudo sh -s",
        "A={}; eval \"$A\"", "A={} bash -c 'eval \"$A\"'", "bash -c 'eval \"$1\"' _ {}", "bash -c \"$(echo {})\"",
        "eval \"$(printf %s {})\"", "f() { eval \"$1\"; }; f {}", "env bash -c {}", "nohup bash -c {} &",
        "zsh -c {}", "dash -c {}", "xargs -a /dev/null bash -c {}", "echo {} > x.sh && bash x.sh",
        "find . -maxdepth 0 -exec sh -c {} \\;", "timeout 5 bash -lc {}", "ssh-agent sh -c {}",
        "A=({}); eval \"${A[0]}\"", "sh < <(echo {})", "source <(echo {})", "cat <<< {} | sh",
        "bash -o pipefail -c {}", "builtin eval {}", "bash -c 'bash -c \"$0\"' {}",
    )
}  # fmt: skip
AS_TEXT["python os.system"] = lambda line: f"python3 -c {shlex.quote(f'import os; os.system({line!r})')}"
AS_TEXT["base64"] = lambda line: f"echo {base64.b64encode(line.encode()).decode()} | base64 -d | sh"
AS_TEXT["alias"] = lambda line: f"alias z{len(line)}={shlex.quote(line)}\nz{len(line)}"
AS_TEXT["here-document"] = lambda line: f"sh <<'E{len(line)}'\n{line}\nE{len(line)}"
AS_TEXT["cat here-document"] = lambda line: f"cat <<'E{len(line)}' | bash\n{line}\nE{len(line)}"

# Commands around any line. A new line ends a here-document of it.
AROUND: dict[str, Callable[[str], str]] = {
    form: _filled(form)
    for form in (
        "(\n{}\n)", "{\n{}\n}", "if true; then\n{}\nfi", "if\n{}\nthen :; fi", "if false; then :; else\n{}\nfi",
        "for i in 1 2; do\n{}\ndone", "for i in $LIST; do\n{}\ndone", "while true; do\n{}\nbreak; done",
        "until\n{}\ndo :; done", "case x in\n*)\n{}\n;;\nesac", "f() {\n{}\n}; f", "function f {\n{}\n}\nf",
        "echo $(\n{}\n)", "echo \"a $(\n{}\n) b\"", "cat <(\n{}\n)", "true | (\n{}\n)", "{\n{}\n} | cat",
        "(\n{}\n) &", "true && {\n{}\n}", "false || {\n{}\n}", "ls -la; {}", "echo a\n{}", "{}\necho b",
        "[[ -n $(\n{}\n) ]]", "x=$(\n{}\n)", "export x=$(\n{}\n)", "a=($(\n{}\n))", "cat <<END\n$(\n{}\n)\nEND",
        "coproc {\n{}\n}", "time {\n{}\n}", "{\n{}\n} > log.txt 2>&1", "select i in 1; do\n{}\ndone",
        "echo $((1 + $(\n{}\n)))", "tee >(\n{}\n) < x", "g() { f() {\n{}\n}; f; }; g", "echo ${x:-$(\n{}\n)}",
        "set -e; {}", "# a comment\n{}", "if [ -f x ]; then\n{}\nfi", "while read l; do\n{}\ndone < list",
        "ls | while read l; do\n{}\ndone", "echo $x >&2; {}", "((i++)); {}", "trap 'echo bye' EXIT; {}",
        "readonly q=1; {}", "local x 2>/dev/null; {}", "shopt -s extglob\n{}", "umask 022 && {}",
    )
}  # fmt: skip


def _words(change: Callable[[str], str]) -> Callable[[str], str]:
    """Change each word of a simple command that nothing but itself is in."""

    def spell(line: str) -> str:
        return " ".join(change(word) if _PLAIN.fullmatch(word) else word for word in line.split(" "))

    return spell


def _ansi(word: str) -> str:
    return "$'" + "".join(f"\\x{ord(sign):02x}" for sign in word) + "'"


def _octal(word: str) -> str:
    return "$'" + "".join(f"\\{ord(sign):03o}" for sign in word) + "'"


def _in_variables(line: str) -> str:
    words = line.split(" ")
    given = [word for word in words if _PLAIN.fullmatch(word)]
    names = {word: f"v{at}" for at, word in enumerate(given)}
    return (
        "; ".join(f"{name}={word}" for word, name in names.items())
        + "; "
        + " ".join(f'"${names[word]}"' if word in names else word for word in words)
    )


def _first_in_parts(line: str) -> str:
    first, _, rest = line.partition(" ")
    return f"a={first[:1]}; b={first[1:]}; $a$b {rest}" if _PLAIN.fullmatch(first) else line


# Other spellings of a simple command's words.
SPELLINGS: dict[str, Callable[[str], str]] = {
    "single quotes": _words(lambda word: f"'{word}'"),
    "double quotes": _words(lambda word: f'"{word}"'),
    "split quotes": _words(lambda word: f"{word[:1]}''{word[1:2]}\"{word[2:]}\""),
    "backslashes": _words(lambda word: re.sub(r"([a-z])", r"\\\1", word)),
    "ANSI-C": _words(_ansi),
    "octal": _words(_octal),
    "IFS": lambda line: line.replace(" ", "${IFS}"),
    "IFS bare": lambda line: re.sub(r" (?=\W)", "$IFS", line).replace(" ", "${IFS}"),
    "continued": lambda line: line[:1] + "\\\n" + line[1:].replace(" ", " \\\n  "),
    "braces": lambda line: "{" + line.replace(" ", ",") + "}" if re.fullmatch(r"[\w./-]+( [\w./-]+)+", line) else line,
    "variables": _in_variables,
    "first in parts": _first_in_parts,
    "empty substitutions": _words(lambda word: f"{word[:1]}$(){word[1:]}"),
    "whole in a variable": lambda line: f"x='{line}'; $x",
    "array": lambda line: f"x=({line}); \"${{x[@]}}\"",
    "positional": lambda line: f"set -- {line}; \"$@\"",
    "tabs": lambda line: line.replace(" ", "\t  "),
    "first by path": lambda line: f"/usr/bin/{line}" if _FILES.match(line) else line,
    "upper case": lambda line: re.sub(r"^(rm|git|dd|curl|chmod|cp|docker) ", lambda one: one[0].upper(), line),
}  # fmt: skip
