"""Short programs in languages that are not read."""

import pytest

from interlock.facts.code.other import other_effects
from interlock.facts.code.read import effects_of_code
from interlock.facts.shell import UNKNOWN


@pytest.mark.parametrize(
    "text",
    [
        "print(1)", "print('hello; rm -rf /')", "(print (+ 1 2))", "println(sum([1, 2, 3]))", "print(_VERSION)",
        "x = 3; print(x * 2)", "cat(R.version.string)", "IO.puts System.version", "io:format(\"~p\", [1]).",
        "for i = 1, 3 do print(i) end", "print(mean(c(1, 2, 3)))", "putStrLn \"hi\"",
    ],
)  # fmt: skip
def test_reckoning_and_printing_is_harmless(text: str):
    found = effects_of_code("other", text)
    assert (found.opaque, found.shell) == ("", [])


@pytest.mark.parametrize(
    ("text", "shell"),
    [
        ("os.execute('id')", ["id"]),
        ('system("id")', ["id"]),
        ('(system "id")', ["id"]),
        ("io.popen('ls /tmp')", ["ls /tmp"]),
        ('_G["o".."s"]["execute"]("id")', []),
        ("puts [exec id]", ["id"]),
        ("spawn -noecho ssh $host; interact", [f"ssh {UNKNOWN}"]),
        ('tell app "Terminal" to do script "id"', ["id"]),
        ('print("a #{`id`}")', []),
        ('print("$(run(cmd))")', []),
        ("dofile('x')", []),
        ('print(open("x"))', []),
        ("print(loadstring(x)())", []),
        ("x" * 10_000, []),
    ],
)
def test_all_else_cannot_be_read(text: str, shell: list[str]):
    found = effects_of_code("other", text)
    assert found.opaque != ""
    assert found.shell == shell


def test_escapes_in_a_text_for_a_shell_are_read_and_kept_as_written_too():
    found = other_effects(r'os.execute("# a\nrm -rf /srv")').shell
    assert found == [r"# a\nrm -rf /srv", "# a\nrm -rf /srv"]
    assert other_effects(r'os.execute("echo \x3b rm x")').shell[1].startswith(f"echo {UNKNOWN}")
    assert other_effects('os.execute("ls")').shell == ["ls"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('os.remove("/etc/a")', ([], [], ["/etc/a"])),
        ("unlink('/etc/a', recursive=TRUE)", ([], [], ["/etc/a"])),
        ('rm("/etc/a", recursive=true)', ([], [], ["/etc/a"])),
        ('new File("/etc/a").deleteDir()', ([], [], ["/etc/a"])),
        ('File.rm_rf!("/etc/a")', ([], [], ["/etc/a"])),
        ('local f = io.open("/etc/a", "w")', ([], ["/etc/a"], [])),
        ('x <- read.csv("a.csv"); print(head(x))', (["a.csv"], [], [])),
        ('print("rm")', ([], [], [])),
    ],
)
def test_files_of_constant_names_are_found(text: str, found: tuple[list[str], list[str], list[str]]):
    effects = effects_of_code("other", text)
    assert (effects.reads, effects.writes, effects.deletes) == found
    assert (effects.opaque == "") is (not effects.writes and not effects.deletes)
