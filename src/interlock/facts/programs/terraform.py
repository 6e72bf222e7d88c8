"""Infrastructure as code and configuration management."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.services import service
from interlock.facts.programs.table import Program, Table, act, look, words

__all__ = ["TABLE"]


def _apply(draft: UseDraft) -> None:
    if "--destroy" in draft.flags:
        draft.add("infra/destroys")


def _salt(draft: UseDraft) -> None:
    """`salt TARGET MODULE.FUNCTION …`, and the same without a target for this machine."""
    said = draft.operands[1:] if draft.name in {"salt", "salt-ssh"} else draft.operands
    function = said[0] if said else ""
    if function in {"cmd.run", "cmd.shell", "cmd.run_all", "cmd.script"} and said[1:]:
        draft.run("shell", said[1], where="host")
    elif function in _SALT_LOOKS or function.endswith((".list", ".show", ".get", ".status", ".items", ".ls", ".info")):
        draft.looks("infra/applies")
    elif "test=true" in [word.lower() for word in said]:
        draft.dry = True


_SALT_LOOKS = words(
    "test.ping test.version grains.items grains.item grains.get pillar.items sys.doc sys.list_functions disk.usage "
    "status.uptime "
    "network.interfaces pkg.version pkg.list_pkgs manage.status manage.up manage.down jobs.list_jobs jobs.lookup_jid "
    "state.show_top "
    "state.show_sls state.show_highstate service.status file.read file.stats"
)


def _run_all(draft: UseDraft) -> None:
    """`terragrunt run-all VERB`, `terragrunt run --all -- VERB`: one of terraform's verbs for many folders at once."""
    said = set(draft.args)
    if said & {"destroy"} or ("apply" in said and "-destroy" in said):
        draft.add("infra/destroys", "cloud/deletes")
    elif said & {"plan", "validate", "output", "show", "fmt", "init", "providers", "graph"} and not said & {
        "apply",
        "import",
    }:
        draft.add("infra/plans")
    else:
        draft.add("infra/applies")


def _ansible(draft: UseDraft) -> None:
    """`ansible hosts -m shell -a CMD`."""
    draft.hosts += [word for word in draft.operands[:1] if word not in {"all", "localhost"}]
    module, arguments = draft.value("--module-name") or "command", draft.value("--args") or ""
    short = module.rpartition(".")[2]
    if short in {"shell", "command", "raw", "script", "win_shell"} and arguments:
        draft.run("shell", arguments, where="host")
    elif short in {"ping", "setup", "debug", "stat", "getent", "gather_facts"} and "--become" not in draft.flags:
        draft.drop("infra/applies")
        draft.acts()


def _playbook(draft: UseDraft) -> None:
    only_lists = {"--list-hosts", "--list-tasks", "--list-tags", "--syntax-check"} & set(draft.flags)
    draft.dry = draft.dry or bool(only_lists)
    for word in draft.operands:
        draft.reads.append(word)
        if not only_lists:
            draft.run("file", word, by="ansible-playbook")


