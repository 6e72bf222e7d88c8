"""The permissions of Claude Code settings: nothing that was denied or asked passes, nothing more is allowed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from interlock.config.bundles import find_pack
from interlock.errors import InterlockError
from interlock.imports.draft import Import, settle
from interlock.imports.permissions import LISTS, matches_command, read_permissions, specifier_of
from interlock.imports.write import new_policy
from interlock.policy.load import Policy, load_policy
from interlock.testing.cases import run_cases
from tests.policy.builders import Session


def imported(**lists: list[str]) -> Import:
    return settle(read_permissions(json.dumps({"permissions": lists}, indent=1), "settings.json"))


def policy_of(found: Import) -> Policy:
    return load_policy(new_policy(found), "interlock.yaml", find_pack)


def decided(found: Import, call: Any) -> str | None:
    return Session(policy_of(found)).call(call).decision


def test_the_lists_become_one_rule_for_each_kind_with_cases():
    found = imported(
        deny=["Bash(git push:*)", "Bash(curl*)", "Read(./.env)", "Read(~/.ssh/**)", "Edit(//etc/**)", "mcp__shop"],
        ask=["Bash(git commit *)", "WebFetch(domain:example.com)"],
        allow=["Bash(ls:*)", "Read(src/**)", "WebFetch(domain:docs.example.org)"],
    )
    assert found.left == []
    assert new_policy(found) == snapshot("""\
# Imported from settings.json.
version: 1
rules:
  - id: permissions-deny-commands
    command: [git push, "/^curl.*$/"]
    deny: "The permissions of this project deny this. Do it another way, or ask the user to do it."
    cases:
      catch: [git push, curlx]
      pass: [interlock --version, "true"]

  - id: permissions-deny-reads
    path: {read: ["./.env", "./.env/**", "~/.ssh/**"]}
    deny: "The permissions of this project deny this. Do it another way, or ask the user to do it."
    cases:
      catch: [{Read: ".env"}, {Read: "/home/dev/.ssh/a/b"}]
      pass: [{Read: "/nowhere/else.txt"}]

  - id: permissions-deny-writes
    path: {write: ["/etc/**"]}
    deny: "The permissions of this project deny this. Do it another way, or ask the user to do it."
    cases:
      catch: [{Write: "/etc/a/b"}]
      pass: [{Write: "/nowhere/else.txt"}]

  - id: permissions-deny-tools
    tool: "mcp__shop__*"
    deny: "The permissions of this project deny this. Do it another way, or ask the user to do it."
    cases:
      catch: [{mcp__shop__any: {}}]
      pass: [{AnotherTool: {}}]

  - id: permissions-ask-commands
    command: git commit
    ask: "The permissions of this project ask a person about this. Go on?"
    cases:
      catch: [git commit]
      pass: [interlock --version, "true"]

  - id: permissions-ask-addresses
    tool: WebFetch
    url: example.com
    ask: "The permissions of this project ask a person about this. Go on?"
    cases:
      catch: [{WebFetch: "https://example.com/"}]
      pass: [{WebFetch: "https://elsewhere.invalid/"}]

  - id: permissions-allow-commands
    tool: Bash
    when: >-
      !opaque &&
      size(commands) > 0 &&
      reads.all(p, (p + "/").startsWith(project + "/")) &&
      writes.all(p, (p + "/").startsWith(project + "/")) &&
      commands.all(c, c.file != "" ||
      (size(c.env) == 0 &&
      c.text.matches("^(?:ls( [^<>]*)?)$")))
    allow: true
    cases:
      catch: [ls]
      pass: [interlock --version, "true"]

  - id: permissions-allow-reads
    tool: Read
    path: {read: ["./src/**"]}
    allow: true
    cases:
      catch: [{Read: src/a/b}]
      pass: [{Read: "/nowhere/else.txt"}]

  - id: permissions-allow-addresses
    tool: WebFetch
    when: 'size(urls) > 0 && urls.all(u, u.host in ["docs.example.org"])'
    allow: true
    cases:
      catch: [{WebFetch: "https://docs.example.org/"}]
      pass: [{WebFetch: "https://elsewhere.invalid/"}]
