"""The dialect of Claude Code's hooks."""

from interlock.wire.claude_code.encode import encode, fail, honours
from interlock.wire.claude_code.read import read
from interlock.wire.decode import decode

__all__ = ["decode", "encode", "fail", "honours", "read"]
