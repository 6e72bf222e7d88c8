"""The one fold: what each participant leaves to the next, and in which rounds all of them are asked."""

from interlock.fold.deliberate import decide, deliberate
from interlock.fold.draft import EVERYBODY, Answers, Draft, Opinions, Round, ask_in_order

__all__ = ["EVERYBODY", "Answers", "Draft", "Opinions", "Round", "ask_in_order", "decide", "deliberate"]
