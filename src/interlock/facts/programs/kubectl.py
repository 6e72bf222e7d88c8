"""Clusters: kubectl, helm and what works beside them."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]


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


_TOP = (
    "as= as-group= as-uid= cache-dir= certificate-authority=read client-certificate=read client-key=read cluster= "
    "context= disable-compression insecure-skip-tls-verify!insecure kubeconfig=read log-flush-frequency= "
    "match-server-version n/namespace= password= profile= profile-output= request-timeout= s/server=host "
    "tls-server-name= token= user= username= v/v= vmodule= warnings-as-errors h!dry"
)
_OUT = (
    "A/all-namespaces allow-missing-template-keys chunk-size= field-selector= f/filename= ignore-not-found "
    "k/kustomize= L/label-columns= o/output= output-watch-events raw= R/recursive l/selector= server-print "
    "show-kind show-labels show-managed-fields sort-by= subresource= template= w/watch watch-only no-headers "
    "c/container= since= since-time= tail= timestamps all-containers "
    "limit-bytes= max-log-requests= p/previous prefix pod-running-timeout= ignore-errors containers sum sort-by= "
    "use-protocol-buffers show-capacity show-events api-group= cached namespaced verbs= categories= show-swap "
    "client short list quiet for= types= revision= dry-run? timeout= minify flatten merge? api-version= "
    "recursive all-pods"
)
_DRY = " dry-run?!dry " + _OUT.replace(" dry-run?", "")
_ANY = _TOP + " " + _DRY + " *"

_KUBECTL: Table = {
    "get describe explain logs top api-resources api-versions version cluster-info events wait diff options help "
    "kustomize": look(f"{_TOP} {_OUT} f/follow", "text*", "cluster/reads network", special=_get),
    "port-forward": act("network changes", _TOP + " address= pod-running-timeout= *", special=_forward),
    "adm": Program(_TOP, subs={
        "policy": Program(_TOP, subs={"who-can scc-review scc-subject-review": look("*", "text*", "cluster/reads "
            "network"),
            "*": act("cluster/changes cloud/access network", "*")}),
        "drain cordon prune": act("cluster/deletes network", _ANY), "top node-logs inspect must-gather "
            "release": look("*", "text*",
            "cluster/reads network"), "*": act("cluster/changes network", _ANY)}),
    "config": Program(_TOP,
        subs={"view get-contexts get-clusters get-users current-context": look(f"{_TOP} {_OUT}".replace("raw= ",
            "raw "), special=_config), "use-context use set-context set-cluster set-credentials set unset "
                "rename-context": act("changes", "*"),
            "delete-context delete-cluster delete-user": act("changes cluster/deletes", "*")}),
    "auth": Program(_TOP, subs={"can-i whoami": look(f"{_TOP} {_OUT} list q/quiet no-headers", "text*",
        "cluster/reads network"), "reconcile": act("cluster/changes cloud/access network", _ANY)}),
    "rollout": Program(_TOP, subs={"status history": look(f"{_TOP} {_OUT}", "text*", "cluster/reads network"),
        "restart undo pause resume": act("cluster/changes network", _ANY)}),
    "label annotate": act("cluster/changes network", _ANY + " overwrite!forced all!recursive list", special=_label),
    "apply create replace patch edit set scale autoscale expose taint cordon uncordon certificate "
    "convert": act("cluster/changes network", _ANY + " force!forced prune!cluster/deletes", special=_apply),
    "attach": act("cluster/runs network", _TOP + " c/container= q/quiet pod-running-timeout= it/stdin-tty i/stdin "
        "t/tty",
        special=_attached),
    "run debug": act("cluster/runs network", _ANY + " image= it/stdin-tty i/stdin t/tty rm", special=_exec),
    "delete": act("cluster/deletes network", _ANY + " all!recursive force!forced grace-period= now", special=_apply),
    "drain": act("cluster/deletes network", _ANY + " force!forced ignore-daemonsets delete-emptydir-data"),
    "exec": Program(_TOP + " c/container= f/filename= pod-running-timeout= q/quiet i/stdin t/tty it", "text*",
        "read-only container/enters network", special=_exec),
    "cp": act("cluster/changes network", _TOP + " c/container= no-preserve retries=", special=_copy),
    # What it lets through has the caller's rights, and no command of its own that could be judged.
    # By itself only this machine can reach it.
    "proxy": act("network", _TOP + " address= accept-hosts=text!network/tunnels accept-paths= reject-paths= p/port= "
        "u/unix-socket=write w/www=read P/www-prefix= api-prefix= disable-filter!network/tunnels *", special=_proxied),
    "plugin completion": look("*"), "krew": Program(_TOP, subs={"list search info version": look("*", "text*",
        "network"), "update": act("downloads network", "*"),
        "uninstall remove": act("removes-package", "*"), "*": act("installs-package network", "*")}),
    "whoami project projects status": look(f"{_TOP} {_OUT}", "text*", "cluster/reads network",
        special=lambda draft: draft.add("reads-secret") if {"-t", "--show-token"} & set(draft.args)
            else draft.add("changes") if draft.words == ["project"] and draft.operands else None),
    "login logout": act("signs-in network", "*"), "new-project new-app start-build": act("cluster/changes network",
        _ANY),
    "rsh": Program(_TOP + " c/container= T t f= shell=", "text*", "container/enters network", special=_exec),
}  # fmt: skip
_HELM = (
    "burst-limit= debug kube-apiserver= kube-as-group= kube-as-user= kube-ca-file=read kube-context= "
    "kube-insecure-skip-tls-verify!insecure kube-tls-server-name= kube-token= kubeconfig=read n/namespace= qps= "
    "registry-config=read repository-cache= repository-config=read h!dry"
)
_HELM_ANY = _HELM + (
    " f/values= set= set-string= set-file= set-json= version= repo=url devel verify o/output= a/all A/all-namespaces "
    "d/date l/selector= m/max= q/short r/reverse filter= pending failed deployed superseded uninstalled "
    "uninstalling offset= no-headers time-format= max= revision= template= show-resources show-desc "
    "username= password= ca-file=read cert-file=read key-file=read "
    "insecure-skip-tls-verify!insecure pass-credentials keyring= max-col-width= regexp/r versions/l endpoint= "
    "list-repo-url fail-on-no-result strict with-subcharts quiet api-versions= include-crds is-upgrade "
    "kube-version= name-template= no-hooks output-dir=write post-renderer=program post-renderer-args= "
    "release-name show-only/s= skip-crds skip-tests validate "
    "dependency-update dry-run? g/generate-name create-namespace wait timeout= atomic replace plain-http jsonpath= "
    "short skip-schema-validation enable-dns hide-notes labels= render-subchart-notes"
).replace(" r/reverse", " reverse").replace(" l/selector", " selector")

TABLE: Table = {
    "kubectl oc k kubecolor microk8s.kubectl": Program(_TOP, subs=_KUBECTL, traits="read-only", special=_context),
    "helm": Program(_HELM, special=_context, subs={
        "list ls status history hist search show inspect get version env help lint verify template completion": look(
            _HELM_ANY, "mention*", "cluster/reads network"),
        "repo": Program(_HELM, subs={"list ls": look(_HELM_ANY),
            # Naming a source installs nothing; installing from it is a change of the cluster.
            "add update up index remove rm": act("changes network", "*")}),
        "dependency dep dependencies": Program(_HELM, subs={"list ls": look(_HELM_ANY),
            "update up build": act("downloads network", "*")}),
        "plugin": Program(_HELM, subs={"list ls": look(_HELM_ANY),
            "install update uninstall": act("installs-package network", "*")}),
        "registry": act("signs-in network", "*"), "create package": act("changes", "*", "mention*"),
            "pull fetch": act("downloads network", "*"), "push": act("publishes-package network", "*"),
        "install upgrade rollback test": act("cluster/changes infra/applies network", _HELM_ANY.replace("dry-run?",
            "dry-run?!dry") + " install force!forced *"), "uninstall un delete del": act("cluster/deletes network",
                _HELM_ANY.replace("dry-run?", "dry-run?!dry") + " keep-history cascade= *"),
        "diff": look("*", "text*", "cluster/reads network"), "secrets": act("reads-secret", "*"),
    }),
    "kubectx kubens kubie": look("c/current", special=lambda draft: draft.add("changes") if draft.operands else None),
    "k9s kubetail stern lens": look("*", "text*", "interactive cluster/reads"),
    "crossplane": Program("*", "text*",
            "cluster/changes network", subs={
        "version help list ls status check analyze proxy-status get logs diff tree build template lint": look("*",
            "mention*", "cluster/reads network"), "delete destroy uninstall rm remove": act("cluster/deletes network",
                "*"), "*": act("cluster/changes network", "*", "mention*")}),
}  # fmt: skip
