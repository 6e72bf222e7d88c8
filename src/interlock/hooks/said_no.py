"""Whether a text that a hook left beside an empty answer says no.

A hook that prints "Blocked delete_account!" and returns nothing lets the call run, and its author believes otherwise.
Many ordinary logs hold the same words, so a line denies only if it begins with a denial or names this call. A line
that merely sounds like one is worth a notice; counts, lists and what did not happen are worth nothing.
"""

from __future__ import annotations

import json
import re
import unicodedata
from ast import literal_eval
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from msgspec import Struct

from interlock.facts.tools import names_of, parse_mcp

__all__ = ["NO_CALL", "CallNames", "SaidNo", "names_in_call", "said_no"]

JsonObject: TypeAlias = dict[str, Any]

_MOST = 64 * 1024  # characters that are read at either end of a text
_LONGEST_LINE = 2_000
_SHOWN = 80


class SaidNo(Struct, frozen=True):
    """The line that says no, and whether it may be taken as a denial of this call."""

    line: str
    denies: bool


class CallNames(Struct, frozen=True):
    """What a line may call a call by. The program it runs is a name only where a sentence denies it."""

    full: tuple[re.Pattern[str], ...] = ()
    program: re.Pattern[str] | None = None


NO_CALL = CallNames()

# --- words -------------------------------------------------------------------------------------------------

_NOT = r"(?:\bno|\bnot|\bnone|\bnever|\bnothing|\bnobody|\bneither|\bnor|\bwithout|n[o']t|\b0|\bzero)"
_NEGATIVE = r"not\s+(?:been\s+)?(?:allowed|permitted|authori[sz]ed|approved)"
_DONE = (
    r"(?:blocked|denied|rejected|refused|forbidden|prohibited|disallowed|vetoed|banned|unauthori[sz]ed"
    rf"|{_NEGATIVE})"
)
_DOING = r"(?:blocking|denying|rejecting|refusing|forbidding|prohibiting|disallowing|vetoing)"
_ORDER = r"(?:block|deny|reject|refuse|forbid|disallow|veto)"
_DOES = r"(?:blocks|denies|rejects|refuses|forbids|prohibits|disallows|vetoes)"
_EDGE = r"(?![\w/]|[-.]\w|\()"  # the end of a word that is no part of an identifier, a path or a call
_VIOLATION = r"(?:policy|security|safety|rule|guardrail|permission|compliance)[ -]violation"
# What a hook calls that which it decides about, and what it calls itself.
_ABOUT = (
    r"(?:access|permission|operation|command|tool(?:[ -](?:call|use))?|call|request|action|execution|invocation|write"
    r"|edit|read|deletion|change|input|prompt|file|path|url|query|commit|push|refund|transaction|attempt|this|it|that)"
)
_ACTOR = (
    r"(?:i|we|hook|guard|gate|policy|security|firewall|guardrail|interlock|pre-?tool-?use(?:\s+hook)?|validator|filter"
    r"|rule|sandbox)"
)
_IS = r"(?:(?:is|was|are|were|ha(?:s|ve|d)\s+been|being|gets|got|will\s+be)\s+)?(?:\w+ly\s+)?"
_VERDICT = r"(?:(?:final\s+)?(?:permission\s*)?(?:decision|verdict|action|result|status|outcome|answer))"

