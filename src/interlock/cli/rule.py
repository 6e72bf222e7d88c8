"""`interlock rule`: write a one-line rule into a policy, after showing what it would have caught."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

import click
from msgspec import Struct

from interlock.cli.agreement import agree, dry_run_option, yes_option
from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say, visible
from interlock.config.bundles import bundle_of, find_pack
from interlock.config.layers import Layer, PolicyLayer, candidates, layers_of
from interlock.config.places import LOCAL_NAME, POLICY_NAME, project_root, state_folder, user_policy
from interlock.config.rule_edits import RuleEdit, add_rule, remove_rule, rule_lines
from interlock.config.trust import Trust
from interlock.errors import InterlockError, did_you_mean
from interlock.facts.fields import use_of
from interlock.facts.tools import shell_tools
from interlock.files.edit import FileChange, apply_changes, may_edit
from interlock.judging.guard import Guard
from interlock.policy.engine import Step
from interlock.policy.load import Policy, load_policy
from interlock.policy.positions import LocatedErrors
from interlock.probe.world import Machine
from interlock.replay.summary import Catch, caught_by
from interlock.service import answer
from interlock.store.memory import MemoryStore
from interlock.testing.events import call_of, payload_for
from interlock.verdict import Verdict

__all__ = ["rule"]

F = TypeVar("F", bound=Callable[..., Any])
Decides: TypeAlias = Literal["allow", "deny", "ask"]
_SCOPES = ("project", "local", "user")


def _where_options(command: F) -> F:
    """Which file the rule is in."""
    command = click.option(
        "--file", "named", type=click.Path(path_type=Path, dir_okay=False), help="This policy file."
    )(command)
    return click.option(
        "--scope",
        type=click.Choice(_SCOPES),
        help=f"Whose policy: the project's ({POLICY_NAME}), yours here ({LOCAL_NAME}), or yours everywhere (user).",
    )(command)


def _write_options(command: F) -> F:
    for option in (dry_run_option, yes_option, json_option):
        command = option(command)
    return command


@click.group(name="rule")
def rule() -> None:
    """Add a one-line rule to a policy, list the rules, or remove one.

    \b
    Examples:
      interlock rule allow "npm install *"
      interlock rule deny "terraform destroy" --reason "Ask the platform team to do it."
      interlock rule ask --tool WebFetch "*.example.com"
      interlock rule deny --tool Write "migrations/**" --scope local
      interlock rule list
      interlock rule remove allow-npm-install

    Before anything is written, you see the rule, its place, and what it would have caught in earlier sessions.
    """


def _adding(decision: Decides, does: str) -> click.Command:
    @click.command(
        name=decision,
        short_help=f"{does} certain calls.",
        help=f"{does} the calls that PATTERN matches: a command, or with --tool a path, a host or a URL.",
    )
    @click.argument("pattern", required=False)
    @click.option("--tool", help="A tool by its name; PATTERN is then a path or a URL, as the tool takes it.")
    @click.option("--reason", help="What the model is told, or the person is asked.")
    @click.option("--id", "id", help="The rule's name. Without it, one is made of the pattern.")
    @_where_options
    @_write_options
    def add(
        pattern: str | None, tool: str | None, reason: str | None, id: str | None, scope: str | None,
        named: Path | None, dry_run: bool, yes: bool, as_json: bool,
    ) -> None:  # fmt: skip
        with reporting():
            place = _place(scope, named)
            made = _make_rule(decision, pattern, tool, reason)
            plan = _plan_adding(place, {"id": id or _new_id(place, made), **made})
            _carry_out(plan, dry_run, yes, as_json)

    return add


# --- the rule ------------------------------------------------------------------------------------------------------


def _make_rule(decision: Decides, pattern: str | None, tool: str | None, reason: str | None) -> dict[str, Any]:
    if pattern is None and tool is None:
        raise InterlockError(
            "the rule is about nothing", help='give a command: interlock rule deny "terraform destroy"'
        )
    found: dict[str, Any] = {} if tool is None or tool in shell_tools() else {"tool": tool}
    what, question = f"`{tool}`", f"Run `{tool}`?"
    if pattern is not None:
        key, value, what, question = _condition(pattern, tool)
        found[key] = value
    elif not found:
        found = {"tool": tool}
    texts: dict[Decides, str | bool] = {
        "allow": True,
        "deny": f"A person has ruled out {what} here. Do it another way, or ask the user.",
        "ask": question,
    }
    found[decision] = reason or texts[decision]
    return found


def _condition(pattern: str, tool: str | None) -> tuple[str, Any, str, str]:
    """The key that a pattern belongs under, its value, and how texts name what was caught."""
    if claude := re.fullmatch(r"(\w+)\((.+?)(?::\*)?\)", pattern):
        help = f'write `--tool {claude[1]} "{claude[2]}"`, or without `--tool` for a command'
        raise InterlockError(f"`{pattern}` is how Claude Code writes a permission", help=help)
    use = use_of(tool) if tool is not None else use_of("Bash")
    if tool is None or tool in shell_tools():
        return "command", pattern, "`${match.command.text}`", "Run `${match.command.text}`?"
    if use.url:
        return "url", pattern, "${match.url.url}", "Reach ${match.url.url}?"
    if use.write:
        return "path", {"write": pattern}, "writing ${match.path}", "Change ${match.path}?"
    if use.read:
        return "path", {"read": pattern}, "reading ${match.path}", "Read ${match.path}?"
    raise InterlockError(
        f"Interlock does not know which field of `{tool}` holds a path, a URL or a command",
        help=f"leave out the pattern, or describe the tool in the policy: `tools: {{{tool}: {{read: FIELD}}}}`",
    )


def _new_id(place: _Place, made: dict[str, Any]) -> str:
    """A name for the rule that its file does not have yet."""
    decision = next(key for key in ("allow", "deny", "ask") if key in made)
    words = " ".join(str(one) for value in made.values() for one in _texts_in(value) if value is not made[decision])
    stem = "-".join([decision, *re.findall(r"[A-Za-z0-9]+", words)[:5]]).lower()
    taken = {one.id for one, _ in place.policy.rules} if place.policy is not None else set()
    names = [stem, *(f"{stem}-{number}" for number in range(2, len(taken) + 3))]
    return next(name for name in names if name not in taken)


def _texts_in(value: Any) -> list[str]:
    return [str(one) for one in value.values()] if isinstance(value, dict) else [str(value)]


# --- the place -----------------------------------------------------------------------------------------------------


class _Place(Struct, frozen=True):
    """A policy file as it is now."""

    root: Path
    file: Path
    layer: Layer
    before: bytes | None
    policy: Policy | None
    is_trusted: bool


def _place(scope: str | None, named: Path | None) -> _Place:
    if scope is not None and named is not None:
        raise InterlockError("--scope and --file cannot be used together", help="give one of them")
    root = project_root(Path.cwd())
    scope = scope or "project"
    file = {"project": root / POLICY_NAME, "local": root / LOCAL_NAME, "user": user_policy()}[scope]
    if named is not None:
        file = named.parent.resolve() / named.name
    layer: Layer = next((layer for layer, path in candidates(root) if path == file), "given")
    before = may_edit(file)
    policy = None if before is None else load_policy(before, str(file), find_pack)  # with all its errors, if it has any
    # A file that does not exist yet contains nothing that a person has not seen.
    trusted = layer == "user" or before is None or Trust().holds(file)
    return _Place(root, file, layer, before, policy, trusted)


class _Plan(Struct, frozen=True):
    """What would be written, and what a person should know before."""

    place: _Place
    id: str
    edit: RuleEdit
    shown: tuple[str, ...]
    done: str
    catch: Catch | None = None
    notes: tuple[str, ...] = ()


def _plan_adding(place: _Place, made: dict[str, Any]) -> _Plan:
    id = made["id"]
    edit = add_rule((place.before or b"").decode("utf-8"), str(place.file), made)
    lines = rule_lines(made)
    alone = _load_alone(lines)
    policy = load_policy(edit.text, str(place.file), find_pack)  # a rule that does not load is not written
    return _Plan(
        place, id, edit, tuple(_block(lines).splitlines()), "wrote",
        caught_by(alone, place.root), tuple(_notes(place, policy, made)),
    )  # fmt: skip


def _load_alone(lines: list[str]) -> Policy:
    """A policy with nothing but the rule. Raises InterlockError for what is wrong with it first."""
    try:
        return load_policy(f"version: 1\nrules:\n{_block(lines)}\n", "the new rule", find_pack)
    except LocatedErrors as errors:
        first = errors.errors[0]
        raise InterlockError(first.message, help=first.help) from errors


def _block(lines: list[str]) -> str:
    return "\n".join(f"  {'- ' if not number else '  '}{line}" for number, line in enumerate(lines))


def _notes(place: _Place, policy: Policy, made: dict[str, Any]) -> list[str]:
    """What the rule alone does not show: trust, and who is stricter."""
    found = []
    if not place.is_trusted:
        found.append(f"{place.file} is not trusted, so only its deny and ask apply until you run `interlock trust`")
    sample = _sample(made)
    if sample is None:
        return found
    verdict, steps = _judge(place, policy, sample)
    shown = sample if isinstance(sample, str) else " ".join(f"{tool} {value}" for tool, value in sample.items())
    rest = [opinion.by for opinion in verdict.opinions if opinion.decision == verdict.decision and opinion.by]
    wanted = next(key for key in ("allow", "deny", "ask") if key in made)
    others = ", ".join(f"`{by}`" for by in rest if by != made["id"])
    if verdict.decision == wanted:
        return found
    if verdict.decision is not None:
        words = {"deny": "denied", "ask": "asked about", "allow": "allowed", "defer": "left to the host"}
        found.append(
            f"`{shown}` is still {words[verdict.decision]}, because of {others}; that is stricter than this rule"
        )
    elif wanted == "allow" and place.is_trusted:
        why = next((step.detail for step in steps if step.rule == made["id"]), "")
        found.append(
            f"`{shown}` is not allowed by this rule yet: {why or 'it does not match'}; name its paths or URLs too"
        )
    elif wanted != "allow":
        found.append(f"`{shown}` is not caught by this rule")
    return found


def _judge(place: _Place, policy: Policy, sample: Any) -> tuple[Verdict, list[Step]]:
    """What all policies in force would say of a call, with the file as it would be."""
    steps: list[Step] = []
    layers = [one for one in layers_of(place.root) if one.layer != place.layer]
    layers.insert(0, PolicyLayer(place.layer, policy, place.is_trusted))
    tool, given = call_of(sample)
    fields = {"tool_name": tool, "tool_input": given, "cwd": str(place.root), "tool_use_id": "toolu_rule"}
    judges = [one.in_force for one in layers]
    with Guard(
        judges, Machine(str(place.root)), MemoryStore(), project=str(place.root), alone=True, run_hooks=False,
        trace=steps.append,
    ) as guard:  # fmt: skip
        return answer(guard, "claude-code", payload_for("PreToolUse", {}, **fields)).verdict, steps


def _sample(made: dict[str, Any]) -> Any:
    """A call that the rule is about, or None if its pattern does not show one."""
    if "command" in made:
        pattern = made["command"]
        if pattern.startswith("/"):
            return None
        return " ".join(word if word == "|" else word.split("|")[0].replace("*", "x") for word in pattern.split())
    if "path" in made:
        glob = next(iter(made["path"].values()))
        return {made.get("tool", "Read"): re.sub(r"\*+", "x", glob)} if "@" not in glob and "$" not in glob else None
    return None


# --- showing and writing -------------------------------------------------------------------------------------------


def _carry_out(plan: _Plan, dry_run: bool, yes: bool, as_json: bool) -> None:
    if as_json:
        _check_agreed(dry_run, yes)
    else:
        _show(plan)
    if not dry_run:
        if not as_json:
            agree(yes, "Write this?" if plan.catch is not None else "Remove this?")
        _write(plan)
    if as_json:
        say(to_json(_describe(plan, written=not dry_run)))
    elif not dry_run:
        say(visible(f"{plan.done} {plan.place.file}"))
        if plan.catch is not None:
            say(f"undo it with: interlock rule remove {plan.id}")


def _check_agreed(dry_run: bool, yes: bool) -> None:
    if not (dry_run or yes):
        raise InterlockError("with --json nobody is asked", help="add --yes to write, or --dry-run to look")


def _show(plan: _Plan) -> None:
    for line in plan.shown:
        say(click.style(visible(line), fg="green" if plan.catch is not None else "red"))
    say()
    say(visible(f"{plan.place.file}:{plan.edit.line}"))
    if plan.catch is not None:
        for line in _catch_lines(plan.catch):
            say(visible(line))
    for note in plan.notes:
        say(click.style("note: ", fg="yellow") + visible(note))


def _catch_lines(catch: Catch) -> list[str]:
    if not catch.calls:
        return ["There are no earlier sessions to try it on."]
    if not catch.caught:
        return [f"It would have caught none of your last {catch.calls:,} calls."]
    examples = list(dict.fromkeys(example.line for example in catch.examples))
    return [
        f"It would have caught {catch.caught:,} of your last {catch.calls:,} calls:",
        *(f"  {one}" for one in examples),
    ]


def _write(plan: _Plan) -> None:
    place = plan.place
    change = FileChange(place.file, place.before, plan.edit.text.encode("utf-8"))
    apply_changes([change], lambda file: state_folder() / "backups")
    if place.is_trusted and place.layer in ("project", "local"):
        bundle = bundle_of(place.file)
        if bundle.files[bundle.file] == change.after:  # and not what somebody wrote there meanwhile
            Trust().keep(bundle)


def _describe(plan: _Plan, *, written: bool) -> dict[str, Any]:
    catch = plan.catch or Catch(0, 0)
    return {
        "id": plan.id,
        "file": str(plan.place.file),
        "line": plan.edit.line,
        "rule": "\n".join(plan.shown),
        "calls": catch.calls,
        "caught": catch.caught,
        "examples": [example.line for example in catch.examples],
        "notes": list(plan.notes),
        "trusted": plan.place.is_trusted,
        "written": written,
    }


# --- list and remove -----------------------------------------------------------------------------------------------


@rule.command(name="remove")
@click.argument("id")
@_where_options
@_write_options
def remove(id: str, scope: str | None, named: Path | None, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Take a rule out of its policy file. The rest of the file stays as it is."""
    with reporting():
        place = _place(scope, named) if scope or named else _place_with(id)
        if place.before is None:
            raise InterlockError(f"there is no file `{place.file}`")
        text = place.before.decode("utf-8")
        edit = remove_rule(text, str(place.file), id)
        load_policy(edit.text, str(place.file), find_pack)  # another rule may ask about this one
        gone = _lines_between(text, edit.text, edit.line)
        _carry_out(_Plan(place, id, edit, gone, "removed it from"), dry_run, yes, as_json)


