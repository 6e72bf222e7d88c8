"""Drafts of descriptions from help texts: a fictional `ourctl`, as each kind of library would print its help.

`python -m tests.imports.test_help_drafts` writes the drafts anew; read the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from interlock.errors import InterlockError
from interlock.imports.help.draft import draft_program
from interlock.imports.help.draft_cases import read_draft
from interlock.imports.help.lines import clean_lines, entries_in
from interlock.imports.help.options import HelpOption, option_of_entry
from interlock.imports.help.page import read_pages
from interlock.imports.help.roles import guess_flag, guess_value
from interlock.imports.help.verbs import guess_subject, guess_verb, traits_for
from interlock.policy.programs.cases import case_errors
from interlock.policy.programs.families import reading

FOLDER = Path(__file__).parent / "help"
STYLES = sorted(file.stem for file in FOLDER.glob("*.txt"))


def draft_of(style: str) -> str:
    return draft_program("ourctl", [(FOLDER / f"{style}.txt").read_text(encoding="utf-8")])


@pytest.mark.parametrize("style", STYLES)
def test_a_help_text_becomes_this_draft(style: str):
    assert draft_of(style) == (FOLDER / f"{style}.yaml").read_text(encoding="utf-8")


def test_pages_in_several_files_are_one_description():
    whole = (FOLDER / "several-pages.txt").read_text(encoding="utf-8")
    env, rm = whole.index("Manage environments.\n\nUsage"), whole.index("Remove an environment for good.")
    parted = draft_program("ourctl", [whole[rm:], whole[:env], whole[env:rm]])
    assert yaml.safe_load(parted) == yaml.safe_load(whole_draft := draft_of("several-pages"))
    assert len(parted.splitlines()) == len(whole_draft.splitlines())


# --- one line of options -----------------------------------------------------------------------------------------


def option_in(text: str, *, choices_needed: bool = False) -> list[HelpOption]:
    (entry,) = entries_in(clean_lines(text))
    return option_of_entry(entry, choices_needed=choices_needed)


@pytest.mark.parametrize(
    ("text", "names", "value", "metavar"),
    [
        ("-v", ("v",), "", ""),
        ("-o FILE", ("o",), "=", "FILE"),
        ("-o, --output FILE   write", ("o", "output"), "=", "FILE"),
        ("-o FILE, --output FILE  write", ("o", "output"), "=", "FILE"),
        ("-o <file>, --output <file>  write", ("o", "output"), "=", "file"),
        ("-o file, --output file  write", ("o", "output"), "=", "file"),
        ("-o, --output=FILE  write", ("o", "output"), "=", "FILE"),
        ("-o|--output FILE  write", ("o", "output"), "=", "FILE"),
        ("-o/--output FILE  write", ("o", "output"), "=", "FILE"),
        ("-o or --output FILE  write", ("o", "output"), "=", "FILE"),
        ("-t,  --tries=NUMBER   how often", ("t", "tries"), "=", "NUMBER"),
        ("-h --host HOST  where", ("h", "host"), "=", "HOST"),
        ("--color[=WHEN]  colours", ("color",), "?", "WHEN"),
        ("--color[=<WHEN>]  colours", ("color",), "?", "WHEN"),
        ("--depth [levels]  how deep", ("depth",), "?", "levels"),
        ("-I<dir>  look there", ("I",), "?", "dir"),
        ("--name string   the name", ("name",), "=", "string"),
        ('--tail string[="all"]   lines', ("tail",), "?", "string"),
        ("--all=false: every one", ("all",), "", ""),
        ("--name='': which", ("name",), "=", ""),
        ("-f, --filename=[]: which", ("f", "filename"), "=", ""),
        ("--verbose...  more", ("verbose",), "", ""),
        ("--host=[USER@]HOST  where", ("host",), "=", "USER@]HOST"),
        ("--file FILE [FILE ...]  which", ("file",), "=", "FILE"),
        ("-n, [--name=NAME]  # which", ("n", "name"), "=", "NAME"),
        ("--name  which   [string] [required]", ("name",), "=", ""),
        ("--name  which   [boolean]", ("name",), "", ""),
        ("--shelf {a,b}  which", ("shelf",), "=", "a,b"),
        ("* --name  -n  TEXT  which", ("name", "n"), "", ""),
        ("--recursive=FALSE|TRUE  go into boxes", ("recursive",), "", ""),
        ("-L, --files <shelf>...  list them", ("L", "files"), "?", "shelf"),
        # Near misses: words of an explanation are not a value, so what follows stays visible.
        ("-v verbose", ("v",), "", ""),
        ("-f force the removal", ("f",), "", ""),
        ("--quiet  Be quiet", ("quiet",), "", ""),
        ("--fast SSL without checks", ("fast",), "?", "SSL"),
        ("-n NUM how many", ("n",), "=", "NUM"),
    ],
)
def test_an_option_of_a_help_text_is_read(text: str, names: tuple[str, ...], value: str, metavar: str):
    (found,) = option_in(text)
    assert (found.names, found.value, found.metavar) == (names, value, metavar)


def test_choices_are_a_needed_value_only_where_the_library_means_it_so():
    assert [one.value for one in option_in("--format [json|yaml]  how")] == ["?"]
    assert [one.value for one in option_in("--format [json|yaml]  how", choices_needed=True)] == ["="]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("--force / --no-force  ask", [("force",), ("no-force",)]),
        ("--[no-]force  ask", [("force",), ("no-force",)]),
        ("-f, [--force], [--no-force]  # ask", [("f", "force"), ("no-force",)]),
        ("-p, --style=slash  add a slash", [("p",), ("style",)]),
        ("-amin N -anewer FILE -atime N", [("amin",), ("anewer",), ("atime",)]),
    ],
)
def test_options_that_are_two_are_kept_apart(text: str, words: list[tuple[str, ...]]):
    assert [one.names for one in option_in(text)] == words


@pytest.mark.parametrize("text", ["- a bullet", "-- nothing", "--", "-", "– a dash"])
def test_a_dash_alone_is_not_an_option(text: str):
    assert [page.options for page in read_pages("ourctl", text)] == [[]]


def test_a_sentence_that_breaks_before_an_option_does_not_define_it():
    text = "DESCRIPTION\n       Copies everything, unless you say\n       --only and name a part.\n"
    assert [page.options for page in read_pages("ourctl", text)] == [[]]


@pytest.mark.parametrize(
    ("usage", "value"), [("[-d NAME]", "="), ("-d NAME", ""), ("[-d|--drop NAME]", "="), ("--drop NAME", "")]
)
def test_a_word_behind_an_option_of_a_usage_line_is_its_value_only_in_one_bracket(usage: str, value: str):
    (page,) = read_pages("ourctl", f"usage: ourctl {usage}\n")
    assert {option.value for option in page.options} == {value}


def test_a_list_of_options_in_brackets_is_read_like_a_usage_line():
    (page,) = read_pages(
        "ourctl", "Options:\n[--json] [-w|--work <name>]\n\n  --json\n    Print JSON.\n\n  -w|--work\n    Where.\n"
    )
    assert {option.names: (option.value, option.text) for option in page.options} == {
        ("json",): ("", "Print JSON."),
        ("w", "work"): ("=", "Where."),
    }


def test_a_sentence_about_commands_is_not_a_heading():
    usage = "Usage: ourctl [OPTION]... FILE...\nRemove FILEs.\n\n"
    (page,) = read_pages("ourctl", usage + "For a name with a dash,\nuse one of these commands:\n  ourctl -- -x\n")
    assert page.commands == []


# --- guesses are on the safe side ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "text", "traits"),
    [
        ("list", "List the shelves", "read-only"),
        ("list", "", "read-only"),
        ("shelf list", "", "read-only"),
        ("get pods", "", "read-only"),
        ("status", "Shows what is there", "read-only"),
        ("check", "Verify the shelves", "read-only"),
        ("logs", "Print logs and events", "read-only"),
        ("describe", "Show details of releases, tags and updates", "read-only"),
        # A name that only looks, and a help that says more.
        ("list", "Add an entry to the list", "changes"),
        ("show", "Show or set the price", "changes"),
        ("get", "Download a plan", "changes"),
        ("view", "View, add and remove entries", "changes told-to-delete"),
        ("info", "Shows and deletes the cache", "changes told-to-delete"),
        ("inspect", "Inspect and manage the cache", "changes"),
        # Words that look elsewhere, and may do anything here.
        ("test", "", "changes"),
        ("fmt", "", "changes"),
        ("plan", "Make a plan", "changes"),
        ("install-test", "", "changes installs-package"),
        ("format-label", "", "changes"),
        ("shelf-info", "", "changes"),
        ("shelf-info", "Display the shelf", "read-only"),
        ("version", "", "changes"),
        ("version", "Show the version", "read-only"),
        ("price", "Displays a price. With -s, sets it.", "changes"),
        ("query", "", "changes"),
        # A name that says nothing.
        ("shelves", "List shelves", "changes"),
        ("frob", "", "changes"),
        ("frob", "Frobnicates the shelf", "changes"),
        ("frob", "Removes a shelf", "changes told-to-delete"),
        # A help that hints at more than looking, or says something else.
        ("show", "Show a shelf; with --fix it is repaired", "changes"),
        ("get", "Get a lock, releasing the old one", "changes"),
        ("search", "Reindexes and searches", "changes"),
        ("status", "Print the status, then send it to head office", "changes"),
        ("top", "Move to the top", "changes"),
        ("read", "Mark as read", "changes"),
        ("info", "Information; removes stale entries", "changes told-to-delete"),
        ("inspect", "Return what is known of a shelf", "read-only"),
        ("tidy", "Automatically remove old goods", "changes told-to-delete"),
        # Taking away, ending, and the rest.
        ("delete", "", "changes told-to-delete"),
        ("rm", "", "changes told-to-delete"),
        ("sites:delete", "", "changes told-to-delete"),
        ("clean", "", "changes told-to-delete"),
        ("stop", "Stop the till", "changes"),
        ("branch", "List, create, or delete branches", "changes told-to-delete"),
        ("apply", "Show the plan", "changes"),
        ("login", "", "changes signs-in"),
        ("secret get", "", "read-only reads-secret"),
        ("secret set", "", "changes writes-secret"),
    ],
)
def test_a_subcommand_only_looks_if_nothing_speaks_against_it(words: str, text: str, traits: str):
    path = tuple(words.split())
    assert traits_for(path, guess_verb(path, text), "") == traits


def test_a_noun_only_looks_if_its_own_page_shows_that_it_has_no_subcommands():
    assert guess_verb(("shelves",), "List shelves", is_leaf=True).kind == "looks"
    assert guess_verb(("shelves",), "List or drop shelves", is_leaf=True).kind == "deletes"


@pytest.mark.parametrize(
    ("names", "metavar", "text", "role"),
    [
        ("o/output", "FILE", "Write to FILE", "write"),
        ("output", "string", "Output format, one of json or yaml", "text"),
        ("output", "string", "", "write"),
        ("output-dir", "DIR", "Where results go", "within"),
        ("config", "FILE", "Settings", "read"),
        ("config", "FILE", "Settings; they are saved there too", "edit"),
        ("log-file", "PATH", "", "write"),
        ("file", "FILE", "", "edit"),
        ("file", "FILE", "Read goods from FILE", "read"),
        ("cache", "DIR", "", "edit"),
        ("C/directory", "DIR", "Change to DIR before doing anything", "base"),
        ("attach", "FILE", "Attach a file to the order", "send"),
        ("plan", "string", "path or URL of the plan", "fetch"),
        ("server", "URL", "", "url"),
        ("host", "string", "Shop to talk to", "host"),
        ("exec", "CMD", "Run this for each shelf", "shell"),
        ("editor", "PROGRAM", "", "program"),
        ("python", "PYTHON", "Run with this interpreter", "program"),
        ("n/namespace", "string", "Part of the shop", "text"),
        ("limit", "INTEGER", "How many files", "text"),
        ("level", "{low,high}", "", "text"),
    ],
)
def test_a_value_plays_a_role_that_hides_nothing(names: str, metavar: str, text: str, role: str):
    assert guess_value(tuple(names.split("/")), metavar, text).role == role


@pytest.mark.parametrize(
    ("names", "text", "effects"),
    [
        ("n/dry-run", "only show what would happen", ("dry",)),
        ("no-dry-run", "really do it", ()),
        ("dry-clean", "", ()),
        ("f/force", "", ("forced",)),
        ("f", "force it", ("forced",)),
        ("y/yes", "", ("forced",)),
        ("no-force", "", ()),
        ("k/insecure", "", ("insecure",)),
        ("R/recursive", "", ("recursive",)),
        ("prune", "", ("acts", "told-to-delete")),
        ("x", "Remove what is left over", ("acts", "told-to-delete")),
        ("fix", "", ("acts",)),
        ("i/in-place", "", ("acts",)),
        ("no-cache", "Disable the cache", ()),
        ("q/quiet", "Disable messages", ()),
        ("w/wide", "Show more columns", ()),
        ("ext", "Let an external helper be executed", ("acts",)),
    ],
)
def test_a_switch_has_these_effects(names: str, text: str, effects: tuple[str, ...]):
    assert guess_flag(tuple(names.split("/")), text, "").effects == effects


def test_what_a_program_works_on_is_believed_only_if_its_help_often_says_so():
    cluster = ["List pods", "Drain a node", "Show the cluster"]
    assert guess_subject(cluster) == "cluster"
    assert guess_subject(cluster[:2]) == ""
    assert guess_subject(["Open the shop"] * 20 + cluster) == ""
    assert guess_subject(["List environments", "Remove an environment", "Add an environment"]) == ""
    assert guess_subject([]) == ""


# --- whatever the text is ------------------------------------------------------------------------------------------

_WORDS = st.sampled_from(
    [
        "usage:", "Usage", "ourctl", "Commands:", "Options:", "COMMANDS", "list", "get", "delete", "env", "rm", "-v",
        "-n", "--name", "--out=FILE", "[options]", "<file>", "FILE", "...", "[", "]", "{a,b}", "(x|y)", "|", ",", "  ",
        "\t", "\n", "\n\n", "\n  ", "\n    ", "\x1b[1m", "│",
        "╭─ Options ─╮", "-", "--", "#", ": ", "'", '"', "&x", "*",
        "!tag",
        "yes", "on", "1", "~", "\u2028", "é", "\x00", "List the shelves", "Remove it and", "[default: 3]", "[string]",
        "-I<dir>", "--[no-]x", "%YAML", "---", "? ", "- a", "@x", "`y`", "aliases:", "help", "version", "-NUM", "a:b",
        "<<",
    ]
)  # fmt: skip


def check_draft(text: str) -> None:
    """The draft is a description without errors, whose cases hold."""
    descriptions = read_draft(draft_program("ourctl", [text]))
    assert [one.names for one in descriptions] == [("ourctl",)]
    use_of = reading(descriptions)
    for case in descriptions[0].cases:
        assert [error.render() for error in case_errors(case, use_of)] == []


@pytest.mark.parametrize("style", STYLES)
def test_a_draft_is_a_description_without_errors_whose_cases_hold(style: str):
    check_draft((FOLDER / f"{style}.txt").read_text(encoding="utf-8"))


@given(st.lists(_WORDS, max_size=60).map(lambda words: " ".join(words).replace("\n ", "\n")))
def test_every_text_becomes_a_draft_that_loads(text: str):
    check_draft(text)


@given(st.data())
def test_a_help_text_that_is_damaged_becomes_a_draft_that_loads(data: st.DataObject):
    lines = (FOLDER / f"{data.draw(st.sampled_from(STYLES))}.txt").read_text(encoding="utf-8").splitlines()
    more = (FOLDER / f"{data.draw(st.sampled_from(STYLES))}.txt").read_text(encoding="utf-8").splitlines()
    for _ in range(data.draw(st.integers(0, 6))):
        at = data.draw(st.integers(0, len(lines) - 1))
        line = data.draw(st.sampled_from([lines[at].strip(), *more]))
        cut = data.draw(st.integers(0, len(line)))
        lines[at : at + data.draw(st.integers(0, 1))] = [line[:cut] + data.draw(_WORDS) + line[cut:]]
    check_draft("\n".join(lines))


@pytest.mark.parametrize(
    "listed",
    ["Commands:\n  env   Manage environments\n", "List and show our shelves.\n", ""],
    ids=["groups", "prose", "-"],
)
def test_a_program_whose_subcommands_are_not_known_may_do_anything(listed: str):
    text = f"Usage: ourctl COMMAND [flags]\n\n{listed}"
    (found,) = read_draft(draft_program("ourctl", [text]))
    use_of = reading([found])
    for words in (("env", "delete", "x"), ("list",), ()):
        assert "read-only" not in use_of("ourctl", words).traits
        assert "told-to-delete" in use_of("ourctl", words).traits


@pytest.mark.parametrize(
    ("usage", "about", "operands", "case"),
    [
        ("[OPTION] COMMAND [ARG]...", "Run COMMAND with less noise.", "argv", "ourctl ls"),
        ("HOST COMMAND [ARG]...", "Executes a command there.", "host argv", "ourctl example.com ls"),
        ("[OPTION] COMMAND [ARG]...", "Keeps the books.", "text*", "ourctl ls"),
    ],
)
def test_a_program_that_is_for_running_commands_runs_the_rest(usage: str, about: str, operands: str, case: str):
    (found,) = read_draft(draft_program("ourctl", [f"Usage: ourctl {usage}\n{about}\n"]))
    assert (found.program.operands, [one.command for one in found.cases]) == (operands, [case])


def test_groups_are_left_out_until_their_own_page_is_given():
    synopsis = "SYNOPSIS\n    ourctl GROUP | COMMAND [--all]\n\n"
    groups = "GROUPS\n    GROUP is one of the following:\n\n     shelf\n        Shelves.\n\n"
    commands = "COMMANDS\n    COMMAND is one of the following:\n\n     info\n        Display what is there.\n"
    draft = draft_program("ourctl", [synopsis + groups + commands])
    assert "`ourctl shelf` seems to have subcommands of its own: add the text of `ourctl shelf --help`" in draft
    assert [list(entry["does"].values()) for entry in yaml.safe_load(draft)["programs"].values()] == [[["info", ""]]]


@pytest.mark.parametrize("style", STYLES)
def test_a_subcommand_that_a_draft_does_not_list_is_never_taken_for_looking(style: str):
    (found,) = read_draft(draft_of(style))
    use = reading([found])("ourctl", ("frobnicate", "x"))
    assert "read-only" not in use.traits
    assert use.traits or not found.program.subs


@given(st.text(max_size=400))
def test_any_text_at_all_becomes_a_draft_that_loads(text: str):
    check_draft(text)


@pytest.mark.parametrize("name", ["./ourctl", "/usr/bin/ourctl", "our ctl", "", "-x", "a/b"])
def test_a_description_is_for_a_bare_name(name: str):
    with pytest.raises(InterlockError, match="bare name"):
        draft_program(name, ["usage: ourctl"])


@pytest.mark.parametrize("name", ["test", "interlock", "for"])
def test_a_name_that_no_policy_may_describe_is_refused(name: str):
    with pytest.raises(InterlockError, match=f"`{name}` is "):
        draft_program(name, ["usage: x"])


if __name__ == "__main__":
    for one in STYLES:
        (FOLDER / f"{one}.yaml").write_text(draft_of(one), encoding="utf-8")
