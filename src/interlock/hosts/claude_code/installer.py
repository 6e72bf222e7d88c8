"""Add Interlock's entries to Claude Code's settings and remove them again: plan, show, then write."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec import DecodeError, Struct, json
from msgspec.structs import replace

from interlock.config.bundles import bundle_of
from interlock.config.trust import Trust
from interlock.errors import InterlockError
from interlock.files import jsonedit
from interlock.files.atomic import write_atomically
from interlock.files.edit import FileChange, apply_changes, may_edit, read_bytes
from interlock.files.git import is_tracked
from interlock.hosts.base.launcher import write_launcher
from interlock.hosts.claude_code import places
from interlock.hosts.claude_code.address import Address
from interlock.hosts.claude_code.adoption import CannotAdopt, MovedHook, convert
from interlock.hosts.claude_code.adoption import describe as shown_kept
from interlock.hosts.claude_code.entries import Entries, Handler, entries_for, is_entry
from interlock.hosts.claude_code.entry_notes import drop_note, keep_note, note_of, notes_locked
from interlock.hosts.claude_code.other_hooks import hooks_elsewhere
from interlock.hosts.claude_code.places import Scope, manifest_file, settings_file
from interlock.hosts.claude_code.policy_text import Addition, add_hooks, take_out
from interlock.hosts.claude_code.settings_files import worktrees_of
from interlock.hosts.claude_code.settings_rules import Settings, SettingsHook, matches_all, read_settings
from interlock.hosts.claude_code.settings_state import SettingsState, our_entries, settings_state

__all__ = [
    "MODES",
    "Manifest",
    "Plan",
    "apply",
    "apply_policy",
    "plan_install",
    "plan_policy",
    "plan_uninstall",
    "read_manifest",
    "read_manifests",
    "with_entries_again",
]

# A project's committed settings can say `disableAllHooks: true`; the local ones outrank them, from the first call on.
_SWITCH = "disableAllHooks"
MODES: dict[Scope, int] = {"local": 0o600, "user": 0o600, "project": 0o644, "managed": 0o644}


class Manifest(Struct, frozen=True, kw_only=True):
    """What was added to one settings file, so that exactly that can be removed."""

    file: str
    scope: Scope
    before: bytes | None  # None: the file did not exist
    exact: bool  # whether `before` is the whole earlier file
    after: bytes
    entries: dict[str, Handler]
    made: tuple[tuple[str, ...], ...] = ()
    made_folder: bool = False
    adopted: tuple[SettingsHook, ...] = ()
    additions: tuple[Addition, ...] = ()


class Plan(Struct, frozen=True, kw_only=True):
    """What would be written, for a person to look at first."""

    scope: Scope
    settings: Path
    installs: bool
    changes: tuple[FileChange, ...] = ()
    manifest: Manifest | None = None  # to be kept afterwards; None: no entry is left
    afterwards: SettingsState = SettingsState()  # what would run then
    adopted: tuple[SettingsHook, ...] = ()
    stays: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    others_left: bool = False  # whether entries of another installation stay
    hindered: tuple[str, ...] = ()  # why the entries would not all run although they are in the file
    trusted: tuple[
        Path, ...
    ] = ()  # policies whose every change a person agrees to now, and had trusted if there before

    @property
    def is_empty(self) -> bool:
        return not self.changes

    def diff(self) -> str:
        """Every change as a unified diff."""
        return "".join(_diff(change) for change in self.changes)


def plan_install(
    project: Path,
    scope: Scope = "local",
    *,
    adopt: bool = False,
    policy: Path | None = None,
    starter: str | None = None,
    start_over: bool = False,
    address: Address | None = None,
) -> Plan:
    """Add Interlock's entries to the settings of a scope.

    `address` is where calls are sent over HTTP, if they are. `starter` is the policy to write where there is none, or
    to `start_over` with; the one that was there is kept.
    """
    file = settings_file(scope, project)
    policy = policy or places.policy_file(scope, project)
    _check_names(file, policy)
    raw = may_edit(file)
    old = _read(raw, file)
    entries = entries_for(scope, address)
    text, made = _switch_on("{}\n" if raw is None else raw.decode("utf-8"), old, scope)
    text, more = _with_entries(text, old, entries)
    made += more
    replaced = [hook for hook in old.hooks if _is_altered(hook, entries)]
    shared = scope == "project" or is_tracked(file)
    taken, stays = _adoptable(old, entries, policy, shared) if adopt else ([], [])
    if taken:
        _check_acts(policy, scope, project, start_over)
    text = _without(text, [*replaced, *(hook for hook, _ in taken)], lambda path: False)
    before = read_manifest(file)
    given_back = before if before is not None and shared and before.adopted else None
    if given_back is not None:
        text = _put_back_hooks(text, given_back.adopted)
    after = text.encode("utf-8")
    _check_result(old, after, file, entries)
    changes, additions = _policy_changes(policy, starter, start_over, [external for _, external in taken])
    unchanged = raw == after
    manifest = before if unchanged else _manifest(before, file, scope, raw, after, entries, made)
    notices = []
    if given_back is not None and manifest is not None:
        manifest = replace(manifest, adopted=(), additions=(), exact=False)
        notices = _take_additions(given_back.additions, changes)
        notices.append(
            f"adopted hooks go back into {file}, which is shared: others would run them only once they trust"
        )
    elif manifest is not None:
        adopted = (*manifest.adopted, *(hook for hook, _ in taken))
        manifest = replace(manifest, adopted=adopted, additions=(*manifest.additions, *additions))
    if not unchanged:
        changes.append(FileChange(file, raw, after, MODES[scope]))
    supposed = settings_state(project, ours=(entries, *our_entries()), instead={file: after})
    return Plan(
        scope=scope,
        settings=file,
        installs=True,
        changes=tuple(changes),
        manifest=manifest,
        afterwards=supposed,
        adopted=tuple(hook for hook, _ in taken),
        stays=(*stays, *(hooks_elsewhere(supposed, file, places.config_folder()) if adopt else ())),
        notices=(*notices, *_install_notices(supposed, replaced), *(_worktree_notices(project) if taken else ())),
        hindered=tuple(one.why for one in supposed.off),
        trusted=_policies_to_trust(policy, scope, project, changes, additions, given_back),
    )


def plan_uninstall(project: Path, scope: Scope = "local", file: Path | None = None) -> Plan:
    """Remove from a scope's settings, or one `file` of it, what Interlock added, and put back what it adopted."""
    file = file or settings_file(scope, project)
    _check_names(file)
    manifest = read_manifest(file)
    raw = may_edit(file)
    after, removed_all = _restore(raw, file, manifest, scope)
    changes = []
    if after != raw:
        also_folder = manifest is not None and manifest.made_folder
        changes.append(FileChange(file, raw, after, MODES[scope], also_folder))
    notices = [] if removed_all else [f"entries of another installation of Interlock stay in {file}"]
    additions = manifest.additions if manifest is not None else ()
    notices += _take_additions(additions, changes)
    return Plan(
        scope=scope,
        settings=file,
        installs=False,
        changes=tuple(changes),
        afterwards=settings_state(project, instead={file: after}),
        adopted=manifest.adopted if manifest is not None else (),
        notices=tuple(notices),
        others_left=not removed_all,
        trusted=tuple(_trusted_policies(additions)),
    )


