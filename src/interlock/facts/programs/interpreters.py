"""Languages: what is run from a text, a file, a module or standard input."""

from __future__ import annotations

import re
from typing import cast

from interlock.facts.programs.draft import UseDraft, names_url
from interlock.facts.programs.table import Program, Special, Table, act, look
from interlock.facts.programs.use import Kind, Stdin

__all__ = ["TABLE"]

# `python -m …`: modules that are programs of their own; the rest is code that was not read.
_MODULES = {"pip": "pip", "pytest": "pytest", "venv": "venv", "virtualenv": "virtualenv", "mypy": "mypy",
    "ruff": "ruff", "black": "black",
            "isort": "isort", "flake8": "flake8", "pylint": "pylint", "twine": "twine", "poetry": "poetry",
                "uv": "uv", "pipx": "pipx",
            "tox": "tox", "nox": "nox", "coverage": "coverage", "pre_commit": "pre-commit", "bandit": "bandit",
                "unittest": "unittest",
            "json.tool": "json.tool", "http.server": "http.server", "build": "pyproject-build",
                "ensurepip": "ensurepip", "conda": "conda",
            "py_compile": "py_compile", "compileall": "compileall", "timeit": "timeit", "pdb": "pdb",
                "cProfile": "cProfile",
            "zipfile": "zipfile", "tarfile": "tarfile", "jupyter": "jupyter", "pipenv": "pipenv", "pydoc": "pydoc",
                "site": "site", "code": "python", "IPython": "ipython", "asyncio": "python",
            "platform": "platform", "sysconfig": "sysconfig", "calendar": "calendar", "this": "this",
                "webbrowser": "webbrowser",
            "pyftpdlib": "http.server", "SimpleHTTPServer": "http.server",
            "trace": "cProfile", "profile": "cProfile", "dis": "dis", "tokenize": "dis", "ast": "dis",
                "tabnanny": "dis"}  # fmt: skip


def _python(draft: UseDraft) -> None:
    words = draft.operands
    code = draft.value("-c")
    module = draft.value("-m")
    if code is not None:
        draft.run("code:python", code)
        for line in code.split("\n") if draft.name == "ipython" else ():
            if line.lstrip().startswith("!"):
                draft.run("shell", line.lstrip().lstrip("!"))
    elif module is not None:
        program = _MODULES.get(module)
        if program is not None:
            draft.run("argv", program, *words)
        else:
            draft.run("file", module, *words, by="python -m")
    elif words and words[0] != "-":
        draft.reads.append(words[0])
        draft.run("file", *words, by="python")
    elif not draft.dry:
        draft.stdin = "code:python"
        if not draft.args:
            draft.add("interactive")


def _python_words(args: tuple[str, ...]) -> tuple[str, ...]:
    """What follows -c CODE or -m MODULE belongs to the code."""
    at = 0
    while at < len(args):
        word = args[at]
        if word[:1] != "-" or word in {"-", "--"} or word[:2] == "--":
            return args
        for place, letter in enumerate(word[1:], 1):
            if letter in "cm":
                given = word[place + 1 :]
                end = at + 1 if given else at + 2
                return (*args[:at], *(("-" + word[1:place],) if place > 1 else ()), "-" + letter,
                        *((given,) if given else args[at + 1 : at + 2]), "--", *args[end:])  # fmt: skip
            if letter in "WXQ":
                at += 0 if word[place + 1 :] else 1
                break
        at += 1
    return args


def _code(kind: str, *names: str) -> Special:
    """An interpreter whose options give code; else it runs a file, else its input."""
    language = cast("Kind", "code:" + kind)

    def of(draft: UseDraft) -> None:
        texts = [value for name, value in draft.values if name in names]
        for text in texts:
            draft.run(language, text)
        if texts:
            if "-i" in draft.flags and kind in {"perl", "ruby"}:
                draft.writes += draft.operands
            draft.reads += draft.operands if kind in {"perl", "ruby"} else []
        elif draft.operands and draft.operands[0] != "-":
            for words in (draft.operands, draft.operands[1:] if draft.doubtful else []):
                if words:
                    draft.reads.append(words[0])
                    draft.run("file", *words, by=draft.name)
        elif draft.args in (("-v",), ("-V",), ("--version",)):
            draft.dry = True
        elif not draft.dry:
            draft.stdin = cast("Stdin", language)

    return of


def _checks(draft: UseDraft) -> None:
    """perl -c and ruby -c check the syntax, but run BEGIN blocks."""
    _load_from(draft, draft.value("-I") or "")
    _code("perl", "-e", "-E")(draft)


_LOADED = frozenset({"auto_prepend_file", "auto_append_file", "extension", "zend_extension"})


