"""Who is asked when a policy says `ask`: a person at a terminal, a function, or another task through a queue."""

from interlock.approvals.approval import Approval, Approver, Request
from interlock.approvals.callback import Callback
from interlock.approvals.queue import Queue, Waiting
from interlock.approvals.terminal import Terminal
from interlock.approvals.text import request_text

__all__ = ["Approval", "Approver", "Callback", "Queue", "Request", "Terminal", "Waiting", "request_text"]
