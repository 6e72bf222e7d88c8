"""Inline shell of skills, slash commands and agents: judged like the Bash calls it amounts to, before it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from interlock import change, deny, hook
from interlock.config.bundles import load_file
from interlock.fold import Answers, Round
from interlock.hooks.run import HookSet
from interlock.hosts.claude_code.skills import SkillFiles
from interlock.judging.inline import InlinePanel, judges_commands
from interlock.judging.panels import Panels
from interlock.policy.engine import Engine
from interlock.policy.situation import Panel, Situation
from interlock.probe.world import Machine
from interlock.service import Reply, handle
from interlock.verdict import Opinion
from tests.builders import call, payload, raw

FORCE = "{id: force-push, command: git push --force, deny: It loses work.}"
ASK = "{id: pushing, command: git push, ask: Push now?}"
CHANGE = """{id: dry, command: git push, change: {command: "${input.command} --dry-run"}}"""
CHANGE_AND_ASK = """{id: dry, command: git push, change: {command: git push --dry-run}, ask: Moved.}"""
ALLOW = "{id: fine, command: git push, allow: true}"
MARK = "{id: seen, command: git push}"
OPAQUE = "{id: unclear, when: opaque, deny: It cannot be read.}"
SETS = "{id: remember, command: git push, set: {pushed: true}}"
OBSERVED = "{id: looks, command: git push, observe: true, deny: No.}"
ABOUT_SKILLS = "{id: no-skills, tool: Skill, deny: No skills.}"


class Shop:
    """A project with a policy, and whoever judges its calls."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.more: list[Panel] = []

    def put(self, path: str, text: str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def skill(self, text: str, name: str = "ship") -> Path:
        return self.put(f".claude/skills/{name}/SKILL.md", text)

    def judge(self, event: dict[str, Any], *rules: str, top: str = "") -> Reply:
        listed = "".join(f"  - {rule}\n" for rule in rules)
        policy = load_file(self.put("interlock.yaml", f"version: 1\n{top}rules:\n{listed or '  []'}\n"))
        inner = Panels([*self.more, Engine(policy.rules, policy.tools)])
        judging = judges_commands(rule for rule, _ in policy.rules) or bool(self.more)
        places = SkillFiles(str(self.root), home=self.root / "home", managed=self.root / "etc")
        return handle(
            "claude-code",
            raw({**event, "cwd": str(self.root)}),
            Panels([inner, InlinePanel(inner, places, judging=judging)]),
            alone=True,
            world=Machine(str(self.root)),
        )


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def called(name: str = "ship", args: str | None = None) -> dict[str, Any]:
    return call("Skill", skill=name, **({} if args is None else {"args": args}))


def prompted(name: str = "ship", args: str = "", source: str | None = "projectSettings") -> dict[str, Any]:
    return payload(
        "UserPromptExpansion",
        expansion_type="slash_command",
        command_name=name,
        command_args=args,
        prompt=f"/{name} {args}",
        command_source=source,
    )


def started(agent: str) -> dict[str, Any]:
    return call("Agent", description="d", prompt="p", subagent_type=agent)


PUSH = "Do it.\n!`git push --force`\n"
EVENTS = [called(), prompted()]
IDS = ["Skill", "slash command"]


# --- what counts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("event", EVENTS, ids=IDS)
def test_a_denied_inline_command_denies_what_would_run_it(shop: Shop, event: dict[str, Any]):
    file = shop.skill(PUSH)
    verdict = shop.judge(event, FORCE).verdict
    assert verdict.decision == "deny"
    assert verdict.reason == f"`/ship` would run `git push --force` ({file}:2): It loses work."
    assert [reason.by for reason in verdict.reasons] == ["force-push"]


@pytest.mark.parametrize("event", EVENTS, ids=IDS)
def test_a_harmless_one_leaves_no_trace(shop: Shop, event: dict[str, Any]):
    shop.skill("Do it.\n!`git status`\n")
    reply = shop.judge(event, FORCE)
    assert (reply.stdout, reply.verdict.opinions) == (b"{}", ())


def test_a_skill_without_inline_shell_is_nobodys_business(shop: Shop):
    shop.skill("Run `git push --force` when asked to.")
    assert shop.judge(called(), FORCE, OPAQUE).verdict.opinions == ()


def test_arguments_are_judged_in_their_places(shop: Shop):
    shop.skill("!`git push $0`")
    assert shop.judge(called(args="--force"), FORCE).verdict.decision == "deny"
    assert shop.judge(prompted(args="--force"), FORCE).verdict.decision == "deny"
    assert shop.judge(called(args="--tags"), FORCE).verdict.decision is None


def test_every_command_and_every_reason_counts(shop: Shop):
    shop.skill("!`git push --force`\n!`git push origin`")
    verdict = shop.judge(called(), FORCE, ASK).verdict
    assert verdict.decision == "deny"
    assert [opinion.by for opinion in verdict.opinions] == ["force-push", "pushing", "pushing"]


def test_what_a_change_of_the_call_would_run_is_judged(shop: Shop):
    shop.skill(PUSH)
    shop.skill("!`git status`", "look")
    move = "{id: move, tool: Skill, when: input.skill == 'look', change: {skill: ship}}"
    assert shop.judge(called("look"), FORCE, move).verdict.decision == "deny"
    back = "{id: move, tool: Skill, when: input.skill == 'ship', change: {skill: look}}"
    assert shop.judge(called("ship"), FORCE, back).verdict.decision is None


def test_rules_about_the_skill_itself_still_judge_it(shop: Shop):
    shop.skill("!`git status`")
    assert shop.judge(called(), ABOUT_SKILLS).verdict.reason == "No skills."


def test_python_hooks_judge_it_as_a_call_of_bash(shop: Shop):
    heard: list[Any] = []

    @hook("PreToolUse", tool="Bash")
    def listens(call, event):
        heard.append((call.input, call.id, event.session_id, event.agent_type))
        return deny("The hook says no.")

    shop.more = [HookSet([listens])]
    file = shop.skill(PUSH)
    verdict = shop.judge({**called(), "agent_type": "w"}).verdict
    assert verdict.reason == f"`/ship` would run `git push --force` ({file}:2): The hook says no."
    assert heard == [({"command": "git push --force"}, "toolu_1.inline.0", "s-1", "w")]


def test_those_who_read_the_bytes_of_an_event_read_those_of_the_inline_call(shop: Shop):
    class Reads:
        def ask(self, situation: Situation, round_: Round) -> Answers:
            tool = json.decode(situation.raw).get("tool_name")
            return {0: (Opinion(by="reads", decision="deny", reason=tool),)} if tool == "Bash" else {}

    shop.more = [Reads()]
    shop.skill(PUSH)
    assert (shop.judge(called()).verdict.reason or "").endswith(": Bash")


# --- what an opinion turns into ----------------------------------------------------------------------------


def test_a_question_is_asked_where_somebody_can_be(shop: Shop):
    file = shop.skill("!`git push`")
    told = f"`/ship` would run `git push` ({file}:1): Push now?"
    verdict = shop.judge(called(), ASK).verdict
    assert (verdict.decision, verdict.reason) == ("ask", told)
    verdict = shop.judge(prompted(), ASK).verdict
    assert (verdict.decision, verdict.reason) == ("deny", f"{told} (No one can be asked here.)")


@pytest.mark.parametrize("rule", [CHANGE, CHANGE_AND_ASK])
@pytest.mark.parametrize("event", EVENTS, ids=IDS)
def test_what_would_be_changed_is_denied_and_the_safe_command_named(shop: Shop, event: dict[str, Any], rule: str):
    file = shop.skill("!`git push`")
    verdict = shop.judge(event, rule).verdict
    told = f"`/ship` would run `git push` ({file}:1), which Interlock cannot change."
    assert verdict.decision == "deny"
    assert verdict.reason == f"{told} Make it run this instead: git push --dry-run"


def test_a_change_that_changes_nothing_denies_nothing(shop: Shop):
    @hook("PreToolUse", tool="Bash")
    def same(call):
        return change(command=call.input["command"])

    shop.more = [HookSet([same])]
    shop.skill("!`git push`")
    assert shop.judge(called()).verdict.decision is None


def test_an_allow_of_the_command_allows_no_skill(shop: Shop):
    shop.skill("!`git push`")
    verdict = shop.judge(called(), ALLOW).verdict
    assert verdict.decision is None
    assert [(opinion.by, opinion.decision) for opinion in verdict.opinions] == [("fine", None)]


def test_a_rule_that_fires_has_fired(shop: Shop):
    shop.skill("!`git push`")
    (opinion,) = shop.judge(called(), MARK).verdict.opinions
    assert (opinion.by, opinion.policy is not None) == ("seen", True)


def test_what_a_rule_sets_is_set(shop: Shop):
    shop.skill("!`git push`\n!`git push --force`")
    verdict = shop.judge(called(), SETS, FORCE, top="state: {pushed: false}\n").verdict
    assert [opinion.set for opinion in verdict.opinions] == [{"pushed": True}, {"pushed": True}, None]


def test_a_rule_that_only_observes_stops_nothing(shop: Shop):
    shop.skill("!`git push`")
    verdict = shop.judge(called(), OBSERVED).verdict
    assert (verdict.decision, [bool(opinion.would) for opinion in verdict.opinions]) == (None, [True])


def test_a_rule_that_fails_on_the_command_denies(shop: Shop):
    shop.skill("!`git push`")
    failing = "{id: broken, command: git push, when: input.?timeout.value() > 1, deny: No.}"
    verdict = shop.judge(prompted(), failing).verdict
    assert verdict.decision == "deny"
    assert verdict.errors


# --- what cannot be known ----------------------------------------------------------------------------------


def test_an_unknown_part_is_opaque(shop: Shop):
    shop.skill("!`echo ${user_config.token}`")
    assert shop.judge(called(), OPAQUE).verdict.decision == "deny"
    assert shop.judge(called(), FORCE).verdict.decision is None


def test_a_skill_that_is_nowhere_is_asked_about(shop: Shop):
    told = "Interlock does not know which shell commands `/nosuch` would run: its file was not found."
    verdict = shop.judge(called("nosuch"), FORCE).verdict
    assert (verdict.decision, verdict.reason) == ("ask", told)
    verdict = shop.judge(prompted("nosuch"), FORCE).verdict
    assert (verdict.decision, verdict.reason) == ("deny", f"{told} (No one can be asked here.)")


@pytest.mark.parametrize(
    "rule", [ALLOW, MARK, OBSERVED, "{id: e, tool: Edit, deny: No.}", "{id: k, kind: edit, ask: So?}"]
)
def test_nobody_is_asked_where_no_rule_judges_commands(shop: Shop, rule: str):
    assert shop.judge(called("nosuch"), rule).verdict.opinions == ()


@pytest.mark.parametrize("event", EVENTS, ids=IDS)
def test_a_file_that_cannot_be_read_denies(shop: Shop, event: dict[str, Any]):
    file = shop.skill("x" * 1_000_001)
    verdict = shop.judge(event, FORCE).verdict
    told = "Interlock could not judge what `/ship` would run"
    assert verdict.decision == "deny"
    assert verdict.reason == f"{told}: {file} cannot be read: it is longer than 1,000,000 bytes"


@pytest.mark.parametrize("source", ["builtin", "bundled"])
def test_what_the_host_brings_along_passes(shop: Shop, source: str):
    assert shop.judge(prompted("something-new", source=source), FORCE).verdict.opinions == ()
    assert shop.judge(called("simplify"), FORCE).verdict.opinions == ()


def test_a_prompt_of_an_mcp_server_passes(shop: Shop):
    prompt = {**prompted("mcp__demo__hello", source="mcp"), "expansion_type": "mcp_prompt"}
    assert shop.judge(prompt, FORCE).verdict.opinions == ()


def test_more_commands_than_can_be_judged_deny(shop: Shop):
    shop.skill("\n".join(f"!`echo {number}`" for number in range(51)))
    verdict = shop.judge(called(), FORCE).verdict
    assert verdict.reason == "`/ship` would run more than 50 shell commands, too many to judge at once"


def test_a_long_command_is_shown_in_short(shop: Shop):
    shop.skill(f"!`git push --force {'x' * 500}`")
    assert len(shop.judge(called(), FORCE).verdict.reason or "") < 400 + len(str(shop.root))


# --- who else runs inline shell ----------------------------------------------------------------------------


def test_an_agent_that_starts_with_a_skill_is_judged_by_it(shop: Shop):
    file = shop.skill(PUSH)
    shop.put(".claude/agents/w.md", "---\nname: worker\nskills: [ship]\n---\nWork.")
    verdict = shop.judge(started("worker"), FORCE).verdict
    assert verdict.reason == f"`agent worker` would run `git push --force` ({file}:2): It loses work."


@pytest.mark.parametrize("agent", ["idle", "general-purpose", "nosuch"])
def test_an_agent_without_skills_passes(shop: Shop, agent: str):
    shop.skill(PUSH)
    shop.put(".claude/agents/i.md", "---\nname: idle\n---\n!`git push --force`")
    assert shop.judge(started(agent), FORCE, OPAQUE).verdict.opinions == ()


def test_the_older_tool_has_name_and_arguments_in_one_line(shop: Shop):
    shop.put(".claude/commands/dir/ship.md", "!`git push $ARGUMENTS`")
    assert shop.judge(call("SlashCommand", command="/dir:ship --force"), FORCE).verdict.decision == "deny"
    assert shop.judge(call("SlashCommand", command="/dir:ship"), FORCE).verdict.decision is None


@pytest.mark.parametrize("given", [{}, {"skill": 3}, {"skill": ["ship"]}, {"skill": None}, {"command": 1}])
def test_a_call_without_a_name_is_asked_about(shop: Shop, given: dict[str, Any]):
    shop.skill(PUSH)
    assert shop.judge(call("Skill", **given), FORCE).verdict.decision == "ask"


def test_other_calls_and_events_are_left_alone(shop: Shop):
    shop.skill(PUSH)
    for event in (
        call("Read", file_path="/x", skill="ship"),
        payload("UserPromptSubmit", prompt="/ship"),
        payload("PermissionRequest", tool_name="Skill", tool_input={"skill": "ship"}),
        {**call("mcp__x__Skill", skill="ship"), "mcp_server": {"name": "x", "source": "user"}},
    ):
        assert shop.judge(event, FORCE).verdict.opinions == ()


def test_the_command_of_a_monitor_is_judged_as_any(shop: Shop):
    watch = call("Monitor", command="git push --force", description="d", timeout_ms=1000)
    assert shop.judge(watch, FORCE).verdict.reason == "It loses work."
    assert (
        shop.judge(call("Monitor", command="git status", description="d", timeout_ms=1), FORCE).verdict.opinions == ()
    )


# --- hooks and servers of skills and agents -----------------------------------------------------------------


def hooked(event: str, command: str) -> str:
    return f"hooks: {{{event}: [{{hooks: [{{type: command, command: {command}}}]}}]}}"


def test_a_hook_of_an_agent_is_judged_before_the_agent_starts(shop: Shop):
    file = shop.put(".claude/agents/w.md", f"---\nname: worker\n{hooked('Stop', 'git push --force')}\n---\nWork.")
    verdict = shop.judge(started("worker"), FORCE).verdict
    assert verdict.decision == "deny"
    assert verdict.reason == f"`agent worker` would run `git push --force` (a Stop hook, {file}): It loses work."


def test_a_hook_that_nobody_minds_leaves_no_trace(shop: Shop):
    shop.put(".claude/agents/w.md", f"---\nname: worker\n{hooked('Stop', 'git status')}\n---\nWork.")
    reply = shop.judge(started("worker"), FORCE, OPAQUE)
    assert (reply.stdout, reply.verdict.opinions) == (b"{}", ())


@pytest.mark.parametrize("event", ["PreToolUse", "PermissionRequest", "PostToolUse"])
def test_hooks_that_answer_for_calls_are_asked_about_whatever_they_run(shop: Shop, event: str):
    file = shop.put(".claude/agents/w.md", f"---\nname: worker\n{hooked(event, 'git status')}\n---\nWork.")
    verdict = shop.judge(started("worker"), FORCE).verdict
    assert verdict.decision == "ask"
    assert verdict.reason == (
        f"`agent worker` brings its own {event} hooks, which can replace an input that Interlock has judged ({file})."
    )


def test_an_mcp_server_of_an_agent_is_judged(shop: Shop):
    servers = "mcpServers: [known, {db: {command: sh, args: [-c, git push --force]}}]"
    file = shop.put(".claude/agents/w.md", f"---\nname: worker\n{servers}\n---\nWork.")
    verdict = shop.judge(started("worker"), FORCE).verdict
    told = "`agent worker` would run `sh -c 'git push --force'`"
    assert verdict.reason == f"{told} (the MCP server `db`, {file}): It loses work."


@pytest.mark.parametrize("event", EVENTS, ids=IDS)
def test_a_hook_of_a_skill_is_judged(shop: Shop, event: dict[str, Any]):
    shop.skill(f"---\n{hooked('Stop', 'git push --force')}\n---\nShip.")
    assert shop.judge(event, FORCE).verdict.decision == "deny"
    shop.skill(f"---\n{hooked('Stop', 'git status')}\n---\nShip.")
    assert shop.judge(event, FORCE).verdict.decision is None


@pytest.mark.parametrize("head", ["context: fork\nagent: worker", "agent: worker"])
def test_a_skill_that_runs_in_an_agent_is_judged_by_what_that_starts(shop: Shop, head: str):
    shop.put(".claude/agents/w.md", f"---\nname: worker\n{hooked('Stop', 'git push --force')}\n---\nWork.")
    shop.skill(f"---\n{head}\n---\nShip.")
    assert shop.judge(called(), FORCE).verdict.decision == "deny"
    shop.skill("---\ncontext: fork\n---\nShip.")
    assert shop.judge(called(), FORCE).verdict.decision is None


def test_an_agent_and_a_skill_that_name_each_other_are_read_once(shop: Shop):
    shop.put(".claude/agents/w.md", f"---\nname: worker\nskills: ship\n{hooked('Stop', 'git push -f')}\n---\nWork.")
    shop.skill("---\nagent: worker\n---\n!`git push --force`")
    assert len(shop.judge(called(), FORCE).verdict.opinions) == 3
    assert len(shop.judge(started("worker"), FORCE).verdict.opinions) == 2


def test_a_workflow_may_start_any_agent(shop: Shop):
    """Its script can make the name up, so that of every agent counts."""
    flow = call("Workflow", script="await agent('x', {agentType: 'wor' + 'ker'})")
    assert shop.judge(flow, FORCE).verdict.opinions == ()
    file = shop.put(".claude/agents/w.md", f"---\nname: worker\n{hooked('Stop', 'git push -f')}\n---\nWork.")
    verdict = shop.judge(flow, FORCE).verdict
    told = "`an agent of the workflow` would run `git push -f`"
    assert verdict.reason == f"{told} (a Stop hook, {file}): It loses work."


def test_what_cannot_be_read_of_an_agent_is_asked_about(shop: Shop):
    file = shop.put(".claude/agents/w.md", "---\nname: worker\nhooks: &all {}\n---\nWork.")
    verdict = shop.judge(started("worker"), FORCE).verdict
    told = "`agent worker` brings something that Interlock cannot judge: its frontmatter cannot be read"
    assert (verdict.decision, verdict.reason) == ("ask", f"{told} ({file}).")
    assert shop.judge(started("worker"), ABOUT_SKILLS).verdict.decision is None  # nobody judges commands here


def test_an_agent_whose_file_is_too_long_to_read_is_denied(shop: Shop):
    shop.put(".claude/agents/w.md", "---\nname: worker\n---\n" + "x" * 1_000_001)
    verdict = shop.judge(started("worker"), FORCE).verdict
    assert verdict.decision == "deny"
    assert "it is longer than 1,000,000 bytes" in (verdict.reason or "")
    assert shop.judge(started("general-purpose"), FORCE).verdict.decision is None
