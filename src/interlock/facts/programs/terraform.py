"""Infrastructure as code and configuration management."""

from __future__ import annotations

from interlock.facts.programs.draft import Draft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]


def _apply(draft: Draft) -> None:
    if "--destroy" in draft.flags:
        draft.add("infra/destroys")


def _ansible(draft: Draft) -> None:
    """`ansible hosts -m shell -a CMD`."""
    draft.hosts += [word for word in draft.operands[:1] if word not in {"all", "localhost"}]
    module, arguments = draft.value("--module-name") or "command", draft.value("--args") or ""
    short = module.rpartition(".")[2]
    if short in {"shell", "command", "raw", "script", "win_shell"} and arguments:
        draft.run("shell", arguments, where="host")
    elif short in {"ping", "setup", "debug", "stat", "getent", "gather_facts"} and "--become" not in draft.flags:
        draft.drop("infra/applies")
        draft.acts()


def _playbook(draft: Draft) -> None:
    only_lists = {"--list-hosts", "--list-tasks", "--list-tags", "--syntax-check"} & set(draft.flags)
    draft.dry = draft.dry or bool(only_lists)
    for word in draft.operands:
        draft.reads.append(word)
        if not only_lists:
            draft.run("file", word, by="ansible-playbook")


def _lists_hosts(draft: Draft) -> None:
    if "--list-hosts" in draft.flags:
        draft.dry = True
    _ansible(draft)


_TF = (
    "chdir=base no-color input= lock= lock-timeout= state= state-out=write var= var-file=read compact-warnings "
    "parallelism= json refresh= refresh-only target= replace= out=write detailed-exitcode auto-approve!forced "
    "generate-config-out=write backup=write raw migrate-state!infra/state reconfigure upgrade force-copy "
    "backend= backend-config= get= plugin-dir= lockfile= from-module= test-directory= filter= verbose "
    "recursive list= diff check write= type= draw-cycles plan= help!dry h!dry version!dry "
    "ignore-remote-version allow-missing force!forced concise all show-sensitive destroy"
)
_ANSIBLE = (
    "i/inventory=read l/limit= list-hosts m/module-name= a/args= b/become!privilege become-user= become-method= "
    "K/ask-become-pass k/ask-pass u/user= c/connection= private-key=read e/extra-vars= f/forks= t/tree=write "
    "o/one-line v/verbose C/check!dry D/diff vault-id= vault-password-file=read ask-vault-pass J "
    "ssh-common-args= ssh-extra-args= M/module-path=read B/background= P/poll= T/timeout= "
    "playbook-dir=read start-at-task= step tags= skip-tags= list-tasks list-tags syntax-check flush-cache "
    "force-handlers scp-extra-args= sftp-extra-args= task-timeout= h!dry become-password-file=read "
    "connection-password-file=read key-file=read"
)