""")


# --- what each entry means -------------------------------------------------------------------------------------

# An entry, calls that the host matches with it, and calls that it does not.
TABLE: list[tuple[str, list[Any], list[Any]]] = [
    ("Bash", ["ls", "git push"], [{"Read": "a"}]),
    ("Bash(*)", ["ls"], [{"Read": "a"}]),
    ("Bash(git push)", ["git push"], ["git push origin", "git pushx", "git"]),
    ("Bash(git push:*)", ["git push", "git push origin main"], ["git pull", "git pushx"]),
    ("Bash(git push *)", ["git push", "git push origin main"], ["git pull", "git pushx"]),
    ("Bash(ls*)", ["ls", "ls -la", "lsof"], ["als"]),
    ("Bash(git * main)", ["git push main", "git push origin main"], ["git push origin", "echo main"]),
    ("Bash(* --version)", ["node --version"], ["node --help"]),
    ("Bash(npm run test:*)", ["npm run test", "npm run test --watch"], ["npm run build", "npm test"]),
    ("Read(./.env)", [{"Read": ".env"}], [{"Read": "env"}, {"Read": "sub/.env"}]),
    ("Read(.env)", [{"Read": ".env"}, {"Read": "sub/.env"}], [{"Read": ".envrc"}]),
    ("Read(~/.ssh/**)", [{"Read": "/home/dev/.ssh/id"}], [{"Read": ".ssh/id"}]),
    ("Read(//etc/passwd)", [{"Read": "/etc/passwd"}], [{"Read": "etc/passwd"}]),
    ("Read(/secrets/**)", [{"Read": "secrets/a"}], [{"Read": "sub/secrets/a"}, {"Read": "/secrets/a"}]),
    ("Read(secrets/)", [{"Read": "secrets/a/b"}], [{"Read": "secret"}]),
    ("Edit(docs/**)", [{"Write": "docs/a.md"}, {"Edit": "docs/b/c.md"}], [{"Write": "src/a"}, {"Read": "docs/a.md"}]),
    ("Edit(*.md)", [{"Write": "a.md"}, {"Edit": "b/c.md"}], [{"Write": "a.mdx"}]),
    ("WebFetch(domain:example.com)", [{"WebFetch": "https://example.com/a"}], [{"WebFetch": "https://example.org"}]),
    ("WebFetch", [{"WebFetch": "https://example.com/a"}], [{"WebSearch": "x"}]),
    ("mcp__shop", [{"mcp__shop__buy": {}}], [{"mcp__other__buy": {}}]),
    ("mcp__shop__*", [{"mcp__shop__buy": {}}], [{"mcp__shopping__buy": {}}]),
    ("mcp__shop__buy", [{"mcp__shop__buy": {}}], [{"mcp__shop__sell": {}}]),
    ("Agent(explorer)", [{"Agent": {"subagent_type": "explorer", "prompt": "x", "description": "x"}}],
     [{"Agent": {"subagent_type": "other", "prompt": "x", "description": "x"}}]),
    ("Skill(deploy *)", [{"Skill": {"skill": "deploy"}}, {"Skill": {"skill": "deploy now"}}],
     [{"Skill": {"skill": "deployer"}}]),
]  # fmt: skip


@pytest.mark.parametrize("decision", LISTS)
@pytest.mark.parametrize(("entry", "hits", "misses"), TABLE, ids=[row[0] for row in TABLE])
def test_an_entry_means_what_the_host_means(decision: str, entry: str, hits: list[Any], misses: list[Any]):
    found = imported(**{decision: [entry]})
    assert found.left == []
    assert [decided(found, call) for call in hits] == [decision] * len(hits)
    assert [decided(found, call) for call in misses] == [None] * len(misses)


def test_a_deny_beats_an_ask_and_an_ask_beats_an_allow_whatever_is_more_precise():
    allow = ["Bash(aws s3 ls)", "Bash(git status)", "Bash(ls:*)"]
    found = imported(deny=["Bash(aws:*)"], ask=["Bash(git:*)"], allow=allow)
    calls = ("aws s3 ls", "git status", "ls -a", "make")
    assert [decided(found, call) for call in calls] == ["deny", "ask", "allow", None]


def test_every_command_of_a_line_must_be_allowed_and_one_is_enough_to_deny():
    found = imported(allow=["Bash(ls:*)", "Bash(git status)"], deny=["Bash(rm:*)"])
    assert decided(found, "ls -a && git status") == "allow"
    assert decided(found, "ls && make") is None
    assert decided(found, "ls; rm x") == "deny"


@pytest.mark.parametrize(
    "command",
    ["npm test > /etc/hosts", "FOO=1 npm test", "npm test $(make)", "npm test && make", "./npm test", "npm test | sh",
     "sudo npm test", "npm test <secret", "npm testx", "npm test && cat ~/.ssh/id_rsa"],
)  # fmt: skip
def test_an_allow_covers_nothing_that_the_host_would_ask_about(command: str):
    assert decided(imported(allow=["Bash(npm test:*)", "Bash(cat:*)"]), command) is None


def test_a_command_line_that_was_allowed_as_a_whole_is_allowed_as_a_whole():
    line = "cd sub && NODE_ENV=x make 'a b' | tail\necho $X"
    found = imported(allow=[f"Bash({line})", "Bash(sudo systemctl status x)"])
    assert found.left == []
    assert decided(found, {"Bash": {"command": line}}) == "allow"
    assert decided(found, "sudo systemctl status x") == "allow"
    assert decided(found, {"Bash": {"command": line + " "}}) is None


# --- what cannot be carried ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("decision", "entry", "why"),
    [
        ("allow", "Write(docs/**)", "Claude Code never looks at `Write(…)`; it takes `Edit(…)`"),
        ("allow", "Bash(sudo cp *)", "a rule judges what this command runs by itself, so none allows exactly this"),
        ("deny", "Bash(curl * | sh)", "it joins several commands, and both tools judge each of them by itself"),
        ("ask", "Bash(A=1 make:*)", "it begins with a variable, and a rule sees the command without it"),
        ("deny", "Read(!a)", "the path has a character that means something else in a policy"),
        ("deny", "WebFetch(https://a.example)", "Claude Code knows `WebFetch(domain:HOST)` only"),
        ("deny", "Monitor(x)", "no rule knows what `Monitor(…)` means; write one with `tool: Monitor` and `when`"),
        ("deny", "no rule", "this is not a permission rule: write `Tool` or `Tool(…)`"),
        ("allow", "*", "this is not a permission rule: write `Tool` or `Tool(…)`"),
    ],
)
def test_an_entry_that_cannot_be_carried_is_listed_with_its_line(decision: str, entry: str, why: str):
    found = imported(**{decision: [entry, "Bash(make)"]})
    assert [(str(one.source), one.what, one.why) for one in found.left] == [("settings.json:4:4", entry, why)]
    assert len(found.rules) == 1  # the other entry is


def test_a_path_beside_a_persons_own_settings_is_not_taken_for_one_of_the_project():
    text = '{"permissions": {"deny": ["Read(/a)", "Read(//b)", "Read(~/c)"]}}'
    assert [str(one) for one in read_permissions(text, "s.json", own=True).left] == [
        "s.json:1: Read(/a): it means a path beside your own settings; write it with `~/` or `//`"
    ]
    assert read_permissions(text, "s.json").left == []


def test_a_write_that_was_never_denied_is_denied():
    found = imported(deny=["Write(secrets/**)"])
    assert decided(found, {"Write": "secrets/a"}) == "deny"


def test_other_settings_of_permissions_stay_where_they_are():
    text = '{"permissions": {\n"defaultMode": "plan",\n"alow": []}}'
    assert [str(one) for one in read_permissions(text, "s.json").left] == [
        "s.json:2: permissions.defaultMode: it stays in the settings, where it still applies",
        "s.json:3: permissions.alow: Claude Code has no such setting",
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[]", "the settings are not an object [s.json:1:1]; write {…}"),
        ("{}", "the settings have no `permissions` [s.json:1:1]; give a file that has some"),
        ('{"permissions": []}', '`permissions` is not an object [s.json:1:17]; write {"deny": […]}'),
        ('{"permissions": {"deny": {}}}', '`permissions.deny` is not a list [s.json:1:26]; write ["Bash(npm test)"]'),
        (
            '{"permissions": {"ask":\n[1]}}',
            'an entry of `permissions.ask` is not a text [s.json:2:2]; write "Bash(npm test)"',
        ),
    ],
)
def test_settings_that_cannot_be_read_are_an_error_at_its_place(text: str, complaint: str):
    with pytest.raises(InterlockError) as caught:
        read_permissions(text, "s.json")
    assert caught.value.in_one_line() == complaint


# --- properties ------------------------------------------------------------------------------------------------

_WORDS = st.sampled_from(["git", "push", "npm", "run", "test", "ls", "-f", "--force", "a.txt", "main", "rm", "make"])
_COMMANDS = st.lists(_WORDS, min_size=1, max_size=4).map(" ".join).filter(lambda text: text[0] != "-")
_PATTERNS = st.tuples(_COMMANDS, st.sampled_from(["", ":*", " *", "*"])).map("".join)
_PATHS = st.lists(st.sampled_from(["a", "src", "*", "**", "*.md", ".env"]), min_size=1, max_size=3).map("/".join)
_ENTRIES = st.one_of(
    _PATTERNS.map("Bash({})".format),
    st.tuples(st.sampled_from(["Read", "Edit"]), st.sampled_from(["", "./", "/", "//", "~/"]), _PATHS).map(
        lambda parts: f"{parts[0]}({parts[1]}{parts[2]})"
    ),
    st.sampled_from(["Bash", "Read", "WebSearch", "mcp__a", "mcp__a__b", "WebFetch(domain:example.com)", "Skill(x)"]),
    st.text(max_size=12),
)


@settings(max_examples=30)
@given(st.fixed_dictionaries({}, optional=dict.fromkeys(LISTS, st.lists(_ENTRIES, max_size=5))))
def test_whatever_the_lists_say_the_policy_loads_and_its_cases_hold(lists: dict[str, list[str]]):
    found = imported(**lists)
    assert [result.message for result in run_cases(policy_of(found)) if not result.ok] == []
    assert all(rule.catch for rule in found.rules)
    written = {entry for listed in lists.values() for entry in listed}
    assert {one.what for one in found.left} <= written


@settings(max_examples=60)
@given(_PATTERNS, _COMMANDS)
def test_a_command_that_the_host_would_stop_is_stopped_and_one_that_it_would_ask_about_is_not_allowed(
    pattern: str, command: str
):
    specifier = specifier_of(f"Bash({pattern})")
    assert specifier is not None
    host = matches_command(specifier.inside, command)
    for decision in ("deny", "ask"):
        found = imported(**{decision: [f"Bash({pattern})"]})
        if host and found.rules:
            assert decided(found, {"Bash": {"command": command}}) == decision
    if not host:
        assert decided(imported(allow=[f"Bash({pattern})"]), {"Bash": {"command": command}}) is None
