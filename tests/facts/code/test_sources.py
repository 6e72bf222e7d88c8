"""Short programs in compiled languages: what acts in them is found, and what hides it is opaque."""

from __future__ import annotations

import pytest

from interlock.facts.code.sources import source_effects

MAIN = "package main\n"


@pytest.mark.parametrize(
    "text",
    [
        MAIN + 'import "fmt"\nfunc main() { fmt.Println("system(x)", 1+2) } // exec.Command(x)',
        MAIN + 'import "os"\nfunc main() { dir, err := os.MkdirTemp("", "x"); defer os.RemoveAll(dir); _ = err }',
        MAIN + 'import "database/sql"\nfunc main() { db, _ := sql.Open("pg", "x"); db.Exec("select 1") }',
        "#include <stdio.h>\nint main(void) { printf(\"%d\\n\", 3); return 0; }",
        "int main() { v.erase(std::remove(v.begin(), v.end(), 1), v.end()); }",
        'fn main() { println!("{}", r#"system("x")"#); }',
        "public class T { public static void main(String[] a) { System.out.println(1); } }",
        'const std = @import("std");\npub fn main() !void { std.debug.print("hi {}", .{1}); }',
        "/* unlink(x) */ int main() { return 0; }",
    ],
)  # fmt: skip
def test_what_only_reckons_and_prints_has_no_effects(text: str):
    found = source_effects(text)
    assert (found.shell, found.deletes, found.writes, found.opaque, found.traits) == ([], [], [], "", set())


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (MAIN + 'import "os/exec"\nfunc main() { exec.Command("git", "status").Run() }', ["'git' 'status'"]),
        (MAIN + 'import (\n\tx "os/exec"\n)\nfunc main() { x.Command("rm", "a").Run() }', ["'rm' 'a'"]),
        (MAIN + 'func main() { exec.CommandContext(ctx, "git", args...).Run() }', ["'git' \"$VALUE\""]),
        ('int main(void) { return system("ls -l"); }', ["ls -l"]),
        ('int main(void) { execl("/bin/ls", "ls", "-l", NULL); }', ["'/bin/ls' 'ls' '-l'"]),
        ('fn main() { Command::new("rm").arg("-r").args(["a", "b"]).status(); }', ["'rm' '-r' 'a' 'b'"]),
        ('class T { void f() { new ProcessBuilder("rm", "a").start(); } }', ["'rm' 'a'"]),
        ('class A { static void Main() { Process.Start("rm", "-r a"); } }', ["rm -r a"]),
    ],
)  # fmt: skip
def test_programs_that_it_runs_are_read_as_lines(text: str, lines: list[str]):
    found = source_effects(text)
    assert (found.shell, found.opaque) == (lines, "")


@pytest.mark.parametrize(
    ("text", "deletes", "writes", "reads"),
    [
        (MAIN + 'func main() { p := "/etc/x"; os.RemoveAll(p) }', ["/etc/x"], [], []),
        (MAIN + 'import (\n\t. "os"\n)\nfunc main() { RemoveAll("/etc/x") }', ["/etc/x"], [], []),
        ('fn main() { std::fs::remove_dir_all("/etc/x").unwrap(); }', ["/etc/x"], [], []),
        ('int main(void) { remove("/etc/x"); FILE *f = fopen("/etc/y", "w"); }', ["/etc/x"], ["/etc/y"], []),
        ('int main(void) { fopen("/etc/y", "r"); rename("/a", "/b"); }', ["/a"], ["/b"], ["/etc/y"]),
        (MAIN + 'func main() { os.WriteFile("/etc/y", b, 0644); os.ReadFile("/etc/z") }', [], ["/etc/y"], ["/etc/z"]),
        ("namespace fs = std::filesystem; int main() { fs::remove_all(\"/etc/x\"); }", ["/etc/x"], [], []),
    ],
)  # fmt: skip
def test_files_that_it_touches_are_found(text: str, deletes: list[str], writes: list[str], reads: list[str]):
    found = source_effects(text)
    assert (found.deletes, found.writes, found.reads) == (deletes, writes, reads)


def test_addresses_count_where_something_reaches_them():
    text = MAIN + 'func main() { b := read(); http.Post("https://x.example/u", "text/plain", b) }'
    found = source_effects(text)
    assert (found.urls, found.traits) == (["https://x.example/u"], {"network"})
    assert source_effects(MAIN + 'func main() { fmt.Println("https://x.example") }').urls == []


@pytest.mark.parametrize(
    "text",
    [
        "#define S system\nint main(void) { return S(\"ls\"); }",
        "#define C(a,b) a##b\nint main(void) { C(sys,tem)(\"ls\"); }",
        "int main(int c, char **v) { return system(v[1]); }",
        "int main(void) { char *a[] = {\"rm\", 0}; execv(\"/bin/rm\", a); }",
        "int main(void) { int (*f)(const char*) = unlink; f(\"x\"); }",
        "#include \"/tmp/x.c\"\nint main(void) { f(); }",
        MAIN + "func main() { os.RemoveAll(os.Getenv(\"HOME\")) }",
        MAIN + "var run = exec.Command\nfunc main() { run(\"rm\") }",
        MAIN + "var del = os.RemoveAll\nfunc main() { del(\"/\") }",
        MAIN + "// x\nimport \"C\"\nfunc main() { C.system(x) }",
        "use std::process::Command as C;\nfn main() { C::new(\"rm\").status(); }",
        "fn main() { unsafe { asm!(\"nop\"); } }",
        "extern \"C\" { fn system(c: *const u8); }\nfn main() {}",
        "#[path = \"/tmp/x.rs\"]\nmod x;\nfn main() { x::f(); }",
        "class T { void f() { Runtime.getRuntime().exec(\"ls\"); } }", "class T { void f() { Class.forName(x); } }",
        "let p = Process(); p.launchPath = \"/bin/rm\"; p.launch()",
        "int main(void) { dlopen(\"x.so\", 1); syscall(1); }",
        "int main(void) { system(\0); }",
    ],
)  # fmt: skip
def test_what_acts_unseen_is_opaque(text: str):
    assert source_effects(text).opaque


@pytest.mark.parametrize(
    "piece", ['system("', "system(", "((", 'a"', "`", "/*", 'r#"', "x.y::", "'", "= unlink;", "a, b :="]
)
def test_hostile_texts_are_read_in_time(piece: str):
    source_effects(piece * (50_000 // len(piece)))
