"""Where installed programs lie: a path there means the program that its last name says, as a bare name does.

Any other path is a file that runs, whatever its name: `/tmp/ls` need not be `ls`. Folders are known by the system's own
layout and by those of the usual tools. Whether the session itself put the file there is asked elsewhere.
"""

from __future__ import annotations

import posixpath
import re

from interlock.facts.limits import PATH_LENGTH
from interlock.facts.paths import UNKNOWN

__all__ = ["is_installed", "is_searched"]

# The system's folders, and those into which only an administrator or a package manager writes.
_SYSTEM = re.compile(
    r"/(?:(?:usr/)?s?bin|usr|opt|nix|gnu/store|snap|run/(?:current-system|wrappers)|System|Library|Applications"
    r"|lib(?:32|64)?|etc/(?:alternatives|profiles)|home/linuxbrew/\.linuxbrew|var/lib/(?:flatpak|snapd))/"
    r"|(?:/(?:mnt/)?[a-z]/|[A-Za-z]:/)"
    r"(?:windows|program files(?: \(x86\))?|programdata/chocolatey|tools|msys64|cygwin64)/",
    re.IGNORECASE,
)
_HOME = (
    r"(?:~[\w.-]*|/root|/(?:home|Users|var/home|usr/home|export/home)/[^/]+|(?:/(?:mnt/)?[a-z]|[A-Za-z]:)/Users/[^/]+)"
)
# Folders of tools in a person's home. What lies below them is put there by the tool's own installer.
_OF_PERSON = "|".join((
    r"\.(?:local|cargo|bun|deno|dotnet(?:/tools)?|pixi|foundry|ghcup|cabal|krew|composer/vendor|config/composer/vendor|radicle"
    r"|poetry|yarn|npm-global|npm-packages|nix-profile|rd|docker|fly|pulumi|wasmtime|wasmer|moon|proto|volta|opam/[^/]+"
    r"|rye/shims|jenv|phpenv|luarocks|dapr|modular|surrealdb|turso|aspire|android/sdk[^\0]*|cache/rebar3|mix/escripts)/bin",
    r"\.(?:pyenv|rbenv|nodenv|goenv|plenv|asdf|jenv|rye|proto|volta|scalaenv|swiftly|tfenv|tgenv)"
    r"/(?:bin|shims|versions/[^\0]+)",
    r"\.(?:nvm|fnm|volta|n|nodebrew|sdkman|gvm|rustup|rvm|jabba|juliaup|julia|g|jdks|gradle/wrapper|m2/wrapper)/[^\0]+",
    r"\.local/share/(?:mise|fnm|pnpm|uv|rtx|asdf|virtualenvs|pipx|nvim/mason|hatch|coursier|reflex)[^\0]*",
    r"\.(?:asdf|mise)/installs/[^\0]+", r"\.(?:dotnet|krew/bin|dotnet/tools|mix/escripts|emacs\.d/bin|pub-cache/bin)",
    r"\.vscode(?:-server)?/[^\0]+",
    r"\.cache/(?:pypoetry|pre-commit|uv|ms-playwright|puppeteer|hatch|bazel|bazelisk)/[^\0]+",
    r"\.local/state/nix/profiles/[^\0]+",
    r"go/bin", r"(?:[\w.-]+/){0,2}(?:flutter|google-cloud-sdk|gcloud|go)/bin(?:/cache/dart-sdk/bin)?",
    r"Library/(?:Android/sdk|pnpm|Python|Application Support|Caches/(?:pypoetry|ms-playwright)|Developer)[^\0]*",
    r"Android/Sdk/[^\0]+", r"n/bin", r"scoop/(?:shims|apps/[^\0]+)",
    r"AppData/(?:Local|Roaming)/(?:Programs|npm|fnm|pnpm)[^\0]*",
    r"\.?(?:mini|ana|mamba|micromamba|miniforge|mambaforge|conda)\w*/(?:envs/[^/]+/)?(?:bin|condabin|Scripts)",
))  # fmt: skip
# Folders of tools in any project: an environment of Python's, packages of Node's, PHP's and Ruby's.
_OF_PROJECT = "|".join((
    r"(?:[\w.-]*venv[\w.-]*|env|\.env|virtualenvs?/[^/]+|\.(?:tox|nox|hatch|pixi/envs)/[^/]+|envs/[^/]+|\.conda|\.direnv/[^/]+)"
    r"/(?:bin|Scripts)",
    r"node_modules/\.bin", r"node_modules/(?:@[^/]+/)?[^/]+/bin", r"vendor/bin", r"vendor/bundle/[^/]+/[^/]+/bin",
    r"\.devbox/(?:[^/]+/){0,4}bin",
    r"\.flox/run/[^/]+/bin", r"__pypackages__/[^/]+/bin", r"result/bin",
))  # fmt: skip
_TOOLS = re.compile(rf"(?:{_HOME}/(?:{_OF_PERSON})|(?:[^\0]*/)?(?:{_OF_PROJECT}))/", re.IGNORECASE)
# Behind a variable or another command that says where something is installed: `$JAVA_HOME/bin/java`.
_BELOW_UNKNOWN = re.compile(r"/?\0/(?:[^\0]+/)?(?:s?bin|\.bin|shims|Scripts|platform-tools|emulator|libexec)/[^/\0]+")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


def is_installed(program: str, home: str = "") -> bool:
    """Whether a program's word means what its last name says: a bare name, or a path in a folder of programs."""
    if "/" not in program and "\\" not in program:
        return True
    if "\\" in program and _DRIVE.match(program):
        program = program.replace("\\", "/")
    if UNKNOWN in program:
        return _BELOW_UNKNOWN.fullmatch(program) is not None
    if len(program) > PATH_LENGTH.most:
        return False
    path = posixpath.normpath(program)
    if "/" not in path:  # `./x`
        return False
    if len(home) > 1 and path.startswith(f"{home}/"):
        path = "~" + path[len(home) :]
    return _SYSTEM.match(path) is not None or _TOOLS.match(path) is not None


def is_searched(file: str, home: str = "") -> bool:
    """Whether a shell may find a file by its bare name: it lies in a folder of programs."""
    return "/" in file and is_installed(file, home)
