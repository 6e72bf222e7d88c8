"""What `interlock explain` says about a judgement: the verdict first, then what it changes, then who said so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from interlock.cli.layout import COLOURS, Section, changed_value, cut, flat, place_of, short_path, text_width
from interlock.errors import Source
from interlock.event import PermissionRequest, PostToolUse, PreToolUse
from interlock.facts.programs import is_known
from interlock.facts.results import meaning
from interlock.policy.count import RuleCount
from interlock.policy.engine import Step
from interlock.policy.load import Policy
from interlock.policy.moment import DescribedProgram
from interlock.testing.trial import Explanation, hooks_for, words_of
from interlock.verdict import Opinion, Verdict

__all__ = ["PolicyNotes", "data_of", "report"]

_ROOM_FOR_CATCH = 60  # characters of what a rule caught
_CALLS = (PreToolUse, PermissionRequest)


class PolicyNotes(Struct, frozen=True, kw_only=True):
    """What a person should know about the policies before they rely on a verdict."""

    bare: bool = False  # no policy applies here, except the built-in rules
    notices: tuple[str, ...] = ()
    untrusted: tuple[tuple[str, tuple[str, ...]], ...] = ()  # file, and what of it does not count
    skipped_hooks: tuple[str, ...] = ()
    skipped_checks: tuple[str, ...] = ()
    count: RuleCount = RuleCount(0)

    def with_skips(
        self,
        judges: Sequence[Policy],
        judged: Sequence[Explanation],
        checks: Sequence[str],
        count: RuleCount,
        *,
        really_run: bool,
    ) -> PolicyNotes:
        """The same, with the hooks that would have been asked about these events, and the checks that were not run."""
        hooks = [] if really_run else [name for one in judged for name in hooks_for(one.event, judges)]
        return replace(
            self, skipped_hooks=tuple(dict.fromkeys(hooks)), skipped_checks=tuple(dict.fromkeys(checks)), count=count
        )


# --- for programs ------------------------------------------------------------------------------------------------


def data_of(judged: Sequence[Explanation], notes: PolicyNotes) -> dict[str, Any]:
    """Everything, as JSON: the call, its result if one was given, and what to know about the policies."""
    found = _data(judged[0])
    found["result"] = _data(judged[1]) if len(judged) > 1 else None
    found["policy"] = {
        "active": notes.count.active,
        "observing": notes.count.observing,
        "bare": notes.bare,
        "notices": list(notes.notices),
        "untrusted": [{"file": file, "without": list(lost)} for file, lost in notes.untrusted],
    }
    found["not_asked"] = {"hooks": list(notes.skipped_hooks), "checks": list(notes.skipped_checks)}
    return found


def _data(one: Explanation) -> dict[str, Any]:
    verdict = one.verdict
    changes = [
        {"field": change.field, "by": change.by, "before": _known(change.before), "after": _known(change.after)}
        for change in verdict.changes
    ]
    return {
        "event": None if one.event is None else one.event.hook_event_name,
        "decision": verdict.decision,
        "reason": verdict.reason,
        "reasons": [
            {"text": reason.text, "rule": reason.by, "at": _place(reason.source)} for reason in verdict.reasons
        ],
        "interrupt": verdict.interrupt,
        "changes": changes,
        "input": verdict.input,
        "output": _known(verdict.output),
        "withheld": verdict.withheld,
        "context": verdict.told,
        "notices": list(verdict.notices),
        "lowered": [{"effect": loss.effect, "instead": loss.instead} for loss in verdict.lowered],
        "errors": list(verdict.errors),
        "rules": [
            {
                "rule": step.rule,
                "at": _place(step.source),
                "outcome": step.outcome,
                "why": step.detail,
                "said": words_of(step.opinion),
            }
            for step in one.steps
        ],
        "programs": [
            {"program": program.program, "at": _place(program.source), "does": list(program.traits)}
            for program in _programs(one)
        ],
        "hooks": [{"hook": opinion.by, "said": words_of(opinion)} for opinion in _of_hooks(one)],
        "answer": one.reply.stdout.decode("utf-8", "replace"),
        "exit_code": one.reply.exit_code,
        "microseconds": round(one.seconds * 1e6),
    }


def _known(value: Any) -> Any:
    return None if value is UNSET else value


def _place(source: Source | None) -> str | None:
    return None if source is None else f"{source.file}:{source.line}"


# --- for people --------------------------------------------------------------------------------------------------


def report(judged: Sequence[Explanation], notes: PolicyNotes, *, everything: bool, verbose: bool) -> str:
    """The explanation as text, set to the width of the terminal."""
    sections: list[Section] = []
    for number, one in enumerate(judged):
        if number and judged[0].verdict.decision == "deny":
            sections.append(Section("").say("The call is denied, so it returns nothing. If it ran:"))
        sections += _judgement(one, notes.count, everything, verbose)
    sections += _policy(notes)
    return "\n".join(line for section in sections for line in section.lines())


def _judgement(one: Explanation, count: RuleCount, everything: bool, verbose: bool) -> Iterator[Section]:
    yield _headline(one)
    if one.verdict.changes:
        yield _changes(one.verdict)
    if isinstance(one.event, PostToolUse):
        yield from _result(one.event, one.verdict)
    verdict = one.verdict
    if verdict.interrupt:
        yield Section("turn", "red").say(f"The turn ends: {verdict.stop_reason or 'no reason is given'}")
    if verdict.told:
        yield Section("model").say(verdict.told)
    if verdict.notices:
        yield _several("person", verdict.notices)
    if verdict.lowered:
        losses = [f"`{loss.effect}` does not count here: {loss.instead}" for loss in verdict.lowered]
        yield _several("lowered", losses)
    failed = {step.opinion.error for step in one.steps if step.opinion is not None}
    if errors := [text for text in verdict.errors if text not in failed and text not in (verdict.reason or "")]:
        yield _several("error", errors, "red")
    if programs := _programs(one):
        above = "Rules of policies above that one are judged without the description."
        yield _several("programs", [*map(_described_text, programs), above])
    yield from _rules(one, count, everything, verbose)
    if verbose:
        yield Section("answer").verbatim([one.reply.stdout.decode("utf-8", "replace").strip() or "(nothing)"])
        yield Section("time").say(f"{one.seconds * 1e6:.0f} µs")


def _programs(one: Explanation) -> tuple[DescribedProgram, ...]:
    """The programs that rules judged by a policy's description."""
    return tuple(dict.fromkeys(program for step in one.steps for program in step.programs))


