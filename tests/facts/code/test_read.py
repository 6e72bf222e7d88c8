"""Short programs in other languages: what they evidently do, and when that cannot be told."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.facts.code.read import effects_of_code


def effects(kind: str, text: str) -> dict[str, Any]:
    found = effects_of_code(kind, text)
    return {name: getattr(found, name) for name in found.__struct_fields__ if getattr(found, name)}


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        ("js", "require('fs').unlinkSync('a')", {"deletes": ["a"]}),
        ("js", "const {execSync: run} = require('child_process'); run('rm a')", {"shell": ["rm a"]}),
        ("js", "import {writeFileSync} from 'fs'; writeFileSync('a', 'x')", {"writes": ["a"]}),
        ("js", "require('https').get('https://a.org/x')", {"urls": ["https://a.org/x"], "traits": {"network"}}),
        ("perl", "unlink 'a', 'b'", {"deletes": ["a", "b"]}),
        ("perl", "open(F, '>a'); print F 1", {"writes": ["a"]}),
        ("perl", "open F, '/a/b'; print <F>", {"reads": ["/a/b"]}),
        ("perl", "print `id`", {"shell": ["id"]}),
        ("ruby", "FileUtils.rm_rf('a')", {"deletes": ["a"]}),
        ("ruby", 'system "ls", "a b"', {"shell": ["ls 'a b'"]}),
        ("php", "unlink('a');", {"deletes": ["a"]}),
        ("js", "fs.rmSync(os.homedir() + '/a')", {"deletes": ["~/a"]}),
        ("sql", "DROP TABLE users", {"traits": {"database/drops", "database/writes"}}),
        ("sql", "delete from a where id = 1", {"traits": {"database/deletes", "database/writes"}}),
        ("sql", "select 'drop table a'", {}),
        ("sql", 'select * from t where a like "%drop table%"', {}),
        ("sql", "-- drop table a", {"traits": {"database/writes"}}),
        ("sql", "select '--'; drop table a", {"traits": {"database/drops", "database/writes"}}),
        ("sql", "/*!50000 drop table a */", {"traits": {"database/drops", "database/writes"}}),
        ("sql", "execute 'drop table a'", {"traits": {"database/drops", "database/writes"}}),
        ("sql", "drop database if exists shop_test", {"traits": {"database/writes"}}),
        ("sql", "drop database shop_test; drop database shop", {"traits": {"database/drops", "database/writes"}}),
        ("sql", "grant all privileges on *.* to x", {"traits": {"users", "database/writes"}}),
        ("sql", "grant select on shop.* to x", {"traits": {"database/writes"}}),
        ("perl", "unlink glob('/a/*')", {"deletes": ["/a/*"]}),
        ("perl", "unlink glob '*.tmp'", {"deletes": ["*.tmp"]}),
        ("php", "array_map('unlink', glob('/a/*'));", {"deletes": ["/a/*"]}),
        ("php", "call_user_func('system', 'rm a');", {"shell": ["rm a"]}),
        ("php", "array_map('trim', ['a']);", {}),
        ("js", "const d = 'a'; require('fs').rmSync(d)", {"deletes": ["a"]}),
        ("perl", "my $d = 'a'; unlink $d", {"deletes": ["a"]}),
        ("js", "for (const d of ['a', '/b']) require('fs').rmSync(d)", {"deletes": ["a", "/b"]}),
        ("js", "['a', 'b'].forEach(d => require('fs').rmSync(d))", {"deletes": ["a", "b"]}),
        ("js", "['a'].forEach(d => { d = JSON.parse(x); require('fs').rmSync(d) })", {"deletes": ["\0"]}),
        ("js", "await Deno.remove('/a')", {"deletes": ["/a"]}),
        ("perl", "kill 9, 1", {"traits": {"kills"}}),
        ("ruby", "Process.kill(9, 1)", {"traits": {"kills"}}),
        ("js", "fs.rmSync(require('os').homedir() + '/a')", {"deletes": ["~/a"]}),
        ("ruby", "puts %x(ls a)", {"shell": ["ls a"]}),
        ("perl", "print qx{ls a}", {"shell": ["ls a"]}),
        ("perl", "for (<a/*>) { unlink }", {"deletes": ["\0"]}),
        (
            "php",
            "copy('http://a.org/x', 'b');",
            {"urls": ["http://a.org/x"], "traits": {"network", "downloads"}, "writes": ["b"]},
        ),
    ],
)
def test_effects_with_constant_arguments_are_read(kind, text, found):
    assert effects(kind, text) == found


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("js", "console.log(require('./package.json').version)"),
        ("js", "/a+/.exec('b')"),
        ("perl", "s/a/b/; print"),
        ("ruby", "puts 1 + 1"),
        ("awk", "{print $1}"),
    ],
)
def test_a_program_that_only_computes_has_no_effects(kind, text):
    assert effects(kind, text) == {}


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("perl", "eval get('https://a.org')"),
        ("ruby", "eval URI.open('https://a.org').read"),
        ("js", "eval(x)"),
        ("php", "system($x);"),
        ("ruby", 'system "rm #{x}"'),
        ("other", "(print (slurp 1))"),
    ],
)
def test_what_only_the_run_will_tell_is_opaque(kind, text):
    assert effects_of_code(kind, text).opaque


def test_an_unknown_argument_is_an_unknown_path():
    assert effects("js", "require('fs').rmSync(`/a/${b}`)") == {"deletes": ["/a/\0"]}


@pytest.mark.parametrize(
    ("kind", "text", "whole"),
    [
        ("js", "fetch('https://a.org', {method: 'POST', body: JSON.stringify(process.env)})", True),
        ("js", "fetch('https://a.org', {method: 'POST', body: process.env.A})", False),
    ],
)
def test_a_program_that_posts_the_whole_environment_reads_it(kind, text, whole):
    assert ("reads-environment" in effects_of_code(kind, text).traits) is whole


@given(st.sampled_from(["python", "js", "perl", "ruby", "php", "sql", "awk", "other"]), st.text(max_size=60))
def test_any_text_can_be_looked_at(kind, text):
    effects_of_code(kind, text)


@given(st.text(alphabet="()[]{}'\"`.,;=#/\\ \nasosystem0", max_size=80))
def test_any_nesting_can_be_looked_at(text):
    for kind in ("python", "js", "perl", "ruby"):
        effects_of_code(kind, text)


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        ("php", '$h = @popen("ls -l", "r");', {"shell": ["ls -l"]}),
        ("php", '@proc_open("/opt/x", $p, $q);', {"shell": ["/opt/x"]}),
        ("php", 'copy("/etc/a", "/tmp/b");', {"reads": ["/etc/a"], "writes": ["/tmp/b"]}),
        ("sql", ".import /etc/a t", {"reads": ["/etc/a"], "traits": {"database/writes"}}),
    ],
)
def test_only_the_words_of_a_command_are_taken_for_it(kind: str, text: str, found: dict[str, Any]):
    assert effects(kind, text) == found


def test_perl_evaluates_what_a_call_gives():
    assert effects_of_code("perl", 'eval decode_base64("aWQ=")').opaque


@pytest.mark.parametrize(
    ("kind", "text", "why"),
    [
        ("js", "require('shelljs').ls()", "calls shelljs.ls"),
        ("js", "require('path').join('a', 'b')", ""),
    ],
)
def test_modules_made_to_run_programs_or_to_delete_are_not_read(kind, text, why):
    assert effects_of_code(kind, text).opaque == why
