"""A program that answers as `codex app-server` does, for machines without Codex. The live suite has the real one."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_PROGRAM = """#!{python}
import json, pathlib, re, sys
home = pathlib.Path({home!r}) / ".codex"
state = home / "config.toml"
TABLE = '[hooks.state."%s"]\\ntrusted_hash = "%s"\\n'

def hooks(root):
    places = [home / "hooks.json"]
    if (home / "trusts-projects").exists():
        places.append(pathlib.Path(root) / ".codex" / "hooks.json")
    found = []
    for file in places:
        for event, groups in (json.loads(file.read_text())["hooks"] if file.exists() else {{}}).items():
            for group, one in enumerate(groups):
                for place, handler in enumerate(one["hooks"]):
                    key = f"{{file}}:{{event}}:{{group}}:{{place}}"
                    text = state.read_text() if state.exists() else ""
                    hash = "sha256:" + str(len(handler["command"]))
                    trusted = TABLE % (key, hash) in text
                    found.append(dict(key=key, command=handler["command"], sourcePath=str(file), enabled=True,
                                      currentHash=hash, trustStatus="trusted" if trusted else "untrusted"))
    return found

for line in sys.stdin:
    said = json.loads(line)
    if "id" not in said:
        continue
    params, result = said["params"], {{}}
    print(json.dumps({{"method": "a/notice", "params": {{}}}}), flush=True)
    if said["method"] == "hooks/list":
        result = {{"data": [{{"hooks": hooks(root), "warnings": [], "errors": []}} for root in params["cwds"]]}}
    elif said["method"] == "config/value/write":
        text = state.read_text() if state.exists() else ""
        if params["value"] is None:
            key = json.loads(params["keyPath"].removeprefix("hooks.state."))
            text = re.sub("\\n" + re.escape(TABLE.split("%s")[0] + key) + '"]\\n.*\\n', "", text)
        else:
            text += "".join("\\n" + TABLE % (key, one["trusted_hash"]) for key, one in params["value"].items())
        state.parent.mkdir(exist_ok=True)
        state.write_text(text)
    print(json.dumps({{"id": said["id"], "result": result}}), flush=True)
"""


def put_codex(folder: Path, home: Path) -> Path:
    """Put it on a PATH of its own, and return that folder."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "codex"
    program.write_text(_PROGRAM.format(python=sys.executable, home=str(home)), encoding="utf-8")
    os.chmod(program, 0o755)  # noqa: PTH101 - a program must be executable
    return folder
