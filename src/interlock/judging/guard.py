"""A guard: one or several policies, their hooks and a store, combined so that they answer events."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from msgspec import Struct, json
from msgspec.structs import replace

from interlock.config.bundles import programs_of
from interlock.config.settings import inbox_settings
from interlock.event import Event, PreToolUse, SessionStart, UserPromptExpansion, UserPromptSubmit
from interlock.facts.own_programs import OwnPrograms
from interlock.fold import Answers, Round
from interlock.judging.asking import BY_HOST, AnswerPanel, Asking, Asks
from interlock.judging.inline import InlinePanel, SkillPlaces, judges_commands, may_run_skill
from interlock.judging.panels import Panels
from interlock.judging.sitting import Sitting
from interlock.policy.count import count_rules
from interlock.policy.engine import Engine, Tracer
from interlock.policy.expressions import Language, rules_asked
from interlock.policy.history import SAID, TOLD, WROTE, own_name
from interlock.policy.load import ExternalHook, Policy
from interlock.policy.rule import Rule
from interlock.policy.situation import Panel, Situation, World
from interlock.receipts.ledger import Ledger, StatePlan
from interlock.store.base import Store
from interlock.store.memory import MemoryStore
from interlock.verdict import Opinion

if TYPE_CHECKING:
    from interlock.hooks.process import HookProcess

__all__ = ["Guard"]


def _keys_of(policies: Sequence[Policy]) -> list[str]:
    """A key for each policy's own state and firings; two versions of one file have different keys too."""
    keys: list[str] = []
    for policy in policies:
        key = policy.file
        while key in keys:
            key += "'"
        keys.append(key)
    return keys


def _beside(policy: Policy, hook: ExternalHook) -> str | tuple[str, ...] | None:
    """The program of a hook. A relative path starts at the policy's folder, whatever folder the agent is in."""
    # The agent chooses its working folder, and must not choose with it which program guards it.
    folder = Path(policy.file).absolute().parent
    if isinstance(hook.run, tuple) and hook.run[0].startswith(("./", "../")):
        return (str(folder / hook.run[0]), *hook.run[1:])
    if isinstance(hook.run, str) and hook.run.startswith(("./", "../")):
        program, space, rest = hook.run.partition(" ")
        return shlex.quote(str(folder / program)) + space + rest
    return hook.run


def _rules_of(policy: Policy, key: str) -> list[tuple[Rule, Language]]:
    """A policy's rules under its key. `observe` and `approve` of a policy apply to its own rules and to no others."""
    languages = {id(language): language.under(key) for _, language in policy.rules}
    return [(_as_policy_says(rule, policy), languages[id(language)]) for rule, language in policy.rules]


def _as_policy_says(rule: Rule, policy: Policy) -> Rule:
    if policy.observe:
        rule = replace(rule, observe=True)
    if policy.approve is not None and rule.approve is None and rule.decision == "ask":
        rule = replace(rule, approve=policy.approve)
    return rule


def _own_programs(policies: Sequence[Policy]) -> list[OwnPrograms | None]:
    """The descriptions that the rules of each policy know, the lowest layer first: its own, and those of layers above.

    So no file makes a program known to the rules of a layer above it. A policy that only observes has no effect on
    others. Two versions of one file are one layer.
    """
    made: dict[tuple[int, ...], OwnPrograms] = {}
    found: list[OwnPrograms | None] = []
    for place, policy in enumerate(policies):
        above = [other for other in policies[place:] if other is policy or not other.observe]
        same = [other for other in policies[:place] if other.file == policy.file]
        layers = [other.programs for other in (*reversed(above), *same) if other.programs]
        key = tuple(map(id, layers))
        if layers and key not in made:
            made[key] = OwnPrograms(layers)
        found.append(made[key] if layers else None)
    return found


