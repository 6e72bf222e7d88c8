"""What holds at one point on one way through a program: variables, objects, what was said, and what was asked."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from interlock.hook_lint.program import OutputPart, Span
from interlock.hook_lint.read.python.values import (
    MOST_PARTS,
    NOTHING,
    AskedOf,
    Box,
    DictBox,
    EventPart,
    Fit,
    Json,
    Known,
    ListBox,
    ObjectRef,
    OneOf,
    Path,
    PyFault,
    PyText,
    PyValue,
    Raw,
    RefId,
    Root,
    Run,
    Some,
    is_too_large,
    one_of,
    paths_of,
)

__all__ = ["WayCondition", "WayState", "branch_on", "join_states", "merge_states"]

MOST_STATES = 8
_MOST_PASSED = 12
_VERDICTS = frozenset({"deny", "denied", "block", "blocked", "reject", "ask", "allow", "approve"})
_MOST_AT_ONCE = 256  # each is compared with each


class WayCondition(Struct, frozen=True):
    """A condition on the way, as it is written, and what it looks at: values of the event, programs that were run."""

    text: str
    roots: tuple[Root, ...] = ()

    @property
    def is_about_call(self) -> bool:
        return any(isinstance(root, tuple | Run) for root in self.roots)

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(root for root in self.roots if isinstance(root, tuple))


class WayState:
    """One way. Forks share what neither of them has changed since."""

    __slots__ = (
        "asked", "conditions", "facts", "found", "frames", "heap", "hit", "missed", "on_error", "own_frames",
        "own_heap", "passed", "said",
    )  # fmt: skip

    def __init__(self) -> None:
        self.frames: dict[int, dict[str, PyValue]] = {0: {}}
        self.own_frames: set[int] = {0}
        self.heap: dict[RefId, Box] = {}
        self.own_heap = True
        self.facts: dict[PyValue, Any] = {}  # what was asked about a value, and the answer on this way
        self.said: tuple[OutputPart, ...] = ()
        self.conditions: tuple[WayCondition, ...] = ()  # what the way is inside of
        self.passed: tuple[WayCondition, ...] = ()  # what it has been asked before
        self.asked: tuple[Root, ...] = ()  # in the condition that is being read
        self.found: frozenset[Span] = frozenset()  # the patterns and comparisons that fit
        self.hit = False  # it has found what it looks for
        self.missed = False  # a question about the event was answered with no
        self.on_error = False

    def fork(self) -> WayState:
        other = WayState.__new__(WayState)
        other.become(self)
        return other

    def fresh_start(self) -> WayState:
        """The same variables and objects, with nothing said, asked or found yet."""
        other = self.fork()
        other.said, other.conditions, other.passed, other.asked, other.found = (), (), (), (), frozenset()
        other.hit = other.missed = other.on_error = False
        return other

    def become(self, other: WayState) -> None:
        """Take over everything from another state, which may be used on."""
        if other is self:
            return
        self.frames, self.own_frames = dict(other.frames), set()
        other.own_frames = set()
        self.heap, self.own_heap, other.own_heap = other.heap, False, False
        self.facts, self.said, self.asked = other.facts, other.said, other.asked
        self.conditions, self.passed, self.found = other.conditions, other.passed, other.found
        self.hit, self.missed, self.on_error = other.hit, other.missed, other.on_error

    def assign(self, frame: int, name: str, value: PyValue) -> None:
        if is_too_large(value):
            value = NOTHING
        if frame not in self.own_frames:
            self.frames[frame] = dict(self.frames.get(frame, {}))
            self.own_frames.add(frame)
        self.frames[frame][name] = value

    def open_frame(self, frame: int) -> None:
        """Begin a frame without any variables."""
        self.frames[frame] = {}
        self.own_frames.add(frame)

    def put(self, id: RefId, box: Box) -> None:
        if not self.own_heap:
            self.heap, self.own_heap = dict(self.heap), True
        if isinstance(box, ListBox) and (len(box.items) > MOST_PARTS or any(map(is_too_large, box.items))):
            box = ListBox((), is_open=True, roots=box.roots)
        elif isinstance(box, DictBox) and any(map(is_too_large, box.items.values())):
            box = DictBox({}, is_open=True)
        self.heap[id] = box

    def learn(self, value: PyValue, answer: Any) -> None:
        self.facts = {**self.facts, value: answer}

    def say(self, said: OutputPart) -> None:
        self.said = (*self.said, said)

    def leave(self, before: int) -> None:
        """Leave the blocks of all conditions but the first ones."""
        if len(self.conditions) > before:
            self.passed = tuple(dict.fromkeys((*self.passed, *self.conditions[before:])))[-_MOST_PASSED:]
            self.conditions = self.conditions[:before]


# --- questions -------------------------------------------------------------------------------------------------


def branch_on(test: AskedOf, state: WayState) -> tuple[WayState | None, WayState | None]:
    """The states in which the answer is yes and no; None where it cannot be. The given state is one of them."""
    yes = _facts_if(test, state, sense=test.sense)
    no = _facts_if(test, state, sense=not test.sense)
    if yes is None and no is None:
        yes = no = state.facts
    paths = paths_of(test.roots)
    presence = test.options is None and isinstance(test.subject, EventPart | Raw)
    roots = () if isinstance(test.subject, Raw) else tuple(sorted(test.roots, key=repr))
    if yes is None:
        return None, _with_facts(state, no, roots)
    if no is None:
        return _with_facts(state, yes, roots), None
    other = _with_facts(state.fork(), no, roots)
    state = _with_facts(state, yes, roots)
    if paths:
        gate = len(paths) == 1 and paths[0] in (("tool_name",), ("hook_event_name",))
        # A list that is read from a file is what the hook looks in, and no choice of tools that the program makes.
        gate = gate and (test.options is not None or any(isinstance(root, Fit) for root in test.roots))
        hit, missed = (state, other) if test.is_hit else (other, state)
        hit.hit |= not gate and not presence
        hit.found = hit.found.union(root.span for root in test.roots if isinstance(root, Fit))
        missed.missed = True
    return state, other


def _with_facts(state: WayState, facts: dict[PyValue, Any] | None, roots: tuple[Root, ...]) -> WayState:
    if facts is not None:
        state.facts = facts
    if roots:
        state.asked = (*state.asked, *roots)
    return state


def _facts_if(test: AskedOf, state: WayState, *, sense: bool) -> dict[PyValue, Any] | None:
    """The facts if the subject's question has this answer; None if it cannot have it."""
    if test.options is None:
        return _with_truth(test.subject, state, sense=sense)
    key = AskedOf(subject=test.subject, options=frozenset())
    allowed, excluded = state.facts.get(key, (None, frozenset()))
    truth = state.facts.get(test.subject)
    if sense:
        left = test.options - excluded if allowed is None else test.options & allowed
        if truth is not None:
            left = frozenset(one for one in left if bool(one) is truth)
        return {**state.facts, key: (left, excluded)} if left else None
    if allowed is not None:
        left = allowed - test.options
        return {**state.facts, key: (left, excluded)} if left else None
    return {**state.facts, key: (None, excluded | test.options)}


