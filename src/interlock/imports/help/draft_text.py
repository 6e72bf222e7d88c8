"""A drafted description as YAML: what the help says stands beside each line, and `# ?` where a person must look."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from interlock.imports.help.description import DraftEntry, DraftWord, ProgramDraft

__all__ = ["draft_text"]

_PLAIN = re.compile(r"[A-Za-z][\w./@=!?,+*-]*(?: [\w./@=!?,+*-]+)*")
_NOT_TEXT = re.compile(r"(?i)true|false|null|yes|no|on|off|y|n|~")
_MOST = 72  # characters of what the help says
_WIDE = 120
_MOST_LEFT = 40  # lines
_COLUMN = 34  # where comments begin


def draft_text(name: str, draft: ProgramDraft, cases: Mapping[str, str]) -> str:
    """The whole draft, as a policy that loads by itself."""
    body = _entry_lines(draft.entry, "    ")
    lines = [
        f"# A first description of `{name}`, drafted from its help text. The program was not run.",
        "# Correct it, above all where a line says `# ?`. Then copy it into the `programs` of your policy",
        "# and run `interlock check`, which tries the cases.",
        *(f"# {_flat(one)}" for one in draft.remarks),
        "version: 1",
        "programs:",
        f"  {_scalar(name)}:" if body else f"  {_scalar(name)}: {{}}",
        *body,
    ]
    if cases:
        lines.append("    cases:")
        lines += [f"      {_scalar(command)}: {_scalar(found)}" for command, found in cases.items()]
    missing = list(dict.fromkeys(one for one in map(_flat, draft.left) if one))
    if missing:
        lines.append("# Not understood; unknown options and subcommands count as changes:")
        lines += [f"#   {one[:_WIDE]}" for one in missing[:_MOST_LEFT]]
        if len(missing) > _MOST_LEFT:
            lines.append(f"#   … and {len(missing) - _MOST_LEFT} more")
    return "\n".join(lines) + "\n"


def _entry_lines(entry: DraftEntry, indent: str) -> list[str]:
    lines = []
    if entry.about:
        lines.append(f"{indent}about: {_scalar(_flat(entry.about))}")
    if entry.single_dash:
        lines.append(f"{indent}single-dash: true")
    for key, words in (("leading", entry.leading), ("options", entry.options)):
        if [one.word for one in words] == ["*"]:
            lines.append(f'{indent}{key}: ["*"]')
        elif words:
            lines.append(f"{indent}{key}:")
            lines += [_line(f"{indent}  - {_scalar(one.word)}", one) for one in words]
    if entry.operands is not None:
        lines.append(_line(f"{indent}operands: {_scalar(entry.operands.word)}", entry.operands))
    if list(entry.does.values()) == [entry.does.get(next(iter(entry.does), ""), [])] and _is_own(entry):
        traits, (own,) = next(iter(entry.does.items()))
        lines.append(_line(f"{indent}does: {_scalar(traits)}", own))
    elif entry.does:
        lines.append(f"{indent}does:")
        for traits, words in entry.does.items():
            lines.append(f"{indent}  {_scalar(traits)}:")
            lines += [_line(f"{indent}    - {_scalar(one.word)}", one) for one in words]
    if entry.forms:
        lines.append(f"{indent}forms:")
        for names, form in entry.forms.items():
            inner = _entry_lines(form, indent + "    ")
            lines += [f"{indent}  {_scalar(names)}:{'' if inner else ' {}'}", *inner]
    return lines


def _is_own(entry: DraftEntry) -> bool:
    """Whether the traits are those of the entry itself, not of subcommands."""
    return [one.word for words in entry.does.values() for one in words] == [""] and not entry.forms


def _line(text: str, word: DraftWord) -> str:
    parts = [f"? {_flat(word.doubt)}"] if word.doubt else []
    parts += [_cut(_flat(word.says))] if word.says else []
    return f"{text:{_COLUMN}}  # {' · '.join(parts)}" if parts else text


def _flat(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _cut(text: str) -> str:
    return text if len(text) <= _MOST else text[: _MOST - 1].rstrip() + "…"


def _scalar(text: str) -> str:
    plain = _PLAIN.fullmatch(text) and not _NOT_TEXT.fullmatch(text)
    return text if plain else json.dumps(text, ensure_ascii=False)