def _described_text(program: DescribedProgram) -> str:
    also = "also " if is_known(program.program) else ""
    does = f": {', '.join(program.traits)}" if program.traits else ""
    return f"`{program.program}` is {also}read as {place_of(program.source)} describes it{does}."


def _several(label: str, texts: Sequence[str], colour: str | None = None) -> Section:
    section = Section(label, colour)
    for text in texts:
        section.say(text)
    return section


def _headline(one: Explanation) -> Section:
    verdict = one.verdict
    if isinstance(one.event, PostToolUse) and verdict.decision is None:
        word, colour, said = _about_result(verdict)
        return Section(word, colour).say(said)
    decision = verdict.decision or "none"
    section = Section(decision, COLOURS[decision])
    if verdict.decision is None:
        called = isinstance(one.event, _CALLS)
        return section.say(
            "No rule decides about this call: the host does what its own settings say."
            if called
            else "No rule decides about this event."
        )
    indent = 0 if len(verdict.reasons) < 2 else 3
    for number, reason in enumerate(verdict.reasons, 1):
        section.say(reason.text, indent, f"{number}." if indent else "")
        section.say(f"by {_name(reason.by, reason.source)}", indent)
    if not verdict.reasons:
        deciders = [one for one in verdict.opinions if one.decision == verdict.decision]
        section.say(f"by {', '.join(_name(one.by, one.source) for one in deciders) or 'Interlock itself'}")
    return section


def _about_result(verdict: Verdict) -> tuple[str, str, str]:
    if verdict.withheld is not None:
        return "withheld", "red", f"The model does not read this result: {verdict.withheld}"
    if verdict.output is not UNSET:
        by = ", ".join(dict.fromkeys(one.by for one in verdict.opinions if one.output is not UNSET))
        return "replaced", "yellow", f"The model reads another result, changed by {by or 'Interlock'}."
    return "passed", "green", "The model reads this result as it is."


def _name(by: str, source: Source | None) -> str:
    where = place_of(source)
    return f"`{by}`" + (f" ({where})" if where else "")


def _changes(verdict: Verdict) -> Section:
    section = Section("changed", "yellow")
    for change in verdict.changes:
        label, by = f"{change.field}: ", f"  (`{change.by}`)"
        _say_change(section, label, by, change.before, change.after)
    return section