def _digest_of(policies: Sequence[Policy], hooks: Sequence[Path], **options: bool) -> str:
    """A digest of what a guard judges by: its policies and hooks by content, and its options."""
    digest = hashlib.sha256(json.encode(sorted(options.items())))
    for policy in policies:
        digest.update(json.encode((policy.file, policy.digest, policy.observe)))
        folder = Path(policy.file).absolute().parent
        for name in [*(hook for hook, _ in policy.hook_files), *programs_of(policy)]:
            _add_file(digest, folder / name)
    for hook in hooks:
        _add_file(digest, hook)
    return digest.hexdigest()


def _add_file(digest: hashlib._Hash, file: Path) -> None:
    try:
        body = hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError as error:  # running it will fail closed; until then it counts as another file
        body = str(error)
    digest.update(json.encode((str(file), body)))


# The events at which a person is looking; a notice at every call would be noise.
_TELLS = (SessionStart, UserPromptSubmit)
_MAY_RUN_SKILLS = (PreToolUse, UserPromptExpansion)


class _Notices(Struct):
    """What a person should know about the policies, shown when a session starts and with each prompt."""

    summary: str
    texts: tuple[str, ...]

    def ask(self, situation: Situation, round_: Round) -> Answers:
        match situation.event.hook_event_name:
            case "SessionStart":
                return {0: tuple(Opinion(by="interlock", notice=text) for text in (self.summary, *self.texts))}
            case "UserPromptSubmit" if self.texts:
                return {0: tuple(Opinion(by="interlock", notice=text) for text in self.texts)}
        return {}


