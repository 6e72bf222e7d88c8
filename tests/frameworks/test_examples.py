"""The agents in examples/frameworks: each prints the same, as its README shows it."""

from __future__ import annotations

import asyncio
import inspect
import re
import runpy
import sys
from pathlib import Path

import pytest

from tests.frameworks.test_frameworks import NEEDS

FOLDER = Path(__file__).parent.parent.parent / "examples" / "frameworks"
READS, ASKED, *RAN = re.findall(r"```\n(the .*?)```", (FOLDER / "README.md").read_text("utf-8"), re.DOTALL)[
    -1
].splitlines()


@pytest.mark.parametrize(
    ("answer", "ends"), [("yes", RAN), ("no", ["the model reads: the person did not approve this call"])]
)
@pytest.mark.parametrize("name", NEEDS)
def test_an_example_does_what_its_readme_says(name, answer, ends, monkeypatch, capsys):
    pytest.importorskip(NEEDS[name], reason=f"{name} is not installed")
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.delitem(sys.modules, "refunds", raising=False)
    main = runpy.run_path(str(FOLDER / f"{name}_agent.py"))["main"]
    asyncio.run(main(answer)) if inspect.iscoroutinefunction(main) else main(answer)
    assert capsys.readouterr().out.splitlines() == [READS, ASKED, *ends]
    monkeypatch.delitem(sys.modules, "refunds")
