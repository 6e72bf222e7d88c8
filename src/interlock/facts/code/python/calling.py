"""Calling values: functions of the text, classes, methods, and functions that are handed on to others."""

from __future__ import annotations

import ast
from typing import Any

from interlock.facts.code.python.constants import FUNCTIONS, call_constant, format_text, text_method
from interlock.facts.code.python.interpreter import Interpreter
from interlock.facts.code.python.methods import (
    ON_ANYTHING,
    container_method,
    file_method,
    path_attribute,
    path_method,
    process_method,
)
from interlock.facts.code.python.modules import ACTING, ATTRIBUTES, BUILTINS, HARMLESS, REENTRIES, full_name
from interlock.facts.code.python.state import Frame
from interlock.facts.code.python.values import (
    ANY,
    HIDDEN,
    Choice,
    Class,
    CodeText,
    File,
    Func,
    Instance,
    Items,
    Members,
    Namespace,
    Partial,
    PathText,
    PythonCall,
    Ref,
    StartedProgram,
    Value,
    alternatives,
    join,
)
from interlock.facts.limits import PYTHON_FUNCTIONS, PYTHON_ITEMS
from interlock.facts.shell import UNKNOWN

__all__ = ["Calling"]

_NUMBERS = frozenset({int, float, bool, type(None)})
_HANDED = frozenset({Ref, Func, Partial, Choice, Class})
# Through these a program reaches what it was not given: `().__class__.__base__.__subclasses__()`.
_WAYS_OUT = frozenset(
    [
        "__subclasses__",
        "__globals__",
        "__builtins__",
        "__bases__",
        "__mro__",
        "__base__",
        "f_globals",
        "f_builtins",
        "f_locals",
        "gi_frame",
        "cr_frame",
        "tb_frame",
        "__reduce__",
        "__reduce_ex__",
        "__import__",
        "__loader__",
        "load_module",
        "exec_module",
    ]
)
# Of what begins so in a module or function, these tell something; the rest leads elsewhere.
_PLAIN_MEMBERS = frozenset({
    "__name__", "__doc__", "__version__", "__file__", "__path__", "__all__", "__spec__", "__module__", "__qualname__",
    "__import__", "__init__", "__enter__", "__exit__", "__author__", "__package__", "__main__", "__class__", "__str__",
    "__future__", "__version_info__", "__new__", "__getattribute__", "__setattr__", "__annotations__", "__members__",
})  # fmt: skip
_RUNS_TEXT = frozenset(
    [
        "run",
        "call",
        "shell",
        "sh",
        "cmd",
        "command",
        "system",
        "popen",
        "spawn",
        "local",
        "sudo",
        "getoutput",
        "check_output",
    ]
)
_LONGEST_NAME = 120  # of something in a module that nobody has described
_BASES = 8  # of classes that are made of each other


