"""`interlock init`: a commented policy to start from."""

from __future__ import annotations

from pathlib import Path

import click

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, policy_option, reporting, say
from interlock.config import POLICY_NAME
from interlock.source import InterlockError

__all__ = ["init"]

STARTER = """\
# What agents may do in this project. Look at it with `interlock check`, try it with `interlock explain "git push -f"`.
version: 1

packs: [secrets, git]            # shipped rules; git takes `with: {protected: [main, release/*]}`

rules:
  - id: generated-files
    about: Generated files are made by the build.
    path: {write: [dist/, build/, "*.lock"]}
    deny: "${match.path} is generated. Change what it is generated from, and run the build."
    cases:
      catch: [{Write: dist/app.js}, {Edit: package.lock}]
      pass: [{Write: src/app.js}, {Read: dist/app.js}]

  - id: publish
    about: Publishing is decided by a person.
    command: [npm publish, twine upload, cargo publish, gh release create]
    ask: "Run `${match.command.text}`?"
    cases:
      catch: [npm publish --access public]
      pass: [npm test]
"""


@click.command()
@policy_option
@json_option
@click.option("--force", is_flag=True, help="Replace a policy that is there; it is kept beside it as *.before.")
def init(policy_file: Path | None, as_json: bool, force: bool) -> None:
    """Write a commented policy to start from, here or where --policy says.

    \b
    Examples:
      interlock init
      interlock init --policy team/interlock.yaml
    """
    with reporting():
        file = policy_file or Path.cwd() / POLICY_NAME
        if file.exists():
            if not force:
                raise InterlockError(
                    f"`{file}` is there already", help="look at it with `interlock check`, or add --force"
                )
            file.replace(_aside(file))
        try:
            file.write_text(STARTER, encoding="utf-8")
        except OSError as error:
            raise InterlockError(f"cannot write `{file}`: {error.strerror}") from error
        if as_json:
            say(to_json({"file": str(file)}))
        else:
            say(f"wrote {file}\nnext: interlock check, then interlock trust")


def _aside(file: Path) -> Path:
    """A name beside the file that nothing has yet."""
    names = [
        file.with_name(f"{file.name}.before"),
        *(file.with_name(f"{file.name}.before.{n}") for n in range(1, 1000)),
    ]
    return next(name for name in names if not name.exists())
