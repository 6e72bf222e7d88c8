"""Paths as a file system takes them, and globs for them."""

import re

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from interlock.facts.paths import Places, glob_regex, resolve

HERE = Places("/proj/sub", "/proj", "/home/dev")


@pytest.mark.parametrize(
    ("path", "resolved"),
    [
        ("a", "/proj/sub/a"),
        ("./a//b/", "/proj/sub/a/b"),
        ("../a", "/proj/a"),
        ("../../../../etc/passwd", "/etc/passwd"),
        ("/a/./b/../c", "/a/c"),
        ("//etc/passwd", "/etc/passwd"),
        ("///etc", "/etc"),
        ("~", "/home/dev"),
        ("~/.ssh/../x", "/home/dev/x"),
        ("a/~/b", "/proj/sub/a/~/b"),
        ("~other/x", "/home/other/x"),
        ("~root/x", "/root/x"),
        ("~+/x", "/proj/sub/~+/x"),
        ("", "/proj/sub"),
        (".", "/proj/sub"),
        ("/", "/"),
        ("/..", "/"),
        ("a b/ü", "/proj/sub/a b/ü"),
    ],
)
def test_a_path_is_taken_from_the_working_directory_and_made_plain(path, resolved):
    assert resolve(path, HERE) == resolved


def test_a_path_may_be_taken_from_another_base():
    assert resolve("../a", HERE, "/x/y") == "/x/a"


@given(st.lists(st.sampled_from(["..", ".", "", "a", "~", "b c", "...", "*"]), max_size=8).map("/".join))
def test_a_resolved_path_is_absolute_and_holds_no_way_up(path):
    resolved = resolve(path, HERE)
    assert resolved.startswith("/")
    assert not resolved.startswith("//")
    assert not {"..", ".", ""} & set(resolved.split("/")[1:]) or resolved == "/"
    assert resolve(resolved, HERE) == resolved


@pytest.mark.parametrize(
    ("glob", "hits", "misses"),
    [
        # no slash: that name at any depth
        (
            ".env",
            ["/proj/.env", "/proj/a/b/.env", "/.env", "/home/dev/.env"],
            ["/proj/.envrc", "/proj/x.env", "/proj/.env/a"],
        ),
        ("*.lock", ["/proj/a.lock", "/proj/x/.lock"], ["/proj/a.lock/b", "/proj/a.locked"]),
        (".env*", ["/proj/.env.local", "/proj/.env"], ["/proj/.env/x", "/proj/env"]),
        ("a?c", ["/proj/abc", "/x/a.c"], ["/proj/ac", "/proj/a/c"]),
        ("[ab].txt", ["/a.txt", "/x/b.txt"], ["/c.txt", "/ab.txt"]),
        ("[!ab].txt", ["/c.txt"], ["/a.txt", "/x/.txt"]),
        # a slash: from the project's root
        ("./*", ["/proj/a", "/proj/.env"], ["/proj/a/b", "/a", "/proj"]),
        ("src/*.py", ["/proj/src/a.py"], ["/proj/src/a/b.py", "/src/a.py", "/proj/sub/src/a.py"]),
        ("src/**", ["/proj/src/a", "/proj/src/a/b"], ["/proj/srcs/a", "/proj/lib/src/a"]),
        ("src/**/*.py", ["/proj/src/a.py", "/proj/src/x/y/a.py"], ["/proj/src/a.pyc", "/proj/a.py"]),
        ("**/test/*.py", ["/proj/test/a.py", "/proj/x/test/a.py"], ["/proj/test/x/a.py", "/proj/mytest/a.py"]),
        ("../x", ["/x"], ["/proj/x"]),
        # as they stand
        ("/etc/*", ["/etc/passwd"], ["/etc/a/b", "/proj/etc/passwd"]),
        ("/**", ["/", "/a", "/proj/a/b"], []),
        ("~/.ssh/*", ["/home/dev/.ssh/id"], ["/proj/~/.ssh/id", "/root/.ssh/id"]),
        # a slash at the end: all below
        ("src/", ["/proj/src", "/proj/src/a", "/proj/src/a/b"], ["/proj/srcs/a"]),
        ("/etc/", ["/etc", "/etc/a/b"], ["/etcetera/a"]),
        ("~/.aws/", ["/home/dev/.aws/credentials"], ["/home/dev/.awsome/x"]),
        ("~/", ["/home/dev/x"], ["/home/developer/x"]),
        ("node_modules/", ["/proj/node_modules", "/proj/node_modules/a/b"], ["/proj/a/node_modules/b"]),
        # nothing else is special
        ("a.b", ["/a.b"], ["/axb"]),
        ("a+(b)", ["/a+(b)"], ["/ab", "/aab"]),
        ("{a,b}.txt", ["/a.txt", "/b.txt"], ["/ab.txt", "/{a,b}.txt"]),
    ],
)
def test_globs_mean_what_the_language_says(glob, hits, misses):
    search = re2.compile(glob_regex(glob, HERE)).search
    assert [path for path in hits if not search(path)] == []
    assert [path for path in misses if search(path)] == []


def test_a_glob_matches_a_path_with_a_line_break_in_it():
    search = re2.compile(glob_regex("/etc/**", HERE)).search
    assert search("/etc/a\nb")
    assert not search("/x\n/etc/a")


@given(st.text(max_size=12))
def test_any_glob_is_a_regular_expression(glob):
    try:
        pattern = glob_regex(glob, HERE)
    except ValueError:
        return
    re.compile(pattern.replace(r"\z", r"\Z"))


@given(
    st.text(alphabet=st.characters(exclude_characters="*?[]{}/~", exclude_categories=["Cs"]), min_size=1, max_size=8)
)
def test_a_plain_name_matches_itself_and_nothing_longer(name):
    if name in (".", ".."):
        return
    search = re2.compile(glob_regex(name, HERE)).search
    assert search(f"/proj/x/{name}")
    assert not search(f"/proj/{name}x")
    assert not search(f"/proj/x{name}")