def _php(draft: UseDraft) -> None:
    for name, value in draft.values:
        key, _, file = value.partition("=")
        if name == "--define" and file and key in _LOADED:
            draft.run("file", file, by="php")
    if "--server" in draft.flags:
        draft.add("network/listens")
        draft.acts()
        return
    if {"--info", "--modules", "--ini", "--rf", "--rc", "--syntax-check"} & set(draft.flags):
        draft.reads += draft.operands
        return
    _code("php", "--run", "--process-code", "--process-begin", "--process-end")(draft)


def _node(draft: UseDraft) -> None:
    given = [value for name, value in draft.values if name.startswith("--inspect")]
    if any("." in value and not value.startswith("127.") for value in given):
        draft.add("network/listens")  # a debugger waits on this machine's own address, unless it is given another
    if "--check" in draft.flags:
        draft.reads += draft.operands
        return
    if "--test" in draft.flags:
        draft.add("runs-project")
        draft.acts()
        return
    script = draft.value("--run")
    if script is not None:
        draft.run("file", "package.json", script, by="node")
        return
    _code("js", "--eval", "--print")(draft)


def _node_words(args: tuple[str, ...]) -> tuple[str, ...]:
    """`-pe CODE` is -p and -e, not -p with the code `e`."""
    return tuple("-e" if word == "-pe" else word for word in args)


def _first_of(draft: UseDraft, by: str) -> None:
    if draft.operands:
        draft.reads.append(draft.operands[0])
        draft.run("file", *draft.operands, by=by)


_ANYBODYS = ("/tmp/", "/var/tmp/", "/dev/shm/", "/private/tmp/")  # noqa: S108 who can write there


def _load_from(draft: UseDraft, folders: str) -> None:
    """Note folders that code is looked for in, where anybody can put some."""
    for folder in folders.split(":"):
        if (folder + "/").startswith(_ANYBODYS):
            draft.run("file", folder, by=draft.name)


def _java(draft: UseDraft) -> None:
    _load_from(draft, draft.value("--classpath") or draft.value("--cp") or "")
    for word in draft.args:
        if word.startswith(("-javaagent:", "-agentpath:")):
            draft.run("file", word.partition(":")[2].partition("=")[0], by="java")
    jar = draft.value("--jar")
    if jar is not None:
        draft.reads.append(jar)
        draft.run("file", jar, *draft.operands, by="java")
    elif draft.operands:
        draft.run("file", *draft.operands, by="java")
    elif {"--version", "--help"} & set(draft.flags) or "-version" in draft.args:
        draft.dry = True


def _expect(draft: UseDraft) -> None:
    for name, value in draft.values:
        if name == "-c":
            draft.run("code:other", value)
    if draft.operands:
        _first_of(draft, "expect")
    elif "-c" not in draft.flags:
        draft.stdin = "code:other"


_NOTICE = (
    r"\s*(?:display notification \"[^\"\\]*\"(?:\s+(?:with title|subtitle|sound name) \"[^\"\\]*\")*|beep(?: \d+)?|"
    r"set volume (?:output (?:volume|muted) )?\w+|say \"[^\"\\]*\")\s*"
)


def _osascript(draft: UseDraft) -> None:
    for name, value in draft.values:
        if name == "-e":
            start = value.find("do shell script")
            if start >= 0:
                text = value[start + 15 :].strip()
                quoted = text[1:].partition('"')[0] if text[:1] == '"' else "\0"
                draft.run("shell", quoted)
                if "administrator privileges" in value:
                    draft.add("privilege")
            if not re.fullmatch(_NOTICE, value):
                draft.run("code:other", value)
    if draft.operands and "-e" not in draft.flags:
        _first_of(draft, "osascript")
    elif "-e" not in draft.flags:
        draft.stdin = "code:other"


def _other(draft: UseDraft) -> None:
    _code("other", "--eval", "-c", "-x")(draft)
    for at, word in enumerate(draft.args[:-1]):
        if word in {"-eval", "-run", "-s"} and draft.name in {"erl", "escript"}:
            draft.run("code:other", draft.args[at + 1])


def _fetched(draft: UseDraft) -> None:
    """deno runs an address as it runs a file."""
    for word in draft.operands[:1]:
        if names_url(word) and not word.startswith("file:"):
            draft.urls.append(word)
            draft.add("executes-download", "network")


def _httpd(draft: UseDraft) -> None:
    """`ruby -run -e httpd`: the library `un` has commands of its own."""
    for name, value in draft.values:
        if name == "-r" and value.startswith(("/", "~", ".")):
            draft.run("file", value, by="ruby")
    if draft.value("-r") == "un":
        command = draft.value("-e") or ""
        if command == "httpd":
            draft.add("network/listens")
            draft.acts()
        elif command:
            draft.run("argv", command, *draft.operands)
        return
    _code("ruby", "-e")(draft)


