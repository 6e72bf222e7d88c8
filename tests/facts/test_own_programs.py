"""Programs that policies describe: what a description adds to what is known, and that it hides nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given as using
from hypothesis import settings
from hypothesis import strategies as st
from msgspec.structs import replace

from interlock.errors import Source
from interlock.event import event_from
from interlock.facts.gather import Facts
from interlock.facts.own_programs import OwnPrograms, ProgramReader, ProgramWatch, spellings
from interlock.facts.paths import NoFiles, Places
from interlock.facts.programs import is_known
from interlock.facts.programs.draft import ROLES
from interlock.facts.programs.table import Clause, Program, Service
from interlock.facts.programs.traits import TRAITS
from interlock.facts.shell import Command
from interlock.policy.programs import Description
from tests.builders import call

PLACES = Places("/proj", "/proj", "/home/dev")
SCRIPTS = {
    "/proj/go.sh": "ourctl destroy web\nrm -rf /etc/x\n",
    "/proj/Makefile": "all:\n\tourctl -n prod destroy web\n",
}
LINKS = {"/proj/tool": "/usr/local/bin/ourctl", "/proj/wipe": "/usr/bin/rm"}
OURCTL = Program(
    "n/namespace= dry-run!dry",
    subs={
        "get list": Program("n/namespace= o/output=write", "text*", "read-only cluster/reads"),
        "apply": Program("f/filename=read n/namespace= dry-run!dry", "text*", "cluster/changes"),
        "destroy": Program("n/namespace= f/force!forced dry-run!dry", "text*", "cluster/deletes"),
        "exec": Program("", "text argv", "cluster/runs"),
        "sh": Program("", "shell+", "cluster/runs"),
        "in": Program("C=base o/output=write", "text*", "changes"),
    },
)


class Disk(NoFiles):
    """Some scripts and some links to programs."""

    def read(self, path: str, *, anywhere: bool = False) -> str | None:
        return SCRIPTS.get(path)

    def real(self, path: str, *, follow: bool = True) -> str | None:
        return LINKS.get(path, super().real(path))


def own(*layers: dict[str, Program]) -> OwnPrograms:
    """Descriptions, the highest layer first."""
    return OwnPrograms(
        [
            {name: Description((name,), one, Source(f"{number}.yaml", 2)) for name, one in each.items()}
            for number, each in enumerate(layers)
        ]
    )


def facts(line: str, reader: ProgramReader | None = None, tool: str = "Bash") -> Facts:
    return Facts(event_from(call(tool, command=line)), {"command": line}, PLACES, Disk(), None, reader)


def read(line: str, **programs: Program) -> Facts:
    return facts(line, own(programs or {"ourctl": OURCTL}))


def traits(found: Facts, name: str = "ourctl") -> set[str]:
    return {trait for one in found.all_commands if one.name == name for trait in one.use.traits}


def touched(found: Facts) -> set[tuple[str, str]]:
    sorts = ("read", "write", "create", "delete", "send")
    return {(sort, use.path) for use in found.all_paths for sort in sorts if getattr(use, sort)}


# --- a program that Interlock does not know ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ourctl get pods", {"read-only", "cluster/reads"}),
        ("ourctl -n prod destroy web", {"cluster/deletes"}),
        ("ourctl destroy --dry-run web", {"read-only"}),
        ("ourctl destroy -f web", {"cluster/deletes", "forced"}),
        ("sudo ourctl destroy web", {"cluster/deletes"}),
        ("sudo -u ops env A=1 ourctl destroy web", {"cluster/deletes"}),
        ("bash -c 'ourctl destroy web'", {"cluster/deletes"}),
        ("echo web | xargs ourctl destroy", {"cluster/deletes"}),
        ("for one in a b; do ourctl destroy $one; done", {"cluster/deletes"}),
        ("python -c 'import os; os.system(\"ourctl destroy web\")'", {"cluster/deletes"}),
        ("a=our; ${a}ctl destroy web", {"cluster/deletes"}),
        ("$SUDO ourctl destroy web", {"cluster/deletes"}),
        ("pwsh -Command 'ourctl destroy web'", {"cluster/deletes"}),
        ("bash go.sh", {"cluster/deletes"}),
        ("./go.sh", {"cluster/deletes"}),
        ("make all", {"cluster/deletes"}),
        ("ssh box ourctl destroy web", {"cluster/deletes", "elsewhere"}),
        ("ourctl --help", {"read-only"}),
        # It is described, but not this form of it.
        ("ourctl frobnicate web", {"changes"}),
        ("ourctl wat delete web", {"changes", "told-to-delete"}),
    ],
)
def test_a_program_that_nobody_knows_is_read_by_its_description_wherever_it_is_run(line: str, expected: set[str]):
    assert traits(read(line)) == expected


def test_a_line_of_powershell_is_read_by_it_too():
    found = facts("Get-ChildItem; ourctl destroy web", own({"ourctl": OURCTL}), tool="PowerShell")
    assert traits(found) == {"cluster/deletes"}


@pytest.mark.parametrize(
    "line", ["./tool destroy web", "ln -s /opt/ourctl x; ./x destroy web", "cp /opt/ourctl x; ./x destroy web"]
)
def test_a_link_to_it_is_followed(line: str):
    assert "cluster/deletes" in traits(read(line))


def test_what_it_runs_is_judged_by_itself():
    found = read("ourctl exec web rm -rf /data")
    assert [one.words for one in found.commands] == ["ourctl exec web rm -rf /data", "rm -rf /data"]
    assert ("delete", "/data") in touched(found)
    assert [one.words for one in read("ourctl sh 'cd /x; rm y'").commands][1:] == ["cd /x", "rm y"]


@pytest.mark.parametrize(
    ("line", "program"),
    [
        ("ourctl -n .env get pods", OURCTL),
        ("ourctl ~/.ssh/id_rsa", Program("", "text*", "read-only")),
        ("ourctl -x ~/.ssh/id_rsa", Program("x=text", "text*", "read-only")),
        ("ourctl --x=.env", Program("x=text", "text*", "read-only")),
        ("ourctl -n --x .env", Program("n!dry x=host", "", "read-only")),
        ("ourctl .env", Program("", "url*", "read-only")),
        ("ourctl .env", Program("", "text*", "read-only elsewhere")),
        ("ourctl -C /tmp .env", Program("C=base", "text*", "read-only")),
        ("ourctl /tmp; cat .env", Program("", "cd", "read-only")),
        ("ourctl get .env", OURCTL),
        ("ourctl $(find sub)", Program("", "create", "changes")),
        ("ourctl get -- rm -rf /etc", OURCTL),
        ("ourctl -x foo -- rm -rf /etc", Program("x=program", "text*", "read-only")),
    ],
)
def test_no_arity_hides_a_word_that_may_be_a_path(line: str, program: Program):
    assert touched(facts(line)) <= touched(read(line, ourctl=program))


def test_no_role_hides_a_url():
    program = Program("x=text", "text*", "read-only")
    found = read("ourctl -x https://a.org/x https://b.org/y --z=https://c.org", ourctl=program)
    assert {url.host for url in found.urls} == {"a.org", "b.org", "c.org"}


def test_a_file_that_the_description_gives_a_role_plays_that_role_alone():
    assert touched(read("ourctl get pods -o out/pods.txt")) == {
        ("write", "/proj/out/pods.txt"),
        ("create", "/proj/out/pods.txt"),
    }


def test_a_file_that_it_finds_by_another_folder_may_be_the_one_here():
    assert ("read", "/proj/.env") in touched(read("ourctl in -C sub .env"))
    assert ("write", "/proj/sub/out.txt") in touched(read("ourctl in -C sub -o out.txt"))


@pytest.mark.parametrize(
    "line",
    ["./ourctl get pods", "/tmp/ourctl get pods", "bin/ourctl get pods", "OURCTL get pods", "ourctl.exe get pods"],
)
def test_a_file_of_that_name_is_not_the_program_but_may_do_what_it_does(line: str):
    found = read(line)
    assert not any("read-only" in one.use.traits or one.use.known for one in found.commands)
    assert "cluster/deletes" in {
        trait for one in read(line.replace("get", "destroy")).commands for trait in one.use.traits
    }


@pytest.mark.parametrize(
    "line", ["ourctl2 get pods", "gourctl get pods", "ourctl-x get pods", "xourctl get pods", "our get"]
)
def test_a_name_that_only_resembles_it_is_another_program(line: str):
    assert facts(line).commands == read(line).commands


@pytest.mark.parametrize(
    "line",
    [
        "ourctl() { rm -rf /etc; }; ourctl get pods",
        "alias ourctl='rm -rf /etc'; ourctl get pods",
        "function ourctl { rm -rf /etc; }; ourctl get pods",
    ],
)
def test_a_function_or_an_alias_of_that_name_is_what_the_line_says(line: str):
    found = read(line)
    assert ("delete", "/etc") in touched(found)
    assert not found.plain


def test_the_description_of_the_highest_layer_counts_and_lower_ones_add():
    high = Program("", "text*", "changes")
    low = Program("", "delete*", "read-only database/drops")
    found = facts("ourctl x/y", own({"ourctl": high}, {"ourctl": low}))
    assert [one.use.traits for one in found.commands] == [{"changes"}, {"changes", "database/drops"}]
    assert ("delete", "/proj/x/y") in touched(found)
    assert [one.use.described for one in found.commands] == [Source("0.yaml", 2), Source("1.yaml", 2)]


# --- a program that Interlock knows ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "program",
    [
        Program("*", "text*", "read-only"),
        Program("r!dry f!dry recursive!dry", "text*", "read-only"),
        Program("r= f=", "text*", "read-only"),
        Program("rf=", "", "read-only", long=True),
        Program("*!dry", "", "read-only elsewhere only-runs"),
        Program("C=base", "cd", "read-only"),
        Program(subs={"x": Program("*", "text*", "read-only")}),
        Program("*", "argv", "read-only"),
    ],
)
@pytest.mark.parametrize(
    "line",
    [
        "rm -rf /etc", "/bin/rm -rf /etc", "sudo rm -rf /etc", "bash -c 'rm -rf /etc'", "./wipe -rf /etc",
        "\\rm -rf /etc", "grm -rf /etc", "ln -s /bin/rm x; ./x -rf /etc", "command rm -rf /etc",
        "echo /etc | xargs rm -rf", "bash go.sh",
    ],
)  # fmt: skip
def test_nothing_excuses_a_deletion(line: str, program: Program):
    before, after = facts(line), read(line, rm=program)
    assert touched(before) <= touched(after)
    assert traits(before, "rm") <= traits(after, "rm")
    assert before.opaque <= after.opaque


def test_what_it_says_beyond_what_is_known_is_added():
    deploys = Program(subs={"deploy": Program("t/target=host", "read", "cloud/deploys")})
    found = read("git deploy -t box plan.yaml", git=deploys)
    assert [sorted(one.use.traits) for one in found.commands] == [["changes"], ["changes", "cloud/deploys"]]
    assert ("read", "/proj/plan.yaml") in touched(found)
    assert [url.host for url in found.urls] == ["box"]


@pytest.mark.parametrize("line", ["git status", "git log -3", "git push origin main", "git frobnicate"])
def test_forms_that_it_does_not_describe_or_calls_harmless_are_as_they_were(line: str):
    program = Program(subs={"deploy": Program("", "text*", "cloud/deploys"), "status": Program("", "", "read-only")})
    assert read(line, git=program).commands == facts(line).commands


def test_what_runs_by_the_description_is_found_and_what_is_known_stays():
    found = read("tar --hook 'rm -rf /etc' -xf a.tar", tar=Program("hook=shell x f=read", "text*", ""))
    assert ("delete", "/etc") in touched(found)


@pytest.mark.parametrize(
    ("line", "programs"),
    [
        ("sed -n p go.sh; bash go.sh", {"sed": Program("n", "write*", "network")}),
        ('ls; bash -c "ls $V"', {"ls": Program("", "text*", "network")}),
        ("ls > out.sh", {"ls": Program("", "text*", "network downloads")}),
    ],
)
def test_what_is_known_of_the_rest_of_a_line_stays(line: str, programs: dict[str, Program]):
    before, after = facts(line), read(line, **programs)
    assert {one.words for one in before.all_commands} <= {one.words for one in after.all_commands}
    assert set(before.reasons) <= set(after.reasons)
    assert "downloaded" not in before.made.values()
    assert "downloaded" not in after.made.values()


def test_what_is_added_in_a_loop_is_found():
    program = Program(subs={"deploy": Program("", "text*", "cloud/deploys")})
    assert "cloud/deploys" in traits(read("for one in a b; do git deploy; done", git=program), "git")


def test_a_cmdlet_can_be_described_too():
    added = own({"remove-item": Program("", "text*", "database/drops", long=True)})
    found = facts("Remove-Item x", added, tool="PowerShell")
    assert "database/drops" in {trait for one in found.commands for trait in one.use.traits}
    assert touched(facts("Remove-Item x", tool="PowerShell")) <= touched(found)


# --- properties -----------------------------------------------------------------------------------------------------

WORDS = [
    "-r", "-f", "-rf", "--force", "-n", "--dry-run", "-C", "-o", "x", "out/y", ".env", "/etc", "/etc/passwd",
    "~/.ssh/id",
    "https://a.org/x", "localhost", "http://127.0.0.1/x", "--", "-", "$V", "'a b'", "*.txt", "status", "push", "get",
    "delete", "-c", "'rm -rf /data'", "--output=out/z", "-s", "sub", "go.sh", "dev@box:/tmp", "HEAD", "main",
]  # fmt: skip
KNOWN = [
    "rm",
    "git",
    "curl",
    "ls",
    "tar",
    "ln",
    "cp",
    "mv",
    "sed",
    "find",
    "kubectl",
    "ssh",
    "bash",
    "npm",
    "tee",
    "dd",
]
UNKNOWN_NAMES = ["ourctl", "dbtool"]
JOINTS = [" ", "; ", " && ", " | ", " > out.txt; ", " $(", "; bash -c '"]
CLOSES = {" $(": ")", "; bash -c '": "'"}

options = st.lists(
    st.builds(
        lambda name, value, role, effect: name + (value + role if value else "") + effect,
        st.sampled_from(["r", "f", "n", "C", "o/output", "c", "force", "dry-run", "s", "rf", "x/y"]),
        st.sampled_from(["", "=", "?"]),
        st.sampled_from(sorted(ROLES)),
        st.sampled_from(["", "!dry", "!acts", "!forced", "!network"]),
    ),
    max_size=4,
).map(" ".join)
operands = st.builds(
    lambda roles, star, rest: " ".join([*roles, *star, *rest]),
    st.lists(st.sampled_from(sorted(ROLES)), max_size=2),
    st.sampled_from([[], *([f"{role}*"] for role in sorted(ROLES))]),
    st.sampled_from([[], ["argv"], ["shell+"], ["script"]]),
)
some_traits = st.lists(st.sampled_from(["read-only", "elsewhere", "network", *sorted(TRAITS)]), max_size=3).map(
    " ".join
)
some_words = st.lists(st.sampled_from(["", "x", "get", "push", "out/y", ".env", "s*"]), max_size=2).map(tuple)
some_options = st.lists(st.sampled_from(["-r", "-f", "--force", "-n", "--output"]), max_size=2).map(tuple)
clauses = st.builds(
    Clause,
    first=some_words,
    any=some_words,
    option=some_options,
    without=some_options,
    looks=st.booleans(),
    does=st.lists(st.sampled_from(["network", "changes", "elsewhere", "read-only"]), max_size=2).map(tuple),
    drops=st.lists(st.sampled_from(["recursive", "network", "git/publishes"]), max_size=2).map(tuple),
    stdin=st.sampled_from(["data", "shell"]),
    reads=some_words,
    writes=some_words,
    deletes=some_words,
    refs=some_words,
)
services = st.builds(
    Program,
    options=st.just("*"),
    service=st.builds(
        Service,
        st.sampled_from(["cloud", "database", "local"]),
        st.dictionaries(st.sampled_from(["read-only", "changes"]), some_words, max_size=2),
        st.dictionaries(
            st.sampled_from(["-f", "--force"]), st.sampled_from(["forced", "dry", "read-only"]), max_size=1
        ),
        st.booleans(),
    ),
    help=st.just(False),
)
leaves = services | st.builds(
    Program,
    when=st.lists(clauses, max_size=2).map(tuple),
    options=options,
    operands=operands,
    traits=some_traits,
    stdin=st.sampled_from(["data", "args", "shell", "code:python"]),
    stops=st.booleans(),
    long=st.booleans(),
    help=st.booleans(),
)
described = st.recursive(
    leaves,
    lambda inner: st.builds(
        Program,
        options=options,
        traits=some_traits,
        subs=st.dictionaries(st.sampled_from(["status", "push", "get", "delete", "x", "s*"]), inner, max_size=3),
    ),
    max_leaves=4,
)
commands = st.builds(
    lambda before, program, words: " ".join([*before, program, *words]),
    st.sampled_from([[], [], ["sudo"], ["env", "A=1"], ["timeout", "5"]]),
    st.sampled_from([*KNOWN, *UNKNOWN_NAMES, "./ourctl", "/bin/rm", "./wipe", "./tool"]),
    st.lists(st.sampled_from(WORDS), max_size=4),
)


@st.composite
def lines(draw: Any) -> str:
    text, ends = draw(commands), ""
    for _ in range(draw(st.integers(0, 2))):
        joint = draw(st.sampled_from(JOINTS))
        text += joint + draw(commands)
        ends = CLOSES.get(joint, "") + ends
    return text + ends


def bare(command: Command) -> Command:
    """A command without the number of its pipeline, which is only a name."""
    return replace(command, pipeline=0)


def is_within(few: list[Command], many: list[Command]) -> bool:
    """Whether some commands are among others, in the same order."""
    rest = iter(many)
    return all(any(one == other for other in rest) for one in few)


@using(lines(), st.dictionaries(st.sampled_from(KNOWN), described, min_size=1, max_size=3))
@settings(max_examples=400)
def test_whatever_is_said_of_programs_that_are_known_every_fact_of_theirs_is_still_there(
    line: str, programs: dict[str, Program]
):
    before, after = facts(line), read(line, **programs)
    assert is_within([*map(bare, before.all_commands)], [*map(bare, after.all_commands)])
    assert touched(before) <= touched(after)
    assert set(before.all_urls) <= set(after.all_urls)
    assert set(before.reasons) <= set(after.reasons)
    assert set(before.unread) <= set(after.unread)
    assert set(before.ran) <= set(after.ran)
    assert set(before.secrets) <= set(after.secrets)
    assert before.opaque <= after.opaque
    assert after.plain <= before.plain


@using(lines(), st.dictionaries(st.sampled_from(UNKNOWN_NAMES), described, min_size=1))
@settings(max_examples=400)
def test_whatever_is_said_of_programs_that_nobody_knows_no_path_of_the_call_gets_lost(
    line: str, programs: dict[str, Program]
):
    before, after = facts(line), read(line, **programs)
    assert {path for _, path in touched(before)} <= {path for _, path in touched(after)}
    assert {one.words for one in before.all_commands} <= {one.words for one in after.all_commands}
    assert set(before.all_urls) <= set(after.all_urls)
    assert {use.path for use in before.paths if use.write} <= {use.path for use in after.paths if use.write}


@using(lines(), st.sets(st.sampled_from([*KNOWN, *UNKNOWN_NAMES]), min_size=1), st.data())
@settings(max_examples=400)
def test_a_watch_reads_as_if_there_were_no_descriptions_and_meets_all_that_could_matter(
    line: str, names: set[str], data: st.DataObject
):
    watch = ProgramWatch(spellings(frozenset(names)))
    before, seen = facts(line), facts(line, watch)
    assert seen.all_commands == before.all_commands
    assert touched(seen) == touched(before)
    assert seen.reasons == before.reasons
    _ = seen.parts
    unmet = names - watch.met
    programs = {name: data.draw(described) for name in sorted(unmet)}
    if programs:
        assert read(line, **programs).all_commands == before.all_commands


@pytest.mark.parametrize(
    ("name", "known"),
    [("rm", True), ("/bin/rm", True), ("python3.12", True), ("ourctl", False), ("./test", False), ("\0", False)],
)
def test_a_program_is_known_if_it_has_a_table(name: str, known: bool):
    assert is_known(name) == known
