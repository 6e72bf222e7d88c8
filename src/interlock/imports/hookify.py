"""Rules of the hookify plugin: `.claude/hookify.NAME.local.md` files, each a small map and a message below it.

The plugin does not read YAML. It takes what follows a colon as it is and drops quotes around it, so a backslash in
quotes stays a backslash; this reader does the same.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

from interlock.errors import InterlockError, Source
from interlock.imports.draft import DraftRule, Import, NotCarried, cel_text, id_of, plain_text
from interlock.imports.samples import sample_of
from interlock.policy.names import regex

__all__ = ["read_rule"]

_EVENTS = ("bash", "file", "stop", "prompt", "all")
_ACTIONS = ("warn", "block", "ask")
_FILE_TOOLS = ["Write", "Edit", "MultiEdit"]
_OPERATORS = ("regex_match", "contains", "equals", "not_contains", "starts_with", "ends_with")
_TEXT = '(input.?content.orValue("") + input.?new_string.orValue(""))'
# The plugin's fields, by event → the expression that has the same value.
_FIELDS = {
    "bash": {"command": "input.command"},
    "file": {
        "file_path": 'input.?file_path.orValue("")', "old_text": 'input.?old_string.orValue("")',
        "old_string": 'input.?old_string.orValue("")', "new_text": _TEXT, "new_string": _TEXT, "content": _TEXT,
    },
    "prompt": {"user_prompt": "event.prompt", "prompt": "event.prompt", "content": "event.prompt"},
    "stop": {},
}  # fmt: skip
_SIMPLE_FIELD = {"bash": "command", "file": "new_text", "prompt": "user_prompt"}
_NEUTRAL = ("interlock import", "plain words", "0")


class _Value(Struct, frozen=True):
    text: Any
    line: int


class _Condition(Struct, frozen=True):
    field: str
    operator: str
    pattern: str
    line: int


def read_rule(text: str, file: str) -> Import:
    """What one rule file becomes."""
    values, message = _front_matter(text, file)
    found = Import()
    place = Source(file, 1, 1)
    name = str(values["name"].text) if "name" in values else id_of(file.rsplit("/", 1)[-1])
    if "enabled" in values and values["enabled"].text is False:
        found.left.append(NotCarried(Source(file, values["enabled"].line, 1), name, "it is switched off"))
        return found
    event = _one_of(values, "event", "all", _EVENTS, file)
    action = _one_of(values, "action", "warn", _ACTIONS, file)
    conditions = _conditions(values, event, file)
    if not conditions:
        found.left.append(NotCarried(place, name, "it has neither `pattern` nor `conditions`, so it never matches"))
        return found
    if not message:
        message = f"The rule {name} matches."
    if event != "all":
        _add(found, name, event, action, conditions, values, message, place)
        return found
    for one in ("bash", "file"):
        _add(found, f"{name}-{one}", one, action, conditions, values, message, place)
    if found.rules:  # a field that only one of them has is not missing from the other
        found.left.clear()
        found.remarks.append(NotCarried(place, name, "it was about all events; it is carried for commands and files"))
    return found


# --- reading ---------------------------------------------------------------------------------------------------


def _front_matter(text: str, file: str) -> tuple[dict[str, Any], str]:
    parts = text.removeprefix("\ufeff").split("---", 2)
    if not text.removeprefix("\ufeff").startswith("---") or len(parts) < 3:
        raise InterlockError(
            "a hookify rule begins with `---`, its keys and another `---`", Source(file, 1, 1), "add them"
        )
    values: dict[str, Any] = {}
    items: list[dict[str, _Value]] | None = None
    for number, line in enumerate(parts[1].split("\n"), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        if not line[0].isspace() and not stripped.startswith("-"):
            key, colon, value = line.partition(":")
            if not colon:
                raise InterlockError(f"`{stripped}` has no colon", Source(file, number, 1), "write key: value")
            items = [] if not value.strip() else None
            values[key.strip()] = _Value(items if items is not None else _plain(value), number)
        elif items is None:
            raise InterlockError("this line belongs to no list", Source(file, number, 1), "write it below a key")
        else:
            _read_item(stripped, items, number)
    return values, parts[2].strip()


def _read_item(stripped: str, items: list[dict[str, _Value]], number: int) -> None:
    if stripped.startswith("-"):
        items.append({})
        stripped = stripped[1:].strip()
        pieces = stripped.split(",") if ":" in stripped and "," in stripped else [stripped]
    else:
        pieces = [stripped]
    for piece in pieces:
        key, colon, value = piece.partition(":")
        if colon and items:
            items[-1][key.strip()] = _Value(_plain(value), number)


def _plain(value: str) -> Any:
    found = value.strip().strip('"').strip("'")
    return {"true": True, "false": False}.get(found.lower(), found)


def _one_of(values: dict[str, Any], key: str, default: str, known: tuple[str, ...], file: str) -> str:
    found = values.get(key)
    if found is None:
        return default
    if found.text not in known:
        raise InterlockError(
            f"`{key}` is `{found.text}`", Source(file, found.line, 1), f"hookify knows {', '.join(known)}"
        )
    return str(found.text)


def _conditions(values: dict[str, Any], event: str, file: str) -> list[_Condition]:
    listed: Any = values.get("conditions")
    if listed is not None and not isinstance(listed.text, list):
        raise InterlockError("`conditions` is not a list", Source(file, listed.line, 1), "write `- field: …` below it")
    found = []
    for one in listed.text if listed is not None else ():
        line = min((value.line for value in one.values()), default=listed.line)
        parts = {key: str(value.text) for key, value in one.items()}
        operator = parts.get("operator", "regex_match")
        if operator not in _OPERATORS:
            raise InterlockError(
                f"`operator` is `{operator}`", Source(file, line, 1), f"hookify knows {', '.join(_OPERATORS)}"
            )
        found.append(_Condition(parts.get("field", ""), operator, parts.get("pattern", ""), line))
    pattern = values.get("pattern")
    if not found and pattern is not None and pattern.text:
        found.append(_Condition(_SIMPLE_FIELD.get(event, "content"), "regex_match", str(pattern.text), pattern.line))
    return found


# --- one rule --------------------------------------------------------------------------------------------------


def _add(
    found: Import,
    name: str,
    event: str,
    action: str,
    conditions: list[_Condition],
    values: dict[str, Any],
    message: str,
    place: Source,
) -> None:
    keys = _about(event, values)
    tests: list[str] = []
    samples: dict[str, list[tuple[_Condition, str | None]]] = {}
    for one in conditions:
        if event == "stop" and one.field in ("content", "reason") and _holds(one, ""):
            continue  # the usual way to say: always
        field = _FIELDS[event].get(one.field) or _SIMPLE_EXPRESSION(one, event)
        source = Source(place.file, one.line, 1)
        if field is None:
            why = (
                "no rule reads the transcript; count what happened with `count(…)`"
                if one.field == "transcript"
                else (f"`{one.field}` has no value on this event, so it never matched")
            )
            found.left.append(NotCarried(source, name, why))
            return
        test, sample = _test(one, field)
        if test is None:
            found.left.append(NotCarried(source, name, sample or "it cannot be read"))
            return
        tests.append(test)
        samples.setdefault(field, []).append((one, sample))
    if tests:
        keys["when"] = " && ".join(tests)
    keys |= _effect(event, action, message)
    catch, passes = _cases(event, conditions, samples)
    found.rules.append(DraftRule(id_of(name), place, name, keys, catch, passes))


def _SIMPLE_EXPRESSION(one: _Condition, event: str) -> str | None:  # noqa: N802
    """A field of the tool's input that the plugin has no name for."""
    if event in ("bash", "file") and re.fullmatch(r"[A-Za-z_]\w*", one.field) and one.field != "transcript":
        return f'input.?{one.field}.orValue("")' if one.field not in ("content", "new_text", "command") else None
    return None