def _say_change(section: Section, label: str, by: str, before: Any, after: Any) -> None:
    room = text_width() - 10
    short, lines = changed_value(before, after, room - len(label) - len(by))
    if short:
        section.verbatim([f"{label}{short}{by}"])
    else:
        section.verbatim([f"{label.rstrip()}{by}"])
        section.verbatim(lines, indent=2, mark=2)


def _result(event: PostToolUse, verdict: Verdict) -> Iterator[Section]:
    if verdict.output is UNSET or verdict.withheld is not None:
        return
    before, after = meaning(event.tool_name, event.tool_response), verdict.output
    section = Section("result", "yellow")
    if isinstance(before, dict) and isinstance(after, dict):
        for name in dict.fromkeys((*before, *after)):
            old, new = before.get(name, UNSET), after.get(name, UNSET)
            if old is UNSET or new is UNSET or old != new:
                _say_change(section, f"{name}: ", "", old, new)
    else:
        _say_change(section, "", "", before, after)
    yield section


# --- who said so -------------------------------------------------------------------------------------------------


def _rules(one: Explanation, count: RuleCount, everything: bool, verbose: bool) -> Iterator[Section]:
    fired = [step for step in one.steps if step.outcome == "fired"]
    if fired or _of_hooks(one):
        section = Section("fired", "yellow")
        for step in fired:
            _say_step(section, step, verbose)
        for opinion in _of_hooks(one):
            section.say(f"hook `{opinion.by}` → {words_of(opinion)}")
        yield section
    failed = [step for step in one.steps if step.outcome == "failed"]
    if failed:
        section = Section("failed", "red")
        for step in failed:
            _say_step(section, step, verbose)
            if flat(step.detail) not in flat(one.verdict.reason or ""):  # otherwise the verdict has said it
                section.say(flat(step.detail), indent=2)
        yield section
    others = [step for step in one.steps if step.outcome == "no match"]
    if everything and others:
        section = Section("no match")
        for step in others:
            why = f": {flat(step.detail)}" if verbose and step.detail else ""
            section.say(f"{_name(step.rule, step.source)}{why}")
        yield section
    more = "; --all lists the others" if others and not everything else ""
    rules = f"{count.total} rule{'s' * (count.total != 1)}"
    yield Section("").say(f"{len(one.steps)} of {rules} checked, {len(fired)} fired{more}.")


def _say_step(section: Section, step: Step, verbose: bool) -> None:
    said = words_of(step.opinion)
    caught = cut(flat(step.detail), None if verbose else _ROOM_FOR_CATCH) if step.outcome == "fired" else ""
    section.say(_name(step.rule, step.source) + (f" on {caught}" if caught else "") + (f" → {said}" if said else ""))


def _of_hooks(one: Explanation) -> list[Opinion]:
    """The opinions that no rule gave: those of hooks."""
    rules = {step.rule for step in one.steps}
    found = [opinion for opinion in one.verdict.opinions if opinion.by not in rules]
    return [opinion for opinion in found if opinion.by not in ("interlock", "brief", "") and opinion.policy is None]


def _policy(notes: PolicyNotes) -> Iterator[Section]:
    """What a person should know before they rely on the verdict."""
    if notes.skipped_hooks:
        names = ", ".join(notes.skipped_hooks)
        yield Section("hooks", "yellow").say(
            f"Not asked: {names}. A hook may decide otherwise; --run asks them, which runs their code."
        )
    if notes.skipped_checks:
        names = ", ".join(f"`{name}`" for name in notes.skipped_checks)
        yield Section("checks", "yellow").say(
            f"Not run: the `run` check of {names}, which counts as passed. --run really runs it."
        )
    if notes.bare:
        rules = f"{notes.count.total} built-in rules"
        yield Section("policy", "yellow").say(
            f"No policy applies in this folder, so only Interlock's {rules} were asked. Run `interlock init` to write "
            "one, or name one with --policy or --pack."
        )
    notices = list(notes.notices)
    for file, lost in notes.untrusted:
        own = next((text for text in notices if text.startswith(f"{file} ")), None)
        if own is not None:
            notices.remove(own)
        text = own if own is not None else f"{file} is not trusted, so only its deny and ask rules count"
        text = text.replace(file, short_path(file), 1)
        without = f" Without effect until then: {', '.join(lost)}." if lost else ""
        yield Section("trust", "yellow").say(f"{text}.{without} Read the file, then run `interlock trust`.")
    if notices:
        yield _several("policy", notices, "yellow")
