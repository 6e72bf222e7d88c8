"""`interlock docs`: the pages, their sections and what their tables explain, also from an installed wheel."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interlock.cli import main, manual
from interlock.cli.manual import Manual
from interlock.errors import InterlockError
from interlock.policy.schema import KEYS

ROOT = Path(__file__).parents[2]
SOURCES = sorted(file for file in (ROOT / "src").rglob("*") if file.suffix in (".py", ".yaml"))
PAGE = """# Birds

Birds fly. Some [swim](fish.md).

<!-- a note
for tools -->
## `fly` and glide

| word | means |
|---|---|
| `flap(wing)`, `flap` | moves \\| a wing |
| [soar](#x) | |

```sh
# not a heading
```

### High

Above.

## High

Again.
"""


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["docs", *words])


@pytest.fixture
def birds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A manual of its own, so that whole outputs can be asserted."""
    (tmp_path / "birds.md").write_text(PAGE, encoding="utf-8")
    (tmp_path / "policy.md").write_text("# Policies\n\n```sh\nls\n```\n", encoding="utf-8")
    (tmp_path / "decisions").mkdir()
    (tmp_path / "decisions" / "0001-nests.md").write_text("# 1. Nests\n", encoding="utf-8")
    monkeypatch.setattr(manual, "_folder", lambda: tmp_path)
    return tmp_path


def test_the_pages_are_listed_with_their_first_sentence(birds: Path):
    assert run().output == (
        "policy  Policies\n"
        "birds   Birds fly.\n\n"
        "Read one with `interlock docs NAME`; look up a word with `interlock docs WORD`.\n"
    )
    assert json.loads(run("--json").output) == [
        {"name": "policy", "about": "Policies", "path": str(birds / "policy.md")},
        {"name": "birds", "about": "Birds fly.", "path": str(birds / "birds.md")},
    ]
    assert run("--path").output == f"{birds}\n"


@pytest.mark.parametrize("name", ["birds", "birds.md", "docs/birds.md"])
def test_a_page_is_printed_without_its_comments(birds: Path, name: str):
    assert run(name).output == re.sub(r"<!--.*?-->\n", "", PAGE, flags=re.DOTALL)
    assert run(name, "--path").output == f"{birds}/birds.md\n"


def test_a_decision_is_not_listed_and_can_be_read(birds: Path):
    assert run("decisions/0001-nests").output == "# 1. Nests\n"


@pytest.mark.parametrize("name", ["birds#fly-and-glide", "glide", "fly", "birds#glide", "`fly`", "Glide"])
def test_a_section_is_found_by_its_heading_or_a_word_of_it(birds: Path, name: str):
    start, end = PAGE.index("## `fly`"), PAGE.index("\n## High")
    assert run(name).output == PAGE[start:end]


def test_a_row_of_a_table_is_found_by_its_first_cell(birds: Path):
    row = "`flap(wing)`, `flap`   (birds#fly-and-glide)\n  means  moves | a wing\n"
    assert run("flap").output == row
    assert run("birds#flap").output == row
    assert run("fly-and-glide/flap").output == row
    assert run("soar").output == "soar   (birds#fly-and-glide)\n"
    assert json.loads(run("flap", "--json").output)["rows"][0]["cells"] == [["means", "moves | a wing"]]
    assert run("flap", "--path").output == f"{birds}/birds.md\n"


def test_several_sections_are_named(birds: Path):
    assert run("high").output == "### High\n\nAbove.\n"
    (birds / "hills.md").write_text("# Hills\n\n## High\n", encoding="utf-8")
    assert run("high").output == "interlock docs birds#high  High\ninterlock docs hills#high  High\n"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("brids", "error: no page explains `brids`\nhelp: did you mean `birds`? `interlock docs` lists the pages\n"),
        ("zzzzzzzz", "error: no page explains `zzzzzzzz`\nhelp: `interlock docs` lists the pages\n"),
        ("#", "error: there is no page called ``\nhelp: `interlock docs` lists the pages\n"),
        ("brids#fly",
         "error: there is no page called `brids`\nhelp: did you mean `birds`? `interlock docs` lists the pages\n"),
        ("birds#hihg", "error: `birds` has no `hihg`\nhelp: did you mean `high`? `interlock docs` lists the pages\n"),
    ],
)  # fmt: skip
def test_a_name_that_leads_nowhere_gets_a_suggestion(birds: Path, name: str, message: str):
    result = run(name)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", message)


