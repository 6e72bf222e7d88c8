"""A plain function as a tool: whoever calls it goes through the gate, and a person at the terminal is asked.

python mail.py ann@example.org "Your order" "It is on its way."
"""

# ruff: noqa: T201 - it talks to a person
from __future__ import annotations

import sys
from pathlib import Path

from interlock.approvals import Terminal
from interlock.gate import Denied, Gate

gate = Gate(Path(__file__).with_name("policy.yaml"), approver=Terminal(), approve_within=120)


@gate.tool
def send_email(to: str, subject: str, body: str) -> dict[str, str]:
    """Send a mail; here it is only printed."""
    print(f"To: {to}\nSubject: {subject}\n\n{body}")
    return {"sent": to}


if __name__ == "__main__":
    try:
        print(send_email(*sys.argv[1:4]))
    except Denied as denied:
        sys.exit(f"not sent: {denied.reason}")
    finally:
        gate.close()
