"""Everything the page shows of one rule: its text, its cases, what it did, and how its questions were answered."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

from msgspec import Struct, json

from interlock.config.bundles import load_file
from interlock.errors import InterlockError
from interlock.facts.fields import main_field
from interlock.facts.shapes import shape_of_call
from interlock.page.context import PageContext
from interlock.page.digest import Digest
from interlock.page.editors import editor_link
from interlock.page.figures import Period, RuleFigures, numbers_of, numbers_of_rules, waited_for
from interlock.page.rulebook import Rulebook, RuleRow, source_lines
from interlock.testing.cases import CaseResult, run_case

__all__ = ["RuleAccount", "RuleHit", "account_of"]

JsonObject: TypeAlias = dict[str, Any]
_DAYS = 30
_LAST = 12  # hits that are listed
_SHAPES = 6
_MOST_SHAPED = 500  # hits that are grouped by what they have in common
_MOST_CASES = 200  # of one rule that are run to show the page


class RuleHit(Struct, frozen=True):
    """One entry of the record that the rule spoke about."""

    id: int
    at: float
    tool: str
    text: str
    decision: str
    outcome: str
    said: str


class CaseLine(Struct, frozen=True):
    """A case of the rule: what it is about, and whether the rule does with it what it must."""

    given: str
    catch: bool
    ok: bool
    message: str


class RuleAccount(Struct, frozen=True, kw_only=True):
    """One rule, whole."""

    rows: tuple[RuleRow, ...]  # the same rule may come from two policies
    lines: tuple[tuple[int, str], ...]
    numbers: RuleFigures
    before: RuleFigures
    calls: int
    calls_before: int
    waited: tuple[float, ...]
    hits: tuple[RuleHit, ...]
    shapes: tuple[tuple[str, int], ...]
    cases: tuple[CaseLine, ...]
    editor: str

    @property
    def row(self) -> RuleRow:
        return self.rows[0]

    @property
    def median_wait(self) -> float | None:
        return median(self.waited) if self.waited else None

    @property
    def per_100(self) -> float:
        return 100 * self.numbers.hits / self.calls if self.calls else 0.0

    @property
    def per_100_before(self) -> float:
        return 100 * self.before.hits / self.calls_before if self.calls_before else 0.0

    @property
    def passing(self) -> int:
        return sum(case.ok for case in self.cases)


def account_of(context: PageContext, book: Rulebook, rule: str, editor: str) -> RuleAccount | None:
    """The account of a rule in a project; None if the project has no rule of this name."""
    rows = book.named(rule)
    if not rows:
        return None
    period = Period(date.fromtimestamp(context.clock()), _DAYS)
    nothing = RuleFigures([0] * _DAYS)
    digest = context.digest
    numbers = numbers_of_rules(digest, book.project, period).get(rule, nothing)
    before = numbers_of_rules(digest, book.project, period.before).get(rule, nothing)
    hits = _hits(digest, rule, book.project, _MOST_SHAPED)
    shapes = Counter(shape_of_call(hit.tool, _input_of(hit)) for hit in hits if hit.at >= period.since).most_common(
        _SHAPES
    )
    row = rows[0]
    return RuleAccount(
        rows=tuple(rows),
        lines=tuple(source_lines(row, book.judges)),
        numbers=numbers,
        before=before,
        calls=numbers_of(digest, book.project, period, answers=False).calls,
        calls_before=numbers_of(digest, book.project, period.before, answers=False).calls,
        waited=tuple(waited_for(digest, rule, book.project, period)),
        hits=tuple(hits[:_LAST]),
        shapes=tuple(shapes),
        cases=tuple(_cases(row, book)),
        editor="" if row.built_in else editor_link(editor, row.file, row.line),
    )


def _input_of(hit: RuleHit) -> JsonObject:
    """The part of a call's input that a list keeps."""
    return {main_field(hit.tool) or "": hit.text}


def _hits(digest: Digest, rule: str, project: str, most: int) -> list[RuleHit]:
    """The newest entries of a project that a rule spoke about."""
    query = (
        "SELECT e.id, e.at, e.tool, e.text, e.decision, e.outcome, r.said FROM entry_rule r JOIN entry e ON e.id = r.id"
        " WHERE r.rule = ? AND e.project = ? ORDER BY r.id DESC LIMIT ?"
    )
    with digest.file.reading() as connection:
        return [RuleHit(*row) for row in connection.execute(query, (rule, project, most))]


def _cases(row: RuleRow, book: Rulebook) -> list[CaseLine]:
    """The cases of a rule, run now. Those of a pack are about the pack alone."""
    if row.built_in or not row.cases:
        return []
    try:
        policy = next((one for one in book.judges if one.file == row.file), None) or load_file(Path(row.file))
    except InterlockError:
        return []
    found = next(
        (rule for rule, _ in policy.rules if rule.source.line == row.line and rule.source.file == row.file), None
    )
    if found is None:
        return []
    return [_case_line(run_case(policy, found, case), case.given, case.catch) for case in found.cases[:_MOST_CASES]]


def _case_line(result: CaseResult, given: Any, catch: bool) -> CaseLine:
    return CaseLine(_text_of_case(given), catch, result.ok, result.message)


def _text_of_case(given: Any) -> str:
    return given if isinstance(given, str) else json.encode(given).decode()
