"""What the client's command line says about who answers its prompts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

__all__ = ["is_headless"]

# Options that take the next word, whatever it looks like: the `-p` in `--append-system-prompt -p` is a text.
_TAKES_ONE = frozenset({
    "--agent", "--agents", "--append-system-prompt", "--append-system-prompt-file", "--autocompact", "--debug-file",
    "--effort", "--environment", "--fallback-model", "--input-format", "--json-schema", "--max-budget-usd",
    "--max-thinking-tokens", "--max-turns", "--model", "--name", "-n", "--output-format", "--permission-mode",
    "--permission-prompt-tool", "--permission-prompts", "--plugin-dir", "--plugin-url",
    "--remote-control-session-name-prefix", "--session-id", "--setting-sources", "--settings", "--system-prompt",
    "--system-prompt-file", "--system-prompt-snapshot", "--task-budget", "--thinking",
})  # fmt: skip
_PROMPT_TOOL, _PROMPTS = "--permission-prompt-tool", "--permission-prompts"


def is_headless(argv: Sequence[str], *, has_terminal: bool | None = None) -> bool:
    """Whether the client answers its own prompts with no, because there is nobody to show them to.

    `has_terminal`: whether its output goes to a terminal, without which it shows nothing. None: that is not known.
    """
    prints = has_terminal is False
    is_asked = False  # somebody answers the client's prompts, in a headless run too
    for name, value in _options(argv):
        if name in ("-p", "--print"):
            prints = True
        elif name == _PROMPT_TOOL:
            is_asked = True
        elif name == _PROMPTS and value == "none":
            return True
    return prints and not is_asked


def _options(argv: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The options of a command line with their values; flags that are written together come one by one."""
    words = iter(argv[1:])
    for word in words:
        if word == "--":
            return
        if word.startswith("--"):
            name, equals, value = word.partition("=")
            yield name, value if equals else next(words, "") if name in _TAKES_ONE else ""
        elif word.startswith("-") and len(word) > 1:
            for place, letter in enumerate(word[1:], 2):
                name = f"-{letter}"
                if name in _TAKES_ONE:
                    yield name, word[place:] or next(words, "")
                    break
                yield name, ""
