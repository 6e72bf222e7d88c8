"""Loading hooks from a file: all of them, in order, or an error that says where."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from interlock.errors import InterlockError
from interlock.hooks.load import load_hooks
from interlock.hooks.registry import collecting
from tests.hooks.events import written


@pytest.fixture(autouse=True)
def modules_as_they_were() -> Iterator[None]:
    """What a hooks file imports stays out of the other tests."""
    before, path = set(sys.modules), list(sys.path)
    yield
    for name in set(sys.modules) - before:
        del sys.modules[name]
    sys.path[:] = path


def names(*files: Path) -> list[str]:
    return [hook.name for hook in load_hooks(files)]


def refusal(*files: Path) -> str:
    with pytest.raises(InterlockError) as caught:
        load_hooks(files)
    return caught.value.render().replace(f"{files[0].parent}/", "")


HOOK = 'from interlock import hook, deny\n\n@hook("PreToolUse")\ndef {}(call): return None\n'

# --- what is found -----------------------------------------------------------------------------------------


def test_hooks_come_in_the_order_they_are_written(tmp_path: Path):
    file = written(
        tmp_path,
        """
        from interlock import hook

        @hook("PreToolUse")
        def zebra(call): return None

        def no_hook(call): return None

        @hook("Stop")
        def apple(): return None

        @hook("PreToolUse", name="mango")
        def _(call): return None
        """,
    )
    assert names(file) == ["zebra", "apple", "mango"]


def test_files_come_in_the_order_they_are_given(tmp_path: Path):
    first = written(tmp_path, HOOK.format("one"), "b.py")
    second = written(tmp_path, HOOK.format("two"), "a.py")
    assert names(first, second) == ["one", "two"]
    assert names(second, first) == ["two", "one"]


def test_a_hook_knows_the_file_and_line_it_stands_on(tmp_path: Path):
    file = written(tmp_path, HOOK.format("one"))
    assert [str(hook.source) for hook in load_hooks([file])] == [f"{file}:3"]


def test_hooks_imported_from_a_neighbour_count(tmp_path: Path):
    written(tmp_path, HOOK.format("shared"), "neighbour_a.py")
    file = written(tmp_path, "import neighbour_a\n" + HOOK.format("own"))
    assert names(file) == ["shared", "own"]


def test_hooks_of_a_neighbour_that_two_files_import_count_once(tmp_path: Path):
    written(tmp_path, HOOK.format("shared"), "neighbour_b.py")
    first = written(tmp_path, "from neighbour_b import shared\n" + HOOK.format("one"), "first.py")
    second = written(tmp_path, "from neighbour_b import shared\n" + HOOK.format("two"), "second.py")
    assert names(first, second) == ["shared", "one", "two"]


def test_a_file_that_only_imports_hooks_has_hooks(tmp_path: Path):
    written(tmp_path, HOOK.format("shared"), "neighbour_c.py")
    file = written(tmp_path, "from neighbour_c import shared as mine\n")
    assert names(file) == ["shared"]
    again = written(tmp_path, "from neighbour_c import shared as mine\n", "again.py")
    assert names(again) == ["shared"]


def test_a_dataclass_in_a_hooks_file_works(tmp_path: Path):
    file = written(
        tmp_path,
        "from dataclasses import dataclass\n@dataclass\nclass Limit:\n    amount: int = 100\n" + HOOK.format("one"),
    )
    assert names(file) == ["one"]


def test_annotations_in_a_hooks_file_are_what_they_are_in_any_module(tmp_path: Path):
    check = "class Limit:\n    amount: int = 100\nassert Limit.__annotations__ == {'amount': int}\n"
    assert names(written(tmp_path, check + HOOK.format("one"))) == ["one"]


def test_a_hooks_file_is_not_run_as_a_script(tmp_path: Path):
    file = written(tmp_path, HOOK.format("one") + "if __name__ == '__main__': raise SystemExit(1)\n")
    assert names(file) == ["one"]


# --- two of one name ---------------------------------------------------------------------------------------


def test_two_hooks_of_one_name_are_refused(tmp_path: Path):
    file = written(tmp_path, HOOK.format("guard") + HOOK.format("guard"))
    assert refusal(file) == (
        "error: two hooks are named `guard`; the other is at guards.py:3\n"
        " --> guards.py:7\n"
        "help: rename one, or give it a name: @hook(..., name='other')"
    )


def test_two_hooks_of_one_name_are_refused_across_files(tmp_path: Path):
    first = written(tmp_path, HOOK.format("guard"), "first.py")
    second = written(tmp_path, "\n" + HOOK.format("guard"), "second.py")
    assert refusal(first, second) == (
        "error: two hooks are named `guard`; the other is at first.py:3\n"
        " --> second.py:4\n"
        "help: rename one, or give it a name: @hook(..., name='other')"
    )


def test_a_name_of_its_own_settles_it(tmp_path: Path):
    other = HOOK.format("guard").replace('"PreToolUse"', '"PreToolUse", name="other"')
    assert names(written(tmp_path, HOOK.format("guard") + other)) == ["guard", "other"]


# --- what cannot be loaded ---------------------------------------------------------------------------------


def test_a_missing_file_is_named(tmp_path: Path):
    assert refusal(tmp_path / "gone.py") == "error: cannot read the hooks file `gone.py`: No such file or directory"


def test_a_folder_is_no_hooks_file(tmp_path: Path):
    (tmp_path / "guards").mkdir()
    assert refusal(tmp_path / "guards") == "error: cannot read the hooks file `guards`: Is a directory"


def test_a_syntax_error_is_shown_with_its_line_and_a_caret(tmp_path: Path):
    file = written(tmp_path, "x = 1\ndef guard(call)\n    pass\n")
    assert refusal(file) == (
        "error: syntax error: expected ':'\n --> guards.py:2:16\n  |\n2 | def guard(call)\n  |                ^"
    )


def test_bytes_that_are_no_text_are_a_syntax_error(tmp_path: Path):
    file = tmp_path / "guards.py"
    file.write_bytes(b"x = '\xff'\n")
    assert refusal(file).startswith("error: syntax error: ")


def test_a_nul_byte_is_refused(tmp_path: Path):
    file = tmp_path / "guards.py"
    file.write_bytes(b"x = 1\0\n")
    assert "guards.py" in refusal(file)
    assert "null bytes" in refusal(file)


def test_a_file_without_hooks_is_refused(tmp_path: Path):
    file = written(tmp_path, "def guard(call): return None\n")
    assert refusal(file) == ('error: `guards.py` registers no hook\nhelp: decorate a function with @hook("PreToolUse")')


def test_an_exception_while_loading_names_the_line_of_the_file(tmp_path: Path):
    file = written(tmp_path, "import json\n\nLIMITS = json.loads('{')\n")
    assert refusal(file) == (
        "error: loading failed: JSONDecodeError: Expecting property name enclosed in double quotes: "
        "line 1 column 2 (char 1)\n --> guards.py:3"
    )


def test_an_exit_while_loading_is_an_error(tmp_path: Path):
    file = written(tmp_path, HOOK.format("one") + "import sys\nsys.exit(3)\n")
    assert refusal(file) == "error: loading failed: SystemExit: 3\n --> guards.py:6"


def test_a_missing_import_is_an_error_with_its_line(tmp_path: Path):
    file = written(tmp_path, "\nimport no_such_neighbour\n")
    assert refusal(file) == (
        "error: loading failed: ModuleNotFoundError: No module named 'no_such_neighbour'\n --> guards.py:2"
    )


def test_an_error_in_one_file_refuses_them_all(tmp_path: Path):
    good = written(tmp_path, HOOK.format("one"), "good.py")
    bad = written(tmp_path, "1 / 0\n", "bad.py")
    assert refusal(good, bad) == "error: loading failed: ZeroDivisionError: division by zero\n --> bad.py:1"


def test_a_failing_file_leaves_nothing_registered_behind(tmp_path: Path):
    bad = written(tmp_path, HOOK.format("lost") + "1 / 0\n", "bad.py")
    assert refusal(bad).startswith("error: loading failed")
    assert names(written(tmp_path, HOOK.format("one"))) == ["one"]


def test_a_file_that_edits_the_import_path_is_loaded(tmp_path: Path):
    assert names(written(tmp_path, HOOK.format("one") + "import sys\nsys.path.clear()\n")) == ["one"]


def test_a_hook_registered_after_loading_is_not_the_files(tmp_path: Path):
    hooks = load_hooks([written(tmp_path, HOOK.format("one"))])
    assert collecting.get() is None
    assert [hook.name for hook in hooks] == ["one"]
