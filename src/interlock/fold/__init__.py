"""The fold: what each participant leaves to the next, and the rounds in which all of them are asked."""

from interlock.fold.deliberate import decide, deliberate
from interlock.fold.draft import EVERYBODY, Answers, Draft, Opinions, Round, ask_in_order

__all__ = ["EVERYBODY", "Answers", "Draft", "Opinions", "Round", "ask_in_order", "decide", "deliberate"]
