"""Every limit of reading a call, and what a call that reaches it is.

Nothing that a model writes may take the reader more time or memory than its length accounts for, so there are limits.
What they cost must be known too:

- `incomplete`: the call's own text was not read to its end, and a command could follow. Pack `core` denies such calls.
- `lost`: a value that the text itself gives is no longer worked out. As an argument it is unknown, as many are; if it
  is run as a program, the call is incomplete.
- `opaque`: part of the call is not known, as if only the run would tell.
- `unread`: a file that the call runs is not read.
- `none`: nothing is missed. The limit is the system's own, or what lies behind it does not bear on a verdict.

A limit stops by length, by steps or by depth, never by time, so that a call is judged the same on every machine.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

__all__ = ["LIMITS", "Effect", "Limit"]

Effect: TypeAlias = Literal["incomplete", "lost", "opaque", "unread", "none"]


class Limit(Struct, frozen=True):
    """How much of something is read, what reaching it makes of the call, and how it is told."""

    effect: Effect
    most: int
    unit: str

    @property
    def name(self) -> str:
        """As a person reads it: `2,000 commands`."""
        return f"{self.most:,} {self.unit}"

    @property
    def reason(self) -> str:
        """Why part of the call cannot be read."""
        return f"more than {self.name}"


# A shell line. Linux takes no argument over 131,072 bytes, and the longest of 8,878 commands that agents ran had
# 12,914 characters and 79 commands.
CHARACTERS = Limit("incomplete", 200_000, "characters in a command line")
WORDS = Limit("incomplete", 40_000, "words and signs in a command line")
COMMANDS = Limit("incomplete", 2_000, "commands")
STEPS = Limit("incomplete", 20_000, "steps through a command line")
NESTING = Limit("incomplete", 24, "levels of brackets and quotes in a command line")
LEVELS = Limit("incomplete", 64, "levels of commands that run commands")
# Values that a line works out.
VALUE = Limit("lost", 200_000, "characters in a value")
OUTPUT = Limit("lost", 200_000, "characters that a program prints")
FEEDS = Limit("lost", 64, "programs that feed each other")
FILLED = Limit("incomplete", 100_000, "words that are put into commands")
ROOTS = Limit("opaque", 64, "folders that are searched for files to run commands on")
BRACES = Limit("opaque", 256, "words of one brace expansion")
BRACE_NESTING = Limit("opaque", 8, "levels of braces in a word")
EXPRESSION = Limit("none", 400, "characters in arithmetic")  # a longer one has no known value; what it may run is seen
EXPRESSION_DEPTH = Limit("none", 24, "levels of arithmetic")  # nor has a deeper one
PATTERN_STEPS = Limit("none", 100_000, "steps of matching a pattern")  # a value that takes more is not known
LOOP_VALUES = Limit("opaque", 8, "values of a loop")  # of more, none is known, unless they are run:
RUN_VALUES = Limit("lost", 256, "values of a loop that are run")
LOOP_ROUNDS = Limit("opaque", 64, "rounds of loops in loops")
SETTLING = Limit("opaque", 6, "rounds of a loop in which values still change")
FOLDER_STEPS = Limit("none", 16, "changes of folder that are kept apart")  # they are joined from there on
# Programs in other languages.
PROGRAM = Limit("incomplete", 50_000, "characters in a program text")
CALLS = Limit("incomplete", 2_000, "calls in a program text")
ARGUMENTS = Limit("opaque", 400, "words and signs in the arguments of a call in a source")
PROGRAM_STEPS = Limit("incomplete", 400_000, "steps through a program text")
JS_NESTING = Limit("incomplete", 80, "levels of nesting in JavaScript")
JS_STEPS = Limit("lost", 40_000, "steps through functions and loops in JavaScript")
JS_CALLS = Limit("lost", 16, "calls of one function in JavaScript that are put off")
JS_LEVELS = Limit("none", 60, "levels of calls in JavaScript")  # what is called behind it is looked at later
JS_ITEMS = Limit("opaque", 1_000, "items of a list in JavaScript")
JS_PARTS = Limit("opaque", 32, "parts of a value in JavaScript that are looked into")
JS_CHOICES = Limit("opaque", 6, "values that a name may have in JavaScript")
EVALUATED = Limit("incomplete", 32, "texts that a program evaluates")
PROGRAM_NESTING = Limit("incomplete", 20, "levels of brackets in a program text")
PROGRAMS = Limit("incomplete", 64, "programs in a command line")
PROGRAM_TEXTS = Limit("incomplete", 400_000, "characters in all program texts")
PROGRAM_DEPTH = Limit("incomplete", 3, "levels of programs that run command lines")
WINDOWS_COMMANDS = Limit("incomplete", 300, "commands in a line for PowerShell or cmd")
ROUNDS = Limit("lost", 64, "values of a loop in a program text")
PYTHON_NESTING = Limit("incomplete", 200, "levels of nesting in a Python text")
PYTHON_TEXTS = Limit("incomplete", 8, "levels of Python texts that evaluate texts")
PYTHON_FUNCTIONS = Limit("incomplete", 24, "levels of functions that call each other in a Python text")
PYTHON_ITEMS = Limit("lost", 2_000, "items of a list in a Python text")
INLINED = Limit("incomplete", 12_000, "statements of a Python text that are gone through again")
LOOPS = Limit("opaque", 64, "loops in a program text")
URLS_IN_CODE = Limit("opaque", 20, "addresses in a program text")
# Files that a call runs.
FILES = Limit("unread", 8, "files that are read for one call")
FILE_DEPTH = Limit("unread", 3, "levels of files that run files")
WRITTEN_FILES = Limit("incomplete", 64, "files that a call writes and runs")
WRITTEN_DEPTH = Limit("incomplete", 6, "levels of files that a call writes and that run each other")
SOURCES = Limit("unread", 8, "sources of a program that was built")
TARGETS = Limit("unread", 40, "targets of a makefile")
# A result: what is behind the last of so many is cut from what the model reads.
SECRETS = Limit("none", 20_000, "credentials in a text")
# Paths.
PATHS = Limit("incomplete", 2_000, "paths")
PATH_LENGTH = Limit("none", 4096, "characters in a path")  # no file system takes a longer one
LINKS = Limit("none", 40, "links that lead to each other")  # no system follows more
# The shell inside skills and slash commands, whose panel denies what it does not judge.
INLINE = Limit("none", 1_000, "commands in a skill")
FRONTMATTER = Limit("opaque", 32_768, "characters of frontmatter")
FRONTMATTER_DEPTH = Limit("opaque", 20, "levels of frontmatter")

LIMITS: dict[str, Limit] = {name: limit for name, limit in globals().items() if isinstance(limit, Limit)}
