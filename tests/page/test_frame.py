"""The frame that all views share."""

from __future__ import annotations

import pytest

VIEWS = ["inbox", "sessions", "log", "rules", "overview"]


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_opens_and_says_where_one_is(tab, view):
    tab.goto(f"/{view}")
    assert tab.title() == f"{view.capitalize()} · Interlock"
    assert tab.locator(".views a[aria-current]").inner_text().strip() == view.capitalize()
    assert tab.locator("h1").count() == 1


def test_keys_lead_from_view_to_view(tab):
    tab.goto("/inbox")
    tab.keyboard.press("g")
    tab.keyboard.press("l")
    tab.wait_for_url("**/log")


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_is_wider_than_the_window(tab, view):
    tab.goto(f"/{view}")
    for width in (335, 390, 768, 1024):
        tab.set_viewport_size({"width": width, "height": 800})
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
