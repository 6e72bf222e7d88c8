"""What calls of known functions do, by their full names: files, programs, processes, code."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING, TypeAlias

from interlock.facts.code.python.state import FOLDER, UNKNOWN_TEXT
from interlock.facts.code.python.values import (
    ANY,
    HIDDEN,
    Choice,
    CodeText,
    File,
    Items,
    PathText,
    PythonCall,
    Ref,
    StartedProgram,
    Value,
    alternatives,
    join,
    path_text,
    paths_of,
    texts_of,
)
from interlock.facts.shell import UNKNOWN

if TYPE_CHECKING:
    from interlock.facts.code.python.interpreter import Interpreter

__all__ = ["ACTIONS", "MADE_HERE", "Action", "names_of", "open_file", "over_paths"]

Action: TypeAlias = "Callable[[Interpreter, PythonCall], Value]"

MADE_HERE = "/tmp/made-by-this-program"  # noqa: S108 nothing is written there
_PATH_NAMES = (
    "path", "file", "filename", "src", "name", "source", "fname", "fp", "target", "dirname", "top", "pathname",
    "filepath_or_buffer", "path_or_buf", "database", "archive_name", "base_name", "file_path", "fname", "io",
)  # fmt: skip


def names_of(text: str, action: Action) -> dict[str, Action]:
    """The action, for each of some names."""
    return dict.fromkeys(text.split(), action)


def first(call: PythonCall) -> Value:
    """What a call is about: its first argument, or the one that is named like it."""
    if call.args:
        return call.args[0]
    for name in _PATH_NAMES:
        if name in call.named:
            return call.named[name]
    return ANY if call.open or call.named else None


# --- files -----------------------------------------------------------------------------------------------------------


def _deletes(run: Interpreter, call: PythonCall) -> Value:
    run.deletes(ANY if (value := first(call)) is None else value)


def _writes(run: Interpreter, call: PythonCall) -> Value:
    run.writes(first(call))
    return ANY


def _reads(run: Interpreter, call: PythonCall) -> Value:
    run.reads(first(call))
    return ANY


def _moves(run: Interpreter, call: PythonCall) -> Value:
    run.deletes(call.get(0, "src", ANY))
    run.reads(call.get(0, "src", ANY))
    run.writes(call.get(1, "dst", ANY))


def _copies(run: Interpreter, call: PythonCall) -> Value:
    run.reads(call.get(0, "src", ANY))
    run.writes(call.get(1, "dst", ANY))
    return call.get(1, "dst", ANY)


def _hard_link(run: Interpreter, call: PythonCall) -> Value:
    run.reads(call.get(0, "src", ANY))
    run.writes(call.get(0, "src", ANY))
    run.writes(call.get(1, "dst", ANY))


def _chdir(run: Interpreter, call: PythonCall) -> Value:
    value = first(call)
    known = run.place([path for path in paths_of(value) if path != UNKNOWN])
    folder: Value = Choice(tuple(known)) if len(known) > 1 else known[0] if known else UNKNOWN
    if UNKNOWN in paths_of(value) and known:
        folder = join(folder, UNKNOWN)
    run.put(run.top.names, FOLDER, folder)


def over_paths(value: Value, change: Callable[[str], Value]) -> Value:
    """Another path made of each path that it may be."""
    found: Value = None
    for one in alternatives(value):
        made = change(path_text(one))
        found = made if found is None else join(found, made)
    return found


def open_file(run: Interpreter, path: Value, mode: Value) -> Value:
    """Note that a file is opened; of a mode that is not known, both are."""
    modes = texts_of(mode)
    if any(UNKNOWN in one or not set("wax+").isdisjoint(one) for one in modes):
        run.writes(path)
    if any(set("wax").isdisjoint(one.partition(":")[0]) or UNKNOWN in one for one in modes):
        run.reads(path)
    return File(path)


def _open(run: Interpreter, call: PythonCall) -> Value:
    return open_file(run, first(call), call.get(1, "mode", "r"))


def _os_open(run: Interpreter, call: PythonCall) -> Value:
    flags = call.get(1, "flags", ANY)
    if (type(flags) is Ref and flags.name == "os.O_RDONLY") or flags == 0:
        run.reads(first(call))
    else:
        run.writes(first(call))
    return ANY


def _archive(kind: str) -> Action:
    def opens(run: Interpreter, call: PythonCall) -> Value:
        open_file(run, first(call), call.get(1, "mode", "r"))
        return Ref(kind)

    return opens


def _unpacks(at: int) -> Action:
    """Files are put into a folder, or where the program is."""

    def unpack(run: Interpreter, call: PythonCall) -> Value:
        folder = call.get(at, "path", call.named.get("extract_dir", "."))
        run.writes("/" + UNKNOWN if folder == "/" else "." if folder is None else folder)
        if at:
            run.reads(first(call))

    return unpack


def _make_archive(run: Interpreter, call: PythonCall) -> Value:
    run.writes(first(call))
    run.reads(call.get(2, "root_dir", None))
    return ANY


def _file_input(run: Interpreter, call: PythonCall) -> Value:
    files = call.get(0, "files", ANY)
    for one in files if type(files) in (list, tuple) else [files]:
        run.writes(one) if call.get(1, "inplace", False) else run.reads(one)
    return ANY


def _temporary(run: Interpreter, call: PythonCall) -> Value:
    last = call.name.rpartition(".")[2]
    folder = call.named.get("dir")
    made: Value = MADE_HERE if folder is None else over_paths(folder, lambda path: f"{path}/{UNKNOWN}")
    if last == "mkstemp":
        return [ANY, made]
    return Ref("tempfile.file()") if last in ("NamedTemporaryFile", "TemporaryFile", "SpooledTemporaryFile") else made


def _logs(run: Interpreter, call: PythonCall) -> Value:
    run.writes(call.named.get("filename") if call.name.endswith("basicConfig") else first(call))
    return ANY


# --- paths that are made of others -----------------------------------------------------------------------------------


def _same_path(run: Interpreter, call: PythonCall) -> Value:
    return first(call)


def _expand(run: Interpreter, call: PythonCall) -> Value:
    return over_paths(first(call), lambda path: path.replace("$HOME", "~").replace("${HOME}", "~"))


def _join_paths(run: Interpreter, call: PythonCall) -> Value:
    return run.joined_path(call.args)


def _path(run: Interpreter, call: PythonCall) -> Value:
    if not call.args:
        return PathText(UNKNOWN if call.open else ".")
    return over_paths(run.joined_path(call.args), PathText)


def _dirname(run: Interpreter, call: PythonCall) -> Value:
    return over_paths(first(call), lambda path: path.rpartition("/")[0] or ("/" if path[:1] == "/" else ""))


def _home(run: Interpreter, call: PythonCall) -> Value:
    return PathText("~")


def _here(run: Interpreter, call: PythonCall) -> Value:
    folder = run.top.names.get(FOLDER)
    found = "." if folder is None else folder
    return over_paths(found, PathText) if call.name == "pathlib.Path.cwd" else found


def _finds(run: Interpreter, call: PythonCall) -> Value:
    pattern = first(call)
    folder = call.named.get("root_dir")
    return Items(pattern if folder is None else run.joined_path([folder, pattern]))


def _walks(run: Interpreter, call: PythonCall) -> Value:
    return Items([first(call), Items(ANY), Items(ANY)])


def _scans(run: Interpreter, call: PythonCall) -> Value:
    folder = first(call)
    return Items(over_paths("." if folder is None else folder, lambda path: PathText(f"{path.rstrip('/') or ''}/*")))


def _variable(run: Interpreter, call: PythonCall) -> Value:
    name = call.get(0, "key", ANY)
    found = variable(name)
    other = call.get(1, "default", None)
    return found if found is not ANY or other is None else join(other, ANY)


def variable(name: Value) -> Value:
    """A variable of the environment, where everybody's is alike."""
    if name in ("HOME", "USERPROFILE"):
        return "~"
    return "/tmp" if name in ("TMPDIR", "TMP", "TEMP") else ANY  # noqa: S108


