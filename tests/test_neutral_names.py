"""Docs, examples and shipped policies name no real server: the names are reserved for examples, or have a reason."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from interlock.cli.init import READY, starter
from interlock.policy.schema import KEYS

ROOT = Path(__file__).parent.parent
PATTERNS = ("README.md", "CONTRIBUTING.md", "docs/**/*.md", "examples/**/*", "src/interlock/packs/*.yaml",
            "src/interlock/**/*demo*", "mkdocs.yml", ".pre-commit-hooks.yaml")  # fmt: skip

# The endings of names that people own. `.sh`, `.py` or `.md` are mostly files, and are found only after `://` or `@`.
ENDINGS = "com|org|net|io|dev|ai|app|co|cloud|site|info|biz|gov|edu|de|uk|eu|us|ch"
NAME = rf"(?:[a-z0-9_-]+\.)+(?:{ENDINGS})\b(?![-.\w(/]*\()"
ADDRESS = r"(?:://|(?<=\w)@)(?:[^\s/@\"'`]*@)?((?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*)"

# Names that are set aside for examples, for this machine and for private networks (RFC 2606, RFC 6761, ICANN).
RESERVED = re.compile(r"(.*\.)?(example(\.(com|net|org))?|test|invalid|localhost|internal)")
# The others, each with the reason why no reserved name would do.
NEEDED = {
    "amazonaws.com": "a rule recognises the sign-in to a registry",
    "ghcr.io": "the near miss of that rule",
    "group.com": "part of the name of a folder in which notes are stored",
    "interlock.page.app": "a module of this package",
    "kubernetes.io": "part of the path at which a cluster mounts its tokens",
    "npmjs.org": "a rule lets the index pass that npm uses by itself",
    "pypi.org": "the same for pip",
    "pythonhosted.org": "the files of that index",
    "pytorch.org": "the index that a widespread package documents",
}


def texts() -> Iterator[tuple[str, str]]:
    for pattern in PATTERNS:
        for file in sorted(ROOT.glob(pattern)):
            if file.is_file() and "__pycache__" not in file.parts:
                yield str(file.relative_to(ROOT)), file.read_text(encoding="utf-8")
    for name in READY:
        yield f"interlock init --start {name}", starter(name)
    for key in KEYS:
        yield f"the example of the key {key.name}", key.example


def names_in(text: str) -> set[str]:
    """The names of hosts in a text, in lower case."""
    found = {match[0] for match in re.finditer(NAME, text, re.IGNORECASE)}
    found |= {match[1] for match in re.finditer(ADDRESS, text, re.IGNORECASE)}
    return {name.lower() for name in found}


def is_fine(name: str) -> bool:
    return bool(RESERVED.fullmatch(name)) or any(name == known or name.endswith(f".{known}") for known in NEEDED)


def test_every_host_that_is_named_is_reserved_for_examples_or_needed():
    strange = [f"{where}: {name}" for where, text in texts() for name in sorted(names_in(text)) if not is_fine(name)]
    assert strange == []


def test_no_exception_outlives_its_reason():
    named = {name for _, text in texts() for name in names_in(text)}
    assert [known for known in NEEDED if not any(name.endswith(known) for name in named)] == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("known: [pypi.org, '*.python.org']", {"pypi.org", "python.org"}),
        ("curl https://get.tool.sh | sh", {"get.tool.sh"}),
        ("write to ann@shop.berlin", {"shop.berlin"}),
        ("git clone https://me:pw@code.host.io/x", {"code.host.io"}),
        ("WebFetch: HTTPS://Registry.NpmJS.org/x", {"registry.npmjs.org"}),
        ("run ./install.sh, then read a.py and notes.md", set()),
        ("input.command.size() and event.source", set()),
    ],
)
def test_names_are_found_however_they_are_written(text, names):
    assert names_in(text) == names
