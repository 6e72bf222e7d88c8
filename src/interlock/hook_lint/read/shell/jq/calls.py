"""The functions of jq that hooks call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from interlock.hook_lint.program import PatternUse
from interlock.hook_lint.read.shell.holes import Ask, Atom, Hole, has_holes
from interlock.hook_lint.read.shell.jq.grammar import Jq
from interlock.hook_lint.read.shell.jq.reader import JqReader
from interlock.hook_lint.read.shell.jq.values import HoleValue, Input, JqScope, Way

__all__ = ["CALLS", "JqCall"]

_EACH = Jq("each", (Jq("input"),))


class JqCall(Struct):
    """One call: of which function, with what, and on which value."""

    run: JqReader
    node: Jq
    arguments: tuple[Jq, ...]
    given: Input
    scope: JqScope

    @property
    def name(self) -> str:
        return str(self.node.args[0])

    def values(self, place: int) -> list[Input]:
        """What an argument gives."""
        if -len(self.arguments) <= place < len(self.arguments):
            return self.run.values(self.arguments[place], self.given, self.scope)
        return []

    def value(self, place: int) -> Input:
        found = self.values(place)
        return found[0] if len(found) == 1 else self.run.unknown(*found) if found else None

    def hole(self, value: Input) -> Hole | None:
        """What is known of a value that is one hole."""
        if isinstance(value, HoleValue):
            return value.hole
        return self.run.holes.sole(value) if isinstance(value, str) else None


Result: TypeAlias = list[Way] | None
"""None: the call is not understood."""


def _gives(*values: Input) -> list[Way]:
    return [Way(values=values)]


def _select(call: JqCall) -> Result:
    if len(call.arguments) != 1:
        return None
    nothing = Jq("call", ("empty", ()))
    test = Jq("if", (call.arguments[0], None, nothing), call.node.start, call.node.end)
    return call.run.ways(test, call.given, call.scope)


def _empty(call: JqCall) -> Result:
    return _gives()


def _not(call: JqCall) -> Result:
    truth = call.run.truth(call.given, call.node)
    return _gives(not truth if isinstance(truth, bool) else call.run.flag(truth.negation()))


def _map(call: JqCall) -> Result:
    if len(call.arguments) != 1:
        return None
    made = Jq("list", (Jq("pipe", (_EACH, call.arguments[0])),), call.node.start, call.node.end)
    return call.run.ways(made, call.given, call.scope)


def _test(call: JqCall) -> Result:
    return _gives(_search_text(call, "regex")) if call.arguments else None


def _match(call: JqCall) -> Result:
    if not call.arguments:
        return None
    return _gives(call.run.unknown(call.given, ask=_search_text(call, "regex").hole.ask))


def _starts(call: JqCall) -> Result:
    return _gives(_search_text(call, "starts" if call.name == "startswith" else "contains")) if call.arguments else None


def _ends(call: JqCall) -> Result:
    run = call.run
    return _gives(run.flag(run.ask(call.node, [Atom("match", run.place(call.node))], call.given, call.value(0))))


def _search_text(call: JqCall, how: Literal["regex", "starts", "contains"]) -> HoleValue:
    run = call.run
    pattern, hole, span = call.value(0), call.hole(call.given), run.place(call.node)
    origins = hole.origins if hole is not None else ()
    if hole is not None and isinstance(pattern, str):
        for text in run.holes.choices(pattern):
            for origin in origins:
                run.notes.search(PatternUse(path=origin, text=text, how=how, span=span, change=hole.change))
    path = origins[0] if len(origins) == 1 else None
    atom = Atom("match" if run.paths(call.given, pattern) else "world", span, path=path)
    return run.flag(run.ask(call.node, [atom], call.given, pattern))


def _is_in(call: JqCall) -> Result:
    """`IN("Bash", "Write")`, and `IN(.tool_name; "Bash", "Write")`."""
    subject = call.value(0) if len(call.arguments) == 2 else call.given
    return _among(call, subject, call.values(-1))


def _index(call: JqCall) -> Result:
    """`["Bash", "Write"] | index($tool)`, and `.tool_name | inside("Bash Write")`."""
    if len(call.arguments) != 1 or not isinstance(call.given, list):
        return None
    subject = call.value(0)
    return _among(call, subject[0] if isinstance(subject, list) and len(subject) == 1 else subject, call.given)


def _contains(call: JqCall) -> Result:
    return _index(call) if isinstance(call.given, list) else _starts(call)


def _among(call: JqCall, subject: Input, values: list[Input]) -> Result:
    hole = call.hole(subject)
    texts = tuple(value for value in values if isinstance(value, str) and not has_holes(value))
    return _gives(call.run.same(call.node, True, hole, texts)) if hole is not None and texts else None


def _any(call: JqCall) -> Result:
    """`any(condition)`, `any(values; condition)`, and `all`."""
    if not call.arguments:
        return None
    run = call.run
    items = call.values(0) if len(call.arguments) == 2 else run.values(_EACH, call.given, call.scope)
    truths = [
        run.truth(value, call.node) for item in items for value in run.values(call.arguments[-1], item, call.scope)
    ]
    asks = [truth for truth in truths if isinstance(truth, Ask)]
    return _gives(run.flag(run.all_of(call.node, asks))) if asks else None


def _case(call: JqCall) -> Result:
    if isinstance(call.given, str) and not has_holes(call.given):
        return _gives(call.given.lower() if call.name == "ascii_downcase" else call.given.upper())
    if isinstance(call.given, HoleValue) and call.given.hole.change == "":
        return _gives(HoleValue(replace(call.given.hole, change="case")))
    return None


def _same(call: JqCall) -> Result:
    return _gives(call.given)


def _to_string(call: JqCall) -> Result:
    return _gives(call.given if isinstance(call.given, HoleValue | str) else call.run.json(call.given))


def _to_json(call: JqCall) -> Result:
    return _gives(call.run.json(call.given))


def _from_json(call: JqCall) -> Result:
    if isinstance(call.given, HoleValue):
        return _gives(call.given)
    return _gives(call.run.value_of(call.given)) if isinstance(call.given, str) else None


def _input(call: JqCall) -> Result:
    return _gives(call.run.rest)


def _environment(call: JqCall) -> Result:
    return _gives(HoleValue(Hole(names=("*",))))


def _halt(call: JqCall) -> Result:
    if call.name == "halt":
        return [Way(code=0)]
    if call.name == "error":
        return [Way(code=5)]
    code = call.value(0) if call.arguments else 5
    return [Way(code=code if isinstance(code, int) else 5, said=call.run.text(call.given))]


def _join(call: JqCall) -> Result:
    sign = call.value(0)
    if not isinstance(call.given, list) or not isinstance(sign, str):
        return None
    return _gives(sign.join("" if one is None else call.run.text(one) for one in call.given))


def _first(call: JqCall) -> Result:
    if call.arguments:
        values = call.values(-1)
        return _gives(*(values[:1] if call.name == "first" else values[-1:]))
    return _gives(call.run.field(call.given, 0, call.node))


def _length(call: JqCall) -> Result:
    if isinstance(call.given, HoleValue) or (isinstance(call.given, str) and has_holes(call.given)):
        return _gives(call.run.unknown(call.given, is_plain=True))
    return _gives(len(call.given) if isinstance(call.given, str | list | dict) else 0)


def _has(call: JqCall) -> Result:
    key = call.value(0)
    value = call.run.field(call.given, key, call.node)
    if not isinstance(value, HoleValue):
        return _gives(isinstance(call.given, dict) and key in call.given)
    truth = call.run.truth(value, call.node)
    return _gives(call.run.flag(truth) if isinstance(truth, Ask) else truth)


def _get_path(call: JqCall) -> Result:
    keys = call.value(0)
    if not isinstance(keys, list):
        return None
    value = call.given
    for place, key in enumerate(keys):
        value = call.run.field(value, key, call.node, note=place + 1 == len(keys))
    return _gives(value)


def _replace(call: JqCall) -> Result:
    texts = [call.value(place) for place in range(len(call.arguments))]
    escapes = bool(texts) and isinstance(texts[0], str) and '"' in texts[0]
    return _gives(call.run.unknown(call.given, *texts, is_plain=escapes))


def _change(call: JqCall) -> Result:
    """`del(.x)`, `with_entries(…)`: the value with something changed in it."""
    for argument in call.arguments:
        call.run.values(argument, call.run.unknown(call.given), call.scope)
    return _gives(call.run.unknown(call.given, is_json=True))


def _time(call: JqCall) -> Result:
    return _gives(HoleValue(Hole(is_plain=True)))


CALLS: dict[str, Callable[[JqCall], Result]] = {
    "select": _select, "empty": _empty, "not": _not, "map": _map, "test": _test, "match": _match, "capture": _match,
    "scan": _match, "startswith": _starts, "endswith": _ends, "contains": _contains, "IN": _is_in, "index": _index,
    "inside": _index, "any": _any, "all": _any, "ascii_downcase": _case, "ascii_upcase": _case,
    "tostring": _to_string, "tojson": _to_json, "fromjson": _from_json, "input": _input, "inputs": _input,
    "env": _environment, "halt": _halt, "halt_error": _halt, "error": _halt, "join": _join, "first": _first,
    "last": _first, "length": _length, "has": _has, "getpath": _get_path, "sub": _replace, "gsub": _replace,
    "del": _change, "with_entries": _change, "now": _time, "todate": _time, "values": _same, "strings": _same,
    "trim": _same, "ltrim": _same, "rtrim": _same, "objects": _same, "scalars": _same, "debug": _same,
}  # fmt: skip
