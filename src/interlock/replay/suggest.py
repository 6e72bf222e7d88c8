"""Propose changes to a policy that asks too often, each measured by a replay with it.

Only questions are reconsidered. A rule that denies is left alone, and a change that would let pass a call that was
denied is not proposed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import yaml
from msgspec import Struct, field

from interlock.config.bundles import find_pack
from interlock.errors import InterlockError
from interlock.policy.load import Policy, load_policy
from interlock.policy.positions import read_yaml
from interlock.policy.rule import Rule
from interlock.replay.judge import PastJudge
from interlock.replay.playback import Scene
from interlock.replay.shapes import command_shapes, folders_of, shape_of
from interlock.replay.steps import PastCall
from interlock.replay.tally import ReplayTally, Shape, example_of, reason_of

__all__ = ["Exceptions", "Replay", "Suggestion", "measure_exception", "suggest"]

JsonObject: TypeAlias = dict[str, Any]
Replay: TypeAlias = Callable[[Sequence[PastJudge], frozenset[str]], Iterator[Scene]]
"""Plays the sessions with these ids to judges."""

Kind: TypeAlias = Literal["without", "unless", "observe"]
_MOST_GROUPS = 6  # each is tried with up to five replays of some sessions
_FEWEST_ASKS = 2  # once is not nagging
_MOST_EXCEPTIONS = 2  # of each kind that are tried for a rule
_MOST_COUNTED = 500
_STOPS = ("deny", "ask", "defer")
# Folders for things that may go at any time, and of no others: an exception must not open a person's own files.
_SCRATCH = ("/tmp", "/var/tmp", "/private/tmp", "/dev/shm")  # noqa: S108


class Suggestion(Struct):
    """A change to a policy, and what a replay with it came to."""

    rule: str  # or several, if only all of them together would free a call
    about: str
    kind: Kind
    text: str  # a policy with the change, to be merged into one's own
    stops: int  # in all sessions, without the change
    asked: int  # by the rule, or by all of several rules
    freed: int = 0
    ran: int = 0
    refused: int = 0  # by a person, a setting or a hook at the time
    file: str = ""  # of the policy to change
    questions: int = 0  # in the sessions that were replayed, without the change
    shapes: dict[str, Shape] = field(default_factory=dict)

    def most_frequent(self) -> list[Shape]:
        """What it frees, the most frequent shapes first."""
        return sorted(self.shapes.values(), key=lambda shape: (-shape.count, shape.shape))


class Exceptions:
    """What the calls that each rule asks about have in common, so that an exception can be made for it."""

    def __init__(self) -> None:
        self._commands: dict[str, Counter[str]] = {}
        self._folders: dict[str, Counter[str]] = {}

    def add(self, scene: Scene) -> None:
        """Look at one call."""
        if not isinstance(scene.what, PastCall):
            return
        for opinion in scene.said[-1].call.opinions:
            if opinion.decision == "ask":
                _count(
                    self._commands.setdefault(opinion.by, Counter()), command_shapes(scene.what, opinion.reason or "")
                )
                _count(self._folders.setdefault(opinion.by, Counter()), folders_of(scene.what))

    def for_rule(self, rule: str) -> list[JsonObject]:
        """Conditions for `unless`, the most promising first."""
        found: list[JsonObject] = []
        for shape, number in self._commands.get(rule, Counter()).most_common(_MOST_EXCEPTIONS):
            if number > 1:
                found.append({"command": shape})
        scratch = [
            (folder, number)
            for folder, number in self._folders.get(rule, Counter()).most_common()
            if number > 1 and any(folder == one or folder.startswith(f"{one}/") for one in _SCRATCH)
        ]
        return [*found, *({"path": f"{folder}/**"} for folder, _ in scratch[:_MOST_EXCEPTIONS])]


def _count(counter: Counter[str], words: set[str]) -> None:
    counter.update(word for word in words if word in counter or len(counter) < _MOST_COUNTED)


def suggest(
    acting: Sequence[Policy], tally: ReplayTally, exceptions: Exceptions, replay: Replay
) -> Iterator[Suggestion]:
    """For what asks most: the narrowest change to a rule that frees some calls, and leaving out what asks."""
    groups = sorted(tally.asked_together.items(), key=lambda pair: (-pair[1], sorted(pair[0])))
    for ids, number in groups[:_MOST_GROUPS]:
        found = [_find_rule(acting, id) for id in sorted(ids)]
        rules = [one[1] for one in found if one is not None and one[1].decision == "ask"]
        places = {one[0] for one in found if one is not None}
        if number < _FEWEST_ASKS or len(rules) < len(ids) or len(places) != 1:
            continue
        sessions = frozenset(session for id in ids for session in tally.rules[id].sessions)
        asked = tally.rules[rules[0].id].effects["asked"] if len(rules) == 1 else number
        trial = _Trial(acting, places.pop(), rules, (tally.stops, asked), sessions, replay)
        if len(rules) == 1:
            narrow = trial.narrowest(exceptions.for_rule(rules[0].id))
            if narrow is not None and narrow.freed < number:
                yield narrow
        whole = trial.without()
        if whole is not None:
            yield whole


def measure_exception(
    acting: Sequence[Policy], ids: Sequence[str], exception: JsonObject, sessions: frozenset[str], replay: Replay
) -> Suggestion | None:
    """What an exception to rules that ask would have come to.

    If they would then ask about nothing any more, leaving them out is measured instead, or having them only observe.
    None if the change cannot be written, frees nothing, or frees a call that was denied or refused.
    """
    found = [_find_rule(acting, id) for id in ids]
    rules = [one[1] for one in found if one is not None and one[1].decision == "ask"]
    places = {one[0] for one in found if one is not None}
    if not rules or len(rules) < len(ids) or len(places) != 1:
        return None
    trial = _Trial(acting, places.pop(), rules, (0, 0), sessions, replay)
    narrow = trial.excepting(exception)
    if narrow is not None and narrow.freed == narrow.questions and set(exception) == {"command"}:
        whole = trial.without() or trial.observing()
        narrow = whole if whole is not None and not _is_exact(exception) else narrow
    return narrow if narrow is not None and not narrow.refused else None


def _is_exact(exception: JsonObject) -> bool:
    return all(pattern.startswith("/^") for pattern in exception["command"])


class _Trial:
    """Rules of one policy that ask about the same calls, and what becomes of these if the policy is changed."""

    def __init__(
        self,
        acting: Sequence[Policy],
        place: int,
        rules: Sequence[Rule],
        counts: tuple[int, int],
        sessions: frozenset[str],
        replay: Replay,
    ) -> None:
        self._acting = acting
        self._place = place
        self._rules = rules
        self._stops, self._asked = counts
        self._sessions = sessions  # in the others, these rules had nothing to say
        self._replay = replay
        self._document = _document(acting[place])

    def narrowest(self, conditions: Sequence[JsonObject]) -> Suggestion | None:
        """The exception to the first rule that frees the most calls."""
        policy, rule = self._acting[self._place], self._rules[0]
        drafts = [_with_exception(policy, self._document, rule, one) for one in conditions]
        measured = [self._measure(draft) for draft in drafts if draft is not None]
        return max((one for one in measured if one is not None), key=lambda one: one.freed, default=None)

    def without(self) -> Suggestion | None:
        """Leaving all of them out."""
        draft = _without(self._acting[self._place], self._document, self._rules)
        return self._measure(draft) if draft is not None else None

    def excepting(self, condition: JsonObject) -> Suggestion | None:
        """One exception to all of them."""
        policy, document = self._acting[self._place], self._document
        rules: list[JsonObject] = []
        for rule in self._rules:
            draft = _with_exception(policy, document, rule, condition)
            if draft is None:
                return None
            document = draft.document
            rules += draft.part["rules"]
        packs = [one for one in document.get("packs") or () if one not in (self._document.get("packs") or ())]
        part: JsonObject = {**({"packs": packs} if packs else {}), "rules": rules}
        return self._measure(_Draft("unless", document, part))

    def observing(self) -> Suggestion | None:
        """Having all of them only note what they would do. For a person's own rules, which are not to be deleted."""
        policy = self._acting[self._place]
        if any(rule.source.file != policy.file for rule in self._rules):
            return None
        ids = [rule.id for rule in self._rules]
        rules = [{**one, "observe": True} if one.get("id") in ids else one for one in self._document["rules"]]
        part = [{key: value for key, value in one.items() if key != "cases"} for one in rules if one.get("id") in ids]
        return self._measure(_Draft("observe", {**self._document, "rules": rules}, {"rules": part}))

    def _load(self, document: JsonObject) -> Policy:
        return load_policy(_text_of(document), self._acting[self._place].file, find_pack)

    def _measure(self, draft: _Draft) -> Suggestion | None:
        """Replay the sessions with and without the change. None if it frees nothing, or too much."""
        part = _part_that_loads(draft, self._acting[self._place].file)
        if part is None:
            return None
        before, after = (
            [*self._acting[: self._place], self._load(one), *self._acting[self._place + 1 :]]
            for one in (self._document, draft.document)
        )
        title = " + ".join(rule.id for rule in self._rules)
        found = Suggestion(title, self._rules[0].about or "", draft.kind, _text_of(part), self._stops, self._asked)
        found.file = self._acting[self._place].file
        for scene in self._replay([PastJudge(before), PastJudge(after)], self._sessions):
            was, becomes = (said.call.decision for said in scene.said)
            if was == "deny" and becomes != "deny":
                return None
            found.questions += was in ("ask", "defer")
            if was in _STOPS and becomes not in _STOPS:
                _count_freed(found, scene, self._rules[0].id)
        return found if found.freed else None


