"""Secrets: planted ones are found and taken out, texts that only look like them stay."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.facts.secrets import KINDS, find_secrets, redact, redact_bytes

# Made up, in the shape their issuers document; split so that no scanner of this repository stumbles over them.
PLANTED = {
    "AWS access key": "AKIA" + "ABCDEFGHIJKLMNOP",
    "Anthropic key": "sk-ant-" + "api03-" + "a1B2" * 8,
    "OpenAI key": "sk-" + "proj-" + "a1B2" * 10,
    "Stripe key": "sk_" + "live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "GitHub token": "ghp_" + "a1B2" * 9,
    "GitLab token": "glpat-" + "a1B2" * 5,
    "Slack token": "xoxb-" + "1234567890-abcdef",
    "Google API key": "AIza" + "a1B2c3d" * 5,
    "npm token": "npm_" + "a1B2" * 9,
    "PyPI token": "pypi-" + "a1B2c" * 12,
    "private key": "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----",
    "JSON web token": "eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
    "password in URL": "admin:" + "hunter2",
    "named secret": "api_key=" + "abcd1234efgh",
}


def placed(kind: str) -> str:
    return f"https://{PLANTED[kind]}@db.example.org/x" if kind == "password in URL" else PLANTED[kind]


def test_every_kind_has_a_planted_secret_here():
    assert set(PLANTED) == set(KINDS)


@pytest.mark.parametrize("kind", PLANTED)
@pytest.mark.parametrize("around", ["{}", "x = '{}'", "export A='{}'\n", "[{}]", '"{}",', "ünï {} end"])
def test_a_planted_secret_is_found_and_taken_out_wherever_it_stands(kind, around):
    text = around.format(placed(kind))
    assert kind in [secret.kind for secret in find_secrets(text)]
    assert PLANTED[kind] not in redact(text)
    assert f"[redacted {kind}]" in redact(text)
    assert PLANTED[kind].encode() not in redact_bytes(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "", "hello", "AKIA", "AKIAABCDEFGHIJKLMNO", "xAKIAABCDEFGHIJKLMNOP", "AKIAABCDEFGHIJKLMNOPQ",
        "akiaabcdefghijklmnop",
        "sk-ant-short", "sk-learn", "task-force-something-that-is-rather-long-indeed", "ghp_short", "glpat-x", "xoxb-1",
        "AIzaShort", "npm_install", "pypi-simple", "-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----",
        "eyJ.eyJ.x", "https://example.org/a:b@c", "https://user@example.org", "git@github.com:x/y.git",
        "http://localhost:8080/@x",
        "the api key is secret", "password: ", "token = get_token()", "api_key = os.environ['KEY']", "secret: changeme",
        "passwords are long1 words", "tokenizer=bert-base-1",
    ],
)  # fmt: skip
def test_a_near_miss_is_left_alone(text):
    assert (find_secrets(text), redact(text)) == ((), text)


@pytest.mark.parametrize(
    "text",
    [
        'API_KEY="abcd1234efgh"', "DB_PASSWORD=hunter2hunter2", '{"password": "hunter2hunter2"}',
        "client-secret: abcd1234efgh",
        "SECRET_TOKEN=abcd1234efgh", "https://x.org/?token=abcd1234efgh", "https://x.org/?a=b&api_key=abcd1234efgh",
        "passwd=abcd1234", "my.credentials = 'abcd1234efgh'",
    ],
)  # fmt: skip
def test_a_value_behind_a_telling_name_is_a_secret(text):
    assert [secret.kind for secret in find_secrets(text)] == ["named secret"]


def test_several_secrets_in_one_text_are_all_taken_out():
    text = " ".join(placed(kind) for kind in PLANTED)
    assert [secret for secret in PLANTED.values() if secret in redact(text)] == []


def test_a_key_without_its_end_is_taken_out_to_the_end():
    text = "x\n" + PLANTED["private key"].partition("-----END")[0] + "more"
    assert redact(text) == "x\n[redacted private key]"


def test_keys_of_maps_hold_secrets_too():
    assert PLANTED["AWS access key"] not in str(redact({"a": {PLANTED["AWS access key"]: 1}}))


def test_a_text_too_long_to_search_is_cut_and_says_so():
    text = "a" * 1_000_001 + PLANTED["AWS access key"]
    assert redact(text) == "a" * 1_000_000 + "[cut: too long to search for secrets]"


def test_a_secret_across_the_cut_is_not_left_in_half():
    secret = PLANTED["AWS access key"]
    text = "a " * 499_995 + secret + "b" * 50
    assert secret[:12] not in redact(text)


def test_bytes_that_are_no_text_are_searched_all_the_same():
    secret = PLANTED["AWS access key"].encode()
    assert secret not in redact_bytes(b"\xff\xfe " + secret + b" \x80")


@pytest.mark.parametrize("unit", ["_token=aaaaaaa", "eyJaaaaaaaaaaa-", "://a:", "-----BEGIN A PRIVATE KEY ", "sk-a"])
def test_a_text_made_to_be_slow_is_searched_in_linear_time(unit):
    """A model or a web page writes these texts; quadratic, this one would take minutes and never end the test."""
    text = unit * (900_000 // len(unit))
    assert all(found.text in text for found in find_secrets(text))


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.sampled_from(list(PLANTED.values())),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)  # fmt: skip


def shape(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    if isinstance(value, list):
        return [shape(item) for item in value]
    return str if isinstance(value, str) else value


@given(VALUES)
def test_redaction_keeps_the_shape_and_every_value_that_is_no_text(value):
    assert shape(redact(value)) == shape(value)


@given(VALUES)
def test_redaction_twice_is_redaction_once(value):
    assert redact(redact(value)) == redact(value)


@given(
    st.text(), st.sampled_from([kind for kind in PLANTED if kind not in ("password in URL", "named secret")]), st.text()
)
def test_no_planted_secret_survives_between_blanks_whatever_stands_around_it(before, kind, after):
    assert PLANTED[kind] not in redact(f"{before} {PLANTED[kind]} {after}")
