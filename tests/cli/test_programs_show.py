"""`interlock programs show` and `list`: what is known of programs, in words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.shell_completion import ZshComplete
from msgspec import structs

from interlock.cli import main, program_files
from interlock.cli.program_account import account_of
from interlock.cli.program_files import families, place_and_cases
from interlock.cli.program_text import account_lines
from interlock.facts.programs import lexicon
from interlock.facts.programs.lexicon import entries
from interlock.facts.programs.table import Clause, Program
from interlock.policy.programs.families import module_of, read_families
from tests.lint.project import Project

SHOPS = """\
# What our shops are run with: ourctl, tidy,
# shop-cloud.

ourctl octl:
  about: Runs the shops.
  options: [n/shop=, o/output=write, k/insecure!insecure, dry-run!dry]
  does:
    read-only: [""]
    read-only network: [get, list, shelf show]
    cluster/changes network: [apply]
    cluster/deletes network: [destroy, shelf rm]
  forms:
    run:
      options: [env-file=read]
      operands: text argv
      does: cluster/runs
  cases:
    ourctl get shelves: read-only
    ourctl list: read-only
    ourctl -n north destroy: cluster/deletes
    ourctl run till -- ls /: cluster/runs, runs ls /

tidy:
  options: [v/verbose, q/quiet, w/write]
  operands: text read* write
  does: changes
  stdin: shell
  when:
    - {first: [list, ""], looks: true}
    - {option: [-w, --write], does: forced, operands: write*}

shop-cloud:
  service: cloud
  options: [yes!forced]
  does: {cloud/deploys: [ship it]}
"""
TOOLS = "# Small tools.\n\ncutter: {operands: read*, does: read-only}\n"

OURCTL = """\
ourctl  also octl

About     Runs the shops.

Family    shops

Does      It only looks. [read-only]
              (no subcommand), get, list, shelf show

          It changes a cluster's objects. [cluster/changes]
              apply

          It deletes a cluster's objects, or drains a node. [cluster/deletes]
              destroy, shelf rm

          It runs commands in a cluster. [cluster/runs]
              run

          It talks to other machines [network]: get, list, apply and 3 more.

Options   With these options, it
          - only rehearses, or shows a text: --dry-run
          - writes the file: -o/--output
          - switches off the verification of certificates, signatures or host
            keys: -k/--insecure
          - reads the file: --env-file (run)
          Its other option adds nothing.
          With an option that Interlock does not know, a command no longer
          counts as one that only looks, unless its subcommand takes any option.

Examples  ourctl get shelves       read-only
          ourctl list              read-only
          ourctl -n north destroy  cluster/deletes
          ourctl run till -- ls /  cluster/runs, runs ls /

          Described in programs/shops.yaml, line 4, with 4 cases.
          One subcommand alone: interlock programs show "ourctl run"
"""
RUN = """\
ourctl run

Family    shops

Does      It runs commands in a cluster. [cluster/runs]

Words     Of its words, the first is a plain word; the rest is a command that it
          runs.

Options   With these options, it
          - only rehearses, or shows a text: --dry-run
          - writes the file: -o/--output
          - switches off the verification of certificates, signatures or host
            keys: -k/--insecure
          - reads the file: --env-file
          Its other option adds nothing.
          With an option that Interlock does not know, a command no longer
          counts as one that only looks.

Examples  ourctl run till -- ls /  cluster/runs, runs ls /

          Described in programs/shops.yaml, line 4, with 1 case for this
          subcommand.
"""
TIDY = """\
tidy

Family    shops

Does      It changes something that no other trait names. [changes]

Words     Of its words, the first is a plain word; the others are files that it
          reads; the last is a file that it writes.

Input     It runs its input as shell commands.

Options   It has 3 options, which add nothing by themselves.
          With an option that Interlock does not know, a command no longer
          counts as one that only looks.

When      With `list` as its first word or without a word: it only looks.
          With `-w` or `--write`: it is told not to ask, or to override a
          protection; its words are files that it writes.

          Described in programs/shops.yaml, line 23, with no cases.
"""
CLOUD = """\
shop-cloud

Family    shops

