"""How well lint does on hooks in many styles: `python -m tests.hook_lint.figures` prints precision and recall.

The hooks are in `corpus/`. The keys of each:

- `codes`: what lint should say, which is what the real client makes of the hook, and not what lint happens to say;
- `text`: the program, in the language of its file or in `lang`; `run`: a command in the settings; `script: guard`: a
  plain guard that is right; `sdk`: a file with callbacks, and no settings at all;
- `event` (PreToolUse), `matcher` (Bash; null for none), `handler` and `mode`: of the entry that starts it and of the
  script; `settings`: the whole file, in place of an entry;
- `guards: false`: the hook refuses nothing, so nothing can be missing if it fails.

That a guard lacks `onFailure`, and that it opens without jq or node, holds of nearly all guards on earth. Both are
counted where a label names them, and where a hook does not guard.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from msgspec import Struct

from interlock.hook_lint.gather import gather
from interlock.hook_lint.run import lint_hooks

__all__ = ["CORPUS", "Figures", "Judged", "build_corpus", "judge", "measure"]

CORPUS = Path(__file__).with_name("corpus")
OF_EVERY_GUARD = frozenset({"IL501", "IL503"})
GUARD = """\
#!/bin/bash
command=$(jq -r '.tool_input.command // empty')
if [[ "$command" == *"rm -rf"* ]]; then
  echo "Blocked: rm -rf" >&2
  exit 2
fi
"""
_LANGUAGES = {"python": "py", "shell": "sh"}
_STARTS = {"py": "python3 ", "sh": "", "js": "node ", "mjs": "node ", "ts": "npx tsx "}


class Judged(Struct, frozen=True, kw_only=True):
    """A hook, the codes that it deserves, and those that it got."""

    name: str
    deserved: frozenset[str]
    found: frozenset[str]

    @property
    def missed(self) -> list[str]:
        return sorted(self.deserved - self.found)

    @property
    def false_alarms(self) -> list[str]:
        return sorted(self.found - self.deserved)


class Figures(Struct, frozen=True, kw_only=True):
    """Over all pairs of a hook and a code."""

    hooks: int
    right: int  # hooks without any mistake
    precision: float
    recall: float


def measure(judged: list[Judged]) -> Figures:
    hits = sum(len(one.found & one.deserved) for one in judged)
    return Figures(
        hooks=len(judged),
        right=sum(not one.deserved for one in judged),
        precision=hits / max(1, sum(len(one.found) for one in judged)),
        recall=hits / max(1, sum(len(one.deserved) for one in judged)),
    )


def judge(folder: Path) -> list[Judged]:
    """What lint says of each hook of the corpus, each in a project of its own below this folder."""
    return [_judge(name, hook, folder / name) for name, hook in _hooks()]


def build_corpus(folder: Path) -> Iterator[tuple[str, Path]]:
    """Each hook of the corpus, in a project of its own below this folder, with its name."""
    for name, hook in _hooks():
        _build(hook, folder / name)
        yield name, folder / name


def _hooks() -> Iterator[tuple[str, dict[str, Any]]]:
    for file in sorted(CORPUS.glob("*.yaml")):
        for name, hook in yaml.safe_load(file.read_text(encoding="utf-8")).items():
            yield f"{file.stem}/{name}", {"lang": _LANGUAGES.get(file.stem, "sh"), **hook}


def _judge(name: str, hook: dict[str, Any], project: Path) -> Judged:
    _build(hook, project)
    deserved = frozenset(hook["codes"])
    found = frozenset(one.code for one in lint_hooks(gather([project])))
    if hook.get("guards", True):
        found -= OF_EVERY_GUARD - deserved
    return Judged(name=name, deserved=deserved, found=found)


def _build(hook: dict[str, Any], project: Path) -> None:
    folder = project / ".claude" / "hooks"
    folder.mkdir(parents=True)
    (project / ".git").mkdir()
    if "sdk" in hook:
        (project / f"agent.{hook['sdk']}").write_text(hook["text"], encoding="utf-8")
        return
    text = GUARD if "script" in hook else hook.get("text")
    script = folder / f"guard.{hook['lang']}"
    if text is not None:
        script.write_text(text, encoding="utf-8")
        script.chmod(hook.get("mode", 0o755))
    command = hook.get("run", f'{_STARTS[hook["lang"]]}"$CLAUDE_PROJECT_DIR"/.claude/hooks/{script.name}')
    matcher = hook.get("matcher", "Bash")
    group = {"hooks": [{"type": "command", "command": command, **hook.get("handler", {})}]}
    if matcher is not None:
        group = {"matcher": matcher, **group}
    settings = {"hooks": {hook.get("event", "PreToolUse"): [group]}}
    written = hook.get("settings", json.dumps(settings, indent=2))
    (project / ".claude" / "settings.json").write_text(written, encoding="utf-8")


def main() -> None:
    with TemporaryDirectory() as folder:
        judged = judge(Path(folder))
    for one in judged:
        if one.missed or one.false_alarms:
            print(f"{one.name}: missed {one.missed or '-'}, false alarms {one.false_alarms or '-'}")
    figures = measure(judged)
    print(f"{figures.hooks} hooks, {figures.right} of them right")
    print(f"precision {figures.precision:.1%}, recall {figures.recall:.1%}")


if __name__ == "__main__":
    main()
