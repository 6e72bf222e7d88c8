"""Judge an event by the rules: find those that could apply, try them in order, say what each says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import UNSET, Struct, json
from msgspec.structs import replace

from interlock.errors import InterlockError, Source
from interlock.event import CallPart, PreToolUse, ToolEvent
from interlock.facts.fields import ToolUse
from interlock.facts.own_programs import OwnPrograms, ProgramWatch, spellings
from interlock.facts.paths import UNKNOWN, visible_path
from interlock.facts.tools import shell_tools
from interlock.fold import Answers, Draft, Opinions, Round
from interlock.policy.expressions import Expression, ExpressionError, Language, history
from interlock.policy.history import EVERYTHING, WROTE, own_name
from interlock.policy.index import Index, RuleInPlace
from interlock.policy.match import EARLY_NAMES, covers, early_names, is_excused, names_fail, trials
from interlock.policy.moment import DescribedProgram, Item, Moment
from interlock.policy.orders import memory_of
from interlock.policy.rule import Rule
from interlock.policy.situation import Situation
from interlock.policy.template import Text, Value
from interlock.verdict import Opinion, Verdict, failure

if TYPE_CHECKING:
    from interlock.policy.subject import Subject

__all__ = ["Engine", "Step", "brief_of"]

JsonObject: TypeAlias = dict[str, Any]
Tracer: TypeAlias = Callable[["Step"], None]
_Left: TypeAlias = JsonObject  # what a rule's check left, as `run` in its expressions
_Found: TypeAlias = list[tuple[Item | None, _Left | None]]
_MOST_WROTE = 1_000


class Step(Struct, frozen=True):
    """What happened to one rule, for those who want to know."""

    rule: str
    outcome: str
    detail: str = ""
    opinion: Opinion | None = None
    source: Source | None = None
    programs: tuple[DescribedProgram, ...] = ()  # that it judged by a policy's description


class Engine:
    """The rules of one or several policies, in order: the lowest layer first."""

    def __init__(
        self,
        rules: Sequence[tuple[Rule, Language]],
        tools: dict[str, ToolUse],
        *,
        own: Sequence[OwnPrograms | None] = (),
        brief: bool = False,
        trace: Tracer | None = None,
    ) -> None:
        """`brief`: tell the model what the rules want when it starts. `trace` is told what becomes of each rule.

        `own` are the programs that policies describe, for each rule those that it knows; nothing if there are none.
        """
        self.rules = tuple(rules)
        self.tools = tools
        self._trace = trace
        self._own = tuple(own) or (None,) * len(self.rules)
        self._views = tuple({id(one): one for one in self._own}.values()) if any(self._own) else ()
        self._described = spellings(frozenset(name for one in self._views if one is not None for name in one.names))
        self._brief = brief_of([rule for rule, _ in self.rules]) if brief else ""
        # Whether a rule asks for files that depend on what the session wrote: only then is that kept.
        self.follows_files = any(
            one.uses("fresh") or one.uses("unread") for rule, _ in self.rules for one in rule.expressions
        )
        # The same for what results told the model to do.
        self.follows_orders = any(one.uses("followed") for rule, _ in self.rules for one in rule.expressions)
        self._marking = frozenset(
            number for number, (rule, _) in enumerate(self.rules) if any(one.uses("orders") for one in rule.expressions)
        )
        self._indexes: dict[tuple[object, ...], Index] = {}
        self._by_event: dict[str, list[tuple[int, Rule, Language]]] = {}
        for number, (rule, language) in enumerate(self.rules):
            for event in rule.events:
                self._by_event.setdefault(event, []).append((number, rule, language))
        asked = {own_name(language.policy, name) for rule, language in self.rules for name in rule.awaits}
        # The rules that others wait for. Those that a pack was told to leave out are not there, and never fire.
        self._awaited: dict[str, list[int]] = {name: [] for name in asked}
        for number, (rule, language) in enumerate(self.rules) if asked else ():
            self._awaited.get(own_name(language.policy, rule.id), []).append(number)
        self._early = {event: _early_keys(rule for _, rule, _ in rules) for event, rules in self._by_event.items()}

    def ask(self, situation: Situation, round_: Round) -> Answers:
        """What every rule that fires says; while changing, each sees what the one before it left."""
        history.history = situation.history
        try:
            answers = self._judge(situation, round_)
        finally:
            history.history = history.fired = None
        if self._brief and situation.event.hook_event_name in ("SessionStart", "SubagentStart"):
            answers[len(self.rules)] = (Opinion(by="brief", context=self._brief),)
        return answers

    def pending(self, situation: Situation) -> Iterator[tuple[str, str | None]]:
        """What the result of this call would set: variables, or keys of maps where the input alone tells them."""
        for moment in self._alone(situation):
            yield from self._pending(moment)

    def _alone(self, situation: Situation) -> Iterator[Moment]:
        """The call of an event, or each of the things that it does."""
        event = situation.event
        if not isinstance(event, ToolEvent):
            return
        parts = event.parts or [CallPart(tool_name=event.tool_name, tool_input=event.tool_input)]
        for part in parts:
            alone = replace(event, tool_name=part.tool_name, tool_input=part.tool_input, parts=None)
            yield self._moment(replace(situation, event=alone), Draft(part.tool_input))

    def _pending(self, whole: Moment) -> Iterator[tuple[str, str | None]]:
        for number, rule, language in self._by_event.get("PostToolUse", ()):
            moment = whole.under(self._own[number])
            if rule.set is None or rule.observe or not self._may_set(rule, moment):
                continue
            for name, value in rule.set.tree.items():
                kept = own_name(language.policy, name)
                if not isinstance(value, dict) or not value:
                    yield kept, None
                for key in value if isinstance(value, dict) else ():
                    yield kept, _key_from_input(key, moment, rule, language)

    def describe(self, situation: Situation, verdict: Verdict) -> tuple[Subject, str]:
        """What the call of a verdict is about, and the key of a yes to it."""
        from interlock.policy.subject import join_subjects, key_of, subject_of  # noqa: PLC0415 - few calls are asked about

        moment, reason = self._moment(situation, Draft(verdict.input)), verdict.reason or ""
        subject = subject_of(moment, reason)
        event = situation.event
        if isinstance(event, ToolEvent) and event.parts:
            subject = join_subjects(subject, [subject_of(one, reason) for one in self._alone(situation)])
        return subject, key_of(moment, subject, verdict)

    def _may_set(self, rule: Rule, moment: Moment) -> bool:
        """Whether a rule could set something when the result of this call comes, as far as the input tells."""
        condition = rule.condition
        meant = "exact" if condition.tool is None else condition.tool.match(moment.tool)
        if meant is None or (meant != "exact" and condition.server is None):
            return False
        if moment.is_guess and (condition.tool is None or condition.kind is not None):
            return False
        if (condition.kind is not None and not condition.kind.matches(moment.kind)) or names_fail(condition, moment):
            return False
        asked_before = [key for key in condition.items if key != "content"]
        return not asked_before or next(iter(trials(rule, moment)), None) is not None or "content" in condition.items

    def _judge(self, situation: Situation, round_: Round) -> dict[int, Opinions]:
        moment = first = self._moment(situation, round_.draft)
        answers: dict[int, Opinions] = {}
        done = round_.start - 1
        while (after := self._ask(moment, round_, done, answers)) is not None:
            done, draft = after
            moment = self._moment(situation, draft)  # facts are gathered anew
        if self.follows_files and isinstance(moment.event, PreToolUse) and moment.writes:
            answers[len(self.rules)] = (_wrote(moment),)
        is_marked = any(answers[number][0].would is None for number in self._marking & answers.keys())
        if self.follows_orders and (kept := memory_of(first if is_marked else None, moment)):
            answers[len(self.rules)] = (*answers.get(len(self.rules), ()), kept)
        return answers

    def _moment(self, situation: Situation, draft: Draft) -> Moment:
        watch = ProgramWatch(self._described) if self._described else None
        return Moment(situation, draft, self.tools, watch)

    def _ask(self, moment: Moment, round_: Round, done: int, answers: dict[int, Opinions]) -> tuple[int, Draft] | None:
        """Ask the rules behind `done` until one changes the call: its number, and the call as it leaves it."""
        if self._awaited:
            history.fired = partial(self._has_fired, moment)
        for placed in self._candidates(moment):
            number = placed.number
            if number <= done or not round_.start <= number < round_.stop:
                continue
            if placed.late and self._trace is None and names_fail(placed.rule.condition, moment, placed.late):
                continue  # as it would be said below, where a trace asks why
            known = moment.under(self._own[number]) if self._views else moment
            said = moment.said[number] = self._say(placed, known)
            if said is None:
                continue
            answers[number] = (said,)
            draft = round_.fold(moment.draft, answers[number])
            if draft is not moment.draft:
                moment.situation.changers.add((id(self), number))
                return number, draft  # another call may be another rule's business
        return None

    def _has_fired(self, moment: Moment, name: str) -> bool:
        """Whether another rule fires on the call as it is now, or has changed it to what it is now.

        The rules are asked again when the call has changed, and not all of them in every round, so what counts is not
        what a rule said in an earlier round but what it says of this call.
        """
        for number in self._awaited.get(name, ()):
            if (id(self), number) in moment.situation.changers:
                return True
            if number not in moment.said:
                moment.said[number] = self._judge_aside(number, moment)
            if number in moment.failed:
                raise ExpressionError(f"whether `{self.rules[number][0].id}` fired is not known, because it failed")
            if moment.said[number] is not None:
                return True
        return False

    def _judge_aside(self, number: int, moment: Moment) -> Opinion | None:
        """What a rule says of a call about which it is not asked in this round."""
        placed = next((one for one in self._candidates(moment) if one.number == number), None)
        if placed is None or names_fail(placed.rule.condition, moment):
            return None
        asking = history.policy
        try:
            return self._opine(placed, moment.under(self._own[number]))[0]
        finally:
            history.policy = asking

    def _candidates(self, moment: Moment) -> list[RuleInPlace]:
        """The rules that could fire, in order, each by what it knows of the call."""
        if not self._views or not moment.met:
            return self._index_of(moment).candidates(moment)
        found = [one for own in self._views for one in self._index_of(moment, own).candidates(moment.under(own))]
        return sorted(found, key=lambda one: one.number)

    def _index_of(self, moment: Moment, *views: OwnPrograms | None) -> Index:
        """The rules for events like this: with this name, tool, agent, mode and so on, as far as any rule asks.

        `views`: only those rules that know these descriptions.
        """
        early = self._early.get(moment.event_name, ())
        key: tuple[object, ...] = (moment.event_name, moment.tool)
        if early or views:
            key = (*key, *early_names(early, moment), *map(id, views))
        index = self._indexes.get(key)
        if index is None:
            if len(self._indexes) > 1024:  # a model may invent names without end
                self._indexes.clear()
            placed = [one for one in self._applicable(moment) if not views or self._own[one.number] in views]
            index = self._indexes[key] = Index(placed, whole=self._trace is not None)
        return index

    def _applicable(self, moment: Moment) -> Iterator[RuleInPlace]:
        for number, rule, language in self._by_event.get(moment.event_name, ()):
            condition = rule.condition
            match = "exact" if condition.tool is None else condition.tool.match(moment.tool)
            as_shell = match == "widened" and moment.tool in shell_tools()
            if match is None and condition.tool is not None and condition.tool.means_shells and moment.use.command:
                match, as_shell = "widened", True  # a tool of an MCP server that carries a shell command
            if match is None or (condition.kind is not None and not condition.kind.matches(moment.kind)):
                continue
            early = [name for name in condition.about if name in EARLY_NAMES]
            if self._trace is None and names_fail(condition, moment, early):
                continue
            late = tuple(name for name in condition.about if name not in EARLY_NAMES)
            widened = match != "exact" and condition.server is None
            guessed = moment.is_guess and (condition.tool is None or condition.kind is not None)
            yield RuleInPlace(number, rule, language, widened or guessed, late, as_shell)

    # --- one rule --------------------------------------------------------------------------------------------

    def _say(self, placed: RuleInPlace, moment: Moment) -> Opinion | None:
        rule, trace = placed.rule, self._trace
        opinion, items, why = self._opine(placed, moment)
        if trace is None:
            return opinion
        programs = moment.descriptions if self._described else ()
        if opinion is None:
            trace(Step(rule.id, "no match", why or _why_no_match(rule), None, rule.source, programs))
        else:
            why = _catch_text(items[0][0]) if items else why
            if items and placed.widened and rule.set is not None:
                why = "; ".join(filter(None, (why, "it sets nothing for a tool that it does not name in full")))
            trace(Step(rule.id, "failed" if opinion.error else "fired", why, opinion, rule.source, programs))
        return opinion

    def _opine(self, placed: RuleInPlace, moment: Moment) -> tuple[Opinion | None, _Found, str]:
        """What a rule says, the items it holds for, and why it does not hold or failed."""
        rule = placed.rule
        history.policy = placed.language.policy
        try:
            items, why = self._fires(placed, moment)
            if not items:
                return None, [], why
            opinion = self._opinion(placed, items, moment)
        except (ExpressionError, InterlockError) as error:
            opinion = _failure_of(rule, moment, error)
            moment.failed.add(placed.number)
            items, why = [], opinion.error or str(error)
        return _only_observe(opinion) if rule.observe else opinion, items, why

    def _fires(self, placed: RuleInPlace, moment: Moment) -> tuple[_Found, str]:
        """The items the rule holds for, each with what its check left; if there are none, why, if that is known."""
        rule = placed.rule
        if self._trace is not None and (missing := names_fail(rule.condition, moment)):
            return [], f"another {missing}"
        if placed.as_shell and not moment.facts.commands and not moment.facts.opaque:
            return [], "the call carries no command"
        found: _Found = []
        why = ""
        for item in trials(rule, moment):
            left, why = self._holds(placed, item, moment)
            if left is not None:
                found.append((item, left or None))
                if rule.set is None and rule.decision != "allow":
                    break  # texts and changes use the first; only `set` is done for each
            elif rule.decision == "allow":
                return [], why  # an allow holds for every item or not at all
        if found and rule.decision == "allow" and not covers(rule, moment):
            return [], "it does not cover all of the call"
        return found, why

    def _holds(self, placed: RuleInPlace, item: Item | None, moment: Moment) -> tuple[_Left | None, str]:
        """What the rule's check left (nothing if it has none), or None with the reason it does not hold."""
        rule, language = placed.rule, placed.language
        when = rule.condition.when
        after_run = False
        if when is not None:
            after_run = rule.run is not None and when.runs
            if when.needs and moment.lacks(when.needs):
                return None, f"not: {when.text}"
            if not after_run and not when.holds(moment.activation(language, rule.names, item)):
                return None, f"not: {when.text}"
        if rule.unless and is_excused(rule, item, moment, language):
            return None, "excused by `unless`"
        if rule.run is None:
            return {}, ""
        left = self._run(rule, item, moment, language)
        held = left["code"] != 0
        if after_run and when is not None:
            held = when.holds(moment.activation(language, rule.names, item, left))
        return (left, "") if held else (None, f"its check left exit code {left['code']}")

    def _run(self, rule: Rule, item: Item | None, moment: Moment, language: Language) -> _Left:
        check = rule.run
        if check is None:
            raise InterlockError("it has no `run` check")
        world = moment.situation.world
        if isinstance(check.command, str):
            outcome = world.run(check.command, check.timeout, moment.situation)
        else:
            words = check.command.build(lambda: moment.activation(language, rule.names, item))
            outcome = world.run([_word(word) for word in words], check.timeout, moment.situation)
        return outcome.variables(check.max_lines)

    def _opinion(self, placed: RuleInPlace, items: _Found, moment: Moment) -> Opinion:
        rule, language = placed.rule, placed.language
        item, left = items[0]
        change, output, after = None, UNSET, moment
        if rule.change is not None:
            change = rule.change.build(lambda: moment.activation(language, rule.names, item, left))
        if rule.output is not None:
            output = rule.output.build(lambda: moment.activation(language, rule.names, item, left))
        replaces = rule.output is not None and isinstance(rule.output.tree, Expression)
        if rule.changes:
            # Texts speak of the call, and of its result, as they will be.
            draft = moment.draft.after((Opinion(change=change, output=output, replaces=replaces),))
            after = moment.after(draft)
        decision = None if placed.widened and rule.decision == "allow" else rule.decision

        def said(text: Text | None) -> str | None:
            return None if text is None else text.render(lambda: after.activation(language, rule.names, item, left))

        return Opinion(
            by=rule.id,
            source=rule.source,
            decision=decision,
            reason=said(rule.reason) if decision is not None or rule.interrupt else None,
            interrupt=rule.interrupt,
            change=change,
            quiet=rule.quiet,
            output=output,
            replaces=replaces,
            context=None if rule.context is None else said(rule.context),
            notice=None if rule.notify is None else said(rule.notify),
            desktop=rule.desktop,
            set=None if placed.widened or rule.set is None else self._set(rule, language, items, moment),
            policy=language.policy,
            approve=rule.approve if decision == "ask" else None,
        )

    def _set(
        self,
        rule: Rule,
        language: Language,
        items: _Found,
        moment: Moment,
    ) -> JsonObject:
        if rule.set is None:
            raise InterlockError("it sets nothing")
        updates: JsonObject = {}
        for item, left in items:
            built = rule.set.build(lambda item=item, left=left: moment.activation(language, rule.names, item, left))  # type: ignore[misc]
            for name, value in built.items():
                held = updates.get(name)
                both = isinstance(held, dict) and isinstance(value, dict)
                updates[name] = {**held, **value} if both else value  # type: ignore[dict-item]
        return updates


