"""Agents that run commands by themselves, started from a shell. `claude` is guarded where its settings say so."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["NAMES", "TABLE"]

_STARTS = "agent/starts network interactive"
_ALONE = f"{_STARTS} agent/unguarded"  # nothing of ours stands in their settings
_CLAUDE = (
    "add-dir= agent= agents= allow-dangerously-skip-permissions allowedTools/allowed-tools= append-system-prompt= "
    "append-system-prompt-file= autocompact= ax-screen-reader bg/background bare betas= brief chrome cloud? c/continue "
    "dangerously-skip-permissions d/debug? debug-file=write desktop disable-slash-commands "
    "disallowedTools/disallowed-tools= effort= environment= exclude-dynamic-system-prompt-sections fallback-model= "
    "file= fork-session forward-subagent-text from-pr? h/help ide include-hook-events include-partial-messages "
    "init init-only input-format= json-schema= maintenance max-budget-usd= max-turns= mcp-config= model= n/name= "
    "no-chrome no-session-persistence output-format= permission-mode= permission-prompt-tool= permission-prompts= "
    "plugin-dir= plugin-url= p/print prompt-suggestions? remote-control? remote-control-session-name-prefix= "
    "replay-user-messages restricted r/resume? safe-mode session-id= setting-sources= settings= strict-mcp-config "
    "system-prompt= system-prompt-file= system-prompt-snapshot= teammate-mode= teleport? tmux? tools= verbose "
    "v/version w/worktree?"
)


def _session(draft: UseDraft) -> None:
    """Whether a session begins, or only a page of text is shown."""
    flags = set(draft.flags)
    if {"--version", "--help"} & flags or (flags and flags <= {"-v", "-V", "-h"} and not draft.operands):
        draft.looks(*_STARTS.split(), "agent/unguarded")


def _other(shows: str = "", keeps: str = "", options: str = "*") -> Program:
    """An agent by its words that only show something, and those that look after it. All others begin a session."""
    subs = {"help version completion --version --help -h": look("*", "text*")}
    subs |= {shows: look("*", "text*", "network")} if shows else {}
    subs |= {keeps: act("changes network", "*")} if keeps else {}
    return Program(options, "text*", _ALONE, subs={**subs, "*": act(_ALONE, "*", special=_session)}, special=_session)


TABLE: Table = {
    "claude claude-code": Program(_CLAUDE, "text*", _STARTS, special=_session, subs={
        "doctor logs agents auto-mode help": look("*", "text*", "network"),
        "mcp": Program("*", "text*", "read-only network", subs={"list get help": look("*", "text*", "network"),
            "serve": act(_STARTS, "*"), "*": act("changes network", "*")}),
        "plugin plugins": Program("*", "text*", "read-only", subs={"list validate help": look("*", "text*", "network"),
            "*": act("installs-package network", "*")}),
        "config": Program("*", "text*", "read-only", subs={"list ls get help": look("*"), "*": act("changes", "*")}),
        "update upgrade install migrate-installer": act("installs-package network", "*"),
        "auth setup-token login logout": act("signs-in network", "*"),
        "stop kill rm purge import project": act("changes", "*"),
        "attach": act("interactive", "*"),
        "respawn": act(_STARTS, "*"),
        "ultrareview": act("network", "*"),
        "gateway": act("network/listens network", "*"),
        "*": act(_STARTS, _CLAUDE, special=_session),
    }),
    "codex": _other("features", "login logout mcp apply a sandbox debug"),
    "gemini qwen iflow": _other("", "mcp extensions extension hooks skills skill gemma"),
    "aider": _other(options="* version list-models= models= show-prompts show-repo-map"),
    "opencode": _other("models stats agent debug export session", "auth import mcp upgrade uninstall plugin providers"),
    "cursor-agent": _other("status whoami about models ls", "login logout update mcp create-chat"),
    "amp": _other("doctor tools usage", "login logout mcp update threads skill permissions"),
    "crush": _other("models dirs logs schema", "login logout projects update-providers"),
    "openclaw": _other("channels doctor nodes status", "message onboard gateway config configure login"),
    "droid auggie kimi grok kiro-cli": _other("", "login logout mcp update token"),
    "cline roo kilocode openhands codebuff plandex sweagent mini-swe-agent vibe gptme "
    "open-interpreter interpreter": _other(
        "", "auth login logout update mcp config sign-in"),
}  # fmt: skip

# Every name of one, for whoever meets a program under another.
NAMES = frozenset(name for names in TABLE for name in names.split())
