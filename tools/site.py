"""Build the site of the documentation: `python -m tools.site`, or `make docs`.

The pages are written for a checkout, where `docs/` is one folder of many; on the site it is the root. So all pages are
first written to a folder of plain Markdown, with the README as the front page and every example as a page. Whatever
builds a site from that folder needs to know nothing about this project.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from typing import Any

from msgspec import json

from interlock.cli.manual import Manual, Page

__all__ = ["build", "navigation", "pages", "rewrite_links", "write_pages"]

ROOT = Path(__file__).parent.parent
SETTINGS = ROOT / "mkdocs.yml"
# Policies are written in lines of up to 120 characters, and are easier to read unbroken.
STYLE = ".md-grid { max-width: 82rem; }\n"
SECTIONS = {
    "Start": ("install", "first-five-minutes", "guide", "cookbook", "import"),
    "Look up": ("policy", "packs", "hosts", "protocol", "security"),
    "Every day": ("log", "replay", "ci"),
    "Your own agents": ("hooks", "gate", "agent-sdk", "frameworks", "mcp"),
}
PICTURES = ROOT / "docs" / "pictures"
OF_THE_ROOT = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
LANGUAGES = {".yaml": "yaml", ".py": "python", ".sh": "sh"}
LINK = re.compile(r"(\]\()([^)\s:#]+)(#[^)]*)?(\))")
CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)


def pages() -> Iterator[tuple[str, str]]:
    """Every page of the site: its path, and its text."""
    for source, page in OF_THE_ROOT.items():
        yield page, rewrite_links((ROOT / source).read_text(encoding="utf-8"), source, page)
    for one in _manual():
        text = one.file.read_text(encoding="utf-8")
        yield f"{one.name}.md", rewrite_links(text, f"docs/{one.name}.md", f"{one.name}.md")
    for file in _examples():
        page = _page_of(file)
        if file.suffix == ".md":
            text = file.read_text(encoding="utf-8")
            yield page, rewrite_links(text, file.relative_to(ROOT).as_posix(), page)
            continue
        scenarios = file.with_suffix(".test.yaml")
        yield (
            page,
            f"# {file.name}\n\n{_block(file)}"
            + (f"\n## Scenarios\n\n{_block(scenarios)}" if scenarios.is_file() else ""),
        )
    policies = [file for file in _examples() if file.parent.name == "policies"]
    listed = "".join(f"- [{file.name}](policies/{file.name}.md): {_first_comment(file)}\n" for file in policies)
    yield (
        "examples/index.md",
        f"# Examples\n\nEach file is a complete policy, or something that a policy uses.\n\n{listed}",
    )


def navigation() -> list[Any]:
    """Every page in its place: none is forgotten, and none has to be listed by hand."""
    names = [page.name for page in _manual()]
    placed = {name for some in SECTIONS.values() for name in some}
    nav: list[Any] = ["index.md"]
    sections = {title: [f"{name}.md" for name in some if name in names] for title, some in SECTIONS.items()}
    nav += [{title: some} for title, some in sections.items() if some]
    rest = [f"{name}.md" for name in names if "/" not in name and name not in placed]
    decisions = [f"{name}.md" for name in names if name.startswith("decisions/")]
    nav.append({"Interlock itself": [*rest, "contributing.md", "changelog.md", {"Decisions": decisions}]})
    policies = [_page_of(file) for file in _examples() if file.parent.name == "policies"]
    others = [_page_of(file) for file in _examples() if file.parent.name != "policies"]
    nav.append({"Examples": ["examples/index.md", {"Policies": policies}, {"Programs": others}]})
    return nav


def rewrite_links(markdown: str, source: str, page: str) -> str:
    """The text of a file of the checkout, with links as they are from its page on the site."""

    def lead(link: re.Match[str]) -> str:
        target = _place_on_site(normpath(join(dirname(source), link[2])))
        return f"{link[1]}{relpath(f'/{target}', f'/{dirname(page)}')}{link[3] or ''}{link[4]}"

    parts = CODE.split(markdown)
    # A link may have code for its text, so what is code on its own is put back before links are looked for.
    held = [part for place, part in enumerate(parts) if place % 2]
    text = "".join(f"\0{place // 2}\0" if place % 2 else part for place, part in enumerate(parts))
    return re.sub(r"\0(\d+)\0", lambda found: held[int(found[1])], LINK.sub(lead, text))


def write_pages(folder: Path) -> Path:
    """Write the pages and the settings of the site to a folder. Returns the file with the settings."""
    for name, text in pages():
        file = folder / "docs" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    shutil.copytree(PICTURES, folder / "docs" / PICTURES.name)
    (folder / "docs" / "site.css").write_text(STYLE, encoding="utf-8")
    settings = folder / "mkdocs.yml"
    nav = json.encode(navigation()).decode()  # JSON is YAML
    settings.write_text(f"INHERIT: {SETTINGS}\ndocs_dir: docs\nsite_dir: site\nnav: {nav}\n", encoding="utf-8")
    return settings


def build(site: Path) -> str:
    """Build the site into a folder. Returns what is wrong with the pages; nothing is built then."""
    with tempfile.TemporaryDirectory(prefix="interlock-site-") as folder:
        settings = write_pages(Path(folder))
        command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", str(settings)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return (
                done.stderr.partition("Traceback")[0] or done.stderr
            )  # its own traceback says nothing about the pages
        shutil.rmtree(site, ignore_errors=True)
        shutil.move(Path(folder) / "site", site)
    return ""


def main() -> int:
    problems = build(ROOT / "site")
    print(problems or f"built {ROOT / 'site' / 'index.html'}", file=sys.stderr if problems else sys.stdout)
    return 1 if problems else 0


def _block(file: Path) -> str:
    return f"```{LANGUAGES[file.suffix]}\n{file.read_text(encoding='utf-8').rstrip()}\n```\n"


def _first_comment(file: Path) -> str:
    """What a file says at its top about itself."""
    found = re.match(r'(?:#!.*\n)?((?:# .*\n)+)|"""(.+?)[\n"]', file.read_text(encoding="utf-8"))
    return " ".join((found[1] or found[2]).replace("# ", "").split()) if found else ""


def _place_on_site(path: str) -> str:
    """Where a path of the checkout is on the site."""
    if path in OF_THE_ROOT:
        return OF_THE_ROOT[path]
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return "examples/index.md" if (ROOT / path).is_dir() else _page_of(ROOT / path)


def _manual() -> list[Page]:
    return Manual(ROOT / "docs").pages


def _page_of(file: Path) -> str:
    name = file.relative_to(ROOT).as_posix()
    return name if file.suffix == ".md" else f"{name}.md"


def _examples() -> Iterator[Path]:
    for file in sorted((ROOT / "examples").rglob("*")):
        if (
            file.suffix in (*LANGUAGES, ".md")
            and not file.name.endswith(".test.yaml")
            and "__pycache__" not in file.parts
        ):
            yield file


if __name__ == "__main__":
    sys.exit(main())