def _take_additions(additions: Sequence[Addition], changes: list[FileChange]) -> list[str]:
    """Remove adopted hooks from their policies, as further changes; hooks that cannot be removed are named."""
    notices = []
    for addition in reversed(additions):
        policy = Path(addition.file)
        found = next((change.after for change in changes if change.path == policy), None) or may_edit(policy)
        if found is None:
            notices.append(f"{policy} is gone, and with it the adopted hooks")
            continue
        left = FileChange(policy, may_edit(policy), take_out(found, addition))
        changes[:] = [*(change for change in changes if change.path != policy), left]
    return notices


def apply(plan: Plan) -> list[Path]:
    """Write a plan. Returns where the earlier versions of the files are kept."""
    if plan.installs and plan.scope != "project":
        write_launcher()  # first: without it, every call is denied
    with notes_locked():  # the daemon must not take this for a loss and put entries back meanwhile
        kept = apply_changes(list(plan.changes), places.backup_folder)
        now = read_bytes(plan.settings)
        if plan.manifest is not None and now is not None:
            keep_note(note_of(plan.settings, plan.scope, plan.manifest.entries, now, plan.hindered))
        elif not plan.installs:
            drop_note(plan.settings)
    place = manifest_file(plan.settings)
    try:
        if plan.manifest is None:
            place.unlink(missing_ok=True)
        else:
            write_atomically(place, json.encode(plan.manifest))
    except OSError as error:
        raise InterlockError(f"cannot note what was done in `{place}`: {error.strerror}") from error
    for policy in plan.trusted:
        _trust_again(policy, plan)
    return kept


