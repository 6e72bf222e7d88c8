"""The matrix of hosts in the documentation is what their dialects say, and every host has its section."""

from __future__ import annotations

import re

import pytest

from interlock.hosts import Host
from tools import host_matrix


@pytest.mark.parametrize("name", host_matrix.PLACES)
def test_a_page_shows_the_matrix_as_it_is(name: str):
    text = (host_matrix.ROOT / name).read_text(encoding="utf-8")
    again = "run `python -m tools.host_matrix`"
    assert host_matrix.with_tables(text, host_matrix.PLACES[name]()) == text, again


def test_every_host_has_a_section_of_its_own():
    text = (host_matrix.ROOT / "docs/hosts.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## (.+)$", text, re.MULTILINE)
    titles = [host.title for host in host_matrix.listed_hosts() if host.setup is not None]
    assert [title for title in titles if title not in sections] == []


def test_a_cell_that_was_read_and_not_seen_is_marked_and_no_other():
    rows = {row.split("|")[1].strip(): row.split("|")[2:-1] for row in host_matrix.full().splitlines()[2:]}
    for host in host_matrix.listed_hosts():
        (cells,) = [cells for name, cells in rows.items() if name in (host.title, f"[{host.title}](#{anchor(host)})")]
        marked = [name for name, cell in zip(host_matrix.COLUMNS, cells, strict=True) if "†" in cell]
        assert sorted(marked) == sorted(host.from_documents)
        assert ("in part" in cells[-1]) == bool(marked)
    assert "†" not in host_matrix.in_brief()


def anchor(host: Host) -> str:
    return host.title.lower().replace(" ", "-")


def test_no_host_runs_a_call_that_could_not_be_judged():
    assert "**runs**" not in host_matrix.full()
