"""Pass Interlock's messages on to a channel of Slack, or of a service that takes the same messages.

    SLACK_WEBHOOK_URL=https://chat.example/hook/… python slack.py ~/.config/interlock/webhook.key 8787

Interlock can also send such messages itself (`message: slack`). Use this one to choose the words, to add who should
look at which project, or to keep the channel's address on another machine.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.request
from pathlib import Path
from typing import Any

from receiver import serve


def slack_message(message: dict[str, Any]) -> dict[str, Any]:
    """What the channel shows. An agent wrote the call, so nothing in it may become a link or call people."""
    call = f"```{escape(message['call'])[:2000]}```"
    if message["event"] == "asked":
        why = " ".join(escape(one["text"]) for one in message["reasons"])
        link = message["links"]["answer"]
        answer = f"<{link}|Answer>" if link else f"`interlock approve {message['id']}`"
        text = f"*{escape(Path(message['project']).name)}*: {why}\n{call}\n{answer}"
    elif message["event"] == "answered":
        text = f"{escape(message['by'])} said {message['answer']}: {call}"
    else:
        text = f"Nobody answered in time: {call}"
    section = {"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": True}}
    return {"text": "An agent asks", "blocks": [section]}


def escape(text: str) -> str:
    """Slack reads `<…>` as links and mentions; a backtick would end the code, and `@here` calls people elsewhere."""
    for sign, instead in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("`", "\u02cb"), ("@", "@\u200b")):
        text = text.replace(sign, instead)
    return text


def post(message: dict[str, Any]) -> None:
    """Send it to the channel. An error is answered to Interlock, which tries again."""
    request = urllib.request.Request(
        os.environ["SLACK_WEBHOOK_URL"],
        data=json.dumps(slack_message(message)).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=10):
        pass


def main() -> None:
    server = serve(Path(sys.argv[1]).expanduser().read_bytes().strip(), int(sys.argv[2]), post)
    print(f"listening on http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
