"""Install the agents that the live tests drive: `python -m tools.hosts [FOLDER]` puts what is missing into .hosts/.

Versions are pinned, because what a host does with a hook's answer changes from one to the next
(`tests/live/observed.py` says what these do). Each host has a folder of its own, so that none sees another's packages.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parent.parent

# name: (package, version). Node is here because Qwen Code needs a newer one than many systems have.
PINS: dict[str, tuple[str, str]] = {
    "codex": ("@openai/codex", "0.166.0"),
    "gemini": ("@google/gemini-cli", "0.61.0"),
    "qwen": ("@qwen-code/qwen-code", "0.24.4"),
    "copilot": ("@github/copilot", "1.0.102"),
    "opencode": ("opencode-ai", "1.18.33"),
    "amp": ("@sourcegraph/amp", "0.0.1790142911-g7618fb"),
    "cursor": ("@cursor/sdk", "1.0.32"),
    "node": ("node", "24.21.0"),
}
# The platform's binaries are packages too; only Node's own package unpacks with a script.
_RUNS_SCRIPTS = {"node"}


def installed_version(folder: Path, name: str) -> str | None:
    """The version of a host in this folder, or None."""
    package, _ = PINS[name]
    try:
        text = (folder / name / "node_modules" / package / "package.json").read_text(encoding="utf-8")
        return str(json.loads(text)["version"])
    except (OSError, ValueError, KeyError):
        return None


def install_command(folder: Path, name: str) -> list[str]:
    package, version = PINS[name]
    scripts = [] if name in _RUNS_SCRIPTS else ["--ignore-scripts"]
    # Without engine checks npm would choose an older release on an older Node.
    return ["npm", "install", "--silent", "--no-fund", "--no-audit", "--no-save", *scripts, "--engine-strict=false",
            "--prefix", str(folder / name), f"{package}@{version}"]  # fmt: skip


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0]) if arguments else CHECKOUT / ".hosts"
    failed = []
    for name, (package, version) in PINS.items():
        if installed_version(folder, name) == version:
            continue
        print(f"installing {package} {version}")
        (folder / name).mkdir(parents=True, exist_ok=True)
        if subprocess.run(install_command(folder, name), check=False).returncode != 0:
            failed.append(name)
    if failed:
        print(f"not installed: {', '.join(failed)}; the tests of these hosts are skipped")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