def _about(event: str, values: dict[str, Any]) -> dict[str, Any]:
    if event == "stop":
        return {"event": "Stop"}
    if event == "prompt":
        return {"event": "UserPromptSubmit"}
    matcher = values.get("tool_matcher")
    if matcher is not None and matcher.text != "*":
        names = str(matcher.text).split("|")
        return {"tool": names[0] if len(names) == 1 else names}
    return {"tool": "Bash" if event == "bash" else _FILE_TOOLS}


def _test(one: _Condition, field: str) -> tuple[str | None, str | None]:
    """The condition as an expression, with a text that it holds for; or None with why there is none."""
    text = cel_text(one.pattern)
    match one.operator:
        case "contains":
            return f"{field}.contains({text})", f"a {one.pattern} b"
        case "not_contains":
            return f"!{field}.contains({text})", ""
        case "equals":
            return f"{field} == {text}", one.pattern
        case "starts_with":
            return f"{field}.startsWith({text})", one.pattern + " x"
        case "ends_with":
            return f"{field}.endsWith({text})", "x " + one.pattern
    pattern = f"(?i){one.pattern}".replace(r"\Z", r"\z")
    try:
        re.compile(one.pattern)
    except re.error as error:
        return None, f"`{one.pattern}` is not a regex ({error}), so it never matched"
    try:
        regex(pattern)
    except InterlockError:
        return None, f"`{one.pattern}` uses a lookaround or a reference, which RE2 regexes do not have"
    return f"{field}.matches({cel_text(pattern)})", sample_of(one.pattern)


