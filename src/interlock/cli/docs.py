"""`interlock docs`: the documentation, on every machine that has Interlock."""

from __future__ import annotations

import click

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say
from interlock.cli.manual import Manual, PageSection, TableRow

__all__ = ["docs"]


@click.command()
@click.argument("name", required=False)
@click.option("--path", "as_path", is_flag=True, help="Print the path of the page's file instead of its text.")
@json_option
def docs(name: str | None, as_path: bool, as_json: bool) -> None:
    """Show a page of the documentation, or what explains a word.

    Without a NAME, list the pages. NAME is a page, a heading, or a key, variable, event or rule that a table explains.

    \b
    Examples:
      interlock docs
      interlock docs guide
      interlock docs policy#path
      interlock docs on_error
      interlock docs --path cookbook
    """
    with reporting():
        manual = Manual()
        if name is None:
            _list(manual, as_path=as_path, as_json=as_json)
            return
        page = manual.page(name)
        if page is not None:
            rows: list[TableRow] = []
            sections = [next(page.sections())]
            text = page.text
        else:
            rows, sections = manual.look_up(name)
            text = _found(rows, sections)
        if as_json:
            say(to_json({"rows": rows, "sections": sections}))
        elif as_path:
            for file in sorted({str(manual.folder / f"{place}.md") for place in _places(rows, sections)}):
                say(file)
        else:
            click.echo_via_pager(text.rstrip("\n"))  # it ends the last line by itself


def _list(manual: Manual, *, as_path: bool, as_json: bool) -> None:
    pages = [page for page in manual.pages if "/" not in page.name]  # the others are about the making of Interlock
    if as_json:
        say(to_json([{"name": page.name, "about": page.about, "path": str(page.file)} for page in pages]))
    elif as_path:
        say(str(manual.folder))
    else:
        formatter = click.HelpFormatter(max_width=100)
        formatter.write_dl([(page.name, page.about) for page in pages])
        say(formatter.getvalue() + "\nRead one with `interlock docs NAME`; look up a word with `interlock docs WORD`.")


def _found(rows: list[TableRow], sections: list[PageSection]) -> str:
    """What explains a word: the rows of tables, then the one section, or the names of several."""
    parts = [row.render() for row in rows]
    if len(sections) == 1:
        parts.append(sections[0].text)
    elif sections:
        width = max(len(part.name) for part in sections)
        parts.append("".join(f"interlock docs {part.name.ljust(width)}  {part.title}\n" for part in sections))
    return "\n".join(parts)


def _places(rows: list[TableRow], sections: list[PageSection]) -> list[str]:
    return [row.section.partition("#")[0] for row in rows] + [part.page for part in sections]
