"""What an entry says of a program: options, operands, subcommands, clauses, likenesses and services."""

from __future__ import annotations

import pytest

from interlock.facts.programs import program_of
from interlock.facts.programs.table import Clause, Program, Service
from interlock.facts.programs.use import Nested
from tests.policy.programs.reading import complaints, described, use

OURCTL = """
ourctl our:
  about: Deploys our services.
  leading: [C=base]
  options: [n/namespace=, o/output=write, dry-run!dry, f/force!forced]
  does:
    read-only: ["", get, list, logs, config view]
    cluster/changes: [apply, scale, config *]
    cluster/deletes: [destroy, env rm]
    cloud/runs: ["*"]
  forms:
    exec: {options: [t/tty], operands: text argv, does: cluster/runs}
    push: {options: [k/key=read], operands: send* host, does: network}
"""


@pytest.mark.parametrize(
    ("command", "traits"),
    [
        ("ourctl", "read-only"),
        ("our get pods", "read-only"),
        ("ourctl -n prod get pods", "read-only"),
        ("ourctl get pods -n prod --wide", "read-only"),
        ("ourctl destroy web", "cluster/deletes"),
        ("ourctl -n prod destroy web", "cluster/deletes"),
        ("ourctl destroy web --force", "cluster/deletes forced"),
        ("ourctl destroy web --dry-run", "read-only"),
        ("ourctl env rm web", "cluster/deletes"),
        ("ourctl config view", "read-only"),
        ("ourctl config set x", "cluster/changes"),
        ("ourctl whatever", "cloud/runs"),
        ("ourctl exec web rm -rf /data", "cluster/runs"),
        ("ourctl push a.txt host.example", "network"),
        ("ourctl --help", "read-only"),
    ],
)
def test_a_subcommand_has_the_traits_that_are_listed_for_it(command, traits):
    found = use(OURCTL, command)
    assert found.traits == set(traits.split())
    assert found.known


def test_options_count_before_a_subcommand_and_after_it():
    assert use(OURCTL, "ourctl -o a.txt get pods").writes == ("a.txt",)
    assert use(OURCTL, "ourctl get pods -o a.txt").writes == ("a.txt",)
    assert use(OURCTL, "ourctl push a.txt host.example --output b.txt").writes == ("b.txt",)


def test_leading_options_count_only_before_the_subcommand():
    assert use(OURCTL, "ourctl -C there get pods").base == "there"
    assert use(OURCTL, "ourctl get -C there pods").base == ""


def test_words_play_their_roles():
    pushed = use(OURCTL, "ourctl push a.txt b.txt host.example")
    assert (pushed.sent, pushed.hosts) == (("a.txt", "b.txt"), ("host.example",))
    (run,) = use(OURCTL, "ourctl exec web rm -rf /data").runs
    assert (run.kind, run.words) == ("argv", ("rm", "-rf", "/data"))


def test_a_word_that_acts_acts_with_more_words_too_and_one_that_looks_may_do_anything():
    text = "payctl: {does: {read-only: [refund list, config], cloud/changes: [refund, config set]}}"
    assert use(text, "payctl refund list").traits == {"read-only"}
    assert use(text, "payctl refund 12").traits == {"cloud/changes"}
    assert use(text, "payctl refund").traits == {"cloud/changes"}
    assert use(text, "payctl config").traits == {"read-only"}
    assert use(text, "payctl config unset x").traits == {"changes"}
    assert not use(text, "payctl config unset x").known


def test_a_star_stands_for_every_other_word_at_any_depth():
    text = "ourctl: {does: {cluster/changes: ['*'], read-only: [config view], device: [disk, disk show]}}"
    assert use(text, "ourctl config view").traits == {"read-only"}
    assert use(text, "ourctl config set x").traits == {"cluster/changes"}
    assert use(text, "ourctl config").traits == {"cluster/changes"}
    assert use(text, "ourctl disk eject").traits == {"device"}
    assert use(text, "ourctl other").traits == {"cluster/changes"}


def test_an_option_of_ones_own_beats_one_that_is_taken_over_and_that_beats_an_inherited_one():
    text = """
        ourctl:
          options: [t/trust=]
          forms:
            a: {inherits: false, options: [t/trust=write]}
            b: {like: ourctl a}
            c: {like: ourctl a, options: [t/trust=read]}
    """
    assert use(text, "ourctl b -t x").writes == ("x",)
    assert use(text, "ourctl c -t x").reads == ("x",)