TABLE: Table = {
    "terraform tofu terragrunt tf": Program(_TF, long=True, subs={
        "plan": look(_TF, "text*", "infra/plans network", long=True),
        "show output validate version providers graph metadata modules console": look(_TF + " update",
            "text*", "cloud/reads", long=True),
        "fmt": Program(_TF, "mention*", "changes", long=True,
            special=lambda draft: draft.looks("changes") if "--check" in draft.flags or "-write=false" in draft.args
                else None),
        "apply": act("infra/applies cloud/changes network", _TF, long=True, special=_apply),
            "destroy": act("infra/destroys cloud/deletes network", _TF, long=True),
        "init get": act("downloads network", _TF, long=True),
            "import taint untaint refresh force-unlock": act("infra/state network", _TF, long=True),
        "state": Program(_TF, long=True, subs={"list show pull": look(_TF + " id=", "text*", "cloud/reads network",
            long=True), "mv push replace-provider": act("infra/state", _TF, long=True),
                "rm": act("infra/state infra/destroys", _TF, long=True)}),
        "workspace": Program(_TF, long=True, subs={"list show": look(_TF, long=True), "new select": act("changes",
            _TF, long=True), "delete": act("infra/destroys", _TF, long=True)}),
        "login logout": act("signs-in network", "*"),
            "test run run-all run-script stack": act("infra/applies runs-project network", "*"),
                "hclfmt render-json validate-inputs": act("changes", "*"),
    }),
    "pulumi": Program("s/stack= C/cwd=base non-interactive color= v/verbose= y/yes!forced",
        subs={"preview pre": act("infra/plans network runs-project", "*"),
            "about whoami version logs history": look("*", "text*", "cloud/reads network"),
                "up update import refresh": act("infra/applies cloud/changes network", "*"),
                    "destroy down": act("infra/destroys cloud/deletes network", "*"),
                       "stack": Program("s/stack=",
                           subs={"ls output history graph": look("show-secrets!reads-secret *", "text*",
                               "cloud/reads network"), "rm": act("infra/destroys network", "*"),
                                   "*": act("infra/state network", "*")}), "state": act("infra/state network", "*"),
                                       "config env": act("writes-secret", "*"),
            "login logout": act("signs-in network", "*"), "*": act("changes network",
            "*")}),
    "terraform-docs tflint tfsec checkov terrascan infracost driftctl kics ansible-lint cfn-lint kube-linter kubeval "
    "kubeconform conftest opa": look(
        "fix!changes output-file=write out=write out-file=write write!changes output-mode= recursive config=read c= "
        "f/format= o= d/directory= path= quiet compact framework= check= skip-check= strict q p parseable "
        "nocolor v L T list-rules list-tags list-profiles offline r/rulesdir= R x= w= exclude= profile= "
        "project-dir= show-relpath t= s i= sarif-file=write enable-list= ignore-file=read "
        "init!downloads chdir=base var= var-file=read enable-rule= disable-rule= only= minimum-failure-severity= "
        "force no-color version!dry", "read*"),
    "ansible ansible-console": Program(_ANSIBLE, "text*", "infra/applies network", special=_lists_hosts),
    "ansible-playbook ansible-pull": Program(_ANSIBLE + " U/url=url d/directory= checkout= accept-host-key full "
        "purge o only-if-changed", "text*", "infra/applies network", special=_playbook),
    "ansible-inventory ansible-doc": look(_ANSIBLE + " graph list host= export output=write yaml toml vars y "
        "F/list_files l/list s/snippet metadata-dump no-fail-on-errors j/json r/roles-path= entry-point= type= "
        "playbook-dir= limit= t= e/entry-point= y/yaml".replace(" y/yaml", ""), "text*"),
    "ansible-config": Program("v/verbose c/config=read t/type= only-changed",
        subs={"list dump view validate": look("*"), "init": look("*")}),
    "ansible-galaxy": Program("v/verbose s/server= c/ignore-certs!insecure token= timeout=",
        subs={"list search info verify": look("*", "text*", "network"),
            "install download": act("installs-package network", "*"), "remove delete": act("removes-package", "*"),
                "publish": act("publishes-package network", "*"), "init build import setup login": act("changes",
                "*"),
                               "collection role": Program(subs={"list search info verify": look("*", "text*",
                                   "network"), "install download": act("installs-package network", "*"),
                                       "remove delete": act("removes-package", "*"),
            "publish": act("publishes-package network", "*"),
            "init build import setup": act("changes", "*")})}),
    "ansible-vault": Program("v/verbose", subs={"view": look("*", "read*", "reads-secret"),
        "encrypt decrypt rekey edit create": act("encrypts", "*", "edit*"), "encrypt_string": act("encrypts", "*")}),
    "ansible-runner ansible-builder molecule": act("runs-project", "*"),
    "puppet": Program("version!dry *", "text*", "infra/applies network", subs={
        "parser lookup facts module help config describe doc epp node resource_type": look("*", "mention*"),
        "filebucket": look("*", "read*"),
        "apply": act("infra/applies", "noop!dry e/execute=code:other modulepath= *", "read*"),
        "*": act("infra/applies network", "noop!dry *")}),
    "chef chef-client chef-solo knife salt salt-call salt-ssh salt-run cfengine bolt": act(
        "infra/applies network", "noop!dry version!dry *"),
    "nixos-rebuild home-manager darwin-rebuild nh colmena deploy-rs": act("infra/applies system-package", "*"),
    "spin waypoint boundary nomad-pack": act("infra/applies network", "*"),
}  # fmt: skip