def _wrote(moment: Moment) -> Opinion:
    """The files that the call writes, to be remembered with it."""
    policy, _, name = WROTE.rpartition("#")
    full = len(moment.situation.wrote) + len(moment.writes) > _MOST_WROTE
    return Opinion(by="interlock", policy=policy, set={name: {EVERYTHING: "written"} if full else moment.writes})


def _catch_text(item: Item | None) -> str:
    """What a rule caught, in words."""
    if item is None:
        return ""
    texts = (
        item.command and item.command.text,
        item.path and visible_path(item.path.path),
        item.url and item.url.url,
        item.text,
    )
    return ", ".join(text[:200].replace(UNKNOWN, "…") for text in texts if text)


def _word(value: Any) -> str:
    return value if isinstance(value, str) else json.encode(value).decode()


def _key_from_input(key: Any, moment: Moment, rule: Rule, language: Language) -> str | None:
    try:
        built = Value({key: None}).build(lambda: moment.activation(language, rule.names))
    except ExpressionError:
        return None
    return str(next(iter(built)))


def _failure_of(rule: Rule, moment: Moment, error: Exception) -> Opinion:
    """A rule that cannot be evaluated: the event's safe direction, unless a person wrote down another."""
    where = f"rule `{rule.id}` [{rule.source}]"
    unknown = [
        name.rpartition("#")[2]
        for name in moment.situation.unknown
        if f"state.{name.rpartition('#')[2]} " in f"{error} "
    ]
    detail = str(error)
    if unknown:
        detail = f"`{unknown[0]}` is unknown: a result that would have set it failed or never came"
    if rule.on_error == "ignore":
        return Opinion(by=rule.id, source=rule.source, error=f"{where} failed: {detail}")
    failed = failure(moment.event_name, rule.id, f"{where} failed", detail, rule.source)
    if rule.on_error == "ask" and failed.decision == "deny" and isinstance(moment.event, ToolEvent):
        return replace(failed, decision="ask")
    return failed


def _only_observe(opinion: Opinion) -> Opinion:
    """What a rule that only observes would have said, without any of it."""
    alone = "interrupt" if opinion.interrupt and opinion.decision is None else ""
    parts = [opinion.decision or alone, "change" if opinion.change is not None else "", opinion.reason or ""]
    would = " ".join(part for part in parts if part) or "fire"
    return Opinion(by=opinion.by, source=opinion.source, would=would, error=None)


def _why_no_match(rule: Rule) -> str:
    return f"no {' and '.join(rule.condition.items)} like that"


def _early_keys(rules: Iterable[Rule]) -> tuple[str, ...]:
    """The early names that any of these rules asks for."""
    asked = {name for rule in rules for name in rule.condition.about}
    return tuple(name for name in EARLY_NAMES if name in asked)


def brief_of(rules: Sequence[Rule]) -> str:
    """What the rules are about, for a model to read."""
    lines = [f"- {rule.about}" for rule in rules if rule.about]
    return "\n".join(["These rules hold for your tool calls here:", *lines]) if lines else ""
