"""What `check` says about descriptions of programs that Interlock knows."""

from __future__ import annotations

import pytest

from tests.lint.test_lint import findings

RULE = "{id: a, tool: Bash, command: rm, deny: X.}"


def said(programs: str) -> list[tuple[str, str, str]]:
    found = findings(RULE, top=f"programs: {programs}\n")
    return [(f"{one.source.line}:{one.source.column}", one.message, one.severity) for one in found]


@pytest.mark.parametrize(
    ("entry", "ineffective"),
    [
        ("{does: read-only}", "`read-only` has no effect"),
        ("{options: [n/dry-run!dry], does: changes}", "`n/dry-run!dry` has no effect"),
        ("{does: {read-only: [x], changes: [z]}}", "`read-only` has no effect"),
        ("{does: changes, when: [{first: x, looks: true}]}", "`looks: true` has no effect"),
        ("{does: changes, when: [{first: x, drops: network}]}", "`drops: network` has no effect"),
        ("{like: ls}", "`read-only` has no effect"),
        ("{does: read-only, options: [n!dry]}", "`read-only`, `n!dry` have no effect"),
    ],
)
def test_what_would_make_a_known_program_milder_is_pointed_out(entry: str, ineffective: str):
    about = "Interlock knows `rm` already, so a description can only add to what it does: "
    assert said(f"{{rm: {entry}}}") == [("2:12", about + ineffective, "warning")]


@pytest.mark.parametrize(
    "programs",
    [
        "{rm: {does: network}}",
        "{rm: {operands: delete*, does: changes}}",
        "{kubectl: {like: kubectl, does: {cluster/deletes: [obliterate]}}}",
        "{ourctl: {does: read-only, options: [n!dry]}}",
        "{ourctl: {like: kubectl}}",
    ],
)
def test_a_description_that_only_adds_or_is_of_another_program_is_left_alone(programs: str):
    assert said(programs) == []