# --- programs --------------------------------------------------------------------------------------------------------


def _shell_text(run: Interpreter, call: PythonCall) -> Value:
    run.runs_text(call.get(0, "cmd", call.named.get("command", ANY)))
    return ANY


def _subprocess(run: Interpreter, call: PythonCall) -> Value:
    words = call.get(0, "args", ANY)
    folder, given, env = call.named.get("cwd"), call.named.get("input"), call.named.get("env")
    shell = call.named.get("shell", False)
    program = call.named.get("executable")
    process = StartedProgram([])
    for one in alternatives(words):
        listed = type(one) in (list, tuple)
        if shell is not False and shell is not None and shell != 0:
            text = one[0] if listed and one else one
            process = run.runs_text(text, folder, given)
        if shell is not True and shell != 1:
            # A text without a shell is the name of a program; on Windows, and to who wrote it, a line.
            spaced = type(one) is str and " " in one
            process = run.runs_text(one, folder, given) if spaced else run.runs_words(one, folder, given, env, program)
    return process


def _each_word(run: Interpreter, call: PythonCall) -> Value:
    words = [*call.args, ANY] if call.open else call.args
    run.runs_words(words or ANY, call.named.get("cwd"), call.named.get("input"), call.named.get("env"))
    return ANY


def _exec_list(at: int) -> Action:
    """`execl(path, name, *args)`."""

    def execute(run: Interpreter, call: PythonCall) -> Value:
        words = [*call.args[at + 1 :], ANY] if call.open else call.args[at + 1 :]
        if call.name.rstrip("p").endswith("e") and words:
            words = words[:-1]  # the environment
        run.runs_words(words or [ANY], program=call.get(at, "file", ANY))
        return ANY

    return execute


