"""One option of a help text: its spellings, whether it takes a value, and what the value is called."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal, TypeAlias

from msgspec import Struct, structs

from interlock.imports.help.lines import HelpEntry
from interlock.imports.help.verbs import set_of

__all__ = ["HelpOption", "option_of_entry", "options_of_spec", "words_of"]

Value: TypeAlias = Literal["", "=", "?"]  # none, one that may be the next word, one in the same word only

_SPELLING = re.compile(r"\[?(?P<dash>--?)(?P<no>\[no-?\])?(?P<name>[A-Za-z0-9?#@](?:[\w.+:-]*\w)?)")
_BETWEEN = re.compile(r"(?:\s*(?:[,|/]|\bor\b)\s*|\s+)*")
_TYPES = set_of(
    "string strings stringarray stringslice stringtostring str text int ints int32 int64 uint uint32 uint64 integer "
    "number float float64 double bool boolean duration durations path file filename directory dir url uri value values "
    "key name choice list array bytes size level date datetime timestamp uuid ip port host address count regex glob "
    "json yaml map num n cmd command pattern format id user token"
)
_TYPE_AT_END = re.compile(r"\[(?:string|number|array|choices:[^\]]*)\]", re.IGNORECASE)
_DEFAULT = re.compile(r"[\[(]default(?:s to)?:? (?P<value>[^\])]+)[\])]", re.IGNORECASE)
_LITERAL = re.compile(r"""(?:'[^']*'|"[^"]*"|\[\]|-?\d[\w.]*|true|false|<nil>|map\[\])?""")


class HelpOption(Struct, frozen=True):
    """An option as its help describes it."""

    names: tuple[str, ...]  # without dashes
    value: Value = ""
    metavar: str = ""
    text: str = ""
    single: bool = False  # one of its long names has a single dash
    doubt: str = ""  # what a person should look at


def option_of_entry(entry: HelpEntry, *, choices_needed: bool) -> list[HelpOption]:
    """The options that an entry explains. `choices_needed`: `[a|b]` must be given, as click means it."""
    found, rest, loose = _read(entry.body.removeprefix("*").lstrip(), boxed=entry.boxed, choices_needed=choices_needed)
    if not found:
        return []
    words_before_gap = re.match(r" \S+(?: \S+){0,2} {2,}\S", rest) is not None
    text = " ".join(f"{rest.strip(' :-–—#')} {entry.below}".split())
    if loose and not text:
        # `-v verbose`: one small word and nothing else is the explanation, not the name of a value.
        found = [structs.replace(one, value="", metavar="", text=one.metavar) for one in found]
    if words_before_gap and not any(one.value for one in found):
        # `--arg a v   sets a to v`: without a value, the words behind it stay visible.
        found = [structs.replace(one, doubt="does it take a value?") for one in found]
    found = [structs.replace(one, text=one.text or text) for one in found]
    return [_with_types(one) for one in found]


def options_of_spec(spec: str) -> list[HelpOption]:
    """The options of a part of a usage line: `-n NAME`, `--force`, `-h | --help`."""
    parts = [part.strip() for part in _alternatives(spec)]
    if len(parts) == 2 and re.fullmatch(r"-\w", parts[0]) and re.match(rf"(?i)--(?:no-)?{parts[0][1]}", parts[1]):
        parts = [f"{parts[0]}, {parts[1]}"]  # `-h | --help`; of `-f | --dry-run`, each is an option
    return [option for part in parts for option in _read(part, boxed=False, choices_needed=False)[0]]


def words_of(text: str) -> list[str]:
    """Words parted by spaces, where brackets hold together what is in them."""
    found: list[str] = []
    depth = 0
    word = ""
    for char in text:
        if char in "[{<(":
            depth += 1
        elif char in "]}>)":
            depth = max(0, depth - 1)
        if char == " " and depth == 0:
            found.append(word)
            word = ""
        else:
            word += char
    return [one for one in [*found, word] if one]


