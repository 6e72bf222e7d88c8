"""What holds while a command runs in this shell: the variables set before it, and what a function has of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from interlock.facts.shell.model import UNKNOWN
from interlock.facts.shell.state import State

__all__ = ["SAME_SHELL", "begin_call", "pass_on", "set_for"]

SAME_SHELL = frozenset({"eval", "command", "builtin", "exec", "source", "."})
_KEPT_BY_SOME = frozenset({"eval", "source", "."})  # some shells keep what is set before these
# Programs that give what they start other variables than they were given; which ones is up to their settings.
_OTHER_VARIABLES = frozenset(
    {
        "chroot",
        "doas",
        "docker",
        "machinectl",
        "nsenter",
        "pkexec",
        "podman",
        "runuser",
        "ssh",
        "su",
        "sudo",
        "systemd-run",
        "unshare",
    }
)


def pass_on(program: str, args: tuple[str, ...], state: State) -> None:
    """Let a shell see what the program that starts it leaves of the variables."""
    if program in _OTHER_VARIABLES:
        state.variables.update(dict.fromkeys(state.exported))
    elif program == "env":
        for at, word in enumerate(args):
            if word in ("-", "-i", "--ignore-environment"):
                state.exported = frozenset()
            elif word in ("-u", "--unset"):
                state.exported -= {*args[at + 1 : at + 2]}
            elif word.startswith("--unset=") or (word.startswith("-u") and len(word) > 2):
                state.exported -= {word.removeprefix("--unset=").removeprefix("-u")}


def set_for(program: str, env: Mapping[str, str], state: State) -> Callable[[], None]:
    """Set variables for one command: `x=1 eval …`, `x=1 f`. What is returned ends that."""
    before = {name: state.variables[name] for name in env if name in state.variables}
    exported = state.exported
    for name, value in env.items():
        state.assign(name, None if UNKNOWN in value else value)
    state.exported |= env.keys()

    def end() -> None:
        state.exported = exported
        for name in env:
            if name not in before:
                state.variables.pop(name, None)
            elif program in _KEPT_BY_SOME and name != "IFS" and before[name] != state.variables.get(name):
                state.variables[name] = None
            else:
                state.variables[name] = before[name]

    return end


def begin_call(args: tuple[str, ...], state: State, *, loose: bool) -> Callable[[], None]:
    """Give a function its parameters. What is returned ends the call."""
    before, sure = state.positional, state.sure
    variables, kinds, refs = dict(state.variables), dict(state.kinds), dict(state.refs)
    state.positional = args
    state.sure = next((at for at, word in enumerate(args) if UNKNOWN in word), -1) if loose else -1

    def end() -> None:
        state.positional, state.sure = before, sure
        for name, value in state.variables.items():
            if name not in variables or variables[name] != value:
                state.variables[name] = None  # it may have been the function's own
        if state.kinds != kinds or state.refs != refs:
            others = (state.kinds.items() ^ kinds.items()) | (state.refs.items() ^ refs.items())
            state.kinds, state.refs = kinds, refs
            state.pin({name for name, _ in others})

    return end
