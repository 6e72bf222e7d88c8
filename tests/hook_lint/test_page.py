"""The page about the linter is made from its checks."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pkgutil import iter_modules

import pytest

from interlock.errors import InterlockError
from interlock.hook_lint import checks
from interlock.hook_lint.check import check_of
from interlock.hook_lint.checks import CHECKS, GROUPS, exit_one
from tools.lint_page import PAGE, with_checks

CHECK_MODULES = [one.name for one in iter_modules(checks.__path__)]


def test_the_page_is_what_the_checks_say():
    """`python -m tools.lint_page` writes it."""
    text = PAGE.read_text(encoding="utf-8")
    assert with_checks(text) == text


def test_every_check_has_a_code_of_its_group_and_a_title_of_one_line():
    codes = [check.code for check in CHECKS]
    assert codes == sorted(set(codes))
    for check in CHECKS:
        assert check.code[:3] in GROUPS
        assert re.fullmatch(r"[A-Z`][^\n]{10,80}[^.]", check.title), check.title


def test_a_check_that_does_not_explain_itself_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(exit_one, "__doc__", "A title\n\n## What\nSomething.\n")
    with pytest.raises(InterlockError, match="What, Why, Example, Fix"):
        check_of(exit_one)


@pytest.mark.parametrize("module", CHECK_MODULES)
def test_every_check_explains_itself_in_the_same_order(module: str):
    """What, Why, Example, Fix, each with something in it, and the example as code."""
    text = import_module(f"{checks.__name__}.{module}").__doc__ or ""
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["What", "Why", "Example", "Fix"]
    parts = re.split(r"^## .+$", text, flags=re.MULTILINE)
    assert all(part.strip() for part in parts)
    assert "```" in parts[3]


def test_no_module_of_a_check_is_left_out():
    assert {check.name.replace("-", "_") for check in CHECKS} == set(CHECK_MODULES)


EXAMPLES = [
    (check.code, language, body)
    for check in CHECKS
    for section in ("Example", "Fix")
    for language, body in re.findall(r"```(\w+)\n(.*?)```", check.sections[section], re.DOTALL)
]


def test_examples_in_json_are_json():
    """A quote in a docstring that is not raw would lose its backslash."""
    examples = [(code, body) for code, language, body in EXAMPLES if language == "json"]
    assert len(examples) > 20
    for code, body in examples:
        assert isinstance(json.loads(body), dict), code


def test_no_backslash_is_shown_twice():
    for check in CHECKS:
        for section, text in check.sections.items():
            assert "\\\\" not in text, (check.code, section)
