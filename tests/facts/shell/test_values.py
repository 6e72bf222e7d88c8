"""Values are followed as bash follows them, so that a program is found wherever its name comes from."""

import pytest

from interlock.facts.shell import read_shell
from tests.facts.shell.reading import argvs

COMPUTED = "the program is not known before it runs"
ARITHMETIC = "arithmetic that may run a text"


def runs(line, words):
    """The line can be read, and runs the words."""
    return words.split(" ") in argvs(line)


@pytest.mark.parametrize(
    "line",
    [
        'set -- zz 1; "$@"',
        'set -- a zz 1; "${@:2}"',
        'set -- zz 1 2; "${@:1:2}"',
        'set -- 1 zz; "${@: -1}" 1',
        'set -- 1 zz; "${@:$#}" 1',
        "set -- 1 zz; ${!#} 1",
        "set -- zz 1; $*",
        "set -- a zz 1; shift; $1 $2",
        "set -o pipefail zz; $1 1",
        "set - zz 1; $1 1",
        'f() { "$1" "${@:2}"; }; f zz 1',
        "f() { shift; \"$@\"; }; f q zz 1",
        "f() { for x; do $x 1; done; }; f ls zz",
        "bash -c '\"$@\"' _ zz 1",
        "bash -c '\"${@:0:1}\" 1' zz",
        "a=(ls zz 1); \"${a[@]:1}\"",
        "a=(ls zz); ${a[-1]} 1",
        "a=(ls zz); i=0; ${a[i+1]} 1",
        "a=(ls zz); i=1; ${a[$i]} 1",
        "a=(ls); a+=(zz); ${a[1]} 1",
        "a=(ls q); a[0]=zz; $a 1",
        "a=([1]=ls [0]=zz); $a 1",
        "a=(zz 1); b=${a[*]}; $b",
        "a=zz; a+=(1); \"${a[@]}\"",
        "a=($(echo zz 1)); \"${a[@]}\"",
        "IFS=-; a=(zz 1); b=\"${a[*]}\"; $b",
        "IFS=,; x=zz,1; $x",
        "unset IFS; x='zz 1'; $x",
        "x=ls; unset x; ${x-zz} 1",
        "x=ls; unset x; : ${x=zz}; $x 1",
        "a=(); ${a[@]-zz} 1",
        "x=; ${x+zz} 1",
        "x=q; ${x+'zz'} 1",
        "x=qqzz; ${x##*q} 1",
        "x=zz.q.r; ${x%%.*} 1",
        "x=a/b/zz; ${x##*/} 1",
        "x=zabz; ${x//[ab]} 1",
        "x=hello; ${x/h*o/zz} 1",
        "x=abc; ${x/#abc/zz} 1",
        "x=ZZ; ${x,,[A-Z]} 1",
        "x='z\\172'; ${x@E} 1",
        "x=zz; eval ${x@Q} 1",
        "y=zzq; x=y; ${!x%q} 1",
        "a=(zz ls); x='a[0]'; ${!x} 1",
        "x=azzb; n=1; ${x:n:$((n+1))} 1",
        "x=ls; x=zz eval '$x 1'",
        "x=ls; x=zz command eval '$x 1'",
        "f() { $x 1; }; x=ls; x=zz f",
        "x=ls; declare -n r=x; r=zz; $x 1",
        "x=ls; declare -n r=x; read r <<< zz; $x 1",
        "declare -l x; x=ZZ; $x 1",
        "A=zz; declare A=echo B=$A; $B 1",
        'A=ls; n=A; declare "$n=zz"; $A 1',
        'A=ls; export "A=zz"; $A 1',
        'A=z; declare "A+=z"; $A 1',
        "declare x={ls,zz}; $x 1",
        "set -a; x=zz; bash -c '$x 1'",
        "export x; x=zz; bash -c '$x 1'",
        "x=ls; export x; env -u x sh -c '${x-zz} 1'",
        "x=ls; shopt -s lastpipe; echo zz | read x; $x 1",
        "IFS=, read x y <<< 'zz,1'; $x $y",
        "IFS=: read -r _ x <<< 'a:zz'; $x 1",
        "read -ra x <<< 'zz 1'; \"${x[@]}\"",
        "mapfile -t x <<< $'ls\\nzz'; ${x[1]} 1",
        "mapfile -td, x <<< 'ls,zz,'; ${x[1]} 1",
        "printf -v x '%.2s' zzq; $x 1",
        "printf -v 'x[0]' zz; $x 1",
        "x=0; ((x++)); y=(ls zz); ${y[x]} 1",
        "i=1; a[i]=q; a=(ls zz); let i=2-1; ${a[i]} 1",
        "printf 'zz 1\\0' | xargs -0 sh -c",
        "printf '%s\\0' 'zz 1' | xargs -0 -I{} sh -c '{}'",
        "printf 'zz,1' | xargs -d, sh -c '$0 1'",
        "echo ls zz | xargs -n1 sh -c '$0 1'",
    ],
)  # fmt: skip
def test_a_program_is_found_wherever_its_name_comes_from(line):
    assert runs(line, "zz 1")