def plan_policy(project: Path, scope: Scope, policy: Path, starter: str, *, start_over: bool = False) -> Plan:
    """Write the policy alone, where there is none or to `start_over` with: for agents that are set up elsewhere."""
    changes, _ = _policy_changes(policy, starter, start_over, ())
    trusted = _policies_to_trust(policy, scope, project, changes, (), None)
    return Plan(
        scope=scope, settings=settings_file(scope, project), installs=True, changes=tuple(changes), trusted=trusted
    )


def apply_policy(plan: Plan) -> list[Path]:
    """Write what `plan_policy` planned; settings and what is noted of them stay as they are."""
    kept = apply_changes(list(plan.changes), places.backup_folder)
    for policy in plan.trusted:
        _trust_again(policy, plan)
    return kept


def _trust_again(policy: Path, plan: Plan) -> None:
    """Trust a policy exactly as it was planned, and nothing else that got into its files."""
    planned = next((change.after for change in plan.changes if change.path == policy), None)
    known, now = Trust().kept(policy), bundle_of(policy)
    others = {} if known is None else {name: body for name, body in known.files.items() if name != known.file}
    if now.files[now.file] == planned and all(now.files.get(name, body) == body for name, body in others.items()):
        Trust().keep(now)


def with_entries_again(raw: bytes | None, file: Path, entries: Entries, switch: bool | None) -> bytes:
    """The settings with their entries as they once were, and every other byte as it is.

    `switch` is what the file said then about `disableAllHooks`. Raises InterlockError where that cannot be done.
    """
    old = _read(raw, file)
    text = "{}\n" if raw is None else raw.decode("utf-8")
    text = _without_non_arrays(_with_switch(text, old, switch), entries)
    text, _ = _with_entries(text, old, entries)
    # An older entry for another event still works, so it stays.
    altered = [hook for hook in old.hooks if hook.event in entries and _is_altered(hook, entries)]
    after = _without(text, altered, lambda path: False).encode("utf-8")
    _check_result(old, after, file, entries)
    return after


def _without_non_arrays(text: str, entries: Entries) -> str:
    """The text without values in an entry's place that no client reads."""
    hooks = jsonedit.read(text).value.get("hooks")
    for event, node in (hooks.value if hooks is not None else {}).items():
        if event in entries and not isinstance(node.value, list):
            text = jsonedit.remove(text, ("hooks", event))
    return text


def _with_switch(text: str, old: Settings, switch: bool | None) -> str:
    """The text with its earlier value of `disableAllHooks`, if it now switches all hooks off."""
    if old.disables is False or (old.disables is None and switch is None):
        return text
    if _SWITCH not in old.values:
        return jsonedit.insert_member(text, (), _SWITCH, switch)
    if switch is None:
        return jsonedit.remove(text, (_SWITCH,))
    node = jsonedit.read(text).value[_SWITCH]
    return f"{text[: node.start]}false{text[node.end :]}"


def read_manifest(file: Path) -> Manifest | None:
    """What was added to a settings file, as far as it is known."""
    place = manifest_file(file)
    try:
        return json.decode(place.read_bytes(), type=Manifest)
    except FileNotFoundError:
        return None
    except (OSError, DecodeError) as error:
        help = "remove that file; entries that are exactly as Interlock wrote them are found without it"
        raise InterlockError(f"cannot read what was installed in `{place}`: {error}", help=help) from error


def read_manifests() -> list[Manifest]:
    """Everything that is noted about settings files; a note that cannot be read is skipped."""
    found = []
    for place in sorted(manifest_file(Path()).parent.glob("*.json")):
        try:
            found.append(json.decode(place.read_bytes(), type=Manifest))
        except (OSError, DecodeError):
            continue
    return found


