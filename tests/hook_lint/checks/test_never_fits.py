"""IL607: patterns that cannot find what they are for."""

from __future__ import annotations

import pytest

from interlock.hook_lint.checks import never_fits
from tests.hook_lint.checks.asking import findings, lines

_PYTHON = "import json, re, sys\nc = json.load(sys.stdin)['tool_input']['command']\n"
_SHELL = "C=$(jq -r .tool_input.command)\n"
_FILE = "F=$(jq -r .tool_input.file_path)\n"
_REFUSE = "{ echo no >&2; exit 2; }"
_BOMB = ":(){ :|:& };:"


def _python(condition: str) -> str:
    return f"{_PYTHON}if {condition}:\n    print('no', file=sys.stderr)\n    sys.exit(2)\n"


NO_CAPITALS = "never matches: the text has only lowercase letters"


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        (r"re.search(r'\bchmod\s+-R\s+777', c.lower())", rf"`\bchmod\s+-R\s+777` {NO_CAPITALS}"),
        (r"re.search(r'rm -rf (a|\$HOME)|\$HOME', ' '.join(c.lower().split()))", rf"`\$HOME` {NO_CAPITALS}"),
        (r"re.search(r'\$HOME', re.sub(r'\s+', ' ', c.lower()))", rf"`\$HOME` {NO_CAPITALS}"),
        ("'DROP TABLE' in c.lower()", f"`DROP TABLE` {NO_CAPITALS}"),
        ("'drop table' in c.upper()", "`drop table` never matches: the text has only uppercase letters"),
        (r"re.search(r'\b:(){ :\|:& };:', c)",
         r"`\b:(){ :\|:& };:` never matches a fork bomb: `(`, `)` and `|` are special in a pattern"),
        (r"re.search(r'\b\.env\b', c)", r"`\b` needs a letter, digit or `_` before `.`: `less .env` gets through"),
        (r"re.search(r'\brm\s+-rf\s+/\b', c)",
         r"`\b` needs a letter, digit or `_` after `/`: `rm -rf /` gets through"),
        ("'^rm -rf' in c", "`^rm -rf` is compared as plain text, not as a pattern"),
    ],
)  # fmt: skip
def test_a_pattern_that_finds_nothing_is_found(condition, message):
    assert findings(never_fits, _python(condition), name="guard.py") == [(3, message)]


@pytest.mark.parametrize(
    "condition",
    [
        r"re.search(r'chmod -R', c)",
        r"re.search(r'chmod -R', c.lower(), re.IGNORECASE)",
        r"re.search(r'(?i)chmod -R', c.lower())",
        r"re.compile(r'chmod -R', re.I).search(c.lower())",
        r"re.search(r'chmod -[rR]\S+', c.lower())",
        r"re.search(r'chmod -r|chmod -R', c.lower())",
        r"re.search(r'chmod (-R)?', c.lower())",
        r"re.search(r'chmod (-r|-R)', c.lower())",
        r"re.search(r'chmod -R?', c.lower())",
        "'drop table' in c.lower()",
        "'DROP TABLE' in c",
        rf"re.search(r'{_BOMB}', c)",
        r"re.search(r':\(\)\s*\{\s*:\|:&\s*\};:', c)",
        f"'{_BOMB}' in c",
        r"re.search(r'\.env\b', c)",
        r"re.search(r'(^|\s)\.env\b', c)",
        r"re.search(r'\b\.env\b|\s\.env\b', c)",
        r"re.search(r'\b\.env\b', c) or re.search(r'[\s/]\.env', c)",
        r"re.search(r'\brm\b', c)",
        r"re.search(r'rm -rf /(\s|$)', c)",
        "'$HOME' in c",
    ],
)
def test_a_pattern_that_may_fit_is_left_alone(condition):
    assert lines(never_fits, _python(condition), name="guard.py") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{_SHELL}L=${{C,,}}; [[ $L == *'DROP TABLE'* ]] && {_REFUSE}", f"`DROP TABLE` {NO_CAPITALS}"),
        (f"{_SHELL}L=$(echo \"$C\" | tr A-Z a-z); echo \"$L\" | grep -qE 'rm -R' && {_REFUSE}",
         f"`rm -R` {NO_CAPITALS}"),
        (f"{_SHELL}for p in 'git push -f ' 'git push -f$'; do [[ $C == *\"$p\"* ]] && {_REFUSE}; done",
         "`git push -f$` is compared as plain text, not as a pattern"),
        (f'{_FILE}P="*.pem"; [[ $F == "$P" ]] && {_REFUSE}',
         "the star in `*.pem` is quoted and matches only a star, so this never matches"),
        (f'{_FILE}for p in "*.pem" "*.key"; do [[ $F == "$p" ]] && {_REFUSE}; done',
         "the star in `*.pem` is quoted and matches only a star, so this never matches"),
        (f'{_FILE}[[ $F == "*/secrets/*" ]] && {_REFUSE}',
         "the star in `*/secrets/*` is quoted and matches only a star, so this never matches"),
    ],
)  # fmt: skip
def test_a_pattern_of_the_shell_that_finds_nothing_is_found(text, message):
    assert findings(never_fits, f"{text}\n") == [(2, message)]


@pytest.mark.parametrize(
    "text",
    [
        f"{_SHELL}L=${{C,,}}; [[ $L == *'drop table'* ]] && {_REFUSE}",
        f"{_SHELL}L=${{C,,}}; echo \"$L\" | grep -qiE 'rm -R' && {_REFUSE}",
        f"{_SHELL}echo \"$C\" | grep -q '{_BOMB}' && {_REFUSE}",
        f"{_SHELL}[[ $C == *'echo $'* ]] && {_REFUSE}",
        f'{_FILE}P="*.pem"; [[ $F == $P ]] && {_REFUSE}',
        f'{_FILE}[[ $F == *".pem" ]] && {_REFUSE}',
        f'{_FILE}P=("*.pem" "*.key"); for p in "${{P[@]}}"; do [[ $F == $p ]] && {_REFUSE}; done',
        f'{_SHELL}[[ $C == "rm -rf *" ]] && {_REFUSE}',
        f'{_SHELL}[[ $C == "*rm*" ]] && echo "a star" >> log.txt',
    ],
)
def test_a_pattern_of_the_shell_that_may_fit_is_left_alone(text):
    assert lines(never_fits, f"{text}\n") == []


@pytest.mark.parametrize(
    ("condition", "count"),
    [("/chmod -R/.test(c.toLowerCase())", 1), ("/chmod -R/i.test(c.toLowerCase())", 0),
     ("new RegExp('chmod -R', 'i').test(c.toLowerCase())", 0), ("new RegExp('chmod -R').test(c.toLowerCase())", 1)],
)  # fmt: skip
def test_a_pattern_of_javascript_knows_its_flags(condition, count):
    text = "const c = JSON.parse(require('fs').readFileSync(0, 'utf8')).tool_input.command;\n"
    text += f"if ({condition}) process.exit(2);\n"
    assert len(lines(never_fits, text, name="guard.js")) == count
