"""What a short program evidently does, by its tokens: for languages without a parser, and for texts without a tree.

Perl, Ruby and PHP as they stand on a command line, and JavaScript that does not parse. Calls with constant arguments
are read; a call that runs or evaluates what only the run will tell is opaque. Nothing is executed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from interlock.facts.code.modules import required_as
from interlock.facts.code.sql import effects_of_sql
from interlock.facts.code.tokens import PATHS, Token, each_round, read_tokens
from interlock.facts.code.words import (
    AGENT_CALLS,
    AGENT_SDKS,
    BARE_MOVES,
    BINDS,
    DELETES,
    DISGUISES,
    DROPS,
    EVALUATES,
    FOLLOWS,
    HARD_LINKS,
    KILLS,
    LISTENS,
    MOVES,
    NETWORK,
    ONE_TEXT,
    OPENS,
    PATH_METHODS,
    QUERIES,
    READS,
    RISKY_MODULES,
    RUNS,
    SENDS,
    SENDS_MORE,
    UNPACKS,
    WRITES,
)
from interlock.facts.effects import MODULES, CodeEffects
from interlock.facts.limits import CALLS, PROGRAM_STEPS, URLS_IN_CODE, Limit
from interlock.facts.shell import UNKNOWN

__all__ = ["loose_effects"]


_WEB = re.compile(r"(?i)(?:https?|ftp|wss?)://[^\s'\"`\\<>]+")
_HANDED_ON = re.compile(r"[(,]\s*(?:eval|Function)\s*[),]")  # `.then(eval)`
_TAKES_LIST = re.compile(
    r"(?:^|\.)(?:execv[pe]*|spawnv[pe]*|posix_spawnp?|spawn|spawnSync|execFile|execFileSync|Deno\.Command)$"
)
_COULD_ACT = re.compile(r"[(`]|\bimport\b")  # JavaScript without any of these calls nothing
_AGENT = "agent-sdk"  # so for packages that start agents
_EMPTIES = frozenset({"flush", "reset_db", "sqlflush"})
_LIST_ENDS = {"(": ")", "[": "]", "{": "}"}
_INCLUDES = frozenset({"include", "include_once", "require", "require_once"})
# Where a call needs no parentheses.
_LOOSE = frozenset({"perl", "ruby", "php"})
_CHANGES_DATA = re.compile(r"(?i)\s*(?:drop|truncate|delete|alter|update|grant|revoke)\s")
_LOOSE_RUNS = frozenset({"eval", "exec", "system", "instance_eval"})
_LOOSE_OPENS = frozenset({"open", "sysopen"})  # perl's take a bare name first
_HOMES = frozenset({"Path.home", "pathlib.Path.home", "os.homedir", "homedir", "Dir.home", "process.env.HOME"})
_PROBES = re.compile(r"\bos\.kill(?:pg)?\([^()]*,\s*0\s*\)|\bprocess\.kill\([^()]*,\s*0\s*\)")  # whether it runs
_MOVES_TO = frozenset({"os.chdir", "process.chdir", "Dir.chdir", "chdir"})
_PLACED = ("reads", "writes", "deletes")
_JOINS = frozenset({"joinpath", "with_name"})  # methods of a path that make another of it
# Calls that are given the name of what they call.
_CALLERS = frozenset({"array_map", "array_walk", "array_filter", "call_user_func", "call_user_func_array"})
_STANDS_FOR = {"process.execPath": "node", "process.argv0": "node"}
# The environment as a whole, not a variable of it.
_ENVIRONMENT = re.compile(
    r"\bos\.environ(?:b\b|\b(?!\s*(?:\[|\.(?:get|setdefault|pop|update)\b)))|\bprocess\.env\b(?!\s*[.\[?])"
    r"|\bENV\b(?!\s*(?:\[|\{|\.(?:fetch|key)))|%ENV\b|\bgetenv\(\s*\)|\$_ENV\b(?!\s*\[)"
)

_MODULE = re.compile(r"""['"]([\w:./@-]+)['"]""")


class _Call(Struct):
    """A call: its name, its arguments (an unknown one is `\\0`), and whether one of them is a list of words."""

    name: str
    args: list[str]
    words: list[str] | None = None
    of: _Call | None = None  # the call whose result it is made on
    method: bool = False  # it is called on the value of an expression


