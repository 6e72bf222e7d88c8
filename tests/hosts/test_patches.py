"""A patch is several edits, each of which policies know; what cannot be read as a patch is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.errors import InterlockError
from interlock.hosts.base.patches import join_patch, patch_for, split_patch

PATCH = """\
*** Begin Patch
*** Add File: docs/new.md
+# New
+
*** Update File: src/app.py
@@ def main():
 name = "same"
-name = "old"
+name = "new"
*** End of File
*** Update File: src/before.py
*** Move to: src/after.py
@@
-x = 1
+x = 2
*** Delete File: it's.txt
*** End Patch
"""


def test_every_file_of_a_patch_is_an_edit_of_its_own():
    assert split_patch(PATCH) == [
        ("Write", {"file_path": "docs/new.md", "content": "# New\n\n"}),
        (
            "Edit",
            {
                "file_path": "src/app.py",
                "old_string": 'name = "same"\nname = "old"',
                "new_string": 'name = "same"\nname = "new"',
            },
        ),
        ("Edit", {"file_path": "src/after.py", "old_string": "x = 1", "new_string": "x = 2"}),
        ("Edit", {"file_path": "src/before.py", "old_string": "", "new_string": ""}),
        ("Bash", {"command": "rm -- src/before.py"}),
        ("Edit", {"file_path": "it's.txt", "old_string": "", "new_string": ""}),
        ("Bash", {"command": "rm -- 'it'\"'\"'s.txt'"}),
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "does not stand between"),
        ("*** Begin Patch\n*** End Patch", "does not stand between"),
        ("*** Begin Patch\n*** Add File: a\n+x", "does not stand between"),
        ("*** Begin Patch\n+x\n*** End Patch", "line 2 of a patch cannot be read"),
        ("*** Begin Patch\n*** Add File: \n+x\n*** End Patch", "line 2 of a patch names no file"),
        ("*** Begin Patch\n*** Add File: a\nx\n*** End Patch", "line 3 of a patch cannot be read"),
        ("*** Begin Patch\n*** Update File: a\n*** Rename File: b\n*** End Patch", "line 3 of a patch cannot be read"),
        ("*** Begin Patch\n*** Delete File: a\n+x\n*** End Patch", "line 3 of a patch cannot be read"),
        ("*** Begin Patch\n*** Update File: a\n*** Move to: \n*** End Patch", "line 3 of a patch names no file"),
    ],
)
def test_what_is_no_patch_is_refused(text: str, complaint: str):
    with pytest.raises(InterlockError, match=complaint):
        split_patch(text)


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x0b", "\x0c", "\x1e", "\x85", "\r"])
def test_only_a_line_feed_ends_a_line(separator: str):
    path = f"ok{separator} /../../secret"
    (edit,) = split_patch(f"*** Begin Patch\n*** Update File: {path}\n@@\n-x\n+y\n*** End Patch")
    assert edit == ("Edit", {"file_path": path, "old_string": "x", "new_string": "y"})


def test_lines_may_end_as_on_windows():
    assert split_patch(PATCH.replace("\n", "\r\n")) == split_patch(PATCH)


def test_a_path_is_where_the_host_finds_it():
    text = "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** Delete File: c\n*** End Patch"
    found = [given.get("file_path", given.get("command")) for _, given in split_patch(text, "/w/{}".format)]
    assert found == ["/w/b", "/w/a", "rm -- /w/a", "/w/c", "rm -- /w/c"]


@pytest.mark.parametrize("space", ["\ufeff", "\u200b", "\u00a0", "\u3000", "\u2028", "\x85", "\x1f", "\r"])
@pytest.mark.parametrize("around", ["{0}{1}", "{1}{0}"])
@pytest.mark.parametrize("header", ["Add File", "Delete File", "Update File", "Update File: a\n*** Move to"])
def test_a_path_beside_what_only_some_agents_take_for_white_space_is_refused(header: str, around: str, space: str):
    """JavaScript takes off a byte order mark and Python does not: the file that is written would be another."""
    patch = f"*** Begin Patch\n*** {header}: {around.format(space, '.env')}\n*** End Patch"
    if around.startswith("{1}") and space == "\r":
        assert ".env" in str(split_patch(patch)), "a line may end as on Windows"
        return
    with pytest.raises(InterlockError, match="of a patch may"):
        split_patch(patch)


def test_blanks_and_tabs_around_a_path_are_no_part_of_it():
    (edit,) = split_patch("*** Begin Patch\n*** Update File: \t a b \t\n@@\n-x\n+y\n*** End Patch")
    assert edit[1]["file_path"] == "a b"


@pytest.mark.parametrize(
    "lines",
    [
        "*** Update File: .env\n@@\n-x\n+y\n*** Move to: fine.txt",
        "*** Update File: .env\n*** Move to: fine.txt\n*** Move to: other.txt\n@@\n-x\n+y",
        "*** Add File: .env\n*** Move to: fine.txt",
        "*** Move to: fine.txt",
        "*** Update File: a\n@@\n-x\n+y\n*** End of File\n *** Delete File: .env",
        "*** Update File: a\n@@\n-x\n+y\n*** End of File\n+z",
    ],
)
def test_a_line_where_agents_differ_about_what_it_means_is_refused(lines: str):
    with pytest.raises(InterlockError, match="cannot be read"):
        split_patch(f"*** Begin Patch\n{lines}\n*** End Patch")


@pytest.mark.parametrize("between", ["", "\n", "@@ more\n-v\n+w\n*** End of File\n"])
def test_what_follows_the_mark_of_a_files_end_may_be_nothing_another_place_or_another_file(between: str):
    patch = (
        f"*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End of File\n{between}*** Delete File: b\n*** End Patch"
    )
    assert [given.get("file_path") for _, given in split_patch(patch)] == ["a", "b", None]


# A form feed or a line separator ends no line of a patch.
LINES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], include_characters="\f\x1c"), max_size=12)
NAMES = st.text("abc./ é'", min_size=1).map(str.strip).filter(bool)


@given(NAMES, st.lists(LINES, min_size=1, max_size=4))
def test_a_patch_that_writes_a_file_is_that_write(name: str, lines: list[str]):
    given_input = {"file_path": name, "content": "\n".join(lines) + "\n"}
    patch = patch_for("Write", given_input)
    assert patch is not None
    assert split_patch(patch) == [("Write", given_input)]
    assert join_patch("patch")("Write", given_input) == {"patch": patch}


@pytest.mark.parametrize("separator", ["\r", "\f", "\v", "\x1c", "\x85", "\u2028"])
def test_a_line_that_some_may_read_as_two_files_is_refused(separator: str):
    with pytest.raises(InterlockError, match="line 3 of a patch may be read as several lines"):
        split_patch(f"*** Begin Patch\n*** Add File: a\n+x{separator}*** Delete File: b\n*** End Patch")


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Edit", {"file_path": "a", "old_string": "x", "new_string": "y"}),
        ("Write", {"file_path": "a\n*** Delete File: b", "content": "x\n"}),
        ("Write", {"file_path": " a ", "content": "x\n"}),
        ("Write", {"file_path": "a", "content": "x\r\n"}),
        ("Write", {"file_path": "a", "content": "x\n", "mode": "0755"}),
        ("Write", {"file_path": "a", "content": None}),
        ("Write", {"content": "x\n"}),
        ("Bash", {"command": "ls"}),
    ],
)
def test_what_a_patch_would_not_say_as_it_is_becomes_no_patch(tool: str, given: dict[str, object]):
    assert join_patch("patch")(tool, given) is None
