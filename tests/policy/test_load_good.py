"""What the loader makes of a good policy, and that it raises nothing but located errors on any text."""

from hypothesis import example, given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from interlock.config.bundles import find_pack
from interlock.facts.fields import ToolUse
from interlock.policy.load import StateSpec, load_policy
from interlock.policy.positions import LocatedErrors
from tests.policy.builders import load


def test_the_smallest_policy_is_a_version():
    assert load("").rules == ()


def test_state_is_a_default_or_a_default_with_a_scope():
    policy = load("state: {a: 5, b: {}, c: {default: [], scope: user}, d: {x: {default: 1}}}")
    assert policy.state == {
        "a": StateSpec(5),
        "b": StateSpec({}),
        "c": StateSpec([], "user"),
        "d": StateSpec({"x": {"default": 1}}),
    }


def test_tools_say_what_their_fields_mean():
    policy = load("tools: {mcp__files__save: {write: target, content: [body, more], kind: edit}}")
    assert policy.tools == {"mcp__files__save": ToolUse(kind="edit", write=("target",), content=("body", "more"))}


def test_hooks_are_files_programs_and_urls():
    policy = load("""
        hooks:
          - ./guards.py
          - {run: ./check.sh, event: [Stop, PreToolUse], tool: Bash, timeout: 5s}
          - {run: [python, x.py], dialect: flat}
          - {url: "http://localhost:1/x", name: local}
    """)
    assert [file for file, _ in policy.hook_files] == ["./guards.py"]
    shown = [(one.run, one.url, one.dialect, one.events, one.timeout, one.name) for one in policy.externals]
    assert shown == [
        ("./check.sh", None, "claude-code", ("Stop", "PreToolUse"), 5.0, "./check.sh"),
        (("python", "x.py"), None, "flat", ("PreToolUse",), 60.0, "python x.py"),
        (None, "http://localhost:1/x", "claude-code", ("PreToolUse",), 60.0, "local"),
    ]


def test_patterns_take_constants_of_let_and_a_list_there_means_any_of():
    policy = load("""
        let: {secret_files: [.env*, ~/.ssh/], org: acme}
        rules:
          - {id: a, path: {read: ["${secret_files}", other]}, tool: "mcp__${org}__*", deny: x}
    """)
    condition = policy.rules[0][0].condition
    assert condition.path is not None
    assert condition.tool is not None
    assert condition.path.globs == {"read": (".env*", "~/.ssh/", "other")}
    assert condition.tool.patterns == ("mcp__acme__*",)


def test_the_example_of_the_design_loads():
    policy = load("""
        let:
          limits: {new: 100, regular: 300, vip: 1000}
          secret_files: [.env*, ~/.ssh/, ~/.aws/]
          office: ${now.getDayOfWeek("Europe/Berlin") in [1, 2, 3, 4, 5]}
        state: {tenure: {}}
        rules:
          - id: customer-known
            event: PostToolUse
            tool: mcp__crm__get_customer
            set:
              tenure: {"${input.customer_id}": "${output.tenure}"}
          - id: refund-over-limit
            tool: process_refund
            when: input.amount > limits[?state.tenure[?input.customer_id].orValue("new")].orValue(100)
            deny: Refund of $${input.amount} is over this customer's limit. Use escalate_to_human.
          - id: secret-read
            path: {read: "${secret_files}"}
          - id: network-after-secret
            url: "*"
            when: count("secret-read") > 0 || !office
            deny: ${match.url.host} is closed after a secret was read, and at weekends.
          - id: tests-pass
            event: Stop
            run: npm test --silent
            timeout: 300s
            deny: "Tests fail; fix them before you finish.\\n${run.out}"
    """)
    assert [rule.id for rule, _ in policy.rules] == snapshot(
        ["customer-known", "refund-over-limit", "secret-read", "network-after-secret", "tests-pass"]
    )


# Any text

