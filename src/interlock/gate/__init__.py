"""Run tools under a policy, in process: judge the call, ask if necessary, run it, judge the result."""

from interlock.gate.errors import Denied, NotApproved, TurnOver, Withheld
from interlock.gate.gate import Gate
from interlock.gate.life import Outcome

__all__ = ["Denied", "Gate", "NotApproved", "Outcome", "TurnOver", "Withheld"]