class Guard:
    """Answers the events of hosts under its policies."""

    def __init__(
        self,
        policies: Sequence[Policy],
        world: World,
        store: Store,
        *,
        project: str = "/",
        alone: bool = False,
        trace: Tracer | None = None,
        run_hooks: bool = True,
        host: str | None = None,
        hooks: Sequence[Path] = (),
        notices: Sequence[str] = (),
        whole: bool = False,
        name: str = "",
    ) -> None:
        """`alone`: the host has no other hook. `whole`: every event of the host comes here.

        `name` distinguishes this guard from others that answer the same events. It stays when the guard's files change.
        """
        keys = _keys_of(policies)
        tools = {name: use for policy in policies for name, use in policy.tools.items()}
        rules = [pair for key, policy in zip(keys, policies, strict=True) for pair in _rules_of(policy, key)]
        own = [one for policy, one in zip(policies, _own_programs(policies), strict=True) for _ in policy.rules]
        self._world = world
        self._project = project
        self._name = name
        self._alone = alone
        self._host = host
        self.engine = Engine(rules, tools, own=own, brief=any(policy.brief for policy in policies), trace=trace)
        self._processes: list[HookProcess] = []
        self._notices = _Notices(f"Interlock: {count_rules(policies)}.", tuple(notices))
        self._panels = (*(self._hooks(policies, project, hooks) if run_hooks else ()), self.engine)
        # A hook may judge anything, so if there is one, shell commands are taken to be judged.
        self._judging = len(self._panels) > 1 or judges_commands(rule for rule, _ in rules)
        plan = self._plan(policies, keys)
        judges = _digest_of(policies, hooks if run_hooks else (), alone=alone, hooks_run=run_hooks)
        self._wait = inbox_settings(policies).wait
        self._memory = Ledger(store, plan, project=project, user=world.user(), whole=whole, guard=name, judges=judges)

    def __enter__(self) -> Guard:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def sitting(
        self,
        event: Event | None,
        beside: Sequence[Panel] = (),
        skills: Callable[[], SkillPlaces] | None = None,
        release: Callable[[], None] = lambda: None,
        asks: Asks = BY_HOST,
    ) -> Sitting:
        """Who judges this event.

        `beside` is asked before the policies; `skills` finds what a skill would run; `release` ends the sitting.
        `asks` says how a person is asked.
        """
        if self._wait is not None and asks.seconds > self._wait:
            asks = replace(asks, seconds=self._wait)
        if asks.answer is not None:
            beside = (AnswerPanel(asks.answer), *beside)
        return Sitting(
            panel=self._panel_for(event, beside, skills),
            memory=self._memory,
            world=self._world,
            alone=self._alone,
            host=self._host,
            asking=Asking(describe=self.engine.describe, project=self._project, guard=self._name, asks=asks),
            pending=self.engine.pending,
            release=release,
        )

    def forgetful_sitting(self, event: Event | None, past: MemoryStore | None = None) -> Sitting:
        """Who judges this event if nothing about it is to be remembered. `past`: what is known of earlier events."""
        return replace(self.sitting(event), memory=Ledger(past or MemoryStore(), self._memory.plan))

    def _panel_for(
        self, event: Event | None, beside: Sequence[Panel], skills: Callable[[], SkillPlaces] | None
    ) -> Panel:
        everybody: list[Panel] = [*beside, *self._panels]
        if isinstance(event, _TELLS):
            everybody.insert(len(beside), self._notices)
        if skills is not None and isinstance(event, _MAY_RUN_SKILLS) and may_run_skill(event):
            # Last, because it must see the skill and the arguments that all others left.
            everybody.append(InlinePanel(Panels(self._panels), skills(), judging=self._judging))
        return everybody[0] if len(everybody) == 1 else Panels(everybody)

    def printed(self) -> str:
        """What Python hooks printed since the last call."""
        return "".join(process.printed() for process in self._processes)

    def close(self) -> None:
        """End the hooks' workers."""
        for process in self._processes:
            process.close()

    def _hooks(self, policies: Sequence[Policy], project: str, more: Sequence[Path]) -> list[Panel]:
        found: list[Panel] = []
        # A rule can be evaluated without its effect; a hook is code, and running it is an effect.
        policies = [policy for policy in policies if not policy.observe]
        own = [[Path(policy.file).parent / file for file, _ in policy.hook_files] for policy in policies]
        if not (more or any(own) or any(policy.externals for policy in policies)):
            return found
        # What runs other programs takes long to import, and most policies have no hooks.
        from interlock.hooks.external import External, ExternalSet  # noqa: PLC0415
        from interlock.hooks.process import HookProcess  # noqa: PLC0415

        # One process for each policy: the hooks of one policy cannot tamper with those of another.
        self._processes = [HookProcess(files) for files in [*own, list(more)] if files]
        found += self._processes
        externals = [
            External(
                run=_beside(policy, hook),
                url=hook.url,
                dialect=hook.dialect,
                events=hook.events,
                tool=hook.tool,
                timeout=hook.timeout,
                name=hook.name,
                source=hook.source,
            )
            for policy in policies
            for hook in policy.externals
        ]
        if externals:
            found.append(ExternalSet(externals, cwd=project, environ=os.environ, project=project))
        return found

    def _plan(self, policies: Sequence[Policy], keys: Sequence[str]) -> StatePlan:
        pairs = list(zip(keys, policies, strict=True))
        state = {own_name(key, name): spec for key, policy in pairs for name, spec in policy.state.items()}
        scopes = {name: spec.scope for name, spec in state.items()}
        defaults = {name: spec.default for name, spec in state.items()}
        if self.engine.follows_files:
            scopes[WROTE], defaults[WROTE] = "session", {}
        if self.engine.follows_orders:
            scopes[TOLD], defaults[TOLD] = "session", {}
            scopes[SAID], defaults[SAID] = "session", {}
        situation: set[str] = set()
        for key, policy in pairs:
            named = [found for rule, _ in policy.rules for one in rule.expressions for found in rules_asked(one.text)]
            ids = {name for _, name, _ in named if name is not None}
            if any(name is None for _, name, _ in named):  # the name is computed, so it may be that of any rule
                ids |= {rule.id for rule, _ in policy.rules}
            situation |= {own_name(key, name) for name in ids}
        return StatePlan(
            scopes=scopes,
            defaults=defaults,
            rules=frozenset(situation),
            counted=frozenset({"session", "agent", "project", "user"}) if situation else frozenset(),
            silent=frozenset(
                rule.id
                for policy in policies
                for rule, _ in policy.rules
                if "PostToolUse" in rule.events and rule.output is None
            ),
        )
