"""Registration: what a hook is for and which arguments it names, checked when it is written down."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from interlock import deny, hook
from interlock.errors import InterlockError, Source
from interlock.hooks.load import load_hooks
from interlock.hooks.registry import ARGUMENTS, Hook, hooks_of
from tests.hooks.events import written


def refusal(folder: Path, text: str) -> str:
    """The whole error of a hooks file, its path shortened."""
    file = written(folder, "from interlock import hook, deny\n" + text)
    with pytest.raises(InterlockError) as caught:
        load_hooks([file])
    return caught.value.render().replace(str(file), "guards.py")


def made(function: Callable[..., Any]) -> Hook:
    (found,) = hooks_of(function)
    return found


# --- what is accepted --------------------------------------------------------------------------------------


def test_a_hook_knows_its_name_its_place_and_the_arguments_it_named():
    @hook(["PreToolUse", "PermissionRequest"], tool="Bash", kind="shell")
    def guard(state, *, call):
        return None

    found = made(guard)
    assert found.source == Source(__file__, guard.__code__.co_firstlineno)
    assert (found.name, found.events, found.arguments) == (
        "guard", ("PreToolUse", "PermissionRequest"), ("state", "call"),
    )  # fmt: skip
    assert str(found) == f"hook `guard` ({__file__}:{guard.__code__.co_firstlineno})"


def test_the_decorated_function_stays_itself():
    def guard(call):
        return deny("no")

    assert hook("PreToolUse")(guard) is guard


def test_a_hook_may_be_given_another_name():
    @hook("PreToolUse", name="refunds")
    def guard():
        return None

    assert made(guard).name == "refunds"


def test_parameters_with_a_default_are_the_hooks_own():
    @hook("PreToolUse")
    def guard(call, limit=100, *, retries=3):
        return None

    assert made(guard).arguments == ("call",)


def test_an_argument_with_a_default_is_still_passed():
    @hook("PreToolUse")
    def guard(call=None, *, state=None):
        return None

    assert made(guard).arguments == ("call", "state")


def test_local_variables_are_no_arguments():
    @hook("PreToolUse")
    def guard():
        nothing = anything = None
        return nothing or anything

    assert made(guard).arguments == ()


def test_a_function_that_was_never_registered_is_no_hook():
    def guard(call):
        return None

    assert hooks_of(guard) == ()
    assert hooks_of("guard") == ()


def test_a_hook_can_ask_for_these_arguments_and_no_others():
    """S1-10 None of them is a way to run a tool."""
    assert list(ARGUMENTS) == ["call", "event", "state", "host"]


def test_two_decorators_on_one_function_both_count(tmp_path: Path):
    file = written(
        tmp_path,
        """
        from interlock import hook, deny

        @hook("PreToolUse", tool="Bash")
        @hook("PreToolUse", tool="Write")
        def guard(call):
            return deny("no")
        """,
    )
    try:
        hooks = load_hooks([file])
    except InterlockError:
        return  # refused aloud is as good
    patterns = [found.tool for found in hooks if found.tool is not None]
    caught = [tool for tool in ("Bash", "Write") if any(pattern.match(tool) for pattern in patterns)]
    assert caught == ["Bash", "Write"]


# --- what is refused, with file and line -------------------------------------------------------------------


def test_a_misspelt_event_gets_a_suggestion(tmp_path: Path):
    assert refusal(tmp_path, '@hook("PreToolUs")\ndef f(call): pass') == snapshot("""\
error: unknown event `PreToolUs`
 --> guards.py:2
help: did you mean `PreToolUse`?\
""")


def test_an_event_like_no_other_gets_none(tmp_path: Path):
    assert refusal(tmp_path, '@hook("Zzz")\ndef f(): pass') == "error: unknown event `Zzz`\n --> guards.py:2"


def test_one_misspelt_event_among_good_ones_is_refused(tmp_path: Path):
    assert refusal(tmp_path, '@hook(["Stop", "pretooluse"])\ndef f(): pass') == snapshot("""\
error: unknown event `pretooluse`
 --> guards.py:2
help: did you mean `PreToolUse`?\
""")


def test_a_misspelt_argument_gets_a_suggestion(tmp_path: Path):
    assert refusal(tmp_path, '\n@hook("PreToolUse")\ndef f(cal): pass') == snapshot("""\
error: hook `f` wants `cal`; it may want call, event, state, host
 --> guards.py:3
help: did you mean `call`?\
""")


def test_an_unknown_argument_is_refused_with_the_known_ones(tmp_path: Path):
    assert refusal(tmp_path, '@hook("PreToolUse")\ndef f(call, *, sandwich): pass') == snapshot("""\
error: hook `f` wants `sandwich`; it may want call, event, state, host
 --> guards.py:2\
""")


def test_a_misspelt_kind_gets_a_suggestion(tmp_path: Path):
    assert refusal(tmp_path, '@hook("PreToolUse", kind="shel")\ndef f(call): pass') == snapshot("""\
error: `shel` is not a kind of tool
 --> guards.py:2
help: did you mean `shell`?\
""")


def test_an_unknown_kind_gets_the_list(tmp_path: Path):
    assert refusal(tmp_path, '@hook("PreToolUse", kind=["read", "plumbing"])\ndef f(call): pass') == snapshot("""\
error: `plumbing` is not a kind of tool
 --> guards.py:2
