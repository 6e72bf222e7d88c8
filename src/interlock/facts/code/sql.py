"""What a text in a database's language does."""

from __future__ import annotations

from interlock.facts.effects import CodeEffects
from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.readers.databases import judge_sql
from interlock.facts.programs.readers.sql_scripts import sql_effects

__all__ = ["effects_of_sql"]


def effects_of_sql(text: str) -> CodeEffects:
    """The evident effects of SQL, and of the commands that a client takes between it."""
    effects = CodeEffects()
    draft = UseDraft("", ())
    judge_sql(draft, text)
    effects.traits |= {trait for trait in draft.traits or () if not trait.startswith("-")}
    beside = sql_effects(text)
    effects.reads += beside.reads
    effects.writes += beside.writes
    effects.shell += beside.shell
    return effects
