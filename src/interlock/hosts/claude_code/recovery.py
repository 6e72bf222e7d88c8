"""The one entry that runs through a shell, so that a person is told what to do when Interlock's program is gone.

A host cannot run a program that does not exist. It then says so in its own words, which name neither the settings file
nor a way back; older clients say nothing, and let every call through. The shell is always there. It costs one start of
a shell for each prompt, and nothing for a call: every other entry names the program directly.

The whole line is the entry's command, and none of it an argument: other hosts that read these settings leave arguments
out, and a bare `/bin/sh` would run the event that it is given, with the person's prompt in it.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["PROJECT", "SHELL_VARIABLES", "TOLD_AT", "direct", "runs_shell", "with_notice"]

PROJECT = "${CLAUDE_PROJECT_DIR}"  # the host puts the project's folder in its place

TOLD_AT = "UserPromptSubmit"  # the first event of a turn that a hook can stop, and whose reason the person reads
_SHELL = "/bin/sh"
# Variables with which a shell changes what it runs before its first command. (`ENV` counts only at a terminal.)
SHELL_VARIABLES = ("BASH_ENV", "BASH_FUNC_", "BASHOPTS", "SHELLOPTS")

_NAME = "interlock"  # the shell's `$0` in entries of earlier versions, by which they are recognised
_BEGIN, _THEN = "set -- ", "; p=$1; "  # the words that are run, and the script after them
_FOLDER = '"$CLAUDE_PROJECT_DIR"'  # as a shell has it: a name with a quote in it must not end the word
# Only what is built into every shell, because a project's settings can set PATH; and no `${`, which is the host's own.
# Files are looked for as the client does: the project's two, the local one of every folder above and of the main
# working tree, the person's and the machine's. The walk is bounded, because a `.git` file may lead anywhere.
# The message is given twice, because the host shows the JSON as it is, and stderr only after the whole command line.
_SCRIPT = """\
{there} && exec "$@"; \
s=; CDPATH=; k() {{ [ -f "$1" ] && [ -r "$1" ] && while read -r l || [ -n "$l" ]; do \
case $l in *interlock/client.py*|*'interlock client'*) s="$s $1"; break;; esac; done <"$1"; }}; \
k "{project}/.claude/settings.json"; cd "{project}" 2>/dev/null; i=0; \
while [ $i -lt 99 ]; do i=$((i+1)); k "$PWD/.claude/settings.local.json"; o=$PWD; \
if [ -f .git ] && read -r g d <.git; then cd "$d/../../.."; else cd ..; fi 2>/dev/null; \
[ "$o" = "$PWD" ] && break; done; \
c=$CLAUDE_CONFIG_DIR; [ -n "$c" ] || c=$HOME/.claude; \
k "$c/settings.json"; k /etc/claude-code/managed-settings.json; \
[ -n "$s" ] || s=" the file that /hooks names"; \
m="Interlock is set up here, but its program is gone: $p\\n\
Until that is settled, prompts are blocked and calls are denied. There are two ways back:\\n\
1. Install Interlock again, then run: interlock init\\n\
2. Remove Interlock's entries (those that name interlock or 127.0.0.1) from the hooks in$s"; \
printf '{{"decision":"block","reason":"%s"}}' "$m"; printf '%b\\n' "$m" >&2; exit 2"""


def with_notice(words: Sequence[str]) -> str:
    """The line that runs `words`, or, if their program is gone, blocks the prompt and says what to do.

    The last word is the project's folder. A program without a slash is looked up on the search path; otherwise the
    first word that names a Python file must exist, too.
    """
    if "/" in words[0]:
        script = next(number for number, word in enumerate(words, start=1) if word.endswith(".py"))
        there = f'[ -x "$p" ] && p=${script} && [ -r "$p" ]'
    else:
        there = 'command -v "$p" >/dev/null 2>&1'
    text = _SCRIPT.format(there=there, project=f"${len(words)}")
    line = " ".join(_FOLDER if word == PROJECT else shlex.quote(word) for word in words)
    return f"{_BEGIN}{line}{_THEN}{text}"


def runs_shell(handler: Mapping[str, Any]) -> bool:
    """Whether a shell runs an entry of Interlock."""
    return direct(handler) != dict(handler)


def direct(handler: Mapping[str, Any]) -> dict[str, Any]:
    """The handler without the shell around it; any other handler as it is."""
    command, args = handler.get("command"), handler.get("args")
    if isinstance(command, str) and args is None and command.startswith(_BEGIN) and _THEN in command:
        words = _words(command.removeprefix(_BEGIN).partition(_THEN)[0])
        return {**handler, "command": words[0], "args": words[1:]} if len(words) > 1 else dict(handler)
    if command != _SHELL or not isinstance(args, list) or len(args) < 4 or args[0] != "-c":
        return dict(handler)
    return {**handler, "command": args[3], "args": args[4:]} if args[2] == _NAME else dict(handler)


def _words(line: str) -> list[str]:
    try:
        found = shlex.split(line)
    except ValueError:
        return []
    return [PROJECT if word == "$CLAUDE_PROJECT_DIR" else word for word in found]
