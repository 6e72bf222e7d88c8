"""Change the code a little, run the tests that should notice, and report the changes that nobody noticed.

`python -m tools.mutate --help` shows how. The implementation is small and our own because of three things that we need:
a sample that a seed repeats, one table that says which tests must notice a change of which room, and changes to code
outside functions too, since many decisions here are tables (mutmut 3 leaves that code alone). The tests also start
isolated interpreters of their own, so a change must be in a file that those import as well: see `copies.py`.
"""
