"""URLs: the host a client would really reach."""

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from interlock.facts.urls import read_url, url_regex
from interlock.policy.patterns import UrlPattern


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("https://example.com/x?y#z", "example.com", None),
        ("HTTPS://Example.COM:8443", "example.com", 8443),
        ("https://example.com./", "example.com", None),
        ("https://user:pass@example.com/", "example.com", None),
        ("https://example.com@evil.org/", "evil.org", None),
        ("https://[::1]:80/x", "::1", 80),
        ("github.com/x", "github.com", None),
        ("localhost:3000", "localhost", 3000),
        ("  https://a.b  ", "a.b", None),
        ("ftp://files.org", "files.org", None),
    ],
)
def test_a_url_has_the_host_a_client_would_reach(text, host, port):
    found = read_url(text)
    assert found is not None
    assert (found.url, found.host, found.port) == (text.strip(), host, port)


@pytest.mark.parametrize("text", ["", " ", "a b", "https://", "http://[::1", "//", "/path"])
def test_what_is_no_address_is_none(text):
    assert read_url(text) is None


@pytest.mark.parametrize(
    "text", ["https://evil.org#@good.org", "https://evil.org?@good.org", "https://evil.org/@good.org"]
)
def test_a_host_ends_where_its_path_query_or_fragment_starts(text):
    found = read_url(text)
    assert found is not None
    assert (found.url, found.host) == (text, "evil.org")


def test_a_backslash_ends_a_host_as_it_does_for_the_clients_that_fetch():
    """WHATWG: a backslash is a slash, so what stands behind it is no host."""
    found = read_url("https://evil.org\\@good.org/")
    assert found is not None
    assert found.host == "evil.org"


@given(st.text(max_size=40))
def test_any_text_is_read_without_an_error(text):
    found = read_url(text)
    assert found is None or (found.host and found.host == found.host.lower())


@pytest.mark.parametrize(
    ("pattern", "part", "hits", "misses"),
    [
        ("example.com", "host", ["example.com"], ["www.example.com", "example.com.org", "examplexcom"]),
        ("Example.com", "host", ["example.com"], ["example.org"]),
        (
            "*.example.com",
            "host",
            ["example.com", "a.example.com", "a.b.example.com"],
            ["notexample.com", "example.com.x"],
        ),
        ("*", "host", ["a", "a.b"], []),
        ("api-*.x.org", "host", ["api-1.x.org"], ["api.x.org"]),
        ("https://x.org/*", "url", ["https://x.org/", "HTTPS://X.org/a/b"], ["http://x.org/", "https://x.org.evil/"]),
        ("*://x.org/*", "url", ["ftp://x.org/a"], ["x.org/a"]),
    ],
)
def test_patterns_are_about_the_host_or_with_a_scheme_the_whole(pattern, part, hits, misses):
    about, expression = url_regex(pattern)
    search = re2.compile(expression).search
    assert about == part
    assert [text for text in hits if not search(text)] == []
    assert [text for text in misses if search(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "https://evil.com/a b", "https://ev\til.com/", "https:evil.com/", "https:///evil.com/", "https:/evil.com/",
        "https://evil.com:99999/", "https://%65vil.com/", "https://\uff45vil.com/", "https://evil\u3002com/",
        "https://ev\u00adil.com/", "https:\\\\evil.com", " https://evil.com ", "HTTPS://EVIL.COM.",
    ],
)  # fmt: skip
def test_however_it_is_written_the_host_is_the_one_a_browser_reaches(text):
    found = read_url(text)
    assert found is not None
    assert found.host == "evil.com"


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "127.1", "0177.0.0.1", "127.0.0.1"])
def test_an_ipv4_address_is_one_however_it_is_written(host):
    found = read_url(f"http://{host}/")
    assert found is not None
    assert found.host == "127.0.0.1"


def test_a_star_in_the_host_of_a_whole_url_stays_in_the_host():
    allowed = UrlPattern(["https://*.example.com/*"])
    good, evil = read_url("https://a.example.com/x"), read_url("https://evil.com/.example.com/")
    assert good is not None
    assert evil is not None
    assert allowed.matches(good)
    assert not allowed.matches(evil)