class Calling(Interpreter):
    """What happens when something is called."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._known_results: dict[tuple[Any, ...], Value] = {}

    # --- anything ----------------------------------------------------------------------------------------------------

    def apply(self, value: Value, args: list[Value], named: dict[str, Value], *, open: bool = False) -> Value:
        """Call a value."""
        kind = type(value)
        if kind is Ref:
            return self.call_name(value.name, args, named, open=open)
        if kind is Func:
            return self.invoke(value, args, named, open=open)
        if kind is Class:
            return self.construct(value, args, named, open=open)
        if kind is Partial:
            return self._apply_partial(value, args, named, open=open)
        if kind is Choice:
            return self.join_all([self.apply(one, args, named, open=open) for one in value.of])
        if kind is Instance:
            return self.call_method(value, "__call__", args, named, open=open)
        if kind is CodeText or kind is File:
            return ANY
        self.hand_on(args, named)
        return ANY

    def _apply_partial(self, value: Partial, args: list[Value], named: dict[str, Value], *, open: bool) -> Value:
        if value.how == "attrgetter":
            return self.attribute(args[0] if args else ANY, str(value.args[0]))
        if value.how == "methodcaller":
            return self.call_method(args[0] if args else ANY, str(value.args[0]), value.args[1:], value.named)
        if value.how == "itemgetter":
            return self.item(args[0] if args else ANY, value.args[0])
        if value.how:
            return self.call_method(value.of, value.how, args, named, open=open)
        return self.apply(value.of, [*value.args, *args], {**value.named, **named}, open=open)

    def join_all(self, values: list[Value]) -> Value:
        found = values[0] if values else ANY
        for one in values[1:]:
            found = join(found, one, self.too_many)
        return found

    def hand_on(self, args: list[Value], named: dict[str, Value]) -> None:
        """Functions that are given to somebody else may be called, with what is given beside them."""
        for place, arg in enumerate(args):
            if type(arg) in _HANDED:
                self._call_handed(arg, args[place + 1 :], named)
        for arg in named.values():
            if type(arg) in _HANDED:
                self._call_handed(arg, [], named)

    def _call_handed(self, value: Value, rest: list[Value], named: dict[str, Value]) -> None:
        for one in alternatives(value):
            kind = type(one)
            if kind is Ref and not (one.name in self.table or one.name[:1] == "?"):
                continue
            if kind not in _HANDED:
                continue
            given = named.get("args", named.get("kwargs"))
            if type(given) is list:
                self.apply(one, list(given), {})
            elif rest:
                self.map_over(one, rest)
            elif kind is Ref or kind is Partial:
                self.apply(one, [], {}, open=True)

    def map_over(self, function: Value, lists: list[Value]) -> Value:
        """Call a function with the items of lists, one after the other; what is not a list is given each time."""
        if any(type(one) in (list, tuple) for one in lists):
            length = max(len(one) for one in lists if type(one) in (list, tuple))
            if length <= PYTHON_ITEMS.most and self.can_unroll(length):
                return [self.apply(function, [_at(one, place) for one in lists], {}) for place in range(length)]
        if any(type(one) is Items for one in lists):
            return Items(self.apply(function, [self.one_item(one) for one in lists], {}))
        return Items(
            self.apply(function, [self.one_item(one) if type(one) in (list, Choice) else one for one in lists], {})
        )

    # --- names -------------------------------------------------------------------------------------------------------

    def call_name(self, name: str, args: list[Value], named: dict[str, Value], *, open: bool = False) -> Value:
        """Call something of a module."""
        if self.patched and name in self.patched:
            return self.apply(self.patched[name], args, named, open=open)
        action = self.table.get(name)
        if action is not None:
            return action(self, PythonCall(name, args, named, open=open))
        if name in FUNCTIONS:
            return self._compute(name, args)
        if name[:1] == "?":
            if (last := name.rpartition(".")[2]) in ON_ANYTHING:
                ON_ANYTHING[last](self, PythonCall(last, args, named, open=open))
            self.opaque(f"calls {name[1:]}" if len(name) > 1 else "calls what is not known before it runs")
            return HIDDEN
        root, dot, _ = name.partition(".")
        last = name.rpartition(".")[2]
        if "(" in name and last in ON_ANYTHING:
            ON_ANYTHING[last](self, PythonCall(last, args, named, open=open))
        if name.startswith("pathlib.Path.") and args:
            return self.call_method(_as_path(args[0]), last, args[1:], named, open=open)
        if root in HARMLESS or (root in BUILTINS and (not dot or root in _CLASSES)):
            self.hand_on(args, named)
            return ANY
        if root in ACTING or root[:1] == "_":
            self.opaque(f"calls {name}")
            return ANY
        return self._call_foreign(name, last, args, named)

    def _call_foreign(self, name: str, last: str, args: list[Value], named: dict[str, Value]) -> Value:
        """Something that others wrote, in a file that nobody has looked at."""
        self.effects.modules = True
        action = ON_ANYTHING.get(last)
        if action is not None:
            action(self, PythonCall(last, args, named))
        if last in _RUNS_TEXT and args and type(args[0]) is str and " " in args[0]:
            self.runs_text(args[0])
        if last == "delete" and ".objects" in name:
            self.effects.traits.update(("database/deletes", "database/writes"))
        self.hand_on(args, named)
        return Ref(f"{name}()") if len(name) < _LONGEST_NAME else ANY

    def _compute(self, name: str, args: list[Value]) -> Value:
        if args and type(args[0]) is Choice:
            return self.join_all([call_constant(name, [one, *args[1:]]) for one in args[0].of])
        found = call_constant(name, args)
        if found is ANY and name in ("str", "os.path.basename") and args:
            return args[0] if name == "str" and type(args[0]) in (str, PathText) else UNKNOWN
        return found

    # --- functions and classes of the text ---------------------------------------------------------------------------

    def invoke(
        self, func: Func, args: list[Value], named: dict[str, Value], *, open: bool = False, of: Value = None
    ) -> Value:
        """Go through a function with its arguments."""
        plain = not named and of is None and all(arg is ANY or type(arg) in _NUMBERS for arg in args)
        key = (func.node, self.version, len(args), open) if plain else None
        if key is not None and key in self._known_results and func.called:
            return self._known_results[key]
        if func.active > 1:
            # A function that calls itself with ever other texts is gone through once more, with anything.
            func.again = func.again or any(type(arg) is str and UNKNOWN not in arg for arg in args)
            return ANY
        if self.depth >= PYTHON_FUNCTIONS.most:
            self.reach(PYTHON_FUNCTIONS)
        if self.depth >= PYTHON_FUNCTIONS.most or not self.spend():
            func.again = True
            return ANY
        func.called = True
        found = self._go_through(func, args, named, of, open=open)
        if key is not None:
            self._known_results[key] = found
        return found

    def _go_through(self, func: Func, args: list[Value], named: dict[str, Value], of: Value, *, open: bool) -> Value:
        frame = Frame(func.outer)
        frame.of = func.owner
        given = [of, *args] if of is not None else args
        self._bind_arguments(frame, func, given, named, open=open)
        outer, self.frame = self.frame, frame
        func.active += 1
        self.depth += 1
        try:
            if isinstance(func.node, ast.Lambda):
                return self.value(func.node.body)
            self.block(func.node.body)
        finally:
            self.frame = outer
            func.active -= 1
            self.depth -= 1
        if frame.yields:
            return Items(self.join_all(frame.yields), yielded=True)
        return self.join_all(frame.results) if frame.results else None

    def _bind_arguments(
        self, frame: Frame, func: Func, given: list[Value], named: dict[str, Value], *, open: bool
    ) -> None:
        node = func.node.args
        names = [*node.posonlyargs, *node.args]
        defaults = func.defaults
        behind = len(names) - len(defaults)
        into = frame.names
        for place, parameter in enumerate(names):
            name = parameter.arg
            if place < len(given):
                into[name] = given[place]
            elif name in named:
                into[name] = named[name]
            elif place >= behind:
                into[name] = join(defaults[place - behind], ANY) if open else defaults[place - behind]
            else:
                into[name] = ANY
        if node.vararg is not None:
            into[node.vararg.arg] = Items(ANY) if open else list(given[len(names) :])
        for parameter, default in zip(node.kwonlyargs, func.named_defaults, strict=False):
            into[parameter.arg] = named.get(parameter.arg, join(default, ANY) if open else default)
        if node.kwarg is not None:
            into[node.kwarg.arg] = {key: value for key, value in named.items() if key not in into}

    def construct(self, cls: Class, args: list[Value], named: dict[str, Value], *, open: bool = False) -> Value:
        """Make an instance: all of a class are one."""
        made = self._member(cls, "__init__")
        if type(made) is Func:
            self.invoke(made, args, named, open=open, of=cls.instance)
            return cls.instance
        for base in cls.bases:
            if type(base) is Ref and (base.name in self.table or base.name[:1] == "?"):
                self.apply(base, args, named, open=open)
        for name, value in named.items():  # a dataclass
            self.set_member(cls.instance.attributes, name, value)
        for name, value in zip(cls.attributes, args, strict=False):
            self.set_member(cls.instance.attributes, name, value)
        self.hand_on(args, named)
        return cls.instance

    def set_member(self, attributes: dict[str, Value], name: str, value: Value) -> None:
        old = attributes.get(name)
        attributes[name] = value if old is None or name not in attributes else join(old, value, self.too_many)

    def _member(self, cls: Class, name: str, depth: int = 0) -> Value:
        if name in cls.attributes:
            return cls.attributes[name]
        for base in cls.bases if depth < _BASES else ():
            if type(base) is Class:
                found = self._member(base, name, depth + 1)
                if found is not None:
                    return found
        return None

    # --- attributes and methods --------------------------------------------------------------------------------------

    def attribute(self, value: Value, name: str) -> Value:
        """What stands behind a dot."""
        kind = type(value)
        if kind is Ref:
            return self._of_module(value, name)
        if name in _WAYS_OUT:
            return HIDDEN
        if kind is PathText:
            found = path_attribute(value, name)
            return Partial(value, [], {}, name) if found is ANY else found
        if kind is Choice:
            return self.join_all([self.attribute(one, name) for one in value.of])
        if name == "__dict__":
            return Members(value)
        if kind is Instance or kind is Class:
            return self._of_class(value, name)
        if kind is StartedProgram and name == "stdin":
            return value
        if kind is File and name == "buffer":
            return value
        if self.loose and name in self.loose:
            return self.loose[name]
        if (kind is str or kind is bytes or value is ANY) and name in ON_ANYTHING and name != "get":
            return Partial(value, [], {}, name)
        return Partial(value, [], {}, name) if kind is str and name in ("format", "join") else ANY

    def _of_module(self, value: Ref, name: str) -> Value:
        base = value.name
        if name == "__dict__":
            return Members(value)
        if name in REENTRIES and base[:1] != "?" and base != name:
            return Ref(REENTRIES[name])
        if name in ("__getattribute__", "__getattr__"):
            return Partial(Ref("getattr"), [value], {})
        if name == "__call__":
            return value
        if name == "__self__":  # of a function of Python's own, the module
            return HIDDEN if "." in base else Ref("builtins")
        if name[:2] == "__" and name not in _PLAIN_MEMBERS:
            return HIDDEN
        full = full_name(f"{base}.{name}") if len(base) < _LONGEST_NAME else "?"
        if full in ATTRIBUTES:
            return ATTRIBUTES[full]
        return self.patched[full] if full in self.patched else Ref(full)

    def _of_class(self, value: Instance | Class, name: str) -> Value:
        cls = value.of if isinstance(value, Instance) else value
        if type(value) is Instance and name in value.attributes:
            return value.attributes[name]
        found = self._member(cls, name)
        if type(found) is Func:
            if found.property:
                return self.invoke(found, [], {}, of=cls.instance)
            return Partial(value, [], {}, name)
        if found is not None:
            return found
        if name == "__class__":
            return cls
        return cls.attributes[name] if name in cls.attributes else self.loose.get(name, ANY)

    def call_method(
        self, value: Value, name: str, args: list[Value], named: dict[str, Value], *, open: bool = False
    ) -> Value:
        """Call what stands behind a dot."""
        kind = type(value)
        if kind is Ref:
            return self.apply(self._of_module(value, name), args, named, open=open)
        if kind is str or kind is bytes:
            return self._text_method(value, name, args, named)
        if kind is Choice:
            return self.join_all([self.call_method(one, name, args, named, open=open) for one in value.of])
        if name in _WAYS_OUT:
            self.opaque(f"calls {name}")
            return HIDDEN
        call = PythonCall(name, args, named, open=open)
        if kind is PathText:
            return path_method(value, self, call)
        if kind is list or kind is dict:
            if (type(found := args[0] if args else None) in _HANDED and name in ("sort", "map")) or "key" in named:
                self.hand_on([found] if found is not None else [], named)
            return container_method(value, self, call)
        if kind is File:
            return file_method(value, self, call)
        if kind is StartedProgram:
            return process_method(value, self, call)
        if kind is Instance or kind is Class:
            return self._class_method(value, name, args, named, open=open)
        if kind is Members or kind is Namespace:
            return self.item(value, args[0] if args else ANY) if name in ("get", "__getitem__", "pop") else ANY
        if kind is Partial:
            return self.apply(value, args, named, open=open) if name == "__call__" else ANY
        if kind is Func and name == "__call__":
            return self.invoke(value, args, named, open=open)
        if self.loose and name in self.loose:
            self.apply(self.loose[name], args, named, open=open)
        action = ON_ANYTHING.get(name)
        if action is not None:
            return action(self, call)
        self.hand_on(args, named)
        return Items(value.one) if kind is Items and name in ("items", "values", "keys", "copy") else ANY

    def _text_method(self, value: str | bytes, name: str, args: list[Value], named: dict[str, Value]) -> Value:
        if name == "format" and type(value) is str:
            return format_text(value, args, named, self.too_many)
        if name == "join" and args and type(args[0]) is Items:
            return UNKNOWN
        if len(args) == 1 and type(args[0]) is Choice and name != "join":
            return self.join_all([text_method(value, name, [one], self.too_many) for one in args[0].of])
        return text_method(value, name, args, self.too_many)

    def _class_method(
        self, value: Instance | Class, name: str, args: list[Value], named: dict[str, Value], *, open: bool
    ) -> Value:
        cls = value.of if isinstance(value, Instance) else value
        found = value.attributes.get(name) if type(value) is Instance else None
        if found is not None:
            return self.apply(found, args, named, open=open)
        found = self._member(cls, name)
        if type(found) is Func:
            if found.kind == "static":
                return self.invoke(found, args, named, open=open)
            if found.kind == "class":
                return self.invoke(found, args, named, open=open, of=cls)
            return self.invoke(found, args, named, open=open, of=value if type(value) is Instance else None)
        if found is not None:
            return self.apply(found, args, named, open=open)
        for base in cls.bases:
            if type(base) is Ref:
                return self.apply(self._of_module(Ref(f"{base.name}()"), name), args, named, open=open)
        action = ON_ANYTHING.get(name)
        if action is not None:
            return action(self, PythonCall(name, args, named, open=open))
        self.hand_on(args, named)
        return ANY


_CLASSES = frozenset(
    ["str", "bytes", "int", "float", "dict", "list", "set", "tuple", "object", "type", "bytearray", "frozenset"]
)


def _at(value: Value, place: int) -> Value:
    if type(value) in (list, tuple):
        return value[place] if place < len(value) else ANY
    return value.one if type(value) is Items else value


def _as_path(value: Value) -> Value:
    return value if type(value) in (PathText, Choice) else PathText(UNKNOWN)
