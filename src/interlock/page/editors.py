"""Links that open a file in a person's editor. None is shown unless the person chose their editor."""

from __future__ import annotations

from urllib.parse import quote

__all__ = ["EDITORS", "editor_link"]

# Each is an address that the editor's own installer registers on the machine.
EDITORS = {
    "vscode": "vscode://file{path}:{line}",
    "vscodium": "vscodium://file{path}:{line}",
    "cursor": "cursor://file{path}:{line}",
    "zed": "zed://file{path}:{line}",
    "idea": "idea://open?file={path}&line={line}",
    "pycharm": "pycharm://open?file={path}&line={line}",
    "sublime": "subl://open?url=file://{path}&line={line}",
}


def editor_link(editor: str, file: str, line: int) -> str:
    """The address that opens a line in an editor; empty if the editor or the file is not known."""
    if editor not in EDITORS or not file.startswith("/"):
        return ""
    return EDITORS[editor].format(path=quote(file, safe="/"), line=line)
