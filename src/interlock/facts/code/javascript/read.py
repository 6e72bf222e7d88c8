"""What a JavaScript or TypeScript text evidently does, read from its tree."""

from __future__ import annotations

import re

from interlock.facts.code.javascript.evaluate import Evaluator
from interlock.facts.code.javascript.parse import parse_javascript
from interlock.facts.code.javascript.scan import ParseFailure, TooDeep
from interlock.facts.effects import MODULES, CodeEffects
from interlock.facts.limits import JS_NESTING, URLS_IN_CODE

__all__ = ["javascript_effects"]

_WEB = re.compile(r"(?i)(?:https?|ftp|wss?)://[^\s'\"`\\<>]+")
_LISTS = ("reads", "writes", "deletes", "urls", "shell")


def javascript_effects(text: str) -> CodeEffects | None:
    """The evident effects of a text; None if it is not in a form that can be read."""
    effects = CodeEffects()
    try:
        body = parse_javascript(text)
    except TooDeep as deep:
        effects.reach(deep.limit)
        return effects
    except ParseFailure:
        return None
    try:
        Evaluator(effects).run(body)
    except RecursionError:  # the stack was nearly used up before
        effects.reach(JS_NESTING)
    for name in _LISTS:
        setattr(effects, name, list(dict.fromkeys(getattr(effects, name))))
    effects.incomplete = list(dict.fromkeys(effects.incomplete))
    effects.lost = list(dict.fromkeys(effects.lost))
    if "network" in effects.traits and not effects.urls:
        effects.urls = _WEB.findall(text)[: URLS_IN_CODE.most]
    if not effects.opaque and effects.modules:
        effects.opaque = MODULES
    return effects