def test_an_unknown_subcommand_is_never_harmless():
    text = "ourctl: {does: {read-only: [get], cluster/deletes: [destroy]}}"
    found = use(text, "ourctl frobnicate x")
    assert (found.known, set(found.traits), found.unknown) == (False, {"changes"}, ("frobnicate",))
    assert "told-to-delete" in use(text, "ourctl purge x").traits


def test_an_unknown_option_of_a_form_with_its_own_options_is_noticed():
    text = "ourctl: {forms: {get: {options: [w/wide], does: read-only}}}"
    assert use(text, "ourctl get -w x").traits == {"read-only"}
    assert use(text, "ourctl get --delete x").unknown == ("--delete",)
    assert use(text, "ourctl get --delete x").traits == set()


@pytest.mark.parametrize(
    ("command", "traits"),
    [
        ("backer list", "read-only"),
        ("backer", "read-only"),
        ("backer restore all", "database/restores"),
        ("backer run --purge", "changes database/deletes"),
        ("backer run drop now", "changes database/drops"),
        ("backer run", "changes"),
        ("peeker run", "read-only"),
    ],
)
def test_the_first_clause_that_fits_counts(command, traits):
    text = """
        backer peeker:
          options: [purge]
          does: changes
          when:
            - {name: peeker, looks: true}
            - {first: [list, ls, ""], looks: true}
            - {first: restore, drops: changes, does: database/restores}
            - {option: --purge, does: database/deletes}
            - {any: [drop, empty], does: database/drops}
    """
    assert use(text, command).traits == set(traits.split())


def test_a_clause_can_give_operands_a_role():
    text = """
        tidy:
          options: [w/write]
          operands: read*
          does: read-only
          when: [{option: --write, operands: write*}]
    """
    assert use(text, "tidy a.py b.py").writes == ()
    assert use(text, "tidy -w a.py b.py").writes == ("a.py", "b.py")
    assert "read-only" in use(text, "tidy a.py").traits
    assert "read-only" not in use(text, "tidy -w a.py").traits


def test_without_asks_that_an_option_is_missing():
    text = "fmtr: {options: [check], operands: read*, when: [{without: --check, operands: write*}]}"
    assert use(text, "fmtr a.py").writes == ("a.py",)
    assert use(text, "fmtr --check a.py").writes == ()


CLAUSES = """
tool:
  options: [m/mode=, l/list, reset, u/update, h/host=, g/glue?]
  does: changes
  when:
    - {option: -l, looks: true}
    - {value: {--mode: [show, list-*]}, looks: true}
    - {value: {-m: erase}, does: database/drops}
    - {every: [--reset, -u], does: git/discards-work}
    - {other: {--host: [localhost, 127.0.0.1]}, does: network/listens}
    - {first: run, operands: text argv}
    - {first: serve, stdin: shell}
    - {first: build, writes: dist/…, reads: Toolfile, deletes: cache, creates: log, refs: HEAD}
    - {words: 3, does: device}
    - {any: drop-*, does: database/drops}
"""


@pytest.mark.parametrize(
    ("command", "traits"),
    [
        ("tool --list", "read-only"),
        ("tool -l", "read-only"),
        ("tool -- --list", "changes"),
        ("tool -m --list x", "changes"),
        ("tool -m show", "read-only"),
        ("tool --mode=list-all", "read-only"),
        ("tool --mode erase", "changes database/drops"),
        ("tool --mode=\0", "changes database/drops"),
        ("tool --reset -u", "changes git/discards-work"),
        ("tool --reset", "changes"),
        ("tool --host 0.0.0.0", "changes network/listens"),
        ("tool --host localhost", "changes"),
        ("tool --host \0", "changes network/listens"),
        ("tool a b c", "changes device"),
        ("tool a b", "changes"),
        ("tool drop-all", "changes database/drops"),
        ("tool undrop-all", "changes"),
    ],
)
def test_conditions_of_clauses(command, traits):
    assert use(CLAUSES, command).traits == set(traits.split())


def test_effects_of_clauses():
    assert use(CLAUSES, "tool run x ls -l").runs == (Nested("argv", ("x", "ls", "-l")),)
    assert use(CLAUSES, "tool serve").stdin == "shell"
    built = use(CLAUSES, "tool build")
    assert (built.writes, built.reads, built.deletes) == (("dist/\0",), ("Toolfile",), ("cache",))
    assert (built.creates, built.refs) == (("log",), ("HEAD",))


def test_a_likeness_can_be_another_form_of_the_same_program():
    text = """
        ourctl:
          forms:
            get: {options: [o/output=write], operands: read*, does: read-only}
            show: {like: ourctl get, options: [w/wide]}
    """
    (one,) = described(text)
    assert one.program.subs["show"] == Program(options="o/output=write w/wide", operands="read*", traits="read-only")