def loose_effects(kind: str, text: str) -> CodeEffects:
    """The evident effects of a program text, by its tokens."""
    effects = CodeEffects()
    if rounds := each_round(kind, text, effects.reach):
        for one in rounds:
            effects.add(loose_effects(kind, one))
        for name in ("reads", "writes", "deletes", "urls", "shell"):
            setattr(effects, name, list(dict.fromkeys(getattr(effects, name))))
        return effects
    aliases = _modules(kind, text, effects)
    if kind == "js" and _HANDED_ON.search(text):
        effects.opaque = "evaluates a text that is not known before it runs"
    if "kill" in text:
        text = _PROBES.sub("", text)
    base, shells = "", 0  # where the program has gone to
    for number, call in enumerate(_calls(kind, text, effects.reach)):
        if number >= CALLS.most:
            effects.reach(CALLS)
            break
        call.name = _full_name(call, aliases)
        if call.name in _MOVES_TO:
            base = _below(base, call.args[0]) if call.args else UNKNOWN
            continue
        seen = {name: len(getattr(effects, name)) for name in _PLACED} if base else {}
        _judge(kind, call, effects)
        for name, length in seen.items():
            found = getattr(effects, name)
            found[length:] = [_below(base, one) for one in found[length:]]
        if base:
            effects.shell[shells:] = [f"cd {_quote(base)} && {line}" for line in effects.shell[shells:]]
        shells = len(effects.shell)
    effects.urls = list(dict.fromkeys(effects.urls))
    if "network" in effects.traits and not effects.urls:
        effects.urls = _WEB.findall(text)[: URLS_IN_CODE.most]
    if effects.sends and _ENVIRONMENT.search(text):
        effects.traits.add("reads-environment")
    if not effects.opaque and effects.modules:
        effects.opaque = MODULES
    return effects


def _below(base: str, path: str) -> str:
    return path if not base or path.startswith(("/", "~", UNKNOWN)) else f"{base.rstrip('/')}/{path}"


def _modules(kind: str, text: str, effects: CodeEffects) -> dict[str, str]:
    """What names stand for that come from modules."""
    aliases: dict[str, str] = {}
    for module, name, called in _imports(kind, text):
        root = module.removeprefix("node:").split(".")[0]
        if module in AGENT_SDKS:
            aliases[called] = f"{_AGENT}.{name}" if name else _AGENT
        elif root in RISKY_MODULES:
            effects.opaque = effects.opaque or f"uses {root}"
        elif called:
            aliases[called] = f"{module}.{name}" if name else module
    return aliases


def _imports(kind: str, text: str) -> Iterator[tuple[str, str, str]]:
    """Each import: the module, the name taken from it, and what that is called here."""
    if kind == "js":
        for one in _MODULE.finditer(text):
            module = one[1].removeprefix("node:")
            given = required_as(text, one.start())
            if given is None:
                continue
            names, whole = given
            for part in names.split(","):
                name, _, called = part.replace(" as ", ":").partition(":")
                yield module, name.strip(), (called or name).strip()
            yield module, "", whole


def _full_name(call: _Call, aliases: dict[str, str]) -> str:
    """A call's name with the module it comes from."""
    if call.of is not None and call.of.name in ("require", "import") and call.of.args:
        return f"{call.of.args[0].removeprefix('node:').replace('/', '.')}.{call.name}"
    root, dot, rest = call.name.partition(".")
    return aliases[root] + dot + rest if root in aliases and not call.method else call.name


