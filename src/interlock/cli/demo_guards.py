"""The guards of `interlock demo`: an ordinary hooks file, as a person would write one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from interlock import allow, ask, change, deny, hook


@hook("PreToolUse", tool="Bash")
def pipe_to_shell(call: Any) -> Any:
    if re.search(r"\bcurl\b.*\|\s*(ba)?sh\b", call.input["command"]):
        return ask("This runs a script from the internet unread. Run it?")
    return None


@hook("PreToolUse", tool="Bash")
def without_root(call: Any) -> Iterator[Any]:
    command = call.input["command"]
    if command.startswith("sudo "):
        yield change(command=command.removeprefix("sudo "))
        yield ask("Root was taken off this command. Run it like this?")


@hook("PreToolUse", tool=["Write", "Edit"])
def into_sandbox(call: Any) -> Iterator[Any]:
    path = call.input["file_path"]
    if not path.startswith(("/home/dev/shop/", "/sandbox/")):
        yield change(file_path=f"/sandbox{path}")
        yield ask(f"{path} is outside the project; the write was moved into the sandbox.")


@hook("PreToolUse", tool="Write")
def stamp_python(call: Any) -> Any:
    if call.input["file_path"].endswith(".py"):
        stamped = f"# written by an agent\n{call.input['content']}"
        return change(content=stamped, quiet="a comment line does not change what the program does")
    return None


@hook("PreToolUse", kind="read")
def reading_is_free(call: Any) -> Any:
    return allow("Reading is always allowed here.")


@hook("PreToolUse", tool="delete_account")
def delete_account(call: Any) -> Any:
    return deny(f"{call.input['account']} must be exported first.")  # a bug: the field is `account_id`


@hook("Stop")
def tests_before_stop(event: Any) -> Any:
    return None if event.stop_hook_active else deny("Run the tests before you finish.")
