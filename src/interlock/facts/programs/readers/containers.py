"""Containers: engines, composing, images and registries."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft, names_disk
from interlock.facts.programs.table import Special

_CAPABILITIES = frozenset({"ALL", "SYS_ADMIN", "SYS_PTRACE", "SYS_MODULE", "NET_ADMIN", "DAC_READ_SEARCH", "SYS_RAWIO"})

_SHARES = frozenset({"--pid", "--ipc", "--uts", "--userns", "--cgroupns"})  # with the host, if they are told so


def _mount(draft: UseDraft, word: str) -> None:
    """`source:target[:ro]`: a source that is a path is the host's."""
    source = word.partition(":")[0]
    if source.startswith(("/", ".", "~", "$", "\0")):
        draft.add("container/mounts-host")
        draft.reads.append(source)
        if not word.endswith((":ro", ",ro", ":ro,z", ":ro,Z")):
            draft.writes.append(source)


def _rights(draft: UseDraft) -> None:
    for name, value in draft.values:
        if name == "--volume":
            _mount(draft, value)
        elif name == "--mount":
            fields = dict(part.partition("=")[::2] for part in value.split(","))
            source = fields.get("source") or fields.get("src") or ""
            if fields.get("type", "volume") == "bind" or source.startswith("/"):
                draft.add("container/mounts-host")
                draft.reads.append(source)
                if "readonly" not in fields and "ro" not in fields:
                    draft.writes.append(source)
        elif (
            (name in _SHARES and value == "host")
            or (name == "--cap-add" and value.upper().removeprefix("CAP_") in _CAPABILITIES)
            or (name == "--device" and names_disk(value))
        ):
            draft.add("container/privileged")
        elif name == "--security-opt" and "unconfined" in value:
            draft.add("container/privileged", "security-off")


def _behind_name(draft: UseDraft) -> list[str]:
    """The command behind the name of an image or a container; `--` may part them."""
    words = draft.operands[1:]
    return words[1:] if words[:1] == ["--"] else words


def _run(draft: UseDraft) -> None:
    """Which rights the container gets over the host, and what is run in it."""
    _rights(draft)
    entry = draft.value("--entrypoint")
    command = [*([entry] if entry else []), *_behind_name(draft)]
    if command:
        draft.run("argv", *command, where="container")


def _exec(draft: UseDraft) -> None:
    """What is run is run in the container; without a command, a person works there."""
    command = _behind_name(draft)
    if command:
        draft.run("argv", *command, where="container")
    else:
        draft.acts()


def _copy(draft: UseDraft) -> None:
    """Words with a colon are in a container."""
    words = draft.operands[:2]
    if len(words) == 2:
        source, target = words
        if ":" not in source:
            draft.reads.append(source)
        if ":" not in target and target != "-":
            draft.writes.append(target)


def _build(draft: UseDraft) -> None:
    """A Dockerfile is code: each RUN of it is executed."""
    file = draft.value("--file")
    context = draft.operands[0] if draft.operands else "."
    if "://" in context:
        draft.urls.append(context)
    elif context != "-":
        draft.reads.append(context)
        draft.run("file", file or context.rstrip("/") + "/Dockerfile", by="docker")


def _compose_file(draft: UseDraft) -> None:
    """A compose file says what is run: the one that is named, or the one that is found."""
    draft.run("file", draft.value("--file") or "compose.yaml", by="docker compose")


def _between(draft: UseDraft) -> None:
    """An image is copied: to a registry it is published, to a folder or file it is brought here."""
    target = draft.operands[-1] if len(draft.operands) > 1 else ""
    near = ("dir:", "oci:", "oci-archive:", "docker-archive:", "docker-daemon:", "containers-storage:", "tarball:")
    if target.startswith(near):
        draft.add("downloads")
        where = target.partition(":")[2]
        if target.startswith(("dir:", "oci:", "oci-archive:", "docker-archive:")):
            draft.writes.append(where)
    else:
        draft.add("publishes-package")


def _attach(draft: UseDraft) -> None:
    """A name, unless an option gave it, and a command to run inside; without one, a shell."""
    words = draft.operands if draft.value("--name") is not None else draft.operands[1:]
    if words:
        draft.run("argv", *words, where="container")
    else:
        draft.stdin = "shell"


READERS: dict[str, Special] = {
    "attach": _attach,
    "between": _between,
    "build": _build,
    "compose_file": _compose_file,
    "copy": _copy,
    "exec": _exec,
    "run": _run,
}
