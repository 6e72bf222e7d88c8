"""What scripts for database clients do beside asking the database."""

from __future__ import annotations

import pytest

from interlock.facts.programs.readers.sql_scripts import sql_effects


@pytest.mark.parametrize(
    ("text", "reads", "writes", "shell"),
    [
        ("create table a(b);\n.import /etc/x a\nselect 1;", ["/etc/x"], [], []),
        (".output out.csv\nselect 1;", [], ["out.csv"], []),
        (".once |wc -l\nselect 1;", [], [], ["wc -l"]),
        (".shell ls -l", [], [], ["ls -l"]),
        ("\\! ls", [], [], ["ls"]),
        ("\\o out.txt\nselect 1", [], ["out.txt"], []),
        ("system ls;", [], [], ["ls"]),
        ("select load_file('/etc/x')", ["/etc/x"], [], []),
        ("select pg_read_file('/etc/x', 0, 10)", ["/etc/x"], [], []),
        ("select 1 into outfile '/srv/x.php'", [], ["/srv/x.php"], []),
        ("copy a to program 'sh -c id'", [], [], ["sh -c id"]),
        ("COPY a FROM '/etc/x'", ["/etc/x"], [], []),
        ("\\copy a to 'out.csv' csv", [], ["out.csv"], []),
        ("select writefile('x', 'y')", [], ["x"], []),
        ("exec xp_cmdshell 'dir c:'", [], [], ["dir c:"]),
        ("select * from files where system = 1 and copy = 2", [], [], []),
        ("copy a from stdin;", [], [], []),
        ("\\d+ users\n.tables\n.schema", [], [], []),
    ],
)
def test_files_and_commands_of_a_script_are_found(text: str, reads: list[str], writes: list[str], shell: list[str]):
    found = sql_effects(text)
    assert (found.reads, found.writes, found.shell) == (reads, writes, shell)
