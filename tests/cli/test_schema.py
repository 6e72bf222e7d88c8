"""`interlock schema`: a JSON Schema that has every key of the language, and refuses nothing that the loader takes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from interlock.cli.init import READY, starter
from interlock.config.bundles import PACKS, find_pack
from interlock.errors import InterlockError
from interlock.event import EVENTS
from interlock.facts.programs.traits import TRAITS
from interlock.facts.tools import KINDS
from interlock.hosts import HOSTS
from interlock.hosts.claude_code.settings_values import _MODES as CLAUDE_MODES
from interlock.policy.load import SCOPES, load_policy
from interlock.policy.positions import read_yaml
from interlock.policy.programs.keys import CLAUSE_KEYS, ENTRY_KEYS, SERVICES, STDIN
from interlock.policy.schema import KEYS, json_schema
from tests.lint.project import Project

ROOT = Path(__file__).parents[2]
SHIPPED = sorted(PACKS.glob("*.yaml"))
EXAMPLES = sorted(file for file in (ROOT / "examples").rglob("*.yaml") if not file.name.endswith(".test.yaml"))
SCHEMA = json_schema(HOSTS, [file.stem for file in SHIPPED])
VALIDATOR = Draft202012Validator(SCHEMA)


def plain(text: bytes | str, file: str = "p.yaml") -> Any:
    return read_yaml(text, file).root.plain()


def wrong(value: Any) -> list[str]:
    """What the schema has against a policy: the places."""
    return sorted({error.json_path for error in VALIDATOR.iter_errors(value)})


def takes(value: str) -> bool:
    """Whether the loader takes a policy."""
    try:
        load_policy(value, "p.yaml", find_pack)
    except InterlockError:
        return False
    return True


def properties() -> list[tuple[str, dict[str, Any]]]:
    places = {"": SCHEMA, **{f"{name}.": SCHEMA["$defs"][name] for name in ("rule", "unless", "program", "clause")}}
    return [(where + name, shape) for where, part in places.items() for name, shape in part["properties"].items()]


PROPERTIES = properties()


def test_the_command_prints_the_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    project = Project(tmp_path, monkeypatch)
    assert project.data("schema") == SCHEMA
    assert project.run("schema").stdout == project.run("schema", "--json").stdout


def test_it_is_valid_json_schema():
    Draft202012Validator.check_schema(SCHEMA)


def test_every_reference_leads_somewhere():
    assert set(re.findall(r"#/\$defs/(\w+)", repr(SCHEMA))) == set(SCHEMA["$defs"])


def test_every_key_of_the_language_is_in_it_where_it_may_stand():
    places = {"top": SCHEMA, "rule": SCHEMA["$defs"]["rule"], "unless": SCHEMA["$defs"]["unless"]}
    for where, part in places.items():
        assert set(part["properties"]) == {key.name for key in KEYS if where in key.where}
        assert part["additionalProperties"] is False


@pytest.mark.parametrize(("name", "shape"), PROPERTIES, ids=[name for name, _ in PROPERTIES])
def test_every_key_has_a_description_and_examples_that_are_valid_for_it(name: str, shape: dict[str, Any]):
    assert re.fullmatch(r"[A-Z].*\.", shape["description"])
    assert shape["examples"]
    own = Draft202012Validator({**shape, "$defs": SCHEMA["$defs"]})
    for example in shape["examples"]:
        assert [error.message for error in own.iter_errors(example)] == []
        # An example is the value of the key, as editors insert it, and not a line with the key in it.
        assert not str(example).startswith(f"{name.rpartition('.')[2]}: ")


# --- the names that editors complete -----------------------------------------------------------------------


def enumerated(shape: Any) -> set[str]:
    """Every name that a shape lists, references followed."""
    if isinstance(shape, list):
        return set().union(*map(enumerated, shape))
    if not isinstance(shape, dict):
        return set()
    found = {name for name in shape.get("enum", ()) if isinstance(name, str)}
    if "$ref" in shape:
        found |= enumerated(SCHEMA["$defs"][shape["$ref"].rpartition("/")[2]])
    return found.union(*(enumerated(part) for key, part in shape.items() if key not in ("enum", "examples", "$ref")))


@pytest.mark.parametrize(
    ("key", "names"),
    [
        ("event", set(EVENTS) - {"WorktreeCreate"}),
        ("kind", set(KINDS)),
        ("does", set(TRAITS)),
        ("host", set(HOSTS)),
        ("mode", set(CLAUDE_MODES)),
        ("on_error", {"deny", "ask", "ignore"}),
    ],
)
def test_the_names_of_a_key_are_those_of_the_language(key: str, names: set[str]):
    assert enumerated(SCHEMA["$defs"]["rule"]["properties"][key]) == names


def test_what_programs_do_and_what_their_words_are_is_completed():
    program, clause = (SCHEMA["$defs"][name]["properties"] for name in ("program", "clause"))
    assert set(program) == set(ENTRY_KEYS)
    assert set(clause) == set(CLAUSE_KEYS)
    by_phrase = next(one for one in program["does"]["anyOf"] if "properties" in one)
    assert set(by_phrase["properties"]) == enumerated(program["does"]) == enumerated(clause["does"]) == set(TRAITS)
    assert {"read", "write*", "delete*", "argv", "code:sql"} <= enumerated(program["operands"])
    assert enumerated(program["stdin"]) == set(STDIN)
    assert enumerated(program["service"]) == set(SERVICES)


def test_tools_packs_and_scopes_are_completed():
    assert {"Bash", "Write", "Edit", "Read", "WebFetch", "Agent", "Task", "ExitPlanMode"} <= enumerated(
        SCHEMA["$defs"]["rule"]["properties"]["tool"]
    )
    assert enumerated(SCHEMA["$defs"]["pack"]) == {file.stem for file in SHIPPED}
    assert enumerated(SCHEMA["properties"]["state"]) == set(SCOPES)


# --- what is valid -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", [*SHIPPED, *EXAMPLES], ids=lambda file: file.name)
def test_what_we_ship_is_accepted(file: Path):
    assert wrong(plain(file.read_bytes(), str(file))) == []


@pytest.mark.parametrize("name", list(READY))
def test_a_starter_is_accepted(name: str):
    assert wrong(plain(starter(name))) == []


def test_every_policy_in_the_docs_is_accepted():
    blocks = [
        block
        for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
        for block in re.findall(r"```yaml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        if re.search(r"^version: 1$", block, re.MULTILINE) and "tol: process_refund" not in block
    ]
    assert len(blocks) > 20
    assert [block for block in blocks if wrong(plain(block))] == []


@pytest.mark.parametrize(
    "text",
    [
        "event: '${moments}'", "event: [Stop, '${moments}']", "kind: /sh/", "kind: [s*, edit]",
        "does: [git/*, read-only]",
        "does: '/^git/'", "tool: my_own_tool", "tool: [mcp__files__*, /x/]", "mode: brandNew", "branch: 1.2",
        "branch: [1, main]", "timeout: 1h30m\nrun: make", "run: [make, 3]", "host: my-own-host", "path: {send: x}",
        "unless: [{tool: Read}, {mode: plan}]", "cases: {catch: [ls, {Write: x, given: {run: 1}}, {event: {a: 1}}]}",
    ],
)  # fmt: skip
def test_less_usual_forms_are_accepted(text: str):
    body = "".join(f"    {line}\n" for line in text.splitlines())
    policy = f"version: 1\nlet: {{moments: [Stop, SubagentStop]}}\nrules:\n  - id: a\n{body}"
    assert wrong(plain(policy)) == []


VALUES: dict[str, list[str]] = {
    "id": ["a-b", "a.b_c", "größe", "ä", "'a b'", "''", "1"],
    "about": ["Why.", "''", "true"],
    "agent": ["main", "[main, re*]", "1", "{}"],
    "host": ["claude-code", "[flat, mcp]", "my-own", "[]"],
    "server": ["user", "/u/", "''"],
    "prompt": ["deploy", "[/a/, b]", "{a: b}"],
    "command": ["git push", "[ls, curl|wget]", "[]", "true"],
    "push": ["main", "[main, rel/*]", "{to: main}", "{to: main, force: true}", "{}", "{too: main}", "{force: yup}"],
    "content": ["x", "/x/", "[x, 1]", "''"],
    "max_lines": ["40", "0", "'40'", "1.5", "true"],
    "ask": ["Really?", "true", "''"],
    "defer": ["true", "false", "Later."],
    "output": ["x", "{a: 1}", "null", "[1]"],
    "notify": ["Done.", "{text: Done., desktop: true}", "{desktop: true}", "{text: Done., desk: true}", "''", "true"],
    "event": ["Stop", "[PreToolUse, PostToolUse]", "PreTooluse", "[]", "'${e}'", "7"],
    "tool": ["Bash", "[Write, mcp__a__*]", "/x/", "''", "[]", "{a: b}", "1"],
    "kind": ["shell", "[edit, read]", "shel", "s*", "[]", "true"],
    "does": ["read-only", "git/*", "[network, git/publish]", "/git/", "''"],
    "mode": ["plan", "[plan, auto]", "7", "{}"],
    "branch": ["main", "1.5", "[main, 2]", "[]", "null"],
    "path": ["src/", "{write: [a, b]}", "{rite: a}", "{}", "{write: 1}", "[]"],
    "url": ["example.com", "['*.example.com']", "[[x]]"],
    "when": ["'true'", "true", "input.a == 1", "''"],
    "unless": ["{tool: Read}", "[{mode: plan}, {branch: a}]", "{}", "[]", "{run: x}", "x"],
    "on_error": ["ask", "ignore", "pass", "true"],
    "approve": ["host", "inbox", "both", "phone", "true"],
    "run": ["make test", "[make, test]", "[make, 3]", "[]", "{a: b}"],
    "timeout": ["5s", "5", "1h", "five"],
    "deny": ["No.", "true", "''", "3", "[x]"],
    "allow": ["true", "false", "Yes.", "''"],
    "context": ["Read this.", "true", "''"],
    "set": ["{n: 1}", "{m: 1}", "[n]", "1"],
    "change": ["{command: ls}", "x", "{}"],
    "interrupt": ["true", "false", "Stop now.", "1"],
    "observe": ["true", "'true'", "1"],
    "quiet": ["why", "true"],
    "cases": ["{catch: [ls], pass: [pwd]}", "{catch: ls}", "{hit: [ls]}", "{catch: [{Write: a}]}", "[]"],
}  # fmt: skip
TOPS = {
    "brief": ["true", "1"],
    "state": ["{n: 0}", "{n: {default: 0, scope: user}}", "{n: {default: 0, scope: usr}}", "{n: {scope: user}}", "[n]"],
    "packs": ["[git]", "[{use: git, asks: deny}]", "[{use: git, asks: ask}]", "[{us: git}]", "git",
              "[{use: git, without: force-push}]"],
    "tools": ["{t: {kind: edit, write: a}}", "{t: {kind: edti}}", "{t: {rite: a}}", "[t]"],
    "programs": [
        "{t: {does: read-only}}", "{t: {does: [read-only, network]}}", "{t: {does: red-only}}", "{t: {does: 1}}",
        "{t u: {does: {read-only network: [get, 1, ''], changes: x}}}", "{t: {does: {changes: [true]}}}",
        "{t: {options: [n/name=, 1, 2=read]}}", "{t: {options: 1}}", "{t: {options: [true]}}",
        "{t: {options: x y=write}}",
        "{t: {operands: ''}}", "{t: {operands: text read*}}", "{t: {operands: [read]}}", "{t: {operands: 1}}",
        "{t: {forms: {get: {does: read-only, forms: {x: {like: git}}}}}}", "{t: {forms: [get]}}",
        "{t: {forms: {a: 1}}}",
        "{t: {when: [{first: ['', 1], looks: true}]}}", "{t: {when: [{first: x}]}}", "{t: {when: {first: x}}}",
        "{t: {when: [{option: --x, does: [network, changes], drops: network, operands: ''}]}}", "{t: {when: [{}]}}",
        "{t: {service: cloud}}", "{t: {service: clod}}", "{t: {stdin: shell}}", "{t: {stdin: 'code:cobol'}}",
        "{t: {stops: true, single-dash: true, help: false, brief: true}}", "{t: {stops: 1}}", "{t: {help: nope}}",
        "{t: {cases: {t get: read-only}}}", "{t: {cases: {t get: [read-only, writes x]}}}", "{t: {cases: [t get]}}",
        "{t: {cases: {t get: 1}}}", "{t: {about: x}}", "{t: {about: ''}}", "{t: {reader: files.copy}}", "{t: null}",
        "{t: {like: git status}}", "{t: {like: 1}}", "{t: {leading: [x], forms: {a: {}}}}", "[t]", "{}", "{./t: {}}",
    ],
    "hooks": ["[./a.py]", "[{run: ./a, event: Stop}]", "[{run: ./a, url: x}]", "[{}]", "[{run: ./a, event: Sotp}]",
              "[{run: ./a, timeout: 5}]"],
    "let": ["{a: 1}", "[a]"],
    "inbox": ["{wait: 5m}", "{wait: 5}", "{wait: 1ms}", "{desktop: true}", "{desktop: on1}", "{wiat: 5m}", "[]",
              "{webhook: {url: 'https://a.example', secret: /k}}", "{webhook: {secret: /k}}",
              "{webhook: {url: 'https://a.example', message: slack, page: 'https://b.example'}}",
              "{webhook: {url: 'https://a.example', message: teams}}"],
    "record": ["{keep: 90d}", "{keep: 1s}", "{keep: 90}", "{kept: 90d}", "90d"],
}  # fmt: skip


@pytest.mark.parametrize("value", TOPS["programs"])
def test_a_description_that_the_loader_takes_is_valid(value: str):
    text = f"version: 1\nprograms: {value}\n"
    assert not takes(text) or wrong(plain(text)) == []


ONE_BY_ONE = [(name, value) for name, values in VALUES.items() for value in values]
BESIDE = ("deny: x", "event: Stop\n    deny: x", "event: PostToolUse\n    context: x", "tool: Bash",
          "run: make\n    deny: x", "tool: Bash\n    change: {command: ls}")  # fmt: skip


def test_every_key_of_a_rule_is_tried():
    assert set(VALUES) == {key.name for key in KEYS if "rule" in key.where}


@pytest.mark.parametrize(("name", "value"), ONE_BY_ONE, ids=[f"{name}-{value}" for name, value in ONE_BY_ONE])
def test_a_value_that_the_loader_takes_is_valid(name: str, value: str):
    for beside in BESIDE:
        if f"{name}: " not in beside:
            own = "" if name == "id" else "id: a\n    "
            text = f"version: 1\nstate: {{n: 0}}\nrules:\n  - {own}{beside}\n    {name}: {value}\n"
            assert not takes(text) or wrong(plain(text)) == [], beside


@st.composite
def policies(draw: st.DrawFn) -> str:
    """A policy with some keys, each with a value that may or may not be right."""
    top = {name: draw(st.sampled_from(values)) for name, values in TOPS.items() if draw(st.integers(0, 4)) == 0}
    names = draw(st.lists(st.sampled_from([name for name in VALUES if name != "id"]), unique=True, max_size=4))
    rule = ["id: a", *(f"{name}: {draw(st.sampled_from(VALUES[name]))}" for name in names)]
    lines = [f"{name}: {value}\n" for name, value in top.items()]
    return f"version: 1\n{''.join(lines)}rules:\n  - " + "\n    ".join(rule) + "\n"


@settings(max_examples=400)
@given(policies())
def test_a_policy_that_the_loader_takes_is_valid(text: str):
    if takes(text):
        assert wrong(plain(text)) == []


# --- what is not -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("rules: []", "$"),
        ("version: 2", "$.version"),
        ("version: '1'", "$.version"),
        ("{version: 1, rulez: []}", "$"),
        ("{version: 1, rules: {id: a}}", "$.rules"),
        ("{version: 1, rules: [{deny: x}]}", "$.rules[0]"),
        ("{version: 1, rules: [{id: a b, deny: x}]}", "$.rules[0].id"),
        ("{version: 1, rules: [{id: a, comand: x}]}", "$.rules[0]"),
        ("{version: 1, rules: [{id: a, event: Strop, deny: x}]}", "$.rules[0].event"),
        ("{version: 1, rules: [{id: a, event: [Stop, PreToolUs], deny: x}]}", "$.rules[0].event"),
        ("{version: 1, rules: [{id: a, event: WorktreeCreate, deny: x}]}", "$.rules[0].event"),
        ("{version: 1, rules: [{id: a, kind: shel, deny: x}]}", "$.rules[0].kind"),
        ("{version: 1, rules: [{id: a, kind: [shell, Edit], deny: x}]}", "$.rules[0].kind"),
        ("{version: 1, rules: [{id: a, does: git/publish, deny: x}]}", "$.rules[0].does"),
        ("{version: 1, rules: [{id: a, unless: {does: readonly}, deny: x}]}", "$.rules[0].unless"),
        ("{version: 1, rules: [{id: a, on_error: pass, deny: x}]}", "$.rules[0].on_error"),
        ("{version: 1, rules: [{id: a, unless: {run: x}, deny: x}]}", "$.rules[0].unless"),
        ("{version: 1, rules: [{id: a, unless: {}, deny: x}]}", "$.rules[0].unless"),
        ("{version: 1, rules: [{id: a, path: {rite: x}, deny: x}]}", "$.rules[0].path"),
        ("{version: 1, rules: [{id: a, event: Stop, run: x, timeout: 5, deny: x}]}", "$.rules[0].timeout"),
        ("{version: 1, rules: [{id: a, run: [], deny: x}]}", "$.rules[0].run"),
        ("{version: 1, rules: [{id: a, deny: true}]}", "$.rules[0].deny"),
        ("{version: 1, rules: [{id: a, deny: ''}]}", "$.rules[0].deny"),
        ("{version: 1, rules: [{id: a, allow: false}]}", "$.rules[0].allow"),
        ("{version: 1, rules: [{id: a, deny: x, cases: {caught: [ls]}}]}", "$.rules[0].cases"),
        ("{version: 1, state: {n: {default: 1, scope: sesion}}}", "$.state.n.scope"),
        ("{version: 1, state: {n: {scope: session}}}", "$.state.n"),
        ("{version: 1, tools: {t: {kind: edti, write: a}}}", "$.tools.t.kind"),
        ("{version: 1, packs: [{use: git, asks: ask}]}", "$.packs[0]"),
        ("{version: 1, inbox: {wait: 5}}", "$.inbox.wait"),
        ("{version: 1, inbox: {webhook: {secret: /k}}}", "$.inbox.webhook"),
        ("{version: 1, record: {keep: soon}}", "$.record.keep"),
        ("{version: 1, programs: [ourctl]}", "$.programs"),
        ("{version: 1, programs: {ourctl: {opts: [x]}}}", "$.programs.ourctl"),
        ("{version: 1, programs: {ourctl: {forms: {get: {opts: [x]}}}}}", "$.programs.ourctl.forms.get"),
        ("{version: 1, programs: {ourctl: {when: [{frist: x, looks: true}]}}}", "$.programs.ourctl.when[0]"),
        ("{version: 1, programs: {ourctl: {service: clod}}}", "$.programs.ourctl.service"),
        ("{version: 1, programs: {ourctl: {stops: 1}}}", "$.programs.ourctl.stops"),
        ("{version: 1, hooks: [{run: ./a, dialect: claude}]}", "$.hooks[0]"),
        ("{version: 1, hooks: [{run: ./a, event: Sotp}]}", "$.hooks[0]"),
        ("{version: 1, hooks: [{event: Stop}]}", "$.hooks[0]"),
    ],
)  # fmt: skip
def test_what_the_loader_refuses_is_refused(text: str, place: str):
    assert not takes(text)
    assert wrong(plain(text)) == [place]


@pytest.mark.parametrize("key", ["event", "kind", "does", "on_error"])
def test_a_misspelt_name_of_a_closed_key_is_refused(key: str):
    names = enumerated(SCHEMA["$defs"]["rule"]["properties"][key])
    for name in names:
        for mistake in (name[:-1], f"{name}x", name[1:]):
            if mistake not in names:
                assert wrong({"version": 1, "rules": [{"id": "a", key: mistake, "deny": "x"}]}) == [f"$.rules[0].{key}"]