help: kinds are shell, edit, read, fetch, agent, skill\
""")


@pytest.mark.parametrize("arguments", ["*args", "**kwargs", "call, *args", "call, **kwargs"])
def test_open_ended_arguments_are_refused(tmp_path: Path, arguments: str):
    assert refusal(tmp_path, f'@hook("PreToolUse")\ndef f({arguments}): pass') == (
        "error: hook `f` takes *args or **kwargs\n --> guards.py:2\nhelp: name the arguments it wants"
    )


def test_positional_only_arguments_are_refused(tmp_path: Path):
    assert refusal(tmp_path, '@hook("PreToolUse")\ndef f(call, /): pass') == (
        "error: hook `f` takes positional-only arguments\n --> guards.py:2\nhelp: remove the `/`"
    )


def test_a_call_is_refused_on_an_event_without_one(tmp_path: Path):
    expected = "error: hook `f` wants `call`, which Stop does not have\n --> guards.py:2"
    assert refusal(tmp_path, '@hook("Stop")\ndef f(call): pass') == expected
    assert refusal(tmp_path, '@hook(["PreToolUse", "Stop"])\ndef f(call): pass') == expected


@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse", "Stop"])
def test_a_result_is_no_argument_of_its_own(tmp_path: Path, event: str):
    """S1-16 It is part of the call, so that it cannot be asked for where there is none yet."""
    assert refusal(tmp_path, f'@hook("{event}")\ndef f(output): pass') == (
        "error: hook `f` wants `output`; it may want call, event, state, host\n --> guards.py:2"
    )


@pytest.mark.parametrize("which", ['tool="Bash"', 'kind="shell"'])
def test_tools_are_refused_on_an_event_without_a_call(tmp_path: Path, which: str):
    assert refusal(tmp_path, f'@hook("Stop", {which})\ndef f(): pass') == (
        "error: `tool` and `kind` need events that carry a call, such as PreToolUse or PostToolUse\n --> guards.py:2"
    )


def test_worktree_create_cannot_be_hooked(tmp_path: Path):
    assert refusal(tmp_path, '@hook("WorktreeCreate")\ndef f(): pass') == (
        "error: WorktreeCreate cannot be hooked: its host takes any answer as a path\n --> guards.py:2"
    )
    assert len(hooks_of(hook("WorktreeRemove")(lambda: None))) == 1


def test_an_empty_list_of_events_is_refused(tmp_path: Path):
    assert refusal(tmp_path, "@hook([])\ndef f(): pass") == (
        'error: @hook names no event\n --> guards.py:2\nhelp: write @hook("PreToolUse")'
    )


def test_a_decorator_without_parentheses_is_refused(tmp_path: Path):
    """S1-04 Otherwise the function would never be called, and nobody would know."""
    good = '@hook("Stop")\ndef good(): pass\n'
    assert refusal(tmp_path, good + "@hook\ndef guard(call): return deny('no')") == (
        'error: @hook needs an event\n --> guards.py:4\nhelp: write @hook("PreToolUse")'
    )


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ('""', "error: `` is not a name, a glob or a /regex/\n --> guards.py:2\nhelp: write one such as `Bash`"),
        (
            '" Bash"',
            "error: ` Bash` is not a name, a glob or a /regex/\n --> guards.py:2\nhelp: write one such as `Bash`",
        ),
        ("[]", "error: a list of names is empty, so it would match nothing\n --> guards.py:2\nhelp: name one"),
        ("[5]", "error: `5` is not a name, a glob or a /regex/\n --> guards.py:2\nhelp: write one such as `Bash`"),
        ('"/Bash"', "error: `/Bash` starts a regex and does not end it\n --> guards.py:2\nhelp: write `/Bash/`"),
        (
            '"Write|Edit"',
            "error: `Write|Edit` holds a `|`, which no name has\n --> guards.py:2\nhelp: write a list: `[Write, Edit]`",
        ),
        (
            '"B[ash"',
            "error: `B[ash` opens a `[` that is not closed\n --> guards.py:2\nhelp: close it, or write a /regex/",
        ),
    ],
)
def test_a_pattern_that_is_none_is_refused_where_it_stands(tmp_path: Path, pattern: str, message: str):
    assert refusal(tmp_path, f'@hook("PreToolUse", tool={pattern})\ndef f(call): pass') == message


def test_a_broken_regex_is_refused_where_it_stands(tmp_path: Path):
    assert refusal(tmp_path, '@hook("PreToolUse", tool="/(/")\ndef f(call): pass') == (
        "error: `/(/` is not a regex: a `(` is not closed\n --> guards.py:2\n"
        "help: close it, or write `\\(` for the mark itself"
    )


class Callable_:  # noqa: N801 - stands for anything that can be called and is no function
    def __call__(self, call: object) -> None:
        return None


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (Callable_(), "Callable_"),
        (Callable_, "type"),
        (partial(deny, "no"), "partial"),
        (print, "builtin_function_or_method"),
        (staticmethod(deny), "staticmethod"),
        ("deny", "str"),
        (Callable_().__call__, "method"),
    ],
    ids=["instance", "class", "partial", "builtin", "staticmethod", "text", "method"],
)
def test_only_a_plain_function_can_be_a_hook(value: Any, kind: str):
    with pytest.raises(InterlockError) as caught:
        hook("PreToolUse")(value)
    assert caught.value.render() == f"error: @hook needs a plain function, not {kind}"
