"""Claude Code's events: one row for each. A new event of the client is a row here, its payload in `event`, and goldens.

What an event can do at all is in `effect`.
"""

from __future__ import annotations

from interlock.hosts.base.host import Failing, HostEvent

__all__ = ["EVENTS", "LEFT_OUT", "WEB_EVENTS", "WIRED"]

# How long the host waits: longer than checks may take on the event, which `effect` says. If the daemon hangs, the
# client gives up long before.
_PATIENT, _LONG, _SHORT = 3700, 600, 60


def _say(
    failing: Failing = "notice", *, seconds: int = _LONG, web: bool = False, exit_on_deny: bool = False
) -> HostEvent:
    return HostEvent(failing=failing, seconds=seconds, web=web, exit_on_deny=exit_on_deny)


def _look(seconds: int = _SHORT, failing: Failing = "notice") -> HostEvent:
    return HostEvent(failing=failing, seconds=seconds)


def _left_out(why: str, failing: Failing = "notice") -> HostEvent:
    return HostEvent(failing=failing, why_not=why)


# The events of every call go over HTTP where that is in use. All others stay with the spawned client: it starts a
# daemon if none is running, and gives each event's own answer for a failure. If a PostToolUse fails over HTTP, the
# result stays as it is; PostToolBatch, which fails too or sees that a result was missed, keeps it from the model.
#
# Exit code 2 is the one refusal that nothing on stdout and no other hook overrides. It is not used where the client
# ignores it (PermissionRequest) or where the JSON says the same to the right reader.
EVENTS: dict[str, HostEvent] = {
    "PreToolUse": _say("deny", web=True, exit_on_deny=True),
    "PermissionRequest": _say("deny", web=True),
    "PostToolUse": _say("end turn", web=True),
    "PostToolUseFailure": _say("hold back", web=True),
    "PostToolBatch": _say("stop", web=True),
    "UserPromptSubmit": _say(),  # the host's own limit is 30 seconds, after which the prompt passes
    "UserPromptExpansion": _say("block"),
    "SessionStart": _look(),
    "SessionEnd": _look(10, "last words"),  # the host waits for this one while a person waits for their shell
    "Setup": _look(),
    "Stop": _say(seconds=_PATIENT),
    "StopFailure": _look(),
    "SubagentStart": _say(),
    "SubagentStop": _say(seconds=_PATIENT),
    "Notification": _look(),
    "PreCompact": _say(),
    "PostCompact": _look(),
    "PreModelSwitch": _say("deny", exit_on_deny=True),
    "PostModelSwitch": _look(),
    "PermissionDenied": _look(),
    "TeammateIdle": _say(seconds=_PATIENT, exit_on_deny=True),
    "TaskCreated": _say(),
    "TaskCompleted": _say(seconds=_PATIENT, exit_on_deny=True),
    "Elicitation": _say("block"),
    "ElicitationResult": _say("block"),
    "ConfigChange": _say("block"),
    "InstructionsLoaded": _look(),
    "WorktreeRemove": _look(),
    "CwdChanged": _look(),
    "DirectoryAdded": _look(),
    "WorktreeCreate": _left_out(
        "the host takes whatever an entry answers as the path of the new worktree", failing="nothing"
    ),
    "MessageDisplay": _left_out("it is raised for every piece of text on its way to the screen, and decides nothing"),
    "FileChanged": _left_out(
        "it is raised only for the files that an entry's matcher names, and Interlock's entry names none"
    ),
}

WIRED: dict[str, int] = {name: event.seconds for name, event in EVENTS.items() if event.seconds is not None}
LEFT_OUT: dict[str, str] = {name: event.why_not for name, event in EVENTS.items() if event.seconds is None}
WEB_EVENTS = frozenset(name for name, event in EVENTS.items() if event.web)
