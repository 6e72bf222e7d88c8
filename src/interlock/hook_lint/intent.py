"""What the words around a place say that it is meant for: what no reader of programs can know from what they do."""

from __future__ import annotations

import re

from interlock.hook_lint.program import HookProgram, Span

__all__ = [
    "asks_to_act",
    "hands_on",
    "is_for_another_agent",
    "is_list_of_exceptions",
    "is_meant_to_block",
    "is_only_a_warning",
]

_AGENTS = re.compile(
    r"""["'](?:[\w-]*[-_])?(?:antigravity|agy|amp|cline|codex|copilot|cursor|droid|gemini|kiro|opencode|qwen|windsurf)"""
    r"""(?:[-_][\w-]*)?["']|\b(?:codex|copilot|cursor|gemini|opencode|qwen|windsurf)(?:-cli)?\)""",
    re.IGNORECASE,
)
# Words that ask a reader to act, as an entry in a log does not.
_ADVICE = re.compile(
    r"\b(?:please|remember to|make sure|consider|you (?:should|must|need to|can|may want to)|don't forget|"
    r"do not forget|be sure to|try to|instead of|use \S+ instead|should be (?:run|updated|used|added)|suggestion|"
    r"reminder|tip|hint|advisory|recommendations?)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(r"!=|\bnot\b|\s!\s")
_BRANCH = re.compile(r"\s*(?:\}?\s*(?:el(?:se )?)?if\b|elif\b|case\b|[\w*|\"' -]+\)\s*$)")
_ONLY_WARNS = re.compile(
    r"non-?blocking|(?:(?:does|do|will|should)(?: not|n'?t)|never) block|not blocking|(?:only|just) warn"
    r"|warn(?:s|ing)? only|(?:#|//)\s*warn(?:ing)?\b",
    re.IGNORECASE,
)
_IS_WARNING = re.compile(r"non-?blocking|\bwarn|remind|advisory|(?:does|do) not block|doesn't block", re.IGNORECASE)
_BLOCKS = re.compile(
    r"(?:#|//)[^\n]*\b(?:block|den(?:y|ies)|refuse|reject|prevent|forbid|disallow)(?:s|ing)?\b", re.IGNORECASE
)
_LONGEST = 200  # characters
_HANDS_ON = re.compile(
    r"\b(?:defer|fall(?:s|ing)? (?:back|through)|pass(?:es|ing)?[- ]?(?:through|on)|leav(?:e|es|ing) it to"
    r"|hand(?:s|ed|ing)? (?:it )?(?:on|over))|\binstead of (?:blocking|denying|refusing)",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"^[ \t]*(?:(?:export|const|let|var|readonly|local|declare|typeset|static|-\w+)\s+)*([A-Za-z_]\w*)\s*"
    r"(?::[^=\n]+)?=[^=\n]*[\[({]",
    re.MULTILINE,
)
# A pattern that is the only value of a name, or that is part of a condition by not fitting.
_ONE = re.compile(
    r"""(?:\b([A-Za-z_]\w*)\s*(?::[^=\n]+)?=\s*(?:re\.compile\(|new RegExp\()?[rR]?["']?|(?:&&|\|\|)\s*!\s*)/?$"""
)
_END_OF_LIST = re.compile(r"^[\])}]", re.MULTILINE)
_EXCEPTION = re.compile(
    r"allow|safe|white|permit|promot|exempt|except|skip|ignor|trust|read_?only|harmless", re.IGNORECASE
)
_REFUSED = re.compile(r"un_?safe|dis_?allow|not_?allow|un_?trust|un_?permit", re.IGNORECASE)


def asks_to_act(text: object) -> bool:
    """Whether a text is advice to its reader, and not a note of what has happened."""
    return isinstance(text, str) and _ADVICE.search(text) is not None


def is_for_another_agent(program: HookProgram, span: Span) -> bool:
    """Whether a place is only reached under another agent: inside `if fmt == "copilot"`."""
    lines = program.text[: span.start].split("\n")
    indent = len(lines[-1]) - len(lines[-1].lstrip())
    for line in reversed(lines[:-1]):
        if not line.strip() or len(line) - len(line.lstrip()) >= indent:
            continue
        indent = len(line) - len(line.lstrip())
        if _BRANCH.match(line) and _AGENTS.search(line) and not _NEGATION.search(line):
            return True
        if not indent:
            break
    return False


def is_only_a_warning(program: HookProgram, span: Span, code: int | None = None) -> bool:
    """Whether a comment beside a place, or on the line before it, says that nothing is to be refused here.

    `code`: or whether the program says so of all ends with this exit code: `1 = warning (non-blocking)`.
    """
    lines = program.text.split("\n")
    if any(_ONLY_WARNS.search(line) for line in lines[max(0, span.line - 2) : span.line]):
        return True
    told = re.compile(
        rf"^\W*(?:exits?\b(?: codes?| with)?\W*)?{code}\W*[=:–—-]+\W*(.*)|(.*)=\s*exit {code}\b(.*)", re.IGNORECASE
    )
    # A line that says so is short. A long one, as in a bundle, would be searched for minutes.
    said = (told.search(line) for line in lines if code is not None and len(line) <= _LONGEST)
    return any(_IS_WARNING.search(" ".join(part for part in found.groups() if part)) for found in said if found)


def is_meant_to_block(program: HookProgram, span: Span) -> bool:
    """Whether a comment beside a place, or on the line before it, says that the call is refused here."""
    lines = program.text.split("\n")[max(0, span.line - 2) : span.line]
    return any(_BLOCKS.search(line) for line in lines) and not is_only_a_warning(program, span)


def hands_on(text: str) -> bool:
    """Whether a denial is only reported, and somebody else is left to decide: "denied, deferring to a person"."""
    return bool(_HANDS_ON.search(text))


def is_list_of_exceptions(program: HookProgram, span: Span) -> bool:
    """Whether a place is in a list of what is let through, or is one such pattern, by its name: `ALLOWED = [...]`."""
    before = program.text[: span.start]
    if (one := _ONE.search(before[-_LONGEST:])) is not None:
        return one[1] is None or _is_exception(one[1])
    found = None
    for found in _LIST.finditer(before):  # noqa: B007 - the last is looked for
        pass
    if found is None or _END_OF_LIST.search(before, found.end()):
        return False
    return _is_exception(found[1])


def _is_exception(name: str) -> bool:
    return bool(_EXCEPTION.search(name)) and not _REFUSED.search(name)
