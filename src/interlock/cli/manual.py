"""The pages of the documentation: where they are, what sections they have, and what their tables explain."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from interlock.config.places import PACKAGE
from interlock.errors import InterlockError, did_you_mean

__all__ = ["Manual", "Page", "PageSection", "TableRow", "slug_of"]

# In the order in which a newcomer needs them. Other pages follow by name.
_ORDER = ("install", "first-five-minutes", "guide", "policy", "cookbook", "packs", "import", "log", "replay", "ci",
          "hooks", "gate", "agent-sdk", "mcp", "protocol", "security", "architecture", "conformance")  # fmt: skip
_HEADING = re.compile(r"^(#{1,6}) +(.+?) *#*$")
_FENCE = re.compile(r"^\s*(```|~~~)")
_CELL_END = re.compile(r"(?<!\\)\|")
_CODE = re.compile(r"`+ ?(.+?) ?`+")
_WORD = re.compile(r"[\w@/*.-]+")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_COMMENT = re.compile(r"^<!--.*?-->\n", re.MULTILINE | re.DOTALL)


class PageSection(Struct, frozen=True):
    """A heading of a page and what follows it, with all smaller headings."""

    page: str
    title: str
    slug: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.page}#{self.slug}"


class TableRow(Struct, frozen=True):
    """A row of a table: the words that its first cell explains, and its cells by the heads of their columns."""

    section: str
    words: frozenset[str]
    title: str
    cells: tuple[tuple[str, str], ...]

    def render(self) -> str:
        width = max((len(head) for head, _ in self.cells), default=0)
        lines = [f"  {head.ljust(width)}  {cell}" for head, cell in self.cells]
        return "\n".join([f"{self.title}   ({self.section})", *lines]) + "\n"


class Page(Struct, frozen=True):
    """One page. Its name is its path in the folder, without the ending."""

    name: str
    file: Path

    @property
    def text(self) -> str:
        """The page without comments, which are for the tools that write parts of it."""
        return _COMMENT.sub("", self.file.read_text(encoding="utf-8"))

    @property
    def about(self) -> str:
        """The page's first sentence; its title if it starts with something else."""
        blocks = [block for block in self.text.split("\n\n")[1:] if block.strip()]
        start = next((block for block in blocks[:1] if re.match(r"[\w`*\[]", block) and not _FENCE.match(block)), "")
        sentence = re.match(r".+?(\.(?=\s)|[.:]$)", _LINK.sub(r"\1", " ".join(start.split())))
        return sentence[0].rstrip(":") if sentence else next((part.title for part in self.sections()), self.name)

    def sections(self) -> Iterator[PageSection]:
        lines = self.text.splitlines(keepends=True)
        heads = list(_headings(lines))
        seen: dict[str, int] = {}
        for place, (number, level, title) in enumerate(heads):
            slug = slug_of(title)
            again = seen.get(slug, 0)
            seen[slug] = again + 1
            end = next((later for later, depth, _ in heads[place + 1 :] if depth <= level), len(lines))
            text = "".join(lines[number:end]).rstrip() + "\n"
            yield PageSection(self.name, _plain(title), f"{slug}-{again}" if again else slug, text)

    def rows(self) -> Iterator[TableRow]:
        """The rows of all tables on the page."""
        lines = self.text.splitlines()
        heads: tuple[str, ...] = ()
        starts = {number: slug_of(title) for number, _, title in _headings(lines)}
        section = ""
        for number, line in enumerate(lines):
            section = starts.get(number, section)
            if not line.startswith("|"):
                heads = ()
            elif not heads:
                heads = _cells(line)
            elif not re.fullmatch(r"[|\s:-]+", line):
                first, *rest = _cells(_LINK.sub(r"\1", line))
                words = {*_CODE.findall(first), first}
                words |= {found[0] for word in words for found in [_WORD.match(word)] if found}
                words |= {f"{section}/{word}" for word in words}  # the rules of a pack are called `pack/id`
                cells = tuple((head, cell) for head, cell in zip(heads[1:], rest, strict=False) if cell)
                yield TableRow(f"{self.name}#{section}", frozenset(words), first, cells)


class Manual:
    """All pages, in the order in which a newcomer needs them."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or _folder()
        found = {file.relative_to(self.folder).with_suffix("").as_posix(): file for file in self.folder.rglob("*.md")}
        names = sorted(found, key=lambda name: (name.count("/"), _ORDER.index(name) if name in _ORDER else 99, name))
        self.pages = [Page(name, found[name]) for name in names]

    def page(self, name: str) -> Page | None:
        name = name.removeprefix("docs/").removesuffix(".md")
        return next((page for page in self.pages if page.name == name), None)

    def look_up(self, wanted: str) -> tuple[list[TableRow], list[PageSection]]:
        """The rows and sections that explain a word, or the section of a page that `page#word` names.

        Raises InterlockError if there are none.
        """
        name, mark, word = wanted.rpartition("#")
        pages = [page for page in [self.page(name)] if page] if mark else self.pages
        if not pages:
            raise self._unknown(f"there is no page called `{name}`", name, [page.name for page in self.pages])
        word = word.strip("`").strip()
        rows = [row for page in pages for row in page.rows() if word in row.words]
        sections = [part for page in pages for part in page.sections()]
        exact = [part for part in sections if part.slug == slug_of(word)]
        if not rows and not exact:
            exact = [part for part in sections if slug_of(word) and slug_of(word) in part.slug.split("-")]
        if not rows and not exact:
            known = [page.name for page in self.pages] if not mark else []
            known += [part.slug for part in sections]
            known += sorted({word for page in pages for row in page.rows() for word in row.words})
            raise self._unknown(f"no page explains `{word}`" if not mark else f"`{name}` has no `{word}`", word, known)
        return rows, exact

    def _unknown(self, message: str, word: str, known: list[str]) -> InterlockError:
        meant = did_you_mean(word, known)
        return InterlockError(message, help=f"{meant or ''} `interlock docs` lists the pages".strip())


def slug_of(title: str) -> str:
    """The name that a link gives to a heading: what code forges and the site make of it."""
    plain = unicodedata.normalize("NFKD", _plain(title)).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip())


def _folder() -> Path:
    """Where the pages are: in an installed package beside its modules, in a checkout at its root."""
    for folder in (PACKAGE / "pages" / "docs", PACKAGE.parent.parent / "docs"):
        if (folder / "policy.md").is_file():
            return folder
    raise InterlockError("this installation has no documentation", help="install Interlock again from its wheel")


def _headings(lines: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """The headings as (line, level, title). In a block of code, such a line is a comment."""
    fenced = False
    for number, line in enumerate(lines):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and (found := _HEADING.match(line.rstrip("\n"))):
            yield number, len(found[1]), found[2]


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip().replace("\\|", "|") for cell in _CELL_END.split(line.strip())[1:-1])


def _plain(title: str) -> str:
    return _LINK.sub(r"\1", title).replace("`", "")
