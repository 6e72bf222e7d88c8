"""The lines of a call: each with what it runs, where it starts, and what the programs in it do."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from interlock.facts.checkouts import mark_checkouts
from interlock.facts.disguise import mark_agents, other_readings
from interlock.facts.effects import CodeEffects
from interlock.facts.limits import PROGRAM_DEPTH, PROGRAM_TEXTS, PROGRAMS
from interlock.facts.own_programs import ProgramReader
from interlock.facts.paths import Files, Places
from interlock.facts.programs import use_of_program
from interlock.facts.shell import Fuel, Shell, read_shell
from interlock.facts.touch import folder_of

__all__ = ["Part", "code_effects", "parts_of", "with_own_names"]


class Part(Struct):
    """One line for a shell: what it runs, where it starts, and what the code in it does."""

    shell: Shell
    places: Places
    code: list[tuple[int, str, CodeEffects]] = []  # the command, where it stands, the effects


def parts_of(
    line: str,
    places: Places,
    fuel: Fuel,
    within: tuple[str, ...] = (),
    depth: int = 0,
    positional: tuple[str, ...] | None = None,
    own: ProgramReader | None = None,
) -> list[Part]:
    """A line, and the lines that code in it has run. `own`: reads programs that policies describe."""
    # Where they mostly are. The host's folder of a person is theirs wherever it was moved to.
    known = {"HOME": places.home, "PWD": places.cwd, "TMPDIR": "/tmp"}  # noqa: S108
    known["CLAUDE_CONFIG_DIR"] = f"{places.home}/.claude"
    if not within and positional is None:
        positional = ()  # a call's own line is given none
    if own is None:
        shell = read_shell(line, known, positional=positional, aside=depth > 0, fuel=fuel)
    else:
        shell = read_shell(
            line, known, own.use_of, beside=own.beside, positional=positional, aside=depth > 0, fuel=fuel
        )
    part = Part(shell, places, [])
    found = [part]
    for code in shell.code[: PROGRAMS.most]:
        command = shell.commands[code.command]
        effects = code_effects(code.kind, code.text, fuel, own)
        if effects.shell and depth >= PROGRAM_DEPTH.most:
            effects.reach(PROGRAM_DEPTH)
        folder = folder_of(command, places)
        part.code.append((code.command, folder, effects))
        for text in effects.shell if depth < PROGRAM_DEPTH.most else ():
            nested = (*within, *command.nested, command.name)
            found += parts_of(text, replace(places, cwd=folder), fuel, nested, depth + 1, own=own)
    if len(shell.code) > PROGRAMS.most:
        effects = CodeEffects()
        effects.reach(PROGRAMS)
        part.code.append((shell.code[-1].command, places.cwd, effects))
    if part.code or within:
        part.shell = _with_code(part, within)
    return found


def with_own_names(
    parts: list[Part],
    files: Files,
    fuel: Fuel,
    own: ProgramReader | None = None,
    copies: Mapping[str, str] = MappingProxyType({}),
) -> list[Part]:
    """The parts, and what their commands amount to where a program that counts has another name.

    `copies`: files that earlier calls of the session copied or linked, and what they are of.
    """
    found = list(parts)
    use_of = use_of_program if own is None else own.use_of
    for part in parts:
        for line, command in other_readings(part.shell, part.places, files, use_of, copies):
            places = replace(part.places, cwd=folder_of(command, part.places))
            found += parts_of(line, places, fuel, (*command.nested, command.name), 1, own=own)
    for part in found:
        part.shell = mark_checkouts(mark_agents(part.shell, part.places, files), part.places, files)
    return found


def code_effects(kind: str, text: str, fuel: Fuel, own: ProgramReader | None = None) -> CodeEffects:
    """The evident effects of a program text, unless the call has had more of those than are read."""
    fuel.program -= len(text)
    if fuel.program >= 0:
        # Few calls hold a program's text, and what reads one takes long to import.
        from interlock.facts.code.read import effects_of_code  # noqa: PLC0415

        return effects_of_code(kind, text, own)
    effects = CodeEffects()
    effects.reach(PROGRAM_TEXTS)
    return effects


def _with_code(part: Part, within: tuple[str, ...]) -> Shell:
    """A line whose commands have what their code does, and where they stand."""
    commands = list(part.shell.commands)
    if within:
        commands = [replace(command, nested=(*within, *command.nested)) for command in commands]
    for number, _, effects in part.code:
        command = commands[number]
        traits = command.use.traits | effects.traits
        if effects.writes or effects.deletes:
            traits |= {"changes"}
        use = replace(command.use, traits=traits, sends=command.use.sends or effects.sends)
        commands[number] = replace(command, use=use, opaque=command.opaque or effects.opaque)
    return replace(part.shell, commands=tuple(commands))
