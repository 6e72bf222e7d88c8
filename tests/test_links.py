"""Every relative link of the documentation leads to a file, and every anchor to a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from interlock.cli.manual import Page, slug_of

ROOT = Path(__file__).parent.parent
FILES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
FILES += sorted([*(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")])
FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def links(text: str) -> Iterator[str]:
    """The relative links of a page, outside of code."""
    # Code is blanked, but its backticks stay: they may be the text of a link.
    text = re.sub(r"`[^`\n]*`", "``", FENCED.sub("", text))
    for found in LINK.finditer(text):
        target = found[1] or found[2]
        if not SCHEME.match(target):
            yield target


def problems(file: Path) -> list[str]:
    found = []
    for target in links(file.read_text(encoding="utf-8")):
        path, _, anchor = target.partition("#")
        to = (file.parent / path) if path else file
        if not to.exists():
            found.append(f"{target}: there is no such file")
        elif not to.resolve().is_relative_to(ROOT):
            found.append(f"{target}: it leads out of the project")
        elif anchor and anchor not in {part.slug for part in Page(to.stem, to).sections()}:
            found.append(f"{target}: the page has no such heading")
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_every_link_of_a_page_leads_somewhere(file):
    assert problems(file) == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_a_heading_has_the_same_anchor_on_a_forge_and_on_the_site(file):
    # Forges keep accents and every hyphen, and the site does not. Only a heading that both name alike can be linked.
    for part in Page(file.stem, file).sections():
        forge = re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", part.title.lower()))
        assert slug_of(part.title) == forge, part.title


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("[a](other.md)", []),
        ("[`a`](other.md#two-words)", []),
        ("[a](#here)\n\n## Here\n", []),
        ("[a](https://example.com/#x) [b](mailto:a@example.com)", []),
        ("`[a](gone.md)`\n\n```\n[a](gone.md)\n```\n", []),
        ("[a](gone.md)", ["gone.md: there is no such file"]),
        ("[a](gone.md#x 'title')", ["gone.md#x: there is no such file"]),
        ("![a](gone.png)", ["gone.png: there is no such file"]),
        ("[a]\n\n[a]: gone.md\n", ["gone.md: there is no such file"]),
        ("[a](other.md#two)", ["other.md#two: the page has no such heading"]),
        ("[a](other.md#not-one)", ["other.md#not-one: the page has no such heading"]),
        ("[a](../..)", ["../..: it leads out of the project"]),
    ],
)
def test_a_broken_link_is_found(text, wrong, tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "other.md").write_text("# Two words\n\n```sh\n# not one\n```\n", encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    assert problems(page) == wrong