def _exec_vector(at: int) -> Action:
    """`execv(path, [name, *args])`."""

    def execute(run: Interpreter, call: PythonCall) -> Value:
        run.runs_words(call.get(at + 1, "args", call.named.get("argv", ANY)), program=call.get(at, "path", ANY))
        return ANY

    return execute


def _word_list(run: Interpreter, call: PythonCall) -> Value:
    run.runs_words(call.get(0, "argv", ANY))
    return ANY


def _start_file(run: Interpreter, call: PythonCall) -> Value:
    run.runs_words([ANY if (value := first(call)) is None else value])


def _kill(run: Interpreter, call: PythonCall) -> Value:
    target, signal = call.get(0, "pid", ANY), call.get(1, "sig", ANY)
    if signal == 0 or (type(target) is Ref and target.name == "os.getpid()"):
        return None
    number = ""
    if type(signal) is Ref:
        number = "-" + signal.name.rpartition(".")[2].removeprefix("SIG") + " "
    elif type(signal) is int:
        number = f"-{signal} "
    group = "-- -" if call.name == "os.killpg" else ""
    for one in alternatives(target):
        name = str(one) if type(one) is int else '"${PYTHON_VALUE}"'
        run.effects.shell.append(f"kill {number}{'-- ' if name[:1] == '-' else group}{name}")
    return None


def _fork(run: Interpreter, call: PythonCall) -> Value:
    if run.endless:
        run.effects.shell.append(":(){ :|:& };:")  # as a shell does the same
    return ANY


def _ends_process(run: Interpreter, call: PythonCall) -> Value:
    run.effects.traits.add("kills")
    return None


# --- code ------------------------------------------------------------------------------------------------------------


def _execute(run: Interpreter, call: PythonCall) -> Value:
    return run.evaluate(call.get(0, "source", ANY), expression=call.name == "eval")


def _compile(run: Interpreter, call: PythonCall) -> Value:
    return CodeText(call.get(0, "source", ANY))


def _time_text(run: Interpreter, call: PythonCall) -> Value:
    for place, name in enumerate(("stmt", "setup")):
        value = call.get(place, name, None)
        if value is not None and type(value) is not int and (place == 0 or call.name.startswith("timeit")):
            run.evaluate(value)
    return ANY


def _run_path(run: Interpreter, call: PythonCall) -> Value:
    run.runs_words(["python3", ANY if (value := first(call)) is None else value])
    return ANY


def _run_module(run: Interpreter, call: PythonCall) -> Value:
    module = call.get(0, "mod_name", ANY)
    if module == "interlock":
        run.take_in("interlock.__main__")
    run.runs_words(["python3", "-m", module])
    return ANY


def _load_file(run: Interpreter, call: PythonCall) -> Value:
    path = call.get(1, "location", call.named.get("path", ANY))
    if any(UNKNOWN in one for one in texts_of(path)):
        run.effects.modules = True
    else:
        run.runs_words(["python3", path])
    return Ref("loaded.file()")


