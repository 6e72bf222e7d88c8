"""What works beside kubectl: delivery, meshes, schedulers, local clusters, machines, keepers of secrets."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.services import service
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]

_LOCAL = "container/changes"
_SHOWN = "reads-secret"


def _passing_on(program: Program) -> Program:
    """`k3s kubectl get pods`: another program that comes with this one, with its own words."""
    understands = program.special

    def of(draft: UseDraft) -> None:
        if draft.args[:1] in (("kubectl",), ("crictl",), ("ctr",), ("helm",), ("helm3",)) and len(draft.args) > 1:
            words = draft.args[1:]
            draft.run("argv", draft.args[0], *(words[1:] if words[0] == "--" else words))
            draft.looks()
        elif understands is not None:
            understands(draft)

    return Program("*", "text*", "", special=of, help=False)


def _powered(program: Program) -> Program:
    """`controlvm NAME poweroff` takes the power away from a running machine; to pause it or ask it to stop is mild."""
    understands = program.special

    def of(draft: UseDraft) -> None:
        if understands is not None:
            understands(draft)
        if draft.operands[:1] == ["controlvm"] and draft.operands[2:3] in (["poweroff"], ["reset"], []):
            draft.add("container/removes")

    return Program("*", "text*", "", special=of, help=False)


TABLE: Table = {
    "argocd": service("cluster", {
        "read-only cluster/reads":
            "app list, app get, app diff, app history, app logs, app manifests, app resources, app wait, "
            "cluster list, cluster get, repo list, repo get, proj list, proj get, account list, account get, "
            "account get-user-info, version, context, account can-i, appset list, appset get, cert list, gpg "
            "list, repocreds list, proj role list, proj windows list, admin app diff-reconcile-results",
        "signs-in": "login, logout, relogin",
        "reads-secret writes-secret": "account generate-token, admin initial-password, proj role create-token",
        "cloud/access writes-secret":
            "account update-password, account delete-token, cert add-ssh, cert add-tls, gpg add",
        "cluster/deletes":
            "app delete, app delete-resource, app terminate-op, cluster rm, repo rm, proj delete, appset "
            "delete, app unset, proj role delete, cert rm, gpg rm, repocreds rm, proj remove-destination, proj "
            "remove-source",
    }),
    "flux": service("cluster", {
        "read-only cluster/reads":
            "get, check, logs, diff, tree, trace, stats, events, version, build, export, debug, list artifacts, "
            "pull artifact, env",
        "cluster/changes": "bootstrap, install, create, reconcile, suspend, resume, push artifact, tag artifact",
        "cluster/deletes": "delete, uninstall",
    }),
    "argo": service("cluster", {
        "read-only cluster/reads":
            "list, get, logs, watch, wait, lint, version, cron list, cron get, template list, template get, "
            "archive list, archive get, node get",
        "cluster/changes cluster/runs": "submit, retry, resubmit, resume, cron create, template create",
        "cluster/deletes":
            "delete, stop, terminate, suspend, archive delete, cron delete, cron suspend, template delete, node "
            "set",
        "network/listens": "server",
        _SHOWN: "auth token",
    }),
    "kubectl-argo-rollouts tkn kn odo okteto": service("cluster", {
        "read-only cluster/reads":
            "dashboard, version, pipeline logs, pipelinerun logs, taskrun logs, pipelinerun describe, context "
            "list, describe component",
        "cluster/changes cluster/runs": "pipeline start, task start, clustertask start, run, exec",
        "changes": "context use, init, dev",
    }),
    "istioctl linkerd cilium hubble kuma kumactl consul-k8s osm meshctl glooctl dapr": service("cluster", {
        "read-only cluster/reads":
            "analyze, proxy-status, ps, proxy-config, pc, version, manifest generate, manifest diff, profile "
            "list, profile dump, profile diff, validate, dashboard, x describe, experimental describe, check, "
            "viz stat, viz top, viz tap, viz edges, viz routes, diagnostics, status, connectivity status, "
            "observe, bug-report, identity, authz, jaeger dashboard, viz dashboard, endpoint list, policy get, "
            "service list, node list, list, operator dump, kube-inject",
        "cluster/changes":
            "install, upgrade, manifest apply, manifest install, operator init, bug-report-upload, connectivity "
            "test, hubble enable, clustermesh enable, inject",
        "cluster/deletes": "uninstall, operator remove, prune, hubble disable, clustermesh disable, x uninstall",
        "network/tunnels": "port-forward, hubble port-forward",
        "runs-project network": "run, start, placement",
        "container/changes": "init",
    }),
    "kustomize": service("local", {
        "read-only": "build, version, cfg tree, cfg cat, cfg grep, docs, openapi info, completion",
        "changes": "create, edit, localize",
    }),
    "kubeseal": look("f/secret-file=read o/format= cert= n/namespace= name= scope= validate re-encrypt raw from-file= "
        "fetch-cert controller-name= controller-namespace= w/sealed-secret-file=write merge-into=write "
        "recovery-unseal!reads-secret recovery-private-key=read allow-empty-data kubeconfig=read context= user= token= "
        "username= password=", "text*", "cluster/reads network"),
    "kubebuilder operator-sdk": service("local", {
        "cluster/changes": "run bundle, run bundle-upgrade, olm install",
        "cluster/deletes": "olm uninstall, cleanup",
        "runs-project": "scorecard, generate",
        "read-only": "version, olm status, bundle validate",
    }),
    "ytt kbld": look("f/file= o/output= data-value= data-values-file=read v= output-files=write *", "mention*"),
    "kapp kapitan werf": service("cluster", {
        "read-only cluster/reads":
            "list, ls, inspect, logs, app-group list, cs ls, lint, searchvar, helm ls, render, config render, "
            "config list, bundle render, managed-images ls",
        "cluster/changes": "deploy, app-group deploy, converge, bundle apply, kube-run",
        "cluster/deletes": "delete, app-group delete, dismiss, cs gc",
        "container/changes": "build, export, compile",
        "container/removes container/prunes": "host cleanup, host purge, cleanup, purge",
        "publishes-package": "bundle publish, bundle copy",
    }),
    "helmfile": service("cluster", {
        "read-only cluster/reads":
            "diff, list, template, lint, status, build, version, show-dag, write-values, print-env, cache info",
        "cluster/changes": "apply, sync, charts, test",
        "cluster/deletes": "destroy, delete",
        "downloads": "fetch, deps, repos, init",
        "changes": "cache cleanup",
    }),
    "skaffold tilt devspace garden draft": service("cluster", {
        "read-only":
            "diagnose, render, inspect, filter, schema, config list, list, print, version, lint, survey, "
            "options, doctor, analyze, describe, get, dump, alpha tiltfile-result, logs",
        "runs-project container/changes": "build, test, verify, apply-docker",
        "changes": "init, fix, config set, use namespace, use context, use, update, add, generate-workflow, args",
        "cluster/changes": "dev, run, deploy, debug, apply, up, ci, trigger, sync",
        "cluster/deletes": "delete, purge, down, cleanup",
        "cluster/runs": "enter, exec",
        "network": "ui, open, dashboard",
    }),
    "telepresence": service("cluster", {
        "read-only cluster/reads": "status, list, version, loglevel",
        "network/tunnels": "connect, intercept, leave, quit, gather-logs",
        "cluster/changes": "helm install, helm upgrade",
        "cluster/deletes": "helm uninstall, uninstall",
    }),
    # A cluster on this machine, made to be thrown away: making and stopping it loses nothing.
    "minikube kind k3d ctlptl": service("local", {
        _LOCAL:
            "start, stop, pause, unpause, create cluster, create, cluster create, cluster start, cluster stop, "
            "node create, node add, node start, node stop, registry create, image load, load docker-image, load "
            "image-archive, image import, addons enable, addons disable, build, image build, cache add, cp, "
            "update-context, export kubeconfig, kubeconfig merge, cluster edit, mount, node edit",
        "read-only":
            "status, ip, logs, profile list, profile, version, get clusters, get nodes, get kubeconfig, list, "
            "cluster list, node list, addons list, service list, service, docker-env, podman-env, dashboard, "
            "image ls, config view, config get, kubeconfig get, kubeconfig write, registry list, export logs, "
            "options, update-check, ssh-key, get, config defaults",
        "cluster/deletes":
            "delete, delete cluster, delete clusters, cluster delete, node delete, registry delete, cluster rm, "
            "node rm",
        "network/tunnels": "tunnel",
        "container/runs": "ssh, ssh-host",
        "changes": "config set, config unset, completion",
    }),
    "kubeadm kops rke rke2 talosctl k0s k0sctl k3s microk8s crc eksctl gardenctl clusterctl kubespray kubekey kk "
    "rancher vcluster loft capi k3sup": _passing_on(service("cluster", {
        "read-only cluster/reads":
            "status, version, config view, config print, config images list, token list, upgrade plan, get, "
            "validate cluster, toolbox dump, certs check-expiration, dashboard, health, services, service, "
            "dmesg, containers, images, memory, time, processes, etcd members, etcd status, disks, check, "
            "sysinfo, validate, describe cluster, inspect, utils describe-stacks, info, list, ls, connect-info, "
            "toolbox instance-selector, config info, logs, read, netstat, mounts, stats, certificate check, "
            "platform list, etcd-snapshot list, etcd-snapshot ls, secrets-encrypt status, namespaces, nodes, "
            "ps, context current, server ls, projects ls, disk, vars",
        "signs-in": "login, logout",
        "upkeep": "etcd-snapshot save, etcd snapshot",
        "changes":
            "config use-context, context switch, use, config contexts, config set, gen config, config merge, "
            "config add, machineconfig patch, generate cluster, generate, connect, disconnect",
        "cluster/deletes":
            "delete, reset, rm, drain node, drain, uninstall, remove, etcd remove-member, etcd "
            "forfeit-leadership, reboot, shutdown, delete cluster, delete nodegroup, delete addon, platform "
            "delete, move, stop, etcd-snapshot delete, etcd-snapshot prune",
        "writes-secret": "kubeconfig, export kubecfg, utils write-kubeconfig, write-kubeconfig",
        "reads-secret cluster/changes": "token create, create token, token rotate",
        "cluster/runs": "kubectl, ssh, exec",
        "service": "server, agent, start, install",
        "network/tunnels": "port-forward",
        "database/restores cluster/changes": "etcd-snapshot restore, restore",
    })),
    "k3s-uninstall.sh k3s-agent-uninstall.sh k3s-killall.sh rke2-uninstall.sh rke2-killall.sh": act(
        "cluster/deletes removes-package", "*"),
    "nomad": service("cluster", {
        "read-only cluster/reads":
            "status, job status, job plan, plan, job validate, validate, job inspect, inspect, job history, job "
            "deployments, job allocs, node status, alloc status, alloc logs, logs, alloc fs, fs, deployment "
            "list, deployment status, server members, version, namespace list, namespace status, volume status, "
            "eval list, eval status, monitor, fmt, acl policy list, acl policy info, acl token list, operator "
            "raft list-peers, operator autopilot get-config, quota list, quota status, plugin status, "
            "agent-info, job scaling-events, service list, service info, var list, operator api, operator "
            "metrics, ui, alloc checks, system usage",
        _SHOWN: "var get, acl token self, acl token info",
        "cluster/runs": "alloc exec, exec, action",
        "changes": "job init, init, tls ca create, tls cert create, setup",
        "cluster/deletes":
            "job stop, stop, job revert, node drain, node eligibility, deployment fail, deployment pause, alloc "
            "stop, alloc restart, alloc signal, system gc, namespace delete, volume delete, volume deregister, "
            "volume detach, server force-leave, acl policy delete, acl token delete, var purge, operator raft "
            "remove-peer, quota delete, acl role delete, job deployments fail, service delete, node purge, "
            "operator gossip keyring remove, sentinel delete",
        "database/restores cluster/changes": "operator snapshot restore",
        "cloud/access": "acl bootstrap, acl token create, acl policy apply, acl role create, acl token update",
        "service": "agent",
    }),
    "consul": service("cluster", {
        "read-only cluster/reads":
            "members, info, catalog, kv get, kv export, monitor, version, validate, health, operator raft "
            "list-peers, acl policy list, acl policy read, acl role list, config list, config read, rtt, "
            "intention check, intention list, intention get, snapshot inspect, acl token list, debug, "
            "troubleshoot, peering list, partition list, namespace list, services export, kv ls, watch",
        _SHOWN: "acl token read, acl token clone, keygen",
        "cluster/changes":
            "kv put, kv import, services register, config write, reload, maint, event, join, intention create, "
            "login, logout, peering establish",
        "cluster/deletes":
            "kv delete, leave, force-leave, services deregister, acl token delete, acl policy delete, acl role "
            "delete, config delete, intention delete, operator raft remove-peer, peering delete, partition "
            "delete, namespace delete",
        "database/restores cluster/changes": "snapshot restore",
        "downloads": "snapshot save",
        "cloud/access":
            "acl bootstrap, acl token create, acl token update, acl policy create, acl policy update, acl role "
            "create, acl set-agent-token, acl role update, acl binding-rule create, acl auth-method create",
        "cluster/runs": "exec, lock",
        "service": "agent",
        "changes": "tls ca create, tls cert create",
        "network/tunnels": "connect proxy",
    }),
    "vault bao openbao": service("cluster", {
        "read-only cluster/reads":
            "status, kv list, list, policy list, secrets list, auth list, version, token capabilities, token "
            "lookup, audit list, plugin list, plugin info, namespace list, path-help, kv metadata get, operator "
            "members, operator raft list-peers, operator key-status, operator raft autopilot state, lease "
            "lookup, policy read, read sys/health, print token-help, policy fmt, version-history, monitor, read "
            "sys/mounts, namespace lookup, operator usage, hcp profile display",
        _SHOWN: "kv get, read, unwrap, token create, print token, operator generate-root, transit export, ssh",
        "signs-in": "login, auth, token renew",
        "cluster/changes":
            "kv put, kv patch, write, kv undelete, kv rollback, kv enable-versioning, secrets enable, secrets "
            "tune, secrets move, auth enable, auth tune, plugin register, lease renew, namespace create, kv "
            "metadata put, patch, operator init, operator unseal, init, unseal",
        "cloud/access": "policy write, audit enable, operator rekey, operator rotate, rekey, rotate",
        "service": "server, agent, proxy",
        "cluster/deletes":
            "kv delete, kv destroy, kv metadata delete, delete, secrets disable, auth disable, policy delete, "
            "token revoke, lease revoke, operator seal, seal, operator step-down, audit disable, plugin "
            "deregister, namespace delete, operator raft remove-peer, revoke, unmount",
        "database/restores cluster/changes": "operator raft snapshot restore, operator migrate",
        "downloads": "operator raft snapshot save, debug",
        "cluster/deletes cluster/changes": "operator raft snapshot delete",
    }),
    "op": service("cloud", {
        "read-only":
            "whoami, vault list, vault get, item list, account list, account get, document list, user list, "
            "user get, group list, group get, connect server list, service-account ratelimit, template list, "
            "item template list, item template get, events-api",
        _SHOWN: "item get, read, document get, inject, item share, ssh generate, user provision",
        "signs-in": "signin, signout, account add, account forget",
        "writes-secret cloud/changes":
            "item create, item edit, document create, document edit, item move, vault create, vault edit, "
            "plugin init",
        "only-runs": "run, plugin run",
        "cloud/access":
            "vault user grant, vault group grant, vault user revoke, group user grant, user suspend, "
            "service-account create, connect token create, connect server create, user confirm, user "
            "reactivate, group user revoke, vault group revoke",
        "changes": "update, completion",
    }, here=True),
    "bw rbw lpass": service("cloud", {
        "read-only":
            "status, ls, list folders, list collections, list organizations, unlocked, stop-agent, generate, "
            "diceware, config server, sync, version, --version, template, fingerprint",
        _SHOWN: "get, list items, list, show, export, search, code, history, receive, get item, get password",
        "signs-in": "login, logout, lock, unlock, purge, register",
        "writes-secret": "create, edit, add, encode, restore, import, duplicate, mv, share, config set, move",
        "cloud/deletes writes-secret": "delete, rm, remove, delete item",
        "cloud/access": "confirm, send, send create, approve",
        "network/listens": "serve",
    }),
    "doppler": service("cloud", {
        "read-only":
            "projects, projects get, configs, configs get, environments, environments get, me, activity, "
            "configure, configure get, open, settings, workplace, secrets notes get, configs logs, configure "
            "debug, changelog, feedback",
        "read-only cloud/reads": "whoami",
        _SHOWN:
            "secrets, secrets get, secrets download, secrets substitute, configs tokens create, configure get "
            "token",
        "only-runs": "run",
        "signs-in": "login, logout",
        "changes": "setup, configure set, configure unset, configure reset, update, completion",
        "writes-secret cloud/changes":
            "projects create, configs create, environments create, projects "
            "update, configs update, configs clone, environments rename, secrets notes set",
        "writes-secret cloud/changes cloud/deploys": "secrets set, secrets upload",
        "cloud/deletes":
            "secrets delete, projects delete, configs delete, environments delete, configs tokens revoke, "
            "configs unlock",
        "cloud/access": "configs lock, oidc login",
    }, {"--only-names": "read-only"}, here=True),
    "infisical chamber teller envconsul berglas phase dotenv-vault dotenvx": service("cloud", {
        "read-only":
            "list-services, list, folders get, scan, whoami, version, user get, keypair, ls, ext scan, "
            "precommit, prebuild",
        _SHOWN:
            "export, read, env, yaml, show, secrets, secrets get, find, history, sh, access, get, secrets "
            "export, scan-secrets, token",
        "only-runs": "run, exec",
        "signs-in": "login, logout, user switch, auth",
        "writes-secret cloud/changes":
            "secrets set, write, put, import, set, create, secrets create, secrets import, secrets update, "
            "push, update",
        "cloud/deletes": "delete, secrets delete, folders delete",
        "changes": "init, vault set, reset, new, keys, encrypt, build, gitignore, pull",
        _SHOWN + " downloads": "decrypt",
    }, here=True),
    "aws-vault": service("cloud", {
        "read-only": "list, ls, --version",
        "only-runs": "exec",
        _SHOWN: "export",
        "signs-in": "login, clear",
        "writes-secret": "add",
        "cloud/access writes-secret": "remove, rm, rotate",
        "interactive reads-secret": "proxy",
    }, here=True),
    "saml2aws awsume granted assume aws-sso leapp aws-okta": service("cloud", {
        "read-only": "list-roles, list",
        "signs-in": "login, configure, exec, session start, session stop",
        _SHOWN: "script, console, credential-process, env",
    }, here=True),
    "lxc incus": service("machine", {
        "read-only":
            "list, ls, info, config show, config get, profile list, profile show, image list, image info, "
            "network list, network show, storage list, storage show, storage info, storage volume list, remote "
            "list, version, cluster list, monitor, query, project list, operation list, snapshot list, warning "
            "list, top",
        "container/runs": "exec, shell, console",
        "container/changes":
            "launch, init, start, restart, copy, cp, file pull, file push, snapshot, snapshot create, config "
            "set, config device add, profile create, profile edit, profile add, network create, storage create, "
            "image copy, image import, publish, rename, remote add, config edit, create, pause, resume, stop",
        "virtual-machine container/removes":
            "delete, rm, image delete, storage delete, storage volume delete, network delete, profile "
            "delete, project delete, snapshot delete, rebuild, cluster remove, remote remove",
        "virtual-machine container/removes container/changes": "restore, snapshot restore, import",
        "downloads": "export, image export",
    }, here=True),
    "multipass limactl lima colima orb orbctl tart lume utmctl prlctl": service("machine", {
        "read-only":
            "list, ls, info, version, find, networks, get, aliases, status, ssh-config, show-ssh, info-yaml, "
            "validate, disk list, snapshot list, template list, config show, logs, ip, sudoers, --version, "
            "completion, show-config",
        "container/changes":
            "launch, start, stop, restart, suspend, create, mount, umount, unmount, transfer, copy, set, edit, "
            "recover, snapshot, clone, pull, template, disk create, alias, unalias, prefer, authenticate, "
            "protect, unprotect, rename, migrate, push-image, update",
        "container/runs": "exec, shell, ssh, run, nerdctl, kubernetes",
        "virtual-machine container/removes":
            "delete, purge, rm, remove, factory-reset, prune, disk delete, snapshot delete, restore, reset",
        "container/removes": "kill",
        "publishes-package": "push",
    }),
    "vagrant": service("machine", {
        "read-only":
            "status, global-status, ssh-config, port, box list, plugin list, validate, version, snapshot list, "
            "box outdated, winrm-config, list-commands, cloud search, cloud box show",
        "virtual-machine":
            "up, reload, resume, suspend, halt, provision, init, box add, box update, snapshot save, snapshot "
            "push, package, box remove, box prune, "
            "plugin install, plugin update, rsync, box repackage, rsync-auto, plugin uninstall, "
            "plugin repair",
        "container/runs virtual-machine": "ssh, powershell, winrm, rdp, upload",
        "virtual-machine container/removes":
            "destroy, snapshot delete, snapshot restore, snapshot pop",
        "network/tunnels": "share",
        "publishes-package": "cloud publish, push",
        "cloud/deletes": "cloud box delete, cloud version delete",
        "signs-in": "login, cloud auth login",
    }),
    "VBoxManage vboxmanage vmrun pveum esxcli govc xe xl ovftool vim-cmd": _powered(service("machine", {
        "read-only":
            "list, showvminfo, showhdinfo, showmediuminfo, guestproperty get, guestproperty enumerate, status, "
            "config, pending, listsnapshot, cluster resources, get, ls, vm.info, about, vm-list, host-list, "
            "sr-list, info, network list, list runningvms, list vms, metrics query, getextradata, "
            "listRegisteredVMs, listSnapshots, checkToolsState, getGuestIPAddress, vmsvc/getallvms, user list, "
            "role list, acl list",
        "virtual-machine":
            "startvm, createvm, modifyvm, registervm, import, export, clonevm, createhd, createmedium, "
            "storageattach, sharedfolder, start, create, set, clone, snapshot, resume, reboot, migrate, "
            "template, guestproperty set, setextradata, natnetwork, hostonlyif, resize, vm-start, vm.create, "
            "vm.clone, modifyhd, modifymedium, convertfromraw, internalcommands, alloc, controlvm",
        "virtual-machine container/removes":
            "unregistervm, closemedium, discardstate, destroy, stop, shutdown, suspend, delsnapshot, "
            "rollback, unlock, deleteVM, revertToSnapshot, deleteSnapshot, delete, vm.destroy, vm.power, "
            "vm-destroy, vm-shutdown, vm-uninstall, datastore.rm, object.destroy, free, remove, user delete, "
            "reset",
        "container/runs":
            "guestcontrol, guest, guest exec, exec, enter, console, terminal, runProgramInGuest, "
            "runScriptInGuest, monitor, push, pull",
        "cloud/access":
            "user add, acl modify, passwd, role add, aclmod, useradd, user modify, user token add, "
            "permissions.set",
    })),
    "racadm ilorest redfishtool": service("cloud", {
        "read-only":
            "sensor, sensor list, sdr, sdr list, fru, fru print, chassis status, chassis power status, power "
            "status, sel list, lan print, mc info, user list, getsysinfo, dcmi power reading, sel info, get, "
            "list",
        "cloud/deletes":
            "chassis power off, chassis power cycle, chassis power reset, chassis power soft, power off, power "
            "cycle, power reset, power soft, sel clear, mc reset, serveraction powerdown, serveraction "
            "hardreset, serveraction powercycle, racreset",
        "cloud/access": "user set, user enable, user disable, user priv, lan set, set",
        "cloud/runs": "sol activate, shell, exec",
        "cloud/changes cloud/deploys":
            "chassis power on, power on, chassis bootdev, chassis identify, serveraction powerup, raw",
    }),
}  # fmt: skip