# --- installing --------------------------------------------------------------------------------------------


def _check_names(*files: Path) -> None:
    """Refuse paths that are not UTF-8: settings and notes are JSON, which cannot contain them."""
    for file in files:
        try:
            str(file).encode("utf-8")
        except UnicodeEncodeError as error:
            shown = os.fsencode(file).decode("utf-8", "backslashreplace")
            raise InterlockError(
                f"the path `{shown}` is not valid UTF-8, so nothing can be installed there",
                help="rename the folder, or use `--scope user`",
            ) from error


def _switch_on(text: str, old: Settings, scope: Scope) -> tuple[str, tuple[tuple[str, ...], ...]]:
    """The text with `disableAllHooks: false`, if it says nothing: it outranks a file that comes with the project."""
    if scope != "local" or _SWITCH in old.values:
        return text, ()
    return jsonedit.insert_member(text, (), _SWITCH, False), ((_SWITCH,),)


def _read(raw: bytes | None, file: Path) -> Settings:
    """The settings as they are. A file that a client ignores is refused: its entries would be ignored too."""
    if raw is None:
        return Settings(str(file))
    found = read_settings(raw, str(file))
    if found.ignored is not None:
        cure = "correct that first; the file is left as it is"
        broken = None if found.unclear else _json_error(raw, file)
        if broken is None:
            raise InterlockError(f"Claude Code ignores `{file}`: {found.ignored}", help=cure)
        cure = f"{broken.help}; until then, Claude Code reads none of its settings"
        raise InterlockError(f"Claude Code ignores `{file}`: {broken.message}", broken.source, cure, broken.line)
    return found


def _json_error(raw: bytes, file: Path) -> InterlockError | None:
    """Why a text is not JSON, with the line; None if it is, or is empty."""
    try:
        jsonedit.read(raw.decode("utf-8"), str(file))
    except InterlockError as error:
        return error if raw.strip() else None
    return None


def _with_entries(text: str, old: Settings, entries: Entries) -> tuple[str, tuple[tuple[str, ...], ...]]:
    """The text with all entries that were missing, and the keys that were created for them."""
    made: list[tuple[str, ...]] = []
    there = {hook.event for hook in old.hooks if _is_exact(hook, entries)}
    if "hooks" not in jsonedit.read(text).value and there != entries.keys():
        text = jsonedit.insert_member(text, (), "hooks", {})
        made.append(("hooks",))
    for event, handler in entries.items():
        if event in there:
            continue
        holder = jsonedit.read(text).value["hooks"].value
        if event in holder and holder[event].value is None:
            text = jsonedit.remove(text, ("hooks", event))
        if event in holder and holder[event].value is not None:
            if not isinstance(holder[event].value, list):
                raise InterlockError(
                    f"`{event}` is not an array; the file is left as it is",
                    holder[event].source(old.file),
                    "make it one",
                )
            text = jsonedit.insert_item(text, ("hooks", event), {"hooks": [handler]})
        else:
            text = jsonedit.insert_member(text, ("hooks",), event, [{"hooks": [handler]}])
            made.append(("hooks", event))
    return text, tuple(made)


def _is_exact(hook: SettingsHook, entries: Entries) -> bool:
    return matches_all(hook.matcher) and entries.get(hook.event) == hook.handler


def _is_altered(hook: SettingsHook, entries: Entries) -> bool:
    """Whether it is an entry of Interlock that is not current: an older one, or one that was weakened."""
    return is_entry(hook.event, hook.handler) and not _is_exact(hook, entries)


def _check_result(old: Settings, after: bytes, file: Path, entries: Entries) -> None:
    """Check by the client's own rules that every entry would run and nothing else has become invalid."""
    new = read_settings(after, str(file))
    there = {hook.event for hook in new.running if _is_exact(hook, entries)}
    worse = len(new.problems) - len(old.problems)
    if new.ignored is not None or there != entries.keys() or worse > 0:
        raise InterlockError(f"Interlock's entries do not fit into `{file}`; it is left as it is", help=new.ignored)