# How a line begins that denies.
_BEGINNING = re.compile(
    rf"""(?:
        (?P<done>(?:request(?:ed)?\s+)?{_DONE}){_EDGE}
      | (?P<doing>{_DOING}){_EDGE}
      | (?P<order>{_ORDER}){_EDGE}(?=\s*$|\s*[:!]|\s+[-–—>→=*#<])
      | (?:(?:the|this|that|your)\s+)?(?:[\w.-]+\s+){{0,2}}?{_ABOUT}\s+(?:(?:to|of|for)\s+\S+(?:\s\S+)?\s+)?{_IS}
        (?P<passive>{_DONE}){_EDGE}
      | (?:(?:the|our|a)\s+)?(?:\w+\s+)?{_ACTOR}\s+(?:(?:has|have|will|must)\s+)?
        (?P<active>{_DONE}|{_DOES}|{_ORDER}){_EDGE}(?=\s*$|\s*[:!.]|\s+(?:the|this|that|it|your|a|an|tool|call|command)\b)
      | you\s+(?:(?:are|were|'re|may|must|can|do)\s+not|(?:are|do|must)n't|can(?:not|'t))\s+
        (?P<you>allowed|permitted|authori[sz]ed|(?:have\s+)?permission|run|use|do|call|delete|execute|access|edit|write
        |read|push){_EDGE}
      | {_VERDICT}\s*[:=]+>?\s*["'`]?(?P<verdict>{_ORDER}|{_DONE}){_EDGE}
      | (?P<violation>{_VIOLATION}){_EDGE}
    )""",
    re.IGNORECASE | re.VERBOSE,
)
# Denials anywhere in a line, and orders only where they cannot be nouns of something else.
_ANYWHERE = re.compile(
    rf"(?<![\w./'\"`-])(?:(?P<done>{_DONE})|(?P<doing>{_DOING})|(?P<does>{_DOES})|(?P<order>deny|reject|refuse|forbid)"
    rf"|(?P<loud>(?-i:BLOCK|DENY))|(?P<violation>{_VIOLATION}))s?{_EDGE}",
    re.IGNORECASE,
)
_LAST_WORD = re.compile(rf"(?:\.{{2,}}|…|[-=]>|→|:)\s*{_DONE}\s*[.!]*$", re.IGNORECASE)
_NEGATED = re.compile(rf"{_NOT}(?:[ -]+[\w']+){{0,3}}[ -]+$", re.IGNORECASE)
_SUPPOSED = re.compile(
    r"\b(?:would|could|should|might|may|can|to be|previously|formerly|earlier|last|once|expected?)\b[^,;:]{0,40}$",
    re.IGNORECASE,
)
_IN_QUESTION = re.compile(r"\b(?:if|whether|when|unless|until)\b[^,;:]{0,40}$", re.IGNORECASE)
# What makes of a denial behind which it stands a number, a list, a question or a state of waiting.
_REPORT = re.compile(
    r"""\s*(?:
        [:=]\s*(?:(?:none|no|false|null|nothing|n/?a|-)\s*(?:$|[,;.|)])|[\[{(])
      | [:=(]*\s*(?:\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)\s*(?:%|ms|s|of|/\s*\d+)?(?![\w.:/-])
      | \s(?:nothing|none|no|nobody|zero)\b | \{ | \? | s?[-_ ]*(?:list|set|map|table|count|rate|ratio|size|total|mode
        |time|queue|thread|i/?o|socket|state|status|percentage|reason|event|until|since|factor)s?\b
      | \s+(?!to\s)(?:\w+\s+){0,2}?(?:domains|hosts|ips|addresses|words|terms|patterns|rules|paths|files|commands|users
        |imports|items|entries|urls|extensions|tools|licen[sc]es|packages|dependencies|modules|calls|operations|requests
        |connections|names|keys|ports|countries|accounts|senders|origins|keywords|regexes|prefixes|reads|writes|tasks
        |threads|issues|cookies|trackers|ads|types|branches|characters|tags|tokens)(?!\s+(?:is|are)\s+not)\b
      | \s+on\s+(?:review|ci\b|merge|approval|input|lock|i/?o|upstream|\#|\d|[a-z]+-\d)
      | \s+by\s+(?:\#|\d|cors\b|task|issue|ticket|upstream|nothing|none|nobody|no\s) | \s+\(publickey
      | \s+for\s+user\s | ,?\s*please\s+try\s+again | .{0,40}requested\s+access\s+to\s+the\s+resource
      | \s+(?:a\s+frame|loading|script\s+execution|mixed)\b
      | \s+(?:call|operation|read|write|request|task|wait)s?\s+(?:took|takes|in|detected|for)\b
      | (?<=using)\s+to\s+(?:overwrite|merge|install|start|load
        |connect|create|update|fetch|lose|follow|downgrade|upgrade|reload|open|clobber|replace)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_COUNTED = re.compile(r"\s*[:=(]*\s*[1-9]\d*(?![\w.:/%-]|\s*(?:ms|s)\b)")
# Errors of a system or a library that say "denied" or "refused" of something else than the call.
_OTHERS = re.compile(
    r"\[Errno \d+\]|updates were rejected|^!?\s*\[(?:remote )?rejected\]|403 forbidden"
    r"|connect\w*[^,;]{0,40}refused|refused to connect|\bE(?:PERM|ACCES|CONNREFUSED)\b"
    r"|\brejected\]|(?:pipe|host|server|peer|port \d+|socket)[: ]+(?:connection )?refused|by CORS policy"
    r"|unhandled (?:promise )?rejection|: permission denied\s*$|: operation not permitted\s*$",
    re.IGNORECASE,
)
# A test runner's or a linter's line, or one that says what is about to be looked at.
_ROUTINE = re.compile(
    r"^\s*(?:[✓✔√☑]|(?:not )?ok \d|PASS(?:ED)?\b|SKIP(?:PED)?\b|RUNS?\b|describe\b|it\()|\(\d+(?:\.\d+)? ?m?s\)\s*$"
    r"|(?:^|\s)[\w./\\-]+\.\w{1,5}(?::\d+|\(\d+)(?!\d*\])|::test_|^\s*\d+:\d+\s+(?:error|warning|warn)\b|\bno-[a-z]+(?:-[a-z]+)*\s*$"
)
_PROGRESS = re.compile(
    r"(?:load|check|scan|read|regist|compil|start|initiali|using|uses|evaluat|runn|process|test|assert|allow(?!ed\s+tools)"
    r"|permit|approv|pass|ok\b|skip|todo|fixme|usage|help|hint|example|default|config|expect|watch|polic(?:y|ies) load"
    r"|fatal:|parse|match(?:ing|es)|enabl|sync|updat|download|cache|fetch)",
    re.IGNORECASE,
)  # fmt: skip
# Words that say no only of the call they name.
_FAINT = re.compile(
    r"[🚫⛔🛑✋🙅]|\b(?:stop(?:ped|ping)?|prevent(?:ed|ing)|abort(?:ed|ing)|cancel(?:l?ed|l?ing)|halt(?:ed|ing)"
    r"|intercept(?:ed|ing)|quarantined|do(?:es)? not run|don't run|will not run|won't run|not running|not executing"
    r"|must not|may not|cannot be|can't let|off limits|is protected)\b",
    re.IGNORECASE,
)

# --- the text ----------------------------------------------------------------------------------------------

_ANSI = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-_]")
_LINES = re.compile(r"[\r\n\v\f\x85\u2028\u2029]+")
_LEVEL = r"(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|CRITICAL|CRIT|FATAL|SEVERE|ALERT|[DIWEF])"
_PREFIX = re.compile(
    rf"""(?:
        [IWEF]\d{{4}}\s\S+\s+\d+\s\S+\] | \[[^\]\[]{{0,60}}\] | \([^()]{{0,40}}\) (?=\s) | <[^<>]{{0,40}}>
      | \d{{4}}[-/]\d\d[-/]\d\d (?:[T ]\s*\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)? (?:Z|[+-]\d\d:?\d\d)?
      | \d{{1,2}}:\d\d(?::\d\d)?(?:[.,]\d+)? (?:\s*[AP]M)? | \d{{9,}}(?:[.,]\d+)?
      | (?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*,?\s+)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*\s+\d+
        (?:\s+\d\d:\d\d:\d\d)?(?:\s+\d{{4}})?
      | (?:level|lvl|time|ts|t|logger|name|pid|hook|tool|component|caller)=(?:"[^"]*"|\S+) | (?:msg|message|event)=["']?
      | {_LEVEL}\b | (?i:{_LEVEL[3:-1].replace("|[DIWEF]", "")})(?=\s*[:|\]])
      | (?!(?i:todo|fixme|fatal|help|hint|usage|example|expected|previous|last)\b)
        [\w.@-]{{1,40}}(?:\[\d+\]|:\d+)?:(?!//|\d)
      | [\w.-]{{1,40}}\s+(?=[-|]\s+{_LEVEL}\b) | \d+\s+(?=[-|]\s)
      | [^\w\s\[\](){{}}<>"'`/\\$%&@+~]+ | \s+ | ["'`] | [<>]+
    )""",
    re.VERBOSE,
)
_MOST_PREFIXES = 24
_MESSAGE_KEYS = ("message", "msg", "event", "text", "reason", "log")


def said_no(text: str, call: CallNames = NO_CALL, *, own: bool = False) -> SaidNo | None:
    """The line of a text that says no, if one does: the first that denies, else the first worth a notice.

    `own`: the text is what a Python hook printed on its own stdout, where everything that sounds like a denial is one.
    """
    if len(text) > 2 * _MOST:
        text = text[:_MOST] + "\n" + text[-_MOST:]
    faint: SaidNo | None = None
    if _is_decision(_object_in(text)):
        return SaidNo(_LINES.split(text.strip())[0][:_SHOWN], denies=True)
    for line in _lines_of(text):
        found = _judge(line, call)
        if found is None:
            continue
        if found or own:
            return SaidNo(_shown(line), denies=True)
        faint = faint or SaidNo(_shown(line), denies=False)
    return faint


def _lines_of(text: str) -> Iterator[str]:
    for raw in _LINES.split(_ANSI.sub("", text)):
        line = _plain(raw[:_LONGEST_LINE])
        if not line:
            continue
        document = _object_in(line)
        if isinstance(document, dict) and not _is_decision(document):
            yield from (_plain(found) for key in _MESSAGE_KEYS if isinstance(found := document.get(key), str))
        else:
            yield line


def _plain(line: str) -> str:
    """The line in plain letters: full-width and bold ones read as what they look like, without invisible ones."""
    if not line.isascii():
        line = "".join(char for char in unicodedata.normalize("NFKC", line) if unicodedata.category(char) != "Cf")
    return line.replace("’", "'").strip()


def _shown(line: str) -> str:
    return "".join(char for char in line if char.isprintable())[:_SHOWN]


def _object_in(text: str) -> Any:
    """The object that a text is, in JSON or as Python prints it."""
    text = text.strip()
    if not text.startswith("{") or not text.endswith("}"):
        return None
    for read in (json.loads, literal_eval):
        try:
            return read(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
    return None


def _is_decision(document: Any) -> bool:
    """Whether a JSON object is a hook's answer that denies: built, printed, and never returned."""
    if not isinstance(document, dict):
        return False
    inner = document.get("hookSpecificOutput")
    parts = [document, *([inner] if isinstance(inner, dict) else [])]
    words = [part.get(key) for part in parts for key in ("decision", "permissionDecision", "behavior")]
    return document.get("blocked") is True or any(word in ("deny", "block", "denied", "blocked") for word in words)


def _judge(line: str, call: CallNames) -> bool | None:
    """True if the line denies this call, False if it sounds like it, None if it says nothing of the kind."""
    if _ROUTINE.search(line) or _OTHERS.search(line):
        return None
    if _begins(line):
        return True
    named = any(name.search(line) for name in call.full) or bool(call.program and call.program.search(line))
    sounds = _sounds(line)
    if sounds is None:
        return True if named and _FAINT.search(line) and not _is_progress(line) else None
    return named and sounds and (not _is_progress(line) or bool(_LAST_WORD.search(line)))


def _begins(line: str) -> bool:
    """Whether the line, behind time, level, logger and signs, begins with a denial."""
    place = 0
    for _ in range(_MOST_PREFIXES):
        if line[place] == "{":
            return _is_decision(_object_in(line[place:]))
        tag = re.match(r"\[\s*([^\]\[]{1,40}?)\s*\]", line[place:])
        if tag and _BEGINNING.fullmatch(tag[1]) and not _REPORT.match(line, place + tag.end()):
            return True
        found = _BEGINNING.match(line, place)
        if found:
            negated = found["you"] is None and _is_negated(line, found.start(found.lastgroup or 0))
            return not negated and not _REPORT.match(line, found.end())
        prefix = _PREFIX.match(line, place)
        if prefix is None or prefix.end() == len(line):
            return False
        place = prefix.end()
    return False


def _is_negated(line: str, place: int) -> bool:
    return bool(_NEGATED.search(line, max(0, place - 60), place))


def _is_progress(line: str) -> bool:
    """Whether the line, behind its prefixes, says what is being done rather than what was decided."""
    place = 0
    for _ in range(_MOST_PREFIXES):
        if _PROGRESS.match(line, place):
            return True
        prefix = _PREFIX.match(line, place)
        if prefix is None or prefix.end() == len(line):
            return False
        place = prefix.end()
    return False


def _sounds(line: str) -> bool | None:
    """True if the line states a denial somewhere, False if it supposes or counts some, None if there is none."""
    weak: bool | None = None
    for found in _ANYWHERE.finditer(line):
        before = max(0, found.start() - 60), found.start()
        if _is_negated(line, found.start()) or _IN_QUESTION.search(line, *before):
            continue
        if _REPORT.match(line, found.end()):
            weak = False if found["done"] and _COUNTED.match(line, found.end()) else weak
        elif _SUPPOSED.search(line, *before):
            weak = False
        else:
            return True
    return weak


# --- the call ----------------------------------------------------------------------------------------------

_PATHS = ("file_path", "notebook_path", "path")
_IDENTIFIER = re.compile(r"[\w.@:/+-]{4,200}")
_TELLING = re.compile(r"[\d_./@:-]")


def names_in_call(tool: str, given: JsonObject) -> CallNames:
    """What a line may call this call by: its tool, its command or file, and values that could be nothing else."""
    mcp = parse_mcp(tool)
    full = [_tool_name(name) for name in (*names_of(tool), *([mcp.tool] if mcp else []))]
    full += [_bounded(re.escape(name)) for name in _values_of(given)]
    command = given.get("command")
    words = command.split() if isinstance(command, str) else []
    if len(words) > 1:
        full.append(_bounded(r"\s+".join(map(re.escape, words[:2]))))
    return CallNames(tuple(full), _as_subject(words[0]) if words else None)


def _values_of(given: JsonObject) -> Iterable[str]:
    for key, value in given.items():
        if not isinstance(value, str) or not (first := next(iter(value.strip().splitlines()), "").strip()):
            continue
        if key == "command":
            yield first[:60]
        elif key in _PATHS:
            yield first
            if len(last := first.rstrip("/").rpartition("/")[2]) > 3:
                yield last
        elif _IDENTIFIER.fullmatch(first) and _TELLING.search(first):
            yield first


def _tool_name(name: str) -> re.Pattern[str]:
    # `Read` and `Write` are words of every log; `delete_account` and `WebFetch` are not.
    telling = not name[1:].isalpha() or not name[1:].islower()
    return _bounded(re.escape(name), re.IGNORECASE if telling else 0)


def _bounded(pattern: str, flags: int = 0) -> re.Pattern[str]:
    # A file before a line number is where a linter found something, not what a hook decides about.
    return re.compile(rf"(?<![\w-]){pattern}(?![\w-]|:\d|\(\d)", flags)


def _as_subject(program: str) -> re.Pattern[str]:
    word = rf"[`'\"]?{re.escape(program)}[`'\"]?"
    return re.compile(
        rf"(?<![\w./-]){word}\s+(?:command\s+)?{_IS}{_DONE}|{_DONE}\s+(?:command\s+)?{word}(?![\w./-])", re.IGNORECASE
    )