_DEBUG_FILES = re.compile(r"(?:dump|append|save|restore|generate-core-file|gcore)\b.*?([~/.\w-]*[/.][\w./-]+)")


def _debug(draft: UseDraft, text: str) -> None:
    """A command of gdb or lldb: most look at the program; some start a shell, run code or write files."""
    plain = text.strip()
    word, _, rest = plain.partition(" ")
    if plain.startswith("!"):
        draft.aside(plain[1:].strip() or "sh")
    elif word in {"shell", "make", "platform", "pipe"}:
        draft.aside(rest.removeprefix("shell ").strip() if word != "make" else plain)
    elif word in {"python", "py", "script", "pi", "python-interactive"}:
        draft.run("code:python", rest)
    elif word in {"source", "command"}:
        draft.run("file", rest.rpartition(" ")[2] or "\0", by=draft.name)
    elif word in {"attach", "target", "process"} and rest:
        draft.add("captures")
    elif "system" in plain or "exec" in plain or "popen" in plain:
        draft.run("code:other", plain)
    elif found := _DEBUG_FILES.match(plain):
        draft.writes.append(found[1])


def _debugger(draft: UseDraft) -> None:
    for name, value in draft.values:
        if name in {"--ex", "--iex", "--one-line", "-O"}:
            _debug(draft, value)
    if draft.operands:
        draft.run("argv", *draft.operands)


def _profiled(draft: UseDraft) -> None:
    told = [value for name, value in draft.values if name in {"-c", "-s"}]
    if draft.name == "timeit":
        told += draft.operands
    for text in told:
        draft.run("code:python", text)
    if draft.operands and draft.name != "timeit":
        draft.run("argv", "python", *draft.operands)


_PYTHON = (
    "b B c= d E h!dry i I m= O P q R s S t u v V!dry W= x X= ? check-hash-based-pycs= help-env!dry help-xoptions!dry "
    "help-all!dry 3 Q="
)
_PERL = "0? a C? c D? d? E= e= f F= g h!dry i? I= l? m? M? n p s S t T u U v!dry V!dry w W x? X"
_RUBY = (
    "0? a c C=base d e= E= F= i? I= K= l n p r= s S T? U v w W? x? X= y copyright!dry enable= disable= encoding= "
    "yjit jit? verbose"
)
_NODE = (
    "e/eval= p/print= c/check i/interactive r/require=file import=file env-file=read env-file-if-exists=read "
    "test watch "
    "watch-path= inspect? inspect-brk? inspect-wait? inspect-port= max-old-space-size= "
    "experimental-strip-types experimental-vm-modules experimental-modules "
    "loader=file no-warnings trace-warnings trace-deprecation unhandled-rejections= input-type= harmony expose-gc prof "
    "cpu-prof heap-prof enable-source-maps v!dry h!dry conditions= C= preserve-symlinks openssl-legacy-provider "
    "stack-trace-limit= dns-result-order= run= test-reporter= "
    "test-name-pattern= experimental-test-coverage no-deprecation throw-deprecation title= v8-options!dry "
    "abort-on-uncaught-exception permission allow-fs-read= allow-fs-write= allow-child-process jitless"
)

