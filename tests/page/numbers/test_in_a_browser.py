"""Rules and Overview in a real browser: keys, a call tried, the doctor, and widths."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

from interlock.doctor.finding import Finding, ok
from interlock.page.guard_watch import GuardWatch


def test_a_call_is_tried_by_keyboard_and_the_result_is_announced(past, tab):
    tab.goto("/rules")
    tab.keyboard.press("t")
    tab.keyboard.type("git push --force origin main")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("#tried .verdict.deny")
    assert tab.locator("#tried").get_attribute("aria-live") == "polite"
    assert "Force pushes rewrite published history." in tab.locator("#tried .headline").inner_text()
    tab.locator("#tried summary").press("Enter")
    assert tab.locator("#tried details table").is_visible()


def test_script_in_a_call_that_is_tried_is_only_text(past, tab):
    tab.goto("/rules")
    tab.fill("#try-call", "echo '<img src=x onerror=alert(1)>'")
    tab.click("#try button")
    tab.wait_for_selector("#tried .headline")
    assert tab.locator("#tried img").count() == 0


def test_a_place_is_copied(past, tab, browser_context):
    browser_context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.goto("/rules/deploy")
    tab.locator("button[data-copy]").first.click()
    tab.wait_for_selector("#toasts p")
    assert tab.evaluate("navigator.clipboard.readText()") == f"{past.file}:3"


def test_findings_appear_by_themselves_once_the_doctor_is_done(past, context, tab):
    over = threading.Event()

    def slow(project: Path) -> Iterator[Finding]:
        over.wait(30)
        yield ok("settings", "all entries are there")

    context.guard = GuardWatch(past.project, context.clock, slow)
    tab.goto("/overview")
    assert tab.locator("#look").is_disabled()
    over.set()
    tab.wait_for_selector("#guarded .verdict.allow")
    tab.click("#look")
    tab.wait_for_selector("#look:not([disabled])")


def test_nothing_is_wider_than_the_window(weeks, context, tab):
    context.advice.of(str(context.project))
    context.advice.wait(30)
    for width in (335, 390, 768, 1024, 1280):
        tab.set_viewport_size({"width": width, "height": 800})
        for path in ("/rules?all=1", "/rules/install", "/rules/deploy", "/rules/guard-command", "/overview"):
            tab.goto(path)
            assert tab.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
    tab.goto("/rules")
    tab.set_viewport_size({"width": 335, "height": 800})
    tab.fill("#try-call", "git push --force origin main && " + "x" * 200)
    tab.click("#try button")
    tab.wait_for_selector("#tried .headline")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 335
