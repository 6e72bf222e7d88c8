"""Small Python programs that do one harmless thing by a detour, made at random, and changed at random."""

from __future__ import annotations

import base64
import codecs
import random
import textwrap
from collections.abc import Callable

IMPORTS = (
    "import asyncio, base64, builtins, codecs, concurrent.futures, contextlib, functools, glob, importlib, io, "
    "itertools, logging, operator, os, pathlib, shutil, sqlite3, subprocess, sys, tarfile, tempfile, threading, types, "
    "urllib.request, zipfile\n"
)
PATHS = ("a.txt", "sub/b.txt", "/nowhere/c", "~/d", "sub/./e")
LINES = ("echo one", "ls -l sub", "printf '%s' two | cat", "touch f g")


class Maker:
    """Makes programs: what an expression says directly is said by detours."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.before: list[str] = []
        self.names = 0

    def name(self) -> str:
        self.names += 1
        return f"n{self.names}"

    def choose(self, *ways: Callable[[], str]) -> str:
        return self.random.choice(ways)()

    # --- texts -----------------------------------------------------------------------------------------------------

    def text(self, text: str, depth: int = 2) -> str:
        """An expression for a text."""
        if depth <= 0 or len(text) < 2:
            return repr(text)
        cut = self.random.randrange(1, len(text))
        left, right = text[:cut], text[cut:]

        def of(part: str) -> str:
            return self.text(part, depth - 1)

        def bound() -> str:
            name = self.name()
            self.before.append(f"{name} = {of(text)}")
            return name

        def changed() -> str:
            name = self.name()
            self.before += [f"{name} = {of(left)}", f"{name} += {of(right)}"]
            return name

        def chosen() -> str:
            name = self.name()
            self.before += [f"if len(sys.argv) < 99: {name} = {of(text)}", f"else: {name} = 'other'"]
            return name

        def function() -> str:
            name = self.name()
            self.before.append(f"def {name}(x, y={of(right)}): return x + y")
            return f"{name}({of(left)})"

        def attribute() -> str:
            name = self.name()
            self.before.append(f"class {name}:\n    x = {of(left)}\n    def go(self, y): return self.x + y")
            return f"{name}().go({of(right)})"

        def formatted() -> str:
            name = self.name()
            self.before.append(f"{name} = {of(left)}")
            other = self.name()
            self.before.append(f"{other} = {of(right)}")
            return f"f'{{{name}}}{{{other}}}'"

        def built() -> str:
            name = self.name()
            self.before.append(f"{name} = ''\nfor c in {[ord(c) for c in text]!r}: {name} += chr(c)")
            return name

        return self.choose(
            lambda: repr(text), lambda: f"({of(left)} + {of(right)})", lambda: f"'%s%s' % ({of(left)}, {of(right)})",
            formatted,
            lambda: f"'{{}}{{k}}'.format({of(left)}, k={of(right)})", lambda: f"''.join([{of(left)}, {of(right)}])",
            lambda: f"{text[::-1]!r}[::-1]", lambda: f"{('xx' + text + 'y')!r}[2:-1]",
            lambda: f"base64.b64decode({base64.b64encode(text.encode()).decode()!r}).decode()",
            lambda: f"bytes.fromhex({text.encode().hex()!r}).decode()",
            lambda: f"codecs.decode({codecs.encode(text, 'rot13')!r}, 'rot13')",
            lambda: f"''.join(map(chr, {[ord(c) for c in text]!r}))",
            lambda: f"''.join(chr(c - 1) for c in {[ord(c) + 1 for c in text]!r})",
            lambda: f"{{'k': {of(text)}}}['k']", lambda: f"['', {of(text)}][1]", lambda: f"(None or {of(text)})",
            lambda: f"({of(text)} if sys.argv else '')", lambda: f"(lambda x: x)({of(text)})",
            lambda: f"{text.replace('o', 'Q')!r}.replace('Q', 'o')", lambda: f"{text.encode()!r}.decode()",
            lambda: f"next(iter([{of(text)}]))",
            lambda: f"functools.reduce(lambda a, b: a + b, [{of(left)}, {of(right)}])",
            bound, changed, chosen, function, attribute, built,
        )  # fmt: skip

    def path(self, path: str) -> str:
        """An expression for a path."""
        head, _, tail = path.rpartition("/")
        ways = [lambda: self.text(path)]
        if head and ".." not in head:
            ways += [
                lambda: f"os.path.join({self.text(head)}, {self.text(tail)})",
                lambda: f"str(pathlib.Path({self.text(head)}) / {self.text(tail)})",
                lambda: f"pathlib.Path({self.text(head)}).joinpath({self.text(tail)})",
                lambda: f"os.sep.join([{self.text(head)}, {self.text(tail)}])",
            ]
        found = self.choose(*ways)
        return f"os.path.expanduser({found})" if path.startswith("~") else found

    # --- functions -------------------------------------------------------------------------------------------------

    def function(self, module: str, name: str) -> str:
        """An expression for a function of a module."""

        def taken() -> str:
            own = self.name()
            self.before.append(f"from {module} import {name} as {own}")
            return own

        def bound() -> str:
            own = self.name()
            self.before.append(f"{own} = {module}.{name}")
            return own

        def starred() -> str:
            self.before.append(f"from {module} import *")
            return name if module != "os" or name != "open" else f"{module}.{name}"

        whole = f"{module}.{name}"
        simple = "." not in module and module != "builtins"
        ways = [
            lambda: whole, lambda: whole, lambda: whole, taken, bound,
            lambda: f"getattr({module}, {self.text(name, 1)})", lambda: f"{module}.__dict__[{self.text(name, 1)}]",
            lambda: f"vars({module})[{self.text(name, 1)}]", lambda: f"sys.modules[{self.text(module, 1)}].{name}",
            lambda: f"importlib.import_module({self.text(module, 1)}).{name}", lambda: f"functools.partial({whole})",
            lambda: f"operator.attrgetter({self.text(name, 1)})({module})", lambda: f"[print, {whole}][1]",
            lambda: f"{{'k': {whole}}}['k']", lambda: f"(lambda f: f)({whole})",
            lambda: f"globals()[{self.text(module.partition('.')[0], 1)}]{whole[len(module.partition('.')[0]):]}",
        ]  # fmt: skip
        if simple:
            ways += [lambda: f"__import__({self.text(module, 1)}).{name}", starred]
        return self.choose(*ways)

    # --- what is done ------------------------------------------------------------------------------------------------

    def act(self) -> str:
        """A statement that does something: `X` in it is what it is done to."""
        path, line = self.random.choice(PATHS), self.random.choice(LINES)

        def to(module: str, name: str, rest: str = "") -> Callable[[], str]:
            return lambda: f"{self.function(module, name)}({self.path(path)}{rest})"

        def run(module: str, name: str, rest: str = "") -> Callable[[], str]:
            return lambda: f"{self.function(module, name)}({self.text(line)}{rest})"

        def listed(name: str, rest: str = "") -> Callable[[], str]:
            return lambda: f"{self.function('subprocess', name)}([{', '.join(map(self.text, line.split()))}]{rest})"

        def method(name: str, args: str = "") -> Callable[[], str]:
            return lambda: f"pathlib.Path({self.path(path)}).{name}({args})"

        return self.choose(
            to("builtins", "open"), to("builtins", "open", ", 'w'"), to("builtins", "open", ", mode='a'"),
            to("io", "open"), to("os", "remove"), to("os", "unlink"), to("os", "rmdir"), to("os", "mkdir"),
            to("os", "makedirs"), to("os", "chmod", ", 0o644"), to("os", "truncate", ", 0"),
            to("os", "rename", ", 'z'"),
            to("os", "replace", ", 'z'"), to("os", "symlink", ", 'z'"), to("os", "link", ", 'z'"), to("os", "utime"),
            to("os", "open", ", os.O_RDONLY"), to("os", "open", ", os.O_WRONLY | os.O_CREAT"),
            to("shutil", "rmtree"), to("shutil", "copy", ", 'z'"), to("shutil", "move", ", 'z'"),
            to("shutil", "copyfile", ", 'z'"), to("shutil", "copytree", ", 'z'"), to("zipfile", "ZipFile", ", 'w'"),
            to("tarfile", "open"), to("sqlite3", "connect"), to("logging", "FileHandler"), to("os", "execv", ", ['a']"),
            method("unlink"), method("write_text", "'x'"), method("read_bytes"), method("open"), method("open", "'w'"),
            method("mkdir"), method("rename", "'z'"), method("touch"), method("symlink_to", "'z'"), method("rmdir"),
            method("chmod", "0o600"), method("hardlink_to", "'z'"), method("replace", "'z'"),
            run("os", "system"), run("os", "popen"), run("subprocess", "run", ", shell=True"),
            run("subprocess", "getoutput"), run("subprocess", "Popen", ", shell=True"), listed("run"), listed("Popen"),
            listed("call", ", cwd='sub'"), listed("check_output"), listed("check_call"),
            lambda: f"os.posix_spawn({self.text(line.split()[0])}, {line.split()!r}, {{}})",
            lambda: f"os.execvp({self.text(line.split()[0])}, {line.split()!r})",
            lambda: f"urllib.request.urlopen({self.text('http://a.invalid/x')})",
            lambda: f"urllib.request.urlretrieve({self.text('http://a.invalid/x')}, {self.path(path)})",
        )  # fmt: skip

    def statement(self, depth: int = 2) -> str:
        """A statement that does something, in others."""
        self.before = []
        act = self.act()
        if depth <= 0:
            return self._with_before(act)
        inner = textwrap.indent(act, "    ")
        deeper = textwrap.indent(inner, "    ")
        function, other, thing = self.name(), self.name(), self.name()
        call, _, given = act.partition("(")
        by_argument = given and "(" not in call and call.replace(".", "").isidentifier()
        args = f"({given}" if by_argument else ""
        ways = [
            lambda: act, lambda: f"if sys.argv:\n{inner}", lambda: f"for _ in [0]:\n{inner}",
            lambda: f"while True:\n{inner}\n    break", lambda: f"try:\n{inner}\nfinally:\n    pass",
            lambda: f"try:\n    raise ValueError\nexcept ValueError:\n{inner}",
            lambda: f"with contextlib.nullcontext():\n{inner}", lambda: f"def {function}():\n{inner}\n{function}()",
            lambda: f"def {function}():\n    def {other}():\n{deeper}\n    return {other}\n{function}()()",
            lambda: f"class {thing}:\n    def go(self):\n{deeper}\n{thing}().go()",
            lambda: f"class {thing}:\n    def __init__(self):\n{deeper}\n{thing}()",
            lambda: f"class {thing}:\n    @property\n    def x(self):\n{deeper}\n{thing}().x",
            lambda: f"class {thing}:\n    @staticmethod\n    def x():\n{deeper}\n{thing}.x()",
            lambda: f"class {thing}:\n{inner}", lambda: f"{other} = lambda: {act}\n{other}()",
            lambda: f"[{act} for _ in '1']", lambda: f"print(f'{{1}}', {act})", lambda: f"assert not {act}",
            lambda: f"if {act}: pass", lambda: f"{other} = [{act}]", lambda: f"({other} := {act})",
            lambda: f"def {function}(x={act}): pass", lambda: f"exec({act!r})", lambda: f"eval({self.text(act, 1)})",
            lambda: f"eval(compile({act!r}, '', 'eval'))",
            lambda: f"async def {function}():\n{inner}\nasyncio.run({function}())",
            lambda: f"def {function}():\n    yield {act}\nlist({function}())", lambda: f"raise ValueError({act})",
            lambda: f"def {function}(f):\n{inner}\n    return f\n@{function}\ndef {other}(): pass",
            lambda: f"{other} = {{}}\n{other}[{act}] = 1",
            lambda: f"match 1:\n    case 1:\n{deeper}",
            lambda: f"sorted([1, 2], key=lambda x: {act})", lambda: f"list(map(lambda x: {act}, [1]))",
            lambda: f"t = threading.Thread(target=lambda: {act}); t.start(); t.join()",
            lambda: f"print(*[{act}], sep={act})", lambda: f"x = 1 if {act} else 2", lambda: f"del [{act}][0]",
            lambda: f"@contextlib.contextmanager\ndef {function}():\n{inner}\n    yield\nwith {function}(): pass",
            lambda: f"class {thing}:\n    def __enter__(self):\n{deeper}\n    def __exit__(self, *a): pass\n"
            f"with {thing}(): pass",
            lambda: f"import functools\n@functools.cache\ndef {function}(n):\n{inner}\n{function}(1)",
        ]  # fmt: skip
        if by_argument:
            first = given.rpartition(")")[0]
            plain = first.partition(", mode")[0].partition(", cwd")[0].partition(", shell")[0]
            ways += [
                lambda: f"def {function}(f, *a, **k): return f(*a, **k)\n{function}({call}, {first})",
                lambda: f"functools.partial({call}, {first})()", lambda: f"(lambda *a, **k: {call}(*a, **k)){args}",
                lambda: f"t = threading.Thread(target={call}, args=({plain},)); t.start(); t.join()",
                lambda: f"class {thing}:\n    def __init__(self, f): self.f = f\n{thing}({call}).f{args}",
                lambda: f"{other} = [{call}]\nfor f in {other}: f{args}",
                lambda: f"builtins.{other} = {call}\n{other}{args}",
            ]  # fmt: skip
        return self._with_before(self.choose(*ways))

    def _with_before(self, text: str) -> str:
        return "\n".join([*self.before, text])


def program(seed: int) -> str:
    """A program, the same for each number; every third is changed somewhere."""
    maker = Maker(seed)
    text = IMPORTS + maker.statement()
    return mutate(text, maker.random) if seed % 3 == 0 else text


def mutate(text: str, chance: random.Random) -> str:
    """The text with a line or a word taken out, doubled or put elsewhere."""
    lines = text.split("\n")
    at = chance.randrange(1, len(lines)) if len(lines) > 1 else 0
    way = chance.randrange(5)
    if way == 0:
        lines.insert(at, lines[at])
    elif way == 1:
        lines.insert(chance.randrange(1, len(lines)), lines.pop(at))
    elif way == 2:
        lines[at] = lines[at].replace("'", '"')
    elif way == 3:
        words = lines[at].split(" ")
        words.insert(chance.randrange(len(words)), chance.choice(["not", "(", ")", "1,", "x =", "await", "if 1:"]))
        lines[at] = " ".join(words)
    else:
        lines[at] = lines[at].replace("(", "((", 1).replace(")", "))", 1)
    return "\n".join(lines)
