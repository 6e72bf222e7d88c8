"""URLs: the host a client would really reach."""

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from interlock.facts.urls import Url, read_url, url_regex


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
    assert read_url(text) == Url(text.strip(), host, port)


@pytest.mark.parametrize(
    "text", ["", " ", "a b", "https://", "https:///x", "http://[::1", "http://x:99999", "//", "/path"]
)
def test_what_is_no_address_is_none(text):
    assert read_url(text) is None


@pytest.mark.parametrize(
    "text", ["https://evil.org#@good.org", "https://evil.org?@good.org", "https://evil.org/@good.org"]
)
def test_a_host_ends_where_its_path_query_or_fragment_starts(text):
    assert read_url(text) == Url(text, "evil.org")


def test_a_backslash_ends_a_host_as_it_does_for_the_clients_that_fetch():
    """WHATWG: a backslash is a slash, so what stands behind it is no host."""
    assert read_url("https://evil.org\\@good.org/") == Url("https://evil.org\\@good.org/", "evil.org")


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
