"""Secrets: planted ones are found and taken out, texts that only look like them stay."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from interlock.facts import secrets
from interlock.facts.secret_kinds import KINDS, LOOKS
from interlock.facts.secrets import find_secrets, may_hold_secret, redact, redact_bytes
from tests.steps import steps_of

# Made up, in the shape their issuers document; split so that no scanner of this repository stumbles over them.
HEX = "0123456789abcdef"
PLANTED = {
    "AWS access key": "AKIA" + "ABCDEFGHIJKLMNOP",
    "Azure storage key": "a1B2" * 21 + "c3==",
    "Azure client secret": "a1B" + "8Q~" + "a1B2c3D4e5" * 3 + "x",
    "Google API key": "AIza" + "a1B2c3d" * 5,
    "Google OAuth token": "ya29." + "a1B2c3d4" * 4,
    "DigitalOcean token": "dop_" + "v1_" + HEX * 4,
    "Anthropic key": "sk-ant-" + "api03-" + "a1B2" * 8,
    "OpenRouter key": "sk-or-" + "v1-" + HEX * 4,
    "OpenAI key": "sk-" + "proj-" + "a1B2" * 10,
    "Groq key": "gsk_" + "a1B2" * 12,
    "xAI key": "xai-" + "a1B2" * 20,
    "Perplexity key": "pplx-" + "a1B2" * 12,
    "Hugging Face token": "hf_" + "a1B2" * 9,
    "Replicate token": "r8_" + "a1B2" * 10,
    "Stripe key": "sk_" + "live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "Stripe test key": "sk_" + "test_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "Square token": "sq0atp-" + "a1B2c3d4" * 3,
    "Shopify token": "shpat_" + HEX * 2,
    "GitHub token": "ghp_" + "a1B2" * 9,
    "GitLab token": "glpat-" + "a1B2" * 5,
    "Bitbucket or Jira token": "ATATT3" + "a1B2" * 15,
    "Slack token": "xoxb-" + "1234567890-abcdef",
    "Slack webhook": "T0123ABCD/B0123ABCD/" + "a1B2" * 6,
    "Discord webhook": "123456789012345678/" + "a1B2" * 15,
    "Discord bot token": "M" + "a1B2c3d4" * 3 + ".a1B2c3." + "a1B2" * 7,
    "Telegram bot token": "123456789:AA" + "a1B" * 11,
    "SendGrid key": "SG." + "a1B2c3d4e5f" * 2 + "." + "a1B2" * 10 + "xyz",
    "Mailgun key": "key-" + HEX * 2,
    "Twilio key": "SK" + HEX * 2,
    "npm token": "npm_" + "a1B2" * 9,
    "PyPI token": "pypi-" + "a1B2c" * 12,
    "RubyGems key": "rubygems_" + HEX * 3,
    "Docker token": "dckr_" + "pat_" + "a1B2" * 7,
    "Vault token": "hvs." + "a1B2" * 7,
    "Terraform Cloud token": "a1B2c3d4e5f6g7" + ".atlasv1." + "a1B2" * 16,
    "Databricks token": "dapi" + HEX * 2,
    "Grafana token": "glsa_" + "a1B2" * 8 + "_" + "0123abcd",
    "New Relic key": "NRAK-" + "A1B" * 9,
    "Sentry token": "sntrys_" + "a1B2" * 12,
    "Linear key": "lin_" + "api_" + "a1B2" * 10,
    "Notion token": "ntn_" + "a1B2" * 11,
    "Figma token": "figd_" + "a1B2" * 11,
    "Pulumi token": "pul-" + HEX * 2 + "01234567",
    "Doppler token": "dp." + "pt." + "a1B2" * 11,
    "Supabase token": "sbp_" + HEX * 2 + "01234567",
    "age key": "AGE-SECRET-" + "KEY-1" + "A1" * 29,
    "private key": "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----",
    "password hash": "$6$" + "saltsalt$" + "a1B2c3d4" * 10,
    "JSON web token": "eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
    "password in URL": "admin:" + "hunter2",
    "authorization header": "a1B2c3d4e5f6g7h8",
    "named secret": "abcd1234efgh",
    "high entropy": "q7Zt0pX3vK9mB5nR2wY8cL4d",
}
AROUND = {
    "Azure storage key": "AccountName=x;AccountKey={};EndpointSuffix=core",
    "Slack webhook": "https://hooks.slack.com/services/{}",
    "Discord webhook": "https://discord.com/api/webhooks/{}",
    "password in URL": "https://{}@db.example.org/x",
    "authorization header": "Authorization: Bearer {}",
    "named secret": "api_key={}",
    "high entropy": "cookie={}",
}


def placed(kind: str) -> str:
    return AROUND.get(kind, "{}").format(PLANTED[kind])


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
        "password=$DB_PASSWORD2", "token=<your-token-1>", "password: ********1", "token = read_token(1, 2)",
        "api_key=%(key1)s",
        "key=some_long_name_of_a_column_1", "hash: aaaaaaaaaaaaaaaaaaaaaaaa1", "session=2024-11-15-morning-standup",
        "Authorization: Bearer your-token-goes-here", "$1$", "costs $6$ and $5$ each", "key-value-store", "SKELETON",
        "hf_transfer", "dapi", "gsk_", "hvs.", "npm_config_registry", "glsa_x", "sbp_short", "figd_x",
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
        "passwd=abcd1234", "my.credentials = 'abcd1234efgh'", "AWS_SECRET_ACCESS_KEY=abcd1234efgh",
        "passphrase: abcd1234",
        "private_key_password=x1y2z3a4",
    ],
)  # fmt: skip
def test_a_value_behind_a_telling_name_is_a_secret(text):
    assert [secret.kind for secret in find_secrets(text)] == ["named secret"]


# Values that stand where a credential would be: a type, a name in code, another place, an example.
NO_SECRETS = [
    "password: Zeroizing<Vec<u8>>", "privateKey: Uint8Array", "privateKey: ed25519Seed", "secret: Uint8Array | null",
    "const token = readToken2(file)", "apiKey: config.apiKeyV2", "token = self.oauth2Token",
    "client_secret: Option<[u8; 32]>",
    "api_key: AtomicU64Pointer", "token: Base64UrlString", "secretKey = nacl.box.keyPair25519", "token := ctx.Value2()",
    "password: changeme1", "api_key: your-api-key-here-1", "token=xxxx1234xxxx", "token: <TOKEN_1>",
    "password: my-example-1",
    "api_key = process.env.API_KEY2", "api_key=os.environ.get1", "password=${DB_PASS1}", "token: dummy-token-123",
    "password = getenv(1)", "secret: /run/secrets/db1", "token: Self::TOKEN_1", "auth_token=...12345678",
    "AKIA" + "IOSFODNN7EXAMPLE", "ghp_" + "x" * 36, "sk-ant-" + "api03-" + "0" * 30, "AKIA" + "X" * 16,
    "ghp_" + "EXAMPLE" + "a1B2" * 9,
    "sk-loading-spinner-circle-animation-wrapper-large-and-round",
    "postgres://${DB_USER}:${DB_PASS}@localhost/x", "postgres://user:password@localhost/x", "https://{user}:{password}@x.example",
    "redis://:…@x", "mysql://root:<password>@x", "amqp://%s:%s@x", "https://me:[redacted]@x", "https://a:#{pass}@x",
    "Authorization: Bearer example-token-123456",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_SECRETS)
@pytest.mark.parametrize("around", ["{}", "    {},\n", "// {}"])
def test_a_type_a_reference_or_an_example_is_no_secret(text, around):
    assert (find_secrets(around.format(text)), redact(around.format(text))) == ((), around.format(text))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        *((placed(kind), "issued") for kind in ("AWS access key", "GitHub token", "OpenAI key", "Slack webhook")),
        ("-----BEGIN PRIVATE " + "KEY-----\n" + "a1B2" * 16 + "\n-----END PRIVATE KEY-----", "key"),
        ("if '-----BEGIN PRIVATE " + "KEY-----' in text: return", "password"),
        (placed("age key"), "key"),
        (placed("JSON web token"), "token"),
        (placed("authorization header"), "token"),
        (placed("password hash"), "hash"),
        (placed("Stripe test key"), "password"),
        (placed("high entropy"), "assigned"),
        ("API_KEY=q7Zt0pX3vK9mB5nR2wY8", "assigned"),
        ("api_secret: 0123456789abcdef0123456789abcdef", "assigned"),
        ("postgres://app:q7Zt0pX3vK9mB5nR@db.example.org/x", "assigned"),
        ("password: hunter2hunter2", "password"),
        ("SECRET=e2e-test-secret-2-of-the-suite", "password"),
        ("postgres://postgres:postgres@localhost/x", "password"),
    ],
)
def test_the_form_of_a_secret_says_how_sure_it_is_that_it_is_one(text, form):
    assert [secret.form for secret in find_secrets(text)] == [form]


def test_several_secrets_in_one_text_are_all_taken_out():
    text = " ".join(placed(kind) for kind in PLANTED)
    assert [secret for secret in PLANTED.values() if secret in redact(text)] == []


def test_a_key_without_its_end_is_taken_out_to_the_end():
    text = "x\n" + PLANTED["private key"].partition("-----END")[0] + "more"
    assert redact(text) == "x\n[redacted private key]"


def test_keys_of_maps_hold_secrets_too():
    assert PLANTED["AWS access key"] not in str(redact({"a": {PLANTED["AWS access key"]: 1}}))


@pytest.mark.parametrize("size", [1_200_000, 10_000_000])
def test_a_long_text_is_searched_to_its_end(size):
    text = "line of a log\n" * (size // 14)
    assert redact(text) == text
    found = redact(f"{text}{PLANTED['AWS access key']} {text}{PLANTED['npm token']}")
    assert found == f"{text}[redacted AWS access key] {text}[redacted npm token]"
    assert may_hold_secret([text, PLANTED["npm token"]])
    assert not may_hold_secret(text)


def test_a_text_with_more_secrets_than_are_looked_at_is_cut_behind_the_last_and_says_so():
    text = f"{PLANTED['AWS access key']} " * 20_010 + "the end"
    found = redact(text)
    assert found.count("[redacted AWS access key]") == 20_000
    assert found.endswith("[cut: more than 20,000 credentials in a text; Interlock did not search the rest]")
    assert PLANTED["AWS access key"] not in found
    assert "the end" not in found


def everywhere(raw: bytes) -> list[tuple[int, int, str]]:
    """Where secrets stand, by a search of the whole for each kind."""
    found: list[tuple[int, int, str]] = []
    for kind, search in secrets._searches().items():
        for hit in search.finditer(raw):
            group = 1 if search.groups else 0
            start, end = hit.span(group)
            if kind in LOOKS and not LOOKS[kind](raw, start, end):
                continue
            found.append((start, end, kind))
    return sorted(found)


PIECES = st.lists(
    st.sampled_from([*map(placed, PLANTED), *PLANTED.values()])
    | st.sampled_from([*"a \n@\"é", "password", ": ", "x" * 30, "-----BEGIN A PRIVATE KEY-----", "://"]),
    max_size=30,
)  # fmt: skip


@example(["ya29." + "a1B2c3d4" * 4, "-----BEGIN A PRIVATE KEY-----", "$6$saltsalt$" + "a1B2c3d4" * 10,
          "-----BEGIN A PRIVATE KEY-----"], "", 1)  # fmt: skip
@given(PIECES, st.sampled_from(["", " ", "\n"]), st.sampled_from([1, 7, 64]))
def test_looking_around_what_was_found_misses_nothing_that_a_search_of_the_whole_finds(pieces, between, longest):
    """The window is small here, so that secrets stand across its ends."""
    raw = between.join(pieces).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "_NEAR", 64)
        patch.setattr(secrets, "_LONGEST", longest)
        found, searched = secrets._spans(raw)
    assert searched == len(raw)
    covered = bytearray(len(raw))
    for start, end, _ in found:
        covered[start:end] = b"\1" * (end - start)
    assert [span for span in everywhere(raw) if 0 in covered[span[0] : span[1]]] == []


def test_many_secrets_are_found_in_a_number_of_steps_that_grows_as_they_do():
    """By lines of code, not by time."""
    few, many = (f"{placed('named secret')}\n" * count for count in (500, 2_000))
    assert steps_of(lambda: redact(many)) < 5 * steps_of(lambda: redact(few))


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


@given(st.text(), st.sampled_from([kind for kind in PLANTED if kind not in AROUND]), st.text())
def test_no_planted_secret_survives_between_blanks_whatever_stands_around_it(before, kind, after):
    assert PLANTED[kind] not in redact(f"{before} {PLANTED[kind]} {after}")
