"""What the tests ask of a line that was read."""

from interlock.facts.shell import read_shell


def argvs(line, **more):
    """Every command of a line that can be read, as its words."""
    shell = read_shell(line, **more)
    assert not shell.opaque, shell.reasons
    return [[one.program, *one.args] for one in shell.commands]


def found(line, **more):
    """Every command of a line, as one text each, whether or not that is all of it."""
    return [one.words for one in read_shell(line, **more).commands]
