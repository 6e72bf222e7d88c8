"""The shells of the OpenAI Agents SDK as calls of `Bash`: the line they would run, and what it printed."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import Any, TypeAlias

from agents import LocalShellCommandRequest, ShellCommandRequest, ShellResult

from interlock.errors import InterlockError
from interlock.frameworks.calls import ToolAnswer, result_text

__all__ = ["call_id", "input_of", "line_of", "shell_output", "shell_reply", "with_line"]

JsonObject: TypeAlias = dict[str, Any]
ShellRequest: TypeAlias = ShellCommandRequest | LocalShellCommandRequest


def line_of(commands: list[str]) -> JsonObject:
    """The input of a shell that runs several commands one after the other."""
    return {"command": "\n".join(commands)}


def input_of(request: ShellRequest) -> JsonObject:
    """The input of a call, as policies know that of `Bash`."""
    action = request.data.action
    if isinstance(request, ShellCommandRequest):
        return line_of(action.commands)
    words = [f"{name}={shlex.quote(value)}" for name, value in (action.env or {}).items()]
    line = " ".join([*words, shlex.join(action.command)])
    return {"command": f"cd {shlex.quote(action.working_directory)} && {line}" if action.working_directory else line}


def call_id(request: ShellRequest) -> str:
    return str(request.data.call_id)


def with_line(request: ShellRequest, given: JsonObject) -> ShellRequest:
    """The request for an input that may run, which is the one it was made for unless a rule changed it."""
    if given == input_of(request):
        return request
    line = given.get("command")
    if not isinstance(line, str):
        raise InterlockError("the changed input has no `command`")
    if isinstance(request, ShellCommandRequest):
        action = replace(request.data.action, commands=[line])
        return replace(request, data=replace(request.data, action=action))
    changed = request.data.action.model_copy(
        update={"command": ["sh", "-c", line], "working_directory": None, "env": {}}
    )
    return replace(request, data=request.data.model_copy(update={"action": changed}))


def shell_output(result: Any) -> Any:
    """What a line printed, in the shape of a result of `Bash`."""
    if not isinstance(result, ShellResult):
        return {"stdout": str(result), "stderr": ""}
    return {
        "stdout": "\n".join(one.stdout for one in result.output),
        "stderr": "\n".join(one.stderr for one in result.output),
    }


def shell_reply(answer: ToolAnswer) -> Any:
    """What the model reads."""
    if answer.refusal is not None:
        return answer.refusal
    result = answer.result
    if answer.is_replaced:
        result = "\n".join(filter(None, map(result_text, result.values()))) if isinstance(result, dict) else result
        result = result_text(result)
    if not answer.context:
        return result
    text = result if isinstance(result, str) else "\n".join(filter(None, shell_output(result).values()))
    return f"{text}\n\n{answer.context}"
