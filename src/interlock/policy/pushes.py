"""What a `git push` goes to, and whether a rule means it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from interlock.facts.gather import Facts
from interlock.facts.paths import UNKNOWN, Places, resolve
from interlock.facts.push import Destination, Repository, Target, destination_of, may_be_both
from interlock.facts.shell import Command
from interlock.facts.touch import folder_of
from interlock.policy.names import NamePattern
from interlock.policy.situation import World

__all__ = ["PUSH_KEYS", "PushPattern", "Pushes", "RefPattern"]

PUSH_KEYS = ("to", "remote", "force", "delete", "certain")
_BRANCHES = "refs/heads/"


class RefPattern(NamePattern):
    """Branches by name, glob or /regex/; with `refs/` in front, any references by their full names."""

    def __init__(self, patterns: Iterable[str]) -> None:
        super().__init__(patterns)
        self._globs: list[str | None] = []  # full names; None for a regex
        for pattern in self.patterns:
            is_regex = len(pattern) > 1 and pattern.startswith("/")
            full = pattern if pattern.startswith("refs/") else _BRANCHES + pattern
            self._globs.append(None if is_regex else full)
        self._full = [NamePattern([glob]) if glob is not None else None for glob in self._globs]

    def means(self, ref: str) -> bool:
        """Whether a reference is meant; in it, `*` is not known, and may be what is meant."""
        for pattern, glob, full in zip(self.patterns, self._globs, self._full, strict=True):
            if glob is None or full is None:
                if "*" in ref or NamePattern([pattern]).matches(_short(ref)):
                    return True
            elif full.matches(ref) or ("*" in ref and may_be_both(re.sub(r"\[[^\]]*\]", "?", glob), ref)):
                return True
        return False

    def covers(self, ref: str) -> bool:
        """Whether everything that `ref` stands for is meant."""
        if "*" not in ref:
            return self.means(ref)
        return any(glob is not None and glob.endswith("*") and ref.startswith(glob[:-1]) for glob in self._globs)


def _short(ref: str) -> str:
    return ref.removeprefix(_BRANCHES)


class PushPattern(Struct, frozen=True):
    """Pushes: to which branches and remotes, whether they overwrite or delete, and whether that is known for certain.

    What is None is not asked.
    """

    to: RefPattern | None = None
    remote: NamePattern | None = None
    force: bool | None = None
    delete: bool | None = None
    certain: bool | None = None

    def matches(self, where: Destination) -> bool:
        """Whether a rule that restricts is about this push: what nobody knows may be what it means."""
        if self.remote is not None and where.named and not any(map(self.remote.matches, where.remotes)):
            return False
        return any(self._may_mean(target) for target in where.targets)

    def _may_mean(self, target: Target) -> bool:
        if self.certain not in (None, target.certain):
            return False
        instead = () if self.certain else target.instead
        if self.to is not None and not any(map(self.to.means, (target.ref, *instead))):
            return False
        return self.force in (None, target.force) and self.delete in (None, target.delete)

    def covers(self, where: Destination) -> bool:
        """Whether everything that is pushed is meant, and nothing about it is unknown."""
        if self.remote is not None and not (where.remotes and all(map(self.remote.matches, where.remotes))):
            return False
        return bool(where.targets) and all(
            (self.to is None or self.to.covers(target.ref))
            and self.force in (None, target.force)
            and self.delete in (None, target.delete)
            and self.certain in (None, target.certain)
            for target in where.targets
        )


# --- the pushes of a call ---------------------------------------------------------------------------------------------

_ELSEWHERE = re.compile(r"GIT_(DIR|WORK_TREE|COMMON_DIR|NAMESPACE|CONFIG\w*)|HOME|XDG_CONFIG_HOME")
_SETTINGS = re.compile(r"(push|remote|branch|url|include\w*)\.", re.IGNORECASE)
# Forms of git that neither make references nor choose another branch.
_STAYS = frozenset({
    "add", "blame", "commit", "config", "describe", "diff", "fetch", "grep", "log", "ls-files", "ls-remote", "merge",
    "mv", "pull", "push", "reflog", "remote", "reset", "restore", "rev-list", "rev-parse", "revert", "rm", "shortlog",
    "show", "stash", "status", "tag", "cherry-pick", "am", "apply", "lfs",
})  # fmt: skip
_NAMES_BRANCH = re.compile(
    r"git (?:-C \S+ )?(?:branch --show-current|rev-parse --abbrev-ref (?:HEAD|@)|symbolic-ref --short (?:-q )?HEAD)"
)
_INSERTED = re.compile(r"\$\(\s*([^()]*?)\s*\)|`\s*([^`]*?)\s*`|\$(\w+|\{[^}]*\})")


class Pushes:
    """Where the pushes of one call go."""

    def __init__(self, facts: Facts, places: Places, world: World) -> None:
        self._facts = facts
        self._places = places
        self._world = world
        self._found: dict[int, Destination] = {}
        self._repositories: dict[str, Repository | None] = {}

    def destination(self, command: Command) -> Destination | None:
        """Where a command pushes to; None if it pushes nothing."""
        if command.use.push is None:
            return None
        found = self._found.get(id(command))
        if found is None:
            found = self._found[id(command)] = self._destination(command)
        return found

    def _destination(self, command: Command) -> Destination:
        push = command.use.push
        assert push is not None  # noqa: S101 - the caller has looked
        before = self._before(command)
        repository = None if push.elsewhere else self._repository_of(command, before)
        if repository is None:
            return destination_of(push, None)
        branches = self._checked_out(command, before, repository)
        refs = repository.refs
        if refs is not None:
            tagged = {f"refs/tags/{ref}" for one in before if one.use.operands[:1] == ("tag",) for ref in one.use.refs}
            refs = None if any(map(_makes_refs, before)) else refs | tagged
        if len(branches) == 1 and _inserts_branch(command, self._facts.lines):
            words = tuple(word.replace(UNKNOWN, branches[0]) for word in push.refspecs)
            push = replace(push, refspecs=words)
        return destination_of(push, replace(repository, refs=refs), branches)

    def _before(self, command: Command) -> list[Command]:
        """The other git commands of the call that run before this one."""
        commands = self._facts.all_commands
        place = next((number for number, one in enumerate(commands) if one is command), len(commands))
        return [one for one in commands[:place] if one.name in ("git", "gh")]

    def _checked_out(self, push: Command, before: Sequence[Command], repository: Repository) -> tuple[str, ...]:
        """The branches that may be checked out when a push runs; none if that is not known."""
        found = [repository.branch] if repository.branch else []
        refs = repository.refs or ()
        for one in before:
            chosen = _chosen_branch(one)
            if chosen is None:
                continue
            name, is_branch = chosen
            if not name or UNKNOWN in name or name.startswith(("-", "@")):
                return ()
            # `git checkout x` is about a file if there is no such branch.
            is_branch = is_branch or any(ref.startswith("refs/") and ref.endswith(f"/{name}") for ref in refs)
            replaces = is_branch and self._runs_only_after(one, push)
            found = [name] if replaces else [*found, name]
        return tuple(dict.fromkeys(found))

    def _runs_only_after(self, first: Command, then: Command) -> bool:
        """Whether `then` runs only if `first` succeeded: between them are commands, joined by nothing but `&&`."""
        lines = self._facts.lines
        if len(lines) != 1 or first.nested or then.nested or first.end > then.start:
            return False
        rest, at = "", first.end
        for one in sorted(self._facts.commands, key=lambda command: command.start):
            if at <= one.start and one.end <= then.start and not one.nested:
                rest += lines[0][at : one.start]
                at = one.end
        rest += lines[0][at : then.start]
        return re.fullmatch(r"(?:\s*&&\s*)+", rest) is not None

    def _repository_of(self, command: Command, before: Sequence[Command]) -> Repository | None:
        """The repository that a command works in, if nothing in the call leads git to another one."""
        assigned = [name for part in self._facts.parts for name, _ in part.shell.assigned]
        if any(_ELSEWHERE.fullmatch(name) for name in (*assigned, *command.env)):
            return None
        if any(map(_sets_pushing, before)):
            return None
        folder = folder_of(command, self._places)
        if command.use.base:
            folder = resolve(command.use.base, self._places, folder)
        if UNKNOWN in folder:
            return None
        if folder not in self._repositories:
            self._repositories[folder] = self._world.repository(folder)
        return self._repositories[folder]


def _chosen_branch(command: Command) -> tuple[str, bool] | None:
    """The branch that a command checks out, and whether it is one for sure; an empty name is not known."""
    use = command.use
    form, rest = (use.operands[0], use.operands[1:]) if use.operands else ("", ())
    if command.name == "gh":
        return ("", True) if form == "co" or use.operands[:2] == ("pr", "checkout") else None
    made = [ref for ref in use.refs if ref != "HEAD"]
    if form in ("checkout", "switch") and made:
        return made[0], True
    if form == "switch":
        return "".join(rest[:1]) if "--detach" not in use.flags else "", True
    if form == "checkout":
        return (rest[0], False) if len(rest) == 1 and "--" not in command.args else None
    if form == "branch" and {"--move", "-M"} & set(use.flags):
        return (rest[0], True) if len(rest) == 1 else None
    if form == "rebase" and len(rest) > 1:
        return rest[1], False
    return ("", True) if form in ("bisect", "symbolic-ref", "flow", "clone", "init") and rest else None


def _makes_refs(command: Command) -> bool:
    words = command.use.operands
    return command.name == "gh" or (bool(words) and words[0] not in _STAYS)


def _sets_pushing(command: Command) -> bool:
    """Whether a command changes settings that say where a push goes."""
    if "--set-upstream-to" in command.use.flags:
        return True
    words = command.use.operands
    return words[:1] == ("config",) and any(_SETTINGS.match(word) or UNKNOWN in word for word in words[1:3])


def _inserts_branch(command: Command, lines: Sequence[str]) -> bool:
    """Whether all that the shell inserts into a command is the name of the current branch."""
    inserted = [one[0] or one[1] or one[2] for one in _INSERTED.findall(command.text)]
    return bool(inserted) and all(_NAMES_BRANCH.fullmatch(text) or _holds_branch(text, lines) for text in inserted)


def _holds_branch(name: str, lines: Sequence[str]) -> bool:
    """Whether a variable is set once, to the name of the current branch, and by nothing else in the call."""
    name = name.strip("{}")
    if not name.isidentifier() or len(lines) != 1:
        return False
    set_to = re.findall(rf"(?:^|[\s;&])(?:local |export )?{name}=\"?\$\(\s*([^()]*?)\s*\)\"?(?=[\s;&]|$)", lines[0])
    named = re.findall(rf"(?<![\w$]){name}(?!\w)", lines[0].replace(f"${{{name}}}", "").replace(f"${name}", ""))
    return len(set_to) == 1 == len(named) and _NAMES_BRANCH.fullmatch(set_to[0]) is not None