def _alternatives(text: str) -> list[str]:
    found = [""]
    depth = 0
    for char in text:
        depth += (char in "[{<(") - (char in "]}>)")
        if char == "|" and depth <= 0:
            found.append("")
        else:
            found[-1] += char
    return found


class _Spelling(Struct):
    """One way to write an option, and the value that is written behind it."""

    dash: str
    name: str
    parted: bool  # only by spaces from the one before it
    value: Value = ""
    metavar: str = ""


def _read(body: str, *, boxed: bool, choices_needed: bool) -> tuple[list[HelpOption], str, bool]:
    """The options at the start of a line, the rest of the line, and whether the value's name is a guess."""
    spellings: list[_Spelling] = []
    doubt = ""
    loose = False
    at = 0
    while at < len(body):
        between = _BETWEEN.match(body, at)
        start = between.end() if between else at
        gap = "  " in body[at:start] and not body[at:start].strip()
        spelling = _SPELLING.match(body, start)
        if spelling is not None and (start > at or not spellings):
            parted = bool(spellings) and not body[at:start].strip()
            dash, name = spelling["dash"], spelling["name"]
            if spelling["no"]:
                spellings.append(_Spelling(dash, "no-" + name, parted))
            spellings.append(_Spelling(dash, name, parted and not spelling["no"]))
            at = spelling.end()
            if more := re.match(r"\[(-[\w-]+)\]", body[at:]):  # `--reference[-if-able]`
                spellings.append(_Spelling(dash, name + more[1], False))
                at += more.end()
            at, spellings[-1].value, spellings[-1].metavar = _joined_value(body, at)
            if body[at : at + 1] == ":" and body[at + 1 : at + 2] in ("", " "):
                at += 1
                break
            continue
        if not spellings or start >= len(body) or start == at:
            break
        last = spellings[-1]
        word = words_of(body[start:])[0]
        size = len(word)
        behind = body[start + size :]
        ends = not behind or behind.startswith("  ") or (word.endswith(",") and behind.startswith(" -"))
        if gap and not (boxed and ends and _is_metavar(word)):
            break
        if last.value:
            if gap or not _is_alike(last.metavar, word, ends=ends):
                break
            if not word.startswith("[") and word not in ("...", "RANGE"):
                doubt = "takes more than one value"
            at = start + len(word)
            continue
        its = _next_word_value(word, ends=ends, choices_needed=choices_needed)
        if its is None:
            break
        if its == "=" and word.isupper() and not ends and not word.endswith(":") and word.lower() not in _TYPES:
            its, doubt = "?", "does it take a value?"  # `--fast SSL without checks`
        if its == "=" and word.rstrip(",").endswith(("...", "…")):
            its, doubt = "?", "does it take one value, several, or none?"
        if default := re.search(r"\[=.*\]$", word):  # cobra's `string[="all"]`
            its, word = "?", word[: default.start()]
        last.value, last.metavar = its, word.rstrip(",:.…")
        loose = not _is_metavar(word)
        at = start + size - word.endswith(",")
        if word.endswith(":"):
            break
    return _options_from(spellings, doubt), body[at:], loose


def _is_alike(metavar: str, word: str, *, ends: bool) -> bool:
    """Whether a word behind a value is one more value, not the first of the explanation."""
    if word[0] == "[":
        return "..." in word or word.strip("[]. ") == metavar.strip("<>[]")
    if word == "...":
        return True
    bracketed = metavar[:1] in ("<", "{")
    return word[0] in "<{" if bracketed else ends and word[0] not in "<{" and _is_metavar(word) and word.isupper()


