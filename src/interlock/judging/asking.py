"""How a question of the policies reaches a person, and which grant or answer makes it unnecessary."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, TypeAlias

from msgspec import Struct, json
from msgspec.structs import replace

from interlock.errors import InterlockError
from interlock.event import PreToolUse
from interlock.facts.secrets import redact
from interlock.files.processes import own_mark
from interlock.fold import Answers, Round
from interlock.judging.panels import deliberate
from interlock.policy.engine import Engine
from interlock.policy.load import load_policy
from interlock.policy.rule import Way
from interlock.policy.situation import Situation
from interlock.policy.subject import Subject
from interlock.store.asking import ApprovalRequest, Grant
from interlock.verdict import Loss, Opinion, Reason, Verdict

__all__ = [
    "ASKED_BY",
    "BY_HOST",
    "AnswerPanel",
    "Asking",
    "Asks",
    "Permission",
    "change_between",
    "deny_question",
    "grant_policy",
    "hold",
    "permit",
    "waiting_text",
    "way_for",
]

JsonObject: TypeAlias = dict[str, Any]
Describe: TypeAlias = Callable[[Situation, Verdict], tuple[Subject, str]]
"""What the call of a verdict is about, and the key of a yes to it."""

ASKED_BY = "asked_by"
"""In the match of a grant, beside the words of a rule: the rules whose question it answers. A later call that another
rule asks about is another question."""

_ID_BYTES = 5
_MOST_BODY = 256 * 1024  # bytes; a longer input is shown without its end


class Permission(Struct, frozen=True):
    """Why a call that was asked about may run: a person's answer, or the grant that is spent by it."""

    reason: str
    by: str
    grant: str | None = None


class Asks(Struct, frozen=True, kw_only=True):
    """Where a person is asked unless a rule says where, and how long a call can wait for the answer; 0: it cannot.

    `answer` is the request that an event is judged again for, as a person left it. With `beside`, whoever runs the call
    may also learn elsewhere that it may run, so that nothing is denied while a person is asked. With `counted`, the
    event was judged before, for the host's own prompt, and is now asked about in the inbox, too. With `pauses`, whoever
    runs the call stops if it is asked about, and comes again with the answer: nothing has happened until then. Without
    `prompts`, the host shows nobody a question, so that one which only it may ask is denied.
    """

    way: Way = "host"
    seconds: float = 0.0
    answer: ApprovalRequest | None = None
    beside: bool = False
    counted: bool = False
    pauses: bool = False
    prompts: bool = True


BY_HOST = Asks()


class Asking(Struct, frozen=True, kw_only=True):
    """How the questions about one event are asked, and what makes them unnecessary."""

    describe: Describe
    project: str = ""
    guard: str = ""
    asks: Asks = BY_HOST

    def goes_to_inbox(self, verdict: Verdict) -> bool:
        """Whether a person is asked in the inbox, and the call waits there."""
        if self.asks.seconds <= 0:
            return False
        way = way_for(verdict, self.asks.way)
        # Of the two places, one is left where the host cannot ask. One that asks itself begins with that.
        return self.asks.counted or way == "inbox" or (way == "both" and (self.asks.beside or self.asks.way == "inbox"))

    def permission(
        self, situation: Situation, verdict: Verdict, key: str, subject: Subject, grants: Iterable[Grant]
    ) -> Permission | None:
        """What lets a call run that the policies ask about. A deny is never asked about, so nothing here beats one."""
        answer = self.asks.answer
        if answer is not None and answer.status == "yes" and (answer.edit is not None or answer.key == key):
            return Permission(f"{answer.by} approved this call", answer.by or "a person")
        for grant in grants:
            if _covers(grant, situation, verdict, key, subject):
                return Permission(f"{grant.by} allowed {grant.text}", grant.by, grant.id)
        return None

    def request(self, situation: Situation, verdict: Verdict, key: str, subject: Subject, host: str) -> ApprovalRequest:
        """The request by which a person is asked in the inbox."""
        event = situation.event
        if not isinstance(event, PreToolUse) or situation.now is None:
            raise InterlockError("only a call that is about to run can be asked about")
        at = situation.now.timestamp()
        return ApprovalRequest(
            id=secrets.token_hex(_ID_BYTES),
            session=event.session_id,
            tool=event.tool_name,
            at=at,
            until=at + self.asks.seconds,
            agent=event.agent_id or "",
            project=self.project,
            host=host,
            call=event.tool_use_id,
            guard=self.guard,
            key=key,
            shape=subject.shape,
            body=_body(verdict, subject, event),
            waiter=own_mark(),
        )


def way_for(verdict: Verdict, usual: Way) -> Way:
    """Where a person is asked about a call, if `usual` is meant by all who do not say it.

    One rule that wants the inbox is enough, and its call does not come to the host's prompt.
    """
    ways = {one.approve or usual for one in verdict.opinions if one.decision == "ask"}
    return "inbox" if "inbox" in ways else "both" if "both" in ways else "host" if ways else usual


def permit(verdict: Verdict, permission: Permission) -> Verdict:
    """The verdict of a call that a person lets run."""
    return replace(verdict, decision="allow", reasons=(Reason(permission.reason, permission.by),))


def deny_question(verdict: Verdict) -> Verdict:
    """The verdict on a call about which nobody can be asked."""
    return replace(verdict, decision="deny", lowered=(*verdict.lowered, Loss("ask", "deny")))


def hold(verdict: Verdict, request: ApprovalRequest) -> Verdict:
    """The verdict while nobody has answered: if the wait is cut short, this is what the host is told."""
    why = f"this call waits for a person's approval (request {request.id})"
    return replace(verdict, decision="deny", reasons=(Reason(why, "interlock"),))


