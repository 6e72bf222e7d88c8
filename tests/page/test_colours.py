"""Every text can be read: the contrast of each pair of colours that is used together, in light and in dark."""

from __future__ import annotations

import re

import pytest

from interlock.page.render import FOLDER

SOURCE = (FOLDER / "static" / "page.css").read_text(encoding="utf-8")
LIGHT, DARK = (
    dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
    for block in re.findall(r":root \{(.*?)\n *\}", SOURCE, re.DOTALL)[:2]
)
TEXT = [
    *((ink, ground) for ink in ("ink", "muted") for ground in ("bg", "surface", "sunken", "accent-soft")),
    *((ink, ground) for ink in ("accent", "allow", "ask", "deny", "change") for ground in ("bg", "surface", "sunken")),
    *(("ink", ground) for ground in ("added", "removed", "spoken")),
    ("on-accent", "accent"),
    ("bg", "ink"),
]
EDGES = [("edge", "bg"), ("edge", "surface"), ("bar", "surface"), ("accent", "accent-soft")]


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("front", "back", "wanted"), [*((*pair, 4.5) for pair in TEXT), *((*pair, 3.0) for pair in EDGES)]
)
def test_contrast(tokens, front, back, wanted):
    assert contrast(tokens[front], tokens[back]) >= wanted


def test_both_themes_have_the_same_colours():
    assert LIGHT.keys() == DARK.keys()


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