def _joined_value(body: str, at: int) -> tuple[int, Value, str]:
    """A value that is written without a space: `=FILE`, `[=WHEN]`, `<dir>`; `...` repeats."""
    while body.startswith("...", at) or body.startswith("…", at):
        at += 3 if body.startswith("...", at) else 1
    if body.startswith("]", at):  # of `[--force]`
        at += 1
    if at >= len(body) or body[at] not in "=[<{":
        return at, "", ""
    word = words_of(body[at:])[0]
    end = at + len(word)
    if word[0] == "=":
        # `--all=false:` is how kubectl shows a default; what is not switched on or off takes a value.
        inner = word[1:].rstrip(",")
        end = at + 1 + len(inner)
        plain = inner.rstrip(":")
        if plain.count("[") < plain.count("]"):  # of `[--name=NAME]`
            plain = plain[:-1]
        if set(plain.lower().split("|")) <= {"true", "false"}:
            return end, "", ""
        if plain.startswith("[") and plain.endswith("]") and plain != "[]":
            return end, "?", plain
        return end, "=", plain
    return end, "?", word.replace("=", "", 1)


def _next_word_value(word: str, *, ends: bool, choices_needed: bool) -> Value | None:
    """How the word behind an option's name is its value; None if it begins the explanation."""
    if word.startswith("[") and word.rstrip(".,…").endswith("]"):
        is_choice = "|" in word or "," in word
        return "=" if choices_needed and is_choice else "?"
    if _is_metavar(word) and (ends or not word[0].islower() or "=" in word):
        return "="
    return "=" if ends and re.fullmatch(r"[a-z][\w.=:/-]*,?", word) and word.islower() else None


def _is_metavar(word: str) -> bool:
    plain = word.rstrip(".,:…")
    if not plain or plain.startswith("-"):
        return False
    if plain[0] in "<{[":
        return True
    letters = re.sub(r"[^A-Za-z]", "", plain)
    if letters.isupper() and (len(letters) > 1 or len(plain) == 1) and re.fullmatch(r"[\w:=.,|/@%+\[\]-]+", plain):
        return True
    return (plain.lower() in _TYPES and plain == word) or "=" in plain


def _options_from(spellings: list[_Spelling], doubt: str) -> list[HelpOption]:
    """Spellings of one option, or several: `--force / --no-force`, where the second does not do what the first does."""
    spellings = [one for one in spellings if one.name not in "?#@"]
    names = [one.name for one in spellings]
    refusals = [one for one in spellings if one.name.startswith("no-") and one.name[3:] in names]
    usual = [one for one in spellings if one not in refusals]
    several = any(one.parted and len(one.name) > 1 < len(before.name) for before, one in pairwise(usual))
    # In `-p, --indicator-style=slash` the letter may stand for the whole, and then takes no value.
    fixed = len(usual) > 1 and len(usual[-1].name) > 1 and usual[-1].value == "=" and _is_literal(usual[-1].metavar)
    groups = [[one] for one in usual] if several or fixed else [usual]
    return [_option(group, doubt) for group in groups if group] + [_option([one], "") for one in refusals]


def _is_literal(metavar: str) -> bool:
    return metavar.isalpha() and metavar.islower() and metavar not in _TYPES


def _option(spellings: list[_Spelling], doubt: str) -> HelpOption:
    valued = next((one for one in reversed(spellings) if one.value), spellings[-1])
    metavar = valued.metavar
    if metavar[:1] in ("<", "[", "{") or metavar[-1:] in (">", "]", "}"):
        metavar = metavar.strip("<>[]{}")
    return HelpOption(
        tuple(dict.fromkeys(one.name for one in spellings)),
        valued.value,
        "" if _LITERAL.fullmatch(metavar) or not metavar.strip(".") else metavar,
        single=any(one.dash == "-" and len(one.name) > 1 for one in spellings),
        doubt=doubt,
    )


def _with_types(option: HelpOption) -> HelpOption:
    """An option whose explanation says that it takes a value, as yargs writes it: `[string]`, `[default: 10]`."""
    if option.value or option.names[0].startswith("no-"):
        return option
    if _TYPE_AT_END.search(option.text):
        return structs.replace(option, value="=")
    default = _DEFAULT.search(option.text)
    plain = default["value"].strip("\"' ").lower() if default and "[boolean]" not in option.text else "false"
    if plain in {"true", "false", "off", "on", "no", "yes", "disabled", "enabled", "none"} or plain.startswith("no-"):
        return option
    return structs.replace(option, value="?", doubt="does it take a value?")