class AnswerPanel(Struct, frozen=True):
    """A person's answer as the opinion of a participant: it is judged together with everybody else's."""

    request: ApprovalRequest

    def ask(self, situation: Situation, round_: Round) -> Answers:
        request = self.request
        by = request.by or "interlock"
        if request.status == "no":
            said = f": {request.note}" if request.note else ""
            return {0: (Opinion(by=by, decision="deny", reason=f"{by} did not approve this call{said}"),)}
        if request.status != "yes":
            return {0: (_denial_without_answer(request, situation),)}
        event = situation.event
        given = event.tool_input if isinstance(event, PreToolUse) else {}
        change = None if request.edit is None else change_between(given, json.decode(request.edit))
        note = None if not request.note else f"{by} said about this call: {request.note}"
        if change is None and note is None:
            return {}
        return {0: (Opinion(by=by, change=change, context=note),)}


def _denial_without_answer(request: ApprovalRequest, situation: Situation) -> Opinion:
    """The denial of a call that nobody has answered for, with a word to the person about where they can."""
    waited = round(request.until - request.at)
    ended = situation.now is None or situation.now.timestamp() >= request.until
    why = f"no one answered within {waited} s" if ended else "it cannot wait for the answer any longer"
    reason = (
        f"this call needs a person's approval, and {why}. The request stays open ({request.id}): if a person approves "
        "it later, the same call will run when you try it again. Until then, do something else or end your turn."
        f"{_question_in(request)}"
    )
    notice = f"no one answered in time about a call of {request.tool}, so it was denied; {_where(request.id)}"
    return Opinion(by="interlock", decision="deny", reason=reason, notice=notice)


def _question_in(request: ApprovalRequest) -> str:
    """Why a person is asked, so that the model can find a way that needs no approval."""
    texts = [str(one["text"]) for one in json.decode(request.body).get("reasons", ())]
    return f" A person was asked: {' '.join(texts)}" if texts else ""


def waiting_text(tool: str, request: str) -> str:
    """What a person is told about a call that needs their answer: where they can give it."""
    return f"a call of {tool} needs your answer; {_where(request)}"


def _where(request: str) -> str:
    return f"`interlock inbox` shows request {request} on a terminal, `interlock open` in a browser"


def change_between(given: JsonObject, wanted: JsonObject) -> JsonObject | None:
    """The change that makes an input what a person wants instead; None if it is that already."""
    # 1, 1.0 and True are equal in Python, but not to a tool.
    same = {name for name in given.keys() & wanted.keys() if json.encode(given[name]) == json.encode(wanted[name])}
    change = {name: value for name, value in wanted.items() if name not in same}
    change |= {name: None for name in given if name not in wanted}
    return change or None


def _body(verdict: Verdict, subject: Subject, event: PreToolUse) -> bytes:
    """What a person is shown. Secrets are not: the page is no place for them."""
    shown: JsonObject = {
        "input": verdict.input,
        "reasons": [
            {"text": one.text, "by": one.by, "source": None if one.source is None else str(one.source)}
            for one in verdict.reasons
        ],
        "touches": subject.to_show(),
        "cwd": event.cwd,
        "agent": event.agent_type,
    }
    if event.parts:
        shown["parts"] = len(event.parts)
    if verdict.changes:
        shown["original"] = verdict.original
        shown["changed_by"] = list(dict.fromkeys(one.by for one in verdict.changes if one.by))
    body = json.encode(redact(shown))
    if len(body) > _MOST_BODY:
        body = json.encode(redact({**shown, "input": _shorten(verdict.input), "original": None, "is_cut": True}))
    return body


def _shorten(value: Any, most: int = 4000) -> Any:
    if isinstance(value, str):
        return value if len(value) <= most else f"{value[:most]}… ({len(value) - most:,} more characters)"
    if isinstance(value, dict):
        return {name: _shorten(item) for name, item in list(value.items())[:50]}
    if isinstance(value, list):
        return [_shorten(item) for item in value[:50]]
    return value


# --- grants ------------------------------------------------------------------------------------------------


def _covers(grant: Grant, situation: Situation, verdict: Verdict, key: str, subject: Subject) -> bool:
    event = situation.event
    if situation.now is None or not grant.holds_at(situation.now.timestamp()):
        return False
    if grant.agent is not None and grant.agent != (event.agent_id or ""):
        return False
    if grant.key:
        # Of a file that could not be read, nobody knows whether it is still the one that was approved.
        return grant.key == key and all(digest for _, digest in subject.runs)
    if not isinstance(event, PreToolUse):
        return False
    asked_by = json.decode(grant.match).get(ASKED_BY)
    if asked_by is not None and not {one.by for one in verdict.reasons} <= set(asked_by):
        return False  # another rule asks: that is a question which nobody has answered yet
    asked = replace(situation, event=replace(event, tool_input=verdict.input))
    return deliberate(asked, _engine_for(grant.match), alone=True).decision == "allow"


def grant_policy(match: bytes) -> bytes:
    """The policy whose one rule allows what a grant allows. It is judged as every allow is: whole calls or nothing."""
    conditions = {key: value for key, value in json.decode(match).items() if key != ASKED_BY}
    rule = {"id": "grant", **conditions, "allow": True}
    return json.encode({"version": 1, "rules": [rule]})


@lru_cache(maxsize=256)
def _engine_for(match: bytes) -> Engine:
    policy = load_policy(grant_policy(match), "grant")
    return Engine(policy.rules, {})
