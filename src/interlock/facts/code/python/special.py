"""Functions that look things up by name, or that call what they are given."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

from interlock.facts.code.python.actions import Action, names_of
from interlock.facts.code.python.values import (
    ANY,
    HIDDEN,
    Choice,
    Class,
    Instance,
    Items,
    Members,
    Namespace,
    Partial,
    PythonCall,
    Ref,
    Value,
    join,
)
from interlock.facts.limits import PYTHON_ITEMS
from interlock.facts.shell import UNKNOWN

if TYPE_CHECKING:
    from interlock.facts.code.python.interpreter import Interpreter

__all__ = ["SPECIAL"]


def _getattr(run: Interpreter, call: PythonCall) -> Value:
    of, name = call.get(0, "", ANY), call.get(1, "", ANY)
    if type(name) is Choice:
        found = [_getattr(run, PythonCall(call.name, [of, one, *call.args[2:]], {})) for one in name.of]
        return reduce(join, found)
    if type(name) is not str or UNKNOWN in name:
        if type(of) is Ref:
            return HIDDEN
        return run.one_item(list(of.attributes.values())) if isinstance(of, (Instance, Class)) else ANY
    found = run.attribute(of, name)
    return found if len(call.args) < 3 else join(found, call.args[2])


def _setattr(run: Interpreter, call: PythonCall) -> Value:
    name = call.get(1, "", ANY)
    run.set_attribute(call.get(0, "", ANY), name if type(name) is str else "?", call.get(2, "", ANY))
    return None


def _scope(run: Interpreter, call: PythonCall) -> Value:
    return Members(call.args[0]) if call.args else Namespace()


def _partial(run: Interpreter, call: PythonCall) -> Value:
    return Partial(call.args[0] if call.args else ANY, call.args[1:], call.named)


def _operator(run: Interpreter, call: PythonCall) -> Value:
    how = call.name.rpartition(".")[2]
    name = call.args[0] if call.args else ANY
    if how != "itemgetter" and (type(name) is not str or UNKNOWN in name):
        return HIDDEN
    return Partial(ANY, call.args or [ANY], call.named, how)


def _map(run: Interpreter, call: PythonCall) -> Value:
    if not call.args:
        return ANY
    return run.map_over(call.args[0], call.args[1:] or [ANY])


def _filter(run: Interpreter, call: PythonCall) -> Value:
    run.hand_on(call.args, call.named)
    return call.args[1] if len(call.args) > 1 else ANY


def _sort(run: Interpreter, call: PythonCall) -> Value:
    items = call.args[0] if call.args else ANY
    if "key" in call.named:
        run.hand_on([call.named["key"], Items(run.one_item(items))], {})
    return items if type(items) is not str else list(items)


def _list(run: Interpreter, call: PythonCall) -> Value:
    items = call.args[0] if call.args else []
    if type(items) is list:
        return list(items)
    if type(items) is dict:
        return list(items)
    if type(items) is str and UNKNOWN not in items and len(items) <= PYTHON_ITEMS.most:
        return list(items)
    return items if type(items) is Items else Items(run.one_item(items))


def _reverse(run: Interpreter, call: PythonCall) -> Value:
    items = _list(run, call)
    return items[::-1] if type(items) is list else items


def _dict(run: Interpreter, call: PythonCall) -> Value:
    found: dict[Any, Value] = {}
    for one in call.args:
        if type(one) is dict:
            found.update(one)
        elif type(one) is list:
            found.update(
                {pair[0]: pair[1] for pair in one if type(pair) is list and len(pair) == 2 and type(pair[0]) is str}
            )
    found.update(call.named)
    return found


def _enumerate(run: Interpreter, call: PythonCall) -> Value:
    items = call.args[0] if call.args else ANY
    return (
        [[number, one] for number, one in enumerate(items)]
        if type(items) is list
        else Items([ANY, run.one_item(items)])
    )


def _zip(run: Interpreter, call: PythonCall) -> Value:
    if call.args and all(type(one) is list for one in call.args):
        return [list(row) for row in zip(*call.args, strict=False)]
    return Items([run.one_item(one) for one in call.args])


def _chain(run: Interpreter, call: PythonCall) -> Value:
    lists = call.args
    if call.name.endswith("from_iterable") and lists:
        lists = lists[0] if type(lists[0]) is list else [run.one_item(lists[0])]
    if all(type(one) is list for one in lists):
        return [one for items in lists for one in items]
    found: Value = ANY
    for one in lists:
        each = run.one_item(one)
        found = each if found is ANY else join(found, each)
    return Items(found)


def _next(run: Interpreter, call: PythonCall) -> Value:
    return run.one_item(call.args[0]) if call.args else ANY


def _reduce(run: Interpreter, call: PythonCall) -> Value:
    items = call.get(1, "", ANY)
    if not call.args:
        return ANY
    if type(items) is list and items and run.can_unroll(len(items)):
        found = call.args[2] if len(call.args) > 2 else items[0]
        for one in items[len(call.args) < 3 :]:
            found = run.apply(call.args[0], [found, one], {})
        return found
    each = run.one_item(items)
    return run.apply(call.args[0], [each, each], {})


def _type(run: Interpreter, call: PythonCall) -> Value:
    if len(call.args) == 3 and type(call.args[2]) is dict:
        made = Class("made", call.args[1] if type(call.args[1]) is list else [])
        made.attributes = {key: one for key, one in call.args[2].items() if type(key) is str}
        return made
    value = call.args[0] if call.args else ANY
    return value.of if type(value) is Instance else ANY


def _super(run: Interpreter, call: PythonCall) -> Value:
    own = run.frame.of
    if own is None:
        return ANY
    parent = Class(own.name, own.bases)
    parent.instance = own.instance
    made = Instance(parent)
    made.attributes = own.instance.attributes
    return made


def _process(run: Interpreter, call: PythonCall) -> Value:
    return Ref("psutil.Process()")


def _processes(run: Interpreter, call: PythonCall) -> Value:
    return Items(Ref("psutil.Process()"))


def _own_id(run: Interpreter, call: PythonCall) -> Value:
    return Ref("os.getpid()")


def _run_all(run: Interpreter, call: PythonCall) -> Value:
    run.hand_on(call.args, call.named)
    return call.args[0] if call.args else ANY


SPECIAL: dict[str, Action] = {
    **names_of("getattr object.__getattribute__ inspect.getattr_static", _getattr),
    **names_of("setattr object.__setattr__", _setattr),
    **names_of("globals locals vars", _scope),
    **names_of("functools.partial functools.partialmethod", _partial),
    **names_of("operator.attrgetter operator.methodcaller operator.itemgetter", _operator),
    **names_of("map itertools.starmap concurrent.futures.map", _map),
    **names_of("filter itertools.filterfalse itertools.takewhile itertools.dropwhile", _filter),
    **names_of("sorted min max", _sort),
    **names_of("list tuple set frozenset iter collections.deque copy.copy copy.deepcopy", _list),
    "reversed": _reverse,
    **names_of("dict collections.OrderedDict", _dict),
    "enumerate": _enumerate,
    **names_of("zip itertools.zip_longest itertools.product", _zip),
    **names_of("itertools.chain itertools.chain.from_iterable", _chain),
    "next": _next,
    **names_of("functools.reduce reduce", _reduce),
    "type": _type,
    "super": _super,
    **names_of("psutil.Process psutil.Popen", _process),
    "psutil.process_iter": _processes,
    "os.getpid": _own_id,
    "asyncio.run": _run_all,
}  # fmt: skip