_WORDS = [
    "version", "rules", "packs", "hooks", "let", "state", "tools", "brief", "observe", "id", "about", "event", "tool",
    "kind", "agent", "path", "url", "content", "prompt", "command", "when", "unless", "run", "timeout", "deny", "ask",
    "allow", "defer", "change", "quiet", "output", "context", "notify", "set", "interrupt", "cases", "catch", "pass",
    "read", "write", "use", "with", "without", "default", "scope", "given", "on_error", "server", "branch", "max_lines",
]  # fmt: skip
_SCALARS = st.one_of(
    st.sampled_from([
        "1", "true", "null", "5.5", "PreToolUse", "PostToolUse", "Stop", "Bash", "Write", "git", "secrets", "./x.yaml",
        "/[/", "/a/i", "'*'", "~/.ssh/", "git push --force|-f", "a | b", "input.command", "'${input.command}'",
        "'${x'", "'${count(\"a\")}'", "state.a > 1", "has(state.a)", "input.?x.orValue(1) == 1", "size(1)", "1 +",
        "'${{\"a\": 1}}'", "session", "user", "10s", "999h", "''", "x", "edit", "deny", "now",
        "'\\u0000'", "\"\\ud800\"",
        "99999999999999999999999", "mcp__a", "mcp__a__b", "output.x", "match.path", "run.code == 0", "!x", "*", "&a",
        "'${project}/**'", "{}", "[]", "-", "?", "%", "@a", "`", "x: y", "é", "\U0001f600",
    ]),
    st.text(max_size=6),
)  # fmt: skip
_FLOW = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: "[" + ", ".join(parts) + "]"),
        st.lists(st.tuples(st.sampled_from(_WORDS), inner), max_size=5).map(
            lambda pairs: "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
        ),
    ),
    max_leaves=12,
)
_RULE = st.lists(st.tuples(st.sampled_from(_WORDS), _FLOW), max_size=6).map(
    lambda pairs: "  - id: a\n" + "".join(f"    {key}: {value}\n" for key, value in pairs)
)
_POLICY = st.tuples(
    st.lists(st.tuples(st.sampled_from(_WORDS), _FLOW), max_size=3).map(
        lambda pairs: "".join(f"{key}: {value}\n" for key, value in pairs)
    ),
    st.lists(_RULE, max_size=3),
).map(lambda parts: f"version: 1\n{parts[0]}rules:\n{''.join(parts[1])}")


@settings(max_examples=400, deadline=None)
@given(st.one_of(_POLICY, _FLOW, st.text(max_size=40)))
@example("version: 1\nlet: {a: '${b}', b: '${a}'}\n")
@example("version: 1\nlet: {a: '${a}'}\nrules:\n  - {id: r, when: a, deny: x}\n")
@example(
    "version: 1\nlet: {event: 5, now: 6, true: 7, size: 8, a-b: 9, in: 10}\nrules:\n  - {id: r, when: a-b, deny: x}\n"
)
@example("version: 1\nstate: {a.b: 5, '': 6, 'x y': 7}\nrules:\n  - {id: r, when: state.a.b == 1, deny: x}\n")
@example("version: 1\nstate: {n: 99999999999999999999999}\nrules:\n  - {id: r, when: state.n > 1, deny: x}\n")
@example("version: 1\nrules:\n  - {id: r, event: Nope, tool: Bash, deny: '${input.x}'}\n")
@example("version: 1\npacks: ['', '../x', '/', 'a\\0b']\n")
@example("version: 1\npacks: [{use: [a]}, {use: git, with: 5}, {use: git, without: {}}]\n")
@example("version: 1\nhooks: [{run: []}, {run: [[a]]}, {run: {}}]\n")
@example("version: 1\nrules:\n  - {id: r, cases: 5, deny: x}\n")
@example("version: 1\nrules:\n  - {id: r, path: {write: {a: b}}, deny: x}\n")
@example("version: 1\nrules:\n  - {id: r, path: '[', deny: x}\n")
@example("version: 1\nrules:\n  - {id: r, url: '/(/', deny: x}\n")
@example("version: 1\nrules:\n  - {id: r, set: {}, change: {}, deny: x}\n")
@example("version: 1\nrules:\n  - {id: r, on_error: [deny], deny: x}\n")
def test_on_any_text_the_loader_raises_only_errors_that_have_a_place(text):
    try:
        load_policy(text, "interlock.yaml", find_pack)
    except LocatedErrors as errors:
        assert errors.errors
        assert [error.message for error in errors.errors if error.source is None] == []
        assert all(error.source.line >= 1 for error in errors.errors if error.source)
        errors.render()


@settings(max_examples=100, deadline=None)
@given(_POLICY)
def test_errors_come_in_the_order_of_their_lines(text):
    try:
        load_policy(text, "interlock.yaml", find_pack)
    except LocatedErrors as errors:
        places = [(error.source.line, error.source.column) for error in errors.errors if error.source]
        assert places == sorted(places)