def _judge(kind: str, call: _Call, effects: CodeEffects) -> None:
    name = re.sub(r"::|->|&\.|\?\.", ".", call.name).lstrip(".@")
    last = name.rpartition(".")[2].rstrip("!?")
    two = ".".join(name.split(".")[-2:])
    first = call.args[0] if call.args else None
    made_on = _made_path(call.of)
    if kind == "php" and last in _CALLERS and first and UNKNOWN not in first:
        _judge(kind, _Call(first, call.args[1:]), effects)
        return

    def known(table: frozenset[str]) -> bool:
        return two in table or last in table

    if name.startswith(f"{_AGENT}.") and last in AGENT_CALLS:
        effects.traits.update(("agent/starts", "agent/unguarded"))
    elif known(RUNS):
        _run(call, effects)
    elif not (call.method and two == last) and (two in DISGUISES or last in DISGUISES):
        effects.opaque = effects.opaque or f"calls {last}"
    elif not (call.method and two == last) and two in EVALUATES:
        effects.opaque = effects.opaque or "evaluates a text that is not known before it runs"
    elif kind == "php" and last in _INCLUDES:
        effects.reads.append(first or UNKNOWN)
        if first is None or UNKNOWN in first or _WEB.match(first):
            effects.opaque = effects.opaque or "includes what is not known before it runs"
            effects.traits.update({"network"} if first is not None and _WEB.match(first) else ())
    elif known(NETWORK):
        effects.traits.add("network")
        effects.sends = effects.sends or last in SENDS
        effects.urls += [url for arg in call.args for url in _WEB.findall(arg)]
    elif last in SENDS_MORE or (last == "send" and "network" in effects.traits) or (kind == "php" and name == "mail"):
        effects.traits.add("network")
        effects.sends = True
    elif last in BINDS and _names_socket(call.args[BINDS[last] :][:1], last):
        effects.writes += call.args[BINDS[last] :][:1]
    elif known(LISTENS):
        effects.traits.add("network/listens")
    elif last in QUERIES and first is not None and _CHANGES_DATA.match(first):
        effects.add(effects_of_sql(first))
    elif two in KILLS or (kind == "perl" and name == "kill"):
        effects.traits.add("kills")
    elif last in PATH_METHODS and call.of is not None and _is_path(call.of):
        _path_method(last, made_on or UNKNOWN, call, effects)
    elif last in UNPACKS:
        folder = next(iter(call.args[UNPACKS[last] : UNPACKS[last] + 1]), ".")
        effects.writes.append("/" + UNKNOWN if folder == "/" else folder)
    elif last in DROPS or (last == "call_command" and first in _EMPTIES):
        effects.traits.add("database/drops")
    elif two in DELETES or last in DELETES:
        effects.deletes += [arg for arg in call.args if arg] or [made_on or UNKNOWN]
    elif name == "copy" and kind == "php" and first is not None and _WEB.match(first):
        effects.traits.update(("network", "downloads"))
        effects.urls.append(first)
        effects.writes += call.args[1:2]
    elif two in MOVES or (kind in ("php", "perl") and name in BARE_MOVES):
        effects.deletes += call.args[:1] if last in ("move", "rename", "renameSync", "mv", "replace") else []
        effects.reads += call.args[:1]
        effects.writes += call.args[: 2 if two in HARD_LINKS else 0] or call.args[1:2]
    elif last == "extractall":
        effects.writes.append(first or ".")
    elif two in WRITES or last in WRITES:
        effects.writes.append(first if first is not None and last not in FOLLOWS else made_on or first or UNKNOWN)
    elif two in READS or last in READS:
        target = first if first is not None and last not in FOLLOWS else made_on or UNKNOWN
        if _WEB.match(target):
            effects.traits.add("network")
            effects.urls.append(target)
        else:
            effects.reads.append(target)
    elif two in OPENS or (last in OPENS and "." not in re.sub(r"\b(?:File|io|IO)\.", "", name)):
        _open(call, effects)
    elif name.startswith(f"{_AGENT}."):
        effects.modules = True


def _names_socket(names: list[str], by: str) -> bool:
    """Whether what a socket is bound to is a file: an address has a port, and is a pair."""
    return bool(names) and bool(names[0]) and ":" not in names[0] and (by != "listen" or "/" in names[0])


def _is_path(call: _Call) -> bool:
    return call.name in _HOMES or call.name.rpartition(".")[2] in ("Path", "PurePath", *_JOINS)


def _path_method(name: str, path: str, call: _Call, effects: CodeEffects) -> None:
    """What a method of a path does to it: `Path("a").rename("b")`."""
    if name == "open":
        _open(_Call("open", [path, *call.args]), effects)
    elif name in ("rename", "replace"):
        if len(call.args) == 1:  # with two it is a text's
            effects.deletes.append(path)
            effects.writes += call.args
    elif name in ("unlink", "rmdir"):
        effects.deletes.append(path)
    else:
        effects.writes.append(path)


def _made_path(call: _Call | None) -> str | None:
    """The path that a call makes: `Path("a")`, `Path.home().joinpath("b")`."""
    if call is None:
        return None
    if call.name.rpartition(".")[2] in _JOINS and call.method:
        base = _made_path(call.of)
        return "/".join([UNKNOWN if base is None else base, *call.args])
    return "~" if call.name in _HOMES else call.args[0] if call.args else None