def _lines_between(before: str, after: str, line: int) -> tuple[str, ...]:
    old = before.splitlines()
    return tuple(old[line - 1 : line - 1 + max(1, len(old) - len(after.splitlines()))])


def _place_with(id: str) -> _Place:
    """The nearest policy file that has the rule itself."""
    ids: list[str] = []
    for scope in ("local", "project", "user"):
        place = _place(scope, None)
        own = _own_ids(place.policy)
        if id in own:
            return place
        ids += own
    raise InterlockError(
        f"no policy file here has a rule `{id}`",
        help=did_you_mean(id, ids, "a rule of a pack is left out with `without`: see `interlock docs packs`"),
    )


def _own_ids(policy: Policy | None) -> list[str]:
    return [one.id for one, _ in policy.rules if one.source.file == policy.file] if policy is not None else []


@rule.command(name="list")
@json_option
def list_rules(as_json: bool) -> None:
    """Show the rules of the files here.

    Rules of packs are left out.
    """
    with reporting():
        rows = [
            {
                "id": one.id,
                "layer": layer.layer,
                "does": one.decision or "",
                "place": f"{one.source.file}:{one.source.line}",
            }
            for layer in layers_of(project_root(Path.cwd()))
            for one, _ in layer.policy.rules
            if layer.layer != "core" and one.source.file == layer.policy.file
        ]
        if as_json:
            say(to_json(rows))
            return
        if not rows:
            say('no rules yet; start with: interlock rule deny "terraform destroy"')
        width = max((len(row["id"]) for row in rows), default=0)
        for row in rows:
            say(visible(f"{row['id']:{width}}  {row['does'] or '-':5}  {row['layer']:7}  {row['place']}"))


rule.add_command(_adding("allow", "Run without asking"))
rule.add_command(_adding("deny", "Do not run"))
rule.add_command(_adding("ask", "Ask a person about"))
