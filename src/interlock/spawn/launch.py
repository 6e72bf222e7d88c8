"""Start a daemon and hand it a socket that is already listening.

`client.py` runs this under the same bare interpreter, so nothing from the package can be imported here either.
"""

import fcntl
import os
import socket
import sys

BACKLOG = 1024
LAYOUT = "/.local/state/interlock/run/"  # the socket's folder, below the person's home
# Variables that the daemon must not get: credentials, and those that make programs load other code than their own.
DROPPED = ("KEY", "TOKEN", "SECRET", "PASS", "CRED", "AUTH", "COOKIE", "PYTHON", "LD_", "DYLD_", "BASH_ENV", "CLAUDE")
# Load the package next to this file, and no other of its name, with its dependencies from this interpreter.
BOOT = """
import gc, importlib.util, os, sys
gc.disable()
package = sys.argv.pop(1)
spec = importlib.util.spec_from_file_location(
    "interlock", os.path.join(package, "__init__.py"), submodule_search_locations=[package]
)
sys.modules["interlock"] = module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
sys.path.append(os.path.dirname(package))
from interlock.daemon.main import main
main()
"""


def start(path: str) -> None:
    """Start a daemon that listens on `path`, unless one is listening by now."""
    folder = os.path.dirname(path)
    before = os.umask(0o077)  # also for missing parent folders
    os.makedirs(folder, exist_ok=True)
    os.umask(before)
    os.chdir(folder)
    lock = os.open("lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    if not answers(os.path.basename(path)):
        listener = listen(os.path.basename(path))
        detach([sys.executable, "-I", "-c", BOOT, package_folder(), path, str(listener.fileno())], listener, path)
        listener.close()
    os.close(lock)


def answers(name: str) -> bool:
    """Whether a daemon is listening. One of another version gives up the socket's name before it says so."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(name)
        except (FileNotFoundError, ConnectionRefusedError):
            return False
    return True


def listen(name: str) -> socket.socket:
    if os.path.lexists(name):
        os.unlink(name)
    listener = socket.socket(socket.AF_UNIX)
    before = os.umask(0o177)
    try:
        listener.bind(name)
    finally:
        os.umask(before)
    listener.listen(BACKLOG)
    return listener


def package_folder() -> str:
    """Where the package is, found from the script that was run and not from the environment."""
    return os.path.dirname(os.path.abspath(sys.argv[0]))


def environment(path: str) -> dict[str, bytes]:
    """The environment that the host was started in, read from the host: a project's settings add to a hook's."""
    try:
        with open(f"/proc/{os.getppid()}/environ", "rb") as file:
            pairs = [pair.partition(b"=") for pair in file.read().split(b"\0") if b"=" in pair]
    except OSError:
        pairs = [(b"PATH", b"=", os.defpath.encode())]
    kept = {name.decode("utf-8", "surrogateescape"): value for name, _, value in pairs}
    kept = {name: value for name, value in kept.items() if not any(part in name.upper() for part in DROPPED)}
    home, found, _ = path.partition(LAYOUT)
    if found:
        kept["HOME"] = home.encode("utf-8", "surrogateescape")
    return kept


def detach(command: list[str], listener: socket.socket, path: str) -> None:
    """Detach the daemon from the host, which kills a hook's process group and tree and waits until its pipes close."""
    environ = environment(path)  # while the host is still the parent process
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        if status:
            raise OSError("the daemon could not be started")
        return
    try:
        os.setsid()
        if os.fork():
            os._exit(0)
        nowhere = os.open(os.devnull, os.O_RDWR)
        log = os.open("log", os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
        os.dup2(nowhere, 0)
        os.dup2(nowhere, 1)
        os.dup2(log, 2)
        keep = listener.fileno()
        os.closerange(3, keep)
        os.closerange(keep + 1, 4096)
        os.set_inheritable(keep, True)
        os.chdir("/")
        os.execve(command[0], command, environ)
    finally:
        os._exit(1)
