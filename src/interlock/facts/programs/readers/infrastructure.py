"""Infrastructure as code and configuration management."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special, words


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


READERS: dict[str, Special] = {
    "apply": _apply,
    "lists_hosts": _lists_hosts,
    "playbook": _playbook,
    "pulumi_config_get": (lambda draft: draft.add("reads-secret")),
    "puppet_resource": (
        lambda draft: draft.add("infra/applies") if any("=" in word for word in draft.operands) else None
    ),
    "run_all": _run_all,
    "salt": _salt,
    "salt_key": (
        lambda draft: (
            draft.looks("infra/state")
            if {"-L", "-l", "--list", "--list-all", "-p", "-f", "-F"} & set(draft.args)
            and not {"-a", "-d", "-A", "-D", "-r"} & set(draft.args)
            else None
        )
    ),
    "terraform_fmt": (
        lambda draft: draft.looks("changes") if "--check" in draft.flags or "-write=false" in draft.args else None
    ),
}
