"""Where files come from: what a line makes, of what, and which programs are not what their names say."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interlock.facts.gather import Facts
from interlock.facts.origins import Origin, SessionFiles, worse
from interlock.facts.paths import NoFiles, Places
from interlock.facts.program_places import is_installed
from interlock.hosts import dialect_of
from tests.builders import call, raw

PLACES = Places("/proj", "/proj", "/home/me")


class Disk(NoFiles):
    """Some files with their texts."""

    def __init__(self, **texts: str) -> None:
        self._texts = {name.replace("__", "/"): text for name, text in texts.items()}

    def exists(self, path: str) -> bool:
        return path in self._texts


def facts(line: str, wrote: dict[str, str] | None = None, files: Disk | None = None) -> Facts:
    event = dialect_of("claude-code").decode(raw(call("Bash", command=line)))
    return Facts(event, {"command": line}, PLACES, files or Disk(), wrote=wrote or {})


# --- places --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "program",
    [
        "ls", "/bin/ls", "/usr/local/go/bin/go", "/opt/homebrew/bin/rg", "/nix/store/a-b/bin/git", "/snap/bin/x",
        "/home/linuxbrew/.linuxbrew/bin/jq", "/Applications/X.app/Contents/MacOS/x", "/usr/lib/jvm/17/bin/java",
        ".venv/bin/python", "venv/bin/pip", "../.venv/bin/python", "/tmp/venv/bin/python", "node_modules/.bin/tsc",
        "./node_modules/.bin/tsc", "packages/a/node_modules/.bin/tsc", "vendor/bin/phpunit", ".tox/py312/bin/pytest",
        "~/.cargo/bin/rg", "/home/me/.local/bin/x", "/root/go/bin/x", "~/.bun/bin/bun", "~/.deno/bin/deno",
        "~/.pyenv/shims/python", "~/.nvm/versions/node/v20/bin/node", "~/.rbenv/shims/ruby", "~/.asdf/shims/node",
        "~/.local/share/mise/installs/node/20/bin/node", "~/.sdkman/candidates/java/current/bin/java",
        "~/miniconda3/envs/x/bin/python", "~/Library/Android/sdk/platform-tools/adb", "/Users/me/.cargo/bin/cargo",
        "C:/Windows/System32/cmd.exe", "C:\\Program Files\\Git\\bin\\git.exe", "/mnt/c/Windows/System32/cmd.exe",
        "\0/bin/java", "\0/platform-tools/adb",
    ],
)  # fmt: skip
def test_a_path_in_a_folder_of_programs_means_what_its_name_says(program: str):
    assert is_installed(program, "/home/me")


@pytest.mark.parametrize(
    "program",
    [
        "/tmp/ls", "~/Downloads/node", "./ls", "../ls", "tools/ls", "bin/rails", "~/bin/ls", "/home/other/bin/ls",
        "/tmp/.cargo/bin/ls", "/srv/ls", "/var/tmp/bin/ls", "/dev/shm/ls", "\0/ls", "\0/\0/ls", "C:/Users/me/git.exe",
        "/usr/../tmp/ls", ".venv/bin/../../ls", "/" + "a/" * 3000 + ".venv/bin/ls", "venv/ls", "x.venv.d/ls",
    ],
)  # fmt: skip
def test_any_other_path_is_a_file_that_runs(program: str):
    assert not is_installed(program, "/home/me")


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("/tmp/ls -la", ["/tmp/ls"]), ("~/Downloads/node x.js", ["/home/me/Downloads/node", "/proj/x.js"]),
        ("tools/git status", ["/proj/tools/git"]), ("$D/ls", ["/…/ls"]), ("sudo /tmp/ls", ["/tmp/ls"]),
        (".venv/bin/python -c 'print(1)'", []), ("~/.cargo/bin/rg x", []), ("$JAVA_HOME/bin/java -version", []),
        ("docker exec web /srv/ls", []), ("bun -e 'console.log(1)' a.json", []),
        ("bun a.ts", ["/proj/a.ts"]), ("~/.local/bin/sometool x", []),
    ],
)  # fmt: skip
def test_a_known_name_elsewhere_is_listed_as_a_file_that_runs(line: str, files: list[str]):
    assert [one.file for one in facts(line).ran] == files


def test_such_a_file_still_counts_as_the_program_that_it_is_called():
    assert facts("/tmp/rm -r a").paths[0].delete
    assert [one.name for one in facts("$D/rm -r a").commands] == ["rm"]


# --- shadows -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "wrote", "files"),
    [
        ("git status", {"/home/me/.local/bin/git": "written"}, ["/home/me/.local/bin/git"]),
        ("npx tsc", {"/proj/node_modules/.bin/tsc": "written"}, ["/proj/node_modules/.bin/tsc"]),
        (".venv/bin/pip list", {"/proj/.venv/bin/pip": "written"}, ["/proj/.venv/bin/pip"]),
        ("PATH=$PWD/bin:$PATH ls", {"/proj/bin/ls": "written"}, ["/proj/bin/ls"]),
        ("export PATH=/proj/bin:$PATH; ls", {"/proj/bin/ls": "written"}, ["/proj/bin/ls"]),
        ("cp x ~/.local/bin/git && git status", {}, ["/home/me/.local/bin/git"]),
        ("~/.local/bin/x", {"/home/me/.local/bin/": "downloaded"}, ["/home/me/.local/bin/x"]),
        ("y/.venv/bin/python -V", {"/proj/y/": "downloaded"}, []), ("~/.cargo/bin/rg x", {"*": "written"}, []),
        ("git status", {"/proj/src/git": "written"}, []), ("echo x", {"/usr/bin/echo": "written"}, []),
        ("ls", {"/proj/bin/ls": "written"}, []), (".venv/bin/pip list", {"/proj/.venv/bin/python": "written"}, []),
        ("cp git.txt notes/git; git status", {}, []),
    ],
)  # fmt: skip
def test_a_file_that_the_session_put_where_programs_are_looked_for_is_what_runs(
    line: str, wrote: dict[str, str], files: list[str]
):
    assert [one.file for one in facts(line, wrote).ran] == files


def test_a_name_is_looked_for_in_folders_of_programs_that_were_filled_at_once():
    wrote = {"/home/me/.local/bin/": "downloaded", "/proj/v/": "downloaded"}
    disk = Disk(**{"__home__me__.local__bin__x": "", "__proj__v__ls": ""})
    assert [one.file for one in facts("x --now; ls", wrote, disk).ran] == ["/home/me/.local/bin/x"]


def test_a_folder_that_the_line_puts_into_path_is_looked_into():
    disk = Disk(__proj__bin__ls="x")
    assert [one.file for one in facts("PATH=/proj/bin:$PATH ls", files=disk).ran] == ["/proj/bin/ls"]
    assert facts("PATH=/proj/bin:$PATH cat x", files=disk).ran == ()


def test_a_copy_of_an_earlier_call_is_read_under_its_own_name():
    commands = facts("./x -r ~/a", {"/proj/x": "foreign\n/bin/rm"}).commands
    assert [one.name for one in commands] == ["x", "rm"]


# --- what a line makes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "made"),
    [
        ("go build -o /tmp/t ./cmd", {"/tmp/t": "built"}), ("go test -c -o /tmp/t ./p", {"/tmp/t": "built"}),
        ("gcc -O2 a.c -o /tmp/a", {"/tmp/a": "built"}), ("gcc -o/tmp/a a.c", {"/tmp/a": "built"}),
        ("gcc /tmp/a.c -o /tmp/a", {"/tmp/a": "foreign"}), ("gcc -x c - -o /tmp/a", {"/tmp/a": "foreign"}),
        ("gcc @/tmp/words -o /tmp/a", {"/tmp/a": "foreign"}), ("gcc $X -o /tmp/a", {"/tmp/a": "foreign"}),
        ("cargo build --target-dir /tmp/o", {"/tmp/o/": "built"}), ("dotnet build -o /tmp/o", {"/tmp/o/": "built"}),
        ("make -C /tmp/b", {"/tmp/b/": "foreign"}), ("nim c -o:/tmp/n a.nim", {"/tmp/n": "built"}),
        ("cargo build --manifest-path /tmp/x/Cargo.toml", {"/tmp/x/target/": "foreign"}),
        ("tsc --outDir /tmp/o", {"/tmp/o/": "built"}), ("tsc --outDir /tmp", {}),
        ("go install example.com/x@latest", {}),
        ("GOBIN=/tmp/b go install example.com/x@v1", {"/tmp/b/": "downloaded"}),
        # copies
        ("cp a /tmp/b", {"/tmp/b": "written\n/proj/a", "/tmp/b/a": "written\n/proj/a"}),
        ("cp /bin/rm x", {"/proj/x": "foreign\n/bin/rm", "/proj/x/rm": "foreign\n/bin/rm"}),
        ("ln -s /bin/rm x", {"/proj/x": "foreign\n/bin/rm", "/proj/x/rm": "foreign\n/bin/rm"}),
        # from elsewhere
        ("curl -o a https://x.example", {"/proj/a": "downloaded"}),
        ("curl https://x.example > a", {"/proj/a": "downloaded"}),
        ("curl https://x.example | gunzip | tee a", {"/proj/a": "downloaded"}),
        ("curl -o a https://x.example; cat a > b", {"/proj/a": "downloaded", "/proj/b": "downloaded"}),
        ("cat a > b; curl -o a https://x.example", {"/proj/b": "downloaded", "/proj/a": "downloaded"}),
        ("curl -o a https://x.example; go build -o a .", {"/proj/a": "downloaded"}),
        ("go build -o a .; curl -o a https://x.example", {"/proj/a": "downloaded"}),
        ("git clone https://x.example/y", {"/proj/y/": "downloaded"}),
        ("curl https://x.example/a.tgz | tar xz -C v", {"/proj/v/": "downloaded"}),
        ("tar xzf a.tgz -C v", {}), ("scp host:a b", {"/proj/b": "downloaded"}),
        # whatever is not one of these
        ("echo x > a", {"/proj/a": "written"}), ("cd src && echo x > a", {"/proj/src/a": "written"}),
        ("sed -i s/a/b/ a", {"/proj/a": "written"}), ("chmod +x a", {}), ("chown me a; strip a", {}), ("cat a", {}),
        ("echo x > $F", {}), ("mkdir d", {"/proj/d": "written"}), ("git worktree add ../w x", {"/w/": "written"}),
        ("ssh host 'echo x > a'", {}),
    ],
)  # fmt: skip
def test_what_a_line_makes_is_known_by_how_it_makes_it(line: str, made: dict[str, str]):
    assert facts(line).made == made


@pytest.mark.parametrize(
    ("line", "wrote", "made"),
    [
        ("gcc /tmp/a.c -o /tmp/a", {"/tmp/a.c": "written"}, {"/tmp/a": "built\n/tmp/a.c"}),
        ("gcc a.c -o /tmp/a", {"/proj/a.c": "written"}, {"/tmp/a": "built\n/proj/a.c"}),
        ("gcc /tmp/a.c -o /tmp/a", {"/tmp/a.c": "downloaded"}, {"/tmp/a": "downloaded"}),
        ("go build -o /tmp/a /tmp/g", {"/tmp/g/m.go": "written"}, {"/tmp/a": "built\n/tmp/g/m.go"}),
        ("go build -o /tmp/a ./g", {"/proj/g/m.go": "downloaded"}, {"/tmp/a": "downloaded"}),
        ("go build -o /tmp/a ./g", {"/proj/g/data.json": "downloaded"}, {"/tmp/a": "built"}),
        ("cp /tmp/a /tmp/b", {"/tmp/a": "built\n/tmp/a.c"}, {"/tmp/b": "built\n/tmp/a.c",
         "/tmp/b/a": "built\n/tmp/a.c"}),
        ("mv /tmp/a /tmp/b", {"/tmp/a": "downloaded"}, {"/tmp/b": "downloaded", "/tmp/b/a": "downloaded"}),
        ("cp /tmp/d/a b", {"/tmp/d/": "downloaded"}, {"/proj/b": "downloaded", "/proj/b/a": "downloaded"}),
        ("go build -o /tmp/a .", {"/tmp/a": "downloaded"}, {"/tmp/a": "downloaded"}),
        ("go build -o /tmp/a .", {"/tmp/a": "foreign\n/tmp/x"}, {"/tmp/a": "foreign\n/tmp/x"}),
        ("go build -o /tmp/a .", {"/tmp/a": "foreign"}, {"/tmp/a": "built"}),
        ("echo x > a", {"/proj/a": "downloaded"}, {"/proj/a": "written"}),
        ("echo x >> a", {"/proj/a": "downloaded"}, {"/proj/a": "downloaded"}),
        ("sed -i s/a/b/ a", {"/proj/a": "downloaded"}, {"/proj/a": "downloaded"}),
        ("tar xzf a.tgz -C v", {"/proj/a.tgz": "downloaded"}, {"/proj/v/": "downloaded"}),
        ("unzip a.zip", {"/proj/a.zip": "downloaded"}, {"/proj/a/": "downloaded", "/proj/a": "downloaded"}),
        ("cmake --build /tmp/b", {"/tmp/b/": "built"}, {"/tmp/b/": "built"}),
        ("cd /tmp/rs && cargo run", {"/tmp/rs": "written", "/tmp/rs/src/main.rs": "written"},
         {"/tmp/rs/target/": "built\n/tmp/rs/src/main.rs"}),
    ],
)  # fmt: skip
def test_what_it_is_made_of_counts(line: str, wrote: dict[str, str], made: dict[str, str]):
    assert facts(line, wrote).made == made


def test_the_nearest_folder_says_how_a_file_came():
    files = SessionFiles({"/a/": "downloaded", "/a/b/": "built", "/a/b/c": "written"})
    assert files.of("/a/x") == Origin("downloaded", folder="/a")
    assert files.of("/a/b/x/y") == Origin("built", folder="/a/b")
    assert files.of("/a/b/c") == Origin("written")
    assert files.of("/ab") is None


def test_of_two_origins_the_worse_one_holds():
    order = [Origin("built"), Origin("written"), Origin("foreign"), Origin("downloaded")]
    for better, one in pairwise(order):
        assert worse(better, one) == worse(one, better) == one
    assert worse(Origin("built", ("a",)), Origin("built", ("b",))) == Origin("built", ("a", "b"))


def test_a_line_of_many_builds_and_copies_is_read_in_time():
    line = ";".join(f"cp a{n} a{n + 1}; gcc -o b{n} b{n - 1}.c" for n in range(400))
    assert len(facts(line).made) > 800


# --- over many calls -----------------------------------------------------------------------------------------------

NAMES = ["a", "b", "c.o", "d.sh"]
STEPS = {
    "curl -o {0} https://x.example": "fetch", "curl https://x.example > {0}": "fetch", "cp {0} {1}": "flow",
    "mv {0} {1}": "flow", "ln -sf /proj/{0} {1}": "flow", "cat {0} > {1}": "flow", "gcc -o {1} {0}": "flow",
    "base64 -d {0} | tee {1}": "flow", "cat < {0} > {1}": "flow", "dd if={0} of={1}": "flow",
    "install -m755 {0} {1}": "flow", "rsync -a {0} {1}": "flow", "gunzip -c {0} > {1}": "flow", "tee {1} < {0}": "flow",
    "openssl enc -d -in {0} -out {1}": "flow", "sh -c 'cp {0} {1}'": "flow", "sed s/a/b/ {0} > {1}": "flow",
    "python3 -c 'open(\"{1}\", \"w\").write(open(\"{0}\").read())'": "flow", "cd . && cp ./{0} {1}": "flow",
    "chmod +x {0}": "keep", "sed -i s/a/b/ {0}": "keep", "strip {0}": "keep",
    "go build -o {0} .": "keep", "touch {0}": "keep", "echo x >> {0}": "keep", "(sleep 9; go build -o {0} .) &": "keep",
}  # fmt: skip


@settings(max_examples=300)
@given(st.lists(st.tuples(st.sampled_from(sorted(STEPS)), st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=6))
def test_whatever_is_done_to_a_downloaded_file_it_stays_downloaded(steps: list[tuple[str, str, str]]):
    """By another count than the one that is tested: which names have held something from elsewhere."""
    wrote: dict[str, str] = {}
    fetched: set[str] = set()
    for step, one, other in steps:
        wrote |= facts(step.format(one, other), wrote).made
        if STEPS[step] == "fetch":
            fetched.add(one)
        elif STEPS[step] == "flow" and one in fetched:
            fetched.add(other)
    for name in fetched:
        assert wrote[f"/proj/{name}"] == "downloaded", (steps, name)
    for name in set(NAMES) - fetched:
        assert wrote.get(f"/proj/{name}") != "downloaded"


@pytest.mark.parametrize("path", ["/", "//", "//a/b", "///", "a", ""])
def test_looking_for_a_files_folders_comes_to_an_end(path: str):
    assert SessionFiles({"/other/": "downloaded"}).of(path) is None