Does      Its words are groups, a verb and names, and its verbs are understood
          by themselves: `list` or `show` only looks, `create` or `update`
          changes and `delete` deletes cloud resources. Only words that mean
          something else are listed below.

          It changes what runs for others: a release, its size, its data, where
          its traffic goes. [cloud/deploys]
              ship it

Options   With these options, it
          - is told not to ask, or to override a protection: --yes
          Every other option adds nothing to what it does.

          Described in programs/shops.yaml, line 32, with no cases.
"""
LIST = """\
family  names  programs
shops       4  What our shops are run with: ourctl, tidy, shop-cloud.
tools       1  Small tools.

2 families with 5 names of programs, in 4 descriptions; 1 of these have cases,
which are tried on every change. See a family with `interlock programs list
NAME`, a program with `interlock programs show NAME`.
"""
FAMILY = """\
What our shops are run with: ourctl, tidy, shop-cloud.

ourctl, octl  Runs the shops.
shop-cloud    its verbs decide (cloud)
tidy          changes

* its options and words are looked at closely, and may make it do more or less
3 descriptions, 1 of them with cases
"""
POLICY = """\
version: 1
programs:
  till: {about: Opens the till., does: {changes: [open], read-only: [count]}, cases: {till count: read-only}}
  cutter: {does: {forced: [hack]}}
rules: []
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("COLUMNS", "80")
    return Project(tmp_path, monkeypatch)