def _run(call: _Call, effects: CodeEffects) -> None:
    words = call.words
    last = call.name.rpartition(".")[2].lstrip("@")
    if last in ONE_TEXT:
        call.args = call.args[:1]
    elif last.startswith(("execv", "spawnv", "posix_spawn")):
        words = None if words is None else [call.args[last.startswith("spawn")], *words[1:]]
    elif _TAKES_LIST.search(call.name) and call.args and call.args[0] and " " not in call.args[0]:
        if words is not None:
            words = [call.args[0], *words]
        elif call.name.endswith("Deno.Command") or (len(call.args) > 1 and UNKNOWN in call.args[1]):
            words = [call.args[0], UNKNOWN]
    elif last.startswith(("execl", "spawnl")):
        # The program, then its own name, then its arguments.
        at = 1 if last.startswith("spawn") else 0
        call.args = [*call.args[at : at + 1], *call.args[at + 2 :]]
    if words is None and len(call.args) > 1 and UNKNOWN not in call.args[1]:
        words = [arg for arg in call.args if arg]
    if words is not None and words:
        effects.shell.append(" ".join(_quote(word) for word in words))
    elif call.args and call.args[0] and call.args[0] != UNKNOWN:
        effects.shell.append(call.args[0])
    if not effects.shell or any(UNKNOWN in line for line in effects.shell[-1:]) or call.args[:1] == [UNKNOWN]:
        effects.opaque = effects.opaque or "runs a program that is not known before it runs"


def _open(call: _Call, effects: CodeEffects) -> None:
    mode, target = "r", call.args[0] if call.args else UNKNOWN
    rest = call.args[1:]
    if target == UNKNOWN and len(rest) == 1 and (rest[0][:1] in ("<", ">", "+", "|") or "/" in rest[0]):
        target, rest = rest[0], []
    if target.startswith((">", "+<", "|")) or target.endswith("|"):  # perl's and ruby's older form
        mode, target = target[:1], target.strip("+<>| ")
    elif rest and re.fullmatch(r"[rwaxbtU+<>&:|-]+(?:utf-?8|encoding\(.*\))?", rest[0], re.IGNORECASE):
        mode = rest[0]
        if target == UNKNOWN and len(rest) > 1:
            target = rest[1]
    if _WEB.match(target):
        effects.traits.add("network")
        effects.urls.append(target)
    elif "|" in mode:
        effects.shell.append(target)
    elif set(mode) & set("wax+>"):
        effects.writes.append(target)
    else:
        effects.reads.append(target.lstrip("< "))


# --- calls ---------------------------------------------------------------------------------------------------------


class _Steps:
    """What may still be spent on looking through tokens."""

    def __init__(self, reach: Callable[[Limit], None]) -> None:
        self._left = PROGRAM_STEPS.most
        self._reach = reach

    def through(self, tokens: list[Token], start: int) -> Iterator[tuple[int, Token]]:
        """The tokens from a place on, each paid for. With nothing left there are none, and that is told."""
        for place in range(start, len(tokens)):
            self._left -= 1
            if self._left < 0:
                self._reach(PROGRAM_STEPS)
                return
            yield place, tokens[place]


def _calls(kind: str, text: str, reach: Callable[[Limit], None]) -> Iterator[_Call]:
    tokens, settled = read_tokens(kind, text)
    steps = _Steps(reach)
    stack: list[tuple[int, _Call]] = []
    closed: _Call | None = None  # the call that has just ended
    depth = 0
    for place, token in enumerate(tokens):
        if token.kind == "tick" and kind in ("perl", "ruby", "php"):
            yield _Call("system", [re.sub(r"#\{[^{}]*\}|\$\w+", UNKNOWN, token.text)])
        if token.kind == "mark" and token.text in "([{":
            depth += 1
            before = tokens[place - 1] if place else None
            if token.text == "(" and before is not None and before.kind == "name":
                method = place >= 2 and tokens[place - 2].text in (".", "?.", "&.")
                of, name = closed if method else None, before.text
                root, _, rest = name.partition(".")
                if (rest in FOLLOWS or rest in PATH_METHODS) and root in settled:
                    of, name, method = _Call("Path", [settled[root]]), rest, True
                call = _Call(name, *_arguments(kind, tokens, place, steps), of=of, method=method)
                stack.append((depth, call))
                yield call
            elif token.text == "(" and before is not None and before.text == "]" and kind == "js":
                yield _Call("getattr", [])  # what is called is looked up: `table["a"](b)`
            elif token.text == "(":  # an expression: `(Path.home() / "a").write_text("b")`
                stack.append((depth, _Call("Path", _arguments(kind, tokens, place, steps)[0])))
            closed = None
        elif token.kind == "mark" and token.text in ")]}":
            if stack and stack[-1][0] == depth:
                closed = stack.pop()[1]
            depth = max(0, depth - 1)
        elif token.kind == "name" and kind in _LOOSE and _starts_loosely(tokens, place):
            yield _Call(token.text, *_loose_arguments(tokens, place, steps))
        elif token.text in _LOOSE_RUNS and token.kind == "name" and kind in _LOOSE and _takes_a_call(tokens, place):
            yield _Call(token.text, [UNKNOWN])
        elif token.text != "." and token.kind != "name":
            closed = None


