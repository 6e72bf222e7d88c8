"""Files that a command runs, as lines for a shell: scripts, the targets of a makefile, the scripts of package.json."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import DecodeError, json

from interlock.facts.limits import TARGETS

__all__ = ["code_of_file", "lines_of_file"]

_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "source", "."})
_NODE = frozenset({"npm", "pnpm", "yarn", "bun", "npx", "node-run"})
_SHEBANG = re.compile(r"#![ \t]*(?:/usr/bin/env[ \t]+(?:-S[ \t]+)?)?(?:\S*/)?([\w.+-]+)")
_RULE = re.compile(r"^([^\s#:=][^:=#]*)::?(?!=)[ \t]*([^\n#;]*)(?:;([^\n]*))?")
_SETTING = re.compile(r"^(?:export[ \t]+|override[ \t]+)?([\w.-]+)[ \t]*[:?+!]?:?=[ \t]*([^\n]*)$")
_REFERENCE = re.compile(r"\$\(([\w.-]+)\)|\$\{([\w.-]+)\}|\$([\w@<^*?+])")
_LANGUAGES = {
    **dict.fromkeys(("python", "pypy"), "python"),
    **dict.fromkeys(("node", "nodejs", "bun", "deno", "tsx", "ts-node"), "js"),
    "perl": "perl", "ruby": "ruby", "php": "php",
}  # fmt: skip
_ENDINGS = {
    "py": "python", "js": "js", "mjs": "js", "cjs": "js", "ts": "js", "mts": "js", "cts": "js", "pl": "perl",
    "rb": "ruby", "php": "php",
    **dict.fromkeys(("tsx", "jsx"), "js"), "sql": "sql",
    **dict.fromkeys(
        ("c", "cc", "cpp", "cxx", "h", "hh", "hpp", "go", "rs", "swift", "java", "kt", "cs", "zig", "nim"), "source"
    ),
    **dict.fromkeys(("lua", "R", "awk", "jl"), "other"),
}  # fmt: skip


def lines_of_file(name: str, by: str, args: tuple[str, ...], text: str) -> tuple[str, str] | None:
    """What a file of this text runs: "shell" or the name of another language, and the program. None: not to be read."""
    if by in ("make", "gmake"):
        recipe = _recipes(text, [arg for arg in args if "=" not in arg and not arg.startswith("-")])
        return None if recipe is None else ("shell", recipe)
    if by in _NODE and name.endswith("package.json"):
        scripts = _package_scripts(text, args)
        return None if scripts is None else ("shell", scripts)
    shebang = _SHEBANG.match(text)
    interpreter = by or (shebang[1] if shebang else "sh" if _looks_like_text(text) else "")
    if interpreter in _SHELLS:
        return "shell", text
    if re.fullmatch(r"python[\d.]*|pypy[\d.]*", interpreter):
        return "python", text
    return None


def code_of_file(name: str, by: str, text: str) -> tuple[str, str] | None:
    """The language of a text that stands in a file of that name, and the text. None: it is none that is read."""
    shebang = _SHEBANG.match(text)
    interpreter = by or (shebang[1] if shebang else "")
    kind = _LANGUAGES.get(interpreter.rstrip("0123456789.")) or _ENDINGS.get(name.rpartition(".")[2])
    return None if kind is None else (kind, text)


def _looks_like_text(text: str) -> bool:
    return text.isprintable() or all(sign.isprintable() or sign in "\n\t\r" for sign in text[:4096])


def _package_scripts(text: str, args: tuple[str, ...]) -> str | None:
    """The script that is named, with those that run before and behind it."""
    try:
        scripts = json.decode(text).get("scripts")
    except (DecodeError, AttributeError, UnicodeError):
        return None
    if not isinstance(scripts, dict) or not args or not isinstance(scripts.get(args[0]), str):
        return None
    named = (scripts.get(part) for part in (f"pre{args[0]}", args[0], f"post{args[0]}"))
    return "\n".join(line for line in named if isinstance(line, str))


# --- makefiles -----------------------------------------------------------------------------------------------------


def _recipes(text: str, targets: list[str]) -> str | None:
    """The recipes of some targets and of all that they need. None if one of them is not there."""
    rules, first, settings = _rules(text.replace("\\\n", " "))
    wanted = targets or ([first] if first else [])
    if not wanted or any(target not in rules for target in wanted):
        return None
    lines: list[str] = []
    seen: list[str] = []
    while wanted and len(seen) < TARGETS.most:
        target = wanted.pop(0)
        if target in seen or target not in rules:
            continue
        seen.append(target)
        needs, recipe = rules[target]
        wanted += needs
        lines += [_expand(line.lstrip("@-+ \t"), settings) for line in recipe]
    return "\n".join(lines) if not wanted else None


def _rules(text: str) -> tuple[dict[str, tuple[list[str], list[str]]], str, dict[str, str]]:
    rules: dict[str, tuple[list[str], list[str]]] = {}
    settings: dict[str, str] = {}
    first = ""
    current: list[str] = []
    for line in text.split("\n"):
        if line.startswith("\t"):
            for target in current:
                rules[target][1].append(line.strip())
        elif setting := _SETTING.match(line):
            settings[setting[1]] = setting[2].strip()
        elif rule := _RULE.match(line):
            current = _expand(rule[1], settings).split()
            first = first or next((target for target in current if not target.startswith(".")), "")
            for target in current:
                needs, recipe = rules.setdefault(target, ([], []))
                needs += [need for need in _expand(rule[2], settings).split() if need != "|"]
                recipe += [rule[3].strip()] if rule[3] else []
        elif line.strip() and not line.startswith("#"):
            current = []
    return rules, first, settings


def _expand(text: str, settings: dict[str, str], depth: int = 4) -> str:
    """A line with make's own variables followed, and the shell's left to the shell."""
    return "".join(_parts(text, settings, depth))


def _parts(text: str, settings: dict[str, str], depth: int) -> Iterator[str]:
    at = 0
    while (sign := text.find("$", at)) >= 0:
        yield text[at:sign]
        found = _REFERENCE.match(text, sign)
        if text.startswith("$$", sign):
            yield "$"
            at = sign + 2
        elif found is not None:
            name = found[1] or found[2] or found[3]
            known = settings.get(name)
            yield _expand(known, settings, depth - 1) if known is not None and depth else "${MAKE_VALUE}"
            at = found.end()
        elif text.startswith("$(shell ", sign):
            yield "$("
            at = sign + len("$(shell ")
        else:
            yield "${MAKE_VALUE}"
            at = _end_of_call(text, sign)
    yield text[at:]


def _end_of_call(text: str, start: int) -> int:
    """Just behind `$(…)` with what is nested in it."""
    depth = 0
    for at in range(start + 1, len(text)):
        if text[at] in "({":
            depth += 1
        elif text[at] in ")}":
            depth -= 1
            if depth <= 0:
                return at + 1
        elif depth == 0:
            return at + 1
    return len(text)