def _lists_hosts(draft: UseDraft) -> None:
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
            # A mark for the next `apply`, which is asked about; the other of the two takes it away.
            "taint untaint": act("changes network", _TF, long=True),
            "import refresh force-unlock": act("infra/state network", _TF, long=True),
        "state": Program(_TF, long=True, subs={"list show pull": look(_TF + " id=", "text*", "cloud/reads network",
            long=True), "mv push replace-provider": act("infra/state", _TF, long=True),
                "rm": act("infra/state infra/destroys", _TF, long=True)}),
        "workspace": Program(_TF, long=True, subs={"list show": look(_TF, long=True), "new select": act("changes",
            _TF, long=True), "delete": act("infra/destroys", _TF, long=True)}),
        "login logout": act("signs-in network", "*"),
            "run-all run stack": act("runs-project network", "*", special=_run_all),
            "apply-all": act("infra/applies cloud/changes network", "*"),
            "destroy-all": act("infra/destroys cloud/deletes network", "*"),
            "plan-all validate-all output-all graph-dependencies": look("*", "text*", "infra/plans network"),
            "test run-script": act("infra/applies runs-project network", "*"),
                "hclfmt render-json validate-inputs": act("changes", "*"),
    }),
    "pulumi": Program("s/stack= C/cwd=base non-interactive color= v/verbose= y/yes!forced h!dry", subs={
        "preview pre": act("infra/plans network runs-project", "h!dry *"),
        "about whoami version logs history schema": look("*", "text*", "cloud/reads network"),
        "up update import refresh": act("infra/applies cloud/changes network", "h!dry preview-only!dry generate-code "
            "*"),
        "destroy down": act("infra/destroys cloud/deletes network", "h!dry preview-only!dry *"),
        "cancel": act("infra/state network", "*"),
        "stack": Program("s/stack= h!dry show-secrets!reads-secret i/show-ids u/show-urls show-name",
            traits="read-only network", subs={
            "ls output history hist graph tag": look("show-secrets!reads-secret h!dry *", "text*", "cloud/reads "
                "network"),
            "rm": act("infra/destroys network", "h!dry *"),
            "export": look("show-secrets!reads-secret h!dry file=write version=", "text*", "cloud/reads network"),
            # A new or another stack changes nothing that is there.
            "init select unselect change-secrets-provider": act("changes network", "h!dry *"),
            "*": act("infra/state network", "h!dry *")}),
        "state": act("infra/state network", "h!dry *"),
        "config": Program("show-secrets!reads-secret j/json path h!dry s/stack=", traits="read-only", subs={
            "get": look("show-secrets!reads-secret j/json path h!dry s/stack=", "text*",
                special=lambda draft: draft.add("reads-secret")),
            "set set-all cp rm rm-all refresh env": act("writes-secret", "h!dry *")}),
        "env": Program("h!dry", subs={"ls diff version": look("*", "text*", "network"), "get open "
            "run": act("reads-secret network", "*"),
            "rm": act("cloud/deletes network", "*"), "*": act("writes-secret network", "*")}),
        "login logout": act("signs-in network", "*"), "*": act("changes network", "h!dry *")}),
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
        "encrypt rekey edit create": act("encrypts", "*", "edit*"), "decrypt": act("encrypts reads-secret", "*",
            "edit*"), "encrypt_string": act("encrypts", "*")}),
    "ansible-runner ansible-builder molecule": act("runs-project", "*"),
    "puppet": Program("version!dry V!dry h!dry", subs={
        "agent device": act("infra/applies network", "noop!dry disable=text!service enable!service *", "read*"),
        "apply": act("infra/applies", "noop!dry e/execute=code:other modulepath= *", "read*"),
        "filebucket": look("*", "read*"),
        "parser epp": Program(subs={"validate dump render": look("*", "read*")}), "help man doc describe facts "
            "lookup strings": look("*"),
        "config": Program(subs={"print": look("*"), "*": act("changes", "*")}),
        "module": Program(subs={"list search changes": look("*", "text*", "network"), "*": act("installs-package "
            "network", "*")}),
        "resource": look("edit!infra/applies e!infra/applies *", special=lambda draft: draft.add("infra/applies")
            if any("=" in word for word in draft.operands) else None),
        "node": Program(subs={"clean purge deactivate": act("infra/destroys cloud/deletes", "*"),
            "*": act("infra/state", "*")}),
        "ssl cert ca": act("infra/state writes-secret", "*"), "*": act("infra/applies network", "*")}),
    "knife": service("cloud", {
        "infra/applies cloud/runs": "bootstrap, ssh, winrm",
        "cloud/changes cloud/deploys": "cookbook upload, upload, node edit, role edit, environment edit, data bag "
            "edit, node run_list add, "
            "node run_list set, role from file, environment from file, data bag from file, node from file, spork "
                "promote",
        "read-only": "search, status, node list, node show, role list, role show, cookbook list, cookbook show, "
            "client list, environment list, "
            "data bag list, diff, list, show, ssl check, ssl fetch, supermarket search", "reads-secret": "data bag "
                "show, vault show",
        "cloud/deletes": "node delete, client delete, role delete, cookbook delete, data bag delete, environment "
            "delete, delete, node bulk delete, "
            "client bulk delete, cookbook bulk delete, node run_list remove, node policy set",
    }),
    "chef chef-client chef-solo cfengine bolt cinc cinc-client": act("infra/applies network",
        "W/why-run!dry noop!dry version!dry v!dry h!dry *"),
    "salt salt-call salt-ssh salt-run": Program("v/verbose l/log-level= E/pcre L/list G/grain N/nodegroup C/compound "
        "b/batch= "
        "t/timeout= out= local c/config-dir=read version!dry versions-report!dry d/doc!dry h!dry async", "text*",
            "infra/applies network",
        special=_salt),
    "salt-key": Program("*", "text*", "infra/state", special=lambda draft: draft.looks("infra/state")
        if {"-L", "-l", "--list", "--list-all", "-p", "-f", "-F"} & set(draft.args) and not {"-a", "-d", "-A", "-D",
            "-r"} & set(draft.args)
            else None),
    "nixos-rebuild darwin-rebuild": Program("flake= target-host=host build-host=host use-remote-sudo!privilege "
        "use-substitutes "
        "show-trace I= *", subs={"list-generations dry-build dry-run changelog check": look("*"),
            "build build-vm build-vm-with-bootloader edit repl dry-activate": act("runs-project", "*"),
            "*": act("infra/applies system-package", "rollback flake= *")}),
    "home-manager": Program("flake= f/file=read b= n/dry-run!dry A= I= v/verbose *", subs={
        "generations packages news option help": look("*"), "build instantiate edit init": act("runs-project", "*"),
        # The person's own packages and settings; an earlier generation brings the old ones back.
        "switch rollback": act("changes installs-package", "n/dry-run!dry *"),
        "uninstall expire-generations remove-generations": act("shreds changes", "n/dry-run!dry *"),
            "*": act("changes", "*")}),
    "nh": Program("v/verbose h!dry", subs={"search completions": look("*", "text*", "network"),
        "os darwin": Program("h!dry", subs={"info": look("*"), "build build-vm repl": act("runs-project", "*"),
            "*": act("infra/applies system-package", "n/dry!dry *")}),
        "home": Program("h!dry", subs={"build repl": act("runs-project", "*"), "*": act("changes installs-package",
            "n/dry!dry *")}),
        "clean": act("shreds", "n/dry!dry *")}),
    "colmena deploy-rs deploy morph nixops": act("infra/applies network", "dry-activate!dry dry-run!dry h!dry *"),
    "spin waypoint boundary nomad-pack": act("infra/applies network", "*"),
}  # fmt: skip
