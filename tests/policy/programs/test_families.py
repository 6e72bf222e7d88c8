"""Families of shipped descriptions: a new one is one file, and nothing is lost on the way to the compiled module."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import json

import interlock
from interlock.facts.programs.lexicon import ProgramEntry
from interlock.policy.positions import LocatedErrors
from interlock.policy.programs.cases import case_errors
from interlock.policy.programs.coverage import forms_without_cases
from interlock.policy.programs.families import module_of, read_families, reading

FILES = {file.name: file.read_bytes() for file in (Path(interlock.__file__).parent / "programs").glob("*.yaml")}
BREWERY = b"""\
# Programs of a brewery.

brewctl:
  about: Controls the kettles.
  options: [k/kettle=, dry-run!dry]
  does: {read-only: [status, log], changes: [heat, cool], device: [drain]}
  cases:
    brewctl status: read-only
    brewctl -k 3 heat 67: changes
    brewctl drain --kettle 3: device
    brewctl drain --dry-run: read-only

malt:
  like: brewctl
  does: {database/drops: [forget]}
  cases: {malt forget all: database/drops, malt status: read-only}
"""


def run(module: str) -> dict[str, bytes]:
    names: dict[str, bytes] = {}
    exec(module, names)
    return names


def test_a_new_family_is_one_file():
    found = read_families({**FILES, "breweries.yaml": BREWERY})
    ours = [one for one in found if one.family == "breweries"]
    assert [one.names for one in ours] == [("brewctl",), ("malt",)]
    use_of = reading(found)
    assert [error for one in ours for case in one.cases for error in case_errors(case, use_of)] == []
    assert use_of("malt", ("forget", "x")).traits == {"database/drops"}
    assert b"\nbrewctl " in run(module_of(found))["INDEX"]


def test_every_name_of_the_index_leads_to_its_line():
    module = run(module_of(read_families({"breweries.yaml": BREWERY})))
    index = dict(line.split(b" ") for line in module["INDEX"].split(b"\n") if line)
    for name, start in index.items():
        line = module["ENTRIES"][int(start) :].partition(b"\n")[0]
        entry = json.decode(line, type=ProgramEntry)
        assert name.decode() in entry.names.split()
        assert (entry.family, entry.cases) == ("breweries", {"brewctl": 4, "malt": 2}[name.decode()])


def test_a_program_in_two_families_is_an_error():
    with pytest.raises(LocatedErrors) as caught:
        read_families({"a.yaml": b"x: {does: changes}\n", "b.yaml": b"y x: {does: changes}\n"})
    (error,) = caught.value.errors
    assert error.message == "`x` is described in a.yaml:1:1 too"


def test_a_likeness_may_stand_in_another_family():
    found = read_families({"a.yaml": b"x: {like: z}\n", "b.yaml": b"z: {does: {changes: [w]}}\n"})
    assert found[0].program == found[1].program


def test_a_form_that_acts_and_that_no_case_tries_is_found():
    text = b"""\
x:
  does: {read-only: [get], changes: [set, put], network: [ping], device: ["*"]}
  forms: {mv: {operands: move write}}
  cases: {x set a: changes, x other: device}
"""
    found = read_families({"a.yaml": text})
    assert [form for _, form in forms_without_cases(found, reading(found))] == ["mv"]


def test_what_is_taken_over_is_tried_where_it_comes_from():
    text = b"""\
x: {does: {changes: [set], network: [ping]}, cases: {x set a: changes}}
w: {like: x, does: {device: [eject]}, cases: {w ping: network}}
"""
    found = read_families({"a.yaml": text})
    assert [(one.names, form) for one, form in forms_without_cases(found, reading(found))] == [(("w",), "eject")]
