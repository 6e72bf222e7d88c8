"""Lines to try: put together from every construct, or from fragments that rarely fit."""

from hypothesis import strategies as st

FRAGMENTS = st.lists(
    st.one_of(
        st.sampled_from(list("ab'\" \t\n;&|<>()$`\\*?[]{}~#!=-/.,:@%^+é\u00a0\u2028\x0b\x0c\x00\x85\x1b")),
        st.sampled_from([
            "git", " -f ", "'a b'", '"c d"', "X=1", "sudo ", "$X", "${", "}", "$(", ")", "<<E\n", "\nE\n", "<<<",
            " && ",
            " || ", "if ", "; then ", "; fi", "for i in ", "; do ", "; done", "case x in ", ";; esac", "f() ", "{ ",
            "; }",
            "[[ ", " ]]", "((", "))", "$((", "$'", "<(", ">(", "\\\n", "eval ", "bash -c ", "|sh", "2>&1", "xargs ",
            "!",
            "time ", "coproc ", "function ", "select ", "a=(", "export ", "alias ", "unset ", "cd ", "read ",
            "${x:-", "{a,b}",
        ]),
    ),
    max_size=14,
).map("".join)  # fmt: skip

PLAIN = st.sampled_from(["za", "zb", "zc", "zd"])
WORDS = st.one_of(
    PLAIN,
    st.sampled_from([
        "'x;y $z'", '"x | \\"y\\" \\$z"', "x''y", "x\\\ny", "\\x\\ y", "$'\\x61\\tb'", "{a,b}", "x{1..3}",
        "{a,{b,c}}z", "{a}", "{}",
        "$v", '"$v"', "$w", '"$w"', "x${w}y", "${u:-p q}", '"${u:-p q}"', "${v:+q}", "${v#o}", "${v/n/N}",
        "${v:0:2}", "${v^^}",
        "${#v}", "${a[1]}", '"${a[@]}"', "${a[*]}", '"${a[*]}"', "${!r}", "$s", "x$s", "$s$s", "-x", "--y=z", "a#b",
        "=", "@", "..",
        "a:b", "'#'", '"#"', "a!", "%", "x=1", "[", "2", "''", '""', "${v: -2}", "${v,,}", "a\\,b", "~x",
    ]),
)  # fmt: skip


@st.composite
def simple(draw):
    words = [
        draw(st.one_of(PLAIN, st.sampled_from(['"e"e', "f''f", "$c", "\\gg"]))),
        *draw(st.lists(WORDS, max_size=3)),
    ]
    opening = draw(st.sampled_from(["", "", "", ">f1", "2>&1", "<<<x", "&>f2", "2>/dev/null", ">>'f 3'"]))
    if opening:
        words.insert(draw(st.integers(1, len(words))), opening)
    return draw(st.sampled_from([" ", " ", "  ", " \\\n "])).join(words)


def _compound(inner):
    return st.one_of(
        st.builds("( {} )".format, inner),
        st.builds("{{ {}; }}".format, inner),
        st.builds("if {}; then {}; else {}; fi".format, inner, inner, inner),
        st.builds("for i in {} zd; do za $i; {}; done".format, WORDS, inner),
        st.builds("case {} in za|zb) {};; *) {};; esac".format, PLAIN, inner, inner),
        st.builds("while za; do {}; break; done".format, inner),
        st.builds("fn() {{ za \"$@\" \"$1\"; {}; }}; fn {}; unset -f fn".format, simple(), WORDS),
        st.builds("zz={}; za \"$zz\" $zz".format, WORDS.filter(lambda word: "{" not in word or "$" in word)),
        st.builds("za {} $({}) {}".format, WORDS, inner, WORDS),
        st.builds("zb \"$({})\"".format, inner),
        st.builds("zb <({})".format, inner),
        st.builds("! {}".format, simple()),
        st.builds("[[ za == {} ]] && {}".format, PLAIN, simple()),
        st.builds("eval 'za {}'".format, st.sampled_from(["x y", '"x y"', "$v", '"$w"', "; zb"])),
        st.builds("{}{}{}".format, inner, st.sampled_from(["; ", " && ", " || ", " | ", "\n", " |& ", "&&\n"]), inner),
        st.builds("{} # it's a \"note\" $(\n{}".format, simple(), simple()),
        st.builds(
            "zc <<{}{}\n{}\nE\n{}".format, st.sampled_from(["E", "'E'", "\\E"]), st.sampled_from(["", " x",
            "; zb y"]),
            st.sampled_from(["$v", "$(zd q)", "it's \"x", "\\$v `zb`"]), simple(),
        ),
    )  # fmt: skip


LINES = st.recursive(simple(), _compound, max_leaves=5)
SETTING = "v=one; w='x  y'; a=(p 'q r' s); c=zc; r=v; s=' k '\n"