TABLE: Table = {
    "python pypy python2 python3 ipython bpython ptpython pypy3 py micropython jython": Program(_PYTHON, "text*",
        "read-only", special=_python, stops=True, rewrite=_python_words),
    "perl": Program(_PERL, "text*", "read-only", special=_checks, stops=True),
    "ruby jruby truffleruby mruby": Program(_RUBY, "text*", "read-only", special=_httpd, stops=True),
    "irb pry": act("interactive only-runs", "*", stdin="code:ruby"),
    "node nodejs iojs": Program(_NODE, "text*", "read-only", special=_node, stops=True, rewrite=_node_words),
    "ts-node tsx swc-node esno jiti babel-node": Program("e/eval= p/print= T/transpile-only P/project=read "
        "r/require=file esm files swc watch tsconfig=read", "text*", "read-only", special=_code("js", "--eval",
            "--print"), stops=True),
    "php": Program("a/interactive b= c/php-ini=read n/no-php-ini d/define= e f/file=file h!dry i/info l/syntax-check "
        "m/modules r/run= B/process-begin= R/process-code= F/process-file=file E/process-end= H/hide-args S/server= "
        "t/docroot=read s/syntax-highlight v!dry w/strip z= ini rf= rc= re= ri=", "text*", "read-only",
                special=_php, stops=True),
    "lua luajit luau": Program("e= i l=file v E W j= O?", "text*", "read-only", special=_code("other", "-e"),
        stops=True),
    "R Rscript julia octave octave-cli gnuplot maxima ghci runghc runhaskell scala scala3 kotlin groovy clojure clj "
    "bb elixir iex erl escript swift crystal nim racket guile scheme sbcl clisp ocaml raku tclsh wish jshell jjs "
    "jrunscript sage gst gap io janet v pike": Program(
        "e/eval/E/execute= f= q/quiet s/slave no-save vanilla i r= L= p= x= l= c= C= noshell m= M= n t B= J= "
        "project? threads= script=file", "text*", "read-only", special=_other,
                stops=True),
    "java": Program("jar= cp/classpath/class-path= p/module-path= m/module= Xmx= ea da version!dry showversion "
        "fullversion!dry help!dry agentlib= javaagent=file *", "text*", "read-only", long=True, special=_java,
            stops=True),
    "deno": Program("q/quiet L/log-level= unstable", "text*", "read-only", subs={
        "run serve": Program("A/allow-all!forced allow-read? allow-write? allow-net? allow-env? allow-run? "
            "allow-ffi? allow-sys? R? W? N? E? S? deny-read? deny-write? deny-net? no-prompt c/config=read "
            "import-map=read lock? no-lock r/reload? watch? inspect? no-check check? node-modules-dir? env-file? "
            "unstable *", "script", "read-only", special=_fetched),
        "eval": Program("p/print T/ts ext= check? *", "code:js", "read-only"),
        "repl": act("interactive only-runs", "*", stdin="code:js"),
        "test bench task x": act("runs-project", "*"),
        "fmt": Program("check!dry c/config=read ext= ignore= watch *", "edit*"),
        "lint check info doc types completions": look("fix!changes json *", "mention*"),
        "install add i cache remove uninstall update outdated approve-scripts": act("installs-package network", "*"),
        "compile bundle": act("changes", "o/output=write *", "read*"),
        "publish deploy": act("publishes-package network", "dry-run!dry *"),
        "upgrade": act("installs-package system-package network", "*"),
        "init vendor coverage jupyter lsp clean": act("changes", "*"),
    }),
    "expect autoexpect": Program("c= d D= f=file i n N b", "text*", "read-only", special=_expect, stops=True),
    "osascript": Program("e= i l= s=", "text*", "read-only", special=_osascript, stops=True),
    "gdb lldb": act("debugger interactive", "args ex/eval-command= x/command=file p/pid= c/core=read batch q/quiet nx "
        "n tui s/source=file o/one-line= O= b iex/init-eval-command= ix/init-command=file",
            special=_debugger, long=True, stops=True),
    "strace ltrace dtruss ktrace": act("debugger", "a= A b= c C d D E= e= f F h!dry i I= k n N o=write O= "
        "p=text!kills P= q r s= S= t T u= U= v V!dry w x X= y z Z trace= follow-forks output=write attach= "
        "summary-only", "argv", special=None),
    "perf": act("debugger", "", subs={
        "list report annotate diff evlist buildid-list version top": look("p=text!debugger pid=text!debugger *"),
            "stat record trace sched mem lock": Program("e= p= a g F= o=write C= d r= t= call-graph= i=read",
                "argv", "debugger"), "script": act("only-runs", "*"),
    }),
    "valgrind heaptrack gprof": Program("tool= leak-check= track-origins= log-file=write v q show-leak-kinds= "
        "suppressions=read xml? xml-file=write error-exitcode= trace-children= num-callers=", "argv", "read-only"),
    "timeit cProfile pdb": Program("s= n= r= u= o=write c= m= v p", "text*", "only-runs", special=_profiled,
        stops=True),
    "pydoc": act("only-runs runs-project", "k= n= p=text!network/listens b!network/listens w!acts"),
    "json.tool": Program("sort-keys json-lines no-ensure-ascii indent= tab no-indent compact", "read write",
        "read-only"),
    "dis platform sysconfig calendar this site": look("m= b/ p= k n= e= w= i= s= sort-keys "
        "json-lines no-ensure-ascii indent= tab no-indent compact terse nonaliased user-site user-base".replace("b/ ",
            ""), "read*"),
    "http.server": act("network/serves recursive", "b/bind= d/directory=read p/protocol= cgi!network/listens",
        special=lambda draft: draft.reads.append(".") if draft.value("--directory") is None else None),
    "py_compile compileall": Program("q f b r= l d= s= p= x= i=read j=", "read*", "changes"),
    "zipfile tarfile": Program("l/list t/test e/extract c/create v/verbose filter=", "mention*", "changes"),
}  # fmt: skip
