"""Words that begin with where the shell stands, or with somebody's home: a table of how each is read."""

from __future__ import annotations

import pytest

from tests.policy.builders import Session

READS = "rules: [{id: r, tool: Bash, deny: '${reads}'}]"


@pytest.mark.parametrize(
    ("line", "reads"),
    [
        ("cat ~+/secrets/x", "/proj/secrets/x"),
        ("cat ~+", "/proj"),
        ("cd sub; cat ~+/x", "/proj/sub/x"),
        ("cd sub; cat ~+/../x", "/proj/x"),
        ("cat {~+,b}/x", "/proj/x /proj/b/x"),
        ("cat ~-/x", "…/x"),
        ("cat ~-", "…"),
        ("cd sub; cat ~-/x", "…/x"),
        ("cat $PWD/x", "/proj/x"),
        ("cat ${PWD}/x", "/proj/x"),
        ('cat "$PWD/x"', "/proj/x"),
        ("cat $OLDPWD/x", "…/x"),
        ("cat ~/x", "/home/dev/x"),
        ("cat ~", "/home/dev"),
        ("cat ~other/x", "/home/other/x"),
        ("cat ~root/x", "/root/x"),
        ("X=~/x; cat $X", "/home/dev/x"),
        ("cat < ~+/x", "/proj/x"),
        ("cd sub; cat < ~+/x", "/proj/sub/x"),
        ("X=~+/x; cat $X", "/proj/x"),
        ("export X=~+/x; cat $X", "/proj/x"),
        ("X=a:~+/x; cat ${X#*:}", "/proj/x"),
        ("X=~-/x; cat $X", "…/x"),
        # Quoted, or not at the beginning, or with more behind the sign, they are ordinary names.
        ("cat '~+/x'", "/proj/~+/x"),
        ("cat < '~+/x'", "/proj/~+/x"),
        ("X='~+/x'; cat $X", "/proj/~+/x"),
        ("X=a~+/x; cat $X", "/proj/a~+/x"),
        ('cat "~+/x"', "/proj/~+/x"),
        ("cat \\~+/x", "/proj/~+/x"),
        ("cat a~+/x", "/proj/a~+/x"),
        ("cat ./~+/x", "/proj/~+/x"),
        ("cat ~+x/y", "/proj/~+x/y"),
    ],
)
def test_a_word_is_the_file_that_a_shell_would_open(line, reads):
    told = Session(READS).call(line).reason or ""
    assert told == "[" + ",".join(f'"{path}"' for path in reads.split()) + "]"


@pytest.mark.parametrize("word", ["~+/secrets/x", "$PWD/secrets/x", "{~+,a}/secrets/x", "~+/a/../secrets/x"])
@pytest.mark.parametrize("how", ["cat {}", "bash -c 'cat {}'", "xargs cat {}", "cp {} /tmp/y"])
def test_a_rule_about_a_folder_catches_a_file_in_it_by_every_name(word, how):
    policy = "rules: [{id: r, path: secrets/, deny: stop}]"
    assert Session(policy).call(how.format(word)).decision == "deny"
    assert Session(policy).call(how.format(word.replace("secrets", "public"))).decision is None
