"""`can_use_tool` is never asked about a tool that is already allowed

## What
`can_use_tool` refuses calls of a tool that is also in `allowed_tools`, or it is given together with
`permission_mode="bypassPermissions"`.

## Why
The SDK asks `can_use_tool` only if nothing else has decided. A tool in `allowed_tools` runs without a question, and
`bypassPermissions` lets everything run, so the refusal is never reached. Hooks on PreToolUse see every call.

## Example
```python
options = ClaudeAgentOptions(allowed_tools=["Read", "Bash"], can_use_tool=refuse_dangerous_commands)
```

## Fix
```python
options = ClaudeAgentOptions(allowed_tools=["Read"], can_use_tool=refuse_dangerous_commands)
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.program import Ending, HookProgram
from interlock.hook_lint.wiring import HookSubject

CODE = "IL804"
ABOUT = "hook"
# Which tools have a field that a refusal looks at. What is read from `file_path` may be about Read, too.
_TOOLS_WITH: dict[tuple[str, ...], tuple[str, ...]] = {
    ("tool_input", "command"): ("Bash",),
    ("tool_input", "content"): ("Write",),
    ("tool_input", "new_string"): ("Edit",),
    ("tool_input", "url"): ("WebFetch",),
}


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every place where the callback is given and cannot be reached."""
    program = subject.program
    if program.mode != "permission":
        return
    for one in program.registered:
        if one.permission_mode == "bypassPermissions":
            message = f"with `bypassPermissions` nothing ever asks `{program.name}`"
            yield at(CODE, program, one.span, message, 'leave the mode out, or write "default"')
            continue
        whole = {name.removesuffix("(*)") for name in one.allowed_tools}
        shadowed = sorted(_tools_refused_by(program) & whole)
        if shadowed:
            listed = ", ".join(f"`{name}`" for name in shadowed)
            message = f"{listed} runs without asking `{program.name}`, which would refuse some of its calls"
            yield at(CODE, program, one.span, message, f"take {listed} out of `allowed_tools`")


def _tools_refused_by(program: HookProgram) -> set[str]:
    """The tools of which the callback refuses calls."""
    return {tool for ending in program.endings if _refuses(ending) for tool in _tools_of(ending)}


def _refuses(ending: Ending) -> bool:
    return any(isinstance(said.value, dict) and said.value.get("behavior") == "deny" for said in ending.on("return"))


def _tools_of(ending: Ending) -> tuple[str, ...]:
    return ending.tools or tuple(tool for path in ending.paths for tool in _TOOLS_WITH.get(path, ()))
