"""docs/conformance.md: its examples run as they are shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "conformance.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_passes_every_check(example: str, capsys: pytest.CaptureFixture[str]):
    exec(compile(example, "docs/conformance.md", "exec"), {})
    said = r"[1-9]\d checks passed\n|every case gets the same verdict\n"
    assert re.fullmatch(said, capsys.readouterr().out)


def test_there_is_one_for_each_suite():
    assert len(EXAMPLES) == 3
