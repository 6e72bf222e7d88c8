"""The command that an entry of a host contains, and how its process is recognised.

Hosts run it with a shell. Most of them let a call run if the command cannot be started or ends with any code but 2, so
for events that can be refused the shell turns every such end into a refusal, with a reason: some hosts take a refusal
without one for none.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from interlock.config.places import socket_path
from interlock.hosts.base.places import client_file, launcher_file, python

__all__ = [
    "COULD_NOT_RUN",
    "FOLDER",
    "PROCESS",
    "client_words",
    "hook_command",
    "is_hook_command",
    "runs_client",
    "runs_launcher",
]

COULD_NOT_RUN = "Interlock could not be run, so this is denied. A person can find out why with: interlock doctor"
# Words for the shell to fill in, where a host's event does not say it: where it runs, and a session of its process.
FOLDER, PROCESS = '"$PWD"', '"process-$PPID"'
_CLIENT = "/interlock/client.py"
_WORD = r"(?:[\w@%+=:,./-]+|'[^']*')"
_WHOLE = re.compile(
    rf"{_WORD} -I -S {_WORD} \w[\w-]*:\w+ {_WORD}(?: (?:{re.escape(FOLDER)}|{re.escape(PROCESS)}))*"
    r"(?: \|\| (?:\{ test \$\? -eq 2 \|\| echo \"[^\"$`\\]*\" >&2; exit 2; \}|exit 1|echo '[^']*'))?"
)


def client_words(host: str, event: str) -> list[str]:
    """The words that start the client: no search path, nothing from the environment."""
    return [str(python()), "-I", "-S", str(client_file()), f"{host}:{event}", str(socket_path())]


def hook_command(host: str, event: str, *, refuses: bool | None, instead: str = "", says: Sequence[str] = ()) -> str:
    """The command for one event of a host. `refuses`: the call must not run if this fails.

    None: nothing is refused here, and every exit code of the client means something to the host. `instead`: what is
    printed if it fails, for a host that takes no exit code for a refusal here. `says`: `FOLDER`, then other words.
    """
    words = " ".join([shlex.join(client_words(host, event)), *says])
    if refuses is None:
        return shlex.join(["/bin/sh", "-c", words])
    if not refuses:
        ends = "exit 1"  # some hosts take any other code for a refusal, and a prompt or an end of turn must go on
    elif instead:
        ends = f"echo {shlex.quote(instead)}"
    else:
        ends = f'{{ test $? -eq 2 || echo "{COULD_NOT_RUN}" >&2; exit 2; }}'
    # Some hosts take the person's own shell, which may be one with another language.
    return shlex.join(["/bin/sh", "-c", f"{words} || {ends}"])


def is_hook_command(host: str, text: str, event: str = r"\w+") -> bool:
    """Whether an installation of Interlock, perhaps another or an older one, has written this for the host."""
    return re.search(rf"{re.escape(_CLIENT)}\W+{re.escape(host)}:{event}\W", text) is not None


def runs_client(argv: Sequence[str], host: str, ends: str = "") -> bool:
    """Whether a process is a shell that runs an entry's command and nothing else, and not the host itself.

    `ends`: the word that ends the here-document in which this host writes an event behind the command, if it does.
    """
    words = [word for word in argv if word]
    if len(words) < 3 or not words[-2].startswith("-") or not is_hook_command(host, words[-1]):
        return False
    text = _without_event(words[-1], ends)
    if text.startswith("/bin/sh -c "):
        inner = shlex.split(text)
        if len(inner) != 3:
            return False
        text = inner[2]
    return _WHOLE.fullmatch(text) is not None


def runs_launcher(argv: Sequence[str], ends: str = "") -> bool:
    """Whether a process is a shell in which a host runs an entry of Claude Code's settings and nothing else."""
    words = [word for word in argv if word]
    if len(words) < 3 or not words[-2].startswith("-"):
        return False
    return _without_event(words[-1], ends) in (str(launcher_file()), "interlock")


def _without_event(text: str, ends: str) -> str:
    """A command without the event behind it, which is one line of JSON."""
    found = re.fullmatch(rf"(.*) <<'{re.escape(ends)}'\n\{{[^\n]*\}}\n{re.escape(ends)}", text) if ends else None
    return text if found is None else found[1]