class _Draft(Struct, frozen=True):
    """A changed document, and the part of it that a person has to write."""

    kind: Kind
    document: JsonObject
    part: JsonObject


def _find_rule(acting: Sequence[Policy], id: str) -> tuple[int, Rule] | None:
    for place, policy in enumerate(acting):
        for rule, _ in policy.rules:
            if rule.id == id:
                return place, rule
    return None


def _document(policy: Policy) -> JsonObject:
    text = "\n".join(policy.lines) if policy.lines else Path(policy.file).read_text(encoding="utf-8")
    found = read_yaml(text, policy.file).root.plain()
    return found if isinstance(found, dict) else {}


def _without(policy: Policy, document: JsonObject, rules: Sequence[Rule]) -> _Draft | None:
    """The document without rules of packs. A person's own rule is not proposed for deletion."""
    if any(rule.source.file == policy.file for rule in rules):
        return None
    drafts = [_Draft("without", document, {"packs": []})]
    for rule in rules:
        drafts = [
            _Draft("without", {**draft.document, "packs": packs}, {"packs": [named]})
            for draft in drafts
            for packs, named in _packs_without(draft.document, rule)
        ]
        drafts = [draft for draft in drafts if _loads(draft.document, policy.file)]
    found = drafts[0] if drafts else None
    if found is None:
        return None
    named = [one for one in found.document["packs"] if one not in (document.get("packs") or [])]
    return _Draft("without", found.document, {"packs": named})