@pytest.mark.parametrize(
    "line",
    [
        "echo $((x))", "((x))", "((y = 5, x))", "let y=x", "[[ x -eq 1 ]]", "[[ 1 -lt x ]]", "echo ${b[x]}",
        "echo ${b[$x]}", "s=abc; echo ${s:x}", "s=abc; echo ${s:0:x}", 'echo "${@:x}"', "declare -i y; y=x",
        "declare -i y=x", "declare -ai y=(x)", "declare -i n=5; n+=x", "echo ${!x}", 'test -v "$x"', "[[ -v $x ]]",
        "[[ -v b[x] ]]", 'printf -v "$x" 1', "printf -v 'b[x]' 1", "read 'b[x]' <<< 1", "unset 'b[x]'", 'unset "$x"',
        "y=x; z=y; echo $((z+1))", "for ((i=x;i<1;i++)); do echo $i; done", "b[x]=1", "b=([x]=1)",
        "declare 'b[x]=1'", "echo $[x]", "case $((x)) in 0) ;; esac", "y=(1 \"$x\"); echo $((y[1]))",
        'set -- "$x"; echo $(($1))', "r='b[x]'; echo ${!r}", "RANDOM=$x", "OPTIND=$x", "declare -n r=$x; echo $r",
        "f() { local -i y=x; }; f", "export x; bash -c 'echo $((x))'", "b[-1]=$x; echo $((b))",
    ],
)  # fmt: skip
def test_arithmetic_that_evaluates_a_value_with_a_substitution_in_it_is_opaque(line):
    assert ARITHMETIC in read_shell(f"x='a[$(zz)]'; {line}").reasons
    assert ARITHMETIC in read_shell(f"x='a[`zz`]'; {line}").reasons


@pytest.mark.parametrize(
    "line",
    [
        "x='a[$(zz)]'; echo $x", "x='a[$(zz)]'; echo \"${x}\" ${#x} ${x#a}", "x='[ $(zz) ]'; echo $((1+y))",
        "x=$(wc -l < f); echo $((x + 1))", "i=0; while ls; do i=$((i+1)); done; echo $i", "n=$(cat f); [[ n -gt 3 ]]",
        "a=(1 2); echo ${a[1]} ${a[i]}", "for ((i=0;i<3;i++)); do ls $i; done", "x='a[1]'; echo $((x))",
        "((count++)); let n=count*2", "[ $x -eq 1 ]", "x='a[$(zz)]'; echo $((1 + 2))",
    ],
)  # fmt: skip
def test_arithmetic_on_ordinary_values_is_not(line):
    assert read_shell(line).reasons == ()


@pytest.mark.parametrize(
    "line",
    [
        "trap x=zz DEBUG; x=ls; $x 1",
        "trap x=zz ERR; x=ls; false; $x 1",
        "x=ls; declare -n r; r=$q; r=zz; $x 1",
        "x=ls; f() { local -n r=$1; r=zz; }; f x; $x 1",
        "readonly A=zz; A=ls; $A 1",
        "x=ls; echo zz | read x; $x 1",
        "declare -A m=([k]=zz); ${m[@]} 1",
        "x=ls; x=zz eval :; $x 1",
        'set -- $q zz 1; shift; "$@"',
        "set -- $q zz; $2 1",
        "a=($q zz); ${a[1]} 1",
        "x=z; ${x/z/&&} 1",
        "RANDOM=ls; $RANDOM 1",
        "echo zz; $_ 1",
        "x=ls; read $q <<< zz; $x 1",
        "local x=ls; $x 1",
        "x=ls; export x; sudo sh -c '$x 1'",
    ],
)
def test_a_value_that_nobody_can_be_sure_of_is_no_program(line):
    assert COMPUTED in read_shell(line).reasons


@pytest.mark.parametrize(
    "line",
    [
        "trap x=zz EXIT; x=ls; $x 1",
        'set -- "$q" ls 1; shift; "$@"',
        "f() { local label=$1; shift; \"$@\"; }; f \"step $n\" ls 1",
        "cat l | while read -r x; do echo $x; done; y=ls; $y 1",
        "cmd=(ls); cmd+=(1); \"${cmd[@]}\"",
        "PY=${PY:-ls}; $PY 1",
        "for x in a b c; do y=ls; $y 1; done",
        "x=ls; while zz; do $x 1; x=ls; done",
    ],
)  # fmt: skip
def test_what_is_sure_is_read(line):
    assert runs(line, "ls 1")


