"""Clusters: kubectl, helm and what works beside them."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _exec(draft: UseDraft) -> None:
    args = draft.args
    command = args[args.index("--") + 1 :] if "--" in args else tuple(draft.operands[1:])
    if command:
        draft.run("argv", *command, where="container")
    else:
        draft.acts()


def _get(draft: UseDraft) -> None:
    kinds = (draft.operands[0] if draft.operands else "").split("/")[0].split(",")
    if {"secret", "secrets"} & set(kinds) or "\0" in kinds[0]:
        output = draft.value("--output") or ""
        if output and not output.startswith(("name", "wide")):
            draft.add("reads-secret")
    for file in _files(draft):
        draft.reads.append(file)


def _files(draft: UseDraft) -> list[str]:
    return [
        value
        for name, value in draft.values
        if name in {"--filename", "--kustomize"} and value != "-" and "://" not in value
    ]


def _label(draft: UseDraft) -> None:
    """A mark that was not there, on one object by its name, changes nothing that is there."""
    _apply(draft)
    flags = set(draft.flags)
    if "--list" in flags:
        draft.looks("cluster/changes")
        draft.add("cluster/reads")
    elif not flags & {"--overwrite", "--all", "--selector", "--all-namespaces", "--filename"} and not any(
        word.endswith("-") or "\0" in word for word in draft.operands
    ):
        draft.drop("cluster/changes")
        draft.add("changes")


def _forward(draft: UseDraft) -> None:
    """A port of this machine alone leads into the cluster, unless it is opened for others."""
    if (draft.value("--address") or "localhost") not in {"localhost", "127.0.0.1", "::1"}:
        draft.add("network/tunnels")


# Contexts that tools for a cluster on one's own machine make.
_OWN = (
    "kind-",
    "k3d-",
    "minikube",
    "docker-desktop",
    "rancher-desktop",
    "orbstack",
    "colima",
    "microk8s",
    "docker-for-desktop",
    "lima-",
)


def _context(draft: UseDraft) -> None:
    """What happens in a cluster on this machine is like what happens in a container."""
    context = draft.value("--context") or draft.value("--kube-context") or ""
    if context.startswith(_OWN) and not draft.read_only:
        draft.drop("cluster/changes", "cluster/deletes", "cluster/runs", "infra/applies")
        draft.add("container/changes")


def _apply(draft: UseDraft) -> None:
    if draft.operands[:1] == ["view-last-applied"]:
        draft.looks("cluster/changes")
        draft.add("cluster/reads")
    draft.reads += _files(draft)
    draft.urls += [value for name, value in draft.values if name == "--filename" and "://" in value]


def _copy(draft: UseDraft) -> None:
    words = draft.operands[:2]
    if len(words) == 2:
        if ":" not in words[0]:
            draft.send(words[0])
        if ":" not in words[1]:
            draft.writes.append(words[1])
            draft.drop("cluster/changes")
            draft.add("cluster/reads")


def _attached(draft: UseDraft) -> None:
    """Without its input, a process is only watched."""
    if not {"--stdin", "--stdin-tty", "--tty"} & set(draft.flags):
        draft.drop("cluster/runs")
        draft.add("cluster/reads")


def _proxied(draft: UseDraft) -> None:
    if draft.value("--address") not in {None, "localhost", "127.0.0.1", "::1"}:
        draft.add("network/tunnels")


def _config(draft: UseDraft) -> None:
    if "--raw" in draft.flags:
        draft.add("reads-secret")


READERS: dict[str, Special] = {
    "apply": _apply,
    "attached": _attached,
    "config": _config,
    "context": _context,
    "copy": _copy,
    "exec": _exec,
    "forward": _forward,
    "get": _get,
    "kubectl_whoami": (
        lambda draft: (
            draft.add("reads-secret")
            if {"-t", "--show-token"} & set(draft.args)
            else draft.add("changes")
            if draft.words == ["project"] and draft.operands
            else None
        )
    ),
    "kubectx": (lambda draft: draft.add("changes") if draft.operands else None),
    "label": _label,
    "proxied": _proxied,
}
