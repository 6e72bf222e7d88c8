"""A program's help text as a first description of the program. The program is never run."""