def test_an_installation_without_pages_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(manual, "PACKAGE", tmp_path / "a" / "interlock")
    result = run()
    assert (result.exit_code, result.stderr) == (
        1,
        "error: this installation has no documentation\nhelp: install Interlock again from its wheel\n",
    )


# --- the pages that are shipped ----------------------------------------------------------------------------


@pytest.mark.parametrize("key", [key.name for key in KEYS])
def test_every_key_of_the_language_can_be_looked_up(key: str):
    rows, _ = Manual().look_up(key)
    assert "policy#keys" in [row.section for row in rows]


@pytest.mark.parametrize("page", [page for page in Manual().pages if "/" not in page.name], ids=lambda page: page.name)
def test_every_page_starts_with_a_sentence_that_describes_it(page):
    assert 15 <= len(page.about) <= 140, page.about


def docs_commands() -> list[tuple[str, str]]:
    """Every `interlock docs NAME` that the code tells somebody to run, with its file."""
    found = []
    for file in SOURCES:
        for name in re.findall(r"`interlock docs ([^`]+)`", file.read_text(encoding="utf-8")):
            found.append((str(file.relative_to(ROOT)), name))
    return [(file, name) for file, name in found if name not in ("NAME", "WORD")]


def test_messages_name_some_pages():
    assert len(docs_commands()) >= 2


@pytest.mark.parametrize(("file", "name"), docs_commands(), ids=[name for _, name in docs_commands()])
def test_a_page_that_a_message_names_exists(file: str, name: str):
    try:
        assert Manual().page(name) or Manual().look_up(name)
    except InterlockError as error:
        pytest.fail(f"{file}: {error.in_one_line()}")


def test_no_message_names_a_file_that_an_installed_user_lacks():
    # Comments and docstrings are for people with a checkout; everything else may be printed.
    named = []
    for file in SOURCES:
        for line in file.read_text(encoding="utf-8").splitlines():
            if re.search(r"(docs|examples)/[\w-]+(/[\w-]+)*\.(md|yaml|py)", line.partition("# ")[0]):
                named.append(f"{file.relative_to(ROOT)}: {line.strip()}")
    assert named == []


# --- an installed wheel ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel of this checkout. What it depends on is borrowed from ours."""
    folder = tmp_path_factory.mktemp("wheel")
    build: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--wheel-dir",
        folder,
        ROOT,
    ]
    built = subprocess.run(build, capture_output=True, text=True)
    if built.returncode:
        if "hatchling" in built.stderr or "No matching distribution" in built.stderr:
            pytest.skip("a wheel cannot be built here: the package index has no hatchling, or there is none")
        pytest.fail(built.stderr)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    (site,) = (folder / "venv" / "lib").glob("python*/site-packages")
    (wheel,) = folder.glob("*.whl")
    install: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        site,
        wheel,
    ]
    subprocess.run(install, check=True, capture_output=True)
    ours = next(path for path in sys.path if path.endswith("site-packages"))
    (site / "ours.pth").write_text(f"{ours}\n", encoding="utf-8")
    return folder / "venv" / "bin" / "python"


def ran(python: Path, *words: str) -> str:
    command: list[str | Path] = [
        python,
        "-I",
        "-c",
        "from interlock.cli import main; main(prog_name='interlock')",
        "docs",
        *words,
    ]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=python.parent).stdout


def test_an_installed_user_has_every_page_and_what_it_links_to(installed: Path):
    folder = Path(ran(installed, "--path").strip())
    assert folder.is_relative_to(installed.parents[1])
    assert ran(installed, "guide") == run("guide").output
    assert ran(installed, "on_error") == run("on_error").output
    assert ran(installed).split() == run().output.split()  # the width of the terminal may differ
    missing = []
    for page in folder.glob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)", page.read_text(encoding="utf-8")):
            if not (page.parent / target).exists():
                missing.append(f"{page.name} → {target}")
    assert missing == []
