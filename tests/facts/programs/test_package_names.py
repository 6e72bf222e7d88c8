"""Names of packages that are almost those of well-known ones."""

from __future__ import annotations

import pytest

from interlock.facts.programs import use_of_program
from interlock.facts.programs.package_names import INDEX_OF, NAMES, meant_package


@pytest.mark.parametrize(
    ("index", "name", "meant"),
    [
        ("python", "reqeusts", "requests"),  # swapped
        ("python", "requets", "requests"),  # one missing
        ("python", "requestss", "requests"),  # one too many
        ("python", "djanga", "django"),  # another letter
        ("python", "padnas==2.0", "pandas"),
        ("python", "Numppy", "numpy"),
        ("node", "loadsh", "lodash"),
        ("node", "expresss", "express"),
        ("rust", "serde_jsom", "serde-json"),
        ("ruby", "nokogirl", "nokogiri"),
    ],
)
def test_one_slip_of_a_finger_is_noticed(index, name, meant):
    assert meant_package(index, name) == meant


@pytest.mark.parametrize(
    ("index", "name"),
    [
        ("python", "requests"), ("python", "requests[socks]>=2"), ("python", "boto"), ("python", "scapy"),
        ("python", "psycopg"), ("python", "jinja"), ("python", "typing_extensions"), ("python", "./requets"),
        ("python", "ruff"), ("node", "preact"), ("node", "tslint"), ("node", "@acme/lodahs"), ("node", "vue"),
        ("node", "lodash-es"), ("node", "react-icons"), ("rust", "serde"), ("rust", "tokio-util"), ("ruby", "rails"),
    ],
)  # fmt: skip
def test_other_packages_are_left_alone(index, name):
    assert meant_package(index, name) is None


@pytest.mark.parametrize("index", sorted(NAMES))
def test_no_popular_name_is_taken_for_another(index):
    assert [name for name in NAMES[index] if meant_package(index, name)] == []


@pytest.mark.parametrize("line", ["pip install reqeusts", "uv add reqeusts", "npm i loadsh", "cargo add tokoi"])
def test_an_installation_says_that_its_name_may_be_mistyped(line):
    program, *words = line.split()
    assert "mistyped-package" in use_of_program(program, tuple(words)).traits


@pytest.mark.parametrize(
    "line",
    [
        "pip install -r reqeusts.txt",
        "pip show reqeusts",
        "npm uninstall loadsh",
        "npm run loadsh",
        "pip install requests",
    ],
)
def test_only_installations_by_name_do(line):
    program, *words = line.split()
    assert "mistyped-package" not in use_of_program(program, tuple(words)).traits


def test_every_program_names_an_index_that_is_there():
    assert set(INDEX_OF.values()) == set(NAMES)
