"""What it means if a hook said no but returned nothing, for every kind of hook."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import UNSET, Struct, json
from msgspec.structs import replace

from interlock.effect import effects_of
from interlock.errors import Source
from interlock.event import Event, ToolEvent
from interlock.verdict import Opinion, failure

if TYPE_CHECKING:
    from interlock.hooks.denial import SaidNo

__all__ = ["SAID_NO", "SOUNDS", "SilentHook", "Utterance", "break_silence", "is_silent", "reasons_in"]

JsonObject: TypeAlias = dict[str, Any]

SAID_NO = "and returned no opinion; "
SOUNDS = "which sounds like a denial, and returned no opinion, so it denied nothing"


class Utterance(Struct, frozen=True):
    """A text that a hook produced besides its answer, and the verb for how: `printed`, `logged`.

    `own`: it was written to a Python hook's own stdout, where everything that sounds like a denial is one.
    """

    verb: str
    text: str
    own: bool = False


class SilentHook(Struct, frozen=True):
    """A hook that gave no answer: its name in messages, and how it should have answered."""

    title: str
    by: str
    source: Source | None
    help: str


def is_silent(opinion: Opinion) -> bool:
    """Whether an opinion has no decision, no change and no message."""
    return opinion.output is UNSET and replace(opinion, source=None, reason=None) == Opinion(by=opinion.by)


def break_silence(hook: SilentHook, event: Event, utterances: Iterable[Utterance]) -> Opinion | None:
    """What a silent hook meant: a denial counts as the event's safe direction, anything weaker as a notice."""
    found = _loudest(event, utterances)
    if found is None:
        return None
    verb, said = found
    name = event.hook_event_name
    if said.denies and "deny" in effects_of(name):
        detail = f"it {verb} `{said.line}` {SAID_NO}{hook.help}"
        return failure(name, hook.by, f"{hook.title} failed", detail, hook.source)
    return Opinion(by=hook.by, source=hook.source, notice=f"{hook.title} {verb} `{said.line}`, {SOUNDS}; {hook.help}")


def _loudest(event: Event, utterances: Iterable[Utterance]) -> tuple[str, SaidNo] | None:
    """The first text that denies, else the first that sounds like a denial."""
    texts = [one for one in utterances if one.text.strip()]
    if not texts:
        return None
    from interlock.hooks.denial import NO_CALL, names_in_call, said_no  # noqa: PLC0415 - most hooks say nothing

    names = names_in_call(event.tool_name, event.tool_input) if isinstance(event, ToolEvent) else NO_CALL
    found = [(one.verb, said) for one in texts if (said := said_no(one.text, names, own=one.own)) is not None]
    return min(found, key=lambda one: not one[1].denies, default=None)


def reasons_in(answer: bytes) -> str:
    """The reasons in an answer without a decision, which no host reads."""
    try:
        said = json.decode(answer)
    except ValueError:
        return ""
    if not isinstance(said, dict):
        return ""
    inner = said.get("hookSpecificOutput")
    texts = [said.get("reason"), said.get("stopReason")]
    texts += [inner.get("permissionDecisionReason")] if isinstance(inner, dict) else []
    return "\n".join(text for text in texts if isinstance(text, str))
