"""Whether a call takes something from a passage that gave orders: a host, a mail address, a path or a command."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from interlock.facts.fields import strings_in
from interlock.facts.paths import UNKNOWN, Places, visible_path
from interlock.facts.programs.traits import HARMLESS
from interlock.facts.urls import Url, read_url

if TYPE_CHECKING:
    from interlock.facts.gather import Facts

__all__ = ["Named", "Passages", "addresses_in", "named_by"]

Named: TypeAlias = tuple[str, str]  # what sort of thing it is, and its name

_URL = re.compile(r"\b(?:https?|wss?|ftp)://[^\s\"'<>`)\]}]{3,300}", re.IGNORECASE)
_MAIL = re.compile(r"[A-Za-z0-9_.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}")
_PATH = re.compile(r"(?:~|\.{1,2})?/[\w.@/+-]{2,200}|\b[\w.-]{1,60}/[\w./-]{1,200}")
_SPACE = re.compile(r"\s+")
_HERE = re.compile(r"^(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[?::1\]?|.*\.localhost)$")
# Hosts where anybody has a page: there the page counts, and the host says nothing.
_SHARED = frozenset({
    "github.com", "raw.githubusercontent.com", "gist.github.com", "gitlab.com", "bitbucket.org", "huggingface.co",
    "pypi.org", "files.pythonhosted.org", "registry.npmjs.org", "www.npmjs.com", "npmjs.com", "crates.io", "docs.rs",
    "pkg.go.dev", "rubygems.org", "hub.docker.com", "medium.com", "docs.google.com", "drive.google.com",
    "www.youtube.com", "en.wikipedia.org", "stackoverflow.com", "readthedocs.io", "www.google.com", "api.github.com",
    "storage.googleapis.com", "s3.amazonaws.com",
})  # fmt: skip
_ORDINARY = HARMLESS | {"runs-project"}  # traits of commands that a passage may name and that are done all the time
_SHORTEST_COMMAND = 8


class Passages:
    """Passages that gave orders, to be searched for names."""

    def __init__(self, passages: Iterable[str]) -> None:
        self._text = _fold("\n".join(passages))

    def name(self, kind: str, text: str) -> bool:
        """Whether they name this."""
        wanted = _fold(text)
        if kind == "host":
            labels = wanted.split("/")[0].split(".")
            ends = (
                [wanted, *(".".join(labels[at:]) for at in range(1, len(labels) - 1))]
                if "/" not in wanted
                else [wanted]
            )
            return any(self._has(end) for end in ends)
        return self._has(wanted)

    def _has(self, wanted: str) -> bool:
        """Whether it is there as a whole: `x.example` is not named by `ax.example` or `x.example.org`."""
        at = self._text.find(wanted)
        while at >= 0:
            before, after = self._text[at - 1 : at], self._text[at + len(wanted) : at + len(wanted) + 2]
            whole_start = not wanted[0].isalnum() or not (before.isalnum() or before in ("-", ".", "_"))
            whole_end = not (
                after[:1].isalnum() or after[:1] in ("-", "_") or (after[:1] == "." and after[1:].isalnum())
            )
            if whole_start and whole_end:
                return True
            at = self._text.find(wanted, at + 1)
        return False


def named_by(facts: Facts, given: Any, kind: str, places: Places) -> Iterator[Named]:
    """What a call reaches, touches outside its project, changes or runs."""
    texts = [] if kind == "edit" else list(strings_in(given))
    urls = list(facts.all_urls)
    if kind != "shell":
        urls += [url for text in texts for found in _URL.findall(text) if (url := read_url(found)) is not None]
    yield from dict.fromkeys(("host", name) for url in urls if (name := _host_of(url)))
    for text in texts:
        for mail in _MAIL.findall(text):
            if not mail.startswith("git@"):
                yield "mail", mail.lower()
    for use in facts.all_paths:
        outside = not f"{use.path}/".startswith(f"{places.project}/")
        if UNKNOWN not in use.path and not use.glob and (use.write or use.delete or use.send or outside):
            for path in _spellings(visible_path(use.path), places):
                yield "path", path
    for command in facts.commands:
        text = command.text
        is_ordinary = bool(command.use.traits) and command.use.traits <= _ORDINARY
        if not is_ordinary and len(text) >= _SHORTEST_COMMAND and " " in text and UNKNOWN not in text:
            yield "command", text


def addresses_in(text: str) -> Iterator[Named]:
    """The hosts, mail addresses and paths that a text of the user names."""
    for found in _URL.findall(text):
        url = read_url(found.rstrip(".,;:!?"))
        if url is not None and (name := _host_of(url)):
            yield "host", name
            yield "host", url.host
    for mail in _MAIL.findall(text):
        yield "mail", mail.lower()
    for word in text.split():
        word = word.strip("`'\"()<>[],;:!?").rstrip(".")
        if "." in word and "/" not in word and "@" not in word and 3 < len(word) < 100 and word.isascii():
            yield "host", word.lower()
    for path in _PATH.findall(text):
        yield "path", path.rstrip(".,;:")


def _host_of(url: Url) -> str:
    if UNKNOWN in url.host or "." not in url.host or _HERE.match(url.host):
        return ""
    if url.host not in _SHARED:
        return url.host
    path = url.url.split("://", 1)[-1].partition("/")[2].split("?")[0].split("#")[0]
    parts = [part for part in path.split("/") if part][:2]
    return "/".join([url.host, *parts]).lower() if parts else ""


def _spellings(path: str, places: Places) -> Iterator[str]:
    """How a text may write a path: as a whole, from home, or from the project."""
    if path.count("/") > 1 or "." in path:
        yield path
    if path.startswith(f"{places.home}/"):
        yield f"~/{path[len(places.home) + 1 :]}"
    elif path.startswith(f"{places.project}/") and ("/" in (rest := path[len(places.project) + 1 :]) or "." in rest):
        yield rest


def _fold(text: str) -> str:
    return _SPACE.sub(" ", text).lower()
