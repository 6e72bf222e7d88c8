"""Clusters: what kubectl's and helm's words mean where their values matter."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _exec(draft: UseDraft) -> None:
    """The command runs in a container, and begins behind `--` or behind the name of the pod."""
    args = draft.args
    command = args[args.index("--") + 1 :] if "--" in args else tuple(draft.operands[1:])
    if command:
        draft.run("argv", *command, where="container")
    else:
        draft.acts()


def _get(draft: UseDraft) -> None:
    """A list of secrets is harmless; an output that shows what they hold is not."""
    kinds = (draft.operands[0] if draft.operands else "").split("/")[0].split(",")
    if {"secret", "secrets"} & set(kinds) or "\0" in kinds[0]:
        output = draft.value("--output") or ""
        if output and not output.startswith(("name", "wide")):
            draft.add("reads-secret")


def _label(draft: UseDraft) -> None:
    """A mark that was not there, on one object by its name, changes nothing that is there; `mark-` takes one away."""
    wide = {"--list", "--overwrite", "--all", "--selector", "--all-namespaces", "--filename"}
    if wide.isdisjoint(draft.flags) and not any(word.endswith("-") or "\0" in word for word in draft.operands):
        draft.drop("cluster/changes")
        draft.add("changes")


# Contexts that tools for a cluster on one's own machine make.
_OWN = (
    "kind-", "k3d-", "minikube", "docker-desktop", "rancher-desktop", "orbstack", "colima", "microk8s",
    "docker-for-desktop", "lima-",
)  # fmt: skip


def _context(draft: UseDraft) -> None:
    """What happens in a cluster on this machine is like what happens in a container."""
    context = draft.value("--context") or draft.value("--kube-context") or ""
    if context.startswith(_OWN) and not draft.read_only:
        draft.drop("cluster/changes", "cluster/deletes", "cluster/runs", "infra/applies")
        draft.add("container/changes")


def _copy(draft: UseDraft) -> None:
    """Words with a colon are in a pod; a file of this machine leaves it, or is written."""
    words = draft.operands[:2]
    if len(words) == 2:
        if ":" not in words[0]:
            draft.send(words[0])
        if ":" not in words[1]:
            draft.writes.append(words[1])
            draft.drop("cluster/changes")
            draft.add("cluster/reads")


READERS: dict[str, Special] = {
    "context": _context,
    "copy": _copy,
    "exec": _exec,
    "get": _get,
    "label": _label,
}
