"""What sed and awk scripts do beside printing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.facts.programs.readers.little_scripts import Effects, awk_effects, sed_effects


@pytest.mark.parametrize(
    "script",
    [
        "s/a/b/g",
        "1,5p",
        "/x/d",
        "$!N;s/\\n/ /",
        "s|[/|]|x|",
        "/a/,/b/{s/x/y/;p}",
        "y/abc/def/",
        "i\\foo",
        "1~2d",
        ":a;N;$!ba;s/e/w/",
        "s/w x/e/",
        "\\,a,p",
        "a we",
    ],
)
def test_a_sed_script_that_only_prints(script):
    assert sed_effects(script) == Effects()


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("s/x/y/w out", Effects(writes=["out"])),
        ("w /etc/x", Effects(writes=["/etc/x"])),
        ("/a/w out", Effects(writes=["out"])),
        ("p;w out", Effects(writes=["out"])),
        ("w /dev/stdout", Effects()),
        ("r in", Effects(reads=["in"])),
        ("1e rm x", Effects(shell=["rm x"])),
        ("e", Effects(shell=["\0"])),
        ("s/a/rm x/e", Effects(shell=["rm x", "\0"])),
        ("s/a/b/ge", Effects(shell=["b", "\0"])),
        ("s/a", Effects(sure=False)),
        ("@", Effects(sure=False)),
        ("/a", Effects(sure=False)),
    ],
)
def test_a_sed_script_that_does_more(script, expected):
    assert sed_effects(script) == expected


@pytest.mark.parametrize(
    "script",
    ["{print $1}", "$1 > 5", "/a|b/{print}", "{if($1>3) print $2}", "{print ($1>2)}", "NR>1 && $3 >= 4",
        "{a[$1]++} END{for(i in a) print i,a[i]}",
     '{print "a > b | c"}', "{print $1/$2}", "a || b", "# system(x)"],
)  # fmt: skip
def test_an_awk_program_that_only_prints(script):
    assert awk_effects(script) == Effects()


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ('{print $1 > "out"}', Effects(writes=["out"])),
        ('{print >> "out"}', Effects(writes=["out"])),
        ('{print > $1 ".txt"}', Effects(writes=["\0"])),
        ('{print > "a" $1}', Effects(writes=["a\0"])),
        ('{print > "/dev/stderr"}', Effects()),
        ('BEGIN{system("rm x")}', Effects(shell=["rm x"])),
        ('{system("rm " $1)}', Effects(shell=["rm \0"])),
        ("{system($0)}", Effects(shell=["\0"])),
        ('{print | "sh"}', Effects(shell=["sh"])),
        ('{"date" | getline d}', Effects(shell=["date"])),
        ('{while ((getline l < "in") > 0) print l}', Effects(reads=["in"])),
        ('@load "x"', Effects(sure=False)),
    ],
)
def test_an_awk_program_that_does_more(script, expected):
    assert awk_effects(script) == expected


@given(st.text(alphabet="s/abwe;{}p1,$!\\[]n\n \"'|><(gy", max_size=40))
def test_no_script_makes_the_reading_fail(script):
    sed_effects(script)
    awk_effects(script)


@given(st.text(alphabet="abc/;p\n ", max_size=12))
def test_a_write_before_or_after_other_commands_is_seen_or_the_script_is_unsure(other):
    effects = sed_effects("w out\n" + other)
    assert "out" in effects.writes
