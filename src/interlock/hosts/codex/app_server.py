"""Talk with `codex app-server`, the interface that Codex has for programs: which hooks it knows, and which it trusts.

It needs no network and no login, and Codex edits its configuration itself.
"""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import DecodeError, Struct, convert, json

from interlock.errors import InterlockError
from interlock.process import clean_environment

__all__ = ["AppServer", "KnownHook"]

JsonObject: TypeAlias = dict[str, Any]
_SECONDS = 15.0
_MOST = 4 << 20
# Otherwise it fetches a catalogue of plugins, of which half would be left in the person's folder when it is ended.
_ALONE = ("-c", "features.plugins=false")
_HELLO = {"clientInfo": {"name": "interlock", "version": "1"}}


class KnownHook(Struct, frozen=True, rename="camel"):
    """A hook that Codex has found, and whether it would run it."""

    key: str
    command: str = ""
    source_path: str = ""
    enabled: bool = True
    current_hash: str = ""
    trust_status: str = ""

    @property
    def runs(self) -> bool:
        return self.enabled and self.trust_status in ("trusted", "managed")


class AppServer:
    """One conversation, for a `with` block."""

    def __init__(self, root: Path, home: Path, environ: Mapping[str, str] | None = None) -> None:
        self._root = root
        self._environ = {**clean_environment(os.environ if environ is None else environ), "HOME": str(home)}
        self._asked = 0
        self.warnings: list[str] = []  # of files that it could not read, since it was last asked for hooks
        self._rest = b""

    def __enter__(self) -> AppServer:
        program = shutil.which("codex", path=self._environ.get("PATH"))
        if program is None:
            raise InterlockError("`codex` is not on the PATH")
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the program that a person would start
                [program, *_ALONE, "app-server"], cwd=self._root, env=self._environ, start_new_session=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        except OSError as error:
            raise InterlockError(f"cannot run `{program}`: {error.strerror}") from error
        self._until = time.monotonic() + _SECONDS
        try:
            self._ask("initialize", _HELLO)
            self._send({"method": "initialized"})
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # it has ended
            os.killpg(self._process.pid, signal.SIGKILL)  # a launcher may have started the program itself
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):  # it has gone with what was not sent
                    stream.close()
        self._process.wait()

    def hooks(self) -> list[KnownHook]:
        """The hooks that Codex would consider in the project. Raises InterlockError if it does not say."""
        found = self._ask("hooks/list", {"cwds": [str(self._root)]})
        try:
            self.warnings = [str(text) for place in found["data"] for text in place.get("warnings", ())]
            return [convert(hook, KnownHook) for place in found["data"] for hook in place["hooks"]]
        except (KeyError, TypeError, ValueError) as error:
            raise InterlockError(f"Codex listed its hooks in an unknown form: {error}") from error

    def trust(self, hooks: Sequence[KnownHook]) -> None:
        """Have Codex run these hooks as they are now."""
        value = {hook.key: {"trusted_hash": hook.current_hash} for hook in hooks}
        self._ask("config/value/write", {"keyPath": "hooks.state", "value": value, "mergeStrategy": "upsert"})

    def forget(self, keys: Sequence[str]) -> None:
        """Have Codex drop what it noted of hooks that are gone."""
        for key in keys:
            path = f"hooks.state.{json.encode(key).decode()}"
            self._ask("config/value/write", {"keyPath": path, "value": None, "mergeStrategy": "replace"})

    def _ask(self, method: str, params: JsonObject) -> JsonObject:
        self._asked += 1
        self._send({"id": self._asked, "method": method, "params": params})
        while True:
            said = self._line()
            if said.get("id") != self._asked or "method" in said:
                continue  # a notice
            if "result" not in said:
                raise InterlockError(f"Codex refused `{method}`: {said.get('error')}")
            return said["result"] if isinstance(said["result"], dict) else {}

    def _send(self, message: JsonObject) -> None:
        assert self._process.stdin is not None  # noqa: S101 - it was opened as a pipe
        try:
            self._process.stdin.write(json.encode(message) + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise InterlockError("`codex app-server` has ended") from error

    def _line(self) -> JsonObject:
        assert self._process.stdout is not None  # noqa: S101 - it was opened as a pipe
        with selectors.DefaultSelector() as waits:
            waits.register(self._process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._rest:
                if not waits.select(max(0.0, self._until - time.monotonic())):
                    raise InterlockError(f"`codex app-server` did not answer within {_SECONDS:g} s")
                chunk = os.read(self._process.stdout.fileno(), 1 << 16)
                if not chunk or len(self._rest) > _MOST:
                    raise InterlockError("`codex app-server` has ended")
                self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")
        try:
            said = json.decode(line)
        except DecodeError as error:
            raise InterlockError("`codex app-server` sent something that is not JSON") from error
        return said if isinstance(said, dict) else {}