def _import(run: Interpreter, call: PythonCall) -> Value:
    names = texts_of(call.get(0, "name", ANY))
    if len(names) > 1:
        found = [_import(run, PythonCall(call.name, [one, *call.args[1:]], {})) for one in names]
        return reduce(join, found)
    if UNKNOWN in names[0]:
        run.opaque(f"calls {call.name.rpartition('.')[2]}")
        return HIDDEN
    given = names[0]
    if given.partition(".")[0] == "interlock" and "." not in given:
        given = f"{given}.__main__"
    run.take_in(given)
    return run.module(names[0].partition(".")[0] if call.name == "__import__" and len(call.args) < 2 else names[0])


def _evaluates(run: Interpreter, call: PythonCall) -> Value:
    run.opaque(UNKNOWN_TEXT)
    return ANY


def _pickles(run: Interpreter, call: PythonCall) -> Value:
    run.opaque(f"calls {call.name.rpartition('.')[2]}")
    return ANY


def _yaml(run: Interpreter, call: PythonCall) -> Value:
    loader = call.get(1, "Loader", None)
    if call.name.endswith("unsafe_load") or (type(loader) is Ref and loader.name.endswith(("UnsafeLoader", ".Loader"))):
        run.opaque("calls unsafe_load")
    return ANY


def _call_command(run: Interpreter, call: PythonCall) -> Value:
    if first(call) in ("flush", "reset_db", "sqlflush"):
        run.effects.traits.add("database/drops")
    run.effects.modules = True
    return ANY


