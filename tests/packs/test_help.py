"""Asking a program for its help or its version is asked about nowhere, however dangerous the program is."""

from __future__ import annotations

from interlock.cli.common import named_policies
from interlock.facts.programs.lexicon import entries
from interlock.testing.score import Row, judge_rows

# Words of a shell, cmdlets that know no such option, programs that are made to break into machines, and those that take
# the word for something else.
KNOWN = {"kill", "function", "chattr", "capsh", "ausearch", "enum4linux", "msfconsole"}
FAMILIES = {"powershell"}


def test_help_and_versions_pass():
    names = [one.names.split()[0] for one in entries() if one.family not in FAMILIES]
    lines = [
        f"{name} {page}"
        for name in names
        if name not in KNOWN and name.isprintable() and not set("?*[") & set(name)
        for page in ("--help", "--version")
    ]
    judged = judge_rows([Row(line, line) for line in lines], named_policies("guarded", None) or [])
    assert [f"{row.command} ({', '.join(row.rules)})" for row in judged if row.decision not in ("none", "allow")] == []


def test_help_of_a_form_that_acts_passes():
    lines = [
        "python3 -m http.server --help", "git push --help", "docker run --help", "kubectl delete --help",
        "terraform destroy --help", "aws s3 rm help", "npm publish --help", "cargo publish --help",
        "rclone purge --help",
        "borg delete --help", "wrangler delete --help", "gh repo delete --help", "systemctl stop --help",
        "restic forget --help", "heroku apps:destroy --help", "fly apps destroy --help", "helm uninstall --help",
    ]  # fmt: skip
    judged = judge_rows([Row(line, line) for line in lines], named_policies("guarded", None) or [])
    assert [row.command for row in judged if row.decision not in ("none", "allow")] == []