def _with_exception(policy: Policy, document: JsonObject, rule: Rule, exception: JsonObject) -> _Draft | None:
    """The document with the rule in a form that has one exception more. A pack's rule becomes one's own for that."""
    short = rule.id.rpartition("/")[2]
    if rule.source.file == policy.file:
        rules = [_excepting(one, exception) if one.get("id") == short else one for one in document["rules"]]
        part = next(one for one in rules if one.get("id") == short)
        return _Draft("unless", {**document, "rules": rules}, {"rules": [part]})
    copied = _rule_in_pack(rule, short)
    if copied is None:
        return None
    for packs, named in _packs_without(document, rule):
        narrower = _excepting(copied, exception)
        changed = {**document, "packs": packs, "rules": [*(document.get("rules") or ()), narrower]}
        if _loads(changed, policy.file):
            return _Draft("unless", changed, {"packs": [named], "rules": [narrower]})
    return None


def _packs_without(document: JsonObject, rule: Rule) -> Iterator[tuple[list[Any], JsonObject]]:
    """The packs, with one of them doing without a rule; only the pack that the rule comes from will load like this."""
    packs = document.get("packs") or []
    for place, entry in enumerate(packs):
        named = dict(entry) if isinstance(entry, dict) else {"use": entry}
        named["without"] = [*(named.get("without") or ()), rule.id]
        yield [*packs[:place], named, *packs[place + 1 :]], named


def _rule_in_pack(rule: Rule, own: str) -> JsonObject | None:
    """A rule as its pack writes it, without its cases: they are about the pack's own form of it."""
    try:
        document = read_yaml(Path(rule.source.file).read_text(encoding="utf-8"), rule.source.file).root.plain()
    except (OSError, InterlockError):
        return None
    rules = document.get("rules") if isinstance(document, dict) else None
    found = next((one for one in rules or () if isinstance(one, dict) and one.get("id") == own), None)
    return None if found is None else {key: value for key, value in found.items() if key != "cases"}


def _excepting(rule: JsonObject, exception: JsonObject) -> JsonObject:
    known = rule.get("unless")
    before = known if isinstance(known, list) else [known] if known is not None else []
    merged = {key: value for key, value in rule.items() if key != "cases"}
    return {**merged, "unless": [*before, exception] if before else exception}


def _loads(document: JsonObject, file: str) -> bool:
    try:
        load_policy(_text_of(document), file, find_pack)
    except InterlockError:
        return False
    return True


def _text_of(document: JsonObject) -> str:
    return yaml.safe_dump(document, sort_keys=False, allow_unicode=True, default_flow_style=None, width=64)


def _part_that_loads(draft: _Draft, file: str) -> JsonObject | None:
    """The part of a document that a person has to write, with the names that its rules refer to."""
    version: JsonObject = {"version": 1}
    names = {key: draft.document[key] for key in ("let", "state", "tools") if key in draft.document}
    for part in (version | draft.part, version | names | draft.part):
        if _loads(part, file):
            return part
    return None


def _count_freed(found: Suggestion, scene: Scene, rule: str) -> None:
    found.freed += 1
    found.ran += scene.outcome in ("ran", "failed")
    found.refused += scene.outcome == "refused"
    reason = reason_of(rule, scene.said[0])
    shape = shape_of(scene.what, reason)
    if shape in found.shapes or len(found.shapes) < _MOST_COUNTED:
        known = found.shapes.get(shape)
        if known is None:
            known = found.shapes[shape] = Shape(shape, example_of(scene, (), reason))
        known.count += 1
