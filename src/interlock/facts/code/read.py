"""What a short program in another language evidently does: files it touches, addresses it reaches, programs it runs.

Python and JavaScript are read by their trees, the other languages by their tokens. Calls with constant arguments are
read; a call that runs or evaluates what only the run will tell is opaque. Nothing is executed.
"""

from __future__ import annotations

import re

from interlock.facts.code.javascript.read import javascript_effects
from interlock.facts.code.loose import loose_effects
from interlock.facts.code.other import other_effects
from interlock.facts.code.python import effects_of_python
from interlock.facts.code.sources import source_effects
from interlock.facts.code.sql import effects_of_sql
from interlock.facts.effects import MODULES, CodeEffects
from interlock.facts.limits import PROGRAM
from interlock.facts.own_programs import ProgramReader
from interlock.facts.shell import UNKNOWN
from interlock.facts.windows_lines import read_windows

__all__ = ["MODULES", "CodeEffects", "effects_of_code"]

_COULD_ACT = re.compile(r"[(`]|\bimport\b")  # JavaScript without any of these calls nothing


def effects_of_code(kind: str, text: str, own: ProgramReader | None = None) -> CodeEffects:
    """The evident effects of a program text. `own` reads programs that policies describe."""
    if kind == "sql":
        return effects_of_sql(text)
    if kind == "awk":
        return CodeEffects()  # the tables read it
    if kind in ("powershell", "cmd"):
        return read_windows(kind, text, own)
    if kind == "source":
        return source_effects(text)
    if kind == "other":
        return _other(text)
    effects = CodeEffects()
    if len(text) > PROGRAM.most:
        effects.reach(PROGRAM)
        text = text[: PROGRAM.most]
    if UNKNOWN in text and text.strip(UNKNOWN + " ;\n") == "":
        effects.opaque = "a program that is not known before it runs"
    elif kind == "python":
        effects.add(effects_of_python(text))
    elif kind == "js":
        effects.add(_javascript(text))
    else:
        effects.add(loose_effects(kind, text))
    return effects


def _javascript(text: str) -> CodeEffects:
    found = javascript_effects(text)
    if found is None:
        found = loose_effects("js", text)
        if _COULD_ACT.search(text):
            found.opaque = found.opaque or "JavaScript in a form that is not read"
    return found


def _other(text: str) -> CodeEffects:
    effects = CodeEffects()
    found = other_effects(text)
    effects.shell += found.shell
    effects.reads += found.reads
    effects.writes += found.writes
    effects.deletes += found.deletes
    if found.cut:
        effects.reach(PROGRAM)
    effects.opaque = "" if found.harmless else "a language that is not read"
    return effects
