"""The dialect of Claude Code's hooks."""

from interlock.hosts.base.decode import decode
from interlock.hosts.base.reply import restore_decision
from interlock.hosts.claude_code.encode import encode, honours
from interlock.hosts.claude_code.fail import fail
from interlock.hosts.claude_code.read import read

__all__ = ["decode", "encode", "fail", "honours", "read", "restore"]

restore = restore_decision
