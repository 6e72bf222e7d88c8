"""What another program's hook said: the resulting opinion, and the mistakes in how it was said."""

from __future__ import annotations

from json import JSONDecodeError, JSONDecoder
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from interlock.effect import effects_of
from interlock.errors import InterlockError, suggest
from interlock.jsontext import read_object
from interlock.verdict import Opinion, failure

__all__ = ["HookMistake", "Mistake", "Output", "Reading", "closest_decision", "document_in", "refuse"]


class Output(Struct, frozen=True):
    """What a hook process printed, and its exit code."""

    stdout: bytes
    exit_code: int = 0
    stderr: str = ""


class Mistake(Struct, frozen=True):
    """One mistake of a hook, what it is taken to mean, and how to say it correctly."""

    name: str
    what: str
    means: str
    help: str = ""

    def __str__(self) -> str:
        return f"{self.what}; {self.means}" + (f"; {self.help}" if self.help else "")


class Reading(Struct, frozen=True):
    """The opinion that results from a hook's output. A mistake never makes it an allow."""

    opinion: Opinion
    mistakes: tuple[Mistake, ...] = ()


class HookMistake(Exception):  # noqa: N818 - not an error of Interlock: it carries one mistake of a hook
    """A mistake after which nothing that the hook said can be trusted."""

    def __init__(self, name: str, what: str, help: str = "") -> None:
        super().__init__(what)
        self.mistake = Mistake(name, what, "taken as a failed check", help)


def refuse(event_name: str, by: str, mistake: Mistake, output: Output) -> Reading:
    """The reading of output that cannot be trusted: the event's safe direction, naming the hook and the mistake.

    Exit code 2 is a refusal whatever is on stdout, even on an event that passes when a check fails.
    """
    failed = failure(event_name, by, f"{by} failed ({mistake.name})", str(mistake))
    if output.exit_code == 2 and "deny" in effects_of(event_name):
        failed = replace(failed, decision="deny", reason=output.stderr.strip() or failed.error, notice=None)
    return Reading(failed, (mistake,))


def closest_decision(value: Any, known: list[str]) -> str:
    """Name the decision a wrong word was meant to be."""
    synonyms = {"block": "deny", "blocked": "deny", "reject": "deny", "cancel": "deny", "refuse": "deny",
                "no": "deny", "approve": "allow", "accept": "allow", "yes": "allow", "prompt": "ask",
                "confirm": "ask"}  # fmt: skip
    word = str(value).lower()
    meant = synonyms.get(word) or suggest(word, known)
    return f"did you mean `{meant}`?" if meant in known else f"use one of {', '.join(known)}"


def document_in(stdout: bytes) -> dict[str, Any] | str | None:
    """The one JSON object on stdout, or the plain text there, or None for nothing. Raises Failed otherwise."""
    try:
        text = stdout.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise HookMistake("not-utf8", "stdout is not valid UTF-8", "write UTF-8") from error
    if not text:
        return None
    if not text.startswith("{"):
        return _plain(text)
    try:
        return read_object(text.encode())
    except InterlockError as error:
        raise _broken_object(text, error) from error


_ONLY_JSON = "print exactly one JSON object on stdout and everything else on stderr"


def _plain(text: str) -> str:
    try:
        value = JSONDecoder().decode(text)
    except (RecursionError, ValueError):
        if "}" in text[text.find("{") + 1 :] and "{" in text:
            raise HookMistake("text-around-json", "there is text before the JSON on stdout", _ONLY_JSON) from None
        return text
    kinds: dict[type, str] = {list: "an array", type(None): "null", str: "a string", bool: "a boolean"}
    raise HookMistake("not-an-object", f"stdout is {kinds.get(type(value), 'a number')}, not an object", _ONLY_JSON)


def _broken_object(text: str, error: InterlockError) -> HookMistake:
    try:
        _, end = JSONDecoder().raw_decode(text)
    except JSONDecodeError as broken:
        if broken.pos >= len(text) or not text.endswith("}"):
            return HookMistake("truncated-json", "the JSON on stdout is cut off", "write it whole, once, then exit")
        return HookMistake("invalid-json", f"stdout is not valid JSON ({error.message})", _ONLY_JSON)
    except (RecursionError, ValueError):
        return HookMistake("invalid-json", f"stdout is not accepted ({error.message})", _ONLY_JSON)
    if text[end:].strip():
        return HookMistake("text-around-json", "there is text after the JSON on stdout", _ONLY_JSON)
    return HookMistake("invalid-json", f"stdout is not accepted ({error.message})", _ONLY_JSON)