def _adoptable(
    old: Settings, entries: Entries, policy: Path, shared: bool
) -> tuple[list[tuple[SettingsHook, MovedHook]], list[str]]:
    """The hooks that move into the policy, and those that stay, each with the reason."""
    taken: list[tuple[SettingsHook, MovedHook]] = []
    stays: list[str] = []
    for hook in old.hooks:
        if _is_exact(hook, entries) or is_entry(hook.event, hook.handler):
            continue
        try:
            taken.append((hook, convert(hook, policy, shared=shared)))
        except CannotAdopt as why:
            stays.append(shown_kept(hook, str(why)))
    return taken, stays


def _check_acts(policy: Path, scope: Scope, project: Path, start_over: bool) -> None:
    """Refuse to adopt hooks into a policy that does not act in full: nothing would run them."""
    if policy != places.policy_file(scope, project):
        raise InterlockError(f"hooks adopted into `{policy}` would not run", help="leave out --policy or --adopt")
    by_trust = scope in ("local", "project")
    if by_trust and policy.exists() and not start_over and not Trust().holds(policy):
        raise InterlockError(
            f"hooks adopted into `{policy}` would not run, since it is not trusted",
            help="look at it with `interlock check`, run `interlock trust`, then this again",
        )


def _policy_changes(
    policy: Path, starter: str | None, start_over: bool, externals: Sequence[MovedHook]
) -> tuple[list[FileChange], list[Addition]]:
    if not externals and (starter is None or (policy.exists() and not start_over)):
        return [], []
    raw = may_edit(policy)
    changes = []
    text = raw
    if raw is None or start_over:
        text = (starter or "version: 1\n").encode()
        changes += [FileChange(_aside(policy), None, raw)] if raw is not None else []
    additions = [add_hooks(text or b"", policy, list(dict.fromkeys(externals)))] if externals else []
    after = additions[0].after if additions else text
    return [*changes, *([FileChange(policy, raw, after)] if after != raw else [])], additions


def _aside(file: Path) -> Path:
    """A new name beside the file that is not in use."""
    names = (file.with_name(f"{file.name}.before{n}") for n in ("", *(f".{n}" for n in range(1, 1000))))
    return next(name for name in names if not name.exists())


def _manifest(
    before: Manifest | None,
    file: Path,
    scope: Scope,
    raw: bytes | None,
    after: bytes,
    entries: Entries,
    made: tuple[tuple[str, ...], ...],
) -> Manifest:
    if before is None:
        return Manifest(
            file=str(file), scope=scope, before=raw, exact=True, after=after, entries=dict(entries), made=made,
            made_folder=not file.parent.exists(),
        )  # fmt: skip
    exact = before.exact and raw == before.after
    merged = tuple(dict.fromkeys((*before.made, *made)))
    return replace(before, exact=exact, after=after, entries=dict(entries), made=merged)


def _install_notices(supposed: SettingsState, replaced: Sequence[SettingsHook]) -> Iterable[str]:
    if replaced:
        yield f"Interlock's entries that were not current are replaced: {len(replaced)}"
    files = sorted({path for paths in supposed.running.values() for path in paths})
    if len(files) > 1:
        yield f"Interlock's entries are in several files, though one is enough: {', '.join(files)}"
    for text in supposed.stale:
        yield f"there is also an entry of another installation of Interlock: {text}"
    yield from supposed.notices


def _worktree_notices(project: Path) -> Iterable[str]:
    """Newer clients read the local file of the main working tree in other worktrees too, under another policy."""
    if trees := worktrees_of(project):
        listed = ", ".join(map(str, trees))
        yield f"adopted hooks do not run in other worktrees until the policy is committed and trusted there: {listed}"


def _policies_to_trust(
    policy: Path,
    scope: Scope,
    project: Path,
    changes: Sequence[FileChange],
    additions: Sequence[Addition],
    given_back: Manifest | None,
) -> tuple[Path, ...]:
    """The policies that are trusted as they are planned: the person's own command writes every word of them."""
    if additions:
        return (policy,)
    if given_back is not None:
        return tuple(_trusted_policies(given_back.additions))
    # A policy that is new, or starts over, is Interlock's own text, uses nothing else, and is on the person's screen.
    starts = any(change.path == policy for change in changes)
    return (policy,) if starts and policy == places.policy_file(scope, project) else ()


