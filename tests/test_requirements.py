"""The requirements manifest, checked both ways."""

import re
from pathlib import Path

from tests.requirements import REQUIREMENTS

TESTS = Path(__file__).parent
CITATION = re.compile(r"\bS(\d)[-_](\d\d)(?!\d)(?:\.\.(?:S\d[-_])?(\d\d))?")


def cited_in(text: str) -> set[str]:
    found = set()
    for series, first, last in CITATION.findall(text):
        found |= {f"S{series}-{number:02d}" for number in range(int(first), int(last or first) + 1)}
    return found


def cited() -> set[str]:
    skipped = {"requirements.py", Path(__file__).name}
    files = [file for file in TESTS.rglob("test_*.py") if file.name not in skipped]
    return set().union(*(cited_in(file.read_text(encoding="utf-8")) for file in files))


def test_every_requirement_is_named_by_a_test():
    assert sorted(REQUIREMENTS.keys() - cited()) == []


def test_every_id_that_a_test_names_is_a_requirement():
    assert sorted(cited() - REQUIREMENTS.keys()) == []


def test_citations_are_read_singly_and_in_ranges():
    assert cited_in("S1-05..S1-07 and S3_09, S3-01..02") == {"S1-05", "S1-06", "S1-07", "S3-09", "S3-01", "S3-02"}
    assert cited_in("S1-5 XS1-05 S1-050") == set()