def _with_truth(subject: PyValue, state: WayState, *, sense: bool) -> dict[PyValue, Any] | None:
    known = state.facts.get(subject)
    if known is None:
        allowed, _ = state.facts.get(AskedOf(subject=subject, options=frozenset()), (None, None))
        if allowed is not None and all(map(bool, allowed)) is any(map(bool, allowed)):
            known = all(map(bool, allowed))
    if known is not None:
        return state.facts if known is sense else None
    return {**state.facts, subject: sense}


# --- several states ----------------------------------------------------------------------------------------------


def merge_states(states: list[WayState]) -> list[WayState]:
    """The states without those that differ in nothing that counts; and if they are still too many, some as one."""
    if len(states) < 2:
        return states
    if len(states) > _MOST_AT_ONCE:
        halves = states[: len(states) // 2], states[len(states) // 2 :]
        states = [one for half in halves for one in merge_states(half)]
    kept: list[WayState] = []
    for state in states:
        for one in kept:
            if _is_same(one, state):
                _take_in(one, state)
                break
        else:
            kept.append(state)
    if len(kept) <= MOST_STATES:
        return kept
    groups: dict[tuple[Any, ...], WayState] = {}
    for state in kept:
        key = (tuple(one.span for one in state.said), state.hit, state.missed, state.on_error, _verdicts_in(state))
        if key in groups:
            _join(groups[key], state)
        else:
            groups[key] = state
    return list(groups.values())


def _verdicts_in(state: WayState) -> frozenset[tuple[int, str, str]]:
    """The variables that hold a verdict in one word: it may be printed at the end."""
    return frozenset(
        (frame, name, value.value)
        for frame, names in state.frames.items()
        for name, value in names.items()
        if isinstance(value, Known) and isinstance(value.value, str) and value.value.lower() in _VERDICTS
    )


def join_states(states: list[WayState], *, after_error: bool = False) -> list[WayState]:
    """The states with those as one that differ in little: what told them apart has nothing to do with the event.

    Constants and objects are never joined: one of them may be the answer.
    """
    kept: list[WayState] = []
    for state in states:
        for one in kept:
            if _says_same(one, state, after_error=after_error) and _differ_little(one, state):
                _join(one, state)
                break
        else:
            kept.append(state)
    return kept


def _differ_little(one: WayState, two: WayState) -> bool:
    for frame, names in one.frames.items():
        others = two.frames.get(frame, names)
        if names is not others:
            for name, left in names.items():
                right = others.get(name, left)
                if left is not right and left != right and not (_is_loose(left, one) and _is_loose(right, two)):
                    return False
    if one.heap is not two.heap:
        for key, box in one.heap.items():
            other = two.heap.get(key, box)
            if box is not other and not isinstance(box, ListBox) and box != other:
                return False
    return True


def _is_loose(value: PyValue, state: WayState) -> bool:
    if isinstance(value, Known):
        return value.value is None or isinstance(value.value, bool) or " " in str(value.value)
    if isinstance(value, ObjectRef):
        return isinstance(state.heap.get(value.id), ListBox)
    if isinstance(value, OneOf):
        return all(_is_loose(one, state) for one in value.values)
    return isinstance(value, Some | PyText | Json | AskedOf | PyFault)


def _says_same(one: WayState, two: WayState, *, after_error: bool = False) -> bool:
    return (
        one.hit is two.hit
        and (one.hit or one.missed is two.missed)
        and (after_error or one.on_error is two.on_error)
        and (one.said is two.said or one.said == two.said)
    )


def _is_same(one: WayState, two: WayState) -> bool:
    return _says_same(one, two) and _same_frames(one, two) and _same_heap(one, two)


def _same_frames(one: WayState, two: WayState) -> bool:
    """Whether all variables are equal. One that only one of them has counts too."""
    if one.frames.keys() != two.frames.keys():
        return False
    others = two.frames
    for key, left in one.frames.items():
        right = others[key]
        if left is not right and left != right:
            return False
    return True


def _same_heap(one: WayState, two: WayState) -> bool:
    """Whether all objects are equal that both have. One that only one has made is out of reach: variables are equal."""
    if one.heap is two.heap:
        return True
    others = two.heap
    for key, left in one.heap.items():
        right = others.get(key, left)
        if left is not right and left != right:
            return False
    return True


def _take_in(kept: WayState, other: WayState) -> None:
    """Let a state stand for another that is like it: only what holds on both ways is known."""
    if kept.heap is not other.heap:
        for key in other.heap.keys() - kept.heap.keys():
            kept.put(key, other.heap[key])
    if kept.facts is not other.facts:
        kept.facts = _common_facts(kept.facts, other.facts)
    common = 0
    for left, right in zip(kept.conditions, other.conditions, strict=False):
        if left != right:
            break
        common += 1
    kept.conditions = kept.conditions[:common]
    if kept.passed != other.passed:
        kept.passed = tuple(one for one in kept.passed if one in other.passed)
    kept.asked = tuple(dict.fromkeys((*kept.asked, *other.asked)))
    kept.on_error &= other.on_error
    kept.found |= other.found


def _common_facts(one: dict[PyValue, Any], two: dict[PyValue, Any]) -> dict[PyValue, Any]:
    """What is known of values on both ways: of one that is among some on each, that it is among all of these."""
    found: dict[PyValue, Any] = {}
    for key, fact in one.items():
        other = two.get(key)
        if other == fact:
            found[key] = fact
        elif isinstance(key, AskedOf) and key.options == frozenset() and other is not None:
            (allowed, excluded), (others, not_others) = fact, other
            found[key] = (None if allowed is None or others is None else allowed | others, excluded & not_others)
    return found


def _join(kept: WayState, other: WayState) -> None:
    """Let a state stand for another with other values in its variables: they become one of both."""
    for frame, names in other.frames.items():
        mine = kept.frames.setdefault(frame, {})
        if mine is names:
            continue
        for name, value in names.items():
            if mine.get(name, value) != value:
                kept.assign(frame, name, _either(mine[name], value))
            elif name not in mine:
                kept.assign(frame, name, value)
    if kept.heap is not other.heap:
        for key, box in other.heap.items():
            if kept.heap.get(key, box) != box:
                kept.put(key, _joined_boxes(kept.heap[key], box, _roots_apart(kept, other)))
    _take_in(kept, other)


def _either(one: PyValue, two: PyValue) -> PyValue:
    """One of two values; unknown if they are constants, which go with something else on each of the ways."""
    if isinstance(one, Known) and isinstance(two, Known) and not isinstance(one.value, bool | None):
        return NOTHING
    return one_of((one, two))


def _roots_apart(one: WayState, two: WayState) -> frozenset[Root]:
    """What was asked on one way and not on the other: that decides which of two things a variable holds."""
    mine, others = {*one.conditions, *one.passed}, {*two.conditions, *two.passed}
    return frozenset(root for asked in mine ^ others for root in asked.roots)


def _joined_boxes(one: Box, two: Box, roots: frozenset[Root]) -> Box:
    if isinstance(one, ListBox) and isinstance(two, ListBox):
        items = tuple(dict.fromkeys((*one.items, *two.items)))
        return ListBox(items, is_open=True, roots=one.roots | two.roots | roots)
    if isinstance(one, DictBox) and isinstance(two, DictBox):
        both = {key: _either(one.items[key], two.items.get(key, one.items[key])) for key in one.items}
        return DictBox({**both, **{key: value for key, value in two.items.items() if key not in both}}, is_open=True)
    return one