@pytest.fixture
def shops(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project where Interlock has two families of its own, so that whole outputs can be asserted."""
    folder = tmp_path / "programs"
    folder.mkdir()
    files = {"shops.yaml": SHOPS.encode(), "tools.yaml": TOOLS.encode()}
    for name, text in files.items():
        (folder / name).write_bytes(text)
    module: dict[str, bytes] = {}
    exec(module_of(read_families(files)), module)
    monkeypatch.setattr(program_files, "FAMILIES", folder)
    monkeypatch.setattr(lexicon, "INDEX", module["INDEX"])
    monkeypatch.setattr(lexicon, "ENTRIES", module["ENTRIES"])
    monkeypatch.setattr(lexicon, "_KEPT", {})
    monkeypatch.setattr(lexicon, "_PLACES", {})
    return project


@pytest.mark.parametrize(
    ("name", "text"),
    [("ourctl", OURCTL), ("ourctl run", RUN), ("tidy", TIDY), ("shop-cloud", CLOUD)],
    ids=["subcommands", "one subcommand", "words", "service"],
)
def test_show_says_what_is_known_of_a_program(shops: Project, name: str, text: str):
    result = shops.run("programs", "show", name)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == text


def test_another_name_shows_the_same_program(shops: Project):
    renamed = OURCTL.replace("ourctl  also octl", "octl  also ourctl").replace('show "ourctl run"', 'show "octl run"')
    assert shops.run("programs", "show", "octl").stdout == renamed
    assert shops.run("programs", "show", "TIDY").stdout == TIDY


def test_list_shows_families_and_the_programs_of_one(shops: Project):
    assert shops.run("programs", "list").stdout == LIST
    assert shops.run("programs", "list", "shops").stdout == FAMILY


def test_a_narrow_terminal_gets_the_programs_of_a_family(shops: Project, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "50")
    assert shops.run("programs", "list").stdout.splitlines()[:3] == [
        "family  names  programs",
        "shops       4  ourctl, tidy, shop-cloud.",
        "tools       1  Small tools.",
    ]


def test_json_has_the_same_as_data(shops: Project):
    whole = json.loads(shops.run("programs", "show", "ourctl run", "--json").stdout)
    (found,) = whole["descriptions"]
    assert whole["name"] == "ourctl run"
    assert found["does"] == [
        {"trait": "cluster/runs", "means": "It runs commands in a cluster.", "forms": [], "closer": []}
    ]
    assert (found["layer"], found["used"], found["line"]) == ("shipped", True, 4)
    assert found["cases"] == [{"command": "ourctl run till -- ls /", "expected": ["cluster/runs", "runs ls /"]}]
    listed = json.loads(shops.run("programs", "list", "--json").stdout)
    assert listed == {
        "families": [
            {"family": "shops", "about": "What our shops are run with: ourctl, tidy, shop-cloud.",
             "descriptions": 3, "names": 4, "with_cases": 1},
            {"family": "tools", "about": "Small tools.", "descriptions": 1, "names": 1, "with_cases": 0},
        ],
        "own": [],
    }  # fmt: skip
    assert json.loads(shops.run("programs", "list", "tools", "--json").stdout) == [
        {"names": ["cutter"], "about": "", "cases": 0, "does": ["read-only"]}
    ]


@pytest.mark.parametrize(
    ("words", "stderr"),
    [
        (
            ("show", "ourctrl"),
            "error: Interlock knows nothing of `ourctrl`\n"
            "help: did you mean `ourctl`? If not, describe it yourself: "
            "ourctrl --help 2>&1 | interlock programs draft ourctrl\n",
        ),
        (
            ("show", "wholly-other"),
            "error: Interlock knows nothing of `wholly-other`\n"
            "help: describe it yourself: wholly-other --help 2>&1 | interlock programs draft wholly-other\n",
        ),
        (
            ("show", "ourctl aply"),
            "error: `ourctl` has no subcommand `aply` that Interlock knows\nhelp: did you mean `apply`?\n",
        ),
        (
            ("show", "ourctl shelf zzz"),
            "error: `ourctl shelf` has no subcommand `zzz` that Interlock knows\n"
            'help: `interlock programs show "ourctl shelf"` lists those that it knows\n',
        ),
        (("list", "shop"), "error: there is no family `shop`\nhelp: did you mean `shops`?\n"),
        (
            ("list", "tidy"),
            "error: there is no family `tidy`\nhelp: `tidy` is a program: interlock programs show tidy\n",
        ),
    ],
)
def test_an_unknown_name_is_answered_with_what_to_do(shops: Project, words: tuple[str, ...], stderr: str):
    result = shops.run("programs", *words)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", stderr)


# --- descriptions of policies --------------------------------------------------------------------------------------


def test_a_program_that_a_policy_describes_is_shown_with_its_place(shops: Project):
    shops.write(POLICY)
    shops.trust()
    assert shops.run("programs", "show", "till").stdout == (
        "till\n"
        "\n"
        "About     Opens the till.\n"
        "\n"
        "Does      It only looks. [read-only]\n"
        "              count\n"
        "\n"
        "          It changes something that no other trait names. [changes]\n"
        "              open\n"
        "\n"
        "Options   Every other option adds nothing to what it does.\n"
        "\n"
        "Examples  till count  read-only\n"
        "\n"
        "          Described in interlock.yaml:3 (the project's policy), with 1 case.\n"
        '          One subcommand alone: interlock programs show "till open"\n'
    )
    assert shops.run("programs", "list").stdout == (
        "till    interlock.yaml:3 (the project's policy)\ncutter  interlock.yaml:4 (the project's policy)\n\n" + LIST
    )


def test_a_program_that_a_policy_describes_too_is_shown_as_both_have_it(shops: Project):
    shops.write(POLICY)
    shops.trust()
    text = shops.run("programs", "show", "cutter").stdout
    both = "\nIt is described in a policy too, and everything that either description finds counts:\n"
    shipped, _, own = text.partition(both)
    assert "Described in programs/tools.yaml, line 3, with no cases." in shipped
    assert "Described in interlock.yaml:4 (the project's policy), with no cases." in own
    assert "cutter  only looks; also in interlock.yaml:4\n" in shops.run("programs", "list", "tools").stdout
    assert "hack" in shops.run("programs", "show", "cutter hack").stdout


def test_a_description_of_a_policy_that_nobody_trusted_is_said_not_to_be_used(shops: Project):
    shops.write(POLICY)
    shown = shops.run("programs", "show", "till").stdout
    assert (
        "          The policy is not trusted, so this description is not used: see\n          `interlock trust`.\n"
        in shown
    )
    first = shops.run("programs", "list").stdout.splitlines()[0]
    assert first == "till    interlock.yaml:3 (the project's policy), not used until you trust it: `interlock trust`"
    data = json.loads(shops.run("programs", "list", "--json").stdout)["own"][0]
    assert (data["names"], data["layer"], data["used"], data["cases"]) == (["till"], "project", False, 1)


def test_a_policy_that_is_named_is_used_alone(shops: Project):
    shops.write(POLICY, "other.yaml")
    assert shops.run("programs", "show", "till").exit_code == 1
    assert "(the policy that was named)" in shops.run("programs", "show", "till", "--policy", "other.yaml").stdout


def test_a_broken_policy_does_not_hide_what_is_shipped(shops: Project):
    shops.write("rules: [")
    result = shops.run("programs", "show", "tidy")
    assert (result.exit_code, result.stdout) == (0, TIDY)
    assert result.stderr == (
        "warning: interlock.yaml has errors, so what policies describe is not shown; run `interlock check`\n"
    )
    assert shops.run("programs", "show", "tidy", "--policy", "interlock.yaml").exit_code == 1


# --- every shipped program -------------------------------------------------------------------------------------------

# Words of Interlock's code and of Python, which say nothing to a person who reads about a program.
JARGON = re.compile(r"\b(?:None|True|False|Struct|UseDraft|operands?|lambda|tuple)\b|<function|\x00|\\0")


def test_every_shipped_program_is_shown_without_jargon_and_within_the_width(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "80")
    wrong = {}
    for entry in entries():
        text = "\n".join(account_lines(account_of(entry.program), entry.about, entry.family, (), [""]))
        plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
        long = [line for line in plain.splitlines() if len(line) > 80 and " " in line.strip()]
        if "Does      " not in plain or JARGON.search(plain) or long:
            wrong[entry.names] = plain
    assert wrong == {}


def forms_in(program: Program) -> list[Program]:
    return [program, *(form for sub in program.subs.values() for form in forms_in(sub))]


def test_every_form_of_every_program_has_an_account_that_says_something():
    for entry in entries():
        for form in forms_in(entry.program):
            account = account_of(form)
            assert account.does or account.service, entry.names
            assert all(group.means.endswith(".") for group in account.does), entry.names


@pytest.mark.parametrize("family", [one.name for one in families()])
def test_every_family_says_what_it_is_about_and_its_cases_are_found(family: str):
    found = next(one for one in families() if one.name == family)
    assert found.about.endswith(".")
    with_cases = next((one for one in found.entries if one.cases), None)
    if with_cases is not None:
        place, cases = place_and_cases(with_cases)
        assert (Path(place.file).stem, len(cases)) == (family, with_cases.cases)


def test_every_condition_and_effect_of_a_clause_is_put_into_words():
    """A field that the language gets and this page forgets would be found here."""
    values = {"name": ("zz",), "first": ("zz",), "any": ("zz",), "option": ("--zz",), "every": ("--zz",),
              "without": ("--zz",), "value": {"--zz": ("a",)}, "other": {"--zz": ("a",)}, "words": 7, "looks": True,
              "does": ("kills",), "drops": ("kills",), "operands": "read*", "stdin": "shell", "reads": ("zz",),
              "writes": ("zz",), "creates": ("zz",), "deletes": ("zz",), "refs": ("zz",)}  # fmt: skip
    plain = Clause(name=("prog",), does=("reboots",))
    (before,) = account_of(Program(when=(plain,))).conditions
    for name in Clause.__struct_fields__:
        (text,) = account_of(Program(when=(structs.replace(plain, **{name: values[name]}),))).conditions
        assert text != before, name
        assert "\x00" not in text


# --- completion ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "start", "offered"),
    [
        ("show", "our", ["ourctl"]),
        ("show", "ourctl sh", ["ourctl shelf"]),
        ("show", "nothing", []),
        ("show", "nothing x", []),
        ("list", "s", ["shops"]),
        ("list", "x", []),
    ],
)
def test_names_are_completed(shops: Project, command: str, start: str, offered: list[str]):
    complete = ZshComplete(main, {}, "interlock", "_INTERLOCK_COMPLETE")
    assert [item.value for item in complete.get_completions(["programs", command], start)] == offered