def test_a_value_that_another_way_may_have_set_is_not_known():
    line = "a=ls; b=ls; c=zz; while :; do $a; a=$b; b=$c; done"
    assert COMPUTED in read_shell(line).reasons


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", "7"), ("(1 + 2) * 3", "9"), ("7 / 2", "3"), ("-7 / 2", "-3"), ("-7 % 3", "-1"),
        ("2 ** 10", "1024"),
        ("0x1f", "31"), ("017", "15"), ("2#101", "5"), ("36#z", "35"), ("1 << 4", "16"), ("!0", "1"), ("~0", "-1"),
        ("5 > 3 && 2 < 1", "0"), ("1 ? 2 : 3", "2"), ("n + 1", "4"), ("n++ + n", "7"), ("m = n = 2", "2"),
        ("e", "4"), ("1, 2", "2"), ("-2 ** 2", "4"), ("1 || (n = 9), n", "3"),
        ("9223372036854775807 + 1", "-9223372036854775808"),
        ("1 / 0", "\0"), ("nobody", "\0"), ("a[0]", "\0"), ("1 +", "\0"), ("08", "\0"), ("x" * 500, "\0"),
        ("(" * 50 + "1" + ")" * 50, "\0"),
    ],
)  # fmt: skip
def test_arithmetic_is_worked_out_as_far_as_it_is_known(expression, value):
    assert argvs(f"n=3; e=n+1; last $(({expression}))")[-1] == ["last", value]


def test_what_arithmetic_may_have_set_is_not_known_if_it_is_not():
    assert argvs("x=1; : $((x = q)); last $x")[-1] == ["last", "\0"]
    assert argvs("x=1; : $((y = 0 && (x = 5))); last $x $y")[-1] == ["last", "1", "0"]


@pytest.mark.parametrize(
    ("printed", "text"),
    [
        ("printf '%s-' a b", "a-b-"),
        ("printf '%5s|%-5s|' a b", "    a|b    |"),
        ("printf '%.2s' abc", "ab"),
        ("printf '%*s' 3 a", "  a"),
        ("printf '%03d %x %o' 7 255 8", "007 ff 10"),
        ("printf '\\172\\x7a\\u007a'", "zzz"),
        ("printf '%b' '\\0172\\172'", "zz"),
        ("printf '%b-%s' 'a\\cb' c", "a"),
        ("printf '%q' 'a b'", "'a b'"),
        ("printf '%c%c' za zb", "zz"),
        ("printf -- '-%%'", "-%"),
        ("echo -e 'a\\x62\\0143'", "abc"),
        ("echo -e 'a\\143'", "a\\143"),
        ("echo -e 'a\\cb' c", "a"),
        ("echo -eE 'a\\x62'", "a\\x62"),
        ("printf 'a\\0b'", "ab"),
        ("printf '%f' 1", "\0"),
        ("printf '%(%Y)T' 0", "\0"),
        ("printf '%d' q", "\0"),
    ],
)
def test_what_printf_and_echo_print_is_known(printed, text):
    assert argvs(f'last "$({printed})"')[-1] == ["last", text]


@pytest.mark.parametrize(
    ("value", "fields"),
    [
        ("a,b", ["a", "b"]), (",a", ["", "a"]), ("a,,b", ["a", "", "b"]), ("a,", ["a"]), (" a , b ", ["a", "b"]),
        ("a b", ["a", "b"]), (",", [""]), ("", []),
    ],
)  # fmt: skip
def test_a_value_is_parted_by_what_ifs_says(value, fields):
    assert argvs(f"IFS=', '; x='{value}'; last $x")[-1] == ["last", *fields]


def test_fields_of_parameters_keep_their_borders():
    assert argvs("set -- '' '' b; x='last a'; $x$@")[-1] == ["last", "a", "b"]
    assert argvs("set -- p 'q r'; last x\"$@\"y")[-1] == ["last", "xp", "q ry"]
    assert argvs('set --; last x"$@"y "$@" "$*"')[-1] == ["last", "xy", ""]


def test_a_second_read_does_not_find_what_the_first_one_took():
    assert argvs("{ read x; read y; last $x $y; } <<< a")[-1] == ["last", "a", "\0"]
    assert argvs("read x <<< a; read y <<< b; last $x $y")[-1] == ["last", "a", "b"]


@pytest.mark.parametrize(
    "line",
    [
        "x=" + "a" * 3000 + "; " + "y=${x//*a*b*a*b*/}; " * 300,
        "x=" + "a" * 3000 + "; " + "y=${x##*a*a*a*b}; " * 300,
        "x='y+y+y+y+y+y+y+y'; y='z+z+z+z+z+z+z+z'; z='x+x+x+x'; " + "echo $((x)); " * 500,
        "x=" + "[" * 50_000 + "; " + "x=$x[; " * 3000,
        "x=1; " + "((x+=1)); " * 4000,
        "a=(" + "b " * 5000 + "); " + 'c=("${a[@]}"); ' * 200,
    ],
)
def test_no_value_takes_long(line):
    read_shell(line)  # the limits of time that tests have are the test