ACTIONS: dict[str, Action] = {
    **names_of("os.remove os.unlink os.rmdir os.removedirs shutil.rmtree send2trash.send2trash", _deletes),
    **names_of("""
        os.mkdir os.makedirs os.mkfifo os.mknod os.truncate os.chmod os.lchmod os.chown os.lchown os.utime os.setxattr
        os.removexattr os.chflags os.lchflags shutil.chown matplotlib.pyplot.savefig np.save np.savez np.savetxt
        np.savez_compressed py_compile.compile cv2.imwrite imageio.imwrite
    """, _writes),
    **names_of("""
        linecache.getlines linecache.getline np.load np.loadtxt np.genfromtxt np.fromfile np.memmap pd.read_csv
        pd.read_table pd.read_json pd.read_excel pd.read_parquet pd.read_feather pd.read_xml pd.read_html pd.read_fwf
        pd.read_hdf pd.ExcelFile polars.read_csv polars.read_parquet polars.read_json polars.scan_csv
        polars.scan_parquet PIL.Image.open cv2.imread imageio.imread openpyxl.load_workbook xlrd.open_workbook
        docx.Document pypdf.PdfReader PyPDF2.PdfReader pdfplumber.open fitz.open matplotlib.pyplot.imread
        xml.etree.ElementTree.parse lxml.etree.parse lxml.html.parse configparser.ConfigParser().read plistlib.readPlist
        dotenv.dotenv_values dotenv.load_dotenv netrc.netrc mailbox.mbox mailbox.Maildir wave.open
        os.getxattr linecache.updatecache toml.load imghdr.what sndhdr.what
    """, _reads),
    **names_of("os.rename os.replace os.renames shutil.move", _moves),
    **names_of("""
        shutil.copy shutil.copy2 shutil.copyfile shutil.copytree shutil.copymode shutil.copystat os.symlink
    """, _copies),
    "os.link": _hard_link,
    **names_of("os.chdir os.chroot contextlib.chdir", _chdir),
    **names_of("""
        open gzip.open bz2.open lzma.open gzip.GzipFile bz2.BZ2File lzma.LZMAFile
    """, _open),
    **names_of("shelve.open dbm.open", _archive("dbm()")),
    "os.open": _os_open,
    "zipfile.ZipFile": _archive("zipfile.ZipFile()"),
    "zipfile.PyZipFile": _archive("zipfile.ZipFile()"),
    "tarfile.open": _archive("tarfile.TarFile()"),
    "tarfile.TarFile": _archive("tarfile.TarFile()"),
    "tarfile.TarFile.open": _archive("tarfile.TarFile()"),
    "zipfile.ZipFile().extractall": _unpacks(0),
    "zipfile.ZipFile().extract": lambda run, call: _unpacks(0)(run, PythonCall(call.name, call.args[1:], call.named)),
    "tarfile.TarFile().extractall": _unpacks(0),
    "tarfile.TarFile().extract": lambda run, call: _unpacks(0)(run, PythonCall(call.name, call.args[1:], call.named)),
    "zipfile.ZipFile().write": _reads,
    "tarfile.TarFile().add": _reads,
    "shutil.unpack_archive": _unpacks(1),
    "shutil.make_archive": _make_archive,
    "zipapp.create_archive": _make_archive,
    **names_of("fileinput.input fileinput.FileInput", _file_input),
    **names_of("""
        tempfile.mkdtemp tempfile.mkstemp tempfile.mktemp tempfile.gettempdir tempfile.TemporaryDirectory
        tempfile.NamedTemporaryFile tempfile.TemporaryFile tempfile.SpooledTemporaryFile
    """, _temporary),
    **names_of("""
        logging.FileHandler logging.basicConfig logging.RotatingFileHandler logging.TimedRotatingFileHandler
        logging.WatchedFileHandler
    """, _logs),
    **names_of("""
        os.path.abspath os.path.realpath os.path.normpath os.fspath os.path.normcase os.path.relpath sorted reversed
        iter copy.copy copy.deepcopy set frozenset
    """, _same_path),
    **names_of("os.path.expanduser os.path.expandvars", _expand),
    "os.path.join": _join_paths,
    "os.path.dirname": _dirname,
    "pathlib.Path": _path,
    "pathlib.Path.home": _home,
    **names_of("pathlib.Path.cwd os.getcwd os.getcwdb", _here),
    **names_of("glob.glob glob.iglob", _finds),
    **names_of("os.walk os.fwalk", _walks),
    "os.scandir": _scans,
    **names_of("os.getenv os.environ.get os.environ.setdefault os.environ.pop os.getenvb", _variable),
    **names_of("os.system os.popen subprocess.getoutput subprocess.getstatusoutput", _shell_text),
    "asyncio.create_subprocess_shell": _shell_text,
    **names_of("""
        subprocess.run subprocess.call subprocess.Popen subprocess.check_call subprocess.check_output
    """, _subprocess),
    "asyncio.create_subprocess_exec": _each_word,
    **names_of("os.execl os.execlp os.execle os.execlpe", _exec_list(0)),
    **names_of("os.spawnl os.spawnlp os.spawnle os.spawnlpe", _exec_list(1)),
    **names_of("os.execv os.execve os.execvp os.execvpe os.posix_spawn os.posix_spawnp", _exec_vector(0)),
    **names_of("os.spawnv os.spawnve os.spawnvp os.spawnvpe", _exec_vector(1)),
    **names_of("pty.spawn distutils.spawn.spawn", _word_list),
    **names_of("os.startfile webbrowser.get", _start_file),
    **names_of("os.fork os.forkpty", _fork),
    **names_of("os.kill os.killpg signal.pidfd_send_signal", _kill),
    **names_of("""
        psutil.Process().kill psutil.Process().terminate psutil.Process().suspend psutil.Process().send_signal
        """, _ends_process),
    **names_of("exec eval", _execute),
    "compile": _compile,
    **names_of("""
        timeit.timeit timeit.repeat timeit.Timer cProfile.run cProfile.runctx profile.run profile.runctx pdb.run
        pdb.runeval bdb.Bdb().run trace.Trace().run doctest.testsource
    """, _time_text),
    **names_of("execfile runpy.run_path", _run_path),
    "runpy.run_module": _run_module,
    **names_of("""
        importlib.util.spec_from_file_location importlib.machinery.SourceFileLoader importlib.load_source
        importlib.machinery.ExtensionFileLoader importlib.machinery.SourcelessFileLoader
    """, _load_file),
    **names_of("__import__ importlib.import_module importlib.util.find_spec importlib.reload reload", _import),
    **names_of("""
        code.interact code.InteractiveConsole code.InteractiveInterpreter types.FunctionType types.CodeType
        pipes.Template imaplib.IMAP4_stream pydoc.pipepager pydoc.tempfilepager
        zipimport.zipimporter pkgutil.ImpImporter _posixsubprocess.fork_exec get_ipython
    """, _evaluates),
    **names_of("""
        pickle.loads pickle.load pickle.Unpickler marshal.loads marshal.load pd.read_pickle shelve.Shelf
    """, _pickles),
    **names_of("yaml.load yaml.unsafe_load yaml.full_load yaml.load_all", _yaml),
    "django.core.management.call_command": _call_command,
}  # fmt: skip