def _effect(event: str, action: str, message: str) -> dict[str, Any]:
    text = plain_text(message)
    if action == "block":
        return {"deny": text}
    if action == "ask" and event in ("bash", "file"):
        return {"ask": text}
    return {"notify": text} if event == "stop" else {"context": text, "notify": text}


def _cases(
    event: str, conditions: list[_Condition], samples: dict[str, list[tuple[_Condition, str | None]]]
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """A call that every condition holds for, and one that not all hold for, if they can be made."""
    given: dict[str, str] = {}
    for field, listed in samples.items():
        texts = [sample for _, sample in listed if sample]
        joined = " ".join(texts) if texts else ""
        if any(sample is None for _, sample in listed) or not all(_holds(one, joined) for one, _ in listed):
            return (), ()
        given[field] = joined
    others = [text for text in _NEUTRAL if samples and not all(
        _holds(one, text) for listed in samples.values() for one, _ in listed
    )]  # fmt: skip
    catch = _case(event, given)
    passes = _case(event, dict.fromkeys(samples, others[0])) if others else None
    return (catch,) if catch is not None else (), (passes,) if passes is not None else ()


def _holds(one: _Condition, text: str) -> bool:
    match one.operator:
        case "contains":
            return one.pattern in text
        case "not_contains":
            return one.pattern not in text
        case "equals":
            return one.pattern == text
        case "starts_with":
            return text.startswith(one.pattern)
        case "ends_with":
            return text.endswith(one.pattern)
    return re.search(one.pattern, text, re.IGNORECASE) is not None


def _case(event: str, given: dict[str, str]) -> Any:
    if event == "stop":
        return {"event": {"stop_hook_active": False}}
    if event == "prompt":
        return {"prompt": given.get("event.prompt", "x")}
    if event == "bash":
        return {"Bash": {"command": given["input.command"]}} if set(given) == {"input.command"} else None
    fields = {
        _TEXT: "new_string",
        'input.?file_path.orValue("")': "file_path",
        'input.?old_string.orValue("")': "old_string",
    }
    if not set(given) <= set(fields):
        return None
    return {
        "Edit": {
            "file_path": "a.txt",
            "old_string": "",
            "new_string": "",
            **{fields[key]: text for key, text in given.items()},
        }
    }
