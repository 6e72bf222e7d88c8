"""Containers: engines, composing, images and registries."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]

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


_RUN = (
    "add-host= annotation= a/attach= blkio-weight= cap-add= cap-drop= cgroup-parent= cgroupns= cidfile=write "
    "c/cpu-shares= cpu-period= cpu-quota= cpus= cpuset-cpus= cpuset-mems= d/detach detach-keys= device= "
    "device-cgroup-rule= dns= dns-option= dns-search= domainname= entrypoint= e/env= env-file= expose= gpus= "
    "group-add= h/hostname= health-cmd=line "
    "health-interval= health-retries= health-timeout= init i/interactive ip= ip6= ipc= isolation= l/label= "
    "label-file=read link= log-driver= log-opt= mac-address= m/memory= memory-reservation= memory-swap= mount= "
    "name= network/net= network-alias= no-healthcheck oom-kill-disable pid= pids-limit= platform= "
    "privileged!container/privileged,privilege p/publish= "
    "P/publish-all!network/listens pull= q/quiet read-only restart= rm runtime= security-opt= shm-size= sig-proxy= "
    "stop-signal= stop-timeout= storage-opt= sysctl= tmpfs= t/tty ulimit= u/user= userns= uts= v/volume= "
    "volume-driver= volumes-from= w/workdir= rmi replace systemd= pod= secret= arch= os= tz= timeout= "
    "http-proxy= no-hosts umask= disable-content-trust "
    "index= T no-TTY no-deps service-ports use-aliases build quiet-pull remove-orphans"
)
_EXEC = (
    "d/detach detach-keys= e/env= env-file= i/interactive privileged!container/privileged,privilege t/tty u/user= "
    "w/workdir= T/no-TTY index= l/latest dry-run!dry"
)
_LOOK = (
    (
        "a/all f/filter= format= n/last= l/latest no-trunc q/quiet s/size follow since= tail= t/timestamps until= "
        "details= no-stream type= digests H/human tree platform= raw verbose v services status= orphans no-color "
        "no-log-prefix hash= images profiles volumes o/output=write resolve-image-digests no-interpolate "
        "no-normalize environment variables no-path-resolution "
        "noheading sort= ns p/protocol= index= L limit= e env= F d filter= page= namespaces i/size"
    )
    .replace(" details=", " details")
    .replace(" L ", " ")
    .replace(" d ", " ")
)
_BUILD = (
    "add-host= allow=text!container/privileged annotation= attest= build-arg= build-context= builder= cache-from= "
    "cache-to= call= cgroup-parent= check debug/D f/file= iidfile=write label= load metadata-file=write network= "
    "no-cache no-cache-filter= o/output= platform= progress= provenance= pull push q/quiet sbom= secret= "
    "shm-size= ssh= t/tag= target= ulimit= compress "
    "force-rm rm squash m/memory= cpu-shares= isolation= security-opt= layers format= v/volume= u/user= e/env= "
    "squash-all jobs= manifest= cpu-quota= with-dependencies memory= ignorefile=read tls-verify? creds= "
    "authfile=read i/ignore-file=read"
).replace(" i/ignore-file=read", "")
_COMPOSE = (
    "f/file= p/project-name= project-directory=base profile= env-file=read ansi= compatibility dry-run!dry parallel= "
    "progress= all-resources v/verbose D H/host="
)
_TOP = (
    "config= c/context= D/debug H/host=host l/log-level= tls tlscacert=read tlscert=read tlskey=read tlsverify v!dry "
    "remote url= connection= identity= root= runroot= storage-driver= log-level= cgroup-manager= noout "
    "events-backend= n/namespace= address= a= k/kube-hide-dupe insecure-registry"
)

_ACTS = (
    "a/all f/force!forced l/link v/volumes t/time/timeout= s/signal= no-prune force-rm i/ignore cidfile=read "
    "latest depend q/quiet filter= attach detach-keys= checkpoint= *"
)
_COMPOSE_FORMS: Table = {
    "ps ls images logs top port config convert version events stats volumes": look(_LOOK + " f/follow", "text*"),
    "up create start restart unpause watch scale": act("container/runs", "d/detach build no-build force-recreate "
        "no-recreate no-start remove-orphans V/renew-anon-volumes t/timeout= wait wait-timeout= "
        "abort-on-container-exit exit-code-from= scale= no-deps no-color no-log-prefix attach= no-attach= pull= "
        "quiet-pull always-recreate-deps attach-dependencies timestamps menu y/yes w/watch *",
                    special=_compose_up),
    "down": act("container/removes", "v/volumes rmi= remove-orphans t/timeout= dry-run!dry *", special=_compose),
    "rm": act("container/removes", "v/volumes f/force s/stop a dry-run!dry *", special=_compose),
    "stop kill pause": act("container/changes", "t/timeout= s/signal= remove-orphans *"),
    "exec": Program(_EXEC, "text*", "read-only container/enters", special=_exec, stops=True),
    "run": Program(_RUN, "text*", "container/runs", special=_service_exec, stops=True),
    "build": act("container/changes runs-project network", _BUILD, special=_compose_up),
        "pull": act("container/changes network downloads", "*"), "push publish": act("publishes-package network",
        "*"),
    "cp": Program("a/archive L/follow-link index= all", special=_copy, traits="container/changes"),
    "attach wait export commit bridge alpha": act("container/changes", "*"),
}  # fmt: skip

_RM = act("container/removes", _ACTS)
_PRUNE = act(
    "container/removes container/prunes",
    "a/all f/force!forced filter= volumes verbose keep-storage= reserved-space= max-used-space= build external",
)
_CONTAINER: Table = {
    "ps ls list logs inspect top stats port diff events wait exists": look(_LOOK + " f/follow", "text*"),
    "run": Program(_RUN, "text*", "container/runs", special=_run, stops=True), "create": Program(_RUN, "text*",
        "container/changes", special=_run, stops=True),
    "exec": Program(_EXEC, "text*", "read-only container/enters", special=_exec, stops=True),
    "rm remove": _RM, "prune": _PRUNE,
    "start restart unpause attach": act("container/runs", _ACTS), "stop kill pause": act("container/changes", _ACTS),
    "cp": Program("a/archive L/follow-link q/quiet overwrite", special=_copy, traits="container/changes"),
    "commit rename update init mount unmount umount checkpoint restore clone runlabel cleanup": act(
        "container/changes", "*"),
    "export": Program("o/output=write", "text*", "read-only"),
}  # fmt: skip
_IMAGE: Table = {
    "ls list images inspect history exists tree search": look(_LOOK + " limit= list-tags compatible", "text*",
        "network"),
    "rm rmi remove": _RM, "prune": _PRUNE, "build": act("container/changes runs-project network", _BUILD,
        special=_build), "pull": act("container/changes network downloads", "*"),
            "push": act("publishes-package network", "*"),
    "save": Program("o/output=write format= m q platform= compress uncompressed", "text*", "read-only"),
        "load import": act("container/changes", "i/input=read c/change= m/message= q platform= signature-policy=read",
            "read*"),
    "tag untag sign trust scp mount unmount diff": act("container/changes", "*"),
}  # fmt: skip
_OTHER: Table = {
    "ls list inspect exists ps": look(_LOOK + " pretty", "text*"),
    "create connect disconnect update reload export import mount unmount": act("container/changes", "*"),
    "rm remove": _RM,
    "prune": _PRUNE,
}
_DOCKER: Table = {
    **_CONTAINER,
    **{key: form for key, form in _IMAGE.items() if key in {"build", "pull", "push", "save"}},
    "images history search version info": look(_LOOK + " limit= list-tags stars= d/debug H/host", "text*"),
    "rmi": _RM, "load import": _IMAGE["load import"], "tag untag": act("container/changes", "*"),
        "login logout": act("signs-in network writes-secret", "*"),
    "container": Program(subs=_CONTAINER), "image": Program(subs=_IMAGE),
        "network volume pod": Program(subs=_OTHER),
        "secret config": Program(subs={**_OTHER, "rm remove": act("cluster/deletes network", _ACTS)}),
    "system": Program(subs={"df info events connection": look(_LOOK + " f/format="), "prune": _PRUNE,
        "dial-stdio reset migrate renumber service": act("container/prunes container/removes", "*")}),
    "builder buildx": Program("builder= D/debug", subs={"build b": act("container/changes runs-project network",
        _BUILD, special=_build), "bake": act("container/changes runs-project network", "print!dry *"),
            "ls inspect du version history": look(_LOOK + " bootstrap!container/changes verbose"), "prune": _PRUNE,
                "rm stop": _RM,
                               "create use install uninstall dial debug": act("container/changes", "*"),
                                   "imagetools": Program(subs={"inspect": look(_LOOK + " raw"),
                                       "create": act("publishes-package network", "dry-run!dry *")})}),
    "compose": Program(_COMPOSE, subs=_COMPOSE_FORMS),
    "context": Program(subs={"ls list inspect show": look(_LOOK),
        "create use update export import rm remove": act("container/changes", "*")}),
    "manifest": Program(subs={"inspect": look("v/verbose insecure"),
        "create annotate push rm add": act("publishes-package network", "*")}),
    "swarm stack service node": Program(subs={"ca": act("cluster/changes network", "rotate ca-cert=read ca-key=read "
        "cert-expiry= d/detach q/quiet external-ca=", special=lambda draft: None if "--rotate" in draft.flags
            else draft.drop("cluster/changes")),
        "ls list inspect ps logs services config": look(
        _LOOK + " f/follow pretty no-resolve no-task-ids"), "rm remove leave down": act("cluster/deletes network",
            "f/force!forced *"),
            "init join deploy up create update scale rollback promote demote join-token unlock unlock-key": act(
                "cluster/changes network", "*")}),
    "plugin": Program(subs={"ls list inspect": look(_LOOK),
        "install enable disable rm set upgrade push create": act("container/privileged installs-package", "*")}),
    "scout sbom scan debug model mcp ai desktop extension offload sandbox": Program("*",
        "text*", "container/changes network"),
    "trust": Program(subs={"inspect": look("pretty", "text*", "network"), "*": act("container/changes network", "*")}),
    "machine": Program(subs={"ls list inspect info": look("*"), "ssh": act("container/runs", "*"),
        "rm reset": act("virtual-machine container/removes", "*"), "*": act("virtual-machine", "*")}),
    "generate kube play unshare auto-update healthcheck": act("container/runs", "*"),
}  # fmt: skip

TABLE: Table = {
    "docker podman nerdctl finch": Program(_TOP, subs=_DOCKER, traits="read-only"),
    "docker-compose podman-compose": Program(_COMPOSE, subs=_COMPOSE_FORMS),
    "buildah": Program(_TOP, subs={"images containers ps inspect version info": look("*"), "run": Program(_RUN,
        "text*", "container/runs", special=_run, stops=True),
            "bud build build-using-dockerfile": act("container/changes runs-project network", _BUILD, special=_build),
                "rm rmi": act("container/removes", "a/all!forced f/force!forced p/prune!container/prunes"),
                "push": act("publishes-package network", "*"), "*": act("container/changes", "*")}),
    "skopeo crane gcrane oras regctl": Program("*", "text*", "container/changes network",
        subs={"inspect list-tags ls manifest digest config catalog validate version layers blob tree "
            "completion help discover repo standalone-verify": look("*", "text*", "network"),
            # What a registry holds is there for others.
            "delete": act("container/removes publishes-package network", "n/dry-run!dry *"),
            # Prints what could go.
            "gc": look("*", "text*", "network"),
            "copy cp sync": act("network", "dry-run!dry *", special=_between),
            "append mutate rebase flatten index edit": act("network", "h!dry o/output=write t/tag= *", special=_retag),
            "registry": act("network/listens", "h!dry *"), "export save": act("network downloads", "*", "text* write"),
                "login logout auth": act("signs-in network", "*"), "pull": act("downloads network", "*"),
                "*": act("publishes-package network", "*")}),
    "crictl ctr": Program("n/namespace= a/address= r/runtime-endpoint= i/image-endpoint= t/timeout= *", "text*",
        "container/changes", subs={"ps img pods inspect inspecti inspectp "
        "logs stats info version": look("*"), "exec": Program("i t s", "text argv", "read-only container/enters"),
            "rmi stop": act("container/removes", _ACTS + " prune!container/prunes a/all!container/prunes"),
            "rm rmp stopp": act("container/removes",
                _ACTS + " prune!container/prunes", special=lambda draft: draft.add("forced")),
            "images image i containers container c tasks task t snapshots leases content namespaces plugins "
                "events": Program("*", traits="read-only", subs={
                "ls list info check usage fetch-content": look("*"),
                "rm remove delete del kill prune": act("container/removes forced", "*"),
                    "push": act("publishes-package network", "*"),
                "pull": act("container/changes network downloads", "*"), "*": act("container/changes", "*")}),
            "*": act("container/changes", "*")}),
    "lxd apptainer singularity toolbox distrobox": Program("*",
        "text*", "container/changes", subs={
        "list ls info inspect version status search find images": look("*"),
            "exec shell run ssh enter": Program("n/name= user= cwd= env= T t d= u= c/container= workdir= B/bind= "
                "C/contain nv", "text argv", "container/runs"),
                    "delete rm destroy purge remove prune stop": act("container/removes", "*"),
                        "*": act("container/changes", "*")}),
    "qemu-system-x86_64 qemu-img virt-install":
        Program("*", "text*", "virtual-machine", subs={
        "list status config showvminfo dominfo info global-status version validate inspect pending listsnapshot "
        "snapshot-list net-list pool-list vol-list domstate port ssh-config": look("*"),
        "destroy delete undefine unregistervm rm remove halt stop poweroff vol-delete": act(
            "virtual-machine container/removes", "*"), "ssh exec guest": act("virtual-machine container/runs", "*"),
                "*": act("virtual-machine", "*")}),
    "dive syft grype trivy hadolint dockle docker-slim slim ko kaniko dagger earthly buildctl": act("network",
        "*", "mention*"),
}  # fmt: skip
