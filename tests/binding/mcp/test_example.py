"""The example with the filesystem server does what its policy says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.binding.mcp import peers

DEMO = Path(__file__).parent.parent.parent.parent / "examples" / "mcp_filesystem" / "demo.py"
SHOWN = """
read_text_file path='notes.txt'
  deploy with key [redacted AWS access key] on friday

read_text_file path='.env'
  refused: DIR/.env contains secrets. Ask the user for the one value you need.

write_file path='plan.txt', content='Rest.'
  Successfully wrote to DIR/plan.txt.draft
  Interlock changed `path` of this call from "DIR/plan.txt" to "DIR/plan.txt.draft" (drafts).

move_file source='notes.txt', destination='old.txt'
  a person is asked:
    why   Move DIR/notes.txt to DIR/old.txt?
    runs  source = "DIR/notes.txt"
    runs  destination = "DIR/old.txt"
  Successfully moved DIR/notes.txt to DIR/old.txt

left in the folder: .env, old.txt, plan.txt.draft
"""


def test_the_example_shows_what_the_policy_does():
    command = [sys.executable, str(DEMO), peers.server("mcp-server-filesystem")]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr
    assert re.sub(r"/[^\s\"]*/notes-\w+", "DIR", ran.stdout) == SHOWN
