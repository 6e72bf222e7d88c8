"""An `exit 2` that ends only a subshell refuses nothing, unless its code reaches the end of the hook."""

from __future__ import annotations

import pytest

from interlock.hook_lint.checks import empty_after_no
from tests.hook_lint.checks.asking import findings

SAID = "this ends only the subshell that it is in: the hook goes on, and refuses nothing"
COMMAND = "#!/bin/bash\ncommand=$(jq -r '.tool_input.command')\n"
ARM = '*"push --force"*) echo "use a branch" >&2; exit 2 ;;'
LOOP = f'printf "%s\\n" "$command" | tr ";" "\\n" | while read -r part; do\ncase "$part" in\n{ARM}\nesac\ndone'
CHECK = f'check() {{\ncase "$command" in\n{ARM}\nesac\n}}\n'


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{COMMAND}{LOOP}\nexit 0\n", 5),
        (f"{COMMAND}{LOOP}\nlogger seen\n", 5),
        (f"{COMMAND}{CHECK}out=$(check)\nexit 0\n", 5),
        (f'{COMMAND}(\ncase "$command" in\n{ARM}\nesac\n)\nexit 0\n', 5),
    ],
)
def test_an_exit_that_ends_only_a_subshell_is_found(text: str, line: int):
    assert findings(empty_after_no, text) == [(line, SAID)]


@pytest.mark.parametrize(
    "text",
    [
        f"{COMMAND}{LOOP}\n",  # its code is that of the hook
        f"{COMMAND}{LOOP} || exit 2\nexit 0\n",
        f"{COMMAND}{LOOP}\n[ $? -eq 2 ] && exit 2\nexit 0\n",
        f"{COMMAND}set -e\n{LOOP}\nexit 0\n",
        f'{COMMAND}while read -r part; do\ncase "$part" in\n{ARM}\nesac\ndone <<<"$command"\nexit 0\n',
        f"{COMMAND}{CHECK}out=$(check) || exit 2\nexit 0\n",
        f"{COMMAND}{CHECK}if ! (check); then exit 2; fi\nexit 0\n",
        f"{COMMAND}{CHECK}check\nexit 0\n",
        "#!/bin/bash\ndie() { echo gone >&2; exit 2; }\ncommand=$(jq -r .tool_input.command || die)\nexit 0\n",
    ],
)
def test_an_exit_whose_code_counts_is_right(text: str):
    assert findings(empty_after_no, text) == []
