"""The functions of jq that hooks call."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from interlock.hook_lint.program import PatternUse
from interlock.hook_lint.read.shell.holes import Ask, Atom, Hole, has_holes
from interlock.hook_lint.read.shell.jq.grammar import Jq
from interlock.hook_lint.read.shell.jq.values import Input, Ref, Scope, Way

if TYPE_CHECKING:
    from interlock.hook_lint.read.shell.jq.evaluate import Evaluation

__all__ = ["CALLS", "Called"]

_EACH = Jq("each", (Jq("input"),))


class Called(Struct):
    """One call: of which function, with what, and on which value."""

    run: Any
    node: Jq
    arguments: tuple[Jq, ...]
    given: Input
    scope: Scope

    @property
    def within(self) -> Evaluation:
        run: Evaluation = self.run
        return run

    @property
    def name(self) -> str:
        return str(self.node.args[0])

    def values(self, place: int) -> list[Input]:
        """What an argument gives."""
        if -len(self.arguments) <= place < len(self.arguments):
            return self.within.values(self.arguments[place], self.given, self.scope)
        return []

    def value(self, place: int) -> Input:
        found = self.values(place)
        return found[0] if len(found) == 1 else self.within.unknown(*found) if found else None

    def hole(self, value: Input) -> Hole | None:
        """What is known of a value that is one hole."""
        if isinstance(value, Ref):
            return value.hole
        return self.within.holes.sole(value) if isinstance(value, str) else None


Result: TypeAlias = list[Way] | None
"""None: the call is not understood."""


def _gives(*values: Input) -> list[Way]:
    return [Way(values=values)]


def _select(call: Called) -> Result:
    if len(call.arguments) != 1:
        return None
    nothing = Jq("call", ("empty", ()))
    test = Jq("if", (call.arguments[0], None, nothing), call.node.start, call.node.end)
    return call.within.ways(test, call.given, call.scope)


def _empty(call: Called) -> Result:
    return _gives()


def _not(call: Called) -> Result:
    truth = call.within.truth(call.given, call.node)
    return _gives(not truth if isinstance(truth, bool) else call.within.flag(truth.flipped()))


def _map(call: Called) -> Result:
    if len(call.arguments) != 1:
        return None
    made = Jq("list", (Jq("pipe", (_EACH, call.arguments[0])),), call.node.start, call.node.end)
    return call.within.ways(made, call.given, call.scope)


def _test(call: Called) -> Result:
    return _gives(_searched(call, "regex")) if call.arguments else None


def _match(call: Called) -> Result:
    if not call.arguments:
        return None
    return _gives(call.within.unknown(call.given, ask=_searched(call, "regex").hole.ask))


def _starts(call: Called) -> Result:
    return _gives(_searched(call, "starts" if call.name == "startswith" else "contains")) if call.arguments else None


def _ends(call: Called) -> Result:
    run = call.within
    return _gives(run.flag(run.ask(call.node, [Atom("match", run.place(call.node))], call.given, call.value(0))))


def _searched(call: Called, how: Literal["regex", "starts", "contains"]) -> Ref:
    run = call.within
    pattern, hole, span = call.value(0), call.hole(call.given), run.place(call.node)
    origins = hole.origins if hole is not None else ()
    if hole is not None and isinstance(pattern, str):
        for text in run.holes.choices(pattern):
            for origin in origins:
                run.record.search(PatternUse(path=origin, text=text, how=how, span=span, change=hole.change))
    path = origins[0] if len(origins) == 1 else None
    atom = Atom("match" if run.paths(call.given, pattern) else "world", span, path=path)
    return run.flag(run.ask(call.node, [atom], call.given, pattern))


def _is_in(call: Called) -> Result:
    """`IN("Bash", "Write")`, and `IN(.tool_name; "Bash", "Write")`."""
    subject = call.value(0) if len(call.arguments) == 2 else call.given
    return _among(call, subject, call.values(-1))


def _index(call: Called) -> Result:
    """`["Bash", "Write"] | index($tool)`, and `.tool_name | inside("Bash Write")`."""
    if len(call.arguments) != 1 or not isinstance(call.given, list):
        return None
    subject = call.value(0)
    return _among(call, subject[0] if isinstance(subject, list) and len(subject) == 1 else subject, call.given)


def _contains(call: Called) -> Result:
    return _index(call) if isinstance(call.given, list) else _starts(call)


def _among(call: Called, subject: Input, values: list[Input]) -> Result:
    hole = call.hole(subject)
    texts = tuple(value for value in values if isinstance(value, str) and not has_holes(value))
    return _gives(call.within.same(call.node, True, hole, texts)) if hole is not None and texts else None


def _any(call: Called) -> Result:
    """`any(condition)`, `any(values; condition)`, and `all`."""
    if not call.arguments:
        return None
    run = call.within
    items = call.values(0) if len(call.arguments) == 2 else run.values(_EACH, call.given, call.scope)
    truths = [
        run.truth(value, call.node) for item in items for value in run.values(call.arguments[-1], item, call.scope)
    ]
    asks = [truth for truth in truths if isinstance(truth, Ask)]
    return _gives(run.flag(run.all_of(call.node, asks))) if asks else None


def _case(call: Called) -> Result:
    if isinstance(call.given, str) and not has_holes(call.given):
        return _gives(call.given.lower() if call.name == "ascii_downcase" else call.given.upper())
    if isinstance(call.given, Ref) and call.given.hole.change == "":
        return _gives(Ref(replace(call.given.hole, change="case")))
    return None


def _same(call: Called) -> Result:
    return _gives(call.given)


def _to_string(call: Called) -> Result:
    return _gives(call.given if isinstance(call.given, Ref | str) else call.within.json(call.given))


def _to_json(call: Called) -> Result:
    return _gives(call.within.json(call.given))


def _from_json(call: Called) -> Result:
    if isinstance(call.given, Ref):
        return _gives(call.given)
    return _gives(call.within.value_of(call.given)) if isinstance(call.given, str) else None


def _input(call: Called) -> Result:
    return _gives(call.within.rest)


def _environment(call: Called) -> Result:
    return _gives(Ref(Hole(names=("*",))))


def _halt(call: Called) -> Result:
    if call.name == "halt":
        return [Way(code=0)]
    if call.name == "error":
        return [Way(code=5)]
    code = call.value(0) if call.arguments else 5
    return [Way(code=code if isinstance(code, int) else 5, said=call.within.text(call.given))]


def _join(call: Called) -> Result:
    sign = call.value(0)
    if not isinstance(call.given, list) or not isinstance(sign, str):
        return None
    return _gives(sign.join("" if one is None else call.within.text(one) for one in call.given))


def _first(call: Called) -> Result:
    if call.arguments:
        values = call.values(-1)
        return _gives(*(values[:1] if call.name == "first" else values[-1:]))
    return _gives(call.within.field(call.given, 0, call.node))


def _length(call: Called) -> Result:
    if isinstance(call.given, Ref) or (isinstance(call.given, str) and has_holes(call.given)):
        return _gives(call.within.unknown(call.given, is_plain=True))
    return _gives(len(call.given) if isinstance(call.given, str | list | dict) else 0)


def _has(call: Called) -> Result:
    key = call.value(0)
    value = call.within.field(call.given, key, call.node)
    if not isinstance(value, Ref):
        return _gives(isinstance(call.given, dict) and key in call.given)
    truth = call.within.truth(value, call.node)
    return _gives(call.within.flag(truth) if isinstance(truth, Ask) else truth)


def _get_path(call: Called) -> Result:
    keys = call.value(0)
    if not isinstance(keys, list):
        return None
    value = call.given
    for place, key in enumerate(keys):
        value = call.within.field(value, key, call.node, record=place + 1 == len(keys))
    return _gives(value)


def _replace(call: Called) -> Result:
    texts = [call.value(place) for place in range(len(call.arguments))]
    escapes = bool(texts) and isinstance(texts[0], str) and '"' in texts[0]
    return _gives(call.within.unknown(call.given, *texts, is_plain=escapes))


def _change(call: Called) -> Result:
    """`del(.x)`, `with_entries(…)`: the value with something changed in it."""
    for argument in call.arguments:
        call.within.values(argument, call.within.unknown(call.given), call.scope)
    return _gives(call.within.unknown(call.given, is_json=True))


def _time(call: Called) -> Result:
    return _gives(Ref(Hole(is_plain=True)))


CALLS: dict[str, Callable[[Called], Result]] = {
    "select": _select, "empty": _empty, "not": _not, "map": _map, "test": _test, "match": _match, "capture": _match,
    "scan": _match, "startswith": _starts, "endswith": _ends, "contains": _contains, "IN": _is_in, "index": _index,
    "inside": _index, "any": _any, "all": _any, "ascii_downcase": _case, "ascii_upcase": _case,
    "tostring": _to_string, "tojson": _to_json, "fromjson": _from_json, "input": _input, "inputs": _input,
    "env": _environment, "halt": _halt, "halt_error": _halt, "error": _halt, "join": _join, "first": _first,
    "last": _first, "length": _length, "has": _has, "getpath": _get_path, "sub": _replace, "gsub": _replace,
    "del": _change, "with_entries": _change, "now": _time, "todate": _time, "values": _same, "strings": _same,
    "trim": _same, "ltrim": _same, "rtrim": _same, "objects": _same, "scalars": _same, "debug": _same,
}  # fmt: skip