def _trusted_policies(additions: Sequence[Addition]) -> list[Path]:
    return [policy for policy in dict.fromkeys(Path(one.file) for one in additions) if Trust().holds(policy)]


# --- taking out --------------------------------------------------------------------------------------------


def _restore(raw: bytes | None, file: Path, manifest: Manifest | None, scope: Scope) -> tuple[bytes | None, bool]:
    """The settings without Interlock's entries, and whether no entry of any installation is left."""
    if raw is None:
        return None, True
    if manifest is not None and manifest.exact and raw == manifest.after:
        return manifest.before, True
    old = read_settings(raw, str(file))
    if old.unclear or not isinstance(_plain(raw), dict):
        raise InterlockError(f"cannot edit `{file}`: {old.ignored}", help="correct that first; it is left as it is")
    known: list[Entries] = [entries_for(scope), *our_entries(), *([manifest.entries] if manifest is not None else [])]
    ours = [hook for hook in old.hooks if any(entries.get(hook.event) == hook.handler for entries in known)]
    made = set(manifest.made) if manifest is not None else None
    text = _without(raw.decode("utf-8"), ours, lambda path: made is None or path in made)
    if old.disables is False and ((_SWITCH,) in made if made is not None else scope == "local" and bool(ours)):
        text = jsonedit.remove(text, (_SWITCH,))
    if manifest is not None:
        text = _put_back_hooks(text, manifest.adopted)
    left = [hook for hook in old.hooks if is_entry(hook.event, hook.handler) and hook not in ours]
    if manifest is not None and manifest.before is None and jsonedit.read(text).plain() == {}:
        return None, not left
    return text.encode("utf-8"), not left


def _plain(raw: bytes) -> Any:
    try:
        return jsonedit.read(raw.decode("utf-8")).plain()
    except (InterlockError, UnicodeDecodeError):
        return None


def _without(text: str, hooks: Sequence[SettingsHook], drop_empty: Callable[[tuple[str, ...]], bool]) -> str:
    """The text without these hooks, without groups that are empty then, and without keys that `drop_empty` names."""
    for hook in sorted(hooks, key=lambda hook: (hook.event, hook.group, hook.place), reverse=True):
        path: tuple[jsonedit.Step, ...] = ("hooks", hook.event, hook.group)
        group = jsonedit.read(text).value["hooks"].value[hook.event].value[hook.group].value
        whole = len(group["hooks"].value) == 1
        text = jsonedit.remove(text, path if whole else (*path, "hooks", hook.place))
        if not jsonedit.read(text).value["hooks"].value[hook.event].value and drop_empty(("hooks", hook.event)):
            text = jsonedit.remove(text, ("hooks", hook.event))
    if hooks and not jsonedit.read(text).value["hooks"].value and drop_empty(("hooks",)):
        text = jsonedit.remove(text, ("hooks",))
    return text


def _put_back_hooks(text: str, adopted: Sequence[SettingsHook]) -> str:
    """The text with the adopted hooks where they were, if that place still exists."""
    groups: dict[tuple[str, int], dict[str, Any]] = {}
    for hook in adopted:
        matcher = {} if hook.matcher is None else {"matcher": hook.matcher}
        group = groups.setdefault((hook.event, hook.group), {**matcher, "hooks": []})
        group["hooks"].append(hook.handler)
    for (event, number), group in groups.items():
        if "hooks" not in jsonedit.read(text).value:
            text = jsonedit.insert_member(text, (), "hooks", {})
        holder = jsonedit.read(text).value["hooks"].value
        if event not in holder:
            text = jsonedit.insert_member(text, ("hooks",), event, [group])
        elif group not in holder[event].plain():
            text = jsonedit.insert_item(text, ("hooks", event), group, number)
    return text


# --- showing -----------------------------------------------------------------------------------------------


def _diff(change: FileChange) -> str:
    was, now = (side.decode("utf-8", "replace") if side else "" for side in (change.before, change.after))
    import difflib  # noqa: PLC0415 - for a person who installs, not for the daemon

    old, new = ("(no file)" if side is None else str(change.path) for side in (change.before, change.after))
    found = list(difflib.unified_diff(was.splitlines(), now.splitlines(), old, new, lineterm=""))
    return "".join(f"{line}\n" for line in found or [f"--- {old}", f"+++ {new}"])
