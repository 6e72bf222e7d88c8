"""tools/site.py: every page of the site, links as they are there, and a build that refuses broken ones."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

from tools import site

PAGES = dict(site.pages())
ROOT = Path(__file__).parents[2]
needs_zensical = pytest.mark.skipif(find_spec("zensical") is None, reason="zensical is not installed: run `make docs`")


def test_every_document_and_example_is_a_page():
    documents = {file.relative_to(ROOT / "docs").as_posix() for file in (ROOT / "docs").rglob("*.md")}
    policies = {file for file in (ROOT / "examples" / "policies").iterdir() if file.is_file()}
    examples = {f"examples/policies/{file.name}.md" for file in policies if not file.name.endswith(".test.yaml")}
    assert documents | examples | {"index.md", "contributing.md", "changelog.md", "examples/index.md"} <= set(PAGES)


def test_every_page_is_in_the_navigation_once():
    def flat(part: object) -> list[str]:
        if isinstance(part, str):
            return [part]
        inner = part.values() if isinstance(part, dict) else part
        assert not isinstance(part, dict) or all(part.values()), f"an empty section: {part}"
        return [page for one in inner for page in flat(one)]  # type: ignore[attr-defined]

    assert sorted(flat(site.navigation())) == sorted(PAGES)


@pytest.mark.parametrize("name", sorted(PAGES))
def test_every_link_leads_to_a_page(name: str):
    text = re.sub(r"^```.*?^```$", "", PAGES[name], flags=re.MULTILINE | re.DOTALL)
    targets = re.findall(r"\]\(([^)\s:#]+)", re.sub(r"`[^`\n]*`", "", text))
    there = {*PAGES, *(f"pictures/{picture.name}" for picture in site.PICTURES.iterdir())}
    assert [target for target in targets if normpath(join(dirname(name), target)) not in there] == []


@pytest.mark.parametrize(
    ("source", "page", "before", "after"),
    [
        ("docs/cookbook.md", "cookbook.md", "[a](../examples/policies/05-stamped-files.yaml)",
         "[a](examples/policies/05-stamped-files.yaml.md)"),
        ("docs/cookbook.md", "cookbook.md", "[a](../examples/policies)", "[a](examples/index.md)"),
        ("docs/cookbook.md", "cookbook.md", "[`a`](policy.md#path)", "[`a`](policy.md#path)"),
        ("docs/hooks.md", "hooks.md", "[a](../CONTRIBUTING.md)", "[a](contributing.md)"),
        ("README.md", "index.md", "[a](docs/policy.md#path)", "[a](policy.md#path)"),
        ("README.md", "index.md", "[a](CHANGELOG.md)", "[a](changelog.md)"),
        ("README.md", "index.md", "`[a](docs/policy.md)`", "`[a](docs/policy.md)`"),
        ("README.md", "index.md", "[a](https://example.com/docs)", "[a](https://example.com/docs)"),
        ("README.md", "index.md", "```\n[a](docs/policy.md)\n```", "```\n[a](docs/policy.md)\n```"),
        ("docs/decisions/0001-x.md", "decisions/0001-x.md", "[a](../policy.md) [b](#c)", "[a](../policy.md) [b](#c)"),
    ],
)  # fmt: skip
def test_links_are_rewritten_for_the_site(source: str, page: str, before: str, after: str):
    assert site.rewrite_links(before, source, page) == after


@needs_zensical
def test_the_site_is_built_and_asks_nothing_of_other_machines(tmp_path: Path):
    assert site.build(tmp_path / "site") == ""
    assert (tmp_path / "site" / "search.json").is_file()
    pages = [file.read_text(encoding="utf-8") for file in (tmp_path / "site").rglob("*.html")]
    assert len(pages) >= len(PAGES)
    fetched = [
        url for text in pages for url in re.findall(r"<(?:script|link|img)[^>]+(?:src|href)=\"?(https?:[^\" >]+)", text)
    ]
    assert fetched == []


@needs_zensical
@pytest.mark.parametrize(
    ("link", "problem"), [("gone.md", "page does not exist"), ("policy.md#gone", "anchor does not exist")]
)
def test_a_broken_link_fails_the_build(link: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pages = {**PAGES, "guide.md": f"# Guide\n\nSee [this]({link}).\n"}
    monkeypatch.setattr(site, "pages", lambda: iter(pages.items()))
    said = re.sub(r"\x1b\[[0-9;]*m", "", site.build(tmp_path / "site"))
    assert problem in said
    assert "Traceback" not in said
    assert not (tmp_path / "site").exists()
