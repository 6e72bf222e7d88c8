"""The language in which programs are described: by the shipped families, and by a policy for programs of its own.

Entries are read here, with every complaint at its place, and become what `facts.programs` reads commands by.
"""

from interlock.policy.programs.cases import ProgramCase, case_errors
from interlock.policy.programs.entries import Description, read_programs

__all__ = ["Description", "ProgramCase", "case_errors", "read_programs"]
