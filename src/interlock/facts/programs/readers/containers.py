"""Containers: engines, composing, images and registries."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special

_CAPABILITIES = frozenset({"ALL", "SYS_ADMIN", "SYS_PTRACE", "SYS_MODULE", "NET_ADMIN", "DAC_READ_SEARCH", "SYS_RAWIO"})


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
        elif name in {"--pid", "--network", "--ipc", "--uts", "--userns", "--cgroupns"}:
            if value == "host" and name != "--network":
                draft.add("container/privileged")
        elif name == "--cap-add" and value.upper().removeprefix("CAP_") in _CAPABILITIES:
            draft.add("container/privileged")
        elif name in {"--device", "--device-cgroup-rule"}:
            draft.add("device")
        elif name == "--security-opt" and "unconfined" in value:
            draft.add("container/privileged", "security-off")
        elif name == "--env-file":
            draft.reads.append(value)
        elif name == "--publish":
            draft.add("network/listens")


def _run(draft: UseDraft) -> None:
    _rights(draft)
    words = draft.operands
    entry = draft.value("--entrypoint")
    command = [*([entry] if entry else []), *words[1:]]
    if command:
        draft.run("argv", *command, where="container")
    draft.add("network")


def _exec(draft: UseDraft) -> None:
    _rights(draft)
    if len(draft.operands) > 1:
        draft.run("argv", *draft.operands[1:], where="container")
    else:
        draft.acts()


def _copy(draft: UseDraft) -> None:
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
    if "--push" in draft.flags:
        draft.add("publishes-package")


def _compose(draft: UseDraft) -> None:
    if draft.words[-1:] in (["down"], ["rm"]) and {"--volumes", "--rmi"} & set(draft.flags):
        draft.add("container/prunes")


def _compose_up(draft: UseDraft) -> None:
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


def _retag(draft: UseDraft) -> None:
    """With an output file nothing leaves this machine; else the result is pushed."""
    draft.add("changes" if "--output" in draft.flags else "publishes-package")


def _service_exec(draft: UseDraft) -> None:
    if len(draft.operands) > 1:
        draft.run("argv", *draft.operands[1:], where="container")


READERS: dict[str, Special] = {
    "between": _between,
    "build": _build,
    "compose": _compose,
    "compose_up": _compose_up,
    "copy": _copy,
    "crictl_rm": (lambda draft: draft.add("forced")),
    "docker_swarm_ca": (lambda draft: None if "--rotate" in draft.flags else draft.drop("cluster/changes")),
    "exec": _exec,
    "retag": _retag,
    "run": _run,
    "service_exec": _service_exec,
}
