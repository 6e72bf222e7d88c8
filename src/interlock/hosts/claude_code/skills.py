"""Find the files of skills, slash commands and agents where the host looks for them, and read them under limits.

Whatever the host might take for a name is returned, all of it: which of two files of one name wins differs between
versions, and a file too many costs a needless question at worst.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import DecodeError, Struct, json

from interlock.facts.definitions import Definition, definition_in, definition_of
from interlock.facts.inline import frontmatter

__all__ = [
    "BUILT_IN", "BUILT_IN_AGENTS", "AgentsGiven", "Lookup", "Script", "SkillFiles", "agents_given", "folders_given",
]  # fmt: skip

# What Claude Code 2.1 brings along: a prompt without a file. A file of the same name is found before this is asked.
BUILT_IN = frozenset({
    "agents", "auto-mode-setup", "autocompact", "batch", "btw", "bug", "cd", "claude-api", "clear", "code-review",
    "color", "compact", "config", "context", "cost", "dataviz", "debug", "deep-research", "doctor", "effort", "exit",
    "fast", "fewer-permission-prompts", "focus", "goal", "heapdump", "help", "hooks", "init", "insights",
    "keybindings-help", "list-agents", "login", "logout", "loop", "mcp", "memory", "model", "output-style",
    "permissions", "plugin", "plugin-authoring", "recap", "reload-plugins", "reload-skills", "rename", "resume",
    "review", "run", "run-skill-generator", "security-review", "simplify", "skills", "statusline", "status",
    "team-onboarding", "update-config", "usage", "verify", "workflow-authoring",
})  # fmt: skip
BUILT_IN_AGENTS = frozenset({"claude", "explore", "general-purpose", "plan", "statusline-setup"})

_MANAGED = Path("/etc/claude-code")
_MOST_BYTES = 1_000_000
_MOST_FOLDERS = 20_000
_MOST_FILES = 5_000
_SECONDS = 1.0
_SKIPPED = frozenset({".git", "node_modules"})


class Script(Struct, frozen=True):
    """A file whose inline shell would run. `values` are the `${…}` in it that the host replaces."""

    file: str
    text: str
    values: dict[str, str]


class Lookup(Struct, frozen=True):
    """The files a name may mean, and what their definitions start, by file.

    `unread`: there is one, and it could not be read. `missing`: none was found, and the host does not bring it along.
    """

    scripts: tuple[Script, ...] = ()
    definitions: tuple[tuple[str, Definition], ...] = ()
    unread: str | None = None
    missing: str | None = None


class AgentsGiven(Struct, frozen=True):
    """The agents that a host was given beside its files, by name; `unread` says why they are not known."""

    agents: dict[str, Any] = {}
    unread: str | None = None


class _Candidate(Struct, frozen=True):
    """A file that may be meant, under the names that the host would know it by."""

    file: Path
    names: frozenset[str]
    folder: Path | None = None  # of a skill
    plugin: Path | None = None


class _Late(Exception):  # noqa: N818 - not an error: the search takes longer than an answer may wait
    """The search took too long."""


class _Limits:
    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._until = clock() + _SECONDS
        self._folders = 0
        self._files = 0

    def folder(self) -> None:
        self._folders += 1
        if self._folders > _MOST_FOLDERS or self._clock() > self._until:
            raise _Late

    def file(self) -> None:
        self._files += 1
        if self._files > _MOST_FILES or self._clock() > self._until:
            raise _Late


def folders_given(argv: Sequence[str], cwd: str) -> tuple[list[Path], list[Path]]:
    """The folders and the plugins that a host was started with: `--add-dir a b --plugin-dir c`."""
    found: dict[str, list[Path]] = {"--add-dir": [], "--plugin-dir": []}
    option = ""
    for word in argv:
        name, equals, value = word.partition("=")
        if name in found:
            option = name
            if equals:
                found[name].append(Path(cwd, value))
        elif word.startswith("-"):
            option = ""
        elif option:
            found[option].append(Path(cwd, word))
            option = option if option == "--add-dir" else ""
    return found["--add-dir"], found["--plugin-dir"]


def agents_given(argv: Sequence[str], cwd: str) -> AgentsGiven:
    """The agents that a host was started with: `--agents JSON`, or a file that holds it."""
    text: str | None = None
    for word, after in zip(argv, [*argv[1:], ""], strict=False):
        name, equals, value = word.partition("=")
        if name == "--agents":
            text = value if equals else after
    if text is None:
        return AgentsGiven()
    read = text if text.lstrip().startswith("{") else _text(Path(cwd, text))
    try:
        agents = json.decode(read) if isinstance(read, str) else None
    except (DecodeError, RecursionError):
        agents = None
    if not isinstance(agents, dict):
        return AgentsGiven(unread="the agents that the host was given with `--agents` cannot be read")
    return AgentsGiven({str(name).casefold(): agent for name, agent in agents.items()})


class SkillFiles:
    """Where a host's skills, commands and agents are, for one project."""

    def __init__(
        self,
        project: str,
        *,
        home: Path | None = None,
        managed: Path = _MANAGED,
        folders: Sequence[Path] = (),
        plugins: Sequence[Path] = (),
        given: AgentsGiven | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """What else the host was given: `folders` and `plugins` by `folders_given`, `given` by `agents_given`."""
        self._project = Path(project)
        self._home = home or Path.home()
        self._managed = managed
        self._folders = tuple(folders)
        self._plugins = tuple(plugins)
        self._given = given or AgentsGiven()
        self._clock = clock

    def skill(self, name: str, *, cwd: str, transcript: str = "") -> Lookup:
        """The files that `/name`, or a call of the skill tool with it, would read.

        A skill may run in an agent of its own, which then starts with all that is its.
        """
        own = self._skill(name, cwd, transcript)
        heads = [frontmatter(script.text) for script in own.scripts]
        agents = [_agent_of(head.fields) for head in heads]
        found = [self.agent(agent, cwd=cwd, transcript=transcript) for agent in dict.fromkeys(agents) if agent]
        return _join(own, *found, missing=own.missing)

    def _skill(self, name: str, cwd: str, transcript: str) -> Lookup:
        wanted = name.strip().removeprefix("/").strip().casefold()
        limits = _Limits(self._clock)
        try:
            known = list(self._skills(cwd, transcript, limits))
            chosen = (
                _by_name(wanted, known)
                or _by_name(wanted, list(self._inner_skills(limits)))
                or _by_last_part(wanted, known)
            )
        except _Late:
            return Lookup(missing="its file was not found in time: there are too many folders to look into")
        if chosen or wanted in BUILT_IN:
            return _read(chosen, self._project)
        return Lookup(missing="its file was not found")

    def agent(self, name: str, *, cwd: str, transcript: str = "") -> Lookup:
        """What starts with an agent of this name: the shell in its skills, its hooks and its MCP servers."""
        wanted = name.strip().casefold()
        try:
            chosen = _by_name(wanted, list(self._agents(cwd, transcript, _Limits(self._clock))))
        except _Late:
            return Lookup(unread="there are too many agents to look at")
        given = [wanted] if wanted in self._given.agents else []
        if chosen or given:
            return self._start_of(chosen, given, cwd, transcript)
        if wanted in BUILT_IN_AGENTS:
            return Lookup()
        return Lookup(unread=self._given.unread, missing="its file was not found")

    def agents(self, *, cwd: str, transcript: str = "") -> Lookup:
        """What starts with any agent: a workflow may start each of them by a name that it makes up."""
        try:
            chosen = list(self._agents(cwd, transcript, _Limits(self._clock)))
        except _Late:
            return Lookup(unread="there are too many agents to look at")
        found = self._start_of([one for one in chosen if one.names], list(self._given.agents), cwd, transcript)
        return _join(found, Lookup(unread=self._given.unread))

    def _start_of(self, chosen: list[_Candidate], given: list[str], cwd: str, transcript: str) -> Lookup:
        own = _read(chosen, self._project)
        skills = [skill for agent in own.scripts for skill in frontmatter(agent.text).listed("skills")]
        definitions = list(own.definitions)
        for name in given:
            agent = self._given.agents[name]
            if not isinstance(agent, dict):
                continue  # the host takes none of it
            listed = agent.get("skills")
            skills += [str(skill) for skill in listed] if isinstance(listed, list) else str(listed or "").split()
            if found := definition_of(agent, {"CLAUDE_PROJECT_DIR": str(self._project)}):
                definitions.append((f"--agents {name}", found))
        preloaded = [self._skill(skill, cwd, transcript) for skill in dict.fromkeys(skills)]
        return _join(Lookup(definitions=tuple(definitions), unread=own.unread), *preloaded)

    # --- places ------------------------------------------------------------------------------------------------

    def _roots(self, cwd: str, transcript: str) -> list[Path]:
        """The folders that hold `skills`, `commands` and `agents`."""
        stands = [Path(cwd)] if cwd else []
        above = [folder for start in (*stands, self._project) for folder in (start, *start.parents)]
        named = [
            folder / ".claude" for folder in (*above, *self._folders, *self._added_folders(transcript), self._managed)
        ]
        return list(dict.fromkeys((*self._configs(transcript), *named)))

    def _configs(self, transcript: str) -> list[Path]:
        """The user's own folder: the one the transcript lies in, which the host's environment may have moved."""
        parents = Path(transcript).parents
        moved = [parents[2]] if len(parents) > 2 and parents[1].name == "projects" else []
        return [*moved, self._home / ".claude"]

    def _added_folders(self, transcript: str) -> Iterator[Path]:
        """The folders that settings add to the project."""
        for folder in (self._project / ".claude", *self._configs(transcript)):
            for file in ("settings.json", "settings.local.json"):
                added = _at(_json(folder / file), "permissions", "additionalDirectories")
                for path in added if isinstance(added, list) else ():
                    yield Path(self._project, Path(str(path)).expanduser())

    def _skills(self, cwd: str, transcript: str, limits: _Limits) -> Iterator[_Candidate]:
        plugins = [*self._plugins, *self._installed_plugins(transcript)]
        for root in self._roots(cwd, transcript):
            for folder in _folders_in(root / "skills", limits):
                yield from _skill_in(folder, limits, folder.name)
                if (folder / ".claude-plugin").is_dir():
                    plugins.append(folder)
            for file in _markdown(root / "commands", limits):
                yield _command(file, root / "commands", limits)
        for plugin in dict.fromkeys(plugins):
            yield from _of_plugin(plugin, limits)

    def _agents(self, cwd: str, transcript: str, limits: _Limits) -> Iterator[_Candidate]:
        for root in self._roots(cwd, transcript):
            for file in _markdown(root / "agents", limits):
                yield _Candidate(file, _own_names(file, limits))
        for plugin in dict.fromkeys((*self._plugins, *self._installed_plugins(transcript))):
            for file in _markdown(plugin, limits):
                names = _own_names(file, limits) | {file.stem.casefold()}
                yield _Candidate(file, names | {f"{_plugin_name(plugin)}:{name}" for name in names}, plugin=plugin)

    def _inner_skills(self, limits: _Limits) -> Iterator[_Candidate]:
        """Skills of folders inside the project, which the host picks up when it works on files there."""
        for place, folders, _ in os.walk(self._project):
            limits.folder()
            folders[:] = [folder for folder in folders if folder not in _SKIPPED]
            if ".claude" not in folders:
                continue
            folders.remove(".claude")
            inside = Path(place).relative_to(self._project).as_posix()
            for folder in _folders_in(Path(place, ".claude", "skills"), limits):
                yield from _skill_in(folder, limits, folder.name, f"{inside}:{folder.name}")

    def _installed_plugins(self, transcript: str) -> Iterator[Path]:
        """The plugins a person installed: as copied, and where a marketplace on this disk has them."""
        for config in self._configs(transcript):
            listed = _at(_json(config / "plugins" / "installed_plugins.json"), "plugins")
            markets = _json(config / "plugins" / "known_marketplaces.json")
            for name, installs in listed.items() if isinstance(listed, dict) else ():
                plugin, _, market = name.partition("@")
                for install in installs if isinstance(installs, list) else [installs]:
                    path = _at(install, "installPath")
                    if isinstance(path, str):
                        yield Path(path)
                yield from _plugin_folders(_at(markets, market, "installLocation"), plugin)


def _plugin_folders(place: Any, plugin: str) -> Iterator[Path]:
    if not isinstance(place, str):
        return
    offers = _at(_json(Path(place, ".claude-plugin", "marketplace.json")), "plugins")
    for offer in offers if isinstance(offers, list) else ():
        source = _at(offer, "source")
        if _at(offer, "name") == plugin and isinstance(source, str):
            yield Path(place, source)


# --- candidates ------------------------------------------------------------------------------------------------


def _skill_in(folder: Path, limits: _Limits, *names: str, plugin: Path | None = None) -> Iterator[_Candidate]:
    for file in (folder / "SKILL.md", folder / "skill.md"):
        if file.is_file():
            known = {name.casefold() for name in names} | _own_names(file, limits)
            yield _Candidate(file, frozenset(known), folder, plugin)
            return


def _command(file: Path, root: Path, limits: _Limits, plugin: Path | None = None) -> _Candidate:
    parts = file.relative_to(root).with_suffix("").parts
    if file.name.casefold() == "skill.md":
        names = {":".join(parts[:-1])} | _own_names(file, limits)
        return _Candidate(file, frozenset(name.casefold() for name in names), file.parent, plugin)
    return _Candidate(file, frozenset({":".join(parts).casefold()}), None, plugin)


def _of_plugin(plugin: Path, limits: _Limits) -> Iterator[_Candidate]:
    """Every text of a plugin: its manifest may name any of them a command or a skill."""
    prefix = _plugin_name(plugin)
    for file in _markdown(plugin, limits):
        skill = file.name.casefold() == "skill.md"
        parts = file.relative_to(plugin).with_suffix("").parts[: -1 if skill else None] or (prefix,)
        own = _own_names(file, limits)
        endings = {":".join(parts[start:]).casefold() for start in range(len(parts))}
        full = {f"{prefix}:{name}" for name in (*endings, *own)}
        yield _Candidate(file, frozenset(full | own), file.parent if skill else None, plugin)
    commands = _at(_json(plugin / ".claude-plugin" / "plugin.json"), "commands")
    for name, how in commands.items() if isinstance(commands, dict) else ():
        source = _at(how, "source")
        file = plugin / source if isinstance(source, str) else plugin / ".claude-plugin" / "plugin.json"
        yield _Candidate(file, frozenset({f"{prefix}:{name}".casefold()}), None, plugin)


def _agent_of(fields: Mapping[str, str | list[str]]) -> str:
    """The agent that a skill runs in, if it asks for one."""
    agent, context = fields.get("agent"), fields.get("context")
    named = agent if isinstance(agent, str) else ""
    return named or ("general-purpose" if context == "fork" else "")


def _plugin_name(plugin: Path) -> str:
    name = _at(_json(plugin / ".claude-plugin" / "plugin.json"), "name")
    return (name if isinstance(name, str) and name else plugin.name).casefold()


def _own_names(file: Path, limits: _Limits) -> frozenset[str]:
    """What a file calls itself."""
    limits.file()
    text = _text(file, start=True)
    name = frontmatter(text).fields.get("name") if isinstance(text, str) else None
    return frozenset({name.strip().casefold()} if isinstance(name, str) and name.strip() else ())


def _by_name(wanted: str, candidates: list[_Candidate]) -> list[_Candidate]:
    return [candidate for candidate in candidates if wanted in candidate.names]


def _by_last_part(wanted: str, candidates: list[_Candidate]) -> list[_Candidate]:
    """Older hosts know a command in a subfolder by its own name alone."""
    return [one for one in candidates if any(name.rpartition(":")[2] == wanted for name in one.names)]


# --- files -----------------------------------------------------------------------------------------------------


def _read(chosen: list[_Candidate], project: Path) -> Lookup:
    scripts: list[Script] = []
    problems: list[str] = []
    for one in {(os.path.realpath(candidate.file), candidate.folder): candidate for candidate in chosen}.values():
        text = _text(one.file)
        if not isinstance(text, str):
            problems.append(f"{one.file} cannot be read: {text.why}")
            continue
        values = {"CLAUDE_PROJECT_DIR": str(project)}
        if one.folder is not None:
            values["CLAUDE_SKILL_DIR"] = str(one.folder)
        if one.plugin is not None:
            values["CLAUDE_PLUGIN_ROOT"] = str(one.plugin)
        scripts.append(Script(str(one.file), text, values))
    found = ((script.file, definition_in(script.text, script.values)) for script in scripts)
    return Lookup(tuple(scripts), tuple(pair for pair in found if pair[1]), unread="; ".join(problems) or None)


def _join(*lookups: Lookup, missing: str | None = None) -> Lookup:
    """Several lookups as one."""
    return Lookup(
        tuple(script for one in lookups for script in one.scripts),
        tuple(pair for one in lookups for pair in one.definitions),
        unread="; ".join(one.unread for one in lookups if one.unread) or None,
        missing=missing,
    )


class _Unread(Struct, frozen=True):
    why: str


def _text(file: Path, *, start: bool = False) -> str | _Unread:
    """A regular file's text, or as much of it as is read at all if its start will do.

    Opened without waiting: a pipe of that name must not hold the answer up.
    """
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as opened:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return _Unread("it is not a regular file")
            data = opened.read(_MOST_BYTES + 1)
    except OSError as error:
        return _Unread(error.strerror or type(error).__name__)
    if len(data) > _MOST_BYTES and not start:
        return _Unread(f"it is longer than {_MOST_BYTES:,} bytes")
    return data.decode("utf-8", "replace")


def _folders_in(place: Path, limits: _Limits) -> list[Path]:
    try:
        with os.scandir(place) as entries:
            found = [Path(entry.path) for entry in entries if entry.is_dir()]
    except OSError:
        return []  # no such folder, or none that the host could read either
    limits.folder()
    return sorted(found)


def _markdown(place: Path, limits: _Limits, above: tuple[str, ...] = ()) -> Iterator[Path]:
    """Every Markdown file below a folder, through links, but never round in a circle."""
    real = os.path.realpath(place)
    if real in above:
        return
    try:
        with os.scandir(place) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return  # no such folder, or none that the host could read either
    limits.folder()
    for entry in found:
        if entry.is_dir() and entry.name not in _SKIPPED:
            yield from _markdown(Path(entry.path), limits, (*above, real))
        elif entry.name.casefold().endswith(".md"):
            yield Path(entry.path)


def _json(file: Path) -> Any:
    text = _text(file)
    try:
        return json.decode(text) if isinstance(text, str) else None
    except (DecodeError, RecursionError):
        return None


def _at(value: Any, *steps: str) -> Any:
    for step in steps:
        value = value.get(step) if isinstance(value, dict) else None
    return value