def _starts_loosely(tokens: list[Token], place: int) -> bool:
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    if tokens[place].text == "unlink" and (after is None or after.text in ("}", ";", "for", "foreach", "if")):
        return True  # what `$_` names
    if after is not None and tokens[place].text == "kill" and after.text.isdigit():
        return True
    if after is None or after.kind not in ("text", "tick", "name"):
        return False
    return (
        after.kind != "name" or after.text[0] in "$@" or tokens[place].text in _LOOSE_OPENS | DELETES
    )  # fmt: skip


def _takes_a_call(tokens: list[Token], place: int) -> bool:
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    return after is not None and after.kind == "name" and after.text not in ("if", "unless", "or", "and", "do", "for")


def _loose_arguments(tokens: list[Token], place: int, steps: _Steps) -> tuple[list[str], None]:
    args: list[str] = []
    for _, token in steps.through(tokens, place + 1):
        if token.kind == "mark" and token.text in ";)}\n":
            break
        if token.kind == "text":
            args.append(token.text)
        elif token.kind == "name":
            if token.text in ("if", "unless", "or", "and", "for", "foreach", "do"):
                break
            args += [] if _makes_path(token) else [UNKNOWN]
    return args, None


def _arguments(kind: str, tokens: list[Token], opening: int, steps: _Steps) -> tuple[list[str], list[str] | None]:
    """The arguments of a call, and the words of the first one if it is a list."""
    args: list[str] = []
    words: list[str] | None = None
    current: str | None = None
    depth = 0
    # The program, and then its arguments as a list.
    lists = _TAKES_LIST.search(tokens[opening - 1].text) is not None if opening else False
    listed = "([" if lists else "["
    joins: list[int] = []  # how deep the calls stand that only make a path of what they are given
    for place, token in steps.through(tokens, opening + 1):
        if token.kind == "mark" and token.text in "([{":
            if token.text == "(" and depth == len(joins) and _makes_path(tokens[place - 1]):
                joins.append(depth)
                current = (current or "").removesuffix(UNKNOWN)
            depth += 1
            if depth == 1 and token.text in listed and words is None and current is None and (not args or lists):
                words = []
            elif words is not None and depth > 1:
                words.append(UNKNOWN)
        elif token.kind == "mark" and token.text in ")]}":
            depth -= 1
            if depth < 0:
                break
            if joins and joins[-1] == depth:
                joins.pop()
        elif joins and depth == len(joins) and token.kind == "mark" and token.text == ",":
            current = (current or "") + "/"
        elif depth == 0 and token.text == "," and token.kind == "mark":
            args.append(current or "")
            current = None
        elif depth == len(joins):
            current = _append(current, token)
        elif depth == 1 and words is not None and len(args) <= lists + 0 and token.text != ",":
            words.append(token.text if token.kind == "text" else _STANDS_FOR.get(token.text, UNKNOWN))
    if current is not None:
        args.append(current)
    return args, words


def _makes_path(token: Token) -> bool:
    return token.kind == "name" and token.text in PATHS


def _append(current: str | None, token: Token) -> str:
    if token.kind == "text":
        return (current or "") + token.text
    if token.kind == "tick":
        return (current or "") + re.sub(r"\$\{[^{}]*\}", UNKNOWN, token.text)
    if token.text == "+":
        return current or ""
    if token.text == "/" and current:
        return current + "/"
    if token.text in _HOMES and not current:
        return "~"
    return (current or "") + ("" if (current or "").endswith(UNKNOWN) else UNKNOWN)


def _quote(word: str) -> str:
    return word if re.fullmatch(r"[\w./:=@%+-]+|\0", word) else "'" + word.replace("'", "'\\''") + "'"
