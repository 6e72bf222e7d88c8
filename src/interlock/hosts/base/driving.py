"""How a host is run once without a person, against a model that plays a script on this machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

__all__ = ["PROMPT", "HostDrive", "HostInquiry", "ModelCall"]

JsonObject: TypeAlias = dict[str, Any]
PROMPT = "Do what the script says."


class ModelCall(Struct, frozen=True):
    """A tool call that a model makes; `input` is a text for a tool that takes free text.

    `group`: of several that a newer model knows its tools by, which it names where a tool cannot do without.
    """

    tool: str
    input: JsonObject | str
    group: str = ""


class HostDrive(Struct, frozen=True, kw_only=True):
    """What a scripted run of a host needs.

    `words` follow the name of its program: they are given the project's folder, and what makes it ask nobody. `files`
    and `environ` point it at the model, whose address they are given, and keep it from calling anywhere else; an object
    is added to what is in that file.
    """

    call: Callable[[str], ModelCall]  # a command of the shell, as its model calls for it
    words: Callable[[Path, Sequence[str]], Sequence[str]]
    files: Callable[[str, Path, Path], Mapping[Path, JsonObject | str]]  # the address, the project, the home
    environ: Callable[[str, Path], Mapping[str, str]]  # the address, the home
    flags: tuple[str, ...] = ()


class HostInquiry(Struct, frozen=True, kw_only=True):
    """A command of a host by which it says what it would do with a call, without a model.

    `words` follow the name of its program, and are given a command of the shell. `read` is given what it prints:
    whether it would refuse the call, and why; None if it does not say.
    """

    words: Callable[[str], Sequence[str]]
    read: Callable[[bytes], tuple[bool, str] | None]