def test_a_likeness_of_oneself_is_told():
    assert [message for _, message, _ in complaints("x: {forms: {a: {like: x b}, b: {like: x a}}}")] == [
        "`a` is like itself",
        "`b` is like itself",
    ]


def test_a_program_can_be_like_another():
    (ours,) = described("ourkube: {like: kubectl, options: [team=]}")
    theirs = program_of("kubectl")
    assert theirs is not None
    assert ours.program.subs == theirs.subs
    assert use("ourkube: {like: kubectl}", "ourkube delete pod web").traits >= {"cluster/deletes"}
    assert use("ourkube: {like: kubectl, options: [team=]}", "ourkube --team x get pods").known


def test_a_likeness_can_be_a_subcommand_and_say_some_things_differently():
    text = """
        base:
          forms:
            get: {options: [o/output=write], operands: read*, does: read-only}
        ours:
          like: base get
          does: network
    """
    (_, ours) = described(text)
    assert ours.program == Program(options="o/output=write", operands="read*", traits="network")


def test_what_an_entry_says_itself_stands_before_its_likeness():
    text = "ours: {like: kubectl, does: {read-only: [delete]}}"
    assert use(text, "ours delete pod").traits == {"read-only"}
    assert use(text, "ours apply -f x").traits >= {"cluster/changes"}


def test_likenesses_are_read_in_any_order():
    text = """
        c: {like: b}
        b: {like: a, does: network}
        a: {options: [x/exact=write], does: changes}
    """
    assert [one.program for one in described(text)] == [
        Program(options="x/exact=write", traits="network"),
        Program(options="x/exact=write", traits="network"),
        Program(options="x/exact=write", traits="changes"),
    ]


@pytest.mark.parametrize(
    ("command", "traits"),
    [
        ("ourcloud servers list", "read-only cloud/reads network"),
        ("ourcloud servers delete web", "cloud/deletes network"),
        ("ourcloud sites:delete web", "cloud/deletes network"),
        ("ourcloud keys rotate", "cloud/changes cloud/deploys network writes-secret"),
        ("ourcloud doctor", "read-only network"),
        ("ourcloud up --yes", "cloud/changes cloud/deploys forced network"),
    ],
)
def test_a_service_is_understood_by_its_verbs_except_for_listed_phrases(command, traits):
    text = """
        ourcloud:
          service: cloud
          options: [yes!forced]
          does: {read-only: [doctor], cloud/changes cloud/deploys: [up]}
    """
    assert use(text, command).traits == set(traits.split())


def test_every_key_reaches_the_compiled_description():
    text = """
        one two:
          options: x
          operands: read write
          does: changes
          stdin: shell
          stops: true
          single-dash: true
          help: false
          brief: true
          when: [{first: a, any: b, option: -c, without: --d, name: one, looks: true, does: forced, drops: changes,
                  operands: write*}]
          reader: files.copy
          parser: find.find
          rewrite: archives.tar_bundle
        svc: {service: forge, runs-here: true, single-dash: true, options: [force!forced], does: {read-only: [ping]}}
    """
    (one, svc) = described(text, shipped=True)
    assert one.program == Program(
        options="x",
        operands="read write",
        traits="changes",
        stdin="shell",
        when=(
            Clause(
                name=("one",), first=("a",), any=("b",), option=("-c",), without=("--d",), looks=True,
                does=("forced",), drops=("changes",), operands="write*",
            ),
        ),
        reader="files.copy",
        parser="find.find",
        rewrite="archives.tar_bundle",
        stops=True,
        long=True,
        help=False,
        brief=True,
    )  # fmt: skip
    assert svc.program == Program(
        options="*",
        service=Service("forge", {"read-only": ("ping",)}, {"-force": "forced"}, True),
        help=False,
    )


def test_a_form_may_refuse_the_options_around_it():
    text = """
        ourctl:
          options: [o/output=write]
          forms: {a: {does: read-only}, b: {inherits: false, options: "*", does: read-only}}
    """
    assert use(text, "ourctl a -o x").writes == ("x",)
    assert use(text, "ourctl b -o x").writes == ()


def test_long_options_with_one_dash_are_so_in_subcommands_too():
    text = "tf: {options: [h!dry], single-dash: true, does: {infra/applies: [apply]}, forms: {fmt: {does: changes}}}"
    assert use(text, "tf apply -hold=x").traits == {"infra/applies"}
    assert use(text, "tf fmt -hold").unknown == ("-hold",)
    assert use(text, "tf apply -h").traits == {"read-only"}
