"""A package from before modules were moved is imported by the names that they have now."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bench import older_names
from bench.checkouts import ROOT

ASK = """
import sys
sys.path[:0] = [{package!r}, {root!r}]
from bench import older_names
older_names.OLDER = {{"judging/guard": ("gone", "guard"), "errors": ("source",)}}
older_names.install()
{code}
"""


def _imported(folder: Path, code: str) -> str:
    package = folder / "interlock"
    package.mkdir()
    for name in ("__init__", "guard", "source"):
        (package / f"{name}.py").write_text(f"NAME = {name!r}\n", encoding="utf-8")
    text = ASK.format(package=str(folder), root=str(ROOT), code=code)
    ran = subprocess.run([sys.executable, "-S", "-c", text], capture_output=True, text=True, check=False)
    return ran.stdout or ran.stderr.strip().splitlines()[-1]


def test_a_module_is_found_under_its_older_name(tmp_path):
    code = "from interlock.judging.guard import NAME as a\nfrom interlock.errors import NAME as b\nprint(a, b, end='')"
    assert _imported(tmp_path, code) == "guard source"


def test_it_is_the_same_module_by_either_name(tmp_path):
    code = "import interlock.guard, interlock.judging.guard\nprint(interlock.guard is interlock.judging.guard, end='')"
    assert _imported(tmp_path, code) == "True"


def test_what_is_nowhere_stays_missing(tmp_path):
    assert _imported(tmp_path, "import interlock.other") == "ModuleNotFoundError: No module named 'interlock.other'"


def test_no_name_has_itself_as_its_older_one():
    assert not [name for name, older in older_names.OLDER.items() if name in older]
